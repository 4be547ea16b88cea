/** fd's tests of a file besides its name: type, owner, size, time. The cheapest comes first. */
import type { FlagValues } from "../../src/builtin/definition.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import { localTimes } from "../../src/dates/date-format.ts";
import type { TreeFile } from "../../src/walk/tree-file.ts";
import type { Files } from "../../src/workspace/contract.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import type { FileKind, FileStatus } from "../../src/workspace/file-status.ts";
import { FdError } from "./fd-error.ts";
import type { flags } from "./flags.ts";
import { isWithin } from "./size.ts";
import { readTimeLimit } from "./time-limit.ts";

export type FileTest = (file: TreeFile) => boolean;

export interface FilterContext {
  readonly files: Files;
  readonly nowMs: number;
  readonly timeZone: string;
  /** What `ownerTest` gave. */
  readonly owner: readonly FileTest[];
}

export type Filters = Pick<FlagValues<typeof flags>, "extension" | "type" | "size" | "changedWithin" | "changedBefore">;

/** All must hold. Throws FdError and UsageError. */
export function fileTests(filters: Filters, context: FilterContext): readonly FileTest[] {
  const { extension, type, size, changedWithin, changedBefore } = filters;
  return [
    ...(extension.length > 0 ? [extensionTest(extension)] : []),
    ...(type.length > 0 ? [typeTest(type, context.files)] : []),
    ...context.owner,
    ...(size.length > 0 ? [sizeTest(size)] : []),
    ...timeTests([changedWithin, changedBefore], context),
  ];
}

function extensionTest(extensions: readonly string[]): FileTest {
  const ends = extensions.map((extension) => `.${extension.replace(/^\.+/, "").toLowerCase()}`);
  return ({ name }) => {
    const lower = name.toLowerCase();
    return ends.some((end) => lower.length > end.length && lower.endsWith(end));
  };
}

const KINDS: Readonly<Record<string, FileKind>> = {
  file: "file",
  directory: "directory",
  symlink: "symlink",
  socket: "socket",
  pipe: "fifo",
  "block-device": "block-device",
  "char-device": "character-device",
};

function typeTest(types: Filters["type"], files: Files): FileTest {
  const kinds = new Set(types.flatMap((type) => KINDS[type] ?? []));
  const executable = types.includes("executable");
  const empty = types.includes("empty");
  if (executable) kinds.add("file");
  if (empty && !kinds.has("file") && !kinds.has("directory")) {
    kinds.add("file");
    kinds.add("directory");
  }
  return (file) => {
    if (file.kind === undefined || !kinds.has(file.kind)) return false;
    if (executable && !attempt(false, () => files.access(file.path, "execute"))) return false;
    return !empty || isEmpty(file);
  };
}

function isEmpty(file: TreeFile): boolean {
  if (file.kind === "file") return statusOf(file)?.size === 0;
  if (file.kind !== "directory") return false;
  return attempt(false, () => {
    const directory = file.openDirectory();
    try {
      return directory.entries().next().done === true;
    } finally {
      directory.close();
    }
  });
}

function sizeTest(limits: Filters["size"]): FileTest {
  return (file) => {
    const isFile = file.kind === "file" || (file.kind === "symlink" && attempt(false, () => file.targetStatus.kind === "file"));
    const size = isFile ? statusOf(file)?.size : undefined;
    return size !== undefined && limits.every((limit) => isWithin(limit, size));
  };
}

function timeTests(typed: readonly (string | undefined)[], { nowMs, timeZone }: FilterContext): readonly FileTest[] {
  const localTime = localTimes(timeZone);
  const [after, before] = typed.map((text) => {
    if (text === undefined) return undefined;
    const limit = readTimeLimit(text, BigInt(Math.trunc(nowMs)) * 1_000_000n, localTime);
    if (limit === undefined) throw new FdError(`'${text}' is not a valid date or duration. See 'fd --help'.`);
    return limit;
  });
  if (after === undefined && before === undefined) return [];
  return [
    (file) => {
      const modified = statusOf(file)?.modifiedNs;
      if (modified === undefined) return false;
      return (after === undefined || modified > after) && (before === undefined || modified < before);
    },
  ];
}

/** Ids of accounts are looked for up to here: as far as account files of today go. */
const MOST_IDS = 1 << 16;

/** Nobody in particular: no test at all. */
export function ownerTest(typed: string, files: Files): readonly FileTest[] {
  const invalid = (reason: string): UsageError =>
    new UsageError("bad-value", `invalid value '${typed}' for '--owner <user:group>': ${reason}`, { subject: typed });
  const sides = typed.split(":");
  if (sides.length > 2) throw invalid(`more than one ':' present in owner string '${typed}'. See 'fd --help'.`);
  const side = (
    text: string | undefined,
    what: "user" | "group",
    nameOf: (id: number) => string | undefined,
    actual: (status: FileStatus) => number,
  ): ((status: FileStatus) => boolean) | undefined => {
    const negated = text?.startsWith("!") === true;
    const name = negated ? text?.slice(1) : text;
    if (name === undefined || name === "") return undefined;
    let id = /^\+?[0-9]{1,10}$/.test(name) && Number(name) <= 0xffffffff ? Number(name) : undefined;
    for (let candidate = 0; id === undefined && candidate < MOST_IDS; candidate++) if (nameOf(candidate) === name) id = candidate;
    if (id === undefined) throw invalid(`'${name}' is not a recognized ${what} name`);
    return (status) => (actual(status) === id) !== negated;
  };
  const user = side(
    sides[0],
    "user",
    (id) => files.userName(id),
    (status) => status.userId,
  );
  const group = side(
    sides[1],
    "group",
    (id) => files.groupName(id),
    (status) => status.groupId,
  );
  if (user === undefined && group === undefined) return [];
  return [
    (file) => {
      const status = statusOf(file);
      return status !== undefined && (user === undefined || user(status)) && (group === undefined || group(status));
    },
  ];
}

/** A file whose status cannot be had meets no test of it. */
function statusOf(file: TreeFile): FileStatus | undefined {
  return attempt(undefined, () => file.status);
}

function attempt<T>(otherwise: T, action: () => T): T {
  try {
    return action();
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    return otherwise;
  }
}
