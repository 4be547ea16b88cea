/**
 * A command line as our own tree: what DESIGN §2 accepts and nothing else. Produced by parse.ts; every node says
 * where it stands. Braces are expanded and quotes removed; globs and `~` are kept, because they depend on the
 * directory at the time the stage runs.
 */

/** Half-open range in the command line, in UTF-16 code units (the wire converts to bytes, see guard/render.ts). */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Commands in the order they are tried. bash gives `&&` and `||` equal precedence and left association, so a list
 * is flat: each item runs or is skipped by the status of the last one that ran.
 */
export interface List {
  readonly items: readonly ListItem[];
  readonly span: Span;
}

export interface ListItem {
  /** `;`, newline or first: "always"; `&&`: "success"; `||`: "failure". */
  readonly when: "always" | "success" | "failure";
  readonly pipeline: Pipeline;
}

export interface Pipeline {
  /** `! a | b`: the exit status is negated. */
  readonly negated: boolean;
  readonly commands: readonly [Command, ...Command[]];
  readonly span: Span;
}

export type Command = SimpleCommand | GroupCommand;

export interface SimpleCommand {
  readonly kind: "simple";
  /** The name and its arguments. */
  readonly words: readonly [Word, ...Word[]];
  readonly redirects: readonly Redirect[];
  readonly span: Span;
}

/** `{ …; }` shares the current directory with what follows; `( … )` is a subshell with its own. */
export interface GroupCommand {
  readonly kind: "group";
  readonly subshell: boolean;
  readonly body: List;
  readonly redirects: readonly Redirect[];
  readonly span: Span;
}

/** One word after brace expansion. `{a,b}` gives two words with the same span. */
export interface Word {
  readonly parts: readonly WordPart[];
  readonly span: Span;
}

export type WordPart =
  /** Text after quote removal, in the encoding of src/io/text.ts. `quoted` text is never special to globs. */
  | { readonly kind: "text"; readonly text: string; readonly quoted: boolean }
  /** An unquoted `*`, `?` or `[…]`; `source` is the pattern text (inside brackets, quoted characters are escaped with a backslash). */
  | { readonly kind: "glob"; readonly source: string }
  /** An unquoted `~` or `~/` at the start of a word: the root. */
  | { readonly kind: "home" };

/**
 * Applied from left to right, as bash does: `2>&1 >/dev/null` and `>/dev/null 2>&1` differ.
 * `|&` is lowered to `2>&1` as the last redirect of the command on its left.
 */
export type Redirect =
  /** `N>&M`: descriptor `from` goes where `to` goes now. */
  | { readonly kind: "duplicate"; readonly from: 1 | 2; readonly to: 1 | 2; readonly span: Span }
  /** `>/dev/null`, `2>/dev/null`, `&>/dev/null` (two of them). */
  | { readonly kind: "discard"; readonly from: 1 | 2; readonly span: Span }
  /** `</dev/null`. */
  | { readonly kind: "no-input"; readonly span: Span }
  /** Here-document or here-string: standard input is this text (here-strings end in a newline). */
  | { readonly kind: "here"; readonly text: string; readonly span: Span };

/** The word's text where it has neither globs nor `~`: known before anything runs. */
export function staticText(word: Word): string | undefined {
  let text = "";
  for (const part of word.parts) {
    if (part.kind !== "text") return undefined;
    text += part.text;
  }
  return text;
}
