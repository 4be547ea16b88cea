/** Tokens of a program with one to look at, shared by the parsers of rules, statements and expressions. */
import { PatternError } from "../../src/search/pattern-error.ts";
import { Lexer, type Token } from "./lexer.ts";
import { placeText, syntaxError, type Place, type Source } from "./source.ts";
import { ProgramError } from "./program-error.ts";
import { parseRegex } from "./regex-syntax.ts";
import type { Refusal } from "./tree.ts";

export interface ParseSettings {
  /** Told at once, as gawk does while it reads the program. */
  readonly warn: (place: Place, message: string) => void;
}

export class TokenReader {
  readonly source: Source;
  readonly refusals: Refusal[] = [];
  /** See Program. */
  readonly files: string[] = [];
  /** Mistakes after which the program is read on, so that all of them are told. */
  readonly mistakes: string[] = [];
  /** How many are open around the token at hand. */
  loops = 0;
  switches = 0;
  token: Token;
  /** The end of the token before. */
  lastEnd = 0;
  readonly #lexer: Lexer;
  /** The token before. */
  #before: Token | undefined;
  readonly #settings: ParseSettings;
  /** The token that came after newlines which may stand there. */
  #afterNewlines: Token | undefined;

  constructor(source: Source, settings: ParseSettings) {
    this.source = source;
    this.#settings = settings;
    const zero = source.text.indexOf("\0");
    if (zero >= 0) {
      const line = source.text.slice(0, zero).split("\n").length;
      throw new ProgramError([`${placeText({ source, line })} fatal: error: invalid character '\\000' in source code`], 2);
    }
    this.#lexer = new Lexer(source, (message, line) => settings.warn({ source, line }, `warning: ${message}`));
    this.token = this.#lexer.next();
    this.#checkJump();
  }

  /** Names that are no builtins from the token after the one at hand on. */
  set parameters(names: ReadonlySet<string>) {
    this.#lexer.parameters = names;
  }

  set namespace(name: string) {
    this.#lexer.namespace = name;
  }

  get place(): Place {
    return { source: this.source, line: this.token.line };
  }

  /** Takes the token at hand. */
  take(): Token {
    const { token } = this;
    this.lastEnd = token.end;
    this.#before = token;
    this.token = this.#lexer.next();
    this.#checkJump();
    return token;
  }

  #checkJump(): void {
    const mistake = this.mistakenJump();
    if (mistake !== undefined) this.mistakes.push(mistake);
  }

  /** What is said of a `break` or `continue` at hand that may not stand there. */
  mistakenJump(): string | undefined {
    const { place, token } = this;
    if (token.kind !== "keyword" || this.loops > 0) return undefined;
    const isBreak = token.text === "break";
    if (isBreak ? this.switches > 0 : token.text !== "continue") return undefined;
    return `${placeText(place)} error: \`${token.text}' is not allowed outside ${isBreak ? "a loop or switch" : "a loop"}`;
  }

  is(text: string): boolean {
    const { kind } = this.token;
    return this.token.text === text && (kind === "operator" || kind === "keyword");
  }

  accept(text: string): boolean {
    if (!this.is(text)) return false;
    this.take();
    return true;
  }

  expect(text: string): Token {
    if (!this.is(text)) throw this.error();
    return this.take();
  }

  /** The slash or `/=` at hand begins a regular expression. */
  takeRegex(): Token {
    const { place } = this;
    const regex = this.#lexer.regexAt(this.token.at, this.token.line);
    this.checkRegex(regex.text, place);
    this.lastEnd = regex.end;
    this.token = this.#lexer.next();
    return regex;
  }

  /** Throws ProgramError where a literal is no regular expression. */
  checkRegex(source: string, place: Place): void {
    try {
      parseRegex(source, { foldCase: false, warn: () => {} });
    } catch (thrown) {
      if (!(thrown instanceof PatternError)) throw thrown;
      throw new ProgramError([`${placeText(place)} error: ${thrown.message}: /${source}/`]);
    }
  }

  /** Newlines may stand before the token at hand. */
  mayEndLine(): void {
    this.#afterNewlines = this.token;
  }

  skipNewlines(): void {
    while (this.token.kind === "newline") this.take();
    this.mayEndLine();
  }

  skipTerminators(): void {
    while (this.token.kind === "newline" || this.is(";")) this.take();
    this.mayEndLine();
  }

  warn(message: string, place = this.place): void {
    this.#settings.warn(place, `warning: ${message}`);
  }

  /** The mistake is the token at hand. */
  error(message?: string, token: Token = this.token): ProgramError {
    if (message === undefined) {
      // Behind these gawk reads on by itself, as far as there are lines.
      if (token.text !== ":" && this.#isLast(token)) return this.#incomplete(token, 0);
      if (token.kind === "end" && this.#before !== undefined && this.#isLast(this.#before)) return this.#incomplete(this.#before, 1);
    }
    const what =
      message ??
      (token.kind === "end"
        ? "unexpected newline or end of string"
        : token.kind === "newline"
          ? "unexpected newline or end of string"
          : "syntax error");
    if (message !== undefined || (token.kind !== "newline" && token.kind !== "end"))
      return syntaxError(this.source, token.line, token.at, what);
    if (token.text === "comment") return syntaxError(this.source, token.line + 1, token.at, "syntax error");
    const endsInNewline = token.kind === "end" && this.source.text.endsWith("\n");
    // gawk has counted a newline that it cannot take, also the one that it adds to the end of a source.
    if (token !== this.#afterNewlines) return syntaxError(this.source, token.line + (endsInNewline ? 0 : 1), token.at, what);
    return endsInNewline
      ? syntaxError(this.source, token.line - 1, token.at - 1, what)
      : syntaxError(this.source, token.line, token.at, what);
  }

  #isLast(token: Token): boolean {
    if (token.kind !== "operator" || !/^(?:&&|\|\||[?:])$/.test(token.text)) return false;
    return /^(?:[ \t\r\n]|\\\r?\n|#.*)*$/.test(this.source.text.slice(token.end));
  }

  #incomplete(token: Token, further: number): ProgramError {
    const { text } = this.source;
    const rest = text.slice(token.end);
    const line = token.line + rest.split("\n").length - (rest.endsWith("\n") ? 1 : 0) + further;
    const column = token.at - (text.lastIndexOf("\n", token.at - 1) + 1);
    const place = placeText({ source: this.source, line });
    return new ProgramError([
      `${place} (END OF FILE)`,
      `${place} ${" ".repeat(column)}^ source files / command-line arguments must contain complete functions or rules`,
    ]);
  }
}
