/** Backslash escapes of bash's printf: in the format, and in the operand of %b. Byte strings throughout. */
import { bashUtf8, LETTER_ESCAPES } from "./bash-escapes.ts";

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
  const simple = LETTER_ESCAPES[letter];
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
    return { text: letter === "x" ? String.fromCharCode(code) : bashUtf8(code).toString("latin1"), length: 1 + digits.length };
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
