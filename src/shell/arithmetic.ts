/**
 * Shell arithmetic (bash manual §6.5), in 64 bits that wrap around. A variable's value is itself an expression, as in
 * bash; it can name other variables and nothing else: subscripts, in which bash would run commands, are refused.
 */
import { ExpansionError, type Scope } from "./variables.ts";

/** Values within values. */
const MOST_DEPTH = 128;
/** Expressions in parentheses and behind one another's operators: each takes stack. */
const MOST_PARENTHESES = 512;
/** Operators and values evaluated for one expression: values within values can double at each step. */
const MOST_STEPS = 100_000;

/** Evaluates `text`. Throws ExpansionError with bash's words. Empty text is 0. */
export function evaluateArithmetic(text: string, scope: Scope): bigint {
  return new Evaluator(text, scope, 0, { steps: 0 }).evaluate();
}

type Token =
  | { readonly kind: "number"; readonly value: bigint; readonly start: number }
  | { readonly kind: "name"; readonly name: string; readonly start: number }
  | { readonly kind: "operator"; readonly text: string; readonly start: number }
  | { readonly kind: "end"; readonly start: number };

const OPERATORS = [
  "<<=",
  ">>=",
  "**",
  "++",
  "--",
  "<<",
  ">>",
  "<=",
  ">=",
  "==",
  "!=",
  "&&",
  "||",
  "+=",
  "-=",
  "*=",
  "/=",
  "%=",
  "&=",
  "^=",
  "|=",
  "+",
  "-",
  "*",
  "/",
  "%",
  "<",
  ">",
  "=",
  "!",
  "~",
  "&",
  "|",
  "^",
  "?",
  ":",
  ",",
  "(",
  ")",
];

class Evaluator {
  readonly #text: string;
  readonly #scope: Scope;
  readonly #depth: number;
  readonly #budget: { steps: number };
  #token: Token = { kind: "end", start: 0 };
  #next = 0;
  /** Where the token before this one began. */
  #lastStart = 0;
  #parentheses = 0;
  /** In a branch that is not taken: nothing is assigned, nothing divided. */
  #skipping = 0;

  constructor(text: string, scope: Scope, depth: number, budget: { steps: number }) {
    this.#text = text;
    this.#scope = scope;
    this.#depth = depth;
    this.#budget = budget;
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
    const before = this.#next;
    if (target.kind === "name") {
      this.#advance();
      const operator = this.#token;
      if (operator.kind === "operator" && ASSIGNMENTS.has(operator.text)) {
        this.#advance();
        const right = this.#assignment();
        const value =
          operator.text === "=" ? right : this.#apply(operator.text.slice(0, -1), this.#read(target.name), right, operator.start);
        this.#write(target.name, value);
        return value;
      }
      this.#token = target;
      this.#next = before;
    }
    const value = this.#conditional();
    const operator = this.#token;
    if (operator.kind === "operator" && ASSIGNMENTS.has(operator.text)) this.#fail("attempted assignment to non-variable");
    return value;
  }

  #conditional(): bigint {
    const test = this.#binary(0);
    if (!this.#take("?")) return test;
    if (this.#atEnd() || this.#is(":")) this.#fail("expression expected");
    const first = this.#unless(test === 0n, () => this.#comma());
    if (!this.#take(":")) this.#fail("`:' expected for conditional expression");
    if (this.#atEnd()) this.#fail("expression expected");
    const second = this.#unless(test !== 0n, () => this.#conditional());
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
      this.#advance();
      if (token.text === "&&" || token.text === "||") {
        const decided = (token.text === "&&") === (left === 0n);
        const right = this.#unless(decided, () => this.#binary(level + 1));
        left = decided ? (token.text === "&&" ? 0n : 1n) : right === 0n ? 0n : 1n;
        continue;
      }
      const rightStart = this.#token.start;
      left = this.#apply(token.text, left, this.#binary(level + 1), rightStart);
    }
  }

  #power(): bigint {
    const base = this.#unary();
    if (!this.#is("**")) return base;
    this.#advance();
    const exponent = this.#power();
    // bash names the last operand it read.
    return this.#apply("**", base, exponent, this.#atEnd() ? this.#lastStart : this.#token.start);
  }

  #unary(): bigint {
    const token = this.#token;
    if (token.kind === "operator") {
      if (token.text === "++" || token.text === "--") {
        this.#advance();
        const target = this.#token;
        if (target.kind === "name") {
          this.#advance();
          const value = wrapped(this.#read(target.name) + (token.text === "++" ? 1n : -1n));
          this.#write(target.name, value);
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
        const value = this.#read(token.name);
        this.#write(token.name, wrapped(value + (operator.text === "++" ? 1n : -1n)));
        this.#advance();
        return value;
      }
      return this.#read(token.name);
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

  #unless<T>(skip: boolean, read: () => T): T {
    if (skip) this.#skipping++;
    const value = read();
    if (skip) this.#skipping--;
    return value;
  }

  #apply(operator: string, left: bigint, right: bigint, rightStart: number): bigint {
    if (++this.#budget.steps > MOST_STEPS) this.#fail("expression recursion level exceeded");
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

  #read(name: string): bigint {
    if (this.#skipping > 0) return 0n;
    if (++this.#budget.steps > MOST_STEPS) this.#fail("expression recursion level exceeded");
    const value = this.#scope.get(name);
    if (value === undefined) this.#scope.missing(name);
    if (value === undefined || value.text.trim() === "") return 0n;
    if (this.#depth >= MOST_DEPTH) this.#fail("expression recursion level exceeded");
    return new Evaluator(value.text, this.#scope, this.#depth + 1, this.#budget).evaluate();
  }

  #write(name: string, value: bigint): void {
    if (this.#skipping === 0) this.#scope.set(name, { text: String(value), typed: false });
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
    const text = this.#text;
    this.#lastStart = this.#token.start;
    while (/[ \t\n]/.test(text[this.#next] ?? "")) this.#next++;
    const start = this.#next;
    if (start >= text.length) {
      this.#token = { kind: "end", start };
      return;
    }
    const name = /[A-Za-z_]\w*/y;
    name.lastIndex = start;
    const found = name.exec(text)?.[0];
    if (found !== undefined) {
      this.#next = start + found.length;
      if (text[this.#next] === "[") this.#fail("an array, which does not exist here: variables hold one text each", start);
      this.#token = { kind: "name", name: found, start };
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
    // `--` is two signs unless it stands beside a name.
    if ((operator === "++" || operator === "--") && this.#token.kind !== "name" && !/^\s*[A-Za-z_]/.test(text.slice(start + 2))) {
      operator = operator.charAt(0);
    }
    this.#next = start + operator.length;
    this.#token = { kind: "operator", text: operator, start };
  }

  #constant(digits: string, start: number): bigint {
    const based = /^(\d+)#(.*)$/.exec(digits);
    let base = 10n;
    let rest = digits;
    if (based !== null) {
      base = BigInt(based[1] as string);
      rest = based[2] as string;
      if (base < 2n || base > 64n) this.#fail("invalid arithmetic base", start);
      if (rest === "") this.#fail("invalid integer constant", start);
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
      if (character === "#") this.#fail("invalid number", start);
      if (digit >= base) this.#fail("value too great for base", start);
      value = wrapped(value * base + digit);
    }
    return value;
  }

  #fail(message: string, at = this.#token.start): never {
    throw new ExpansionError(`${this.#text.replace(/^[ \t\n]+/, "")}: ${message} (error token is "${this.#text.slice(at)}")`);
  }
}

/** From the loosest to the tightest. */
const LEVELS: readonly (readonly string[])[] = [
  ["||"],
  ["&&"],
  ["|"],
  ["^"],
  ["&"],
  ["==", "!="],
  ["<=", ">=", "<", ">"],
  ["<<", ">>"],
  ["+", "-"],
  ["*", "/", "%"],
];
const ASSIGNMENTS: ReadonlySet<string> = new Set(["=", "*=", "/=", "%=", "+=", "-=", "<<=", ">>=", "&=", "^=", "|="]);
const truth = (holds: boolean): bigint => (holds ? 1n : 0n);
const OPERATIONS: Readonly<Record<string, (a: bigint, b: bigint) => bigint>> = {
  "+": (a, b) => wrapped(a + b),
  "-": (a, b) => wrapped(a - b),
  "*": (a, b) => wrapped(a * b),
  "<<": (a, b) => wrapped(a << (b & 63n)),
  ">>": (a, b) => a >> (b & 63n),
  "&": (a, b) => a & b,
  "|": (a, b) => a | b,
  "^": (a, b) => a ^ b,
  "==": (a, b) => truth(a === b),
  "!=": (a, b) => truth(a !== b),
  "<": (a, b) => truth(a < b),
  ">": (a, b) => truth(a > b),
  "<=": (a, b) => truth(a <= b),
  ">=": (a, b) => truth(a >= b),
};

const wrapped = (value: bigint): bigint => BigInt.asIntN(64, value);

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let factor = base;
  for (let left = exponent; left > 0n; left >>= 1n) {
    if ((left & 1n) === 1n) result = wrapped(result * factor);
    factor = wrapped(factor * factor);
  }
  return result;
}

/** Up to base 36 letters are the same in both cases; then lower, upper, `@`, `_`. */
function digitValue(character: string, base: bigint): number {
  if (/\d/.test(character)) return Number(character);
  const code = character.charCodeAt(0);
  if (/[a-z]/.test(character)) return code - 97 + 10;
  if (/[A-Z]/.test(character)) return code - 65 + (base <= 36n ? 10 : 36);
  return character === "@" ? 62 : 63;
}
