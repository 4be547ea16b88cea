/** The guard's questions about files before a line runs. Nothing is opened for its content, and nothing changes. Types only. */
import type { Word } from "../shell/tree.ts";

export interface WorkspaceLook {
  /** Texts that a word of text, globs and `~` expands to in `directory` (relative to the root). */
  readonly expand: (word: Word, directory: string) => readonly string[];
  /** The file that `path` (relative to the root) leads to, relative to the root; undefined where it leads to no file. */
  readonly real: (path: string) => string | undefined;
  /** True if the policy keeps the file that `path` (relative to the root) leads to from being read. */
  readonly isReadDenied: (path: string) => boolean;
  /** The reason why a shell in `directory` cannot run the file `path` as a program; undefined where it could. */
  readonly programFault: (path: string, directory: string) => PathFault | undefined;
  /** The target that writing to `path` from `directory` would reach. */
  readonly target: (path: string, directory: string) => LookedTarget;
  /** The entry that `path` names from `directory`, not followed. */
  readonly entry: (path: string, directory: string) => LookedEntry;
  /** Files (canonical) that the record's line changed, or the session's last line that wrote. None where there is no such record. */
  readonly recorded: (record: string | undefined) => readonly string[];
  /** True if a change to the file `path`, seen from `directory`, is recorded. */
  readonly hasRecords: (path: string, directory: string) => boolean;
  /**
   * Reason that the directory of the canonical path `path` forbids writing it, where the canonical paths `alongside` are written
   * with it; undefined where nothing there is against it.
   */
  readonly gitDirectory: (path: string, alongside: readonly string[]) => string | undefined;
}

/** As LookedTarget; `isDirectory` of what is there, a link to one included. */
export type LookedEntry = LookedTarget & { readonly isDirectory?: boolean };

export type PathFault = "missing" | "not-a-directory" | "directory" | "not-executable";

export type LookedTarget =
  /** `path` is canonical, relative to the root. `isShared`: the file has other names (hard links), which keep what they have. */
  | { readonly kind: "new" | "there"; readonly path: string; readonly isShared?: boolean }
  /** A symbolic link leads out of the root. */
  | { readonly kind: "outside" }
  /** A directory, a link, a device, no permission: the stage says so, and writes nothing. */
  | { readonly kind: "unwritable" };
