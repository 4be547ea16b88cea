/** The escapes that stand for one byte everywhere in a script: `\a \f \n \r \t \v \cX \dNNN \oNNN \xHH`. */
import { ScriptError } from "./script-reader.ts";

const LETTERS: Readonly<Record<string, string>> = { a: "\x07", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };
const NUMBERS: Readonly<Record<string, readonly [RegExp, number]>> = {
  d: [/^[0-9]{1,3}/, 10],
  o: [/^[0-7]{1,3}/, 8],
  x: [/^[0-9A-Fa-f]{1,2}/, 16],
};

export interface Escape {
  readonly byte: string;
  readonly next: number;
  /** Written as a number or as `\cX`: in a replacement such a byte is never special. */
  readonly isCoded: boolean;
}

/** The escape whose backslash is at `at` in `text`, or undefined where that is no such escape. */
export function readEscape(text: string, at: number): Escape | undefined {
  const letter = text[at + 1] ?? "";
  const simple = Object.hasOwn(LETTERS, letter) ? LETTERS[letter] : undefined;
  if (simple !== undefined) return { byte: simple, next: at + 2, isCoded: false };
  if (letter === "c" && at + 2 < text.length) {
    const control = text[at + 2] as string;
    if (control === "\\" && text[at + 3] !== "\\") throw new ScriptError("recursive escaping after \\c not allowed");
    return {
      byte: String.fromCharCode(control.replace(/[a-z]/, (letter) => letter.toUpperCase()).charCodeAt(0) ^ 0x40),
      next: at + (control === "\\" ? 4 : 3),
      isCoded: true,
    };
  }
  if (!Object.hasOwn(NUMBERS, letter)) return undefined;
  const [digits, base] = NUMBERS[letter] as readonly [RegExp, number];
  const found = digits.exec(text.slice(at + 2, at + 5))?.[0];
  if (found === undefined) return undefined;
  return { byte: String.fromCharCode(parseInt(found, base) & 0xff), next: at + 2 + found.length, isCoded: true };
}

/** A pattern with these escapes replaced. What they stand for is as special as if it had been typed. */
export function patternText(raw: string): string {
  if (!raw.includes("\\")) return raw;
  let text = "";
  for (let at = 0; at < raw.length; ) {
    if (raw[at] !== "\\") {
      text += raw[at++];
      continue;
    }
    const escape = readEscape(raw, at);
    text += escape?.byte ?? raw.slice(at, at + 2);
    at = escape?.next ?? at + 2;
  }
  return text;
}
