/** Parts of a date while git reads it, and the groups of numbers (`10:30`, `2025-01-02`, `2.1.2025`) that both of its readers know. */

/** Like C's struct tm: -1 is a part that is not known yet. */
export interface DateFields {
  /** Since 1900. */
  year: number;
  /** 0–11 */
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  /** 0 is Sunday. */
  weekday: number;
}

export const unknownFields = (): DateFields => ({ year: -1, month: -1, day: -1, hour: -1, minute: -1, second: -1, weekday: 0 });

const MONTHS = "January February March April May June July August September October November December".split(" ");
const WEEKDAYS = "Sundays Mondays Tuesdays Wednesdays Thursdays Fridays Saturdays".split(" ");

export const isDigit = (char: string | undefined): boolean => char !== undefined && char >= "0" && char <= "9";
export const isLetter = (char: string | undefined): boolean => char !== undefined && /^[A-Za-z]$/.test(char);

/** Characters of `name` that stand in `text` from `at` on, in any case; 0 where the word there is another or a longer one. */
export function sameLetters(text: string, at: number, name: string): number {
  let count = 0;
  for (; at + count < text.length; count++) {
    const char = text[at + count] as string;
    if (char.toUpperCase() === name[count]?.toUpperCase()) continue;
    return /^[A-Za-z0-9]$/.test(char) ? 0 : count;
  }
  return count;
}

/** Index of the name that the word at `at` is, or is the first three letters or more of; -1 if none. */
const named = (names: readonly string[], text: string, at: number): number => names.findIndex((name) => sameLetters(text, at, name) >= 3);

export const monthAt = (text: string, at: number): number => named(MONTHS, text, at);
export const weekdayAt = (text: string, at: number): number => named(WEEKDAYS, text, at);

export interface NumberRead {
  readonly value: bigint;
  /** Index after its last digit. */
  readonly end: number;
}

const [MOST_UNSIGNED, MOST_SIGNED] = [2n ** 64n - 1n, 2n ** 63n - 1n];

/** The digits at `at`, as strtoumax(3) reads them: what is too large becomes the largest. */
export function numberAt(text: string, at: number, most = MOST_UNSIGNED): NumberRead {
  let end = at;
  while (isDigit(text[end])) end++;
  // Twenty digits are past every limit; leading zeros count for nothing.
  const digits = text.slice(at, end).replace(/^0+(?=.)/, "");
  const value = digits.length > 20 ? most : BigInt(digits);
  return { value: value > most ? most : value, end };
}

/** As a C int holds it. */
export const toInt = (value: bigint): number => Number(BigInt.asIntN(32, value));

/** Seconds since the epoch of fields in Greenwich; undefined where the year is not 1970–2099 or a part is unknown. */
export function universalSeconds({ year, month, day, hour, minute, second }: DateFields): number | undefined {
  const years = year - 70;
  if (years < 0 || years > 129 || month < 0 || month > 11 || hour < 0 || minute < 0 || second < 0) return undefined;
  return Date.UTC(1900 + year, month, 1) / 1000 + (day - 1) * 86_400 + hour * 3_600 + minute * 60 + second;
}

/** Returns whether the three are a time of day, and sets it. */
export function setTime(fields: DateFields, hour: bigint, minute: bigint, second: bigint): boolean {
  const isTime = hour >= 0n && hour <= 24n && minute >= 0n && minute < 60n && second >= 0n && second <= 60n;
  if (isTime) Object.assign(fields, { hour: Number(hour), minute: Number(minute), second: Number(second) });
  return isTime;
}

/** A date later than this is none, where the order of its numbers is a guess: 10 days from now. */
const FUTURE_SECONDS = 10 * 86_400;

/** The year as `tm_year`; undefined where two digits do not tell the century. */
function yearOf(year: number): number | undefined {
  if (year >= 1970 && year < 2100) return year - 1900;
  if (year > 70 && year < 100) return year;
  return year < 38 ? year + 100 : undefined;
}

/** Year, month and day that are typed in this order: what could be read stays set, even where the whole is no date. */
export function setPlainDate(fields: DateFields, year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1 || day > 31) return false;
  fields.month = month - 1;
  fields.day = day;
  // Without a year it may still be one in another order.
  const found = year === -1 ? undefined : yearOf(year);
  if (found === undefined) return false;
  fields.year = found;
  return true;
}

/** A date whose order is a guess: set only where it is one, and not of the future. */
function guessDate(fields: DateFields, year: number, month: number, day: number, nowSeconds: number): boolean {
  if (month < 1 || month > 12 || day < 1 || day > 31) return false;
  const thisYear = new Date(nowSeconds * 1000).getUTCFullYear() - 1900;
  const found = year === -1 ? thisYear : yearOf(year);
  if (found === undefined) return false;
  const seconds = universalSeconds({ ...fields, year: found, month: month - 1, day });
  if (seconds !== undefined && nowSeconds + FUTURE_SECONDS < seconds) return false;
  fields.month = month - 1;
  fields.day = day;
  if (year !== -1) fields.year = found;
  return true;
}

/** True for the marks that may stand between the numbers of a date or a time. */
export const isMark = (char: string | undefined): boolean => char !== undefined && ":./-".includes(char);

/** Reads `first`, which ends at a mark, and what follows: two or three numbers. Returns the index after them; undefined if they are none. */
export function readGroup(fields: DateFields, text: string, first: NumberRead, nowSeconds: number): number | undefined {
  const mark = text[first.end] as string;
  const second = numberAt(text, first.end + 1, MOST_SIGNED);
  const hasThird = text[second.end] === mark && isDigit(text[second.end + 1]);
  const third = hasThird ? numberAt(text, second.end + 1, MOST_SIGNED) : { value: -1n, end: second.end };
  if (mark !== ":") return readDate(fields, mark, [first.value, second.value, third.value], nowSeconds) ? third.end : undefined;
  const hour = BigInt.asIntN(64, first.value);
  if (!setTime(fields, hour, second.value, hasThird ? third.value : 0n)) return undefined;
  // Parts of a second are passed over once the day is known; before, they may be its numbers.
  const isDayKnown = fields.year !== -1 && fields.month !== -1 && fields.day !== -1;
  if (!isDayKnown || text[third.end] !== "." || !isDigit(text[third.end + 1])) return third.end;
  return numberAt(text, third.end + 1).end;
}

function readDate(fields: DateFields, mark: string, numbers: readonly [bigint, bigint, bigint], nowSeconds: number): boolean {
  const [a, b, c] = numbers.map(toInt) as [number, number, number];
  if (numbers[0] > 70n && (setPlainDate(fields, a, b, c) || setPlainDate(fields, a, c, b))) return true;
  // The month comes first, but beside dots the day does.
  const american = (): boolean => guessDate(fields, c, a, b, nowSeconds);
  const european = (): boolean => guessDate(fields, c, b, a, nowSeconds);
  return mark === "." ? european() || american() : american() || european();
}
