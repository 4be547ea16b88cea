/**
 * Place of a sink in the records of a workspace: a file of the state directory, never of the root, because what lies in the root may
 * tell the server nothing. It says how far lines were confirmed, and by which bytes that place is known again.
 */
import type { WritableFile } from "../../workspace/write/write-file.ts";
import { NEWLINE, sha256 } from "../raw-lines.ts";
import type { ShippedLine } from "./shipped-line.ts";

export interface Place {
  readonly version: 1;
  /** See ShippedLine. */
  readonly stream: string;
  readonly workspace: string;
  readonly journal: JournalPlace;
  readonly calls: CallsPlace;
  readonly notices: {
    readonly sequence: number;
    /** Anchors, and what is wrong with them, that wait: they are kept, so that each has the same number and text when it is sent again. */
    readonly waiting: readonly WaitingNotice[];
    /** Id of the journal's line that was anchored last; "0": none was. */
    readonly anchored: string;
    /** That anchor, as JSON. */
    readonly anchor?: string | undefined;
    /** Instant at which an anchor was made, or refused, in milliseconds since the epoch. */
    readonly anchoredMs: number;
  };
  /** Instant of the last confirmation, in milliseconds since the epoch. */
  readonly confirmedMs: number;
  /** True where the head was signed and all was sent when the workspace was closed, and it has not been opened since. */
  readonly isClosed?: boolean | undefined;
}

/** `id`: the journal's line behind which it is sent; "0": behind any. */
export type WaitingNotice = Pick<ShippedLine, "id" | "kind" | "time" | "text">;

export interface FilePlace {
  /** Behind the newline of the last line that was sent, in bytes. */
  readonly offset: number;
  /** SHA-256 of the bytes before `offset`, at most TAIL_BYTES of them. */
  readonly tail: string;
  /** Number of the last line that was sent. */
  readonly sequence: number;
}

export interface CallsPlace extends FilePlace {
  /** True while a file of the log is passed over for its size, which is told once. */
  readonly isPassedOver?: boolean | undefined;
}

export interface JournalPlace extends FilePlace {
  /** `prev` that the next line must have: the SHA-256 of the last line that was sent. */
  readonly prev: string;
  /** Id of that line; "0" before the first. */
  readonly id: string;
  /** True while only lines of a prune were met, which stand before all others. */
  readonly isFront: boolean;
  /** True where the server has looked before there was a journal: all that is in it came to be while the server watched. */
  readonly isWatched?: boolean | undefined;
}

export const CHAIN_START = "0".repeat(64);
/** Holds whole lines, as a rule, and of any line its end, which is the hash of the line before. */
const TAIL_BYTES = 4096;

export const newPlace = (stream: string, workspace: string, nowMs: number): Place => ({
  version: 1,
  stream,
  workspace,
  journal: { offset: 0, tail: "", sequence: 0, prev: CHAIN_START, id: "0", isFront: true },
  calls: { offset: 0, tail: "", sequence: 0 },
  notices: { sequence: 0, waiting: [], anchored: "0", anchoredMs: 0 },
  confirmedMs: nowMs,
});

/** Hash by which `offset` is known again in a file that only grows. */
export const tailOf = (file: WritableFile, offset: number): string =>
  offset === 0 ? "" : sha256(file.bytes(Math.max(0, offset - TAIL_BYTES), offset));

/** True where the file has the bytes before the place that it had, the last of which ends a line. */
export function isPlaceOf(file: WritableFile, { offset, tail }: FilePlace): boolean {
  if (offset === 0) return true;
  if (file.size < offset || file.bytes(offset - 1, offset)[0] !== NEWLINE) return false;
  return tailOf(file, offset) === tail;
}

/** As it was, with lines behind that, or another. */
export type JournalSince = "same" | "longer" | "other";

/** The journal since it was left at `place`. Throws FileError. */
export function journalSince(file: WritableFile | undefined, place: JournalPlace): JournalSince {
  if (file === undefined) return place.offset === 0 ? "same" : "other";
  if (!isPlaceOf(file, place)) return "other";
  return file.size === place.offset ? "same" : "longer";
}

/** The place in the text of its file; undefined where it is none of ours, or cut short: all is then sent again. */
export function parsePlace(text: string): Place | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isPlace(value) ? value : undefined;
}

function isPlace(value: unknown): value is Place {
  if (!isObject(value) || value["version"] !== 1) return false;
  const { stream, workspace, journal, calls, notices, confirmedMs, isClosed } = value;
  if (!isObject(journal) || !isObject(calls) || !isObject(notices)) return false;
  const { anchor, waiting } = notices;
  return (
    [stream, workspace, journal["prev"]].every((each) => typeof each === "string") &&
    isId(journal["id"]) &&
    isId(notices["anchored"]) &&
    typeof journal["isFront"] === "boolean" &&
    isFilePlace(journal) &&
    isFilePlace(calls) &&
    [calls["isPassedOver"], journal["isWatched"], isClosed].every((each) => each === undefined || typeof each === "boolean") &&
    isCount(notices["sequence"]) &&
    (anchor === undefined || typeof anchor === "string") &&
    Array.isArray(waiting) &&
    waiting.every(isWaiting) &&
    [confirmedMs, notices["anchoredMs"]].every((each) => typeof each === "number")
  );
}

const isWaiting = (value: unknown): boolean =>
  isObject(value) && isId(value["id"]) && [value["kind"], value["time"], value["text"]].every((each) => typeof each === "string");
const isFilePlace = ({ offset, tail, sequence }: Readonly<Record<string, unknown>>): boolean =>
  isCount(offset) && typeof tail === "string" && isCount(sequence);
const isId = (value: unknown): boolean => typeof value === "string" && /^\d{1,22}$/.test(value);
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null;
