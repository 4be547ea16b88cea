/** Write permission of a path: paths protected by name, and the policy's additions. The guard and the recorder ask. */
import { pathMatcher } from "../glob/path-rules.ts";
import { foldedPath, protectedPath } from "./protected-paths.ts";

export interface WriteRules {
  /** Rules as of gitignore(5), relative to the root. */
  readonly denyWrite: readonly string[];
  /** Protected paths that a human has allowed beforehand; the same. */
  readonly preApproved: readonly string[];
  /** Files and directories of the server itself, relative to the root. */
  readonly own: readonly string[];
}

/**
 * "hard": never written. "denied": the policy forbids it. "approval": a human must agree. "pre-approved": one has, in
 * the configuration.
 */
export type WriteVerdict = "ordinary" | "hard" | "denied" | "approval" | "pre-approved";

/** Why not, as a clause after the path's name in a message. */
export const WRITE_REFUSALS: Readonly<Record<"hard" | "denied" | "approval", string>> = {
  hard: "Protected path: shelpa never writes there",
  denied: "Protected path: the configuration of this server keeps it as it is",
  approval: "Protected path: programs or agents on this host run or obey what it says, so a human must approve the change",
};

export class WritePolicy {
  readonly #isDenied: (canonical: string) => boolean;
  readonly #isPreApproved: (canonical: string) => boolean;
  readonly #own: readonly string[];

  constructor({ denyWrite, preApproved, own }: WriteRules) {
    this.#own = own.map(foldedPath);
    this.#isDenied = pathMatcher(denyWrite);
    this.#isPreApproved = pathMatcher(preApproved);
  }

  /** Whether the configuration allows what a human would have to allow there. */
  isPreApproved(path: string): boolean {
    return this.#isPreApproved(path);
  }

  /** `path` is relative to the root. */
  verdict(path: string): WriteVerdict {
    const protection = protectedPath(path);
    if (protection === "hard" || this.#isOwn(path)) return "hard";
    if (this.#isDenied(path)) return "denied";
    if (protection === undefined) return "ordinary";
    return this.#isPreApproved(path) ? "pre-approved" : "approval";
  }

  #isOwn(path: string): boolean {
    if (this.#own.length === 0) return false;
    const folded = foldedPath(path);
    return this.#own.some((own) => folded === own || folded.startsWith(`${own}/`));
  }
}

/** Where nothing is configured. */
export const ORDINARY_WRITES: WriteRules = { denyWrite: [], preApproved: [], own: [] };
