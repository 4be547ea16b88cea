/** Rule of --strict: no redirection passes, not even one that names no file. */
import { type Finding, type StageFacts, type StageRule, spliced, without } from "../rule.ts";
import type { Redirect } from "../../shell/tree.ts";
import { near } from "../suggestion.ts";

export const strictRedirect: StageRule = {
  id: "redirect:strict",
  reason: "REDIRECT",
  refuses: [
    { line: "ls 2>/dev/null", suggestion: "ls" },
    { line: "ls 2>&1 | wc -l", suggestion: "ls | wc -l" },
    { line: "ls |& wc -l", suggestion: "ls | wc -l" },
  ],
  allows: ["ls | wc -l"],
  under: { strict: true },
  check(stage, context) {
    if (!context.strict) return [];
    return stage.command.redirects.flatMap((redirect) => refused(stage, redirect));
  },
};

function refused({ line }: StageFacts, redirect: Redirect): readonly Finding[] {
  if (redirect.kind === "here") return [];
  const { start, end } = redirect.span;
  const source = line.slice(start, end);
  return [
    {
      span: redirect.span,
      detail: `'${source}' is a redirection, and the policy here (strict) allows none; both outputs are returned separately anyway.`,
      candidates: () => [near(source === "|&" ? spliced(line, redirect.span, "|") : without(line, redirect.span), `without ${source}`)],
    },
  ];
}
