/** A token of a program, and the names of the program that the lexer has to know. */

export type TokenKind =
  | "number"
  | "string"
  /** The name behind `@include` and the like. */
  | "file-name"
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
  /** Position that gawk points to; for an end that of the token before. */
  readonly at: number;
  readonly end: number;
  readonly line: number;
  /** The line that gawk is in once it has read the token, and the newlines that may follow it. */
  readonly lineAfter: number;
  /** True if gawk met the end of the source as it read the token. */
  readonly isAtEnd: boolean;
  /** `>`, `|` and `|&` within print: where the output goes. */
  readonly redirects: boolean;
}

/** Meaning of a name that is a word of gawk's as well. */
export type NamesOf = { readonly kind: "header" } | { readonly kind: "body"; readonly parameters: ReadonlySet<string> } | undefined;
