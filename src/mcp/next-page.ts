/** The command that shows the part that an answer left out: further lines of the file or of the kept output. */
import { countByte } from "../io/count-byte.ts";
import type { CapturedOutput, PagedLines, ShellAnswer, ShellRequest } from "./shell-service.ts";
import { LINE_CUT } from "./shown-lines.ts";
import type { ShownOutput } from "./shown-output.ts";

export interface NextPage {
  readonly command: string;
  /** Arguments that must be given again with it. */
  readonly with: readonly ("cwd" | "session")[];
}

/** Lines that show a page of an output that is kept: on from its start, or back from its end. */
const PAGE_ON = /^@out ([1-9]\d*) \| sed -n '(\d+),(\d+)p'$/;
const PAGE_BACK = /^@out ([1-9]\d*) \| head -n (\d+) \| tail -n (\d+)$/;
const WHOLE_FILE = /^cat ([A-Za-z0-9_./][A-Za-z0-9_./-]*)$/;

/** Prints the part of each long line that follows the part shown (shown-lines.ts). */
const REST_OF_LONG_LINES = `awk 'length>${LINE_CUT.longest}{print substr($0,${LINE_CUT.start + 1})}'`;

/** Undefined where nothing of it is kept, where its places are not those of the answer, and where `offers` lacks a command for it. */
export function nextPage(
  request: ShellRequest,
  { stdout, output, result }: ShellAnswer,
  shown: ShownOutput,
  offers: (command: string) => boolean,
): NextPage | undefined {
  const given = (names: NextPage["with"]): NextPage["with"] => names.filter((name) => request[name] !== undefined);
  const number = offers("@out") ? output?.number : undefined;
  if (shown.binary !== undefined) {
    const isShown = number !== undefined && offers("xxd") && offers("head");
    return isShown ? { command: `@out ${number} | xxd | head -n 20`, with: given(["session"]) } : undefined;
  }
  const isWhole = stdout.bytes.length === stdout.totalBytes;
  const file = WHOLE_FILE.exec(request.command.trim())?.[1];
  // A session that is only this call's has its own /tmp.
  const isLasting = file !== undefined && (output?.number !== undefined || !file.startsWith("/"));
  if (isLasting && result.kind === "completed" && result.exit === 0 && !(shown.insideLine && number !== undefined)) {
    const page = pageCommand(shown, stdout, stdout.totalLines);
    return page !== undefined && offers(page.name) ? { command: `${page.command} ${file}`, with: given(["cwd", "session"]) } : undefined;
  }
  if (number !== undefined && isWhole && shown.startLines === 0 && shown.endLines > 0 && offers("head") && offers("tail"))
    return pageBack(number, stdout.totalLines - shown.endLines, shown.endLines, given(["session"]));
  const isKept = isWhole || (shown.endLines === 0 ? stdout.bytes.length > shown.bytes : shown.startLines > 0);
  const page = pageCommand(shown, stdout, isWhole ? stdout.totalLines : linesIn(stdout.bytes));
  if (number === undefined || !isKept || page === undefined || !offers(page.name)) return undefined;
  return { command: `@out ${number} | ${page.command}`, with: given(["session"]) };
}

/** Command on the lines of which those up to `lastLine` can be read; undefined where it would show none that was left out. */
function pageCommand(
  shown: ShownOutput,
  { totalLines, changed }: CapturedOutput,
  lastLine: number,
): { readonly name: string; readonly command: string } | undefined {
  if (shown.insideLine) return changed === undefined ? { name: "tail", command: `tail -c +${shown.bytes + 1}` } : undefined;
  if (changed === "lines") return undefined;
  if (shown.startLines + shown.endLines === totalLines)
    return lastLine < totalLines ? undefined : { name: "awk", command: REST_OF_LONG_LINES };
  const { from, to } = omittedPage(shown, totalLines);
  return from > lastLine ? undefined : { name: "sed", command: `sed -n '${from},${Math.min(to, lastLine)}p'` };
}

export const linesIn = (bytes: Uint8Array): number => countByte(bytes, 10) + (bytes.length > 0 && bytes.at(-1) !== 10 ? 1 : 0);

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
  /** The way to the next page: towards the end of the output, or its start. */
  readonly direction: "on" | "back";
  readonly lines: PagedLines;
  readonly with: NextPage["with"];
}

/** The page that the call asks for, as `nextPage` writes it. */
export function pageOf({ command, session }: ShellRequest, lines: PagedLines): ShownPage | undefined {
  const given = { lines, with: session === undefined ? [] : (["session"] as const) };
  const [, output, first, last] = PAGE_ON.exec(command.trim()) ?? [];
  if (output !== undefined) {
    const from = Number(first);
    // sed prints the first line of a range that ends before it.
    const to = Math.min(Math.max(from, Number(last)), lines.kept);
    return { output: Number(output), from, to, direction: "on", ...given };
  }
  const [, number, end, size] = PAGE_BACK.exec(command.trim()) ?? [];
  if (number === undefined) return undefined;
  const to = Math.min(Number(end), lines.kept);
  return { output: Number(number), from: Math.max(1, to - Number(size) + 1), to, direction: "back", ...given };
}

/** The lines of `page` that are shown; undefined where that is not known, or one at its open end is shown in part. */
export function shownLinesOf(
  { from, to, direction }: ShownPage,
  { totalLines, changed }: CapturedOutput,
  { insideLine, startLines, endLines }: ShownOutput,
): { readonly from: number; readonly to: number } | undefined {
  if (insideLine || startLines + endLines === 0) return undefined;
  if (startLines + endLines === totalLines) return { from, to };
  if (changed === "lines") return undefined;
  if (direction === "on") return startLines === 0 ? undefined : { from, to: from + startLines - 1 };
  return startLines > 0 ? undefined : { from: to - endLines + 1, to };
}

/** The page that goes on behind the lines of `page` that are shown, or stands before them; undefined where there is none. */
export function pageAfter(
  { output, from, direction, lines, with: given }: ShownPage,
  shown: { readonly from: number; readonly to: number },
): NextPage | undefined {
  if (direction === "back") return pageBack(output, shown.from - 1, shown.to - shown.from + 1, given);
  const first = shown.to + 1;
  if (first > lines.kept) return undefined;
  const size = shown.to - from + 1;
  return { command: `@out ${output} | sed -n '${first},${Math.min(first + size - 1, lines.kept)}p'`, with: given };
}

/** The page of `size` lines that ends with line `to`. */
const pageBack = (output: number, to: number, size: number, given: NextPage["with"]): NextPage | undefined =>
  to < 1 ? undefined : { command: `@out ${output} | head -n ${to} | tail -n ${Math.min(size, to)}`, with: given };
