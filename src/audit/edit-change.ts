/**
 * Change of one name in an edit: a file, a symbolic link or a directory made, replaced or removed, or its attributes set.
 * src/audit/commit.ts calls the steps, in its order. No descriptor is held from step to step, since there may be thousands
 * of changes: each step makes sure that it meets the entry that was recorded.
 */
import { createHash } from "node:crypto";
import type { ChangeSummary, WriteReceipt } from "../builtin/recorder.ts";
import { FileError } from "../workspace/file-error.ts";
import type { FileStatus } from "../workspace/file-status.ts";
import type { WorkspaceWriter } from "../workspace/write/write-access.ts";
import type { WritableDirectory } from "../workspace/write/write-directory.ts";
import { isUnchanged, type ChangeSteps, type LastWrites } from "./change.ts";
import type { CommitContext } from "./commit.ts";
import { Comparisons } from "./comparisons.ts";
import { modeOf, type EditTarget, type DesiredEntry, type GivenContent, type SetAttributes } from "./desired-entry.ts";
import { checkAgreed, checkRead } from "./edit-checks.ts";
import { attributesOf, DIRECTORY_BITS, FILE_BITS, modeAfter, setAttributes, setTimes } from "./entry-attributes.ts";
import { digestOf, entryIn, inDirectoryOf, inHeldDirectoryOf, isSameFile, leafBytes, stateOf, type FoundEntry } from "./entry-state.ts";
import type { Journal } from "./journal.ts";
import { hasContent, type ChangeMode, type EntryState, type IntentLine } from "./journal-lines.ts";
import { makeLink } from "./made-link.ts";
import { openMirror } from "./mirror.ts";
import { directoryOf, nameOf, pathIn } from "./paths.ts";
import { randomName } from "./random-name.ts";
import { intentWithoutContent, recordLayout, type NextIds, type RecordLayout } from "./record-layout.ts";
import { findMirror, STORE_PATH } from "./record-paths.ts";

const NO_CONTENT: GivenContent = { digest: digestOf(Buffer.alloc(0)), blocks: () => [] };

export class EditChange implements ChangeSteps {
  readonly target: EditTarget;
  readonly wantsLastWrite: boolean;
  readonly makesEntry: boolean;
  readonly #writer: WorkspaceWriter;
  readonly #comparisons: Comparisons;
  readonly #temporary = randomName("new");
  readonly #backup = randomName("old");
  #old: FoundEntry | undefined;
  /** The new entry: the temporary, or the directory that was made. */
  #new: FoundEntry | undefined;
  #mode: ChangeMode | undefined;
  #layout: RecordLayout | undefined;
  #hasTemporary = false;
  #hasBackup = false;
  #hasMade = false;
  /** True if the old file has other names: what is done to those changes its ctime. */
  #isShared = false;
  #summary: ChangeSummary | undefined;
  intent: Omit<IntentLine, "prev"> | undefined;
  isReplaced = false;

  constructor(writer: WorkspaceWriter, target: EditTarget, comparisons = new Comparisons()) {
    this.#writer = writer;
    this.#comparisons = comparisons;
    this.target = target;
    const { kind } = target.desired;
    this.makesEntry = kind !== "same" && kind !== "nothing";
    this.wantsLastWrite = kind === "file" || kind === "symlink" || kind === "nothing";
  }

  get temporaryPaths(): readonly string[] {
    return [pathIn(directoryOf(this.target.canonical), this.#temporary), pathIn(STORE_PATH, this.#backup)];
  }

  get directories(): ChangeSteps["directories"] {
    const mirror = this.#layout === undefined ? [] : [directoryOf(this.#layout.intent.mirror)];
    return { files: [directoryOf(this.target.canonical)], mirrors: mirror };
  }

  get lines(): ChangeSteps["lines"] {
    return [this.#layout?.preimage, this.intent].filter((line) => line !== undefined);
  }

  prepare(): boolean {
    const { typed, canonical, desired, isResolved, expected } = this.target;
    this.#attempt(() => {
      this.#within((directory, name) => {
        const old = entryIn(directory, name);
        this.#old = old;
        this.#isShared = old !== undefined && old.status.links > 1;
        if (isResolved === true && desired.kind === "directory" && old?.kind === "directory") return;
        this.#mode = modeOf(old?.kind, desired.kind, typed);
        if (desired.kind === "directory") this.#make(directory, name, desired.attributes);
        else if (desired.kind === "file" || desired.kind === "symlink") this.#write(directory, desired);
        this.#summary = this.#comparisons.compare(directory, name, { typed, desired, old });
      });
      if (isResolved !== true && this.#writer.entry(typed).canonical !== canonical) throw new FileError("CONFLICT", typed);
      if (expected !== undefined && expected !== (this.#old?.digest?.sha256 ?? null)) throw new FileError("CONFLICT", typed);
    });
    if (this.#mode === undefined) return false;
    checkRead(this.target, this.#old);
    checkAgreed(this.target, this.#old);
    return true;
  }

  #make(directory: WritableDirectory, name: string, { mode, creation = 0o777 }: SetAttributes): void {
    // Until its entries are made it must be one that we may write in.
    if (!directory.makeDirectory(name, mode === undefined ? creation | 0o700 : 0o700)) throw new FileError("EEXIST", this.target.typed);
    this.#hasMade = true;
    this.#new = entryIn(directory, name);
  }

  /** Writes the new entry under its temporary name. */
  #write(directory: WritableDirectory, desired: DesiredEntry & { readonly kind: "file" | "symlink" }): void {
    const name = this.#temporary;
    this.#hasTemporary = true;
    if (desired.kind === "symlink") makeLink(this.#writer, directory, name, this.target.typed, desired);
    else {
      const { mode } = desired.attributes;
      const like = this.#old?.kind === "file" && desired.isFresh !== true ? this.#old.status : undefined;
      const created = directory.create(name, mode === undefined && like === undefined ? (desired.attributes.creation ?? 0o666) : 0o600, {
        durable: true,
      });
      if (created === undefined) throw new FileError("EEXIST", this.target.typed);
      try {
        if (like !== undefined) created.takeModeFrom(like);
        created.writeAll(desired.content.blocks());
      } finally {
        created.close();
      }
      if (mode !== undefined) directory.changePermissions(name, mode & FILE_BITS);
      setTimes(directory, name, desired.attributes);
    }
    this.#new = entryIn(directory, name);
    if (this.#new?.kind !== desired.kind || this.#new.digest?.sha256 !== desired.content.digest.sha256)
      throw new FileError("CONFLICT", this.target.typed);
  }

  plan(_journal: Journal, last: LastWrites, targets: number, next: NextIds, context: CommitContext): void {
    const { canonical: path, permittedBy, undoes, desired } = this.target;
    const mode = this.#mode as ChangeMode;
    const old = this.#old;
    const content = desired.kind === "file" || desired.kind === "symlink" ? desired.content : NO_CONTENT;
    const change = {
      path,
      mode,
      content: content.digest,
      before: old?.digest && { ...old.digest, endsInNewline: () => old.endsInNewline },
      after: hasContent({ mode }) && desired.kind !== "nothing" ? content.digest : null,
      temporary: this.#temporary,
      backup: this.#backup,
      permittedBy,
      undoes,
      targets,
      states: { old: old === undefined ? null : stateOf(old), new: this.#stateAfter() },
    };
    const found = findMirror(this.#writer, path);
    if (!hasContent({ mode })) {
      this.intent = intentWithoutContent(change, found.path, next, context);
      return;
    }
    // None is made before the journal has the record.
    const mirror = found.exists ? openMirror(this.#writer, found.path) : undefined;
    try {
      const written = found.exists ? last.get(path) : undefined;
      this.#layout = recordLayout(change, mirror, found.path, written, next, context);
      this.intent = this.#layout.intent;
    } finally {
      mirror?.close();
    }
  }

  #stateAfter(): EntryState | null {
    const { desired } = this.target;
    if (desired.kind === "nothing") return null;
    const base = stateOf((desired.kind === "same" ? this.#old : this.#new) as FoundEntry);
    if (desired.kind !== "directory" && desired.kind !== "same") return base;
    const { modifiedNs } = desired.attributes;
    const bits = base.kind === "directory" ? DIRECTORY_BITS : FILE_BITS;
    const mode = modeAfter(desired.kind, desired.attributes, base.permissions);
    return {
      kind: base.kind,
      permissions: mode === undefined ? base.permissions : mode & bits,
      modified_ns: modifiedNs?.toString() ?? base.modified_ns,
    };
  }

  writeMirror(): void {
    const layout = this.#layout;
    if (layout === undefined) return;
    // Its directory is synced once for all changes (`directories`).
    const mirror = openMirror(this.#writer, layout.intent.mirror, { sync: false });
    try {
      if (mirror.size + (layout.heads[0]?.startsWith("\n") === true ? 1 : 0) !== (layout.preimage ?? layout.intent).offset) {
        throw new FileError("CONFLICT", this.target.typed);
      }
      mirror.writeAll(this.#recordBytes(layout));
    } finally {
      mirror.close();
    }
  }

  *#recordBytes({ heads, preimage }: RecordLayout): Generator<Uint8Array, void> {
    const [first, second] = heads.map((head) => Buffer.from(head));
    yield first as Buffer;
    const old = this.#old;
    if (preimage !== undefined && old !== undefined && old.kind !== "directory") {
      yield* this.#oldBytes(old, old.kind);
      yield second as Buffer;
    }
    const { desired } = this.target;
    if (desired.kind === "file" || desired.kind === "symlink") yield* desired.content.blocks();
  }

  /** The old bytes, read again. CONFLICT where they are not those that were hashed. */
  *#oldBytes(old: FoundEntry, kind: "file" | "symlink"): Generator<Uint8Array, void> {
    const hash = createHash("sha256");
    const directory = this.#writer.directory(directoryOf(this.target.canonical));
    try {
      for (const block of leafBytes(directory, nameOf(this.target.canonical), kind)) {
        hash.update(block);
        yield block;
      }
    } finally {
      directory.close();
    }
    if (hash.digest("hex") !== old.digest?.sha256) throw new FileError("CONFLICT", this.target.typed);
  }

  /** Throws CONFLICT unless the entry is still the one that was recorded. */
  checkUnchanged(): void {
    this.#within((directory, name) => {
      const now = directory.status(name);
      if (!this.#isAsRecorded(now)) throw new FileError("CONFLICT", this.target.typed);
    });
  }

  #isAsRecorded(now: FileStatus | undefined): boolean {
    if (this.#hasMade) return now !== undefined && isSameFile(now, this.#new?.status);
    const then = this.#old?.status;
    if (now === undefined || then === undefined) return now === then;
    // Names made and removed in a directory by the changes before change its times.
    if (this.#old?.kind === "directory") return isSameFile(now, then);
    // A symbolic link's text is never another. In the executor the link to be made is a second name of it, which changes its ctime.
    return isUnchanged(now, then) && (this.#isShared || then.kind === "symlink" || now.changedNs === then.changedNs);
  }

  /**
   * Gives the old entry a second name among the records, for `putBack`; a symbolic link's stays there, because it cannot always be
   * made again. Linking changes its ctime, so its status is read anew.
   */
  keepOld(isOnly: boolean): void {
    const old = this.#old;
    if (old === undefined || old.kind === "directory" || this.#mode === "attributes" || (isOnly && old.kind === "file")) return;
    this.#attempt(() => {
      this.#within((directory, name) => {
        this.#inStore((store) => {
          this.#hasBackup = directory.link(name, this.#backup, store);
          const kept = store.status(this.#backup);
          if (kept === undefined || !isUnchanged(kept, old.status)) throw new FileError("CONFLICT", this.target.typed);
          this.#old = { ...old, status: kept };
        });
      });
    });
  }

  replace(): void {
    this.#attempt(() => {
      this.#within((directory, name) => {
        if (this.#mode !== "overwrite" && this.#mode !== "link") this.checkUnchanged();
        switch (this.#mode as ChangeMode) {
          case "overwrite":
          case "link":
          case "append":
            if (this.#old === undefined) {
              if (!directory.giveFreeName(this.#temporary, name)) throw new FileError("CONFLICT", this.target.typed);
              this.isReplaced = true;
              // Now, because it would change the time of a directory whose own is set once its entries are made.
              directory.remove(this.#temporary);
            } else {
              this.checkUnchanged();
              // rename(2) of a second name onto the first does nothing: `tidy` removes it.
              if (isSameFile(this.#old.status, this.#new?.status)) break;
              directory.rename(this.#temporary, name);
            }
            this.#hasTemporary = false;
            break;
          case "remove":
            directory.remove(name);
            break;
          case "remove-directory":
            directory.removeDirectory(name);
            break;
          case "attributes":
            setAttributes(directory, name, (this.target.desired as DesiredEntry & { kind: "same" }).attributes, this.#old as FoundEntry);
            break;
          case "make-directory":
            break;
        }
        this.isReplaced = true;
      });
    });
  }

  /** Sets a directory's own attributes, now that its entries are made. */
  settle(): void {
    const { desired } = this.target;
    if (desired.kind === "same" && this.#old?.kind === "directory") {
      const old = this.#old;
      this.#attempt(() => this.#within((directory, name) => setAttributes(directory, name, desired.attributes, old)));
    }
    if (desired.kind !== "directory") return;
    const made = this.#new as FoundEntry;
    const mode = modeAfter(desired.kind, desired.attributes, made.status.permissions);
    const attributes = { ...desired.attributes, ...(mode === undefined ? {} : { mode }) };
    this.#attempt(() => this.#within((directory, name) => setAttributes(directory, name, attributes, made)));
  }

  /** Undoes `replace`. What somebody has written since is left as it is. */
  putBack(): void {
    if (!this.isReplaced) return;
    this.#within((directory, name) => {
      const now = directory.status(name);
      switch (this.#mode as ChangeMode) {
        case "overwrite":
        case "link":
        case "append":
          if (!isSameFile(now, this.#new?.status)) return;
          if (this.#old === undefined) directory.remove(name);
          else if (!this.#restoreBackup(directory, name)) return;
          break;
        case "remove":
          if (now !== undefined || !this.#restoreBackup(directory, name)) return;
          break;
        case "remove-directory":
          if (now !== undefined || !directory.makeDirectory(name, 0o700)) return;
          directory.changePermissions(name, (this.#old as FoundEntry).status.permissions & DIRECTORY_BITS);
          break;
        case "attributes":
          if (!isSameFile(now, this.#old?.status)) return;
          setAttributes(directory, name, attributesOf(this.#old as FoundEntry), this.#old as FoundEntry);
          break;
        case "make-directory":
          break;
      }
      this.isReplaced = false;
      directory.sync();
    });
  }

  #restoreBackup(directory: WritableDirectory, name: string): boolean {
    if (!this.#hasBackup) return false;
    this.#inStore((store) => store.rename(this.#backup, name, directory));
    this.#hasBackup = false;
    return true;
  }

  tidy(): void {
    if (this.#hasTemporary) inDirectoryOf(this.#writer, this.target.canonical, (directory) => directory.remove(this.#temporary));
    if (!this.#hasBackup || (this.isReplaced && this.#old?.kind === "symlink")) return;
    this.#inStore((store) => store.remove(this.#backup));
  }

  removeMadeDirectories(): void {
    if (this.#hasMade) this.#within((directory, name) => directory.removeEmptyDirectory(name));
  }

  receipt(): WriteReceipt {
    const { path, mirror, mode, content, id, previous } = this.intent as IntentLine;
    return {
      path,
      mirror: hasContent({ mode }) ? mirror : "",
      mode,
      bytes: content.bytes,
      recordId: id,
      created: this.#old === undefined,
      previous,
      permittedBy: this.target.permittedBy,
      change: this.#summary,
    };
  }

  close(): void {}

  #within<T>(action: (directory: WritableDirectory, name: string) => T): T {
    return inHeldDirectoryOf(this.#writer, this.target.canonical, action);
  }

  #inStore<T>(action: (store: WritableDirectory) => T): T {
    return inHeldDirectoryOf(this.#writer, pathIn(STORE_PATH, this.#backup), action);
  }

  /** Runs `action`; its FileErrors name the file as it was typed, never the temporary. */
  #attempt(action: () => void): void {
    try {
      action();
    } catch (thrown) {
      if (thrown instanceof FileError) throw new FileError(thrown.code, this.target.typed, thrown.message);
      throw thrown;
    }
  }
}
