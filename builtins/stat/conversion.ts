/** C's printf conversions as GNU stat uses them: what flags, width and precision make of a value. */
import { toBytes, toText } from "../../src/io/text.ts";

/** What stands between the percent sign and the letter. */
export interface Conversion {
  /** Of `'-+ #0I`, as typed. */
  readonly flags: string;
  /** -1 where none was given. */
  readonly width: number;
  readonly precision: number | undefined;
}

/** %s: only `-` has a meaning. Width and precision count bytes. */
export function textConversion(text: string, { flags, width, precision }: Conversion): string {
  if (width < 0 && precision === undefined) return text;
  const bytes = toBytes(text);
  const kept = precision === undefined ? bytes : bytes.subarray(0, precision);
  const fill = " ".repeat(Math.max(0, width - kept.length));
  return flags.includes("-") ? toText(kept) + fill : fill + toText(kept);
}

/** %d, where `signs` is true: with `+` and blank. Else %u. */
export function decimalConversion(value: bigint, signs: boolean, conversion: Conversion): string {
  const { flags } = conversion;
  const plus = !signs ? "" : flags.includes("+") ? "+" : flags.includes(" ") ? " " : "";
  return padded(value < 0n ? "-" : plus, value < 0n ? String(-value) : String(value), conversion);
}

/** -0, which no integer is: the whole seconds of a time less than a second before the epoch. */
export function minusZero(conversion: Conversion): string {
  return padded("-", "0", conversion);
}

/** %o; `#` puts a zero in front, and leaves one where there would be no digit. */
export function octalConversion(value: bigint, conversion: Conversion): string {
  const digits = value.toString(8);
  const { flags, precision } = conversion;
  const isMarked = flags.includes("#");
  if (isMarked && precision === 0) return octalConversion(value, { ...conversion, precision: 1 });
  const needsZero = isMarked && value !== 0n && (precision === undefined || precision <= digits.length);
  return padded("", needsZero ? `0${digits}` : digits, conversion);
}

/** %x; `#` puts 0x in front of what is not zero. */
export function hexConversion(value: bigint, conversion: Conversion): string {
  return padded(conversion.flags.includes("#") && value !== 0n ? "0x" : "", value.toString(16), conversion);
}

/** A precision is the least number of digits, none for zero where it is zero, and takes the flag `0` back. */
function padded(sign: string, digits: string, { flags, width, precision }: Conversion): string {
  const shown = precision === 0 && digits === "0" ? "" : digits.padStart(precision ?? 0, "0");
  const missing = Math.max(0, width - sign.length - shown.length);
  if (flags.includes("-")) return sign + shown + " ".repeat(missing);
  if (flags.includes("0") && precision === undefined) return sign + "0".repeat(missing) + shown;
  return " ".repeat(missing) + sign + shown;
}
