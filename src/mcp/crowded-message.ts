/**
 * Messages with more members than may be parsed: parsing and copying them would hold up every other client. Found by one
 * pass over their bytes, before JSON.parse. A call's text, however long, is one member.
 */

/** Objects, arrays and their members in one message. A call has some twenty. */
export const MOST_PARTS = 10_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENS: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSES: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/** The id of the message in `line`, where that has more parts; undefined where it has no more, and can be parsed. */
export function crowdedMessage(line: Buffer): { readonly id: string | number | null } | undefined {
  let parts = 0;
  let depth = 0;
  let id: string | number | null = null;
  /** The last string outside nested values: a key, if a colon follows. */
  let key = "";
  for (let at = 0; at < line.length; at++) {
    const byte = line[at] as number;
    if (byte === QUOTE) {
      const end = stringEnd(line, at);
      if (depth === 1 && end - at < MOST_ID_BYTES) key = line.toString("latin1", at + 1, end - 1);
      at = end - 1;
    } else if (OPENS.has(byte)) {
      depth++;
      parts++;
    } else if (CLOSES.has(byte)) depth--;
    else if (byte === COMMA) parts++;
    else if (byte === COLON && depth === 1 && key === "id") id = idAt(line, at + 1) ?? id;
  }
  return parts > MOST_PARTS ? { id } : undefined;
}

/** The place behind the string that begins at `at`; the end of the line where it has none. */
function stringEnd(line: Buffer, at: number): number {
  for (let end = line.indexOf(QUOTE, at + 1); end >= 0; end = line.indexOf(QUOTE, end + 1)) {
    let backslashes = 0;
    while (line[end - 1 - backslashes] === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end + 1;
  }
  return line.length;
}

const MOST_ID_BYTES = 200;

/** A text or a whole number. */
function idAt(line: Buffer, at: number): string | number | undefined {
  const [token = ""] = /^[\t\r\n ]*("(?:[^"\\]|\\.)*"|-?\d{1,15})(?=[\t\r\n ,}])/.exec(line.toString("utf8", at, at + MOST_ID_BYTES)) ?? [];
  try {
    const value: unknown = JSON.parse(token);
    return typeof value === "string" || typeof value === "number" ? value : undefined;
  } catch {
    return undefined;
  }
}
