/** Sources of a command's policy: its flags, the environment, and the files both lead to. */
import { resolve } from "node:path";
import type { PolicySources } from "../config/load.ts";

/** The values given for the flags of the same names. */
export interface PolicyFlags {
  /** The path as given: relative to the directory in which the command was started. */
  readonly root: string | undefined;
  readonly config?: string | undefined;
  readonly profile?: string | undefined;
  readonly "read-only"?: boolean;
  readonly strict?: boolean;
  readonly redirects?: string | undefined;
  readonly structured?: boolean | undefined;
  readonly split?: boolean | undefined;
  /** See PolicySources. */
  readonly secretFiles?: readonly string[] | undefined;
}

/** The same for the server and for every subcommand that does as it would. */
export function policySources({
  root,
  config,
  profile,
  "read-only": readOnly,
  strict,
  redirects,
  structured,
  split,
  secretFiles,
}: PolicyFlags): PolicySources {
  return {
    root: resolve(rootOrHere(root)),
    file: config,
    environment: process.env,
    flags: { profile, readOnly, strict, redirects, structured, split },
    secretFiles,
  };
}

/** The root that a subcommand works on: `--root`, `$SHELPA_ROOT`, the current directory. */
export const rootOrHere = (given: string | undefined): string => given ?? process.env["SHELPA_ROOT"] ?? ".";
