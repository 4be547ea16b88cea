/** What the guard asks about files before a line runs. Nothing is opened for its content, and nothing changes. Types only. */
import type { Word } from "../shell/tree.ts";

export interface WorkspaceLook {
  /** What a word of text, globs and `~` stands for in `directory` (relative to the root). */
  readonly expand: (word: Word, directory: string) => readonly string[];
  /** The file that `path` (relative to the root) leads to, relative to the root; undefined where there is none. */
  readonly real: (path: string) => string | undefined;
  /** What writing to `path` from `directory` would write to. */
  readonly target: (path: string, directory: string) => LookedTarget;
  /**
   * Why the canonical path `path` may not be written because of the directory it is in, where the canonical paths `alongside` are
   * written with it; undefined where nothing there is against it.
   */
  readonly gitDirectory: (path: string, alongside: readonly string[]) => string | undefined;
}

export type LookedTarget =
  /** `path` is canonical, relative to the root. */
  | { readonly kind: "new" | "there"; readonly path: string }
  /** A symbolic link leads out of the root. */
  | { readonly kind: "outside" }
  /** A directory, a link, a device, no permission: the stage says so, and writes nothing. */
  | { readonly kind: "unwritable" };
