/** Character classes of Perl-compatible patterns as PCRE2 has them in UTF mode without UCP: `\d`, `\w`, `[:alpha:]` are ASCII. */
import { characterClass, foldCase } from "./character-class.ts";
import { PatternError } from "./pattern-error.ts";
import { ALL_CHARACTERS, complement, minus, setOfRanges, unionOf, type SymbolSet } from "./symbol-set.ts";

const ASCII: SymbolSet = [0, 0x7f];
const beyondAscii = minus(ALL_CHARACTERS, ASCII);

export const PERL_WORD: SymbolSet = [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a];
const DIGIT: SymbolSet = [0x30, 0x39];
const SPACE: SymbolSet = [0x09, 0x0d, 0x20, 0x20];
const HORIZONTAL: SymbolSet = setOfRanges([
  [0x09, 0x09],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x180e, 0x180e],
  [0x2000, 0x200a],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
]);
export const VERTICAL: SymbolSet = [0x0a, 0x0d, 0x85, 0x85, 0x2028, 0x2029];

/** `\w`, `\d` and `\s` where they go past ASCII (UCP); the POSIX classes of the same name are the same. */
export interface PerlClasses {
  readonly word: SymbolSet;
  readonly digit: SymbolSet;
  readonly space: SymbolSet;
}

const ASCII_CLASSES: PerlClasses = { word: PERL_WORD, digit: DIGIT, space: SPACE };
const LETTERS: Readonly<Record<string, keyof PerlClasses>> = { w: "word", d: "digit", s: "space" };
const ESCAPES: Readonly<Record<string, SymbolSet>> = {
  h: HORIZONTAL,
  H: complement(HORIZONTAL),
  v: VERTICAL,
  V: complement(VERTICAL),
};

/** The class that `\letter` names, or undefined. */
export function escapeClass(letter: string, classes = ASCII_CLASSES): SymbolSet | undefined {
  const small = letter.toLowerCase();
  const set = Object.hasOwn(LETTERS, small) ? classes[LETTERS[small] as keyof PerlClasses] : undefined;
  if (set !== undefined) return letter === small ? set : complement(set);
  return Object.hasOwn(ESCAPES, letter) ? ESCAPES[letter] : undefined;
}

export const asciiOnly = (set: SymbolSet): SymbolSet => minus(set, beyondAscii);

/** `[:name:]`. Throws PatternError where there is no such class. */
export function posixClass(name: string, foldsCase: boolean, classes?: PerlClasses): SymbolSet {
  const negated = name.startsWith("^");
  let plain = negated ? name.slice(1) : name;
  if (classes !== undefined) {
    if (plain !== "word" && plain !== "digit" && plain !== "space") throw new PatternError(`[:${plain}:] is not available here`);
    return negated ? complement(classes[plain]) : classes[plain];
  }
  if (foldsCase && (plain === "upper" || plain === "lower")) plain = "alpha";
  const set = plain === "word" ? PERL_WORD : plain === "ascii" ? ASCII : characterClass(plain);
  if (set === undefined) throw new PatternError("unknown POSIX class name");
  const ascii = asciiOnly(set);
  return negated ? complement(ascii) : ascii;
}

const CATEGORIES = /^(?:C[cfnos]?|L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?)$/;

/** `\p{name}`. Throws PatternError where there is no such property. */
export function propertySet(name: string): SymbolSet {
  const plain = name.replace(/[\s_-]/g, "").replace(/^\^/, "");
  let set: SymbolSet;
  if (plain === "Any") set = ALL_CHARACTERS;
  else if (plain === "L&") set = unionOf([propertySet("Lu"), propertySet("Ll"), propertySet("Lt")]);
  else if (plain === "Xan") set = unionOf([propertySet("L"), propertySet("N")]);
  else if (plain === "Xwd") set = unionOf([propertySet("L"), propertySet("N"), [0x5f, 0x5f]]);
  else if (plain === "Xsp" || plain === "Xps") set = unionOf([propertySet("Z"), SPACE, [0x85, 0x85]]);
  else set = CATEGORIES.test(plain) ? charactersMatching(`\\p{${plain}}`) : charactersMatching(`\\p{scx=${name.replace(/^\^/, "")}}`);
  return name.startsWith("^") ? complement(set) : set;
}

function charactersMatching(source: string): SymbolSet {
  let test: RegExp;
  try {
    test = new RegExp(source, "u");
  } catch {
    throw new PatternError("unknown property after \\P or \\p");
  }
  const set: number[] = [];
  for (let symbol = 0; symbol < 0x110000; symbol++) {
    if (symbol === 0xd800) symbol = 0xe000;
    if (!test.test(String.fromCodePoint(symbol))) continue;
    if (set.at(-1) === symbol - 1) set[set.length - 1] = symbol;
    else set.push(symbol, symbol);
  }
  return set;
}

/** `set` under `(?i)`. */
export const folded = (set: SymbolSet, foldsCase: boolean): SymbolSet => (foldsCase ? foldCase(set) : set);
