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
  /** `time`: its times are printed in bash's own form, or with -p in that of POSIX. */
  readonly timed?: "bash" | "posix";
  readonly commands: readonly [Command, ...Command[]];
  readonly span: Span;
}

export type Command = SimpleCommand | AssignCommand | DeclareCommand | FunctionCommand | TrapCommand | CompoundCommand;

export type CompoundCommand =
  | GroupCommand
  | IfCommand
  | LoopCommand
  | ForCommand
  | ArithmeticForCommand
  | CaseCommand
  | ConditionCommand
  | ArithmeticCommand;

export interface SimpleCommand {
  readonly kind: "simple";
  /** `NAME=value` before the name: for this command alone. */
  readonly assignments: readonly Assignment[];
  /** The name and its arguments. */
  readonly words: readonly [Word, ...Word[]];
  /** What stood in front of the name, outermost first. A function of that name is then passed over. */
  readonly wrappers?: readonly Wrapper[];
  /** The words of the wrappers. */
  readonly wrapped?: readonly Word[];
  readonly redirects: readonly Redirect[];
  readonly span: Span;
}

/** A command that runs another (wrappers.ts). */
export type Wrapper =
  | { readonly kind: "shell"; readonly name: "command" | "builtin" }
  /** `env`: what it sets is among the command's assignments. */
  | { readonly kind: "environment"; readonly clear: boolean; readonly unset: readonly string[] }
  /** `exit` is the status where the time is over; 0 seconds are no limit. */
  | { readonly kind: "timeout"; readonly seconds: number; readonly exit: number }
  /** `nice`, `nohup`, `stdbuf`: it changes nothing here. */
  | { readonly kind: "program"; readonly name: string };

/** `NAME() BODY`: defines a function; redirections behind the body are the body's, and made at each call. */
export interface FunctionCommand {
  readonly kind: "function";
  readonly name: string;
  /** One compound command. */
  readonly body: List;
  /** None but that of `|&`, which changes nothing. */
  readonly redirects: readonly Redirect[];
  readonly span: Span;
}

/** `NAME=value …` without a command. */
export interface AssignCommand {
  readonly kind: "assign";
  readonly assignments: readonly Assignment[];
  /** True if the variables are in the builtins' environment from here on. */
  readonly exported: boolean;
  readonly redirects: readonly Redirect[];
  readonly span: Span;
}

/** `declare` and its relatives, whose arguments may be assignments, of arrays too. */
export interface DeclareCommand {
  readonly kind: "declare";
  readonly name: "declare" | "typeset" | "local" | "readonly" | "export";
  /** Flags, names and assignments in order. A word may turn out to be any of them. */
  readonly items: readonly (Word | Assignment)[];
  readonly redirects: readonly Redirect[];
  readonly span: Span;
}

export const isAssignment = (item: Word | Assignment): item is Assignment => "append" in item;

export interface Assignment {
  readonly name: string;
  /** `NAME[subscript]=value`. */
  readonly subscript?: ElementSubscript;
  /** `NAME+=value`. */
  readonly append: boolean;
  /** The value, one word without brace expansion and globs; of a list in parentheses an empty one. */
  readonly value: Word;
  /** `NAME=(…)`. */
  readonly elements?: readonly ArrayElement[];
  readonly span: Span;
}

/** `trap TEXT SIGNAL…`. */
export interface TrapCommand {
  readonly kind: "trap";
  /** The name and its arguments. */
  readonly words: readonly Word[];
  readonly action: List | "ignore" | "reset";
  /** "never": a signal that does not come here. */
  readonly conditions: readonly ("EXIT" | "ERR" | "never")[];
  readonly redirects: readonly Redirect[];
  readonly span: Span;
}

/** An element of `NAME=(…)`. */
export interface ArrayElement {
  /** The words that it gives after brace expansion; of `[subscript]=value` none. */
  readonly words: readonly Word[];
  /** The same as one word, as associative arrays take keys and values in turn, where braces are not expanded. */
  readonly whole: Word;
  /** As typed, for messages. */
  readonly source: string;
  /** `[subscript]=value`. */
  readonly pair: { readonly subscript: ElementSubscript; readonly append: boolean; readonly value: Word } | undefined;
}

/** `[@]` and `[*]`: all elements. */
export type Subscript = ElementSubscript | { readonly kind: "all"; readonly joined: boolean; readonly source: string };

/** The text between the brackets. The array that it is for decides how it is read. */
export interface ElementSubscript {
  readonly kind: "element";
  /** As a key of an associative array: with its quotes removed. */
  readonly key: Word;
  /** As arithmetic; the same word where there are no quotes. */
  readonly index: Word;
  /** As typed, for messages. */
  readonly source: string;
}

/** `{ …; }` shares the current directory with what follows; `( … )` is a subshell with its own. */
export interface GroupCommand {
  readonly kind: "group";
  readonly subshell: boolean;
  /** `exec REDIRECTION…`: the group is what comes after it in the shell, and goes on where a redirection cannot be made. */
  readonly isRest?: true;
  /** `eval TEXT`: its words; the group is the text. */
  readonly evaluated?: readonly Word[];
  readonly body: List;
  readonly redirects: readonly Redirect[];
  readonly span: Span;
}

/** `if`, with every `elif` as a further clause. */
export interface IfCommand {
  readonly kind: "if";
  readonly clauses: readonly { readonly condition: List; readonly body: List }[];
  readonly otherwise: List | undefined;
  readonly redirects: readonly Redirect[];
  readonly span: Span;
}

/** `while` and `until`. */
export interface LoopCommand {
  readonly kind: "loop";
  /** The outcome of the condition on which the body runs. */
  readonly runsOn: "success" | "failure";
  readonly condition: List;
  readonly body: List;
  readonly redirects: readonly Redirect[];
  readonly span: Span;
}

/** `for NAME in WORDS`; without `in` the words are `"$@"`. */
export interface ForCommand {
  readonly kind: "for";
  readonly name: string;
  readonly words: readonly Word[];
  readonly body: List;
  readonly redirects: readonly Redirect[];
  readonly span: Span;
}

/** `for ((a; b; c))`: three arithmetic texts, each of which may be empty. */
export interface ArithmeticForCommand {
  readonly kind: "arithmetic-for";
  readonly start: Word;
  readonly condition: Word;
  readonly step: Word;
  readonly body: List;
  readonly redirects: readonly Redirect[];
  readonly span: Span;
}

export interface CaseCommand {
  readonly kind: "case";
  readonly word: Word;
  readonly items: readonly CaseItem[];
  readonly redirects: readonly Redirect[];
  readonly span: Span;
}

export interface CaseItem {
  readonly patterns: readonly Word[];
  readonly body: List;
  /** `;;`: "stop"; `;&`: the next body runs too; `;;&`: the next patterns are tried. */
  readonly after: "stop" | "fall-through" | "try-next";
}

/** `[[ … ]]`. */
export interface ConditionCommand {
  readonly kind: "condition";
  readonly condition: Condition;
  readonly redirects: readonly Redirect[];
  readonly span: Span;
}

export type Condition =
  | { readonly kind: "unary"; readonly operator: string; readonly operand: Word }
  | { readonly kind: "binary"; readonly operator: string; readonly left: Word; readonly right: Word }
  | { readonly kind: "and" | "or"; readonly conditions: readonly Condition[] }
  | { readonly kind: "not"; readonly condition: Condition };

/** `(( … ))`. */
export interface ArithmeticCommand {
  readonly kind: "arithmetic";
  readonly expression: Word;
  readonly redirects: readonly Redirect[];
  readonly span: Span;
}

/** One word after brace expansion. `{a,b}` gives two words with the same span. */
export interface Word {
  readonly parts: readonly WordPart[];
  readonly span: Span;
  /** Begins with the value of a named pipeline's argument: an operand, however it begins. */
  readonly isOperand?: true;
}

export type WordPart =
  /** Text after quote removal, in the encoding of src/io/text.ts. `quoted` text is never special to globs. */
  | { readonly kind: "text"; readonly text: string; readonly quoted: boolean }
  /**
   * An unquoted `*`, `?` or `[…]` in a word without expansions (in a word with some, they are unquoted text);
   * `source` is the pattern text (inside brackets, quoted characters are escaped with a backslash).
   */
  | { readonly kind: "glob"; readonly source: string }
  /** An unquoted `~` or `~/` at the start of a word: the root. */
  | { readonly kind: "home" }
  | (Expansion & {
      /** In double quotes: neither split nor a pattern. */
      readonly quoted: boolean;
      /** The pair of double quotes that it stands in, counted within the word; left out in a word without lists. */
      readonly quotation?: number;
    });

/** A part of a word that is known only when the stage starts. */
export type Expansion = ParameterExpansion | CommandSubstitution | ProcessSubstitution | ArithmeticExpansion;

/** `$NAME`, `${NAME}`, `${NAME:-word}` and the like. */
export interface ParameterExpansion {
  readonly kind: "parameter";
  /** A name, or one of `@ * # ? - 0-9…`. */
  readonly name: string;
  /** `${NAME[subscript]}`. */
  readonly subscript?: Subscript;
  /** `${!NAME}`: the value names the variable. */
  readonly indirect?: true;
  readonly operation: ParameterOperation | undefined;
  /** `$1`, which bash's messages name with the dollar, and `${1}` without. */
  readonly bare?: true;
}

export type ParameterOperation =
  /** `${#x}`. */
  | { readonly kind: "length" }
  /** `${x-w}`, `${x=w}`, `${x?w}`, `${x+w}`; with a colon an empty value counts as none. */
  | {
      readonly kind: "default" | "assign" | "demand" | "alternative";
      readonly orEmpty: boolean;
      readonly word: Word;
    }
  /** `${x#p}`, `${x##p}`, `${x%p}`, `${x%%p}`. */
  | { readonly kind: "remove"; readonly from: "start" | "end"; readonly longest: boolean; readonly pattern: Word }
  /** `${x/p/r}`, `${x//p/r}`, `${x/#p/r}`, `${x/%p/r}`. */
  | { readonly kind: "replace"; readonly where: "first" | "all" | "start" | "end"; readonly pattern: Word; readonly by: Word }
  /** `${x:offset:length}`: arithmetic. */
  | { readonly kind: "slice"; readonly offset: Word; readonly length: Word | undefined }
  /** `${!NAME[@]}`: the keys of an array. */
  | { readonly kind: "keys" }
  /** `${!PREFIX@}`, `${!PREFIX*}`: names of variables. */
  | { readonly kind: "names"; readonly joined: boolean }
  /** `${x@Q}`. */
  | { readonly kind: "transform"; readonly letter: TransformLetter }
  /** `${x^p}`, `${x^^p}`, `${x,p}`, `${x,,p}`. */
  | { readonly kind: "case"; readonly to: "upper" | "lower"; readonly all: boolean; readonly pattern: Word | undefined };

export type TransformLetter = "Q" | "E" | "A" | "a" | "U" | "u" | "L" | "K" | "k";

/** Tells whether the expansion is the plain value of a variable. */
export const isPlainParameter = ({ operation, subscript, indirect }: ParameterExpansion): boolean =>
  operation === undefined && subscript === undefined && indirect !== true;

/** Tells whether the expansion may be several words even in double quotes. */
export const isList = ({ name, subscript, indirect, operation }: ParameterExpansion): boolean =>
  operation?.kind !== "length" &&
  (name === "@" || indirect === true || operation?.kind === "names" || (subscript?.kind === "all" && !subscript.joined));

/** `$(…)`, backquotes. */
export interface CommandSubstitution {
  readonly kind: "command";
  /** Either commands, or the one file of `$(< FILE)`. */
  readonly body: List | { readonly kind: "file"; readonly word: Word };
  readonly span: Span;
}

/** `<(…)`: the name of a file that gives what the commands print. */
export interface ProcessSubstitution {
  readonly kind: "process";
  readonly body: List;
  readonly span: Span;
}

/** `$((…))`. The text is expanded as in double quotes and then evaluated. */
export interface ArithmeticExpansion {
  readonly kind: "arithmetic";
  readonly expression: Word;
}

/**
 * Applied from left to right, as bash does: `2>&1 >/dev/null` and `>/dev/null 2>&1` differ.
 * `|&` is lowered to `2>&1` as the last redirect of the command on its left.
 */
export type Redirect =
  /** `N>&M`, `N>/dev/stderr`: descriptor `from` goes where `to` goes now. */
  | { readonly kind: "duplicate"; readonly from: number; readonly to: number; readonly span: Span }
  /** `>/dev/null`, `2>/dev/null`, `&>/dev/null` (two of them). */
  | { readonly kind: "discard"; readonly from: number; readonly span: Span }
  /** `</dev/null`. */
  | { readonly kind: "no-input"; readonly from: number; readonly span: Span }
  /** `N< FILE`: descriptor `from` reads the file. */
  | { readonly kind: "input"; readonly from: number; readonly file: Word; readonly span: Span }
  /** `N<&M`: descriptor `from` reads what `to` reads. */
  | { readonly kind: "duplicate-input"; readonly from: number; readonly to: number; readonly span: Span }
  /** `N<&-`, `N>&-`: descriptor `from` is closed; from 3 on. */
  | { readonly kind: "close"; readonly from: number; readonly span: Span }
  /** `N> FILE`, `&> FILE` (`both`: descriptors 1 and 2): descriptor `from` writes the file, which is in the session's scratch. */
  | {
      readonly kind: "output";
      readonly from: number;
      readonly both: boolean;
      readonly file: Word;
      readonly append: boolean;
      readonly span: Span;
    }
  /** Here-document or here-string: descriptor `from` reads this text (here-strings end in a newline). */
  | { readonly kind: "here"; readonly from: number; readonly text: Word; readonly span: Span };

/** The word's text where it has neither globs nor `~` nor expansions: known before anything runs. */
export function staticText(word: Word): string | undefined {
  let text = "";
  for (const part of word.parts) {
    if (part.kind !== "text") return undefined;
    text += part.text;
  }
  return text;
}

/** Tells whether a part of the word is known only when its stage starts, apart from the names of files. */
export const isExpanded = (word: Word): boolean =>
  word.parts.some(({ kind }) => kind === "parameter" || kind === "command" || kind === "process" || kind === "arithmetic");

/** A word of text alone. */
export const textWord = (text: string, span: Span): Word => ({ parts: [{ kind: "text", text, quoted: true }], span });
