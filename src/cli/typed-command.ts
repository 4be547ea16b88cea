/** A command as it is typed: one line, or as many as its quotes, here-documents and compound commands go on over. */
import { showName } from "../display/visible.ts";
import { unfinishedIn, type Unfinished } from "../shell/unfinished.ts";
import type { Typed, TypedLines } from "./typed-lines.ts";

/** What was typed; "broken" is a command that Ctrl-D left without its end, with bash's message. */
export type TypedCommand = Typed | { readonly kind: "broken"; readonly message: string };

/** The next command, asked for with `prompt`, and with "> " for each line after its first. `warn` is given bash's warnings. */
export async function nextCommand(lines: TypedLines, prompt: string, warn: (message: string) => void): Promise<TypedCommand> {
  const first = await lines.next(prompt);
  if (first.kind !== "line") return first;
  let text = first.line;
  let isAtEnd = false;
  for (;;) {
    const unfinished = unfinishedIn(text);
    if (unfinished === undefined) return { kind: "line", line: text };
    const more: Typed = isAtEnd ? { kind: "end" } : await lines.next("> ");
    if (more.kind === "dropped") return more;
    if (more.kind === "line") {
      text += `\n${more.line}`;
      continue;
    }
    isAtEnd = true;
    if (unfinished.kind !== "here-document") return { kind: "broken", message: messageOf(unfinished) };
    // The end of the input ends a here-document, and may end the command with it.
    warn(messageOf(unfinished));
    text += `\n${unfinished.delimiter}`;
  }
}

/** Bash's words for the end of the input within a command. */
function messageOf(unfinished: Unfinished): string {
  switch (unfinished.kind) {
    case "quote":
      return `unexpected EOF while looking for matching \`${unfinished.closing}'`;
    case "here-document":
      return `warning: here-document at line ${unfinished.lineNumber} delimited by end-of-file (wanted \`${showName(unfinished.delimiter)}')`;
    case "command":
      return "syntax error: unexpected end of file";
  }
}
