/**
 * POSIX basic and extended regular expressions with the GNU additions, as GNU grep reads them (XBD 9.3, 9.4;
 * grep manual, chapter 3). What POSIX leaves undefined is decided as glibc and gnulib's dfa decide it.
 */
import { readBracket } from "./bracket-expression.ts";
import { foldCase, NOT_WHITE_SPACE, notWordCharacters, WHITE_SPACE, wordCharacters } from "./character-class.ts";
import { PatternError, REGEX_ERRORS } from "./pattern-error.ts";
import { assertion, choice, EMPTY, sequence, symbolsOf, type Assertion, type RegexTree } from "./regex-tree.ts";
import { ALL_CHARACTERS, EMPTY_SET, minus, oneSymbol, type SymbolSet } from "./symbol-set.ts";

export interface PosixDialect {
  readonly syntax: "basic" | "extended";
  readonly foldCase: boolean;
  /** The symbol that ends a line (10 or 0), which nothing in a pattern matches. */
  readonly lineEnd: number;
  /** Tells of what GNU warns about ("* at start of expression"). */
  readonly warn?: (message: string) => void;
  /** As regcomp(3) has it, for sed and awk: a repetition of nothing, an unmatched `)` and a bad interval are errors. */
  readonly strict?: boolean;
  /** With `strict`, as expr has it: a repetition may be repeated (`a**`), and an interval with nothing to repeat is text. */
  readonly looseRepeats?: boolean;
  /** True if `[b-a]` matches nothing instead of being an error. */
  readonly emptyRanges?: boolean;
  /**
   * Assertions that `^` and `$` stand for in a buffer of several lines. Default: line-start and line-end, which are the
   * buffer's edges.
   */
  readonly anchors?: { readonly start: Assertion; readonly end: Assertion };
  /** Symbols that `.` and `[^…]` leave out, besides the line end. */
  readonly notAny?: SymbolSet;
}

export interface ParsedRegex {
  readonly tree: RegexTree;
  readonly groupCount: number;
}

/** Parses one pattern (no newline is special). Throws PatternError with regcomp's own words. */
export function parsePosix(pattern: string, dialect: PosixDialect): ParsedRegex {
  return new PosixParser(symbolsOf(pattern), dialect).parse();
}

/** RE_DUP_MAX of glibc. */
const MAX_REPEATS = 0x7fff;

const code = (character: string): number => character.charCodeAt(0);
const [BACKSLASH, OPEN, CLOSE, BAR, STAR, PLUS, QUESTION, OPEN_BRACE, CLOSE_BRACE, BRACKET, DOT, CARET, DOLLAR, COMMA] = [
  ..."\\()|*+?{}[.^$,",
].map(code) as [number, number, number, number, number, number, number, number, number, number, number, number, number, number];

type Token =
  | { readonly kind: "symbol"; readonly symbol: number }
  | { readonly kind: "open" | "close" | "or" | "bracket" | "any" | "caret" | "dollar" | "brace" | "end" }
  | { readonly kind: "repeat"; readonly min: number; readonly max: number; readonly symbol: number }
  | { readonly kind: "escape"; readonly symbol: number };

class PosixParser {
  readonly #symbols: readonly number[];
  readonly #dialect: PosixDialect;
  readonly #extended: boolean;
  readonly #lineEnd: SymbolSet;
  readonly #strict: boolean;
  readonly #strictRepeats: boolean;
  readonly #anchors: { readonly start: Assertion; readonly end: Assertion };
  readonly #notAny: SymbolSet;
  /** The groups that \1 to \9 may refer to, a bit each. */
  #closedGroups = 0;
  #at = 0;
  /** End of the token that `#peek` gave. */
  #tokenEnd = 0;
  #groups = 0;
  #depth = 0;
  #afterWordAssertion = false;

  constructor(symbols: readonly number[], dialect: PosixDialect) {
    this.#symbols = symbols;
    this.#dialect = dialect;
    this.#extended = dialect.syntax === "extended";
    this.#lineEnd = oneSymbol(dialect.lineEnd);
    this.#strict = dialect.strict === true;
    this.#strictRepeats = this.#strict && dialect.looseRepeats !== true;
    this.#anchors = dialect.anchors ?? { start: "line-start", end: "line-end" };
    this.#notAny = dialect.notAny ?? EMPTY_SET;
  }

  parse(): ParsedRegex {
    const tree = this.#alternatives();
    if (this.#peek().kind === "close") throw new PatternError(REGEX_ERRORS.closing);
    return { tree, groupCount: this.#groups };
  }

  #alternatives(): RegexTree {
    const closedBefore = this.#closedGroups;
    let closed = closedBefore;
    const options: RegexTree[] = [];
    for (;;) {
      // A group that one alternative closes cannot be referred to in another.
      this.#closedGroups = closedBefore;
      options.push(this.#branch());
      closed |= this.#closedGroups;
      if (this.#peek().kind !== "or") break;
      this.#take();
    }
    this.#closedGroups = closed;
    return choice(options);
  }

  #branch(): RegexTree {
    const parts: RegexTree[] = [];
    this.#afterWordAssertion = false;
    // Only what takes no room stands before: a repetition here has nothing to repeat.
    let atStart = true;
    for (;;) {
      const token = this.#peek();
      if (token.kind === "end" || token.kind === "or" || token.kind === "close") return sequence(parts);
      const atom = this.#atom(token, atStart, parts.length === 0);
      if (atom === undefined) continue;
      atStart = atStart && atom.kind === "assertion";
      // glibc repeats no assertion about words, and in basic syntax no other: what would repeat it stands for itself, or for nothing.
      const cannotRepeat = atStart || (atom.kind === "assertion" && (atom.what.includes("word") || !this.#extended));
      this.#afterWordAssertion = atom.kind === "assertion" && atom.what.includes("word");
      const isStrictAssertion = this.#strict && this.#extended && atom.kind === "assertion";
      parts.push(cannotRepeat || isStrictAssertion ? atom : this.#repeated(atom));
    }
  }

  /** The next atom; undefined where a repetition stood with nothing to repeat and is passed over. */
  #atom(token: Token, atStart: boolean, isFirst: boolean): RegexTree | undefined {
    const braceAt = this.#at;
    this.#take();
    switch (token.kind) {
      case "symbol":
        return this.#set(oneSymbol(token.symbol));
      case "any":
        return this.#set(minus(minus(ALL_CHARACTERS, this.#lineEnd), this.#notAny));
      case "bracket": {
        const negated = this.#symbols[this.#at] === CARET;
        const { foldCase, emptyRanges = false } = this.#dialect;
        const { set, next } = readBracket(this.#symbols, this.#at, { foldCase, emptyRanges });
        this.#at = next;
        return { kind: "set", set: minus(negated ? minus(set, this.#notAny) : set, this.#lineEnd) };
      }
      case "open":
        return this.#group();
      case "caret":
        return this.#extended || isFirst ? assertion(this.#anchors.start) : this.#set(oneSymbol(CARET));
      case "dollar":
        return this.#extended || this.#endsBranch() ? assertion(this.#anchors.end) : this.#set(oneSymbol(DOLLAR));
      case "repeat":
        // Only where there is nothing to repeat: `#repeated` takes the others.
        if (!this.#extended) return this.#set(oneSymbol(token.symbol));
        if (this.#strict) throw new PatternError(REGEX_ERRORS.preceding);
        if (atStart) {
          const what = token.symbol === OPEN_BRACE ? "{...}" : String.fromCodePoint(token.symbol);
          this.#dialect.warn?.(`warning: ${what} at start of expression`);
        }
        // After an assertion about words glibc passes over the brace alone; at the start dfa passes over the interval.
        if (token.symbol === OPEN_BRACE && this.#afterWordAssertion) {
          this.#at = braceAt + 1;
          return undefined;
        }
        // glibc then takes whatever follows as an expression, a closing parenthesis too.
        if (this.#peek().kind !== "close") return undefined;
        this.#take();
        return this.#set(oneSymbol(CLOSE));
      case "brace":
        if (this.#strictRepeats) throw new PatternError(REGEX_ERRORS.preceding);
        return this.#set(oneSymbol(OPEN_BRACE));
      case "escape":
        return this.#escape(token.symbol);
      case "end":
      case "or":
      case "close":
        throw new Error("not an atom");
    }
  }

  #repeated(atom: RegexTree): RegexTree {
    let tree = atom;
    for (;;) {
      // regcomp(3) allows `a*\+` in a basic expression, but neither `a**` nor `a*\{2\}`, whatever is in the braces.
      const mustEnd = tree !== atom && this.#strictRepeats && !this.#extended;
      const [next, after] = [this.#symbols[this.#at], this.#symbols[this.#at + 1]];
      if (mustEnd && (next === STAR || (next === BACKSLASH && after === OPEN_BRACE))) throw new PatternError(REGEX_ERRORS.preceding);
      const token = this.#peek(true);
      if (token.kind !== "repeat") return tree;
      this.#take();
      tree = { kind: "repeat", body: tree, min: token.min, max: token.max };
    }
  }

  #group(): RegexTree {
    const index = ++this.#groups;
    this.#depth++;
    const body = this.#alternatives();
    if (this.#peek().kind !== "close") throw new PatternError(REGEX_ERRORS.parenthesis);
    this.#take();
    this.#depth--;
    if (index <= 9) this.#closedGroups |= 1 << index;
    return { kind: "group", index, body };
  }

  #escape(symbol: number): RegexTree {
    switch (String.fromCodePoint(symbol < 0x110000 ? symbol : 0)) {
      case "w":
        return this.#set(wordCharacters());
      case "W":
        return this.#set(notWordCharacters());
      case "s":
        return this.#set(WHITE_SPACE);
      case "S":
        return this.#set(NOT_WHITE_SPACE);
      case "b":
        return assertion("word-edge");
      case "B":
        return assertion("not-word-edge");
      case "<":
        return assertion("word-start");
      case ">":
        return assertion("word-end");
      case "`":
        return assertion("line-start");
      case "'":
        return assertion("line-end");
    }
    if (symbol >= 0x31 && symbol <= 0x39) {
      const index = symbol - 0x30;
      if ((this.#closedGroups & (1 << index)) === 0) throw new PatternError(REGEX_ERRORS.backReference);
      return { kind: "back-reference", index };
    }
    return this.#set(oneSymbol(symbol));
  }

  #set(set: SymbolSet): RegexTree {
    const folded = this.#dialect.foldCase ? foldCase(set) : set;
    return { kind: "set", set: minus(folded, this.#lineEnd) };
  }

  /** Tells whether a `$` that ends here is an anchor in a basic expression. */
  #endsBranch(): boolean {
    const next = this.#peek().kind;
    return next === "end" || next === "or" || next === "close";
  }

  /** The next token. `repeats`: something stands before it that may be repeated. */
  #peek(repeats = false): Token {
    const symbol = this.#symbols[this.#at];
    this.#tokenEnd = this.#at + 1;
    if (symbol === undefined) return { kind: "end" };
    if (symbol === BACKSLASH) return this.#peekEscape(repeats);
    if (symbol === BRACKET) return { kind: "bracket" };
    if (symbol === DOT) return { kind: "any" };
    if (symbol === CARET) return { kind: "caret" };
    if (symbol === DOLLAR) return { kind: "dollar" };
    if (symbol === STAR) return { kind: "repeat", min: 0, max: Infinity, symbol };
    if (this.#extended) {
      if (symbol === OPEN) return { kind: "open" };
      // A `)` that nothing opened is itself (POSIX_EXTENDED without RE_UNMATCHED_RIGHT_PAREN_ORD, as grep -E sets it).
      if (symbol === CLOSE && (this.#strict || this.#depth > 0)) return { kind: "close" };
      return this.#peekOperator(symbol, repeats);
    }
    return { kind: "symbol", symbol };
  }

  #peekEscape(repeats: boolean): Token {
    const symbol = this.#symbols[this.#at + 1];
    if (symbol === undefined) throw new PatternError(REGEX_ERRORS.backslash);
    this.#tokenEnd = this.#at + 2;
    if (this.#extended) return { kind: "escape", symbol };
    if (symbol === OPEN) return { kind: "open" };
    if (symbol === CLOSE) return { kind: "close" };
    if (symbol === OPEN_BRACE && !repeats) return { kind: "brace" };
    const token = this.#peekOperator(symbol, repeats);
    return token.kind === "symbol" ? { kind: "escape", symbol } : token;
  }

  /** `+ ? | {`, bare in extended expressions and after a backslash in basic ones. */
  #peekOperator(symbol: number, repeats: boolean): Token {
    if (symbol === PLUS) return { kind: "repeat", min: 1, max: Infinity, symbol };
    if (symbol === QUESTION) return { kind: "repeat", min: 0, max: 1, symbol };
    if (symbol === BAR) return { kind: "or" };
    if (symbol === OPEN_BRACE) return this.#peekInterval(repeats);
    return { kind: "symbol", symbol };
  }

  /** `{m}`, `{m,}`, `{,n}`, `{m,n}` after the brace at `#tokenEnd - 1`. */
  #peekInterval(repeats: boolean): Token {
    if (this.#extended && this.#strict && !repeats) return { kind: "brace" };
    let at = this.#tokenEnd;
    const number = (): number | undefined => {
      let value: number | undefined;
      for (let digit = this.#symbols[at]; digit !== undefined && digit >= 0x30 && digit <= 0x39; digit = this.#symbols[++at]) {
        value = Math.min((value ?? 0) * 10 + (digit - 0x30), MAX_REPEATS + 1);
      }
      return value;
    };
    const min = number();
    let max = min;
    let wellFormed = min !== undefined;
    const hasComma = this.#symbols[at] === COMMA;
    if (hasComma) {
      at++;
      max = number() ?? Infinity;
      wellFormed = true;
    }
    if (!this.#extended && this.#symbols[at] === BACKSLASH) at++;
    else if (!this.#extended) wellFormed = false;
    if (!wellFormed || this.#symbols[at] !== CLOSE_BRACE) {
      const isEmpty = this.#extended && this.#symbols[this.#tokenEnd] === CLOSE_BRACE;
      const hasTwoCommas = hasComma && this.#symbols[at] === COMMA;
      if (repeats && (isEmpty || hasTwoCommas)) throw new PatternError(REGEX_ERRORS.braceContent);
      if (this.#extended && !this.#strict) return { kind: "brace" };
      throw new PatternError(this.#closesBrace() ? REGEX_ERRORS.braceContent : REGEX_ERRORS.brace);
    }
    const least = min ?? 0;
    const most = max ?? least;
    if (most < least) throw new PatternError(REGEX_ERRORS.braceContent);
    if (least > MAX_REPEATS || (most !== Infinity && most > MAX_REPEATS)) throw new PatternError(REGEX_ERRORS.tooBig);
    this.#tokenEnd = at + 1;
    return { kind: "repeat", min: least, max: most, symbol: OPEN_BRACE };
  }

  #closesBrace(): boolean {
    for (let at = this.#tokenEnd; at < this.#symbols.length; at++) {
      if (this.#extended && this.#symbols[at] === CLOSE_BRACE) return true;
      if (this.#symbols[at] === BACKSLASH && this.#symbols[at + 1] === CLOSE_BRACE) return true;
    }
    return false;
  }

  #take(): void {
    this.#at = this.#tokenEnd;
  }
}

/** A pattern without special characters. */
export function fixedTree(pattern: string, dialect: Pick<PosixDialect, "foldCase">): RegexTree {
  const parts = symbolsOf(pattern).map((symbol): RegexTree => {
    const set = oneSymbol(symbol);
    return { kind: "set", set: dialect.foldCase ? foldCase(set) : set };
  });
  return parts.length === 0 ? EMPTY : sequence(parts);
}
