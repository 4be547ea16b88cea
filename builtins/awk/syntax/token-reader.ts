/** Tokens of a program with one to look at, shared by the parsers of rules, statements and expressions. */
import { isNewsOf } from "./escapes.ts";
import { PatternError } from "../../../src/regex/pattern-error.ts";
import { Lexer } from "./lexer.ts";
import type { NamesOf, Token } from "./token.ts";
import { includedFromLines, placeText, type Place, type Source } from "./source.ts";
import { ProgramError } from "./program-error.ts";
import { parseRegex } from "./regex-syntax.ts";
import type { CommandUse, Refusal } from "./tree.ts";

export interface ParseSettings {
  /** Takes a line at once, as gawk prints it while it reads the program. */
  readonly tell: (line: string) => void;
  /** Warnings about escapes that were printed: gawk prints each once. */
  readonly toldEscapes: Set<string>;
  /** True if gawk computes all it can of the program before it runs. */
  readonly folds: boolean;
}

export type RuleKind = "BEGIN" | "END" | "BEGINFILE" | "ENDFILE" | "rule" | "function";

/** Of all of a program. */
export interface Jumps {
  /** True if gawk assumes that it is in a loop from now on: it counts the `while` of each `do` and does not count it back. */
  isUnchecked: boolean;
  /** Error of the first `break` or `continue` that gawk then lets stand; it ends in a crash when it runs. */
  stray: string | undefined;
}

export class TokenReader {
  readonly source: Source;
  readonly refusals: Refusal[] = [];
  readonly commands: CommandUse[] = [];
  /** Name of the function that is being read. */
  within: string | undefined;
  /** See Program. */
  readonly files: string[] = [];
  /** Mistakes after which the program was read on, so that all of them are told. */
  mistakes = 0;
  /** Kind of the rule with an action, or of the function, that is being read. */
  rule: RuleKind = "rule";
  /** Number of loops open around the token at hand. */
  loops = 0;
  switches = 0;
  token: Token;
  /** The end of the token before. */
  lastEnd = 0;
  readonly #lexer: Lexer;
  readonly #settings: ParseSettings;
  readonly #jumps: Jumps;

  /** `wantsName`: see there. */
  constructor(source: Source, settings: ParseSettings, jumps: Jumps, wantsName: boolean) {
    this.source = source;
    this.#settings = settings;
    this.#jumps = jumps;
    this.#lexer = new Lexer(source, {
      warn: (message, line) => this.#warnOfEscape(message, line),
      mistake: (message, line) => this.mistake(message, line),
    });
    this.#lexer.wantsName = wantsName;
    this.token = this.#lexer.next();
    this.#checkJump();
  }

  /** Sets the meaning of names, from the token after the one at hand on. */
  set names(names: NamesOf) {
    this.#lexer.names = names;
  }

  set namespace(name: string) {
    this.#lexer.namespace = name;
  }

  /** Makes strings names of files and the like, from the token after the one at hand on. */
  set wantsName(wantsName: boolean) {
    this.#lexer.wantsName = wantsName;
  }

  /** Within print `>` and `|` say where the output goes, from the token after the one at hand on. */
  set inPrint(inPrint: boolean) {
    this.#lexer.inPrint = inPrint;
    this.#lexer.parentheses = 0;
  }

  get folds(): boolean {
    return this.#settings.folds;
  }

  get place(): Place {
    return { source: this.source, line: this.token.line };
  }

  /** Takes the token at hand. */
  take(): Token {
    const { token } = this;
    this.lastEnd = token.end;
    this.token = this.#lexer.next();
    this.#checkJump();
    return token;
  }

  #checkJump(): void {
    const { kind, text } = this.token;
    const mistake = kind === "keyword" && (text === "break" || text === "continue") ? this.mistakeOfJump(text) : undefined;
    if (mistake !== undefined) this.mistake(mistake);
  }

  /** Error of a `break` or `continue` in a wrong place; a loop that begins with the token at hand allows it. */
  mistakeOfJump(word: "break" | "continue"): string | undefined {
    const isBreak = word === "break";
    if (this.loops > 0 || this.is("while") || this.is("do") || this.is("for")) return undefined;
    if (isBreak && (this.switches > 0 || this.is("switch"))) return undefined;
    const mistake = `\`${word}' is not allowed outside ${isBreak ? "a loop or switch" : "a loop"}`;
    if (!this.#jumps.isUnchecked) return mistake;
    this.#jumps.stray ??= `${placeText(this.place)} error: ${mistake}`;
    return undefined;
  }

  /** The `while` of a `do` is at hand. */
  endsDo(): void {
    this.#jumps.isUnchecked = true;
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

  /** The slash at hand begins a regular expression. */
  takeRegex(): Token {
    const regex = this.#lexer.regexAt(this.token.at);
    this.checkRegex(regex.text, regex.lineAfter);
    this.lastEnd = regex.end;
    this.token = this.#lexer.next();
    this.#checkJump();
    return regex;
  }

  /** Throws ProgramError where a literal is no regular expression. */
  checkRegex(source: string, line: number): void {
    try {
      parseRegex(source, { foldCase: false, warn: (message) => this.#warnOfEscape(message, line) });
    } catch (thrown) {
      if (!(thrown instanceof PatternError)) throw thrown;
      throw new ProgramError([`${placeText({ source: this.source, line })} error: ${thrown.message}: /${source}/`]);
    }
  }

  skipNewlines(): void {
    while (this.token.kind === "newline") this.take();
  }

  /** The end of a statement or of a rule without an action; what follows is at hand. */
  endStatement(): void {
    // gawk reads a newline before each closing brace.
    if (this.is("}")) return;
    if (this.is(";")) this.take();
    else if (this.token.kind !== "newline") throw this.error();
    this.skipNewlines();
  }

  #warnOfEscape(message: string, line: number): void {
    if (isNewsOf(message, this.#settings.toldEscapes)) this.tell(`warning: ${message}`, line);
  }

  warn(message: string, line = this.token.line): void {
    for (const included of includedFromLines(this.source)) this.#settings.tell(included);
    this.tell(`warning: ${message}`, line);
  }

  /** A mistake after which the program is read on. */
  mistake(message: string, line = this.token.line): void {
    this.mistakes++;
    for (const included of includedFromLines(this.source)) this.#settings.tell(included);
    this.tell(`error: ${message}`, line);
  }

  tell(message: string, line = this.token.lineAfter): void {
    this.#settings.tell(`${placeText({ source: this.source, line })} ${message}`);
  }

  /** The mistake is the token at hand. */
  error(message?: string, token: Token = this.token): ProgramError {
    return this.#lexer.fail(token.text === "/==" ? { ...token, at: token.at + 1 } : token, message);
  }

  /** As `error`; an @ may stand there, and what is behind it may not. */
  errorBehindAt(): ProgramError {
    const { token } = this;
    if (token.kind === "directive" || token.kind === "indirect")
      return this.error(undefined, { ...token, at: token.end - token.text.length });
    this.accept("@");
    return this.error();
  }

  fatal(message: string, token: Token = this.token): ProgramError {
    return this.#lexer.fatal(message, token.lineAfter);
  }
}
