/**
 * Perl-compatible patterns as PCRE2 10.42 reads them (pcre2pattern(3)). Constructs that neither the linear engine nor V8's own
 * can match with the same meaning, nor the backtracking machine, are refused by name: `\X`, `\C`, callouts, the rarer verbs.
 *
 * Over 400 lines: one grammar, one class.
 */
import { PatternError } from "./pattern-error.ts";
import { asciiOnly, escapeClass, folded, posixClass, propertySet, VERTICAL, type PerlClasses } from "./perl-class.ts";
import { fixedLength, somePart, type PerlTree } from "./perl-tree.ts";
import { verbProblem } from "./perl-verbs.ts";
import { symbolsOf } from "./regex-tree.ts";
import { ALL_CHARACTERS, complement, minus, oneSymbol, unionOf, type SymbolSet } from "./symbol-set.ts";

export interface PerlParserOptions {
  readonly foldCase: boolean;
  readonly lineEnd: number;
  /** Given: as PCRE2 10.43 has it with UCP. */
  readonly classes?: PerlClasses;
  /** PCRE2's reading without UTF; the pattern was made of what `wideText` gave. */
  readonly bytesAreCharacters?: boolean;
  /** For texts of many lines (PCRE2_MULTILINE): `^` and `$` match beside newlines, and no symbol is left out. */
  readonly manyLines?: { readonly dotAll: boolean };
}

export interface PerlPattern {
  readonly tree: PerlTree;
  readonly groupCount: number;
  /** Numbers of the groups that have a name. */
  readonly names: ReadonlyMap<string, number>;
}

/** Parses `pattern`. Throws PatternError in PCRE2's words, or in ours for what is not available. */
export function parsePerl(pattern: string, options: PerlParserOptions): PerlPattern {
  const symbols = symbolsOf(pattern);
  const first = new PerlParser(symbols, options);
  const parsed = first.parse();
  // A name may stand before its group: then all are known only now.
  return first.hasOpenNames ? new PerlParser(symbols, options, first.names).parse() : parsed;
}

interface Modes {
  readonly foldCase: boolean;
  readonly dotAll: boolean;
  readonly multiline: boolean;
  readonly extended: boolean;
  readonly ungreedy: boolean;
  readonly noCapture: boolean;
}

/** Stands for a half of a character, where a match is looked for between its bytes: a surrogate, which no text holds. */
export const HALF_CHARACTER = 0xd800;

type Repeat = { readonly min: number; readonly max: number };

class PerlParser {
  readonly #symbols: readonly number[];
  /** Left out of every set; undefined in a text of many lines. */
  readonly #lineEnd: number | undefined;
  readonly #bytesAreCharacters: boolean;
  readonly #classes: PerlClasses | undefined;
  readonly names = new Map<string, number>();
  /** A name was met before its group. */
  hasOpenNames = false;
  readonly #allNames: ReadonlyMap<string, number> | undefined;
  readonly #references: number[] = [];
  #modes: Modes;
  #at = 0;
  #groups = 0;
  #quoting = false;
  /** The atom that was read last may have a quantifier. */
  #isRepeatable = true;

  /** `allNames`: those of the whole pattern, where they are known. */
  constructor(symbols: readonly number[], options: PerlParserOptions, allNames?: ReadonlyMap<string, number>) {
    this.#allNames = allNames;
    this.#classes = options.classes;
    this.#symbols = symbols;
    this.#lineEnd = options.manyLines === undefined ? options.lineEnd : undefined;
    this.#bytesAreCharacters = options.bytesAreCharacters === true;
    const { foldCase, manyLines } = options;
    const [dotAll, multiline] = [manyLines?.dotAll === true, manyLines !== undefined];
    this.#modes = { foldCase, dotAll, multiline, extended: false, ungreedy: false, noCapture: false };
  }

  parse(): PerlPattern {
    const tree = this.#alternatives();
    if (this.#at < this.#symbols.length) throw new PatternError("unmatched closing parenthesis");
    if (this.#references.some((index) => index > this.#groups)) throw new PatternError("reference to non-existent subpattern");
    const problem = verbProblem(tree);
    if (problem !== undefined) throw refused(problem);
    return { tree, groupCount: this.#groups, names: this.names };
  }

  #alternatives(): PerlTree {
    const modes = this.#modes;
    const options: PerlTree[] = [];
    do options.push(this.#branch());
    while (this.#takes("|"));
    this.#modes = modes;
    return options.length === 1 ? (options[0] as PerlTree) : { kind: "choice", options };
  }

  #branch(): PerlTree {
    const parts: PerlTree[] = [];
    for (;;) {
      const symbol = this.#symbols[this.#at];
      if (symbol === undefined || (!this.#quoting && (symbol === BAR || symbol === CLOSE))) return { kind: "sequence", parts };
      const atom = this.#atom(symbol);
      if (atom === undefined) continue;
      parts.push(this.#repeated(atom));
    }
  }

  /** The next atom; undefined for what stands for nothing (comments, options, `\E`). */
  #atom(symbol: number): PerlTree | undefined {
    this.#isRepeatable = true;
    if (this.#quoting) {
      if (this.#takes("\\E")) {
        this.#quoting = false;
        return undefined;
      }
      this.#at++;
      return this.#literal(symbol);
    }
    if (this.#modes.extended && this.#skipsBlank(symbol)) return undefined;
    this.#at++;
    switch (symbol < 0x80 ? String.fromCharCode(symbol) : "") {
      case "\\":
        return this.#escape();
      case "[":
        return this.#bracket();
      case "(": {
        if (this.#looksAt("*")) return this.#verb();
        const tree = this.#parenthesis();
        this.#isRepeatable = true;
        return tree;
      }
      case ".":
        return this.#set(this.#modes.dotAll ? ALL_CHARACTERS : complement(oneSymbol(10)));
      case "^":
        return this.#lineAnchor("line-start");
      case "$":
        return this.#lineAnchor("line-end");
      case "*":
      case "+":
      case "?":
        throw new PatternError("quantifier does not follow a repeatable item");
      case "{":
        this.#at--;
        if (this.#braces() !== undefined) throw new PatternError("quantifier does not follow a repeatable item");
        this.#at++;
    }
    return this.#literal(symbol);
  }

  /** An anchor. In a record that may hold newlines, (?m) lets it match beside each of them too. */
  #lineAnchor(what: "line-start" | "line-end"): PerlTree {
    const anchor: PerlTree = { kind: "assertion", what };
    this.#isRepeatable = false;
    const inText = this.#lineEnd === undefined;
    if (!this.#modes.multiline) return inText && what === "line-end" ? BEFORE_LAST_NEWLINE : anchor;
    if (this.#lineEnd === 10) return anchor;
    const newline: PerlTree = { kind: "set", set: oneSymbol(10) };
    const beside: PerlTree = { kind: "look", ahead: what === "line-end", negative: false, body: newline };
    // Behind a newline that ends the text no line begins.
    const parts = inText && what === "line-start" ? [beside, BEFORE_MORE] : [beside];
    return { kind: "choice", options: [anchor, { kind: "sequence", parts }] };
  }

  #literal(symbol: number): PerlTree {
    const set = folded(oneSymbol(symbol), this.#modes.foldCase);
    return this.#set(set);
  }

  #set(set: SymbolSet): PerlTree {
    return { kind: "set", set: this.#lineEnd === undefined ? set : minus(set, oneSymbol(this.#lineEnd)) };
  }

  /** Passes a blank or a `#` comment under `(?x)`. */
  #skipsBlank(symbol: number): boolean {
    if (symbol === 0x23) {
      while (this.#at < this.#symbols.length && this.#symbols[this.#at] !== 10) this.#at++;
      return true;
    }
    if ((symbol >= 9 && symbol <= 13) || symbol === 0x20) {
      this.#at++;
      return true;
    }
    return false;
  }

  /** One quantifier at the most. Comments and the like may stand before it, and before the `?` or `+` behind it. */
  #repeated(atom: PerlTree): PerlTree {
    const isRepeatable = this.#isRepeatable;
    this.#skipNothings();
    const repeat = this.#quantifier();
    if (repeat === undefined) return atom;
    if (!isRepeatable) throw new PatternError("quantifier does not follow a repeatable item");
    this.#skipNothings();
    const mode = this.#takes("+") ? "possessive" : this.#takes("?") !== this.#modes.ungreedy ? "lazy" : "greedy";
    return { kind: "repeat", body: atom, ...repeat, mode };
  }

  /** Passes what stands for nothing: `(?#…)`, `\E`, `\Q\E`, and blanks and comments under `(?x)`. */
  #skipNothings(): void {
    for (;;) {
      const symbol = this.#symbols[this.#at];
      if (symbol === undefined) return;
      if (this.#takes("\\E")) this.#quoting = false;
      else if (this.#quoting) return;
      else if (this.#takes("(?#")) this.#comment();
      else if (!this.#takes("\\Q\\E") && !(this.#modes.extended && this.#skipsBlank(symbol))) return;
    }
  }

  #comment(): void {
    while (this.#symbols[this.#at] !== CLOSE) if (this.#at++ >= this.#symbols.length) throw new PatternError("missing ) after (?# comment");
    this.#at++;
  }

  #quantifier(): Repeat | undefined {
    if (this.#quoting) return undefined;
    if (this.#takes("*")) return { min: 0, max: Infinity };
    if (this.#takes("+")) return { min: 1, max: Infinity };
    if (this.#takes("?")) return { min: 0, max: 1 };
    return this.#braces();
  }

  /** `{m}`, `{m,}`, `{m,n}`, and for PCRE2 10.43 `{,n}` and blanks; anything else in braces is itself. */
  #braces(): Repeat | undefined {
    const rest = this.#ahead(24);
    const found = (this.#classes === undefined ? BRACES : BRACES_SINCE_43).exec(rest);
    if (found === null || (found[1] === "" && (found[3] ?? "") === "")) return undefined;
    const min = Number(found[1]);
    const max = found[2] === undefined ? min : found[3] === "" ? Infinity : Number(found[3]);
    if (min > 65535 || (max !== Infinity && max > 65535)) throw new PatternError("number too big in {} quantifier");
    if (max < min) throw new PatternError("numbers out of order in {} quantifier");
    this.#at += found[0].length;
    return { min, max };
  }

  #parenthesis(): PerlTree | undefined {
    if (!this.#takes("?")) return this.#modes.noCapture ? this.#closed(this.#alternatives()) : this.#capture();
    if (this.#takes("#")) {
      this.#comment();
      return undefined;
    }
    if (this.#takes(":")) return this.#closed(this.#alternatives());
    if (this.#takes("=")) return this.#look(true, false);
    if (this.#takes("!")) return this.#look(true, true);
    if (this.#takes("<=")) return this.#look(false, false);
    if (this.#takes("<!")) return this.#look(false, true);
    if (this.#takes(">")) return { kind: "atomic", body: this.#closed(this.#alternatives()) };
    if (this.#takes("|")) return this.#closed(this.#branchReset());
    if (this.#takes("P=")) return this.#namedReference(")");
    if (this.#takes("P>") || this.#takes("&")) return this.#recursion(this.#groupNamed(this.#name(")")));
    if (this.#takes("R")) {
      if (!this.#takes(")")) throw new PatternError("(?R (recursive pattern call) must be followed by a closing parenthesis");
      return this.#recursion(0);
    }
    const number = /^[-+]?[0-9]+/.exec(this.#ahead(8))?.[0];
    if (number !== undefined) {
      this.#at += number.length;
      return this.#closed(this.#recursion(this.#groupNumbered(number)));
    }
    if (this.#takes("(")) return this.#condition();
    if (this.#looksAt("C")) throw refused("a callout, (?C)");
    if (this.#takes("P<") || this.#takes("<")) return this.#capture(this.#name(">"));
    if (this.#takes("'")) return this.#capture(this.#name("'"));
    return this.#options();
  }

  #capture(name?: string): PerlTree {
    const index = ++this.#groups;
    if (name !== undefined) {
      const other = [...this.names].find(([known, number]) => number === index && known !== name);
      if (other !== undefined) throw new PatternError("different names for subpatterns of the same number are not allowed");
      if (this.names.has(name) && this.names.get(name) !== index)
        throw new PatternError("two named subpatterns have the same name (PCRE2_DUPNAMES not set)");
      this.names.set(name, index);
    }
    return { kind: "group", index, body: this.#closed(this.#alternatives()) };
  }

  #closed(body: PerlTree): PerlTree {
    if (!this.#takes(")")) throw new PatternError("missing closing parenthesis");
    return body;
  }

  #look(ahead: boolean, negative: boolean): Look {
    const body = this.#closed(this.#alternatives());
    if (!ahead) {
      const options = body.kind === "choice" ? body.options : [body];
      if (somePart(body, ({ kind }) => kind === "recursion" || kind === "back-reference"))
        throw refused("a recursion or reference inside a look-behind");
      if (options.some((option) => fixedLength(option) === undefined)) throw new PatternError("lookbehind assertion is not fixed length");
    }
    if (somePart(body, ({ kind }) => kind === "keep"))
      throw new PatternError("\\K is not allowed in lookarounds (but see PCRE2_EXTRA_ALLOW_LOOKAROUND_BSK)");
    return { kind: "look", ahead, negative, body };
  }

  /** The alternatives of `(?|…)`, whose groups have the same numbers in each. */
  #branchReset(): PerlTree {
    const modes = this.#modes;
    const before = this.#groups;
    let most = before;
    const options: PerlTree[] = [];
    do {
      this.#groups = before;
      options.push(this.#branch());
      most = Math.max(most, this.#groups);
    } while (this.#takes("|"));
    this.#groups = most;
    this.#modes = modes;
    return { kind: "choice", options };
  }

  /** `(*VERB)`, `(*pla:…)`; `#at` is at the star. */
  #verb(): PerlTree {
    const [text, name = "", more] = /^\*([A-Za-z_]*)([:=)]?)/.exec(this.#ahead(40)) as RegExpExecArray;
    this.#at += text.length;
    this.#isRepeatable = more !== ")";
    if (more === ")" && (name === "F" || name === "FAIL")) return { kind: "assertion", what: "never" };
    const what = more === ")" && Object.hasOwn(VERBS, name) ? VERBS[name] : undefined;
    if (what !== undefined) return { kind: "verb", what };
    const assertion = more === ":" ? ASSERTION_NAMES[name] : undefined;
    if (assertion !== undefined) {
      const tree: PerlTree =
        assertion === "atomic"
          ? { kind: "atomic", body: this.#closed(this.#alternatives()) }
          : this.#look(assertion.ahead, assertion.negative);
      this.#isRepeatable = true;
      return tree;
    }
    if (!OTHER_VERBS.test(name)) throw new PatternError("(*VERB) not recognized or malformed");
    throw refused(`(*${name}${more === ")" ? "" : more}…)`.replace(/(\w)…\)$/, "$1)"));
  }

  #recursion(index: number): PerlTree {
    if (index > 0) this.#references.push(index);
    return { kind: "recursion", index };
  }

  #groupNumbered(text: string): number {
    const index = text.startsWith("-")
      ? this.#groups + 1 + Number(text)
      : text.startsWith("+")
        ? this.#groups + Number(text)
        : Number(text);
    if (index < 0 || (index < 1 && /^[-+]/.test(text))) throw new PatternError("reference to non-existent subpattern");
    return index;
  }

  #groupNamed(name: string): number {
    const index = this.names.get(name) ?? this.#allNames?.get(name);
    if (index !== undefined) return index;
    if (this.#allNames !== undefined) throw new PatternError("reference to non-existent subpattern");
    this.hasOpenNames = true;
    return 0;
  }

  /** `(?(…)yes|no)`, from behind the second parenthesis on. */
  #condition(): PerlTree {
    const test = this.#conditionTest();
    const modes = this.#modes;
    const yes = this.#branch();
    const no: PerlTree = this.#takes("|") ? this.#branch() : { kind: "sequence", parts: [] };
    if (this.#looksAt("|")) throw new PatternError("conditional subpattern contains more than two branches");
    if (test.kind === "never" && no.kind === "sequence" && no.parts.length > 0)
      throw new PatternError("DEFINE subpattern contains more than one branch");
    this.#modes = modes;
    return this.#closed({ kind: "condition", test, yes, no });
  }

  #conditionTest(): Extract<PerlTree, { kind: "condition" }>["test"] {
    if (this.#takes("?=")) return this.#look(true, false);
    if (this.#takes("?!")) return this.#look(true, true);
    if (this.#takes("?<=")) return this.#look(false, false);
    if (this.#takes("?<!")) return this.#look(false, true);
    if (this.#looksAt("?") || this.#looksAt("*") || this.#looksAt("VERSION")) throw refused("this condition, (?(…)…)");
    if (this.#takes("DEFINE)")) return { kind: "never" };
    const inRecursion = /^R([0-9]*)\)/.exec(this.#ahead(8));
    if (inRecursion !== null) {
      this.#at += inRecursion[0].length;
      if (inRecursion[1] === "") return { kind: "recursion", index: undefined };
      this.#references.push(Number(inRecursion[1]));
      return { kind: "recursion", index: Number(inRecursion[1]) };
    }
    if (this.#takes("R&")) return { kind: "recursion", index: this.#groupNamed(this.#name(")")) };
    const number = /^[-+]?[0-9]+/.exec(this.#ahead(8))?.[0];
    let index: number;
    if (number !== undefined) {
      this.#at += number.length;
      if (!this.#takes(")")) throw new PatternError("missing closing parenthesis for condition");
      index = this.#groupNumbered(number);
      if (index === 0) throw new PatternError("invalid condition (?(0)");
    } else if (this.#takes("<")) index = this.#groupNamed(this.#closedName(">"));
    else if (this.#takes("'")) index = this.#groupNamed(this.#closedName("'"));
    else index = this.#groupNamed(this.#name(")"));
    this.#references.push(index);
    return { kind: "group", index };
  }

  #closedName(end: string): string {
    const name = this.#name(end);
    if (!this.#takes(")")) throw new PatternError("missing closing parenthesis for condition");
    return name;
  }

  /** `(?i)`, `(?i-s:…)`. */
  #options(): PerlTree | undefined {
    const before = this.#modes;
    let modes = { ...before };
    let on = true;
    for (;;) {
      const letter = String.fromCodePoint(this.#symbols[this.#at++] ?? 0);
      if (letter === "-") on = false;
      else if (letter === "^") modes = { ...modes, foldCase: false, multiline: false, dotAll: false, extended: false, noCapture: false };
      else if (letter === "i") modes.foldCase = on;
      else if (letter === "s") modes.dotAll = on;
      else if (letter === "m") modes.multiline = on;
      else if (letter === "x") modes.extended = on;
      else if (letter === "U") modes.ungreedy = on;
      else if (letter === "n") modes.noCapture = on;
      else if (letter === "J") throw refused("(?J)");
      else if (letter === ")") {
        this.#modes = modes;
        return undefined;
      } else if (letter === ":") {
        this.#modes = modes;
        const body = this.#closed(this.#alternatives());
        this.#modes = before;
        return body;
      } else throw new PatternError("unrecognized character after (? or (?-");
    }
  }

  #name(end: string): string {
    let name = "";
    for (
      let symbol = this.#symbols[this.#at];
      symbol !== undefined && /\w/.test(String.fromCodePoint(symbol));
      symbol = this.#symbols[++this.#at]
    ) {
      name += String.fromCodePoint(symbol);
    }
    if (name === "") throw new PatternError("subpattern name expected");
    if (/^[0-9]/.test(name)) throw new PatternError("subpattern name must start with a non-digit");
    if (!this.#takes(end)) throw new PatternError("syntax error in subpattern name (missing terminator?)");
    return name;
  }

  #namedReference(end: string): PerlTree {
    return this.#reference(this.#groupNamed(this.#name(end)));
  }

  #reference(index: number): PerlTree {
    this.#references.push(index);
    return { kind: "back-reference", index, foldCase: this.#modes.foldCase };
  }

  /** Reads an escape outside a bracket, from the character after the backslash on. */
  #escape(): PerlTree | undefined {
    const symbol = this.#symbols[this.#at];
    if (symbol === undefined) throw new PatternError("\\ at end of pattern");
    const letter = symbol < 0x80 ? String.fromCharCode(symbol) : "";
    const set = escapeClass(letter, this.#classes);
    if (set !== undefined) {
      this.#at++;
      // PCRE2 10.42, as grep runs it, never finds a character past ASCII with these outside of brackets, but in the locale C.
      return this.#set("DSW".includes(letter) && this.#classes === undefined && !this.#bytesAreCharacters ? asciiOnly(set) : set);
    }
    if (letter >= "1" && letter <= "9") {
      const digits = (/^[0-9]+/.exec(this.#ahead(4)) as RegExpExecArray)[0];
      if (digits.length === 1 || letter >= "8" || Number(digits) <= this.#groups) {
        this.#at += digits.length;
        return this.#reference(Number(digits));
      }
    }
    this.#at++;
    if (letter !== "" && "bBAzZKG".includes(letter)) this.#isRepeatable = false;
    switch (letter) {
      case "Q":
        this.#quoting = true;
        return undefined;
      case "E":
        return undefined;
      case "b":
        return this.#wordEdge("word-edge");
      case "B":
        return this.#wordEdge("not-word-edge");
      case "A":
        return { kind: "assertion", what: "line-start" };
      case "z":
        return { kind: "assertion", what: "line-end" };
      case "Z":
        return this.#lineEnd === 10 ? { kind: "assertion", what: "line-end" } : BEFORE_LAST_NEWLINE;
      case "G":
        return { kind: "search-start" };
      case "K":
        return { kind: "keep" };
      case "N":
        if (this.#looksAt("{")) throw new PatternError("PCRE2 does not support \\F, \\L, \\l, \\N{name}, \\U, or \\u");
        return this.#set(complement(oneSymbol(10)));
      case "R": {
        const pair: PerlTree = { kind: "sequence", parts: [this.#set(oneSymbol(13)), this.#set(oneSymbol(10))] };
        return { kind: "atomic", body: { kind: "choice", options: [pair, this.#set(VERTICAL)] } };
      }
      case "p":
      case "P":
        return this.#set(this.#property(letter === "P"));
      case "X":
      case "C":
        throw refused(`\\${letter}`);
      case "g":
        return this.#gReference();
      case "k":
        if (this.#takes("<")) return this.#namedReference(">");
        if (this.#takes("'")) return this.#namedReference("'");
        if (this.#takes("{")) return this.#namedReference("}");
        throw new PatternError("\\k is not followed by a braced, angle-bracketed, or quoted name");
    }
    this.#at--;
    return this.#literal(this.#character());
  }

  /** Between the bytes of a character neither holds (PCRE2_MATCH_INVALID_UTF). */
  #wordEdge(what: "word-edge" | "not-word-edge"): PerlTree {
    const edge: PerlTree = { kind: "assertion", what };
    return this.#lineEnd === undefined ? { kind: "sequence", parts: [NO_HALF_BEFORE, NO_HALF_AFTER, edge] } : edge;
  }

  /** `\g1`, `\g{1}`, `\g{-1}`, `\g{name}`. */
  #gReference(): PerlTree {
    for (const [open, close] of [
      ["<", ">"],
      ["'", "'"],
    ] as const) {
      if (!this.#takes(open)) continue;
      const number = /^[-+]?[0-9]+/.exec(this.#ahead(8))?.[0];
      if (number === undefined) return this.#recursion(this.#groupNamed(this.#name(close)));
      this.#at += number.length;
      if (!this.#takes(close))
        throw new PatternError("\\g is not followed by a braced, angle-bracketed, or quoted name/number or by a plain number");
      return this.#recursion(this.#groupNumbered(number));
    }
    const numbered = /^(?:\{([-+]?[0-9]+)\}|([-+]?[0-9]+))/.exec(this.#ahead(12));
    if (numbered === null) {
      if (!this.#takes("{")) throw new PatternError("a numbered reference must not be zero");
      return this.#namedReference("}");
    }
    this.#at += numbered[0].length;
    const index = this.#groupNumbered(numbered[1] ?? numbered[2] ?? "");
    if (index < 1) throw new PatternError("reference to non-existent subpattern");
    return this.#reference(index);
  }

  /** After `\p` or `\P`. */
  #property(negated: boolean): SymbolSet {
    let name = String.fromCodePoint(this.#symbols[this.#at++] ?? 0);
    if (name === "{") {
      name = "";
      for (let symbol = this.#symbols[this.#at++]; symbol !== 0x7d; symbol = this.#symbols[this.#at++]) {
        if (symbol === undefined) throw new PatternError("malformed \\P or \\p sequence");
        name += String.fromCodePoint(symbol);
      }
    }
    const set = propertySet(name);
    return negated ? complement(set) : set;
  }

  /** A single character written as an escape; `#at` is after the backslash. */
  #character(): number {
    const symbol = this.#symbols[this.#at] as number;
    const letter = symbol < 0x80 ? String.fromCharCode(symbol) : "";
    this.#at++;
    const simple = SIMPLE_ESCAPES[letter];
    if (simple !== undefined) return simple;
    if (letter === "c") {
      const control = this.#symbols[this.#at++];
      if (control === undefined) throw new PatternError("\\c at end of pattern");
      return (control >= 0x61 && control <= 0x7a ? control - 32 : control) ^ 0x40;
    }
    if (letter === "x") return this.#numeric(/^\{([0-9A-Fa-f]+)\}/, /^([0-9A-Fa-f]{0,2})/, 16);
    if (letter === "o") return this.#numeric(/^\{([0-7]+)\}/, /^(?!)/, 8);
    if (letter >= "0" && letter <= "7") {
      this.#at--;
      return this.#numeric(/^(?!)/, /^([0-7]{1,3})/, 8);
    }
    if (/[A-Za-z0-9]/.test(letter)) {
      if ("FLlUu".includes(letter)) throw new PatternError("PCRE2 does not support \\F, \\L, \\l, \\N{name}, \\U, or \\u");
      throw new PatternError("unrecognized character follows \\");
    }
    return symbol;
  }

  #numeric(braced: RegExp, bare: RegExp, radix: number): number {
    const rest = this.#ahead(12);
    const found = braced.exec(rest) ?? bare.exec(rest);
    if (found === null) throw new PatternError("missing opening brace after \\o");
    this.#at += found[0].length;
    const value = parseInt(found[1] === "" ? "0" : (found[1] as string), radix);
    if (value > 0x10ffff) throw new PatternError("character code point value in \\x{} or \\o{} is too large");
    return value;
  }

  #bracket(): PerlTree {
    const negated = this.#takes("^");
    const sets: SymbolSet[] = [];
    let quoting = false;
    for (let first = true; ; first = false) {
      const symbol = this.#symbols[this.#at];
      if (symbol === undefined) throw new PatternError("missing terminating ] for character class");
      if (quoting ? this.#takes("\\E") : this.#takes("\\Q")) {
        quoting = !quoting;
        continue;
      }
      if (symbol === CLOSE_BRACKET && !first && !quoting) break;
      const item = quoting ? this.#plain() : this.#bracketItem();
      if (item === undefined) continue;
      const rangeFollows =
        !quoting &&
        this.#symbols[this.#at] === HYPHEN &&
        this.#symbols[this.#at + 1] !== CLOSE_BRACKET &&
        this.#symbols[this.#at + 1] !== undefined;
      if (!rangeFollows) {
        sets.push(typeof item === "number" ? folded(oneSymbol(item), this.#modes.foldCase) : item);
        continue;
      }
      this.#at++;
      const last = this.#bracketItem();
      if (typeof item !== "number" || typeof last !== "number") throw new PatternError("invalid range in character class");
      if (last < item) throw new PatternError("range out of order in character class");
      sets.push(folded([item, last], this.#modes.foldCase));
    }
    this.#at++;
    const set = unionOf(sets);
    return this.#set(negated ? complement(set) : set);
  }

  #plain(): number {
    return this.#symbols[this.#at++] as number;
  }

  /** One character (a number) or class (a set) in brackets; undefined for a stray `\E`. */
  #bracketItem(): number | SymbolSet | undefined {
    const symbol = this.#plain();
    if (symbol === OPEN_BRACKET) {
      const named = /^:(\^?[a-z]+):\]/.exec(this.#ahead(20));
      if (named === null) return symbol;
      this.#at += named[0].length;
      return posixClass(named[1] as string, this.#modes.foldCase, this.#classes);
    }
    if (symbol !== BACKSLASH) return symbol;
    const next = this.#symbols[this.#at];
    if (next === undefined) throw new PatternError("\\ at end of pattern");
    const letter = next < 0x80 ? String.fromCharCode(next) : "";
    const set = escapeClass(letter, this.#classes);
    if (set !== undefined) {
      this.#at++;
      return set;
    }
    if (letter === "p" || letter === "P") {
      this.#at++;
      return this.#property(letter === "P");
    }
    if (letter === "b") {
      this.#at++;
      return 8;
    }
    if (letter === "E") {
      this.#at++;
      return undefined;
    }
    if ("BRXN".includes(letter) && letter !== "") throw new PatternError("escape sequence is invalid in character class");
    return this.#character();
  }

  #ahead(count: number): string {
    return this.#symbols
      .slice(this.#at, this.#at + count)
      .map((symbol) => (symbol < 0x80 ? String.fromCharCode(symbol) : "\u0100"))
      .join("");
  }

  #looksAt(text: string): boolean {
    return this.#ahead(text.length) === text;
  }

  #takes(text: string): boolean {
    if (!this.#looksAt(text)) return false;
    this.#at += text.length;
    return true;
  }
}

const BRACES = /^\{([0-9]+)(,([0-9]*))?\}/;
const BRACES_SINCE_43 = /^\{[ \t]*([0-9]*)[ \t]*(,[ \t]*([0-9]*)[ \t]*)?\}/;

const [BACKSLASH, BAR, CLOSE, OPEN_BRACKET, CLOSE_BRACKET, HYPHEN] = [0x5c, 0x7c, 0x29, 0x5b, 0x5d, 0x2d];

type Look = Extract<PerlTree, { kind: "look" }>;

const VERBS: Readonly<Record<string, "commit" | "prune" | "skip">> = { COMMIT: "commit", PRUNE: "prune", SKIP: "skip" };
/** Verbs and settings that are known and not done. */
const OTHER_VERBS =
  /^(?:COMMIT|PRUNE|SKIP|THEN|ACCEPT|MARK|FAIL|F|UTF|UCP|CR|LF|CRLF|ANYCRLF|ANY|NUL|BSR_\w+|NO_\w+|NOTEMPTY\w*|LIMIT_\w+|napla|naplb|non_atomic_\w+|sr|asr|script_run|atomic_script_run)?$/;
const AHEAD = { ahead: true, negative: false };
const NOT_AHEAD = { ahead: true, negative: true };
const BEHIND = { ahead: false, negative: false };
const NOT_BEHIND = { ahead: false, negative: true };
const ASSERTION_NAMES: Readonly<Record<string, "atomic" | Pick<Look, "ahead" | "negative">>> = {
  pla: AHEAD,
  positive_lookahead: AHEAD,
  nla: NOT_AHEAD,
  negative_lookahead: NOT_AHEAD,
  plb: BEHIND,
  positive_lookbehind: BEHIND,
  nlb: NOT_BEHIND,
  negative_lookbehind: NOT_BEHIND,
  atomic: "atomic",
};

const LINE_END: PerlTree = { kind: "assertion", what: "line-end" };
const BEFORE_MORE: PerlTree = { kind: "look", ahead: true, negative: true, body: LINE_END };
const HALF: PerlTree = { kind: "set", set: oneSymbol(HALF_CHARACTER) };
const NO_HALF_BEFORE: PerlTree = { kind: "look", ahead: false, negative: true, body: HALF };
const NO_HALF_AFTER: PerlTree = { kind: "look", ahead: true, negative: true, body: HALF };
/** `\Z` in a record that may hold newlines. */
const BEFORE_LAST_NEWLINE: PerlTree = {
  kind: "choice",
  options: [
    LINE_END,
    { kind: "look", ahead: true, negative: false, body: { kind: "sequence", parts: [{ kind: "set", set: oneSymbol(10) }, LINE_END] } },
  ],
};

const SIMPLE_ESCAPES: Readonly<Record<string, number>> = { a: 7, e: 27, f: 12, n: 10, r: 13, t: 9 };

function refused(what: string): PatternError {
  return new PatternError(`-P: ${what} is not available here; try it another way, or with -E`);
}
