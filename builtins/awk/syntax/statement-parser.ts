/** Parser of awk's statements: tokens → syntax tree. */
import type { ExpressionParser } from "./expression-parser.ts";
import type { Token } from "./token.ts";
import { numberText } from "../values/text-conversion.ts";
import type { RuleKind, TokenReader } from "./token-reader.ts";
import type { Block, Expression, Output, Refusal, Statement, SwitchCase } from "./tree.ts";

/** Files that are none: what may stand after `>`. */
export const OUTPUTS: ReadonlyMap<string, "stdout" | "stderr" | "none"> = new Map([
  ["/dev/stdout", "stdout"],
  ["/dev/fd/1", "stdout"],
  ["-", "stdout"],
  ["/dev/stderr", "stderr"],
  ["/dev/fd/2", "stderr"],
  ["/dev/null", "none"],
]);

/** Deepest nesting of statements. */
const MAX_DEPTH = 500;

export class StatementParser {
  readonly #reader: TokenReader;
  readonly #expressions: ExpressionParser;
  #depth = 0;

  constructor(reader: TokenReader, expressions: ExpressionParser) {
    this.#reader = reader;
    this.#expressions = expressions;
  }

  /** `{ … }` of a rule or a function. */
  body(rule: RuleKind): Block {
    this.#reader.rule = rule;
    this.#reader.loops = 0;
    this.#reader.switches = 0;
    const { place } = this.#reader;
    return { kind: "block", statements: this.#braced(), place };
  }

  #braced(): Statement[] {
    const reader = this.#reader;
    reader.expect("{");
    reader.skipNewlines();
    const statements: Statement[] = [];
    while (!reader.accept("}")) statements.push(this.#statement());
    reader.skipNewlines();
    return statements;
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
      reader.endStatement();
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
    const simple = token.kind === "keyword" ? this.#ofOneWord(token) : undefined;
    const statement = simple ?? this.#simple();
    reader.endStatement();
    const mistake = this.#mistakeOf(token);
    if (mistake !== undefined) reader.mistake(mistake, place.line);
    return statement;
  }

  /** Error of a statement in a place that does not allow it; gawk prints it once it has read on to the token behind it. */
  #mistakeOf({ kind, text }: Token): string | undefined {
    const { rule } = this.#reader;
    if (kind !== "keyword") return undefined;
    // The second time: the first was when the word was read.
    if (text === "break" || text === "continue") return this.#reader.mistakeOfJump(text);
    const isMistaken =
      text === "next"
        ? rule !== "rule" && rule !== "function"
        : text === "nextfile" && (rule === "BEGIN" || rule === "END" || rule === "ENDFILE");
    return isMistaken ? `\`${text}' used in ${rule} action` : undefined;
  }

  /** next, exit, return and the like. */
  #ofOneWord({ text }: Token): Statement | undefined {
    const reader = this.#reader;
    const { place } = reader;
    switch (text) {
      case "next":
      case "nextfile":
      case "break":
      case "continue":
        reader.take();
        return { kind: text, place };
      case "exit":
        reader.take();
        return { kind: "exit", value: this.#endsHere() ? undefined : this.#expressions.expression(), place };
      case "return":
        if (reader.rule !== "function") throw reader.error("`return' used outside function context");
        reader.take();
        return { kind: "return", value: this.#endsHere() ? undefined : this.#expressions.returned(), place };
      default:
        return undefined;
    }
  }

  /** Parses a simple statement, which may stand in the head of `for` too. */
  #simple(): Statement {
    const reader = this.#reader;
    const { place, token } = reader;
    if (reader.is("print") || reader.is("printf")) return this.#print(token.text as "print" | "printf");
    if (reader.is("delete")) return this.#delete();
    return { kind: "expression", expression: this.#expressions.expression(), place };
  }

  #endsHere(): boolean {
    const { kind } = this.#reader.token;
    return kind === "newline" || kind === "end" || this.#reader.is(";") || this.#reader.is("}");
  }

  #if(): Statement {
    const reader = this.#reader;
    const { place } = reader;
    reader.take();
    const condition = this.#condition();
    const then = this.#inner();
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
    return { kind: "while", condition, body: this.#inner(), place };
  }

  #do(): Statement {
    const reader = this.#reader;
    const { place } = reader;
    reader.take();
    const body = this.#inner();
    if (reader.is("while")) reader.endsDo();
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
    return { kind: "for", first, condition, step, body: this.#inner(), place };
  }

  #switch(): Statement {
    const reader = this.#reader;
    const { place } = reader;
    reader.take();
    const value = this.#condition();
    reader.skipNewlines();
    reader.expect("{");
    reader.skipNewlines();
    const cases: SwitchCase[] = [];
    const lines: number[] = [];
    while (!reader.accept("}")) {
      let label: Expression | undefined;
      lines.push(reader.token.line);
      if (reader.accept("case")) label = this.#expressions.caseLabel();
      else if (!reader.accept("default")) throw reader.error();
      reader.expect(":");
      reader.skipNewlines();
      const body: Statement[] = [];
      while (!reader.is("case") && !reader.is("default") && !reader.is("}")) body.push(this.#statement());
      cases.push({ value: label, body });
    }
    reader.skipNewlines();
    this.#checkLabels(cases, lines);
    return { kind: "switch", value, cases, place };
  }

  /** gawk looks at the last one first. */
  #checkLabels(cases: readonly SwitchCase[], lines: readonly number[]): void {
    const seen = new Map<string, number>();
    for (const [at, { value }] of [...cases.entries()].reverse()) {
      const line = lines[at] as number;
      if (value === undefined) {
        if (cases.slice(at + 1).some((later) => later.value === undefined)) {
          this.#reader.mistake("duplicate `default' detected in switch body", line);
        }
      } else if (value.kind === "number" || value.kind === "string") {
        const label = value.kind === "string" ? value.value : numberText(value.value, "%.6g");
        const times = seen.get(label) ?? 0;
        for (let told = 0; told < times; told++) this.#reader.mistake(`duplicate case values in switch body: ${label}`, line);
        seen.set(label, times + 1);
      }
    }
  }

  #delete(): Statement {
    const reader = this.#reader;
    const { place } = reader;
    reader.take();
    const isGrouped = reader.accept("(");
    const variable = isGrouped ? this.#expressions.plainVariable() : this.#expressions.variable();
    if (isGrouped) reader.expect(")");
    if (variable.kind === "name" && (variable.name === "SYMTAB" || variable.name === "FUNCTAB")) {
      throw reader.fatal(`\`delete' is not allowed with ${variable.name}`);
    }
    if (variable.kind === "element") return { kind: "delete", array: variable.array, subscripts: variable.subscripts, place };
    return { kind: "delete", array: variable, subscripts: [], place };
  }

  #print(kind: "print" | "printf"): Statement {
    const reader = this.#reader;
    const { place } = reader;
    reader.inPrint = true;
    reader.take();
    const values = this.#endsHere() || reader.token.redirects ? [] : this.#expressions.printed();
    const output = this.#output(kind);
    reader.inPrint = false;
    return { kind, values, output, place };
  }

  #output(kind: string): Output | undefined {
    const reader = this.#reader;
    const { place, token } = reader;
    const operator = token.text;
    if (!token.redirects) return undefined;
    reader.inPrint = false;
    reader.take();
    const target = this.#expressions.redirectionTarget();
    // gawk reads on to see whether `getline` is behind it.
    if (reader.accept("|")) throw reader.error();
    const inner = target.kind === "group" ? target.inner : target;
    const literal = inner.kind === "string" ? inner.value : undefined;
    const isFile = operator === ">" || operator === ">>";
    const file = isFile && literal !== undefined ? OUTPUTS.get(literal) : undefined;
    if (file !== undefined) return file;
    const what = `${kind} ${operator} ${reader.source.text.slice(token.end, reader.lastEnd).trim()}`;
    if (operator === "|") {
      reader.commands.push({ what, place, command: inner, within: reader.within });
      return { to: "command", name: inner };
    }
    const refusal = { what, place, at: token.at, end: reader.lastEnd, literal, operator };
    if (operator !== ">" && operator !== ">>") {
      reader.refusals.push({ kind: "run", ...refusal });
      return "none";
    }
    reader.refusals.push({ kind: "write", ...refusal, file: spelledOut(inner) });
    return { to: "file", name: inner, operator };
  }
}

/** The part of a file's name that an expression spells out: all of it, or its beginning. */
function spelledOut(expression: Expression): NonNullable<Refusal["file"]> {
  if (expression.kind === "string") return { name: expression.value, isPrefix: false };
  const [first] = expression.kind === "concatenation" ? expression.parts : [];
  return { name: first?.kind === "string" ? first.value : "", isPrefix: true };
}
