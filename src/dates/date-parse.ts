/**
 * Dates as people and tools write them, read as gnulib's parse_datetime() reads them: `@SECONDS`, ISO 8601,
 * `3 Feb 2020`, `02/03/2020`, clock times with a zone, relative items (`2 days ago`, `next monday`), `TZ="ZONE" …`.
 * The items and their effect together follow the grammar of parse-datetime.y. One piece past 400 lines: the rules call one another.
 */
import { dayNumber, localTimes, type LocalTime } from "./date-format.ts";
import { dateTokens, type DateToken, type DateUnit } from "./date-words.ts";

export interface DateContext {
  readonly nowNs: bigint;
  readonly localTime: (nanoseconds: bigint) => LocalTime;
}

const SECOND = 1_000_000_000n;

/** The date `text` in nanoseconds since the epoch; undefined where it is not a date. */
export function readDate(text: string, context: DateContext): bigint | undefined {
  const [, quoted, after = text] = /^[ \t\n\v\f\r]*TZ="((?:[^"\\]|\\["\\])*)"([^]*)$/.exec(text) ?? [];
  const localTime = quoted === undefined ? context.localTime : localTimes(quoted.replace(/\\(["\\])/g, "$1"));
  const now = localTime(context.nowNs);
  const tokens = dateTokens(after, zoneLetters(context.nowNs, localTime));
  if (tokens === undefined) return undefined;
  const reading = new Reading(tokens, now);
  return reading.read() ? reading.resolve(now, localTime) : undefined;
}

/** The letters that the zone at hand has now and in the other seasons. */
function zoneLetters(nowNs: bigint, localTime: DateContext["localTime"]): (word: string) => number | undefined {
  let known: Map<string, number> | undefined;
  return (word) => {
    known ??= new Map(
      [270n, 180n, 90n, 0n]
        .map((days) => [localTime(nowNs + days * 86_400n * SECOND)])
        .map(([time]) => [(time as LocalTime).zoneName, (time as LocalTime).offsetSeconds]),
    );
    return known.get(word);
  };
}

type NumberToken = Extract<DateToken, { kind: "number" }>;

class Reading {
  readonly #tokens: readonly DateToken[];
  #at = 0;
  #year: { readonly value: number; readonly digits: number };
  #month: number;
  #day: number;
  #hour: number;
  #minute: number;
  #second: number;
  #nanosecond: number;
  #half: "am" | "pm" | undefined;
  #weekday = { number: 0, ordinal: 0 };
  #zoneSeconds = 0;
  /** The zone was given by letters of the zone at hand, which must have them at that time. */
  #isLocalZone = false;
  #epoch: bigint | undefined;
  readonly #shift = { years: 0, months: 0, days: 0, hours: 0, minutes: 0, seconds: 0, nanoseconds: 0 };
  readonly #seen = { dates: 0, times: 0, weekdays: 0, zones: 0, shifts: 0 };

  constructor(tokens: readonly DateToken[], now: LocalTime) {
    this.#tokens = tokens;
    this.#year = { value: now.year, digits: 0 };
    this.#month = now.month;
    this.#day = now.day;
    this.#hour = now.hour;
    this.#minute = now.minute;
    this.#second = now.second;
    this.#nanosecond = now.nanoseconds;
  }

  /** Reads the tokens. True if all of the text is understood. */
  read(): boolean {
    if (this.#isCharacter(0, "@")) return this.#seconds();
    while (this.#at < this.#tokens.length) if (!this.#item()) return false;
    return true;
  }

  #peek(ahead = 0): DateToken | undefined {
    return this.#tokens[this.#at + ahead];
  }

  #isCharacter(ahead: number, value: string): boolean {
    const token = this.#peek(ahead);
    return token?.kind === "character" && token.value === value;
  }

  #number(ahead: number, isSigned: boolean): NumberToken | undefined {
    const token = this.#peek(ahead);
    return token?.kind === "number" && (token.sign !== 0) === isSigned ? token : undefined;
  }

  #seconds(): boolean {
    const token = this.#peek(1);
    if (this.#tokens.length !== 2 || token?.kind !== "epoch") return false;
    this.#epoch = token.seconds * SECOND + BigInt(token.nanoseconds);
    return true;
  }

  #item(): boolean {
    const token = this.#peek() as DateToken;
    switch (token.kind) {
      case "number":
        return token.sign === 0 ? this.#plainNumber(token) : this.#shiftBy(token.value);
      case "decimal":
        return this.#decimalSeconds(token);
      case "epoch":
        return false;
      case "month":
        return this.#monthFirst(token.value);
      case "weekday":
        this.#at++;
        if (this.#isCharacter(0, ",")) this.#at++;
        return this.#onWeekday(token.value, 0);
      case "ordinal": {
        const next = this.#peek(1);
        if (next?.kind !== "weekday") return this.#shiftBy(token.value);
        this.#at += 2;
        return this.#onWeekday(next.value, token.value);
      }
      case "unit":
        this.#at--;
        return this.#shiftBy(1);
      case "day-shift":
        this.#at++;
        this.#shift.days += token.value;
        this.#seen.shifts++;
        return true;
      case "zone":
      case "summer-zone":
        return this.#zone(token);
      case "meridian":
      case "ago":
      case "summer":
      case "character":
        return false;
    }
  }

  /** Reads the item that a number without a sign begins: a date, a time, a weekday, a shift, or the number alone. */
  #plainNumber(first: NumberToken): boolean {
    const next = this.#peek(1);
    if (next === undefined) return this.#loneNumber(first);
    if (next.kind === "character" && next.value === "/") return this.#slashedDate(first);
    if ((next.kind === "character" && next.value === ":") || next.kind === "meridian") return this.#time();
    if (next.kind === "month") return this.#dayFirst(first, next.value);
    if (next.kind === "weekday") {
      this.#at += 2;
      return this.#onWeekday(next.value, first.value);
    }
    if (next.kind === "unit") return this.#shiftBy(first.value);
    if (next.kind === "number" && next.sign !== 0) {
      const after = this.#peek(2);
      if (after?.kind === "number" && after.sign !== 0) return this.#isoDate(first, next, after);
      if (after?.kind === "unit") return this.#loneNumber(first) && this.#shiftBy(next.value, false);
      return this.#time();
    }
    return this.#loneNumber(first);
  }

  #isoDate(year: NumberToken, month: NumberToken, day: NumberToken): boolean {
    this.#at += 3;
    this.#setDate(year, -month.value, -day.value);
    const token = this.#peek();
    if (token?.kind !== "zone" || !token.isMilitaryT) return true;
    this.#at++;
    const hour = this.#number(0, false);
    if (hour === undefined || this.#peek(1)?.kind === "meridian") return false;
    return this.#time(true);
  }

  #setDate(year: NumberToken | undefined, month: number, day: number): void {
    if (year !== undefined) this.#year = { value: Math.abs(year.value), digits: year.digits };
    this.#month = month;
    this.#day = day;
    this.#seen.dates++;
  }

  #slashedDate(first: NumberToken): boolean {
    const second = this.#number(2, false);
    if (second === undefined) return false;
    this.#at += 3;
    if (!this.#isCharacter(0, "/")) {
      this.#setDate(undefined, first.value, second.value);
      return true;
    }
    const third = this.#number(1, false);
    if (third === undefined) return false;
    this.#at += 2;
    if (first.digits >= 4) this.#setDate(first, second.value, third.value);
    else this.#setDate(third, first.value, second.value);
    return true;
  }

  /** `25 Dec`, `25 Dec 2020`, `25-Dec-2020`. */
  #dayFirst(day: NumberToken, month: number): boolean {
    this.#at += 2;
    const year = this.#peek();
    const isYear = year?.kind === "number";
    if (isYear) this.#at++;
    this.#setDate(isYear ? year : undefined, month, day.value);
    return true;
  }

  /** `Dec 25`, `Dec 25, 2020`, `Dec-25-2020`. */
  #monthFirst(month: number): boolean {
    const day = this.#peek(1);
    if (day?.kind !== "number") return false;
    if (day.sign !== 0) {
      const year = this.#number(2, true);
      if (year === undefined) return false;
      this.#at += 3;
      this.#setDate(year, month, -day.value);
      return true;
    }
    this.#at += 2;
    if (!this.#isCharacter(0, ",")) {
      this.#setDate(undefined, month, day.value);
      return true;
    }
    const year = this.#number(1, false);
    if (year === undefined) return false;
    this.#at += 2;
    this.#setDate(year, month, day.value);
    return true;
  }

  #time(isIso = false): boolean {
    const hour = this.#peek() as NumberToken;
    this.#at++;
    let [minute, second, nanosecond] = [0, 0, 0];
    if (this.#isCharacter(0, ":")) {
      const given = this.#number(1, false);
      if (given === undefined) return false;
      minute = given.value;
      this.#at += 2;
      if (this.#isCharacter(0, ":")) {
        const seconds = this.#peek(1);
        if ((seconds?.kind !== "number" && seconds?.kind !== "decimal") || seconds.sign !== 0) return false;
        second = seconds.value;
        nanosecond = seconds.kind === "decimal" ? seconds.nanoseconds : 0;
        this.#at += 2;
      }
    } else if (this.#peek()?.kind !== "meridian" && this.#number(0, true) === undefined) {
      return false;
    }
    [this.#hour, this.#minute, this.#second, this.#nanosecond] = [hour.value, minute, second, nanosecond];
    this.#half = undefined;
    this.#seen.times++;
    const next = this.#peek();
    if (next?.kind === "meridian" && !isIso) {
      this.#half = next.value;
      this.#at++;
    } else if (next?.kind === "number" && next.sign !== 0) {
      return this.#offset();
    }
    return true;
  }

  /** `+HH`, `+HHMM`, `+HH:MM`. */
  #offset(): boolean {
    const hours = this.#peek() as NumberToken;
    this.#at++;
    let minutes = 0;
    if (this.#isCharacter(0, ":")) {
      const given = this.#number(1, false);
      if (given === undefined) return false;
      this.#at += 2;
      minutes = hours.value * 60 + (hours.sign < 0 ? -given.value : given.value);
    } else {
      const value = hours.digits <= 2 ? hours.value * 100 : hours.value;
      minutes = Math.trunc(value / 100) * 60 + (value % 100);
    }
    this.#seen.zones++;
    this.#zoneSeconds = minutes * 60;
    return Math.abs(minutes) <= 24 * 60;
  }

  #zone(token: Extract<DateToken, { kind: "zone" | "summer-zone" }>): boolean {
    this.#at++;
    const next = this.#peek();
    let seconds = token.value;
    if (next?.kind === "summer" && token.kind === "zone" && !token.isMilitaryT) {
      this.#at++;
      seconds += 3600;
    } else if (next?.kind === "number" && next.sign !== 0 && token.kind === "zone" && token.isLocal !== true) {
      if (this.#peek(1)?.kind === "unit") {
        if (!this.#shiftBy(next.value, false)) return false;
      } else {
        if (token.isMilitaryT || !this.#offset()) return false;
        this.#zoneSeconds += seconds;
        return true;
      }
    }
    this.#zoneSeconds = seconds;
    this.#isLocalZone = token.kind === "zone" && token.isLocal === true;
    this.#seen.zones++;
    return true;
  }

  #onWeekday(number: number, ordinal: number): boolean {
    this.#weekday = { number, ordinal };
    this.#seen.weekdays++;
    return true;
  }

  /** `amount` of the unit that follows, back where "ago" follows that and may. */
  #shiftBy(amount: number, takesAgo = true): boolean {
    const unit = this.#peek(1);
    if (unit?.kind !== "unit") return false;
    this.#at += 2;
    this.#applyShift(unit.value, takesAgo ? amount * this.#direction() : amount);
    return true;
  }

  #decimalSeconds(token: Extract<DateToken, { kind: "decimal" }>): boolean {
    const unit = this.#peek(1);
    if (unit?.kind !== "unit" || unit.value.of !== "seconds") return false;
    this.#at += 2;
    const direction = this.#direction();
    this.#applyShift(unit.value, token.value * direction);
    this.#shift.nanoseconds += token.nanoseconds * direction;
    return true;
  }

  #direction(): number {
    const ago = this.#peek();
    if (ago?.kind !== "ago") return 1;
    this.#at++;
    return ago.value;
  }

  #applyShift({ of, count }: DateUnit, amount: number): void {
    this.#shift[of] += amount * count;
    this.#seen.shifts++;
  }

  /** Digits alone are a year that is still missing, a date as YYYYMMDD, or a time as HH or HHMM. */
  #loneNumber({ value, digits }: NumberToken): boolean {
    this.#at++;
    const { dates, times, shifts } = this.#seen;
    if (dates > 0 && this.#year.digits === 0 && shifts === 0 && (times > 0 || digits > 2)) {
      this.#year = { value, digits };
    } else if (digits > 4) {
      this.#seen.dates++;
      this.#day = value % 100;
      this.#month = Math.floor(value / 100) % 100;
      this.#year = { value: Math.floor(value / 10_000), digits: digits - 4 };
    } else {
      this.#seen.times++;
      this.#hour = digits <= 2 ? value : Math.floor(value / 100);
      this.#minute = digits <= 2 ? 0 : value % 100;
      this.#second = 0;
      this.#nanosecond = 0;
      this.#half = undefined;
    }
    return true;
  }

  resolve(now: LocalTime, localTime: DateContext["localTime"]): bigint | undefined {
    if (this.#epoch !== undefined) return this.#epoch;
    const { dates, times, weekdays, zones, shifts } = this.#seen;
    if (dates > 1 || times > 1 || weekdays > 1 || zones > 1) return undefined;
    const year = this.#fullYear();
    const [month, day] = [this.#month, this.#day];
    let [hour, minute, second]: [number | undefined, number, number] = [0, 0, 0];
    if (times > 0 || (shifts > 0 && dates === 0 && weekdays === 0)) {
      [hour, minute, second] = [hourOf(this.#hour, this.#half), this.#minute, this.#second];
    } else {
      this.#nanosecond = 0;
    }
    const isClock = hour !== undefined && minute <= 59 && second <= 59;
    if (!isClock || month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
    const ofDay = (hour ?? 0) * 3600 + minute * 60 + second;
    let days = dayNumber(year, month, day);
    if (zones > 0 && this.#isLocalZone) {
      const { offsetSeconds } = localTime(BigInt(days * 86_400 + ofDay - this.#zoneSeconds) * SECOND);
      if (offsetSeconds !== this.#zoneSeconds) return undefined;
    }
    // A local time that the clocks skipped is invalid.
    if (zones === 0 && Math.abs(year) < 200_000 && times + dates + weekdays > 0 && isSkipped(days * 86_400 + ofDay, localTime))
      return undefined;
    let [ofYear, ofMonth, onDay] = [year, month, day];
    if (weekdays > 0 && dates === 0) {
      const today = (((days + 4) % 7) + 7) % 7;
      const { number, ordinal } = this.#weekday;
      const moved = ((number - today + 7) % 7) + 7 * (ordinal - (ordinal > 0 && today !== number ? 1 : 0));
      onDay += moved;
      days += moved;
    }
    const { years, months, days: moreDays } = this.#shift;
    if (years !== 0 || months !== 0 || moreDays !== 0) {
      if ([ofYear + years, months, onDay + moreDays].some((part) => Math.abs(part) > MAX_INT)) return undefined;
      const allMonths = (ofYear + years) * 12 + (ofMonth - 1) + months;
      [ofYear, ofMonth] = [Math.floor(allMonths / 12), (((allMonths % 12) + 12) % 12) + 1];
      days = dayNumber(ofYear, ofMonth, 1) + onDay - 1 + moreDays;
    }
    if (Math.abs(days) > MAX_INT * 366) return undefined;
    const local = days * 86_400 + ofDay;
    const isNow = dates + times + weekdays + zones === 0 && years === 0 && months === 0 && moreDays === 0;
    const seconds = zones > 0 ? local - this.#zoneSeconds : isNow && shifts > 0 ? Number(now.seconds) : universal(local, localTime);
    const { hours, minutes, seconds: moreSeconds, nanoseconds } = this.#shift;
    const shifted = seconds + hours * 3600 + minutes * 60 + moreSeconds;
    return Number.isSafeInteger(shifted) ? BigInt(shifted) * SECOND + BigInt(this.#nanosecond + nanoseconds) : undefined;
  }

  /** The year in full: of two digits, 69–99 are of the last century. */
  #fullYear(): number {
    const { value, digits } = this.#year;
    const full = digits === 2 ? value + (value >= 69 ? 1900 : 2000) : value;
    return full - 1900 > MAX_INT ? Number.NaN : full;
  }
}

const MAX_INT = 2 ** 31 - 1;

function hourOf(hour: number, half: "am" | "pm" | undefined): number | undefined {
  if (half === undefined) return hour < 24 ? hour : undefined;
  if (hour < 1 || hour > 12) return undefined;
  return (hour % 12) + (half === "pm" ? 12 : 0);
}

/** Seconds since the epoch of a local reading: the zone's offset is that of the time it gives. */
function universal(local: number, localTime: DateContext["localTime"]): number {
  let seconds = local;
  for (let round = 0; round < 2; round++) seconds = local - localTime(BigInt(seconds) * SECOND).offsetSeconds;
  return seconds;
}

function isSkipped(local: number, localTime: DateContext["localTime"]): boolean {
  const seconds = universal(local, localTime);
  return seconds + localTime(BigInt(seconds) * SECOND).offsetSeconds !== local;
}

/** Days of a month; 0 for a year that is NaN, so that no day is valid in it. */
const daysIn = (year: number, month: number): number =>
  Number.isNaN(year) ? 0 : dayNumber(month === 12 ? year + 1 : year, (month % 12) + 1, 1) - dayNumber(year, month, 1);
