/**
 * The journal as a file: appending to its hash chain, and reading its lines from either end. A process that appends holds
 * the lock of src/audit/record-store.ts.
 */
import { createHash } from "node:crypto";
import { FileError } from "../workspace/file-error.ts";
import type { WritableDirectory } from "../workspace/write/write-directory.ts";
import type { WritableFile } from "../workspace/write/write-file.ts";
import { LAST_CHUNK_BYTES, MOST_LINE_BYTES, NEWLINE, rawLines, rawLinesBackward, sha256, TOO_LONG } from "./raw-lines.ts";
import { STORE_PATH } from "./record-paths.ts";
import {
  hasContent,
  isEnd,
  parseLine,
  timestampOf,
  type IntentLine,
  type JournalLine,
  type NewLine,
  type OutcomeLine,
  type PreimageLine,
} from "./journal-lines.ts";

export const JOURNAL_NAME = "journal.jsonl";
const JOURNAL_PATH = `${STORE_PATH}/${JOURNAL_NAME}`;

const PERMISSIONS = 0o600;
/**
 * Most bytes of a journal that are read, since a repository may bring one of any size. A record takes some 1.5 KiB, so this
 * holds 170,000 writes. A line of ours holds a command line twice, at six bytes a character, and paths; of a transaction's lines one does.
 */
const MOST_JOURNAL_BYTES = 256 << 20;
/** Most lines that are none of ours: a kill leaves one. A file of newlines alone would take minutes. */
const MOST_DAMAGED_LINES = 10_000;
/** Room that no change takes, for what ends one that was killed. */
const RESERVED_BYTES = 1 << 20;
/** Most journal lines of one transaction: more than any command line's `tee` operands make. */
const MOST_TRANSACTION_LINES = 50_000;
const CHAIN_START = "0".repeat(64);

export class Journal {
  readonly #file: WritableFile;
  readonly #nowNs: () => bigint;
  #lastId = 0n;
  #lastHash = CHAIN_START;
  /** Length of an unfinished last line, in bytes; 0 if the last line is whole. */
  #damagedBytes = 0;

  /** Opens or creates the journal in `directory`. */
  static open(directory: WritableDirectory, nowNs: () => bigint): Journal {
    const { file, created } = directory.openLog(JOURNAL_NAME, PERMISSIONS);
    try {
      checkSize(file);
    } catch (thrown) {
      file.close();
      throw thrown;
    }
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

  /**
   * Appends `lines` in one write, which is on disk afterwards. Their ids come from `nextId`, in this order. Throws FileError EFBIG, and
   * then appends nothing, where they could not be read back.
   */
  append(lines: readonly NewLine[]): void {
    const before = this.#lastHash;
    const texts = lines.map((line) => this.#chain(line));
    const why = whyUnreadable(lines, texts, this.#file.size);
    if (why !== undefined) {
      this.#lastHash = before;
      throw new FileError("EFBIG", JOURNAL_PATH, why);
    }
    this.#write(texts.join(""));
  }

  close(): void {
    this.#file.close();
  }

  /** The lines from the last to the first; damaged lines are skipped. */
  *linesBackward(): Generator<JournalLine, void> {
    const damaged = new DamagedLines();
    for (const bytes of rawLinesBackward(this.#file)) {
      const line = parseLine(bytes);
      if (line !== undefined) yield line;
      else damaged.count();
    }
  }

  /** The function `lastWritten` for this journal. */
  lastWritten(paths: ReadonlySet<string>, options?: { readonly withRecords: boolean }): ReadonlyMap<string, LastWritten> {
    return lastWritten(this.#file, paths, options);
  }

  /**
   * The lines of the last transaction, first to last, if it is still open because its writer was killed; empty if it is
   * closed. undefined where there are more lines than a writer of ours makes.
   */
  openTransaction(): readonly JournalLine[] | undefined {
    const lines: JournalLine[] = [];
    for (const line of this.linesBackward()) {
      if (line.kind === "outcome" ? line.pending === 0 : isEnd(line)) break;
      if (lines.push(line) > MOST_TRANSACTION_LINES) return undefined;
    }
    return lines.reverse();
  }

  /** Appends the line that ends an open transaction without outcomes; its intents are not examined again. */
  endOpenTransaction(): void {
    const id = this.nextId();
    this.append([{ kind: "repair", id, ts: timestampOf(id), damaged_bytes: 0 }]);
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
    const damaged = new DamagedLines();
    for (const bytes of rawLinesBackward(this.#file)) {
      damaged.count();
      if (bytes.length === 0 && bytes !== TOO_LONG) continue;
      if (isLast) {
        const whole = bytes === TOO_LONG ? lastLine(this.#file) : { bytes: bytes.length, sha256: sha256(bytes) };
        this.#lastHash = whole.sha256;
        this.#damagedBytes = endsInNewline(this.#file) ? 0 : whole.bytes;
        isLast = false;
      }
      const line = parseLine(bytes);
      if (line === undefined) continue;
      this.#lastId = BigInt(line.id);
      return;
    }
  }
}

/** Shorter than any line of ours, in bytes. */
const LEAST_LINE_BYTES = 64;

/** Number of lines that are none of ours. */
class DamagedLines {
  #number = 0;

  /** Throws FileError EFBIG where there are more than a journal of ours can have. */
  count(): void {
    if (++this.#number <= MOST_DAMAGED_LINES) return;
    throw new FileError("EFBIG", JOURNAL_PATH, `more than ${MOST_DAMAGED_LINES} lines are no records: move it away to begin another`);
  }
}

/** Reason for which `lines`, as `texts`, are not appended to a journal of `size` bytes; undefined where they can be read back. */
function whyUnreadable(lines: readonly NewLine[], texts: readonly string[], size: number): string | undefined {
  if (texts.some((text) => text.length > MOST_LINE_BYTES || parseLine(Buffer.from(text)) === undefined)) {
    return "a line of this change could not be read back";
  }
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const intents = lines.filter(({ kind }) => kind === "intent").length;
  if (lines.length + intents > MOST_TRANSACTION_LINES) return "too many changes at once";
  // The outcomes are shorter than their intents, and must find room when the change is made.
  const most = intents === 0 ? MOST_JOURNAL_BYTES : MOST_JOURNAL_BYTES - RESERVED_BYTES - bytes;
  return size + bytes > most ? "full: shelpa-mcp audit prune moves old records into an archive" : undefined;
}

/** Throws FileError EFBIG where the journal is larger than any that we would append to. */
export function checkSize(file: WritableFile): void {
  if (file.size <= MOST_JOURNAL_BYTES) return;
  throw new FileError("EFBIG", JOURNAL_PATH, `larger than ${MOST_JOURNAL_BYTES >> 20} MiB: move it away to begin another`);
}

/** The last completed change of a file's bytes. */
export interface LastWritten {
  /** Gives the file's digest as we left it. */
  readonly outcome: OutcomeLine;
  /** The records whose contents, the last one's first, are these bytes; empty where they were not asked for or are not all there. */
  readonly records: readonly (PreimageLine | IntentLine)[];
}

/** The last write to each of `paths` that has one, in one reading from the end, as far as it must. */
export function lastWritten(
  journal: WritableFile,
  paths: ReadonlySet<string>,
  { withRecords }: { readonly withRecords: boolean } = { withRecords: true },
): ReadonlyMap<string, LastWritten> {
  checkSize(journal);
  const found = new Map<string, { readonly outcome: OutcomeLine; records: (PreimageLine | IntentLine)[]; sought: string | null }>();
  let missing = paths.size;
  // Inside a JSON string every quotation mark is escaped, so these bytes occur nowhere but as this member.
  const members = paths.size === 1 ? [...paths].map((path) => Buffer.from(`"path":${JSON.stringify(path)}`)) : [];
  const damaged = new DamagedLines();
  for (const bytes of missing === 0 ? [] : rawLinesBackward(journal)) {
    if (bytes.length < LEAST_LINE_BYTES) damaged.count();
    if (members[0] !== undefined && !bytes.includes(members[0])) continue;
    const parsed = parseLine(bytes);
    if (parsed === undefined) damaged.count();
    const line = parsed?.kind === "kept" ? parsed.record : parsed;
    if (line === undefined || !("path" in line) || !paths.has(line.path)) continue;
    const file = found.get(line.path);
    if (file === undefined) {
      if (!isLastWord(line)) continue;
      found.set(line.path, { outcome: line, records: [], sought: withRecords ? line.record_id : null });
      if (!withRecords) missing--;
    } else if ((line.kind === "intent" || line.kind === "preimage") && line.id === file.sought) {
      file.records.push(line);
      file.sought = line.kind === "intent" && line.mode === "append" && line.before !== null ? line.previous : null;
      if (file.sought === null) missing--;
    }
    if (missing === 0) break;
  }
  return new Map([...found].map(([path, { outcome, records, sought }]) => [path, { outcome, records: sought === null ? records : [] }]));
}

/** True for an outcome that says which bytes a file was left with. */
const isLastWord = (line: JournalLine | undefined): line is OutcomeLine =>
  line?.kind === "outcome" && line.result === "done" && hasContent(line);

/** One line of a journal as `readJournal` yields it. */
export interface CheckedLine {
  /** undefined: damaged. */
  readonly line: JournalLine | undefined;
  /** True if the line carries the hash of the line before it. A damaged line carries none. */
  readonly chained: boolean;
  /** SHA-256 of the line. */
  readonly sha256: string;
}

/** The whole journal from its first line, each checked against the chain. Throws FileError EFBIG. */
export function* readJournal(file: WritableFile): Generator<CheckedLine, void> {
  checkSize(file);
  let expected = CHAIN_START;
  // Lines of a prune stand before all others; anywhere else they would let lines be taken out.
  let isFront = true;
  const damaged = new DamagedLines();
  for (const { bytes, sha256: hash } of rawLines(file)) {
    const line = bytes === TOO_LONG ? undefined : parseLine(bytes);
    if (line === undefined) damaged.count();
    const isOfFront = line?.kind === "kept" || line?.kind === "resume";
    yield { line, chained: line?.prev === expected && (isFront || !isOfFront), sha256: hash };
    expected = isFront && line?.kind === "resume" ? line.last : hash;
    isFront &&= line?.kind === "kept";
  }
}

/** A line of the journal with its place, not checked against the chain. */
export interface PlacedLine {
  readonly line: JournalLine;
  /** Offset behind its newline, in bytes; where it has none yet, behind the newline before it. */
  readonly end: number;
}

/**
 * The lines from the offset `from`, where one begins; damaged lines are skipped. `having`: those alone that hold these bytes, for which the
 * others are not parsed. Throws FileError EFBIG.
 */
export function* linesFrom(file: WritableFile, from: number, having?: Buffer): Generator<PlacedLine, void> {
  checkSize(file);
  const damaged = new DamagedLines();
  for (const { bytes, end } of rawLines(file, from, having)) {
    if (having !== undefined && bytes.length >= LEAST_LINE_BYTES && !bytes.includes(having)) continue;
    const line = bytes === TOO_LONG ? undefined : parseLine(bytes);
    if (line === undefined) damaged.count();
    else yield { line, end };
  }
}

/** The last line of a file that has one, newline or not, however long it is. */
function lastLine(file: WritableFile): { readonly bytes: number; readonly sha256: string } {
  const end = file.size - (endsInNewline(file) ? 1 : 0);
  let start = end;
  for (;;) {
    const from = Math.max(0, start - LAST_CHUNK_BYTES);
    const newline = file.bytes(from, start).lastIndexOf(NEWLINE);
    if (newline >= 0) start = from + newline + 1;
    else start = from;
    if (newline >= 0 || from === 0) break;
  }
  const hash = createHash("sha256");
  for (const block of file.blocks(start, end)) hash.update(block);
  return { bytes: end - start, sha256: hash.digest("hex") };
}

function endsInNewline(file: WritableFile): boolean {
  const size = file.size;
  return size === 0 || file.bytes(size - 1, size)[0] === NEWLINE;
}
