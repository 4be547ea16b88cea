/** The status of many files in order of their paths: directories are opened once, and held while files in them are asked for. */
import type { OpenDirectory } from "../../src/workspace/contract.ts";
import type { FileStamp } from "../../src/workspace/file-status.ts";
import { toWord } from "./byte-text.ts";
import { absentIsUndefined, type Disk } from "./disk.ts";
import type { IndexFile } from "./index-file.ts";

/** Directories below so many are reached by their whole path each time. */
const MOST_HELD = 48;
/** So many directories of one are said to come next at a time. */
const MOST_EXPECTED = 64;

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

type Expected = Parameters<OpenDirectory["expect"]>[0][number];

interface Level extends PassedDirectory {
  readonly name: string;
  /** It is there, held or not. */
  readonly exists: boolean;
  readonly files: Set<string>;
  readonly directories: Set<string>;
  /** The directories below it that begin before this entry were said to come. */
  expectedTo: number;
}

export interface StatusReaderOptions {
  /** Is called with each directory when nothing more is asked for in it. */
  readonly pass: ((directory: PassedDirectory) => void) | undefined;
  /** What will be asked for, all of it and in this order; undefined where only some of it will be. */
  readonly index: IndexFile | undefined;
}

export class StatusReader {
  readonly #disk: Disk;
  readonly #worktree: string;
  readonly #pass: StatusReaderOptions["pass"];
  readonly #index: StatusReaderOptions["index"];
  /** From the worktree down. */
  readonly #levels: Level[] = [];
  /** The directory of the file before, with a slash at the end. */
  #path: string | undefined;

  /** `worktree`: relative to the root of the workspace. */
  constructor(disk: Disk, worktree: string, { pass, index }: StatusReaderOptions) {
    this.#disk = disk;
    this.#worktree = worktree;
    this.#pass = pass;
    this.#index = index;
    if (pass !== undefined) this.#enter("", 0);
  }

  /**
   * What lstat(2) says of `path` below the worktree; undefined where it is not there, or only beyond a symbolic link. `at`:
   * which of the entries it is.
   */
  stampOf(path: string, at: number): FileStamp | undefined {
    const name = this.#nameIn(path, at);
    const level = this.#levels.at(-1) as Level;
    if (!isName(name) || !level.exists) return undefined;
    const { held } = level;
    if (held !== undefined) return held.stampOf(toWord(name));
    const status = this.#disk.status(this.#worktree === "" ? path : `${this.#worktree}/${path}`, false);
    return status === undefined ? undefined : { ...status, modifiedMs: millisecondsOf(status.modifiedNs) };
  }

  /** `path` is there for `pass`, and nothing else is asked of it. */
  note(path: string, at: number, isDirectory: boolean): void {
    const name = this.#nameIn(path, at);
    if (isDirectory) this.#levels.at(-1)?.directories.add(name);
  }

  close(): void {
    this.#leave(0);
    this.#path = undefined;
  }

  #nameIn(path: string, at: number): string {
    const slash = path.lastIndexOf("/") + 1;
    if (this.#path === undefined || this.#path.length !== slash || !path.startsWith(this.#path)) this.#enter(path.slice(0, slash), at);
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

  #enter(path: string, at: number): void {
    const names = ["", ...path.split("/").slice(0, -1)];
    let same = 0;
    while (same < names.length && this.#levels[same]?.name === names[same]) same++;
    this.#leave(same);
    for (let depth = same; depth < names.length; depth++) {
      const name = names[depth] as string;
      const above = this.#levels.at(-1);
      above?.directories.add(name);
      if (above !== undefined && at >= above.expectedTo) this.#expect(above, at);
      const held = depth > MOST_HELD ? undefined : this.#opened(name, above);
      const exists = held !== undefined || (depth > MOST_HELD && above?.exists === true);
      const below = above === undefined ? "" : `${above.path}${name}/`;
      this.#levels.push({ name, path: below, held, exists, files: new Set(), directories: new Set(), expectedTo: 0 });
    }
    this.#path = path;
  }

  /** Says which directories of `level` come after the one that the entry `at` is in. */
  #expect(level: Level, at: number): void {
    const index = this.#index;
    level.expectedTo = Infinity;
    if (index === undefined || level.held === undefined) return;
    const { path } = level;
    const expected: Expected[] = [];
    for (let from = at; from < index.count; ) {
      const name = index.nameAt(from);
      if (!name.startsWith(path)) break;
      const slash = name.indexOf("/", path.length);
      if (slash < 0) {
        from++;
        continue;
      }
      if (expected.length === MOST_EXPECTED) {
        level.expectedTo = from;
        break;
      }
      const end = index.endOf(name.slice(0, slash + 1), from);
      const below = name.slice(path.length, slash);
      // The one that is entered now is read here.
      if (from > at && isName(below)) expected.push({ name: toWord(below), what: "entries" });
      from = end;
    }
    level.held.expect(expected, { order: "name", withStatus: "stamps" });
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
