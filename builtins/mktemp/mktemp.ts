/** mktemp: makes a file or a directory with a name of its own in the session's scratch, and prints the name. */
import { defineBuiltin, type FlagTable, type Invocation, type StaticInvocation } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import { quoteCurly, quoteWord } from "../../src/display/quote.ts";
import { toBytes } from "../../src/io/text.ts";
import { FileError } from "../../src/workspace/file-error.ts";

const FLAGS = {
  directory: { kind: "switch", short: "d", help: "make a directory, not a file" },
  dryRun: { kind: "switch", short: "u", help: "print a name alone, and make nothing" },
  quiet: { kind: "switch", short: "q", help: "no message where the file or directory cannot be made" },
  suffix: {
    kind: "value",
    arg: "SUFF",
    read: (text: string) => text,
    otherwise: undefined,
    help: "append SUFF to TEMPLATE; SUFF must not contain a slash",
  },
  directoryName: {
    kind: "value",
    short: "p",
    long: false,
    overrides: ["tmpdir"],
    arg: "DIR",
    read: (text: string) => text,
    otherwise: undefined,
    help: "take TEMPLATE relative to DIR",
  },
  tmpdir: {
    kind: "value",
    overrides: ["directoryName"],
    arg: "DIR",
    read: (text: string) => text,
    otherwise: undefined,
    ifBare: "",
    help: "the same; where DIR is not given, relative to $TMPDIR, else /tmp",
  },
  t: {
    kind: "switch",
    short: "t",
    long: false,
    help: "take TEMPLATE as a single name in $TMPDIR, else in the directory of -p, else in /tmp",
  },
} as const satisfies FlagTable;

export const mktemp = defineBuiltin({
  name: "mktemp",
  summary: "Make a temporary file or directory in /tmp, which is this session's own, and print its name.",
  standard: "https://www.gnu.org/software/coreutils/manual/html_node/mktemp-invocation.html",
  reference: "GNU coreutils 9.1",
  operands: { kind: "values" },
  flags: FLAGS,
  examples: [
    { command: 't=$(mktemp); printf "b\\na\\n" | sort > "$t"; head -n 1 "$t"', stdout: "a\n" },
    { command: "mktemp -d | grep -c '^/tmp/tmp[.]..........$'", stdout: "1\n" },
    { command: "mktemp -u --suffix=.json -t out.XXXX | grep -c '^/tmp/out[.]....[.]json$'", stdout: "1\n" },
  ],
  deviations: [
    {
      from: "GNU mktemp",
      what: "A template or a directory outside /tmp is refused.",
      why: "A file of the workspace is written with tee, which records it; /tmp is the session's own and is gone with it.",
    },
  ],
  check(invocation) {
    const { directory, problem, template } = placeOf(wishOf(invocation.flags), invocation.operands, undefined);
    if (problem !== undefined) throw problem;
    if (isTemporary(directory, template)) return;
    const flags = invocation.flagArguments.filter((word) => /^-[dqu]+$/.test(word)).map((word) => ` ${word}`);
    const name = template.slice(template.lastIndexOf("/") + 1);
    throw new UsageError(
      "refused-flag",
      "mktemp makes files in /tmp alone, which is this session's own; a file of the workspace is written with tee",
      {
        suggestion: `mktemp${flags.join("")} -t ${quoteWord(name)}`,
        lost: "in /tmp",
      },
    );
  },
  async *run(invocation) {
    const { directory: isDirectory, dryRun, quiet, suffix, tmpdir, directoryName, t, ...others } = invocation.flags;
    allFlagsRead(others);
    const wish = wishOf({ suffix, tmpdir, directoryName, t });
    const place = placeOf(wish, invocation.operands, invocation.environment().get("TMPDIR"));
    const { warn } = invocation;
    if (place.problem !== undefined) throw place.problem;
    const path = joined(place.directory, place.template);
    const scratch = invocation.scratch();
    try {
      // The name alone is no file, but whoever asks for one is about to make it.
      if (scratch?.holds(path) !== true) throw new FileError("PATH_ESCAPE", path);
      for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
        const made = filled(path, place.suffixLength, invocation);
        const isNew = dryRun
          ? !exists(invocation, made)
          : isDirectory
            ? scratch.makeDirectory(made, DIRECTORY_MODE)
            : scratch.create(made, FILE_MODE);
        if (!isNew) continue;
        yield toBytes(`${made}\n`);
        return 0;
      }
      throw new FileError("EEXIST", path);
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
      if (!quiet) warn(`failed to create ${isDirectory ? "directory" : "file"} via template ${quoteCurly(path)}: ${thrown.message}`);
      return 1;
    }
  },
});

const DEFAULT_TEMPLATE = "tmp.XXXXXXXXXX";
const DEFAULT_DIRECTORY = "/tmp";
const LEAST_LETTERS = 3;
const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;
/** Three letters give 238,328 names, of which a session has at most a thousand. */
const MOST_ATTEMPTS = 1000;
const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

interface TemplatePlace {
  /** Undefined where the template is a path of its own. */
  readonly directory: string | undefined;
  /** With its suffix. */
  readonly template: string;
  readonly suffixLength: number;
  readonly problem: UsageError | undefined;
}

interface Wish {
  readonly suffix: string | undefined;
  /** "": of the environment. */
  readonly tmpdir: string | undefined;
  readonly isName: boolean;
}

type Flags = StaticInvocation<typeof FLAGS>["flags"];

const wishOf = ({ suffix, tmpdir, directoryName, t }: Pick<Flags, "suffix" | "tmpdir" | "directoryName" | "t">): Wish => ({
  suffix,
  tmpdir: tmpdir ?? directoryName,
  isName: t,
});

/** As mktemp.c reads its arguments. `temporary`: the environment's TMPDIR. */
function placeOf({ suffix, tmpdir, isName }: Wish, operands: readonly string[], temporary: string | undefined): TemplatePlace {
  const [given = DEFAULT_TEMPLATE] = operands;
  const template = given + (suffix ?? "");
  const suffixLength = suffix === undefined ? template.length - (template.lastIndexOf("X") + 1 || template.length) : suffix.length;
  const end = template.length - suffixLength;
  const hasDirectory = isName || tmpdir !== undefined || operands.length === 0;
  const fromEnvironment = temporary === undefined || temporary === "" ? undefined : temporary;
  const fromFlag = tmpdir === undefined || tmpdir === "" ? undefined : tmpdir;
  const [first, second] = isName ? [fromEnvironment, fromFlag] : [fromFlag, fromEnvironment];
  const directory = hasDirectory ? (first ?? second ?? DEFAULT_DIRECTORY) : undefined;
  const problem = (): string | undefined => {
    if (suffix !== undefined && !given.endsWith("X")) return `with --suffix, template ${quoteCurly(given)} must end in X`;
    if (template.slice(end).includes("/")) return `invalid suffix ${quoteCurly(template.slice(end))}, contains directory separator`;
    if (!template.slice(0, end).endsWith("X".repeat(LEAST_LETTERS))) return `too few X's in template ${quoteCurly(template)}`;
    if (isName && template.includes("/")) return `invalid template, ${quoteCurly(template)}, contains directory separator`;
    if (!isName && hasDirectory && template.startsWith("/"))
      return `invalid template, ${quoteCurly(template)}; with --tmpdir, it may not be absolute`;
    return undefined;
  };
  if (operands.length > 1) {
    return { directory, template, suffixLength, problem: new UsageError("extra-operand", "too many templates", { pointsToHelp: true }) };
  }
  const message = problem();
  return { directory, template, suffixLength, problem: message === undefined ? undefined : new UsageError("bad-value", message) };
}

/** file_name_concat(3) of gnulib, without a directory the template itself. */
function joined(directory: string | undefined, template: string): string {
  return directory === undefined ? template : `${directory}${directory.endsWith("/") ? "" : "/"}${template}`;
}

/** Tells whether a name is in /tmp, by its text. */
const isTemporary = (directory: string | undefined, template: string): boolean => joined(directory, template).startsWith("/tmp/");

/** `path` with letters at random in the place of the X that end before its suffix. */
function filled(path: string, suffixLength: number, { randomBytes }: Pick<Invocation, "randomBytes">): string {
  const end = path.length - suffixLength;
  let start = end;
  while (path[start - 1] === "X") start--;
  let letters = "";
  while (letters.length < end - start) {
    // Of 256 values the first 248 give each letter as often as any other.
    for (const byte of randomBytes(end - start)) if (byte < 248 && letters.length < end - start) letters += LETTERS[byte % LETTERS.length];
  }
  return path.slice(0, start) + letters + path.slice(end);
}

function exists({ files }: Pick<Invocation, "files">, path: string): boolean {
  try {
    files.status(path, { follow: false });
    return true;
  } catch (thrown) {
    if (!(thrown instanceof FileError) || thrown.code !== "ENOENT") throw thrown;
    return false;
  }
}
