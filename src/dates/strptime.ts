/** strptime(3) as glibc has it in the C locale (time/strptime_l.c). */
import { dayNumber } from "./date-format.ts";

/** C's struct tm. Months from 0, days from 1, weekdays from Sunday 0, days of the year from 0. */
export interface BrokenDownTime {
  second: number;
  minute: number;
  hour: number;
  day: number;
  month: number;
  yearsSince1900: number;
  weekday: number;
  yearDay: number;
  isDaylight: number;
  offsetSeconds: number;
}

/**
 * Reads `text` as `format` says into `time`. Returns the number of characters read, or undefined where the text does not fit.
 * `setFromEpoch` fills `time` for %s.
 */
export function readTime(text: string, format: string, time: BrokenDownTime, setFromEpoch: (seconds: number) => void): number | undefined {
  const reader = new TimeReader(text, time, setFromEpoch);
  if (!reader.read(format)) return undefined;
  reader.complete();
  return reader.at;
}

const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS = ["January", "February", "March", "April", "May", "June"];
MONTHS.push("July", "August", "September", "October", "November", "December");

/** Conversions that stand for others. */
const COMPOUND: Readonly<Record<string, string>> = {
  c: "%a %b %e %H:%M:%S %Y",
  D: "%m/%d/%y",
  F: "%Y-%m-%d",
  R: "%H:%M",
  r: "%I:%M:%S %p",
  T: "%H:%M:%S",
  x: "%m/%d/%y",
  X: "%H:%M:%S",
};

const isSpace = (character: string | undefined): boolean => character !== undefined && /[\t-\r ]/.test(character);

class TimeReader {
  at = 0;
  readonly #text: string;
  readonly #time: BrokenDownTime;
  readonly #setFromEpoch: (seconds: number) => void;
  /** Fields that were given; `complete` works out the others from them. */
  readonly #has = new Set<"weekday" | "yearDay" | "month" | "day" | "date" | "twelveHours" | "twoDigitYear">();
  #isAfternoon = false;
  #century: number | undefined;
  #week: { readonly number: number; readonly firstDay: 0 | 1 } | undefined;

  constructor(text: string, time: BrokenDownTime, setFromEpoch: (seconds: number) => void) {
    this.#text = text;
    this.#time = time;
    this.#setFromEpoch = setFromEpoch;
  }

  read(format: string): boolean {
    for (let from = 0; from < format.length; from++) {
      const character = format[from] as string;
      if (isSpace(character)) this.#skipSpace();
      else if (character !== "%") {
        if (this.#text[this.at] !== character) return false;
        this.at++;
      } else {
        from++;
        while ("-_0^#".includes(format[from] ?? "x")) from++;
        if (format[from] === "E" || format[from] === "O") from++;
        if (!this.#conversion(format[from] ?? "")) return false;
      }
    }
    return true;
  }

  /** Computes the fields that glibc works out at the end: hour, century, date, weekday and day of the year. */
  complete(): void {
    const time = this.#time;
    const has = this.#has;
    if (has.has("twelveHours") && this.#isAfternoon) time.hour += 12;
    if (this.#century !== undefined) {
      time.yearsSince1900 = (has.has("twoDigitYear") ? time.yearsSince1900 % 100 : 0) + (this.#century - 19) * 100;
    }
    if (has.has("date") && !has.has("weekday")) {
      if (!(has.has("month") && has.has("day")) && has.has("yearDay")) this.#setDateFromYearDay();
      this.#setWeekday();
    }
    if (has.has("date") && !has.has("yearDay")) this.#setYearDay();
    if (this.#week !== undefined && has.has("weekday")) this.#setDateFromWeek(this.#week);
  }

  #conversion(letter: string): boolean {
    const time = this.#time;
    const compound = COMPOUND[letter];
    if (compound !== undefined) {
      if (!this.read(compound)) return false;
      if (letter !== "R" && letter !== "r" && letter !== "T" && letter !== "X") this.#has.add("date");
      return true;
    }
    switch (letter) {
      case "%":
        return this.#text[this.at++] === "%";
      case "n":
      case "t":
        this.#skipSpace();
        return true;
      case "a":
      case "A":
        return this.#name(WEEKDAYS, (index) => {
          time.weekday = index;
          this.#has.add("weekday");
        });
      case "b":
      case "B":
      case "h":
        return this.#name(MONTHS, (index) => {
          time.month = index;
          this.#has.add("month").add("date");
        });
      case "C":
        return this.#number(0, 99, 2, (value) => {
          this.#century = value;
          this.#has.add("date");
        });
      case "d":
      case "e":
        return this.#number(1, 31, 2, (value) => {
          time.day = value;
          this.#has.add("day").add("date");
        });
      case "H":
      case "k":
        return this.#number(0, 23, 2, (value) => {
          time.hour = value;
          this.#has.delete("twelveHours");
        });
      case "I":
      case "l":
        return this.#number(1, 12, 2, (value) => {
          time.hour = value % 12;
          this.#has.add("twelveHours");
        });
      case "j":
        return this.#number(1, 366, 3, (value) => {
          time.yearDay = value - 1;
          this.#has.add("yearDay");
        });
      case "m":
        return this.#number(1, 12, 2, (value) => {
          time.month = value - 1;
          this.#has.add("month").add("date");
        });
      case "M":
        return this.#number(0, 59, 2, (value) => {
          time.minute = value;
        });
      case "p":
        return this.#name(["AM", "PM"], (index) => {
          this.#isAfternoon = index === 1;
        });
      case "P":
        return this.#name(["AM", "PM"], (index) => {
          this.#isAfternoon = index === 1;
        });
      case "s":
        return this.#epoch();
      case "S":
        return this.#number(0, 61, 2, (value) => {
          time.second = value;
        });
      case "u":
        return this.#number(1, 7, 1, (value) => {
          time.weekday = value % 7;
          this.#has.add("weekday");
        });
      case "w":
        return this.#number(0, 6, 1, (value) => {
          time.weekday = value;
          this.#has.add("weekday");
        });
      case "U":
      case "W":
        return this.#number(0, 53, 2, (value) => {
          this.#week = { number: value, firstDay: letter === "U" ? 0 : 1 };
        });
      // Read and not used.
      case "V":
        return this.#number(0, 53, 2, () => {});
      case "g":
        return this.#number(0, 99, 2, () => {});
      case "G":
        return /^\d{4}/.test(this.#text.slice(this.at)) && this.#number(0, 9999, 4, () => {});
      case "y":
        return this.#number(0, 99, 2, (value) => {
          time.yearsSince1900 = value >= 69 ? value : value + 100;
          this.#has.add("twoDigitYear").add("date");
        });
      case "Y":
        return this.#number(0, 9999, 4, (value) => {
          time.yearsSince1900 = value - 1900;
          this.#has.delete("twoDigitYear");
          this.#century = undefined;
          this.#has.add("date");
        });
      case "z":
        return this.#zone();
      case "Z":
        this.#skipSpace();
        while (this.at < this.#text.length && !isSpace(this.#text[this.at])) this.at++;
        return true;
      default:
        return false;
    }
  }

  #skipSpace(): void {
    while (isSpace(this.#text[this.at])) this.at++;
  }

  /** The number in at most `digits` digits, read only as far as it stays at or under `most`. */
  #number(least: number, most: number, digits: number, take: (value: number) => void): boolean {
    while (this.#text[this.at] === " ") this.at++;
    let value = 0;
    let count = 0;
    for (; count < digits && /[0-9]/.test(this.#text[this.at] ?? ""); count++) {
      if (count > 0 && value * 10 > most) break;
      value = value * 10 + Number(this.#text[this.at++]);
    }
    if (count === 0 || value < least || value > most) return false;
    take(value);
    return true;
  }

  /** One of `names`, whole or its first three letters, in any case. */
  #name(names: readonly string[], take: (index: number) => void): boolean {
    const rest = this.#text.slice(this.at, this.at + 12).toLowerCase();
    for (const [index, name] of names.entries()) {
      const spelled = [name, name.slice(0, 3)].find((spelling) => rest.startsWith(spelling.toLowerCase()));
      if (spelled === undefined) continue;
      this.at += spelled.length;
      take(index);
      return true;
    }
    return false;
  }

  #epoch(): boolean {
    const digits = /^[0-9]+/.exec(this.#text.slice(this.at, this.at + 20))?.[0];
    if (digits === undefined) return false;
    this.at += digits.length;
    this.#setFromEpoch(Number(digits));
    return true;
  }

  /** `Z`, or a sign and two or four digits, with or without a colon. */
  #zone(): boolean {
    this.#skipSpace();
    if (this.#text[this.at] === "Z") {
      this.at++;
      this.#time.offsetSeconds = 0;
      return true;
    }
    const [all, sign, hours, minutes = "00"] = /^([+-])(\d\d)(?::?(\d\d))?/.exec(this.#text.slice(this.at, this.at + 6)) ?? [];
    if (all === undefined || Number(minutes) >= 60) return false;
    this.at += all.length;
    this.#time.offsetSeconds = (Number(hours) * 3600 + Number(minutes) * 60) * (sign === "-" ? -1 : 1);
    return true;
  }

  #setWeekday(): void {
    const { yearsSince1900, month, day } = this.#time;
    const days = dayNumber(yearsSince1900 + 1900, month + 1, 1) + day - 1;
    this.#time.weekday = (((days + 4) % 7) + 7) % 7;
  }

  #setYearDay(): void {
    const { yearsSince1900, month, day } = this.#time;
    const year = yearsSince1900 + 1900;
    this.#time.yearDay = dayNumber(year, month + 1, 1) - dayNumber(year, 1, 1) + day - 1;
  }

  #setDateFromYearDay(): void {
    const time = this.#time;
    const year = time.yearsSince1900 + 1900;
    const startOf = (month: number): number => dayNumber(year, month + 1, 1) - dayNumber(year, 1, 1);
    let month = 11;
    while (month > 0 && startOf(month) > time.yearDay) month--;
    if (!this.#has.has("month")) time.month = month;
    if (!this.#has.has("day")) time.day = time.yearDay - startOf(month) + 1;
  }

  /** The day by its week (%U: weeks begin on Sunday, %W: on Monday) and weekday. */
  #setDateFromWeek({ number, firstDay }: { readonly number: number; readonly firstDay: 0 | 1 }): void {
    const time = this.#time;
    const wanted = time.weekday;
    const givenDay = time.day;
    const givenMonth = time.month;
    time.day = 1;
    time.month = 0;
    this.#setWeekday();
    if (this.#has.has("day")) time.day = givenDay;
    if (this.#has.has("month")) time.month = givenMonth;
    if (!this.#has.has("yearDay")) {
      time.yearDay = ((7 - (time.weekday - firstDay)) % 7) + (number - 1) * 7 + ((wanted - firstDay + 7) % 7);
    }
    if (!this.#has.has("day") || !this.#has.has("month")) this.#setDateFromYearDay();
    time.weekday = wanted;
  }
}
