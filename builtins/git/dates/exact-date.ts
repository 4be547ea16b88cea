/** Dates that say the whole moment ("2025-01-02 10:30:00 +0100", "@1700000000", RFC 2822), as git reads them before it guesses. */
import { isInRange, localTimes } from "../../../src/dates/date-format.ts";
import {
  type DateFields,
  isDigit,
  isLetter,
  isMark,
  monthAt,
  type NumberRead,
  numberAt,
  readGroup,
  sameLetters,
  setPlainDate,
  setTime,
  universalSeconds,
  unknownFields,
  weekdayAt,
} from "./date-fields.ts";
import type { ZonedClock } from "./zoned-clock.ts";

/** Seconds since the epoch; undefined where the text does not say a day and a time of day. */
export function readExactDate(text: string, clock: ZonedClock, nowSeconds: number): number | undefined {
  return objectDate(text) ?? new ExactDate(text, nowSeconds).seconds(clock);
}

/** "@1700000000 +0100", as objects hold it: the zone changes nothing. */
function objectDate(text: string): number | undefined {
  const [, seconds] = /^@([0-9]+) [+-][0-9]{4}(?:\n[^]*)?$/.exec(text) ?? [];
  if (seconds === undefined) return undefined;
  const { value } = numberAt(seconds, 0);
  return value === 2n ** 64n - 1n ? undefined : Number(value);
}

/** Hours east of Greenwich, and names of zones. */
const ZONES: readonly (readonly [hours: number, names: string])[] = [
  [-12, "IDLW"],
  [-11, "NT"],
  [-10, "CAT HST"],
  [-9, "HDT YST"],
  [-8, "YDT PST"],
  [-7, "PDT MST"],
  [-6, "MDT CST"],
  [-5, "CDT EST"],
  [-4, "EDT"],
  [-3, "AST"],
  [-2, "ADT"],
  [-1, "WAT"],
  [0, "GMT UTC Z WET"],
  [1, "BST CET MET MEWT FWT"],
  [2, "MEST CEST MESZ FST EET"],
  [3, "EEST"],
  [7, "WAST"],
  [8, "WADT CCT"],
  [9, "JST"],
  [10, "EAST GST"],
  [11, "EADT"],
  [12, "NZT NZST IDLE"],
  [13, "NZDT"],
];

const universalAt = localTimes("UTC");

class ExactDate {
  readonly #text: string;
  readonly #nowSeconds: number;
  #fields = unknownFields();
  /** Minutes east of Greenwich. */
  #offset: number | undefined;
  #isUniversal = false;

  constructor(text: string, nowSeconds: number) {
    this.#text = text.replace(/\n[^]*$/, "");
    this.#nowSeconds = nowSeconds;
    for (let at = 0; at < this.#text.length; ) at = Math.max(at + 1, this.#next(at));
  }

  seconds(clock: ZonedClock): number | undefined {
    const universal = universalSeconds(this.#fields);
    if (universal === undefined || this.#isUniversal) return universal;
    if (this.#offset !== undefined) return universal - this.#offset * 60;
    return universal - Math.trunc((universal - clock.secondsOf({ ...this.#fields, isSummer: undefined })) / 60) * 60;
  }

  #next(at: number): number {
    const char = this.#text[at];
    if (isLetter(char)) return this.#word(at);
    if (isDigit(char)) return this.#number(at);
    return (char === "-" || char === "+") && isDigit(this.#text[at + 1]) ? this.#zone(at) : at;
  }

  #word(at: number): number {
    let end = at + 1;
    while (isLetter(this.#text[end])) end++;
    const month = monthAt(this.#text, at);
    if (month >= 0) this.#fields.month = month;
    if (month >= 0 || weekdayAt(this.#text, at) >= 0) return end;
    for (const [hours, names] of ZONES) {
      for (const name of names.split(" ")) {
        const same = sameLetters(this.#text, at, name);
        if (same < 3 && same !== name.length) continue;
        this.#offset ??= hours * 60;
        return end;
      }
    }
    for (const [half, hours] of [
      ["PM", 12],
      ["AM", 0],
    ] as const) {
      if (sameLetters(this.#text, at, half) !== 2) continue;
      this.#fields.hour = (this.#fields.hour % 12) + hours;
      return end;
    }
    return end;
  }

  /** True where a part of the date or the time is unknown of each kind. */
  #isEmpty(): boolean {
    const { year, month, day, hour, minute, second } = this.#fields;
    return [year, month, day, hour, minute, second].every((part) => part < 0);
  }

  #number(at: number): number {
    const read = numberAt(this.#text, at);
    const { value, end } = read;
    if (value >= 100_000_000n && this.#isEmpty() && this.#setSeconds(value)) return end;
    if (isMark(this.#text[end]) && isDigit(this.#text[end + 1])) {
      const found = readGroup(this.#fields, this.#text, read, this.#nowSeconds);
      if (found !== undefined) return found;
    }
    const digits = end - at;
    if (digits === 8 || digits === 6) return this.#compact(read, digits);
    this.#guess(value, digits);
    return end;
  }

  /** Seconds since the epoch. */
  #setSeconds(value: bigint): boolean {
    const time = universalAt(BigInt.asIntN(64, value) * 1_000_000_000n);
    if (!isInRange(time)) return false;
    const { year, month, day, hour, minute, second, weekday } = time;
    this.#fields = { year: year - 1900, month: month - 1, day, hour, minute, second, weekday };
    this.#isUniversal = true;
    return true;
  }

  /** ISO 8601 without marks: YYYYMMDD, and HHMMSS with parts of a second. */
  #compact({ value, end }: NumberRead, digits: 6 | 8): number {
    const parts = [value / 10_000n, (value % 10_000n) / 100n, value % 100n] as const;
    if (digits === 8) setPlainDate(this.#fields, Number(parts[0]), Number(parts[1]), Number(parts[2]));
    else if (setTime(this.#fields, ...parts) && this.#text[end] === "." && isDigit(this.#text[end + 1]))
      return numberAt(this.#text, end + 1).end;
    return end;
  }

  /** A number alone: a day before a month, a month before a year. */
  #guess(value: bigint, digits: number): void {
    const fields: DateFields = this.#fields;
    const number = digits > 4 ? 0 : Number(value);
    if (digits === 4) {
      if (number <= 1400 && this.#offset === undefined) this.#offset = Math.floor(number / 100) * 60 + (number % 100);
      else if (number > 1900 && number < 2100) fields.year = number - 1900;
    } else if (digits > 2) return;
    else if (number > 0 && number < 32 && fields.day < 0) fields.day = number;
    else if (digits === 2 && fields.year < 0 && number < 10 && fields.day >= 0) fields.year = number + 100;
    else if (digits === 2 && fields.year < 0 && number >= 70) fields.year = number;
    else if (number > 0 && number < 13 && fields.month < 0) fields.month = number - 1;
  }

  /** "+0100", "+01:00", "+01"; a number that is none is passed over. */
  #zone(at: number): number {
    const { value, end } = numberAt(this.#text, at + 1);
    const digits = end - at - 1;
    const hasMinutes = digits === 2 && this.#text[end] === ":" && isDigit(this.#text[end + 1]);
    const minutes = hasMinutes ? numberAt(this.#text, end + 1) : undefined;
    const last = minutes?.end ?? end;
    const isZone = digits === 4 || (digits === 2 && (minutes === undefined ? this.#text[end] !== ":" : last - at === 6));
    const [hour, minute] = digits === 4 ? [value / 100n, value % 100n] : [value, minutes?.value ?? 0n];
    if (isZone && hour < 24n && minute < 60n) this.#offset = Number(hour * 60n + minute) * (this.#text[at] === "-" ? -1 : 1);
    return last;
  }
}
