/**
 * A Perl-compatible pattern as the source of a JavaScript RegExp with the same meaning. Character sets are written out,
 * so that no flag decides what they hold; an atomic group becomes a look-ahead and a reference to what it took.
 */
import { PERL_WORD } from "./perl-class.ts";
import { somePart, widened, type PerlTree } from "./perl-tree.ts";
import { canBeEmpty, type Assertion } from "./regex-tree.ts";
import { FIRST_STRAY_BYTE, rangesOf, type SymbolSet } from "./symbol-set.ts";

export interface PerlSource {
  /** For text with characters past ASCII: needs the flag `u`. */
  readonly unicode: string;
  /** For ASCII text, without that flag. */
  readonly ascii: string;
  /** Numbers of the (empty) groups that mark `\K`. */
  readonly keepGroups: readonly number[];
  /** True if the flag `i` is needed, for a reference that folds case. */
  readonly foldsReferences: boolean;
}

/** `words`: what a word is made of. Undefined where JavaScript has no such pattern, or means something else by it. */
export function perlSource(tree: PerlTree, words: SymbolSet = PERL_WORD): PerlSource | undefined {
  const unicode = new SourceWriter(false, words);
  const ascii = new SourceWriter(true, words);
  const source = { unicode: unicode.write(tree, new Set()), ascii: ascii.write(tree, new Set()) };
  if (unicode.isBeyond) return undefined;
  return { ...source, keepGroups: unicode.keepGroups, foldsReferences: unicode.foldsReferences };
}

class SourceWriter {
  readonly keepGroups: number[] = [];
  foldsReferences = false;
  /** Something was met that JavaScript does not have. */
  isBeyond = false;
  readonly #asciiOnly: boolean;
  readonly #words: SymbolSet;
  /** Our group numbers → numbers in the source. */
  readonly #numbers = new Map<number, number>();
  #count = 0;
  #isBehind = false;

  constructor(asciiOnly: boolean, words: SymbolSet) {
    this.#asciiOnly = asciiOnly;
    this.#words = words;
  }

  /** `set` holds the groups that have surely matched; those that `tree` adds are put into it. */
  write(tree: PerlTree, set: Set<number>): string {
    switch (tree.kind) {
      case "set":
        return this.#class(tree.set);
      case "sequence":
        return tree.parts.map((part) => this.write(part, set)).join("");
      case "choice": {
        const surely = tree.options.map(() => new Set(set));
        const sources = tree.options.map((option, index) => this.write(option, surely[index] as Set<number>));
        for (const group of surely[0] ?? []) if (surely.every((each) => each.has(group))) set.add(group);
        return `(?:${sources.join("|")})`;
      }
      case "repeat":
        return this.#repeat(tree, set);
      case "assertion":
        return this.#assertion(tree.what);
      case "group": {
        const number = ++this.#count;
        // A number that two groups share (branch reset), and a group that V8 would match from its end.
        if (this.#numbers.has(tree.index) || this.#isBehind) this.isBeyond = true;
        this.#numbers.set(tree.index, number);
        const body = this.write(tree.body, set);
        set.add(tree.index);
        return `(${body})`;
      }
      case "back-reference": {
        // In JavaScript a reference to a group that took no part matches nothing at all instead of failing.
        if (!set.has(tree.index)) this.isBeyond = true;
        if (tree.foldCase) this.foldsReferences = true;
        return `(?:\\${this.#numbers.get(tree.index) ?? 0})`;
      }
      case "look": {
        const inside = new Set(set);
        const wasBehind = this.#isBehind;
        this.#isBehind ||= !tree.ahead;
        const body = this.write(tree.body, tree.negative ? inside : set);
        this.#isBehind = wasBehind;
        return `(?${tree.ahead ? "" : "<"}${tree.negative ? "!" : "="}${body})`;
      }
      case "atomic":
        return this.#atomic(() => this.write(tree.body, set));
      case "keep":
        this.keepGroups.push(++this.#count);
        return "()";
      case "search-start":
      case "recursion":
      case "condition":
      case "verb":
        this.isBeyond = true;
        return "";
    }
  }

  #repeat(tree: Extract<PerlTree, { kind: "repeat" }>, set: Set<number>): string {
    const { min, max, mode } = tree;
    // JavaScript rejects a round that steps over nothing, and tries the body otherwise; PCRE2 ends the repetition with it.
    if (max > min && canBeEmpty(widened(tree.body))) this.isBeyond = true;
    // A round forgets the groups of the one before, and with them where \K was met.
    if (max > 1 && somePart(tree.body, ({ kind }) => kind === "keep")) this.isBeyond = true;
    const counts =
      max === Infinity
        ? min === 0
          ? "*"
          : min === 1
            ? "+"
            : `{${min},}`
        : min === 0 && max === 1
          ? "?"
          : min === max
            ? `{${min}}`
            : `{${min},${max}}`;
    const write = (): string => `(?:${this.write(tree.body, min > 0 ? set : new Set(set))})${counts}`;
    if (mode === "possessive") return this.#atomic(write);
    return mode === "lazy" ? `${write()}?` : write();
  }

  #atomic(write: () => string): string {
    const number = ++this.#count;
    return `(?:(?=(${write()}))\\${number})`;
  }

  #assertion(what: Assertion): string {
    const word = this.#class(this.#words);
    switch (what) {
      case "line-start":
        return "^";
      case "line-end":
        return "$";
      case "word-edge":
        return `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`;
      case "not-word-edge":
        return `(?:(?<=${word})(?=${word})|(?<!${word})(?!${word}))`;
      case "no-word-before":
        return `(?<!${word})`;
      case "no-word-after":
        return `(?!${word})`;
      case "word-start":
        return `(?<!${word})(?=${word})`;
      case "word-end":
        return `(?<=${word})(?!${word})`;
      case "never":
        return "(?!)";
    }
  }

  #class(set: SymbolSet): string {
    let source = "";
    for (const [first, last] of rangesOf(set)) {
      if (this.#asciiOnly && first > 0x7f) break;
      if (first >= FIRST_STRAY_BYTE) {
        // In text a stray byte is a lone surrogate (src/io/text.ts).
        source += `${this.#character(first - FIRST_STRAY_BYTE + 0xdc80)}-${this.#character(last - FIRST_STRAY_BYTE + 0xdc80)}`;
        break;
      }
      const end = Math.min(last, this.#asciiOnly ? 0x7f : 0x10ffff);
      source += first === end ? this.#character(first) : `${this.#character(first)}-${this.#character(end)}`;
    }
    return `[${source}]`;
  }

  #character(symbol: number): string {
    return symbol < 0x100 ? `\\x${symbol.toString(16).padStart(2, "0")}` : `\\u{${symbol.toString(16)}}`;
  }
}
