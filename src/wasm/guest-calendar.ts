/** A guest's `struct tm` (wasm32 musl: 32-bit fields), filled and read for C's time functions. */
import { dayNumber, localTimes, type LocalTime } from "../dates/date-format.ts";
import { readTime, type BrokenDownTime } from "../dates/strptime.ts";

/** Fields of struct tm in their order, four bytes each. */
const FIELDS = ["second", "minute", "hour", "day", "month", "yearsSince1900", "weekday", "yearDay", "isDaylight", "offsetSeconds"] as const;

/** tm_zone: a pointer to the zone's name. */
const ZONE_OFFSET = 4 * FIELDS.length;

/** Addresses of zone names in the guest's memory. */
export interface ZoneNamesAt {
  readonly universal: number;
  readonly local: number;
}

const DAY_SECONDS = 86_400;
const NANOSECONDS = 1_000_000_000n;

export class GuestCalendar {
  readonly #universal = localTimes("UTC");
  readonly #local: (nanoseconds: bigint) => LocalTime;
  /** Set once there is a guest to put the names in. */
  zoneNamesAt: ZoneNamesAt | undefined;

  /** `timeZone` is an IANA name. */
  constructor(timeZone: string) {
    this.#local = timeZone === "UTC" ? this.#universal : localTimes(timeZone);
  }

  /** "UTC", "CET": as it is at that instant. */
  zoneName(atMs: number): string {
    return this.#local(BigInt(atMs) * 1_000_000n).zoneName;
  }

  /** gmtime_r(3). */
  writeUniversal(memory: Buffer, at: number, seconds: bigint): void {
    this.#write(memory, at, ofLocalTime(this.#universal(seconds * NANOSECONDS)));
  }

  /** localtime_r(3). */
  writeLocal(memory: Buffer, at: number, seconds: bigint): void {
    this.#write(memory, at, ofLocalTime(this.#local(seconds * NANOSECONDS)));
  }

  /** timegm(3): seconds since the epoch of a struct tm in UTC, whose fields are brought into their ranges. */
  universalSeconds(memory: Buffer, at: number): bigint {
    const seconds = BigInt(secondsOf(this.#read(memory, at)));
    this.writeUniversal(memory, at, seconds);
    memory.writeUInt32LE(this.zoneNamesAt?.universal ?? 0, at + ZONE_OFFSET);
    return seconds;
  }

  /** mktime(3), the same in the local zone. */
  localSeconds(memory: Buffer, at: number): bigint {
    const wall = BigInt(secondsOf(this.#read(memory, at)));
    const offset = (seconds: bigint): bigint => BigInt(this.#local(seconds * NANOSECONDS).offsetSeconds);
    // The offset depends on the answer: what the first guess gives is right but for the hours around a change.
    const seconds = wall - offset(wall - offset(wall));
    this.writeLocal(memory, at, seconds);
    memory.writeUInt32LE(this.zoneNamesAt?.local ?? 0, at + ZONE_OFFSET);
    return seconds;
  }

  /** strptime(3) of glibc: how many characters of `text` were read, or undefined where it is not as `format` says. */
  parse(memory: Buffer, at: number, text: string, format: string): number | undefined {
    const time = this.#read(memory, at);
    const read = readTime(text, format, time, (seconds) => Object.assign(time, ofLocalTime(this.#local(BigInt(seconds) * NANOSECONDS))));
    if (read !== undefined) this.#write(memory, at, time);
    return read;
  }

  #read(memory: Buffer, at: number): BrokenDownTime {
    return Object.fromEntries(FIELDS.map((field, index) => [field, memory.readInt32LE(at + 4 * index)])) as unknown as BrokenDownTime;
  }

  #write(memory: Buffer, at: number, time: BrokenDownTime): void {
    FIELDS.forEach((field, index) => memory.writeInt32LE(time[field] | 0, at + 4 * index));
  }
}

function ofLocalTime(time: LocalTime): BrokenDownTime {
  const { second, minute, hour, day, weekday, offsetSeconds } = time;
  return {
    ...{ second, minute, hour, day, weekday, offsetSeconds },
    month: time.month - 1,
    yearsSince1900: time.year - 1900,
    yearDay: time.yearDay - 1,
    isDaylight: 0,
  };
}

function secondsOf({ yearsSince1900, month, day, hour, minute, second }: BrokenDownTime): number {
  const year = yearsSince1900 + 1900 + Math.floor(month / 12);
  const monthOfYear = ((month % 12) + 12) % 12;
  return (dayNumber(year, monthOfYear + 1, 1) + day - 1) * DAY_SECONDS + hour * 3600 + minute * 60 + second;
}
