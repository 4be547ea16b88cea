/** `l`: a pattern space with everything visible, folded. */

const NAMED: ReadonlyMap<number, string> = new Map([
  [0x07, "\\a"],
  [0x08, "\\b"],
  [0x09, "\\t"],
  [0x0a, "\\n"],
  [0x0b, "\\v"],
  [0x0c, "\\f"],
  [0x0d, "\\r"],
  [0x5c, "\\\\"],
]);

/** The lines that `l` prints, with their ends. No line is wider than `width`; 0 and less: one line. */
export function unambiguous(bytes: Uint8Array, width: number, separator: number): string {
  const end = String.fromCharCode(separator);
  let text = "";
  let column = 0;
  for (const byte of bytes) {
    const shown = NAMED.get(byte) ?? (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, "0")}`);
    if (width > 0 && column + shown.length > width - 1) {
      text += `\\${end}`;
      column = 0;
    }
    text += shown;
    column += shown.length;
  }
  return `${text}$${end}`;
}
