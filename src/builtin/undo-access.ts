/** Taking recorded changes back, as a builtin sees it (the implementation is src/audit/undo.ts). Types only. */
import { showName } from "../display/visible.ts";
import type { WriteReceipt } from "./recorder.ts";

export interface UndoAccess {
  /** Plan of what taking `sought` back would do; changes nothing. Throws NotUndoable and FileError. */
  plan(sought: UndoSought): UndoPlan;
}

/** The changes to be taken back. */
export type UndoSought =
  /** Those of the last command line that wrote in this session. */
  | { readonly kind: "last" }
  /** Those of the command line that made this record. */
  | { readonly kind: "record"; readonly id: string }
  /**
   * Those that the last command line to change it made to this file, or below this directory (canonical, relative to the root).
   * `orPath`: the path that was meant where nothing is recorded of `path`. `shown`: its name in messages, by default `path`.
   */
  | { readonly kind: "file"; readonly path: string; readonly orPath?: string; readonly shown?: string };

export interface UndoPlan {
  /** The names, in the order in which they were first changed. Those that are as they were before are among them. */
  readonly names: readonly UndoneName[];
  /** What the same command line changed besides the file that was sought, and that is still so; `record` takes all of it back. */
  readonly others?: { readonly paths: readonly string[]; readonly record: string };
  /** Record of the session's command line before this one that could be taken back. */
  readonly older?: string;
  /**
   * Takes the changes back, together or not at all, each as a recorded change, and returns their receipts. Throws FileError
   * (CONFLICT where a file has changed since it was planned); then nothing has changed.
   */
  carryOut(): readonly WriteReceipt[];
}

/** One file, directory or symbolic link whose changes are taken back. */
export interface UndoneName {
  /** Canonical, relative to the root. */
  readonly path: string;
  /** The first record that is taken back, and the last. */
  readonly first: string;
  readonly last: string;
  /**
   * "undone": it is as it was before them already. "changed": it is not as the last one left it. "held": a directory that was made
   * and holds what came later; it stays.
   */
  readonly state: "as recorded" | "undone" | "changed" | "held";
  /** As it will be, as it is, and as the last record left it. */
  readonly before: NameState;
  readonly now: NameState;
  readonly after: NameState;
}

export interface NameState {
  readonly kind: "nothing" | "file" | "directory" | "symlink";
  /** Undefined where they do not matter, or were not recorded. */
  readonly permissions?: number | undefined;
  /** Bytes of a file, or the text of a symbolic link; undefined for the others, and where only attributes were recorded. */
  readonly content: () => Buffer | undefined;
}

/** Thrown where there is nothing that could be taken back; the message says why. */
export class NotUndoable extends Error {
  override readonly name = "NotUndoable";
  /** True where there was something, and all of it is taken back. */
  readonly wasUndone: boolean;

  /** Names in `message` are spelled out. */
  constructor(message: string, { wasUndone = false } = {}) {
    super(showName(message));
    this.wasUndone = wasUndone;
  }
}
