/** sed: edits a stream of lines as a script says. */
import { defineBuiltin, type FlagTable } from "../../src/builtin/definition.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import { atoi } from "../../src/numbers/strtol.ts";
import { NEWLINE } from "../../src/io/lines.ts";
import { PatternError } from "../../src/regex/pattern-error.ts";
import { EditedFiles, EditFailed } from "./edited-files.ts";
import { checkSuffix, editedPaths, isKept } from "./named-edits.ts";
import { RunError } from "./run-error.ts";
import { checkBeginning, parseScript } from "./parser.ts";
import type { Program } from "./program.ts";
import { printingInstead, reasonOf, refusedIn } from "./refusals.ts";
import { runProgram } from "./run.ts";
import { allChunks, scriptIsOperand, staticChunks } from "./script-source.ts";
import { placeAtEnd, ScriptError, scriptText, type ScriptChunk } from "./script-reader.ts";

export const FLAGS = {
  quiet: { kind: "switch", short: "n", long: ["quiet", "silent"], help: "print only what the script prints" },
  debug: {
    kind: "refused",
    reason: "its annotations are made for people who watch sed itself at work",
    suggestion: (rest) => ["sed", ...rest].join(" "),
    help: "annotate the program's execution",
  },
  expression: {
    kind: "value",
    short: "e",
    arg: "SCRIPT",
    read: (text: string) => text,
    otherwise: "",
    repeats: true,
    help: "add SCRIPT to the commands",
  },
  file: { kind: "path", short: "f", arg: "FILE", access: "read", repeats: true, help: "add the script in FILE to the commands" },
  followSymlinks: { kind: "switch", help: "F names the file that a link leads to, and a missing file ends the script" },
  inPlace: {
    kind: "value",
    short: "i",
    arg: "SUFFIX",
    read: (text: string) => text,
    ifBare: "",
    otherwise: undefined,
    help: "edit the files themselves, each as an input of its own; with SUFFIX keep the old one under the name with SUFFIX, in which * stands for the name",
  },
  lineLength: {
    kind: "value",
    short: "l",
    arg: "N",
    read: atoi,
    otherwise: 70,
    help: "fold the output of l at N columns; 0: not at all",
  },
  posix: {
    kind: "switch",
    help: "as POSIX where GNU sed differs: its own commands, flags and escapes are unknown, N at the end prints nothing",
  },
  extended: { kind: "switch", short: "Er", long: "regexp-extended", help: "patterns are extended regular expressions" },
  sandbox: { kind: "switch", help: "e, r and w are errors" },
  separate: { kind: "switch", short: "s", help: "each file is an input of its own: line numbers and $ are per file" },
  unbuffered: { kind: "switch", short: "u", help: "print as lines come in, and read no more than is needed" },
  zero: { kind: "switch", short: "z", long: ["null-data", "zero-terminated"], help: "lines end in NUL, not in a newline" },
} as const satisfies FlagTable;

export const sed = defineBuiltin({
  name: "sed",
  summary: "Edit lines as a script says, and print them.",
  standard: "https://www.gnu.org/software/sed/manual/sed.html",
  reference: "GNU sed 4.9",
  operands: { kind: "program-then-paths", unless: ["expression", "file"] },
  flags: FLAGS,
  // A page of an answer that was cut begins where it says.
  tells: (args) => (args.some((text) => /^\d+,\d+p$/.test(text)) ? "start" : "both"),
  silence: { 0: "printed nothing" },
  examples: [
    { command: "sed -n 2,3p", stdin: "a\nb\nc\nd\n", stdout: "b\nc\n" },
    { command: "sed 's/\\([a-z]*\\) \\(.*\\)/\\2 \\1/'", stdin: "hello world\n", stdout: "world hello\n" },
    { command: "sed -E '/^#/d; s/[0-9]+/<&>/g'", stdin: "# x\na 1 b 22\n", stdout: "a <1> b <22>\n" },
    { command: "sed '2i\\  new'", stdin: "a\nb\n", stdout: "a\n  new\nb\n" },
    { command: "sed -i 's/old/new/' f && cat f", files: { f: "old\n" }, stdout: "new\n" },
    { command: "sed -n '/start/,/end/{=;p}'", stdin: "a\nstart\nend\n", stdout: "2\nstart\n3\nend\n" },
  ],
  deviations: [
    { from: "GNU sed 4.9", what: "a wrong flag is named, and --help is pointed to", why: "GNU sed prints its whole usage" },
    {
      from: "GNU sed 4.9",
      what: 'w, s///w and W are refused, but for /dev/stdout, /dev/stderr, /dev/null and files in /tmp; with redirects = "record" they are recorded writes, but not those of a script in a file (-f)',
      why: "what they would write is printed into tee; what a line writes is checked with the line",
    },
    {
      from: "GNU sed 4.9",
      what: "files of w that are recorded change when sed has ended, all together, and none where one must not be written, or would be emptied although sed failed (CONFLICT); one that sed reads as well, or by two names writes, is refused",
      why: "what a line changes is one change, which can be undone; the old bytes would be a wrong answer",
    },
    {
      from: "GNU sed 4.9",
      what: "a script with an error makes no file of w",
      why: "it is checked before anything is written",
    },
    {
      from: "GNU sed 4.9",
      what: "-i changes its files at the end, all that were read to theirs; where the script fails, a limit is met or a file must not be written, none",
      why: "the edit of a line is one change, which can be undone",
    },
    {
      from: "GNU sed 4.9",
      what: "-i leaves a file alone whose content stays the same, with its inode and its time",
      why: "there is nothing to record",
    },
    {
      from: "GNU sed 4.9",
      what: "-i refuses a symbolic link (--follow-symlinks edits the file it leads to) and a file without permission to write",
      why: "GNU sed puts a file in the link's place, and asks only for the directory's permission",
    },
    {
      from: "GNU sed 4.9",
      what: "the backup of -iSUFFIX is a new file, with the permissions of one; -iSUFFIX of a file that not everybody may read is refused",
      why: "GNU sed renames the old file; a copy that more people can read would give away what is in it",
    },
    {
      from: "GNU sed 4.9",
      what: "sed -i '' SCRIPT FILE, as typed for BSD's sed, is refused",
      why: "GNU sed takes '' for the script or for a file, and SCRIPT for a file",
    },
    { from: "GNU sed 4.9", what: "e and s///e are refused", why: "no external program is ever started" },
    {
      from: "GNU sed 4.9",
      what: "r and R of a file outside the root end the script with an error",
      why: "GNU sed passes over what it cannot read, and the host may have the file: nothing would not be true",
    },
    {
      from: "GNU sed 4.9",
      what: "after a test for $ on the last line of a file, F still names that file, and not the next one",
      why: "it is the file the line is from",
    },
    {
      from: "GNU sed 4.9",
      what: "ranges of characters that are not ASCII ([é-ü]) work; in C.UTF-8 GNU sed knows no collation of them",
      why: "they work in other UTF-8 locales",
    },
    {
      from: "GNU sed 4.9",
      what: "in an address with M, \\` and \\' stand for the ends of all that is held; GNU sed takes them for ^ and $ there, but not in s",
      why: "its manual says so",
    },
    {
      from: "GNU sed 4.9",
      what: "\\b, \\<, \\> and a back-reference hold in every round of a group that a count repeats",
      why: "glibc forgets some of them from the second round on: `echo aabb | sed -nE '/^(\\w*(\\w)\\2\\w*){2}$/p'` prints nothing",
    },
    { from: "GNU sed 4.9", what: "--debug is refused", why: "it describes the insides of GNU sed" },
  ],
  check(invocation, outputs) {
    if (scriptIsOperand(invocation) && invocation.operands.length === 0) {
      throw new UsageError("missing-operand", "no script: give one as the first operand, with -e or with -f", { pointsToHelp: true });
    }
    checkSuffix(invocation);
    const chunks = staticChunks(invocation);
    if (chunks === undefined) return;
    const program = parsed(chunks);
    const refusals = refusedIn(program, outputs);
    const refusal = refusals.find(({ kind }) => kind === "write");
    if (refusal === undefined) return;
    const suggestion = printingInstead(invocation, chunks, { ...program, refusals });
    const isSilent = suggestion?.endsWith(">/dev/null") === true;
    throw new UsageError("refused-flag", reasonOf(refusal), {
      subject: refusal.what,
      suggestion,
      lost: isSilent ? "the file stays as it is where sed fails" : "nothing is printed but what is written",
    });
  },
  effects(invocation) {
    const writes = editedPaths(invocation);
    const chunks = staticChunks(invocation);
    const program = chunks && parsed(chunks);
    if (program === undefined) return writes;
    const operand = scriptIsOperand(invocation) ? { operand: 0 } : {};
    const reads = program.commands.flatMap(({ action }) =>
      action.kind === "read" ? [{ kind: "read", path: action.path, ...operand } as const] : [],
    );
    const outputs = program.refusals
      .filter(({ kind }) => kind === "write")
      .map(({ what }) => ({ kind: "write", path: scriptText(what), ...operand }) as const);
    const runs = program.refusals
      .filter(({ kind }) => kind === "run")
      .map(({ what }) => ({ kind: "run", what: what === "" ? "the flag e of s" : `e ${what}`, suggestion: "", ...operand }) as const);
    return [...reads, ...writes, ...outputs, ...runs];
  },
  async *run(invocation) {
    const { flags } = invocation;
    let chunks: readonly ScriptChunk[] = [];
    try {
      const given = await allChunks(invocation);
      chunks = given.chunks;
      const bytesAreCharacters = invocation.characters === "bytes";
      if (given.trouble !== undefined) {
        checkBeginning(chunks, bytesAreCharacters);
        throw given.trouble;
      }
      const program = parseScript(chunks, bytesAreCharacters);
      const { outputs } = invocation;
      // A script in a file was not there to be checked with the line.
      const [refusal] = refusedIn(program, staticChunks(invocation) === undefined ? outputs?.untyped() : outputs);
      if (refusal !== undefined) throw new ScriptError(reasonOf(refusal));
      const operands = scriptIsOperand(invocation) ? invocation.operands.slice(1) : invocation.operands;
      if (flags.inPlace !== undefined && operands.length === 0) {
        invocation.warn("no input files");
        return 4;
      }
      return yield* runProgram(program, operands.length === 0 ? ["-"] : operands, invocation, {
        quiet: flags.quiet,
        separator: flags.zero ? 0 : NEWLINE,
        posix: flags.posix,
        unbuffered: flags.unbuffered,
        separate: flags.separate || flags.inPlace !== undefined,
        followSymlinks: flags.followSymlinks,
        lineLength: flags.lineLength,
        edits: flags.inPlace === undefined ? undefined : new EditedFiles(invocation, isKept(flags.inPlace) ? flags.inPlace : ""),
      });
    } catch (thrown) {
      if (thrown instanceof ScriptError) {
        invocation.warn(thrown.message);
        return thrown.exit;
      }
      if (thrown instanceof EditFailed) {
        invocation.warn(thrown.message);
        return 4;
      }
      if (!(thrown instanceof RunError) && !(thrown instanceof PatternError)) throw thrown;
      invocation.warn(`${placeAtEnd(chunks)}: ${thrown.message}`);
      return 1;
    }
  },
});

function parsed(chunks: readonly ScriptChunk[]): Program {
  return refusingErrors((bytesAreCharacters) => parseScript(chunks, bytesAreCharacters));
}

/**
 * Throws UsageError with sed's own words where the script is none. What is wrong in one locale alone (`y/é/ab/`) is
 * said when the script runs.
 */
function refusingErrors<T>(parse: (bytesAreCharacters: boolean) => T): T {
  try {
    return parse(false);
  } catch (thrown) {
    if (!(thrown instanceof ScriptError)) throw thrown;
    try {
      return parse(true);
    } catch (inBytes) {
      if (!(inBytes instanceof ScriptError)) throw inBytes;
      throw new UsageError("bad-program", thrown.message, { exit: thrown.exit });
    }
  }
}
