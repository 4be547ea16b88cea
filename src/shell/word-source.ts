/**
 * A word of the command line as written → its text with quotes still on, ready for brace expansion: line
 * continuations gone, `$'…'` turned into single quotes, `$"…"` into double quotes. Everything that would be
 * expanded from variables or commands is a problem at its place. The scan is strict where the parser library is
 * tolerant: an unquoted blank or operator in a word, or an open quote, means that the two disagree.
 */
import type { Word as SourceWord, WordPart as SourcePart } from "unbash";
import { readAnsiC } from "./ansi-c.ts";
import { unparsable, unsupported, type SyntaxProblem, type UnsupportedConstruct } from "./problem.ts";

export type WordSource =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "problems"; readonly problems: readonly [SyntaxProblem, ...SyntaxProblem[]] };

/** Reads `line` from `word.pos` to `word.end`. */
export function readWordSource(line: string, word: SourceWord): WordSource {
  return new WordScanner(line, word.pos, word.end, expansionsIn(word.parts)).read();
}

/** Spans of what is expanded at run time, by where they start. */
export type Expansions = ReadonlyMap<number, { readonly construct: UnsupportedConstruct; readonly end: number }>;

export function expansionsIn(parts: readonly SourcePart[] | undefined): Expansions {
  const found = new Map<number, { construct: UnsupportedConstruct; end: number }>();
  const pending = [...(parts ?? [])];
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    const construct = EXPANSION_CONSTRUCTS[part.type];
    if (construct !== undefined) found.set(part.pos, { construct, end: part.end });
    else if ("parts" in part && part.parts !== undefined) pending.push(...part.parts);
  }
  return found;
}

const EXPANSION_CONSTRUCTS: Readonly<Partial<Record<SourcePart["type"], UnsupportedConstruct>>> = {
  SimpleExpansion: "variable",
  ParameterExpansion: "variable",
  CommandExpansion: "command-substitution",
  ArithmeticExpansion: "arithmetic",
  ProcessSubstitution: "process-substitution",
  ExtendedGlob: "extglob",
};

/** Whether `$` followed by `next` begins an expansion. */
export const beginsExpansion = (next: string | undefined): boolean => next !== undefined && /[A-Za-z0-9_{([@*#?$!-]/.test(next);

class WordScanner {
  readonly #line: string;
  readonly #start: number;
  readonly #end: number;
  readonly #expansions: Expansions;
  readonly #problems: SyntaxProblem[] = [];
  #text = "";
  #at: number;

  constructor(line: string, start: number, end: number, expansions: Expansions) {
    this.#line = line;
    this.#start = start;
    this.#end = end;
    this.#expansions = expansions;
    this.#at = start;
  }

  read(): WordSource {
    if (this.#line[this.#start] === "#") this.#fail("a word cannot begin with an unquoted #");
    while (this.#at < this.#end) this.#readOne();
    if (this.#at !== this.#end && this.#problems.length === 0) this.#fail("a quote is not closed");
    const [first, ...rest] = this.#problems;
    if (first !== undefined) return { kind: "problems", problems: [first, ...rest] };
    return { kind: "text", text: this.#text };
  }

  #readOne(): void {
    const character = this.#line[this.#at] as string;
    if (this.#refuseExpansion()) return;
    switch (character) {
      case "\\":
        return this.#readBackslash();
      case "'":
        return this.#readSingleQuotes();
      case '"':
        return this.#readDoubleQuotes(this.#at + 1);
      case "$":
        return this.#readDollar();
      case "`":
        return this.#refuse("command-substitution", this.#end);
      case " ":
      case "\t":
      case "\n":
      case ";":
      case "|":
      case "&":
      case "<":
      case ">":
      case "(":
      case ")":
        return this.#fail(`an unquoted ${JSON.stringify(character)} stands inside a word; quote it`);
      default:
        this.#text += character;
        this.#at++;
    }
  }

  #readBackslash(): void {
    const next = this.#line.codePointAt(this.#at + 1);
    if (next === undefined) {
      // bash keeps a backslash that ends the line.
      this.#text += "\\\\";
      this.#at++;
      return;
    }
    const character = String.fromCodePoint(next);
    if (character !== "\n") this.#text += `\\${character}`;
    this.#at += 1 + character.length;
  }

  #readSingleQuotes(): void {
    const close = this.#line.indexOf("'", this.#at + 1);
    if (close < 0 || close >= this.#end) return this.#fail("a single quote is not closed");
    this.#text += this.#line.slice(this.#at, close + 1);
    this.#at = close + 1;
  }

  #readDoubleQuotes(from: number): void {
    this.#text += '"';
    this.#at = from;
    while (this.#at < this.#end) {
      const character = this.#line[this.#at] as string;
      if (this.#refuseExpansion()) continue;
      if (character === "\\") {
        this.#readBackslash();
      } else if (character === "`" || (character === "$" && beginsExpansion(this.#line[this.#at + 1]))) {
        return this.#refuse(character === "`" ? "command-substitution" : "variable", this.#end);
      } else {
        this.#text += character;
        this.#at++;
        if (character === '"') return;
      }
    }
    this.#fail("a double quote is not closed");
  }

  #readDollar(): void {
    const next = this.#line[this.#at + 1];
    if (next === '"') return this.#readDoubleQuotes(this.#at + 2);
    if (next === "'") {
      const quoted = readAnsiC(this.#line, this.#at + 2);
      if (quoted === undefined || quoted.end > this.#end)
        return this.#fail("$'...' is not closed, or holds an escape that bash reads in two ways");
      this.#text += `'${quoted.text.replaceAll("'", "'\\''")}'`;
      this.#at = quoted.end;
      return;
    }
    if (beginsExpansion(next)) return this.#refuse("variable", this.#end);
    this.#text += "$";
    this.#at++;
  }

  /** Passes over the expansion that the parser found here, noting it; false where there is none. */
  #refuseExpansion(): boolean {
    const expansion = this.#expansions.get(this.#at);
    if (expansion === undefined || expansion.end <= this.#at) return false;
    this.#refuse(expansion.construct, expansion.end);
    return true;
  }

  #refuse(construct: UnsupportedConstruct, end: number): void {
    const span = { start: this.#at, end };
    this.#problems.push(unsupported(construct, this.#line.slice(span.start, span.end), span));
    this.#at = end;
  }

  #fail(what: string): void {
    this.#problems.push(unparsable("syntax", { start: this.#start, end: this.#end }, `Syntax error: ${what}.`));
    this.#at = this.#end;
  }
}
