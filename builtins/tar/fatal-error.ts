/** The end of a run of tar: its message, and after it that there is no going on. */

export class FatalError extends Error {
  override readonly name = "FatalError";
}
