/** The command that shows the part that an answer left out: further lines of the file or of the kept output. */
import type { ShellAnswer, ShellRequest } from "./shell-service.ts";
import { PREVIEW, type ShownOutput } from "./shown-output.ts";

export interface NextPage {
  readonly command: string;
  /** Arguments that must be given again with it. */
  readonly with: readonly ("cwd" | "session")[];
}

/** A line that shows some lines of a file, or of an output that is kept. */
const PAGE_OF_OUTPUT = /^@out ([1-9]\d*) \| sed -n '(\d+),(\d+)p'$/;
const WHOLE_FILE = /^cat ([A-Za-z0-9_./][A-Za-z0-9_./-]*)$/;

/** Prints the part of each long line that follows the part shown (shown-output.ts). */
const REST_OF_LONG_LINES = `cut -c ${PREVIEW + 1}-${PREVIEW * 10}`;

/** Undefined where nothing of the output is kept. */
export function nextPage(request: ShellRequest, { stdout, output, result }: ShellAnswer, shown: ShownOutput): NextPage | undefined {
  const given = (names: NextPage["with"]): NextPage["with"] => names.filter((name) => request[name] !== undefined);
  const isEveryLine = !shown.insideLine && shown.binary === undefined && shown.startLines + shown.endLines === stdout.totalLines;
  const lines = omittedPage(shown, stdout.totalLines);
  const page = isEveryLine ? REST_OF_LONG_LINES : `sed -n '${lines.from},${lines.to}p'`;
  const file = WHOLE_FILE.exec(request.command.trim())?.[1];
  const isFile = file !== undefined && result.kind === "completed" && result.exit === 0 && shown.binary === undefined;
  if (isFile && !shown.insideLine) return { command: `${page} ${file}`, with: given(["cwd", "session"]) };
  const isKept = stdout.bytes.length === stdout.totalBytes || shown.startLines > 0 || shown.endLines === 0;
  if (output?.number === undefined || !isKept) return undefined;
  const what = shown.binary !== undefined ? "xxd | head -n 20" : shown.insideLine ? `tail -c +${shown.bytes + 1}` : page;
  return { command: `@out ${output.number} | ${what}`, with: given(["session"]) };
}

/**
 * The next page among the lines that were left out, as long as the part that is shown: the first of them, or the last of
 * them where only the end is shown.
 */
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
