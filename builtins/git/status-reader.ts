/** The status of many files in order of their paths: directories are opened once, and held while files in them are asked for. */
import type { OpenDirectory } from "../../src/workspace/contract.ts";
import type { FileStamp } from "../../src/workspace/file-status.ts";
import { toWord } from "./byte-text.ts";
import { absentIsUndefined, type Disk } from "./disk.ts";

/** Directories below so many are reached by their whole path each time. */
const MOST_HELD = 48;

/** A directory that has been gone through. */
export interface PassedDirectory {
  /** Below the worktree, with a slash at the end; "" is the worktree itself. */
  readonly path: string;
  /** Undefined where it is too deep to be held. */
  readonly held: OpenDirectory | undefined;
  /** What was asked for in it, and the directories in which something was. */
  readonly files: ReadonlySet<string>;
  readonly directories: ReadonlySet<string>;
}

interface Level extends PassedDirectory {
  readonly name: string;
  /** It is there, held or not. */
  readonly exists: boolean;
  readonly files: Set<string>;
  readonly directories: Set<string>;
}

export class StatusReader {
  readonly #disk: Disk;
  readonly #worktree: string;
  readonly #pass: ((directory: PassedDirectory) => void) | undefined;
  /** From the worktree down. */
  readonly #levels: Level[] = [];
  /** The directory of the file before, with a slash at the end. */
  #path: string | undefined;

  /**
   * `worktree`: relative to the root of the workspace. `pass` is called with each directory when nothing more is asked
   * for in it.
   */
  constructor(disk: Disk, worktree: string, pass?: (directory: PassedDirectory) => void) {
    this.#disk = disk;
    this.#worktree = worktree;
    this.#pass = pass;
    if (pass !== undefined) this.#enter("");
  }

  /** What lstat(2) says of `path` below the worktree; undefined where it is not there, or only beyond a symbolic link. */
  stampOf(path: string): FileStamp | undefined {
    const name = this.#nameIn(path);
    const level = this.#levels.at(-1) as Level;
    if (!isName(name) || !level.exists) return undefined;
    const { held } = level;
    if (held !== undefined) return held.stampOf(toWord(name));
    const status = this.#disk.status(this.#worktree === "" ? path : `${this.#worktree}/${path}`, false);
    return status === undefined ? undefined : { ...status, modifiedMs: millisecondsOf(status.modifiedNs) };
  }

  /** `path` is there for `pass`, and nothing else is asked of it. */
  note(path: string, isDirectory: boolean): void {
    const name = this.#nameIn(path);
    if (isDirectory) this.#levels.at(-1)?.directories.add(name);
  }

  close(): void {
    this.#leave(0);
    this.#path = undefined;
  }

  #nameIn(path: string): string {
    const slash = path.lastIndexOf("/") + 1;
    if (this.#path === undefined || this.#path.length !== slash || !path.startsWith(this.#path)) this.#enter(path.slice(0, slash));
    const name = path.slice(slash);
    if (this.#pass !== undefined) this.#levels.at(-1)?.files.add(name);
    return name;
  }

  #leave(depth: number): void {
    while (this.#levels.length > depth) {
      const level = this.#levels.pop() as Level;
      if (level.exists) this.#pass?.(level);
      level.held?.close();
    }
  }

  #enter(path: string): void {
    const names = ["", ...path.split("/").slice(0, -1)];
    let same = 0;
    while (same < names.length && this.#levels[same]?.name === names[same]) same++;
    this.#leave(same);
    for (let depth = same; depth < names.length; depth++) {
      const name = names[depth] as string;
      const above = this.#levels.at(-1);
      above?.directories.add(name);
      const held = depth > MOST_HELD ? undefined : this.#opened(name, above);
      const exists = held !== undefined || (depth > MOST_HELD && above?.exists === true);
      const below = above === undefined ? "" : `${above.path}${name}/`;
      this.#levels.push({ name, path: below, held, exists, files: new Set(), directories: new Set() });
    }
    this.#path = path;
  }

  #opened(name: string, above: Level | undefined): OpenDirectory | undefined {
    if (above === undefined) return absentIsUndefined(() => this.#disk.files.openDirectory(this.#disk.absolute(this.#worktree)));
    const { held } = above;
    return held === undefined || !isName(name) ? undefined : absentIsUndefined(() => held.openDirectory(toWord(name)));
  }
}

/** As a FileStamp has it. */
export const millisecondsOf = (ns: bigint): number => Number(ns / 1_000_000_000n) * 1000 + Number(ns % 1_000_000_000n) / 1e6;

/** An index may hold anything: what is no name of a file is not there. */
const isName = (name: string): boolean => name !== "" && name !== "." && name !== "..";
