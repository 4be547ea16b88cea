/** mv: moves files and trees, recorded: the new place is written, the old one removed, as one change. */
import { defineBuiltin, type FlagTable } from "../../src/builtin/definition.ts";
import { EditedTree } from "../../src/builtin/edited-tree.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { quoteAlways } from "../../src/display/quote.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import type { FileStatus } from "../../src/workspace/file-status.ts";
import { copyLeaf, isNewer, isSame, isSameEntry, joined, leadsInto, namesIn } from "./copying.ts";
import { baseName, checkOperands, isReachable, transferEffects, transfersOf } from "./destination.ts";

const plain = (rest: readonly string[]): string => ["mv", ...rest].join(" ");
const BACKUP = "no second copy is needed: what is replaced is in the record";

const FLAGS = {
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
  force: { kind: "switch", short: "f", unread: true, overrides: ["noClobber"], help: "do not prompt before overwriting" },
  interactive: { kind: "refused", short: "i", help: "prompt before overwrite", reason: "nobody is there to answer", suggestion: plain },
  noClobber: { kind: "switch", short: "n", help: "do not overwrite an existing file" },
  stripTrailingSlashes: { kind: "switch", help: "remove any trailing slashes from each SOURCE argument" },
  suffix: { kind: "refused", short: "S", arg: "SUFFIX", help: "override the usual backup suffix", reason: BACKUP, suggestion: plain },
  targetDirectory: {
    kind: "value",
    short: "t",
    arg: "DIRECTORY",
    read: (text: string) => text,
    otherwise: undefined,
    help: "move all SOURCE arguments into DIRECTORY",
  },
  noTargetDirectory: { kind: "switch", short: "T", help: "treat DEST as a normal file" },
  update: { kind: "switch", short: "u", help: "move only when the SOURCE file is newer than the destination file or when it is missing" },
  verbose: { kind: "switch", short: "v", help: "explain what is being done" },
  context: {
    kind: "refused",
    short: "Z",
    help: "set the SELinux security context",
    reason: "security contexts cannot be set here",
    suggestion: plain,
  },
} as const satisfies FlagTable;

export const mv = defineBuiltin({
  name: "mv",
  summary: "Move or rename files and directories; recorded at the old place and at the new one.",
  standard: "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/mv.html",
  reference: "GNU coreutils 9.1",
  operands: { kind: "values" },
  writes: "tree",
  flags: FLAGS,
  examples: [
    { command: "mv -v old.txt new.txt", files: { "old.txt": "x\n" }, stdout: "renamed 'old.txt' -> 'new.txt'\n" },
    { command: "mkdir d && mv a b d && ls d", files: { a: "1", b: "2" }, stdout: "a\nb\n" },
  ],
  deviations: [
    {
      from: "GNU mv",
      what: "A file is written anew at its new place, with its mode and times, and removed at the old one; its other names (hard links) stay as they are.",
      why: "Both places have a record then, and each can be had back. All moves of a command are made together at the end, or none is.",
    },
    {
      from: "GNU mv",
      what: "A symbolic link that leads out of the workspace is refused as the destination; -T replaces it.",
      why: "It may lead to a directory, into which GNU mv would move.",
    },
    {
      from: "GNU mv",
      what: "A FIFO, a socket or a device, and a directory with one in it, is not moved.",
      why: "Only files, directories and symbolic links are recorded.",
    },
    {
      from: "GNU mv",
      what: "What the same command has moved a part of is not moved again: the line is refused (CONFLICT), or the source is named and left.",
      why: "All changes are made together at the end.",
    },
    {
      from: "GNU mv",
      what: "mv --strip-trailing-slashes FILE/ NEW moves the file.",
      why: "GNU mv 9.1 tries it with the slash first, and then says Not a directory.",
    },
    {
      from: "GNU mv",
      what: "A directory that is moved onto an empty one leaves the time of the directory above as it is.",
      why: "The empty one stays, and gets what was moved.",
    },
    {
      from: "GNU mv",
      what: "The words of the error about a file that is named with a slash after it (f/) may be others; -n is an error, too.",
      why: "It is one error in the place of another, and nothing is written in either case.",
    },
    {
      from: "GNU mv",
      what: "A source that is named twice, and that cannot be moved the first time, is told of twice.",
      why: "The second time it is tried again.",
    },
    {
      from: "GNU mv",
      what: "A directory that would go below a symbolic link to nothing is told of in other words.",
      why: "It is one error in the place of another.",
    },
    {
      from: "GNU mv",
      what: "Where the file system finds names in any case, a change of case alone (mv a A) is refused as the same file; mv a b && mv b A makes it.",
      why: "Both names would be changed at once, and are one: after a kill in its midst the record could not tell which is there.",
    },
    { from: "GNU mv", what: "Times are kept to the microsecond.", why: "Node sets no finer ones." },
    { from: "GNU mv", what: "-b, -i, -S and -Z are refused.", why: "Nobody is there to answer, and the record is the backup." },
    {
      from: "GNU mv",
      what: "More than 1 MiB is refused unless it was confirmed, and more than 10,000 names at once.",
      why: "All bytes go through the record.",
    },
  ],

  check: ({ flags, operands }) => checkOperands(flags, operands),

  effects: ({ flags, operands }) =>
    transferEffects(flags, operands, (path, operand) => ({ kind: "write", path, operand, change: "remove" })),

  async *run(invocation) {
    const { flags, operands } = invocation;
    const { noClobber, stripTrailingSlashes, targetDirectory, noTargetDirectory, update, verbose, ...others } = flags;
    allFlagsRead(others);
    const tree = new EditedTree(invocation, operands.at(-1) ?? "");
    const moving = new Moving(tree, { noClobber, update, verbose });
    for (const { source, target } of transfersOf(tree, { targetDirectory, noTargetDirectory, replacesLinks: true }, operands) ?? []) {
      moving.move(stripTrailingSlashes ? source.replace(/(?<=[^/])\/+$/, "") : source, target);
    }
    yield* tree.end();
    return tree.failed ? 1 : 0;
  },
});

interface MoveOptions {
  readonly noClobber: boolean;
  readonly update: boolean;
  readonly verbose: boolean;
}

class Moving {
  readonly #tree: EditedTree;
  readonly #options: MoveOptions;
  /** What was put in its place so far, and whether it holds nothing. */
  readonly #made = new Map<string, boolean>();

  constructor(tree: EditedTree, options: MoveOptions) {
    this.#tree = tree;
    this.#options = options;
  }

  /** Moves one operand. Errors are told. */
  move(source: string, target: string): void {
    const tree = this.#tree;
    if (source === target && this.#made.has(source)) {
      return tree.fail(`${quoteAlways(source)} and ${quoteAlways(target)} are the same file`);
    }
    let status: FileStatus | undefined;
    tree.attempt(
      () => {
        if (tree.isPending(source)) throw this.#pendingError(source);
        status = tree.files.status(source, { follow: false });
      },
      ({ message }) => `cannot stat ${quoteAlways(source)}: ${message}`,
    );
    const found = status;
    if (found === undefined || !isReachable(tree, target)) return;
    const shown = `cannot move ${quoteAlways(source)} to ${quoteAlways(target)}`;
    tree.attempt(
      () => this.#move(source, target, found, shown),
      ({ message }) => `${shown}: ${message}`,
    );
  }

  /** Error for a source that this command has moved away, or has put where it is. */
  #pendingError(source: string): FileError {
    if (this.#tree.kind(source) === undefined) return new FileError("ENOENT", source);
    return new FileError("CONFLICT", source, "One command cannot move what it has itself changed");
  }

  #move(source: string, target: string, status: FileStatus, shown: string): void {
    const tree = this.#tree;
    const { noClobber, update, verbose } = this.#options;
    const isDirectory = status.kind === "directory";
    const name = source.replace(/(?<=[^/])\/+$/, "");
    if (/^\.\.?$/.test(baseName(source))) throw new FileError("EBUSY", source);
    if (name !== source && tree.files.status(name, { follow: false }).kind === "symlink") throw new FileError("ENOTDIR", source);
    const bare = target.replace(/(?<=[^/])\/+$/, "");
    const there = tree.kind(bare);
    if (bare !== target && !isDirectory && there !== "directory") throw new FileError("ENOTDIR", target);
    if (there !== undefined) {
      if (noClobber) return;
      // Of two names of one file, or one name twice, none goes.
      const isOwnTarget = status.kind === "symlink" && there !== "symlink" && isSame(tree, source, target);
      if (isOwnTarget || isSameEntry(tree, name, bare))
        return tree.fail(`${quoteAlways(source)} and ${quoteAlways(target)} are the same file`);
      if (update && !isDirectory && !isNewer(tree, status, bare)) return;
      if (!isDirectory && there === "directory" && !isSame(tree, source, target)) {
        return tree.fail(`cannot overwrite directory ${quoteAlways(target)} with non-directory`);
      }
      if (isDirectory && there !== "directory") {
        return tree.fail(`cannot overwrite non-directory ${quoteAlways(target)} with directory ${quoteAlways(source)}`);
      }
      if (!isDirectory && this.#made.has(bare)) {
        return tree.fail(`will not overwrite just-created ${quoteAlways(target)} with ${quoteAlways(source)}`);
      }
    }
    if (isDirectory && leadsInto(tree, source, target)) {
      return tree.fail(`cannot move ${quoteAlways(source)} to a subdirectory of itself, ${quoteAlways(target)}`);
    }
    if (there === "directory" && !this.#isEmpty(bare)) return tree.fail(`${shown}: Directory not empty`);
    // Everything is looked at before anything is asked for: half of a tree must not be moved.
    const entries = [...this.#entries(name, bare, status)];
    if (there === "symlink") tree.edits.remove(bare);
    for (const entry of entries) this.#put(entry, there === "directory" && entry.target === bare);
    for (const { from, status: each } of entries.reverse()) {
      if (each.kind === "directory") tree.edits.removeDirectory(from);
      else tree.edits.remove(from, { isMoved: true });
    }
    this.#made.set(bare, entries.length === 1);
    if (verbose) tree.tell(`renamed ${quoteAlways(source)} -> ${quoteAlways(target)}`);
  }

  *#entries(from: string, target: string, status: FileStatus): Generator<MovedEntry, void> {
    if (status.kind !== "directory" && status.kind !== "file" && status.kind !== "symlink") throw new FileError("NOT_REGULAR_FILE", from);
    yield { from, target, status };
    if (status.kind !== "directory") return;
    for (const name of namesIn(this.#tree, from)) {
      const path = joined(from, name);
      if (this.#tree.isPending(path)) throw new FileError("CONFLICT", path, "One command cannot move what it has itself changed");
      yield* this.#entries(path, joined(target, name), this.#tree.files.status(path, { follow: false }));
    }
  }

  /** True if the directory holds nothing, as the changes so far leave it. */
  #isEmpty(path: string): boolean {
    return this.#made.get(path) ?? namesIn(this.#tree, path).every((name) => this.#tree.kind(joined(path, name)) === undefined);
  }

  #put({ from, target, status }: MovedEntry, isThere: boolean): void {
    const { permissions: mode, modifiedNs, accessedNs } = status;
    const attributes = { mode, modifiedNs, accessedNs };
    if (status.kind !== "directory") copyLeaf(this.#tree, from, target, status, attributes);
    else if (isThere) this.#tree.edits.setAttributes(target, attributes);
    else this.#tree.edits.makeDirectory(target, attributes);
  }
}

interface MovedEntry {
  readonly from: string;
  readonly target: string;
  readonly status: FileStatus;
}
