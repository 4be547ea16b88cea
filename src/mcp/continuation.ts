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
  const isLastsOutput = list.items.length === 1 || onlyLastPrinted(list, result.stages.map((stage) => stage.outputBytes));
  // In a pipeline a group runs as a subshell of its own, where moving is refused.
  if (!isLastsOutput) return moved ? undefined : grouped(line, rest);
  const extended = line.slice(0, last.span.end) + rest + line.slice(last.span.end);
  const back = moved ? `cd ~${startedIn === "" ? "" : `/${quoteWord(startedIn)}`} && ` : "";
  return parsed(extended)?.items.length === list.items.length ? back + extended : undefined;
}

/** `{ LINE; } | …`; on lines of its own where a comment or here-document ends it. */
function grouped(line: string, rest: string): string | undefined {
  return [`{ ${line}; }${rest}`, `{ ${line}\n}${rest}`].find((candidate) => parsed(candidate)?.items.length === 1);
}

/** Whether every stage ran and those before the last pipeline printed nothing. `stageBytes` is in order of starting. */
function onlyLastPrinted(list: List, stageBytes: readonly number[]): boolean {
  const counts = list.items.map(({ pipeline }) => stageCount(pipeline));
  const last = counts.at(-1) ?? 0;
  const all = counts.reduce((sum, count) => sum + count, 0);
  return stageBytes.length === all && stageBytes.slice(0, all - last).every((bytes) => bytes === 0);
}

/** Not a number for a pipeline with groups, whose stages are not counted before they run. */
const stageCount = ({ commands }: Pipeline): number => (commands.every(({ kind }) => kind === "simple") ? commands.length : NaN);

function parsed(line: string): List | undefined {
  const result = parseLine(line);
  return result.kind === "parsed" ? result.list : undefined;
}
