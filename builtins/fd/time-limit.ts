/**
 * The dates and durations of --changed-within and --changed-before, as the Rust library jiff reads them: `2weeks`,
 * `1h30m`, `1 day, 2 hours`, `3:00:00`, `P1D`, `2018-10-27 10:00:00`, `2020-01-01T10:00:00Z`, `@1707723412`.
 * https://docs.rs/jiff/latest/jiff/fmt/friendly/
 */
import { dayNumber, type LocalTime } from "../../src/dates/date-format.ts";

const SECOND = 1_000_000_000n;

/** Nanoseconds since the epoch; undefined where `text` is none of these. */
export function readTimeLimit(text: string, nowNs: bigint, localTime: (ns: bigint) => LocalTime): bigint | undefined {
  const span = readFriendly(text) ?? readIso(text);
  if (span !== undefined) return before(nowNs, span, localTime);
  const date = readDate(text, localTime);
  if (date !== undefined) return date;
  const [, seconds] = /^@([0-9]{1,20})$/.exec(text) ?? [];
  return seconds === undefined ? undefined : BigInt(seconds) * SECOND;
}

interface Span {
  readonly months: number;
  readonly days: number;
  readonly ns: bigint;
}

/** From the largest to the smallest; each may stand once, in this order. */
const UNITS: readonly { readonly names: readonly string[]; readonly months?: number; readonly days?: number; readonly ns?: bigint }[] = [
  { names: ["years", "year", "yrs", "yr", "y"], months: 12 },
  { names: ["months", "month", "mos", "mo"], months: 1 },
  { names: ["weeks", "week", "wks", "wk", "w"], days: 7 },
  { names: ["days", "day", "d"], days: 1 },
  { names: ["hours", "hour", "hrs", "hr", "h"], ns: 3600n * SECOND },
  { names: ["minutes", "minute", "mins", "min", "m"], ns: 60n * SECOND },
  { names: ["seconds", "second", "secs", "sec", "s"], ns: SECOND },
  { names: ["milliseconds", "millisecond", "millis", "milli", "msecs", "msec", "ms"], ns: 1_000_000n },
  {
    names: ["microseconds", "microsecond", "micros", "micro", "usecs", "usec", "us", "\u00b5secs", "\u00b5sec", "\u00b5s", "\u03bcs"],
    ns: 1000n,
  },
  { names: ["nanoseconds", "nanosecond", "nanos", "nano", "nsecs", "nsec", "ns"], ns: 1n },
];
const MOST_YEARS = 19_998;

function readFriendly(text: string): Span | undefined {
  const [, sign = "", body = ""] = /^([+-]?)(.*)$/s.exec(text) ?? [];
  const [, positive = "", ago] = /^(.*?)(\s+ago)?\s*$/s.exec(body) ?? [];
  let rest = positive;
  let months = 0;
  let days = 0;
  let ns = 0n;
  let last = -1;
  let ended = false;
  if (!/^[0-9]/.test(rest)) return undefined;
  while (rest !== "") {
    if (ended) return undefined;
    const clock = /^([0-9]+):([0-9]{2}):([0-9]{2})(?:[.,]([0-9]{1,9}))?$/.exec(rest);
    if (clock !== null) {
      if (last >= 4) return undefined;
      const [, hours = "", minutes = "", seconds = "", fraction = ""] = clock;
      ns += (BigInt(hours) * 3600n + BigInt(minutes) * 60n + BigInt(seconds)) * SECOND + BigInt(fraction.padEnd(9, "0"));
      break;
    }
    const [all = "", whole = "", fraction, name = ""] = /^([0-9]+)(?:[.,]([0-9]{1,9}))?\s*([a-z\u00b5\u03bc]+)/.exec(rest) ?? [];
    const index = UNITS.findIndex(({ names }) => names.includes(name));
    const unit = UNITS[index];
    if (unit === undefined || index <= last || whole.length > 18) return undefined;
    last = index;
    if (fraction !== undefined) {
      if (unit.ns === undefined || unit.ns === 1n) return undefined;
      ns += (unit.ns * BigInt(fraction)) / 10n ** BigInt(fraction.length);
      ended = true;
    }
    months += (unit.months ?? 0) * Number(whole);
    days += (unit.days ?? 0) * Number(whole);
    ns += (unit.ns ?? 0n) * BigInt(whole);
    rest = rest.slice(all.length);
    const gap = /^(?:,\s+|\s*)/.exec(rest)?.[0] ?? "";
    if (gap.startsWith(",") && gap.length === rest.length) return undefined;
    rest = rest.slice(gap.length);
  }
  return signed({ months, days, ns }, (sign === "-") !== (ago !== undefined));
}

/** ISO 8601: `P1Y2M3W4DT5H6M7.8S`. */
function readIso(text: string): Span | undefined {
  const found =
    /^([+-]?)p(?=.)(?:([0-9]+)y)?(?:([0-9]+)m)?(?:([0-9]+)w)?(?:([0-9]+)d)?(?:t(?=.)(?:([0-9]+)h)?(?:([0-9]+)m)?(?:([0-9]+)(?:[.,]([0-9]{1,9}))?s)?)?$/i.exec(
      text,
    );
  if (found === null) return undefined;
  const [, sign, years = "0", months = "0", weeks = "0", days = "0", hours = "0", minutes = "0", seconds = "0", fraction = ""] = found;
  const ns = (BigInt(hours) * 3600n + BigInt(minutes) * 60n + BigInt(seconds)) * SECOND + BigInt(fraction.padEnd(9, "0"));
  return signed({ months: Number(years) * 12 + Number(months), days: Number(weeks) * 7 + Number(days), ns }, sign === "-");
}

const signed = ({ months, days, ns }: Span, negative: boolean): Span | undefined => {
  if (months > MOST_YEARS * 12 || days > MOST_YEARS * 366 || ns > 631_107_417_600n * SECOND) return undefined;
  return negative ? { months: -months, days: -days, ns: -ns } : { months, days, ns };
};

/** Calendar units first, then the exact ones, in the local zone. */
function before(nowNs: bigint, { months, days, ns }: Span, localTime: (ns: bigint) => LocalTime): bigint | undefined {
  const now = localTime(nowNs);
  const month = now.year * 12 + now.month - 1 - months;
  const [year, monthOfYear] = [Math.floor(month / 12), (((month % 12) + 12) % 12) + 1];
  if (year < -9999 || year > 9999) return undefined;
  if (months === 0 && days === 0) return nowNs - ns;
  const day = Math.min(now.day, daysIn(year, monthOfYear));
  const clock = now.hour * 3600 + now.minute * 60 + now.second;
  return instant(dayNumber(year, monthOfYear, day) - days, clock, localTime) + BigInt(now.nanoseconds) - ns;
}

function readDate(text: string, localTime: (ns: bigint) => LocalTime): bigint | undefined {
  const found =
    /^([0-9]{4})(-?)([0-9]{2})\2([0-9]{2})(?:[Tt ]([0-9]{2})(?::?([0-9]{2})(?::?([0-9]{2})(?:[.,]([0-9]{1,9}))?)?)?([Zz]|[+-][0-9]{2}(?::?[0-9]{2}(?::?[0-9]{2})?)?)?)?(?:\[[^\]]+\])*$/.exec(
      text,
    );
  if (found === null) return undefined;
  const [, year, , month, day, hour = "0", minute = "0", second = "0", fraction = "", zone] = found;
  const [y, mo, d, h, mi, s] = [year, month, day, hour, minute, second].map(Number) as [number, number, number, number, number, number];
  if (mo < 1 || mo > 12 || d < 1 || d > daysIn(y, mo) || h > 23 || mi > 59 || s > 60) return undefined;
  const clock = h * 3600 + mi * 60 + Math.min(s, 59);
  const days = dayNumber(y, mo, d);
  const rest = BigInt(fraction.padEnd(9, "0"));
  if (zone === undefined) return instant(days, clock, localTime) + rest;
  const [, sign, zoneHours = "0", zoneMinutes = "0", zoneSeconds = "0"] = /^([+-])([0-9]{2}):?([0-9]{2})?:?([0-9]{2})?$/.exec(zone) ?? [];
  const offset = (Number(zoneHours) * 3600 + Number(zoneMinutes) * 60 + Number(zoneSeconds)) * (sign === "-" ? -1 : 1);
  return BigInt(days * 86_400 + clock - offset) * SECOND + rest;
}

/** The instant of a local clock reading; of two the later. */
function instant(days: number, clock: number, localTime: (ns: bigint) => LocalTime): bigint {
  const asUtc = BigInt(days * 86_400 + clock);
  const offsets = [-86_400n, 86_400n].map((away) => BigInt(localTime((asUtc + away) * SECOND).offsetSeconds));
  const fitting = offsets
    .map((offset) => asUtc - offset)
    .filter((at, index) => BigInt(localTime(at * SECOND).offsetSeconds) === offsets[index]);
  const candidates = fitting.length > 0 ? fitting : offsets.map((offset) => asUtc - offset);
  return candidates.reduce((latest, at) => (at > latest ? at : latest)) * SECOND;
}

const daysIn = (year: number, month: number): number =>
  dayNumber(month === 12 ? year + 1 : year, (month % 12) + 1, 1) - dayNumber(year, month, 1);
