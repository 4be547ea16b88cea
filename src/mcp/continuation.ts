/**
 * The command line that shows what a cut answer left out: the caller's own line with `| tail …` put in. Given only
 * where running the line again prints the same and changes nothing. Without `| head`: the next answer is cut as well,
 * and so says how much is left.
 */
import type { Completed } from "../exec/result.ts";
import { quoteWord } from "../io/quote.ts";
import { parseLine } from "../shell/parse.ts";
import { listsIn, listsOf, wordsOf } from "../shell/tree-walk.ts";
import type { List, Pipeline } from "../shell/tree.ts";
import type { ShellAnswer, ShellRequest } from "./shell-service.ts";
import type { ShownText } from "./shown-text.ts";

/** Undefined where the line writes, or cannot be extended. */
export function continuation(request: ShellRequest, answer: ShellAnswer, shown: ShownText): string | undefined {
  const { result, startedIn, cwd } = answer;
  if (result.kind !== "completed" || result.receipts.length > 0) return undefined;
  const line = request.command.trim();
  const list = parsed(line);
  const last = list?.items.at(-1)?.pipeline;
  if (list === undefined || last === undefined) return undefined;
  const moved = request.cwd === undefined && cwd !== startedIn;
  const back = moved ? `cd ~${startedIn === "" ? "" : `/${quoteWord(startedIn)}`} && ` : "";
  const first = firstThatPrinted(list, result);
  // The group would have to move the session, and cannot.
  if (moved && first === 0 && list.items.length > 1) return undefined;
  const extended = first === list.items.length - 1 ? withTail(line, last, shown) : grouped(line, list, first, tailFrom(shown, 1));
  return extended !== undefined && parsed(extended) !== undefined ? back + extended : undefined;
}

/** The stage that leaves out what was shown, where the caller's output began at line (or byte) `start`. */
function tailFrom({ insideLine, bytes, lines }: ShownText, start: number): string {
  return insideLine ? `tail -c +${start + bytes}` : `tail -n +${start + lines}`;
}

/** The line with a `tail` behind its last pipeline; where that is a `tail` already, as on a second page, with that one moved on. */
function withTail(line: string, { commands, span }: Pipeline, shown: ShownText): string {
  const last = commands.at(-1)?.span ?? span;
  const paging = /^tail -(n|c) \+([1-9]\d{0,14})$/.exec(line.slice(last.start, last.end));
  if (commands.length > 1 && paging !== null && (paging[1] === "c") === shown.insideLine) {
    return line.slice(0, last.start) + tailFrom(shown, Number(paging[2])) + line.slice(last.end);
  }
  return `${line.slice(0, span.end)} | ${tailFrom(shown, 1)}${line.slice(span.end)}`;
}

/**
 * `{ LINE; } | …`. What printed nothing stays in front: in a pipeline a group is a subshell, where `cd` would not move
 * the session. The brace goes on a line of its own where a comment or here-document ends the line.
 */
function grouped(line: string, list: List, first: number, tail: string): string | undefined {
  const start = list.items[first]?.pipeline.span.start ?? 0;
  const front = line.slice(0, start);
  const body = line.slice(start);
  return [`${front}{ ${body}; } | ${tail}`, `${front}{ ${body}\n} | ${tail}`].find(
    (candidate) => parsed(candidate)?.items.length === first + 1,
  );
}

/**
 * Index of the first item that printed, or of the last where none did before it; 0 where the reports, which are in
 * order of starting, cannot be told apart.
 */
function firstThatPrinted(list: List, { exit, stages }: Completed): number {
  const counts = list.items.map(({ pipeline }) => stageCount(pipeline));
  const earlier = counts.slice(0, -1).reduce((sum, count) => sum + count, 0);
  // Where every `&&` went through, all ran, so what the earlier ones did not start was the last one's.
  const allRan = exit === 0 && list.items.every(({ when }, index) => index === 0 || when === "success");
  if (Number.isNaN(counts.at(-1)) && allRan) counts.splice(-1, 1, stages.length - earlier);
  if (stages.length !== counts.reduce((sum, count) => sum + count, 0)) return 0;
  let at = 0;
  for (const [index, count] of counts.entries()) {
    if (stages.slice(at, at + count).some(({ outputBytes }) => outputBytes > 0)) return index;
    at += count;
  }
  return list.items.length - 1;
}

/** Not a number for a pipeline with groups, loops or `$( )`, whose stages are not counted before they run. */
function stageCount({ commands }: Pipeline): number {
  const counts = commands.map((command) => {
    if (listsOf(command).length > 0 || wordsOf(command).some((word) => listsIn(word).length > 0)) return NaN;
    return command.kind === "simple" ? 1 : 0;
  });
  return counts.reduce<number>((sum, count) => sum + count, 0);
}

function parsed(line: string): List | undefined {
  const result = parseLine(line);
  return result.kind === "parsed" ? result.list : undefined;
}
