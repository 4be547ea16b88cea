/** What JavaScript itself has no room for: that a line asks for it is no fault of ours, and is told as a limit. */

/** Whether a stage wanted a text or a list that is longer than there can be: what it was told to do is too large, and that is no fault of ours. */
export function isTooLong(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  if ("code" in thrown && thrown.code === "ERR_STRING_TOO_LONG") return true;
  return (
    thrown instanceof RangeError &&
    /^(Invalid (string|array|typed array|array buffer) length|Array buffer allocation failed|(Map|Set) maximum size exceeded)/.test(
      thrown.message,
    )
  );
}

/** Whether something nests deeper than a reader of it can follow: a pattern or an expression of thousands of groups. */
export function isTooDeep(thrown: unknown): boolean {
  return thrown instanceof RangeError && thrown.message.startsWith("Maximum call stack size exceeded");
}
