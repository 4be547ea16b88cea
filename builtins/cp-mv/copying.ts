/** Copies of files, links and trees, for cp and mv: each is asked of the edits of the stage. */
import type { EditedTree } from "../../src/builtin/edited-tree.ts";
import type { EntryAttributes } from "../../src/builtin/recorder.ts";
import { quoteAlways } from "../../src/display/quote.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import type { FileStatus } from "../../src/workspace/file-status.ts";
import { isReachable } from "./destination.ts";

export interface CopyOptions {
  readonly recursive: boolean;
  /** Symbolic links that are followed: those among the operands, all, or none. */
  readonly follow: "operands" | "all" | "none";
  readonly keepsMode: boolean;
  readonly keepsTimes: boolean;
  /** Hard links would be kept by the real cp, which then removes what has other names before it writes: it says so, and so do we. */
  readonly keepsLinks: boolean;
  readonly noClobber: boolean;
  readonly update: boolean;
  readonly removesFirst: boolean;
  readonly verbose: boolean;
}

export class Copying {
  readonly #tree: EditedTree;
  readonly #options: CopyOptions;
  /** Source of each entry that was made, by the path as typed. */
  readonly #made = new Map<string, string>();

  constructor(tree: EditedTree, options: CopyOptions) {
    this.#tree = tree;
    this.#options = options;
  }

  /** Copies one operand. Errors are told. */
  copy(source: string, target: string): void {
    const tree = this.#tree;
    let status: FileStatus | undefined;
    const isThere = tree.attempt(
      () => {
        status = this.#status(source, true);
      },
      ({ message }) => `cannot stat ${quoteAlways(source)}: ${message}`,
    );
    if (!isThere || status === undefined) return;
    if (status.kind === "directory") {
      if (!this.#options.recursive) return tree.fail(`-r not specified; omitting directory ${quoteAlways(source)}`);
      if (isSame(tree, source, target))
        return this.#options.noClobber ? undefined : tree.fail(`${quoteAlways(source)} and ${quoteAlways(target)} are the same file`);
      const there = isReachable(tree, target) ? targetKind(tree, target) : "nothing";
      if (there === "nothing") return;
      if (
        (there === undefined || there === "directory" || (there === "symlink" && target.endsWith("/"))) &&
        leadsInto(tree, source, target)
      ) {
        return tree.fail(`cannot copy a directory, ${quoteAlways(source)}, into itself, ${quoteAlways(target)}`);
      }
    }
    if (isReachable(tree, target)) this.#entry(source, target, status);
  }

  #status(path: string, isOperand: boolean): FileStatus {
    const { follow } = this.#options;
    if (this.#tree.isPending(path)) throw new FileError("CONFLICT", path, "One command cannot copy what it has itself changed");
    return this.#tree.files.status(path, { follow: follow === "all" || (follow === "operands" && isOperand) });
  }

  #entry(source: string, target: string, status: FileStatus): void {
    const tree = this.#tree;
    if (status.kind === "directory") return this.#directory(source, target, status);
    const doing = status.kind === "symlink" ? "cannot create symbolic link" : "cannot create regular file";
    tree.attempt(
      () => this.#leaf(source, target, status),
      ({ path, message }) =>
        path === source ? `cannot open ${quoteAlways(source)} for reading: ${message}` : `${doing} ${quoteAlways(target)}: ${message}`,
    );
  }

  #leaf(source: string, target: string, status: FileStatus): void {
    const { noClobber, update, removesFirst, keepsLinks, verbose } = this.#options;
    const tree = this.#tree;
    const there = targetKind(tree, target);
    if (there !== undefined) {
      const isFollowed = there === "symlink" && status.kind !== "symlink" && !removesFirst;
      const reached = isFollowed ? tree.kind(target, { follow: true }) : there;
      if (noClobber && reached !== undefined) return;
      const isReplaced = removesFirst && there === "symlink";
      if (!isReplaced && (isSame(tree, source, target) || (status.kind === "symlink" && isSameEntry(tree, source, target))))
        return tree.fail(`${quoteAlways(source)} and ${quoteAlways(target)} are the same file`);
      if (update && reached !== undefined && !tree.isPending(target) && !isNewer(tree, status, target, { follow: isFollowed })) return;
      if (reached === "directory") return tree.fail(`cannot overwrite directory ${quoteAlways(target)} with non-directory`);
      const earlier = this.#made.get(target);
      if (earlier !== undefined) return this.#again(source, target, earlier, isFollowed);
      if (reached === undefined) {
        if (verbose) tree.tell(`${quoteAlways(source)} -> ${quoteAlways(target)}`);
        return tree.fail(`not writing through dangling symlink ${quoteAlways(target)}`);
      }
      if (removesFirst) tree.edits.remove(target);
      if (verbose && (removesFirst || status.kind === "symlink" || (keepsLinks && hasOtherNames(tree, target))))
        tree.tell(`removed ${quoteAlways(target)}`);
    } else if (target.endsWith("/")) throw new FileError("ENOTDIR", target);
    // As it is begun: cp -v tells of a copy that fails, too.
    if (verbose) tree.tell(`${quoteAlways(source)} -> ${quoteAlways(target)}`);
    copyLeaf(tree, source, target, status, attributesOf(status, this.#options));
    this.#made.set(target, source);
  }

  #again(source: string, target: string, earlier: string, isFollowed: boolean): void {
    if (!isSameEntry(this.#tree, source, earlier)) {
      if (isFollowed) return this.#tree.fail(`will not copy ${quoteAlways(source)} through just-created symlink ${quoteAlways(target)}`);
      return this.#tree.fail(`will not overwrite just-created ${quoteAlways(target)} with ${quoteAlways(source)}`);
    }
    this.#tree.warn(`warning: source file ${quoteAlways(source)} specified more than once`);
  }

  #directory(source: string, target: string, status: FileStatus): void {
    const tree = this.#tree;
    const isReady = tree.attempt(
      () => this.#makeDirectory(source, target, status),
      ({ message }) => `cannot create directory ${quoteAlways(target)}: ${message}`,
    );
    if (!isReady || this.#refused.has(target)) return;
    for (const name of namesIn(tree, source)) {
      const from = joined(source, name);
      let found: FileStatus | undefined;
      const isThere = tree.attempt(
        () => {
          found = this.#status(from, false);
        },
        ({ message }) => `cannot stat ${quoteAlways(from)}: ${message}`,
      );
      if (isThere && found !== undefined) this.#entry(from, joined(target, name), found);
    }
  }

  /** Targets into which nothing is copied. */
  readonly #refused = new Set<string>();

  #makeDirectory(source: string, target: string, status: FileStatus): void {
    const tree = this.#tree;
    const there = targetKind(tree, target);
    const earlier = this.#made.get(target);
    if (earlier !== undefined && earlier === source) {
      this.#refused.add(target);
      return tree.warn(`warning: source directory ${quoteAlways(source)} specified more than once`);
    }
    const isLinked = there === "symlink" && target.endsWith("/") && leadsToDirectory(tree, target);
    if (there === "directory" || isLinked) {
      const { keepsMode, keepsTimes } = this.#options;
      if (keepsMode || keepsTimes) tree.edits.setAttributes(isLinked ? `${target}.` : target, attributesOf(status, this.#options));
      return;
    }
    if (there !== undefined) {
      this.#refused.add(target);
      return tree.fail(`cannot overwrite non-directory ${quoteAlways(target)} with directory ${quoteAlways(source)}`);
    }
    tree.edits.makeDirectory(target, attributesOf(status, this.#options));
    this.#made.set(target, source);
    if (this.#options.verbose) tree.tell(`${quoteAlways(source)} -> ${quoteAlways(target)}`);
  }
}

/** Copies a file or a symbolic link. Throws FileError, whose path is `source` where that could not be read. */
export function copyLeaf(tree: EditedTree, source: string, target: string, { kind }: FileStatus, attributes: EntryAttributes): void {
  const { files, edits } = tree;
  if (kind === "symlink") return edits.link(target, files.readLink(source), source);
  const file = files.open(source);
  try {
    edits.replace(target, file.blocks(), attributes);
  } finally {
    file.close();
  }
}

function attributesOf({ kind, permissions, modifiedNs, accessedNs }: FileStatus, { keepsMode, keepsTimes }: CopyOptions): EntryAttributes {
  const creation = permissions & (kind === "directory" ? 0o1777 : 0o777);
  // An access control list, by which GNU cp keeps a mode, has no set-group-ID bit.
  const kept = kind === "directory" ? { mode: permissions, inheritsGroup: true } : { mode: permissions };
  return { ...(keepsMode ? kept : { creation }), ...(keepsTimes ? { modifiedNs, accessedNs } : {}) };
}

/** Kind of what is at the target; nothing where a directory above is missing. */
function targetKind(tree: EditedTree, target: string): string | undefined {
  return tree.kind(target.replace(/(?<=[^/])\/+$/, ""));
}

const leadsToDirectory = (tree: EditedTree, path: string): boolean => tree.kind(path, { follow: true }) === "directory";

/** True if both are one file, links followed. */
export function isSame(tree: EditedTree, source: string, target: string): boolean {
  if (tree.isPending(target)) return false;
  try {
    const [one, other] = [tree.files.status(source), tree.files.status(target)];
    return one.inode === other.inode && one.device === other.device;
  } catch (thrown) {
    if (thrown instanceof FileError) return false;
    throw thrown;
  }
}

/** True if both are names of one file, or one name; links are not followed. */
export function isSameEntry(tree: EditedTree, source: string, target: string): boolean {
  if (tree.isPending(target)) return false;
  const [one, other] = [tree.files.status(source, { follow: false }), tree.files.status(target, { follow: false })];
  return one.inode === other.inode && one.device === other.device;
}

const hasOtherNames = (tree: EditedTree, target: string): boolean =>
  !tree.isPending(target) && tree.files.status(target, { follow: false }).links > 1;

export const isNewer = (tree: EditedTree, { modifiedNs }: FileStatus, target: string, { follow = false } = {}): boolean =>
  modifiedNs > tree.files.status(target, { follow }).modifiedNs;

/** True if the target would lie in the source, or be it. */
export function leadsInto(tree: EditedTree, source: string, target: string): boolean {
  const { files } = tree;
  const real = files.realPath(source);
  let above = target.replace(/\/+$/, "");
  for (;;) {
    try {
      const found = files.realPath(above === "" ? "/" : above);
      return real === "" || found === real || found.startsWith(`${real}/`);
    } catch (thrown) {
      if (!(thrown instanceof FileError) || thrown.code !== "ENOENT" || above === ".") return false;
    }
    const slash = above.lastIndexOf("/");
    above = slash < 0 ? "." : above.slice(0, slash);
  }
}

/** Names in a directory, in the order of their inodes as cp copies them. */
export function namesIn({ files }: EditedTree, path: string): readonly string[] {
  const directory = files.openDirectory(path);
  try {
    return directory
      .list("kernel")
      .map(({ name }) => ({ name, inode: directory.statusOf(name, { follow: false }).inode }))
      .sort((a, b) => (a.inode < b.inode ? -1 : a.inode > b.inode ? 1 : 0))
      .map(({ name }) => name);
  } finally {
    directory.close();
  }
}

export const joined = (directory: string, name: string): string => (directory.endsWith("/") ? directory + name : `${directory}/${name}`);
