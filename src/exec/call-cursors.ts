/** The follow cursors of one call: those of its session, and those it gives out. */
import { randomBytes } from "node:crypto";
import type { FollowCursors, FollowedFile } from "../builtin/follow.ts";

/** A cursor as a session keeps it. Plain data. */
export interface HeldCursor {
  readonly cursor: string;
  readonly files: readonly FollowedFile[];
}

/** A cursor that a call gave out. */
export interface NewCursor extends HeldCursor {
  /** The one that the look began at; undefined for a first look. */
  readonly from: string | undefined;
}

/** Cursors that one call gives out, and notes that it makes. */
const MOST_NEW = 16;

/** Part of a cursor before its dot: the same for each look of one watch. */
export const watchOf = (cursor: string): string => cursor.split(".", 1)[0] ?? "";

export class CallCursors implements FollowCursors {
  readonly given: NewCursor[] = [];
  readonly notes: string[] = [];
  readonly #known: Map<string, readonly FollowedFile[]>;

  constructor(held: readonly HeldCursor[]) {
    this.#known = new Map(held.map(({ cursor, files }) => [cursor, files]));
  }

  files(cursor: string): readonly FollowedFile[] | undefined {
    return this.#known.get(cursor);
  }

  put(files: readonly FollowedFile[], from: string | undefined): string | undefined {
    if (this.given.length >= MOST_NEW) return undefined;
    const cursor =
      from === undefined ? `${randomBytes(3).toString("hex")}.1` : `${watchOf(from)}.${Number(from.slice(watchOf(from).length + 1)) + 1}`;
    this.given.push({ cursor, files, from });
    this.#known.set(cursor, files);
    return cursor;
  }

  note(sentence: string): void {
    if (this.notes.length < MOST_NEW) this.notes.push(sentence);
  }
}
