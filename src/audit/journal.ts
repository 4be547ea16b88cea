/**
 * The journal as a file: appending to the hash chain, and reading it from either end. Whoever appends holds the lock
 * of src/audit/record-store.ts.
 */
import { createHash } from "node:crypto";
import type { WritableDirectory } from "../workspace/write-directory.ts";
import type { WritableFile } from "../workspace/write-file.ts";
import { parseLine, timestampOf, type JournalLine, type NewLine, type OutcomeLine } from "./journal-lines.ts";

export const JOURNAL_NAME = "journal.jsonl";

const PERMISSIONS = 0o600;
/** The last lines are what is mostly wanted; a search that goes on reads in larger and larger pieces. */
const FIRST_CHUNK_BYTES = 8 * 1024;
const LAST_CHUNK_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;
const CHAIN_START = "0".repeat(64);

export class Journal {
  readonly #file: WritableFile;
  readonly #nowNs: () => bigint;
  #lastId = 0n;
  #lastHash = CHAIN_START;
  /** Bytes of a last line that was never finished; 0 for none. */
  #damagedBytes = 0;

  /** Opens or creates the journal in `directory`. */
  static open(directory: WritableDirectory, nowNs: () => bigint): Journal {
    const { file, created } = directory.openLog(JOURNAL_NAME, PERMISSIONS);
    if (created) directory.sync();
    const journal = new Journal(file, nowNs);
    if (journal.#damagedBytes > 0) journal.#repair();
    return journal;
  }

  private constructor(file: WritableFile, nowNs: () => bigint) {
    this.#file = file;
    this.#nowNs = nowNs;
    this.#readEnd();
  }

  /** An id greater than every one before it. A damaged end is first repaired, so that the lines' ids are in order. */
  nextId(): string {
    if (this.#damagedBytes > 0) this.#repair();
    const now = this.#nowNs();
    this.#lastId = now > this.#lastId ? now : this.#lastId + 1n;
    return this.#lastId.toString();
  }

  /** Appends `lines` in one write, which is on disk afterwards. Their ids come from `nextId`, in this order. */
  append(lines: readonly NewLine[]): void {
    this.#write(lines.map((line) => this.#chain(line)).join(""));
  }

  close(): void {
    this.#file.close();
  }

  /** The lines from the last to the first; what is no line is passed over. */
  *linesBackward(): Generator<JournalLine, void> {
    for (const bytes of rawLinesBackward(this.#file)) {
      const line = parseLine(bytes);
      if (line !== undefined) yield line;
    }
  }

  /** As the function of this name. */
  lastDone(path: string): OutcomeLine | undefined {
    return lastDone(this.#file, path);
  }

  /** The lines of the last transaction, first to last, if it was not closed: its writer was killed. */
  openTransaction(): readonly JournalLine[] {
    const lines: JournalLine[] = [];
    for (const line of this.linesBackward()) {
      if (line.kind === "outcome" && line.pending === 0) break;
      lines.push(line);
    }
    return lines.reverse();
  }

  /** Ends the damaged line and says so in the next one. */
  #repair(): void {
    const damaged_bytes = this.#damagedBytes;
    this.#damagedBytes = 0;
    const id = this.nextId();
    this.#write(`\n${this.#chain({ kind: "repair", id, ts: timestampOf(id), damaged_bytes })}`);
  }

  #write(text: string): void {
    try {
      this.#file.write(Buffer.from(text));
    } catch (thrown) {
      this.#readEnd();
      throw thrown;
    }
  }

  #chain(line: NewLine): string {
    const text = JSON.stringify({ ...line, prev: this.#lastHash });
    this.#lastHash = sha256(Buffer.from(text));
    return `${text}\n`;
  }

  #readEnd(): void {
    let isLast = true;
    this.#lastId = 0n;
    this.#lastHash = CHAIN_START;
    this.#damagedBytes = 0;
    for (const bytes of rawLinesBackward(this.#file)) {
      if (bytes.length === 0) continue;
      if (isLast) {
        this.#lastHash = sha256(bytes);
        this.#damagedBytes = endsInNewline(this.#file) ? 0 : bytes.length;
        isLast = false;
      }
      const line = parseLine(bytes);
      if (line === undefined) continue;
      this.#lastId = BigInt(line.id);
      return;
    }
  }
}

/** The last outcome of a write to `path` that was done: what the file held when we last left it. Reads from the end, as far as it must. */
export function lastDone(journal: WritableFile, path: string): OutcomeLine | undefined {
  // Inside a JSON string every quotation mark is escaped, so these bytes occur nowhere but as this member.
  const member = Buffer.from(`"path":${JSON.stringify(path)}`);
  for (const bytes of rawLinesBackward(journal)) {
    if (!bytes.includes(member)) continue;
    const line = parseLine(bytes);
    if (line?.kind === "outcome" && line.path === path && line.result === "done") return line;
  }
  return undefined;
}

/** One line of a journal as `readJournal` found it. */
export interface CheckedLine {
  /** undefined: damaged. */
  readonly line: JournalLine | undefined;
  /** Whether it carries the hash of the line before it. A damaged line carries none. */
  readonly chained: boolean;
}

/** The whole journal from its first line, each checked against the chain. */
export function* readJournal(file: WritableFile): Generator<CheckedLine, void> {
  let expected = CHAIN_START;
  for (const bytes of rawLines(file)) {
    const line = parseLine(bytes);
    yield { line, chained: line?.prev === expected };
    expected = sha256(bytes);
  }
}

function* rawLines(file: WritableFile): Generator<Buffer, void> {
  let carried = Buffer.alloc(0);
  for (const block of file.blocks(0, file.size)) {
    const bytes = Buffer.concat([carried, block]);
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      yield bytes.subarray(start, end);
      start = end + 1;
    }
    carried = bytes.subarray(start);
  }
  if (carried.length > 0) yield carried;
}

/** What stands between newlines, from the end of the file. The first piece is empty where the file ends in a newline. */
function* rawLinesBackward(file: WritableFile): Generator<Buffer, void> {
  let carried = Buffer.alloc(0);
  let chunkBytes = FIRST_CHUNK_BYTES;
  for (let position = file.size; position > 0; chunkBytes = Math.min(chunkBytes * 2, LAST_CHUNK_BYTES)) {
    const from = Math.max(0, position - chunkBytes);
    const bytes = Buffer.concat([file.bytes(from, position), carried]);
    position = from;
    let end = bytes.length;
    while (end > 0) {
      const newline = bytes.lastIndexOf(NEWLINE, end - 1);
      if (newline < 0) break;
      yield bytes.subarray(newline + 1, end);
      end = newline;
    }
    carried = bytes.subarray(0, end);
  }
  yield carried;
}

function endsInNewline(file: WritableFile): boolean {
  const size = file.size;
  return size === 0 || file.bytes(size - 1, size)[0] === NEWLINE;
}

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
