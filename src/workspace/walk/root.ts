/**
 * The root directory of a workspace, or a directory that its owner mounts beside it: the descriptor every walk starts from, and the
 * absolute prefixes that mean it. All views of one workspace share one Root.
 */
import { posix } from "node:path";
import { isLinux, isWindows } from "../../io/platform.ts";
import { withSlashes } from "../../glob/absolute-path.ts";
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
import { FileError } from "../file-error.ts";
import { fileErrorFrom } from "../system-error.ts";
import type { FileStatus } from "../file-status.ts";
import { hasMountsBelow, isKernelFileSystem, KernelFileSystems } from "../read/kernel-file-systems.ts";
import type { LookAhead } from "../ahead/look-ahead.ts";
import { RECORD_DIRECTORY } from "../write/mirror-path.ts";
import { DeniedPlaces } from "./denied-places.ts";
import type { HeldTree } from "./held-tree.ts";
import { componentsBelow } from "../mount/prefix.ts";
import { aboveOf, fromHostPath, namesOf } from "./host-path.ts";
import { RecentDirectory } from "./last-directory.ts";
import { SpillSpace } from "../read/spill.ts";
import { ListedNames } from "./listed-names.ts";
import { Spellings } from "./spellings.ts";

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
  /** The owner's mounts, in their order (Policy.mounts). */
  readonly mounts?: readonly (InheritedDirectory | GoneDirectory)[];
}

/** A directory as given to a process that may open no host path. */
export type InheritedDirectory = Pick<InheritedRoot, "descriptor" | "canonical" | "aboveRoot">;

/** The host path of a directory that is not there now. */
export interface GoneDirectory {
  readonly canonical: string;
}

export interface RootOptions {
  /** Host path, absolute; may be a symbolic link. Of a directory that is inherited, the name alone. */
  readonly path: string;
  /** The one absolute name that means it. Default: `path`, its canonical path and `aliases` mean it. */
  readonly name?: string;
  readonly aliases?: readonly string[];
  /** Absolute name in the place of `path`, where the files are a copy's or a program's: the path that they are at means nothing. */
  readonly knownAs?: string | undefined;
  /** True if its files are a copy of another place's, where names may be found in any case. */
  readonly isCopy?: boolean | undefined;
  readonly denyRead?: readonly string[];
  /** Rules of all trees of the workspace, to which its own are added. */
  readonly denied?: DeniedPlaces;
  readonly inherited?: (InheritedDirectory & Pick<InheritedRoot, "spillDescriptor">) | undefined;
  readonly lookAhead: LookAhead;
}

export class Root implements HeldTree {
  readonly hiddenName = RECORD_DIRECTORY;
  /** Rules as of gitignore(5) for files that may not be read, as TreeRules has them. */
  readonly denyRead: readonly string[];
  readonly #denied: DeniedPlaces;
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
  /** See RootOptions. */
  readonly knownAs: string | undefined;
  readonly isCopy: boolean;
  /** Longest first: as given, canonical, aliases. */
  readonly #prefixes: readonly string[];
  readonly spillSpace: SpillSpace;
  readonly lookAhead: LookAhead;
  readonly recentDirectory: RecentDirectory;
  readonly #kernelFileSystems = new KernelFileSystems();
  readonly #spellings = new Spellings(() => this.handle);
  #names: ListedNames | undefined;
  #mountsReadMs = -Infinity;
  #hasMounts = true;
  #handle: number | undefined;

  /** Opens the directory, unless it is inherited. Throws FileError ENOENT, ENOTDIR or EACCES. */
  constructor(options: RootOptions) {
    const { name, aliases = [], knownAs, isCopy = false, denyRead = [], denied = new DeniedPlaces(), inherited, lookAhead } = options;
    this.lookAhead = lookAhead;
    this.denyRead = denyRead;
    this.isCopy = isCopy;
    this.#denied = denied;
    const path = fromHostPath(options.path);
    let handle: number | undefined;
    try {
      handle =
        inherited !== undefined && !descriptorsCanBeInherited
          ? holdCanonicalDirectory(inherited.canonical)
          : holdHostDirectory(inherited === undefined ? path : ofHandle(inherited.descriptor), { follow: true });
      this.canonical = inherited?.canonical ?? pathOfHandle(handle);
      this.aboveRoot = inherited?.aboveRoot ?? hostDirectoryStatus(aboveOf(this.canonical));
    } catch (thrown) {
      if (handle !== undefined) release(handle);
      throw fileErrorFrom(thrown, path);
    }
    this.#handle = handle;
    this.#names = ListedNames.of(handle);
    denied.add({ canonical: this.canonical, prefix: name ?? "", denyRead, foldsCase: (below) => this.foldsCase(below) });
    this.recentDirectory = new RecentDirectory(this.canonical, (device) => this.#names?.isAsTyped(device) !== false);
    const given = name ?? withoutTrailingSlash(knownAs ?? path);
    this.knownAs = knownAs;
    this.path = /\/\.{0,2}(\/|$)/.test(given) ? this.canonical : given;
    const names = [
      given,
      ...(knownAs === undefined ? [this.canonical] : []),
      ...aliases.map((alias) => withoutTrailingSlash(withSlashes(alias))),
    ];
    const prefixes = new Set(name === undefined ? names.flatMap(namesOf) : [name]);
    this.#prefixes = [...prefixes].sort((a, b) => b.length - a.length);
    this.aliases = aliases;
    this.spillSpace = new SpillSpace(inherited?.spillDescriptor);
    this.accounts = hostAccounts();
  }

  get deniesReading(): boolean {
    return !this.#denied.isEmpty;
  }

  get handle(): number {
    if (this.#handle === undefined) throw new Error("the workspace is closed");
    return this.#handle;
  }

  get names(): ListedNames | undefined {
    return this.#names;
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
    this.#names = ListedNames.of(now);
  }

  /**
   * Throws FileError EACCES where the policy does not let the file or directory `canonical` be opened. `asStore`: whoever
   * opens it answers for each byte of others that it holds.
   */
  checkReadable(canonical: string, typed: string, asStore = false): void {
    if (!this.deniesReading) return;
    if (!asStore && this.#denied.deniesStore(this.#placeOf(canonical))) throw new FileError("EACCES", typed, STORE_WORDS);
    const why = this.whyDeniedFrom(canonical, "");
    if (why !== undefined) throw new FileError("EACCES", typed, why);
  }

  /** See Files.whyDeniedFrom. */
  whyDeniedFrom(directory: string, path: string): string | undefined {
    const place = this.#placeOf(directory);
    return this.#denied.denies(path === "" ? place : posix.resolve(place, path)) ? POLICY_WORDS : undefined;
  }

  /** See Files.whyDeniedBelowAnyTop. */
  whyDeniedBelowAnyTop(path: string): string | undefined {
    return this.#denied.deniesBelowAnyTop(path) ? POLICY_WORDS : undefined;
  }

  /** See Spellings.foldsCase. Always where files are reached by name (macOS, Windows), and in a copy. */
  foldsCase(canonical: string): boolean {
    return !descriptorsCanBeInherited || this.isCopy || this.#spellings.foldsCase(canonical);
  }

  /** See Spellings.spelled. */
  spelled(canonical: string): string {
    return this.#spellings.spelled(canonical);
  }

  /** The host path of `canonical`. */
  #placeOf(canonical: string): string {
    if (canonical === "") return this.canonical;
    return this.canonical === "/" ? `/${canonical}` : `${this.canonical}/${canonical}`;
  }

  named(canonical: string): string {
    return canonical;
  }

  /** The components of an absolute path below whichever prefix it is at or under; undefined where it is under none. */
  componentsOf(absolute: string): readonly string[] | undefined {
    const plain = withSlashes(absolute).replace(/\/(\.?\/)+/g, "/");
    const compared = inOneCase(plain);
    for (const prefix of this.#prefixes) {
      if (prefix === "/") return plain.slice(1).split("/");
      if (!compared.startsWith(inOneCase(prefix))) continue;
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
    if (!isLinux) return false;
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

/** Windows compares names without regard to case. Of the same length as `path`. */
const inOneCase = isWindows
  ? (path: string): string => {
      const small = path.toLowerCase();
      return small.length === path.length ? small : path;
    }
  : (path: string): string => path;

/** Age at which the list of mounts is read again, in milliseconds. */
const MOUNTS_MS = 500;

const POLICY_WORDS = "Permission denied: the policy of this server does not let it be read";
const STORE_WORDS = "Permission denied: it holds bytes of other files, and the policy of this server does not let some of them be read";

function withoutTrailingSlash(path: string): string {
  const trimmed = path.replace(/\/+$/, "");
  return trimmed === "" ? "/" : trimmed;
}
