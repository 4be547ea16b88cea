/**
 * The command line that shows what a cut answer left out: the caller's own line with `| tail … | head …` behind it.
 * Given only where running the line again prints the same and changes nothing.
 */
import { quoteWord } from "../io/quote.ts";
import type { ShellAnswer, ShellRequest } from "./shell-service.ts";
import type { ShownText } from "./shown-text.ts";

/** Undefined where the line writes, or is of a shape that cannot simply be extended. */
export function continuation(
  request: ShellRequest,
  answer: ShellAnswer,
  shown: ShownText,
  maxCharacters: number,
): string | undefined {
  if (answer.result.kind !== "completed" || answer.result.receipts.length > 0) return undefined;
  const shape = shapeOf(request.command);
  if (shape === undefined) return undefined;
  const rest = shown.insideLine
    ? `tail -c +${shown.bytes + 1} | head -c ${maxCharacters}`
    : `tail -n +${shown.lines + 1} | head -n ${shown.lines}`;
  const line = request.command.trim();
  const moved = request.cwd === undefined && answer.cwd !== answer.startedIn;
  const back = moved ? `cd ~${answer.startedIn === "" ? "" : `/${quoteWord(answer.startedIn)}`} && ` : "";
  if (shape.pipelines === 1) return `${back}${line} | ${rest}`;
  const stages = answer.result.stages;
  const earlier = stages.slice(0, stages.length - shape.lastStages);
  const allRan = stages.length === shape.stages;
  if (allRan && earlier.every((stage) => stage.outputBytes === 0)) return `${back}${line} | ${rest}`;
  // In a pipeline a group runs as a subshell of its own, where moving is refused.
  return moved ? undefined : `{ ${line}; } | ${rest}`;
}

interface LineShape {
  readonly pipelines: number;
  readonly stages: number;
  /** Stages of the last pipeline. */
  readonly lastStages: number;
}

/**
 * Counts pipelines and stages by their operators. Undefined for anything with groups, comments, here-documents,
 * several lines or negation: those cannot be extended at their end, or not counted this way.
 */
function shapeOf(line: string): LineShape | undefined {
  const bare = line.trim().replace(QUOTED, "q");
  if (/['"\\`\n#(){}]|<<|(^|[;&|]\s*)!\s|;\s*$|(^|[^&>|])&($|[^&>])|&&\s*$/.test(bare)) return undefined;
  const pipelines = bare.split(/&&|\|\||;/);
  const counts = pipelines.map((pipeline) => pipeline.split("|").length);
  return {
    pipelines: counts.length,
    stages: counts.reduce((sum, count) => sum + count, 0),
    lastStages: counts.at(-1) as number,
  };
}

/** A backslash pair, or a string in any of the quotes; `$'…'` knows the backslash, `'…'` does not. */
const QUOTED = /\$'(?:[^'\\]|\\[^])*'|'[^']*'|"(?:[^"\\]|\\[^])*"|\\[^]/g;
