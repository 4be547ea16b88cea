/** Write permission of a path: protection by name, and the policy's additions. Asked by the guard and by the recorder. */
import { pathMatcher } from "../glob/path-rules.ts";
import { foldedPath, protectedPath } from "./protected-paths.ts";

export interface WriteRules {
  /** Rules as of gitignore(5), relative to the root. */
  readonly denyWrite: readonly string[];
  /** Protected paths that a human has allowed beforehand, as the same kind of rules. */
  readonly preApproved: readonly string[];
  /** Files and directories of the server itself, relative to the root. */
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

  constructor({ denyWrite, preApproved, own }: WriteRules) {
    this.#own = own.map(foldedPath);
    this.#isDenied = pathMatcher(denyWrite);
    this.#isPreApproved = pathMatcher(preApproved);
  }

  /** True if the configuration allows a write to `path` that a human would otherwise have to allow. */
  isPreApproved(path: string): boolean {
    return this.#isPreApproved(path);
  }

  /** Verdict on writing to `path`, relative to the root. */
  verdict(path: string): WriteVerdict {
    const protection = protectedPath(path);
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

/** Rules where nothing is configured. */
export const ORDINARY_WRITES: WriteRules = { denyWrite: [], preApproved: [], own: [] };
