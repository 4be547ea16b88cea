/** Taking recorded changes back, as a builtin sees it (the implementation is src/audit/undo.ts). Types only. */
import type { WriteReceipt } from "./recorder.ts";

export interface UndoAccess {
  /** Plan of what taking `sought` back would do; changes nothing. Throws NotUndoable and FileError. */
  plan(sought: UndoSought): UndoPlan;
  /**
   * Takes the changes of `plan` back, each as a recorded write, and returns their receipts. Throws FileError (CONFLICT where a file
   * has changed since it was planned); then nothing has changed.
   */
  carryOut(plan: UndoPlan): readonly WriteReceipt[];
}

/** The changes to be taken back. */
export type UndoSought =
  /** Those of the last command line that wrote in this session. */
  | { readonly kind: "last" }
  /** Those of the command line that made this record. */
  | { readonly kind: "record"; readonly id: string }
  /** Those that the last command line to change it made to this file (canonical, relative to the root). */
  | { readonly kind: "file"; readonly path: string };

export interface UndoPlan {
  /** The files, in the order in which they were first changed. Those that are as they were before are among them. */
  readonly files: readonly UndoneFile[];
}

/** One file whose changes are taken back. */
export interface UndoneFile {
  /** Canonical, relative to the root. */
  readonly path: string;
  /** The first record that is taken back, and the last. */
  readonly first: string;
  readonly last: string;
  /** "undone": it is as it was before them already. "changed": it is not as the last one left it. */
  readonly state: "as recorded" | "undone" | "changed";
  /** The file's bytes: as they will be, as they are, and as the last record left them. undefined: there is no file. */
  readonly before: () => Buffer | undefined;
  readonly now: () => Buffer | undefined;
  readonly after: () => Buffer | undefined;
}

/** Thrown where there is nothing that could be taken back; the message says why. */
export class NotUndoable extends Error {
  override readonly name = "NotUndoable";
}
