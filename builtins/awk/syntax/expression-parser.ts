/** Expressions, by the precedences of gawk's grammar. One file because each level of precedence is one method that calls the next. */
import { BUILTIN_FUNCTIONS } from "../library/function-table.ts";
import type { Token } from "./token.ts";
import { constantOf, isAssignable, isChangeable, isTarget } from "./operand-facts.ts";
import { ProgramError } from "./program-error.ts";
import type { Place } from "./source.ts";
import { SPECIAL_VARIABLES } from "../run/special-variables.ts";
import type { TokenReader } from "./token-reader.ts";
import type { Arithmetic, AssignOperator, Comparison, Expression, Target } from "./tree.ts";

/** Context of an expression that takes operators from it. */
interface Context {
  /** `for (a in b)`: `in` is not an operator yet. */
  readonly noIn: boolean;
}

const PLAIN: Context = { noIn: false };

/** Precedence of the operators between whole expressions, by gawk's grammar. `in` takes no expression on its right. */
const BINDINGS: ReadonlyMap<string, number> = new Map([
  ["?", 1],
  ["||", 2],
  ["&&", 3],
  ["in", 4],
  ["~", 5],
  ["!~", 5],
  ...["<", "<=", "==", "!=", ">", ">="].map((operator): [string, number] => [operator, 6]),
]);

/** Deepest nesting of expressions. */
const MAX_DEPTH = 1500;

export class ExpressionParser {
  readonly #reader: TokenReader;
  readonly #qualify: (name: string) => string;
  readonly #used: (name: string, place: Place, asFunction: boolean) => void;
  #depth = 0;
  #indirectCalls = 0;
  /** The first token of what is printed. */
  #printed: Token | undefined;

  /** `used` is told of every variable and every function that is called. */
  constructor(reader: TokenReader, qualify: (name: string) => string, used: (name: string, place: Place, asFunction: boolean) => void) {
    this.#reader = reader;
    this.#qualify = qualify;
    this.#used = used;
  }

  expression(context: Context = PLAIN): Expression {
    if (++this.#depth > MAX_DEPTH) throw this.#reader.error("expression nested too deeply");
    const result = this.#climb(0, context);
    this.#depth--;
    return result;
  }

  /** Parses the arguments of `print`: `a, b` or `(a, b)`. */
  printed(): readonly Expression[] {
    const depth = this.#depth;
    this.#printed = this.#reader.token;
    try {
      const values = [this.expression()];
      while (this.#reader.accept(",")) {
        this.#reader.skipNewlines();
        values.push(this.expression());
      }
      return values;
    } catch (thrown) {
      if (!(thrown instanceof PrintedList)) throw thrown;
      this.#depth = depth;
      return thrown.values;
    }
  }

  /** Parses the value of `return`. */
  returned(): Expression {
    return this.#typedRegex() ?? this.expression();
  }

  withoutIn(): Expression {
    return this.expression({ noIn: true });
  }

  /** The target of a redirection. */
  redirectionTarget(): Expression {
    return this.#concatenation();
  }

  /** `case` takes constants only. */
  caseLabel(): Expression {
    const reader = this.#reader;
    const place = reader.place;
    if (this.#isSlash()) return { kind: "regex", source: reader.takeRegex().text, place };
    if (reader.token.kind === "typed-regex") return { kind: "regex", source: this.#takeTypedRegex().source, place };
    const sign = reader.is("-") || reader.is("+") ? reader.take().text : "";
    if (reader.token.kind === "number") return { kind: "number", value: reader.take().value * (sign === "-" ? -1 : 1) };
    if (sign === "" && reader.token.kind === "string") return { kind: "string", value: reader.take().text };
    throw reader.error();
  }

  /** Operands and the operators between them that bind at least as tightly as `least`. */
  #climb(least: number, context: Context): Expression {
    const reader = this.#reader;
    let left = this.#operand();
    for (;;) {
      const { token, place } = reader;
      const operator = (token.kind === "operator" && !token.redirects) || token.kind === "keyword" ? token.text : "";
      const binding = BINDINGS.get(operator);
      if (binding === undefined || binding < least) return left;
      if (operator === "in" && context.noIn && left.kind === "name") return left;
      reader.take();
      switch (operator) {
        case "?": {
          const then = this.#climb(0, PLAIN);
          reader.expect(":");
          left = { kind: "conditional", condition: left, then, otherwise: this.#climb(binding, PLAIN) };
          break;
        }
        case "||":
        case "&&":
          left = { kind: operator === "||" ? "or" : "and", left, right: this.#climb(binding + 1, PLAIN) };
          break;
        case "in":
          left = { kind: "in", subscripts: [left], array: this.#arrayName() };
          break;
        case "~":
        case "!~": {
          const right = this.#typedRegex() ?? this.#climb(binding + 1, PLAIN);
          if (left.kind === "regex") reader.warn("regular expression on left of `~' or `!~' operator", place.line);
          left = { kind: "match", negated: operator === "!~", left, right };
          break;
        }
        default: {
          const right = this.#climb(binding + 1, PLAIN);
          const next = reader.token;
          // They do not associate.
          if (next.kind === "operator" && BINDINGS.get(next.text) === binding && !next.redirects) throw reader.error();
          left = { kind: "compare", operator: operator as Comparison, left, right };
        }
      }
    }
  }

  /** Parses an operand that may be an assignment, which then takes all that follows: `a && b = c`, `x ~ y = z`. */
  #operand(): Expression {
    const left = this.#piped();
    const { token } = this.#reader;
    if (!isAssignable(left) || token.kind !== "operator" || !/^[-+*/%^]?=$/.test(token.text)) return left;
    this.#reader.take();
    const operator = token.text as AssignOperator;
    if (++this.#depth > MAX_DEPTH) throw this.#reader.error("expression nested too deeply");
    const value = (operator === "=" ? this.#typedRegex() : undefined) ?? this.#climb(0, PLAIN);
    this.#depth--;
    if (isTarget(left)) return { kind: "assign", operator, target: left, value };
    throw this.#cannotAssign(this.#reader.token);
  }

  /** `token` is the one that gawk has read then. */
  #cannotAssign(token: Token): ProgramError {
    return this.#reader.error("cannot assign a value to the result of a field post-increment expression", token);
  }

  /** It may stand on the right of an assignment or a match, and for an argument, alone. */
  #typedRegex(): Expression | undefined {
    return this.#reader.token.kind === "typed-regex" ? this.#takeTypedRegex() : undefined;
  }

  #takeTypedRegex(): Extract<Expression, { kind: "typed-regex" }> {
    const reader = this.#reader;
    const { token } = reader;
    try {
      reader.checkRegex(token.text, token.lineAfter);
    } catch (thrown) {
      if (!(thrown instanceof ProgramError)) throw thrown;
      throw new ProgramError([...thrown.lines, ...reader.fatal("could not make typed regex", token).lines], 2);
    }
    return { kind: "typed-regex", source: reader.take().text };
  }

  #isSlash(): boolean {
    return this.#reader.is("/") || this.#reader.is("/=") || this.#reader.is("/==");
  }

  /** `command | getline`; a coprocess is refused. */
  #piped(): Expression {
    const start = this.#reader.token;
    let left: Expression = this.#concatenation();
    const reader = this.#reader;
    while ((reader.is("|") || reader.is("|&")) && !reader.token.redirects) {
      const { place } = reader;
      const operator = reader.take();
      if (!reader.is("getline")) throw reader.error();
      reader.take();
      const target = this.#optionalTarget();
      const what = `${reader.source.text.slice(start.at, operator.at).trim()} ${operator.text} getline`;
      const { lastEnd: end } = reader;
      if (operator.text === "|") reader.commands.push({ what, place, command: left, within: reader.within });
      else reader.refusals.push({ kind: "run", what, place, at: operator.at, end, literal: undefined, operator: "|&" });
      left = this.#afterPiped({ kind: "command-getline", command: left, target });
    }
    return left;
  }

  /** `cmd | getline x + 1`, `cmd | getline x y` */
  #afterPiped(piped: Expression): Expression {
    const reader = this.#reader;
    let left = piped;
    for (;;) {
      if (reader.is("+") || reader.is("-")) {
        const operator = reader.take().text as Arithmetic;
        left = { kind: "arithmetic", operator, left, right: this.#multiplicative() };
      } else if (this.#startsOperand()) left = { kind: "concatenation", parts: [left, this.#additive()] };
      else return left;
    }
  }

  #concatenation(): Expression {
    const first = this.#additive();
    const parts = [first];
    // Where no target is in front of it that could be assigned to, `/=` begins a regular expression.
    while (this.#startsOperand() || ((this.#reader.is("/=") || this.#reader.is("/==")) && (parts.length > 1 || !isAssignable(first))))
      parts.push(this.#additive());
    if (parts.length === 1) return first;
    return { kind: "concatenation", parts };
  }

  /** True if the token at hand begins an operand that is concatenated: neither + nor -. */
  #startsOperand(): boolean {
    const { kind, text } = this.#reader.token;
    switch (kind) {
      case "number":
      case "string":
      case "name":
      case "call":
      case "builtin":
      case "indirect":
      case "directive":
        return true;
      case "keyword":
        return text === "getline";
      case "operator":
        return text === "$" || text === "!" || text === "(" || text === "++" || text === "--" || text === "@";
      case "typed-regex":
      case "file-name":
      case "regex":
      case "newline":
      case "end":
        return false;
    }
  }

  #additive(): Expression {
    let left = this.#multiplicative();
    const reader = this.#reader;
    while (reader.is("+") || reader.is("-")) {
      const operator = reader.take().text as Arithmetic;
      left = { kind: "arithmetic", operator, left, right: this.#multiplicative() };
    }
    return left;
  }

  #multiplicative(): Expression {
    let left = this.#unary();
    const reader = this.#reader;
    while (reader.is("*") || reader.is("/") || reader.is("%")) {
      const { place } = reader;
      const operator = reader.take().text as Arithmetic;
      const right = this.#unary();
      if (operator !== "*" && constantOf(right, reader.folds) === 0) {
        reader.mistake(operator === "%" ? "division by zero attempted in `%'" : "division by zero attempted", place.line);
      }
      left = { kind: "arithmetic", operator, left, right };
    }
    return left;
  }

  #unary(): Expression {
    const reader = this.#reader;
    if (++this.#depth > MAX_DEPTH) throw reader.error("expression nested too deeply");
    try {
      if (reader.accept("!")) return { kind: "not", operand: this.#unary() };
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
    reader.take();
    const right = this.#unaryPower();
    return { kind: "arithmetic", operator: "^", left, right };
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
      if (operand.kind === "field" && !isIndex && (reader.is("++") || reader.is("--"))) throw this.#cannotAssign(reader.token);
      return { kind: "increment", by, isPrefix: false, target: operand };
    }
    return operand;
  }

  #primary(): Expression {
    const reader = this.#reader;
    const { token } = reader;
    switch (token.kind) {
      case "number":
        return { kind: "number", value: reader.take().value };
      case "string":
        return { kind: "string", value: reader.take().text };
      case "file-name":
        throw reader.error();
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
      case "typed-regex":
        throw reader.error();
      case "directive":
        throw reader.errorBehindAt();
      case "regex":
      case "newline":
      case "end":
        throw reader.error();
    }
  }

  #operatorPrimary(token: Token): Expression {
    const reader = this.#reader;
    const { place } = reader;
    switch (token.text) {
      case "/":
      case "/=":
      case "/==":
        return { kind: "regex", source: reader.takeRegex().text, place };
      case "$": {
        reader.take();
        const index = this.#fieldIndex();
        return { kind: "field", index };
      }
      case "++":
      case "--":
        return this.#preIncrement();
      case "@":
        throw reader.errorBehindAt();
      case "(":
        return this.#parenthesised(true);
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

  #preIncrement(): Expression {
    const reader = this.#reader;
    const by = reader.take().text === "++" ? 1 : -1;
    if (reader.token.kind !== "name" && !reader.is("$")) throw reader.error();
    const target = this.#primary() as Target;
    if (target.kind === "field" && (reader.is("++") || reader.is("--"))) throw this.#cannotAssign(reader.token);
    return { kind: "increment", by, isPrefix: true, target };
  }

  /** After `$`: `$i++` is `($i)++`, `$++i` is `$(++i)`, `$-1` is `$(-1)`. */
  #fieldIndex(): Expression {
    const reader = this.#reader;
    if (reader.is("++") || reader.is("--")) return this.#preIncrement();
    if (reader.is("getline")) throw reader.error();
    if (reader.is("(")) return this.#parenthesised(false);
    if (reader.accept("-")) return { kind: "minus", operand: this.#unary() };
    if (reader.accept("+")) return { kind: "plus", operand: this.#unary() };
    if (reader.accept("!")) return { kind: "not", operand: this.#unary() };
    // `$$i++` is `$($i++)`, and `$$i++++` is `$($i++)++`.
    return reader.is("$") ? this.#postfix(true) : this.#primary();
  }

  /** `mayBeList`: `(a, b) in c` may stand here. */
  #parenthesised(mayBeList: boolean): Expression {
    const reader = this.#reader;
    const opening = reader.take();
    const first = this.expression();
    if (mayBeList && reader.is(",")) {
      const subscripts = [first];
      while (reader.accept(",")) {
        reader.skipNewlines();
        subscripts.push(this.expression());
      }
      reader.expect(")");
      if (!reader.is("in")) throw opening === this.#printed ? new PrintedList(subscripts) : reader.error();
      reader.take();
      return { kind: "in", subscripts, array: this.#arrayName() };
    }
    reader.expect(")");
    return { kind: "group", inner: first };
  }

  #arrayName(): Expression {
    const reader = this.#reader;
    if (reader.token.kind !== "name") throw reader.error();
    return this.#variable();
  }

  /** A name with its subscripts. */
  #variable(): Target {
    const reader = this.#reader;
    const { place } = reader;
    const name = this.#qualify(reader.take().text);
    let variable: Target = { kind: "name", name };
    for (let isFirst = true; reader.is("[") && (isFirst || reader.token.at === reader.lastEnd); isFirst = false) {
      reader.take();
      const subscripts = this.#list("]");
      if (subscripts.length === 0) throw reader.error();
      reader.expect("]");
      variable = { kind: "element", array: variable, subscripts };
    }
    this.#used(name, place, false);
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

  /** A name alone. */
  plainVariable(): Target {
    const reader = this.#reader;
    if (reader.token.kind !== "name") throw reader.error();
    const { place } = reader;
    const name = this.#qualify(reader.take().text);
    this.#used(name, place, false);
    return { kind: "name", name };
  }

  /** The variable a `delete`, `for (… in …)` or the like names. */
  variable(): Target {
    if (this.#reader.token.kind !== "name") throw this.#reader.error();
    return this.#variable();
  }

  #list(closing: string, isCall = false): Expression[] {
    const reader = this.#reader;
    const values: Expression[] = [];
    if (reader.is(closing)) return values;
    for (;;) {
      values.push((isCall ? this.#typedRegex() : undefined) ?? this.expression());
      if (!reader.accept(",")) return values;
      reader.skipNewlines();
    }
  }

  #call(): Expression {
    const reader = this.#reader;
    const { place } = reader;
    const typed = reader.take().text;
    const name = this.#qualify(typed);
    const values = this.#values((arguments_) => {
      // gawk takes the arguments of indirect calls for such calls too.
      if (this.#indirectCalls === 0) this.#used(name, place, true);
      this.#warnOfRegexes(arguments_);
    });
    return { kind: "call", name, shown: typed.includes("::") ? typed : name, values };
  }

  #warnOfRegexes(values: readonly Expression[]): void {
    for (const [at, value] of values.entries()) {
      if (value.kind === "regex") this.#reader.warn(`regexp constant for parameter #${at + 1} yields boolean value`, value.place.line);
    }
  }

  /** `known`: what is to be said of the arguments before the token behind them is read. */
  #values(known: (values: readonly Expression[]) => void): Expression[] {
    const reader = this.#reader;
    reader.expect("(");
    const values = this.#list(")", true);
    if (!reader.is(")")) throw reader.error();
    known(values);
    reader.take();
    return values;
  }

  #indirectCall(): Expression {
    const reader = this.#reader;
    const { place } = reader;
    this.#indirectCalls++;
    const called = this.#qualify(reader.take().text);
    const name: Expression = { kind: "name", name: called };
    const values = this.#values((arguments_) => {
      this.#indirectCalls--;
      this.#warnOfRegexes(arguments_);
      if (SPECIAL_VARIABLES.has(called)) throw reader.error(`cannot use special variable \`${called}' for indirect function call`);
      this.#used(called, place, false);
    });
    return { kind: "indirect", name, values };
  }

  #builtinCall(): Expression {
    const reader = this.#reader;
    const { place, token } = reader;
    reader.take();
    const { text: name } = token;
    if (name === "length" && !reader.is("(")) return { kind: "builtin", name, values: [] };
    reader.expect("(");
    const values = this.#list(")", true);
    const closing = reader.token;
    if (!reader.is(")")) throw reader.error();
    this.#checkCount(name, values.length, closing);
    const [, second, third] = values;
    if (name === "index" && (second?.kind === "regex" || second?.kind === "typed-regex")) {
      throw reader.fatal("index: regexp constant as second argument is not allowed");
    }
    if ((name === "sub" || name === "gsub") && third !== undefined && !isChangeable(third, reader.folds)) {
      throw reader.error(`${name} third parameter is not a changeable object`);
    }
    reader.take();
    const [command] = values;
    if (name === "system" && command !== undefined) reader.commands.push({ what: "system()", place, command, within: reader.within });
    return { kind: "builtin", name, values };
  }

  #checkCount(name: string, count: number, closing: Token): void {
    const shape = BUILTIN_FUNCTIONS.get(name);
    // Of those that take any number it is told when they are called.
    if (shape === undefined || shape.max === Infinity || (count >= shape.min && count <= shape.max)) return;
    throw this.#reader.error(`${count} is invalid as number of arguments for ${name}`, closing);
  }

  /** `getline`, `getline VAR`, either with `< FILE`. */
  #getline(): Expression {
    const reader = this.#reader;
    const { place } = reader;
    reader.take();
    const target = this.#optionalTarget();
    if (!reader.accept("<")) {
      if (reader.rule === "BEGINFILE" || reader.rule === "ENDFILE") {
        reader.mistake(`non-redirected \`getline' invalid inside \`${reader.rule}' rule`, place.line);
      }
      return { kind: "getline", target, file: undefined };
    }
    const file = this.#additive();
    if (file.kind === "string") reader.files.push(file.value);
    return { kind: "getline", target, file };
  }
}

/** `(a, b)` that is not followed by `in`: what is printed. */
class PrintedList {
  readonly values: readonly Expression[];

  constructor(values: readonly Expression[]) {
    this.values = values;
  }
}
