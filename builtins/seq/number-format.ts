/** Format of seq's numbers: its -f, and the format it chooses by itself. */
import { UsageError } from "../../src/builtin/usage-error.ts";
import { formatFloat, type FloatConversion } from "../../src/numbers/float-format.ts";
import { shapeOf, type Shape } from "../../src/numbers/integer-format.ts";
import { LimitReached } from "../../src/io/limit-reached.ts";
import type { LongDouble } from "../../src/numbers/long-double.ts";
import { quoteCurly } from "../../src/display/quote.ts";
import type { Range } from "./float-steps.ts";

export interface NumberFormat {
  readonly before: string;
  readonly after: string;
  readonly conversion: FloatConversion;
  readonly shape: Shape;
}

/** An operand with the room its text takes. */
export interface Operand {
  readonly value: LongDouble;
  readonly width: number;
  /** Decimal places; Infinity where they are not to be seen from the text. */
  readonly precision: number;
}

/** What a format may ask for, in bytes: a number is put together in memory. */
const MOST_COLUMNS = 1 << 20;

/** Throws LimitReached where the format asks for more. */
export function formatNumber(value: LongDouble, format: NumberFormat): string {
  const widest = Math.max(format.shape.width, format.shape.precision ?? 0);
  if (widest > MOST_COLUMNS) throw new LimitReached("line", MOST_COLUMNS, "bytes");
  return format.before + formatBare(value, format) + format.after;
}

export function formatBare(value: LongDouble, { conversion, shape }: NumberFormat): string {
  return formatFloat(value, conversion, shape);
}

/** -f. Throws UsageError with GNU seq's words. */
export function readFormat(text: string): NumberFormat {
  const fault = (what: string): never => {
    throw new UsageError("bad-value", `format ${quoteCurly(text)} ${what}`);
  };
  const at = /^(?:%%|[^%])*/.exec(text)?.[0].length ?? 0;
  if (at === text.length) fault("has no % directive");
  const [all = "", flags = "", width = "", precision, letter = ""] = /^%([-+#0 ']*)(\d*)(?:\.(\d*))?L?([^]?)/u.exec(text.slice(at)) ?? [];
  if (letter === "") fault("ends in %");
  if (!/^[aefgAEFG]$/.test(letter)) fault(`has unknown %${letter} directive`);
  const rest = text.slice(at + all.length);
  if (!/^(?:%%|[^%])*$/.test(rest)) fault("has too many % directives");
  const plain = (part: string): string => part.replaceAll("%%", "%");
  return {
    before: plain(text.slice(0, at)),
    after: plain(rest),
    conversion: letter as FloatConversion,
    shape: shapeOf(flags, Number(width), precision === undefined ? undefined : Number(precision)),
  };
}

const PLAIN = shapeOf("", 0, undefined);

/** %.PRECf as wide as needed where all decimal places are known, else %g. */
export function defaultFormat({ first, step, last }: Range, equalWidth: boolean): NumberFormat {
  const precision = Math.max(first.precision, step.precision);
  if (precision === Infinity || last.precision === Infinity) return { before: "", after: "", conversion: "g", shape: PLAIN };
  if (!equalWidth) return { before: "", after: "", conversion: "f", shape: { ...PLAIN, precision } };
  let firstWidth = first.width + precision - first.precision;
  let lastWidth = last.width + precision - last.precision;
  if (last.precision > 0 && precision === 0) lastWidth--;
  if (last.precision === 0 && precision > 0) lastWidth++;
  if (first.precision === 0 && precision > 0) firstWidth++;
  return { before: "", after: "", conversion: "f", shape: { ...PLAIN, zero: true, width: Math.max(firstWidth, lastWidth), precision } };
}

/** The room that `text` takes once it is printed without an exponent; the steps are those of GNU seq's scan_arg. */
export function readOperand(text: string, value: LongDouble): Operand {
  const bare = text.replace(/^[ \t\n\v\f\r+]+/, "");
  const point = bare.indexOf(".");
  let precision = point < 0 && !bare.includes("p") ? 0 : Infinity;
  if (/[xX]/.test(bare) || value.kind !== "finite") return { value, width: 0, precision };
  let width = bare.length;
  let places = 0;
  if (point >= 0) {
    places = /^[^eE]*/.exec(bare.slice(point + 1))?.[0].length ?? 0;
    precision = places;
    width += places === 0 ? -1 : point === 0 || !/\d/.test(bare.charAt(point - 1)) ? 1 : 0;
  }
  const e = bare.includes("e") ? bare.indexOf("e") : bare.indexOf("E");
  if (e >= 0) {
    let exponent = Number.parseInt(bare.slice(e + 1), 10);
    precision += exponent < 0 ? -exponent : -Math.min(precision, exponent);
    width -= bare.length - e;
    if (exponent < 0) {
      if (point < 0 || e === point + 1) width++;
      exponent = -exponent;
    } else {
      if (point >= 0 && precision === 0 && places > 0) width--;
      exponent -= Math.min(places, exponent);
    }
    width += exponent;
  }
  return { value, width, precision };
}
