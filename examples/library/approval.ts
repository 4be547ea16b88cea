/**
 * Questions about lines that need a human's word, put to whoever sits at the terminal:
 *
 *   const shell = await Shell.open({ root: process.cwd(), policy, approve: atTerminal(process.stdin, process.stderr) });
 */
import { createInterface } from "node:readline/promises";
import { type ApprovalQuestion, type Approve, parsePolicy } from "shelpa-mcp";

/** Removals are asked about, besides the writes that always are. */
export const policy = await parsePolicy(`
[approval]
require_human_approval = { High = "ask" }
`);

/** Text of a question. Names and differences may hold anything, so what a terminal would obey is escaped. */
export function questionText({ line, violations, writes }: ApprovalQuestion): string {
  const reasons = violations.map(({ detail }) => `  ${detail}`);
  const changes = writes.map(({ path, change, diff }) => `  ${change ?? "write"} ${path}\n${diff.trimEnd()}`);
  return visible([`The line: ${line}`, ...reasons, ...changes].join("\n"));
}

const visible = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}]/gu, (character) => (character === "\n" ? character : JSON.stringify(character).slice(1, -1)));

export const atTerminal =
  (input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Approve =>
  async (question) => {
    const terminal = createInterface({ input, output });
    try {
      return (await terminal.question(`${questionText(question)}\nAllow it? [y/N] `, { signal: question.signal })) === "y";
    } finally {
      terminal.close();
    }
  };
