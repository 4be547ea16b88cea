/** Rules about the line itself: text that the parser did not accept, in three reasons. */
import type { SyntaxProblem } from "../../shell/problem.ts";
import type { Finding, SyntaxRule } from "../rule.ts";

function explains(reason: SyntaxProblem["reason"]): SyntaxRule["explain"] {
  return (problem): Finding | undefined => {
    if (problem.reason !== reason) return undefined;
    const { span, detail, rewrite } = problem;
    return rewrite === undefined ? { span, detail } : { span, detail, candidates: () => [rewrite] };
  };
}

export const parseProblem: SyntaxRule = {
  id: "syntax:parse",
  reason: "PARSE",
  refuses: [{ line: "echo 'a" }, { line: "ls |" }, { line: "( ls" }],
  allows: ['echo "it\'s"', "ls | wc -l", "( ls )"],
  explain: explains("PARSE"),
};

export const unsupportedSyntax: SyntaxRule = {
  id: "syntax:unsupported",
  reason: "UNSUPPORTED_SYNTAX",
  refuses: [{ line: "ls &", suggestion: "ls" }, { line: "ls | tee >(wc -l)" }, { line: "export() { ls; }" }],
  allows: ["ls && pwd", "ls | cat", "echo '&'"],
  explain: explains("UNSUPPORTED_SYNTAX"),
};

export const fileRedirect: SyntaxRule = {
  id: "redirect:file",
  reason: "REDIRECT",
  refuses: [
    { line: "ls > out.txt", suggestion: "set -o pipefail; ls | tee out.txt >/dev/null" },
    { line: "ls >> out.txt", suggestion: "set -o pipefail; ls | tee -a out.txt >/dev/null" },
    { line: "f=out.txt; ls > $f", suggestion: "set -o pipefail; f=out.txt; ls | tee -- $f >/dev/null" },
  ],
  allows: ["ls > /dev/null", "ls 2> /dev/null", "ls 2>&1", "wc -l < /dev/null", "wc -l < in.txt", "ls > /dev/stderr", "echo '> out.txt'"],
  explain: explains("REDIRECT"),
};
