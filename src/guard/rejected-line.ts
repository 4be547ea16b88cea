/**
 * Findings in a line that is no tree, or none that may run: its problems of syntax, the commands that are none of ours, and what is
 * against the files that it would write.
 */
import type { ParseResult } from "../shell/parse.ts";
import type { Command, SimpleCommand } from "../shell/tree.ts";
import type { Found } from "./guard.ts";
import type { Plan } from "./plan.ts";
import { takesTheLine, writingToolOf } from "./reads-only.ts";
import type { GuardContext, StageFacts } from "./rule.ts";
import { shellRules, stageRules, syntaxRules } from "./rules.ts";
import { fileRedirect } from "./rules/syntax.ts";

/** The commands that do not run here, however the line is written. */
export function unknownCommands(stages: ReadonlyMap<SimpleCommand, StageFacts>, context: GuardContext): readonly Found[] {
  return [...stages].flatMap(([command, stage]) =>
    stageRules
      .filter(({ reason }) => reason === "DISALLOWED_CMD")
      .flatMap((rule) => rule.check(stage, context).map((finding) => ({ rule, finding, stage: stage.index, command }))),
  );
}

/** Reasons against the files of the redirections that begin at `refused`: tee would not write them either. */
export function outputsRefused(
  shell: readonly { readonly command: Command; readonly facts: StageFacts }[],
  refused: ReadonlySet<number>,
  stages: readonly StageFacts[],
  context: GuardContext,
): readonly Found[] {
  const line = [...stages, ...shell.map(({ facts }) => facts)];
  // Who may call a tool that writes is told of that one.
  const rules = writingToolOf(context) === undefined ? shellRules : shellRules.filter(({ id }) => id !== "write:read-only");
  return shell.flatMap(({ command, facts }): readonly Found[] => {
    const found = rules.flatMap((rule) =>
      rule.check(facts, context, line).map((finding) => ({ rule, finding, stage: facts.index, command })),
    );
    const against = found.filter(({ finding }) => refused.has(finding.span.start));
    const told = new Set(against.map(({ finding }) => finding.span.start));
    const further = facts.paths.filter(({ access, span }) => access === "write" && refused.has(span.start) && !told.has(span.start));
    return [
      ...against,
      ...further.flatMap(({ path, span }): readonly Found[] => {
        const fault = faultOf(path, facts.directories ?? [], context);
        return fault === undefined ? [] : [{ rule: fileRedirect, finding: { span, detail: fault }, stage: facts.index, command }];
      }),
    ];
  });
}

function faultOf(path: string, directories: readonly string[], { look }: GuardContext): string | undefined {
  const [directory, ...elsewhere] = directories;
  if (look === undefined || path === "" || directory === undefined || elsewhere.length > 0) return undefined;
  if (look.target(path, directory).kind !== "unwritable" || (directory !== "" && look.entry(directory, "").kind === "new"))
    return undefined;
  return look.entry(path, directory).isDirectory === true
    ? `'${path}' is a directory, so no output goes there.`
    : `'${path}' is no file that can be written: a link, a device, or below something that is no directory.`;
}

/** The problems that keep a line from being a tree. */
export function problemsIn(line: string, parsed: ParseResult, context: GuardContext): readonly Found[] {
  const writingTool = writingToolOf(context);
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

/** `found`, which says of the tool that writes whether it takes the line: `examineThere` checks the line as that one does. */
export function toldOfWritingTool(
  found: readonly Found[],
  context: GuardContext,
  examineThere: (context: GuardContext) => { readonly plan: Plan | undefined; readonly found: readonly Found[] },
): readonly Found[] {
  const { scriptDepth = 0 } = context;
  const writingTool = writingToolOf(context);
  if (writingTool === undefined || scriptDepth > 0 || !found.some(({ rule }) => rule.id === "write:read-only")) return found;
  const there = examineThere({ ...context, readOnly: false, readsOnly: undefined });
  if (there.plan !== undefined || there.found.every(({ rule, finding }) => (finding.reason ?? rule.reason) === "NEEDS_APPROVAL"))
    return found;
  return found.map((each) => {
    const detail = each.finding.detail.replace(takesTheLine(writingTool), `${writingTool} writes, and would refuse the line as it stands.`);
    return each.rule.id === "write:read-only" ? { ...each, finding: { ...each.finding, detail } } : each;
  });
}
