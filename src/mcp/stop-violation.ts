/** A call that met a limit, in words: which, how far it had come, and what would do. */
import { shortName } from "../display/visible.ts";
import type { StopReason, Stopped, StoppedStage } from "../exec/result.ts";
import type { Violation, ViolationReason } from "../guard/violation.ts";
import type { ShellRequest } from "./shell-service.ts";
import { count } from "./shown-lines.ts";
import { MAX_TIMEOUT_SECONDS } from "./tool.ts";

/** Most characters of a command that is named. */
const MOST_NAME_CHARACTERS = 80;

export function stopViolation({ command }: ShellRequest, { limit, cap, stage }: Stopped): Violation {
  const { reason, detail } = STOPS[limit];
  return { code: "LIMIT", reason, detail: detail(cap, stage, command.trim()), suggestion: undefined, position: undefined };
}

interface Stop {
  readonly reason: ViolationReason;
  readonly detail: (cap: string, stage: StoppedStage | undefined, line: string) => string;
}

const STOPS: Readonly<Record<StopReason, Stop>> = {
  time: {
    reason: "LIMIT_TIME",
    detail: (cap, stage, line) =>
      `stopped after ${cap}${timeOf(cap, stage, line)}; narrow ${costlyPart(cap, stage, line)}${longerThan(cap)}`,
  },
  memory: { reason: "LIMIT_MEMORY", detail: (cap) => `stopped: more memory than ${cap} was needed` },
  output: { reason: "LIMIT_OUTPUT", detail: (cap) => `stopped after ${cap}; filter it, or end the line with | head` },
  line: {
    reason: "LIMIT_MEMORY",
    detail: (cap, stage, line) =>
      `stopped${placeOf(stage, line)}: a single line is longer than ${cap}; head -c and tail -c read it in parts`,
  },
  spill: {
    reason: "LIMIT_MEMORY",
    detail: (cap, stage, line) =>
      `stopped${placeOf(stage, line)}: what must be sorted is more than the ${cap} of temporary space; filter it first`,
  },
  held: {
    reason: "LIMIT_MEMORY",
    detail: (cap, stage, line) => `stopped${placeOf(stage, line)}: a stage had to hold more than ${cap} at once; filter its input first`,
  },
  cancelled: { reason: "LIMIT_TIME", detail: () => "cancelled before it had ended" },
};

/** The command that took most of the time, and how far it came; "" where it is all of the line, and so known. */
function timeOf(cap: string, stage: StoppedStage | undefined, line: string): string {
  if (stage === undefined) return "";
  const { milliseconds, runs, inputBytes, outputBytes } = stage;
  const facts = [
    ...(runs > 1 ? [`run ${count(runs)} times`] : []),
    ...(inputBytes === undefined ? [] : [`was given ${bytesText(inputBytes)}`]),
    ...(isPart(stage, line) ? [`printed ${bytesText(outputBytes)}`] : []),
  ];
  const figures = facts.length === 0 ? "" : ` (${facts.join(", ")})`;
  return isPart(stage, line)
    ? `, ${seconds(Math.min(milliseconds, Number.parseFloat(cap) * 1000))} of them in ${nameOf(stage)}${figures}`
    : figures;
}

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

const bytesText = (bytes: number): string => `${count(bytes)} bytes`;

const nameOf = ({ command }: StoppedStage): string => `\`${shortName(command, MOST_NAME_CHARACTERS)}\``;

const isPart = (stage: StoppedStage | undefined, line: string): stage is StoppedStage => stage !== undefined && stage.command !== line;

const placeOf = (stage: StoppedStage | undefined, line: string): string => (isPart(stage, line) ? ` in ${nameOf(stage)}` : "");

/** To narrow a command that took little of the time would not do. */
const costlyPart = (cap: string, stage: StoppedStage | undefined, line: string): string =>
  isPart(stage, line) && stage.milliseconds > Number.parseFloat(cap) * 500 ? "that" : "the line";

const longerThan = (cap: string): string =>
  Number.parseFloat(cap) < MAX_TIMEOUT_SECONDS ? `, or pass timeout_seconds (at most ${MAX_TIMEOUT_SECONDS})` : "";
