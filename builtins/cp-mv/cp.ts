/** cp: copies files and trees, recorded. */
import { defineBuiltin, type FlagTable } from "../../src/builtin/definition.ts";
import { EditedTree } from "../../src/builtin/edited-tree.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { BadValue } from "../../src/builtin/usage-error.ts";
import { quoteCurly } from "../../src/display/quote.ts";
import { Copying } from "./copying.ts";
import { checkOperands, transferEffects, transfersOf } from "./destination.ts";

const plain = (rest: readonly string[]): string => ["cp", ...rest].join(" ");
const LINKS = "links cannot be made here: a file has one name, so that its record is complete";
const BACKUP = "no second copy is needed: what is replaced is in the record";

const FLAGS = {
  archive: { kind: "switch", short: "a", overrides: ["dereference", "followOperands"], help: "same as -dR --preserve=mode,timestamps" },
  attributesOnly: {
    kind: "refused",
    help: "don't copy the file data, just the attributes",
    reason: "a file is copied whole",
    suggestion: plain,
  },
  backup: {
    kind: "refused",
    arg: "CONTROL",
    argOptional: true,
    help: "make a backup of each existing destination file",
    reason: BACKUP,
    suggestion: plain,
  },
  backupShort: {
    kind: "refused",
    short: "b",
    long: false,
    help: "like --backup but does not accept an argument",
    reason: BACKUP,
    suggestion: plain,
  },
  copyContents: {
    kind: "refused",
    help: "copy contents of special files when recursive",
    reason: "special files are not read",
    suggestion: plain,
  },
  noDereferencePreserve: {
    kind: "switch",
    short: "d",
    long: false,
    overrides: ["dereference", "followOperands", "noDereference"],
    help: "same as --no-dereference",
  },
  force: { kind: "switch", short: "f", unread: true, help: "no effect: a file that cannot be opened is replaced all the same" },
  interactive: { kind: "refused", short: "i", help: "prompt before overwrite", reason: "nobody is there to answer", suggestion: plain },
  followOperands: {
    kind: "switch",
    short: "H",
    long: false,
    overrides: ["dereference", "noDereference", "noDereferencePreserve"],
    help: "follow command-line symbolic links in SOURCE",
  },
  link: { kind: "refused", short: "l", help: "hard link files instead of copying", reason: LINKS, suggestion: plain },
  dereference: {
    kind: "switch",
    short: "L",
    overrides: ["followOperands", "noDereference", "noDereferencePreserve"],
    help: "always follow symbolic links in SOURCE",
  },
  noClobber: { kind: "switch", short: "n", help: "do not overwrite an existing file" },
  noDereference: {
    kind: "switch",
    short: "P",
    overrides: ["dereference", "followOperands", "noDereferencePreserve"],
    help: "never follow symbolic links in SOURCE",
  },
  preserveShort: { kind: "switch", short: "p", long: false, help: "same as --preserve=mode,timestamps" },
  preserve: {
    kind: "value",
    arg: "ATTR_LIST",
    read: preserved,
    otherwise: { mode: false, timestamps: false },
    ifBare: { mode: true, timestamps: true },
    help: "preserve the attributes mode and timestamps (and ownership, where it is the server's own)",
  },
  noPreserve: {
    kind: "refused",
    arg: "ATTR_LIST",
    help: "don't preserve the specified attributes",
    reason: "name those to preserve",
    suggestion: plain,
  },
  parents: {
    kind: "refused",
    help: "use full source file name under DIRECTORY",
    reason: "it is not available here: make the directories with mkdir -p",
    suggestion: plain,
  },
  recursive: { kind: "switch", short: "rR", help: "copy directories recursively" },
  reflink: {
    kind: "value",
    arg: "WHEN",
    read: (text: string) => text,
    otherwise: undefined,
    ifBare: "always",
    unread: true,
    help: "no effect",
  },
  removeDestination: {
    kind: "switch",
    help: "remove each existing destination file before copying to it: a symbolic link is replaced and not followed",
  },
  sparse: {
    kind: "value",
    arg: "WHEN",
    read: (text: string) => text,
    otherwise: undefined,
    unread: true,
    help: "no effect on the bytes of a file",
  },
  stripTrailingSlashes: { kind: "switch", help: "remove any trailing slashes from each SOURCE argument" },
  symbolicLink: { kind: "refused", short: "s", help: "make symbolic links instead of copying", reason: LINKS, suggestion: plain },
  suffix: { kind: "refused", short: "S", arg: "SUFFIX", help: "override the usual backup suffix", reason: BACKUP, suggestion: plain },
  targetDirectory: {
    kind: "value",
    short: "t",
    arg: "DIRECTORY",
    read: (text: string) => text,
    otherwise: undefined,
    help: "copy all SOURCE arguments into DIRECTORY",
  },
  noTargetDirectory: { kind: "switch", short: "T", help: "treat DEST as a normal file" },
  update: { kind: "switch", short: "u", help: "copy only when the SOURCE file is newer than the destination file or when it is missing" },
  verbose: { kind: "switch", short: "v", help: "explain what is being done" },
  oneFileSystem: { kind: "switch", short: "x", unread: true, help: "no effect: there is no other file system here" },
  context: {
    kind: "refused",
    short: "Z",
    arg: "CTX",
    argOptional: true,
    help: "set the SELinux security context",
    reason: "security contexts cannot be set here",
    suggestion: plain,
  },
} as const satisfies FlagTable;

function preserved(text: string): { readonly mode: boolean; readonly timestamps: boolean } {
  const words = text.split(",");
  for (const word of words) {
    if (["mode", "timestamps", "ownership", "all"].includes(word)) continue;
    if (["links", "context", "xattr"].includes(word))
      throw new BadValue(`--preserve=${word} is not available here: only mode and timestamps are kept`);
    throw new BadValue(
      `invalid argument ${quoteCurly(word)} for ${quoteCurly("--preserve")}\nValid arguments are:${["mode", "timestamps", "ownership", "links", "context", "xattr", "all"].map((each) => `\n  - ${quoteCurly(each)}`).join("")}`,
      { pointsToHelp: true },
    );
  }
  const isAll = words.includes("all");
  return { mode: isAll || words.includes("mode"), timestamps: isAll || words.includes("timestamps") };
}

export const cp = defineBuiltin({
  name: "cp",
  summary: "Copy files and directories; each copy is recorded, with what it replaced.",
  standard: "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/cp.html",
  reference: "GNU coreutils 9.1",
  operands: { kind: "values" },
  writes: "tree",
  flags: FLAGS,
  examples: [
    { command: "cp a.txt b.txt && cat b.txt", files: { "a.txt": "x\n" }, stdout: "x\n" },
    { command: "cp -rv src new", files: { "src/a": "x" }, stdout: "'src' -> 'new'\n'src/a' -> 'new/a'\n" },
  ],
  deviations: [
    {
      from: "GNU cp",
      what: "All copies are made together at the end, or none is: a source that cannot be copied is named, and the others are copied.",
      why: "A copy is one recorded change that can be undone as one.",
    },
    {
      from: "GNU cp",
      what: "A symbolic link as the destination is refused, with the name to write to instead; --remove-destination replaces it.",
      why: "A write changes the file of the name that was given and no other.",
    },
    {
      from: "GNU cp",
      what: "A symbolic link that leads out of the workspace is refused as the destination; -T --remove-destination replaces it.",
      why: "It may lead to a directory, into which GNU cp would copy.",
    },
    {
      from: "GNU cp",
      what: "A destination is replaced and not written over: its other names (hard links) keep the old bytes. Hard links among the sources become files of their own, also with -a.",
      why: "The record of a file is complete only if it has one name.",
    },
    {
      from: "GNU cp",
      what: "Of a directory that would be copied into itself nothing is copied.",
      why: "GNU cp copies a part of it before it says so.",
    },
    {
      from: "GNU cp",
      what: "A FIFO, a socket or a device is not copied; owners, access control lists and extended attributes are not kept.",
      why: "Only bytes, modes and times are recorded.",
    },
    {
      from: "GNU cp",
      what: "What the same command has made or replaced is not copied again: the line is refused (CONFLICT), or the source is named and left.",
      why: "All changes are made together at the end.",
    },
    {
      from: "GNU cp",
      what: "The words of the error about a file that is named with a slash after it (f/), and about a symbolic link that leads to itself, may be others.",
      why: "It is one error in the place of another, and nothing is written in either case.",
    },
    {
      from: "GNU cp",
      what: "A source that is named twice, and that cannot be copied the first time, is told of twice.",
      why: "The second time it is tried again.",
    },
    { from: "GNU cp", what: "Times are kept to the microsecond.", why: "Node sets no finer ones." },
    {
      from: "GNU cp",
      what: "-b, -i, -l, -s, -S, -Z, --parents and --attributes-only are refused.",
      why: "Nobody is there to answer, the record is the backup, and a file has one name here.",
    },
    { from: "GNU cp", what: "More than 1 MiB is refused unless it was confirmed.", why: "A copy must not fill the disk by mistake." },
  ],

  check: ({ flags, operands }) => checkOperands(flags, operands),

  effects: ({ flags, operands }) => transferEffects(flags, operands, (path, operand) => ({ kind: "read", path, operand })),

  async *run(invocation) {
    const { flags, operands } = invocation;
    const { archive, noDereferencePreserve, followOperands, dereference, noClobber, noDereference, preserveShort, preserve, ...rest } =
      flags;
    const { recursive, removeDestination, stripTrailingSlashes, targetDirectory, noTargetDirectory, update, verbose, ...others } = rest;
    allFlagsRead(others);
    const isRecursive = recursive || archive;
    const never = noDereference || noDereferencePreserve || (archive && !dereference && !followOperands);
    const tree = new EditedTree(invocation, operands.at(-1) ?? "");
    const copying = new Copying(tree, {
      recursive: isRecursive,
      follow: never ? "none" : dereference ? "all" : followOperands ? "operands" : isRecursive ? "none" : "all",
      keepsMode: archive || preserveShort || preserve.mode,
      keepsTimes: archive || preserveShort || preserve.timestamps,
      keepsLinks: archive || noDereferencePreserve,
      noClobber,
      update,
      removesFirst: removeDestination,
      verbose,
    });
    for (const { source, target } of transfersOf(
      tree,
      { targetDirectory, noTargetDirectory, replacesLinks: removeDestination },
      operands,
    ) ?? []) {
      copying.copy(stripTrailingSlashes ? source.replace(/(?<=[^/])\/+$/, "") : source, target);
    }
    yield* tree.end();
    return tree.failed ? 1 : 0;
  },
});
