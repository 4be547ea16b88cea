/** Rule against an argument (a program of awk or sed, find -exec) that would start a command other than a builtin, or one that data is part of. */
import { CHANGES } from "../failing-parts.ts";
import { keepsGlobs, spliced, stageReplaced, type StageRule } from "../rule.ts";
import { near } from "../suggestion.ts";

export const runsCommand: StageRule = {
  id: "run:command",
  reason: "RUNS_A_COMMAND",
  refuses: [{ line: "awk '{ system(\"wc -l \" $1) }' f" }],
  allows: ["awk 'BEGIN { system(\"ls\") }'"],
  check: (stage) =>
    stage.runs.map(({ what, span, suggestion, why = "", instead, rule, isMissing = false }) => ({
      span,
      failsByItself: isMissing && (rule === undefined || !CHANGES.has(rule)),
      detail:
        why === ""
          ? `${what} would start a command, and no external program is ever started here.`
          : `${what} runs the builtins of this server only. ${why}`,
      ...(rule === undefined ? {} : { also: [rule] }),
      candidates: () => [
        ...(instead === undefined ? [] : [near(spliced(stage.line, span, instead), `if ${instead} was meant`)]),
        ...(suggestion === "" ? [] : [near(stageReplaced(stage, suggestion), `without ${what}`)].filter((each) => keepsGlobs(stage, each))),
      ],
    })),
};
