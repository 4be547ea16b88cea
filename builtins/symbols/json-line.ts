/** An object as one line of JSON. */

/** Ends with a newline. A byte that is no text (src/io/text.ts) cannot stand in JSON and becomes U+FFFD. */
export function jsonLine(value: object): string {
  return `${JSON.stringify(value, (_key, part: unknown) => (typeof part === "string" ? part.toWellFormed() : part))}\n`;
}
