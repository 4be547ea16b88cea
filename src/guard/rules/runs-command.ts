/** A program inside an argument (awk, sed, find -exec) would start a command that is not a stage. */
import { spliced, stageReplaced, type StageRule } from "../rule.ts";

export const runsCommand: StageRule = {
  id: "run:command",
  reason: "RUNS_A_COMMAND",
  refuses: [{ line: "awk 'BEGIN { system(\"ls\") }'" }],
  allows: ["echo 'system(\"ls\")'"],
  check: (stage) =>
    stage.runs.map(({ what, span, suggestion, why = "", instead, rule }) => ({
      span,
      detail:
        why === ""
          ? `${what} would start a command, and no external program is ever started here.`
          : `${what} runs the builtins of this server only. ${why}`,
      ...(rule === undefined ? {} : { also: [rule] }),
      candidates: () => [
        ...(instead === undefined ? [] : [spliced(stage.line, span, instead)]),
        ...(suggestion === "" ? [] : [stageReplaced(stage, suggestion), suggestion]),
      ],
    })),
};
