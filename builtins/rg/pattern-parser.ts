/**
 * Patterns of Rust's regex crate (https://docs.rs/regex/1/regex/#syntax) as ripgrep reads them, line by line. Only what
 * our engine surely reads alike is parsed; for anything else, errors included, there is no tree, and the caller asks
 * ripgrep itself.
 */
import type { PerlTree } from "../../src/search/perl-tree.ts";
import { RUST_DIGIT, RUST_SPACE, RUST_WORD } from "./pattern-class.ts";
import { complement, minus, oneSymbol, rangesOf, setOfRanges, type SymbolSet } from "../../src/search/symbol-set.ts";

export interface RustPattern {
  readonly tree: PerlTree;
  /** Characters that stand for themselves: what smart case looks at. */
  readonly literals: string;
  /** Whether `\b` stands in it. */
  readonly asksForWords: boolean;
  /** Repetitions inside repetitions, without bound: what a backtracking engine may take for ever on. */
  readonly nestsRepeats: boolean;
}

/** Undefined where the pattern is not one of the common ones. */
export function parseRust(pattern: string, options: { readonly foldCase: boolean; readonly fixed: boolean }): RustPattern | undefined {
  if (!pattern.isWellFormed() || /[\0\n]/.test(pattern)) return undefined;
  // Folding past ASCII is left to ripgrep's own tables.
  if (options.foldCase && /[^\0-\x7f]/.test(pattern)) return undefined;
  try {
    return new RustParser(pattern, options.foldCase).parse(options.fixed);
  } catch (thrown) {
    if (thrown === UNCOMMON) return undefined;
    throw thrown;
  }
}

const UNCOMMON = new Error("not one of the common patterns");
const NEWLINE = oneSymbol(10);
/** Counts past this may be more than ripgrep's own limit on size allows. */
const MOST_COPIES = 32;

const CLASSES: Readonly<Record<string, SymbolSet>> = {
  d: RUST_DIGIT,
  w: RUST_WORD,
  s: RUST_SPACE,
  D: complement(RUST_DIGIT),
  W: complement(RUST_WORD),
  S: complement(RUST_SPACE),
};
const CONTROLS: Readonly<Record<string, number>> = { t: 9, r: 13, f: 12, v: 11, a: 7 };
const POSIX: ReadonlyMap<string, SymbolSet> = new Map([
  ["alnum", [0x30, 0x39, 0x41, 0x5a, 0x61, 0x7a]],
  ["alpha", [0x41, 0x5a, 0x61, 0x7a]],
  ["digit", [0x30, 0x39]],
  ["lower", [0x61, 0x7a]],
  ["upper", [0x41, 0x5a]],
  ["space", [0x09, 0x0d, 0x20, 0x20]],
  ["punct", [0x21, 0x2f, 0x3a, 0x40, 0x5b, 0x60, 0x7b, 0x7e]],
  ["xdigit", [0x30, 0x39, 0x41, 0x46, 0x61, 0x66]],
  ["word", [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a]],
]);

class RustParser {
  readonly #text: string;
  #foldCase: boolean;
  #at = 0;
  #groups = 0;
  #literals = "";
  #asksForWords = false;
  #nestsRepeats = false;
  #copies = 1;

  constructor(text: string, foldCase: boolean) {
    this.#text = text;
    this.#foldCase = foldCase;
  }

  parse(fixed: boolean): RustPattern {
    const tree = fixed ? this.#fixed() : this.#whole();
    return { tree, literals: this.#literals, asksForWords: this.#asksForWords, nestsRepeats: this.#nestsRepeats };
  }

  #fixed(): PerlTree {
    return { kind: "sequence", parts: [...this.#text].map((character) => this.#literal(character)) };
  }

  #whole(): PerlTree {
    if (this.#takes("(?i)")) {
      if (/[^\0-\x7f]/.test(this.#text)) throw UNCOMMON;
      this.#foldCase = true;
    }
    const tree = this.#alternatives();
    if (this.#at < this.#text.length) throw UNCOMMON;
    return tree;
  }

  #alternatives(): PerlTree {
    const options: PerlTree[] = [];
    do options.push(this.#branch());
    while (this.#takes("|"));
    return options.length === 1 ? (options[0] as PerlTree) : { kind: "choice", options };
  }

  #branch(): PerlTree {
    const parts: PerlTree[] = [];
    while (this.#at < this.#text.length && this.#text[this.#at] !== "|" && this.#text[this.#at] !== ")") parts.push(this.#repeated());
    return { kind: "sequence", parts };
  }

  #repeated(): PerlTree {
    const body = this.#atom();
    const counts = this.#counts();
    if (counts === undefined) return body;
    const { min, max } = counts;
    const mode = this.#takes("?") ? "lazy" : "greedy";
    if (isEmptyable(body) || this.#counts() !== undefined) throw UNCOMMON;
    this.#copies *= Math.max(1, max === Infinity ? min : max);
    if (this.#copies > MOST_COPIES) throw UNCOMMON;
    if (max > 1 && hasRepeat(body)) this.#nestsRepeats = true;
    return { kind: "repeat", body, min, max, mode };
  }

  #counts(): { readonly min: number; readonly max: number } | undefined {
    if (this.#takes("*")) return { min: 0, max: Infinity };
    if (this.#takes("+")) return { min: 1, max: Infinity };
    if (this.#takes("?")) return { min: 0, max: 1 };
    if (this.#text[this.#at] !== "{") return undefined;
    const found = /^\{([0-9]{1,3})(,([0-9]{0,3}))?\}/.exec(this.#text.slice(this.#at, this.#at + 12));
    if (found === null) throw UNCOMMON;
    this.#at += found[0].length;
    const min = Number(found[1]);
    const max = found[2] === undefined ? min : found[3] === "" ? Infinity : Number(found[3]);
    if (max < min || max === 0) throw UNCOMMON;
    return { min, max };
  }

  #atom(): PerlTree {
    const character = String.fromCodePoint(this.#text.codePointAt(this.#at) as number);
    this.#at += character.length;
    switch (character) {
      case "\\":
        return this.#escape();
      case "[":
        return set(this.#bracket());
      case "(":
        return this.#group();
      case ".":
        return set(minus(complement([]), NEWLINE));
      case "^":
        return { kind: "assertion", what: "line-start" };
      case "$":
        return { kind: "assertion", what: "line-end" };
      case "*":
      case "+":
      case "?":
      case "{":
        throw UNCOMMON;
    }
    return this.#literal(character);
  }

  #literal(character: string): PerlTree {
    this.#literals += character;
    return set(this.#folded(oneSymbol(character.codePointAt(0) as number)));
  }

  #group(): PerlTree {
    let named: RegExpExecArray | null = null;
    if (this.#text[this.#at] === "?" && !this.#takes("?:")) {
      named = /^\?P?<[A-Za-z_][A-Za-z0-9_]*>/.exec(this.#text.slice(this.#at, this.#at + 64));
      if (named === null) throw UNCOMMON;
      this.#at += named[0].length;
    }
    const index = ++this.#groups;
    const copies = this.#copies;
    const body = this.#alternatives();
    this.#copies = Math.max(copies, this.#copies);
    if (!this.#takes(")")) throw UNCOMMON;
    return { kind: "group", index, body };
  }

  #escape(): PerlTree {
    const letter = this.#text[this.#at++] ?? "";
    if (letter === "b" && this.#text[this.#at] !== "{") {
      this.#asksForWords = true;
      return { kind: "assertion", what: "word-edge" };
    }
    const shorthand = Object.hasOwn(CLASSES, letter) ? CLASSES[letter] : undefined;
    if (shorthand !== undefined) return set(minus(shorthand, NEWLINE));
    return this.#literal(this.#escaped(letter));
  }

  /** The character that a backslash and `letter` stand for. */
  #escaped(letter: string): string {
    if (/^[!-/:;=?@[-`{-~]$/.test(letter)) return letter;
    const control = Object.hasOwn(CONTROLS, letter) ? CONTROLS[letter] : undefined;
    if (control === undefined) throw UNCOMMON;
    return String.fromCharCode(control);
  }

  /** `#at` is after the `[`. */
  #bracket(): SymbolSet {
    const negated = this.#takes("^");
    const sets: SymbolSet[] = [];
    for (let first = true; first || this.#text[this.#at] !== "]"; first = false) {
      const item = this.#item(first);
      if (typeof item !== "number") {
        if (this.#text[this.#at] === "-" && this.#text[this.#at + 1] !== "]") throw UNCOMMON;
        sets.push(item);
        continue;
      }
      let last = item;
      if (this.#text[this.#at] === "-" && this.#text[this.#at + 1] !== "]") {
        this.#at++;
        const end = this.#item(false);
        if (typeof end !== "number" || end < item) throw UNCOMMON;
        last = end;
      }
      sets.push([item, last]);
    }
    this.#at++;
    const folded = this.#folded(setOfRanges(sets.flatMap(rangesOf)));
    const found = minus(negated ? complement(folded) : folded, NEWLINE);
    if (found.length === 0) throw UNCOMMON;
    return found;
  }

  /** One character of a class, or a class in the class. */
  #item(first: boolean): number | SymbolSet {
    const code = this.#text.codePointAt(this.#at);
    if (code === undefined) throw UNCOMMON;
    const character = String.fromCodePoint(code);
    const next = this.#text[this.#at + 1];
    this.#at += character.length;
    if (character === "[") {
      const named = /^:([a-z]+):\]/.exec(this.#text.slice(this.#at, this.#at + 12));
      const posix = named === null ? undefined : POSIX.get(named[1] as string);
      if (named === null || posix === undefined) throw UNCOMMON;
      this.#at += named[0].length;
      return posix;
    }
    if (character === "\\") {
      const letter = this.#text[this.#at++] ?? "";
      if (letter === "n") return 10;
      const shorthand = Object.hasOwn(CLASSES, letter) ? CLASSES[letter] : undefined;
      if (shorthand !== undefined) return shorthand;
      const escaped = this.#escaped(letter);
      this.#literals += escaped;
      return escaped.codePointAt(0) as number;
    }
    // Operations on sets; and a dash anywhere but at the edge, where its meaning needs care.
    if ("&-~".includes(character) && next === character) throw UNCOMMON;
    if (character === "-" && !first && next !== "]") throw UNCOMMON;
    if (character === "]" && first) throw UNCOMMON;
    this.#literals += character;
    return code;
  }

  /** Simple case folding of ASCII: besides the letters themselves only the Kelvin sign and the long s. */
  #folded(plain: SymbolSet): SymbolSet {
    if (!this.#foldCase) return plain;
    const more: [number, number][] = [];
    for (const [first, last] of rangesOf(plain)) {
      more.push([first, last]);
      for (let code = 0x41; code <= 0x5a; code++) {
        const upper = code >= first && code <= last;
        const lower = code + 32 >= first && code + 32 <= last;
        if (!upper && !lower) continue;
        more.push([code, code], [code + 32, code + 32]);
        if (code === 0x4b) more.push([0x212a, 0x212a]);
        if (code === 0x53) more.push([0x17f, 0x17f]);
      }
    }
    return setOfRanges(more);
  }

  #takes(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }
}

const set = (symbols: SymbolSet): PerlTree => ({ kind: "set", set: symbols });

/** Whether `tree` can match without stepping over a character. */
export function isEmptyable(tree: PerlTree): boolean {
  switch (tree.kind) {
    case "set":
      return false;
    case "sequence":
      return tree.parts.every(isEmptyable);
    case "choice":
      return tree.options.some(isEmptyable);
    case "repeat":
      return tree.min === 0 || isEmptyable(tree.body);
    case "group":
    case "atomic":
      return isEmptyable(tree.body);
    case "assertion":
    case "back-reference":
    case "look":
    case "keep":
      return true;
  }
}

function hasRepeat(tree: PerlTree): boolean {
  switch (tree.kind) {
    case "repeat":
      return tree.max > 1 || hasRepeat(tree.body);
    case "sequence":
      return tree.parts.some(hasRepeat);
    case "choice":
      return tree.options.some(hasRepeat);
    case "group":
    case "atomic":
      return hasRepeat(tree.body);
    case "set":
    case "assertion":
    case "back-reference":
    case "look":
    case "keep":
      return false;
  }
}
