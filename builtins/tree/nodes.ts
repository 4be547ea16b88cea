/** One directory of tree as a sorted list of what is shown of it. Statuses are asked for where something needs them. */
import type { FlagValues } from "../../src/builtin/definition.ts";
import { compareNames } from "../../src/walk/traversal-order.ts";
import type { Files, OpenDirectory } from "../../src/workspace/contract.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import type { DirectoryEntry, FileKind, FileStatus } from "../../src/workspace/file-status.ts";
import type { flags } from "./flags.ts";
import { isIgnored, type IgnoreFile } from "./ignore-files.ts";
import { compileTreePattern, type TreePattern } from "./pattern.ts";

export interface TreeNode {
  readonly name: string;
  readonly kind: FileKind;
  /** A directory, or a link to one. */
  readonly isDirectory: boolean;
  /** The text of a link. */
  readonly link: string | undefined;
  /** lstat, where it is needed. */
  readonly status: FileStatus | undefined;
  /** What a link points to, where that is needed and exists. */
  readonly target: FileStatus | undefined;
  /** Bytes: with --du of all that is below too. */
  size: number;
  /** Set where the whole tree is read before it is shown; undefined for an empty directory. */
  children: readonly TreeNode[] | undefined;
  error: string | undefined;
}

type Values = FlagValues<typeof flags>;
type Order = (a: TreeNode, b: TreeNode) => number;

export class NodeReader {
  readonly #values: Values;
  readonly #includes: readonly TreePattern[];
  readonly #excludes: readonly TreePattern[];
  readonly #order: Order | undefined;
  readonly needsStatus: boolean;

  /** `sort` is the last of the flags that choose an order. */
  constructor(values: Values, sort: string) {
    this.#values = values;
    this.#includes = values.pattern.map((pattern) => compileTreePattern(pattern, values.ignoreCase));
    this.#excludes = values.ignore.map((pattern) => compileTreePattern(pattern, values.ignoreCase));
    this.#order = orderOf(values, sort);
    this.needsStatus =
      ["size", "mtime", "ctime"].includes(sort) ||
      [values.permissions, values.user, values.group, values.size, values.human, values.si, values.du, values.date].includes(true) ||
      [values.classify, values.inodes, values.device, values.oneFileSystem, values.follow].includes(true) ||
      values.timefmt !== undefined;
  }

  /** Whether a directory's name matches -P, so that --matchdirs shows all that is in it. */
  includesDirectory(name: string): boolean {
    return this.#includes.some((pattern) => pattern.matches(name, true));
  }

  /** `path` is the directory as it is shown, with a slash at the end. Throws FileError. */
  read(directory: OpenDirectory, path: string, ignored: IgnoreFile | undefined, allIncluded: boolean): TreeNode[] {
    const nodes: TreeNode[] = [];
    for (const entry of directory.list("kernel")) {
      if (!this.#values.all && entry.name.startsWith(".")) continue;
      const node = this.#node(directory, entry, path, ignored, allIncluded);
      if (node !== undefined) nodes.push(node);
    }
    return nodes;
  }

  sort(nodes: TreeNode[]): TreeNode[] {
    return this.#order === undefined ? nodes : nodes.sort(this.#order);
  }

  /** undefined for what is not shown. */
  #node(
    directory: OpenDirectory,
    { name, kind: known }: DirectoryEntry,
    path: string,
    ignored: IgnoreFile | undefined,
    allIncluded: boolean,
  ): TreeNode | undefined {
    const { directories, follow } = this.#values;
    let status: FileStatus | undefined;
    let target: FileStatus | undefined;
    try {
      if (known === undefined || this.needsStatus) status = directory.statusOf(name);
      if ((status?.kind ?? known) === "symlink") target = existing(() => directory.statusOf(name, { follow: true }));
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
      return undefined;
    }
    const kind = status?.kind ?? known ?? "file";
    const isDirectory = kind === "directory" || target?.kind === "directory";
    if (isIgnored(ignored, path + name, name, isDirectory)) return undefined;
    if (kind !== "directory" && !(follow && isDirectory) && this.#includes.length > 0 && !allIncluded) {
      if (!this.#includes.some((pattern) => pattern.matches(name, isDirectory))) return undefined;
    }
    if (this.#excludes.some((pattern) => pattern.matches(name, isDirectory))) return undefined;
    if (directories && !isDirectory) return undefined;
    const link = kind === "symlink" ? existing(() => directory.readLinkOf(name)) : undefined;
    return { name, kind, isDirectory, link, status, target, size: status?.size ?? 0, children: undefined, error: undefined };
  }
}

function existing<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    return undefined;
  }
}

function orderOf({ reverse, dirsfirst, filesfirst }: Values, sort: string): Order | undefined {
  if (sort === "none") return undefined;
  const byName: Order = (a, b) => compareNames(a.name, b.name);
  const keyed: Record<string, Order> = {
    name: byName,
    version: (a, b) => compareVersions(a.name, b.name),
    size: (a, b) => b.size - a.size || byName(a, b),
    mtime: (a, b) => Number(seconds(a.status?.modifiedNs) - seconds(b.status?.modifiedNs)) || byName(a, b),
    ctime: (a, b) => Number(seconds(a.status?.changedNs) - seconds(b.status?.changedNs)) || byName(a, b),
  };
  const base = keyed[sort] ?? byName;
  const directed: Order = reverse ? (a, b) => base(b, a) : base;
  if (!dirsfirst && !filesfirst) return directed;
  const sign = dirsfirst ? -1 : 1;
  return (a, b) => (Number(a.isDirectory) - Number(b.isDirectory)) * sign || directed(a, b);
}

const seconds = (ns: bigint | undefined): bigint => (ns ?? 0n) / 1_000_000_000n;

/** strverscmp(3): runs of digits by value; one with zeros in front is a fraction. */
function compareVersions(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  if (at === a.length && at === b.length) return 0;
  let start = at;
  while (start > 0 && isDigit(a[start - 1])) start--;
  const [left, right] = [digitsFrom(a, start), digitsFrom(b, start)];
  const inDigits = at > start || (isDigit(a[at]) && isDigit(b[at]));
  if (!inDigits || left === "" || right === "") return compareNames(a.slice(at), b.slice(at));
  const [zeros, otherZeros] = [left.length > 1 && left.startsWith("0"), right.length > 1 && right.startsWith("0")];
  if (zeros || otherZeros || left.startsWith("0") !== right.startsWith("0")) {
    const [leading, otherLeading] = [zerosOf(left), zerosOf(right)];
    if (leading !== otherLeading) return otherLeading - leading;
    return compareNames(a.slice(at), b.slice(at));
  }
  return left.length - right.length || compareNames(a.slice(at), b.slice(at));
}

const isDigit = (character: string | undefined): boolean => character !== undefined && character >= "0" && character <= "9";
const digitsFrom = (text: string, at: number): string => /^[0-9]*/.exec(text.slice(at))?.[0] ?? "";
const zerosOf = (digits: string): number => /^0*/.exec(digits)?.[0].length ?? 0;

/** Opens directories below one another; few are held open at a time, the others are opened again by their paths. */
export class HeldPath {
  readonly #files: Files;
  readonly #held: { readonly path: string; directory: OpenDirectory | undefined }[] = [];

  constructor(files: Files) {
    this.#files = files;
  }

  /** Opens `name` below the directory entered last, or the starting point `path`. Throws FileError. */
  enter(path: string, name: string | undefined, follow: boolean): OpenDirectory {
    const top = this.#held.at(-1);
    let directory: OpenDirectory;
    if (top === undefined || name === undefined) directory = this.#files.openDirectory(path);
    else {
      top.directory ??= this.#files.openDirectory(top.path);
      directory = top.directory.openDirectory(name, { follow });
    }
    this.#held.push({ path, directory });
    this.#release(this.#held.length - 1 - MOST_HELD);
    return directory;
  }

  /** The directories of `nodes` are entered next, from the directory entered last. */
  expect(nodes: readonly TreeNode[], withStatus: boolean): void {
    const expected = nodes.filter(({ kind }) => kind === "directory").slice(0, MOST_EXPECTED);
    if (expected.length < 2) return;
    this.#held.at(-1)?.directory?.expect(
      expected.map(({ name }) => ({ name, what: "entries" })),
      { order: "kernel", withStatus },
    );
  }

  leave(): void {
    this.#release(this.#held.length - 1);
    this.#held.pop();
  }

  close(): void {
    while (this.#held.length > 0) this.leave();
  }

  #release(index: number): void {
    const held = this.#held[index];
    held?.directory?.close();
    if (held !== undefined) held.directory = undefined;
  }
}

const MOST_HELD = 100;
/** Directories of one that are read before the walk comes to them (src/workspace/ahead/look-ahead.ts). */
const MOST_EXPECTED = 64;
