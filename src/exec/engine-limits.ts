/** V8's own limits (string and collection length, stack depth), reported as a limit of the line and not as a fault of ours. */

/** Tells whether `thrown` is V8's refusal of a too long string or collection: the stage's task is too large, no fault of ours. */
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

/** Tells whether `thrown` is a stack overflow: a pattern or an expression nests thousands of groups, too deep for its reader. */
export function isTooDeep(thrown: unknown): boolean {
  return thrown instanceof RangeError && thrown.message.startsWith("Maximum call stack size exceeded");
}
