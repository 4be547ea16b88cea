/** Reads a filter of the plain part of jq's language (filter.ts). Whatever else it meets is for the module to read. */
import type { Comparison, Filter } from "./filter.ts";
import { HandOver } from "./hand-over.ts";
import { Numeral, Text } from "./json-value.ts";

/** `variables`: what `--arg` gives. Throws HandOver for what is not ours, be it wrong or not. */
export function parseFilter(source: string, variables: ReadonlyMap<string, Text>): Filter {
  const parser = new FilterParser(source, variables);
  const filter = parser.pipe(true);
  parser.expectEnd();
  return filter;
}

const IDENTITY: Filter = { kind: "identity" };
const MOST_DEPTH = 60;

const BLANKS = /[ \t\r\n]*/y;
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const FIELD = /\.[A-Za-z_][A-Za-z0-9_]*/y;
const VARIABLE = /\$[A-Za-z_][A-Za-z0-9_]*/y;
/** What may follow a number, so that it is no other one. */
const NUMBER = /(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?![0-9.A-Za-z_])/y;
const INTEGER = /-?(?:0|[1-9][0-9]{0,8})(?![0-9.A-Za-z_])/y;
const COMPARISON = /(?:==|!=|<=|>=|<|>)/y;
/** Up to a quote or a parenthesis of its own. */
const STRING_PIECE = /(?:[^"\\\u0000-\u001f]|\\["\\/bfnrt]|\\u[0-9A-Fa-f]{4})*/y;

/** Words of the language that are no functions. */
const WORDS: ReadonlySet<string> = new Set(
  "def if then elif else end as reduce foreach try catch label import include and or __loc__".split(" "),
);
/** Functions that are ours, and how many arguments they take. */
const FUNCTIONS: Readonly<Record<string, readonly number[]>> = {
  ...{ empty: [0], not: [0], length: [0], keys: [0], keys_unsorted: [0], type: [0], to_entries: [0], tostring: [0], tojson: [0] },
  ...{ first: [0], last: [0], reverse: [0], add: [0], sort: [0], unique: [0], recurse: [0], ascii_downcase: [0], ascii_upcase: [0] },
  ...{ values: [0], nulls: [0], booleans: [0], numbers: [0], strings: [0], arrays: [0], objects: [0], scalars: [0], iterables: [0] },
  ...{ select: [1], map: [1], has: [1], join: [1], sort_by: [1], group_by: [1], unique_by: [1], startswith: [1], endswith: [1], test: [1] },
  ...{ contains: [1], split: [1], ltrimstr: [1], rtrimstr: [1] },
};

class FilterParser {
  readonly #source: string;
  readonly #variables: ReadonlyMap<string, Text>;
  #at = 0;
  #depth = 0;

  constructor(source: string, variables: ReadonlyMap<string, Text>) {
    this.#source = source;
    this.#variables = variables;
  }

  expectEnd(): void {
    this.#skipBlanks();
    if (this.#at < this.#source.length) throw new HandOver();
  }

  /** The value of an object's name is a filter without a comma. */
  pipe(takesComma: boolean): Filter {
    if (++this.#depth > MOST_DEPTH) throw new HandOver();
    const left = takesComma ? this.#comma() : this.#alternative();
    const isPipe = this.#takeOperator("|", "=");
    const filter: Filter = isPipe ? { kind: "pipe", left, right: this.pipe(takesComma) } : left;
    this.#depth--;
    return filter;
  }

  #comma(): Filter {
    let left = this.#alternative();
    while (this.#take(",")) left = { kind: "comma", left, right: this.#alternative() };
    return left;
  }

  #alternative(): Filter {
    const operands = [this.#or()];
    while (this.#takeOperator("//", "=")) operands.push(this.#or());
    return operands.reduceRight((right, left) => ({ kind: "alternative", left, right }));
  }

  #or(): Filter {
    let left = this.#and();
    while (this.#takeWord("or")) left = { kind: "or", left, right: this.#and() };
    return left;
  }

  #and(): Filter {
    let left = this.#comparison();
    while (this.#takeWord("and")) left = { kind: "and", left, right: this.#comparison() };
    return left;
  }

  #comparison(): Filter {
    const left = this.#sum();
    const operator = this.#match(COMPARISON) as Comparison | undefined;
    if (operator === undefined) return left;
    const right = this.#sum();
    if (this.#match(COMPARISON) !== undefined) throw new HandOver();
    return { kind: "comparison", operator, left, right };
  }

  #sum(): Filter {
    let left = this.#postfix();
    while (this.#takeOperator("+", "=")) left = { kind: "sum", left, right: this.#postfix() };
    return left;
  }

  #postfix(): Filter {
    let of = this.#term();
    for (;;) {
      const name = this.#match(FIELD)?.slice(1);
      if (name !== undefined) {
        of = { kind: "field", of, name: new Text(name), optional: this.#takeOptional() };
        continue;
      }
      const hasPoint = this.#take(".");
      if (hasPoint && this.#peek() === '"') of = this.#named(of, this.#string());
      else if (hasPoint) throw new HandOver();
      else if (this.#peek() === "[") of = this.#bracketed(of);
      else return of;
    }
  }

  #term(): Filter {
    this.#skipBlanks();
    const { [this.#at]: character = "" } = this.#source;
    switch (character) {
      case ".":
        return this.#path();
      case '"':
        return this.#string();
      case "(": {
        this.#at++;
        const inner = this.pipe(true);
        this.#expect(")");
        return inner;
      }
      case "[": {
        this.#at++;
        if (this.#take("]")) return { kind: "array", of: undefined };
        const of = this.pipe(true);
        this.#expect("]");
        return { kind: "array", of };
      }
      case "{":
        return this.#object();
      case "$":
        return { kind: "literal", value: this.#variable() };
      case "-":
        return this.#negative();
      default:
        return this.#numberOrName();
    }
  }

  /** `.`, `..`, `.name`, `."name"`, and `.` before brackets. */
  #path(): Filter {
    const name = this.#match(FIELD)?.slice(1);
    if (name !== undefined) return { kind: "field", of: IDENTITY, name: new Text(name), optional: this.#takeOptional() };
    this.#at++;
    if (this.#source[this.#at] === ".") {
      this.#at++;
      // What may follow it, and what it then is, the module knows.
      if (/^[.["?A-Za-z_$]/.test(this.#source.slice(this.#at).trimStart())) throw new HandOver();
      return { kind: "recurse" };
    }
    if (/^[0-9]/.test(this.#source.slice(this.#at))) throw new HandOver();
    return this.#peek() === '"' ? this.#named(IDENTITY, this.#string()) : IDENTITY;
  }

  #named(of: Filter, name: Filter): Filter {
    if (name.kind !== "literal" || !(name.value instanceof Text)) throw new HandOver();
    return { kind: "field", of, name: name.value, optional: this.#takeOptional() };
  }

  #bracketed(of: Filter): Filter {
    this.#expect("[");
    if (this.#take("]")) return { kind: "each", of, optional: this.#takeOptional() };
    const next = this.#peek();
    if (next === '"' || next === "$") {
      const name: Filter = next === '"' ? this.#string() : { kind: "literal", value: this.#variable() };
      this.#expect("]");
      return this.#named(of, name);
    }
    const from = this.#integer();
    if (this.#take("]")) {
      if (from === undefined) throw new HandOver();
      return { kind: "index", of, index: from, optional: this.#takeOptional() };
    }
    this.#expect(":");
    const to = this.#integer();
    this.#expect("]");
    if (from === undefined && to === undefined) throw new HandOver();
    return { kind: "slice", of, from, to, optional: this.#takeOptional() };
  }

  #integer(): number | undefined {
    const text = this.#match(INTEGER);
    return text === undefined || text === "-0" ? undefined : Number(text);
  }

  #object(): Filter {
    this.#expect("{");
    const names: Text[] = [];
    const values: Filter[] = [];
    while (!this.#take("}")) {
      if (names.length > 0) this.#expect(",");
      const [name, value] = this.#entry();
      // The later of two alike stands where the first stood.
      if (names.some(({ text }) => text === name.text)) throw new HandOver();
      names.push(name);
      values.push(value);
    }
    return { kind: "object", names, values };
  }

  #entry(): readonly [Text, Filter] {
    const next = this.#peek();
    if (next === "$") {
      const start = this.#at + 1;
      const value = this.#variable();
      return [new Text(this.#source.slice(start, this.#at)), { kind: "literal", value }];
    }
    const named: Filter = next === '"' ? this.#string() : { kind: "literal", value: new Text(this.#match(NAME) ?? "") };
    if (named.kind !== "literal" || !(named.value instanceof Text)) throw new HandOver();
    const name = named.value;
    if (name.text === "__loc__" || (name.text === "" && next !== '"')) throw new HandOver();
    if (!this.#take(":")) return [name, { kind: "field", of: IDENTITY, name, optional: false }];
    return [name, this.pipe(false)];
  }

  #variable(): Text {
    const value = this.#variables.get(this.#match(VARIABLE)?.slice(1) ?? "");
    if (value === undefined || this.#source.startsWith("::", this.#at)) throw new HandOver();
    return value;
  }

  /** `-1`, where nothing binds closer than the minus. */
  #negative(): Filter {
    this.#at++;
    const literal = this.#match(INTEGER);
    if (literal === undefined || literal.startsWith("-") || literal === "0" || /^[.[?*/%]/.test(this.#peek())) throw new HandOver();
    return { kind: "literal", value: new Numeral(`-${literal}`) };
  }

  #numberOrName(): Filter {
    const number = this.#match(NUMBER);
    if (number !== undefined) {
      if (/^0\.0{6}/.test(number)) throw new HandOver();
      return { kind: "literal", value: new Numeral(number) };
    }
    const name = this.#match(NAME);
    if (name === undefined || this.#source.startsWith("::", this.#at)) throw new HandOver();
    if (name === "if") return this.#conditional();
    if (name === "null" || name === "true" || name === "false") return { kind: "literal", value: CONSTANTS[name] };
    if (WORDS.has(name) || !Object.hasOwn(FUNCTIONS, name)) throw new HandOver();
    const args: Filter[] = [];
    if (this.#take("(")) {
      do args.push(this.pipe(true));
      while (this.#take(";"));
      this.#expect(")");
    }
    if (FUNCTIONS[name]?.includes(args.length) !== true) throw new HandOver();
    return { kind: "call", name, args };
  }

  #conditional(): Filter {
    const condition = this.pipe(true);
    if (!this.#takeWord("then")) throw new HandOver();
    const then = this.pipe(true);
    if (this.#takeWord("elif")) {
      if (++this.#depth > MOST_DEPTH) throw new HandOver();
      const otherwise = this.#conditional();
      this.#depth--;
      return { kind: "if", condition, then, otherwise };
    }
    const otherwise = this.#takeWord("else") ? this.pipe(true) : IDENTITY;
    if (!this.#takeWord("end")) throw new HandOver();
    return { kind: "if", condition, then, otherwise };
  }

  #string(): Filter {
    this.#expect('"');
    const parts: (string | Filter)[] = [];
    for (;;) {
      STRING_PIECE.lastIndex = this.#at;
      const [piece = ""] = STRING_PIECE.exec(this.#source) ?? [];
      this.#at += piece.length;
      const text = JSON.parse(`"${piece}"`) as string;
      if (!text.isWellFormed()) throw new HandOver();
      if (text !== "") parts.push(text);
      if (this.#source[this.#at] === '"') break;
      if (!this.#source.startsWith("\\(", this.#at)) throw new HandOver();
      this.#at += 2;
      parts.push(this.pipe(true));
      this.#expect(")");
    }
    this.#at++;
    const [only = ""] = parts;
    return parts.length < 2 && typeof only === "string" ? { kind: "literal", value: new Text(only) } : { kind: "text", parts };
  }

  /** A question mark; `?//` is another operator. */
  #takeOptional(): boolean {
    if (this.#peek() !== "?") return false;
    if (/^\?(\/\/|\s*\?)/.test(this.#source.slice(this.#at))) throw new HandOver();
    this.#at++;
    return true;
  }

  /** `operator`, unless `more` follows, with which it is another one. */
  #takeOperator(operator: string, more: string): boolean {
    this.#skipBlanks();
    if (!this.#source.startsWith(operator, this.#at) || this.#source.startsWith(more, this.#at + operator.length)) return false;
    this.#at += operator.length;
    return true;
  }

  #takeWord(word: string): boolean {
    const start = this.#at;
    if (this.#match(NAME) === word) return true;
    this.#at = start;
    return false;
  }

  #take(character: string): boolean {
    if (this.#peek() !== character) return false;
    this.#at++;
    return true;
  }

  #expect(character: string): void {
    if (!this.#take(character)) throw new HandOver();
  }

  #peek(): string {
    this.#skipBlanks();
    return this.#source[this.#at] ?? "";
  }

  #match(pattern: RegExp): string | undefined {
    this.#skipBlanks();
    pattern.lastIndex = this.#at;
    const text = pattern.exec(this.#source)?.[0];
    this.#at += text?.length ?? 0;
    return text;
  }

  #skipBlanks(): void {
    BLANKS.lastIndex = this.#at;
    this.#at += BLANKS.exec(this.#source)?.[0].length ?? 0;
  }
}

const CONSTANTS = { null: null, true: true, false: false } as const;
