/** patch: applies diffs to files, all hunks or none, through the recorder. */
import { defineBuiltin, type FlagTable, type Invocation, type StaticInvocation } from "../../src/builtin/definition.ts";
import type { Effect } from "../../src/builtin/effect.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { isStandardInput, openInput } from "../../src/builtin/inputs.ts";
import { recorderFor, replaceFiles } from "../../src/builtin/replace-files.ts";
import { BadValue, UsageError } from "../../src/builtin/usage-error.ts";
import { writeError } from "../../src/builtin/write-refused.ts";
import { LimitReached } from "../../src/io/limit-reached.ts";
import { toBytes } from "../../src/io/text.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { inDirectory, PatchedFiles } from "./patched-files.ts";
import { PatchError } from "./patch-error.ts";
import { quoted } from "./quoted-name.ts";
import { PatchRun, type PatchSettings } from "./patch-run.ts";

const numberOf =
  (what: string) =>
  (text: string): number => {
    if (!/^\s*[+-]?\d+$/.test(text)) throw new BadValue(`**** ${what} ${text} is not a number`);
    const value = Number(text);
    if (value < 0) throw new BadValue(`**** ${what} ${text} is negative`);
    if (!Number.isSafeInteger(value)) throw new BadValue(`**** ${what} ${text} is too large`);
    return value;
  };

const text = (value: string): string => value;
const others = (rest: readonly string[]): string => ["patch", ...rest].join(" ");
const noCopies = "the old content is in the record of the write, so no other copy of it is made";

export const FLAGS = {
  strip: {
    kind: "value",
    short: "p",
    arg: "NUM",
    read: numberOf("strip count"),
    otherwise: undefined,
    help: "take NUM leading components off file names",
  },
  fuzz: {
    kind: "value",
    short: "F",
    arg: "LINES",
    read: numberOf("fuzz factor"),
    otherwise: 2,
    help: "how many lines of context may differ (default 2)",
  },
  ignoreWhitespace: { kind: "switch", short: "l", help: "let the amount of white space differ" },
  context: { kind: "switch", short: "c", overrides: ["normal", "unified"], help: "take the patch for a context diff" },
  normal: { kind: "switch", short: "n", overrides: ["context", "unified"], help: "take the patch for a normal diff" },
  unified: { kind: "switch", short: "u", overrides: ["context", "normal"], help: "take the patch for a unified diff" },
  forward: { kind: "switch", short: "N", help: "pass over diffs that are applied already, or are reversed" },
  reverse: { kind: "switch", short: "R", help: "take the patch back" },
  input: {
    kind: "value",
    short: "i",
    arg: "PATCHFILE",
    read: text,
    otherwise: undefined,
    help: "read the patch from PATCHFILE, not from standard input",
  },
  output: {
    kind: "value",
    short: "o",
    arg: "FILE",
    read: text,
    otherwise: undefined,
    help: "write the patched text to FILE, - is standard output",
  },
  removeEmptyFiles: { kind: "switch", short: "E", help: "remove files that are empty afterwards" },
  noBackupIfMismatch: { kind: "switch", unread: true, help: "no effect: no backups are made" },
  batch: { kind: "switch", short: "t", help: "ask nothing: skip what has no file, and assume that a reversed patch is one" },
  force: { kind: "switch", short: "f", help: "ask nothing: skip what has no file, and assume that no patch is reversed" },
  quiet: { kind: "switch", short: "s", long: ["quiet", "silent"], help: "print only errors" },
  dryRun: { kind: "switch", help: "print what would happen, and change nothing" },
  directory: {
    kind: "value",
    short: "d",
    arg: "DIR",
    read: text,
    otherwise: "",
    repeats: true,
    help: "begin in DIR: all names are taken from there",
  },
  backup: { kind: "refused", short: "b", reason: noCopies, suggestion: others, help: "keep the old content of each file" },
  backupIfMismatch: {
    kind: "refused",
    reason: noCopies,
    suggestion: others,
    help: "keep the old content where a hunk did not match exactly",
  },
  suffix: { kind: "refused", short: "z", arg: "SUFFIX", reason: noCopies, suggestion: others, help: "add SUFFIX to the names of backups" },
  prefix: {
    kind: "refused",
    short: "B",
    arg: "PREFIX",
    reason: noCopies,
    suggestion: others,
    help: "put PREFIX before the names of backups",
  },
  basenamePrefix: {
    kind: "refused",
    short: "Y",
    arg: "PREFIX",
    reason: noCopies,
    suggestion: others,
    help: "put PREFIX before the last component of backups",
  },
  versionControl: { kind: "refused", short: "V", arg: "STYLE", reason: noCopies, suggestion: others, help: "number backups" },
  rejectFile: {
    kind: "refused",
    short: "r",
    arg: "FILE",
    reason: "all hunks apply here, or no file is changed: nothing is rejected to a file",
    suggestion: others,
    help: "write rejected hunks to FILE",
  },
  ed: { kind: "refused", short: "e", reason: "scripts for ed are not run", suggestion: others, help: "take the patch for a script of ed" },
  ifdef: {
    kind: "refused",
    short: "D",
    arg: "NAME",
    reason: "merged text is not made here",
    suggestion: others,
    help: "make #ifdef NAME around changes",
  },
  merge: {
    kind: "refused",
    arg: "STYLE",
    argOptional: true,
    reason: "conflicts are not marked here: all hunks apply, or none",
    suggestion: others,
    help: "mark conflicts in the file",
  },
  setUtc: {
    kind: "refused",
    short: "Z",
    reason: "times of files are not set here",
    suggestion: others,
    help: "set the times of patched files",
  },
  setTime: {
    kind: "refused",
    short: "T",
    reason: "times of files are not set here",
    suggestion: others,
    help: "set the times of patched files",
  },
  get: {
    kind: "refused",
    short: "g",
    arg: "NUM",
    reason: "no revisions are fetched here",
    suggestion: others,
    help: "get files from RCS and others",
  },
  verbose: { kind: "refused", reason: "its remarks on its own work are not made here", suggestion: others, help: "say more of the work" },
  posix: { kind: "refused", reason: "names are chosen as GNU patch does", suggestion: others, help: "choose names as POSIX says" },
  followSymlinks: {
    kind: "refused",
    reason: "a link is not written through: name the file it leads to",
    suggestion: others,
    help: "follow symbolic links",
  },
  readOnly: {
    kind: "refused",
    arg: "BEHAVIOR",
    reason: "a file without permission to write is not changed here",
    suggestion: others,
    help: "what to do with such files",
  },
  quotingStyle: {
    kind: "refused",
    arg: "WORD",
    reason: "names are quoted as in a shell",
    suggestion: others,
    help: "how names are quoted",
  },
  binary: { kind: "switch", help: "leave carriage returns at the ends of the patch's lines" },
} as const satisfies FlagTable;

export const patch = defineBuiltin({
  name: "patch",
  summary: "Apply diffs to files, all hunks or none.",
  standard: "https://www.gnu.org/software/diffutils/manual/html_node/Invoking-patch.html",
  reference: "GNU patch 2.7.6",
  operands: { kind: "values" },
  usageExit: 2,
  usageHint: (name) => `${name}: Try '${name} --help' for more information.`,
  flags: FLAGS,
  silence: { 0: "changed nothing" },
  examples: [
    {
      command: "patch -p1 <<'EOF' && cat f\n--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n one\n-two\n+2\nEOF",
      files: { f: "one\ntwo\n" },
      stdout: "patching file f\none\n2\n",
    },
    {
      command: "patch --dry-run f change.diff",
      files: { f: "a\n", "change.diff": "1c1\n< a\n---\n> b\n" },
      stdout: "checking file f\n",
    },
  ],
  deviations: [
    {
      from: "GNU patch",
      what: "Where one hunk does not apply, no file is changed, and there are no .rej and no .orig files; -N leaves out what is applied already, and changes the rest.",
      why: "Half of a patch cannot be told from what was meant. The old content is in the record of the write.",
    },
    {
      from: "GNU patch",
      what: "Nobody is asked: questions are printed, and taken as answered with the default.",
      why: "There is no terminal here.",
    },
    {
      from: "GNU patch",
      what: "Renames, copies, modes and symbolic links are refused, and nothing of the patch is applied.",
      why: "What is written here is the content of files.",
    },
    {
      from: "GNU patch",
      what: "The words of the error about a file that is named with a slash after it (f/) may be others, and no directory is made for it.",
      why: "It is one error in the place of another.",
    },
    { from: "GNU patch", what: "A name in the patch that holds control characters is refused.", why: "Messages would print it as it is." },
    {
      from: "GNU patch",
      what: "Only -p, -F, -l, -c, -n, -u, -N, -R, -i, -o, -E, -t, -f, -s, -d, --binary and --dry-run are done.",
      why: "The others make copies, merged text and files of rejected hunks.",
    },
  ],
  check({ operands }) {
    const extra = operands[2];
    if (extra !== undefined) throw new UsageError("extra-operand", `${extra}: extra operand`, { subject: extra, pointsToHelp: true });
  },
  effects(given) {
    const effects: Effect[] = [];
    const { directory, patchFile, outputFile, dryRun } = requestOf(given);
    if (directory !== "") effects.push({ kind: "status", path: directory });
    if (patchFile !== undefined) effects.push({ kind: "read", path: patchFile, ...placeOf(given, "input", 1) });
    const [file] = given.operands;
    if (file !== undefined) effects.push({ kind: "read", path: inDirectory(directory, file), operand: 0 });
    if (dryRun) return effects;
    if (outputFile !== undefined) effects.push({ kind: "write", path: outputFile, ...placeOf(given, "output", undefined) });
    else if (file !== undefined) effects.push({ kind: "write", path: inDirectory(directory, file), operand: 0 });
    else effects.push({ kind: "unnamed", access: "write" });
    return effects;
  },
  async *run(invocation) {
    const request = requestOf(invocation);
    const { directory } = request;
    try {
      if (directory !== "") checkDirectory(invocation, directory);
      const files = new PatchedFiles(invocation, directory);
      const run = new PatchRun(await patchText(invocation, request.patchFile), files, request, () => invocation.wait(0));
      const toErrors = request.output === "-";
      try {
        while (await run.step()) yield* said(invocation, run, toErrors);
      } finally {
        yield* said(invocation, run, toErrors);
      }
      if (toErrors) yield* run.output;
      if (!request.dryRun) write(invocation, run, files, request.outputFile);
      return run.hasFailed ? 1 : 0;
    } catch (thrown) {
      if (!(thrown instanceof PatchError)) throw thrown;
      invocation.stderr(toBytes(`${invocation.name}: **** ${thrown.message}\n`));
      return 2;
    }
  },
});

/** Settings of a run, and paths from the stage's current directory, those that -d moves among them. */
interface Request extends PatchSettings {
  readonly directory: string;
  /** Undefined: standard input. */
  readonly patchFile: string | undefined;
  /** The file of -o as a path; undefined for standard output as well. */
  readonly outputFile: string | undefined;
}

function requestOf({ flags, operands }: Given): Request {
  const { context, normal, unified, strip, reverse, forward, force, batch, quiet, dryRun, fuzz, ...others } = flags;
  const { ignoreWhitespace, removeEmptyFiles, binary, output, input, directory: directories, ...unread } = others;
  allFlagsRead(unread);
  const directory = directories.reduce((from, to) => inDirectory(from, to), "");
  const patchFile = operands[1] ?? input;
  return {
    kind: context ? "context" : normal ? "normal" : unified ? "unified" : undefined,
    strip,
    reverse,
    forward,
    force,
    batch,
    silent: quiet,
    dryRun,
    fuzz,
    ignoresBlanks: ignoreWhitespace,
    removesEmpty: removeEmptyFiles,
    keepsReturns: binary,
    file: operands[0],
    output,
    directory,
    patchFile: patchFile === undefined || isStandardInput(patchFile) ? undefined : inDirectory(directory, patchFile),
    outputFile: output === undefined || output === "-" ? undefined : inDirectory(directory, output),
  };
}

type Given = Pick<StaticInvocation<typeof FLAGS>, "flags" | "operands" | "occurrences">;

/** The argument that a path comes from, for the guard. */
function placeOf(
  { occurrences, operands }: Given,
  key: "input" | "output",
  operand: number | undefined,
): Pick<Effect & { kind: "read" }, "operand" | "occurrence"> {
  if (operand !== undefined && operands[operand] !== undefined) return { operand };
  const occurrence = occurrences.findLastIndex((each) => each.key === key);
  return occurrence < 0 ? {} : { occurrence };
}

function* said(invocation: Pick<Invocation, "stderr">, run: PatchRun, toErrors: boolean): Generator<Uint8Array, void> {
  const bytes = run.take();
  if (bytes.length === 0) return;
  if (toErrors) invocation.stderr(bytes);
  else yield bytes;
}

function checkDirectory({ files }: Pick<Invocation, "files">, directory: string): void {
  try {
    files.openDirectory(directory).close();
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    throw new PatchError(`Can't change to directory ${quoted(directory)} : ${thrown.message}`);
  }
}

/** The whole patch. Throws PatchError, LimitReached. */
async function patchText(invocation: Pick<Invocation, "stdin" | "files" | "limits">, path: string | undefined): Promise<Buffer> {
  const { heldBytes } = invocation.limits;
  const blocks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const block of openInput(invocation, path ?? "-")) {
      bytes += block.length;
      if (bytes > heldBytes) throw new LimitReached("held", heldBytes, "bytes");
      blocks.push(Buffer.from(block));
    }
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    throw new PatchError(`Can't open patch file ${path ?? "-"} : ${thrown.message}`);
  }
  return Buffer.concat(blocks);
}

/** Writes what the run has made, unless a hunk did not apply. Throws PatchError, WriteRefused. */
function write(
  invocation: Pick<Invocation, "stderr" | "recorder" | "files" | "name">,
  run: PatchRun,
  files: PatchedFiles,
  output: string | undefined,
): void {
  if (run.isBlocked) {
    invocation.stderr(`${invocation.name}: no file was changed: all hunks apply, or none\n`);
    return;
  }
  try {
    if (output === undefined) files.write();
    else replaceFiles(recorderFor(invocation, output), invocation.files.currentDirectory, [{ path: output, content: run.output }]);
  } catch (thrown) {
    const { path, message } = writeError(thrown);
    throw new PatchError(`Can't write to file ${path} : ${message}`);
  }
}
