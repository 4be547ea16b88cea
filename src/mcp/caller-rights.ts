/** Rights of a call, from those of its caller; and refusals that name the right that the caller lacks. */
import { shortName } from "../display/visible.ts";
import type { RunResult } from "../exec/result.ts";
import type { ReadsOnly } from "../guard/reads-only.ts";
import type { Violation } from "../guard/violation.ts";
import type { Principal } from "./principal.ts";

export interface CallRights {
  /** See ServedLineOptions. */
  readonly readsOnly?: ReadsOnly | undefined;
  /** Name of the caller, where it may not approve: nobody is asked, and no answer is taken. */
  readonly mayNotApprove?: string | undefined;
}

/**
 * The rights of a call that `principal` makes; `writingTool`, `refusedBecause`: see ReadsOnly. Without a principal, as over standard input and output,
 * the policy alone decides.
 */
export function callRights(principal: Principal | undefined, writingTool: string | undefined, refusedBecause?: string): CallRights {
  const byTool = refusedBecause !== undefined ? { because: refusedBecause } : writingTool === undefined ? undefined : { writingTool };
  if (principal === undefined) return { readsOnly: byTool };
  const name = shortName(principal.name, MOST_NAME_CHARACTERS);
  return {
    // A caller without the right is not sent to the tool that writes.
    readsOnly: principal.rights.has("write") ? byTool : { caller: name },
    mayNotApprove: principal.rights.has("approve") ? undefined : name,
  };
}

/** An issuer may give a client any name. */
const MOST_NAME_CHARACTERS = 64;

/** `result`, whose refusals say which right the caller lacks, where the guard has not said it. */
export function toldOfRights(result: RunResult, { readsOnly, mayNotApprove }: CallRights): RunResult {
  if (result.kind !== "refused") return result;
  const lacks = (violation: Violation): string => {
    if (violation.reason === "NEEDS_APPROVAL" && mayNotApprove !== undefined) return ` The caller '${mayNotApprove}' may not approve.`;
    // A write that only the running line has met.
    const isLate = violation.reason === "READ_ONLY" && violation.rule === undefined;
    return isLate && readsOnly !== undefined && "caller" in readsOnly ? ` The caller '${readsOnly.caller}' may only read.` : "";
  };
  const [first, ...others] = result.violations;
  // The workspace is open for writing, and the line may be tried again.
  const isForNow = readsOnly !== undefined && "because" in readsOnly;
  const reasonOf = ({ reason }: Violation): Violation["reason"] => (isForNow && reason === "READ_ONLY" ? "AUDIT_UNAVAILABLE" : reason);
  const told = (violation: Violation): Violation => ({
    ...violation,
    reason: reasonOf(violation),
    detail: violation.detail + lacks(violation),
  });
  return { ...result, violations: [told(first), ...others.map(told)] };
}
