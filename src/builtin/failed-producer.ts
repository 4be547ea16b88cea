/** A stage that another one reads from, and that failed. Types only. */
import type { ExitStatus } from "./definition.ts";

export interface FailedProducer {
  /** Its source text. */
  readonly command: string;
  readonly exit: ExitStatus;
  /** The start of what it said on standard error; "" for nothing. */
  readonly message: string;
}
