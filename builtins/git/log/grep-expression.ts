/** The patterns of git grep as one question about a line: `-e A --and --not -e B`, parentheses, and several as alternatives. */
import type { MayHold } from "../../../src/workspace/contract.ts";
import { PatternError } from "../../../src/regex/pattern-error.ts";
import { mayHold } from "../../../src/search/candidates.ts";
import { LineSearch } from "../../../src/search/line-search.ts";
import { compilePerl } from "../../../src/regex/perl-matcher.ts";
import { compilePosix, type LineMatcher } from "../../../src/regex/posix-matcher.ts";
import { toWord } from "../objects/byte-text.ts";
import { GitError } from "../git-error.ts";

export type GrepToken =
  | { readonly kind: "pattern"; readonly text: string; readonly from: string }
  | { readonly kind: "and" | "or" | "not" | "open" | "close" };

export interface GrepSyntax {
  readonly syntax: "basic" | "extended" | "fixed" | "perl";
  readonly foldCase: boolean;
  readonly words: boolean;
}

type Expression =
  | { readonly kind: "atom"; readonly matcher: LineMatcher }
  | { readonly kind: "not"; readonly of: Expression }
  | { readonly kind: "and" | "or"; readonly left: Expression; readonly right: Expression };

/** A place in a line, from 0, and where it ends. */
export interface Match {
  readonly start: number;
  readonly end: number;
}

export class GrepExpression {
  readonly #expression: Expression;
  /** All the patterns, for what -o prints. */
  readonly #atoms: readonly LineMatcher[];
  /** One matcher that answers for all: there is nothing but alternatives. */
  readonly plain: LineMatcher | undefined;
  /** By it files are searched that mostly have nothing. */
  readonly #search: LineSearch | undefined;
  readonly #terms: readonly Expression[];

  /** Throws GitError. */
  constructor(tokens: readonly GrepToken[], { syntax, foldCase, words }: GrepSyntax) {
    const extent = words ? "word" : "any";
    const compiled = (patterns: readonly { readonly text: string; readonly from: string }[]): LineMatcher => {
      const [first] = patterns;
      try {
        if (syntax === "perl") return compilePerl([toWord(first?.text ?? "")], { foldCase, extent, lineEnd: 10 });
        return compilePosix(
          patterns.map(({ text }) => toWord(text)),
          { syntax, foldCase, extent },
        );
      } catch (thrown) {
        if (!(thrown instanceof PatternError)) throw thrown;
        throw new GitError(`${first?.from ?? "command line"}, '${first?.text ?? ""}': ${thrown.message}`);
      }
    };
    const parser = new Parser(tokens, (token) => compiled([token]));
    this.#expression = parser.parse();
    this.#atoms = parser.atoms;
    this.#terms = parser.terms;
    const patterns = tokens.flatMap((token) => (token.kind === "pattern" ? [token] : []));
    this.plain = patterns.length === tokens.length && (syntax !== "perl" || patterns.length === 1) ? compiled(patterns) : undefined;
    this.#search = this.plain === undefined ? undefined : new LineSearch(this.plain, 10);
  }

  /** Tells whether there is a hit; undefined if each line must be tested. */
  isIn(bytes: Buffer): boolean | undefined {
    const search = this.#search;
    if (search === undefined) return undefined;
    // A line without an end is none of the search's.
    const whole = bytes.lastIndexOf(10) + 1;
    search.load(bytes, 0, whole);
    if (search.next(0)) return true;
    return whole < bytes.length ? this.test(bytes, whole, bytes.length) : this.matchesEnd(bytes);
  }

  /** Tells from the bytes alone whether there may be a hit; undefined if any bytes may have one. */
  get mayHold(): MayHold | undefined {
    return mayHold(this.plain?.required);
  }

  test(bytes: Buffer, from: number, to: number): boolean {
    return this.plain === undefined ? holds(this.#expression, bytes, from, to) : this.plain.test(bytes, from, to);
  }

  /** Alternatives alone find the empty text after the last newline too, as git's own search ahead does. */
  matchesEnd(bytes: Buffer): boolean {
    const end = bytes.length;
    return end > 0 && bytes[end - 1] === 10 && this.plain?.test(bytes, end, end) === true;
  }

  /** Marks in `hits` which of the alternatives hold on a line (--all-match). */
  markTerms(bytes: Buffer, from: number, to: number, hits: Set<number>): void {
    this.#terms.forEach((term, index) => {
      if (!hits.has(index) && holds(term, bytes, from, to)) hits.add(index);
    });
  }

  get termCount(): number {
    return this.#terms.length;
  }

  /** The leftmost match of any pattern at or after `at`, the longest of those. */
  next(bytes: Buffer, from: number, to: number, at: number): Match | undefined {
    let best: Match | undefined;
    for (const matcher of this.#atoms) {
      const matches = matcher.matchesIn(bytes, from, to);
      if (!matches.find(at)) continue;
      const { start, end } = matches;
      if (best === undefined || start < best.start || (start === best.start && end > best.end)) best = { start, end };
    }
    return best;
  }
}

function holds(expression: Expression, bytes: Buffer, from: number, to: number): boolean {
  switch (expression.kind) {
    case "atom":
      return expression.matcher.test(bytes, from, to);
    case "not":
      return !holds(expression.of, bytes, from, to);
    case "and":
      return holds(expression.left, bytes, from, to) && holds(expression.right, bytes, from, to);
    case "or":
      return holds(expression.left, bytes, from, to) || holds(expression.right, bytes, from, to);
  }
}

/** Deeper parentheses are no question that anybody asks. */
const MOST_DEPTH = 200;

class Parser {
  readonly atoms: LineMatcher[] = [];
  terms: readonly Expression[] = [];
  readonly #tokens: readonly GrepToken[];
  readonly #compile: (pattern: Extract<GrepToken, { readonly kind: "pattern" }>) => LineMatcher;
  #at = 0;

  constructor(tokens: readonly GrepToken[], compile: (pattern: Extract<GrepToken, { readonly kind: "pattern" }>) => LineMatcher) {
    this.#tokens = tokens;
    this.#compile = compile;
  }

  parse(): Expression {
    const terms = this.#alternatives(0);
    const next = this.#tokens[this.#at];
    if (next !== undefined)
      throw new GitError(next.kind === "close" ? "incomplete pattern expression: )" : "incomplete pattern expression group");
    this.terms = terms;
    return anyOf(terms);
  }

  #alternatives(depth: number): Expression[] {
    const terms = [this.#together(depth)];
    for (;;) {
      const next = this.#tokens[this.#at];
      if (next === undefined || next.kind === "close") return terms;
      if (next.kind === "or") this.#at++;
      terms.push(this.#together(depth));
    }
  }

  #together(depth: number): Expression {
    let left = this.#negation(depth);
    while (this.#tokens[this.#at]?.kind === "and") {
      this.#at++;
      if (this.#tokens[this.#at] === undefined) throw new GitError("--and not followed by pattern expression");
      left = { kind: "and", left, right: this.#negation(depth) };
    }
    return left;
  }

  #negation(depth: number): Expression {
    if (depth > MOST_DEPTH) throw new GitError("pattern expression is nested too deep");
    const token = this.#tokens[this.#at];
    switch (token?.kind) {
      case "not":
        this.#at++;
        if (this.#tokens[this.#at] === undefined) throw new GitError("--not not followed by pattern expression");
        return { kind: "not", of: this.#negation(depth + 1) };
      case "open": {
        this.#at++;
        if (this.#tokens[this.#at] === undefined) throw new GitError("unmatched parenthesis");
        const inner = anyOf(this.#alternatives(depth + 1));
        if (this.#tokens[this.#at]?.kind !== "close") throw new GitError("unmatched parenthesis");
        this.#at++;
        return inner;
      }
      case "pattern": {
        this.#at++;
        const matcher = this.#compile(token);
        this.atoms.push(matcher);
        return { kind: "atom", matcher };
      }
      case "and":
        throw new GitError("--and not preceded by pattern expression");
      case "or":
      case "close":
      case undefined:
        throw new GitError("not a pattern expression");
    }
  }
}

const anyOf = (terms: readonly Expression[]): Expression =>
  terms.slice(1).reduce<Expression>((left, right) => ({ kind: "or", left, right }), terms[0] as Expression);
