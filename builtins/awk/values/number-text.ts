/** Numbers → text: integers as such, anything else through CONVFMT or OFMT. */
import { general } from "./float-format.ts";
import { formatText } from "./printf.ts";
import { toNumber } from "./values.ts";

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
  return formatText(format, [value], { convertFormat: "%.6g", bytesAreCharacters: false, numberOf: toNumber });
}

/** `+inf`, `-inf`, `-nan`: what awk prints for what is no number. x86 makes negative ones of invalid operations. */
export function specialText(value: number): string {
  if (Number.isNaN(value)) return "-nan";
  return value > 0 ? "+inf" : "-inf";
}
