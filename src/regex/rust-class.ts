/** Character classes of Rust's regex crate in Unicode mode: https://docs.rs/regex/1/regex/#syntax */
import { counterpartsOf, foldCase } from "./character-class.ts";
import { RUST_DIGIT, RUST_SPACE, RUST_WORD } from "./rust-tables.ts";
import { ALL_CHARACTERS, complement, minus, rangesOf, setOfRanges, unionOf, type SymbolSet } from "./symbol-set.ts";

/** `\d`, `\s`, `\w` and their opposites; undefined for any other letter. */
export const perlClass = (letter: string): SymbolSet | undefined =>
  Object.hasOwn(PERL_CLASSES, letter) ? PERL_CLASSES[letter] : undefined;

const PERL_CLASSES: Readonly<Record<string, SymbolSet>> = {
  d: RUST_DIGIT,
  s: RUST_SPACE,
  w: RUST_WORD,
  D: complement(RUST_DIGIT),
  S: complement(RUST_SPACE),
  W: complement(RUST_WORD),
};

const ASCII_CLASSES: Readonly<Record<string, SymbolSet>> = {
  alnum: [0x30, 0x39, 0x41, 0x5a, 0x61, 0x7a],
  alpha: [0x41, 0x5a, 0x61, 0x7a],
  ascii: [0x00, 0x7f],
  blank: [0x09, 0x09, 0x20, 0x20],
  cntrl: [0x00, 0x1f, 0x7f, 0x7f],
  digit: [0x30, 0x39],
  graph: [0x21, 0x7e],
  lower: [0x61, 0x7a],
  print: [0x20, 0x7e],
  punct: [0x21, 0x2f, 0x3a, 0x40, 0x5b, 0x60, 0x7b, 0x7e],
  space: [0x09, 0x0d, 0x20, 0x20],
  upper: [0x41, 0x5a],
  word: [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a],
  xdigit: [0x30, 0x39, 0x41, 0x46, 0x61, 0x66],
};

/** `[:name:]`, or undefined. */
export const asciiClass = (name: string): SymbolSet | undefined => (Object.hasOwn(ASCII_CLASSES, name) ? ASCII_CLASSES[name] : undefined);

const CATEGORIES: Readonly<Record<string, string>> = {
  ...{ letter: "L", casedletter: "LC", uppercaseletter: "Lu", lowercaseletter: "Ll", titlecaseletter: "Lt", modifierletter: "Lm" },
  ...{ otherletter: "Lo", mark: "M", nonspacingmark: "Mn", spacingmark: "Mc", enclosingmark: "Me", number: "N" },
  ...{ decimalnumber: "Nd", letternumber: "Nl", othernumber: "No", symbol: "S", mathsymbol: "Sm", currencysymbol: "Sc" },
  ...{ modifiersymbol: "Sk", othersymbol: "So", punctuation: "P", connectorpunctuation: "Pc", dashpunctuation: "Pd" },
  ...{ openpunctuation: "Ps", closepunctuation: "Pe", initialpunctuation: "Pi", finalpunctuation: "Pf", otherpunctuation: "Po" },
  ...{ separator: "Z", spaceseparator: "Zs", lineseparator: "Zl", paragraphseparator: "Zp", other: "C", control: "Cc", format: "Cf" },
  ...{ privateuse: "Co", unassigned: "Cn" },
};

/** `\p{name}`, matched loosely; undefined where there is no such property. */
export function unicodeProperty(name: string): SymbolSet | undefined {
  const [, key, value = name] = /^([^=:]+)[=:](.*)$/s.exec(name) ?? [];
  const loose = value.replace(/[\s_-]/g, "").toLowerCase();
  const kind = key?.replace(/[\s_-]/g, "").toLowerCase();
  if (kind === undefined && loose === "any") return ALL_CHARACTERS;
  if (kind === undefined && loose === "ascii") return asciiClass("ascii");
  if (kind === undefined && loose === "assigned") return complement(charactersMatching("\\p{Cn}") ?? []);
  const script =
    loose === ""
      ? ""
      : value
          .trim()
          .split(/[\s_-]+/)
          .map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
          .join("_");
  const category =
    (Object.hasOwn(CATEGORIES, loose) ? CATEGORIES[loose] : undefined) ??
    (/^[a-z]{1,2}$/.test(loose) ? loose.charAt(0).toUpperCase() + loose.slice(1) : undefined);
  const category2 = category === "Lc" ? "LC" : category;
  const sources: string[] = [];
  if ((kind === undefined || kind === "gc" || kind === "generalcategory") && category2 !== undefined) sources.push(`\\p{${category2}}`);
  if (kind === undefined || kind === "sc" || kind === "script") sources.push(`\\p{sc=${script}}`);
  if (kind === "scx" || kind === "scriptextensions") sources.push(`\\p{scx=${script}}`);
  if (kind === undefined) sources.push(`\\p{${script}}`);
  for (const source of sources) {
    const set = charactersMatching(source);
    if (set !== undefined) return set;
  }
  return undefined;
}

/** Undefined where V8 knows no such property. */
function charactersMatching(source: string): SymbolSet | undefined {
  let test: RegExp;
  try {
    test = new RegExp(source, "u");
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown;
    return undefined;
  }
  const set: number[] = [];
  for (let symbol = 0; symbol <= 0x10ffff; symbol++) {
    if (symbol === 0xd800) symbol = 0xe000;
    if (!test.test(String.fromCodePoint(symbol))) continue;
    if (set.at(-1) === symbol - 1) set[set.length - 1] = symbol;
    else set.push(symbol, symbol);
  }
  return set;
}

/** Tells whether `simplyFolded` works on `set` without the host's Unicode tables. */
export const foldsAlone = (set: SymbolSet): boolean => (set.at(-1) ?? 0) <= 0x7f;

/** `set` with what Unicode's simple case folding makes equal to something in it. */
export function simplyFolded(set: SymbolSet): SymbolSet {
  const ascii: [number, number][] = [];
  for (const [first, last] of rangesOf(set)) {
    for (let symbol = Math.max(first, 0x41); symbol <= Math.min(last, 0x7a); symbol++) {
      const other = symbol ^ 0x20;
      if (/[A-Za-z]/.test(String.fromCharCode(symbol))) ascii.push([other, other]);
      if (symbol === 0x4b || symbol === 0x6b) ascii.push([0x212a, 0x212a]);
      if (symbol === 0x53 || symbol === 0x73) ascii.push([0x17f, 0x17f]);
    }
  }
  const beyond = minus(set, [0, 0x7f]);
  // The locale's table has the dotless i as another small letter of I, which Unicode has not.
  const more = beyond.length === 0 ? [] : minus(foldCase(minus(beyond, [0x130, 0x131])), minus([0, 0x7f], asciiOf(beyond)));
  return unionOf([set, setOfRanges(ascii), more]);
}

/** The ASCII letters that the long s and the kelvin sign fold to. */
function asciiOf(set: SymbolSet): SymbolSet {
  const found: [number, number][] = [];
  for (const symbol of [0x17f, 0x212a])
    if (rangesOf(set).some(([first, last]) => symbol >= first && symbol <= last))
      for (const other of counterpartsOf(symbol)) found.push([other, other]);
  return setOfRanges(found);
}
