/** The tokens of a date as gnulib's parse_datetime() cuts them: numbers, words by their meaning, single characters. */

export type DateToken =
  | { readonly kind: "number"; readonly value: number; readonly digits: number; readonly sign: -1 | 0 | 1 }
  /** Whole seconds, rounded down, and nanoseconds on top of them. */
  | { readonly kind: "decimal"; readonly value: number; readonly nanoseconds: number; readonly sign: -1 | 0 | 1 }
  /** The same behind an `@`. */
  | { readonly kind: "epoch"; readonly seconds: bigint; readonly nanoseconds: number }
  | { readonly kind: "meridian"; readonly value: "am" | "pm" }
  /** 1–12; 0 is Sunday; a count; 1 or -1. */
  | { readonly kind: "month" | "weekday" | "ordinal" | "day-shift" | "ago"; readonly value: number }
  | { readonly kind: "unit"; readonly value: DateUnit }
  /** Seconds east of Greenwich. */
  | { readonly kind: "zone"; readonly value: number; readonly isMilitaryT: boolean; readonly isLocal?: true }
  | { readonly kind: "summer-zone"; readonly value: number }
  | { readonly kind: "summer" }
  | { readonly kind: "character"; readonly value: string };

export interface DateUnit {
  readonly of: "years" | "months" | "days" | "hours" | "minutes" | "seconds";
  readonly count: number;
}

/**
 * The tokens of `text`; undefined where a word is unknown or a number too large. `localZone` knows the letters of the local
 * zone.
 */
export function dateTokens(text: string, localZone: (word: string) => number | undefined): DateToken[] | undefined {
  const tokens: DateToken[] = [];
  let at = 0;
  while (at < text.length) {
    const rest = text.slice(at);
    const blank = /^[ \t\n\v\f\r]+/.exec(rest);
    const number = /^(?:([-+])[ \t\n\v\f\r]*)?([0-9]+)(?:[.,]([0-9]+))?/.exec(rest);
    const word = /^[A-Za-z][A-Za-z.]*/.exec(rest)?.[0];
    if (blank !== null) {
      at += blank[0].length;
    } else if (number !== null) {
      const last = tokens.at(-1);
      const token = last?.kind === "character" && last.value === "@" ? epochToken(number) : numberToken(number);
      if (token === undefined) return undefined;
      tokens.push(token);
      at += number[0].length;
    } else if (rest.startsWith("-") || rest.startsWith("+")) {
      // A sign without a number is passed over.
      at++;
    } else if (word !== undefined) {
      const token = wordToken(word.slice(0, 19).toUpperCase(), localZone);
      if (token === undefined) return undefined;
      tokens.push(token);
      at += word.length;
    } else if (rest.startsWith("(")) {
      at += commentLength(rest);
    } else {
      tokens.push({ kind: "character", value: rest.charAt(0) });
      at++;
    }
  }
  return tokens;
}

/** Nested; without its end it reaches to the end of the text. */
function commentLength(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "(") depth++;
    else if (text[at] === ")" && --depth === 0) return at + 1;
  }
  return text.length;
}

function numberToken([, signText, digits = "", fraction]: RegExpExecArray): DateToken | undefined {
  const sign = signText === undefined ? 0 : signText === "-" ? -1 : 1;
  const size = Number(digits);
  if (!Number.isSafeInteger(size)) return undefined;
  const value = sign < 0 ? -size : size;
  if (fraction === undefined) return { kind: "number", value: value + 0, digits: digits.length, sign };
  const { borrowed, nanoseconds } = fractionOf(fraction, sign < 0);
  return { kind: "decimal", value: value - borrowed, nanoseconds, sign };
}

/** Undefined where the seconds do not fit an intmax_t. */
function epochToken([, sign, digits = "", fraction = ""]: RegExpExecArray): DateToken | undefined {
  const whole = sign === "-" ? -BigInt(digits) : BigInt(digits);
  const { borrowed, nanoseconds } = fractionOf(fraction, sign === "-");
  const seconds = whole - BigInt(borrowed);
  return BigInt.asIntN(64, seconds) === seconds ? { kind: "epoch", seconds, nanoseconds } : undefined;
}

/** Nanoseconds on top of the seconds, and 1 where the seconds are one fewer: both are rounded down. */
function fractionOf(digits: string, isNegative: boolean): { readonly borrowed: 0 | 1; readonly nanoseconds: number } {
  let nanoseconds = Number(digits.slice(0, 9).padEnd(9, "0"));
  if (!isNegative) return { borrowed: 0, nanoseconds };
  if (/[1-9]/.test(digits.slice(9))) nanoseconds++;
  return nanoseconds === 0 ? { borrowed: 0, nanoseconds } : { borrowed: 1, nanoseconds: 1_000_000_000 - nanoseconds };
}

function wordToken(word: string, localZone: (word: string) => number | undefined): DateToken | undefined {
  if (/^(?:AM|A\.M\.|PM|P\.M\.)$/.test(word)) return { kind: "meridian", value: word.startsWith("A") ? "am" : "pm" };
  const isShort = word.length === 3 || (word.length === 4 && word.endsWith("."));
  const matches = (name: string): boolean => (isShort ? name.slice(0, 3) === word.slice(0, 3) : name === word);
  const month = MONTHS.findIndex(matches);
  if (month >= 0) return { kind: "month", value: month + 1 };
  if (word === "SEPT") return { kind: "month", value: 9 };
  const weekday = WEEKDAYS.findIndex((names) => names.some((name, at) => (at === 0 ? matches(name) : name === word)));
  if (weekday >= 0) return { kind: "weekday", value: weekday };
  const zone = zoneToken(word, localZone);
  if (zone !== undefined) return zone;
  if (word === "DST") return { kind: "summer" };
  const unit = UNITS.get(word) ?? (word.endsWith("S") ? UNITS.get(word.slice(0, -1)) : undefined);
  if (unit !== undefined) return { kind: "unit", value: unit };
  const relative = RELATIVES.get(word);
  if (relative !== undefined) return relative;
  if (/^[A-IK-Z]$/.test(word)) {
    return { kind: "zone", value: militaryHours(word) * 3600, isMilitaryT: word === "T" };
  }
  return word.includes(".") ? zoneToken(word.replaceAll(".", ""), localZone) : undefined;
}

function zoneToken(word: string, localZone: (word: string) => number | undefined): DateToken | undefined {
  const hours = ZONES.get(word);
  if (hours === 0 && /^(?:GMT|UTC?)$/.test(word)) return { kind: "zone", value: 0, isMilitaryT: false };
  const local = localZone(word);
  if (local !== undefined) return { kind: "zone", value: local, isMilitaryT: false, isLocal: true };
  if (hours !== undefined) return { kind: "zone", value: hours * 3600, isMilitaryT: false };
  const summer = SUMMER_ZONES.get(word);
  return summer === undefined ? undefined : { kind: "summer-zone", value: summer * 3600 };
}

const MONTHS = "JANUARY FEBRUARY MARCH APRIL MAY JUNE JULY AUGUST SEPTEMBER OCTOBER NOVEMBER DECEMBER".split(" ");
const WEEKDAYS = [
  ["SUNDAY"],
  ["MONDAY"],
  ["TUESDAY", "TUES"],
  ["WEDNESDAY", "WEDNES"],
  ["THURSDAY", "THUR", "THURS"],
  ["FRIDAY"],
  ["SATURDAY"],
] as const;

const UNITS: ReadonlyMap<string, DateUnit> = new Map<string, DateUnit>([
  ["YEAR", { of: "years", count: 1 }],
  ["MONTH", { of: "months", count: 1 }],
  ["FORTNIGHT", { of: "days", count: 14 }],
  ["WEEK", { of: "days", count: 7 }],
  ["DAY", { of: "days", count: 1 }],
  ["HOUR", { of: "hours", count: 1 }],
  ["MINUTE", { of: "minutes", count: 1 }],
  ["MIN", { of: "minutes", count: 1 }],
  ["SECOND", { of: "seconds", count: 1 }],
  ["SEC", { of: "seconds", count: 1 }],
]);

const ORDINALS = ["FIRST", "", "THIRD", "FOURTH", "FIFTH", "SIXTH", "SEVENTH", "EIGHTH", "NINTH", "TENTH", "ELEVENTH", "TWELFTH"];
const RELATIVES: ReadonlyMap<string, DateToken> = new Map<string, DateToken>([
  ["TOMORROW", { kind: "day-shift", value: 1 }],
  ["YESTERDAY", { kind: "day-shift", value: -1 }],
  ["TODAY", { kind: "day-shift", value: 0 }],
  ["NOW", { kind: "day-shift", value: 0 }],
  ["LAST", { kind: "ordinal", value: -1 }],
  ["THIS", { kind: "ordinal", value: 0 }],
  ["NEXT", { kind: "ordinal", value: 1 }],
  ...ORDINALS.flatMap((word, at): [string, DateToken][] => (word === "" ? [] : [[word, { kind: "ordinal", value: at + 1 }]])),
  ["AGO", { kind: "ago", value: -1 }],
  ["HENCE", { kind: "ago", value: 1 }],
]);

/** Hours east of Greenwich: A is 1, M 12, N −1, Y −12, Z 0. J is no zone. */
function militaryHours(letter: string): number {
  if (letter === "Z") return 0;
  const east = "ABCDEFGHIKLM".indexOf(letter);
  return east >= 0 ? east + 1 : -1 - "NOPQRSTUVWXY".indexOf(letter);
}

/** Hours east of Greenwich, as gnulib's table has them whatever the zones are today. */
const ZONES: ReadonlyMap<string, number> = new Map(
  Object.entries({
    GMT: 0,
    UT: 0,
    UTC: 0,
    WET: 0,
    ART: -3,
    BRT: -3,
    NST: -3.5,
    AST: -4,
    CLT: -4,
    EST: -5,
    CST: -6,
    MST: -7,
    PST: -8,
    AKST: -9,
    HST: -10,
    HAST: -10,
    SST: -12,
    WAT: 1,
    CET: 1,
    MET: 1,
    MEZ: 1,
    EET: 2,
    CAT: 2,
    SAST: 2,
    EAT: 3,
    MSK: 3,
    IST: 5.5,
    SGT: 8,
    KST: 9,
    JST: 9,
    GST: 10,
    NZST: 12,
  }),
);
const SUMMER_ZONES: ReadonlyMap<string, number> = new Map(
  Object.entries({
    WEST: 1,
    BST: 1,
    BRST: -2,
    NDT: -2.5,
    ADT: -3,
    CLST: -3,
    EDT: -4,
    CDT: -5,
    MDT: -6,
    PDT: -7,
    AKDT: -8,
    HADT: -9,
    CEST: 2,
    MEST: 2,
    MESZ: 2,
    EEST: 3,
    MSD: 4,
    NZDT: 13,
  }),
);
