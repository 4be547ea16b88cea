/** Backslash escapes of bash's printf: in the format, and in the operand of %b. Byte strings throughout. */

export interface Escape {
  /** What it stands for. A backslash that begins no escape stands for itself and takes nothing. */
  readonly text: string;
  /** How much after the backslash it takes. */
  readonly length: number;
  /** `\c` in an operand of %b: output ends here. */
  readonly ends?: boolean;
}

/** The escape whose backslash stands before `at`. */
export function escapeAt(source: string, at: number, place: "format" | "operand", complain: (message: string) => void): Escape {
  const letter = source.charAt(at);
  const simple = LETTERS[letter];
  if (simple !== undefined) return { text: simple, length: 1 };
  if (letter >= "0" && letter <= "7") {
    const digits = (letter === "0" && place === "operand" ? /^[0-7]{1,4}/ : /^[0-7]{1,3}/).exec(source.slice(at, at + 4))?.[0] ?? "";
    return { text: String.fromCharCode(Number.parseInt(digits, 8) & 0xff), length: digits.length };
  }
  if (letter === "x" || letter === "u" || letter === "U") {
    const most = letter === "x" ? 2 : letter === "u" ? 4 : 8;
    const digits = /^[0-9a-fA-F]*/.exec(source.slice(at + 1, at + 1 + most))?.[0] ?? "";
    if (digits === "") {
      complain(letter === "x" ? "missing hex digit for \\x" : `missing unicode digit for \\${letter}`);
      return { text: "\\", length: 0 };
    }
    const code = Number.parseInt(digits, 16);
    return { text: letter === "x" ? String.fromCharCode(code) : utf8(code), length: 1 + digits.length };
  }
  if (place === "format" && (letter === "'" || letter === '"' || letter === "?")) return { text: letter, length: 1 };
  if (place === "operand" && letter === "c") return { text: "", length: 1, ends: true };
  return { text: "\\", length: 0 };
}

/** The operand of %b. */
export function expandOperand(operand: string, complain: (message: string) => void): { text: string; ended: boolean } {
  let text = "";
  for (let at = 0; at < operand.length; ) {
    const backslash = operand.indexOf("\\", at);
    if (backslash < 0) return { text: text + operand.slice(at), ended: false };
    text += operand.slice(at, backslash);
    const escape = escapeAt(operand, backslash + 1, "operand", complain);
    if (escape.ends === true) return { text, ended: true };
    text += escape.text;
    at = backslash + 1 + escape.length;
  }
  return { text, ended: false };
}

/** UTF-8 as bash writes it: up to six bytes, surrogates included. Nothing past 31 bits. */
function utf8(code: number): string {
  if (code < 0x80) return String.fromCharCode(code);
  if (code > 0x7fffffff) return "";
  const length = code < 0x800 ? 2 : code < 0x10000 ? 3 : code < 0x200000 ? 4 : code < 0x4000000 ? 5 : 6;
  let bytes = "";
  let left = code;
  for (let i = 1; i < length; i++) {
    bytes = String.fromCharCode(0x80 | (left & 0x3f)) + bytes;
    left = Math.floor(left / 64);
  }
  return String.fromCharCode(((0xff00 >> length) & 0xff) | left) + bytes;
}

const LETTERS: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  e: "\u001b",
  E: "\u001b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
};
