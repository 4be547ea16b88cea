/**
 * Shell arithmetic (bash manual §6.5), in 64 bits that wrap around. A variable's value is itself an expression, as in
 * bash; it can name other variables and elements of arrays. bash would run commands in a subscript that is data: here `$` and
 * backquotes in one are an error.
 */
import { closingBracket, unquotedSubscript } from "./arithmetic-subscript.ts";
import type { ElementKey } from "./arrays.ts";
import { ASSIGNMENTS, LEVELS, OPERATIONS, OPERATORS, power, wrapped } from "./arithmetic-operators.ts";
import { ExpansionError, type Scope, type Value } from "./variables.ts";

/** Values within values: bash has 1,023, and 900 fewer end most cycles of names at the same one. */
const MOST_DEPTH = 123;
/** Expressions in parentheses and behind one another's operators: each takes stack. */
const MOST_PARENTHESES = 512;
/** Operators and values evaluated for one expression: values within values can double at each step. */
const MOST_STEPS = 100_000;

/** Evaluates `text`, a part of `${parameter:…}` where that is given. Throws ExpansionError with bash's words. Empty text is 0. */
export function evaluateArithmetic(text: string, scope: Scope, parameter?: string): bigint {
  return new Evaluator(text, scope, 0, { steps: 0, prefix: parameter === undefined ? "" : `${parameter}: ` }).evaluate();
}

type Token =
  /** `prefixed`: it was a name behind `++` or `--`, to which nothing more may be done. */
  | { readonly kind: "number"; readonly value: bigint; readonly start: number; readonly prefixed?: true }
  /** A name's value is looked up where it is read, as in bash: whatever is wrong with it is said before the rest is looked at. */
  | { readonly kind: "name"; readonly target: Target; readonly value: bigint; readonly start: number }
  | { readonly kind: "operator"; readonly text: string; readonly start: number }
  | { readonly kind: "end"; readonly start: number };

/** A variable or an element of an array. */
interface Target {
  readonly name: string;
  /** The text between the brackets. */
  readonly subscript: string | undefined;
  /** The key that the subscript means, once it has been evaluated. */
  key?: ElementKey;
}

/** State shared by an evaluation and the evaluations of the variables it reads. */
interface Evaluation {
  steps: number;
  /** Before every error. */
  readonly prefix: string;
}

class Evaluator {
  readonly #text: string;
  readonly #scope: Scope;
  readonly #depth: number;
  readonly #evaluation: Evaluation;
  #token: Token = { kind: "end", start: 0 };
  #next = 0;
  /** Start of the last token that is not the end: the place that bash names in an error, unless it says otherwise. */
  #lastStart = 0;
  /** Number of tokens read. */
  #tokens = 0;
  #parentheses = 0;
  /** Depth of branches that are not taken: in them nothing is assigned, nothing divided. */
  #skipping = 0;

  constructor(text: string, scope: Scope, depth: number, evaluation: Evaluation) {
    this.#text = text;
    this.#scope = scope;
    this.#depth = depth;
    this.#evaluation = evaluation;
  }

  evaluate(): bigint {
    this.#advance();
    if (this.#atEnd()) return 0n;
    const value = this.#comma();
    if (!this.#atEnd()) this.#fail("syntax error in expression");
    return value;
  }

  #comma(): bigint {
    let value = this.#assignment();
    while (this.#take(",")) value = this.#assignment();
    return value;
  }

  #assignment(): bigint {
    const target = this.#token;
    const before = this.#tokens;
    const value = this.#conditional();
    const operator = this.#token;
    if (operator.kind !== "operator" || !ASSIGNMENTS.has(operator.text)) return value;
    if (target.kind !== "name" || this.#tokens !== before + 1) this.#fail("attempted assignment to non-variable");
    this.#advance();
    const right = this.#assignment();
    const assigned = operator.text === "=" ? right : this.#apply(operator.text.slice(0, -1), value, right, this.#lastStart);
    this.#write(target.target, assigned);
    return assigned;
  }

  #conditional(): bigint {
    const test = this.#binary(0);
    if (!this.#is("?")) return test;
    const first = this.#unless(test === 0n, () => {
      if (this.#atEnd() || this.#is(":")) this.#fail("expression expected");
      return this.#comma();
    });
    if (!this.#is(":")) this.#fail("`:' expected for conditional expression");
    const second = this.#unless(test !== 0n, () => {
      if (this.#atEnd()) this.#fail("expression expected");
      return this.#conditional();
    });
    return test === 0n ? second : first;
  }

  /** Operators of `level` in LEVELS and above it. */
  #binary(level: number): bigint {
    const operators = LEVELS[level];
    if (operators === undefined) return this.#power();
    let left = this.#binary(level + 1);
    for (;;) {
      const token = this.#token;
      if (token.kind !== "operator" || !operators.includes(token.text)) return left;
      if (token.text === "&&" || token.text === "||") {
        const decided = (token.text === "&&") === (left === 0n);
        const right = this.#unless(decided, () => this.#binary(level + 1));
        left = decided ? (token.text === "&&" ? 0n : 1n) : right === 0n ? 0n : 1n;
        continue;
      }
      this.#advance();
      const rightStart = this.#token.start;
      left = this.#apply(token.text, left, this.#binary(level + 1), rightStart);
    }
  }

  #power(): bigint {
    const base = this.#unary();
    if (!this.#is("**")) return base;
    this.#advance();
    const exponent = this.#power();
    return this.#apply("**", base, exponent, this.#lastStart);
  }

  #unary(): bigint {
    const token = this.#token;
    if (token.kind === "operator") {
      if (token.text === "++" || token.text === "--") {
        this.#advance();
        const target = this.#token;
        if (target.kind === "name") {
          const value = wrapped(target.value + (token.text === "++" ? 1n : -1n));
          this.#write(target.target, value);
          this.#token = { kind: "number", value, start: target.start, prefixed: true };
          this.#advance();
          return value;
        }
        const value = this.#nested(() => this.#unary());
        return value;
      }
      if (["!", "~", "-", "+"].includes(token.text)) {
        this.#advance();
        const value = this.#nested(() => this.#unary());
        if (token.text === "!") return value === 0n ? 1n : 0n;
        return token.text === "-" ? wrapped(-value) : token.text === "~" ? ~value : value;
      }
    }
    return this.#primary();
  }

  #primary(): bigint {
    const token = this.#token;
    if (token.kind === "number") {
      this.#advance();
      return token.value;
    }
    if (token.kind === "name") {
      this.#advance();
      const operator = this.#token;
      if (operator.kind === "operator" && (operator.text === "++" || operator.text === "--")) {
        this.#write(token.target, wrapped(token.value + (operator.text === "++" ? 1n : -1n)));
        this.#advance();
      }
      return token.value;
    }
    if (this.#take("(")) {
      const value = this.#nested(() => this.#comma());
      if (!this.#take(")")) this.#fail("missing `)'");
      return value;
    }
    return this.#fail("syntax error: operand expected");
  }

  #nested<T>(read: () => T): T {
    if (++this.#parentheses > MOST_PARENTHESES) this.#fail("expression recursion level exceeded");
    const value = read();
    this.#parentheses--;
    return value;
  }

  /** What `read` gives behind the operator that stands here. The token after it, whose value is looked up as it is read, belongs to it. */
  #unless<T>(skip: boolean, read: () => T): T {
    if (skip) this.#skipping++;
    this.#advance();
    const value = read();
    if (skip) this.#skipping--;
    return value;
  }

  #apply(operator: string, left: bigint, right: bigint, rightStart: number): bigint {
    if (++this.#evaluation.steps > MOST_STEPS) this.#fail("expression recursion level exceeded");
    switch (operator) {
      case "/":
      case "%":
        if (right === 0n) {
          if (this.#skipping > 0) return 0n;
          this.#fail("division by 0", rightStart);
        }
        return wrapped(operator === "/" ? left / right : left % right);
      case "**":
        // bash says so even in a branch that is not taken.
        if (right < 0n) this.#fail("exponent less than 0", rightStart);
        return power(left, right);
      default:
        return (OPERATIONS[operator] as (a: bigint, b: bigint) => bigint)(left, right);
    }
  }

  #read(target: Target): bigint {
    if (this.#skipping > 0) return 0n;
    if (++this.#evaluation.steps > MOST_STEPS) this.#fail("expression recursion level exceeded");
    const { name, subscript } = target;
    const value = subscript === undefined ? this.#scope.get(name) : this.#element(target, subscript);
    if (value === undefined) this.#scope.missing(subscript === undefined ? name : `${name}[${subscript}]`);
    if (value === undefined || value.text.trim() === "") return 0n;
    if (this.#depth >= MOST_DEPTH) this.#fail("expression recursion level exceeded");
    return new Evaluator(value.text, this.#scope, this.#depth + 1, this.#evaluation).evaluate();
  }

  #write(target: Target, value: bigint): void {
    if (this.#skipping > 0) return;
    const { name, subscript } = target;
    const assigned: Value = { text: String(value), typed: false };
    if (subscript === undefined) return this.#scope.set(name, assigned);
    const key = target.key ?? this.#key(name, subscript);
    if (key === undefined) throw new ExpansionError(`${name}[${subscript}]: bad array subscript`);
    target.key = key;
    this.#scope.setElement(name, key, assigned);
  }

  #element(target: Target, subscript: string): Value | undefined {
    const key = this.#key(target.name, subscript);
    if (key === undefined) {
      this.#scope.complain(`${target.name}: bad array subscript`);
      return undefined;
    }
    target.key = key;
    const array = this.#scope.array(target.name);
    return array === undefined ? (key === 0 ? this.#scope.get(target.name) : undefined) : array.get(key);
  }

  /** Undefined for a place before the first element. */
  #key(name: string, subscript: string): ElementKey | undefined {
    const text = unquotedSubscript(subscript);
    if (this.#scope.array(name)?.kind === "associative") {
      if (text === "") throw new ExpansionError(`${name}[]: bad array subscript`);
      return text;
    }
    if (this.#depth >= MOST_DEPTH) this.#fail("expression recursion level exceeded");
    return this.#scope.elementIndex(name, new Evaluator(text, this.#scope, this.#depth + 1, this.#evaluation).evaluate());
  }

  #atEnd(): boolean {
    return this.#token.kind === "end";
  }

  #is(operator: string): boolean {
    return this.#token.kind === "operator" && this.#token.text === operator;
  }

  #take(operator: string): boolean {
    if (!this.#is(operator)) return false;
    this.#advance();
    return true;
  }

  #advance(): void {
    this.#tokens++;
    const previous = this.#token;
    this.#scan();
    const token = this.#token;
    if (token.kind !== "name") return;
    const [next, lastStart] = [this.#next, this.#lastStart];
    // bash looks at the token behind a name, and so at all in a row of names, before it looks its value up.
    do this.#scan();
    while (this.#token.kind === "name");
    const isAssigned = this.#next > next && this.#text.slice(next, this.#next).trim() === "=";
    [this.#next, this.#lastStart] = [next, lastStart];
    const isPrefixed = previous.kind === "operator" && (previous.text === "++" || previous.text === "--");
    this.#token = { ...token, value: isAssigned && !isPrefixed ? 0n : this.#read(token.target) };
  }

  /** The next token; a name without its value. */
  #scan(): void {
    const text = this.#text;
    while (/[ \t\n]/.test(text[this.#next] ?? "")) this.#next++;
    const start = this.#next;
    if (start >= text.length) {
      this.#token = { kind: "end", start };
      return;
    }
    this.#lastStart = start;
    const name = /[A-Za-z_]\w*/y;
    name.lastIndex = start;
    const found = name.exec(text)?.[0];
    if (found !== undefined) {
      this.#next = start + found.length;
      const subscript = this.#subscript(start);
      this.#token = { kind: "name", target: { name: found, subscript }, value: 0n, start };
      return;
    }
    const number = /\d[\w@#]*/y;
    number.lastIndex = start;
    const digits = number.exec(text)?.[0];
    if (digits !== undefined) {
      this.#next = start + digits.length;
      this.#token = { kind: "number", value: this.#constant(digits, start), start };
      return;
    }
    let operator = OPERATORS.find((candidate) => text.startsWith(candidate, start));
    if (operator === undefined) {
      const { kind } = this.#token;
      const afterOperand = kind === "name" || kind === "number" || this.#is("++") || this.#is("--");
      this.#fail(afterOperand ? "syntax error: invalid arithmetic operator" : "syntax error: operand expected", start);
    }
    if (operator === "++" || operator === "--") {
      if (this.#token.kind === "number" && this.#token.prefixed === true) this.#fail(`${operator}: assignment requires lvalue`);
      // `--` is two signs unless it stands beside a name.
      if (this.#token.kind !== "name" && !/^\s*[A-Za-z_]/.test(text.slice(start + 2))) operator = operator.charAt(0);
    }
    this.#next = start + operator.length;
    this.#token = { kind: "operator", text: operator, start };
  }

  /** The text of the brackets that begin here, if they do. */
  #subscript(start: number): string | undefined {
    if (this.#text[this.#next] !== "[") return undefined;
    const from = this.#next + 1;
    const close = closingBracket(this.#text, from);
    if (close === undefined) return this.#fail("bad array subscript", start);
    this.#next = close + 1;
    return this.#text.slice(from, close);
  }

  #constant(digits: string, start: number): bigint {
    const based = /^(\d+)#(.*)$/.exec(digits);
    let base = 10n;
    let rest = digits;
    if (based !== null) {
      base = BigInt(based[1] as string);
      rest = based[2] as string;
      if (base < 2n || base > 64n) this.#fail("invalid arithmetic base", start, start + digits.length);
      if (rest === "") this.#fail("invalid integer constant", start, start + digits.length);
    } else if (/^0[xX]/.test(digits)) {
      base = 16n;
      rest = digits.slice(2);
    } else if (digits.startsWith("0") && digits.length > 1) {
      base = 8n;
      rest = digits.slice(1);
    }
    let value = 0n;
    for (const character of rest) {
      const digit = BigInt(digitValue(character, base));
      if (character === "#") this.#fail("invalid number", start, start + digits.length);
      if (digit >= base) this.#fail("value too great for base", start, start + digits.length);
      value = wrapped(value * base + digit);
    }
    return value;
  }

  /** `end`: bash reads no further than a constant that is wrong. */
  #fail(message: string, at = this.#lastStart, end = this.#text.length): never {
    const read = this.#text.slice(0, end);
    throw new ExpansionError(`${this.#evaluation.prefix}${read.replace(/^[ \t\n]+/, "")}: ${message} (error token is "${read.slice(at)}")`);
  }
}

/** Up to base 36 letters are the same in both cases; then lower, upper, `@`, `_`. */
function digitValue(character: string, base: bigint): number {
  if (/\d/.test(character)) return Number(character);
  const code = character.charCodeAt(0);
  if (/[a-z]/.test(character)) return code - 97 + 10;
  if (/[A-Z]/.test(character)) return code - 65 + (base <= 36n ? 10 : 36);
  return character === "@" ? 62 : 63;
}
