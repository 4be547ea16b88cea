/** Wishes of a person for `init`, whichever the client. */
import type { Container } from "./container-entry.ts";
import type { Launch } from "./entry.ts";

export interface Wish {
  /** The command by which a client starts the server from a terminal, and from a desktop, whose PATH is not the terminal's. */
  readonly launch: Commands;
  /** Arguments for the directories that are mounted: "--mount", "/docs=/srv/docs", …. */
  readonly mounts: readonly string[];
  /** Deny the client's own shell and search tools, and allow ours. */
  readonly steer: boolean;
  /** Ask `shelpa-mcp hook` before the client's own shell is used. */
  readonly hook: boolean;
  /** The container that the server runs in, with the commands that run it; undefined: the host. Hooks are always the host's. */
  readonly container?: (Container & { readonly launch: Commands }) | undefined;
}

export interface Commands {
  readonly terminal: Launch;
  readonly desktop: Launch;
}

/** The wish of whoever only reads what stands in a client's files. */
export const NO_WISH: Wish = {
  launch: { terminal: { program: ["shelpa-mcp"] }, desktop: { program: ["shelpa-mcp"] } },
  mounts: [],
  steer: false,
  hook: false,
};
