/** A program inside an argument (awk, sed, find -exec) would start a command that is not a stage. */
import { stageReplaced, type StageRule } from "../rule.ts";

export const runsCommand: StageRule = {
  id: "run:command",
  reason: "RUNS_A_COMMAND",
  description: "A program inside an argument would start a command. No external program is ever started here.",
  refuses: [{ line: "awk 'BEGIN { system(\"ls\") }'" }],
  allows: ["echo 'system(\"ls\")'"],
  check: (stage) =>
    stage.runs.map(({ what, span, suggestion }) => ({
      span,
      detail: `${what} would start a command, and no external program is ever started here.`,
      candidates: () => (suggestion === "" ? [] : [stageReplaced(stage, suggestion), suggestion]),
    })),
};
