/**
 * One change of an edit whose writer was killed, for recovery: how far it came, and its two ends. No descriptor is held from
 * step to step, since there may be thousands of changes.
 */
import { FileError } from "../workspace/file-error.ts";
import type { WorkspaceWriter } from "../workspace/write/write-access.ts";
import type { WritableDirectory } from "../workspace/write/write-directory.ts";
import { DIRECTORY_BITS, FILE_BITS } from "./entry-attributes.ts";
import { entryIn, inDirectoryOf, isSameDigest, type FoundEntry } from "./entry-state.ts";
import type { Digest, EntryState, IntentLine } from "./journal-lines.ts";
import { directoryOf, pathIn } from "./paths.ts";
import { protectedPath } from "./protected-paths.ts";
import type { OpenChange } from "./recovery.ts";
import { STORE_PATH } from "./record-paths.ts";

export class OpenEdit implements OpenChange {
  readonly intent: IntentLine;
  isReplaced: boolean;
  readonly isReady: boolean;
  readonly #writer: WorkspaceWriter;
  readonly #old: EntryState | null;
  readonly #new: EntryState | null;
  /** No writer of ours begins to write to a hard-protected path: somebody made this line so that we would. */
  readonly #isOurs: boolean;

  /** `after`: the intent's state after the change. */
  constructor(writer: WorkspaceWriter, intent: IntentLine, after: EntryState | null) {
    this.#writer = writer;
    this.intent = intent;
    this.#old = intent.old ?? null;
    this.#new = after;
    this.#isOurs = protectedPath(intent.path) !== "hard";
    const now = this.#at(intent.path);
    const isAsBefore = isInState(now, this.#old, intent.before);
    switch (intent.mode) {
      case "overwrite":
      case "link":
      case "append": {
        const ready = this.#at(pathIn(directoryOf(intent.path), intent.temporary));
        // A new file has both names for a moment (link, then unlink).
        const isWaiting = ready !== undefined && ready.status.inode !== now?.status.inode;
        this.isReplaced = !isWaiting && isInState(now, after, intent.after);
        this.isReady = isWaiting && isAsBefore && isInState(ready, after, intent.after);
        break;
      }
      case "remove":
      case "remove-directory":
        this.isReplaced = now === undefined;
        this.isReady = isAsBefore;
        break;
      case "make-directory":
        // It is made before it is journaled: one that is not there was removed since.
        this.isReplaced = now?.kind === "directory";
        this.isReady = false;
        break;
      case "attributes":
        this.isReplaced = now !== undefined && now.kind === after?.kind && isSet(now, after);
        this.isReady = now !== undefined && now.kind === after?.kind;
        break;
    }
  }

  replace(): void {
    if (this.isReplaced) return;
    const { mode, temporary } = this.intent;
    this.isReplaced = this.#change((directory, name) => {
      if (mode === "overwrite" || mode === "link") directory.rename(temporary, name);
      else if (mode === "remove") directory.remove(name);
      else if (mode === "remove-directory") directory.removeDirectory(name);
      else if (mode === "attributes") this.#set(directory, name, this.#new);
    });
  }

  settle(): void {
    const isAttributes = this.intent.mode === "attributes" && this.#new?.kind === "directory";
    if ((this.intent.mode === "make-directory" || isAttributes) && this.isReplaced) {
      this.#change((directory, name) => this.#set(directory, name, this.#new));
    }
  }

  /** Undoes `replace`, as far as the old entry is still there. */
  putBack(): void {
    if (!this.isReplaced) return;
    const { mode, backup, path } = this.intent;
    const old = this.#old;
    const isUndone = this.#change((directory, name) => {
      if (mode === "make-directory") directory.removeDirectory(name);
      else if (mode === "attributes") this.#set(directory, name, old);
      else if (old === null) directory.remove(name);
      else if (mode === "remove-directory") {
        if (!directory.makeDirectory(name, 0o700)) throw new FileError("EEXIST", path);
        directory.changePermissions(name, old.permissions & DIRECTORY_BITS);
      } else {
        const kept = this.#at(pathIn(STORE_PATH, backup));
        if (!isInState(kept, old, this.intent.before)) throw new FileError("CONFLICT", path);
        inDirectoryOf(this.#writer, pathIn(STORE_PATH, backup), (store, from) => store.rename(from, name, directory));
      }
    });
    if (isUndone) this.isReplaced = false;
  }

  tidy(): void {
    const { path, temporary, backup } = this.intent;
    const own = [
      pathIn(directoryOf(path), temporary),
      ...(this.isReplaced && this.#old?.kind === "symlink" ? [] : [pathIn(STORE_PATH, backup)]),
    ];
    if (!this.#isOurs) return;
    for (const each of own) inDirectoryOf(this.#writer, each, (directory, name) => directory.remove(name));
  }

  close(): void {}

  /** Runs `action` on the entry's directory. False where it fails or the directory is gone: the entry stays as it is then. */
  #change(action: (directory: WritableDirectory, name: string) => void): boolean {
    try {
      const done = inDirectoryOf(this.#writer, this.intent.path, (directory, name) => {
        action(directory, name);
        directory.sync();
        return true;
      });
      return done ?? false;
    } catch (thrown) {
      if (thrown instanceof FileError) return false;
      throw thrown;
    }
  }

  #set(directory: WritableDirectory, name: string, state: EntryState | null): void {
    if (state === null || directory.status(name)?.kind !== state.kind) return;
    directory.changePermissions(name, state.permissions & (state.kind === "directory" ? DIRECTORY_BITS : FILE_BITS));
    const now = directory.status(name);
    if (now !== undefined) directory.changeTimes(name, now.accessedNs, BigInt(state.modified_ns));
  }

  /** The entry at `path`; undefined where there is none, or nothing that an edit makes. */
  #at(path: string): FoundEntry | undefined {
    if (!this.#isOurs) return undefined;
    try {
      return inDirectoryOf(this.#writer, path, entryIn);
    } catch (thrown) {
      if (thrown instanceof FileError) return undefined;
      throw thrown;
    }
  }
}

/** True if `now` is of the kind and has the content that was recorded. */
export function isInState(now: FoundEntry | undefined, state: EntryState | null, digest: Digest | null): boolean {
  if (now === undefined || state === null) return now === undefined && state === null;
  return now.kind === state.kind && (state.kind === "directory" || isSameDigest(now.digest, digest));
}

/** True if permissions and modification time are those recorded, as far as they can be set. */
const isSet = ({ status }: FoundEntry, { permissions, modified_ns }: EntryState): boolean =>
  status.permissions === permissions && status.modifiedNs / 1000n === BigInt(modified_ns) / 1000n;
