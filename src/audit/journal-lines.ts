/**
 * The lines of the journal `.shelpa/@/journal.jsonl`. The field names are the file's format and do not change: people's
 * programs read it.
 *
 * Every line has an `id`: nanoseconds since the epoch in decimal, strictly increasing over the whole journal. The id
 * of a record (a pre-image or an intent) is its record id. `prev` is the SHA-256 of the line before, without its
 * newline; 64 zeros in the first line.
 */
import type { WriteReceipt } from "../builtin/recorder.ts";
import { isCallerFields, type CallerFields } from "./caller.ts";
import { OUR_NAME } from "./random-name.ts";
import { isMirrorOf } from "./record-paths.ts";

/** Source of a permission to write: a human who was asked, or the configuration. */
export type Permission = "human" | "configuration";

/**
 * Kind of change. "overwrite" and "append": a file; "link": a symbolic link is made; "remove": a file or a symbolic link is
 * removed; "make-directory" and "remove-directory"; "attributes": times and permission bits alone.
 */
export type ChangeMode = WriteReceipt["mode"];

/** Changes that move no bytes: they have no mirror, and say nothing of a file's content. */
const WITHOUT_CONTENT: ReadonlySet<ChangeMode> = new Set(["make-directory", "remove-directory", "attributes"]);

/** True if records of this mode hold content in a mirror. The outcome of a write by tee names no mode. */
export const hasContent = ({ mode }: { readonly mode?: ChangeMode }): boolean => mode === undefined || !WITHOUT_CONTENT.has(mode);

/** Kind, permission bits and modification time of one name in a directory. The content of a symbolic link is its text. */
export interface EntryState {
  readonly kind: "file" | "directory" | "symlink";
  readonly permissions: number;
  /** Nanoseconds since the epoch, in decimal. */
  readonly modified_ns: string;
}

export type JournalLine = PreimageLine | IntentLine | OutcomeLine | RepairLine | KeptLine | ResumeLine | PrunedLine;

/** Length and SHA-256 of a byte string. */
export interface Digest {
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

interface Chained {
  readonly id: string;
  /** The same instant for people: "2026-02-25T13:17:30Z". */
  readonly ts: string;
  readonly prev: string;
}

/** Bytes in a mirror file: the record's separator begins at `offset`, its content at `content_offset`. */
interface Mirrored {
  /** Id of the first record of the transaction that this line belongs to. */
  readonly transaction: string;
  /** The workspace file, canonical, relative to the root. */
  readonly path: string;
  readonly mirror: string;
  readonly offset: number;
  readonly content_offset: number;
  readonly content: Digest;
}

/** Line saying that the mirror holds (or is about to hold) bytes that somebody else had written to the file. */
export interface PreimageLine extends Chained, Mirrored {
  readonly kind: "preimage";
  /** Given where an edit recorded it (below). */
  readonly old?: EntryState;
}

/**
 * Line saying that the file is about to be replaced. `content`: the bytes given to tee; `after`: the whole file as it will
 * be.
 */
export interface IntentLine extends Chained, Mirrored, CallerFields {
  readonly kind: "intent";
  /** Id of the first record of the command line that made it; left out in records of before it was kept. */
  readonly call?: string;
  /** Number of files that the transaction replaces. */
  readonly targets: number;
  readonly mode: ChangeMode;
  /**
   * The name's state before and after, null for nothing. Both are there in the intent of an edit (rm, cp, mv, mkdir, touch, …),
   * neither in that of a write by tee. `before` and `after` are then the digests of a file's bytes or a symbolic link's text.
   */
  readonly old?: EntryState | null;
  readonly new?: EntryState | null;
  /** null: there was no file. */
  readonly before: Digest | null;
  /** null: there is no file any more. */
  readonly after: Digest | null;
  /** True if the mirror alone can give `after`; false after an append to bytes that were never recorded. */
  readonly whole: boolean;
  /** The record that gives `before`; null where there was no file, or where only the file itself held its bytes. */
  readonly previous: string | null;
  /**
   * Names that recovery looks for: the new bytes, beside the file; and a second name for the old ones, beside the file, for an
   * edit in `.shelpa/@`, because the directory itself may be removed.
   */
  readonly temporary: string;
  readonly backup: string;
  readonly session: string;
  /** The way in: "mcp", "run", "shelpa", "library", "audit", "audit viewer". `client_name` is what an MCP client calls itself. */
  readonly client: string;
  readonly command: string;
  /** The command line as it ran, where it calls named pipelines. */
  readonly ran?: string;
  /** Intent of the same transaction whose command line this is, too: a long one is not repeated, and `command` is then empty. */
  readonly command_of?: string;
  /**
   * The first record that the change takes back, left out where it is no undo: at this path, but for a directory that the undo needs.
   * `undoes_call`: the call whose changes are all taken back.
   */
  readonly undoes?: string;
  readonly undoes_call?: string;
  /** Permission that the write had from a human who was asked, or from the configuration; null where none was needed. */
  readonly permitted_by: Permission | null;
}

/** Line that closes an intent: its file was replaced, or the change was abandoned. */
export interface OutcomeLine extends Chained {
  readonly kind: "outcome";
  readonly transaction: string;
  readonly record_id: string;
  readonly path: string;
  /** The intent's, where it is an edit's. */
  readonly mode?: ChangeMode;
  readonly new?: EntryState | null;
  readonly result: "done" | "abandoned";
  /**
   * Reason of an abandoned intent: a FileError's code; "KILLED"; or "NOT_OURS" where no killed writer of this boot is known
   * to have begun it, and the file was therefore not examined. Empty for one that was done.
   */
  readonly reason: string;
  /** Written by whoever found the transaction open, and not by the process that began it. */
  readonly recovered: boolean;
  /** The intent's `after`, so that a file's last outcome gives the bytes it should hold now; null: the file should not exist. */
  readonly after: Digest | null;
  readonly whole: boolean;
  /** Offset of the record's end in the mirror. A mirror that is shorter has been tampered with, and nothing in it is reliable. */
  readonly mirror_end: number;
  /** Outcomes of the same transaction still to come; 0 closes it. */
  readonly pending: number;
}

/**
 * Line saying that the line before it is damaged, because its writer was killed; the damaged line stays as it is. With
 * `damaged_bytes` 0 it ends an open transaction that is not ours and too large for one outcome per intent.
 */
export interface RepairLine extends Chained {
  readonly kind: "repair";
  readonly damaged_bytes: number;
}

/** Line at the front of a pruned journal: a record that went, whose bytes a remaining one needs. Its id is the record's. */
export interface KeptLine extends Chained {
  readonly kind: "kept";
  readonly record: PreimageLine | IntentLine;
}

/** Line after the kept ones: the chain goes on from the last line that went, whose id this is. */
export interface ResumeLine extends Chained {
  readonly kind: "resume";
  /** SHA-256 of the last line that went: `prev` of the line after this one. */
  readonly last: string;
}

/** Line saying which lines went, appended when they did. The last one vouches for the lines in front. */
export interface PrunedLine extends Chained {
  readonly kind: "pruned";
  /** Id of the last line that went. */
  readonly until: string;
  /** Numbers of lines, and of changes among them. */
  readonly lines: number;
  readonly records: number;
  /** The lines that went, as they were. */
  readonly journal: Digest;
  readonly archive: Digest & { readonly name: string };
  /** SHA-256 of the `resume` line. */
  readonly resume: string;
}

/** True if `line` ends a transaction without an outcome, or was written when none was open. */
export const isEnd = (line: JournalLine): boolean =>
  line.kind === "repair" ? line.damaged_bytes === 0 : line.kind === "resume" || line.kind === "pruned";

/** A line before it is chained: `prev` is still missing. */
export type NewLine = DistributiveOmit<JournalLine, "prev">;
type DistributiveOmit<T, K extends string> = T extends unknown ? Omit<T, K> : never;

/**
 * The line in `bytes`, or undefined where they hold none. A journal is a file that anybody may have put there (a
 * repository can bring one), and recovery and restoring act on it: what no writer of ours writes is no line, least of
 * all a path that leads elsewhere or a temporary name that is not one of ours.
 */
export function parseLine(bytes: Uint8Array): JournalLine | undefined {
  if (bytes[0] !== OPENING_BRACE) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8"));
  } catch {
    return undefined;
  }
  return lineOf(value);
}

const OPENING_BRACE = 0x7b;

function lineOf(value: unknown): JournalLine | undefined {
  if (!isRecord(value) || !isId(value.id) || !isText(value.ts) || !isText(value.prev)) return undefined;
  switch (value.kind) {
    case "preimage":
      return isMirrored(value) ? (value as unknown as PreimageLine) : undefined;
    case "intent":
      return isMirrored(value) && isIntent(value) ? (value as unknown as IntentLine) : undefined;
    case "outcome":
      return isOutcome(value) ? (value as unknown as OutcomeLine) : undefined;
    case "repair":
      return isCount(value.damaged_bytes) ? (value as unknown as RepairLine) : undefined;
    case "kept":
      return isKept(value) ? (value as unknown as KeptLine) : undefined;
    case "resume":
      return isHash(value.last) ? (value as unknown as ResumeLine) : undefined;
    case "pruned":
      return isPruned(value) ? (value as unknown as PrunedLine) : undefined;
    default:
      return undefined;
  }
}

/** The instant of an id as a mirror's separator and a journal line show it: seconds, UTC. */
export function timestampOf(id: string): string {
  return new Date(Number(BigInt(id) / 1_000_000n)).toISOString().replace(/\.\d+Z$/, "Z");
}

function isMirrored(value: Record<string, unknown>): boolean {
  return (
    isFilePath(value.path) &&
    isText(value.mirror) &&
    isMirrorOf(value.mirror, value.path) &&
    isId(value.transaction) &&
    isCount(value.content_offset) &&
    isDigest(value.content) &&
    (value.old === undefined || value.old === null || isEntryState(value.old))
  );
}

function isIntent(value: Record<string, unknown>): boolean {
  return (
    isCount(value.targets) &&
    (value.call === undefined || isId(value.call)) &&
    isMode(value.mode) &&
    (value.new === undefined || value.new === null || isEntryState(value.new)) &&
    isConsistent(value) &&
    isDigestOrNull(value.before) &&
    isDigestOrNull(value.after) &&
    (value.previous === null || isId(value.previous)) &&
    isOurName(value.temporary) &&
    isOurName(value.backup) &&
    isText(value.session) &&
    isText(value.client) &&
    isCallerFields(value) &&
    isText(value.command) &&
    (value.command_of === undefined || isId(value.command_of)) &&
    (value.ran === undefined || isText(value.ran)) &&
    (value.undoes === undefined || isId(value.undoes)) &&
    (value.undoes_call === undefined || isId(value.undoes_call)) &&
    (value.permitted_by === undefined || value.permitted_by === null || isText(value.permitted_by))
  );
}

function isOutcome(value: Record<string, unknown>): boolean {
  return (
    isId(value.transaction) &&
    isId(value.record_id) &&
    isFilePath(value.path) &&
    (value.mode === undefined || isMode(value.mode)) &&
    (value.new === undefined || value.new === null || isEntryState(value.new)) &&
    (value.result === "done" || value.result === "abandoned") &&
    isText(value.reason) &&
    isDigestOrNull(value.after) &&
    isCount(value.mirror_end) &&
    isCount(value.pending)
  );
}

function isKept({ id, record }: Record<string, unknown>): boolean {
  if (!isRecord(record) || (record.kind !== "preimage" && record.kind !== "intent")) return false;
  return record.id === id && lineOf(record) !== undefined;
}

const isPruned = (value: Record<string, unknown>): boolean =>
  isId(value.until) &&
  isCount(value.lines) &&
  isCount(value.records) &&
  isDigest(value.journal) &&
  isDigest(value.archive) &&
  isRecord(value.archive) &&
  isText(value.archive.name) &&
  isHash(value.resume);

const isMode = (value: unknown): value is ChangeMode => isText(value) && Object.hasOwn(IS_MODE, value);
const IS_MODE: Readonly<Record<ChangeMode, true>> = {
  overwrite: true,
  append: true,
  remove: true,
  link: true,
  "make-directory": true,
  "remove-directory": true,
  attributes: true,
};

/** True if the states before and after are those that a change of this mode has. */
function isConsistent({ mode, old, new: after }: Record<string, unknown>): boolean {
  const from = kindOf(old);
  const to = kindOf(after);
  if (from === undefined && to === undefined) return mode === "overwrite" || mode === "append" || mode === "remove";
  switch (mode as ChangeMode) {
    case "append":
      return false;
    case "overwrite":
      return from !== "directory" && to === "file";
    case "link":
      return from !== "directory" && to === "symlink";
    case "remove":
      return (from === "file" || from === "symlink") && to === "none";
    case "make-directory":
      return from === "none" && to === "directory";
    case "remove-directory":
      return from === "directory" && to === "none";
    case "attributes":
      return from === to && from !== "none" && from !== undefined;
  }
}

/** Kind of a recorded state: "none" for null, undefined where there is none. */
function kindOf(state: unknown): EntryState["kind"] | "none" | undefined {
  return state === undefined ? undefined : state === null ? "none" : (state as EntryState).kind;
}

function isEntryState(value: unknown): value is EntryState {
  return (
    isRecord(value) &&
    (value.kind === "file" || value.kind === "directory" || value.kind === "symlink") &&
    isCount(value.permissions) &&
    (value.permissions as number) <= 0o7777 &&
    isText(value.modified_ns) &&
    /^-?\d{1,28}$/.test(value.modified_ns)
  );
}

function isDigest(value: unknown): boolean {
  return isRecord(value) && isCount(value.bytes) && isHash(value.sha256);
}

const isHash = (value: unknown): boolean => isText(value) && /^[0-9a-f]{64}$/.test(value);

/** True for nanoseconds since the epoch that a Date can represent, with room for the ids that follow. */
const isId = (value: unknown): value is string => isText(value) && /^\d{1,22}$/.test(value) && BigInt(value) < LAST_ID;
/** ECMAScript's last date is 8.64e21 ns after the epoch. */
const LAST_ID = 8_000_000_000_000_000_000_000n;

/** True for the path of a file, canonical and relative to the root, as `WriteTarget.canonical` is. */
export function isFilePath(value: unknown): value is string {
  return isText(value) && value.split("/").every((name) => name !== "" && name !== "." && name !== ".." && !name.includes("\0"));
}

const isOurName = (value: unknown): boolean => isText(value) && OUR_NAME.test(value);
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
const isDigestOrNull = (value: unknown): boolean => value === null || isDigest(value);
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
const isText = (value: unknown): value is string => typeof value === "string";
