/**
 * The command line that shows what a cut answer left out: the caller's own line with `| tail … | head …` put in.
 * Given only where running the line again prints the same and changes nothing.
 */
import { quoteWord } from "../io/quote.ts";
import { parseLine } from "../shell/parse.ts";
import type { List, Pipeline } from "../shell/tree.ts";
import type { ShellAnswer, ShellRequest } from "./shell-service.ts";
import type { ShownText } from "./shown-text.ts";

/** Undefined where the line writes, or cannot be extended. */
export function continuation(
  request: ShellRequest,
  answer: ShellAnswer,
  shown: ShownText,
  maxCharacters: number,
): string | undefined {
  const { result, startedIn, cwd } = answer;
  if (result.kind !== "completed" || result.receipts.length > 0) return undefined;
  const line = request.command.trim();
  const list = parsed(line);
  const last = list?.items.at(-1)?.pipeline;
  if (list === undefined || last === undefined) return undefined;
  const rest = shown.insideLine
    ? ` | tail -c +${shown.bytes + 1} | head -c ${maxCharacters}`
    : ` | tail -n +${shown.lines + 1} | head -n ${shown.lines}`;
  const moved = request.cwd === undefined && cwd !== startedIn;
  const back = moved ? `cd ~${startedIn === "" ? "" : `/${quoteWord(startedIn)}`} && ` : "";
  const first = firstThatPrinted(list, result.stages.map((stage) => stage.outputBytes));
  // The group would have to move the session, and cannot.
  if (moved && first === 0 && list.items.length > 1) return undefined;
  const extended =
    first === list.items.length - 1 ? line.slice(0, last.span.end) + rest + line.slice(last.span.end) : grouped(line, list, first, rest);
  return extended !== undefined && parsed(extended) !== undefined ? back + extended : undefined;
}

/**
 * `{ LINE; } | …`. What printed nothing stays in front: in a pipeline a group is a subshell, where `cd` would not move
 * the session. The brace goes on a line of its own where a comment or here-document ends the line.
 */
function grouped(line: string, list: List, first: number, rest: string): string | undefined {
  const start = list.items[first]?.pipeline.span.start ?? 0;
  const front = line.slice(0, start);
  const body = line.slice(start);
  return [`${front}{ ${body}; }${rest}`, `${front}{ ${body}\n}${rest}`].find((candidate) => parsed(candidate)?.items.length === first + 1);
}

/**
 * Index of the first item that printed, or of the last where none did before it; 0 where the reports cannot be told
 * apart. `stageBytes` is in order of starting.
 */
function firstThatPrinted(list: List, stageBytes: readonly number[]): number {
  const counts = list.items.map(({ pipeline }) => stageCount(pipeline));
  if (stageBytes.length !== counts.reduce((sum, count) => sum + count, 0)) return 0;
  let at = 0;
  for (const [index, count] of counts.entries()) {
    if (stageBytes.slice(at, at + count).some((bytes) => bytes > 0)) return index;
    at += count;
  }
  return list.items.length - 1;
}

/** Not a number for a pipeline with groups, whose stages are not counted before they run. */
const stageCount = ({ commands }: Pipeline): number => (commands.every(({ kind }) => kind === "simple") ? commands.length : NaN);

function parsed(line: string): List | undefined {
  const result = parseLine(line);
  return result.kind === "parsed" ? result.list : undefined;
}
