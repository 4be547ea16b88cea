/** diffstat: a summary of differences, with a bar for each file. */
import { defineBuiltin, type FlagTable } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { openInput } from "../../src/builtin/inputs.ts";
import { BadValue } from "../../src/builtin/usage-error.ts";
import { lineBlocks, linesOf } from "../../src/io/lines.ts";
import { toBytes } from "../../src/io/text.ts";
import { strtol } from "../../src/numbers/strtol.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { ChangedFiles } from "./changed-files.ts";
import { DiffReader } from "./reader.ts";
import { Report } from "./report.ts";

const count = (short: string, arg: string, otherwise: number, help: string) =>
  ({ kind: "value", short, long: false, arg, read: readNumber, otherwise, help }) as const;
const flag = (short: string, help: string) => ({ kind: "switch", short, long: false, help }) as const;
const refused = (short: string, help: string, reason: string, suggestion: string, arg?: string) =>
  ({ kind: "refused", short, long: false, help, reason, suggestion, ...(arg === undefined ? {} : { arg }) }) as const;

const FLAGS = {
  noBinary: flag("b", "leave out binary files that differ"),
  comment: flag("c", "begin each line with #"),
  colors: flag("C", "color the bars"),
  trace: refused("d", "print what it does", "it prints the tool's own insides", "diffstat"),
  patched: refused("D", "count unchanged lines", "lines are not counted in other trees here", "diffstat", "PATH"),
  errors: refused("e", "write standard error to FILE", "diffstat writes no files here: tee does", "diffstat", "FILE"),
  escapes: flag("E", "leave out escape sequences, as of colordiff"),
  format: count("f", "NUM", 1, "0 concise, 1 normal (default), 2 filled, 4 with values"),
  shortHelp: refused("h", "print the help", "only its long form is known here", "diffstat --help"),
  keepNames: flag("k", "do not merge names"),
  sides: flag("K", "tell files that were added from those that were deleted"),
  names: flag("l", "print names alone"),
  merge: flag("m", "count what was inserted for something deleted as modified"),
  leastName: count("n", "NUM", 0, "the least width of names"),
  mostName: count("N", "NUM", 0, "the greatest width of names"),
  output: refused("o", "write to FILE", "diffstat writes no files here: tee does", "diffstat | tee FILE", "FILE"),
  prefix: count("p", "NUM", -1, "leave out NUM leading directories of names (default: those that all have in common)"),
  quiet: flag("q", "print nothing if no file changed"),
  rounding: count("r", "NUM", 0, "round bars: 0 not (default), 1 simply, 2 adjusted"),
  reverse: flag("R", "old and new files are swapped"),
  summary: flag("s", "print the sums alone"),
  original: refused("S", "count unchanged lines", "lines are not counted in other trees here", "diffstat", "PATH"),
  table: flag("t", "print comma-separated values"),
  beside: flag("T", "print the numbers beside the bars"),
  unsorted: flag("u", "do not sort"),
  progress: { kind: "switch", short: "v", long: false, unread: true, help: "no effect: progress is for a terminal, and there is none" },
  shortVersion: refused("V", "print the version", "only its long form is known here", "diffstat --version"),
  width: count("w", "NUM", 80, "the width of lines (default 80)"),
} as const satisfies FlagTable;

export const diffstat = defineBuiltin({
  name: "diffstat",
  summary: "Print how many lines of each file a difference changes.",
  standard: "https://invisible-island.net/diffstat/manpage/diffstat.html",
  reference: "diffstat 1.65",
  operands: { kind: "paths", access: "read" },
  flags: FLAGS,
  // The message about a number has no name before it.
  usageText: ({ kind, message }) => `${kind === "bad-value" ? "" : "diffstat: "}${message}\n`,
  examples: [
    {
      command: "diffstat",
      stdin: "--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n-1\n+2\n+3\n",
      stdout: " x |    3 ++-\n 1 file changed, 2 insertions(+), 1 deletion(-)\n",
    },
    { command: "diffstat -l -p1", stdin: "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-1\n+2\n", stdout: "x\n" },
  ],
  deviations: [
    {
      from: "diffstat 1.65",
      what: "a file packed with gzip, bzip2, xz and the like is refused, and packed standard input is no difference",
      why: "no program is started: zcat unpacks",
    },
    { from: "diffstat 1.65", what: "--help and --version stand anywhere", why: "flags are read in one way here" },
  ],
  async *run(invocation) {
    const { noBinary, comment, colors, escapes, format, keepNames, sides, names, merge, leastName, ...more } = invocation.flags;
    const { mostName, prefix, quiet, rounding, reverse, summary, table, beside, unsorted, width, ...others } = more;
    allFlagsRead(others);
    const files = new ChangedFiles({ prefix, merges: !keepNames, sorts: !unsorted, isReversed: reverse });
    for (const operand of invocation.operands.length === 0 ? [undefined] : invocation.operands) {
      const complaint = await readFile(
        invocation,
        operand,
        (name) => new DiffReader(files, name, { merges: merge, isReversed: reverse, trimsEscapes: escapes }),
      );
      if (complaint === undefined) continue;
      invocation.stderr(toBytes(`${complaint}\n`));
      return 1;
    }
    const lastTable = invocation.occurrences.findLast(({ key }) => key === "table" || key === "beside")?.key;
    const report = new Report(files, {
      format,
      width,
      leastName,
      mostName,
      prefix,
      rounding,
      table: !table && !beside ? "none" : lastTable === "table" ? "csv" : "beside",
      isReversed: reverse,
      mergesNames: !keepNames,
      resolvesOnly: sides,
      hidesBinary: noBinary,
      isQuiet: quiet,
      hasColors: colors,
      namesAlone: names,
      sumsAlone: summary,
      comment: comment ? "#" : "",
    });
    const text = report.text();
    if (text !== "") yield Buffer.from(text, "latin1");
    return 0;
  },
});

const PACKED = /[^](?:\.Z|\.z|\.gz|\.bz2|\.lzma|\.xz)$/;

/** Gives the complaint about a file that cannot be read. `operand` undefined: standard input; a dash is a name like any other. */
async function readFile(
  invocation: Parameters<typeof openInput>[0] & { readonly limits: { readonly lineBytes: number } },
  operand: string | undefined,
  readerOf: (name: string) => DiffReader,
): Promise<string | undefined> {
  if (operand !== undefined && PACKED.test(operand)) return `${operand}: packed files are not read here; zcat unpacks those of gzip`;
  const reader = readerOf(operand === undefined ? "stdin" : toBytes(operand).toString("latin1"));
  try {
    const source = openInput(invocation, operand === undefined ? "-" : operand === "-" ? "./-" : operand);
    for await (const block of lineBlocks(source, invocation.limits.lineBytes)) {
      for (const line of linesOf(block)) reader.add(line.toString("latin1"));
    }
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    // A directory opens, and has no lines.
    if (thrown.code !== "EISDIR") return `${operand ?? "-"}: ${thrown.message}`;
  }
  reader.end();
  return undefined;
}

/** As strtol(3) reads it, cut to an int. */
function readNumber(text: string): number {
  const number = text === "" ? { value: 0n, rest: "" } : strtol(text, 0);
  if (number === undefined || number.rest !== "") throw new BadValue(`expected a number, have '${text}'`);
  return Number(BigInt.asIntN(32, number.value));
}
