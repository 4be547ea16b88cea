/** fd: files below directories by name. See fd/ for its parts, src/walk/ for the ignore files. */
import { defineBuiltin, type GivenKey, type Occurrence, type StaticInvocation } from "../../src/builtin/definition.ts";
import type { Effect } from "../../src/builtin/effect.ts";
import { unwrappedScript } from "../../src/builtin/stage-command.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import { quoteWord } from "../../src/display/quote.ts";
import { clapArguments, clapText } from "./clap-arguments.ts";
import { commandForGuard, commandsOf } from "./commands.ts";
import { checkConflicts } from "./conflicts.ts";
import { runFd } from "./fd-run.ts";
import { flags } from "./flags.ts";
import { settingsOf } from "./settings.ts";

type Flags = typeof flags;

export const fd = defineBuiltin({
  name: "fd",
  aliases: ["fdfind"],
  summary: "Find files by a pattern; ignored and hidden files are left out.",
  standard: "https://github.com/sharkdp/fd#command-line-options",
  reference: "fd 10.5.0",
  operands: { kind: "pattern-then-paths" },
  syntax: clapArguments,
  usageText: clapText,
  flags,
  looksAt: "below",
  usageExit: 2,
  tells: "start",
  silence: { 0: "found nothing", 1: "found nothing" },
  examples: [
    { command: "fd -e ts", files: { "src/a.ts": "", "src/b.js": "" }, stdout: "src/a.ts\n" },
    { command: "fd -t f 'te?st' src", files: { "src/test/a": "", "src/Test.ts": "" }, stdout: "src/Test.ts\n" },
    { command: "fd -g '*.md' -E docs", files: { "a.md": "", "docs/b.md": "" }, stdout: "a.md\n" },
    { command: "fd -e txt -x wc -l", files: { "a.txt": "1\n2\n" }, stdout: "2 ./a.txt\n", note: "only builtins can be run" },
    { command: "fd -H -I env", files: { ".env": "" }, stdout: ".env\n", note: "hidden and ignored files too" },
  ],
  deviations: [
    {
      from: "fd 10.5.0",
      what: "results are always in the order of their paths; with several search paths and more than 1000 results, those of each path in turn",
      why: "fd sorts up to 1000 results that are found soon enough, and prints others as its threads find them",
    },
    { from: "fd 10.5.0", what: "-x, -X and -l run builtins only, one after the other", why: "no external program is ever started here" },
    {
      from: "fd 10.5.0",
      what: "a name in the place of a placeholder is never taken for a flag by the command",
      why: "a file's name must not decide what is run",
    },
    {
      from: "fd 10.5.0",
      what: "no global ignore file, no core.excludesFile, and no ignore file above the root",
      why: "they lie outside the workspace",
    },
    { from: "fd 10.5.0", what: "-L shows a link that leaves the root as the link it is", why: "nothing outside the root is looked at" },
    {
      from: "fd 10.5.0",
      what: "--color=always and --hyperlink=always are refused",
      why: "there is no terminal, and host names are not told",
    },
    { from: "fd 10.5.0", what: "(?m) and (?-u) in a pattern are errors", why: "names are text of one line here" },
    { from: "fd 10.5.0", what: "--help prints this server's own page", why: "it says what differs here" },
  ],
  check(invocation) {
    checkConflicts(invocation);
    const { asksForTerminal } = settingsOf(invocation.flags);
    const always = invocation.occurrences.find(({ key, value }) => (key === "color" || key === "hyperlink") && value === "always");
    if (always !== undefined && asksForTerminal) {
      const message = `${always.spelling}=always: there is no terminal here that would show it`;
      const suggestion = withoutFlags(invocation, (key) => key === "color" || key === "hyperlink");
      throw new UsageError("refused-flag", message, { subject: always.spelling, suggestion });
    }
  },
  effects(invocation): readonly Effect[] {
    const commands = commandsOf(invocation.flags);
    const { occurrences, operands } = invocation;
    const isElsewhere = operands.length > 1 || occurrences.some(({ key }) => key === "searchPath" || key === "baseDirectory");
    const here: readonly Effect[] = isElsewhere ? [] : [{ kind: "status", path: "." }];
    if (commands === undefined) return here;
    const given = occurrences.flatMap(({ key }, at) => (key === "exec" || key === "execBatch" || key === "listDetails" ? [at] : []));
    const runs = commands.templates.flatMap((template, index): readonly Effect[] => {
      const occurrence = given[index];
      if (occurrence === undefined) return [];
      const typed = occurrences[occurrence];
      return [
        {
          kind: "run",
          what: `fd ${typed?.spelling ?? "-x"}`,
          command: commandForGuard(template, commands.inBatches),
          occurrence,
          suggestion: suggestion(invocation),
        },
      ];
    });
    return [...here, ...runs];
  },
  async *run(invocation) {
    return yield* runFd(invocation);
  },
});

/** fd with what a shell's script says; "" where it is no script. */
function suggestion(invocation: StaticInvocation<Flags>): string {
  const plain = withoutFlags(invocation, (key) => key === "exec" || key === "execBatch" || key === "batchSize");
  const [command] = [...invocation.flags.exec, ...invocation.flags.execBatch];
  const script = command === undefined ? undefined : unwrappedScript(command.map(({ text }) => text));
  return script === undefined ? "" : [plain, "-x", ...script.map((word) => (word === "{}" ? word : quoteWord(word)))].join(" ");
}

function withoutFlags({ occurrences, operands }: StaticInvocation<Flags>, isLeft: (key: GivenKey<Flags>) => boolean): string {
  return ["fd", ...occurrences.filter(({ key }) => !isLeft(key)).flatMap(flagWords), ...operands.map(quoteWord)].join(" ");
}

function flagWords({ key, value, spelling }: Occurrence<Flags>): readonly string[] {
  if (value === true || key === "exec" || key === "execBatch") return [spelling];
  if (key === "size" && value !== undefined) {
    const { kind, bytes } = value;
    return [`${spelling}`, `${kind === "least" ? "+" : kind === "most" ? "-" : ""}${bytes}b`];
  }
  const text = quoteWord(`${value ?? ""}`);
  return spelling.startsWith("--") ? [`${spelling}=${text}`] : [spelling, text];
}
