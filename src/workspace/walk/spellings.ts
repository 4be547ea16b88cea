/**
 * Directories that find one entry by several spellings (in any case, in any composition), and the spelling that an entry really has.
 *
 * It is found out of each directory and not of each file system, because ext4's casefold is an attribute of a directory: an entry that
 * is there is looked up by another spelling. What was found holds for KNOWN_MS, so that a tree on an ordinary file system pays one
 * look-up for each directory, and only where a rule might be met, or something is written.
 */
import { fileErrorFrom } from "../system-error.ts";
import { holdAny, holdDirectory, linkStatus, listHeld, release, statusOfHandle } from "./descriptor.ts";
import { entriesInKernelOrder } from "./directory-reader.ts";
import { composed, folded, inOtherCase, inOtherComposition } from "./name-folding.ts";

/** Time for which a directory is known to fold or not, in milliseconds. A directory's casefold attribute changes only while it is empty. */
const KNOWN_MS = 500;
/** Most directories that are known at once. */
const MOST_KNOWN = 10_000;
/** Age of a directory's last change from which on a listing is sure to be newer, in nanoseconds: above the tick of any file system's clock but FAT's. */
const SETTLED_NS = 50_000_000n;

/** undefined: its entries do not tell, because none has letters of two cases, or accents. */
interface Known {
  readonly untilMs: number;
  foldsCase: boolean | undefined;
  foldsComposition: boolean | undefined;
}

interface Names {
  readonly inode: bigint;
  readonly modifiedNs: bigint;
  readonly byFolded: ReadonlyMap<string, readonly string[]>;
}

export class Spellings {
  readonly #top: () => number;
  /** By the directory's path from the top. */
  readonly #known = new Map<string, Known>();
  readonly #names = new Map<string, Names>();

  /** `top`: the handle of the tree's directory. */
  constructor(top: () => number) {
    this.#top = top;
  }

  /**
   * Tells whether one of the directories on the way to `canonical`, which need not exist, finds entries in any case. True also where that
   * cannot be found out.
   */
  foldsCase(canonical: string): boolean {
    // Text that climbs says nothing of its place.
    if (canonical.split("/").includes("..")) return true;
    let folds: boolean | undefined;
    try {
      this.#descend(canonical, (directory, path, name) => {
        const known = this.#ask(directory, path, name);
        // The name is not there, or has one case: another entry tells.
        if (known.foldsCase === undefined) this.#askAny(directory, known);
        if (known.foldsCase !== undefined) folds = folds === true || known.foldsCase;
        return name;
      });
    } catch (thrown) {
      fileErrorFrom(thrown, canonical);
      return true;
    }
    return folds ?? true;
  }

  /**
   * `canonical` with each component as its directory really has it, composed where that makes no difference; what is not there stays as it
   * is. Throws FileError.
   */
  spelled(canonical: string): string {
    if (canonical === "" || this.#isPlain(canonical)) return canonical;
    try {
      return this.#descend(canonical, (directory, path, name) => {
        const known = this.#ask(directory, path, name);
        const mayFold = known.foldsCase ?? !ASCII.test(name);
        if (!mayFold && known.foldsComposition !== true) return name;
        const found = this.#found(directory, path, name);
        return known.foldsComposition === true ? found.normalize("NFC") : found;
      });
    } catch (thrown) {
      throw fileErrorFrom(thrown, canonical);
    }
  }

  /** True if every directory on the way is known not to fold what the path has. */
  #isPlain(canonical: string): boolean {
    if (composed(canonical) !== canonical || /[^\0-\x7f]/.test(canonical)) return false;
    const nowMs = performance.now();
    for (let slash = canonical.lastIndexOf("/"); ; slash = canonical.lastIndexOf("/", slash - 1)) {
      const known = this.#known.get(slash < 0 ? "" : canonical.slice(0, slash));
      if (known === undefined || known.untilMs < nowMs || known.foldsCase !== false) return false;
      if (slash < 0) return true;
    }
  }

  /** Goes down to `canonical` by the names that `nameOf` gives, as far as they are directories. Throws what node:fs throws. */
  #descend(canonical: string, nameOf: (directory: number, path: string, name: string) => string): string {
    const names = canonical.split("/").filter((name) => name !== "");
    const done: string[] = [];
    let here = holdAny(this.#top(), ".");
    try {
      for (const [at, typed] of names.entries()) {
        const name = nameOf(here, done.join("/"), typed);
        done.push(name);
        if (at === names.length - 1) break;
        let next: number;
        try {
          next = holdDirectory(here, name);
        } catch (thrown) {
          fileErrorFrom(thrown, canonical);
          return [...done, ...names.slice(at + 1)].join("/");
        }
        release(here);
        here = next;
      }
    } finally {
      release(here);
    }
    return done.join("/");
  }

  /** What is known of the directory, with what its entry `name` tells. */
  #ask(directory: number, path: string, name: string): Known {
    const nowMs = performance.now();
    let known = this.#known.get(path);
    if (known === undefined || known.untilMs < nowMs) {
      if (this.#known.size >= MOST_KNOWN) this.#known.clear();
      known = { untilMs: nowMs + KNOWN_MS, foldsCase: undefined, foldsComposition: undefined };
      this.#known.set(path, known);
    }
    known.foldsCase ??= this.#answersTo(directory, name, inOtherCase(name));
    known.foldsComposition ??= this.#answersTo(directory, name, inOtherComposition(name));
    return known;
  }

  /** As `#ask`, of any entry that tells whether case is folded. */
  #askAny(directory: number, known: Known): void {
    for (const { name } of listHeld(directory, entriesInKernelOrder)) {
      if (inOtherCase(name) === undefined) continue;
      known.foldsCase = this.#answersTo(directory, name, inOtherCase(name));
      if (known.foldsCase !== undefined) return;
    }
  }

  /** Tells whether the entry `name` is found as `other` too; undefined where it is not there. */
  #answersTo(directory: number, name: string, other: string | undefined): boolean | undefined {
    if (other === undefined) return undefined;
    const there = inodeOf(directory, name);
    if (there === undefined) return undefined;
    // Letters beyond ASCII may be ones that its table lacks, and the other spelling may be none that it takes.
    const found = inodeOf(directory, other);
    if (found === undefined) return ASCII.test(other) ? false : undefined;
    // Two entries, be they names of one file, are both listed; one that is found by two names is listed by one of them, or by a third.
    const listed = new Set(listHeld(directory, entriesInKernelOrder).map((entry) => entry.name));
    return !(listed.has(name) && listed.has(other));
  }

  /** The entry that is found as `name`, as its directory lists it; `name` where there is none. */
  #found(directory: number, path: string, name: string): string {
    const status = statusOfHandle(directory);
    let names = this.#names.get(path);
    if (names?.inode !== status.inode || names.modifiedNs !== status.modifiedNs) {
      const byFolded = new Map<string, string[]>();
      for (const entry of listHeld(directory, entriesInKernelOrder)) {
        const key = folded(entry.name);
        const others = byFolded.get(key);
        if (others === undefined) byFolded.set(key, [entry.name]);
        else others.push(entry.name);
      }
      names = { inode: status.inode, modifiedNs: status.modifiedNs, byFolded };
      const isSettled = BigInt(Date.now()) * 1_000_000n - status.modifiedNs > SETTLED_NS;
      if (this.#names.size >= MOST_KNOWN) this.#names.clear();
      if (isSettled) this.#names.set(path, names);
      else this.#names.delete(path);
    }
    const found = names.byFolded.get(folded(name)) ?? [];
    if (found.includes(name)) return name;
    const inode = inodeOf(directory, name);
    return found.find((each) => inodeOf(directory, each) === inode) ?? name;
  }
}

const ASCII = /^[\0-\x7f]*$/;

/** Inode of the entry `name`; undefined where there is none. Throws what node:fs throws. */
function inodeOf(directory: number, name: string): bigint | undefined {
  try {
    return linkStatus(directory, name).inode;
  } catch (thrown) {
    const { code } = fileErrorFrom(thrown, name);
    // A name too long for the directory, once its accents are decomposed, or one that it does not take, is no name of anything.
    if (code === "ENOENT" || code === "ENAMETOOLONG" || code === "EILSEQ" || code === "EINVAL") return undefined;
    throw thrown;
  }
}
