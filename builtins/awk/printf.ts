/** printf and sprintf. */
import { LimitReached } from "../../src/io/limit-reached.ts";
import { byteOffset, characterCount, characterWidth, encodedCharacter, isAscii } from "./characters.ts";
import { fixed, general, hexadecimal, scientific } from "./float-format.ts";
import { specialText } from "./number-text.ts";
import { FatalError } from "./program-error.ts";
import { Bool, Input, toNumber, toText, type Scalar } from "./values.ts";

export interface FormatSettings {
  /** CONVFMT, for numbers printed by %s. */
  readonly convertFormat: string;
  /** -b: a character is a byte. */
  readonly bytesAreCharacters: boolean;
}

type Size = number | "*" | { readonly argument: number } | undefined;

interface Conversion {
  readonly letter: string;
  readonly left: boolean;
  readonly zero: boolean;
  readonly plus: boolean;
  readonly space: boolean;
  readonly alternate: boolean;
  readonly width: Size;
  readonly precision: Size;
  /** Number of its argument from 1 (`%2$s`), or undefined: the next one. */
  readonly argument: number | undefined;
  /** Where the `%` stands. */
  readonly at: number;
}

export type Format = readonly (string | Conversion)[];

/** Widths past this are not made. */
const MAX_WIDTH = 1 << 26;

const SPECIFICATION =
  /%(?:([0-9]+)\$)?([-+ #0']*)(\*(?:[0-9]+\$)?|[0-9]+)?(?:\.(-?[0-9]+|\*(?:[0-9]+\$)?)?)?([-+ #0']*)[hlLjzt]*([a-zA-Z%])/y;

export function parseFormat(format: string): Format {
  const pieces: (string | Conversion)[] = [];
  let text = "";
  for (let at = 0; at < format.length; ) {
    if (format[at] !== "%") {
      const next = format.indexOf("%", at);
      text += format.slice(at, next < 0 ? undefined : next);
      at = next < 0 ? format.length : next;
      continue;
    }
    SPECIFICATION.lastIndex = at;
    const found = SPECIFICATION.exec(format);
    const letter = found?.[6] ?? "";
    if (found === null || !"csdiouxXeEfFgGaA%".includes(letter)) {
      const length = found === null ? 1 : found[0].length;
      text += format.slice(at, at + length);
      at += length;
      continue;
    }
    const [all, argument, before = "", width, precision, after = ""] = found;
    if (letter === "%") text += "%";
    else {
      if (text !== "") pieces.push(text);
      text = "";
      const flags = before + after;
      const hasPoint = /\./.test(all);
      pieces.push({
        letter: letter === "i" ? "d" : letter,
        left: flags.includes("-"),
        zero: flags.includes("0"),
        plus: flags.includes("+"),
        space: flags.includes(" "),
        alternate: flags.includes("#"),
        width: sizeOf(width),
        precision: hasPoint ? (sizeOf(precision) ?? 0) : undefined,
        argument: argument === undefined ? undefined : Number(argument),
        at,
      });
    }
    at += all.length;
  }
  if (text !== "") pieces.push(text);
  return pieces;
}

function sizeOf(text: string | undefined): Size {
  if (text === undefined) return undefined;
  if (text === "*") return "*";
  if (text.startsWith("*")) return { argument: Number.parseInt(text.slice(1), 10) };
  return Number(text);
}

export function formatText(format: string, values: readonly Scalar[], settings: FormatSettings): string {
  return applyFormat(parseFormat(format), format, values, settings);
}

/** Throws FatalError where there are not values enough, LimitReached where the text would be too long. */
export function applyFormat(pieces: Format, format: string, values: readonly Scalar[], settings: FormatSettings): string {
  let out = "";
  let next = 0;
  for (const piece of pieces) {
    if (typeof piece === "string") {
      out += piece;
      continue;
    }
    const take = (which: number | undefined): Scalar => {
      const index = which === undefined ? next++ : which - 1;
      if (index < values.length) return values[index];
      const spaces = " ".repeat(piece.at + 1);
      throw new FatalError(`not enough arguments to satisfy format string\n\t\`${format}'\n\t${spaces}^ ran out for this one`);
    };
    const size = (given: Size): number | undefined =>
      given === undefined || typeof given === "number" ? given : Math.trunc(toNumber(take(given === "*" ? undefined : given.argument)));
    let width = size(piece.width) ?? 0;
    let precision = size(piece.precision);
    const left = piece.left || width < 0;
    width = Math.abs(width);
    if (precision !== undefined && precision < 0) precision = undefined;
    if (width > MAX_WIDTH || (precision ?? 0) > MAX_WIDTH) throw new LimitReached("held", MAX_WIDTH, "bytes");
    out += converted(piece, width, precision, left, take(piece.argument), settings);
  }
  return out;
}

function converted(
  conversion: Conversion,
  width: number,
  precision: number | undefined,
  left: boolean,
  value: Scalar,
  settings: FormatSettings,
): string {
  switch (conversion.letter) {
    case "s":
      return inField(cutTo(toText(value, settings), precision, settings), width, left, settings);
    case "c":
      return inField(character(value, settings), width, left, settings);
    case "d":
      return decimal(toNumber(value), conversion, width, precision, left);
    case "o":
    case "x":
    case "X":
    case "u":
      return unsigned(toNumber(value), conversion, width, precision, left);
    default:
      return floating(toNumber(value), conversion, width, precision, left);
  }
}

function cutTo(text: string, precision: number | undefined, settings: FormatSettings): string {
  if (precision === undefined || text.length <= precision) return text;
  if (settings.bytesAreCharacters || isAscii(text)) return text.slice(0, precision);
  return text.slice(0, byteOffset(text, precision));
}

function inField(text: string, width: number, left: boolean, settings: FormatSettings): string {
  if (width === 0) return text;
  const missing = width - (settings.bytesAreCharacters ? text.length : characterCount(text));
  if (missing <= 0) return text;
  return left ? text + " ".repeat(missing) : " ".repeat(missing) + text;
}

/** `%c`: the character with that number, or the first one of the text. */
function character(value: Scalar, settings: FormatSettings): string {
  const number = typeof value === "number" ? value : value instanceof Input ? value.number : value instanceof Bool ? value.number : null;
  if (number === null || value === undefined) {
    const text = toText(value, settings);
    if (text === "") return "\0";
    return settings.bytesAreCharacters ? text.charAt(0) : text.slice(0, characterWidth(text, 0));
  }
  if (Number.isNaN(number)) return "\0";
  // It is a number of 32 bits; one that no character has is its last byte.
  const code = Number(BigInt.asUintN(32, BigInt(Math.abs(number) < 2 ** 63 ? Math.trunc(number) : 0)));
  if (settings.bytesAreCharacters || number < 0) return String.fromCharCode(code & 0xff);
  if (code >= 2 ** 31 || (code >= 0xd800 && code <= 0xdfff)) return String.fromCharCode(code & 0xff);
  return encodedCharacter(code);
}

function digitsOf(value: number): string {
  const whole = Math.trunc(Math.abs(value));
  return whole <= Number.MAX_SAFE_INTEGER ? String(whole) : BigInt(whole).toString();
}

function signOf(negative: boolean, conversion: Conversion): string {
  return negative ? "-" : conversion.plus ? "+" : conversion.space ? " " : "";
}

function special(value: number, conversion: Conversion, width: number, left: boolean): string {
  let text = specialText(value);
  if (conversion.letter >= "A" && conversion.letter <= "Z" && conversion.letter !== "X") text = text.toUpperCase();
  return left ? text.padEnd(width) : text.padStart(width);
}

function decimal(value: number, conversion: Conversion, width: number, precision: number | undefined, left: boolean): string {
  if (!Number.isFinite(value)) return special(value, conversion, width, left);
  const digits = precision === 0 && Math.trunc(value) === 0 ? "" : digitsOf(value).padStart(precision ?? 1, "0");
  const sign = signOf(value <= -1, conversion);
  return placed(sign, digits, conversion.zero && precision === undefined, width, left);
}

function unsigned(value: number, conversion: Conversion, width: number, precision: number | undefined, left: boolean): string {
  if (!Number.isFinite(value)) return special(value, conversion, width, left);
  const { letter } = conversion;
  const whole = Math.trunc(value);
  // Past 64 bits gawk has no integer to convert.
  if (whole >= 2 ** 64 || whole < -(2 ** 63)) return floating(value, { ...conversion, letter: "g" }, width, precision, left);
  const size = BigInt.asUintN(64, BigInt(whole));
  let digits = size.toString(letter === "o" ? 8 : letter === "u" ? 10 : 16);
  if (letter === "X") digits = digits.toUpperCase();
  if (precision === 0 && size === 0n) digits = "";
  digits = digits.padStart(precision ?? 1, "0");
  if (digits === "" && conversion.alternate && letter === "o") digits = "0";
  let prefix = "";
  if (conversion.alternate && value !== 0) {
    if (letter === "o" && !digits.startsWith("0")) digits = `0${digits}`;
    else if (letter === "x" || letter === "X") prefix = `0${letter}`;
  }
  return placed(prefix, digits, conversion.zero && precision === undefined, width, left);
}

function placed(sign: string, digits: string, zero: boolean, width: number, left: boolean): string {
  if (left) return (sign + digits).padEnd(width);
  if (zero) return sign + digits.padStart(width - sign.length, "0");
  return (sign + digits).padStart(width);
}

function floating(value: number, conversion: Conversion, width: number, precision: number | undefined, left: boolean): string {
  if (!Number.isFinite(value)) return special(value, conversion, width, left);
  const { letter, alternate } = conversion;
  const negative = value < 0 || Object.is(value, -0);
  const size = Math.abs(value);
  const lower = letter.toLowerCase();
  let text: string;
  if (lower === "e") text = scientific(size, precision ?? 6, alternate);
  else if (lower === "f") text = fixed(size, precision ?? 6, alternate);
  else if (lower === "g") text = general(size, precision ?? 6, alternate);
  else text = hexadecimal(size, precision, alternate);
  let sign = signOf(negative, conversion);
  if (lower === "a") {
    sign += text.slice(0, 2);
    text = text.slice(2);
  }
  const shown = placed(sign, text, conversion.zero, width, left);
  return letter === lower ? shown : shown.toUpperCase();
}
