/**
 * Dates as people and tools write them, read as GNU parse_datetime() reads the common ones: `@SECONDS`, ISO 8601,
 * `3 Feb 2020`, `Feb 3, 2020`, `02/03/2020`, clock times with a zone, and relative items (`2 days ago`, `yesterday`,
 * `-1 week`, `next month`).
 */
import { dayNumber, type LocalTime } from "./date-format.ts";

export interface DateContext {
  readonly nowNs: bigint;
  readonly localTime: (nanoseconds: bigint) => LocalTime;
}

const SECOND = 1_000_000_000n;

/** Nanoseconds since the epoch; undefined where `text` is no date that is known here. */
export function readDate(text: string, context: DateContext): bigint | undefined {
  const epoch = /^\s*@(-?[0-9]+)(?:\.([0-9]+))?\s*$/.exec(text);
  if (epoch !== null) {
    const fraction = BigInt((epoch[2] ?? "").padEnd(9, "0").slice(0, 9));
    const whole = BigInt(epoch[1] as string) * SECOND;
    return (epoch[1] as string).startsWith("-") ? whole - fraction : whole + fraction;
  }
  const reading = new Reading(text);
  return reading.read() ? reading.resolve(context) : undefined;
}

interface Day {
  readonly year: number | undefined;
  readonly month: number;
  readonly day: number;
}

interface Clock {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly nanosecond: number;
}

/** Units of relative items, as months or as seconds; `day` counts calendar days. */
const UNITS: Readonly<Record<string, { readonly of: "months" | "days" | "seconds"; readonly count: number }>> = {
  year: { of: "months", count: 12 },
  month: { of: "months", count: 1 },
  fortnight: { of: "days", count: 14 },
  week: { of: "days", count: 7 },
  day: { of: "days", count: 1 },
  hour: { of: "seconds", count: 3600 },
  minute: { of: "seconds", count: 60 },
  min: { of: "seconds", count: 60 },
  second: { of: "seconds", count: 1 },
  sec: { of: "seconds", count: 1 },
};

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const MONTH = "(jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\\.?";
const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const ORDINALS: Readonly<Record<string, number>> = {
  last: -1,
  this: 0,
  next: 1,
  first: 1,
  third: 3,
  fourth: 4,
  fifth: 5,
  sixth: 6,
  seventh: 7,
  eighth: 8,
  ninth: 9,
  tenth: 10,
  eleventh: 11,
  twelfth: 12,
};

class Reading {
  #rest: string;
  #day: Day | undefined;
  #clock: Clock | undefined;
  #zoneSeconds: number | undefined;
  #weekday: { readonly number: number; readonly ordinal: number } | undefined;
  #months = 0;
  #days = 0;
  #seconds = 0;

  constructor(text: string) {
    this.#rest = text.toLowerCase().trim();
  }

  /** Whether all of the text is understood. */
  read(): boolean {
    while (this.#rest !== "") {
      if (!this.#item()) return false;
      this.#rest = this.#rest.replace(/^[\s,]+/, "");
    }
    return true;
  }

  #item(): boolean {
    return this.#date() || this.#time() || this.#relative() || this.#word();
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    const found = pattern.exec(this.#rest);
    if (found === null) return undefined;
    this.#rest = this.#rest.slice(found[0].length);
    return found;
  }

  #setDay(year: number | undefined, month: number, day: number): boolean {
    if (this.#day !== undefined || month < 1 || month > 12 || day < 1 || day > 31) return false;
    this.#day = { year, month, day };
    return true;
  }

  #date(): boolean {
    const iso =
      this.#take(/^([0-9]{1,4})-([0-9]{1,2})-([0-9]{1,2})(?:t(?=[0-9]))?(?![0-9])?/) ??
      this.#take(/^([0-9]{4})([0-9]{2})([0-9]{2})(?![0-9:])/);
    if (iso !== undefined) return this.#setDay(fullYear(iso[1] as string), Number(iso[2]), Number(iso[3]));
    const slashed = this.#take(/^([0-9]{1,4})\/([0-9]{1,2})(?:\/([0-9]{1,4}))?(?![0-9])/);
    if (slashed !== undefined) {
      const [, first, second, third] = slashed as unknown as [string, string, string, string | undefined];
      if (first.length === 4) return third !== undefined && this.#setDay(Number(first), Number(second), Number(third));
      return this.#setDay(third === undefined ? undefined : fullYear(third), Number(first), Number(second));
    }
    const dayFirst = this.#take(new RegExp(`^([0-9]{1,2})(?:st|nd|rd|th)?[ -]?${MONTH}(?:[ -]?,?\\s*([0-9]{4})(?![0-9:]))?(?![a-z])`));
    if (dayFirst !== undefined) {
      return this.#setDay(
        dayFirst[3] === undefined ? undefined : Number(dayFirst[3]),
        monthNumber(dayFirst[2] as string),
        Number(dayFirst[1]),
      );
    }
    const monthFirst = this.#take(
      new RegExp(`^${MONTH}[ -]?([0-9]{1,2})(?:st|nd|rd|th)?(?![0-9:])(?:[ -]?,?\\s*([0-9]{4})(?![0-9:]))?(?![a-z])`),
    );
    if (monthFirst !== undefined) {
      return this.#setDay(
        monthFirst[3] === undefined ? undefined : Number(monthFirst[3]),
        monthNumber(monthFirst[1] as string),
        Number(monthFirst[2]),
      );
    }
    return false;
  }

  #time(): boolean {
    const found =
      this.#take(/^([0-9]{1,2}):([0-9]{2})(?::([0-9]{2})(?:[.,]([0-9]+))?)?\s*(am|pm|a\.m\.|p\.m\.)?/) ??
      this.#take(/^([0-9]{1,2})()()()\s*(am|pm|a\.m\.|p\.m\.)/);
    if (found === undefined) {
      const zone = this.#clock === undefined ? undefined : this.#take(/^(?:z|utc|gmt)(?![a-z])/);
      if (zone === undefined || this.#zoneSeconds !== undefined) return false;
      this.#zoneSeconds = 0;
      return true;
    }
    if (this.#clock !== undefined) return false;
    let hour = Number(found[1]);
    const half = found[5];
    if (half !== undefined) {
      if (hour < 1 || hour > 12) return false;
      hour = (hour % 12) + (half.startsWith("p") ? 12 : 0);
    }
    const clock = {
      hour,
      minute: Number(found[2] ?? 0),
      second: Number(found[3] ?? 0),
      nanosecond: Number((found[4] ?? "").padEnd(9, "0").slice(0, 9)),
    };
    if (clock.hour > 24 || clock.minute > 59 || clock.second > 60) return false;
    this.#clock = clock;
    const zone = this.#take(/^\s*([+-])([0-9]{2}):?([0-9]{2})?(?![0-9])/);
    if (zone !== undefined) this.#zoneSeconds = (zone[1] === "-" ? -1 : 1) * (Number(zone[2]) * 3600 + Number(zone[3] ?? 0) * 60);
    return true;
  }

  #relative(): boolean {
    const found = this.#take(
      /^([+-]?\s*[0-9]+|last|this|next|first|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth)?\s*(year|month|fortnight|week|day|hour|minute|min|second|sec)s?(?![a-z])(\s+ago(?![a-z]))?/,
    );
    if (found === undefined) return false;
    const amount = found[1] ?? "1";
    const count = (ORDINALS[amount] ?? Number(amount.replaceAll(/\s/g, ""))) * (found[3] === undefined ? 1 : -1);
    const unit = UNITS[found[2] as string];
    if (unit === undefined) return false;
    if (unit.of === "months") this.#months += count * unit.count;
    else if (unit.of === "days") this.#days += count * unit.count;
    else this.#seconds += count * unit.count;
    return true;
  }

  #word(): boolean {
    const word = this.#take(/^(now|today|yesterday|tomorrow|midnight|noon)(?![a-z])/)?.[1];
    if (word === "yesterday") this.#days -= 1;
    if (word === "tomorrow") this.#days += 1;
    if (word === "midnight" || word === "noon") {
      if (this.#clock !== undefined) return false;
      this.#clock = { hour: word === "noon" ? 12 : 0, minute: 0, second: 0, nanosecond: 0 };
    }
    if (word !== undefined) return true;
    const weekday = this.#take(/^(last\s+|this\s+|next\s+)?(sun|mon|tue|wed|thu|fri|sat)[a-z]*\.?/);
    if (weekday === undefined || this.#weekday !== undefined) return false;
    this.#weekday = { number: WEEKDAYS.indexOf(weekday[2] as string), ordinal: ORDINALS[(weekday[1] ?? "").trim()] ?? 0 };
    return true;
  }

  resolve({ nowNs, localTime }: DateContext): bigint | undefined {
    const now = localTime(nowNs);
    const given = this.#day;
    const isDated = given !== undefined || this.#weekday !== undefined;
    const clock =
      this.#clock ??
      (isDated
        ? { hour: 0, minute: 0, second: 0, nanosecond: 0 }
        : now.nanoseconds >= 0
          ? { hour: now.hour, minute: now.minute, second: now.second, nanosecond: now.nanoseconds }
          : undefined);
    if (clock === undefined) return undefined;
    const year = given?.year ?? now.year;
    const month = given?.month ?? now.month;
    if (given !== undefined && given.day > daysIn(year, given.month)) return undefined;
    const months = year * 12 + (month - 1) + this.#months;
    let days = dayNumber(Math.floor(months / 12), (((months % 12) + 12) % 12) + 1, 1) + (given?.day ?? now.day) - 1 + this.#days;
    if (this.#weekday !== undefined && given === undefined) {
      const today = (((days + 4) % 7) + 7) % 7;
      const { number, ordinal } = this.#weekday;
      days += ((number - today + 7) % 7) + 7 * (ordinal - (ordinal > 0 && today !== number ? 1 : 0));
    }
    const local = days * 86_400 + clock.hour * 3600 + clock.minute * 60 + clock.second;
    const seconds = this.#zoneSeconds === undefined ? universal(local, localTime) : local - this.#zoneSeconds;
    return BigInt(seconds + this.#seconds) * SECOND + BigInt(clock.nanosecond);
  }
}

/** Seconds since the epoch of a local reading: the zone's offset is that of the time it gives. */
function universal(local: number, localTime: DateContext["localTime"]): number {
  let seconds = local;
  for (let round = 0; round < 2; round++) seconds = local - localTime(BigInt(seconds) * SECOND).offsetSeconds;
  return seconds;
}

const monthNumber = (name: string): number => MONTHS.indexOf(name.slice(0, 3)) + 1;

const daysIn = (year: number, month: number): number =>
  dayNumber(month === 12 ? year + 1 : year, (month % 12) + 1, 1) - dayNumber(year, month, 1);

/** Two digits: 69–99 are of the last century. */
function fullYear(digits: string): number {
  const year = Number(digits);
  return digits.length > 2 ? year : year + (year >= 69 ? 1900 : 2000);
}
