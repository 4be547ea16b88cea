/** zcat, gunzip and gzip -d: what gzip files hold. One file because they are one tool under several names. */
import {
  defineBuiltin,
  type BuiltinDefinition,
  type FlagTable,
  type FlagValues,
  type Invocation,
  type StaticInvocation,
} from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { openInput } from "../../src/builtin/inputs.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import { GzipFault, unpacked } from "../../src/io/gzip-members.ts";
import type { Files } from "../../src/workspace/contract.ts";
import { FileError } from "../../src/workspace/file-error.ts";

const NEVER_PACKED = "nothing is packed here: its bytes would not be those of GNU gzip";
const WITHOUT_EFFECT = { unread: true, help: "no effect where the output is standard output" } as const;
const onlyText = (rest: readonly string[]): string =>
  ["zcat", ...rest.filter((word) => !/^(-[cdk]+|--(stdout|to-stdout|decompress|uncompress))$/.test(word))].join(" ");

const FLAGS = {
  ascii: { kind: "switch", short: "a", unlisted: true, unread: true, help: "no effect" },
  stdout: { kind: "switch", short: "c", long: ["stdout", "to-stdout"], help: "print to standard output" },
  decompress: { kind: "switch", short: "d", long: ["decompress", "uncompress"], help: "unpack" },
  force: { kind: "switch", short: "f", help: "print what is no gzip format as it is" },
  shortHelp: {
    kind: "refused",
    short: "h",
    long: false,
    help: "print the help",
    reason: "only its long form is known here",
  },
  keep: { kind: "switch", short: "k", ...WITHOUT_EFFECT },
  list: {
    kind: "refused",
    short: "l",
    help: "list sizes and ratios",
    reason: "the sizes in its table come from trailers that need not be true",
    suggestion: (rest) => `${onlyText(rest)} | wc -c`,
  },
  license: {
    kind: "refused",
    short: "L",
    help: "print gzip's license",
    reason: "this is not GNU gzip",
  },
  noName: { kind: "switch", short: "n", ...WITHOUT_EFFECT },
  name: { kind: "switch", short: "N", ...WITHOUT_EFFECT },
  quiet: { kind: "switch", short: "q", long: ["quiet", "silent"], help: "print no warnings" },
  recursive: {
    kind: "refused",
    short: "r",
    help: "go through directories",
    reason: "find names files better",
    suggestion: () => "find . -name '*.gz' -exec zcat {} +",
  },
  suffix: {
    kind: "value",
    short: "S",
    arg: "SUF",
    read: (text: string) => text,
    otherwise: ".gz",
    help: "try FILE followed by SUF where there is no FILE",
  },
  synchronous: { kind: "switch", ...WITHOUT_EFFECT },
  test: { kind: "switch", short: "t", help: "print nothing: the exit status says whether all is well" },
  verbose: {
    kind: "refused",
    short: "v",
    help: "print the ratio of each file",
    reason: "it tells how well a file is packed, and nothing of what is in it",
    suggestion: onlyText,
  },
  level: {
    kind: "refused",
    short: "123456789",
    long: ["fast", "best"],
    help: "pack faster or better",
    reason: NEVER_PACKED,
  },
  rsyncable: { kind: "refused", help: "pack so that rsync finds what is the same", reason: NEVER_PACKED },
} as const satisfies FlagTable;

type GzipInvocation = Invocation<typeof FLAGS>;

const SHARED = {
  standard: "https://www.rfc-editor.org/rfc/rfc1952",
  reference: "GNU gzip 1.12",
  operands: { kind: "paths", access: "read" },
  flags: FLAGS,
} as const;
/** `hello\n`, packed, as printf(1) takes it. */
const PACKED = "\\x1f\\x8b\\b\\0\\0\\0\\0\\0\\0\\x03\\xcbH\\xcd\\xc9\\xc9\\xe7\\x02\\0 0:6\\x06\\0\\0\\0";

function unpacker(
  name: string,
  summary: string,
  usual: string,
  more: Pick<BuiltinDefinition<typeof FLAGS>, "check"> & { readonly aliases?: readonly string[] },
): BuiltinDefinition<typeof FLAGS> {
  return defineBuiltin({
    name,
    summary,
    ...SHARED,
    ...more,
    examples: [{ command: `printf '${PACKED}' | ${usual}`, stdout: "hello\n" }],
    deviations: [
      {
        from: "gzip 1.12",
        what: "nothing is packed, and no file is replaced by what is in it",
        why: "gzip writes no files here: its output is given to tee",
      },
      { from: "gzip 1.12", what: "files of compress, pack, lzh and zip are not unpacked", why: "they are not in gzip's own format" },
    ],
    run: (invocation) => printUnpacked(invocation),
  });
}

export const zcat = unpacker("zcat", "Print what gzip files hold, or what standard input does.", "zcat", { aliases: ["gzcat"] });

export const gunzip = unpacker("gunzip", "Print what gzip files hold: with -c, or of standard input.", "gunzip -c", {
  check: requireOutput,
});

export const gzip = unpacker("gzip", "Print what gzip files hold: with -dc, or with -d of standard input.", "gzip -dc", {
  check(invocation) {
    const { unpacks } = settingsOf(invocation.flags);
    if (!unpacks) throw new UsageError("refused-flag", NEVER_PACKED);
    requireOutput(invocation);
  },
});

interface Settings {
  readonly unpacks: boolean;
  readonly toStandardOutput: boolean;
  /** What is no gzip format is printed as it is. */
  readonly copiesOther: boolean;
  /** Nothing is printed but what is wrong. */
  readonly onlyTests: boolean;
  readonly quiet: boolean;
  readonly suffix: string;
}

function settingsOf({ stdout, decompress, force, quiet, suffix, test, ...others }: FlagValues<typeof FLAGS>): Settings {
  allFlagsRead(others);
  return { unpacks: decompress || test, toStandardOutput: stdout || test, copiesOther: force, onlyTests: test, quiet, suffix };
}

/** Throws UsageError where files would be replaced by what is in them. */
function requireOutput({ name, flags, operands }: StaticInvocation<typeof FLAGS>): void {
  const [file] = operands.filter((operand) => operand !== "-");
  if (settingsOf(flags).toStandardOutput || file === undefined) return;
  const why = `${name} without -c puts what is in the file in its place; zcat prints it, for tee to write where it is to be`;
  throw new UsageError("refused-flag", why, { subject: file });
}

async function* printUnpacked(invocation: GzipInvocation): AsyncGenerator<Uint8Array, number> {
  const { operands, files } = invocation;
  const { copiesOther, onlyTests, suffix, quiet } = settingsOf(invocation.flags);
  let exit = 0;
  for (const operand of operands.length === 0 ? ["-"] : operands) {
    const name = operand === "-" ? "stdin" : operand;
    try {
      const path = operand === "-" ? operand : existing(files, suffix, operand);
      for await (const block of unpacked(openInput(invocation, path), { copiesOther })) if (!onlyTests) yield block;
    } catch (thrown) {
      const { message, status, ends } = complaintOf(thrown, name, operand, quiet);
      if (message !== "") invocation.stderr(message);
      // An error is remembered over a warning.
      exit = exit === 1 ? 1 : status;
      if (ends) return exit;
    }
  }
  return exit;
}

/** The first of FILE, FILE.gz and so on that is there; the name FILE.gz where none is. */
function existing(files: Files, suffix: string, operand: string): string {
  const isSuffixed = [suffix, ".gz", ".z", "-gz", "-z", "_z", ".tgz", ".taz", ".Z"].some((ending) => operand.endsWith(ending));
  const names = isSuffixed
    ? [operand]
    : [operand, ...new Set([suffix, ".gz", ".z", "-z", ".Z"])].map((ending, at) => (at === 0 ? operand : operand + ending));
  for (const name of names) {
    try {
      files.status(name);
      return name;
    } catch (thrown) {
      if (!(thrown instanceof FileError) || thrown.code !== "ENOENT") return name;
    }
  }
  return isSuffixed ? operand : operand + suffix;
}

interface Complaint {
  readonly message: string;
  readonly status: 1 | 2;
  /** No further file is read. */
  readonly ends: boolean;
}

function complaintOf(thrown: unknown, name: string, operand: string, quiet: boolean): Complaint {
  if (thrown instanceof GzipFault) {
    const { message, isApart, exit } = thrown;
    const ends = message.startsWith("invalid compressed data") || message.startsWith("unexpected end");
    if (quiet && exit === 2) return { message: "", status: 2, ends: false };
    return { message: `${isApart ? "\n" : ""}gzip: ${name}: ${message}\n`, status: exit, ends };
  }
  if (!(thrown instanceof FileError)) throw thrown;
  if (thrown.code === "EISDIR") return { message: quiet ? "" : `gzip: ${operand} is a directory -- ignored\n`, status: 2, ends: false };
  return { message: `gzip: ${operand === "-" ? name : thrown.path}: ${thrown.message}\n`, status: 1, ends: false };
}
