/** The words, assignments and redirections of a command as the parser library gives them, where bash reads them otherwise; reserved words. */
import type { Assignment, Redirection, Word as SourceWord } from "unbash";
import type { SourceNode } from "./lowering.ts";
import type { Command } from "./tree.ts";

/** `--file=<(x)`: the library reads two words where bash reads one. */
export function joinedWords(
  items: readonly (Assignment | Redirection | SourceWord)[],
  line: string,
): readonly (Assignment | Redirection | SourceWord)[] {
  const joined: (Assignment | Redirection | SourceWord)[] = [];
  for (const item of items) {
    const last = joined.at(-1);
    const touches = last?.type === "Word" && item.type === "Word" && last.end === item.pos;
    if (!touches || !(line.startsWith("<(", item.pos) || line[item.pos - 1] === ")")) joined.push(item);
    else joined[joined.length - 1] = { ...last, end: item.end, parts: [...(last.parts ?? []), ...(item.parts ?? [])] };
  }
  return joined;
}
/** `2\⏎>f`: bash joins the two before it reads the number. */
export function isNumberSplit(line: string, left: SourceNode, right: SourceNode): boolean {
  if (left.type !== "Word" || !/^[<>&]/.test(line.slice(right.pos))) return false;
  const between = line.slice(left.pos, right.pos);
  return between.includes("\\\n") && /^(\d|\\\n)+$/.test(between);
}

/** `a |& b` is `a 2>&1 | b`. */
export function joinErrors(commands: [Command, ...Command[]], end: number, line: string): void {
  const at = line.indexOf("|&", end);
  const last = commands.length - 1;
  const command = commands[last] as Command;
  commands[last] = {
    ...command,
    redirects: [...command.redirects, { kind: "duplicate", from: 2, to: 1, span: { start: at, end: at + 2 } }],
  };
}

/** Words that begin or end a compound command where a command's name stands. */
export const RESERVED_WORDS: ReadonlySet<string> = new Set([
  "!",
  "{",
  "}",
  "[[",
  "case",
  "coproc",
  "do",
  "done",
  "elif",
  "else",
  "esac",
  "fi",
  "for",
  "function",
  "if",
  "select",
  "then",
  "time",
  "until",
  "while",
]);
