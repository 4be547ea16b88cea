/** Expressions, by the precedences of gawk's grammar. One file because each level of precedence is one method that calls the next. */
import { BUILTIN_FUNCTIONS } from "./function-table.ts";
import type { Token } from "./lexer.ts";
import { ProgramError } from "./program-error.ts";
import { placeText, type Place } from "./source.ts";
import type { TokenReader } from "./token-reader.ts";
import type { Arithmetic, AssignOperator, Comparison, Expression, Target } from "./tree.ts";

/** What stands around an expression and takes operators from it. */
interface Context {
  /** `print a > b`: `>` is a redirection, and so is `|`. */
  readonly inPrint: boolean;
  /** `for (a in b)`: `in` is not an operator yet. */
  readonly noIn: boolean;
}

const PLAIN: Context = { inPrint: false, noIn: false };
const PRINT: Context = { inPrint: true, noIn: false };

/** How deep expressions may nest. */
const MAX_DEPTH = 1500;

export class ExpressionParser {
  readonly #reader: TokenReader;
  readonly #qualify: (name: string) => string;
  readonly #used: (name: string, place: Place, asFunction: boolean) => void;
  #depth = 0;

  /** `used` is told of every variable and every function that is called. */
  constructor(reader: TokenReader, qualify: (name: string) => string, used: (name: string, place: Place, asFunction: boolean) => void) {
    this.#reader = reader;
    this.#qualify = qualify;
    this.#used = used;
  }

  expression(context: Context = PLAIN): Expression {
    if (++this.#depth > MAX_DEPTH) throw this.#reader.error("expression nested too deeply");
    const result = this.#conditional(context);
    this.#depth--;
    return result;
  }

  /** What `print` prints. */
  printed(): Expression[] {
    const values = [this.expression(PRINT)];
    while (this.#reader.accept(",")) {
      this.#reader.skipNewlines();
      values.push(this.expression(PRINT));
    }
    return values;
  }

  withoutIn(): Expression {
    return this.expression({ inPrint: false, noIn: true });
  }

  /** The target of a redirection. */
  redirectionTarget(): Expression {
    return this.#concatenation();
  }

  /** `case` takes constants only. */
  caseLabel(): Expression {
    const reader = this.#reader;
    const place = reader.place;
    if (reader.is("/") || reader.is("/=")) return { kind: "regex", source: reader.takeRegex().text, place };
    if (reader.token.kind === "typed-regex") return { kind: "regex", source: reader.take().text, place };
    const sign = reader.is("-") || reader.is("+") ? reader.take().text : "";
    if (reader.token.kind === "number") return { kind: "number", value: reader.take().value * (sign === "-" ? -1 : 1), place };
    if (sign === "" && reader.token.kind === "string") return { kind: "string", value: this.#strings() };
    throw reader.error();
  }

  #conditional(context: Context): Expression {
    const left = this.#or(context);
    const reader = this.#reader;
    if (isTarget(left) && reader.token.kind === "operator") {
      const operator = reader.token.text;
      if (/^(?:[-+*/%^]?=)$/.test(operator)) return this.#assignment(left, operator as AssignOperator, context);
    }
    if (!reader.is("?")) return left;
    reader.take();
    reader.skipNewlines();
    const then = this.#conditional(context);
    reader.expect(":");
    reader.skipNewlines();
    return { kind: "conditional", condition: left, then, otherwise: this.#conditional(context) };
  }

  #assignment(target: Target, operator: AssignOperator, context: Context): Expression {
    const { place } = this.#reader;
    this.#reader.take();
    if (++this.#depth > MAX_DEPTH) throw this.#reader.error("expression nested too deeply");
    const value = this.#conditional(context);
    this.#depth--;
    return { kind: "assign", operator, target, value, place };
  }

  #or(context: Context): Expression {
    let left = this.#and(context);
    while (this.#reader.accept("||")) {
      this.#reader.skipNewlines();
      left = { kind: "or", left, right: this.#assignable(() => this.#and(context), context) };
    }
    return left;
  }

  #and(context: Context): Expression {
    let left = this.#in(context);
    while (this.#reader.accept("&&")) {
      this.#reader.skipNewlines();
      left = { kind: "and", left, right: this.#assignable(() => this.#in(context), context) };
    }
    return left;
  }

  /** An operand may be an assignment without parentheses: `a && b = c`, `x ~ y = z`. */
  #assignable(operand: () => Expression, context: Context): Expression {
    const parsed = operand();
    const { token } = this.#reader;
    if (isTarget(parsed) && token.kind === "operator" && /^[-+*/%^]?=$/.test(token.text)) {
      return this.#assignment(parsed, token.text as AssignOperator, context);
    }
    return parsed;
  }

  #in(context: Context): Expression {
    let left = this.#match(context);
    while (!context.noIn && this.#reader.is("in")) {
      const { place } = this.#reader;
      this.#reader.take();
      left = { kind: "in", subscripts: [left], array: this.#arrayName(), place };
    }
    return left;
  }

  #match(context: Context): Expression {
    let left = this.#comparison(context);
    for (;;) {
      const reader = this.#reader;
      if (!reader.is("~") && !reader.is("!~")) return left;
      const negated = reader.take().text === "!~";
      left = { kind: "match", negated, left, right: this.#assignable(() => this.#comparison(context), context) };
    }
  }

  #comparison(context: Context): Expression {
    const left = this.#piped(context);
    const operator = this.#comparisonOperator(context);
    if (operator === undefined) return left;
    this.#reader.take();
    const right = this.#assignable(() => this.#piped(context), context);
    if (this.#comparisonOperator(context) !== undefined) throw this.#reader.error();
    return { kind: "compare", operator, left, right };
  }

  #comparisonOperator({ inPrint }: Context): Comparison | undefined {
    const { kind, text } = this.#reader.token;
    if (kind !== "operator" || !/^(?:[<>]=?|[!=]=)$/.test(text) || (inPrint && text === ">")) return undefined;
    return text as Comparison;
  }

  /** `command | getline`, which is refused; what it would give is 0. */
  #piped(context: Context): Expression {
    const start = this.#reader.token;
    let left = this.#concatenation();
    const reader = this.#reader;
    while (reader.is("|") || reader.is("|&")) {
      if (context.inPrint && !this.#getlineFollows()) return left;
      const { place } = reader;
      const operator = reader.take();
      if (!reader.is("getline")) throw reader.error();
      reader.take();
      this.#optionalTarget();
      const literal = left.kind === "string" ? left.value : undefined;
      const what = `${reader.source.text.slice(start.at, operator.at).trim()} ${operator.text} getline`;
      reader.refusals.push({ kind: "run", what, place, at: start.at, end: reader.lastEnd, literal, operator: "getline" });
      left = this.#afterPiped({ kind: "number", value: -1, place });
    }
    return left;
  }

  /** `cmd | getline x + 1`, `cmd | getline x y` */
  #afterPiped(piped: Expression): Expression {
    const reader = this.#reader;
    let left = piped;
    for (;;) {
      const { place } = reader;
      if (reader.is("+") || reader.is("-")) {
        const operator = reader.take().text as Arithmetic;
        left = { kind: "arithmetic", operator, left, right: this.#multiplicative(), place };
      } else if (this.#startsOperand()) left = { kind: "concatenation", parts: [left, this.#additive()], place };
      else return left;
    }
  }

  #getlineFollows(): boolean {
    return /^\|&?[ \t]*getline\b/.test(this.#reader.source.text.slice(this.#reader.token.at, this.#reader.token.at + 40));
  }

  #concatenation(): Expression {
    const { place } = this.#reader;
    const first = this.#additive();
    const parts = [first];
    // Where no target is in front of it that could be assigned to, `/=` begins a regular expression.
    while (this.#startsOperand() || (this.#reader.is("/=") && (parts.length > 1 || !isTarget(first)))) parts.push(this.#additive());
    if (parts.length === 1) return first;
    return { kind: "concatenation", parts, place };
  }

  /** Whether the token at hand begins an operand that is concatenated: neither + nor -. */
  #startsOperand(): boolean {
    const { kind, text } = this.#reader.token;
    switch (kind) {
      case "number":
      case "string":
      case "name":
      case "call":
      case "builtin":
      case "typed-regex":
      case "indirect":
        return true;
      case "keyword":
        return text === "getline";
      case "operator":
        return text === "$" || text === "!" || text === "(" || text === "++" || text === "--";
      case "regex":
      case "directive":
      case "newline":
      case "end":
        return false;
    }
  }

  #additive(): Expression {
    let left = this.#multiplicative();
    const reader = this.#reader;
    while (reader.is("+") || reader.is("-")) {
      const { place } = reader;
      const operator = reader.take().text as Arithmetic;
      left = { kind: "arithmetic", operator, left, right: this.#assignable(() => this.#multiplicative(), PLAIN), place };
    }
    return left;
  }

  #multiplicative(): Expression {
    let left = this.#unary();
    const reader = this.#reader;
    while (reader.is("*") || reader.is("/") || reader.is("%")) {
      const { place } = reader;
      const operator = reader.take().text as Arithmetic;
      const right = this.#assignable(() => this.#unary(), PLAIN);
      const constant = constantOf(right);
      if (operator !== "*" && constant === 0 && constantOf(left) !== undefined) {
        const what = operator === "%" ? "division by zero attempted in `%'" : "division by zero attempted";
        throw new ProgramError([`${placeText(place)} error: ${what}`]);
      }
      left = { kind: "arithmetic", operator, left, right, place };
    }
    return left;
  }

  #unary(): Expression {
    const reader = this.#reader;
    if (++this.#depth > MAX_DEPTH) throw reader.error("expression nested too deeply");
    try {
      if (reader.accept("!")) return { kind: "not", operand: this.#assignable(() => this.#unary(), PLAIN) };
      if (reader.accept("-")) return { kind: "minus", operand: this.#unary() };
      if (reader.accept("+")) return { kind: "plus", operand: this.#unary() };
      return this.#power();
    } finally {
      this.#depth--;
    }
  }

  #power(): Expression {
    const left = this.#postfix();
    const reader = this.#reader;
    if (!reader.is("^")) return left;
    const { place } = reader;
    reader.take();
    const right = this.#assignable(() => this.#unaryPower(), PLAIN);
    return { kind: "arithmetic", operator: "^", left, right, place };
  }

  /** The right side of `^`: a sign may stand there. */
  #unaryPower(): Expression {
    const reader = this.#reader;
    if (reader.accept("!")) return { kind: "not", operand: this.#unaryPower() };
    if (reader.accept("-")) return { kind: "minus", operand: this.#unaryPower() };
    if (reader.accept("+")) return { kind: "plus", operand: this.#unaryPower() };
    return this.#power();
  }

  /** `isIndex`: of a field, which takes a further `++` for itself. */
  #postfix(isIndex = false): Expression {
    const operand = this.#primary();
    const reader = this.#reader;
    if (isTarget(operand) && (reader.is("++") || reader.is("--"))) {
      const by = reader.take().text === "++" ? 1 : -1;
      if (operand.kind === "field" && !isIndex && (reader.is("++") || reader.is("--")))
        throw reader.error("cannot assign a value to the result of a field post-increment expression");
      return { kind: "increment", by, isPrefix: false, target: operand };
    }
    return operand;
  }

  #primary(): Expression {
    const reader = this.#reader;
    const { token, place } = reader;
    switch (token.kind) {
      case "number":
        return { kind: "number", value: reader.take().value, place };
      case "string":
        return { kind: "string", value: this.#strings() };
      case "typed-regex":
        return { kind: "typed-regex", source: reader.take().text, place };
      case "name":
        return this.#variable();
      case "call":
        return this.#call();
      case "indirect":
        return this.#indirectCall();
      case "builtin":
        return this.#builtinCall();
      case "keyword":
        if (token.text === "getline") return this.#getline();
        throw reader.error();
      case "operator":
        return this.#operatorPrimary(token);
      case "regex":
      case "directive":
      case "newline":
      case "end":
        throw reader.error();
    }
  }

  /** Adjacent string literals are concatenated one by one; only a single one is taken here. */
  #strings(): string {
    return this.#reader.take().text;
  }

  #operatorPrimary(token: Token): Expression {
    const reader = this.#reader;
    const { place } = reader;
    switch (token.text) {
      case "/":
      case "/=":
        return { kind: "regex", source: reader.takeRegex().text, place };
      case "$": {
        reader.take();
        const index = this.#fieldIndex();
        return { kind: "field", index, place };
      }
      case "++":
      case "--": {
        const by = reader.take().text === "++" ? 1 : -1;
        const operand = reader.token;
        const target = this.#primary();
        if (!isTarget(target)) throw reader.error(undefined, operand);
        return { kind: "increment", by, isPrefix: true, target };
      }
      case "(":
        return this.#parenthesised();
      case "-":
        reader.take();
        return { kind: "minus", operand: this.#unary() };
      case "+":
        reader.take();
        return { kind: "plus", operand: this.#unary() };
      case "!":
        reader.take();
        return { kind: "not", operand: this.#unary() };
    }
    throw reader.error();
  }

  /** After `$`: `$i++` is `($i)++`, `$++i` is `$(++i)`, `$-1` is `$(-1)`. */
  #fieldIndex(): Expression {
    const reader = this.#reader;
    if (reader.is("++") || reader.is("--")) {
      const by = reader.take().text === "++" ? 1 : -1;
      const operand = reader.token;
      const target = this.#primary();
      if (!isTarget(target)) throw reader.error(undefined, operand);
      return { kind: "increment", by, isPrefix: true, target };
    }
    if (reader.accept("-")) return { kind: "minus", operand: this.#unary() };
    if (reader.accept("+")) return { kind: "plus", operand: this.#unary() };
    if (reader.accept("!")) return { kind: "not", operand: this.#unary() };
    // `$$i++` is `$($i++)`, and `$$i++++` is `$($i++)++`.
    return reader.is("$") ? this.#postfix(true) : this.#primary();
  }

  #parenthesised(): Expression {
    const reader = this.#reader;
    const { place } = reader;
    reader.take();
    const first = this.expression();
    if (reader.is(",")) {
      const subscripts = [first];
      while (reader.accept(",")) {
        reader.skipNewlines();
        subscripts.push(this.expression());
      }
      reader.expect(")");
      if (!reader.is("in")) throw reader.error();
      reader.take();
      return { kind: "in", subscripts, array: this.#arrayName(), place };
    }
    reader.expect(")");
    return { kind: "group", inner: first };
  }

  #arrayName(): Expression {
    const reader = this.#reader;
    const isGrouped = reader.accept("(");
    if (reader.token.kind !== "name") throw reader.error();
    const variable = this.#variable();
    if (isGrouped) reader.expect(")");
    return variable;
  }

  /** A name with its subscripts. */
  #variable(): Target {
    const reader = this.#reader;
    const { place } = reader;
    const name = this.#qualify(reader.take().text);
    this.#used(name, place, false);
    let variable: Target = { kind: "name", name, place };
    while (reader.is("[")) {
      reader.take();
      const subscripts = this.#list("]");
      if (subscripts.length === 0) throw reader.error();
      reader.expect("]");
      variable = { kind: "element", array: variable, subscripts, place };
    }
    return variable;
  }

  /** A target where there is one: what `getline` fills, a loop's variable. */
  #optionalTarget(): Target | undefined {
    const reader = this.#reader;
    if (reader.token.kind === "name") return this.#variable();
    if (!reader.is("$")) return undefined;
    const field = this.#primary();
    return isTarget(field) ? field : undefined;
  }

  /** The variable a `delete`, `for (… in …)` or the like names. */
  variable(): Target {
    if (this.#reader.token.kind !== "name") throw this.#reader.error();
    return this.#variable();
  }

  #list(closing: string): Expression[] {
    const reader = this.#reader;
    const values: Expression[] = [];
    if (reader.is(closing)) return values;
    for (;;) {
      values.push(this.expression());
      if (!reader.accept(",")) return values;
      reader.skipNewlines();
    }
  }

  #call(): Expression {
    const reader = this.#reader;
    const { place } = reader;
    const name = this.#qualify(reader.take().text);
    this.#used(name, place, true);
    return { kind: "call", name, values: this.#values(), place };
  }

  #values(): Expression[] {
    const reader = this.#reader;
    reader.expect("(");
    const values = this.#list(")");
    reader.expect(")");
    return values;
  }

  #indirectCall(): Expression {
    const reader = this.#reader;
    const { place } = reader;
    const name: Expression = { kind: "name", name: this.#qualify(reader.take().text), place };
    return { kind: "indirect", name, values: this.#values(), place };
  }

  #builtinCall(): Expression {
    const reader = this.#reader;
    const { place, token } = reader;
    reader.take();
    const { text: name } = token;
    if (name === "length" && !reader.is("(")) return { kind: "builtin", name, values: [], place };
    reader.expect("(");
    const values = this.#list(")");
    const closing = reader.token;
    if (!reader.is(")")) throw reader.error();
    this.#checkCount(name, values.length, closing);
    reader.take();
    if (name === "system") {
      const [command] = values;
      const literal = command?.kind === "string" ? command.value : undefined;
      // Nothing to run: an old way to flush.
      if (literal !== "") {
        reader.refusals.push({ kind: "run", what: "system()", place, at: token.at, end: reader.lastEnd, literal, operator: "system" });
      }
    }
    return { kind: "builtin", name, values, place };
  }

  #checkCount(name: string, count: number, closing: Token): void {
    const shape = BUILTIN_FUNCTIONS.get(name);
    if (shape === undefined || (count >= shape.min && count <= shape.max)) return;
    const reader = this.#reader;
    if (shape.max === Infinity && shape.min === 2) {
      throw new ProgramError([`${placeText(reader.place)} fatal: ${name}: called with less than two arguments`], 2);
    }
    throw reader.error(`${count} is invalid as number of arguments for ${name}`, closing);
  }

  /** `getline`, `getline VAR`, either with `< FILE`. */
  #getline(): Expression {
    const reader = this.#reader;
    const { place } = reader;
    reader.take();
    const target = this.#optionalTarget();
    if (!reader.accept("<")) return { kind: "getline", target, file: undefined, place };
    const file = this.#postfix();
    if (file.kind === "string") reader.files.push(file.value);
    return { kind: "getline", target, file, place };
  }
}

function constantOf(expression: Expression): number | undefined {
  if (expression.kind === "group") return constantOf(expression.inner);
  return expression.kind === "number" ? expression.value : undefined;
}

export function isTarget(expression: Expression): expression is Target {
  return expression.kind === "name" || expression.kind === "element" || expression.kind === "field";
}
