/**
 * Why a command line did not become a tree: each thing the parser refuses, by a stable name, where it stands, with
 * the literal alternative. The guard turns these into violations (guard/violation.ts).
 */
import type { Span } from "./tree.ts";

export interface SyntaxProblem {
  readonly reason: "PARSE" | "UNSUPPORTED_SYNTAX" | "REDIRECT";
  /** Match on this, never on the text. */
  readonly construct: Construct;
  readonly span: Span;
  /** What is wrong, why that is the rule, and what to write instead: one or two sentences. */
  readonly detail: string;
  /** The whole line, rewritten so that it parses and does what was meant; absent where syntax alone cannot tell. */
  readonly rewrite?: string;
}

export type Construct = ParseConstruct | UnsupportedConstruct | RedirectConstruct;

/** The line is not bash, or is past one of the caps. */
type ParseConstruct = "syntax" | "nul" | "carriage-return" | "encoding" | "line-length" | "nesting" | "brace-words" | "here-document";

/** Bash that this language leaves out (DESIGN §2). */
export type UnsupportedConstruct =
  | "variable"
  | "command-substitution"
  | "arithmetic"
  | "process-substitution"
  | "extglob"
  | "tilde"
  | "brace-range"
  | "assignment"
  | "for"
  | "while"
  | "until"
  | "if"
  | "case"
  | "select"
  | "test-brackets"
  | "arithmetic-command"
  | "function"
  | "coproc"
  | "time"
  | "background";

export type RedirectConstruct = "redirect-out" | "redirect-append" | "redirect-in" | "redirect-readwrite" | "redirect-descriptor";

/** The sentence for a construct of bash that is left out. `source` is its own text in the line. */
export function unsupported(construct: UnsupportedConstruct, source: string, span: Span): SyntaxProblem {
  return { reason: "UNSUPPORTED_SYNTAX", construct, span, detail: sentence(construct, clipped(source)) };
}

/** A line that bash itself would not take, or that is past a cap. */
export function unparsable(construct: ParseConstruct, span: Span, detail: string): SyntaxProblem {
  return { reason: "PARSE", construct, span, detail };
}

function sentence(construct: UnsupportedConstruct, source: string): string {
  switch (construct) {
    case "variable":
      return variableSentence(source);
    case "command-substitution":
      return `${source} runs a command inside a word, which is not available here. Run that command first and write its output as it is, or pass it on with | xargs.`;
    case "arithmetic":
      return `${source} is arithmetic, which is not available here. Write the number itself.`;
    case "process-substitution":
      return `${source} is process substitution: no stage here has a /dev/fd name. Write the first command to a file with | tee FILE, then name FILE.`;
    case "extglob":
      return `${source} is an extended pattern, which bash itself takes only after shopt -s extglob. Use * ? [...] or {a,b}.`;
    case "tilde":
      return source.startsWith("~")
        ? `${source} names a home directory, and there is only the root here: ~ and ~/PATH. Quote it ('${source}') to have the characters themselves.`
        : `${source}: bash expands the ~ here, other shells do not. Write the path from the root (.), or quote the word to have the character itself.`;
    case "brace-range":
      return `${source} runs through characters that are no letters, which bash expands to pieces of quoting. Name the letters: {a,b,c}.`;
    case "assignment":
      return `${source} sets a variable, and there are no variables here. Write the value where it is used.`;
    case "for":
      return "for loops are not available here. Give all names to one command, use a glob, or use xargs: printf '%s\\n' a b | xargs -n 1 COMMAND.";
    case "while":
    case "until":
      return `${construct} loops are not available here. Use xargs to run a command for each line: COMMAND | xargs -n 1 OTHER.`;
    case "if":
      return "if is not available here. Use A && B || C.";
    case "case":
      return "case is not available here. Use grep -q PATTERN FILE && COMMAND.";
    case "select":
      return "select asks a person at a terminal, and there is none here. Name the choice itself.";
    case "test-brackets":
      return "[[ ... ]] is not available here. Use [ ... ] with one condition, joined by && and ||.";
    case "arithmetic-command":
      return "(( ... )) is arithmetic, which is not available here. Use [ A -lt B ] to compare numbers.";
    case "function":
      return "Functions cannot be defined here. Write the commands where they are used.";
    case "coproc":
      return "coproc starts a command in the background, and a line here must finish. Join the two commands with |.";
    case "time":
      return "time is not available here: every answer reports how long each stage took. Leave the word out.";
    case "background":
      return "& leaves a command running in the background, and a line here must finish. Use ; or && between commands, or leave it out.";
  }
}

function variableSentence(source: string): string {
  const name = /^\$\{?(\w+|[@*#?$!-])\}?$/.exec(source)?.[1];
  if (name === "HOME") return `${source}: there are no variables here. The root is ~, as in ~/FILE.`;
  if (name === "PWD") return `${source}: there are no variables here. The current directory is . (a dot), and pwd prints it.`;
  if (name === "?") return "$?: there are no variables here. The exit status comes with every answer; use && and || to act on it.";
  return `${source}: there are no variables here. Write the value itself, or quote it ('${source}') to have the characters as they are.`;
}

const MOST_QUOTED_UNITS = 40;

/** A message quotes only the start of a long construct, on one line. */
function clipped(source: string): string {
  const line = source.replace(/\s*\n[\s\S]*/, "…");
  return line.length > MOST_QUOTED_UNITS ? `${line.slice(0, MOST_QUOTED_UNITS)}…` : line;
}
