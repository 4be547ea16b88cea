/** Test for a refusal that a human's agreement would lift. */
import type { Violation } from "../guard/violation.ts";
import type { Refused, RunResult } from "./result.ts";

/**
 * True if a human's agreement is all that the line lacks. `asksForProtected`: Policy.approval.protectedPaths is "ask"; about a line's
 * severity one may be asked anyhow.
 */
export function lacksOnlyApproval(result: RunResult, asksForProtected: boolean): result is Refused {
  const isAsked = ({ reason, rule }: Violation): boolean =>
    reason === "NEEDS_APPROVAL" && (asksForProtected || (rule !== undefined && rule !== "write:approval"));
  return result.kind === "refused" && result.violations.every(isAsked);
}

/** Tells whether the approval is about a write. Such a write, if the preview did not reach it, gives nothing to ask about. */
export const needsWrites = ({ violations }: Refused): boolean =>
  violations.some(({ rule }) => rule === undefined || rule === "write:approval");
