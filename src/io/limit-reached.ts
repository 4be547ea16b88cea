/** Error thrown by a stage that reaches one of its own limits (line length, held bytes, spilled bytes, output). */

/** Thrown by a stage that meets one of its limits; the call ends as `stopped`, with what was printed so far. */
export class LimitReached extends Error {
  override readonly name = "LimitReached";
  readonly limit: "line" | "held" | "spill" | "output";
  readonly cap: number;
  readonly unit: string;

  constructor(limit: LimitReached["limit"], cap: number, unit: string) {
    super(`${limit}: more than ${cap} ${unit}`);
    this.limit = limit;
    this.cap = cap;
    this.unit = unit;
  }
}
