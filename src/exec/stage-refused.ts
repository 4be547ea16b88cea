/** A stage that the guard's rules do not let start, found out when its words had been expanded. */
import type { Violation } from "../guard/violation.ts";

/** Thrown through the pipeline, so that the whole line ends as a violation. */
export class StageRefused extends Error {
  override readonly name = "StageRefused";
  readonly violation: Violation;

  constructor(violation: Violation) {
    super(violation.detail);
    this.violation = violation;
  }
}
