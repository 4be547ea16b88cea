/**
 * Log of calls, each command line with its ending, beside the journal of writes: `.shelpa/@/calls.jsonl`. Not part
 * of the chain: no write waits for it, and losing its last line loses no change to a file.
 */
import { FileError } from "../workspace/file-error.ts";
import { Workspace } from "../workspace/workspace.ts";
import { isCallerFields, type CallerFields } from "./caller.ts";
import type { Permission } from "./journal-lines.ts";
import { RECORD_DIRECTORY_PERMISSIONS, STORE_PATH } from "./record-paths.ts";
import { makeIgnoreFile } from "./ignore-file.ts";
import { JOURNAL_NAME } from "./journal.ts";
import { rawLines } from "./raw-lines.ts";
import { isFrom, type RecordFilter } from "./record-filter.ts";
import { openStored } from "./stored-journal.ts";
import type { WritableFile } from "../workspace/write/write-file.ts";
import type { WorkspaceWriter } from "../workspace/write/write-access.ts";

/** One call, as one line of the log. The field names are the file's format and do not change: people's programs read it. */
export interface CallRecord extends CallerFields {
  /** Instant at which the call ended: "2026-02-25T13:17:30.123Z". */
  readonly ts: string;
  readonly session: string;
  readonly client: string;
  readonly command: string;
  /** The command line with its named pipelines written out; left out where it calls none. */
  readonly ran?: string;
  /** Directory the call started in, relative to the root. */
  readonly directory: string;
  /** "asked": nothing ran yet, and a human was asked. An answer is a call of its own; a question that nobody answers has none. */
  readonly outcome: "completed" | "refused" | "asked" | "stopped" | "faulted";
  /** Exit status of a call that completed; null for any other. */
  readonly exit: number | null;
  /** Reasons of a refusal or a question, the limit that stopped the call, or the id of a fault; "" for a call that completed. */
  readonly reason: string;
  /** Ids of the records it made. */
  readonly records: readonly string[];
  /** Whole lengths of the fields that were cut, in characters, and in ids of `records`; left out where none was. */
  readonly cut?: Readonly<Partial<Record<"command" | "ran" | "records", number>>>;
  readonly elapsed_ms: number;
  /** Source of the permission that the line or one of its writes had; left out where none was needed. */
  readonly approved_by?: Permission;
}

/** Calls to be logged. "notable": those that wrote, were refused, were asked about, were stopped or failed by our fault. */
export type CallScope = "none" | "notable" | "all";

const CALLS_NAME = "calls.jsonl";
/** The file before this one, once it has grown to its cap. */
const OLDER_NAME = "calls.older.jsonl";
/** The files of the log, older calls first. */
export const CALL_LOGS = [OLDER_NAME, CALLS_NAME] as const;
const PERMISSIONS = 0o600;
const CAP_BYTES = 32 * 1024 * 1024;
/** Larger than any file of the log, in which the lines that go past the cap are, also where many processes write them beside each other. */
export const MOST_CALL_LOG_BYTES = 2 * CAP_BYTES;
/** Most that is written between two looks at the size, in bytes, as long as one call is no more. */
const MOST_APPENDED_BYTES = 1 << 20;
/** A call that is cut to these is shorter than the longest line that is read back (MOST_LINE_BYTES), with six bytes for a character. */
const MOST_COMMAND_CHARACTERS = 10_000;
const MOST_RECORD_IDS = 20_000;
/** Calls held until there is a record; later ones are not logged then. */
const MOST_EARLY = 100;

export class CallLog {
  readonly #scope: CallScope;
  /** Opened at once, because the path may lead to another directory later; undefined where nothing is logged. */
  readonly #workspace: Workspace | undefined;
  /** Calls from before the first record: nothing is made in the tree for a call that changed nothing. */
  #early: CallRecord[] = [];

  readonly #isAtOnce: boolean;

  /**
   * `root` is a host directory. `isAtOnce`: also calls from before the first record are logged, and make the log. Throws FileError where the
   * root cannot be opened.
   */
  constructor(root: string, scope: CallScope, isAtOnce = scope === "all") {
    this.#scope = scope;
    this.#isAtOnce = isAtOnce;
    this.#workspace = scope === "none" ? undefined : Workspace.open(root);
  }

  /** Appends `call` to the log, once there is a record. Never throws FileError: a call that has run is answered whether or not it could be logged. */
  note(call: CallRecord): void {
    const isNotable = call.outcome !== "completed" || call.records.length > 0 || call.approved_by !== undefined;
    if (this.#workspace === undefined || (this.#scope === "notable" && !isNotable)) return;
    try {
      this.#workspace.followRoot();
      const noted = cutCall(call);
      const writer = this.#workspace.writer();
      if (!this.#isAtOnce && !hasRecords(writer)) {
        if (this.#early.length < MOST_EARLY) this.#early.push(noted);
        return;
      }
      const calls = [...this.#early, noted];
      this.#early = [];
      append(writer, calls);
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
    }
  }

  /** Bytes of the journal beside the log; 0 where there is none, or no log is kept. */
  journalBytes(): number {
    try {
      const journal = this.#workspace && openStored(this.#workspace.writer(), JOURNAL_NAME);
      const { size = 0 } = journal ?? {};
      journal?.close();
      return size;
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
      return 0;
    }
  }

  close(): void {
    this.#workspace?.close();
  }
}

/** Every logged call that passes `filter`, whose paths say nothing here; oldest first. Throws FileError. */
export function* callRecords(writer: WorkspaceWriter, filter: RecordFilter = {}): Generator<CallRecord, void> {
  for (const name of CALL_LOGS) {
    const file = openStored(writer, name);
    if (file === undefined) continue;
    try {
      for (const { call } of loggedCalls(file, 0)) if (isFrom({ ...call, clientName: call.client_name }, filter)) yield call;
    } finally {
      file.close();
    }
  }
}

/** A logged call and the offset behind its line, in bytes. */
export interface LoggedCall {
  readonly call: CallRecord;
  readonly end: number;
}

/** The calls in `file` from an offset at which a line begins. Lines that are not call records (a project may bring its own file) are skipped. */
export function* loggedCalls(file: WritableFile, from: number): Generator<LoggedCall, void> {
  for (const { bytes, end } of rawLines(file, from)) {
    const call = parseCall(bytes);
    if (call !== undefined) yield { call, end };
  }
}

function hasRecords(writer: WorkspaceWriter): boolean {
  const journal = openStored(writer, JOURNAL_NAME);
  journal?.close();
  return journal !== undefined;
}

/** The call with its long fields cut, and what they were. */
function cutCall(call: CallRecord): CallRecord {
  const { command, ran, records } = call;
  const cut = {
    ...(command.length > MOST_COMMAND_CHARACTERS ? { command: command.length } : {}),
    ...(ran !== undefined && ran.length > MOST_COMMAND_CHARACTERS ? { ran: ran.length } : {}),
    ...(records.length > MOST_RECORD_IDS ? { records: records.length } : {}),
  };
  if (Object.keys(cut).length === 0) return call;
  return {
    ...call,
    command: command.slice(0, MOST_COMMAND_CHARACTERS),
    ...(ran === undefined ? {} : { ran: ran.slice(0, MOST_COMMAND_CHARACTERS) }),
    records: records.slice(0, MOST_RECORD_IDS),
    cut,
  };
}

function append(writer: WorkspaceWriter, calls: readonly CallRecord[]): void {
  const directory = writer.directory(STORE_PATH, RECORD_DIRECTORY_PERMISSIONS);
  try {
    makeIgnoreFile(writer);
    for (const text of appendedTexts(calls)) {
      const { file } = directory.openLog(CALLS_NAME, PERMISSIONS, { durable: false });
      try {
        if (file.size > CAP_BYTES) directory.rename(CALLS_NAME, OLDER_NAME);
        file.write(Buffer.from(text));
      } finally {
        file.close();
      }
    }
  } finally {
    directory.close();
  }
}

/** The lines of `calls` in texts of about MOST_APPENDED_BYTES. */
function* appendedTexts(calls: readonly CallRecord[]): Generator<string, void> {
  let text = "";
  for (const call of calls) {
    text += `${JSON.stringify(call)}\n`;
    if (text.length < MOST_APPENDED_BYTES) continue;
    yield text;
    text = "";
  }
  if (text !== "") yield text;
}

/** The call in `bytes`, or undefined where they hold none. */
export function parseCall(bytes: Buffer): CallRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
  return isCallRecord(value) ? value : undefined;
}

function isCallRecord(value: unknown): value is CallRecord {
  if (typeof value !== "object" || value === null) return false;
  const {
    ts,
    session,
    client,
    command,
    ran = "",
    directory,
    outcome,
    exit,
    reason,
    records,
    elapsed_ms,
    approved_by,
  } = value as Partial<CallRecord>;
  return (
    [ts, session, client, command, ran, directory, reason].every((text) => typeof text === "string") &&
    OUTCOMES.some((known) => known === outcome) &&
    (exit === null || typeof exit === "number") &&
    isCallerFields({ ...value }) &&
    Array.isArray(records) &&
    records.every((id) => typeof id === "string") &&
    typeof elapsed_ms === "number" &&
    (approved_by === undefined || approved_by === "human" || approved_by === "configuration")
  );
}

const OUTCOMES: readonly CallRecord["outcome"][] = ["completed", "refused", "asked", "stopped", "faulted"];
