/** `$'…'`: the escapes of ANSI-C quoting as bash 5.2 reads them (bash manual §3.1.2.4). */
import { toBytes, toText } from "../io/text.ts";

export interface AnsiCText {
  readonly text: string;
  /** Just past the closing quote. */
  readonly end: number;
}

/**
 * Reads the text after `$'`, which stands at `start` in `line`. Bytes that are no UTF-8 come out as in io/text.ts.
 * A NUL (`\0`, `\x00`, `\c@`) ends the text, as in bash. Undefined where the quote is not closed.
 */
export function readAnsiC(line: string, start: number): AnsiCText | undefined {
  const bytes: Buffer[] = [];
  let at = start;
  let plainFrom = start;
  let ended = false;
  const add = (piece: Uint8Array | string): void => {
    if (!ended) bytes.push(typeof piece === "string" ? toBytes(piece) : Buffer.from(piece));
  };
  while (at < line.length) {
    const character = line[at];
    if (character === "'") {
      add(line.slice(plainFrom, at));
      return { text: toText(Buffer.concat(bytes)), end: at + 1 };
    }
    if (character !== "\\") {
      at++;
      continue;
    }
    add(line.slice(plainFrom, at));
    const escape = readEscape(line, at + 1);
    if (escape === undefined) return undefined;
    if (escape.bytes.length === 1 && escape.bytes[0] === 0) ended = true;
    add(escape.bytes);
    at = escape.end;
    plainFrom = at;
  }
  return undefined;
}

interface Escape {
  readonly bytes: Uint8Array;
  readonly end: number;
}

/** The escape whose letter stands at `at`; undefined at the end of the line. */
function readEscape(line: string, at: number): Escape | undefined {
  const letter = line[at];
  if (letter === undefined) return undefined;
  const simple = SIMPLE_ESCAPES[letter];
  if (simple !== undefined) return { bytes: Buffer.of(simple), end: at + 1 };
  switch (letter) {
    case "0":
    case "1":
    case "2":
    case "3":
    case "4":
    case "5":
    case "6":
    case "7": {
      const digits = digitsAt(line, at, /[0-7]/, 3);
      return { bytes: Buffer.of(Number.parseInt(digits, 8) & 0xff), end: at + digits.length };
    }
    case "x":
      return hexadecimalByte(line, at);
    case "u":
      return codePoint(line, at, 4);
    case "U":
      return codePoint(line, at, 8);
    case "c":
      return control(line, at);
    default: {
      const character = String.fromCodePoint(line.codePointAt(at) as number);
      return { bytes: toBytes(`\\${character}`), end: at + character.length };
    }
  }
}

const SIMPLE_ESCAPES: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  e: 27,
  E: 27,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
  v: 11,
  "\\": 92,
  "'": 39,
  '"': 34,
  "?": 63,
};

/** `\xH`, `\xHH`, and bash's `\x{H…}` of which the last eight bits count. Without a digit it stays as typed. */
function hexadecimalByte(line: string, at: number): Escape {
  const braced = line[at + 1] === "{";
  const from = braced ? at + 2 : at + 1;
  const digits = digitsAt(line, from, /[0-9A-Fa-f]/, braced ? Number.POSITIVE_INFINITY : 2);
  if (digits === "" && !braced) return { bytes: Buffer.from("\\x"), end: at + 1 };
  let end = from + digits.length;
  if (braced && line[end] === "}") end++;
  return { bytes: Buffer.of(Number.parseInt(digits.slice(-2) || "0", 16)), end };
}

/** `\uHHHH` and `\UHHHHHHHH` in UTF-8, surrogates and values past U+10FFFF included, as bash writes them. */
function codePoint(line: string, at: number, most: number): Escape {
  const digits = digitsAt(line, at + 1, /[0-9A-Fa-f]/, most);
  if (digits === "") return { bytes: Buffer.from(`\\${line[at]}`), end: at + 1 };
  return { bytes: utf8Of(Number.parseInt(digits, 16)), end: at + 1 + digits.length };
}

function utf8Of(value: number): Buffer {
  if (value < 0x80) return Buffer.of(value);
  const bytes: number[] = [];
  let rest = value;
  let room = 0x3f;
  while (rest > room) {
    bytes.unshift(0x80 | (rest & 0x3f));
    rest = Math.floor(rest / 64);
    room >>= 1;
  }
  bytes.unshift(((0xff << (7 - bytes.length)) & 0xff) | rest);
  return Buffer.from(bytes);
}

/** `\cX`: control-X; `\c\\` takes both backslashes, `\c?` is DEL. Bash disagrees with itself on `\c'`: not read. */
function control(line: string, at: number): Escape | undefined {
  const letter = line[at + 1];
  if (letter === undefined || letter === "'") return undefined;
  if (letter === "\\" && line[at + 2] !== "\\") return undefined;
  const end = letter === "\\" ? at + 3 : at + 2;
  const first = toBytes(String.fromCodePoint(line.codePointAt(at + 1) as number));
  if (letter === "?") return { bytes: Buffer.of(127), end };
  const upper = letter.toUpperCase().charCodeAt(0);
  if (first.length === 1) return { bytes: Buffer.of(upper & 0x1f), end };
  const lead = first[0] as number;
  return { bytes: Buffer.concat([Buffer.of(lead & 0x1f), first.subarray(1)]), end: at + 1 + (first.length === 4 ? 2 : 1) };
}

function digitsAt(line: string, from: number, digit: RegExp, most: number): string {
  let end = from;
  while (end < line.length && end - from < most && digit.test(line[end] as string)) end++;
  return line.slice(from, end);
}
