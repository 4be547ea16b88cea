/** find: files below starting points that meet an expression. */
import { defineBuiltin, type BuiltinDefinition, type Invocation } from "../../src/builtin/definition.ts";
import { helpText, versionText } from "../../src/builtin/help.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { lineBlocks, linesOf } from "../../src/io/lines.ts";
import { quoteCurly } from "../../src/display/quote.ts";
import { toBytes, toText } from "../../src/io/text.ts";
import { parseCommandLine } from "./command-line.ts";
import { FindRun } from "./find-run.ts";

/** Primaries that do more than look and print. */
const ACTS: ReadonlySet<string> = new Set(
  ["exec", "execdir", "ok", "okdir", "delete", "fls", "fprint", "fprint0", "fprintf"].map((name) => `-${name}`),
);

/** Those of them that a command follows. */
const RUNS: ReadonlySet<string> = new Set(["-exec", "-execdir", "-ok", "-okdir"]);

export const find: BuiltinDefinition<Record<never, never>> = defineBuiltin({
  name: "find",
  summary: "Find files below directories by name, type, size, age and more.",
  standard: "https://www.gnu.org/software/findutils/manual/html_node/find_html/",
  reference: "GNU findutils 4.9.0",
  operands: { kind: "values" },
  syntax: "raw",
  mustBeTyped: (argument) => ACTS.has(argument),
  runsOperands: (argument) => RUNS.has(argument),
  flags: {},
  looksAt: "below",
  tells: "start",
  silence: { 0: "found nothing" },
  examples: [
    { command: "find src -name '*.ts'", files: { "src/a.ts": "", "src/b.js": "" }, stdout: "src/a.ts\n" },
    { command: "find . -type f -size +1k", files: { small: "a", big: "0123456789".repeat(200) }, stdout: "./big\n" },
    { command: "find . -name node_modules -prune -o -type f -print", files: { "node_modules/x": "", "a/b": "" }, stdout: "./a/b\n" },
    {
      command: "find . -name '*.txt' -exec wc -l {} +",
      files: { "a.txt": "1\n2\n" },
      stdout: "2 ./a.txt\n",
      note: "only builtins can be run",
    },
    { command: "find . -type f -printf '%s %f\\n'", files: { a: "xyz" }, stdout: "3 a\n" },
  ],
  deviations: [
    { from: "GNU find", what: "LC_ALL=C changes nothing: ? in a pattern is a character of UTF-8", why: "names and words are text here" },
    { from: "GNU find", what: "-exec and -execdir run builtins only", why: "no external program is ever started here" },
    {
      from: "GNU find",
      what: "-ok, -okdir, -fprint, -fprint0, -fprintf, -fls, -D, -fstype and %F are refused",
      why: "they write files past the audit, wait for an answer, or tell of the host",
    },
    {
      from: "GNU find",
      what: "-delete removes when the search has ended, all that was found together",
      why: "one record takes it back as one",
    },
    {
      from: "GNU find",
      what: "in the script of a shell (-exec sh -c 'wc -l {}') a name is an argument of the script; one that the shell would read as more than the word it is is not run",
      why: "data never becomes text of a shell",
    },
    {
      from: "GNU find",
      what: "a name in the place of {} is never taken for a flag by the command that -exec runs",
      why: "a file's name must not decide what is run",
    },
    {
      from: "GNU find",
      what: "-exec and what else does more than look and print is an error where a variable, a command, a pattern or xargs brings it",
      why: "data must not decide what is done",
    },
  ],
  check({ operands }) {
    parseCommandLine(operands);
  },
  effects({ operands }) {
    const { references, stages, startPoints, startPointsFrom, informs, deletes } = parseCommandLine(operands);
    const isHere = startPoints.length === 0 && startPointsFrom === undefined && informs === undefined;
    return [
      ...(isHere ? [{ kind: "status", path: "." } as const] : []),
      ...(deletes ? [{ kind: "unnamed", access: "write", change: "remove" } as const] : []),
      ...references.map(({ path, operand }) => ({ kind: "status", path, operand }) as const),
      ...stages.map(
        ({ primary, command, operand, suggestion }) => ({ kind: "run", what: `find ${primary}`, command, operand, suggestion }) as const,
      ),
    ];
  },
  async *run(invocation) {
    const request = parseCommandLine(invocation.operands);
    if (request.informs !== undefined) {
      yield toBytes(request.informs === "help" ? helpText(find, invocation.name) : versionText(find, invocation.name));
      return 0;
    }
    const run = new FindRun(invocation, request);
    const { startPoints, startPointsFrom } = request;
    if (startPointsFrom === undefined) return yield* run.run(startPoints.length === 0 ? ["."] : startPoints);
    return yield* run.run(namesIn(startPointsFrom, invocation, run));
  },
});

/** The starting points of -files0-from: names that each end in a null byte. */
async function* namesIn(path: string, { files, stdin, limits }: Invocation, run: FindRun): AsyncGenerator<string, void> {
  let number = 0;
  try {
    const source = path === "-" ? stdin : blocksOf(files.open(path).blocks());
    for await (const block of lineBlocks(source, limits.lineBytes, 0)) {
      for (const line of linesOf(block, 0)) {
        number++;
        if (line.length === 0) {
          run.hasEmptyStart = true;
          run.complain(`${quoteCurly(path === "-" ? "(standard input)" : path)}:${number}: invalid zero-length file name`);
        } else yield toText(line);
      }
    }
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    const isDirectory = thrown.code === "EISDIR";
    run.complain(
      isDirectory ? `${quoteCurly(path)}: read error: ${thrown.message}` : `cannot open ${quoteCurly(path)} for reading: ${thrown.message}`,
    );
  }
}

async function* blocksOf(blocks: Iterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  yield* blocks;
}
