/** xxd's lines: normal, in bits, little-endian, plain, and as a C array. */
import { EBCDIC_SHOWN } from "./ebcdic.ts";
import type { XxdOptions } from "./options.ts";

/** One line of the normal, bits or little-endian style, for up to `columns` bytes at `position`. */
export function dumpLine(bytes: Buffer, position: number, options: XxdOptions): string {
  const { style, columns, groupBytes, upperCase, decimalOffset, ebcdic } = options;
  const perByte = style === "bits" ? 8 : 2;
  const shownAt = (position + options.offset) >>> 0;
  const address = `${decimalOffset ? String(shownAt).padStart(8, "0") : shownAt.toString(16).padStart(8, "0")}: `;
  const groupColumns = groupBytes * perByte + 1;
  const cells = Array.from({ length: Math.ceil(columns / groupBytes) }, () =>
    Array.from<string>({ length: groupBytes }).fill(" ".repeat(perByte)),
  );
  let characters = "";
  for (const [at, byte] of bytes.entries()) {
    const cell = cells[Math.floor(at / groupBytes)] as string[];
    const text = style === "bits" ? byte.toString(2).padStart(8, "0") : byte.toString(16).padStart(2, "0");
    const place = style === "little-endian" ? groupBytes - 1 - (at % groupBytes) : at % groupBytes;
    cell[place] = upperCase ? text.toUpperCase() : text;
    characters += ebcdic ? EBCDIC_SHOWN.charAt(byte) : byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : ".";
  }
  const hex = cells.map((cell) => cell.join("")).join(" ");
  const room = Math.floor((groupColumns * columns - 1) / groupBytes) + 1;
  return `${address}${hex.padEnd(room).slice(0, room)} ${characters}\n`;
}

/** -a: of lines of zeros the first is printed, then a star; the last line of all is printed as it is. */
export class ZeroLines {
  #seen = 0;
  #held = "";

  /** What to print for a line; `kind` "end" comes once, after the last. */
  next(line: string, kind: "zeros" | "other" | "end"): string {
    let shown = "";
    if (kind === "zeros" && this.#seen === 1) this.#held = line;
    const first = this.#seen === 0;
    if (kind === "zeros") {
      this.#seen++;
      return first ? line : "";
    }
    if (kind === "end") this.#seen--;
    if (this.#seen === 2) shown += this.#held;
    if (this.#seen > 2) shown += "*\n";
    if (kind === "other" || this.#seen > 0) shown += line;
    this.#seen = 0;
    return shown;
  }
}

/** A file's name as a C identifier. */
export function identifier(name: string, capitalize: boolean): string {
  const text = (/^\d/.test(name) ? `__${name}` : name).replace(/[^A-Za-z0-9]/g, (letter) => "_".repeat(Buffer.byteLength(letter)));
  return capitalize ? text.toUpperCase() : text;
}
