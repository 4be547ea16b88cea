/** zgrep: grep in what gzip files hold. It runs gzip and grep as stages of its own, file by file, as the script of GNU gzip does. */
import { defineBuiltin, type ExitStatus, type FlagTable, type Invocation, type RefusedFlag } from "../../src/builtin/definition.ts";
import { inputFrom } from "../../src/io/input.ts";
import { toBytes } from "../../src/io/text.ts";
import { contextNumber, flags } from "./flags.ts";

const throughFind = (names: Pick<RefusedFlag, "short" | "long" | "arg" | "help">): RefusedFlag => ({
  kind: "refused",
  reason: "zgrep goes through no directories and ends names in a newline",
  suggestion: (rest) => `find . -name '*.gz' -exec zgrep ${rest.filter((word) => word !== ".").join(" ")} {} +`,
  ...names,
});

/** Refused, so that zgrep has nothing of its own to read: the other flags are those of grep, which it runs. */
const UNSUPPORTED = {
  directories: throughFind({ short: "d", arg: "ACTION", help: "not supported" }),
  exclude: throughFind({ arg: "GLOB", help: "not supported" }),
  excludeFrom: throughFind({ arg: "FILE", help: "not supported" }),
  excludeDir: throughFind({ arg: "GLOB", help: "not supported" }),
  include: throughFind({ arg: "GLOB", help: "not supported" }),
  null: throughFind({ short: "Z", help: "not supported" }),
  nullData: throughFind({ short: "z", help: "not supported" }),
  recursive: throughFind({ short: "r", help: "not supported" }),
  dereferenceRecursive: throughFind({ short: "R", help: "not supported" }),
} as const satisfies Readonly<Record<string, RefusedFlag>>;

const FLAGS = { ...flags, ...UNSUPPORTED } as const satisfies FlagTable;

type Searching = Invocation<typeof FLAGS>;

/** `a b\nc\n`, packed, as printf(1) takes it. */
const PACKED = "\\x1f\\x8b\\b\\0\\0\\0\\0\\0\\0\\x03KTH\\xe2J\\xe6\\x02\\0|9\\x16\\x81\\x06\\0\\0\\0";

export const zgrep = defineBuiltin({
  name: "zgrep",
  aliases: ["zegrep", "zfgrep"],
  summary: "Print the lines that match a pattern in what gzip files hold, or in files as they are.",
  standard: "https://www.gnu.org/software/gzip/manual/gzip.html",
  reference: "GNU gzip 1.12",
  operands: { kind: "pattern-then-paths", unless: ["regexp", "file"] },
  flags: FLAGS,
  legacy: contextNumber,
  usageExit: 2,
  tells: "start",
  silence: { 1: "found nothing" },
  examples: [{ command: `printf '${PACKED}' | zgrep -n b`, stdout: "1:a b\n" }],
  async *run(invocation) {
    const { operands, flags: given } = invocation;
    const hasPattern = given.regexp.length > 0 || given.file.length > 0;
    if (!hasPattern && operands.length === 0) {
      invocation.warn("missing pattern; try `zgrep --help' for help");
      return 2;
    }
    const files = hasPattern ? operands : operands.slice(1);
    const pattern = hasPattern ? [] : ["--", operands[0] as string];
    const showsNames = given.withFilename || (files.length > 1 && !given.noFilename);
    let worst: ExitStatus = 1;
    for (const file of files.length === 0 ? ["-"] : files) {
      const status = yield* searched(invocation, file, pattern, showsNames);
      // 0 counts for more than 1, and any trouble for more than either.
      if (worst <= 1 && status <= 1 ? status < worst : worst < status) worst = status;
    }
    return worst;
  },
});

/** Output of grep for `file`; the status is the worse one of grep and gzip. */
async function* searched(
  invocation: Searching,
  file: string,
  pattern: readonly string[],
  showsNames: boolean,
): AsyncGenerator<Uint8Array, ExitStatus> {
  const { flags: given, flagArguments, name, stdin, runStage } = invocation;
  const stages = (words: readonly string[]) => words.map((text) => ({ text }));
  let unpacking: ExitStatus = 0;
  const unpacked = async function* (): AsyncGenerator<Uint8Array, void> {
    const source = runStage(stages(["gzip", "-cdfq", "--", file]), stdin);
    try {
      for (;;) {
        const next = await source.next();
        if (next.done === true) {
          unpacking = next.value;
          return;
        }
        yield next.value;
      }
    } finally {
      await source.return(0);
    }
  };
  const dialect = name === "zegrep" ? ["-E"] : name === "zfgrep" ? ["-F"] : [];
  const label = file === "-" ? [] : [`--label=${file}`];
  const plain = flagArguments.filter((word) => word !== "-H" && !"--with-filename".startsWith(word));
  const words = ["grep", ...(showsNames ? ["-H"] : []), ...dialect, ...label, ...plain, ...pattern];
  const text = unpacked();
  const found = runStage(stages(words), inputFrom(text));
  const listsNames = given.filesWithMatches || given.filesWithoutMatch;
  let status: ExitStatus;
  try {
    for (;;) {
      const next = await found.next();
      if (next.done === true) {
        status = next.value;
        break;
      }
      if (!listsNames) yield next.value;
    }
  } finally {
    // Either may have come to an end before what it reads.
    await found.return(0);
    await text.return();
  }
  if (given.filesWithMatches && status === 0) yield toBytes(`${file}\n`);
  if (given.filesWithoutMatch && status === 1) yield toBytes(`${file}\n`);
  // Its status 2 is a warning, and 1 an error as grep's 2.
  return Math.max(status, unpacking === 1 ? 2 : 0);
}
