/** The status of files one by one, in order of their paths: directories are opened once, and held while files in them are asked for. */
import type { OpenDirectory } from "../../src/workspace/contract.ts";
import type { FileStamp } from "../../src/workspace/file-status.ts";
import { toWord } from "./byte-text.ts";
import { absentIsUndefined, type Disk } from "./disk.ts";

/** Directories below so many are reached by their whole path each time. */
const MOST_HELD = 48;

interface Level {
  readonly name: string;
  /** Undefined where it is too deep to be held. */
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

  /** What lstat(2) says of `path` below the worktree; undefined where it is not there, or only beyond a symbolic link. */
  stampOf(path: string): FileStamp | undefined {
    const slash = path.lastIndexOf("/") + 1;
    if (this.#path === undefined || this.#path.length !== slash || !path.startsWith(this.#path)) this.#enter(path.slice(0, slash));
    const name = path.slice(slash);
    const level = this.#levels.at(-1) as Level;
    if (!isName(name) || !level.exists) return undefined;
    const { held } = level;
    if (held !== undefined) return held.stampOf(toWord(name));
    const status = this.#disk.status(this.#worktree === "" ? path : `${this.#worktree}/${path}`, false);
    return status === undefined ? undefined : { ...status, modifiedMs: millisecondsOf(status.modifiedNs) };
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
      const held = depth > MOST_HELD ? undefined : this.#opened(name, above);
      this.#levels.push({ name, held, exists: held !== undefined || (depth > MOST_HELD && above?.exists === true) });
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
export const isName = (name: string): boolean => name !== "" && name !== "." && name !== "..";
