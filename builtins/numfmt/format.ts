/** numfmt --format: one `%f` with text around it. */
import { BadValue } from "../../src/builtin/usage-error.ts";
import { quoteCurly } from "../../src/display/quote.ts";

export interface NumberFormat {
  readonly before: string;
  readonly after: string;
  readonly groups: boolean;
  /** Columns: below 0 for the left; 0 where none are said. */
  readonly padding: number;
  readonly zeroWidth: number;
  readonly precision: number | undefined;
}

/** More columns or digits than any line holds. */
const MOST = 1 << 16;

/** Throws BadValue in numfmt's words. */
export function readFormat(format: string): NumberFormat {
  const said = quoteCurly(format);
  let at = 0;
  // A %% counts as one character, and as many characters as counted are printed.
  let before = 0;
  while (!(format[at] === "%" && format[at + 1] !== "%")) {
    if (at >= format.length) throw new BadValue(`format ${said} has no % directive`);
    at += format[at] === "%" ? 2 : 1;
    before++;
  }
  at++;
  const [shape = "", flags = "", width = ""] = /^([ '0]*)(-?\d+)?/.exec(format.slice(at)) ?? [];
  at += shape.length;
  const columns = Number(width);
  const zero = flags.includes("0");
  if (Math.abs(columns) > MOST) throw new BadValue(`invalid format ${said} (width overflow)`);
  if (at >= format.length) throw new BadValue(`format ${said} ends in %`);
  let precision: number | undefined;
  if (format[at] === ".") {
    const digits = /^-?\d*/.exec(format.slice(at + 1))?.[0] ?? "";
    if (Number(digits) < 0 || Number(digits) > MOST || /[ \t+]/.test(format[at + 1] ?? ""))
      throw new BadValue(`invalid precision in format ${said}`);
    precision = Number(digits === "-" ? "" : digits);
    at += 1 + digits.length;
  }
  if (format[at] !== "f") throw new BadValue(`invalid format ${said}, directive must be %[0]['][-][N][.][N]f`);
  at++;
  const after = format.slice(at);
  for (let next = 0; next < after.length; next += after[next] === "%" ? 2 : 1) {
    if (after[next] === "%" && after[next + 1] !== "%") throw new BadValue(`format ${said} has too many % directives`);
  }
  return {
    before: format.slice(0, before),
    after,
    groups: flags.includes("'"),
    padding: zero && columns > 0 ? 0 : columns,
    zeroWidth: zero && columns > 0 ? columns : 0,
    precision,
  };
}
