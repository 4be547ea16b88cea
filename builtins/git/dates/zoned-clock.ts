/** localtime(3) and mktime(3) of one time zone, as glibc has them. */
import { dayNumber, localTimes } from "../../../src/dates/date-format.ts";
import type { DateFields } from "./date-fields.ts";

/** Fields with the daylight saving time that they are in; undefined where it is to be found out. */
export interface ZonedFields extends DateFields {
  isSummer: boolean | undefined;
}

const [HOUR, DAY] = [3_600, 86_400];
/** As many as glibc makes before it gives up. */
const MOST_TRIES = 6;
/** The strides in which glibc looks for a time with the daylight saving time that was asked for, and how far it looks. */
const [STRIDE, FARTHEST] = [601_200, 457_243_209 / 2 + 601_200];

export class ZonedClock {
  readonly #localAt: ReturnType<typeof localTimes>;
  /** Of the time found last: where the next search begins. */
  #lastOffset = 0;
  readonly #standards = new Map<number, number>();

  constructor(timeZone: string) {
    this.#localAt = localTimes(timeZone);
  }

  fieldsAt(seconds: number): ZonedFields {
    const { year, month, day, hour, minute, second, weekday } = this.#at(seconds);
    return { year: year - 1900, month: month - 1, day, hour, minute, second, weekday, isSummer: this.#isSummer(seconds) };
  }

  /** Fields past their ends carry over: 30 February is 1 or 2 March. */
  secondsOf({ year, month, day, hour, minute, second, isSummer }: ZonedFields): number {
    const days = dayNumber(year + 1900 + Math.floor(month / 12), (((month % 12) + 12) % 12) + 1, 1) + day - 1;
    const local = days * DAY + hour * 3_600 + minute * 60 + second;
    const found = this.#settled(local, isSummer);
    const isOther = found.isSettled && isSummer !== undefined && this.#isSummer(found.seconds) !== isSummer;
    const seconds = isOther ? local - this.#offsetNear(found.seconds, isSummer) : found.seconds;
    this.#lastOffset = local - seconds;
    return seconds;
  }

  /** The time whose reading is `local`; in a gap of the clock one beside it. */
  #settled(local: number, isSummer: boolean | undefined): { readonly seconds: number; readonly isSettled: boolean } {
    let seconds = local - this.#lastOffset;
    let before = seconds;
    let last = seconds;
    let wasSummer = false;
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const next = local - this.#offset(seconds);
      if (next === seconds) return { seconds, isSettled: true };
      const isSummerHere = this.#isSummer(seconds);
      const isRight = isSummer === undefined ? isSummerHere || !wasSummer : isSummerHere !== isSummer;
      if (seconds === before && seconds !== last && isRight) break;
      [before, last, seconds, wasSummer] = [last, seconds, next, isSummerHere];
    }
    return { seconds, isSettled: false };
  }

  /** Offset of the nearest time that is in daylight saving time, or is not; where there is none, an hour more or less than here. */
  #offsetNear(seconds: number, isSummer: boolean): number {
    for (let distance = STRIDE; distance < FARTHEST; distance += STRIDE)
      for (const probe of [seconds - distance, seconds + distance]) if (this.#isSummer(probe) === isSummer) return this.#offset(probe);
    return this.#offset(seconds) + (isSummer ? HOUR : -HOUR);
  }

  #at(seconds: number): ReturnType<ReturnType<typeof localTimes>> {
    return this.#localAt(BigInt(seconds) * 1_000_000_000n);
  }

  #offset(seconds: number): number {
    return this.#at(seconds).offsetSeconds;
  }

  /** The platform has no word for it: a clock that is ahead of the year's least offset is in daylight saving time. */
  #isSummer(seconds: number): boolean {
    const { year, offsetSeconds, zoneName } = this.#at(seconds);
    // Before there were zones.
    if (zoneName === "LMT") return false;
    let standard = this.#standards.get(year);
    if (standard === undefined) {
      const months = Array.from({ length: 12 }, (_, month) => this.#offset(dayNumber(year, month + 1, 15) * DAY));
      standard = Math.min(...months);
      this.#standards.set(year, standard);
    }
    return offsetSeconds > standard;
  }
}
