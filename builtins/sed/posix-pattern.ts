/** Regular expressions under --posix, where GNU's own operators are ordinary characters, and so is a `)` that nothing opened. */

/** After a backslash these are operators of GNU in both syntaxes; and in the basic one these too. */
const GNU_OPERATORS = "wWsSbB<>`'";
const GNU_BASIC_OPERATORS = "+?|";
const BRACKET = /\[\^?\]?(?:\[([:.=])[\s\S]*?\1\]|[^\]])*\]/y;

/**
 * `raw` (one unit per byte) written so that it means without --posix what it means with it. `escapeAt` reads the
 * escapes that stand for a byte; in brackets there are none.
 */
export function posixPattern(
  raw: string,
  extended: boolean,
  escapeAt: (text: string, at: number) => { readonly byte: string; readonly next: number } | undefined,
): string {
  let text = "";
  let depth = 0;
  for (let at = 0; at < raw.length; ) {
    const escape = raw[at] === "\\" ? escapeAt(raw, at) : undefined;
    if (escape !== undefined) {
      text += escape.byte;
      at = escape.next;
      continue;
    }
    BRACKET.lastIndex = at;
    const token = BRACKET.exec(raw)?.[0] ?? raw.slice(at, at + (raw[at] === "\\" ? 2 : 1));
    at += token.length;
    const letter = token.length === 2 ? (token[1] as string) : "";
    if (token === (extended ? "(" : "\\(")) depth++;
    if (token === (extended ? ")" : "\\)") && --depth < 0) {
      depth = 0;
      text += extended ? "\\)" : ")";
    } else if (letter !== "" && token[0] === "\\" && (GNU_OPERATORS + (extended ? "" : GNU_BASIC_OPERATORS)).includes(letter))
      text += letter;
    else text += token;
  }
  return text;
}
