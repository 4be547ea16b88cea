/** Values → text: integers as such, other numbers through CONVFMT or OFMT. */
import { general, specialText } from "./float-format.ts";
import { formatText } from "./printf.ts";
import { assertUntyped, Bool, Input, Regexp, toNumber, type Value } from "./values.ts";

export interface TextSettings {
  /** CONVFMT. */
  convertFormat: string;
}

export function toText(value: Value, settings: TextSettings): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return numberText(value, settings.convertFormat);
  if (value === undefined) return "";
  if (value instanceof Input) return value.text;
  if (value instanceof Regexp) return value.source;
  if (value instanceof Bool) return String(value.number);
  assertUntyped(value);
  return "";
}

/** The text of `value` by `format` ("%.6g" most of the time). */
export function numberText(value: number, format: string): string {
  if (Number.isInteger(value)) {
    if (value === 0) return "0";
    return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? String(value) : BigInt(value).toString();
  }
  if (!Number.isFinite(value)) return specialText(value);
  if (format === "%.6g") {
    const size = Math.abs(value);
    // Within these bounds no exponent is printed, and short decimals are their own shortest form.
    if (size >= 1e-4 && size < 1e6) {
      const text = String(value);
      if (text.length <= (value < 0 ? 8 : 7) && size >= 1) return text;
    }
    return value < 0 ? `-${general(size, 6, false)}` : general(size, 6, false);
  }
  return formatText(format, [value], { textOf: () => numberText(value, "%.6g"), bytesAreCharacters: false, numberOf: toNumber });
}
