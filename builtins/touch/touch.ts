/** touch: sets the times of files and makes empty ones, recorded. */
import { defineBuiltin, type FlagTable, type Invocation } from "../../src/builtin/definition.ts";
import { EditedTree, type EntryKind } from "../../src/builtin/edited-tree.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import type { EntryAttributes } from "../../src/builtin/recorder.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import { wordReader } from "../../src/builtin/word-choice.ts";
import { localTimes } from "../../src/dates/date-format.ts";
import { readDate } from "../../src/dates/date-parse.ts";
import { quoteAlways, quoteCurly } from "../../src/display/quote.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { instantOf, stampParts } from "./touch-time.ts";

const FLAGS = {
  access: { kind: "switch", short: "a", long: false, help: "change only the access time" },
  noCreate: { kind: "switch", short: "c", help: "do not create any files" },
  date: {
    kind: "value",
    short: "d",
    arg: "STRING",
    read: (text: string) => text,
    otherwise: undefined,
    help: "parse STRING and use it instead of current time",
  },
  ignored: { kind: "switch", short: "f", long: false, unread: true, help: "no effect" },
  noDereference: {
    kind: "refused",
    short: "h",
    help: "affect each symbolic link instead of any referenced file",
    reason: "the times of a symbolic link are not recorded",
    suggestion: (rest) => ["touch", ...rest].join(" "),
  },
  modification: { kind: "switch", short: "m", long: false, help: "change only the modification time" },
  reference: { kind: "path", short: "r", arg: "FILE", access: "status", help: "use this file's times instead of current time" },
  stamp: {
    kind: "value",
    short: "t",
    long: false,
    arg: "STAMP",
    read: (text: string) => text,
    otherwise: undefined,
    help: "use [[CC]YY]MMDDhhmm[.ss] instead of current time",
  },
  time: {
    kind: "value",
    arg: "WORD",
    read: wordReader("--time", { access: ["atime", "access", "use"], modification: ["mtime", "modify"] }),
    otherwise: undefined,
    help: "change the specified time: access, atime or use (-a), modify or mtime (-m)",
  },
} as const satisfies FlagTable;

export const touch = defineBuiltin({
  name: "touch",
  summary: "Set the times of files to now or to a given time, and make empty files; recorded.",
  standard: "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/touch.html",
  reference: "GNU coreutils 9.1",
  operands: { kind: "paths", access: "write", change: "attributes" },
  flags: FLAGS,
  examples: [
    { command: "touch new.txt && wc -c new.txt", stdout: "0 new.txt\n" },
    { command: "touch -d '2024-02-03 04:05' a && stat -c %y a", stdout: "2024-02-03 04:05:00.000000000 +0000\n" },
  ],
  deviations: [
    { from: "GNU touch", what: "Times are kept to the microsecond.", why: "Node sets no finer ones." },
    {
      from: "GNU touch",
      what: "A symbolic link to a file that is not there is refused; -h is refused.",
      why: "A change is recorded of the name that was given and no other.",
    },
    {
      from: "GNU touch",
      what: "A file that has other names (hard links) is replaced by a copy with the new times; its other names keep theirs.",
      why: "A change is recorded of the name that was given and no other.",
    },
    {
      from: "GNU touch",
      what: "A path that leads through a file that the same command makes, and back (touch new new/../other), is not found: No such file or directory.",
      why: "All files are made together at the end.",
    },
    {
      from: "GNU touch",
      what: "The times of the root of the workspace are not set: Device or resource busy.",
      why: "It has no name here, and so no record.",
    },
    {
      from: "GNU touch",
      what: "The words of the error about a file that is named with a slash after it (f/) may be others.",
      why: "It is one error in the place of another.",
    },
    { from: "GNU touch", what: "The file - is left as it is.", why: "It is the standard output, which has no times here." },
  ],

  check({ flags, operands }) {
    const { date, reference, stamp } = flags;
    if (stamp !== undefined && (date !== undefined || reference !== undefined)) {
      throw new UsageError("bad-value", "cannot specify times from more than one source", { pointsToHelp: true });
    }
    if (operands.length === 0) throw new UsageError("missing-operand", "missing file operand", { pointsToHelp: true });
  },

  async *run(invocation) {
    const { flags, operands, warn } = invocation;
    const { access, noCreate, date, modification, reference, stamp, time, ...others } = flags;
    allFlagsRead(others);
    const given = givenTimes(invocation, { date, reference, stamp });
    if (typeof given === "string") {
      warn(given);
      return 1;
    }
    const isSome = access || modification || time !== undefined;
    const attributes: EntryAttributes = {
      ...(!isSome || access || time === "access" ? { accessedNs: given.accessedNs } : {}),
      ...(!isSome || modification || time === "modification" ? { modifiedNs: given.modifiedNs } : {}),
    };
    const tree = new EditedTree(invocation, operands[0] ?? "");
    /** Canonical paths of the directories that have got their time so far. */
    const timed = new Set<string>();
    const setTimes = (name: string, kind: EntryKind): void => {
      tree.edits.setAttributes(name, attributes);
      if (attributes.modifiedNs !== undefined && kind === "directory") timed.add(tree.files.realPath(name));
    };
    const make = (name: string): void => {
      tree.edits.replace(name, [], given.isNow ? {} : attributes);
      // The new name changes the time of its directory, which may just have been set.
      const above = `${name.slice(0, name.lastIndexOf("/") + 1)}.`;
      if (timed.delete(tree.files.realPath(above))) tree.edits.setAttributes(above, { modifiedNs: "now" });
    };
    for (const operand of operands) {
      let doing = "cannot touch";
      tree.attempt(
        () => {
          if (operand === "-") return;
          const name = operand.replace(/(?<=[^/])\/+$/, "");
          const isOwn = tree.kind(name) === "symlink";
          const kind = isOwn ? tree.kind(name, { follow: true }) : tree.kind(name);
          if (kind !== undefined || name !== operand || noCreate) doing = "setting times of";
          if (name !== operand && kind !== "directory") throw new FileError(kind === undefined ? "ENOENT" : "ENOTDIR", operand);
          if (kind !== undefined) setTimes(isOwn ? realName(tree, name) : name, kind);
          else if (!noCreate) make(name);
        },
        ({ code, message }) => {
          if (noCreate && code === "ENOENT") return undefined;
          if (noCreate) doing = "setting times of";
          return `${doing} ${quoteAlways(operand)}: ${message}`;
        },
      );
    }
    yield* tree.end();
    return tree.failed ? 1 : 0;
  },
});

/** The name of the file that a symbolic link leads to. */
const realName = ({ files }: EditedTree, path: string): string => `${files.rootPath.replace(/\/$/, "")}/${files.realPath(path)}`;

interface GivenTimes {
  readonly accessedNs: bigint | "now";
  readonly modifiedNs: bigint | "now";
  readonly isNow: boolean;
}

/** The times to set; or the message for one that cannot be read. */
function givenTimes(
  { files, nowMs, timeZone }: Invocation,
  {
    date,
    reference,
    stamp,
  }: { readonly date: string | undefined; readonly reference: string | undefined; readonly stamp: string | undefined },
): GivenTimes | string {
  const nowNs = BigInt(Math.round(nowMs)) * 1_000_000n;
  const localTime = localTimes(timeZone);
  let base: { readonly accessedNs: bigint; readonly modifiedNs: bigint } | undefined;
  if (reference !== undefined) {
    try {
      base = files.status(reference);
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
      return `failed to get attributes of ${quoteAlways(reference)}: ${thrown.message}`;
    }
  }
  if (date !== undefined) {
    const read = (from: bigint): bigint | undefined => readDate(date, { nowNs: from, localTime });
    const modifiedNs = read(base?.modifiedNs ?? nowNs);
    const accessedNs = base === undefined ? modifiedNs : read(base.accessedNs);
    if (modifiedNs === undefined || accessedNs === undefined) return `invalid date format ${quoteCurly(date)}`;
    return { accessedNs, modifiedNs, isNow: false };
  }
  if (stamp !== undefined) {
    const parts = stampParts(stamp, Number(localTime(nowNs).year));
    const instant = parts && instantOf(parts, localTime);
    if (instant === undefined) return `invalid date format ${quoteCurly(stamp)}`;
    return { accessedNs: instant, modifiedNs: instant, isNow: false };
  }
  if (base !== undefined) return { accessedNs: base.accessedNs, modifiedNs: base.modifiedNs, isNow: false };
  return { accessedNs: "now", modifiedNs: "now", isNow: true };
}
