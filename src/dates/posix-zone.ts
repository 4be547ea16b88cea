/**
 * Time zones that are spelled out (`EST5EDT,M3.2.0,M11.1.0`): the TZ string of POSIX as tzset(3) of glibc reads it, which
 * takes the readable part of one that is wrong. https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/V1_chap08.html#tag_08_03
 */

/** Offset and letters of a zone at some time. */
export interface Zone {
  /** East of Greenwich, in seconds. */
  readonly offsetSeconds: number;
  /** "UTC", "CET" */
  readonly zoneName: string;
}

/** The zone at each second since the epoch. `dayOf` is the day since the epoch of a date, `yearOf` the year of a day. */
export function posixZone(text: string, dayOf: DayOf, yearOf: (day: number) => number): (seconds: number) => Zone {
  const reader = new ZoneReader(text);
  const standard = reader.name();
  const offset = standard === undefined ? undefined : reader.offset();
  const zone: Zone = { offsetSeconds: offset ?? 0, zoneName: standard ?? "" };
  if (offset === undefined || reader.atEnd) return () => zone;
  const summerName = reader.name();
  const summerOffset = summerName === undefined ? 0 : (reader.offset() ?? offset + HOUR);
  const summer: Zone = { offsetSeconds: summerOffset, zoneName: summerName ?? "" };
  const start = reader.change(START);
  const end = start === undefined ? undefined : reader.change(END);
  const at = (change: Change | undefined, year: number, before: Zone): number =>
    changeSeconds(change ?? NEW_YEAR, year, dayOf) - before.offsetSeconds;
  return (seconds) => {
    // Before 1970 glibc looks at the changes of that year.
    const year = Math.max(1970, yearOf(Math.floor(seconds / DAY)));
    const [from, to] = [at(start, year, zone), at(end, year, summer)];
    const isSummer = from > to ? seconds < to || seconds >= from : seconds >= from && seconds < to;
    return isSummer ? summer : zone;
  };
}

/** Tells whether all of `text` is a TZ string of POSIX. */
export function isPosixZone(text: string): boolean {
  const [name, time, day] = [
    "(?:[A-Za-z]{3,}|<[A-Za-z0-9+-]{3,}>)",
    "\\d{1,3}(?::\\d{1,2}){0,2}",
    "(?:J?\\d{1,3}|M(?:[1-9]|1[0-2])\\.[1-5]\\.[0-6])",
  ];
  return new RegExp(`^${name}[+-]?${time}(?:${name}(?:[+-]?${time})?(?:(?:,${day}(?:/[+-]?${time})?){2})?)?$`).test(text);
}

type DayOf = (year: number, month: number, day: number) => number;

const [HOUR, DAY] = [3_600, 86_400];

/** Time in each year at which the clock changes. */
type Change = { readonly secondOfDay: number } & (
  | { readonly kind: "day"; readonly day: number }
  /** From 1, where 29 February is never counted. */
  | { readonly kind: "day-but-leap"; readonly day: number }
  /** Week 5 is the last one; weekday 0 is Sunday. */
  | { readonly kind: "weekday"; readonly month: number; readonly week: number; readonly weekday: number }
);

/** The rules of the United States, which hold where none are given. */
const START: Change = { kind: "weekday", month: 3, week: 2, weekday: 0, secondOfDay: 2 * HOUR };
const END: Change = { kind: "weekday", month: 11, week: 1, weekday: 0, secondOfDay: 2 * HOUR };
/** Change that stands for a rule that cannot be read. */
const NEW_YEAR: Change = { kind: "day", day: 0, secondOfDay: 0 };

function changeSeconds(change: Change, year: number, dayOf: DayOf): number {
  return dayOfChange(change, year, dayOf) * DAY + change.secondOfDay;
}

function dayOfChange(change: Change, year: number, dayOf: DayOf): number {
  switch (change.kind) {
    case "day":
      return dayOf(year, 1, 1) + change.day;
    case "day-but-leap":
      return dayOf(year, 1, 1) + change.day - (change.day < 60 ? 1 : dayOf(year, 3, 1) - dayOf(year, 2, 28) === 2 ? 0 : 1);
    case "weekday": {
      const first = dayOf(year, change.month, 1);
      const firstWeekday = (((first + 4) % 7) + 7) % 7;
      const day = first + ((change.weekday - firstWeekday + 7) % 7) + 7 * (change.week - 1);
      const next = change.month === 12 ? dayOf(year + 1, 1, 1) : dayOf(year, change.month + 1, 1);
      return day >= next ? day - 7 : day;
    }
  }
}

class ZoneReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get atEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  name(): string | undefined {
    const [all, letters, quoted] = this.#match(/(?:([A-Za-z]{3,})|<([A-Za-z0-9+-]{3,})>)/y) ?? [];
    return all === undefined ? undefined : (letters ?? quoted ?? "");
  }

  /** East of Greenwich, in seconds, where the text counts west. */
  offset(): number | undefined {
    const [all, sign = "", hours = "0", minutes = "0", seconds = "0"] = this.#match(/([+-]?)(\d+)(?::(\d+)(?::(\d+))?)?/y) ?? [];
    if (all === undefined) return undefined;
    const west = Math.min(Number(hours), 24) * HOUR + Math.min(Number(minutes), 59) * 60 + Math.min(Number(seconds), 59);
    return sign === "-" ? west : 0 - west;
  }

  /** Reads the rule of a change: `usual` at the end of the text; undefined where no valid rule follows. */
  change(usual: Change): Change | undefined {
    this.#match(/,/y);
    if (this.atEnd) return usual;
    const found = this.#match(/(?:(J?)(\d+)|M(\d+)\.(\d+)\.(\d+))(?=[,/]|$)/y);
    if (found === undefined) return undefined;
    const [, julian, day = "", month = "", week = "", weekday = ""] = found;
    const clock = this.#match(/\/(?=.)(-?)(?:(\d+)(?::(\d+))?(?::(\d+))?)?/y);
    if (clock === undefined && this.#text[this.#at] === "/") return undefined;
    const [, minus = "", hours = "2", minutes = "0", seconds = "0"] = clock ?? [];
    const secondOfDay = (minus === "" ? 1 : -1) * (Number(hours) * HOUR + Number(minutes) * 60 + Number(seconds));
    if (month === "") {
      const number = Number(day);
      if (number > 365 || (julian === "J" && number === 0)) return undefined;
      return { kind: julian === "J" ? "day-but-leap" : "day", day: number, secondOfDay };
    }
    const rule = { month: Number(month), week: Number(week), weekday: Number(weekday) };
    if (rule.month < 1 || rule.month > 12 || rule.week < 1 || rule.week > 5 || rule.weekday > 6) return undefined;
    return { kind: "weekday", ...rule, secondOfDay };
  }

  #match(shape: RegExp): RegExpExecArray | undefined {
    shape.lastIndex = this.#at;
    const found = shape.exec(this.#text);
    if (found === null) return undefined;
    this.#at += found[0].length;
    return found;
  }
}
