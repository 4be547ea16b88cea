/** sh: the commands of a script that was typed in the line, in a shell of their own. */
import { defineBuiltin, type StaticInvocation } from "../../src/builtin/definition.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import { toBytes } from "../../src/io/text.ts";

const OPTIONS: Readonly<Record<string, "errexit" | "errtrace" | "nounset" | "noglob" | "xtrace">> = {
  E: "errtrace",
  e: "errexit",
  u: "nounset",
  f: "noglob",
  x: "xtrace",
};
/** They are about a terminal, the host's own files, or about what is so here anyway. */
const WITHOUT_EFFECT = /^--(norc|noprofile|login)$/;

interface Call {
  /** Index of the script among the operands. */
  readonly script: number;
  readonly options: readonly string[];
}

export const sh = defineBuiltin({
  name: "sh",
  aliases: ["bash", "dash"],
  summary: "Run the commands of a script: sh -c SCRIPT [NAME [ARGUMENT]...].",
  standard: "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/sh.html",
  reference: "GNU bash 5.2",
  usageExit: 2,
  operands: { kind: "values" },
  syntax: "raw",
  mustBeTyped: (argument) => /^[-+]./.test(argument),
  flags: {},
  examples: [
    { command: `sh -c 'echo "$1 and $2"' _ a b`, stdout: "a and b\n" },
    {
      command: `find . -name '*.txt' -exec sh -c 'echo "$(wc -l < "$1") $1"' _ {} \\;`,
      files: { "a.txt": "1\n2\n" },
      stdout: "2 ./a.txt\n",
    },
    { command: `ls | xargs -I{} sh -c 'echo "<$1>"' _ {}`, files: { a: "", b: "" }, stdout: "<a>\n<b>\n" },
  ],
  deviations: [
    {
      from: "GNU bash",
      what: "the script is text that was typed in the line; one in a file, on standard input or in a variable that data set is refused",
      why: "a script is checked before anything runs, and data is never read as commands",
    },
    {
      from: "GNU bash",
      what: "the characters of the shell's own expansions and patterns (${#x}, ${x:0:1}, ?) are those of C.UTF-8, whatever LC_ALL says",
      why: "LC_ALL=C in a line is meant for its tools, which honour it",
    },
    { from: "dash", what: "sh and dash are bash", why: "there is one shell here" },
    {
      from: "GNU bash",
      what: "where redirections into files are recorded, a file changes when its command has ended, and not if that printed nothing and failed",
      why: "one record holds the change, and a typing error empties no file",
    },
  ],
  check({ operands }) {
    callOf(operands);
  },
  effects: ({ operands }) => {
    const { script } = callOf(operands);
    return [{ kind: "script", text: operands[script] as string, operand: script }];
  },
  async *run({ name, operands, runScript, stderr }) {
    const { script, options } = callOf(operands);
    const [zero = name, ...args] = operands.slice(script + 1);
    const output = runScript(operands[script] as string, { name: zero, args, options });
    if (output === undefined) {
      stderr(toBytes(`${name}: -c: the script was not typed in the line\n`));
      return 126;
    }
    return yield* output;
  },
});

/** Throws UsageError. */
function callOf(operands: StaticInvocation["operands"]): Call {
  const options: string[] = [];
  let isScript = false;
  let at = 0;
  for (; at < operands.length; at++) {
    const word = operands[at] as string;
    if (word === "--" || word === "-") {
      at++;
      break;
    }
    if (WITHOUT_EFFECT.test(word)) continue;
    if (!/^-[A-Za-z]+$/.test(word)) break;
    for (const letter of word.slice(1)) {
      const option = OPTIONS[letter] ?? (letter === "o" ? operands[++at] : undefined);
      if (letter === "c") isScript = true;
      else if (option !== undefined && /^(errexit|errtrace|nounset|noglob|pipefail|xtrace)$/.test(option)) options.push(option);
      else if (letter !== "l") throw refused(`-${letter}`, "this option of the shell is not available here");
    }
  }
  if (!isScript)
    throw refused("", "a script in a file or on standard input is data, and data is never read as commands: type it behind -c");
  if (operands[at] === undefined) throw new UsageError("missing-value", "-c: option requires an argument", { exit: 2 });
  return { script: at, options };
}

const refused = (subject: string, message: string): UsageError =>
  new UsageError("refused-flag", subject === "" ? message : `${subject}: ${message}`, { subject, argument: 0 });
