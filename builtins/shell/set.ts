/** `set`: the options of the shell that scripts begin with. */
import { defineBuiltin } from "../../src/builtin/definition.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";

const LETTERS: Readonly<Record<string, string>> = { e: "errexit", f: "noglob", u: "nounset" };
const OPTIONS: ReadonlySet<string> = new Set(["errexit", "noglob", "nounset", "pipefail"]);

export const set = defineBuiltin({
  name: "set",
  summary: "Turn options of the shell on (-) or off (+): e (errexit), f (noglob), u (nounset), o pipefail.",
  standard: "https://www.gnu.org/software/bash/manual/html_node/The-Set-Builtin.html",
  reference: "GNU bash 5.2",
  operands: { kind: "values" },
  syntax: "raw",
  usageExit: 2,
  flags: {},
  sharesShell: "needs",
  examples: [
    { command: "set -o pipefail; false | true", stdout: "", exit: 1 },
    { command: "set -e; false; echo never", stdout: "", exit: 1 },
  ],
  deviations: [
    {
      from: "GNU bash",
      what: "set knows -e, -f, -u and -o pipefail; it prints no variables, traces nothing and sets no positional parameters",
      why: "the line is printed with its answer, and a line has no arguments",
    },
  ],
  check({ operands }) {
    settings(operands);
  },
  // oxlint-disable-next-line require-yield -- it prints nothing
  async *run({ operands, shell }) {
    for (const { option, on } of settings(operands)) shell?.setOption(option, on);
    return 0;
  },
});

/** Throws UsageError for what is none of the options above. */
function settings(operands: readonly string[]): readonly { option: string; on: boolean }[] {
  const found: { option: string; on: boolean }[] = [];
  const refuse = (what: string, argument: number): never => {
    throw new UsageError("refused-flag", `set ${what} is not available here: only -e, -f, -u and -o pipefail are`, {
      argument,
      suggestion: found.length === 0 ? ":" : `set ${found.map(({ option, on }) => `${on ? "-" : "+"}o ${option}`).join(" ")}`,
    });
  };
  if (operands.length === 0) refuse("without an option", -1);
  let refused: { what: string; argument: number } | undefined;
  for (let at = 0; at < operands.length; at++) {
    const word = operands[at] as string;
    const on = word.startsWith("-");
    if (!/^[-+][a-z]+$/i.test(word)) refuse(word, at);
    for (const letter of word.slice(1)) {
      const option = letter === "o" ? operands[++at] : LETTERS[letter];
      if (option !== undefined && OPTIONS.has(option)) found.push({ option, on });
      else refused ??= { what: letter === "o" ? `-o ${option ?? ""}` : word, argument: Math.min(at, operands.length - 1) };
    }
  }
  // Told last, so that the suggestion keeps every option there is.
  if (refused !== undefined) refuse(refused.what, refused.argument);
  return found;
}
