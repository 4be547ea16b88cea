/** Change of one file in a transaction, from the old bytes to the new ones. src/audit/commit.ts calls the steps, in its order. */
import { createHash } from "node:crypto";
import type { AgreedWrite, ChangeSummary, WriteReceipt } from "../builtin/recorder.ts";
import { FileError } from "../workspace/file-error.ts";
import type { FileStatus } from "../workspace/file-status.ts";
import type { WorkspaceWriter, WriteTarget } from "../workspace/write/write-access.ts";
import type { WritableDirectory } from "../workspace/write/write-directory.ts";
import type { WritableFile } from "../workspace/write/write-file.ts";
import { changeSummary, MOST_COMPARED_BYTES } from "./change-summary.ts";
import { fileDigest } from "./file-digest.ts";
import type { Journal } from "./journal.ts";
import type { ChangeMode, Digest, IntentLine, Permission, PreimageLine } from "./journal-lines.ts";
import { lineEnd, openMirror, separator } from "./mirror.ts";
import { directoryOf, nameOf, pathIn } from "./paths.ts";
import { randomName } from "./random-name.ts";
import { findMirror } from "./record-paths.ts";
import type { CommitContext } from "./commit.ts";
import type { Spool } from "./spool.ts";

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
const isUnchanged = (now: FileStatus, then: FileStatus): boolean =>
  now.inode === then.inode && now.device === then.device && now.size === then.size && now.modifiedNs === then.modifiedNs;

/** Change of one file. Steps: prepare, plan, writeMirror, checkUnchanged, keepOld, replace; putBack undoes. */
export class Change {
  readonly target: CommitTarget;
  readonly #writer: WorkspaceWriter;
  readonly #mode: ChangeMode;
  readonly #name: string;
  readonly #temporary = randomName("new");
  readonly #backup = randomName("old");
  readonly #madeDirectories: string[] = [];
  readonly #files: WritableFile[] = [];
  #directory: WritableDirectory | undefined;
  #old: OldFile | undefined;
  /** True if the old file had further names, which may lie outside the workspace: its bytes are not shown. */
  #isLinked = false;
  #new: WritableFile | undefined;
  /** Digest of the new file; null where the file is to be removed. */
  #after: Digest | null = null;
  #mirror: WritableFile | undefined;
  #preimage: Omit<PreimageLine, "prev"> | undefined;
  /** Separators in the mirror before each record's content: the pre-image's, if there is one, and the write's. */
  readonly #heads: string[] = [];
  #hasBackup = false;
  intent: Omit<IntentLine, "prev"> | undefined;
  isReplaced = false;

  constructor(writer: WorkspaceWriter, mode: ChangeMode, target: CommitTarget) {
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

  /**
   * Makes the directories and writes the new bytes to a temporary file beside the target; for a removal only opens and
   * hashes it.
   */
  prepare(content: Spool): void {
    const { typed, canonical } = this.target;
    if (this.#writer.target(typed).canonical !== canonical) throw new FileError("CONFLICT", typed);
    if (this.#mode === "remove") {
      this.#attempt(() => this.#prepareRemoval());
      return;
    }
    this.#attempt(() => {
      const directory = this.#writer.directory(directoryOf(canonical), 0o777, (made) => this.#madeDirectories.push(made));
      this.#directory = directory;
      const old = this.#closing(directory.open(this.#name));
      // A new file gets the umask's mode. A replacement is 0600 until it has taken the mode of the file it replaces.
      const created = this.#closing(directory.create(this.#temporary, old === undefined ? 0o666 : 0o600, { durable: true }));
      if (created === undefined) throw new FileError("EEXIST", typed);
      this.#new = created;
      if (old !== undefined) created.takeModeFrom(old.status);
      created.writeAll(this.#newBytes(old, content));
    });
    this.#checkAgreed();
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

  #prepareRemoval(): void {
    this.#directory = this.#writer.directory(directoryOf(this.target.canonical));
    const old = this.#closing(this.#directory.open(this.#name));
    if (old === undefined) throw new FileError("ENOENT", this.target.typed);
    const status = old.status;
    this.#old = { file: old, status, digest: fileDigest(old, status.size) };
  }

  /** Bytes of the new file; sets `#old` and `#after`, whose digests are computed on the way. */
  *#newBytes(old: WritableFile | undefined, content: Spool): Generator<Uint8Array, void> {
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
    for (const block of content.blocks()) {
      if (isAppend) hash.update(block);
      yield block;
    }
    this.#after = isAppend ? { bytes: bytes + content.size, sha256: hash.digest("hex") } : content.digest();
  }

  /** Lays out the record: the journal's lines, and offsets in the mirror. */
  plan(
    writer: WorkspaceWriter,
    journal: Journal,
    content: Spool,
    targets: number,
    next: () => { readonly id: string; readonly ts: string; readonly transaction: string; readonly call: string },
    context: CommitContext,
  ): void {
    const { canonical: path } = this.target;
    const { expandedLine = context.line } = context;
    const old = this.#old;
    const after = this.#after;
    const found = findMirror(writer, path);
    // A file without a mirror has no record, so the journal need not be searched.
    const last = found.exists ? journal.lastDone(path) : undefined;
    this.#mirror = openMirror(writer, found.path);
    const isOurs = old !== undefined && last?.after?.sha256 === old.digest.sha256 && last.after.bytes === old.digest.bytes;
    const isHeld = isOurs && last.whole && this.#mirror.size >= last.mirror_end;
    let at = this.#mirror.size;
    let unended = lineEnd(this.#mirror) !== "";
    const place = (kind: "preimage" | ChangeMode, id: string, digest: Digest) => {
      // A separator stands on its own line. An append has none: what it adds follows what was there.
      const lead = unended && kind !== "append" ? "\n" : "";
      const line = kind === "append" ? "" : separator(kind === "remove" ? "removed" : kind, id);
      this.#heads.push(lead + line);
      const offset = at + lead.length;
      const content_offset = offset + line.length;
      at = content_offset + digest.bytes;
      return { path, mirror: found.path, offset, content_offset, content: digest };
    };
    if (this.#mode !== "append" && old !== undefined && !isHeld) {
      const { id, ts, transaction } = next();
      this.#preimage = { kind: "preimage", id, ts, transaction, ...place("preimage", id, old.digest) };
      unended = old.digest.bytes > 0 && old.file.bytes(old.digest.bytes - 1, old.digest.bytes)[0] !== 0x0a;
    }
    const { id, ts, transaction, call } = next();
    this.intent = {
      kind: "intent",
      id,
      ts,
      transaction,
      call,
      targets,
      mode: this.#mode,
      ...place(this.#mode, id, content.digest()),
      before: old?.digest ?? null,
      after,
      whole: this.#mode !== "append" || old === undefined || isHeld,
      previous: this.#preimage?.id ?? (isOurs ? last.record_id : null),
      temporary: this.#temporary,
      backup: this.#backup,
      session: context.session,
      client: context.client,
      command: context.line,
      ...(expandedLine === context.line ? {} : { ran: expandedLine }),
      permitted_by: this.target.permittedBy,
    };
  }

  /** Appends the record to the mirror; it is on disk afterwards. */
  writeMirror(content: Spool): void {
    (this.#mirror as WritableFile).writeAll(this.#recordBytes(content));
  }

  *#recordBytes(content: Spool): Generator<Uint8Array, void> {
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
    yield* content.blocks();
  }

  /** Throws CONFLICT unless the file is still the one whose bytes were recorded. */
  checkUnchanged(): void {
    const now = this.#held.status(this.#name);
    const then = this.#old?.status;
    const isSame = now === undefined || then === undefined ? now === then : isUnchanged(now, then) && now.changedNs === then.changedNs;
    if (!isSame) throw new FileError("CONFLICT", this.target.typed);
  }

  /** Gives the old file a second name, for `putBack`. Linking changes its ctime, so its status is read anew. */
  keepOld(): void {
    const old = this.#old;
    if (old === undefined) return;
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
        if (this.#mode === "remove") this.#held.remove(this.#name);
        else this.#held.rename(this.#temporary, this.#name);
        this.isReplaced = true;
      }
      if (!this.isReplaced) throw new FileError("CONFLICT", this.target.typed);
      this.#held.sync();
    });
  }

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
    if (this.#new === undefined) return now === undefined;
    const { inode, device } = this.#new.status;
    return now !== undefined && now.inode === inode && now.device === device;
  }

  /** Removes the temporary file and the backup beside the target, if they are there. */
  tidy(): void {
    if (this.#new !== undefined) this.#directory?.remove(this.#temporary);
    if (this.#hasBackup) this.#directory?.remove(this.#backup);
  }

  removeMadeDirectories(): void {
    for (const path of [...this.#madeDirectories].reverse()) {
      const above = this.#writer.directory(directoryOf(path));
      above.removeEmptyDirectory(nameOf(path));
      above.close();
    }
  }

  /** Receipt of a write; not for a removal. */
  receipt(given: Spool): WriteReceipt {
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
      change: this.#summary(given),
    };
  }

  #summary(given: Spool): ChangeSummary | undefined {
    const old = this.#old;
    if (this.#isLinked || (old?.digest.bytes ?? 0) + given.size > MOST_COMPARED_BYTES) return undefined;
    const before = old?.file.bytes(0, old.digest.bytes);
    const content = Buffer.concat([...given.blocks()]);
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
