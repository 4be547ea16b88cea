/** Dates as git guesses them: "2 weeks ago", "noon yesterday", "last friday 5pm". Every span reaches into the past, with "ago" or without. */
import { isDigit, isLetter, isMark, monthAt, numberAt, readGroup, sameLetters, toInt, weekdayAt } from "./date-fields.ts";
import { readExactDate } from "./exact-date.ts";
import { ZonedClock, type ZonedFields } from "./zoned-clock.ts";

export interface DateRead {
  /** Since the epoch: never negative, for before it git's number wraps to one that is past every commit. */
  readonly seconds: number;
  /** False where no word of the text was one of a date: it is now. */
  readonly isDate: boolean;
}

/** Reads any text: what is no date is now. */
export function readDate(text: string, { nowMs, timeZone }: { readonly nowMs: number; readonly timeZone: string }): DateRead {
  const clock = new ZonedClock(timeZone);
  const nowSeconds = Math.floor(nowMs / 1000);
  const exact = readExactDate(text, clock, nowSeconds);
  if (exact !== undefined) return { seconds: unsigned(exact), isDate: true };
  const { seconds, isTouched } = new ApproximateDate(text, clock, nowSeconds);
  return { seconds: unsigned(seconds), isDate: isTouched };
}

const unsigned = (seconds: number): number => (seconds < 0 ? Number(BigInt.asUintN(64, BigInt(seconds))) : seconds);

const DAY = 86_400;
const NUMBERS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const SPANS = [
  ["seconds", 1],
  ["minutes", 60],
  ["hours", 3_600],
  ["days", DAY],
  ["weeks", 7 * DAY],
] as const;

class ApproximateDate {
  readonly seconds: number;
  /** Whether something of the text was a word of a date. */
  isTouched = false;
  readonly #text: string;
  readonly #clock: ZonedClock;
  readonly #nowSeconds: number;
  readonly #now: Readonly<ZonedFields>;
  #fields: ZonedFields;
  /** A number whose unit has not come yet; 0 if there is none. */
  #number = 0;

  constructor(text: string, clock: ZonedClock, nowSeconds: number) {
    this.#text = text;
    this.#clock = clock;
    this.#nowSeconds = nowSeconds;
    this.#now = clock.fieldsAt(nowSeconds);
    this.#fields = { ...this.#now, year: -1, month: -1, day: -1 };
    for (let at = 0; at < text.length; ) at = this.#next(at);
    this.#settleNumber();
    this.seconds = this.#goBack(0);
  }

  #next(at: number): number {
    const char = this.#text[at];
    if (isDigit(char)) {
      this.#settleNumber();
      this.isTouched = true;
      return this.#digits(at);
    }
    if (!isLetter(char)) return at + 1;
    let end = at + 1;
    while (isLetter(this.#text[end])) end++;
    if (this.#word(at)) this.isTouched = true;
    return end;
  }

  #digits(at: number): number {
    const read = numberAt(this.#text, at);
    if (isMark(this.#text[read.end]) && isDigit(this.#text[read.end + 1])) {
      const end = readGroup(this.#fields, this.#text, read, this.#nowSeconds);
      if (end !== undefined) return end;
    }
    if (this.#text[at] !== "0" || read.end - at <= 2) this.#number = toInt(read.value);
    return read.end;
  }

  /** Returns whether it is one of a date. */
  #word(at: number): boolean {
    const month = monthAt(this.#text, at);
    if (month >= 0) {
      this.#fields.month = month;
      return true;
    }
    const special = Object.entries(this.#specials).find(([name]) => sameLetters(this.#text, at, name) === name.length);
    if (special !== undefined) {
      special[1]();
      return true;
    }
    return this.#number === 0 ? this.#numberWord(at) : this.#unit(at);
  }

  readonly #specials: Readonly<Record<string, () => void>> = {
    yesterday: () => {
      this.#number = 0;
      this.#goBack(DAY);
    },
    noon: () => this.#lastTime(12),
    midnight: () => this.#lastTime(0),
    tea: () => this.#lastTime(17),
    PM: () => this.#halfOfDay(12),
    AM: () => this.#halfOfDay(0),
    never: () => {
      this.#number = 0;
      this.#fields = this.#clock.fieldsAt(0);
    },
    now: () => {
      this.#number = 0;
      this.#goBack(0);
    },
  };

  /** The last time that it was `hour`. */
  #lastTime(hour: number): void {
    this.#settleNumber();
    if (this.#fields.hour < hour) this.#goBack(DAY);
    Object.assign(this.#fields, { hour, minute: 0, second: 0 });
  }

  #halfOfDay(hours: number): void {
    if (this.#number !== 0) Object.assign(this.#fields, { hour: this.#number, minute: 0, second: 0 });
    this.#number = 0;
    this.#fields.hour = (this.#fields.hour % 12) + hours;
  }

  #numberWord(at: number): boolean {
    const found = NUMBERS.findIndex((name) => sameLetters(this.#text, at, name) === name.length);
    this.#number = found + 1;
    if (found < 0 && sameLetters(this.#text, at, "last") === 4) this.#number = 1;
    return this.#number !== 0;
  }

  #unit(at: number): boolean {
    const has = (name: string): boolean => sameLetters(this.#text, at, name) >= name.length - 1;
    const span = SPANS.find(([name]) => has(name));
    const weekday = weekdayAt(this.#text, at);
    const count = this.#number;
    if (span !== undefined) this.#goBack(Math.imul(span[1], count));
    else if (weekday >= 0) {
      const days = this.#fields.weekday - weekday;
      this.#goBack(Math.imul(days + 7 * (days <= 0 ? count : count - 1), DAY));
    } else if (has("months")) this.#goBackMonths(count);
    else if (has("years")) {
      this.#goBack(0);
      this.#fields.year -= count;
    } else return false;
    this.#number = 0;
    return true;
  }

  #goBackMonths(count: number): void {
    this.#goBack(0);
    const month = (this.#fields.month - count) | 0;
    const years = month < 0 ? Math.ceil(-month / 12) : 0;
    this.#fields.month = month + years * 12;
    this.#fields.year -= years;
  }

  /** A number without a unit is a day, a month or a year: the first of them that is not known. */
  #settleNumber(): void {
    const number = this.#number;
    const fields = this.#fields;
    if (number === 0) return;
    this.#number = 0;
    if (fields.day < 0 && number < 32) fields.day = number;
    else if (fields.month < 0 && number < 13) fields.month = (number - 1) | 0;
    else if (fields.year >= 0) return;
    else if (number > 1969 && number < 2100) fields.year = number - 1900;
    else if (number > 69 && number < 100) fields.year = number;
    else if (number < 38) fields.year = 100 + number;
  }

  /** Fills in the date from today's and goes back. Returns the seconds since the epoch. */
  #goBack(seconds: number): number {
    const fields = this.#fields;
    if (fields.day < 0) fields.day = this.#now.day;
    if (fields.month < 0) fields.month = this.#now.month;
    if (fields.year < 0) fields.year = this.#now.year - (fields.month > this.#now.month ? 1 : 0);
    const there = this.#clock.secondsOf(fields) - seconds;
    this.#fields = this.#clock.fieldsAt(there);
    return there;
  }
}
