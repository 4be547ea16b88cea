/** Rule against a stage that moves the session (cd, pushd) inside a pipeline, where it would move nothing. */
import type { StageFacts, StageRule } from "../rule.ts";
import { near } from "../suggestion.ts";

export const navigationInPipe: StageRule = {
  id: "nav:pipe",
  reason: "NAV_IN_PIPE",
  refuses: [
    { line: "cd src | ls", suggestion: "cd src && ls" },
    { line: "pwd; cd src | ls | wc -l", suggestion: "pwd; cd src && ls | wc -l" },
  ],
  allows: ["cd src && ls | wc -l", "( cd src && ls ) | wc -l"],
  check(stage) {
    const { definition, pipeline, name, command } = stage;
    if (definition?.navigates === undefined || pipeline.commands.length < 2) return [];
    return [
      {
        span: command.span,
        detail: `'${name}' moves the session before the next command, and as a stage of a pipeline it would move nothing.`,
        candidates: () => [near(separated(stage), `${name} moves the session`)],
      },
    ];
  },
};

/** The line with `&&` in place of the pipes on both sides of the stage. */
function separated({ line, pipeline, index }: StageFacts): string {
  const { commands } = pipeline;
  let text = line;
  for (const left of [index, index - 1]) {
    const before = commands[left]?.span.end;
    const after = commands[left + 1]?.span.start;
    if (before === undefined || after === undefined) continue;
    text = `${text.slice(0, before).trimEnd()} && ${text.slice(after)}`;
  }
  return text;
}
