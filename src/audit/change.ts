/** Change of one file in a transaction, from the old bytes to the new ones. src/audit/commit.ts calls the steps, in its order. */
import { createHash } from "node:crypto";
import { isWindows } from "../io/platform.ts";
import type { AgreedWrite, ChangeSummary, WriteMode, WriteReceipt } from "../builtin/recorder.ts";
import { FileError } from "../workspace/file-error.ts";
import type { FileStatus } from "../workspace/file-status.ts";
import type { WorkspaceWriter, WriteTarget } from "../workspace/write/write-access.ts";
import type { WritableDirectory } from "../workspace/write/write-directory.ts";
import type { WritableFile } from "../workspace/write/write-file.ts";
import { changeSummary, MOST_COMPARED_BYTES } from "./change-summary.ts";
import { isSameFile } from "./entry-state.ts";
import type { Journal, LastWritten } from "./journal.ts";
import type { Digest, IntentLine, Permission, PreimageLine } from "./journal-lines.ts";
import { openMirror } from "./mirror.ts";
import { directoryOf, nameOf, pathIn } from "./paths.ts";
import { randomName } from "./random-name.ts";
import { recordLayout, type NextIds } from "./record-layout.ts";
import { findMirror } from "./record-paths.ts";
import type { CommitContext } from "./commit.ts";
import type { GivenContent } from "./desired-entry.ts";

/** A file to be written: the path as typed, and the file that it was resolved to. */
export interface CommitTarget extends WriteTarget {
  readonly typed: string;
  readonly permittedBy: Permission | null;
  /** Change that a human has agreed to; undefined: nobody was asked. */
  readonly agreed?: AgreedWrite;
}

/** The file as it was before, held open so that the bytes hashed and the bytes compared are those of one inode. */
interface OldFile {
  readonly file: WritableFile;
  readonly status: FileStatus;
  readonly digest: Digest;
}

/** Error message for a write whose bytes differ from those that were shown and approved. */
export const NOT_APPROVED = "What is to be written is not what was approved; nothing was written";

/** True if inode, device, size and modification time are equal. */
export const isUnchanged = (now: FileStatus, then: FileStatus): boolean =>
  now.inode === then.inode && now.device === then.device && now.size === then.size && now.modifiedNs === then.modifiedNs;

const endsInNewline = ({ file, digest }: OldFile): boolean => file.bytes(digest.bytes - 1, digest.bytes)[0] === 0x0a;

/** Last write to each path of a transaction, by path. */
export type LastWrites = ReadonlyMap<string, LastWritten>;

/** One change of a transaction, whose steps src/audit/commit.ts calls in its order. */
export interface ChangeSteps {
  readonly target: CommitTarget;
  /** Paths that the change is about to make besides its own, noted in the lock. */
  readonly temporaryPaths: readonly string[];
  /** Canonical paths of the directories in which names change, where `replace` and `writeMirror` do not sync them. */
  readonly directories: { readonly files: readonly string[]; readonly mirrors: readonly string[] };
  readonly lines: readonly (Omit<PreimageLine, "prev"> | Omit<IntentLine, "prev">)[];
  readonly intent: Omit<IntentLine, "prev"> | undefined;
  readonly isReplaced: boolean;
  /** True if `prepare` makes an entry beside its own, which changes the time of the directory. */
  readonly makesEntry: boolean;
  /** True if `plan` wants the last write to its path. */
  readonly wantsLastWrite: boolean;
  /** False where nothing is left to be done: a directory on the way that somebody has made meanwhile. */
  prepare(): boolean;
  plan(journal: Journal, last: LastWrites, targets: number, next: NextIds, context: CommitContext): void;
  writeMirror(): void;
  checkUnchanged(): void;
  /** `isOnly`: the transaction has no other change, so nothing has to be undone after this one is made. */
  keepOld(isOnly: boolean): void;
  replace(): void;
  /** Called in reverse order once everything is replaced: what the changes below would have changed again. */
  settle(): void;
  putBack(): void;
  tidy(): void;
  removeMadeDirectories(): void;
  receipt(): WriteReceipt;
  close(): void;
}

/** Change of one file. Steps: prepare, plan, writeMirror, checkUnchanged, keepOld, replace; putBack undoes. */
export class Change implements ChangeSteps {
  readonly target: CommitTarget;
  readonly #writer: WorkspaceWriter;
  readonly #mode: WriteMode;
  readonly #content: GivenContent;
  readonly #name: string;
  readonly #temporary = randomName("new");
  readonly #backup = randomName("old");
  readonly #files: WritableFile[] = [];
  #directory: WritableDirectory | undefined;
  #old: OldFile | undefined;
  /** True if the old file had further names, which may lie outside the workspace: its bytes are not shown. */
  #isLinked = false;
  #new: WritableFile | undefined;
  /** Digest of the new file. */
  #after: Digest | undefined;
  #mirror: WritableFile | undefined;
  #preimage: Omit<PreimageLine, "prev"> | undefined;
  /** Separators in the mirror before each record's content: the pre-image's, if there is one, and the write's. */
  #heads: readonly string[] = [];
  #hasBackup = false;
  /** Of files that are closed already (`letGo`). */
  #summarized: { readonly summary: ChangeSummary | undefined } | undefined;
  #newStatus: FileStatus | undefined;
  intent: Omit<IntentLine, "prev"> | undefined;
  isReplaced = false;
  /** It looks for its own, in the journal from the end. */
  readonly wantsLastWrite = false;
  readonly makesEntry = true;
  readonly directories = { files: [], mirrors: [] };

  constructor(writer: WorkspaceWriter, mode: WriteMode, target: CommitTarget, content: GivenContent) {
    this.#content = content;
    this.#writer = writer;
    this.#mode = mode;
    this.target = target;
    this.#name = nameOf(target.canonical);
  }

  get temporaryPaths(): readonly string[] {
    const directory = directoryOf(this.target.canonical);
    return [pathIn(directory, this.#temporary), pathIn(directory, this.#backup)];
  }

  get lines(): readonly (Omit<PreimageLine, "prev"> | Omit<IntentLine, "prev">)[] {
    return [this.#preimage, this.intent].filter((line) => line !== undefined);
  }

  /** Writes the new bytes to a temporary file beside the target. */
  prepare(): boolean {
    const { typed, canonical } = this.target;
    if (this.#writer.target(typed).canonical !== canonical) throw new FileError("CONFLICT", typed);
    this.#attempt(() => {
      const directory = this.#writer.directory(directoryOf(canonical));
      this.#directory = directory;
      const old = this.#closing(directory.open(this.#name));
      // A new file gets the umask's mode. A replacement is 0600 until it has taken the mode of the file it replaces.
      const created = this.#closing(directory.create(this.#temporary, old === undefined ? 0o666 : 0o600, { durable: true }));
      if (created === undefined) throw new FileError("EEXIST", typed);
      this.#new = created;
      if (old !== undefined) created.takeModeFrom(old.status);
      created.writeAll(this.#newBytes(old));
    });
    this.#checkAgreed();
    return true;
  }

  /** Throws CONFLICT unless the old bytes and the new ones are those that were shown to the human who agreed. */
  #checkAgreed(): void {
    const { agreed, typed } = this.target;
    if (agreed === undefined) return;
    if (agreed.before !== (this.#old?.digest.sha256 ?? null)) {
      throw new FileError("CONFLICT", typed, "It was changed after the change to it was approved; nothing was written");
    }
    if (agreed.after !== this.#after?.sha256) throw new FileError("CONFLICT", typed, NOT_APPROVED);
  }

  /** Bytes of the new file; sets `#old` and `#after`, whose digests are computed on the way. */
  *#newBytes(old: WritableFile | undefined): Generator<Uint8Array, void> {
    const isAppend = this.#mode === "append";
    const hash = createHash("sha256");
    let bytes = 0;
    if (old !== undefined) {
      const status = old.status;
      this.#isLinked = status.links > 1;
      for (const block of old.blocks(0, status.size)) {
        hash.update(block);
        bytes += block.length;
        if (isAppend) yield block;
      }
      this.#old = { file: old, status, digest: { bytes, sha256: hash.copy().digest("hex") } };
    }
    for (const block of this.#content.blocks()) {
      if (isAppend) hash.update(block);
      yield block;
    }
    this.#after = isAppend ? { bytes: bytes + this.#content.digest.bytes, sha256: hash.digest("hex") } : this.#content.digest;
  }

  /** Lays out the record: the journal's lines, and offsets in the mirror. */
  plan(journal: Journal, _last: LastWrites, targets: number, next: NextIds, context: CommitContext): void {
    const { canonical: path, permittedBy } = this.target;
    const old = this.#old;
    const found = findMirror(this.#writer, path);
    // A file without a mirror has no record, so the journal need not be searched.
    const withRecords = this.#mode !== "append";
    const last = found.exists ? journal.lastWritten(new Set([path]), { withRecords }).get(path) : undefined;
    // None is made before the journal has the record.
    const mirror = found.exists ? openMirror(this.#writer, found.path) : undefined;
    this.#mirror = mirror;
    const change = {
      path,
      mode: this.#mode,
      content: this.#content.digest,
      before: old && { ...old.digest, endsInNewline: () => endsInNewline(old) },
      after: this.#after ?? null,
      temporary: this.#temporary,
      backup: this.#backup,
      permittedBy,
      targets,
    };
    const { preimage, intent, heads } = recordLayout(change, mirror, found.path, last, next, context);
    this.#preimage = preimage;
    this.intent = intent;
    this.#heads = heads;
  }

  /** Appends the record to the mirror; it is on disk afterwards. */
  writeMirror(): void {
    this.#mirror ??= openMirror(this.#writer, (this.intent as IntentLine).mirror);
    this.#mirror.writeAll(this.#recordBytes());
  }

  *#recordBytes(): Generator<Uint8Array, void> {
    const heads = this.#heads.map((head) => Buffer.from(head));
    const old = this.#old;
    if (this.#preimage !== undefined && old !== undefined) {
      yield heads.shift() as Buffer;
      const hash = createHash("sha256");
      for (const block of old.file.blocks(0, old.digest.bytes)) {
        hash.update(block);
        yield block;
      }
      if (hash.digest("hex") !== old.digest.sha256) throw new FileError("CONFLICT", this.target.typed);
    }
    yield heads.shift() as Buffer;
    yield* this.#content.blocks();
  }

  /** Throws CONFLICT unless the file is still the one whose bytes were recorded. */
  checkUnchanged(): void {
    const now = this.#held.status(this.#name);
    const then = this.#old?.status;
    const isSame = now === undefined || then === undefined ? now === then : isUnchanged(now, then) && now.changedNs === then.changedNs;
    if (!isSame) throw new FileError("CONFLICT", this.target.typed);
  }

  /** Gives the old file a second name, for `putBack`. Linking changes its ctime, so its status is read anew. */
  keepOld(isOnly: boolean): void {
    const old = this.#old;
    if (old === undefined || isOnly) return;
    this.#attempt(() => {
      this.#hasBackup = this.#held.link(this.#name, this.#backup);
      const kept = this.#held.status(this.#backup);
      if (kept === undefined || !isUnchanged(kept, old.status)) throw new FileError("CONFLICT", this.target.typed);
      this.#old = { ...old, status: kept };
    });
  }

  /**
   * Replaces the file, after one more check that it is unchanged. A new file takes its name only if the name is free then,
   * however long the files before it took: no bytes are replaced that have no record.
   */
  replace(): void {
    this.#attempt(() => {
      if (this.#old === undefined) this.isReplaced = this.#held.giveFreeName(this.#temporary, this.#name);
      else {
        this.checkUnchanged();
        if (isWindows) this.#letGo(this.#old.file);
        this.#held.rename(this.#temporary, this.#name);
        this.isReplaced = true;
      }
      if (!this.isReplaced) throw new FileError("CONFLICT", this.target.typed);
      this.#held.sync();
    });
  }

  /** Closes both files, for Windows keeps the name of one that is open. What is asked of them later is asked first. */
  #letGo(old: WritableFile): void {
    this.#summarized = { summary: this.#summary() };
    this.#newStatus = this.#new?.status;
    old.close();
    this.#new?.close();
  }

  settle(): void {}

  /** Undoes `replace`. A file that somebody has written since is left as it is. */
  putBack(): void {
    if (!this.isReplaced || !this.#isOurs()) return;
    if (this.#old === undefined) this.#held.remove(this.#name);
    else if (this.#hasBackup) this.#held.rename(this.#backup, this.#name);
    else return;
    this.isReplaced = false;
    this.#held.sync();
  }

  #isOurs(): boolean {
    const now = this.#held.status(this.#name);
    return isSameFile(now, this.#newStatus ?? this.#new?.status);
  }

  /** Removes the temporary file and the backup beside the target, if they are there. */
  tidy(): void {
    if (this.#new !== undefined) this.#directory?.remove(this.#temporary);
    if (this.#hasBackup) this.#directory?.remove(this.#backup);
  }

  removeMadeDirectories(): void {}

  receipt(): WriteReceipt {
    const { path, mirror, content, id, before, previous } = this.intent as IntentLine;
    return {
      path,
      mirror,
      mode: this.#mode === "append" ? "append" : "overwrite",
      bytes: content.bytes,
      recordId: id,
      created: before === null,
      previous,
      permittedBy: this.target.permittedBy,
      change: this.#summarized === undefined ? this.#summary() : this.#summarized.summary,
    };
  }

  #summary(): ChangeSummary | undefined {
    const old = this.#old;
    if (this.#isLinked || (old?.digest.bytes ?? 0) + this.#content.digest.bytes > MOST_COMPARED_BYTES) return undefined;
    const before = old?.file.bytes(0, old.digest.bytes);
    const content = Buffer.concat([...this.#content.blocks()]);
    const after = this.#mode === "append" && before !== undefined ? Buffer.concat([before, content]) : content;
    return changeSummary(before, after);
  }

  close(): void {
    for (const file of this.#files) file.close();
    this.#mirror?.close();
    this.#directory?.close();
  }

  /** Registers `file` to be closed by `close`. */
  #closing<T extends WritableFile | undefined>(file: T): T {
    if (file !== undefined) this.#files.push(file);
    return file;
  }

  get #held(): WritableDirectory {
    if (this.#directory === undefined) throw new Error("not prepared");
    return this.#directory;
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
