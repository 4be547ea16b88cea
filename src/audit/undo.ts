/**
 * `undo`: takes the changes of one command line back. A file that has changed since is named with its state, and left to the
 * caller's decision. Every path is judged again by the policy of now: what a record says gives no permission.
 */
import { createHash } from "node:crypto";
import type { AgreedWrites, WriteReceipt } from "../builtin/recorder.ts";
import { NotUndoable, type UndoAccess, type UndoneFile, type UndoPlan, type UndoSought } from "../builtin/undo-access.ts";
import { FileError } from "../workspace/file-error.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { changeSummary } from "./change-summary.ts";
import { NOT_APPROVED } from "./change.ts";
import { DamagedMirror } from "./mirror.ts";
import { diffOfWrite, type WritePreview } from "./preview.ts";
import type { RecordContext } from "./recorder.ts";
import { currentContent, currentDigest, NotRestorable, planRestore, recordedState, restore, type RestorePlan } from "./restore.ts";
import { WRITE_REFUSALS } from "./write-policy.ts";
import { writeRecords, type WriteRecord } from "./write-records.ts";

export interface UndoContext extends Pick<RecordContext, "session" | "client" | "line" | "expandedLine" | "approved" | "call"> {
  readonly writeVerdict: NonNullable<RecordContext["writeVerdict"]>;
  /** A record of the last command line that wrote in the session, before this one; undefined where none has. */
  readonly lastRecord: string | undefined;
  /** Where given, nothing is changed, and what would be is added here. */
  readonly previews?: WritePreview[] | undefined;
}

/** Most files that are taken back at once. */
const MOST_FILES = 10_000;

export function createUndo(workspace: Workspace, context: UndoContext): UndoAccess {
  return {
    plan: (sought) => told(() => planUndo(workspace, sought, context.call?.first ?? context.lastRecord)),
    carryOut: (plan) => told(() => carryOut(workspace, plan, context)),
  };
}

/** Files that taking `sought` back would change, canonical; none where there is nothing to take back. For the guard. */
export function undonePaths(workspace: Workspace, sought: UndoSought, lastRecord: string | undefined): readonly string[] {
  try {
    return [...byFile(soughtRecords(workspace, sought, lastRecord)).keys()];
  } catch (thrown) {
    if (thrown instanceof NotUndoable || thrown instanceof FileError) return [];
    throw thrown;
  }
}

function planUndo(workspace: Workspace, sought: UndoSought, lastRecord: string | undefined): UndoPlan {
  const files = byFile(soughtRecords(workspace, sought, lastRecord));
  if (files.size > MOST_FILES) throw new NotUndoable(`${files.size} files would be changed, and at most ${MOST_FILES} can be at once`);
  return { files: [...files].map(([path, records]) => undoneFile(workspace, path, records)) };
}

type FileRecords = readonly [WriteRecord, ...WriteRecord[]];

/** The records to be taken back, oldest first. Throws NotUndoable. */
function soughtRecords(workspace: Workspace, sought: UndoSought, lastRecord: string | undefined): FileRecords {
  const done = writeRecords(workspace.writer()).filter(({ result }) => result === "done");
  const found = done.findLast((record) => {
    if (sought.kind === "file") return record.path === sought.path;
    if (sought.kind === "record") return record.id === sought.id || record.preimage === sought.id;
    return record.id === lastRecord || record.call === lastRecord;
  });
  if (found === undefined) throw new NotUndoable(notFound(sought));
  // A record from before its call cannot be one of it, whatever it says.
  const isOfCall = (record: WriteRecord): boolean => record.call === found.call && BigInt(record.id) >= BigInt(found.call);
  const others = done.filter((record) => isOfCall(record) && (sought.kind !== "file" || record.path === sought.path));
  const [first = found, ...rest] = others;
  return [first, ...rest];
}

function notFound(sought: UndoSought): string {
  switch (sought.kind) {
    case "last":
      return "this session has changed nothing yet; name a record or a file (history lists them)";
    case "record":
      return `there is no record ${sought.id} of a change (history lists them)`;
    case "file":
      return `no change to ${sought.path} is recorded`;
  }
}

function byFile(records: FileRecords): ReadonlyMap<string, FileRecords> {
  const files = new Map<string, FileRecords>();
  for (const record of records) {
    const others = files.get(record.path);
    files.set(record.path, others === undefined ? [record] : [...others, record]);
  }
  return files;
}

function undoneFile(workspace: Workspace, path: string, records: FileRecords): UndoneFile {
  const [{ id: first }] = records;
  const last = records.at(-1) ?? records[0];
  const denied = workspace.whyDenied(path);
  if (denied !== undefined) throw new FileError("EACCES", path, denied);
  if (workspace.writer().target(path).canonical !== path) throw new FileError("CONFLICT", path, "It is reached through a link now");
  const { isThere, now } = planRestore(workspace, first, { undo: true });
  const isAsRecorded = now?.sha256 === last.after?.sha256;
  return {
    path,
    first,
    last: last.id,
    state: isThere ? "undone" : isAsRecorded ? "as recorded" : "changed",
    before: () => told(() => recordedState(workspace, first, "before").content),
    now: () => currentContent(workspace, path),
    after: () => told(() => recordedState(workspace, last.id, "after").content),
  };
}

function carryOut(workspace: Workspace, { files }: UndoPlan, context: UndoContext): readonly WriteReceipt[] {
  const changed = files.filter(({ state }) => state !== "undone");
  // All are judged before the first is changed.
  for (const file of changed) checkVerdict(file.path, context);
  if (context.previews !== undefined) {
    context.previews.push(...changed.map((file) => previewOf(workspace, file)));
    return [];
  }
  for (const file of changed) checkAgreed(planRestore(workspace, file.first, { undo: true }), context.approved);
  const receipts: WriteReceipt[] = [];
  try {
    for (const file of changed) receipts.push(takenBack(workspace, file, context));
  } catch (thrown) {
    // All or none: what was changed already becomes as it was. What fails then stays, with its record.
    for (const { recordId } of [...receipts].reverse()) {
      restore(workspace, planRestore(workspace, recordId, { undo: true }), recorded(context));
    }
    throw thrown;
  }
  return receipts;
}

function checkVerdict(path: string, { writeVerdict }: UndoContext): void {
  const verdict = writeVerdict(path);
  if (verdict === "ordinary" || verdict === "pre-approved") return;
  throw new FileError(verdict === "approval" ? "NEEDS_APPROVAL" : "PROTECTED_PATH", path, WRITE_REFUSALS[verdict]);
}

/** Throws CONFLICT unless the change is the one that was shown to the human who agreed. */
function checkAgreed({ path, content, now }: RestorePlan, approved: AgreedWrites | undefined): void {
  if (approved === undefined) return;
  const agreed = approved.get(path);
  const after = content === undefined ? null : sha256(content);
  if (agreed?.before === (now?.sha256 ?? null) && agreed.after === after) return;
  throw new FileError("CONFLICT", path, NOT_APPROVED);
}

function takenBack(workspace: Workspace, { path, first }: UndoneFile, context: UndoContext): WriteReceipt {
  const old = currentContent(workspace, path);
  const plan = planRestore(workspace, first, { undo: true });
  if ((plan.now?.sha256 ?? null) !== (old === undefined ? null : sha256(old))) throw new FileError("CONFLICT", path);
  const id = restore(workspace, plan, recorded(context));
  const record = writeRecords(workspace.writer(), { path }).find((each) => each.id === id);
  if (id === undefined || record === undefined) throw new FileError("CONFLICT", path);
  const removed = plan.content === undefined;
  return {
    path,
    mirror: record.mirror,
    mode: "overwrite",
    bytes: plan.content?.length ?? 0,
    recordId: id,
    created: old === undefined,
    ...(removed ? { removed } : {}),
    previous: record.previous,
    permittedBy: permitted(path, context),
    change: changeSummary(old, plan.content),
  };
}

const recorded = ({ session, client, line, expandedLine = line, call }: UndoContext): Parameters<typeof restore>[2] => ({
  session,
  client,
  line,
  expandedLine,
  ...(call === undefined ? {} : { call }),
});

function permitted(path: string, { approved, writeVerdict }: UndoContext): WriteReceipt["permittedBy"] {
  if (approved?.has(path) === true) return "human";
  return writeVerdict(path) === "pre-approved" ? "configuration" : null;
}

function previewOf(workspace: Workspace, file: UndoneFile): WritePreview {
  const [old, content] = [file.now(), file.before()];
  const bytes = content ?? Buffer.alloc(0);
  return {
    path: file.path,
    created: old === undefined,
    appends: false,
    removes: content === undefined,
    bytes: bytes.length,
    sha256: sha256(bytes),
    before: currentDigest(workspace, file.path)?.sha256 ?? null,
    after: content === undefined ? null : sha256(content),
    diff: diffOfWrite(old, bytes, file.path),
  };
}

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** Errors of the records in words of this contract. */
function told<T>(action: () => T): T {
  try {
    return action();
  } catch (thrown) {
    if (thrown instanceof NotRestorable || thrown instanceof DamagedMirror) throw new NotUndoable(thrown.message);
    throw thrown;
  }
}
