/** The status of many files in order of their paths: directories are opened once, and held while files in them are asked for. */
import type { OpenDirectory } from "../../src/workspace/contract.ts";
import type { FileStatus } from "../../src/workspace/file-status.ts";
import { toWord } from "./byte-text.ts";
import { absentIsUndefined, type Disk } from "./disk.ts";

/** Directories below so many are reached by their whole path each time. */
const MOST_HELD = 48;

export class StatusReader {
  readonly #disk: Disk;
  readonly #worktree: string;
  /** From the worktree down; undefined where there is no such directory. */
  readonly #held: { readonly name: string; readonly directory: OpenDirectory | undefined }[] = [];
  /** The directory of the file before, with a slash at the end. */
  #path: string | undefined;

  /** `worktree`: relative to the root of the workspace. */
  constructor(disk: Disk, worktree: string) {
    this.#disk = disk;
    this.#worktree = worktree;
  }

  /** lstat(2) of `path` below the worktree; undefined where it is not there, or only beyond a symbolic link. */
  statusOf(path: string): FileStatus | undefined {
    const slash = path.lastIndexOf("/") + 1;
    if (this.#path === undefined || this.#path.length !== slash || !path.startsWith(this.#path)) this.#enter(path.slice(0, slash));
    if (this.#held.length > MOST_HELD) return this.#disk.status(this.#worktree === "" ? path : `${this.#worktree}/${path}`, false);
    const directory = this.#held.at(-1)?.directory;
    const name = path.slice(slash);
    return directory === undefined || !isName(name) ? undefined : absentIsUndefined(() => directory.statusOf(toWord(name)));
  }

  close(): void {
    for (const { directory } of this.#held) directory?.close();
    this.#held.length = 0;
    this.#path = undefined;
  }

  #enter(path: string): void {
    const names = ["", ...path.split("/").slice(0, -1)];
    let same = 0;
    while (same < names.length && this.#held[same]?.name === names[same]) same++;
    for (const { directory } of this.#held.splice(same)) directory?.close();
    for (let level = same; level < names.length; level++) {
      const name = names[level] as string;
      const above = this.#held.at(-1)?.directory;
      const isHeld = level <= MOST_HELD;
      const directory = !isHeld
        ? undefined
        : level === 0
          ? absentIsUndefined(() => this.#disk.files.openDirectory(this.#disk.absolute(this.#worktree)))
          : above === undefined || !isName(name)
            ? undefined
            : absentIsUndefined(() => above.openDirectory(toWord(name)));
      this.#held.push({ name, directory });
    }
    this.#path = path;
  }
}

/** An index may hold anything: what is no name of a file is not there. */
const isName = (name: string): boolean => name !== "" && name !== "." && name !== "..";
