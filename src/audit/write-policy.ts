/** Write permission of a path: protection by name, and the policy's additions. Asked by the guard and by the recorder. */
import { pathMatcher } from "../glob/path-rules.ts";
import { composed, folded } from "../workspace/walk/name-folding.ts";
import { foldedPath, protectedPath } from "./protected-paths.ts";

/** Rules for the files of one tree: the root, or a mount. */
export interface WriteRules {
  /** Absolute name of a mount. The rules are about paths from the root, and in a mount about whole names, from `/`. */
  readonly mount?: string | undefined;
  /**
   * Host path of the tree's directory, free of symbolic links: `workflows/` is protected where the tree is in `.github`. Default: a
   * path in the tree says all.
   */
  readonly directory?: string | undefined;
  /** Rules as of gitignore(5). */
  readonly denyWrite: readonly string[];
  /** Protected paths that a human has allowed beforehand, as the same kind of rules. */
  readonly preApproved: readonly string[];
  /** Tells whether a name on the way to a path of the tree may be found in any case: rules that forbid then hold so. Default: none is. */
  readonly foldsCase?: ((path: string) => boolean) | undefined;
  /** Files and directories of the server itself, relative to the tree. */
  readonly own: readonly string[];
}

/**
 * Verdict on a write. "hard": never made. "denied": forbidden by the policy. "approval": a human must agree.
 * "pre-approved": a human has, in the configuration.
 */
export type WriteVerdict = "ordinary" | "hard" | "denied" | "approval" | "pre-approved";

/** Reason of a refusal, as a clause after the path's name in a message. */
export const WRITE_REFUSALS: Readonly<Record<"hard" | "denied" | "approval", string>> = {
  hard: "Protected path: shelpa never writes there",
  denied: "Protected path: the configuration of this server keeps it as it is",
  approval: "Protected path: programs or agents on this host run or obey what it says, so a human must approve the change",
};

export class WritePolicy {
  readonly #isDenied: (canonical: string) => boolean;
  readonly #isPreApproved: (canonical: string) => boolean;
  readonly #own: readonly string[];
  /** Host path of the tree, which is not protected itself; "" where a path in the tree says all. */
  readonly #above: string;

  constructor({ mount, directory, denyWrite, preApproved, foldsCase = () => false, own }: WriteRules) {
    this.#own = own.map(foldedPath);
    this.#above = directory === undefined || protectedPath(directory) !== undefined ? "" : `${directory}/`;
    const isDenied = matcherIn(mount, denyWrite.map(composed));
    const isDeniedInAnyCase = matcherIn(mount, denyWrite.map(folded));
    this.#isDenied = (path) => isDenied(composed(path)) || (isDeniedInAnyCase(folded(path)) && foldsCase(path));
    this.#isPreApproved = matcherIn(mount, preApproved);
  }

  /** True if the configuration allows a write to `path` that a human would otherwise have to allow. */
  isPreApproved(path: string): boolean {
    return this.#isPreApproved(path);
  }

  /** Verdict on writing to `path`, relative to the tree. */
  verdict(path: string): WriteVerdict {
    // A path that was typed may be absolute: it says all.
    const protection = protectedPath(path.startsWith("/") ? path : this.#above + path);
    if (protection === "hard" || this.#isOwn(path)) return "hard";
    if (this.#isDenied(path)) return "denied";
    if (protection === undefined) return "ordinary";
    return this.#isPreApproved(path) ? "pre-approved" : "approval";
  }

  /** True for the server's own, what is below it, and the names on the way to it: one could become a link that leads elsewhere. */
  #isOwn(path: string): boolean {
    if (this.#own.length === 0 || path === "") return false;
    const folded = foldedPath(path);
    return this.#own.some((own) => folded === own || folded.startsWith(`${own}/`) || own.startsWith(`${folded}/`));
  }
}

function matcherIn(mount: string | undefined, rules: readonly string[]): (path: string) => boolean {
  const matches = pathMatcher(rules);
  return mount === undefined ? matches : (path) => matches(path === "" ? mount.slice(1) : `${mount.slice(1)}/${path}`);
}

/** Rules where nothing is configured. */
export const ORDINARY_WRITES: WriteRules = { denyWrite: [], preApproved: [], own: [] };
