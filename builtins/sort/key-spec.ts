/** Sort keys: `-k F[.C][OPTS][,F[.C][OPTS]]`, the old `+F[.C] [-F[.C]]`, and the ordering letters. */
import { scanCount } from "../../src/numbers/counts.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import { quoteCurly } from "../../src/display/quote.ts";

/** What the ordering letters say, of the whole command or of one key. */
export interface Ordering {
  skipStartBlanks: boolean;
  skipEndBlanks: boolean;
  /** -d and -i: bytes that do not count. -d wins, for it implies -i. */
  ignore: "dictionary" | "nonprinting" | undefined;
  fold: boolean;
  general: boolean;
  human: boolean;
  month: boolean;
  numeric: boolean;
  random: boolean;
  version: boolean;
  reverse: boolean;
}

export interface SortKey extends Readonly<Ordering> {
  /** Whole fields, then bytes, passed over before the key; Infinity where the number was too large to hold. */
  readonly startField: number;
  readonly startByte: number;
  /** Whole fields before the end of the key (Infinity: up to the end of the line), then bytes (0: the whole field). */
  readonly endField: number;
  readonly endByte: number;
}

export function noOrdering(): Ordering {
  return {
    skipStartBlanks: false,
    skipEndBlanks: false,
    ignore: undefined,
    fold: false,
    general: false,
    human: false,
    month: false,
    numeric: false,
    random: false,
    version: false,
    reverse: false,
  };
}

/** The whole line as one key. */
export function wholeLine(ordering: Readonly<Ordering>): SortKey {
  return { ...ordering, startField: 0, startByte: 0, endField: Infinity, endByte: 0 };
}

/** Applies leading ordering letters of `text`; returns what is left of it. */
export function applyOrdering(text: string, ordering: Ordering, blanks: "start" | "end" | "both"): string {
  let at = 0;
  for (; at < text.length; at++) {
    switch (text[at]) {
      case "b":
        if (blanks !== "end") ordering.skipStartBlanks = true;
        if (blanks !== "start") ordering.skipEndBlanks = true;
        break;
      case "d":
        ordering.ignore = "dictionary";
        break;
      case "f":
        ordering.fold = true;
        break;
      case "g":
        ordering.general = true;
        break;
      case "h":
        ordering.human = true;
        break;
      case "i":
        ordering.ignore ??= "nonprinting";
        break;
      case "M":
        ordering.month = true;
        break;
      case "n":
        ordering.numeric = true;
        break;
      case "R":
        ordering.random = true;
        break;
      case "r":
        ordering.reverse = true;
        break;
      case "V":
        ordering.version = true;
        break;
      default:
        return text.slice(at);
    }
  }
  return "";
}

/** The KEYDEF of -k. Throws UsageError with GNU sort's words. */
export function parseKey(text: string): SortKey {
  const bad = (why: string): never => {
    throw new UsageError("bad-value", `${why}: invalid field specification ${quoteCurly(text)}`, { subject: text });
  };
  const ordering = noOrdering();
  let [startField, rest] = position(text, "invalid number at field start");
  if (startField === 0) bad("field number is zero");
  let startByte = 1;
  if (rest.startsWith(".")) {
    [startByte, rest] = position(rest.slice(1), "invalid number after '.'");
    if (startByte === 0) bad("character offset is zero");
  }
  rest = applyOrdering(rest, ordering, "start");
  let endField = Infinity;
  let endByte = 0;
  if (rest.startsWith(",")) {
    [endField, rest] = position(rest.slice(1), "invalid number after ','");
    if (endField === 0) bad("field number is zero");
    endField--;
    if (rest.startsWith(".")) [endByte, rest] = position(rest.slice(1), "invalid number after '.'");
    rest = applyOrdering(rest, ordering, "end");
  }
  if (rest !== "") bad("stray character in field spec");
  return { ...ordering, startField: startField - 1, startByte: startByte - 1, endField, endByte };
}

/** The old `+F[.C][OPTS]` (without the plus), or undefined where it is not one and so names a file. */
export function parseOldStart(text: string): { key: SortKey; ordering: Ordering } | undefined {
  const ordering = noOrdering();
  try {
    let [startField, rest] = position(text, "");
    let startByte = 0;
    if (rest.startsWith(".")) [startByte, rest] = position(rest.slice(1), "");
    if (applyOrdering(rest, ordering, "start") !== "") return undefined;
    return { key: { ...wholeLine(ordering), startField, startByte }, ordering };
  } catch (thrown) {
    if (thrown instanceof UsageError) return undefined;
    throw thrown;
  }
}

/** `key` with the end that the old `-F[.C][OPTS]` (without the dash) gives it. */
export function withOldEnd({ key, ordering }: { key: SortKey; ordering: Ordering }, text: string): SortKey {
  const letters = { ...ordering };
  let [endField, rest] = position(text, "invalid number after '-'");
  let endByte = 0;
  if (rest.startsWith(".")) [endByte, rest] = position(rest.slice(1), "invalid number after '.'");
  if (endByte === 0 && endField > 0) endField--;
  if (applyOrdering(rest, letters, "end") !== "") {
    throw new UsageError("bad-value", `stray character in field spec: invalid field specification ${quoteCurly(`-${text}`)}`);
  }
  return { ...key, ...letters, endField, endByte };
}

/** A number at the start of `text`, and what follows it. */
function position(text: string, complaint: string): [number, string] {
  const [, number = "", rest = ""] = /^([ \t\n\v\f\r]*\+?\d+)([^]*)$/.exec(text) ?? [];
  if (number === "") throw new UsageError("bad-value", `${complaint}: invalid count at start of ${quoteCurly(text)}`, { subject: text });
  const { value, problem } = scanCount(number, { suffixes: "" });
  return [problem === "overflow" ? Infinity : Number(value), rest];
}

/** Whether anything but -r is said. A key of which this and -r are not true takes the orderings of the command. */
export function hasOrdering(ordering: Readonly<Ordering>): boolean {
  const { skipStartBlanks, skipEndBlanks, ignore, fold, general, human, month, numeric, random, version } = ordering;
  return skipStartBlanks || skipEndBlanks || ignore !== undefined || fold || general || human || month || numeric || random || version;
}

/** Throws UsageError where two orderings contradict each other: "options '-gn' are incompatible". */
export function checkOrderings(key: Readonly<Ordering>): void {
  const { numeric, general, human, month, version, random, ignore } = key;
  if ([numeric, general, human, month, version || random || ignore !== undefined].filter(Boolean).length <= 1) return;
  const letters =
    (key.ignore === "dictionary" ? "d" : "") +
    (key.fold ? "f" : "") +
    (key.general ? "g" : "") +
    (key.human ? "h" : "") +
    (key.ignore === "nonprinting" ? "i" : "") +
    (key.month ? "M" : "") +
    (key.numeric ? "n" : "") +
    (key.random ? "R" : "") +
    (key.version ? "V" : "");
  throw incompatible(letters);
}

export function incompatible(letters: string): UsageError {
  return new UsageError("bad-value", `options '-${letters}' are incompatible`);
}
