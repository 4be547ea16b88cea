/**
 * A file's mirror: the log that holds its recorded versions, appended to and read back. The journal gives each record's
 * offset and length, so content that looks like a separator is read as content.
 */
import { createHash } from "node:crypto";
import { showName } from "../display/visible.ts";
import { FileError } from "../workspace/file-error.ts";
import type { WorkspaceWriter } from "../workspace/write/write-access.ts";
import type { WritableFile } from "../workspace/write/write-file.ts";
import {
  hasContent,
  timestampOf,
  type ChangeMode,
  type Digest,
  type EntryState,
  type IntentLine,
  type OutcomeLine,
  type PreimageLine,
} from "./journal-lines.ts";
import { MIRROR_PERMISSIONS, RECORD_DIRECTORY_PERMISSIONS } from "./record-paths.ts";
import { memberBytes, storedLines } from "./stored-journal.ts";

const NEWLINE = 0x0a;

/** The line before a record's content. An append has none: its bytes follow those before. */
export function separator(kind: "overwrite" | "preimage" | "removed" | "link" | "abandoned", recordId: string): string {
  return `--- shelpa:${kind} ts=${timestampOf(recordId)} record_id=${recordId} ---\n`;
}

/** The mirror at `path`, created where it is missing, with its directories; durable by name unless `sync` is false. */
export function openMirror(writer: WorkspaceWriter, path: string, { sync = true }: { readonly sync?: boolean } = {}): WritableFile {
  const slash = path.lastIndexOf("/");
  const directory = writer.directory(path.slice(0, slash), RECORD_DIRECTORY_PERMISSIONS);
  try {
    const { file, created } = directory.openLog(path.slice(slash + 1), MIRROR_PERMISSIONS);
    if (created && sync) directory.sync();
    return file;
  } finally {
    directory.close();
  }
}

/** "\n" where the last line of `mirror` is not ended: a separator stands on its own line. */
export function lineEnd(mirror: WritableFile): string {
  const size = mirror.size;
  return size === 0 || mirror.bytes(size - 1, size)[0] === NEWLINE ? "" : "\n";
}

/** One state that a file has been in. */
export interface FileVersion {
  readonly recordId: string;
  readonly ts: string;
  /** "preimage": written by somebody else, and found when we first wrote over it. */
  readonly kind: "preimage" | ChangeMode;
  /** Digest of the file in this state; of no bytes where it was removed. */
  readonly digest: Digest;
  /** Kind and attributes, where an edit recorded them; a write by tee leaves a file. */
  readonly entry: EntryState | undefined;
  /**
   * The file's bytes in this state (none where it was removed), out of the mirror; undefined where the mirror never held them all: the file was
   * appended to when its first bytes were somebody else's, and has not been overwritten since.
   * Throws FileError; throws DamagedMirror where the mirror's bytes are not those that were recorded.
   */
  read(): Buffer | undefined;
}

/** Thrown where a mirror's bytes are not those that the journal recorded. */
export class DamagedMirror extends Error {
  override readonly name = "DamagedMirror";
  readonly recordId: string;
  readonly mirror: string;

  constructor(recordId: string, mirror: string) {
    super(showName(`${mirror}: record ${recordId} is not what was recorded`));
    this.recordId = recordId;
    this.mirror = mirror;
  }
}

/** Every recorded state of the file `path` (canonical, relative to the root), oldest first. Throws FileError. */
export function fileVersions(writer: WorkspaceWriter, path: string): readonly FileVersion[] {
  return versionsOfAll(writer, new Set([path])).get(path) ?? [];
}

/** As `fileVersions`, of each of `paths`, in one reading of the journal. */
export function versionsOfAll(writer: WorkspaceWriter, paths: ReadonlySet<string>): ReadonlyMap<string, readonly FileVersion[]> {
  const histories = new Map<string, FileHistory>();
  const [only] = paths.size === 1 ? paths : [];
  for (const line of storedLines(writer, only === undefined ? undefined : memberBytes("path", only))) {
    const record = line.kind === "kept" ? line.record : line;
    if (!("path" in record) || !paths.has(record.path)) continue;
    let history = histories.get(record.path);
    if (history === undefined) {
      history = new FileHistory(writer);
      histories.set(record.path, history);
    }
    if (line.kind === "kept") history.addKept(line.record);
    else history.add(record);
  }
  return new Map([...histories].map(([path, { versions }]) => [path, versions]));
}

/** The states of one file, from its lines of the journal in order. */
class FileHistory {
  readonly versions: RecordedVersion[] = [];
  readonly #writer: WorkspaceWriter;
  readonly #known = new Map<string, RecordedVersion>();
  /** Pre-image of the next intent, if its writer lived to journal that intent. */
  #preimage: RecordedVersion | undefined;

  constructor(writer: WorkspaceWriter) {
    this.#writer = writer;
  }

  /** Adds the version of a record that went, of which only this is left. */
  addKept(record: PreimageLine | IntentLine): void {
    const version = new RecordedVersion(
      this.#writer,
      record,
      record.kind === "intent" ? this.#known.get(record.previous ?? "") : undefined,
    );
    this.#known.set(record.id, version);
    this.versions.push(version);
  }

  add(line: PreimageLine | IntentLine | OutcomeLine): void {
    if (line.kind === "preimage") {
      this.#preimage = new RecordedVersion(this.#writer, line, undefined);
      this.#known.set(line.id, this.#preimage);
    } else if (line.kind === "intent") {
      if (!hasContent(line)) return;
      if (this.#preimage?.recordId !== line.previous) this.#preimage = undefined;
      this.#known.set(line.id, new RecordedVersion(this.#writer, line, this.#known.get(line.previous ?? "")));
    } else if (line.result === "done" && hasContent(line)) {
      if (this.#preimage !== undefined) {
        this.versions.at(-1)?.isStartOf(this.#preimage);
        this.versions.push(this.#preimage);
      }
      const version = this.#known.get(line.record_id);
      if (version !== undefined) this.versions.push(version);
    }
    if (line.kind === "outcome") this.#preimage = undefined;
  }
}

/** Largest version of a file that is held in memory, to be shown or restored, in bytes. */
const MOST_CONTENT_BYTES = 1 << 30;
const NO_BYTES: Digest = { bytes: 0, sha256: createHash("sha256").digest("hex") };

class RecordedVersion implements FileVersion {
  readonly recordId: string;
  readonly ts: string;
  readonly kind: FileVersion["kind"];
  readonly digest: Digest;
  readonly entry: EntryState | undefined;
  readonly #writer: WorkspaceWriter;
  readonly #line: PreimageLine | IntentLine;
  /** Version before this one, where this one is an append. */
  readonly #before: RecordedVersion | undefined;
  /** A later pre-image that begins with this version, where the mirror had never held it whole. */
  #within: RecordedVersion | undefined;

  constructor(writer: WorkspaceWriter, line: PreimageLine | IntentLine, before: RecordedVersion | undefined) {
    this.#writer = writer;
    this.#line = line;
    this.#before = line.kind === "intent" && line.mode === "append" ? before : undefined;
    this.recordId = line.id;
    this.ts = line.ts;
    this.kind = line.kind === "preimage" ? "preimage" : line.mode;
    this.entry = (line.kind === "preimage" ? line.old : line.new) ?? undefined;
    this.digest = (line.kind === "preimage" ? line.content : line.after) ?? NO_BYTES;
  }

  /**
   * Notes that `preimage` begins with this version, if their digests agree: nobody else wrote in between, so the pre-image
   * holds it all.
   */
  isStartOf(preimage: RecordedVersion): void {
    if (this.kind === "remove" || preimage.digest.sha256 !== this.digest.sha256) return;
    for (let version: RecordedVersion | undefined = this; version !== undefined && !version.#isWhole; version = version.#before) {
      version.#within = preimage;
    }
  }

  read(): Buffer | undefined {
    const bytes = this.#within === undefined ? this.#assembled() : this.#within.read()?.subarray(0, this.digest.bytes);
    if (bytes === undefined) return undefined;
    if (createHash("sha256").update(bytes).digest("hex") !== this.digest.sha256) throw new DamagedMirror(this.recordId, this.#line.mirror);
    return bytes;
  }

  get #isWhole(): boolean {
    return this.#line.kind === "preimage" || this.#line.whole;
  }

  #assembled(): Buffer | undefined {
    if (this.digest.bytes > MOST_CONTENT_BYTES) throw new FileError("EFBIG", this.#line.mirror);
    const pieces: Buffer[] = [];
    let held = 0;
    let version: RecordedVersion = this;
    for (;;) {
      held += version.#line.content.bytes;
      // Parts longer than the whole: no writer of ours made these records.
      if (held > this.digest.bytes && version.#within === undefined) throw new DamagedMirror(this.recordId, this.#line.mirror);
      // A later pre-image holds the bytes that were appended to.
      if (version.#within !== undefined) {
        pieces.push(version.#within.#content().subarray(0, version.digest.bytes));
        break;
      }
      pieces.push(version.#content());
      if (version.kind !== "append") break;
      if (version.#before === undefined) {
        if (version.#line.kind === "intent" && version.#line.before !== null) return undefined;
        break;
      }
      version = version.#before;
    }
    return Buffer.concat(pieces.reverse());
  }

  /** The record's own content in the mirror. */
  #content(): Buffer {
    const { mirror: path, content_offset: offset, content } = this.#line;
    if (content.bytes > MOST_CONTENT_BYTES) throw new FileError("EFBIG", path);
    const slash = path.lastIndexOf("/");
    const directory = this.#writer.directory(path.slice(0, slash));
    try {
      const mirror = directory.open(path.slice(slash + 1));
      if (mirror === undefined) throw new DamagedMirror(this.recordId, path);
      try {
        return mirror.bytes(offset, offset + content.bytes);
      } finally {
        mirror.close();
      }
    } finally {
      directory.close();
    }
  }
}
