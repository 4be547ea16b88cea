/**
 * The way to change files in a workspace. Only src/audit uses it, so that no change of a command line is without its
 * record; and `shelpa-mcp init`, which a person runs, for the configuration of MCP clients.
 */
import { constants } from "node:fs";
import { isWindowsName, NO_WINDOWS_NAME } from "../../glob/windows-name.ts";
import { isWindows } from "../../io/platform.ts";
import { toBytes } from "../../io/text.ts";
import { holdAny, opensForReadingOnly, release, reopen } from "../walk/descriptor.ts";
import { mayBeStoredOtherwise, STORED_OTHERWISE_WORDS } from "../walk/listed-names.ts";
import { FileError } from "../file-error.ts";
import { fileErrorFrom } from "../system-error.ts";
import type { FileStatus } from "../file-status.ts";
import type { Place, WalkOptions } from "../walk/path-walk.ts";
import type { Root } from "../walk/root.ts";
import { checkChange, WritableDirectory } from "./write-directory.ts";

/** A file that may be written: a regular file, or a name that is free. */
export interface WriteTarget {
  /** Relative to the root, every symbolic link among its directories resolved, and each name as its directory has it. */
  readonly canonical: string;
  readonly status: FileStatus | undefined;
  /** Canonical paths of the directories that would have to be made, outermost first. */
  readonly missingDirectories: readonly string[];
}

const NAME_BYTES = 255;

export class WorkspaceWriter {
  readonly #root: Root;
  readonly #walk: (path: string, options: WalkOptions) => Place;

  constructor(root: Root, walk: (path: string, options: WalkOptions) => Place) {
    this.#root = root;
    this.#walk = walk;
  }

  root(): WritableDirectory {
    return new WritableDirectory(
      this.#attempt("", () => holdAny(this.#root.handle, ".")),
      "",
    );
  }

  /**
   * The file that writing to `path` would change. Changes nothing. Throws FileError as open(2) for writing would, except
   * that missing directories are no error and that a symbolic link, or anything else that is not a regular file, is
   * NOT_REGULAR_FILE.
   */
  target(path: string): WriteTarget {
    const components = path.split("/");
    const last = components.at(-1);
    if (path === "") throw new FileError("ENOENT", path);
    // open(2): with O_CREAT a name that can only be a directory's is EISDIR whether or not it exists.
    if (last === "" || last === "." || last === "..") {
      this.#attempt(path, () => this.#deepest(last === ".." ? [...components, ""] : components).place.release());
      throw new FileError("EISDIR", path);
    }
    return this.#spelled(path, () => {
      const there = this.#existing(path);
      if (there === undefined) return this.#missing(path, components);
      try {
        return this.#checked(there, path);
      } finally {
        there.release();
      }
    });
  }

  /**
   * The entry of a directory that `path` names, whatever it is: a symbolic link as its last component is not followed, and
   * slashes after it count for nothing. Missing directories are no error. Throws FileError as lstat(2) would, EBUSY for the
   * root, and where names may not be changed in its directory.
   */
  entry(typed: string): WriteTarget {
    const path = typed.replace(/(?<=[^/])\/+$/, "");
    if (path === "") throw new FileError("ENOENT", typed);
    return this.#spelled(typed, () => {
      const there = this.#existing(path);
      if (there === undefined) return this.#missing(path, path.split("/"));
      try {
        if (there.parent === undefined) throw new FileError("EBUSY", typed);
        checkChange(there.parent, typed);
        if (there.status === undefined) this.#checkNames([there.name], there.parent, typed);
        return { canonical: there.canonical, status: there.status, missingDirectories: [] };
      } finally {
        there.release();
      }
    });
  }

  /**
   * The directory at the canonical path `path`, reached without following any symbolic link. Missing directories are
   * made with `permissions` less the umask, and named to `made`; without `permissions` they are ENOENT.
   */
  directory(path: string, permissions?: number, made: (path: string) => void = () => {}): WritableDirectory {
    let here = this.root();
    for (const name of path.split("/")) {
      if (name === "") continue;
      if (name === "." || name === "..") {
        here.close();
        throw new FileError("PATH_ESCAPE", path);
      }
      const above = here;
      try {
        const isNew = permissions !== undefined && above.status(name) === undefined && above.makeDirectory(name, permissions);
        if (isNew) {
          made(above.path === "" ? name : `${above.path}/${name}`);
          above.sync();
        }
        const next = above.directory(name);
        if (next === undefined) throw new FileError("ENOENT", path);
        here = next;
      } finally {
        above.close();
      }
    }
    return here;
  }

  /** Tells whether each component of the canonical path `path` that is there is spelled as its directory has it. */
  isSpelled(path: string): boolean {
    return this.#root.spelled(path) === path;
  }

  /** What `find` finds, with canonical paths in the one spelling under which there are records of them. */
  #spelled(typed: string, find: () => WriteTarget): WriteTarget {
    return this.#attempt(typed, () => {
      const { canonical, status, missingDirectories } = find();
      const spelled = (path: string): string => this.#root.spelled(path);
      return { canonical: spelled(canonical), status, missingDirectories: missingDirectories.map(spelled) };
    });
  }

  /** The place that `path` names; undefined if it or one of its directories is missing. */
  #existing(path: string): Place | undefined {
    try {
      return this.#walk(path, { follow: false, mayBeMissing: true });
    } catch (thrown) {
      if (thrown instanceof FileError && thrown.code === "ENOENT") return undefined;
      throw thrown;
    }
  }

  #checked(place: Place, path: string): WriteTarget {
    const { canonical, status, handle, parent } = place;
    if (status?.kind === "directory") throw new FileError("EISDIR", path);
    if (status?.kind === "symlink") throw this.#linkRefusal(path);
    if (handle !== undefined && status !== undefined) {
      if (status.kind !== "file" || this.#root.isKernelFile(handle, status.device)) throw new FileError("NOT_REGULAR_FILE", path);
      // Opening for writing changes nothing and says what open(2) would have: no permission, a running program, ….
      if (!opensForReadingOnly(handle)) release(reopen(handle, constants.O_WRONLY));
    }
    if (status === undefined) this.#checkNames([place.name], parent, path);
    // The file is replaced, not written over: its directory must let us.
    if (parent !== undefined) checkChange(parent, path);
    return { canonical, status, missingDirectories: [] };
  }

  /** Writing through a link would change a file under a name that was not given. */
  #linkRefusal(path: string): FileError {
    let real: Place;
    try {
      real = this.#walk(path, { follow: true, mayBeMissing: true });
    } catch (thrown) {
      if (!(thrown instanceof FileError) || thrown.code !== "ENOENT") throw thrown;
      return new FileError("NOT_REGULAR_FILE", path, "is a symbolic link to nothing; write to the file itself instead");
    }
    try {
      const instead = this.#fromHere(real.canonical);
      if (real.status?.kind === "directory") return new FileError("EISDIR", path);
      return new FileError("NOT_REGULAR_FILE", path, `is a symbolic link; write to '${instead}' instead`);
    } finally {
      real.release();
    }
  }

  /** The canonical path `canonical` as it is named from the current directory. */
  #fromHere(canonical: string): string {
    const here = this.#walk(".", { follow: true });
    const from = here.canonical.split("/").filter((name) => name !== "");
    here.release();
    const to = canonical.split("/");
    let shared = 0;
    while (shared < from.length && shared < to.length - 1 && from[shared] === to[shared]) shared++;
    return [...from.slice(shared).map(() => ".."), ...to.slice(shared)].join("/");
  }

  /** A name below directories that are not there yet. */
  #missing(path: string, components: readonly string[]): WriteTarget {
    const { place, rest } = this.#deepest(components);
    try {
      if (place.status?.kind !== "directory") throw new FileError("ENOTDIR", path);
      const names = rest.filter((name) => name !== "" && name !== ".");
      if (names.includes("..")) throw new FileError("ENOENT", path);
      this.#checkNames(names, place.handle, path);
      if (names.some((name) => toBytes(name).length > NAME_BYTES)) throw new FileError("ENAMETOOLONG", path);
      const directory = new WritableDirectory(holdAny(place.handle as number, "."), place.canonical);
      try {
        // A dangling link stands where the first directory would be made.
        if (directory.status(names[0] as string) !== undefined) throw new FileError("ENOENT", path);
        directory.checkWritable(path);
      } finally {
        directory.close();
      }
      const above = place.canonical === "" ? [] : place.canonical.split("/");
      const canonicals = names.map((_, index) => [...above, ...names.slice(0, index + 1)].join("/"));
      return { canonical: canonicals.pop() as string, status: undefined, missingDirectories: canonicals };
    } finally {
      place.release();
    }
  }

  /** The longest leading part of a path that exists, links followed, and the components after it. */
  #deepest(components: readonly string[]): { readonly place: Place; readonly rest: readonly string[] } {
    for (let count = components.length - 1; ; count--) {
      const prefix = components.slice(0, count).join("/");
      const rest = components.slice(count);
      try {
        if (prefix !== "") return { place: this.#walk(prefix, { follow: true }), rest };
        return { place: this.#walk(components[0] === "" ? "/" : ".", { follow: true }), rest };
      } catch (thrown) {
        if (count <= 0 || !(thrown instanceof FileError) || thrown.code !== "ENOENT") throw thrown;
      }
    }
  }

  /** Throws FileError EINVAL for names that no new file may have below the directory that is held, on this system or its volume. */
  #checkNames(names: readonly string[], directory: number | undefined, path: string): void {
    if (isWindows && !names.every(isWindowsName)) throw new FileError("EINVAL", path, NO_WINDOWS_NAME);
    if (directory === undefined || !names.some(mayBeStoredOtherwise)) return;
    if (this.#root.names?.mayStoreOtherwise(directory) === true) throw new FileError("EINVAL", path, STORED_OTHERWISE_WORDS);
  }

  #attempt<T>(path: string, action: () => T): T {
    try {
      return action();
    } catch (thrown) {
      if (thrown instanceof FileError) throw new FileError(thrown.code, path, thrown.message);
      throw fileErrorFrom(thrown, path);
    }
  }
}
