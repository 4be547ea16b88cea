/**
 * Reads the stamps of the files of a list (stamp-plan.ts): each directory on the way is opened from the one above it, and no
 * symbolic link is followed, as in a walk by OpenDirectory. Anything unusual is left to that walk.
 */
import { lstatSync } from "node:fs";
import { holdDirectory, inDirectory, release } from "../walk/descriptor.ts";
import { NO_FILE, STAMP_WORDS } from "../file-status.ts";
import type { Part, StampPlan } from "./stamp-plan.ts";

/** Directories deeper than this are left to the walk. */
const MOST_DEPTH = 48;
const PLAIN = /^[\x01-\x7f]*$/;
const ABSENT_IS_UNDEFINED = { throwIfNoEntry: false } as const;

export class StampReader {
  readonly #plan: StampPlan;
  /** The directories on the way to the last file, each in the one before. */
  readonly #levels: { readonly name: string; readonly handle: number }[] = [];
  #list = -1;

  constructor(plan: StampPlan) {
    this.#plan = plan;
  }

  /** Reads one part after another while there are any that nobody has taken. */
  work(): void {
    const plan = this.#plan;
    try {
      for (let part = plan.take(); part !== undefined; part = plan.take()) {
        try {
          if (part.list !== this.#list) this.#begin(part.list);
          this.#read(part);
        } finally {
          plan.finish();
        }
      }
    } finally {
      this.#leave(0);
      this.#list = -1;
    }
  }

  #begin(list: number): void {
    this.#leave(0);
    this.#list = list;
  }

  #read({ from, to }: Part): void {
    const { bytes, bounds, stamps, handle: top } = this.#plan;
    const textStart = bounds[from * 2] as number;
    const text = bytes.toString("latin1", textStart, bounds[to * 2 - 1]);
    let directory: string | undefined;
    let held: number | undefined;
    for (let file = from; file < to; file++) {
      const start = (bounds[file * 2] as number) - textStart;
      const end = (bounds[file * 2 + 1] as number) - textStart;
      // What lies between two names is no name, and may hold a slash.
      const nameStart = Math.max(start, text.lastIndexOf("/", end - 1) + 1);
      if (directory === undefined || nameStart - start !== directory.length || !text.startsWith(directory, start)) {
        directory = text.slice(start, nameStart);
        held = PLAIN.test(directory) ? this.#enter(directory, top) : undefined;
      }
      const name = text.slice(nameStart, end);
      if (!PLAIN.test(name)) continue;
      if (held === undefined || !isName(name)) continue;
      try {
        const stats = lstatSync(inDirectory(held, name), ABSENT_IS_UNDEFINED);
        const at = file * STAMP_WORDS;
        stamps[at] = stats === undefined ? NO_FILE : stats.mode;
        if (stats === undefined) continue;
        stamps[at + 1] = stats.size;
        stamps[at + 2] = stats.mtimeMs;
        stamps[at + 3] = stats.ctimeMs;
        stamps[at + 4] = stats.ino;
      } catch {
        // The walk asks once more and meets the error.
      }
    }
  }

  /** A handle to the directory `path` (with a slash at the end) below `top`; undefined if it cannot be opened. */
  #enter(path: string, top: number): number | undefined {
    const names = path.split("/");
    names.pop();
    if (names.length > MOST_DEPTH || !names.every(isName)) return undefined;
    let same = 0;
    while (same < names.length && this.#levels[same]?.name === names[same]) same++;
    this.#leave(same);
    try {
      for (const name of names.slice(same)) this.#levels.push({ name, handle: holdDirectory(this.#levels.at(-1)?.handle ?? top, name) });
    } catch {
      return undefined;
    }
    return this.#levels.at(-1)?.handle ?? top;
  }

  #leave(depth: number): void {
    while (this.#levels.length > depth) {
      const { handle } = this.#levels.pop() as { readonly handle: number };
      release(handle);
    }
  }
}

/** A list may hold any text: a component that cannot be a file's name does not exist. */
const isName = (name: string): boolean => name !== "" && name !== "." && name !== "..";
