/** systime, mktime and strftime, with the clock and the zone of the call. */
import { dayNumber, formatTime, localTimes } from "../../../src/dates/date-format.ts";
import { toBytes, toText as decoded } from "../../../src/io/text.ts";
import { AwkArray } from "../values/array.ts";
import type { ExpressionCompiler } from "../compile/expression-compiler.ts";
import { numeric, type BuiltinCall, type FunctionClosures } from "./function-closures.ts";
import type { Expression } from "../syntax/tree.ts";
import { toText } from "../values/text-conversion.ts";

/** Seconds from the epoch past which no year fits the C library's 32 bits, and the years from 1900 that do. */
const MOST_SECONDS = 6.8e16;
const MOST_YEARS = 2 ** 31;
const DEFAULT_FORMAT = "%a %b %e %H:%M:%S %Z %Y";

export function timeFunction({ name, values }: BuiltinCall, expressions: ExpressionCompiler): FunctionClosures | undefined {
  const { runtime } = expressions;
  const { options } = runtime;
  const now = Math.floor(options.nowMs / 1000);
  switch (name) {
    case "systime":
      return numeric(() => now);
    case "mktime": {
      const text = expressions.text(values[0] as Expression);
      const utc = values[1] === undefined ? () => false : expressions.condition(values[1]);
      return numeric(() => makeTime(text(), utc() ? "UTC" : options.timeZone));
    }
    case "strftime": {
      const format = values[0] === undefined ? undefined : expressions.text(values[0]);
      const seconds = values[1] === undefined ? () => now : expressions.number(values[1]);
      const utc = values[2] === undefined ? () => false : expressions.condition(values[2]);
      const zones = new Map<string, ReturnType<typeof localTimes>>();
      return {
        value: () => {
          const pattern = decoded(Buffer.from(format?.() ?? defaultFormat(expressions), "latin1"));
          const at = Math.trunc(seconds());
          const isUtc = utc();
          const zone = isUtc ? "UTC" : options.timeZone;
          const shown = isUtc ? utcName(pattern) : pattern;
          if (!(Math.abs(at) < MOST_SECONDS)) return "";
          let times = zones.get(zone);
          if (times === undefined) {
            times = localTimes(zone);
            zones.set(zone, times);
          }
          const time = times(BigInt(at) * 1_000_000_000n);
          if (Math.abs(time.year - 1900 + 0.5) > MOST_YEARS) return "";
          return toBytes(formatTime(time, onlyOfC(shown))).toString("latin1");
        },
      };
    }
    default:
      return undefined;
  }
}

function defaultFormat({ runtime }: ExpressionCompiler): string {
  const information = runtime.getGlobal("PROCINFO");
  return information instanceof AwkArray && information.has("strftime") ? toText(information.peek("strftime"), runtime) : DEFAULT_FORMAT;
}

/** Time that was asked for as UTC is GMT by name. */
const utcName = (format: string): string => format.replace(/%(%|[-_0^#]*[0-9]*Z)/g, (all) => (all.endsWith("Z") ? "GMT" : all));

/** A conversion that date(1) has and strftime(3) has not stands for itself, and %F has no sign before a year past 9999. */
const onlyOfC = (format: string): string =>
  format.replace(/%([-_0^#]*[0-9]*[EO]?)([qN%]|:+z|F)/g, (all, flags, letter) =>
    letter === "%" ? all : letter !== "F" ? `%${all}` : flags === "" ? "%Y-%m-%d" : all,
  );

/** `YYYY MM DD HH MM SS [DST]` as seconds since the epoch; -1 where it is none. */
function makeTime(text: string, zone: string): number {
  const found = /^\s*(-?\d+)\s+(-?\d+)\s+(-?\d+)\s+(-?\d+)\s+(-?\d+)\s+(-?\d+)(?:\s+(-?\d+))?/.exec(text);
  if (found === null) return -1;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found.slice(1, 7).map(Number);
  const months = year * 12 + (month - 1);
  const days = dayNumber(Math.floor(months / 12), (((months % 12) + 12) % 12) + 1, 1) + day - 1;
  const local = days * 86_400 + hour * 3_600 + minute * 60 + second;
  const times = localTimes(zone);
  const offset = (at: number): number => times(BigInt(at) * 1_000_000_000n).offsetSeconds;
  const guess = local - offset(local);
  const time = local - offset(guess);
  if (found[7] === undefined || Number(found[7]) < 0) return time;
  // It says whether it is summer time: where that is wrong the hour is another one.
  const wantsSummer = Number(found[7]) > 0;
  const standard = Math.min(offset(dayNumber(year, 1, 1) * 86_400), offset(dayNumber(year, 7, 1) * 86_400));
  const isSummer = offset(time) !== standard;
  return wantsSummer === isSummer ? time : wantsSummer ? time - 3_600 : time + 3_600;
}
