/** The words of a bc program, across its files; what has no place in one is told at once. Text is Latin-1: each character is a byte. */

export type TokenKind = "newline" | "end" | "string" | "name" | "number" | "assign" | "relation" | "step" | "keyword" | "mark";

export interface Token {
  readonly kind: TokenKind;
  /** Its text: of "assign" the operator before the "=", or "="; of "string" with its quotes. */
  readonly text: string;
}

/** One file of a program. */
export interface SourceText {
  /** As messages have it: "(standard_in)". */
  readonly name: string;
  readonly text: string;
}

const KEYWORDS: ReadonlySet<string> = new Set(
  (
    "define break quit length return for if while sqrt scale ibase obase auto else read random halt last void history warranty " +
    "continue print limits"
  ).split(" "),
);

const WORD = /[a-z][a-z0-9_]*/y;
const NUMBER = /(?:[0-9A-Z](?:[0-9A-Z]|\\\n)*(?:\.(?:[0-9A-Z]|\\\n)*)?|\.(?:\\\n)*[0-9A-Z](?:[0-9A-Z]|\\\n)*)/y;
const STRING = /"[^"]*"/y;
const BLANK = /[ \t]+/y;
const OPERATOR = /&&|\|\||==|<=|>=|!=|\+\+|--|[-+*/%^]=|[-+;(){}[\],^*/%&!=<>.]/y;

export class Scanner {
  readonly #complain: (message: string) => void;
  readonly #print: (message: string) => void;
  readonly #next: () => SourceText | undefined;
  readonly #isStandard: boolean;
  #source: SourceText;
  #at = 0;
  line = 1;
  #inComment = false;

  /** `next` gives the file after one that is at its end; what it throws ends the program. */
  constructor(
    next: () => SourceText | undefined,
    to: { readonly complain: (message: string) => void; readonly print: (message: string) => void; readonly isStandard: boolean },
  ) {
    this.#next = next;
    this.#complain = to.complain;
    this.#print = to.print;
    this.#isStandard = to.isStandard;
    this.#source = next() ?? { name: "(standard_in)", text: "" };
  }

  get sourceName(): string {
    return this.#source.name;
  }

  next(): Token {
    for (;;) {
      const { text } = this.#source;
      if (this.#at >= text.length) {
        const following = this.#next();
        this.line = 1;
        if (following === undefined) return { kind: "end", text: "" };
        this.#source = following;
        this.#at = 0;
        continue;
      }
      const token = this.#read(text);
      if (token !== undefined) return token;
    }
  }

  #read(text: string): Token | undefined {
    if (this.#inComment) {
      this.#inComment = false;
      const end = text.indexOf("\n", this.#at);
      this.#at = end < 0 ? text.length : end;
      return undefined;
    }
    const character = text.charAt(this.#at);
    if (character === "\n") {
      this.#at++;
      this.line++;
      return { kind: "newline", text: "\n" };
    }
    if (character === "\\" && text.charAt(this.#at + 1) === "\n") {
      this.#at += 2;
      this.line++;
      return undefined;
    }
    if (character === "/" && text.charAt(this.#at + 1) === "*") {
      this.#skipComment();
      return undefined;
    }
    if (character === "#" && !this.#isStandard) {
      this.#at++;
      this.#inComment = true;
      return undefined;
    }
    if (this.#take(BLANK, text) !== undefined) return undefined;
    return this.#word(text) ?? this.#unknown(character);
  }

  #word(text: string): Token | undefined {
    const word = this.#take(WORD, text);
    if (word !== undefined) return { kind: KEYWORDS.has(word) ? "keyword" : "name", text: word };
    const number = this.#take(NUMBER, text);
    if (number !== undefined) return { kind: "number", text: this.#numberText(number) };
    const quoted = this.#take(STRING, text);
    if (quoted !== undefined) {
      this.line += quoted.split("\n").length - 1;
      const end = quoted.indexOf("\0");
      if (end < 0) return { kind: "string", text: quoted };
      this.#complain("NUL character in string.");
      return { kind: "string", text: quoted.slice(0, end) };
    }
    const operator = this.#take(OPERATOR, text);
    if (operator === undefined) return undefined;
    if (operator === ".") return { kind: "keyword", text: "last" };
    if (operator === "++" || operator === "--") return { kind: "step", text: operator.charAt(0) };
    if (/^(?:[=<>!]=|[<>])$/.test(operator)) return { kind: "relation", text: operator };
    if (operator.endsWith("=")) return { kind: "assign", text: operator.charAt(0) };
    return { kind: "mark", text: operator };
  }

  /** Without leading zeros, a last point and the ends of lines in it. */
  #numberText(number: string): string {
    const stripped = number.replace(/\.$/, "").replace(/^0+/, "");
    const joined = stripped.replaceAll("\\\n", "");
    this.line += (stripped.length - joined.length) / 2;
    return joined === "" ? "0" : joined;
  }

  #unknown(character: string): undefined {
    this.#at++;
    const code = character.charCodeAt(0);
    if (code < 0x20) this.#complain(`illegal character: ^${String.fromCharCode(code + 0x40)}`);
    else if (code > 0x7e) this.#complain(`illegal character: \\${code.toString(8).padStart(3, "0")}`);
    else this.#complain(`illegal character: ${character}`);
    return undefined;
  }

  /** A comment goes on in the next file. */
  #skipComment(): void {
    for (this.#at += 2; ; this.#at = 0) {
      const { text } = this.#source;
      const end = text.indexOf("*/", this.#at);
      this.line += text.slice(this.#at, end < 0 ? text.length : end).split("\n").length - 1;
      this.#at = end < 0 ? text.length : end + 2;
      if (end >= 0) return;
      const following = this.#next();
      this.line = 1;
      if (following === undefined) return this.#print("EOF encountered in a comment.");
      this.#source = following;
    }
  }

  #take(pattern: RegExp, text: string): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }
}
