/**
 * Problems that keep a command line from becoming a tree: each construct the parser refuses, by a stable name, with its
 * place and the alternative to type. The guard turns these into violations (guard/violation.ts).
 */
import type { Rewrite } from "./rewrite.ts";
import type { Span } from "./tree.ts";

export interface SyntaxProblem {
  readonly reason: "PARSE" | "UNSUPPORTED_SYNTAX" | "REDIRECT";
  /** Match on this, never on the text. */
  readonly construct: Construct;
  readonly span: Span;
  /** The fault, the reason for the rule, and the alternative to write: one or two sentences. */
  readonly detail: string;
  /** The whole line, rewritten so that it parses and does what was meant; absent where syntax alone cannot tell. */
  readonly rewrite?: Rewrite;
}

export type Construct = ParseConstruct | UnsupportedConstruct | RedirectConstruct;

/** The line is not bash, or is past one of the caps. */
type ParseConstruct = "syntax" | "nul" | "carriage-return" | "encoding" | "line-length" | "nesting" | "brace-words" | "here-document";

/** Bash that this language leaves out (DESIGN §2). */
export type UnsupportedConstruct =
  | "variable"
  | "command-substitution"
  | "backquotes"
  | "array"
  | "declaration"
  | "wrapper"
  | "arithmetic"
  | "process-substitution"
  | "extglob"
  | "tilde"
  | "brace-range"
  | "select"
  | "function"
  | "coproc"
  | "time"
  | "trap"
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
      return `${source} is not a command substitution that can be read here. Write $(COMMAND).`;
    case "backquotes":
      return `${source} holds a backslash, which backquotes read once more than anything else. Write $(...), which reads it as usual.`;
    case "array":
      return `${source} sets an array where only one text can stand: before a command, or as an element of another. Set it in a command of its own.`;
    case "declaration":
      return declarationSentence(source);
    case "wrapper":
      return `${source} runs programs, and no command that only the shell has, no function and no named pipeline. Leave ${source} out.`;
    case "arithmetic":
      return `${source} is the old form of arithmetic. Write $((...)).`;
    case "process-substitution":
      return source.startsWith(">")
        ? `${source} runs a command behind another's back, and a line here is one way from left to right. Put the command behind a |.`
        : `${source} is process substitution, which stands among the words of a command or behind <, and nowhere else here.`;
    case "extglob":
      return `${source} is an extended pattern, which bash itself takes only after shopt -s extglob. Put shopt -s extglob before it, or use * ? [...] or {a,b}.`;
    case "tilde":
      return source.startsWith("~")
        ? `${source} names a home directory, and there is only the root here: ~ and ~/PATH, ~+ and ~-. Quote it ('${source}') to have the characters themselves.`
        : `${source}: bash expands the ~ here, other shells do not. Write the path from the root (.), or quote the word to have the character itself.`;
    case "brace-range":
      return `${source} runs through characters that are no letters, which bash expands to pieces of quoting. Name the letters: {a,b,c}.`;
    case "select":
      return "select asks a person at a terminal, and there is none here. Name the choice itself.";
    case "function":
      return `${source} is no name that a function can have here: letters, digits and _ . : + % , - make one, and none of the words that the shell itself reads (${UNNAMABLE.join(", ")}).`;
    case "coproc":
      return "coproc starts a command in the background, and a line here must finish. Join the two commands with |.";
    case "time":
      return "time stands before the whole pipeline, once, and takes -p alone. Leave the word out.";
    case "trap":
      return "trap takes its commands as literal text without backslashes (in single quotes) and EXIT, ERR or signals, which never come here.";
    case "background":
      return "& leaves a command running in the background, and a line here must finish. Use ; or && between commands, or leave it out.";
  }
}

function variableSentence(source: string): string {
  const name = /^\$\{?([!#]?)([\w@*#?$!-]+)/.exec(source)?.[2];
  if (source.startsWith("${!"))
    return `${source} changes the names of an array's elements where it lists them. Set an array to "\${!NAME[@]}" first.`;
  if (/@P\}?$/.test(source)) return `${source} reads a value again as text of the shell. Use the value as it is: "$${name ?? "x"}".`;
  if (name === "!") return `${source} is the number of a process in the background, and none is started here. Leave it out.`;
  if (name === "SRANDOM") return `${source} is a number of 32 bits at random, which is not available here. Use $RANDOM.`;
  if (/^(E?UID|GROUPS|HOST\w+|MACHTYPE|OSTYPE|PPID)$/.test(name ?? ""))
    return `${source} tells of the host, which is not visible here, only the workspace. Leave it out.`;
  return `${source} is not available here. Write the value itself, or quote it ('${source}') to have the characters as they are.`;
}

/** Commands that the shell reads in a way of their own, so that no function takes their place. */
export const UNNAMABLE: readonly string[] = [
  "builtin",
  "command",
  "declare",
  "env",
  "eval",
  "export",
  "local",
  "nice",
  "nohup",
  "readonly",
  "stdbuf",
  "timeout",
  "trap",
  "typeset",
];
function declarationSentence(source: string): string {
  const name = /\b(declare|typeset|local|readonly|export)\b/.exec(source)?.[0] ?? "declare";
  if (/[{]/.test(source)) return `${source}: bash expands the braces into several assignments here. Write each of them.`;
  if (/^export\s/.test(source) && /\s-\w*f/.test(source))
    return `${source} exports a function, and a shell within the line has none but its own. Define it in the script, too.`;
  if (/\s[-+]\w*[fF]/.test(source))
    return `${source} prints functions as bash writes them, which is not available here. declare -F NAME tells whether there is one.`;
  if (/\s[-+]\w*[tcI]/.test(source)) return `${source} has a flag that is not available here: only -a -A -F -g -i -l -n -p -r -u -x are.`;
  if (/=/.test(source)) return `${source}: an assignment before ${name} does nothing for it. Put it behind, or leave it out.`;
  return `${source} would list all variables, in bash those of the host too. Name those that you mean: declare -p NAME.`;
}

const MOST_QUOTED_UNITS = 40;

/** A message quotes only the start of a long construct, on one line. */
function clipped(source: string): string {
  const line = source.replace(/\s*\n[\s\S]*/, "…");
  return line.length > MOST_QUOTED_UNITS ? `${line.slice(0, MOST_QUOTED_UNITS)}…` : line;
}
