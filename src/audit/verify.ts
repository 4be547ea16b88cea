/** `audit verify`: checks that the records are whole and that the files hold the bytes last written to them. Reads only. */
import { createHash } from "node:crypto";
import type { OpenDirectory } from "../workspace/contract.ts";
import { FileError } from "../workspace/file-error.ts";
import { RECORD_DIRECTORY } from "../workspace/write/mirror-path.ts";
import { composed } from "../workspace/walk/name-folding.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { WorkspaceWriter } from "../workspace/write/write-access.ts";
import type { WritableFile } from "../workspace/write/write-file.ts";
import { OUR_NAME } from "./random-name.ts";
import { IGNORE_PATH } from "./ignore-file.ts";
import { JOURNAL_NAME } from "./journal.ts";
import { hasContent, isEnd, timestampOf, type IntentLine, type JournalLine, type OutcomeLine, type PreimageLine } from "./journal-lines.ts";
import { directoryOf, nameOf } from "./paths.ts";
import { STORE_PATH } from "./record-paths.ts";
import { entryAt } from "./entry-state.ts";
import { isInState } from "./open-edit.ts";
import { currentDigest } from "./restore.ts";
import { checkedLines, openStored } from "./stored-journal.ts";

/** One inconsistency found in the records or the files. */
export interface AuditFinding {
  /** "error": records were lost or changed. "warn": explained by a kill, a copy, or somebody who wrote past us. */
  readonly severity: "error" | "warn";
  readonly code: AuditFindingCode;
  /** File that the finding is about; "" for the journal as a whole. */
  readonly path: string;
  readonly recordId: string | null;
  /** A sentence. */
  readonly detail: string;
}

export type AuditFindingCode =
  | "CHAIN_BROKEN"
  | "LINE_DAMAGED"
  | "LINE_CUT_SHORT"
  | "ID_ORDER"
  | "BROUGHT_HERE"
  | "NOT_YET"
  | "MIRROR_MISSING"
  | "MIRROR_CHANGED"
  | "MIRROR_EXTRA"
  | "ORPHAN_MIRROR"
  | "OPEN_TRANSACTION"
  | "CHANGED_OUTSIDE"
  | "REMOVED_OUTSIDE"
  | "UNREADABLE"
  | "LEFTOVER";

export interface Verification {
  readonly records: number;
  readonly files: number;
  readonly findings: readonly AuditFinding[];
}

/** Checks every record of `workspace` and every file that has one. Throws FileError where the journal cannot be read. */
export function verifyAudit(workspace: Workspace, nowMs = Date.now()): Verification {
  const writer = workspace.writer();
  const findings: AuditFinding[] = [];
  const lines = readChain(writer, findings);
  checkTimes(writer, lines, nowMs, findings);
  const contents = lines.filter((line) => line.kind === "preimage" || line.kind === "intent");
  const carried = lines.flatMap((line) => (line.kind === "kept" ? [line.record] : []));
  const outcomes = lines.filter((line) => line.kind === "outcome");
  checkTransactions(contents, outcomes, findings);
  const done = outcomes.filter(({ result }) => result === "done");
  const kept = new Set(done.map((line) => placeOf(line)));
  const isCarried = new Set<PreimageLine | IntentLine>(carried);
  const isKept = (line: PreimageLine | IntentLine): boolean => isCarried.has(line) || kept.has(placeOf(line));
  const mirrors = new Map<string, (PreimageLine | IntentLine)[]>();
  for (const line of [...carried, ...contents]) {
    if (line.kind === "intent" && !hasContent(line)) continue;
    const others = mirrors.get(line.mirror);
    if (others === undefined) mirrors.set(line.mirror, [line]);
    else others.push(line);
  }
  for (const [mirror, records] of mirrors) checkMirror(writer, mirror, records, isKept, findings);
  const last = new Map(done.filter(({ mode }) => mode !== "attributes").map((line) => [line.path, line]));
  for (const line of last.values()) checkFile(workspace, line, findings);
  findings.push(...strangers(workspace, new Set(mirrors.keys()), new Set(contents.map(({ path }) => directoryOf(path)))));
  return { records: contents.length, files: last.size, findings };
}

function readChain(writer: WorkspaceWriter, findings: AuditFinding[]): readonly JournalLine[] {
  const lines: JournalLine[] = [];
  let number = 0;
  let damagedAt: number | undefined;
  let lastId = 0n;
  const journal = (severity: AuditFinding["severity"], code: AuditFindingCode, recordId: string | null, detail: string): void =>
    void findings.push({ severity, code, path: "", recordId, detail });
  /** Hash of the line that a prune left in front, and the hash that the last prune has noted of it. */
  let resume: string | undefined;
  let noted: string | undefined;
  for (const { line, chained, sha256 } of checkedLines(writer)) {
    number++;
    if (line === undefined) {
      if (damagedAt !== undefined) journal("error", "LINE_DAMAGED", null, `Line ${damagedAt} of the journal is damaged.`);
      damagedAt = number;
      continue;
    }
    if (damagedAt !== undefined) {
      if (line.kind === "repair" && !isEnd(line))
        journal("warn", "LINE_CUT_SHORT", null, `Line ${damagedAt} of the journal was cut short: its writer was killed.`);
      else journal("error", "LINE_DAMAGED", null, `Line ${damagedAt} of the journal is damaged.`);
      damagedAt = undefined;
    }
    if (!chained) {
      journal(
        "error",
        "CHAIN_BROKEN",
        line.id,
        `Line ${number} of the journal does not follow from the line before it: lines were changed, removed or put in.`,
      );
    }
    if (BigInt(line.id) <= lastId)
      journal("error", "ID_ORDER", line.id, `Line ${number} of the journal has an id that is not greater than the one before.`);
    lastId = BigInt(line.id);
    if (line.kind === "resume") resume = sha256;
    if (line.kind === "pruned") noted = line.resume;
    lines.push(line);
  }
  if (resume !== noted) {
    const detail = "What stands in the place of pruned lines is not what the prune has noted.";
    journal("error", "CHAIN_BROKEN", null, detail);
  }
  if (damagedAt !== undefined) {
    journal("warn", "LINE_CUT_SHORT", null, "The last line of the journal was cut short: its writer was killed. The next write mends it.");
  }
  return lines;
}

/**
 * Checks that the records' times lie between the creation of the journal's file and now. A forged journal can have an
 * unbroken hash chain, but nobody who sends a project knows when its files will be created here. A copy of our own journal
 * is reported as well: it too is older than its file.
 */
function checkTimes(writer: WorkspaceWriter, lines: readonly JournalLine[], nowMs: number, findings: AuditFinding[]): void {
  // A pruned journal is a new file, as old as its last prune.
  const first = lines.findLast(({ kind }) => kind === "pruned") ?? lines[0];
  const last = lines.at(-1);
  if (first === undefined || last === undefined) return;
  const bornNs = journalBornNs(writer);
  if (bornNs !== undefined && BigInt(first.id) < bornNs - MOST_CLOCK_ERROR_NS) {
    const born = timestampOf(String(bornNs));
    const detail = `The journal's first record is of ${timestampOf(first.id)}, and its file came into being here at ${born}: it was copied, or came with the project. Nothing here vouches for what it says of the time before.`;
    findings.push({ severity: "warn", code: "BROUGHT_HERE", path: "", recordId: first.id, detail });
  }
  if (BigInt(last.id) > BigInt(Math.round(nowMs)) * NS_PER_MS + MOST_CLOCK_ERROR_NS) {
    const detail = `The journal's last record is of ${timestampOf(last.id)}, which is still to come: a clock was wrong, or it was made up.`;
    findings.push({ severity: "warn", code: "NOT_YET", path: "", recordId: last.id, detail });
  }
}

const NS_PER_MS = 1_000_000n;
/** Tolerated difference of clocks (one set right meanwhile, a file server's), in nanoseconds: a minute. */
const MOST_CLOCK_ERROR_NS = 60_000n * NS_PER_MS;

/** Creation time of the journal's file, in nanoseconds since the epoch; undefined where the file system does not keep it. */
function journalBornNs(writer: WorkspaceWriter): bigint | undefined {
  const journal = openStored(writer, JOURNAL_NAME);
  if (journal === undefined) return undefined;
  try {
    const { bornNs } = journal.status;
    return bornNs === 0n ? undefined : bornNs;
  } finally {
    journal.close();
  }
}

function checkTransactions(
  contents: readonly (PreimageLine | IntentLine)[],
  outcomes: readonly OutcomeLine[],
  findings: AuditFinding[],
): void {
  const settled = new Set(outcomes.map(({ record_id }) => record_id));
  for (const line of contents) {
    if (line.kind !== "intent" || settled.has(line.id)) continue;
    const detail = "The write was begun and never ended: its writer was killed. The next call finishes it or takes it back.";
    findings.push({ severity: "warn", code: "OPEN_TRANSACTION", path: line.path, recordId: line.id, detail });
  }
}

/** Key of one file in one transaction, shared by its pre-image, intent and outcome. */
const placeOf = ({ transaction, path }: PreimageLine | IntentLine | OutcomeLine): string => `${transaction} ${path}`;

/** Checks each record's bytes in the mirror, and the bytes after the last record. An abandoned write may have written none. */
function checkMirror(
  writer: WorkspaceWriter,
  path: string,
  records: readonly (PreimageLine | IntentLine)[],
  isKept: (line: PreimageLine | IntentLine) => boolean,
  findings: AuditFinding[],
): void {
  const [{ path: file } = { path: "" }] = records;
  const found = (code: AuditFindingCode, recordId: string | null, detail: string): void =>
    void findings.push({ severity: code === "MIRROR_EXTRA" ? "warn" : "error", code, path: file, recordId, detail });
  let mirror: WritableFile | undefined;
  try {
    const directory = writer.directory(directoryOf(path));
    mirror = directory.open(nameOf(path));
    directory.close();
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
  }
  if (mirror === undefined) {
    if (records.some(isKept)) found("MIRROR_MISSING", null, `${path} is not there or cannot be read: ${records.length} records are lost.`);
    return;
  }
  try {
    let end = 0;
    for (const line of records) {
      const { id, content_offset, content } = line;
      if (!isKept(line)) continue;
      end = content_offset + content.bytes;
      const hash = createHash("sha256");
      for (const block of mirror.blocks(content_offset, content_offset + content.bytes)) hash.update(block);
      if (hash.digest("hex") !== content.sha256) found("MIRROR_CHANGED", id, `${path} does not hold what was recorded.`);
    }
    const last = records.at(-1);
    if (last !== undefined && !isKept(last)) return;
    const after = mirror.bytes(end, Math.min(mirror.size, end + MOST_TRAILER_BYTES)).toString("latin1");
    if (!ABANDONED_ONLY.test(after)) found("MIRROR_EXTRA", null, `${path} holds ${mirror.size - end} bytes that belong to no record.`);
  } finally {
    mirror.close();
  }
}

/** Matches the only text allowed after the last record: notes that records were abandoned. */
const ABANDONED_ONLY = /^(?:\n?--- shelpa:abandoned ts=\S+ record_id=\d+ ---\n)*$/;
const MOST_TRAILER_BYTES = 1 << 16;

function checkFile(workspace: Workspace, { path, after, record_id, new: state }: OutcomeLine, findings: AuditFinding[]): void {
  const found = (code: AuditFindingCode, detail: string): void =>
    void findings.push({ severity: "warn", code, path, recordId: record_id, detail });
  try {
    const writer = workspace.writer();
    // On a volume that folds names, what is found by another spelling has records of its own.
    const isThere = writer.isSpelled(path);
    if (state !== undefined) {
      const now = isThere ? entryAt(writer, path) : undefined;
      if (now === undefined && state !== null) found("REMOVED_OUTSIDE", "It is gone, and was not removed through shelpa.");
      else if (!isInState(now, state, after)) found("CHANGED_OUTSIDE", "It was changed since, and not through shelpa.");
      return;
    }
    const now = isThere ? currentDigest(workspace, path) : null;
    if (now === null && after !== null) found("REMOVED_OUTSIDE", "The file is gone, and was not removed through shelpa.");
    else if (now !== null && now.sha256 !== after?.sha256) found("CHANGED_OUTSIDE", "The file was changed since, and not through shelpa.");
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    found("UNREADABLE", `The file cannot be compared: ${thrown.message}.`);
  }
}

/** Finds mirrors without a record, and temporary files that a killed writer left. */
function* strangers(workspace: Workspace, mirrors: ReadonlySet<string>, directories: ReadonlySet<string>): Generator<AuditFinding, void> {
  for (const path of filesBelow(workspace, RECORD_DIRECTORY)) {
    // HFS+ lists names decomposed.
    if (
      mirrors.has(path) ||
      mirrors.has(composed(path)) ||
      path === IGNORE_PATH ||
      (path.startsWith(`${STORE_PATH}/`) && !path.startsWith(`${STORE_PATH}/aside/`))
    )
      continue;
    yield { severity: "warn", code: "ORPHAN_MIRROR", path, recordId: null, detail: "No record names this file of the audit." };
  }
  for (const directory of directories) {
    for (const name of namesIn(workspace, directory)) {
      if (!OUR_NAME.test(name)) continue;
      const path = directory === "" ? name : `${directory}/${name}`;
      yield { severity: "warn", code: "LEFTOVER", path, recordId: null, detail: "A writer that was killed left this file." };
    }
  }
}

function* filesBelow(workspace: Workspace, path: string): Generator<string, void> {
  const directory = opened(workspace, path);
  if (directory === undefined) return;
  try {
    for (const { name, kind } of directory.entries()) {
      if (kind === "directory") yield* filesBelow(workspace, `${path}/${name}`);
      else yield `${path}/${name}`;
    }
  } finally {
    directory.close();
  }
}

function namesIn(workspace: Workspace, path: string): readonly string[] {
  const directory = opened(workspace, path === "" ? "." : path);
  if (directory === undefined) return [];
  try {
    return Array.from(directory.entries(), ({ name }) => name);
  } finally {
    directory.close();
  }
}

function opened(workspace: Workspace, path: string): OpenDirectory | undefined {
  try {
    return workspace.openDirectory(path);
  } catch (thrown) {
    if (thrown instanceof FileError) return undefined;
    throw thrown;
  }
}
