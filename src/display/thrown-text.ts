/** Text of what foreign code threw: any value at all, and reading it may itself throw. */

/** Its message, or else its name or its value as text; with `hasStack`, its stack. Never throws. */
export function thrownText(thrown: unknown, { hasStack = false }: { readonly hasStack?: boolean } = {}): string {
  try {
    if (!(thrown instanceof Error)) return String(thrown);
    // What these hold is the thrower's: no text for sure.
    if (hasStack && thrown.stack !== undefined) return String(thrown.stack);
    return String(thrown.message === "" ? thrown.name : thrown.message);
  } catch {
    return "a value was thrown that has no text";
  }
}
