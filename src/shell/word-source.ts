/**
 * A word of the command line as written → its text with quotes still on, ready for brace expansion: line
 * continuations gone, `$'…'` turned into single quotes, `$"…"` into double quotes, `${…}`, `$(…)` and `$((…))` replaced by one
 * character each (`$NAME` stays text, because braces may still join it with more of the name). The scan is strict where
 * the parser library is tolerant: an unquoted blank or operator in a word, or an open quote, means that the two
 * disagree, and so does an expansion that the library sees elsewhere.
 */
import type { Word as SourceWord } from "unbash";
import { readAnsiC } from "./ansi-c.ts";
import { readParameter } from "./parameter-source.ts";
import { beginsExpansion, type SourceExpansion, type SourceExpansions } from "./source-expansions.ts";
import { MOST_EXPANSIONS, standIn } from "./stand-ins.ts";
import type { ElementSubscript, Expansion, Span, Word, WordPart } from "./tree.ts";
import { isPlainText, readWordParts } from "./word-parts.ts";

/** The part of a line's lowering that reading its words needs. */
export interface WordReader {
  readonly line: string;
  /** Lowers `$(…)` or backquotes; undefined where that is a problem, which has been noted. */
  substitution(found: SourceExpansion, span: Span): Expansion | undefined;
  /** Lowers `<(…)`, likewise. */
  processSubstitution(found: SourceExpansion, span: Span): Expansion | undefined;
  /** Tells whether an extended pattern may stand at `at`. */
  allowsExtendedGlob(at: number): boolean;
  /** Notes a construct that is left out. */
  refuse(construct: SourceExpansion["construct"], span: Span): void;
  /** Notes that the line is no bash, or that the parser library reads it in another way. */
  disagree(span: Span, what: string): void;
}

export interface WordSource {
  readonly text: string;
  readonly expansions: readonly Expansion[];
}

/** Words that differ in what their characters may be: only an argument holds `<(…)`; after `=~` operators are text. */
export type WordUse = "argument" | "plain" | "regex";

/** The quoting around a scan. */
export type Surrounding = "plain" | "quoted" | "here-document";

/** Reads `line` from `word.pos` to `word.end`; undefined where problems were noted. */
export function readWordSource(
  reader: WordReader,
  word: Pick<SourceWord, "pos" | "end">,
  found: SourceExpansions,
  use: WordUse = "plain",
): WordSource | undefined {
  const scanner = new WordScanner(reader, found, { start: word.pos, end: word.end });
  return scanner.wholeWord(use);
}

/** Text from `start` to `end` as if in double quotes (arithmetic, bodies of here-documents), as one word. */
export function readQuotedText(
  reader: WordReader,
  span: Span,
  found: SourceExpansions,
  kind: "arithmetic" | "here-document" | "stripped-here-document",
): Word | undefined {
  const scanner = new WordScanner(reader, found, span);
  return scanner.quotedText(kind);
}

export class WordScanner {
  readonly reader: WordReader;
  readonly #found: SourceExpansions;
  readonly #span: Span;
  readonly #expansions: Expansion[] = [];
  #text = "";
  #failed = false;
  #holdsProcesses = false;
  at: number;

  constructor(reader: WordReader, found: SourceExpansions, span: Span) {
    this.reader = reader;
    this.#found = found;
    this.#span = span;
    this.at = span.start;
  }

  get line(): string {
    return this.reader.line;
  }

  get end(): number {
    return this.#span.end;
  }

  get failed(): boolean {
    return this.#failed;
  }

  wholeWord(use: WordUse): WordSource | undefined {
    const source = this.line.slice(this.at, this.end);
    if (this.#found.size === 0 && isPlainText(source)) return { text: source, expansions: [] };
    const operators = use === "regex";
    this.#holdsProcesses = use === "argument";
    if (this.line[this.at] === "#" && !operators) this.fail("a word cannot begin with an unquoted #");
    while (this.at < this.end) this.#readOne(operators ? "" : UNQUOTED_STOPS);
    if (this.at !== this.end) this.fail("a quote is not closed");
    return this.#failed ? undefined : { text: this.#text, expansions: this.#expansions };
  }

  quotedText(kind: "arithmetic" | "here-document" | "stripped-here-document"): Word | undefined {
    const here = kind !== "arithmetic";
    this.#text += '"';
    let lineBegins = true;
    while (this.at < this.end) {
      if (kind === "stripped-here-document" && lineBegins && this.line[this.at] === "\t") {
        this.at++;
        continue;
      }
      const character = this.line[this.at] as string;
      lineBegins = character === "\n";
      if (this.#readExpansion(here ? "here-document" : "quoted")) continue;
      if (character === "\\") {
        this.#readQuotedBackslash(here);
      } else if (character === '"') {
        if (here) this.#text += '\\"';
        this.at++;
      } else {
        this.#text += character;
        this.at++;
      }
    }
    this.#text += '"';
    return this.word();
  }

  /**
   * The operand of `${x…}` up to the unquoted `}` or one of `stops`, as a word of its own. In double quotes a single
   * quote is text, unless the operand is a pattern.
   */
  operand(surrounding: Surrounding, isPattern: boolean, stops: string): Word | undefined {
    const inner = new WordScanner(this.reader, this.#found, { start: this.at, end: this.end });
    if (surrounding === "plain" || isPattern) inner.#plainOperand(stops);
    else inner.#quotedOperand(stops);
    this.at = inner.at;
    const word = inner.word();
    if (word === undefined) this.#failed = true;
    return word;
  }

  /** The text between brackets of which the first has been passed. Passes the one that closes them. */
  subscript(): ElementSubscript | undefined {
    const start = this.at;
    const inner = new WordScanner(this.reader, this.#found, { start, end: this.end });
    inner.#bracketed();
    const end = inner.at;
    if (!inner.failed && (end >= this.end || end === start)) inner.fail("a subscript is empty, or is not closed");
    const key = inner.word();
    const source = this.line.slice(start, end);
    const hasQuotes = /['"\\]/.test(source);
    const index = key && hasQuotes ? new WordScanner(this.reader, this.#found, { start, end }).quotedText("arithmetic") : key;
    this.at = end + 1;
    if (key !== undefined && index !== undefined) return { kind: "element", key, index, source };
    this.#failed = true;
    return undefined;
  }

  #bracketed(): void {
    for (let depth = 0; this.at < this.end && !this.#failed; ) {
      const character = this.line[this.at];
      if (character === "]" && depth-- === 0) return;
      if (character === "[") depth++;
      this.#readOne("");
    }
  }

  /** The text read, as a word's parts: no braces, no globs. */
  word(): Word | undefined {
    if (this.#failed) return undefined;
    const span = { start: this.#span.start, end: Math.max(this.at, this.#span.start) };
    const tildes = this.#text.startsWith('"') ? "none" : "start";
    const reading = readWordParts(this.#text, { globs: false, tildes, expansions: this.#expansions });
    if (reading.kind === "refused") {
      this.reader.refuse(reading.construct, span);
      return undefined;
    }
    const parts: readonly WordPart[] = reading.kind === "parts" ? reading.parts : [];
    return { parts, span };
  }

  fail(what: string): void {
    if (!this.#failed) this.reader.disagree(this.#span, what);
    this.#failed = true;
    this.at = this.end;
  }

  refuse(construct: SourceExpansion["construct"], span: Span): void {
    this.reader.refuse(construct, span);
    this.#failed = true;
  }

  #plainOperand(stops: string): void {
    while (this.at < this.end && !stops.includes(this.line[this.at] as string)) this.#readOne("");
  }

  #quotedOperand(stops: string): void {
    this.#text += '"';
    while (this.at < this.end && !stops.includes(this.line[this.at] as string)) {
      const character = this.line[this.at] as string;
      if (this.#readExpansion("quoted")) continue;
      if (character === "\\") {
        const next = this.line[this.at + 1];
        if (next === "}") {
          this.#text += next;
          this.at += 2;
        } else this.#readQuotedBackslash(false);
      } else {
        if (character !== '"') this.#text += character;
        this.at++;
      }
    }
    this.#text += '"';
  }

  /** Reads one character, quotation or expansion outside quotes. */
  #readOne(stops: string): void {
    const character = this.line[this.at] as string;
    if (this.#readExpansion("plain")) return;
    switch (character) {
      case "\\":
        return this.#readBackslash();
      case "'":
        return this.#readSingleQuotes();
      case '"':
        return this.#readDoubleQuotes(this.at + 1);
      case "$":
        return this.#readDollar();
      default:
        if (stops.includes(character)) return this.fail(`an unquoted ${JSON.stringify(character)} stands inside a word; quote it`);
        this.#text += character;
        this.at++;
    }
  }

  #readBackslash(): void {
    const next = this.line.codePointAt(this.at + 1);
    if (next === undefined || this.at + 1 >= this.end) {
      // bash keeps a backslash that ends the line.
      this.#text += "\\\\";
      this.at++;
      return;
    }
    const character = String.fromCodePoint(next);
    if (character !== "\n") this.#text += `\\${character}`;
    this.at += 1 + character.length;
  }

  /** Reads a backslash in text that is quoted as a whole; in a here-document the backslash before `"` is text. */
  #readQuotedBackslash(here: boolean): void {
    if (here && this.line[this.at + 1] === '"') {
      this.#text += '\\\\\\"';
      this.at += 2;
    } else this.#readBackslash();
  }

  #readSingleQuotes(): void {
    const close = this.line.indexOf("'", this.at + 1);
    if (close < 0 || close >= this.end) return this.fail("a single quote is not closed");
    this.#text += this.line.slice(this.at, close + 1);
    this.at = close + 1;
  }

  #readDoubleQuotes(from: number): void {
    this.#text += '"';
    this.at = from;
    while (this.at < this.end) {
      const character = this.line[this.at] as string;
      if (this.#readExpansion("quoted")) continue;
      if (character === "\\") {
        this.#readBackslash();
      } else {
        this.#text += character;
        this.at++;
        if (character === '"') return;
      }
    }
    this.fail("a double quote is not closed");
  }

  #readDollar(): void {
    const next = this.line[this.at + 1];
    if (next === '"') return this.#readDoubleQuotes(this.at + 2);
    if (next === "'") {
      const quoted = readAnsiC(this.line, this.at + 2);
      if (quoted === undefined || quoted.end > this.end)
        return this.fail("$'...' is not closed, or holds an escape that bash reads in two ways");
      this.#text += `'${quoted.text.replaceAll("'", "'\\''")}'`;
      this.at = quoted.end;
      return;
    }
    this.#text += "$";
    this.at++;
  }

  /** Passes over the expansion that begins here, if one does. */
  #readExpansion(surrounding: Surrounding): boolean {
    const { line, at } = this;
    const character = line[at] as string;
    const found = this.#found.get(at);
    if (this.#holdsProcesses && character === "<" && found?.construct === "process-substitution") {
      this.at = found.end;
      this.#add(this.reader.processSubstitution(found, { start: at, end: found.end }));
      return true;
    }
    if (found?.construct === "extglob" && surrounding === "plain" && this.reader.allowsExtendedGlob(at)) {
      this.#readExtendedGlob(found.end);
      return true;
    }
    if (found !== undefined && found.end > at && !LOWERED.has(found.construct)) {
      this.refuse(found.construct, { start: at, end: found.end });
      this.at = found.end;
      return true;
    }
    if (character === "`" || (character === "$" && line[at + 1] === "(")) {
      if (found === undefined || found.end > this.end || found.construct === "variable") {
        this.fail("a command substitution is not closed");
        return true;
      }
      this.at = found.end;
      if (found.construct === "arithmetic") {
        if (line.slice(found.end - 2, found.end) !== "))") this.fail("arithmetic is not closed");
        else this.#addArithmetic({ start: at + 3, end: found.end - 2 });
      } else this.#add(this.reader.substitution(found, { start: at, end: found.end }));
      return true;
    }
    // bash takes the two characters out before it looks for what follows the dollar.
    if (character === "$" && line.startsWith("\\\n", at + 1)) {
      this.fail("a line goes on between $ and what it expands");
      return true;
    }
    if (character !== "$" || !beginsExpansion(line[at + 1])) return false;
    if (line[at + 1] === "[") {
      this.refuse("arithmetic", { start: at, end: Math.min(found?.end ?? at + 2, this.end) });
      this.at = this.end;
      return true;
    }
    if (line[at + 1] === "{") {
      const parameter = readParameter(this, surrounding);
      if (found === undefined || found.end !== this.at) {
        if (!this.#failed) this.fail("${...} is not closed, or not where it seems to be");
        return true;
      }
      this.#add(parameter);
      return true;
    }
    // `$NAME`: read when braces have been expanded.
    this.#text += "$";
    this.at++;
    return true;
  }

  /** `@(a|b)`: its parentheses and bars are text, which word-parts.ts reads again. */
  #readExtendedGlob(end: number): void {
    this.#text += this.line.slice(this.at, this.at + 2);
    this.at += 2;
    while (this.at < end - 1) this.#readOne("");
    if (this.at !== end - 1 || this.line[this.at] !== ")") return this.fail("an extended pattern is not closed");
    this.#text += ")";
    this.at = end;
  }

  #addArithmetic(span: Span): void {
    const expression = new WordScanner(this.reader, this.#found, span).quotedText("arithmetic");
    this.#add(expression && { kind: "arithmetic", expression });
  }

  /** Puts the character that stands for `expansion`. */
  #add(expansion: Expansion | undefined): void {
    if (expansion === undefined) {
      this.#failed = true;
      return;
    }
    if (this.#expansions.length >= MOST_EXPANSIONS) return this.fail(`a word has more than ${MOST_EXPANSIONS} expansions`);
    this.#text += standIn(this.#expansions.length);
    this.#expansions.push(expansion);
  }
}

const LOWERED: ReadonlySet<SourceExpansion["construct"]> = new Set(["variable", "command-substitution", "arithmetic"]);

const UNQUOTED_STOPS = " \t\n;|&<>()";
