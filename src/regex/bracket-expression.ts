/**
 * Bracket expressions: `[a-z[:digit:]_]` (POSIX XBD 9.3.5), as glibc reads them in C.UTF-8, where every character
 * collates by its code point, is alone in its equivalence class, and is its own only collating element.
 */
import { characterClass, foldCase } from "./character-class.ts";
import { PatternError, REGEX_ERRORS } from "./pattern-error.ts";
import { complement, oneSymbol, setOfRanges, unionOf, type SymbolSet } from "./symbol-set.ts";

export interface BracketOptions {
  readonly foldCase: boolean;
  /** `[:alpha:]` is a colon and some letters, which grep and sed take for a mistake. */
  readonly mayBeBareClass?: boolean;
  /** A range that ends before it begins is empty, and `[:alpha:]` a set of letters: neither is wrong (glibc without RE_NO_EMPTY_RANGES, and without GNU's dfa before it). */
  readonly emptyRanges?: boolean;
  /** sed and awk read `\n`, `\]` and the like inside brackets; grep does not. Returns the symbol and where it ends. */
  readonly escape?: (symbols: readonly number[], at: number) => { readonly symbol: number; readonly next: number } | undefined;
}

/** Reads the expression whose `[` is at `at - 1`. Throws PatternError. */
export function readBracket(symbols: readonly number[], at: number, options: BracketOptions): { set: SymbolSet; next: number } {
  return new BracketReader(symbols, at, options).read();
}

const CODE = { caret: 0x5e, close: 0x5d, open: 0x5b, hyphen: 0x2d, colon: 0x3a, dot: 0x2e, equals: 0x3d, backslash: 0x5c };

/** A name as long as this is no name to glibc, which has no room for it. */
const NAME_BYTES = 32;

/** Bytes of a symbol as UTF-8; symbols past Unicode are single bytes that are not text. */
const bytesOf = (symbol: number): number => (symbol < 0x80 || symbol >= 0x110000 ? 1 : symbol < 0x800 ? 2 : symbol < 0x10000 ? 3 : 4);

/** One end of a range, or a class, which cannot be one. */
type Element = { readonly kind: "symbol"; readonly symbol: number } | { readonly kind: "set"; readonly set: SymbolSet };

class BracketReader {
  readonly #symbols: readonly number[];
  readonly #options: BracketOptions;
  #at: number;

  constructor(symbols: readonly number[], at: number, options: BracketOptions) {
    this.#symbols = symbols;
    this.#at = at;
    this.#options = options;
  }

  read(): { set: SymbolSet; next: number } {
    const start = this.#at;
    const negated = this.#symbols[this.#at] === CODE.caret;
    if (negated) this.#at++;
    // glibc's word for a `[` or `[^` that nothing stands behind.
    if (this.#at >= this.#symbols.length) throw new PatternError(REGEX_ERRORS.invalid);
    const sets: SymbolSet[] = [];
    let first = true;
    let plain = true;
    for (;;) {
      const symbol = this.#peek();
      if (symbol === CODE.close && !first) break;
      first = false;
      const element = this.#element();
      if (this.#peek() === CODE.hyphen && this.#symbols[this.#at + 1] !== CODE.close && this.#symbols[this.#at + 1] !== undefined) {
        this.#at++;
        const last = this.#element();
        if (element.kind !== "symbol" || last.kind !== "symbol") throw new PatternError(REGEX_ERRORS.range);
        if (last.symbol >= element.symbol) sets.push([element.symbol, last.symbol]);
        else if (this.#options.emptyRanges !== true) throw new PatternError(REGEX_ERRORS.range);
        plain = false;
      } else if (element.kind === "symbol") {
        sets.push(oneSymbol(element.symbol));
      } else {
        sets.push(element.set);
        plain = false;
      }
    }
    const last = this.#at;
    const isBareClass =
      plain && !negated && last - start > 2 && this.#symbols[start] === CODE.colon && this.#symbols[last - 1] === CODE.colon;
    if (isBareClass && this.#options.mayBeBareClass !== true && this.#options.emptyRanges !== true) {
      throw new PatternError("character class syntax is [[:space:]], not [:space:]");
    }
    this.#at++;
    const listed = this.#options.foldCase ? foldCase(unionOf(sets)) : unionOf(sets);
    const set = negated ? complement(listed) : listed;
    return { set, next: this.#at };
  }

  #element(): Element {
    const symbol = this.#peek();
    const after = this.#symbols[this.#at + 1];
    if (symbol === CODE.open && (after === CODE.colon || after === CODE.dot || after === CODE.equals)) {
      return this.#named(after);
    }
    const escape = this.#options.escape?.(this.#symbols, this.#at);
    if (escape !== undefined) {
      this.#at = escape.next;
      return { kind: "symbol", symbol: escape.symbol };
    }
    this.#at++;
    return { kind: "symbol", symbol };
  }

  /** `[:alpha:]`, `[.x.]` or `[=x=]`, whose mark is `mark`. */
  #named(mark: number): Element {
    const from = this.#at + 2;
    let end = from;
    for (let bytes = 0; !(this.#symbols[end] === mark && this.#symbols[end + 1] === CODE.close); end++) {
      const symbol = this.#symbols[end];
      bytes += symbol === undefined ? NAME_BYTES : bytesOf(symbol);
      if (bytes >= NAME_BYTES) throw new PatternError(REGEX_ERRORS.bracket);
    }
    const name = this.#symbols.slice(from, end);
    this.#at = end + 2;
    if (mark === CODE.colon) {
      let className = String.fromCodePoint(...name.filter((symbol) => symbol < 0x110000));
      if (this.#options.foldCase && (className === "upper" || className === "lower")) className = "alpha";
      const set = characterClass(className);
      if (set === undefined) throw new PatternError(REGEX_ERRORS.className);
      return { kind: "set", set };
    }
    const [only] = name;
    if (only === undefined || name.length !== 1) throw new PatternError(REGEX_ERRORS.collation);
    return mark === CODE.dot ? { kind: "symbol", symbol: only } : { kind: "set", set: setOfRanges([[only, only]]) };
  }

  #peek(): number {
    const symbol = this.#symbols[this.#at];
    if (symbol === undefined) throw new PatternError(REGEX_ERRORS.bracket);
    return symbol;
  }
}
