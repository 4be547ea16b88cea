/** Program text → tokens (POSIX awk, "Lexical Conventions", with gawk's additions). */
import { readEscape } from "./escapes.ts";
import { BUILTIN_FUNCTIONS } from "./function-table.ts";
import { ProgramError } from "./program-error.ts";
import { syntaxError, type Source } from "./source.ts";

export type TokenKind =
  | "number"
  | "string"
  | "regex"
  | "name"
  /** A name right before an opening parenthesis: the call of a function of the program. */
  | "call"
  | "builtin"
  | "keyword"
  | "operator"
  /** `@include`, `@load`, `@namespace`; `@/…/`; `@name(`. */
  | "directive"
  | "typed-regex"
  | "indirect"
  | "newline"
  | "end";

export interface Token {
  readonly kind: TokenKind;
  /** The word or operator; for a string or a regex what stands between its delimiters, escapes resolved for a string. */
  readonly text: string;
  readonly value: number;
  readonly at: number;
  readonly end: number;
  readonly line: number;
}

const KEYWORDS = new Set(
  "BEGIN END BEGINFILE ENDFILE function func if else while for do break continue next nextfile exit return delete in getline print printf switch case default".split(
    " ",
  ),
);

const OPERATORS = [
  "**=",
  "!~",
  "**",
  "+=",
  "-=",
  "*=",
  "/=",
  "%=",
  "^=",
  "++",
  "--",
  "&&",
  "||",
  "|&",
  ">>",
  "<=",
  ">=",
  "==",
  "!=",
  // A lone dot and & are none, and are told of as if they were.
  ..."{}()[];,+-*/%^!<>|?:~$=.&",
];

/** Builtins that are gawk's own: their names may be those of parameters, and mean something else in a namespace. */
const EXTENSIONS: ReadonlySet<string> = new Set(
  "and asort asorti bindtextdomain compl dcgettext dcngettext gensub isarray lshift mkbool mktime or patsplit rshift strftime strtonum systime typeof xor".split(
    " ",
  ),
);

export class Lexer {
  readonly source: Source;
  /** Parameters of the function that is read. */
  parameters: ReadonlySet<string> = new Set();
  /** `@namespace` */
  namespace = "awk";
  readonly #text: string;
  readonly #warn: (message: string, line: number) => void;
  #at = 0;
  #line = 1;

  constructor(source: Source, warn: (message: string, line: number) => void) {
    this.source = source;
    this.#text = source.text;
    this.#warn = warn;
    if (this.#text.startsWith("#!")) this.#skipComment();
  }

  next(): Token {
    const text = this.#text;
    let comment: number | undefined;
    for (;;) {
      const letter = text[this.#at];
      if (letter === undefined) return this.#token("end", "", this.#at);
      if (letter === " " || letter === "\t" || letter === "\r") this.#at++;
      else if (letter === "#") {
        comment = this.#at;
        this.#skipComment();
      } else if (letter === "\\" && /^\\(?:\r?\n|$)/.test(text.slice(this.#at, this.#at + 3))) {
        this.#at += text[this.#at + 1] === "\r" ? 3 : 2;
        this.#line++;
      } else break;
    }
    const start = this.#at;
    const letter = text[start] as string;
    if (letter === "\n") {
      this.#at++;
      const token = comment === undefined ? this.#token("newline", "newline", start) : this.#token("newline", "comment", comment);
      this.#line++;
      return token;
    }
    if (/[A-Za-z_]/.test(letter)) return this.#word();
    if (/[0-9]/.test(letter) || (letter === "." && /[0-9]/.test(text[start + 1] ?? ""))) return this.#number();
    if (letter === '"') return this.#string();
    if (letter === "@") return this.#directive();
    const operator = OPERATORS.find((candidate) => text.startsWith(candidate, start));
    if (operator === undefined) {
      throw syntaxError(
        this.source,
        this.#line,
        start,
        letter === "\\" ? "backslash not last character on line" : `invalid char '${letter}' in expression`,
      );
    }
    this.#at += operator.length;
    return this.#token("operator", operator === "**" ? "^" : operator === "**=" ? "^=" : operator, start);
  }

  /** The regex whose opening slash is at `at`: what an operand that begins with a slash is. */
  regexAt(at: number, line: number): Token {
    const text = this.#text;
    this.#line = line;
    let inBrackets = 0;
    for (let here = at + 1; ; here++) {
      const letter = text[here];
      if (letter === undefined || letter === "\n") {
        throw syntaxError(this.source, line, at + 1, here === at + 1 ? "unexpected newline or end of string" : "unterminated regexp");
      }
      if (letter === "\\") {
        if (text[here + 1] === "\r" && text[here + 2] === "\n") here++;
        if (text[here + 1] === "\n") this.#line++;
        here++;
        if (text[here] === undefined)
          throw syntaxError(this.source, line, text.length, "unterminated regexp ends with `\\' at end of file");
      } else if (letter === "[") {
        // gawk: a slash within brackets does not end the expression.
        if (inBrackets === 0) {
          inBrackets = 1;
          if (text[here + 1] === "^") here++;
          if (text[here + 1] === "]") here++;
        } else if (/[.:=]/.test(text[here + 1] ?? "")) {
          const close = text.indexOf(`${text[here + 1]}]`, here + 2);
          const lineEnd = text.indexOf("\n", here);
          if (close >= 0 && (lineEnd < 0 || close < lineEnd)) here = close + 1;
        }
      } else if (letter === "]") inBrackets = 0;
      else if (letter === "/" && inBrackets === 0) {
        this.#at = here + 1;
        const source = text.slice(at + 1, here).replaceAll(/\\\r?\n/g, "");
        return this.#token("regex", source, at);
      }
    }
  }

  #skipComment(): void {
    const end = this.#text.indexOf("\n", this.#at);
    this.#at = end < 0 ? this.#text.length : end;
  }

  #token(kind: TokenKind, text: string, at: number, value = 0): Token {
    return { kind, text, value, at, end: this.#at, line: this.#line };
  }

  #word(): Token {
    const start = this.#at;
    const [word] = /^[A-Za-z_][A-Za-z_0-9]*(?:::[A-Za-z_0-9]*)*/.exec(this.#text.slice(start, start + 400)) ?? [""];
    this.#at += word.length;
    if (word.includes("::")) this.#checkQualified(word);
    if (KEYWORDS.has(word)) return this.#token("keyword", word === "func" ? "function" : word, start);
    const plain = word.startsWith("awk::") ? word.slice(5) : word;
    const isOwn = EXTENSIONS.has(word) && (this.namespace !== "awk" || this.parameters.has(word));
    if (BUILTIN_FUNCTIONS.has(plain) && !isOwn) return this.#token("builtin", plain, start);
    return this.#token(this.#text[this.#at] === "(" ? "call" : "name", word, start);
  }

  /** Throws ProgramError. */
  #checkQualified(word: string): void {
    const where = `${this.source.label}:${this.#line}: error: `;
    const mistake = mistakeOfQualified(word);
    if (mistake !== undefined) throw new ProgramError([`${where}${mistake}`]);
    const [space = "", name = ""] = word.split("::");
    const reserved = [space, name].findIndex((part) => isReserved(part));
    if (reserved < 0) return;
    const [blanks] = /^[ \t]*/.exec(this.#text.slice(this.#at)) as RegExpExecArray;
    const what = reserved === 0 ? "a namespace" : "second component of a qualified name";
    const { lines } = syntaxError(this.source, this.#line, this.#at + blanks.length, "syntax error");
    throw new ProgramError([`${where}using reserved identifier \`${reserved === 0 ? space : name}' as ${what} is not allowed`, ...lines]);
  }

  #number(): Token {
    const start = this.#at;
    const rest = this.#text.slice(start, start + 400);
    const hexadecimal = /^0[xX][0-9a-fA-F]+(?:\.[0-9a-fA-F]*)?(?:[pP][+-]?[0-9]+)?/.exec(rest)?.[0];
    if (hexadecimal !== undefined) {
      const digits = /^0[xX][0-9a-fA-F]+/.exec(hexadecimal)?.[0] ?? "";
      this.#at += digits.length;
      return this.#token("number", digits, start, Number(digits));
    }
    const [digits] = /^(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?/.exec(rest) ?? ["0"];
    this.#at += digits.length;
    const isOctal = /^0[0-7]+$/.test(digits);
    return this.#token("number", digits, start, isOctal ? Number.parseInt(digits, 8) : Number(digits));
  }

  #string(): Token {
    const text = this.#text;
    const start = this.#at;
    const { line } = this.#token("string", "", start);
    let value = "";
    let at = start + 1;
    for (;;) {
      const letter = text[at];
      if (letter === undefined || letter === "\n") throw syntaxError(this.source, line, start, "unterminated string");
      if (letter === '"') break;
      if (letter !== "\\") {
        value += letter;
        at++;
        continue;
      }
      const after = text[at + 1];
      if (after === undefined) throw syntaxError(this.source, line, start, "unterminated string");
      if (after === "\n" || (after === "\r" && text[at + 2] === "\n")) {
        this.#line++;
        at += after === "\r" ? 3 : 2;
        continue;
      }
      const escape = readEscape(text, at, (message) => this.#warn(message, this.#line));
      value += escape.text;
      at = escape.next;
    }
    this.#at = at + 1;
    return this.#token("string", value, start);
  }

  #directive(): Token {
    const start = this.#at;
    this.#at++;
    if (this.#text[this.#at] === "/") {
      const { text, end } = this.regexAt(this.#at, this.#line);
      this.#at = end;
      return this.#token("typed-regex", text, start);
    }
    const [word] = /^[ \t]*(?:[A-Za-z_][A-Za-z_0-9]*(?:::[A-Za-z_][A-Za-z_0-9]*)?)?/.exec(this.#text.slice(this.#at)) ?? [""];
    this.#at += word.length;
    const name = word.trim();
    if (name === "include" || name === "load" || name === "namespace") return this.#token("directive", name, start);
    if (this.#text[this.#at] === "(" && name !== "") return this.#token("indirect", name, start);
    // What follows it is wrong.
    this.#at = start + 1;
    return this.#token("operator", "@", start);
  }
}

/** Whether a word is none that a namespace or a variable in one may have. */
export function isReserved(word: string): boolean {
  return KEYWORDS.has(word) || (BUILTIN_FUNCTIONS.has(word) && !EXTENSIONS.has(word));
}

/** What is wrong with a name that has `::` in it, as gawk says it; undefined: nothing. */
export function mistakeOfQualified(word: string): string | undefined {
  if (/^[A-Za-z_][A-Za-z_0-9]*::[A-Za-z_][A-Za-z_0-9]*$/.test(word)) return undefined;
  if (/^[A-Za-z_][A-Za-z_0-9]*::[A-Za-z_][A-Za-z_0-9]*::/.test(word)) {
    return `identifier \`${word}': namespace separator can only appear once in a qualified name`;
  }
  return `qualified identifier \`${word}' is badly formed`;
}
