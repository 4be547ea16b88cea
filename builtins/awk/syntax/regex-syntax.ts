/** awk's regular expressions as trees: POSIX extended ones with awk's escapes, as gawk hands them to glibc (RE_SYNTAX_GNU_AWK). */
import { wideText } from "../../../src/regex/byte-characters.ts";
import { readBracket } from "../../../src/regex/bracket-expression.ts";
import { foldCase, NOT_WHITE_SPACE, notWordCharacters, WHITE_SPACE, wordCharacters } from "../../../src/regex/character-class.ts";
import { PatternError, REGEX_ERRORS } from "../../../src/regex/pattern-error.ts";
import type { ParsedRegex } from "../../../src/regex/posix-parser.ts";
import { assertion, choice, sequence, symbolsOf, type RegexTree } from "../../../src/regex/regex-tree.ts";
import { ALL_CHARACTERS, oneSymbol, type SymbolSet } from "../../../src/regex/symbol-set.ts";
import { toText } from "../../../src/io/text.ts";
import { readNumberedEscape } from "./escapes.ts";

export interface RegexOptions {
  readonly foldCase: boolean;
  /** Every byte is a character: those past ASCII are the ones that `wideBytes` makes of them. */
  readonly bytesAreCharacters?: boolean;
  /** `^` matches nowhere: what is looked in does not begin where the input does. */
  readonly isInside?: boolean;
  /** Told of escapes that mean nothing. */
  readonly warn: (message: string) => void;
}

/** Parses `source` (one unit per byte). Throws PatternError with glibc's words. */
export function parseRegex(source: string, options: RegexOptions): ParsedRegex {
  warnOfBareClasses(source, options);
  const bytes = withoutTripleHyphens(withNumberedBytes(source, options));
  const symbols = options.bytesAreCharacters ? symbolsOf(wideText(bytes)) : symbolsOf(toText(Buffer.from(bytes, "latin1")));
  return new RegexParser(symbols, options).parse();
}

const CLASSES: ReadonlySet<string> = new Set(
  "alpha digit alnum upper lower space xdigit punct print graph cntrl blank".split(" ").map((name) => `[:${name}:]`),
);

/** `[:alpha:]` alone holds a colon and some letters. */
function warnOfBareClasses(source: string, { warn }: RegexOptions): void {
  if (!source.includes("[:")) return;
  let open = 0;
  let start = 0;
  for (let at = 0; at < source.length; at++) {
    if (source[at] === "[" && open++ === 0) start = at;
    if (source[at] !== "]" || open === 0 || --open > 0) continue;
    const bracket = source.slice(start, at + 1);
    if (CLASSES.has(bracket)) warn(`regexp component \`${bracket}' should probably be \`[${bracket}]'`);
  }
}

/**
 * `\052` and `\x2a` are the byte itself, before anything is said of what it means: `a\052` is `a*`. What escapes mean nothing
 * is said in the same pass, of brackets too and of bytes, as gawk does.
 */
function withNumberedBytes(source: string, { warn }: RegexOptions): string {
  if (!source.includes("\\")) return source;
  let out = "";
  for (let at = 0; at < source.length; ) {
    if (source[at] !== "\\") {
      out += source[at++];
      continue;
    }
    const escape = at + 1 < source.length ? readNumberedEscape(source, at, warn) : undefined;
    const letter = source[at + 1] ?? "";
    if (escape === undefined && !KNOWN.includes(letter)) {
      const isDigit = letter === "8" || letter === "9";
      warn(`regexp escape sequence \`\\${letter}' ${isDigit ? `treated as plain \`${letter}'` : "is not a known regexp operator"}`);
    }
    out += escape?.text ?? source.slice(at, at + 2);
    at = escape?.next ?? at + 2;
  }
  return out;
}

/** In brackets `---` is a hyphen. */
function withoutTripleHyphens(source: string): string {
  if (!source.includes("---")) return source;
  return source.replace(/\[\^?\]?(?:\\.|[^\]\\])*\]/gs, (bracket) => bracket.replace("---", "\\-"));
}

const MAX_REPEATS = 0x7fff;
const MAX_DEPTH = 1000;

const SIMPLE_ESCAPES: ReadonlyMap<string, number> = new Map([
  ["a", 7],
  ["b", 8],
  ["f", 12],
  ["n", 10],
  ["r", 13],
  ["t", 9],
  ["v", 11],
]);

/** Characters that gawk accepts after a backslash without a warning. */
const KNOWN = "\\/^$.[]|()*+?{}-<>`'BywWsSabfnrtv";

class RegexParser {
  readonly #symbols: readonly number[];
  readonly #options: RegexOptions;
  #at = 0;
  #groups = 0;
  #depth = 0;

  constructor(symbols: readonly number[], options: RegexOptions) {
    this.#symbols = symbols;
    this.#options = options;
  }

  parse(): ParsedRegex {
    const tree = this.#alternatives();
    return { tree, groupCount: this.#groups };
  }

  #peek(): string {
    const symbol = this.#symbols[this.#at];
    return symbol === undefined ? "" : symbol < 0x80 ? String.fromCharCode(symbol) : "\u0080";
  }

  #alternatives(): RegexTree {
    const options = [this.#branch()];
    while (this.#peek() === "|") {
      this.#at++;
      options.push(this.#branch());
    }
    return choice(options);
  }

  #branch(): RegexTree {
    const parts: RegexTree[] = [];
    for (;;) {
      const next = this.#peek();
      if (next === "" || next === "|" || (next === ")" && this.#depth > 0)) return sequence(parts);
      const before = parts.at(-1);
      const atom = this.#atom();
      // What asserts cannot be repeated: an operator after it is a character.
      const repeated = atom.kind === "assertion" ? atom : this.#repeated(atom);
      if (repeated.kind === "assertion" && before === undefined && /[*+?]/.test(this.#peek())) {
        parts.push(repeated, this.#literal(this.#symbols[this.#at++] as number));
        const last = parts.pop() as RegexTree;
        parts.push(this.#repeated(last));
      } else parts.push(repeated);
    }
  }

  #literal(symbol: number): RegexTree {
    return this.#set(oneSymbol(symbol));
  }

  #set(set: SymbolSet): RegexTree {
    return { kind: "set", set: this.#options.foldCase ? foldCase(set) : set };
  }

  #atom(): RegexTree {
    const symbol = this.#symbols[this.#at] as number;
    const letter = this.#peek();
    switch (letter) {
      case "^":
        this.#at++;
        return this.#start();
      case "$":
        this.#at++;
        return assertion("line-end");
      case ".":
        this.#at++;
        return { kind: "set", set: ALL_CHARACTERS };
      case "[":
        return this.#bracket();
      case "(":
        return this.#group();
      case "\\":
        return this.#escape();
      default:
        // Operators with nothing to repeat are characters, and so is a brace that begins no interval.
        this.#at++;
        return this.#literal(symbol);
    }
  }

  #start(): RegexTree {
    return this.#options.isInside ? { kind: "set", set: [] } : assertion("line-start");
  }

  #group(): RegexTree {
    this.#at++;
    const index = ++this.#groups;
    if (++this.#depth > MAX_DEPTH) throw new PatternError(REGEX_ERRORS.tooBig);
    const body = this.#alternatives();
    if (this.#peek() !== ")") throw new PatternError(REGEX_ERRORS.parenthesis);
    this.#at++;
    this.#depth--;
    return { kind: "group", index, body };
  }

  #bracket(): RegexTree {
    const { foldCase: folds } = this.#options;
    const { set, next } = readBracket(this.#symbols, this.#at + 1, {
      foldCase: folds,
      mayBeBareClass: true,
      escape: (_, at) => this.#bracketEscape(at),
    });
    this.#at = next;
    return { kind: "set", set };
  }

  #bracketEscape(at: number): { symbol: number; next: number } | undefined {
    if (this.#symbols[at] !== 0x5c) return undefined;
    const symbol = this.#symbols[at + 1];
    if (symbol === undefined) throw new PatternError(REGEX_ERRORS.bracket);
    const letter = symbol < 0x80 ? String.fromCharCode(symbol) : "";
    return { symbol: SIMPLE_ESCAPES.get(letter) ?? symbol, next: at + 2 };
  }

  #escape(): RegexTree {
    const symbol = this.#symbols[this.#at + 1];
    if (symbol === undefined) throw new PatternError(REGEX_ERRORS.backslash);
    this.#at += 2;
    const letter = symbol < 0x80 ? String.fromCharCode(symbol) : "";
    switch (letter) {
      case "y":
        return assertion("word-edge");
      case "B":
        return assertion("not-word-edge");
      case "<":
        return assertion("word-start");
      case ">":
        return assertion("word-end");
      case "`":
        return this.#start();
      case "'":
        return assertion("line-end");
      case "w":
        return { kind: "set", set: wordCharacters() };
      case "W":
        return { kind: "set", set: notWordCharacters() };
      case "s":
        return { kind: "set", set: WHITE_SPACE };
      case "S":
        return { kind: "set", set: NOT_WHITE_SPACE };
    }
    const simple = SIMPLE_ESCAPES.get(letter);
    if (simple !== undefined) return this.#literal(simple);
    return this.#literal(symbol);
  }

  #repeated(atom: RegexTree): RegexTree {
    let tree = atom;
    for (;;) {
      const letter = this.#peek();
      if (letter === "*") tree = { kind: "repeat", body: tree, min: 0, max: Infinity };
      else if (letter === "+") tree = { kind: "repeat", body: tree, min: 1, max: Infinity };
      else if (letter === "?") tree = { kind: "repeat", body: tree, min: 0, max: 1 };
      else if (letter === "{") {
        const interval = this.#interval();
        if (interval === undefined) return tree;
        tree = { kind: "repeat", body: tree, ...interval };
        continue;
      } else return tree;
      this.#at++;
    }
  }

  /** `{m}`, `{m,}`, `{,n}`, `{m,n}`; undefined where the brace is a character. */
  #interval(): { min: number; max: number } | undefined {
    const text = String.fromCharCode(...this.#symbols.slice(this.#at, this.#at + 20).map((symbol) => (symbol < 0x80 ? symbol : 0x2028)));
    const [all, low = "", comma, high = ""] = /^\{([0-9]*)(,?)([0-9]*)\}/.exec(text) ?? [];
    if (/^\{[0-9]*,[0-9]*,/.test(text)) throw new PatternError(REGEX_ERRORS.braceContent);
    if (all === undefined) return undefined;
    if (all === "{}") throw new PatternError(REGEX_ERRORS.braceContent);
    const min = low === "" ? 0 : Number(low);
    const max = comma === "" ? min : high === "" ? Infinity : Number(high);
    if (max < min) throw new PatternError(REGEX_ERRORS.braceContent);
    if (min > MAX_REPEATS || (max !== Infinity && max > MAX_REPEATS)) throw new PatternError(REGEX_ERRORS.tooBig);
    this.#at += all.length;
    return { min, max };
  }
}
