/**
 * Messages with more members than may be parsed: parsing and copying them would hold up every other client. Found by one
 * pass over their bytes, before JSON.parse. A call's text, however long, is one member.
 */

/** Objects, arrays and their members in one message. A call has some twenty. */
export const MOST_PARTS = 10_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENS: ReadonlySet<number> = new Set([0x5b, 0x7b]);

/** Tells whether `line` has more parts than may be parsed. */
export function isCrowded(line: Buffer): boolean {
  let parts = 0;
  for (let at = 0; at < line.length; at++) {
    const byte = line[at] as number;
    if (byte === QUOTE) at = stringEnd(line, at) - 1;
    else if ((byte === COMMA || OPENS.has(byte)) && ++parts > MOST_PARTS) return true;
  }
  return false;
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
