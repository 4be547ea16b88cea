/** stat: all that is known of files, in a format of the caller's. */
import { defineBuiltin, type FlagValues, type Invocation } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import { wordReader } from "../../src/builtin/word-choice.ts";
import { localTimes } from "../../src/dates/date-format.ts";
import { BlockBuilder } from "../../src/io/output.ts";
import { quoteAlways, quoteWord } from "../../src/display/quote.ts";
import { toBytes } from "../../src/io/text.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import type { FileStatus } from "../../src/workspace/file-status.ts";
import { readFormat, type FormatPart } from "./format.ts";
import { directiveText, HalfAnswered, type ReportSettings } from "./report.ts";

const LONG = (device: string): string => `  File: %N
  Size: %-10s\tBlocks: %-10b IO Block: %-6o %F
Device: %Hd,%Ld\tInode: %-10i  Links: ${device}
Access: (%04a/%10.10A)  Uid: (%5u/%8U)   Gid: (%5g/%8G)
Access: %x
Modify: %y
Change: %z
 Birth: %w
`;
const FILE_FORMAT = LONG("%h");
const DEVICE_FORMAT = LONG("%-5h Device type: %Hr,%Lr");
const TERSE_FORMAT = "%n %s %b %f %u %g %D %i %h %t %T %X %Y %Z %W %o\n";

const flags = {
  dereference: { kind: "switch", short: "L", help: "follow symbolic links" },
  fileSystem: {
    kind: "switch",
    short: "f",
    long: "file-system",
    help: "about the file system, which is an error for each file that is there",
  },
  cached: {
    kind: "value",
    arg: "MODE",
    read: wordReader("--cached", { default: ["default"], never: ["never"], always: ["always"] }),
    otherwise: "default",
    unread: true,
    help: "always, never, default: no effect, since files are asked each time",
  },
  format: {
    kind: "value",
    short: "c",
    arg: "FORMAT",
    read: (text: string) => text,
    otherwise: undefined,
    overrides: ["printf"],
    help: "use FORMAT, with a newline after each file",
  },
  printf: {
    kind: "value",
    arg: "FORMAT",
    read: (text: string) => text,
    otherwise: undefined,
    overrides: ["format"],
    help: "use FORMAT with backslash escapes, without a newline after each file",
  },
  terse: { kind: "switch", short: "t", help: "print everything on one line" },
} as const;

export const stat = defineBuiltin({
  name: "stat",
  summary: "Print what is known of files: size, permissions, times, owner.",
  standard: "https://www.gnu.org/software/coreutils/manual/html_node/stat-invocation.html",
  reference: "GNU coreutils 9.1",
  operands: { kind: "paths", access: "status", min: 1 },
  flags,
  looksAt: "below",
  examples: [
    { command: "stat -c '%n %s' a.txt", files: { "a.txt": "12345" }, stdout: "a.txt 5\n" },
    { command: "stat -c '%F: %N' a.txt sub", files: { "a.txt": "x", "sub/b": "" }, stdout: "regular file: 'a.txt'\ndirectory: 'sub'\n" },
    { command: "stat --printf '%s\\t%n\\n' a.txt", files: { "a.txt": "12345" }, stdout: "5\ta.txt\n" },
  ],
  deviations: [
    {
      from: "GNU coreutils 9.1",
      what: "-f tells of no file system, only of files that are not there, and %m is refused",
      why: "the host's file systems are outside the workspace",
    },
    { from: "GNU coreutils 9.1", what: "- is an error", why: "standard input is a pipe between stages, with no file behind it" },
  ],
  check(invocation) {
    const given = readFlags(invocation.flags);
    if (partsOf(given).some((part) => part.kind === "directive" && part.letter === "m")) refuseMountPoint(given, invocation.operands);
  },
  async *run(invocation) {
    const { files, operands, warn } = invocation;
    const given = readFlags(invocation.flags);
    const settings: ReportSettings = {
      files,
      localTime: localTimes(invocation.timeZone),
      heldBytes: invocation.limits.heldBytes,
      quotesNames: given.format?.text.includes("%N") === true,
    };
    if (given.ofFileSystem) return aboutFileSystems(invocation);
    const output = new BlockBuilder();
    const ownFormat = partsOf(given);
    const deviceFormat = readFormat(DEVICE_FORMAT, false);
    let exit = 0;
    for (const operand of operands) {
      let status: FileStatus;
      try {
        if (operand === "-") throw new FileError("ENXIO", operand, "There is no file behind it here");
        status = files.status(operand, { follow: given.follows });
      } catch (thrown) {
        if (!(thrown instanceof FileError)) throw thrown;
        if (!output.empty) yield output.take();
        warn(`cannot ${operand === "-" ? "stat standard input" : `statx ${quoteAlways(operand)}`}: ${thrown.message}`);
        exit = 1;
        continue;
      }
      const isDevice = status.kind === "block-device" || status.kind === "character-device";
      for (const part of isDevice && given.format === undefined && !given.terse ? deviceFormat : ownFormat) {
        const { text, complaint, after } = answer(part, operand, status, settings);
        output.add(toBytes(text));
        if (complaint !== undefined) {
          if (!output.empty) yield output.take();
          warn(complaint);
          if (part.kind === "fatal") return 1;
          if (part.kind === "directive") exit = 1;
          output.add(toBytes(after));
        }
        if (output.full) yield output.take();
      }
    }
    if (!output.empty) yield output.take();
    return exit;
  },
});

/** The errors of -f: those of GNU for what is not there. BSD's -f takes a format, which is then such an operand. */
function aboutFileSystems({ files, operands, warn }: Pick<Invocation, "files" | "operands" | "warn">): 1 {
  if (operands.includes("-")) {
    warn("using '-' to denote standard input does not work in file system mode");
    return 1;
  }
  for (const operand of operands) {
    try {
      files.status(operand);
      warn(`${quoteAlways(operand)}: -f: the file systems of the host are not shown here; stat -c FORMAT tells of the file`);
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
      warn(`cannot read file system information for ${quoteAlways(operand)}: ${thrown.message}`);
    }
  }
  return 1;
}

/** What one part of the format comes to: text, or a complaint with text around it. */
function answer(
  part: FormatPart,
  operand: string,
  status: FileStatus,
  settings: ReportSettings,
): { readonly text: string; readonly complaint: string | undefined; readonly after: string } {
  if (part.kind === "text") return { text: part.text, complaint: undefined, after: "" };
  if (part.kind !== "directive") return { text: "", complaint: part.message, after: "" };
  try {
    return { text: directiveText(part, operand, status, settings), complaint: undefined, after: "" };
  } catch (thrown) {
    if (!(thrown instanceof HalfAnswered)) throw thrown;
    return { text: thrown.before, complaint: thrown.message, after: thrown.after };
  }
}

interface Given {
  readonly follows: boolean;
  readonly format: { readonly flag: "-c" | "--printf"; readonly text: string } | undefined;
  readonly terse: boolean;
  readonly ofFileSystem: boolean;
}

function readFlags({ dereference, format, printf, terse, fileSystem, ...others }: FlagValues<typeof flags>): Given {
  allFlagsRead(others);
  const typed =
    format !== undefined
      ? ({ flag: "-c", text: format } as const)
      : printf !== undefined
        ? ({ flag: "--printf", text: printf } as const)
        : undefined;
  return { follows: dereference, format: typed, terse, ofFileSystem: fileSystem };
}

function partsOf({ format, terse }: Given): readonly FormatPart[] {
  if (format === undefined) return readFormat(terse ? TERSE_FORMAT : FILE_FORMAT, false);
  if (format.flag === "--printf") return readFormat(format.text, true);
  return [...readFormat(format.text, false), { kind: "text", text: "\n" }];
}

function refuseMountPoint({ format }: Given, operands: readonly string[]): never {
  const { flag, text } = format ?? { flag: "-c", text: "" };
  const withoutPoint = text.replace(/%([-+ #0'I]*[0-9]*(?:\.[0-9]*)?)m/g, "%$1d");
  throw new UsageError("refused-flag", "%m: where the host mounts its file systems is not shown here; %d is the device's number", {
    subject: "%m",
    suggestion: ["stat", flag, withoutPoint, ...operands].map(quoteWord).join(" "),
  });
}
