/**
 * Patterns of Rust's regex crate (https://docs.rs/regex/1/regex/#syntax) as trees, with the crate's own error messages:
 * about a whole text, as fd reads names, or about the lines of one, as ripgrep does. `(?-u)` is refused, as is `(?m)`
 * about a whole text.
 *
 * Over 400 lines: one grammar, one class.
 */
import { PatternError } from "./pattern-error.ts";
import type { PerlTree } from "./perl-tree.ts";
import { symbolsOf, type Assertion } from "./regex-tree.ts";
import { asciiClass, foldsAlone, perlClass, simplyFolded, unicodeProperty } from "./rust-class.ts";
import { complement, EMPTY_SET, minus, oneSymbol, unionOf, type SymbolSet } from "./symbol-set.ts";

export interface RustOptions {
  readonly foldCase: boolean;
  /** `.` matches a newline. */
  readonly dotAll: boolean;
  /**
   * `^` and `$` are the ends of a line, and nothing matches a newline. What could ask for the ends of the whole text, or
   * for nothing but a newline, is a PatternError.
   */
  readonly inLines?: boolean;
}

export interface RustPattern {
  /** Tree of sets, sequences, choices, repetitions, assertions and groups only. */
  readonly tree: PerlTree;
  /** The characters that stand for themselves, in classes too: what ripgrep's smart case looks at. */
  readonly literals: string;
  /** Unicode's tables as our host has them were asked: they may be older or newer than the crate's. */
  readonly asksHost: boolean;
}

/** Parses `pattern` (text). Throws PatternError, whose message is the crate's ("regex parse error:" and below). */
export function parseRust(pattern: string, options: RustOptions): RustPattern {
  return new RustParser(pattern, options).parse();
}

interface Modes {
  readonly foldCase: boolean;
  readonly dotAll: boolean;
  readonly multiline: boolean;
  readonly extended: boolean;
  /** U: the question mark makes a repetition greedy. */
  readonly swapsGreed: boolean;
  /** R: `\r` ends lines too. */
  readonly crlf: boolean;
}

interface ClassPart {
  readonly set: SymbolSet;
  readonly symbol: number | undefined;
}

/** More groups inside each other than the crate allows. */
const MOST_NESTED = 250;
const MOST_REPEATS = 0xffffffff;
const EMPTY: PerlTree = { kind: "sequence", parts: [] };
const NEWLINE = oneSymbol(10);
const LINE_ENDS: SymbolSet = [10, 10, 13, 13];

class RustParser {
  readonly #pattern: string;
  readonly #symbols: readonly number[];
  readonly #inLines: boolean;
  readonly #names = new Map<string, number>();
  #modes: Modes;
  #at = 0;
  #groups = 0;
  #depth = 0;
  #literals = "";
  #asksHost = false;

  constructor(pattern: string, { foldCase, dotAll, inLines = false }: RustOptions) {
    this.#pattern = pattern;
    this.#symbols = symbolsOf(pattern);
    this.#inLines = inLines;
    this.#modes = { foldCase, dotAll, multiline: inLines, extended: false, swapsGreed: false, crlf: false };
  }

  parse(): RustPattern {
    const tree = this.#alternatives();
    if (this.#peek() === ")") throw this.#error("unopened group", this.#at, 1);
    return { tree, literals: this.#literals, asksHost: this.#asksHost };
  }

  // Alternatives, sequences, repetitions

  #alternatives(): PerlTree {
    const options: PerlTree[] = [];
    const outer = this.#modes;
    do options.push(this.#sequence());
    while (this.#take("|"));
    this.#modes = outer;
    return options.length === 1 ? (options[0] as PerlTree) : { kind: "choice", options };
  }

  #sequence(): PerlTree {
    const parts: PerlTree[] = [];
    /** True if the last part may be repeated: flags on their own may not. */
    let repeatable = false;
    for (;;) {
      this.#skipSpace();
      const character = this.#peek();
      if (character === "" || character === "|" || character === ")") return { kind: "sequence", parts };
      if (character === "*" || character === "+" || character === "?" || character === "{") {
        const last = parts.at(-1);
        if (!repeatable || last === undefined) throw this.#error("repetition operator missing expression", this.#at, 1);
        parts[parts.length - 1] = this.#repeated(last, character);
        continue;
      }
      const part = character === "(" ? this.#group() : this.#single(character);
      repeatable = part !== undefined;
      if (part !== undefined) parts.push(part);
    }
  }

  #repeated(body: PerlTree, operator: string): PerlTree {
    const start = this.#at++;
    let [min, max] = operator === "*" ? [0, Infinity] : operator === "+" ? [1, Infinity] : [0, 1];
    if (operator === "{") {
      if (this.#ended()) throw this.#error("unclosed counted repetition", start, this.#at - start);
      min = this.#count();
      max = min;
      if (this.#ended()) throw this.#error("unclosed counted repetition", start, this.#at - start);
      if (this.#take(",")) {
        if (this.#ended()) throw this.#error("unclosed counted repetition", start, this.#at - start);
        max = this.#peek() === "}" ? Infinity : this.#count();
      }
      if (!this.#take("}")) throw this.#error("unclosed counted repetition", start, this.#at - start);
      if (max < min) throw this.#error("invalid repetition count range, the start must be <= the end", start, this.#at - start);
    }
    this.#skipSpace();
    const mode = this.#take("?") === this.#modes.swapsGreed ? "greedy" : "lazy";
    return max === 0 ? EMPTY : { kind: "repeat", body, min, max, mode };
  }

  #count(): number {
    while (/\s/.test(this.#peek())) this.#at++;
    const start = this.#at;
    while (/[0-9]/.test(this.#peek())) this.#at++;
    const digits = this.#text(start, this.#at);
    const end = this.#at;
    while (/\s/.test(this.#peek())) this.#at++;
    if (digits === "") throw this.#error("repetition quantifier expects a valid decimal", start, 1);
    if (Number(digits) > MOST_REPEATS) throw this.#error("decimal literal invalid", start, end - start);
    return Number(digits);
  }

  #single(character: string): PerlTree {
    if (character === "[") return this.#set(this.#class());
    if (character === "\\") return this.#escape();
    this.#at++;
    if (character === ".") return this.#set(complement(this.#modes.dotAll ? EMPTY_SET : this.#modes.crlf ? LINE_ENDS : NEWLINE));
    if (character === "^" || character === "$") {
      if (this.#inLines && (this.#modes.crlf || !this.#modes.multiline)) throw new PatternError(`${character} is no end of a line there`);
      if (!this.#inLines && this.#modes.multiline)
        throw new PatternError(`(?m) is not available here: ${character} is an end of the whole text`);
      return assertion(character === "^" ? "line-start" : "line-end");
    }
    return this.#set(this.#literal(this.#symbols[this.#at - 1] as number));
  }

  #set(set: SymbolSet): PerlTree {
    if (!this.#inLines) return { kind: "set", set };
    const inLine = minus(set, NEWLINE);
    if (inLine.length === 0) throw new PatternError("nothing in a line matches that");
    return { kind: "set", set: inLine };
  }

  /** A character that stands for itself. */
  #literal(symbol: number): SymbolSet {
    if (symbol <= 0x10ffff) this.#literals += String.fromCodePoint(symbol);
    return this.#folded(oneSymbol(symbol));
  }

  /** The set with the other case of its members, where case does not count. */
  #folded(set: SymbolSet): SymbolSet {
    if (!this.#modes.foldCase) return set;
    if (!foldsAlone(set)) this.#asksHost = true;
    return simplyFolded(set);
  }

  // Groups

  /** undefined for flags on their own: `(?i)`. */
  #group(): PerlTree | undefined {
    const start = this.#at++;
    if (++this.#depth > MOST_NESTED)
      throw this.#error(`exceed the maximum number of nested parentheses/brackets (${MOST_NESTED})`, start, 1);
    this.#skipSpace();
    for (const look of ["?=", "?!", "?<=", "?<!"])
      if (this.#looksAt(look))
        throw this.#error("look-around, including look-ahead and look-behind, is not supported", start, look.length + 1);
    const outer = this.#modes;
    let captures = true;
    if (this.#looksAt("?P<") || this.#looksAt("?<")) {
      this.#at += this.#looksAt("?P<") ? 3 : 2;
      this.#name();
    } else if (this.#peek() === "?") {
      const question = this.#at++;
      if (this.#ended()) throw this.#error("unclosed group", start, 1);
      captures = false;
      if (!this.#flags(question)) {
        this.#depth--;
        return undefined;
      }
    }
    const index = captures ? ++this.#groups : 0;
    const body = this.#alternatives();
    if (!this.#take(")")) throw this.#error("unclosed group", start, 1);
    this.#modes = outer;
    this.#depth--;
    return captures ? { kind: "group", index, body } : body;
  }

  #name(): void {
    const start = this.#at;
    while (!this.#ended() && this.#peek() !== ">") {
      const isFirst = this.#at === start;
      const character = this.#peek();
      if (!(isFirst ? /[_\p{Alphabetic}]/u : /[_.[\]\p{Alphabetic}\p{N}]/u).test(character))
        throw this.#error("invalid capture group character", this.#at, 1);
      this.#at++;
    }
    if (this.#ended()) throw this.#error("unclosed capture group name", this.#at, 1);
    const name = this.#text(start, this.#at);
    if (name === "") throw this.#error("empty capture group name", start, 1);
    const before = this.#names.get(name);
    if (before !== undefined) throw this.#error("duplicate capture group name", start, name.length, before);
    this.#names.set(name, start);
    this.#at++;
  }

  /** Reads `i-s:` or `i-s)`; false for the latter, which holds for the rest of the group around. */
  #flags(question: number): boolean {
    const modes = { ...this.#modes };
    const seen = new Map<string, number>();
    let on = true;
    let lastDash: number | undefined;
    let empty = true;
    for (; ; this.#at++) {
      if (this.#ended()) throw this.#error("expected flag but got end of regex", this.#at, 1);
      const flag = this.#peek();
      if (flag === ":" || flag === ")") {
        if (lastDash === this.#at - 1) throw this.#error("dangling flag negation operator", lastDash, 1);
        this.#at++;
        if (flag === ")" && empty) throw this.#error("repetition operator missing expression", question, 1);
        this.#modes = modes;
        return flag === ":";
      }
      empty = false;
      if (flag === "-") {
        const before = seen.get("-");
        if (before !== undefined) throw this.#error("flag negation operator repeated", this.#at, 1, before);
        seen.set("-", this.#at);
        lastDash = this.#at;
        on = false;
        continue;
      }
      if (!"imsUuxR".includes(flag)) throw this.#error("unrecognized flag", this.#at, 1);
      const before = seen.get(flag);
      if (before !== undefined) throw this.#error("duplicate flag", this.#at, 1, before);
      seen.set(flag, this.#at);
      if (flag === "i") modes.foldCase = on;
      else if (flag === "s") modes.dotAll = on;
      else if (flag === "m") modes.multiline = on;
      else if (flag === "x") modes.extended = on;
      else if (flag === "U") modes.swapsGreed = on;
      else if (flag === "R") modes.crlf = on;
      else if (flag === "u" && !on) throw new PatternError("(?-u) is not available here: names are text");
    }
  }

  // Escapes

  #escape(): PerlTree {
    const start = this.#at;
    const what = ASSERTIONS[this.#symbolAfter()];
    if (what === undefined) return this.#set(this.#escaped(false).set);
    this.#at += 2;
    const text = this.#text(start, this.#at);
    if (text === "\\b" && this.#peek() === "{") return assertion(this.#specialBoundary() ?? what);
    if (this.#inLines && (text === "\\A" || text === "\\z")) throw new PatternError(`${text} is no end of a line`);
    return assertion(what);
  }

  #symbolAfter(): string {
    const symbol = this.#symbols[this.#at + 1];
    return symbol === undefined || symbol > 0x10ffff ? "" : String.fromCodePoint(symbol);
  }

  /** `\b{start}` and the like; undefined where it is `\b` and a counted repetition. */
  #specialBoundary(): Assertion | undefined {
    const start = this.#at;
    let end = start + 1;
    while (/[A-Za-z-]/.test(this.#at < this.#symbols.length ? this.#characterAt(end) : "")) end++;
    if (end === start + 1) return undefined;
    const word = this.#text(start + 1, end);
    if (this.#characterAt(end) !== "}")
      throw this.#error("special word boundary assertion is either unclosed or contains an invalid character", start, 1);
    const what = Object.hasOwn(BOUNDARIES, word) ? BOUNDARIES[word] : undefined;
    if (what === undefined) {
      const message = "unrecognized special word boundary assertion, valid choices are: start, end, start-half or end-half";
      throw this.#error(message, start + 1, word.length);
    }
    this.#at = end + 1;
    return what;
  }

  /** The set that an escape stands for, folded; `symbol` too if it is one character. */
  #escaped(inClass: boolean): ClassPart {
    const start = this.#at++;
    if (this.#ended()) throw this.#error("incomplete escape sequence, reached end of pattern prematurely", start, 1);
    const character = this.#peek();
    if (/[0-9]/.test(character)) throw this.#error("backreferences are not supported", start, 2);
    if (character === "x" || character === "u" || character === "U") return this.#character(this.#hexadecimal(character));
    if (character === "p" || character === "P") return { set: this.#property(start), symbol: undefined };
    this.#at++;
    const perl = perlClass(character);
    // Closed under folding.
    if (perl !== undefined) return { set: perl, symbol: undefined };
    const control = CONTROLS[character];
    if (control !== undefined) return this.#character(control);
    if (inClass && ASSERTIONS[character] !== undefined && !/[<>]/.test(character))
      throw this.#error("invalid escape sequence found in character class", start, 2);
    // Any ASCII character but letters, digits and < > escapes itself.
    if (!/^[\0-\x7f]$/.test(character) || /[A-Za-z<>]/.test(character)) throw this.#error("unrecognized escape sequence", start, 2);
    return this.#character(character.charCodeAt(0));
  }

  #character(symbol: number): ClassPart {
    return { set: this.#literal(symbol), symbol };
  }

  #hexadecimal(letter: string): number {
    this.#at++;
    const early = "incomplete escape sequence, reached end of pattern prematurely";
    if (this.#ended()) throw this.#error(early, this.#at, 1);
    let digits = "";
    let start = this.#at;
    if (this.#peek() === "{") {
      const brace = this.#at++;
      start = this.#at;
      for (; !this.#ended() && this.#peek() !== "}"; this.#at++) {
        if (!/[0-9A-Fa-f]/.test(this.#peek())) throw this.#error("invalid hexadecimal digit", this.#at, 1);
      }
      if (this.#ended()) throw this.#error(early, brace, this.#at - brace);
      digits = this.#text(start, this.#at);
      if (digits === "") throw this.#error("hexadecimal literal empty", brace, 2);
      this.#at++;
    } else {
      const wanted = letter === "x" ? 2 : letter === "u" ? 4 : 8;
      for (; digits.length < wanted; this.#at++) {
        if (this.#ended()) throw this.#error(early, this.#at, 1);
        if (!/[0-9A-Fa-f]/.test(this.#peek())) throw this.#error("invalid hexadecimal digit", this.#at, 1);
        digits += this.#peek();
      }
    }
    const code = Number.parseInt(digits, 16);
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
      throw this.#error("hexadecimal literal is not a Unicode scalar value", start, digits.length);
    return code;
  }

  #property(start: number): SymbolSet {
    let negated = this.#peek() === "P";
    this.#at++;
    const early = "incomplete escape sequence, reached end of pattern prematurely";
    if (this.#ended()) throw this.#error(early, this.#at, 1);
    let name = this.#peek();
    this.#at++;
    if (name === "{") {
      const from = this.#at;
      while (!this.#ended() && this.#peek() !== "}") this.#at++;
      if (this.#ended()) throw this.#error(early, this.#at, 1);
      name = this.#text(from, this.#at);
      this.#at++;
      const [, key, value] = /^([^=:]*)!=(.*)$/s.exec(name) ?? [];
      if (key !== undefined) {
        negated = !negated;
        name = `${key}=${value}`;
      }
    }
    const set = unicodeProperty(name);
    if (set === undefined) throw this.#error("Unicode property not found", start, this.#at - start);
    this.#asksHost = true;
    const folded = this.#folded(set);
    return negated ? complement(folded) : folded;
  }

  // Bracketed classes

  #class(): SymbolSet {
    const start = this.#at++;
    if (++this.#depth > MOST_NESTED)
      throw this.#error(`exceed the maximum number of nested parentheses/brackets (${MOST_NESTED})`, start, 1);
    this.#skipSpace();
    const negated = this.#take("^");
    this.#skipSpace();
    const first: SymbolSet[] = [];
    while (this.#take("-")) first.push(this.#literal(0x2d));
    if (first.length === 0 && this.#take("]")) first.push(this.#literal(0x5d));
    const opening = this.#at - start;
    const unclosed = (): PatternError => this.#error("unclosed character class", start, opening);
    let left: ((right: SymbolSet) => SymbolSet) | undefined;
    let union = first;
    const whole = (): SymbolSet => {
      const right = union.length === 0 ? EMPTY_SET : unionOf(union);
      return left === undefined ? right : left(right);
    };
    for (;;) {
      this.#skipSpace();
      if (this.#ended()) throw unclosed();
      const operator = OPERATORS.find(([sign]) => this.#looksAt(sign));
      if (this.#take("]")) break;
      if (operator !== undefined) {
        const before = whole();
        left = (right) => operator[1](before, right);
        union = [];
        this.#at += 2;
      } else if (this.#peek() === "[") union.push(this.#namedClass() ?? this.#class());
      else union.push(this.#range(unclosed));
    }
    this.#depth--;
    const set = whole();
    return negated ? complement(set) : set;
  }

  /** `[:name:]`; undefined where it is a class inside the class. */
  #namedClass(): SymbolSet | undefined {
    const [all = "", sign, name = ""] = /^\[:(\^?)([a-z]+):\]/.exec(this.#text(this.#at, this.#at + 16)) ?? [];
    const set = asciiClass(name);
    if (set === undefined) return undefined;
    this.#at += all.length;
    const folded = this.#folded(set);
    return sign === "^" ? complement(folded) : folded;
  }

  /** One character, a range of them, or a class that an escape stands for; folded. */
  #range(unclosed: () => PatternError): SymbolSet {
    const start = this.#at;
    const low = this.#member();
    const lowEnd = this.#at;
    this.#skipSpace();
    if (this.#ended()) throw unclosed();
    if (this.#peek() !== "-" || this.#characterAt(this.#at + 1) === "]" || this.#characterAt(this.#at + 1) === "-") return low.set;
    this.#at++;
    this.#skipSpace();
    if (this.#ended()) throw unclosed();
    const highStart = this.#at;
    const high = this.#member();
    const boundary = "invalid range boundary, must be a literal";
    if (low.symbol === undefined) throw this.#error(boundary, start, lowEnd - start);
    if (high.symbol === undefined) throw this.#error(boundary, highStart, this.#at - highStart);
    const range: SymbolSet = [low.symbol, high.symbol];
    if (low.symbol > high.symbol) throw this.#error("invalid character class range, the start must be <= the end", start, this.#at - start);
    return this.#folded(minus(range, [0xd800, 0xdfff]));
  }

  #member(): ClassPart {
    if (this.#peek() === "\\") return this.#escaped(true);
    return this.#character(this.#symbols[this.#at++] as number);
  }

  // Reading

  #ended(): boolean {
    return this.#at >= this.#symbols.length;
  }

  #peek(): string {
    return this.#characterAt(this.#at);
  }

  /** "" at the end; a stray byte is a character that nothing asks for. */
  #characterAt(at: number): string {
    const symbol = this.#symbols[at];
    return symbol === undefined ? "" : symbol > 0x10ffff ? "\ufffd" : String.fromCodePoint(symbol);
  }

  #take(character: string): boolean {
    if (this.#peek() !== character) return false;
    this.#at++;
    return true;
  }

  #looksAt(text: string): boolean {
    return this.#text(this.#at, this.#at + text.length) === text;
  }

  #text(from: number, to: number): string {
    let text = "";
    for (let at = from; at < Math.min(to, this.#symbols.length); at++) text += this.#characterAt(at);
    return text;
  }

  /** Skips white space and comments in extended mode. */
  #skipSpace(): void {
    if (!this.#modes.extended) return;
    for (;;) {
      if (/\p{White_Space}/u.test(this.#peek())) this.#at++;
      else if (this.#peek() === "#") while (!this.#ended() && this.#peek() !== "\n") this.#at++;
      else return;
    }
  }

  /** `before` is where else to point. */
  #error(message: string, at: number, length: number, before?: number): PatternError {
    const marks: string[] = Array.from({ length: at }, () => " ");
    for (let mark = 0; mark < Math.max(1, length); mark++) marks[at + mark] = "^";
    if (before !== undefined) for (let mark = 0; mark < Math.max(1, length); mark++) marks[before + mark] = "^";
    return new PatternError(`regex parse error:\n    ${this.#pattern}\n    ${marks.join("")}\nerror: ${message}`);
  }
}

const assertion = (what: Assertion): PerlTree => ({ kind: "assertion", what });

const CONTROLS: Readonly<Record<string, number>> = { a: 7, f: 12, t: 9, n: 10, r: 13, v: 11 };

const ASSERTIONS: Readonly<Record<string, Assertion>> = {
  A: "line-start",
  z: "line-end",
  b: "word-edge",
  B: "not-word-edge",
  "<": "word-start",
  ">": "word-end",
};

const BOUNDARIES: Readonly<Record<string, Assertion>> = {
  start: "word-start",
  end: "word-end",
  "start-half": "no-word-before",
  "end-half": "no-word-after",
};

const OPERATORS: readonly (readonly [string, (left: SymbolSet, right: SymbolSet) => SymbolSet])[] = [
  ["&&", (left, right) => minus(left, minus(left, right))],
  ["--", (left, right) => minus(left, right)],
  ["~~", (left, right) => unionOf([minus(left, right), minus(right, left)])],
];
