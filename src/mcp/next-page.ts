/** The literal command that shows what an answer left out: lines of the file, of the kept output, or of the line run again. */
import type { ShellAnswer, ShellRequest } from "./shell-service.ts";
import { PREVIEW, type ShownOutput } from "./shown-output.ts";

export interface NextPage {
  readonly command: string;
  /** Arguments that must be given again with it. */
  readonly with: readonly ("cwd" | "stdin" | "session" | "dryRun")[];
}

/** A line that shows some lines of a file, or of an output that is kept. */
const PAGE_OF_OUTPUT = /^@out ([1-9]\d*) \| sed -n '(\d+),(\d+)p'$/;
const WHOLE_FILE = /^cat ([A-Za-z0-9_./][A-Za-z0-9_./-]*)$/;

/** What follows the part of a long line that is shown (shown-output.ts). */
const REST_OF_LONG_LINES = `cut -c ${PREVIEW + 1}-${PREVIEW * 10}`;

/** Undefined where only running the line again can tell (continuation.ts), or nothing can. */
export async function nextPage(request: ShellRequest, answer: ShellAnswer, shown: ShownOutput): Promise<NextPage | undefined> {
  const given = (names: NextPage["with"]): NextPage["with"] => names.filter((name) => request[name] !== undefined);
  const { stdout, output, result } = answer;
  const isHeld = stdout.bytes.length === stdout.totalBytes;
  const line = request.command.trim();
  const isEveryLine = !shown.insideLine && shown.binary === undefined && shown.startLines + shown.endLines === stdout.totalLines;
  const lines = omittedPage(shown, stdout.totalLines);
  const page = isEveryLine ? REST_OF_LONG_LINES : `sed -n '${lines.from},${lines.to}p'`;
  const file = WHOLE_FILE.exec(line)?.[1];
  const isFile = file !== undefined && result.kind === "completed" && result.exit === 0 && shown.binary === undefined;
  if (isFile && !shown.insideLine) return { command: `${page} ${file}`, with: given(["cwd", "session"]) };
  if (output !== undefined && (isHeld || shown.startLines > 0)) {
    const what = shown.binary !== undefined ? "xxd | head -n 20" : shown.insideLine ? `tail -c +${shown.bytes + 1}` : page;
    return { command: `@out ${output} | ${what}`, with: given(["session"]) };
  }
  if (shown.endLines > 0 || shown.binary !== undefined || isEveryLine) return undefined;
  // Brings the parser with it, which the first answer should not wait for.
  const { continuation } = await import("./continuation.ts");
  const again = continuation(request, answer, { ...shown, lines: shown.startLines });
  return again === undefined ? undefined : { command: again, with: given(["cwd", "stdin", "session", "dryRun"]) };
}

/** As many lines as are shown, of those that are not: from the first on; where only the end is shown, the last of them. */
function omittedPage({ startLines, endLines }: ShownOutput, totalLines: number): { readonly from: number; readonly to: number } {
  const size = Math.max(1, startLines + endLines);
  const first = startLines + 1;
  const last = totalLines - endLines;
  return startLines === 0 && endLines > 0
    ? { from: Math.max(first, last - size + 1), to: last }
    : { from: first, to: Math.min(last, first + size - 1) };
}

/** Lines of a kept output, from 1. */
export interface ShownPage {
  readonly output: number;
  readonly from: number;
  readonly to: number;
  readonly totalLines: number;
  readonly with: NextPage["with"];
}

/** The page that the call asks for, as `nextPage` writes it. */
export function pageOf({ command, session }: ShellRequest, totalLines: number): ShownPage | undefined {
  const [, output, from, to] = PAGE_OF_OUTPUT.exec(command.trim()) ?? [];
  if (output === undefined) return undefined;
  return { output: Number(output), from: Number(from), to: Number(to), totalLines, with: session === undefined ? [] : ["session"] };
}

/** The page that goes on where `shown` of `page` ends; undefined at the end, and inside a line. */
export function pageAfter(
  { output, from, to, totalLines, with: given }: ShownPage,
  { startLines, insideLine }: ShownOutput,
): NextPage | undefined {
  const first = from + startLines;
  if (insideLine || startLines === 0 || first > totalLines) return undefined;
  const size = Math.min(to - from + 1, startLines);
  return { command: `@out ${output} | sed -n '${first},${Math.min(first + size - 1, totalLines)}p'`, with: given };
}
