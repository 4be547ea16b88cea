/**
 * From a path to a handle on what it names, one component at a time, never leaving the root.
 *
 * A stack of descriptors stands for the directories from the root down to where we are: `..` pops it, a name pushes
 * onto it, a symbolic link is read and spliced into what is still to walk. Nothing is resolved twice, so another
 * process that swaps directories and links changes which file inside the root we reach and never whether it is inside.
 *
 * No descriptor outlives its walk as a short cut for the next, because a directory that was moved out of the root
 * meanwhile would still answer through it; last-directory.ts says where one does, and how it is held to its place.
 */
import { holdAny, holdDirectory, ownName, readLinkIn, release, statusOfHandle } from "./descriptor.ts";
import { FileError } from "../file-error.ts";
import { asFileError, fileErrorFrom, isSystemError } from "../system-error.ts";
import type { FileStatus } from "../file-status.ts";
import { UNLISTED_WORDS, type ListedNames } from "./listed-names.ts";
import { toBytes } from "../../io/text.ts";

/** The end of a walk: a handle on the last component and on its directory. The caller calls `release` once. */
export interface Place {
  /** Holds the thing itself, or undefined where it does not exist (only with `mayBeMissing`). */
  readonly handle: number | undefined;
  readonly status: FileStatus | undefined;
  /** Holds the directory it is in; undefined for the root itself. */
  readonly parent: number | undefined;
  /** The last component's own name in `parent`; "" for the root. */
  readonly name: string;
  /** Canonical path relative to the root. */
  readonly canonical: string;
  /** Gives `handle` away: `release` leaves it open, and the caller closes it. */
  takeHandle(): number;
  release(): void;
}

export interface WalkOptions {
  /** True if a symbolic link as the last component is followed. */
  readonly follow: boolean;
  /** Accept a last component that is not there: for creating it. */
  readonly mayBeMissing?: boolean;
}

/** The directory that a walk starts from and never leaves. */
export interface Top {
  readonly handle: number;
  /** Names by which its directories list what is in them; undefined where each is as it was asked for. */
  readonly names: ListedNames | undefined;
  /** Turns an absolute link target into components below it, or undefined where it is outside. */
  componentsOf(absolute: string): readonly string[] | undefined;
}

/** As the kernel (path_resolution(7)): more symbolic links than this in one walk are ELOOP. */
const MAX_SYMLINKS = 40;
/** PATH_MAX less its final null byte. */
const MAX_PATH_BYTES = 4095;
/** Stands for a trailing slash; no component has one inside. */
const MARK = "/";
/** Directories held open behind the current one. A path of 2,000 components must not need 2,000 descriptors. */
const MAX_HELD = 64;

/**
 * Walks `components` from `top`. `typed` is for messages. Each name of what it gives is the one that its directory lists, but for case and
 * composition where directories are set to fold those (listed-names.ts).
 * Throws FileError; every descriptor it opened is closed then.
 */
export function walkPath(top: Top, components: readonly string[], typed: string, options: WalkOptions): Place {
  if (typed.length * 3 > MAX_PATH_BYTES && toBytes(typed).length > MAX_PATH_BYTES) throw new FileError("ENAMETOOLONG", typed);
  const { names } = top;
  if (names === undefined) return new PathWalk(top, typed, undefined).to(components, options);
  if (asFileError(typed, () => names.isAsTyped())) {
    const place = new PathWalk(top, typed, undefined).to(components, options);
    if (isAsTyped(place, top, names, typed)) return place;
    place.release();
  }
  return new PathWalk(top, typed, names).to(components, options);
}

/** Tells whether the way to `place` stayed on the top's file system, by that of its end: a name that is not there, its directory. */
function isAsTyped({ status, parent }: Place, top: Top, names: ListedNames, typed: string): boolean {
  if (status !== undefined) return names.isAsTyped(status.device);
  return parent === undefined || parent === top.handle || names.isAsTyped(asFileError(typed, () => statusOfHandle(parent)).device);
}

interface Step {
  readonly name: string;
  /** undefined once it was let go for being too far behind. */
  handle: number | undefined;
}

class PathWalk {
  readonly #root: number;
  readonly #typed: string;
  readonly #top: Top;
  readonly #names: ListedNames | undefined;
  /** Directories below the root, outermost first. */
  #stack: Step[] = [];
  /** Components still to walk, the last one first. */
  readonly #pending: string[] = [];
  /** Number of components of `#pending`, from its start, that were typed; those after them came out of a link. */
  #typedPending = 0;
  #symlinks = 0;

  /** `names`: undefined where what was typed is not looked for in listings. */
  constructor(top: Top, typed: string, names: ListedNames | undefined) {
    this.#root = top.handle;
    this.#top = top;
    this.#typed = typed;
    this.#names = names;
  }

  to(components: readonly string[], options: WalkOptions): Place {
    try {
      this.#push(components);
      this.#typedPending = this.#pending.length;
      return this.#walk(options);
    } catch (thrown) {
      this.#releaseAll();
      if (thrown instanceof FileError) throw thrown;
      throw fileErrorFrom(thrown, this.#typed);
    }
  }

  #walk(options: WalkOptions): Place {
    for (;;) {
      const name = this.#pending.pop();
      if (name === undefined) return this.#atDirectory();
      const isTyped = this.#pending.length < this.#typedPending;
      if (isTyped) this.#typedPending = this.#pending.length;
      if (name === MARK) continue;
      if (name === ".") {
        this.#checkSearch();
      } else if (name === "..") {
        this.#checkSearch();
        this.#leave(isTyped);
      } else if (this.#pending.length > 0) {
        this.#enter(name);
      } else {
        const place = this.#last(name, options);
        if (place !== undefined) return place;
      }
    }
  }

  /** `.` and `..` are looked up like any name: EACCES in a directory that may not be searched. */
  #checkSearch(): void {
    if (this.#stack.length > 0) release(holdAny(this.#here, "."));
  }

  /** `..`. Above the root it is the link that leaves, if the `..` stood in one, else what was typed. */
  #leave(isTyped: boolean): void {
    const left = this.#stack.pop();
    if (left === undefined) throw new FileError(isTyped ? "PATH_ESCAPE" : "SYMLINK_ESCAPE", this.#typed);
    if (left.handle !== undefined) release(left.handle);
    const top = this.#stack.at(-1);
    if (top !== undefined && top.handle === undefined) this.#holdAgain();
  }

  /** Back at a directory that was let go: down to it from the root once more. Its names are of real directories. */
  #holdAgain(): void {
    const names = this.#stack.map((step) => step.name);
    this.#stack = [];
    for (const name of names) this.#hold(name);
  }

  /** `name` as the directory where we are lists it. */
  #own(name: string): string {
    if (this.#names === undefined) return name;
    const own = this.#names.nameIn(this.#here, name);
    if (own === undefined) throw new FileError("EACCES", this.#typed, UNLISTED_WORDS);
    return own;
  }

  #hold(name: string): void {
    const handle = holdDirectory(this.#here, name);
    this.#stack.push({ name: ownName(handle, name), handle });
    const far = this.#stack[this.#stack.length - 1 - MAX_HELD];
    if (far?.handle === undefined) return;
    release(far.handle);
    far.handle = undefined;
  }

  /** A component with more to come: a directory, or a link to be spliced in. */
  #enter(asked: string): void {
    const name = this.#own(asked);
    try {
      this.#hold(name);
    } catch (thrown) {
      if (!isSystemError(thrown, "ENOTDIR") && !isSystemError(thrown, "ELOOP")) throw thrown;
      const target = this.#linkTarget(name);
      // No link: a file, or a directory that somebody has just put in the link's place.
      if (target === undefined) this.#hold(name);
      else this.#splice(target);
    }
  }

  /** The last component, unless it is a link to follow: then it is spliced in and the walk goes on. */
  #last(asked: string, options: WalkOptions): Place | undefined {
    let handle: number;
    let name = asked;
    try {
      name = this.#own(asked);
      handle = holdAny(this.#here, name);
    } catch (thrown) {
      if (options.mayBeMissing === true && isSystemError(thrown, "ENOENT")) return this.#place(undefined, undefined, name);
      throw thrown;
    }
    let target: string | undefined;
    try {
      const status = statusOfHandle(handle);
      if (status.kind !== "symlink" || !options.follow) return this.#place(handle, status, ownName(handle, name));
      target = this.#linkTarget(name);
    } catch (thrown) {
      release(handle);
      throw thrown;
    }
    release(handle);
    // The link is no longer one: somebody replaced it between the two calls. Look again.
    if (target === undefined) this.#countLink();
    if (target === undefined) this.#pending.push(name);
    else this.#splice(target);
    return undefined;
  }

  /** The walk ended on a directory of the stack, or on the root. */
  #atDirectory(): Place {
    const top = this.#stack.at(-1);
    if (top === undefined) return new WalkedPlace(this.#root, statusOfHandle(this.#root), undefined, this.#root, "", "");
    const status = statusOfHandle(this.#here);
    const handle = this.#here;
    this.#stack.pop();
    if (this.#stack.at(-1)?.handle === undefined && this.#stack.length > 0) {
      try {
        this.#holdAgain();
      } catch (thrown) {
        release(handle);
        throw thrown;
      }
    }
    return this.#place(handle, status, top.name);
  }

  #place(handle: number | undefined, status: FileStatus | undefined, name: string): Place {
    let canonical = "";
    for (const step of this.#stack) canonical += `${step.name}/`;
    const parent = this.#here;
    this.#stack.pop();
    this.#releaseAll();
    return new WalkedPlace(handle, status, parent, this.#root, name, canonical + name);
  }

  #linkTarget(name: string): string | undefined {
    try {
      return readLinkIn(this.#here, name);
    } catch (thrown) {
      if (isSystemError(thrown, "EINVAL")) return undefined;
      throw thrown;
    }
  }

  #splice(target: string): void {
    this.#countLink();
    if (!target.startsWith("/")) return this.#push(target.split("/"));
    const inside = this.#top.componentsOf(target);
    if (inside === undefined) throw new FileError("SYMLINK_ESCAPE", this.#typed);
    this.#releaseAll();
    this.#push(inside);
  }

  #countLink(): void {
    if (++this.#symlinks > MAX_SYMLINKS) throw new FileError("ELOOP", this.#typed);
  }

  /** A trailing slash names a directory: the walk must enter it, so a mark stands behind it. */
  #push(components: readonly string[]): void {
    for (let at = components.length - 1; at >= 0; at--) {
      const component = components[at] as string;
      if (component !== "") this.#pending.push(component);
      else if (at === components.length - 1 && at > 0) this.#pending.push(MARK);
    }
  }

  get #here(): number {
    const top = this.#stack.at(-1);
    if (top === undefined) return this.#root;
    if (top.handle === undefined) throw new Error("the walk lost its directory");
    return top.handle;
  }

  #releaseAll(): void {
    for (const step of this.#stack) if (step.handle !== undefined) release(step.handle);
    this.#stack = [];
  }
}

/** A place that closes its own descriptors once, and never the root's. */
class WalkedPlace implements Place {
  readonly handle: number | undefined;
  readonly status: FileStatus | undefined;
  readonly parent: number | undefined;
  readonly name: string;
  readonly canonical: string;
  readonly #root: number;
  #ownsHandle: boolean;
  #released = false;

  constructor(
    handle: number | undefined,
    status: FileStatus | undefined,
    parent: number | undefined,
    root: number,
    name: string,
    canonical: string,
  ) {
    this.handle = handle;
    this.status = status;
    this.parent = parent;
    this.name = name;
    this.canonical = canonical;
    this.#root = root;
    this.#ownsHandle = handle !== undefined && handle !== root;
  }

  takeHandle(): number {
    if (this.#released || this.handle === undefined) throw new Error("nothing is held here");
    if (this.handle === this.#root) return holdDirectory(this.#root, ".");
    this.#ownsHandle = false;
    return this.handle;
  }

  release(): void {
    if (this.#released) return;
    this.#released = true;
    if (this.handle !== undefined && this.#ownsHandle) release(this.handle);
    if (this.parent !== undefined && this.parent !== this.#root) release(this.parent);
  }
}
