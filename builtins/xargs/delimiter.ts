/** The argument of -d: one byte, or an escape sequence for one. */
import { BadValue } from "../../src/builtin/usage-error.ts";
import { toBytes } from "../../src/io/text.ts";

/** Throws BadValue in GNU xargs' words. */
export function readDelimiter(text: string): number {
  const bytes = toBytes(text);
  if (bytes.length === 1) return bytes[0] as number;
  if (!text.startsWith("\\")) {
    throw new BadValue(
      `Invalid input delimiter specification ${text}: the delimiter must be either a single character or an escape sequence starting with \\.`,
    );
  }
  const named = text.length === 2 && Object.hasOwn(ESCAPES, text.charAt(1)) ? ESCAPES[text.charAt(1)] : undefined;
  if (named !== undefined) return named;
  const [digits, base, most] = text.charAt(1) === "x" ? [text.slice(2), 16, "ff"] : [text.slice(1), 8, "377"];
  const valid = base === 16 ? /^[0-9a-f]+/i : /^[0-7]+/;
  const number = valid.exec(digits)?.[0];
  if (number === undefined) throw new BadValue(`Invalid escape sequence ${text} in input delimiter specification.`);
  const value = Number.parseInt(number, base);
  if (value > 255)
    throw new BadValue(`Invalid escape sequence ${text} in input delimiter specification; character values must not exceed ${most}.`);
  if (number.length < digits.length) {
    throw new BadValue(
      `Invalid escape sequence ${text} in input delimiter specification; trailing characters ${digits.slice(number.length)} not recognised.`,
    );
  }
  return value;
}

const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11, "\\": 92, "0": 0 };
