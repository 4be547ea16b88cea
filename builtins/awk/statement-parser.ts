/** Statements. */
import type { ExpressionParser } from "./expression-parser.ts";
import { placeText } from "./source.ts";
import type { TokenReader } from "./token-reader.ts";
import type { Block, Expression, Output, Statement, SwitchCase } from "./tree.ts";

/** Files that are none: what may stand after `>`. */
const OUTPUTS: ReadonlyMap<string, Output> = new Map([
  ["/dev/stdout", "stdout"],
  ["/dev/fd/1", "stdout"],
  ["-", "stdout"],
  ["/dev/stderr", "stderr"],
  ["/dev/fd/2", "stderr"],
  ["/dev/null", "none"],
]);

/** Commands that do nothing but print to standard error. */
const TO_STDERR = /^\s*cat\s*(?:1?>\s*&\s*2|1?>\s*\/dev\/stderr)\s*$/;

/** How deep statements may nest. */
const MAX_DEPTH = 500;

export type RuleKind = "BEGIN" | "END" | "BEGINFILE" | "ENDFILE" | "rule" | "function";

export class StatementParser {
  readonly #reader: TokenReader;
  readonly #expressions: ExpressionParser;
  #rule: RuleKind = "rule";
  #depth = 0;
  /** Mistakes that are told once gawk has read on to the token behind the statement. */
  readonly #mistakes: string[] = [];

  constructor(reader: TokenReader, expressions: ExpressionParser) {
    this.#reader = reader;
    this.#expressions = expressions;
  }

  /** `{ … }` of a rule or a function. */
  body(rule: RuleKind): Block {
    this.#rule = rule;
    this.#reader.loops = 0;
    this.#reader.switches = 0;
    const { place } = this.#reader;
    return { kind: "block", statements: this.#braced(), place };
  }

  #braced(): Statement[] {
    const reader = this.#reader;
    reader.expect("{");
    const statements: Statement[] = [];
    for (;;) {
      reader.skipTerminators();
      if (reader.accept("}")) return statements;
      statements.push(this.#statement());
    }
  }

  #statement(): Statement {
    const reader = this.#reader;
    if (++this.#depth > MAX_DEPTH) throw reader.error("statements nested too deeply");
    const statement = this.#anyStatement();
    this.#depth--;
    return statement;
  }

  #anyStatement(): Statement {
    const reader = this.#reader;
    const { place, token } = reader;
    if (reader.is("{")) {
      const statements = this.#braced();
      return { kind: "block", statements, place };
    }
    if (reader.is(";")) {
      reader.take();
      return { kind: "empty", place };
    }
    if (token.kind === "keyword") {
      switch (token.text) {
        case "if":
          return this.#if();
        case "while":
          return this.#within("loops", () => this.#while());
        case "do":
          return this.#within("loops", () => this.#do());
        case "for":
          return this.#within("loops", () => this.#for());
        case "switch":
          return this.#within("switches", () => this.#switch());
      }
    }
    const simple = this.#simple();
    this.#endStatement();
    return simple;
  }

  /** A statement without others in it. */
  #simple(): Statement {
    const reader = this.#reader;
    const { place, token } = reader;
    if (token.kind !== "keyword") return { kind: "expression", expression: this.#expressions.expression(), place };
    switch (token.text) {
      case "print":
      case "printf":
        return this.#print(token.text);
      case "delete":
        return this.#delete();
      case "next":
      case "nextfile":
        reader.take();
        if (
          this.#rule === "BEGIN" ||
          this.#rule === "END" ||
          this.#rule === "ENDFILE" ||
          (this.#rule === "BEGINFILE" && token.text === "next")
        ) {
          this.#mistakes.push(`${placeText(place)} error: \`${token.text}' used in ${this.#rule} action`);
        }
        return { kind: token.text, place };
      case "break":
      case "continue": {
        // The second time: the first was when the word was read.
        const mistake = reader.mistakenJump();
        if (mistake !== undefined) this.#mistakes.push(mistake);
        reader.take();
        return { kind: token.text, place };
      }
      case "exit":
        reader.take();
        return { kind: "exit", value: this.#endsHere() ? undefined : this.#expressions.expression(), place };
      case "return":
        if (this.#rule !== "function") throw reader.error("`return' used outside function context", token);
        reader.take();
        return { kind: "return", value: this.#endsHere() ? undefined : this.#expressions.returned(), place };
      default:
        return { kind: "expression", expression: this.#expressions.expression(), place };
    }
  }

  #endsHere(): boolean {
    const { kind } = this.#reader.token;
    return kind === "newline" || kind === "end" || this.#reader.is(";") || this.#reader.is("}");
  }

  #endStatement(): void {
    const reader = this.#reader;
    reader.mayEndLine();
    const isTerminated = reader.token.kind === "newline" || reader.is(";");
    if (!isTerminated && !reader.is("}") && reader.token.kind !== "end") throw reader.error();
    if (isTerminated) reader.take();
    if (isTerminated && this.#mistakes.length > 0) reader.skipNewlines();
    reader.mistakes.push(...this.#mistakes.splice(0));
    if (reader.token.kind === "end") throw reader.error();
  }

  #if(): Statement {
    const reader = this.#reader;
    const { place } = reader;
    reader.take();
    const condition = this.#condition();
    const then = this.#inner();
    // An `else` may stand after newlines, and after one semicolon.
    reader.skipTerminators();
    if (!reader.accept("else")) return { kind: "if", condition, then, otherwise: undefined, place };
    return { kind: "if", condition, then, otherwise: this.#inner(), place };
  }

  #condition(): Expression {
    const reader = this.#reader;
    reader.expect("(");
    const condition = this.#expressions.expression();
    reader.expect(")");
    return condition;
  }

  /** The statement a loop or a condition holds, after any newlines. */
  #inner(): Statement {
    this.#reader.skipNewlines();
    return this.#statement();
  }

  /** A loop, or a switch; what may end it may do so from its first word on. */
  #within(kind: "loops" | "switches", parse: () => Statement): Statement {
    this.#reader[kind]++;
    const statement = parse();
    this.#reader[kind]--;
    return statement;
  }

  #while(): Statement {
    const { place } = this.#reader;
    this.#reader.take();
    const condition = this.#condition();
    if (this.#reader.is(";")) {
      this.#reader.take();
      return { kind: "while", condition, body: { kind: "empty", place }, place };
    }
    return { kind: "while", condition, body: this.#inner(), place };
  }

  #do(): Statement {
    const reader = this.#reader;
    const { place } = reader;
    reader.take();
    const body = this.#inner();
    reader.skipTerminators();
    reader.expect("while");
    const condition = this.#condition();
    reader.skipNewlines();
    return { kind: "do", condition, body, place };
  }

  #for(): Statement {
    const reader = this.#reader;
    const { place } = reader;
    reader.take();
    reader.expect("(");
    let first: Statement | undefined;
    if (!reader.is(";")) {
      if (reader.token.kind === "name" || reader.is("$")) {
        const expression = this.#expressions.withoutIn();
        if (reader.is("in") && expression.kind === "name") {
          reader.take();
          const array = this.#expressions.variable();
          if (reader.is(")")) {
            reader.take();
            return { kind: "for-in", variable: expression, array, body: this.#inner(), place };
          }
          throw reader.error();
        }
        first = { kind: "expression", expression, place };
      } else first = this.#simple();
    }
    reader.expect(";");
    reader.skipNewlines();
    const condition = reader.is(";") ? undefined : this.#expressions.expression();
    reader.expect(";");
    reader.skipNewlines();
    const step = reader.is(")") ? undefined : this.#simple();
    reader.expect(")");
    if (reader.is(";")) {
      reader.take();
      return { kind: "for", first, condition, step, body: { kind: "empty", place }, place };
    }
    return { kind: "for", first, condition, step, body: this.#inner(), place };
  }

  #switch(): Statement {
    const reader = this.#reader;
    const { place } = reader;
    reader.take();
    const value = this.#condition();
    reader.skipNewlines();
    reader.expect("{");
    const cases: SwitchCase[] = [];
    reader.skipNewlines();
    while (!reader.accept("}")) {
      let label: Expression | undefined;
      if (reader.accept("case")) label = this.#expressions.caseLabel();
      else if (reader.accept("default")) {
        if (cases.some((one) => one.value === undefined)) throw reader.error("duplicate `default' detected in switch body");
      } else throw reader.error();
      reader.expect(":");
      const body: Statement[] = [];
      for (;;) {
        reader.skipTerminators();
        if (reader.is("case") || reader.is("default") || reader.is("}")) break;
        body.push(this.#statement());
      }
      cases.push({ value: label, body });
    }
    return { kind: "switch", value, cases, place };
  }

  #delete(): Statement {
    const reader = this.#reader;
    const { place } = reader;
    reader.take();
    const isGrouped = reader.accept("(");
    const variable = this.#expressions.variable();
    if (isGrouped) reader.expect(")");
    if (variable.kind === "element") return { kind: "delete", array: variable.array, subscripts: variable.subscripts, place };
    return { kind: "delete", array: variable, subscripts: [], place };
  }

  #print(kind: "print" | "printf"): Statement {
    const reader = this.#reader;
    const { place } = reader;
    reader.take();
    let values: readonly Expression[] = [];
    if (!this.#endsHere() && !reader.is(">") && !reader.is(">>") && !reader.is("|") && !reader.is("|&")) values = this.#printedValues();
    const output = this.#output(kind);
    return { kind, values, output, place };
  }

  /** `print (a, b) > c` has its list in parentheses; in `print (a)(b)` and `print (a) + 1` they are part of it. */
  #printedValues(): readonly Expression[] {
    const reader = this.#reader;
    if (reader.is("(") && this.#isParenthesisedList()) {
      reader.take();
      const values: Expression[] = [];
      do {
        reader.skipNewlines();
        values.push(this.#expressions.expression());
      } while (reader.accept(","));
      reader.expect(")");
      return values;
    }
    return this.#expressions.printed();
  }

  /** Whether the parenthesis at hand closes right before what ends a print statement. */
  #isParenthesisedList(): boolean {
    const { text } = this.#reader.source;
    let depth = 0;
    let before = "(";
    for (let at = this.#reader.token.at; at < text.length; at++) {
      const letter = text[at] as string;
      if (letter === "(" || letter === "[") depth++;
      else if (letter === ")" || letter === "]") {
        if (--depth === 0) return /^(?:[ \t\r]|\\\r?\n)*(?:$|[;\n}#>]|\|(?!\|)(?!&?[ \t]*getline\b))/.test(text.slice(at + 1));
      } else if (letter === '"') {
        for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === "\\") at++;
      } else if (letter === "#") {
        const end = text.indexOf("\n", at);
        if (end < 0) return false;
        at = end;
      } else if (
        letter === "/" &&
        /[(,!~&|?:;{[\n=+*%^<>-]/.test(before) &&
        !/(?:\+\+|--)\s*$/.test(text.slice(Math.max(0, at - 20), at))
      ) {
        let inBrackets = false;
        for (at++; at < text.length && (text[at] !== "/" || inBrackets) && text[at] !== "\n"; at++) {
          if (text[at] === "\\") at++;
          else if (text[at] === "[") inBrackets = true;
          else if (text[at] === "]") inBrackets = false;
        }
      }
      if (!/\s/.test(letter)) before = letter;
    }
    return false;
  }

  #output(kind: string): Output | undefined {
    const reader = this.#reader;
    const { place, token } = reader;
    const operator = token.text;
    if (token.kind !== "operator" || !/^(?:>|>>|\||\|&)$/.test(operator)) return undefined;
    reader.take();
    const target = this.#expressions.redirectionTarget();
    const inner = target.kind === "group" ? target.inner : target;
    const literal = inner.kind === "string" ? inner.value : undefined;
    if (literal !== undefined) {
      const file = operator === ">" || operator === ">>" ? OUTPUTS.get(literal) : undefined;
      if (file !== undefined) return file;
      if (operator === "|" && TO_STDERR.test(literal)) return "stderr";
    }
    const isFile = operator === ">" || operator === ">>";
    const what = `${kind} ${operator} ${reader.source.text.slice(token.end, reader.lastEnd).trim()}`;
    reader.refusals.push({ kind: isFile ? "write" : "run", what, place, at: token.at, end: reader.lastEnd, literal, operator });
    return "none";
  }
}
