/**
 * Points in time as text: GNU strftime (nstrftime.c) in C.UTF-8, with its flags `- _ 0 + ^ #`, widths, `%N` and the
 * `%:z` forms. For `date`, `ls --time-style`, `find -printf`, `stat` and the like.
 */
import { LimitReached } from "../io/limit-reached.ts";
import { zoneLetters } from "./zone-letters.ts";
import { posixZone, type Zone } from "./posix-zone.ts";

/** A point in time with its reading in one time zone. */
export interface LocalTime {
  /** Whole seconds since the epoch, rounded down, and the nanoseconds (0–999,999,999) on top of them. */
  readonly seconds: bigint;
  readonly nanoseconds: number;
  readonly year: number;
  /** 1–12 */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** 0 is Sunday. */
  readonly weekday: number;
  /** 1 is the first of January. */
  readonly yearDay: number;
  /** East of Greenwich, in seconds. */
  readonly offsetSeconds: number;
  /** "UTC", "CET" */
  readonly zoneName: string;
}

/**
 * Reads nanoseconds since the epoch in the zone `timeZone`: an IANA name, or one that is spelled out as POSIX has it; any
 * other name is a zone without an offset, as for tzset(3). Make it once for many times: zone data is slow to find, and is
 * looked for when the first time is read.
 */
export function localTimes(timeZone: string): (nanoseconds: bigint) => LocalTime {
  let zoneAt: ((seconds: number) => Zone) | undefined;
  return (nanoseconds) => localTime(nanoseconds, (zoneAt ??= zoneOf(timeZone)));
}

/** The zone of the host, by the name that tzset(3) has for it: which one it is takes long to learn, and few lines ask. */
export const HOST_ZONE = ":localtime";

function zoneOf(timeZone: string): (seconds: number) => Zone {
  const name = timeZone === HOST_ZONE ? hostZone() : timeZone.replace(/^:/, "");
  if (name === "UTC" || name === "") return () => UTC;
  return isZoneName(name) ? zoneFinder(name) : posixZone(name, dayNumber, (day) => civilDate(day).year);
}

/** The IANA name of HOST_ZONE. */
export const hostZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Tells whether the platform has data for an IANA name. It takes small letters for capitals, which tzset(3) does not. */
export function isZoneName(timeZone: string): boolean {
  if (!/^[A-Z]/.test(timeZone)) return false;
  try {
    new Intl.DateTimeFormat("en-US", { timeZone });
    return true;
  } catch (thrown) {
    if (thrown instanceof RangeError) return false;
    throw thrown;
  }
}

function localTime(nanoseconds: bigint, zoneAt: (seconds: number) => Zone): LocalTime {
  let seconds = nanoseconds / 1_000_000_000n;
  let rest = Number(nanoseconds % 1_000_000_000n);
  if (rest < 0) {
    rest += 1_000_000_000;
    seconds -= 1n;
  }
  const zone = zoneAt(Number(seconds));
  const { days, ofDay } = dayOf(seconds, zone.offsetSeconds);
  const { year, month, day } = civilDate(days);
  return {
    seconds,
    nanoseconds: rest,
    year,
    month,
    day,
    hour: Math.floor(ofDay / 3_600),
    minute: Math.floor(ofDay / 60) % 60,
    second: ofDay % 60,
    weekday: (((days + 4) % 7) + 7) % 7,
    yearDay: days - dayNumber(year, 1, 1) + 1,
    offsetSeconds: zone.offsetSeconds,
    zoneName: zone.zoneName,
  };
}

/** Days since the epoch and seconds of the day, exact however large the seconds are. */
function dayOf(seconds: bigint, offsetSeconds: number): { readonly days: number; readonly ofDay: number } {
  const days = seconds / 86_400n;
  const local = Number(seconds % 86_400n) + offsetSeconds;
  const moved = Math.floor(local / 86_400);
  return { days: Number(days) + moved, ofDay: local - moved * 86_400 };
}

/** The years that the `int tm_year` of C's struct tm holds. */
const YEARS = { first: 1900 - 2 ** 31, last: 1900 + 2 ** 31 - 1 } as const;

/** Tells whether localtime(3) has the time. */
export const isInRange = ({ year }: LocalTime): boolean => year >= YEARS.first && year <= YEARS.last;

/** The widest conversion, in bytes: a text is put together in memory. */
const MOST_COLUMNS = 1 << 20;

/** `time` as `format` says. Throws LimitReached for a width past any use. A conversion that strftime does not know is printed as it stands. */
export function formatTime(time: LocalTime, format: string): string {
  if (!format.includes("%")) return format;
  return format.replace(CONVERSION, (all: string, flags: string, width: string, colons: string, modifier: string, letter: string) => {
    if (colons !== "" && letter !== "z") return all;
    const conversion = { pad: undefined, upper: false, swap: false, plus: false, width: width === "" ? -1 : Number(width) } as Conversion;
    if (conversion.width > MOST_COLUMNS) throw new LimitReached("line", MOST_COLUMNS, "bytes");
    for (const flag of flags) {
      if (flag === "^") conversion.upper = true;
      else if (flag === "#") conversion.swap = true;
      else {
        conversion.pad = flag as Pad;
        conversion.plus = flag === "+";
      }
    }
    if (modifier === "") return convert(time, letter, colons.length, conversion) ?? padText(all, false, conversion);
    const plain = ALTERNATIVES[modifier as "E" | "O"].includes(letter) ? convert(time, letter, colons.length, PLAIN) : undefined;
    return padText(plain ?? all, false, conversion);
  });
}

/** The letters for which C.UTF-8 takes the modifiers E and O, which change nothing there. */
const ALTERNATIVES = { E: "cCnpPqrRstTuxXyYzZ", O: "bBCdegGhHIjklmMnNpPrRsStTuUVwWyzZ" } as const;

const CONVERSION = /%([-_0+^#]*)([0-9]*)(:{0,3})([EO]?)([A-Za-z%+])/g;

type Pad = "-" | "_" | "0" | "+";

interface Conversion {
  pad: Pad | undefined;
  upper: boolean;
  swap: boolean;
  plus: boolean;
  /** -1 where none was given. */
  width: number;
}

const PLAIN: Conversion = { pad: undefined, upper: false, swap: false, plus: false, width: -1 };

function convert(time: LocalTime, letter: string, colons: number, how: Conversion): string | undefined {
  const number = (value: number, digits: number, pad: Pad = "0"): string => padNumber(value, digits, pad, how);
  const text = (value: string, lowers = false): string => padText(value, lowers, how);
  const composed = (format: string): string => text(formatTime(time, format));
  const hour12 = time.hour % 12 === 0 ? 12 : time.hour % 12;
  switch (letter) {
    case "%":
      return how.width < 0 && how.pad === undefined && !how.upper && !how.swap ? "%" : undefined;
    case "n":
      return text("\n");
    case "t":
      return text("\t");
    case "a":
      return text((DAYS[time.weekday] as string).slice(0, 3), how.swap);
    case "A":
      return text(DAYS[time.weekday] as string, how.swap);
    case "b":
    case "h":
      return text((MONTHS[time.month - 1] as string).slice(0, 3), how.swap);
    case "B":
      return text(MONTHS[time.month - 1] as string, how.swap);
    case "c":
      // The year as strftime(3) of glibc has it, without zeros in front.
      return composed("%a %b %e %H:%M:%S %-Y");
    case "C":
      return century(time.year, how);
    case "d":
      return number(time.day, 2);
    case "D":
      return composed("%m/%d/%y");
    case "x":
      // strftime(3) of glibc, unlike gnulib's, counts the last two digits of a year before 0 upwards.
      return composed(time.year < 0 ? `%m/%d/${String(((time.year % 100) + 100) % 100).padStart(2, "0")}` : "%m/%d/%y");
    case "e":
      return number(time.day, 2, "_");
    case "F":
      return isoDate(time, how);
    case "g":
      return year(Math.abs(weekDate(time).year) % 100, how, 2);
    case "G":
      return year(weekDate(time).year, how);
    case "H":
      return number(time.hour, 2);
    case "I":
      return number(hour12, 2);
    case "j":
      return number(time.yearDay, 3);
    case "k":
      return number(time.hour, 2, "_");
    case "l":
      return number(hour12, 2, "_");
    case "m":
      return number(time.month, 2);
    case "M":
      return number(time.minute, 2);
    case "N":
      return fraction(time.nanoseconds, how);
    case "p":
      return text(time.hour < 12 ? (how.swap ? "am" : "AM") : how.swap ? "pm" : "PM");
    case "P":
      return padText(time.hour < 12 ? "am" : "pm", false, { ...how, upper: false });
    case "q":
      return number(Math.floor((time.month - 1) / 3) + 1, 1);
    case "r":
      return composed("%I:%M:%S %p");
    case "R":
      return composed("%H:%M");
    case "s":
      return padDigits(time.seconds < 0n ? String(-time.seconds) : String(time.seconds), time.seconds < 0n, 1, "0", how);
    case "S":
      return number(time.second, 2);
    case "T":
    case "X":
      return composed("%H:%M:%S");
    case "u":
      return number(time.weekday === 0 ? 7 : time.weekday, 1);
    case "U":
      return number(Math.floor((time.yearDay - 1 - time.weekday + 7) / 7), 2);
    case "V":
      return number(weekDate(time).week, 2);
    case "w":
      return number(time.weekday, 1);
    case "W":
      return number(Math.floor((time.yearDay - 1 - ((time.weekday + 6) % 7) + 7) / 7), 2);
    case "y":
      return year(Math.abs(time.year) % 100, how, 2);
    case "Y":
      return year(time.year, how);
    case "z":
      return offset(time, colons, how);
    case "Z":
      return text(how.swap ? time.zoneName.toLowerCase() : time.zoneName);
    default:
      return undefined;
  }
}

/** Text is padded on its left with spaces, or with zeros where the flag says so. `#` turns most words to capitals. */
function padText(value: string, capitals: boolean, how: Conversion): string {
  const shown = how.upper || capitals ? value.toUpperCase() : value;
  const missing = how.width - shown.length;
  if (missing <= 0 || how.pad === "-") return shown;
  return (how.pad === "0" || how.pad === "+" ? "0" : " ").repeat(missing) + shown;
}

function padNumber(value: number, digits: number, pad: Pad, how: Conversion): string {
  return padDigits(String(Math.abs(value)), value < 0, digits, pad, how);
}

function padDigits(shown: string, isNegative: boolean, digits: number, pad: Pad, how: Conversion, showsPlus = false): string {
  const sign = isNegative ? "-" : showsPlus ? "+" : "";
  const padding = how.pad ?? pad;
  const missing = padding === "-" ? 0 : Math.max(0, (how.width < 0 ? digits : how.width) - shown.length - sign.length);
  return padding === "_" ? " ".repeat(missing) + sign + shown : sign + "0".repeat(missing) + shown;
}

/** `+` puts a sign before a year of more digits than usual, or where room for more was asked for. */
function year(value: number, how: Conversion, digits = 4): string {
  const showsPlus = how.plus && (value > 10 ** digits - 1 || digits < how.width);
  return padDigits(String(Math.abs(value)), value < 0, digits, "0", how, showsPlus);
}

/** Cut towards zero, with its sign: "-0" for the years from −99 to −1. */
function century(ofYear: number, how: Conversion): string {
  const shown = Math.floor(Math.abs(ofYear) / 100);
  return padDigits(String(shown), ofYear < 0, 2, "0", how, how.plus && (shown > 99 || how.width > 2));
}

/** The width of `%F` is that of the whole date. */
function isoDate(time: LocalTime, how: Conversion): string {
  const isBare = how.pad === undefined && how.width < 0;
  const pad = isBare ? "+" : how.pad;
  const inner: Conversion = { ...how, pad, plus: pad === "+", width: isBare ? 4 : Math.max(0, how.width - 6) };
  return `${year(time.year, inner)}-${String(time.month).padStart(2, "0")}-${String(time.day).padStart(2, "0")}`;
}

/** `%N`: the width is the number of digits; `_` and `-` leave out the zeros at the end. */
function fraction(nanoseconds: number, how: Conversion): string {
  const digits = String(nanoseconds).padStart(9, "0");
  const width = how.width <= 0 ? 9 : how.width;
  const cut = width <= 9 ? digits.slice(0, width) : digits;
  const short = cut.replace(/0+$/, "") || "0";
  if (how.pad === "-") return how.width < 0 ? digits : short;
  if (how.pad === "_") return short.padEnd(width, " ");
  return cut.padEnd(width, "0");
}

/** One number for the padding, sign included, whether or not colons stand in it. */
function offset({ offsetSeconds: seconds, zoneName }: LocalTime, colons: number, how: Conversion): string {
  const all = Math.abs(seconds);
  const hours = Math.floor(all / 3_600);
  const minutes = Math.floor(all / 60) % 60;
  const two = (value: number): string => String(value).padStart(2, "0");
  const shortest = all % 3_600 === 0 ? 0 : all % 60 === 0 ? 1 : 2;
  const parts = [minutes, all % 60].slice(0, colons === 3 ? shortest : colons).map((part) => `:${two(part)}`);
  const shown = colons === 0 ? String(hours * 100 + minutes) : `${hours}${parts.join("")}`;
  const digits = 3 + (colons === 0 ? 2 : parts.join("").length);
  // -00 is the name of a zone whose offset nobody knows.
  const isNegative = seconds < 0 || (seconds === 0 && zoneName.startsWith("-"));
  return padDigits(shown, isNegative, digits, "0", how, true);
}

/** ISO 8601: the year and week of the Thursday nearest. */
function weekDate({ year: ofYear, yearDay, weekday }: LocalTime): { year: number; week: number } {
  const thursday = yearDay + 4 - (weekday === 0 ? 7 : weekday);
  if (thursday < 1) {
    const before = daysIn(ofYear - 1);
    return { year: ofYear - 1, week: Math.floor((thursday + before - 1) / 7) + 1 };
  }
  if (thursday > daysIn(ofYear)) return { year: ofYear + 1, week: 1 };
  return { year: ofYear, week: Math.floor((thursday - 1) / 7) + 1 };
}

const daysIn = (ofYear: number): number => dayNumber(ofYear + 1, 1, 1) - dayNumber(ofYear, 1, 1);

/** Days since 1970-01-01 in the proleptic Gregorian calendar. */
export function dayNumber(ofYear: number, month: number, day: number): number {
  const y = month <= 2 ? ofYear - 1 : ofYear;
  const era = Math.floor(y / 400);
  const ofEra = y - era * 400;
  const ofYearDays = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  return era * 146_097 + ofEra * 365 + Math.floor(ofEra / 4) - Math.floor(ofEra / 100) + ofYearDays - 719_468;
}

/** Inverse of `dayNumber`. */
function civilDate(days: number): { year: number; month: number; day: number } {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const ofEra = shifted - era * 146_097;
  const yearOfEra = Math.floor((ofEra - Math.floor(ofEra / 1_460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) / 365);
  const ofYear = ofEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * ofYear + 2) / 153);
  const day = ofYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day };
}

const EDGE_SECONDS = 8.64e12;

const UTC: Zone = { offsetSeconds: 0, zoneName: "UTC" };

/**
 * Lookup in the platform's own zone data. The letters of a zone depend on the language asked for: en-GB gives CET where
 * en-US gives GMT+1. A zone for which no language has letters is called by its offset, as in the time zone
 * database; the local time before there were zones is LMT.
 */
function zoneFinder(timeZone: string): (seconds: number) => Zone {
  const partOf = (language: string, timeZoneName: "longOffset" | "short"): ((seconds: number) => string) => {
    const format = new Intl.DateTimeFormat(language, { timeZone, timeZoneName });
    // Past the years that a Date can hold a zone keeps the offset it has at the edge.
    return (seconds) =>
      format.formatToParts(Math.max(-EDGE_SECONDS, Math.min(EDGE_SECONDS, seconds)) * 1_000).find((part) => part.type === "timeZoneName")
        ?.value ?? "GMT";
  };
  const offsetAt = partOf("en-US", "longOffset");
  const namesAt = ["en-US", "en-GB", "en-IN", "en-AU"].map((language) => partOf(language, "short"));
  return (seconds) => {
    const [, sign = "+", hours = "0", minutes = "0", rest = "0"] = /^GMT([+-])(\d+):?(\d*):?(\d*)$/.exec(offsetAt(seconds)) ?? [];
    const offsetSeconds = (Number(hours) * 3_600 + Number(minutes) * 60 + Number(rest)) * (sign === "-" ? -1 : 1);
    const names = namesAt.map((nameAt) => nameAt(seconds));
    const found = zoneLetters(timeZone, offsetSeconds) ?? names.find((name) => /^[A-Z]+$/.test(name));
    if (found !== undefined) return { offsetSeconds, zoneName: found };
    const digits = `${sign}${hours.padStart(2, "0")}${minutes === "0" || minutes === "00" ? "" : minutes}`;
    return { offsetSeconds, zoneName: rest === "0" || rest === "" ? digits : "LMT" };
  };
}

const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;
const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;
