/** Program text → tokens (POSIX awk, "Lexical Conventions", with gawk's additions). */
import { withEscapes } from "./escapes.ts";
import { BUILTIN_FUNCTIONS } from "../library/function-table.ts";
import { numberAt } from "./number-token.ts";
import { ProgramError } from "./program-error.ts";
import { mistakeOfQualified } from "../compile/qualified-name.ts";
import type { NamesOf, Token, TokenKind } from "./token.ts";
import { includedFromLines, placeText, type Source } from "./source.ts";

const KEYWORDS = new Set(
  "BEGIN END BEGINFILE ENDFILE function func if else while for do break continue next nextfile exit return delete in getline print printf switch case default".split(
    " ",
  ),
);

const OPERATORS = [
  "**=",
  "!~",
  "**",
  // Its `==` is not read yet: the slash may begin a regular expression.
  "/==",
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

/** Words that are gawk's own: they may be names of parameters. */
const EXTENSIONS: ReadonlySet<string> = new Set(
  "and asort asorti bindtextdomain compl dcgettext dcngettext gensub isarray lshift mkbool mktime or patsplit rshift strftime strtonum systime typeof xor BEGINFILE ENDFILE switch case default".split(
    " ",
  ),
);

/** Operators that gawk knows without a look at what follows. */
const SELF_CONTAINED = /^(?:[(){};,[$~:]|..=|[-+*%^!<>=]=|>>|\+\+|--|!~|\|&)$/;

interface Told {
  /** Reports a faulty escape, at a line. */
  readonly warn: (message: string, line: number) => void;
  /** A mistake after which gawk reads on. */
  readonly mistake: (message: string, line: number) => void;
}

export class Lexer {
  readonly source: Source;
  /** Of the function that is read. */
  names: NamesOf;
  /** `@namespace` */
  namespace = "awk";
  /** Within print and outside of its parentheses. */
  inPrint = false;
  parentheses = 0;
  /** Within `@include` and the like a string is a name. */
  wantsName = false;
  readonly #text: string;
  readonly #zeroAt: number;
  readonly #told: Told;
  #at = 0;
  #line = 1;
  #isAtEnd = false;
  /** Begin of the token before, and (`#afterNewline`) true if it was a newline. */
  #lexeme = 0;
  #afterNewline = false;
  #conditionals = 0;

  constructor(source: Source, told: Told) {
    this.source = source;
    this.#text = source.isFile || source.text === "" || source.text.endsWith("\n") ? source.text : `${source.text}\n`;
    const zero = this.#text.indexOf("\0");
    this.#zeroAt = zero < 0 ? Infinity : zero;
    this.#told = told;
  }

  next(): Token {
    const token = this.#next();
    // Of these gawk makes two: the @ and the name.
    const isTwo = token.kind === "directive" || token.kind === "indirect";
    this.#lexeme = isTwo ? token.end - token.text.length : token.at;
    this.#afterNewline = token.kind === "newline";
    return token;
  }

  #next(): Token {
    const text = this.#text;
    if (this.#at >= text.length) return this.#end(this.#restart());
    for (;;) {
      const letter = text[this.#at];
      if (letter === undefined) return this.#end(this.#at - 1);
      if (letter === " " || letter === "\t" || letter === "\r") this.#at++;
      else if (letter === "\\") {
        const [newline] = /^\\\r?\n/.exec(text.slice(this.#at, this.#at + 3)) ?? [];
        if (newline === undefined) throw this.fail(this.#token("operator", "\\", this.#at), "backslash not last character on line");
        this.#at += newline.length;
        this.#line++;
      } else break;
    }
    const start = this.#at;
    const letter = text[start] as string;
    if (letter === "\n" || letter === "#") return this.#newline(letter);
    if (/[A-Za-z_]/.test(letter)) return this.#word();
    if (/[0-9]/.test(letter) || (letter === "." && /[0-9]/.test(text[start + 1] ?? ""))) return this.#number();
    if (letter === '"') return this.#string(start);
    if (letter === "@") return this.#directive();
    this.#checkCharacter();
    const operator = OPERATORS.find((candidate) => text.startsWith(candidate, start));
    if (operator === undefined) throw this.fail(this.#token("operator", letter, start), `invalid char '${letter}' in expression`);
    this.#at += operator.length;
    return this.#operator(operator, start);
  }

  #operator(operator: string, start: number): Token {
    if (operator === "(") this.parentheses++;
    if (operator === ")") this.parentheses--;
    if (operator === "?") this.#conditionals++;
    // What a regular expression begins with is looked at as the expression's.
    if (operator === "/") this.#isAtEnd ||= this.#at >= this.#text.length;
    else if (!SELF_CONTAINED.test(operator)) this.#peek();
    const { line } = this.#token("operator", operator, start);
    const end = this.#at;
    const isOpen = (operator === "?" || operator === ":") && this.#conditionals > 0;
    if (isOpen || operator === "&&" || operator === "||") this.#skipNewlines();
    if (isOpen && operator === ":") this.#conditionals--;
    const text = operator === "**" ? "^" : operator === "**=" ? "^=" : operator;
    const redirects =
      operator === ">>" || (this.inPrint && this.parentheses === 0 && (operator === ">" || operator === "|" || operator === "|&"));
    return { ...this.#token("operator", text, start), line, end, redirects };
  }

  /** The newline at hand, and the comment before it; gawk then points to the comment. */
  #newline(letter: string): Token {
    const start = this.#at;
    if (letter === "#") this.#skipComment();
    if (this.#at >= this.#text.length) return this.#end(start);
    this.#at++;
    this.#line++;
    return { ...this.#token("newline", "newline", start), line: this.#line - 1 };
  }

  /**
   * Position that gawk points to at the end of the text: the token before, but if that is the newline that ends a file, gawk has
   * thrown all of it away and points to the first character.
   */
  #restart(): number {
    const isEmptied = this.source.isFile && !this.#isAtEnd && this.#text[this.#lexeme] === "\n" && this.#lexeme === this.#text.length - 1;
    return isEmptied ? 0 : this.#lexeme;
  }

  /** At the end of a source gawk finds a newline first, where there was none. */
  #end(lexeme: number): Token {
    this.#isAtEnd = true;
    const kind = this.#afterNewline ? "end" : "newline";
    this.#line += kind === "end" ? -1 : 1;
    return this.#token(kind, kind, lexeme);
  }

  /** Skips the newlines and comments allowed after `&&`, `||`, `?` and its `:`. */
  #skipNewlines(): void {
    for (;;) {
      const letter = this.#text[this.#at];
      if (letter === "#") this.#skipComment();
      else if (letter !== undefined && /[ \t\r\n\v\f]/.test(letter)) {
        if (letter === "\n") this.#line++;
        this.#at++;
      } else {
        this.#peek();
        return;
      }
    }
  }

  #peek(): void {
    if (this.#at >= this.#text.length) this.#isAtEnd = true;
    else this.#checkCharacter();
  }

  #checkCharacter(): void {
    const letter = this.#text[this.#at] as string;
    if (!/[\x01-\x06\x0e-\x1f\x7f]/.test(letter)) return;
    const code = letter.charCodeAt(0).toString(8).padStart(3, "0");
    throw this.fatal(`error: invalid character '\\${code}' in source code`);
  }

  fatal(message: string, line = this.#line): ProgramError {
    return new ProgramError([`${placeText({ source: this.source, line })} fatal: ${message}`], 2);
  }

  /** Error at a token as gawk prints it: the line of the program, and a caret below it with the message. */
  fail(token: Token, message?: string): ProgramError {
    const text = this.#text;
    const { at } = token;
    const isLineEnd = text[at] === "\n";
    const from = isLineEnd ? at - 1 : at;
    // Then it shows what it has thrown away.
    if (isLineEnd && at === 0 && token.kind === "end")
      return this.#failure(token, text.slice(1, 2), "^ unexpected newline or end of string");
    const start = from < 0 || text[from] === "\n" ? from + 1 : text.lastIndexOf("\n", from) + 1;
    const newline = text.indexOf("\n", at);
    // To end the last line gawk copies it, with an empty first line before it.
    const isLast = text !== this.source.text && this.#at >= text.length - 1 && !SELF_CONTAINED.test(token.text);
    const isCopied = !isLineEnd && (this.source.isFile ? token.isAtEnd : isLast);
    const lineStart = isCopied && start === 1 ? 0 : start;
    const isIncomplete = token.isAtEnd && !isLineEnd && message === undefined;
    const shown = isIncomplete ? "(END OF FILE)" : text.slice(lineStart, newline < 0 ? text.length : newline);
    const what = isIncomplete
      ? "source files / command-line arguments must contain complete functions or rules"
      : isLineEnd
        ? "unexpected newline or end of string"
        : (message ?? "syntax error");
    const before = text.slice(lineStart, at).replace(/[^\t]/g, " ");
    return this.#failure(token, shown, `${before}^ ${what}`);
  }

  #failure(token: Token, ...lines: readonly string[]): ProgramError {
    const where = placeText({ source: this.source, line: token.lineAfter });
    return new ProgramError([...includedFromLines(this.source), ...lines.map((line) => `${where} ${line}`)]);
  }

  /** The regex whose opening slash is at `at`; `lexeme` is where gawk points to if it does not end. */
  regexAt(at: number, lexeme = at + 1): Token {
    const text = this.#text;
    // Of a typed expression, which begins before its slash, it is said below that it does not end.
    if (at + 1 === text.length && lexeme > at) {
      this.#at = at + 1;
      throw this.fail(this.#end(at));
    }
    let source = "";
    let brackets = 0;
    let bracketAt = -1;
    this.#isAtEnd = false;
    for (let here = at + 1; ; here++) {
      const letter = text[here];
      this.#at = here;
      if (letter === undefined || letter === "\n") {
        throw this.fail(this.#token("regex", "", lexeme), `unterminated regexp${letter === undefined ? " at end of file" : ""}`);
      }
      if (letter === "\\") {
        here += text[here + 1] === "\r" ? 2 : 1;
        const after = text[here];
        if (after === undefined) throw this.fail(this.#token("regex", "", lexeme), "unterminated regexp ends with `\\' at end of file");
        if (after === "\n") this.#line++;
        else source += `\\${after}`;
        continue;
      }
      if (letter === "[") {
        // gawk: a slash within brackets does not end the expression.
        if (text[here + 1] === ":" || brackets === 0) {
          if (++brackets === 1) bracketAt = source.length;
        }
      } else if (letter === "]") {
        const isFirst = source.length === bracketAt + 1 || (source.length === bracketAt + 2 && source.endsWith("^"));
        if (!(brackets > 0 && isFirst) && --brackets === 0) bracketAt = -1;
      } else if (letter === "/" && brackets <= 0) {
        this.#at = here + 1;
        this.#lexeme = lexeme;
        this.#afterNewline = false;
        return this.#token("regex", source, lexeme);
      }
      source += letter;
    }
  }

  #skipComment(): void {
    const end = this.#text.indexOf("\n", this.#at);
    this.#at = end < 0 ? this.#text.length : end;
  }

  #token(kind: TokenKind, text: string, at: number, value = 0): Token {
    if (this.#at > this.#zeroAt) {
      throw this.fatal("error: invalid character '\\000' in source code", this.#text.slice(0, this.#zeroAt).split("\n").length);
    }
    const line = this.#line;
    return { kind, text, value, at, end: this.#at, line, lineAfter: line, isAtEnd: this.#isAtEnd, redirects: false };
  }

  #word(): Token {
    const start = this.#at;
    const [word] = /^[A-Za-z_][A-Za-z_0-9]*(?:::[A-Za-z_0-9]+)*(?:::)?/.exec(this.#text.slice(start, start + 400)) ?? [""];
    this.#at += word.length;
    if (word === "_" && this.#text[this.#at] === '"' && this.#text[this.#lexeme] !== "$") return this.#string(start);
    this.#peek();
    const meaning = word.includes("::") ? this.#meaningOfQualified(word) : word;
    const isOwn = meaning !== undefined && EXTENSIONS.has(meaning) && this.#isName(meaning, word);
    if (meaning !== undefined && !isOwn) {
      if (KEYWORDS.has(meaning)) return this.#token("keyword", meaning === "func" ? "function" : meaning, start);
      if (BUILTIN_FUNCTIONS.has(meaning)) return this.#token("builtin", meaning, start);
    }
    return this.#token(this.#text[this.#at] === "(" ? "call" : "name", word, start);
  }

  /** True if a word of gawk's own is a name here. */
  #isName(meaning: string, word: string): boolean {
    if (word === meaning && this.namespace !== "awk" && BUILTIN_FUNCTIONS.has(meaning)) return true;
    return this.names?.kind === "header" || (this.names?.kind === "body" && this.names.parameters.has(word));
  }

  /** The word of the language that a qualified name is, where it is one; what is wrong with it is told. */
  #meaningOfQualified(word: string): string | undefined {
    const told = (message: string): void => this.#told.mistake(message, this.#line);
    const mistake = mistakeOfQualified(word);
    if (mistake !== undefined) told(mistake);
    const at = word.indexOf("::");
    const [space, name] = [word.slice(0, at), word.slice(at + 2)];
    if (isReserved(space)) {
      told(`using reserved identifier \`${space}' as a namespace is not allowed`);
      return space;
    }
    const isExtension = EXTENSIONS.has(name) && (space !== "awk" || BUILTIN_FUNCTIONS.has(name));
    if (isWord(name) && !isExtension) {
      told(`using reserved identifier \`${name}' as second component of a qualified name is not allowed`);
      return name;
    }
    return space === "awk" && isWord(name) ? name : undefined;
  }

  #number(): Token {
    const start = this.#at;
    const { end, value } = numberAt(this.#text, start);
    this.#at = end;
    this.#peek();
    return this.#token("number", this.#text.slice(start, end), start, value);
  }

  /** The string whose token begins at `start`, its quote at hand. */
  #string(start: number): Token {
    const text = this.#text;
    let raw = "";
    for (let at = this.#at + 1; ; at++) {
      const letter = text[at];
      const fail = (): ProgramError => this.fail(this.#token("string", "", start), "unterminated string");
      this.#at = at + 1;
      if (letter === undefined || letter === "\n") throw fail();
      if (letter === '"') break;
      if (letter !== "\\") {
        raw += letter;
        continue;
      }
      at += text[at + 1] === "\r" ? 2 : 1;
      const after = text[at];
      if (after === undefined) throw fail();
      if (after === "\n") this.#line++;
      else raw += this.wantsName && after === '"' ? after : `\\${after}`;
    }
    const value = this.wantsName ? raw : withEscapes(raw, (message) => this.#told.warn(message, this.#line));
    return this.#token(this.wantsName ? "file-name" : "string", value, start);
  }

  #directive(): Token {
    const start = this.#at;
    this.#at++;
    if (this.#text[this.#at] === "/") {
      const { text, end } = this.regexAt(this.#at, start);
      this.#at = end;
      return this.#token("typed-regex", text, start);
    }
    const [all = "", blanks = "", name = ""] =
      /^((?:[ \t\r]|\\\r?\n)*)((?:[A-Za-z_][A-Za-z_0-9]*(?:::[A-Za-z_][A-Za-z_0-9]*)?)?)/.exec(this.#text.slice(this.#at)) ?? [];
    const isDirective = name === "include" || name === "load" || name === "namespace";
    // What follows it is wrong.
    if (!isDirective && (name === "" || isWord(name) || this.#text[this.#at + all.length] !== "(")) return this.#operator("@", start);
    this.#line += blanks.split("\n").length - 1;
    this.#at += all.length;
    this.#peek();
    return this.#token(isDirective ? "directive" : "indirect", name, start);
  }
}

/** True if a word is not allowed as the name of a namespace or of a variable in one. */
export function isReserved(word: string): boolean {
  return isWord(word) && !EXTENSIONS.has(word);
}

/** True if a word has a meaning in the language. */
export const isWord = (word: string): boolean => KEYWORDS.has(word) || BUILTIN_FUNCTIONS.has(word);
