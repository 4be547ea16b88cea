/** Reads and evaluates the words of an expression, weakest operator first. What is not needed (`|`, `&`) is only read. */
import { BufferSearch } from "../../src/search/buffer-search.ts";
import { PatternError } from "../../src/regex/pattern-error.ts";
import { quoteCurly } from "../../src/display/quote.ts";
import { toBytes, toText } from "../../src/io/text.ts";

/** What ends the stage; the message is GNU expr's, without its name. */
export class ExpressionFailure extends Error {
  readonly exit: 2 | 3 = 2;
}

/** Text in the encoding of src/io/text.ts. */
export type Value = string | bigint;

/** Throws ExpressionFailure. */
export function evaluate(words: readonly string[]): Value {
  return new Evaluation(words).whole();
}

export const shownValue = (value: Value): string => String(value);

/** 0, "", "-0", "00": what counts as false. */
export function isNull(value: Value): boolean {
  return typeof value === "bigint" ? value === 0n : /^(?:-?0+)?$/.test(value);
}

/** Levels of parentheses and of `length length …`: far below where our own stack would end. */
const MAX_DEPTH = 500;

class Evaluation {
  readonly #words: readonly string[];
  #at = 0;
  #depth = 0;

  constructor(words: readonly string[]) {
    this.#words = words;
  }

  whole(): Value {
    const value = this.#or(true);
    const rest = this.#words[this.#at];
    if (rest !== undefined) throw new ExpressionFailure(`syntax error: unexpected argument ${quoteCurly(rest)}`);
    return value;
  }

  #take(word: string): boolean {
    if (this.#words[this.#at] !== word) return false;
    this.#at++;
    return true;
  }

  #takeOneOf(words: readonly string[]): string | undefined {
    const word = this.#words[this.#at];
    if (word === undefined || !words.includes(word)) return undefined;
    this.#at++;
    return word;
  }

  #next(): string {
    const word = this.#words[this.#at];
    if (word === undefined)
      throw new ExpressionFailure(`syntax error: missing argument after ${quoteCurly(this.#words[this.#at - 1] ?? "")}`);
    this.#at++;
    return word;
  }

  #or(needed: boolean): Value {
    let left = this.#and(needed);
    while (this.#take("|")) {
      const right = this.#and(needed && isNull(left));
      if (isNull(left)) left = isNull(right) ? 0n : right;
    }
    return left;
  }

  #and(needed: boolean): Value {
    let left = this.#comparison(needed);
    while (this.#take("&")) {
      const right = this.#comparison(needed && !isNull(left));
      if (isNull(left) || isNull(right)) left = 0n;
    }
    return left;
  }

  #comparison(needed: boolean): Value {
    let left = this.#sum(needed);
    for (;;) {
      const operator = this.#takeOneOf(COMPARISONS);
      if (operator === undefined) return left;
      const right = this.#sum(needed);
      left = needed && holds(order(left, right), operator) ? 1n : 0n;
    }
  }

  #sum(needed: boolean): Value {
    let left = this.#product(needed);
    for (;;) {
      const operator = this.#takeOneOf(["+", "-"]);
      if (operator === undefined) return left;
      const right = this.#product(needed);
      if (!needed) continue;
      const [a, b] = [integerOf(left), integerOf(right)];
      left = operator === "+" ? a + b : a - b;
    }
  }

  #product(needed: boolean): Value {
    let left = this.#matching(needed);
    for (;;) {
      const operator = this.#takeOneOf(["*", "/", "%"]);
      if (operator === undefined) return left;
      const right = this.#matching(needed);
      if (!needed) continue;
      const [a, b] = [integerOf(left), integerOf(right)];
      if (operator !== "*" && b === 0n) throw new ExpressionFailure("division by zero");
      left = operator === "*" ? a * b : operator === "/" ? a / b : a % b;
    }
  }

  #matching(needed: boolean): Value {
    let left = this.#keyword(needed);
    while (this.#take(":")) {
      const right = this.#keyword(needed);
      if (needed) left = matched(left, right);
    }
    return left;
  }

  #keyword(needed: boolean): Value {
    if (++this.#depth > MAX_DEPTH) throw new ExpressionFailure("memory exhausted");
    try {
      const word = this.#takeOneOf(["+", "length", "match", "index", "substr"]);
      if (word === undefined) return this.#primary(needed);
      if (word === "+") return this.#next();
      const first = this.#keyword(needed);
      if (word === "length") return BigInt(charactersOf(first).length);
      const second = this.#keyword(needed);
      if (word === "match") return needed ? matched(first, second) : first;
      if (word === "index") return BigInt(indexOfAny(first, second));
      return substring(first, second, this.#keyword(needed));
    } finally {
      this.#depth--;
    }
  }

  #primary(needed: boolean): Value {
    const word = this.#next();
    if (word === ")") throw new ExpressionFailure("syntax error: unexpected ')'");
    if (word !== "(") return word;
    const value = this.#or(needed);
    const end = this.#words[this.#at];
    if (end === ")") {
      this.#at++;
      return value;
    }
    throw new ExpressionFailure(
      end === undefined
        ? `syntax error: expecting ')' after ${quoteCurly(this.#words[this.#at - 1] as string)}`
        : `syntax error: expecting ')' instead of ${quoteCurly(end)}`,
    );
  }
}

const COMPARISONS = ["<", "<=", "=", "==", "!=", ">=", ">"];

function holds(by: number, operator: string): boolean {
  switch (operator) {
    case "<":
      return by < 0;
    case "<=":
      return by <= 0;
    case "!=":
      return by !== 0;
    case ">=":
      return by >= 0;
    case ">":
      return by > 0;
    default:
      return by === 0;
  }
}

const looksLikeInteger = (text: string): boolean => /^-?[0-9]+$/.test(text);

/** As numbers where both are, else by bytes. */
function order(left: Value, right: Value): number {
  const [a, b] = [String(left), String(right)];
  if (!looksLikeInteger(a) || !looksLikeInteger(b)) return toBytes(a).compare(toBytes(b));
  const difference = BigInt(a) - BigInt(b);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

function integerOf(value: Value): bigint {
  if (typeof value === "bigint") return value;
  if (!looksLikeInteger(value)) throw new ExpressionFailure("non-integer argument");
  return BigInt(value);
}

/** Characters; a byte that is no UTF-8 is one. */
const charactersOf = (value: Value): readonly string[] => [...String(value)];

function indexOfAny(text: Value, wanted: Value): number {
  const set = new Set(charactersOf(wanted));
  return charactersOf(text).findIndex((character) => set.has(character)) + 1;
}

function substring(text: Value, position: Value, length: Value): string {
  const isNumber = (value: Value): boolean => typeof value === "bigint" || looksLikeInteger(value);
  if (!isNumber(position) || !isNumber(length)) return "";
  const characters = charactersOf(text);
  const [from, count] = [BigInt(position), BigInt(length)];
  if (from <= 0n || count <= 0n || from > characters.length) return "";
  const start = Number(from) - 1;
  return characters.slice(start, start + Number(count > characters.length ? characters.length : count)).join("");
}

/** The first group of an anchored match, or how many characters it takes. */
function matched(text: Value, pattern: Value): Value {
  const bytes = toBytes(String(text));
  let search: BufferSearch;
  try {
    search = new BufferSearch(String(pattern), { syntax: "basic", foldCase: false, emptyRanges: true, looseRepeats: true });
  } catch (thrown) {
    if (!(thrown instanceof PatternError)) throw thrown;
    throw new ExpressionFailure(thrown.message);
  }
  search.load(bytes, 0, bytes.length);
  const found = search.find(0, true) && search.offsets[0] === 0;
  if (search.groupCount > 0) {
    const [start, end] = [search.offsets[2] as number, search.offsets[3] as number];
    return found && end >= 0 ? toText(bytes.subarray(start, end)) : "";
  }
  return found ? BigInt(charactersOf(toText(bytes.subarray(0, search.offsets[1]))).length) : 0n;
}
