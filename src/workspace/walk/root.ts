/**
 * The root directory of a workspace, or a directory that its owner mounts beside it: the descriptor every walk starts from, and the
 * absolute prefixes that mean it. All views of one workspace share one Root.
 */
import { dirname } from "node:path";
import { pathMatcher } from "../../glob/path-rules.ts";
import { hostAccounts, type Accounts } from "../read/accounts.ts";
import {
  descriptorsCanBeInherited,
  holdCanonicalDirectory,
  holdHostDirectory,
  hostDirectoryStatus,
  isDead,
  isSameDirectory,
  ofHandle,
  pathOfHandle,
  release,
} from "./descriptor.ts";
import { isContentStore } from "../read/content-store.ts";
import { FileError, fileErrorFrom } from "../file-error.ts";
import type { FileStatus } from "../file-status.ts";
import { hasMountsBelow, isKernelFileSystem, KernelFileSystems } from "../read/kernel-file-systems.ts";
import type { LookAhead } from "../ahead/look-ahead.ts";
import { mirroredPaths, RECORD_DIRECTORY } from "../write/mirror-path.ts";
import type { HeldTree } from "./held-tree.ts";
import { componentsBelow } from "../mount/prefix.ts";
import { RecentDirectory } from "./last-directory.ts";
import { SpillSpace } from "../read/spill.ts";

/** The root as given to a process that may open no host path (root-hold.ts). */
export interface InheritedRoot {
  /** A descriptor of this process that holds the directory. */
  readonly descriptor: number;
  /** Host path, free of symbolic links: what is opened where a directory cannot be inherited. */
  readonly canonical: string;
  readonly aboveRoot: FileStatus;
  /** A descriptor of this process on a file without a name (spill.ts). */
  readonly spillDescriptor?: number;
  /** The base of the sessions' scratch (mount/scratch-base.ts). */
  readonly scratch?: { readonly descriptor: number; readonly path: string };
  /** The owner's mounts, in their order (Policy.mounts); undefined where no directory is at the host path now. */
  readonly mounts?: readonly (InheritedDirectory | undefined)[];
}

/** A directory as given to a process that may open no host path. */
export type InheritedDirectory = Pick<InheritedRoot, "descriptor" | "canonical" | "aboveRoot">;

export interface RootOptions {
  /** Host path, absolute; may be a symbolic link. Of a directory that is inherited, the name alone. */
  readonly path: string;
  /** The one absolute name that means it. Default: `path`, its canonical path and `aliases` mean it. */
  readonly name?: string;
  readonly aliases?: readonly string[];
  readonly denyRead?: readonly string[];
  readonly inherited?: (InheritedDirectory & Pick<InheritedRoot, "spillDescriptor">) | undefined;
  readonly lookAhead: LookAhead;
}

export class Root implements HeldTree {
  readonly hiddenName = RECORD_DIRECTORY;
  /** Rules as of gitignore(5) for files that may not be read, whatever name they are reached by. */
  readonly denyRead: readonly string[];
  readonly #isDenied: (canonical: string) => boolean;
  readonly #fold: (text: string) => string;
  /**
   * The root's path as given, without a trailing slash (canonical where that held `.`, `..` or `//`): `pwd` prints it at the
   * root.
   */
  readonly path: string;
  readonly canonical: string;
  /** See Files.aboveRoot. */
  readonly aboveRoot: FileStatus;
  readonly accounts: Accounts;
  /** Further absolute prefixes, as given. */
  readonly aliases: readonly string[];
  /** Longest first: as given, canonical, aliases. */
  readonly #prefixes: readonly string[];
  readonly spillSpace: SpillSpace;
  readonly lookAhead: LookAhead;
  readonly recentDirectory: RecentDirectory;
  readonly #kernelFileSystems = new KernelFileSystems();
  /** Trees that this one lies in, and its path there: what they keep from being read stays so under this name. */
  readonly #outer: { readonly root: Root; readonly below: string }[] = [];
  #mountsReadMs = -Infinity;
  #hasMounts = true;
  #handle: number | undefined;

  /** Opens the directory, unless it is inherited. Throws FileError ENOENT, ENOTDIR or EACCES. */
  constructor({ path, name, aliases = [], denyRead = [], inherited, lookAhead }: RootOptions) {
    this.lookAhead = lookAhead;
    this.denyRead = denyRead;
    // Elsewhere a file answers to its name in any case, and in any composition of its accents.
    const fold = descriptorsCanBeInherited ? (text: string): string => text : foldedForRules;
    this.#fold = fold;
    this.#isDenied = pathMatcher(denyRead.map(fold));
    if (!path.startsWith("/")) throw new Error("the root must be an absolute path");
    let handle: number | undefined;
    try {
      handle =
        inherited !== undefined && !descriptorsCanBeInherited
          ? holdCanonicalDirectory(inherited.canonical)
          : holdHostDirectory(inherited === undefined ? path : ofHandle(inherited.descriptor), { follow: true });
      this.canonical = inherited?.canonical ?? pathOfHandle(handle);
      this.aboveRoot = inherited?.aboveRoot ?? hostDirectoryStatus(dirname(this.canonical));
    } catch (thrown) {
      if (handle !== undefined) release(handle);
      throw fileErrorFrom(thrown, path);
    }
    this.#handle = handle;
    this.recentDirectory = new RecentDirectory(this.canonical);
    const given = name ?? withoutTrailingSlash(path);
    this.path = /\/\.{0,2}(\/|$)/.test(given) ? this.canonical : given;
    const prefixes = new Set(name === undefined ? [given, this.canonical, ...aliases.map(withoutTrailingSlash)] : [name]);
    this.#prefixes = [...prefixes].sort((a, b) => b.length - a.length);
    this.aliases = aliases;
    this.spillSpace = new SpillSpace(inherited?.spillDescriptor);
    this.accounts = hostAccounts();
  }

  get deniesReading(): boolean {
    return this.denyRead.length > 0 || this.#outer.some(({ root }) => root.denyRead.length > 0);
  }

  /** Keeps from being read what the rules of `other` are about, where this directory is there or below. */
  obey(other: Root): void {
    const above = other.canonical === "/" ? "/" : `${other.canonical}/`;
    if (`${this.canonical}/`.startsWith(above)) this.#outer.push({ root: other, below: this.canonical.slice(above.length) });
  }

  get handle(): number {
    if (this.#handle === undefined) throw new Error("the workspace is closed");
    return this.#handle;
  }

  /** Harmless the second time: the number may be somebody else's descriptor by then. */
  close(): void {
    this.recentDirectory.release();
    this.#closeHandle();
    this.spillSpace.close();
  }

  #closeHandle(): void {
    if (this.#handle !== undefined) release(this.#handle);
    this.#handle = undefined;
  }

  /**
   * Tells whether the root had been removed and is now found again: then the failed operation is worth another try. Throws
   * FileError ROOT_GONE if it is not there.
   */
  foundAgain(typed: string): boolean {
    if (!isDead(this.handle)) return false;
    this.follow(typed);
    return true;
  }

  /**
   * Makes sure that the canonical path still leads to what is held. A directory made anew there is the root from now on, but
   * only if no symbolic link leads to it: nobody widens the authority by putting a link there. Throws FileError ROOT_GONE.
   */
  follow(typed: string): void {
    let now: number;
    try {
      now = holdCanonicalDirectory(this.canonical);
    } catch {
      throw new FileError("ROOT_GONE", typed);
    }
    if (isSameDirectory(now, this.handle)) return release(now);
    this.recentDirectory.release();
    this.#closeHandle();
    this.#handle = now;
  }

  /**
   * Throws FileError EACCES where the policy does not let the file or directory `canonical` be opened. `asStore`: whoever
   * opens it answers for each byte of others that it holds.
   */
  checkReadable(canonical: string, typed: string, asStore = false): void {
    if (!this.deniesReading) return;
    if (!asStore && isContentStore(canonical)) throw new FileError("EACCES", typed, STORE_WORDS);
    const why = this.whyDenied(canonical);
    if (why !== undefined) throw new FileError("EACCES", typed, why);
  }

  /** See Files.whyDenied. */
  whyDenied(canonical: string): string | undefined {
    if (!this.deniesReading) return undefined;
    const isDenied =
      this.#denies(canonical) || this.#outer.some(({ root, below }) => root.#denies(below === "" ? canonical : `${below}/${canonical}`));
    return isDenied ? POLICY_WORDS : undefined;
  }

  /** Tells whether its own rules keep `canonical` from being read. */
  #denies(canonical: string): boolean {
    const path = this.#fold(canonical);
    // A mirror holds what its file held.
    const mirrored = mirroredPaths(path);
    return mirrored === "unknown" || [path, ...mirrored].some(this.#isDenied);
  }

  named(canonical: string): string {
    return canonical;
  }

  /** The components of an absolute path below whichever prefix it is at or under; undefined where it is under none. */
  componentsOf(absolute: string): readonly string[] | undefined {
    const plain = absolute.replace(/\/(\.?\/)+/g, "/");
    for (const prefix of this.#prefixes) {
      if (prefix === "/") return plain.slice(1).split("/");
      if (!plain.startsWith(prefix)) continue;
      if (plain.length === prefix.length) return [""];
      if (plain[prefix.length] === "/") return plain.slice(prefix.length + 1).split("/");
    }
    return undefined;
  }

  /** The first names below `directory` on the way to the root, of each of its prefixes that is under it. */
  namesBelow(directory: string): ReadonlySet<string> {
    return new Set(this.#prefixes.flatMap((prefix) => componentsBelow(directory, prefix)?.slice(0, 1) ?? []));
  }

  /** Tells whether one of the kernel's file systems may be somewhere in the root: it is one, or there are mounts below it. */
  mayHoldKernelFiles(): boolean {
    const nowMs = performance.now();
    if (nowMs >= this.#mountsReadMs + MOUNTS_MS) {
      this.#mountsReadMs = nowMs;
      this.#hasMounts = isKernelFileSystem(this.handle) || hasMountsBelow(pathOfHandle(this.handle));
    }
    return this.#hasMounts;
  }

  /** See KernelFileSystems.has. */
  isKernelFile(handle: number, device: bigint): boolean {
    return this.#kernelFileSystems.has(handle, device);
  }
}

/** Age at which the list of mounts is read again, in milliseconds. */
const MOUNTS_MS = 500;

const POLICY_WORDS = "Permission denied: the policy of this server does not let it be read";
const STORE_WORDS = "Permission denied: it holds bytes of other files, and the policy of this server does not let some of them be read";

const foldedForRules = (text: string): string => text.normalize("NFC").toLowerCase();

function withoutTrailingSlash(path: string): string {
  const trimmed = path.replace(/\/+$/, "");
  return trimmed === "" ? "/" : trimmed;
}
