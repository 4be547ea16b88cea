/** Findings in a line that is no tree, or none that may run: its problems of syntax, and the commands that are none of ours. */
import type { ParseResult } from "../shell/parse.ts";
import type { SimpleCommand } from "../shell/tree.ts";
import type { Found } from "./guard.ts";
import type { GuardContext, StageFacts } from "./rule.ts";
import { stageRules, syntaxRules } from "./rules.ts";

/** The commands that do not run here, however the line is written. */
export function unknownCommands(stages: ReadonlyMap<SimpleCommand, StageFacts>, context: GuardContext): readonly Found[] {
  return [...stages].flatMap(([command, stage]) =>
    stageRules
      .filter(({ reason }) => reason === "DISALLOWED_CMD")
      .flatMap((rule) => rule.check(stage, context).map((finding) => ({ rule, finding, stage: stage.index, command }))),
  );
}

/** The problems that keep a line from being a tree. */
export function problemsIn(line: string, parsed: ParseResult, { writingTool }: GuardContext): readonly Found[] {
  const problems = parsed.kind === "rejected" ? parsed.problems : [];
  const found: Found[] = [];
  for (const problem of problems) {
    for (const rule of syntaxRules) {
      const finding = rule.explain(problem, line);
      if (finding === undefined) continue;
      const isWrite = problem.reason === "REDIRECT" && writingTool !== undefined;
      const detail = isWrite ? `${finding.detail} This tool only reads: such a line is for ${writingTool}.` : finding.detail;
      found.push({ rule, finding: { ...finding, detail }, stage: 0 });
    }
  }
  if (found.length === 0) throw new Error(`no rule explains: ${problems.map((problem) => problem.construct).join()}`);
  return found;
}
