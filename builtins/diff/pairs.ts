/** Pairs of files and directories: what is compared with what, and what is said where nothing can be. */
import type { Invocation } from "../../src/builtin/definition.ts";
import { isStandardInput, openInput } from "../../src/builtin/inputs.ts";
import { LimitReached } from "../../src/io/limit-reached.ts";
import { asBuffer } from "../../src/io/lines.ts";
import { toBytes } from "../../src/io/text.ts";
import type { Glob } from "../../src/glob/glob-match.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import type { FileStatus } from "../../src/workspace/file-status.ts";
import { Report, type ReportedSide } from "./report.ts";
import type { DiffSettings } from "./settings.ts";

export interface PairSettings {
  readonly recursive: boolean;
  /** -N: what is missing is empty. */
  readonly newFile: boolean;
  /** Only a missing first file is empty. */
  readonly newFirstFile: boolean;
  readonly noDereference: boolean;
  readonly brief: boolean;
  readonly reportIdentical: boolean;
  readonly asText: boolean;
  readonly ignoreNameCase: boolean;
  readonly excludes: readonly Glob[];
  readonly startingFile: string | undefined;
  readonly diff: DiffSettings;
}

/** 0: the same, 1: different, 2: trouble. */
type Status = 0 | 1 | 2;
type Compared = AsyncGenerator<Uint8Array, Status>;

/** One side of a pair. */
type Side =
  | { readonly kind: "there"; readonly name: string; readonly status: FileStatus | undefined }
  | { readonly kind: "absent"; readonly name: string }
  | { readonly kind: "unreadable"; readonly name: string; readonly error: FileError };

type Surroundings = Pick<Invocation, "stdin" | "files" | "warn" | "limits" | "nowMs" | "timeZone">;

export class PairComparison {
  readonly #invocation: Surroundings;
  readonly #settings: PairSettings;
  readonly #report: Report;
  #stdinRead: Buffer | undefined;
  /** No further operands are to be compared. */
  hasGivenUp = false;

  constructor(invocation: Surroundings, settings: PairSettings, optionWords: readonly string[]) {
    this.#invocation = invocation;
    this.#settings = settings;
    this.#report = new Report(settings.diff, optionWords, invocation.timeZone);
  }

  /** Compares two operands. */
  async *operands(first: string, second: string): Compared {
    let sides: [Side, Side] = [this.#look(first), this.#look(second)];
    const [a, b] = sides;
    if (a.kind === "unreadable" && isMissing(a) && (this.#settings.newFile || this.#settings.newFirstFile) && b.kind === "there") {
      sides = [{ kind: "absent", name: first }, b];
    } else if (b.kind === "unreadable" && isMissing(b) && this.#settings.newFile && a.kind === "there") {
      sides = [a, { kind: "absent", name: second }];
    }
    const [left, right] = sides;
    if (left.kind === "there" && right.kind === "there" && isDirectory(left) !== isDirectory(right)) {
      const [file, directory] = isDirectory(left) ? [right, left] : [left, right];
      if (file.name === "-") {
        this.#invocation.warn("cannot compare '-' to a directory");
        this.hasGivenUp = true;
        return 2;
      }
      const inside = this.#look(joined(directory.name, lastName(file.name)));
      sides = isDirectory(left) ? [inside, right] : [left, inside];
    }
    return yield* this.#sides(sides[0], sides[1], undefined);
  }

  async *#sides(a: Side, b: Side, parent: Parent | undefined): Compared {
    let status: Status = 0;
    for (const side of [a, b]) {
      if (side.kind !== "unreadable") continue;
      this.#complain(side.name, side.error);
      status = 2;
    }
    if (status !== 0 || a.kind === "unreadable" || b.kind === "unreadable") return 2;
    status = yield* this.#readable(a, b, parent);
    if (status === 0 && this.#settings.reportIdentical && !isDirectory(a) && !isDirectory(b)) {
      yield toBytes(`Files ${this.#shown(a, 0)} and ${this.#shown(b, 1)} are identical\n`);
    }
    return status;
  }

  async *#readable(a: ReadableSide, b: ReadableSide, parent: Parent | undefined): Compared {
    const { recursive, newFile, newFirstFile, diff } = this.#settings;
    if (isSameFile(a, b) && diff.format !== "side-by-side" && diff.format !== "merged") return 0;
    if (isDirectory(a) && isDirectory(b)) {
      if (diff.format === "merged") {
        this.#invocation.warn("-D option not supported with directories");
        return 2;
      }
      if (parent === undefined || recursive) return yield* this.#directories(a, b, parent);
      yield toBytes(`Common subdirectories: ${a.name} and ${b.name}\n`);
      return 0;
    }
    const absent = a.kind === "absent" ? 0 : b.kind === "absent" ? 1 : undefined;
    if (isDirectory(a) || isDirectory(b) || (parent !== undefined && !(isPlain(a) && isPlain(b)))) {
      if (absent === undefined) return yield* this.#notCompared(a, b);
      if (parent === undefined || ((isDirectory(a) || isDirectory(b)) && recursive && (newFile || (newFirstFile && absent === 0)))) {
        return yield* this.#directories(a, b, parent);
      }
      const there = absent === 0 ? b : a;
      yield toBytes(`Only in ${parent.names[absent === 0 ? 1 : 0]}: ${lastName(there.name)}\n`);
      return 1;
    }
    if (isLink(a) && isLink(b)) return yield* this.#links(a, b);
    if (isLink(a) || isLink(b)) return yield* this.#notCompared(a, b);
    return yield* this.#files(a, b, parent !== undefined);
  }

  async *#links(a: ReadableSide, b: ReadableSide): Compared {
    const { files } = this.#invocation;
    try {
      if (files.readLink(a.name) === files.readLink(b.name)) return 0;
    } catch (thrown) {
      this.#complain(a.name, thrown);
      return 2;
    }
    yield toBytes(`Symbolic links ${a.name} and ${b.name} differ\n`);
    return 1;
  }

  async *#notCompared(a: ReadableSide, b: ReadableSide): Compared {
    yield toBytes(`File ${this.#shown(a, 0)} is a ${kindName(a)} while file ${this.#shown(b, 1)} is a ${kindName(b)}\n`);
    return 1;
  }

  async *#files(a: ReadableSide, b: ReadableSide, isInside: boolean): Compared {
    const { brief, asText, diff } = this.#settings;
    const contents: Buffer[] = [];
    const usesBytes = brief && diff.comparesBytes;
    if (usesBytes && sizesDiffer(a, b)) return yield* this.#differ(a, b, "Files");
    for (const side of [a, b]) {
      try {
        contents.push(await this.#contentOf(side));
      } catch (thrown) {
        this.#complain(side.name, thrown);
        return 2;
      }
    }
    const [old, now] = contents as [Buffer, Buffer];
    if (usesBytes || (!asText && (looksBinary(old, a) || looksBinary(now, b)))) {
      return old.equals(now) ? 0 : yield* this.#differ(a, b, brief ? "Files" : "Binary files");
    }
    const isQuiet = diff.format !== "side-by-side" && diff.format !== "merged";
    if (isQuiet && diff.comparesBytes && !diff.comparison.completesLines && old.equals(now)) return 0;
    const result = this.#report.compare(old, now);
    if (brief) {
      if (result.differs) yield* this.#differ(a, b, "Files");
    } else if (result.differs || !isQuiet) {
      yield* this.#report.print(result, [this.#described(a, 0), this.#described(b, 1)], isInside);
    }
    if (!diff.comparison.completesLines || !result.incomplete.includes(true)) return result.differs ? 1 : 0;
    for (const [which, isIncomplete] of result.incomplete.entries()) {
      const shown = which === 0 ? this.#shown(a, 0) : this.#shown(b, 1);
      if (isIncomplete) this.#invocation.warn(`${shown}: No newline at end of file\n`);
    }
    return 2;
  }

  async *#differ(a: ReadableSide, b: ReadableSide, what: string): Compared {
    yield toBytes(`${what} ${this.#shown(a, 0)} and ${this.#shown(b, 1)} differ\n`);
    return 1;
  }

  /** Two directories, or one with the place where the other is missing. */
  async *#directories(a: ReadableSide, b: ReadableSide, parent: Parent | undefined): Compared {
    const sides = [a, b] as const;
    const lists: (readonly string[])[] = [];
    for (const side of sides) {
      if (side.kind === "there" && loops(side, parent, side === a ? 0 : 1)) {
        this.#invocation.warn(`${side.name}: recursive directory loop`);
        return 2;
      }
      try {
        lists.push(side.kind === "absent" ? [] : this.#namesIn(side.name, parent === undefined));
      } catch (thrown) {
        this.#complain(side.name, thrown);
        return 2;
      }
    }
    const [left, right] = lists as [readonly string[], readonly string[]];
    const inside: Parent = {
      names: [a.name, b.name],
      statuses: [a.kind === "there" ? a.status : undefined, b.kind === "there" ? b.status : undefined],
      above: parent,
    };
    const { newFile, newFirstFile } = this.#settings;
    let worst: Status = 0;
    for (let i = 0, j = 0; i < left.length || j < right.length; ) {
      const [one, two] = [left[i], right[j]];
      const order = one === undefined ? 1 : two === undefined ? -1 : this.#compareNames(one, two);
      const name = order <= 0 ? (one as string) : (two as string);
      const other = order === 0 ? (two as string) : name;
      if (order <= 0) i++;
      if (order >= 0) j++;
      let status: Status;
      if (order !== 0 && !newFile && !(newFirstFile && order > 0)) {
        yield toBytes(`Only in ${(order < 0 ? a : b).name}: ${name}\n`);
        status = 1;
      } else {
        const [first, second] = [joined(a.name, name), joined(b.name, other)];
        status = yield* this.#sides(
          order > 0 ? { kind: "absent", name: first } : this.#look(first),
          order < 0 ? { kind: "absent", name: second } : this.#look(second),
          inside,
        );
      }
      if (status > worst) worst = status;
    }
    return worst;
  }

  #namesIn(directory: string, isTop: boolean): string[] {
    const open = this.#invocation.files.openDirectory(directory);
    const names: string[] = [];
    try {
      for (const { name } of open.entries()) if (!this.#settings.excludes.some((glob) => glob.matches(name))) names.push(name);
    } finally {
      open.close();
    }
    names.sort((one, two) => this.#compareNames(one, two) || compareBytes(one, two));
    const { startingFile } = this.#settings;
    return isTop && startingFile !== undefined ? names.filter((name) => this.#compareNames(name, startingFile) >= 0) : names;
  }

  #compareNames(one: string, two: string): number {
    if (!this.#settings.ignoreNameCase) return compareBytes(one, two);
    return compareBytes(lowered(one), lowered(two));
  }

  #look(name: string): Side {
    if (isStandardInput(name)) return { kind: "there", name, status: undefined };
    try {
      return { kind: "there", name, status: this.#invocation.files.status(name, { follow: !this.#settings.noDereference }) };
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
      return { kind: "unreadable", name, error: thrown };
    }
  }

  async #contentOf(side: ReadableSide): Promise<Buffer> {
    if (side.kind === "absent") return Buffer.alloc(0);
    if (side.status === undefined && this.#stdinRead !== undefined) return this.#stdinRead;
    const source = openInput(this.#invocation, side.name);
    const blocks: Buffer[] = [];
    let held = 0;
    const { heldBytes } = this.#invocation.limits;
    for await (const block of source) {
      held += block.length;
      // Both texts and what is known of their lines must fit.
      if (held > heldBytes / 2) throw new LimitReached("held", heldBytes, "bytes");
      blocks.push(Buffer.from(block));
    }
    const content = blocks.length === 1 ? asBuffer(blocks[0] as Buffer) : Buffer.concat(blocks, held);
    if (side.status === undefined) this.#stdinRead = content;
    return content;
  }

  #described(side: ReadableSide, which: 0 | 1): ReportedSide {
    const { labels } = this.#settings.diff;
    const now = BigInt(Math.floor(this.#invocation.nowMs)) * 1_000_000n;
    const modifiedNs = side.kind === "absent" ? 0n : (side.status?.modifiedNs ?? now);
    return { name: side.name, label: labels[which], modifiedNs };
  }

  #shown(side: ReadableSide, which: 0 | 1): string {
    return this.#settings.diff.labels[which] ?? side.name;
  }

  #complain(name: string, thrown: unknown): void {
    if (!(thrown instanceof FileError)) throw thrown;
    this.#invocation.warn(`${name}: ${thrown.message}`);
  }
}

type ReadableSide = Exclude<Side, { kind: "unreadable" }>;

interface Parent {
  readonly names: readonly [string, string];
  readonly statuses: readonly [FileStatus | undefined, FileStatus | undefined];
  readonly above: Parent | undefined;
}

const isMissing = (side: Side): boolean => side.kind === "unreadable" && side.error.code === "ENOENT";
const isDirectory = (side: Side): boolean => side.kind === "there" && side.status?.kind === "directory";
const isLink = (side: Side): boolean => side.kind === "there" && side.status?.kind === "symlink";
const isPlain = (side: Side): boolean =>
  side.kind === "absent" ||
  (side.kind === "there" && (side.status === undefined || side.status.kind === "file" || side.status.kind === "symlink"));

function isSameFile(a: ReadableSide, b: ReadableSide): boolean {
  if (a.kind === "absent" || b.kind === "absent") return false;
  if (a.status === undefined || b.status === undefined) return a.status === b.status;
  return a.status.inode === b.status.inode && a.status.device === b.status.device;
}

function sizesDiffer(a: ReadableSide, b: ReadableSide): boolean {
  if (a.kind === "absent" || b.kind === "absent") return false;
  if (a.status?.kind !== "file" || b.status?.kind !== "file") return false;
  return a.status.size !== b.status.size && a.status.size > 0 && b.status.size > 0;
}

/** A directory that is one of those above it, reached through a link. */
function loops(side: ReadableSide, parent: Parent | undefined, which: 0 | 1): boolean {
  if (side.kind === "absent" || side.status === undefined) return false;
  for (let above = parent; above !== undefined; above = above.above) {
    const status = above.statuses[which];
    if (status?.inode === side.status.inode && status.device === side.status.device) return true;
  }
  return false;
}

/** A NUL in the first block makes a file binary. */
function looksBinary(content: Buffer, side: ReadableSide): boolean {
  const block = side.kind === "there" ? (side.status?.ioBytes ?? PIPE_BLOCK_BYTES) : 0;
  return content.subarray(0, block).includes(0);
}

const PIPE_BLOCK_BYTES = 4096;

/** What gnulib's file_type() calls it. */
function kindName(side: ReadableSide): string {
  if (side.kind === "absent" || side.status === undefined) return "fifo";
  switch (side.status.kind) {
    case "file":
      return side.status.size === 0 ? "regular empty file" : "regular file";
    case "directory":
      return "directory";
    case "symlink":
      return "symbolic link";
    case "fifo":
      return "fifo";
    case "socket":
      return "socket";
    case "character-device":
      return "character special file";
    case "block-device":
      return "block special file";
  }
}

function joined(directory: string, name: string): string {
  return directory.endsWith("/") ? directory + name : `${directory}/${name}`;
}

function lastName(path: string): string {
  return path.replace(/\/+$/, "").replace(/^.*\//s, "") || "/";
}

const compareBytes = (one: string, two: string): number => Buffer.compare(toBytes(one), toBytes(two));
const lowered = (name: string): string => name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
