/** A running script that cannot go on. */
export class RunError extends Error {
  override readonly name = "RunError";
}
