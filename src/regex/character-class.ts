/** POSIX character classes and letter case in the locale C.UTF-8 of glibc, character by character (XBD 9.3.5, 7.3.1). */
import { complement, FIRST_STRAY_BYTE, holds, membersOf, minus, rangesOf, setOfRanges, unionOf, type SymbolSet } from "./symbol-set.ts";
import { ALPHA_RANGES, LOWER_RANGES, PRINT_RANGES, UPPER_RANGES } from "./unicode-tables.ts";

const alpha = madeOnce(() => unpack(ALPHA_RANGES));
const print = madeOnce(() => unpack(PRINT_RANGES));
const DIGIT: SymbolSet = [0x30, 0x39];
const SPACE: SymbolSet = [
  0x09, 0x0d, 0x20, 0x20, 0x1680, 0x1680, 0x2000, 0x2006, 0x2008, 0x200a, 0x2028, 0x2029, 0x205f, 0x205f, 0x3000, 0x3000,
];
const alnum = madeOnce(() => unionOf([alpha(), DIGIT]));

const CLASSES: ReadonlyMap<string, () => SymbolSet> = new Map([
  ["alpha", alpha],
  ["alnum", alnum],
  ["digit", () => DIGIT],
  ["xdigit", () => [0x30, 0x39, 0x41, 0x46, 0x61, 0x66]],
  ["upper", madeOnce(() => unpack(UPPER_RANGES))],
  ["lower", madeOnce(() => unpack(LOWER_RANGES))],
  ["space", () => SPACE],
  ["blank", madeOnce(() => minus(SPACE, [0x0a, 0x0d, 0x2028, 0x2029]))],
  ["cntrl", () => [0x00, 0x1f, 0x7f, 0x9f, 0x2028, 0x2029]],
  ["print", print],
  ["graph", madeOnce(() => minus(print(), SPACE))],
  ["punct", madeOnce(() => minus(minus(print(), SPACE), alnum()))],
]);

/** The class named `name` ("alpha"); undefined if no class has that name. */
export const characterClass = (name: string): SymbolSet | undefined => CLASSES.get(name)?.();

/** Bytes that are no UTF-8 and would be letters in Latin-1. */
const LATIN1_LETTERS: SymbolSet = [0xaa, 0xaa, 0xb5, 0xb5, 0xba, 0xba, 0xc0, 0xd6, 0xd8, 0xf6, 0xf8, 0xff].map(
  (byte) => FIRST_STRAY_BYTE + byte - 0x80,
);

/** Letters, digits and `_`: `\w`. */
export const wordCharacters = madeOnce((): SymbolSet => unionOf([alnum(), [0x5f, 0x5f]]));
/** The characters that decide where a word begins and ends (`\<`, `\b`): `\w`, and stray bytes as glibc's regex(3) takes them. */
export const wordSides = madeOnce((): SymbolSet => unionOf([wordCharacters(), LATIN1_LETTERS]));
export const notWordCharacters = madeOnce((): SymbolSet => complement(wordCharacters()));
export const WHITE_SPACE: SymbolSet = SPACE;
export const NOT_WHITE_SPACE: SymbolSet = complement(SPACE);

/** Defers `make` to its first use: tables of all characters would cost every start a hundredth of a second. */
function madeOnce<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/** `set` with every other-case counterpart of what it holds. */
export function foldCase(set: SymbolSet): SymbolSet {
  const table = counterparts();
  const more: [number, number][] = [];
  const add = (symbol: number): void => {
    for (const other of table.get(symbol) ?? []) if (!holds(set, other)) more.push([other, other]);
  };
  for (const [first, last] of rangesOf(set)) {
    if (last - first < 64) for (let symbol = first; symbol <= last; symbol++) add(symbol);
    else for (const symbol of table.keys()) if (symbol >= first && symbol <= last) add(symbol);
  }
  return more.length === 0 ? set : setOfRanges([...rangesOf(set), ...more]);
}

/** Every character that differs from `symbol` in case only, `symbol` itself left out. */
export const counterpartsOf = (symbol: number): readonly number[] => counterparts().get(symbol) ?? [];

let counterpartTable: ReadonlyMap<number, readonly number[]> | undefined;

/** Characters that have counterparts, with them. Made when a pattern first ignores case, and the same ever after. */
function counterparts(): ReadonlyMap<number, readonly number[]> {
  if (counterpartTable !== undefined) return counterpartTable;
  const lonesomeByUpper = new Map<number, number[]>();
  for (const lonesome of LONESOME_LOWER) {
    const upper = upperCase(lonesome);
    lonesomeByUpper.set(upper, [...(lonesomeByUpper.get(upper) ?? []), lonesome]);
  }
  const cased = unionOf([
    characterClass("upper") ?? [],
    characterClass("lower") ?? [],
    setOfRanges(LONESOME_LOWER.map((symbol) => [symbol, symbol])),
  ]);
  const table = new Map<number, readonly number[]>();
  for (const symbol of membersOf(cased)) {
    const upper = upperCase(symbol);
    const others = new Set<number>([upper, ...(lonesomeByUpper.get(upper) ?? [])]);
    const lower = lowerCase(upper);
    if (upperCase(lower) === upper) others.add(lower);
    others.delete(symbol);
    if (others.size > 0) table.set(symbol, [...others]);
  }
  counterpartTable = table;
  return table;
}

/** towupper(3). */
function upperCase(symbol: number): number {
  if (symbol >= 0x1f80 && symbol <= 0x1ff3 && GREEK_WITH_IOTA.includes(symbol)) return symbol + (symbol >= 0x1fb0 ? 9 : 8);
  return mapped(symbol, (text) => text.toUpperCase());
}

/** towlower(3). */
function lowerCase(symbol: number): number {
  return symbol === 0x130 ? 0x69 : mapped(symbol, (text) => text.toLowerCase());
}

/** Maps one character to one; letters newer than the locale's tables have no counterpart. */
function mapped(symbol: number, map: (text: string) => string): number {
  if (symbol >= 0x110000 || (symbol >= 0xd800 && symbol <= 0xdfff)) return symbol;
  const to = map(String.fromCodePoint(symbol));
  const code = to.codePointAt(0) as number;
  if (code === symbol || to.length !== (code > 0xffff ? 2 : 1)) return symbol;
  return holds(print(), code) && holds(print(), symbol) ? code : symbol;
}

/** Letters whose single upper-case form Unicode keeps apart from the one that is two letters long. */
const GREEK_WITH_IOTA = [
  ...[0x1f80, 0x1f90, 0x1fa0].flatMap((first) => Array.from({ length: 8 }, (_, offset) => first + offset)),
  0x1fb3,
  0x1fc3,
  0x1ff3,
];

/** Characters that share an upper-case form with a letter that is not their lower-case one (long s, final sigma, kelvin …). */
const LONESOME_LOWER = [
  0x00b5, 0x0131, 0x017f, 0x01c5, 0x01c8, 0x01cb, 0x01f2, 0x0345, 0x03c2, 0x03d0, 0x03d1, 0x03d5, 0x03d6, 0x03f0, 0x03f1, 0x03f4, 0x03f5,
  0x1e9b, 0x1e9e, 0x1fbe, 0x2126, 0x212a, 0x212b,
];

/** A set written as in unicode-tables.ts. */
export function unpack(text: string): SymbolSet {
  const set: number[] = [];
  let last = 0;
  for (const entry of text.trim().split(/\s+/)) {
    const [gap = "0", more = "0"] = entry.split("+");
    const first = last + parseInt(gap, 36);
    last = first + parseInt(more, 36);
    set.push(first, last);
  }
  return set;
}
