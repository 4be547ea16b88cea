/** rm: removes files, recorded with their bytes, so that they can be had back. */
import { defineBuiltin, type FlagTable, type Invocation } from "../../src/builtin/definition.ts";
import { EditedTree } from "../../src/builtin/edited-tree.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import { showName } from "../../src/display/visible.ts";
import { quoteAlways, quoteWord } from "../../src/display/quote.ts";
import { WriteRefused } from "../../src/builtin/write-refused.ts";
import { FileError } from "../../src/workspace/file-error.ts";

const NOBODY = "rm would ask before it removes, and nobody is there to answer; what is removed can be had back";

const FLAGS = {
  force: { kind: "switch", short: "f", help: "ignore nonexistent files and arguments, never prompt" },
  prompt: { kind: "refused", short: "i", long: false, help: "prompt before every removal", reason: NOBODY, suggestion: withoutFlag },
  promptOnce: {
    kind: "refused",
    short: "I",
    long: false,
    help: "prompt once before removing more than three files, or when removing recursively",
    reason: NOBODY,
    suggestion: withoutFlag,
  },
  interactive: {
    kind: "refused",
    arg: "WHEN",
    argOptional: true,
    help: "prompt according to WHEN: never, once (-I), or always (-i)",
    reason: NOBODY,
    suggestion: withoutFlag,
  },
  oneFileSystem: {
    kind: "switch",
    unread: true,
    help: "no effect: there is no other file system here",
  },
  noPreserveRoot: { kind: "switch", unread: true, overrides: ["preserveRoot"], help: "no effect: the root is never removed" },
  preserveRoot: { kind: "switch", unread: true, help: "no effect: the root is never removed" },
  recursive: { kind: "switch", short: "rR", help: "remove directories and their contents recursively" },
  dir: { kind: "switch", short: "d", help: "remove empty directories" },
  verbose: { kind: "switch", short: "v", help: "explain what is being done" },
} as const satisfies FlagTable;

function withoutFlag(rest: readonly string[]): string {
  return ["rm", ...rest].join(" ");
}

export const rm = defineBuiltin({
  name: "rm",
  summary: "Remove files and directories; what was there is recorded and can be restored.",
  standard: "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/rm.html",
  reference: "GNU coreutils 9.1",
  operands: { kind: "paths", access: "write", change: "remove" },
  flags: FLAGS,
  examples: [
    { command: "rm old.txt", files: { "old.txt": "x\n" }, stdout: "" },
    { command: "rm -rv build", files: { "build/a.o": "x" }, stdout: "removed 'build/a.o'\nremoved directory 'build'\n" },
    { command: "rm -f missing.txt", stdout: "" },
  ],
  deviations: [
    {
      from: "GNU rm",
      what: "Everything is removed together at the end, or nothing is: a file that cannot be removed is named, and the others go; what the policy protects keeps all of them.",
      why: "A removal is one recorded change that can be undone as one.",
    },
    {
      from: "GNU rm",
      what: "A file that somebody else has changed since a command of the same line read it (grep -q DONE f && rm f) stays: the line is refused (CONFLICT). mv and find -delete do the same.",
      why: "The line decided on other bytes than it would remove.",
    },
    {
      from: "GNU rm",
      what: "A FIFO, a socket or a device is not removed: Not a regular file.",
      why: "There is nothing that could be recorded to bring it back.",
    },
    {
      from: "GNU rm",
      what: "More than 1 MiB is refused unless it was confirmed, and more than 10,000 names at once.",
      why: "All bytes are kept in the record, which must not fill the disk.",
    },
    {
      from: "GNU rm",
      what: "The root of the workspace, by whatever name, is not removed, nor what is in it: Device or resource busy.",
      why: "It is this server's own directory, as a mount point is.",
    },
    {
      from: "GNU rm",
      what: "rm -rf LINK/ is an error, and what is in the directory that the link leads to stays.",
      why: "GNU rm empties that directory without a word, and leaves the link.",
    },
    { from: "GNU rm", what: "-i, -I and --interactive are refused.", why: "Nobody is there to answer." },
  ],

  check({ flags, operands }) {
    if (operands.length === 0 && !flags.force) throw new UsageError("missing-operand", "missing operand", { pointsToHelp: true });
  },

  async *run(invocation) {
    const { flags, operands } = invocation;
    const { force, recursive, dir, verbose, ...others } = flags;
    allFlagsRead(others);
    const [first] = operands;
    if (first === undefined) return 0;
    const tree = new EditedTree(invocation, first);
    const options = { force, recursive, dir, verbose };
    const removal = new Removal(tree, options);
    try {
      for (const operand of operands) removal.remove(operand);
    } catch (thrown) {
      tree.edits.abort();
      throw thrown instanceof WriteRefused ? withTheRest(thrown, invocation, options) : thrown;
    }
    yield* tree.end();
    return tree.failed ? 1 : 0;
  },
});

interface Options {
  readonly force: boolean;
  readonly recursive: boolean;
  readonly dir: boolean;
  readonly verbose: boolean;
}

/** Most operands of which it is looked at which could go without the others. */
const MOST_TRIED = 30;

/** The refusal of one name with the command that removes the operands in which nothing is protected, if there are any. */
function withTheRest(refused: WriteRefused, invocation: Invocation, options: Options): WriteRefused {
  const { code, path, message } = refused.error;
  if (code !== "PROTECTED_PATH" && code !== "NEEDS_APPROVAL") return refused;
  const { operands } = invocation;
  // A name that is not shown as it is would name another file.
  const isTried = operands.length > 1 && operands.length <= MOST_TRIED && operands.every((operand) => showName(operand) === operand);
  const removable = isTried ? operands.filter((operand) => isRemovable([operand], invocation, options)) : [];
  const isOffered = removable.length > 0 && isRemovable(removable, invocation, options);
  const rest = isOffered ? ` (without what is protected: ${commandLine(removable, options)})` : "";
  return new WriteRefused(new FileError(code, path, `${message}; nothing was removed${rest}`));
}

function isRemovable(operands: readonly string[], invocation: Invocation, options: Options): boolean {
  const tree = new EditedTree({ ...invocation, warn: () => undefined }, "");
  try {
    const removal = new Removal(tree, options);
    for (const operand of operands) removal.remove(operand);
    return !tree.failed;
  } catch (thrown) {
    if (thrown instanceof WriteRefused) return false;
    throw thrown;
  } finally {
    tree.edits.abort();
  }
}

function commandLine(operands: readonly string[], { force, recursive, dir, verbose }: Options): string {
  const letters = `${recursive ? "r" : ""}${force ? "f" : ""}${dir ? "d" : ""}${verbose ? "v" : ""}`;
  const end = operands.some((operand) => operand.startsWith("-")) ? ["--"] : [];
  return ["rm", ...(letters === "" ? [] : [`-${letters}`]), ...end, ...operands.map(quoteWord)].join(" ");
}

class Removal {
  readonly #tree: EditedTree;
  readonly #options: Options;

  constructor(tree: EditedTree, options: Options) {
    this.#tree = tree;
    this.#options = options;
  }

  remove(operand: string): void {
    const { recursive } = this.#options;
    const last = /(?:^|\/)(\.\.?)\/*$/.test(operand);
    if (last && recursive && this.#isDirectory(operand)) {
      this.#tree.fail(`refusing to remove '.' or '..' directory: skipping ${quoteAlways(operand)}`);
      return;
    }
    this.#entry(operand, () => this.#one(operand));
  }

  #isDirectory(path: string): boolean {
    try {
      return this.#tree.kind(path, { follow: true }) === "directory";
    } catch (thrown) {
      if (thrown instanceof FileError) return false;
      throw thrown;
    }
  }

  #one(operand: string): boolean {
    const { recursive, dir } = this.#options;
    const name = operand.replace(/(?<=[^/])\/+$/, "");
    const kind = this.#tree.kind(name);
    if (kind === undefined) throw new FileError("ENOENT", operand);
    if (name !== operand && kind !== "directory") {
      const isLinked = kind === "symlink" && this.#isDirectory(name);
      if (this.#options.force && !isLinked) return false;
      throw new FileError(isLinked && !recursive && !dir ? "EISDIR" : "ENOTDIR", operand);
    }
    if (kind !== "directory") return this.#leaf(name);
    // The root has no name here that could go; nothing in it goes with it by mistake.
    if (this.#tree.files.realPath(name) === "") throw new FileError("EBUSY", operand);
    if (recursive) return this.#directory(name, operand);
    if (!dir) throw new FileError("EISDIR", operand);
    this.#tree.edits.removeDirectory(name);
    if (this.#options.verbose) this.#tree.tell(`removed directory ${quoteAlways(operand)}`);
    return true;
  }

  #leaf(path: string): boolean {
    this.#tree.edits.remove(path);
    if (this.#options.verbose) this.#tree.tell(`removed ${quoteAlways(path)}`);
    return true;
  }

  /** Removes a directory with its entries, in the kernel's order as GNU rm does. False where one of them stays. */
  #directory(path: string, shown: string): boolean {
    const { files, edits } = this.#tree;
    const directory = files.openDirectory(path);
    let names: readonly string[];
    try {
      names = directory.list("kernel").map(({ name }) => name);
    } finally {
      directory.close();
    }
    let isEmpty = true;
    const prefix = shown.endsWith("/") ? shown : `${shown}/`;
    for (const name of names) {
      const entry = prefix + name;
      const kind = this.#tree.kind(entry);
      if (kind === undefined) continue;
      const isGone = this.#entry(entry, () => (kind === "directory" ? this.#directory(entry, entry) : this.#leaf(entry)));
      if (!isGone) isEmpty = false;
    }
    if (!isEmpty) return false;
    edits.removeDirectory(path);
    if (this.#options.verbose) this.#tree.tell(`removed directory ${quoteAlways(shown)}`);
    return true;
  }

  /** Runs `action`; an error of the file is told, with -f not that it is missing. */
  #entry(path: string, action: () => boolean): boolean {
    let isGone = false;
    this.#tree.attempt(
      () => {
        isGone = action();
      },
      ({ code, message }) =>
        this.#options.force && (code === "ENOENT" || code === "ENOTDIR") && !(code === "ENOTDIR" && path.endsWith("/"))
          ? undefined
          : `cannot remove ${quoteAlways(path)}: ${message}`,
    );
    return isGone;
  }
}
