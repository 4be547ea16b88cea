/** printf and sprintf. */
import { LimitReached } from "../../../src/io/limit-reached.ts";
import { byteOffset, characterCount, characterWidth, encodedCharacter, isAscii, strayByteAt } from "../run/characters.ts";
import { fixed, general, hexadecimal, scientific, specialText } from "./float-format.ts";
import { FatalError } from "../syntax/program-error.ts";
import { Bool, Input, toNumber, type Scalar } from "./values.ts";

export interface FormatSettings {
  numberOf(value: Scalar): number;
  /** By CONVFMT, for numbers printed by %s. */
  textOf(value: Scalar): string;
  /** -b: a character is a byte. */
  readonly bytesAreCharacters: boolean;
}

/** A width or precision: as it is spelled out, or the value of an argument. */
type Size =
  | { readonly of: "width" | "precision"; readonly value: number }
  | {
      readonly of: "width" | "precision";
      /** Number of the argument from 1 (`*2$`), or undefined: the next one. */
      readonly argument: number | undefined;
      /** Position of the `$`. */
      readonly at: number;
    };

interface Conversion {
  readonly letter: string;
  readonly left: boolean;
  readonly zero: boolean;
  readonly plus: boolean;
  readonly space: boolean;
  readonly alternate: boolean;
  readonly hasPrecision: boolean;
  /** In order; a later one of a kind counts. */
  readonly sizes: readonly Size[];
  /** Number of its argument from 1 (`%2$s`), or undefined: the next one. */
  readonly argument: number | undefined;
  /** Position of the letter. */
  readonly at: number;
}

/** A text that is no specification, but names an argument: `%2$lls`. */
interface Mention {
  readonly argument: number;
}

export type Format = readonly (string | Conversion | Mention)[];

/** Widths past this are not made. */
const MAX_WIDTH = 1 << 26;

export function parseFormat(format: string): Format {
  const pieces: (string | Conversion | Mention)[] = [];
  let text = "";
  for (let at = 0; at < format.length; ) {
    const percent = format.indexOf("%", at);
    text += format.slice(at, percent < 0 ? undefined : percent);
    if (percent < 0) break;
    const conversion = readConversion(format, percent);
    if ("end" in conversion) {
      text += format.slice(percent, conversion.end);
      at = conversion.end;
      if (conversion.argument !== undefined) pieces.push({ argument: conversion.argument });
      continue;
    }
    at = conversion.at + 1;
    if (conversion.letter === "%") {
      text += "%";
      if (conversion.argument !== undefined) pieces.push({ argument: conversion.argument });
    } else {
      if (text !== "") pieces.push(text);
      text = "";
      pieces.push(conversion);
    }
  }
  if (text !== "") pieces.push(text);
  return pieces;
}

/**
 * The specification whose `%` is at `start`, or the end of what is none and stands for itself. Flags, sizes and length
 * letters may come in any order before the point, as gawk takes them; a flag behind the point makes it none.
 */
function readConversion(format: string, start: number): Conversion | { readonly end: number; readonly argument: number | undefined } {
  const flags = new Set<string>();
  const lengths = new Set<string>();
  const sizes: Size[] = [];
  let of: "width" | "precision" | undefined = "width";
  let argument: number | undefined;
  let hasPrecision = false;
  for (let at = start + 1; at < format.length; at++) {
    const letter = format[at] as string;
    if (letter >= "0" && letter <= "9") {
      if (letter === "0" && of === "width") flags.add("0");
      if (of === undefined) return { end: at + 1, argument };
      const [digits] = /^[0-9]+/.exec(format.slice(at, at + 400)) as RegExpExecArray;
      sizes.push({ of, value: Number(digits) });
      if (of === "precision") of = undefined;
      at += digits.length - 1;
    } else if (letter === "$") {
      if (of === "width") {
        const size = sizes.pop();
        argument = size !== undefined && "value" in size ? size.value : 0;
      }
    } else if (letter === "*") {
      if (of === undefined) return { end: at + 1, argument };
      const [numbered, digits] = /^\*([0-9]+)\$/.exec(format.slice(at, at + 400)) ?? [];
      if (numbered !== undefined) at += numbered.length - 1;
      else if (/[0-9]/.test(format[at + 1] ?? "") || argument !== undefined) throw new FatalError(`fatal: ${MIXED}`);
      sizes.push({ of, argument: digits === undefined ? undefined : Number(digits), at });
      if (of === "precision") of = undefined;
    } else if (letter === ".") {
      if (of !== "width") return { end: at + 1, argument };
      of = "precision";
      hasPrecision = true;
    } else if (letter === "-" && of === "precision" && hasPrecision) {
      // A negative precision is none.
      hasPrecision = false;
    } else if ("-+ #'".includes(letter)) {
      if (of !== "width") return { end: at + 1, argument };
      flags.add(letter);
    } else if ("hlLjzt".includes(letter)) {
      if (lengths.has(letter)) return { end: at + 1, argument };
      lengths.add(letter);
    } else if ("csdiouxXeEfFgGaA%".includes(letter)) {
      return {
        letter: letter === "i" ? "d" : letter,
        left: flags.has("-"),
        zero: flags.has("0"),
        plus: flags.has("+"),
        space: flags.has(" "),
        alternate: flags.has("#"),
        hasPrecision,
        sizes,
        argument,
        at,
      };
    } else return { end: at + 1, argument };
  }
  return { end: format.length, argument };
}

const MIXED = "must use `count$' on all formats or none";

export function formatText(format: string, values: readonly Scalar[], settings: FormatSettings): string {
  return applyFormat(parseFormat(format), format, values, settings);
}

/** Throws FatalError where there are not values enough, LimitReached where the text would be too long. */
export function applyFormat(pieces: Format, format: string, values: readonly Scalar[], settings: FormatSettings): string {
  let out = "";
  let next = 0;
  let isNumbered = false;
  const tooFew = (at: number): FatalError =>
    new FatalError(`not enough arguments to satisfy format string\n\t\`${format}'\n\t${" ".repeat(at)}^ ran out for this one`);
  for (const piece of pieces) {
    if (typeof piece === "string") {
      out += piece;
      continue;
    }
    if (piece.argument !== undefined) {
      if (piece.argument <= 0) throw new FatalError("argument index with `$' must be > 0");
      if (piece.argument > values.length) {
        throw new FatalError(`argument index ${piece.argument} greater than total number of supplied arguments`);
      }
      isNumbered = true;
    }
    if (!("sizes" in piece)) continue;
    const takeNext = (): Scalar => {
      if (isNumbered) throw new FatalError(MIXED);
      if (next >= values.length) throw tooFew(piece.at);
      return values[next++];
    };
    let width = 0;
    let precision = piece.hasPrecision ? 0 : undefined;
    let left = piece.left;
    for (const size of piece.sizes) {
      let value: number;
      if ("value" in size) ({ value } = size);
      else {
        if (size.argument !== undefined && size.argument > values.length) throw tooFew(size.at);
        value = Math.trunc(toNumber(size.argument === undefined ? takeNext() : values[size.argument - 1]));
      }
      if (size.of === "width") {
        left ||= value < 0;
        width = Math.abs(value);
      } else precision = value < 0 || !piece.hasPrecision ? undefined : value;
    }
    if (width > MAX_WIDTH || (precision ?? 0) > MAX_WIDTH) throw new LimitReached("held", MAX_WIDTH, "bytes");
    if (piece.argument !== undefined && next > 0) throw new FatalError(MIXED);
    const value = piece.argument === undefined ? takeNext() : values[piece.argument - 1];
    out += converted(piece, width, precision, left, value, settings);
    if (out.length > MAX_WIDTH) throw new LimitReached("held", MAX_WIDTH, "bytes");
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
      return textInField(settings.textOf(value), width, precision, left, settings);
    case "c": {
      const number = numberOf(value);
      if (number === null) return inField(firstCharacter(settings.textOf(value), settings), width, left, settings);
      // A number's character is as wide as its bytes, a text's one column.
      return inField(characterOf(number, settings), width, left, { ...settings, bytesAreCharacters: true });
    }
    case "d":
      return decimal(settings.numberOf(value), conversion, width, precision, left);
    case "o":
    case "x":
    case "X":
    case "u":
      return unsigned(settings.numberOf(value), conversion, width, precision, left);
    default:
      return floating(settings.numberOf(value), conversion, width, precision, left);
  }
}

function textInField(text: string, width: number, precision: number | undefined, left: boolean, settings: FormatSettings): string {
  const nul = text.indexOf("\0");
  if ((width === 0 && precision === undefined) || settings.bytesAreCharacters || (nul < 0 && isAscii(text))) {
    return inField(cutTo(text, precision, settings), width, left, settings);
  }
  // Where characters have to be counted, gawk stops at what is none, which NUL is not; text that begins with such a byte is
  // counted in bytes.
  const stray = strayByteAt(text);
  const end = nul < 0 || (stray >= 0 && stray < nul) ? stray : nul;
  if (end === 0) return textInField(text, width, precision, left, { ...settings, bytesAreCharacters: true });
  const whole = end < 0 ? text : text.slice(0, end);
  return inField(cutTo(whole, precision, settings), width, left, settings);
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

/** null: it is a text. */
function numberOf(value: Scalar): number | null {
  if (typeof value === "number") return value;
  return value instanceof Input || value instanceof Bool ? value.number : null;
}

function firstCharacter(text: string, settings: FormatSettings): string {
  if (text === "") return "\0";
  return settings.bytesAreCharacters ? text.charAt(0) : text.slice(0, characterWidth(text, 0));
}

function characterOf(number: number, settings: FormatSettings): string {
  if (Number.isNaN(number)) return "\0";
  // It is a number of 32 bits; one that no character has is its last byte.
  const code = Number(BigInt.asUintN(32, BigInt(Math.abs(number) < 2 ** 63 ? Math.trunc(number) : 0)));
  if (settings.bytesAreCharacters) return String.fromCharCode(code & 0xff);
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
  if (conversion.letter >= "A" && conversion.letter <= "Z") text = text.toUpperCase();
  return left ? text.padEnd(width) : text.padStart(width);
}

function decimal(value: number, conversion: Conversion, width: number, precision: number | undefined, left: boolean): string {
  if (!Number.isFinite(value)) return special(value, conversion, width, left);
  const digits = precision === 0 && value === 0 ? "" : digitsOf(value).padStart(precision ?? 1, "0");
  const sign = signOf(value <= -1, conversion);
  return placed(sign, digits, conversion.zero && precision === undefined, width, left);
}

function unsigned(value: number, conversion: Conversion, width: number, precision: number | undefined, left: boolean): string {
  if (!Number.isFinite(value)) return special(value, conversion, width, left);
  const { letter } = conversion;
  const whole = Math.trunc(value);
  // Past 64 bits gawk has no integer to convert.
  if (whole >= 2 ** 64 || whole < -(2 ** 63)) return floating(value, asGeneral(conversion, precision), width, precision, left);
  const size = BigInt.asUintN(64, BigInt(whole));
  let digits = size.toString(letter === "o" ? 8 : letter === "u" ? 10 : 16);
  if (letter === "X") digits = digits.toUpperCase();
  if (precision === 0 && value === 0) digits = "";
  digits = digits.padStart(precision ?? 1, "0");
  if (digits === "" && conversion.alternate && letter === "o") digits = "0";
  let prefix = "";
  if (conversion.alternate && value !== 0) {
    if (letter === "o" && !digits.startsWith("0")) digits = `0${digits}`;
    else if (letter === "x" || letter === "X") prefix = `0${letter}`;
  }
  return placed(prefix, digits, conversion.zero && precision === undefined, width, left);
}

/** Prints a value that is no integer of 64 bits with %g, but for the flags that an integer takes. */
const asGeneral = (conversion: Conversion, precision: number | undefined): Conversion => ({
  ...conversion,
  letter: "g",
  alternate: conversion.alternate && conversion.letter !== "u",
  zero: conversion.zero && precision === undefined,
});

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
