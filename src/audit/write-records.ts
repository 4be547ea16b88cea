/** The journal read as records: one for each file of each write, with its outcome. */
import type { WorkspaceWriter } from "../workspace/write/write-access.ts";
import type { Digest, ChangeMode, EntryState, IntentLine, JournalLine, Permission, PreimageLine } from "./journal-lines.ts";
import { pathIn } from "./paths.ts";
import { isAt, isFrom, type RecordFilter } from "./record-filter.ts";
import { STORE_PATH } from "./record-paths.ts";
import { storedLines } from "./stored-journal.ts";

/** One file's change. Paths are relative to the root. */
export interface WriteRecord {
  readonly id: string;
  /** "2026-02-25T13:17:30Z". */
  readonly ts: string;
  /** Shared by the files of one `tee`. */
  readonly transaction: string;
  /** Id of the first record of the command line: shared by everything that it wrote. */
  readonly call: string;
  readonly path: string;
  readonly mirror: string;
  readonly mode: ChangeMode;
  /** State before and after an edit, null for nothing; left out of a write by tee. */
  readonly old?: EntryState | null;
  readonly new?: EntryState | null;
  /** Canonical path at which a symbolic link that was replaced or removed is kept. */
  readonly keptLink?: string;
  /** Digest of the content given to be written; for an append, of the added bytes only. */
  readonly content: Digest;
  /** null: there was no file. */
  readonly before: Digest | null;
  /** null: there is no file afterwards. */
  readonly after: Digest | null;
  /** The record that gives `before`. */
  readonly previous: string | null;
  /** Record of somebody else's bytes that this write replaced, where one was made with it. */
  readonly preimage: string | null;
  readonly session: string;
  /** The way in: "mcp", "run", … */
  readonly client: string;
  /** Name and version that an MCP client states of itself, and the name and the subject of its token; null where there is none. */
  readonly clientName: string | null;
  readonly clientVersion: string | null;
  readonly token: string | null;
  readonly subject: string | null;
  /** Id of the HTTP request that the line came with; null where it came otherwise. */
  readonly requestId: string | null;
  /** See Caller; null in records of before it was kept. */
  readonly origin: string | null;
  readonly command: string;
  /** The command line with its named pipelines written out; null where it calls none. */
  readonly ran: string | null;
  /** See IntentLine; null where the change is no undo. */
  readonly undoes: string | null;
  readonly undoesCall: string | null;
  /** Permission from a human who was asked, or from the configuration; null where none was needed. */
  readonly permittedBy: Permission | null;
  /** "open": its writer was killed, and nobody has looked since. */
  readonly result: "done" | "abandoned" | "open";
  /** Reason of an abandoned write; "" otherwise. */
  readonly reason: string;
  /** True if recovery found the outcome after a kill. */
  readonly recovered: boolean;
}

/** Every write that passes `filter`, oldest first. Throws FileError. */
export function writeRecords(writer: WorkspaceWriter, filter: RecordFilter = {}): readonly WriteRecord[] {
  return [...eachRecord(writer, filter)];
}

/**
 * Most characters of a transaction's lines that are held until it has ended. A journal that was brought may tell of one as large as
 * itself: its records come then with the outcomes told so far.
 */
const MOST_HELD = 64 << 20;
/** What a line holds besides its command line and paths, in characters. */
const LINE_CHARACTERS = 1024;

/** As `writeRecords`, one after the other as the journal is read: those of one transaction are held at a time. */
export function* eachRecord(writer: WorkspaceWriter, filter: RecordFilter = {}): Generator<WriteRecord, void> {
  const reader = new RecordReader(filter);
  for (const line of storedLines(writer)) yield* reader.add(line);
  yield* reader.held();
}

/** Lines of a journal → records that pass a filter, each as soon as no line can change it any more. */
export class RecordReader {
  readonly #filter: RecordFilter;
  readonly #held = new Map<string, { readonly intent: IntentLine; readonly preimage: string | null; record: WriteRecord }>();
  #characters = 0;
  #transaction: string | undefined;
  /** The transaction's first intent, whose command line may be that of all. */
  #head: IntentLine | undefined;
  #preimage: PreimageLine | undefined;

  constructor(filter: RecordFilter = {}) {
    this.#filter = filter;
  }

  /** Records of the last transaction as they are so far. */
  held(): readonly WriteRecord[] {
    return Array.from(this.#held.values(), ({ record }) => record);
  }

  /** Takes the next line of the journal; gives the records that it ends. */
  add(line: JournalLine): readonly WriteRecord[] {
    let ended: readonly WriteRecord[] = NONE;
    if (line.kind === "outcome") {
      const found = this.#held.get(line.record_id);
      if (found !== undefined) found.record = recordOf(found.intent, found.preimage, line);
    } else if (line.kind === "preimage" || line.kind === "intent") {
      // A transaction is ended before another begins: no outcome of it can follow.
      if (line.transaction !== this.#transaction) {
        ended = this.#end();
        this.#head = undefined;
      }
      this.#transaction = line.transaction;
    }
    if (line.kind === "preimage") this.#preimage = line;
    else if (line.kind === "intent") {
      this.#head ??= line;
      const intent = line.command_of === undefined || line.command_of !== this.#head.id ? line : withCommandOf(line, this.#head);
      const own = this.#preimage !== undefined && this.#preimage.id === line.previous ? this.#preimage.id : null;
      this.#preimage = undefined;
      const record = recordOf(intent, own, { result: "open", reason: "", recovered: false });
      if (!isAt(record.path, this.#filter) || !isFrom(record, this.#filter)) return ended;
      this.#held.set(line.id, { intent, preimage: own, record });
      this.#characters += line.command.length + line.path.length + line.mirror.length + LINE_CHARACTERS;
      if (this.#characters > MOST_HELD) return [...ended, ...this.#end()];
    }
    return ended;
  }

  #end(): readonly WriteRecord[] {
    if (this.#held.size === 0) return NONE;
    const records = this.held();
    this.#held.clear();
    this.#characters = 0;
    return records;
  }
}

const NONE: readonly WriteRecord[] = [];

const withCommandOf = (line: IntentLine, { command, ran }: IntentLine): IntentLine => ({
  ...line,
  command,
  ...(ran === undefined ? {} : { ran }),
});

/** Change to the file as a word: "created", "overwritten", … */
export function changeOf({ mode, before, result, reason }: WriteRecord): string {
  if (result === "abandoned") return `abandoned (${reason})`;
  if (result === "open") return "unfinished";
  switch (mode) {
    case "remove":
      return "removed";
    case "link":
      return "linked";
    case "make-directory":
      return "made";
    case "remove-directory":
      return "removed";
    case "attributes":
      return "touched";
    case "overwrite":
    case "append":
      break;
  }
  if (before === null) return "created";
  return mode === "append" ? "appended" : "overwritten";
}

function recordOf(
  intent: IntentLine,
  preimage: string | null,
  { result, reason, recovered }: Pick<WriteRecord, "result" | "reason" | "recovered">,
): WriteRecord {
  const {
    id,
    ts,
    transaction,
    call = transaction,
    path,
    mirror,
    mode,
    content,
    before,
    after,
    previous,
    session,
    client,
    client_name: clientName = null,
    client_version: clientVersion = null,
    token = null,
    subject = null,
    request_id: requestId = null,
    origin = null,
    command,
    ran = null,
    undoes = null,
    undoes_call: undoesCall = null,
    permitted_by,
    old,
    new: state,
    backup,
  } = intent;
  return {
    id,
    ts,
    transaction,
    call,
    path,
    mirror,
    mode,
    ...(old === undefined || state === undefined ? {} : { old, new: state }),
    ...(old?.kind === "symlink" ? { keptLink: pathIn(STORE_PATH, backup) } : {}),
    content,
    before,
    after,
    previous,
    preimage,
    session,
    client,
    clientName,
    clientVersion,
    token,
    subject,
    requestId,
    origin,
    command,
    ran,
    undoes,
    undoesCall,
    permittedBy: permitted_by === "human" || permitted_by === "configuration" ? permitted_by : null,
    result,
    reason,
    recovered,
  };
}
