/**
 * From a path to a handle on what it names, one component at a time, never leaving the root.
 *
 * A stack of descriptors stands for the directories from the root down to where we are: `..` pops it, a name pushes
 * onto it, a symbolic link is read and spliced into what is still to walk. Nothing is resolved twice, so another
 * process that swaps directories and links changes which file inside the root we reach and never whether it is inside.
 */
import { FileError, fileErrorFrom } from "./file-error.ts";
import type { FileStatus } from "./file-status.ts";
import { holdAny, holdDirectory, readLinkIn, release, statusOfHandle } from "./descriptor.ts";

/** Where a walk ended: a handle on the last component and on its directory. The caller closes both with `release`. */
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
  release(): void;
}

export interface WalkOptions {
  /** Whether a symbolic link as the last component is followed. */
  readonly follow: boolean;
  /** Accept a last component that is not there: for creating it. */
  readonly mayBeMissing?: boolean;
}

/** As the kernel (path_resolution(7)): more symbolic links than this in one walk are ELOOP. */
const MAX_SYMLINKS = 40;
const MAX_PATH_BYTES = 4095;

/**
 * Walks `components` from the directory that `root` holds. `typed` is for messages. `fromRoot` turns an absolute
 * link target into components under the root, or undefined where it is outside.
 * Throws FileError; every descriptor it opened is closed then.
 */
export function walkPath(
  root: number,
  components: readonly string[],
  typed: string,
  fromRoot: (absolute: string) => readonly string[] | undefined,
  options: WalkOptions,
): Place {
  if (Buffer.byteLength(typed) > MAX_PATH_BYTES) throw new FileError("ENAMETOOLONG", typed);
  return new PathWalk(root, typed, fromRoot).to(components, options);
}

interface Step {
  readonly handle: number;
  readonly name: string;
}

class PathWalk {
  readonly #root: number;
  readonly #typed: string;
  readonly #fromRoot: (absolute: string) => readonly string[] | undefined;
  /** Directories below the root, outermost first. */
  readonly #stack: Step[] = [];
  #symlinks = 0;

  constructor(root: number, typed: string, fromRoot: (absolute: string) => readonly string[] | undefined) {
    this.#root = root;
    this.#typed = typed;
    this.#fromRoot = fromRoot;
  }

  to(components: readonly string[], options: WalkOptions): Place {
    try {
      return this.#walk([...components].reverse(), options);
    } catch (thrown) {
      this.#releaseFrom(0);
      if (thrown instanceof FileError) throw thrown;
      throw fileErrorFrom(thrown, this.#typed);
    }
  }

  /** `pending` is in reverse, so that the next component is popped from its end. */
  #walk(pending: string[], options: WalkOptions): Place {
    for (;;) {
      const name = pending.pop();
      if (name === undefined) return this.#atDirectory();
      if (name === "" || name === ".") continue;
      if (name === "..") {
        const left = this.#stack.pop();
        if (left === undefined) throw new FileError("PATH_ESCAPE", this.#typed);
        release(left.handle);
        continue;
      }
      if (pending.length > 0) this.#enter(name, pending);
      else {
        const place = this.#last(name, pending, options);
        if (place !== undefined) return place;
      }
    }
  }

  /** A component with more to come: a directory, or a link to be spliced in. */
  #enter(name: string, pending: string[]): void {
    try {
      this.#stack.push({ handle: holdDirectory(this.#here, name), name });
    } catch (thrown) {
      if (!isSystemError(thrown, "ENOTDIR") && !isSystemError(thrown, "ELOOP")) throw thrown;
      const target = this.#linkTarget(name);
      if (target === undefined) throw new FileError("ENOTDIR", this.#typed);
      this.#splice(target, pending);
    }
  }

  /** The last component, unless it is a link to follow: then it is spliced in and the walk goes on. */
  #last(name: string, pending: string[], options: WalkOptions): Place | undefined {
    let handle: number;
    try {
      handle = holdAny(this.#here, name);
    } catch (thrown) {
      if (options.mayBeMissing === true && isSystemError(thrown, "ENOENT")) return this.#place(undefined, undefined, name);
      throw thrown;
    }
    let status: FileStatus;
    try {
      status = statusOfHandle(handle);
      if (status.kind === "symlink" && options.follow) {
        const target = this.#linkTarget(name);
        if (target !== undefined) {
          release(handle);
          handle = -1;
          this.#splice(target, pending);
          return undefined;
        }
        throw new FileError("ESTALE", this.#typed);
      }
    } catch (thrown) {
      if (handle >= 0) release(handle);
      throw thrown;
    }
    return this.#place(handle, status, name);
  }

  /** The walk ended on a directory of the stack, or on the root. */
  #atDirectory(): Place {
    const top = this.#stack.pop();
    if (top !== undefined) return this.#place(top.handle, statusOfHandle(top.handle), top.name);
    const status = statusOfHandle(this.#root);
    return { handle: this.#root, status, parent: undefined, name: "", canonical: "", release: () => {} };
  }

  #place(handle: number | undefined, status: FileStatus | undefined, name: string): Place {
    const canonical = [...this.#stack.map((step) => step.name), name].join("/");
    const parent = this.#here;
    this.#releaseFrom(0, parent);
    const owned = parent === this.#root ? undefined : parent;
    return {
      handle,
      status,
      parent,
      name,
      canonical,
      release: () => {
        if (handle !== undefined) release(handle);
        if (owned !== undefined) release(owned);
      },
    };
  }

  #linkTarget(name: string): string | undefined {
    try {
      return readLinkIn(this.#here, name);
    } catch (thrown) {
      if (isSystemError(thrown, "EINVAL")) return undefined;
      throw thrown;
    }
  }

  #splice(target: string, pending: string[]): void {
    if (++this.#symlinks > MAX_SYMLINKS) throw new FileError("ELOOP", this.#typed);
    let components: readonly string[] = target.split("/");
    if (target.startsWith("/")) {
      const inside = this.#fromRoot(target);
      if (inside === undefined) throw new FileError("SYMLINK_ESCAPE", this.#typed);
      components = inside;
      this.#releaseFrom(0);
    } else if (this.#climbsOut(components)) {
      throw new FileError("SYMLINK_ESCAPE", this.#typed);
    }
    pending.push(...[...components].reverse());
  }

  /** Whether a link's leading `..` go above the root: then it is the link that leaves, not what was typed. */
  #climbsOut(components: readonly string[]): boolean {
    let up = 0;
    for (const component of components) {
      if (component === "..") up++;
      else if (component !== "" && component !== ".") break;
    }
    return up > this.#stack.length;
  }

  get #here(): number {
    return this.#stack.at(-1)?.handle ?? this.#root;
  }

  #releaseFrom(depth: number, except?: number): void {
    for (const step of this.#stack.splice(depth)) if (step.handle !== except) release(step.handle);
  }
}

export function isSystemError(thrown: unknown, code: string): boolean {
  return thrown instanceof Error && "code" in thrown && thrown.code === code;
}
