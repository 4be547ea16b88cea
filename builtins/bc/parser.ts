/**
 * bc's grammar: code is generated while it is read. Mistakes are found where an LALR(1) parser finds them, and reading goes on
 * as the "error" rules of GNU bc's grammar have it: behind a mistake a statement may begin anew. One piece of more than 400 lines: its rules call each other.
 */
import type { CompiledFunction, Local } from "./code.ts";
import { type Names, SPECIAL } from "./names.ts";
import type { Scanner, Token } from "./scanner.ts";

/** Thrown where the text fits no rule; caught where reading may go on. */
class SyntaxFailure extends Error {
  override readonly name = "SyntaxFailure";
}

/** Thrown by `quit`, as soon as it is read, and for a program that cannot go on. */
export class ProgramEnd extends Error {
  override readonly name = "ProgramEnd";
  readonly exit: number;

  constructor(exit: number) {
    super(`exit ${exit}`);
    this.exit = exit;
  }
}

export interface ParserOptions {
  /** -w: what POSIX does not have is told; -s: it is a mistake. */
  readonly extensions: "taken" | "warned" | "refused";
  /** Writes a line of standard error. */
  readonly tell: (message: string) => void;
  /** Writes to standard output. */
  readonly print: (text: string) => void;
}

/** Bits of an expression's kind. An assignment at the top, which is not printed, has none. */
const ASSIGNMENT = 0;
const REGULAR = 1;
const COMPARISON = 2;
const PARENTHESIS = 4;
const VOID = 8;

const LEVELS: Readonly<Record<string, number>> = { "||": 1, "&&": 2, "+": 5, "-": 5, "*": 6, "/": 6, "%": 6, "^": 7 };
const RELATION_LEVEL = 3;
/** What binds looser than an assignment does not belong to its value. */
const ASSIGNED_LEVEL = 5;
const RELATIONS: Readonly<Record<string, string>> = { "==": "=", "!=": "#", "<": "<", "<=": "{", ">": ">", ">=": "}" };

const EXPRESSION_WORDS: ReadonlySet<string> = new Set(["length", "sqrt", "scale", "read", "random", "ibase", "obase", "history", "last"]);
const STATEMENT_WORDS: ReadonlySet<string> = new Set("warranty limits break continue quit halt return for if while print".split(" "));
/** How deep statements and expressions may lie in each other. */
const MOST_DEPTH = 1_000;

export class Parser {
  readonly #scanner: Scanner;
  readonly #names: Names;
  readonly #options: ParserOptions;
  #token: Token | undefined;
  /** Tokens still to be taken before a mistake is told again. */
  #silence = 0;
  #hadError = false;
  #hasCode = false;
  #code: CompiledFunction;
  /** Number of the function that was last begun; 0 outside of all. A mistake in its body leaves it. */
  #function = 0;
  #nextLabel = 1;
  #breakLabel = 0;
  #continueLabel = 0;
  #ifLabel = 0;
  #depth = 0;

  constructor(scanner: Scanner, names: Names, options: ParserOptions) {
    this.#scanner = scanner;
    this.#names = names;
    this.#options = options;
    this.#code = this.#main;
  }

  get #main(): CompiledFunction {
    return this.#names.functions[0] as CompiledFunction;
  }

  /** Notes a mistake, at the present line. */
  complain(message: string): void {
    this.#options.tell(`${this.#scanner.sourceName} ${this.#scanner.line}: ${message}`);
    this.#hadError = true;
  }

  /**
   * Reads to the end of a line, or of a function. True if there is code to run; undefined at the end of the program.
   * Throws ProgramEnd.
   */
  item(): boolean | undefined {
    this.#begin();
    let failed = false;
    for (;;) {
      try {
        if (failed) this.#afterMistake();
        else if (this.#peek().kind === "end") return undefined;
        else if (this.#isWord("define")) {
          this.#definition();
          return this.#ends();
        }
        if (!failed || !this.#isKind("newline")) this.#statements(failed);
        else {
          this.#take();
          this.#silence = 0;
          return false;
        }
        if (!this.#isKind("newline")) this.#fail();
        this.#take();
        return this.#ends();
      } catch (thrown) {
        if (!(thrown instanceof SyntaxFailure)) throw thrown;
        failed = true;
      }
    }
  }

  #begin(): void {
    this.#main.clear();
    this.#code = this.#main;
    this.#nextLabel = 1;
    this.#breakLabel = 0;
    this.#continueLabel = 0;
    this.#hadError = false;
    this.#hasCode = false;
    this.#depth = 0;
  }

  #ends(): boolean {
    return !this.#hadError && this.#hasCode;
  }

  // Words

  #peek(): Token {
    return (this.#token ??= this.#scanner.next());
  }

  #take(): Token {
    const token = this.#peek();
    this.#token = undefined;
    if (this.#silence > 0) this.#silence--;
    return token;
  }

  #isKind(kind: Token["kind"]): boolean {
    return this.#peek().kind === kind;
  }

  #isMark(text: string): boolean {
    const token = this.#peek();
    return token.kind === "mark" && token.text === text;
  }

  #isWord(text: string): boolean {
    const token = this.#peek();
    return token.kind === "keyword" && token.text === text;
  }

  #expect(text: string): void {
    if (!this.#isMark(text)) this.#fail();
    this.#take();
  }

  #name(): string {
    if (!this.#isKind("name")) this.#fail();
    return this.#take().text;
  }

  /** A mistake at the next word: it is told unless the last one was just before; one that was in the way already is left out. */
  #fail(): never {
    if (this.#silence === 0) this.complain("syntax error");
    else if (this.#silence === 3) {
      if (this.#peek().kind === "end") throw new ProgramEnd(0);
      this.#token = undefined;
    }
    this.#silence = 3;
    throw new SyntaxFailure();
  }

  /** Behind a mistake on a line: its end, or a statement. */
  #afterMistake(): void {
    if (!this.#isKind("newline") && !this.#beginsStatement()) this.#fail();
  }

  #beginsStatement(): boolean {
    const { kind, text } = this.#peek();
    switch (kind) {
      case "string":
      case "name":
      case "number":
      case "step":
        return true;
      case "keyword":
        return STATEMENT_WORDS.has(text) || EXPRESSION_WORDS.has(text);
      case "mark":
        return text === "(" || text === "-" || text === "!" || text === "{";
      case "newline":
      case "end":
      case "assign":
      case "relation":
        return false;
    }
  }

  #extension(message: string): void {
    const { extensions, tell } = this.#options;
    if (extensions === "refused") this.complain(`Error: ${message}`);
    else if (extensions === "warned") tell(`${this.#scanner.sourceName} ${this.#scanner.line}: (Warning) ${message}`);
  }

  // Code

  /** Adds to the code, unless there was a mistake. */
  #emit(add: (code: CompiledFunction) => void): void {
    this.#hasCode = true;
    if (this.#hadError) return;
    add(this.#code);
    if (this.#nextLabel > 65_535) {
      this.#options.tell("Program too big.");
      throw new ProgramEnd(1);
    }
  }

  #op(letters: string): void {
    this.#emit((code) => {
      for (const letter of letters) code.op(letter);
    });
  }

  #opWith(letter: string, number: number): void {
    this.#emit((code) => code.opWith(letter, number));
  }

  #jump(letter: "B" | "J" | "Z", label: number): void {
    this.#emit((code) => code.jump(letter, label));
  }

  #label(label: number): void {
    this.#emit((code) => code.label(label));
  }

  // Statements

  /** Statements to the end of a line, between semicolons. */
  #statements(failed: boolean): void {
    if (failed || (!this.#isMark(";") && !this.#isKind("newline"))) this.#statement();
    while (this.#isMark(";")) {
      this.#take();
      this.#statementAfterSemicolon();
    }
  }

  /** A mistake in the statement itself ends there; the end of the line is no way out of it. */
  #statementAfterSemicolon(): void {
    for (let failed = false; ; ) {
      try {
        if (failed && !this.#beginsStatement()) this.#fail();
        if (!failed && (this.#isMark(";") || this.#isKind("newline"))) return;
        return this.#statement();
      } catch (thrown) {
        if (!(thrown instanceof SyntaxFailure)) throw thrown;
        failed = true;
      }
    }
  }

  /** Statements up to a closing brace, which is taken. */
  #block(): void {
    for (let failed = false; ; ) {
      try {
        if (failed) {
          if (!this.#beginsStatement()) this.#fail();
          this.#statement();
          failed = false;
        } else if (this.#beginsStatement()) this.#statement();
        for (;;) {
          if (this.#isMark("}")) {
            this.#take();
            return;
          }
          if (!this.#isMark(";") && !this.#isKind("newline")) this.#fail();
          this.#take();
          if (this.#beginsStatement()) this.#statement();
        }
      } catch (thrown) {
        if (!(thrown instanceof SyntaxFailure)) throw thrown;
        failed = true;
      }
    }
  }

  #statement(): void {
    if (++this.#depth > MOST_DEPTH) {
      this.#options.tell("memory exhausted");
      throw new ProgramEnd(1);
    }
    const { kind, text } = this.#peek();
    if (kind === "string") {
      this.#take();
      this.#emit((code) => code.string("w", text));
    } else if (kind === "mark" && text === "{") {
      this.#take();
      this.#block();
    } else if (kind === "keyword" && STATEMENT_WORDS.has(text)) this.#wordStatement(text);
    else this.#expressionStatement();
    this.#depth--;
  }

  #expressionStatement(): void {
    const kind = this.#expression();
    if ((kind & COMPARISON) !== 0) this.#extension("comparison in expression");
    this.#op((kind & REGULAR) !== 0 ? "W" : "p");
  }

  #wordStatement(word: string): void {
    this.#take();
    switch (word) {
      case "quit":
        throw new ProgramEnd(0);
      case "warranty":
        this.#options.tell("warranty: the notice of GNU bc is not here; this is another program");
        throw new ProgramEnd(1);
      case "limits":
        return this.#options.print(LIMITS);
      case "halt":
        return this.#op("h");
      case "break":
        if (this.#breakLabel === 0) return this.complain("Break outside a for/while");
        return this.#jump("J", this.#breakLabel);
      case "continue":
        this.#extension("Continue statement");
        if (this.#continueLabel === 0) return this.complain("Continue outside a for");
        return this.#jump("J", this.#continueLabel);
      case "return":
        return this.#returnStatement();
      case "for":
        return this.#forStatement();
      case "if":
        return this.#ifStatement();
      case "while":
        return this.#whileStatement();
      default:
        return this.#printStatement();
    }
  }

  #returnStatement(): void {
    if (!this.#beginsExpression()) {
      this.#op("0");
      if (this.#function === 0) this.complain("Return outside of a function.");
    } else {
      const kind = this.#expression();
      if ((kind & COMPARISON) !== 0) this.#extension("comparison in return expresion");
      if ((kind & PARENTHESIS) === 0) this.#extension("return expression requires parenthesis");
      if ((kind & VOID) !== 0) this.complain("return requires non-void expression");
      if (this.#function === 0) this.complain("Return outside of a function.");
      else if (this.#names.functions[this.#function]?.isVoid === true) this.complain("Return expression in a void function.");
    }
    this.#op("R");
  }

  #forStatement(): void {
    const breakBefore = this.#breakLabel;
    this.#breakLabel = this.#nextLabel++;
    this.#expect("(");
    const first = this.#optionalExpression();
    this.#expect(";");
    if (first !== undefined) {
      if ((first & COMPARISON) !== 0) this.#extension("Comparison in first for expression");
      if ((first & VOID) !== 0) this.complain("first expression is void");
      this.#op("p");
    }
    const test = this.#nextLabel++;
    this.#label(test);
    const second = this.#optionalExpression();
    this.#expect(";");
    if (second === undefined) this.#op("1");
    else if ((second & VOID) !== 0) this.complain("second expression is void");
    const body = this.#nextLabel++;
    this.#jump("B", body);
    this.#jump("J", this.#breakLabel);
    const continueBefore = this.#continueLabel;
    this.#continueLabel = this.#nextLabel++;
    this.#label(this.#continueLabel);
    const third = this.#optionalExpression();
    this.#expect(")");
    if (third !== undefined) {
      if ((third & COMPARISON) !== 0) this.#extension("Comparison in third for expression");
      if ((third & VOID) !== 0) this.complain("third expression is void");
      this.#op("p");
    }
    this.#jump("J", test);
    this.#label(body);
    this.#optionalNewline();
    this.#statement();
    this.#jump("J", this.#continueLabel);
    this.#label(this.#breakLabel);
    this.#breakLabel = breakBefore;
    this.#continueLabel = continueBefore;
  }

  #ifStatement(): void {
    this.#expect("(");
    const kind = this.#expression();
    this.#expect(")");
    if ((kind & VOID) !== 0) this.complain("void expression");
    const ifBefore = this.#ifLabel;
    this.#ifLabel = this.#nextLabel++;
    this.#jump("Z", this.#ifLabel);
    this.#optionalNewline();
    this.#statement();
    if (this.#isWord("else")) {
      this.#take();
      this.#extension("else clause in if statement");
      const end = this.#nextLabel++;
      this.#jump("J", end);
      this.#label(this.#ifLabel);
      this.#ifLabel = end;
      this.#optionalNewline();
      this.#statement();
    }
    this.#label(this.#ifLabel);
    this.#ifLabel = ifBefore;
  }

  #whileStatement(): void {
    const continueBefore = this.#continueLabel;
    this.#continueLabel = this.#nextLabel++;
    this.#label(this.#continueLabel);
    this.#expect("(");
    const kind = this.#expression();
    if ((kind & VOID) !== 0) this.complain("void expression");
    const breakBefore = this.#breakLabel;
    this.#breakLabel = this.#nextLabel++;
    this.#jump("Z", this.#breakLabel);
    this.#expect(")");
    this.#optionalNewline();
    this.#statement();
    this.#jump("J", this.#continueLabel);
    this.#label(this.#breakLabel);
    this.#breakLabel = breakBefore;
    this.#continueLabel = continueBefore;
  }

  #printStatement(): void {
    this.#extension("print statement");
    for (;;) {
      if (this.#isKind("string")) {
        const { text } = this.#take();
        this.#emit((code) => code.string("O", text));
      } else {
        if ((this.#expression() & VOID) !== 0) this.complain("void expression in print");
        this.#op("P");
      }
      if (!this.#isMark(",")) return;
      this.#take();
    }
  }

  #optionalNewline(): void {
    if (!this.#isKind("newline")) return;
    this.#take();
    this.#extension("newline not allowed");
  }

  // Functions

  #definition(): void {
    this.#take();
    const isVoid = this.#isWord("void");
    if (isVoid) {
      this.#take();
      this.#extension("void functions");
    }
    const name = this.#name();
    this.#expect("(");
    const parameters = this.#isMark(")") ? [] : this.#localList();
    this.#expect(")");
    this.#optionalNewline();
    this.#expect("{");
    this.#endOfLine();
    let automatic: Local[] = [];
    if (this.#isWord("auto")) {
      this.#take();
      automatic = this.#localList();
      if (!this.#isKind("newline") && !this.#isMark(";")) this.#fail();
      this.#take();
    }
    this.#checkLocals(parameters, automatic);
    this.#warnOfLongName(name);
    this.#function = this.#names.defined(name);
    const code = this.#names.functions[this.#function] as CompiledFunction;
    this.#emit(() => {
      code.clear();
      code.parameters = parameters.toReversed();
      code.automatic = automatic.toReversed();
      this.#code = code;
    });
    code.isVoid = isVoid;
    const labelBefore = this.#nextLabel;
    this.#nextLabel = 1;
    this.#block();
    this.#op("0R");
    this.#emit(() => {
      code.isDefined = true;
      this.#code = this.#main;
    });
    this.#nextLabel = labelBefore;
    this.#function = 0;
  }

  #endOfLine(): void {
    if (!this.#isKind("newline")) return this.#extension("End of line required");
    this.#take();
    while (this.#isKind("newline")) {
      this.#take();
      this.#extension("Too many end of lines");
    }
  }

  #localList(): Local[] {
    const locals: Local[] = [];
    for (;;) {
      const isShared = this.#isMark("*") || this.#isMark("&");
      if (isShared) this.#take();
      const name = this.#name();
      if (isShared || this.#isMark("[")) {
        this.#expect("[");
        this.#expect("]");
        this.#warnOfLongName(name);
        locals.push({ variable: -this.#names.array(name), isShared });
        if (isShared) this.#extension("Call by variable arrays");
      } else {
        this.#warnOfLongName(name);
        locals.push({ variable: this.#names.simple(name), isShared: false });
      }
      if (!this.#isMark(",")) return locals;
      this.#take();
    }
  }

  #checkLocals(parameters: readonly Local[], automatic: readonly Local[]): void {
    // The last one first, as in GNU bc's lists.
    const [given, own] = [parameters.toReversed(), automatic.toReversed()];
    const twice = (locals: readonly Local[], message: string, each: (local: Local) => void): void => {
      for (const [at, local] of locals.entries()) {
        for (const other of locals.slice(at + 1)) if (other.variable === local.variable) this.complain(message);
        each(local);
      }
    };
    twice(given, "duplicate parameter names", ({ isShared }) => isShared && this.#extension("Variable array parameter"));
    twice(own, "duplicate auto variable names", ({ isShared }) => isShared && this.complain("* not allowed here"));
    for (const { variable } of given) {
      for (const other of own) if (other.variable === variable) this.complain("variable in both parameter and auto lists");
    }
  }

  #warnOfLongName(name: string): void {
    if (name.length !== 1) this.#extension(`multiple letter name - ${name}`);
  }

  // Expressions

  #beginsExpression(): boolean {
    const { kind, text } = this.#peek();
    if (kind === "keyword") return EXPRESSION_WORDS.has(text);
    return kind !== "string" && !(kind === "mark" && text === "{") && this.#beginsStatement();
  }

  /** undefined for none. */
  #optionalExpression(): number | undefined {
    if (!this.#beginsExpression()) {
      this.#extension("Missing expression in for statement");
      return undefined;
    }
    return this.#expression();
  }

  /** Gives the expression's kind. Operators below `level` are left. */
  #expression(level = 0): number {
    if (++this.#depth > MOST_DEPTH) {
      this.#options.tell("memory exhausted");
      throw new ProgramEnd(1);
    }
    let kind = this.#operand();
    for (;;) {
      const { kind: tokenKind, text } = this.#peek();
      const found = tokenKind === "relation" ? RELATION_LEVEL : tokenKind === "mark" ? LEVELS[text] : undefined;
      if (found === undefined || found < level) break;
      this.#take();
      kind = this.#operation(kind, text, found);
    }
    this.#depth--;
    return kind;
  }

  #operation(left: number, operator: string, level: number): number {
    if (operator === "&&" || operator === "||") return this.#logical(left, operator);
    const right = this.#expression(operator === "^" ? level : level + 1);
    const isRelation = level === RELATION_LEVEL;
    if (((left | right) & VOID) !== 0) this.complain(`void expression with ${isRelation ? "comparison" : operator}`);
    this.#op(isRelation ? (RELATIONS[operator] as string) : operator);
    return isRelation ? REGULAR | COMPARISON : (left | right) & ~PARENTHESIS;
  }

  #logical(left: number, operator: "&&" | "||"): number {
    this.#extension(`${operator} operator`);
    const label = this.#nextLabel++;
    const isAnd = operator === "&&";
    if (isAnd) {
      this.#op("D");
      this.#jump("Z", label);
      this.#op("p");
    } else this.#jump("B", label);
    const right = this.#expression((LEVELS[operator] as number) + 1);
    if (((left | right) & VOID) !== 0) this.complain(`void expression with ${operator}`);
    if (isAnd) {
      this.#op("D");
      this.#jump("Z", label);
      this.#op("p1");
      this.#label(label);
    } else {
      const end = this.#nextLabel++;
      this.#jump("B", label);
      this.#op("0");
      this.#jump("J", end);
      this.#label(label);
      this.#op("1");
      this.#label(end);
    }
    return (left | right) & ~PARENTHESIS;
  }

  #operand(): number {
    const { kind, text } = this.#peek();
    switch (kind) {
      case "number":
        this.#take();
        if (text === "0" || text === "1") this.#op(text);
        else this.#constant(text);
        return REGULAR;
      case "name":
        this.#take();
        return this.#isMark("(") ? this.#call(text) : this.#named(this.#variable(text));
      case "step":
        return this.#stepBefore();
      case "keyword":
        return this.#wordOperand(text);
      case "mark":
        return this.#markOperand(text);
      case "string":
      case "newline":
      case "end":
      case "assign":
      case "relation":
        return this.#fail();
    }
  }

  #constant(text: string): void {
    this.#emit((code) => {
      for (const character of text) {
        if (character <= "F") continue;
        if (this.#options.extensions === "refused") this.complain("Error in numeric constant");
        else this.#extension("Non-standard base in numeric constant");
      }
      code.constant(text);
    });
  }

  #markOperand(text: string): number {
    if (text !== "-" && text !== "!" && text !== "(") this.#fail();
    this.#take();
    if (text === "(") {
      const kind = this.#expression();
      this.#expect(")");
      if ((kind & VOID) !== 0) this.complain("void expression in parenthesis");
      return kind | REGULAR | PARENTHESIS;
    }
    if (text === "!") {
      const kind = this.#expression(RELATION_LEVEL);
      if ((kind & VOID) !== 0) this.complain("void expression with !");
      this.#extension("! operator");
      this.#op("!");
      return kind & ~PARENTHESIS;
    }
    if (++this.#depth > MOST_DEPTH) {
      this.#options.tell("memory exhausted");
      throw new ProgramEnd(1);
    }
    const kind = this.#operand();
    this.#depth--;
    if ((kind & VOID) !== 0) this.complain("void expression with unary -");
    this.#op("n");
    return kind & ~PARENTHESIS;
  }

  #wordOperand(word: string): number {
    if (!EXPRESSION_WORDS.has(word)) this.#fail();
    this.#take();
    if (word === "read" || word === "random") {
      this.#expect("(");
      this.#expect(")");
      this.#extension(`${word} function`);
      this.#op(word === "read" ? "cI" : "cX");
      return REGULAR;
    }
    const isFunction = word === "length" || word === "sqrt" || (word === "scale" && this.#isMark("("));
    if (!isFunction) return this.#named(this.#special(word));
    this.#expect("(");
    const kind = this.#expression();
    this.#expect(")");
    if ((kind & VOID) !== 0) this.complain(`void expression in ${word}()`);
    this.#op(`c${word === "length" ? "L" : word === "sqrt" ? "R" : "S"}`);
    return REGULAR;
  }

  #special(word: string): number {
    if (word === "history") this.#extension("History variable");
    if (word === "last") this.#extension("Last variable");
    return (SPECIAL as readonly string[]).indexOf(word);
  }

  /** The number of the variable behind its name; of an element of an array, whose index then is on the stack, it is below zero. */
  #variable(name: string): number {
    if (!this.#isMark("[")) {
      this.#warnOfLongName(name);
      return this.#names.simple(name);
    }
    this.#take();
    return this.#element(name);
  }

  #element(name: string): number {
    const kind = this.#expression();
    this.#expect("]");
    if ((kind & VOID) !== 0) this.complain("void expression as subscript");
    if ((kind & COMPARISON) !== 0) this.#extension("comparison in subscript");
    this.#warnOfLongName(name);
    return -this.#names.array(name);
  }

  #load(variable: number): void {
    this.#opWith(variable < 0 ? "L" : "l", Math.abs(variable));
  }

  #step(variable: number, sign: string): void {
    this.#opWith(variable < 0 ? (sign === "+" ? "A" : "M") : sign === "+" ? "i" : "d", Math.abs(variable));
  }

  #named(variable: number): number {
    const token = this.#peek();
    if (token.kind === "assign") return this.#assignment(variable, this.#take().text);
    if (token.kind !== "step") {
      this.#load(variable);
      return REGULAR;
    }
    this.#take();
    if (variable < 0) this.#op("D");
    this.#load(variable);
    if (variable < 0) this.#op("x");
    this.#step(variable, token.text);
    return REGULAR;
  }

  #assignment(variable: number, operator: string): number {
    if (operator !== "=") {
      if (variable < 0) this.#op("D");
      this.#load(variable);
    }
    if ((this.#expression(ASSIGNED_LEVEL) & VOID) !== 0) this.complain("Assignment of a void expression");
    if (operator !== "=") this.#op(operator);
    this.#opWith(variable < 0 ? "S" : "s", Math.abs(variable));
    return ASSIGNMENT;
  }

  #stepBefore(): number {
    const sign = this.#take().text;
    const { kind, text } = this.#peek();
    let variable: number;
    if (kind === "name") {
      this.#take();
      variable = this.#variable(text);
    } else if (kind === "keyword" && (SPECIAL as readonly string[]).includes(text)) {
      this.#take();
      variable = this.#special(text);
    } else this.#fail();
    if (variable < 0) this.#op("D");
    this.#step(variable, sign);
    this.#load(variable);
    return REGULAR;
  }

  #call(name: string): number {
    this.#take();
    let types = "";
    if (!this.#isMark(")")) {
      for (;;) {
        types += this.#argument();
        if (!this.#isMark(",")) break;
        this.#take();
      }
    }
    this.#expect(")");
    this.#warnOfLongName(name);
    const number = this.#names.called(name);
    this.#emit((code) => {
      code.opWith("C", number);
      // The last one first.
      code.body.push(...Buffer.from(`${[...types].reverse().join("")}:`));
    });
    return this.#names.functions[number]?.isVoid === true ? VOID : REGULAR;
  }

  /** "1" for an array as a whole, "0" for anything else. */
  #argument(): "0" | "1" {
    const array = this.#isKind("name") ? this.#wholeArray() : undefined;
    if (array === true) return "1";
    const kind = array ?? this.#expression();
    if ((kind & COMPARISON) !== 0) this.#extension("comparison in argument");
    if ((kind & VOID) !== 0) this.complain("void argument");
    return "0";
  }

  /** True for `NAME[]`; else the kind of the expression that begins with a name. */
  #wholeArray(): true | number {
    const { text: name } = this.#take();
    if (this.#isMark("(")) return this.#continued(this.#call(name));
    if (!this.#isMark("[")) return this.#continued(this.#named(this.#variable(name)));
    this.#take();
    if (!this.#isMark("]")) return this.#continued(this.#named(this.#element(name)));
    this.#take();
    this.#warnOfLongName(name);
    const number = this.#names.array(name);
    this.#emit((code) => code.constant(String(number)));
    return true;
  }

  /** What follows the first operand of an expression. */
  #continued(first: number): number {
    let kind = first;
    for (;;) {
      const { kind: tokenKind, text } = this.#peek();
      const found = tokenKind === "relation" ? RELATION_LEVEL : tokenKind === "mark" ? LEVELS[text] : undefined;
      if (found === undefined) return kind;
      this.#take();
      kind = this.#operation(kind, text, found);
    }
  }
}

const LIMITS =
  "BC_BASE_MAX     = 2147483647\nBC_DIM_MAX      = 16777215\nBC_SCALE_MAX    = 2147483647\nBC_STRING_MAX   = 2147483647\n" +
  "MAX Exponent    = 9223372036854775807\nNumber of vars  = 32767\n";
