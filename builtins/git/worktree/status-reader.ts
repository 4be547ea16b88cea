/** The status and the content of files one by one, in order of their paths: directories are opened once, and held while files in them are asked for. */
import type { MayHold, OpenDirectory } from "../../../src/workspace/contract.ts";
import { FileError } from "../../../src/workspace/file-error.ts";
import { millisecondsOf, type FileStamp } from "../../../src/workspace/file-status.ts";
import { toWord } from "../objects/byte-text.ts";
import { absentIsUndefined, type Disk } from "../objects/disk.ts";

/** Directories below so many are reached by their whole path each time. */
const MOST_HELD = 48;

interface Level {
  readonly name: string;
  /** Undefined where it is too deep to be held, or may not be listed. */
  readonly held: OpenDirectory | undefined;
  /** It is there, held or not. */
  readonly exists: boolean;
}

export class StatusReader {
  readonly #disk: Disk;
  readonly #worktree: string;
  /** From the worktree down. */
  readonly #levels: Level[] = [];
  /** The directory of the file before, with a slash at the end. */
  #path: string | undefined;

  /** `worktree`: relative to the root of the workspace. */
  constructor(disk: Disk, worktree: string) {
    this.#disk = disk;
    this.#worktree = worktree;
  }

  /** lstat(2) of `path` below the worktree; undefined if it does not exist, or only beyond a symbolic link. */
  stampOf(path: string): FileStamp | undefined {
    const slash = path.lastIndexOf("/") + 1;
    const { held, exists } = this.#levelOf(path, slash);
    const name = path.slice(slash);
    if (!isName(name) || !exists) return undefined;
    if (held !== undefined) return held.stampOf(toWord(name));
    const status = this.#disk.status(this.#placeOf(path), false);
    if (status === undefined) return undefined;
    const { kind, permissions, size, modifiedNs, changedNs, inode } = status;
    return { kind, permissions, size, modifiedMs: millisecondsOf(modifiedNs), changedMs: millisecondsOf(changedNs), inode: Number(inode) };
  }

  /** Files of `directory` (with a slash at the end) that will be read next, in this order. `mayPass`: or passed. */
  expect(directory: string, names: readonly string[], mayPass: boolean): void {
    const { held } = this.#levelOf(directory, directory.length);
    const expected = names.filter(isName).map((name) => ({ name: toWord(name), what: "content" }) as const);
    held?.expect(expected, { order: "name", withStatus: false, mayPass });
  }

  /** True if a file that was expected has been read, and `mayHold` is false of it. */
  passes(path: string, mayHold: MayHold): boolean {
    const slash = path.lastIndexOf("/") + 1;
    return this.#levelOf(path, slash).held?.passes(toWord(path.slice(slash)), mayHold) === true;
  }

  /** Content of a regular file; undefined if there is no such file. Throws FileError, GitError if it is too large. */
  read(path: string): Buffer | undefined {
    return this.stampOf(path)?.kind === "file" ? this.content(path) : undefined;
  }

  /** The same of what is known to be a regular file. */
  content(path: string): Buffer | undefined {
    const slash = path.lastIndexOf("/") + 1;
    const { held } = this.#levelOf(path, slash);
    if (held === undefined) return this.#disk.read(this.#placeOf(path));
    const file = absentIsUndefined(() => held.openFile(toWord(path.slice(slash)), { isListed: true }));
    return file && this.#disk.readHeld(file, this.#placeOf(path));
  }

  #placeOf(path: string): string {
    return this.#worktree === "" ? path : `${this.#worktree}/${path}`;
  }

  #levelOf(path: string, slash: number): Level {
    if (this.#path === undefined || this.#path.length !== slash || !path.startsWith(this.#path)) this.#enter(path.slice(0, slash));
    return this.#levels.at(-1) as Level;
  }

  close(): void {
    this.#leave(0);
    this.#path = undefined;
  }

  #leave(depth: number): void {
    while (this.#levels.length > depth) this.#levels.pop()?.held?.close();
  }

  #enter(path: string): void {
    const names = ["", ...path.split("/").slice(0, -1)];
    let same = 0;
    while (same < names.length && this.#levels[same]?.name === names[same]) same++;
    this.#leave(same);
    for (let depth = same; depth < names.length; depth++) {
      const name = names[depth] as string;
      const above = this.#levels.at(-1);
      const opened = above === undefined ? this.#openedTop() : this.#openedBelow(above, name, depth);
      this.#levels.push({ name, held: opened === "not held" ? undefined : opened, exists: opened !== undefined });
    }
    this.#path = path;
  }

  #openedTop(): OpenDirectory | undefined {
    return absentIsUndefined(() => this.#disk.files.openDirectory(this.#disk.absolute(this.#worktree)));
  }

  /** "not held": it is too deep, or may not be listed, and files in it are asked about by their whole path. */
  #openedBelow({ held, exists }: Level, name: string, depth: number): OpenDirectory | "not held" | undefined {
    if (!exists || depth > MOST_HELD) return exists ? "not held" : undefined;
    if (!isName(name)) return undefined;
    if (held === undefined) return "not held";
    try {
      return absentIsUndefined(() => held.openDirectory(toWord(name)));
    } catch (thrown) {
      if (thrown instanceof FileError && thrown.code === "EACCES") return "not held";
      throw thrown;
    }
  }
}

/** An index may hold anything: what is no name of a file is not there. */
export const isName = (name: string): boolean => name !== "" && name !== "." && name !== "..";
