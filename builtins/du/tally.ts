/** Walks below one operand and adds up what is there, in the order and with the choices of GNU du. */
import { quoteAlways } from "../../src/display/quote.ts";
import { FileTree, type TreeStep } from "../../src/walk/file-tree.ts";
import type { TreeFile } from "../../src/walk/tree-file.ts";
import type { NameFilter } from "../../src/glob/name-filter.ts";
import type { Files } from "../../src/workspace/contract.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import type { FileStatus } from "../../src/workspace/file-status.ts";
import type { Settings } from "./settings.ts";

/** What a set of files comes to. */
export class Tally {
  size = 0n;
  /** The newest time, in nanoseconds since the epoch. */
  newestNs: bigint | undefined;

  add(other: Pick<Tally, "size" | "newestNs">): void {
    this.size += other.size;
    if (other.newestNs !== undefined) this.newestNs = newer(this.newestNs, other.newestNs);
  }
}

const newer = (one: bigint | undefined, other: bigint): bigint => (one === undefined || other > one ? other : one);

export type TallyStep =
  | { readonly what: "line"; readonly tally: Readonly<Tally>; readonly path: string }
  | { readonly what: "complaint"; readonly message: string };

/** Files that were counted, so that each counts once. */
export class Counted {
  readonly #devices = new Map<bigint, Set<bigint>>();

  /** Whether it is new. */
  add({ device, inode }: FileStatus): boolean {
    let inodes = this.#devices.get(device);
    if (inodes === undefined) this.#devices.set(device, (inodes = new Set()));
    const before = inodes.size;
    return inodes.add(inode).size > before;
  }
}

/** A directory whose contents are still being counted. */
interface OpenDirectory {
  readonly path: string;
  readonly depth: number;
  /** The directory itself and the files in it. */
  readonly own: Tally;
  /** All that is in its subdirectories. */
  readonly below: Tally;
}

export interface Surroundings {
  readonly files: Files;
  readonly settings: Settings;
  readonly filter: NameFilter;
  readonly counted: Counted;
  /** Whether a file with one name may be met twice. */
  readonly countsAllOnce: boolean;
  readonly total: Tally;
  /** Whether no file was added up yet. */
  isFirst: boolean;
}

export class OperandWalk {
  readonly #around: Surroundings;
  readonly #tree: FileTree;
  readonly #open: OpenDirectory[] = [];
  /** Whether nothing was met yet below the operand. */
  #isEmpty = true;
  #device: bigint | undefined;

  constructor(operand: string, around: Surroundings) {
    this.#around = around;
    const { follow } = around.settings;
    const walk = { follow, contentsFirst: false, maxDepth: Infinity, oneDevice: false, ahead: {} };
    this.#tree = new FileTree(around.files, trimmed(operand), walk);
  }

  close(): void {
    this.#tree.close();
  }

  /** The steps of one file; undefined at the end. */
  next(): readonly TallyStep[] | undefined {
    const step = this.#tree.next();
    if (step !== undefined) return this.#take(step);
    if (this.#open.length === 0) return undefined;
    return this.#closeDownTo(() => true);
  }

  #take(step: TreeStep): TallyStep[] {
    switch (step.what) {
      case "loop":
        return [];
      case "error": {
        if (this.#open.length > 0) this.#isEmpty = false;
        // What is wrong with an entry comes after the directories that were met before it.
        const { path, error } = step;
        if (this.#around.filter.skipsTyped(path)) return [];
        const steps = this.#closeDownTo((directory) => path !== directory.path && !isIn(path, directory.path));
        const isDirectory = this.#open.at(-1)?.path === path;
        steps.push(complaint(`cannot ${isDirectory ? "read directory" : "access"} ${quoteAlways(path)}: ${error.message}`));
        return steps;
      }
      case "file": {
        const { file } = step;
        if (file.depth > 0) this.#isEmpty = false;
        const steps = this.#closeDownTo(({ depth }) => depth >= file.depth);
        this.#count(file, steps);
        return steps;
      }
    }
  }

  #count(file: TreeFile, steps: TallyStep[]): void {
    const { settings, filter, counted, countsAllOnce, total } = this.#around;
    if (filter.skipsTyped(file.path)) return this.#tree.skip();
    let status: FileStatus;
    try {
      status = file.status;
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
      steps.push(complaint(`cannot access ${quoteAlways(file.path)}: ${thrown.message}`));
      return this.#tree.skip();
    }
    const isFollowed = settings.follow === "always" || (settings.follow === "starting-points" && file.depth === 0);
    if (isFollowed && status.kind === "symlink") {
      // A link to nothing, of which fts has no error number to tell.
      steps.push(complaint(`cannot access ${quoteAlways(file.path)}`));
      return;
    }
    this.#device ??= status.device;
    if (settings.oneDevice && status.device !== this.#device) return this.#tree.skip();
    const isDirectory = status.kind === "directory";
    const mayBeMetAgain = countsAllOnce || (!isDirectory && status.links > 1);
    if (!settings.countsLinks && mayBeMetAgain && !counted.add(status)) return this.#tree.skip();

    const tally = new Tally();
    tally.size = settings.measure(status);
    tally.newestNs = settings.time?.of(status);
    total.add(tally);
    if (isDirectory) {
      this.#open.push({ path: file.path, depth: file.depth, own: tally, below: new Tally() });
      return;
    }
    this.#begin();
    this.#open.at(-1)?.own.add(tally);
    if (file.depth === 0 || (settings.showsFiles && file.depth <= settings.maxDepth)) this.#show(tally, file.path, steps);
  }

  /** GNU du takes the directories around the first file that it adds up for as new as the epoch at least. */
  #begin(): void {
    if (!this.#around.isFirst) return;
    this.#around.isFirst = false;
    if (this.#around.settings.time !== undefined) for (const { own } of this.#open) own.newestNs = newer(own.newestNs, 0n);
  }

  /** Ends directories from the innermost on while `ends` says so. */
  #closeDownTo(ends: (directory: OpenDirectory) => boolean): TallyStep[] {
    const steps: TallyStep[] = [];
    const { separateDirectories, maxDepth, follow } = this.#around.settings;
    for (let last = this.#open.at(-1); last !== undefined && ends(last); last = this.#open.at(-1)) {
      this.#open.pop();
      this.#begin();
      const whole = new Tally();
      whole.add(last.own);
      if (!separateDirectories) whole.add(last.below);
      this.#open.at(-1)?.below.add(whole);
      // fts(3) loses the slash of an operand in which there is nothing, where it follows links.
      const losesSlash = last.depth === 0 && this.#isEmpty && follow === "always";
      if (last.depth === 0 || last.depth <= maxDepth) this.#show(whole, losesSlash ? last.path.replace(/(?<=.)\/$/, "") : last.path, steps);
    }
    return steps;
  }

  #show(tally: Tally, path: string, steps: TallyStep[]): void {
    const { threshold } = this.#around.settings;
    const isShown = threshold === undefined || (threshold < 0n ? tally.size <= -threshold : tally.size >= threshold);
    if (isShown) steps.push({ what: "line", tally, path });
  }
}

/** fts(3) of gnulib keeps one of the slashes at the end of an operand, and both of `//`. */
const trimmed = (operand: string): string => (operand.length > 2 ? operand.replace(/(?<=.)\/+$/s, "/") : operand);

const complaint = (message: string): TallyStep => ({ what: "complaint", message });

/** Whether `path` is an entry of `directory`, by their texts. */
function isIn(path: string, directory: string): boolean {
  return path.startsWith(directory.endsWith("/") ? directory : `${directory}/`);
}
