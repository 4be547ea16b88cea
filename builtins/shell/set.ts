/** `set`: the options of the shell that scripts begin with. */
import { defineBuiltin } from "../../src/builtin/definition.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";

const LETTERS: Readonly<Record<string, string>> = { E: "errtrace", e: "errexit", f: "noglob", u: "nounset", x: "xtrace" };
const OPTIONS: ReadonlySet<string> = new Set(["errexit", "errtrace", "noglob", "nounset", "pipefail", "xtrace"]);

export const set = defineBuiltin({
  name: "set",
  summary: "Set the positional parameters ($1, $2 …), or turn options of the shell on (-) or off (+): e, E, f, u, x, o pipefail.",
  standard: "https://www.gnu.org/software/bash/manual/html_node/The-Set-Builtin.html",
  reference: "GNU bash 5.2",
  operands: { kind: "values" },
  syntax: "raw",
  usageExit: 2,
  flags: {},
  sharesShell: "needs",
  setsPositional: true,
  examples: [
    { command: "set -- a 'b c'; echo \"$# $2\"", stdout: "2 b c\n" },
    { command: "set -o pipefail; false | true", stdout: "", exit: 1 },
    { command: "set -e; false; echo never", stdout: "", exit: 1 },
  ],
  deviations: [
    {
      from: "GNU bash",
      what: "set knows -e, -E, -f, -u, -x and -o pipefail, and prints no variables",
      why: "bash would print those of the host, too",
    },
  ],
  check({ operands }) {
    settings(operands);
  },
  // oxlint-disable-next-line require-yield -- it prints nothing
  async *run({ operands, shell }) {
    const { options, positionalFrom } = settings(operands, (at) => shell?.isTyped(at) !== false);
    for (const { option, on } of options) shell?.setOption(option, on);
    if (positionalFrom !== undefined) shell?.setPositional(positionalFrom);
    return 0;
  },
});

interface Settings {
  readonly options: readonly { readonly option: string; readonly on: boolean }[];
  /** Index of the first operand that becomes a positional parameter; undefined where they stay as they are. */
  readonly positionalFrom: number | undefined;
}

/** Throws UsageError for an option that is none of those above. */
function settings(operands: readonly string[], isTyped: (at: number) => boolean = () => true): Settings {
  const found: { option: string; on: boolean }[] = [];
  const refuse = (what: string, argument: number): never => {
    throw new UsageError("refused-flag", `set ${what} is not available here: only -e, -E, -f, -u, -x and -o pipefail are`, {
      argument,
      // Without these a line would write what it was not to, or run at all.
      ...(/^[-+]\w*[Cn]|noclobber|noexec/.test(what)
        ? {}
        : found.length === 0
          ? {}
          : { suggestion: `set ${found.map(({ option, on }) => `${on ? "-" : "+"}o ${option}`).join(" ")}` }),
    });
  };
  if (operands.length === 0) refuse("without an option", -1);
  let refused: { what: string; argument: number } | undefined;
  let positionalFrom: number | undefined;
  for (let at = 0; at < operands.length && positionalFrom === undefined; at++) {
    const word = operands[at] as string;
    const on = word.startsWith("-");
    if (word === "--") positionalFrom = at + 1;
    else if (word === "-" || word === "+") positionalFrom = at + 1 < operands.length ? at + 1 : operands.length;
    else if (!/^[-+]/.test(word)) positionalFrom = at;
    if (positionalFrom !== undefined) {
      // A lone dash with nothing behind it leaves the parameters as they are.
      if (word !== "--" && positionalFrom === operands.length) positionalFrom = undefined;
      break;
    }
    if (!isTyped(at)) refuse(`${word} from data (write set -- before it)`, at);
    for (const letter of word.slice(1)) {
      const option = letter === "o" ? operands[++at] : LETTERS[letter];
      if (option !== undefined && OPTIONS.has(option)) found.push({ option, on });
      else refused ??= { what: letter === "o" ? `-o ${option ?? ""}` : word, argument: Math.min(at, operands.length - 1) };
    }
  }
  // Told last, so that the suggestion keeps every option there is.
  if (refused !== undefined) refuse(refused.what, refused.argument);
  return { options: found, positionalFrom };
}
