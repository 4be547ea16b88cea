/**
 * `undo`: takes the changes of one command line back, together or not at all. A name that has changed since is shown with its state,
 * and left to the caller's decision. Every path is judged again by the policy of now: what a record says gives no permission.
 */
import type { AgreedWrites, WriteReceipt } from "../builtin/recorder.ts";
import { NotUndoable, type NameState, type UndoAccess, type UndoPlan, type UndoSought } from "../builtin/undo-access.ts";
import { FileError } from "../workspace/file-error.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { NOT_APPROVED } from "./change.ts";
import type { CommitContext } from "./commit.ts";
import { digestAfter, type DesiredEntry } from "./desired-entry.ts";
import type { EditTarget } from "./desired-entry.ts";
import type { Permission } from "./journal-lines.ts";
import { DamagedMirror } from "./mirror.ts";
import { editPreview, type WritePreview } from "./preview.ts";
import { recoverWrites } from "./record-store.ts";
import { systemNowNs, type RecordContext } from "./recorder.ts";
import { commitStates, entryTarget, NotRestorable } from "./restore.ts";
import { depth, planNames, type NameRecords, type PlannedName } from "./undone-name.ts";
import { prunedTo, prunedWith } from "./stored-journal.ts";
import { WRITE_REFUSALS } from "./write-policy.ts";
import { writeRecords, type WriteRecord } from "./write-records.ts";

export interface UndoContext
  extends Pick<RecordContext, "session" | "client" | "caller" | "line" | "expandedLine" | "approved" | "call" | "goneLockOwner"> {
  readonly writeVerdict: NonNullable<RecordContext["writeVerdict"]>;
  /** Where given, nothing is changed, and what would be is added here. */
  readonly previews?: WritePreview[] | undefined;
}

/** Most names that are taken back at once. */
const MOST_NAMES = 10_000;

export function createUndo(workspace: Workspace, context: UndoContext): UndoAccess {
  return {
    plan: (sought) => told(() => planUndo(workspace, sought, context)),
  };
}

/** Files that taking `sought` back would change, canonical; none where there is nothing to take back. For the guard. */
export function undonePaths(workspace: Workspace, sought: UndoSought, own: OwnCalls): readonly string[] {
  try {
    return [...byName(soughtRecords(workspace, sought, own)).keys()];
  } catch (thrown) {
    if (thrown instanceof NotUndoable || thrown instanceof FileError) return [];
    throw thrown;
  }
}

function planUndo(workspace: Workspace, sought: UndoSought, context: UndoContext): UndoPlan {
  // What a killed process has left is brought to one of its ends first: it may be the very change that is meant.
  if (context.previews === undefined) recoverWrites(workspace.writer(), systemNowNs, context.goneLockOwner);
  const records = byName(soughtRecords(workspace, sought, { origin: context.caller?.origin, call: context.call?.first }));
  if (records.size > MOST_NAMES) throw new NotUndoable(`${records.size} names would be changed, and at most ${MOST_NAMES} can be at once`);
  const names = planNames(workspace, records);
  const shown = (state: NameState): NameState => ({ ...state, content: () => told(state.content) });
  return {
    names: names.map((name) => ({ ...name, before: shown(name.before), now: shown(name.now), after: shown(name.after) })),
    carryOut: () => told(() => carryOut(workspace, names, context)),
  };
}

/** How the session's own calls are known in the journal, which may hold anybody's. */
interface OwnCalls {
  /** See Caller. */
  readonly origin?: string | undefined;
  /** Id of the first record of the call that runs. */
  readonly call?: string | undefined;
}

/** The records to be taken back, oldest first. Throws NotUndoable. */
function soughtRecords(workspace: Workspace, sought: UndoSought, { origin, call }: OwnCalls): NameRecords {
  const records = writeRecords(workspace.writer());
  const isDone = ({ result }: WriteRecord): boolean => result === "done";
  const found = records.findLast((record) => {
    if (!isDone(record)) return false;
    if (sought.kind === "file") return record.path === sought.path;
    if (sought.kind === "record") return record.id === sought.id || record.preimage === sought.id;
    return (origin !== undefined && record.origin === origin) || (call !== undefined && record.call === call);
  });
  if (found === undefined) throw new NotUndoable(whyPruned(workspace, sought) ?? notFound(sought));
  const others = callOf(records, found).filter((record) => isDone(record) && (sought.kind !== "file" || record.path === sought.path));
  const [first = found, ...rest] = others;
  return [first, ...rest];
}

/**
 * The records of the call that `found` is one of. Ids increase from line to line, so the call's lines begin where those before them
 * have lower ids: a repository can bring a journal whose last line tells the id of our next call, and lines before it of that call.
 */
function callOf(records: readonly WriteRecord[], found: WriteRecord): readonly WriteRecord[] {
  const idAt = (at: number): bigint => BigInt(records[at]?.id ?? 0);
  let first = records.indexOf(found);
  while (first > 0 && idAt(first - 1) >= BigInt(found.call) && idAt(first - 1) < idAt(first)) first--;
  return records.slice(first).filter(({ call }) => call === found.call);
}

/** For a change whose record was pruned, or may have been. */
function whyPruned(workspace: Workspace, sought: UndoSought): string | undefined {
  if (sought.kind === "last") return undefined;
  const id = sought.kind === "record" ? sought.id : undefined;
  const pruned = prunedWith(workspace.writer(), sought.kind === "file" ? "0" : id);
  if (pruned === undefined) return undefined;
  if (sought.kind === "file")
    return `no change to ${sought.path} is recorded here; older records are in the archive ${pruned.archive.name}`;
  return `record ${id} ${prunedTo(pruned)}`;
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

function byName(records: readonly WriteRecord[]): ReadonlyMap<string, NameRecords> {
  const names = new Map<string, NameRecords>();
  for (const record of records) {
    const others = names.get(record.path);
    names.set(record.path, others === undefined ? [record] : [...others, record]);
  }
  return names;
}

/** One name with the change that takes it back. */
interface Change {
  readonly name: PlannedName;
  readonly desired: DesiredEntry;
  readonly permittedBy: Permission | null;
}

function carryOut(workspace: Workspace, names: readonly PlannedName[], context: UndoContext): readonly WriteReceipt[] {
  const wanted = names.filter(({ state }) => state === "as recorded" || state === "changed");
  // All are judged before the first is changed.
  const changes = wanted.map((name): Change => ({ name, desired: name.desired(), permittedBy: permission(name.path, context) }));
  if (context.previews !== undefined) {
    const writer = workspace.writer();
    context.previews.push(...changes.map(({ name, desired }) => editPreview(writer, { canonical: name.path, desired })));
    return [];
  }
  for (const { name, desired } of changes) checkAgreed(name, desired, context.approved);
  const going = changes.filter(({ name, desired }) => desired.kind === "nothing" || turns(name)).sort(inwards);
  const coming = changes.filter(({ desired }) => desired.kind !== "nothing").sort((a, b) => inwards(b, a));
  const commit = (targets: readonly EditTarget[]) => commitStates(workspace, targets, recorded(context));
  if (!changes.some(({ name }) => turns(name))) return commit([...going, ...coming].map((change) => targetOf(workspace, change)));
  // A name cannot be a directory and a file in one transaction.
  const removed = commit(going.map((change) => targetOf(workspace, { ...change, desired: { kind: "nothing" } })));
  try {
    const isFree = (change: Change): boolean => going.includes(change);
    const back = coming.map((change) => ({ ...targetOf(workspace, change), ...(isFree(change) ? { expected: null } : {}) }));
    return [...removed, ...commit(back)];
  } catch (thrown) {
    putBack(workspace, removed, context);
    throw thrown;
  }
}

/** Outermost last. */
const inwards = (a: Change, b: Change): number => depth(b.name.path) - depth(a.name.path);

/** True if a directory becomes something else, or the reverse. */
const turns = ({ found, before }: PlannedName): boolean =>
  found !== undefined && before.kind !== "nothing" && (found.kind === "directory") !== (before.kind === "directory");

/** Takes a removal of this undo back. What fails then stays, with its record. */
function putBack(workspace: Workspace, removed: readonly WriteReceipt[], context: UndoContext): void {
  const ids = new Set(removed.map(({ recordId }) => recordId));
  const records = writeRecords(workspace.writer()).filter(({ id }) => ids.has(id));
  const changes = planNames(workspace, byName(records)).map((name): Change => ({ name, desired: name.desired(), permittedBy: null }));
  const targets = changes.sort((a, b) => inwards(b, a)).map((change) => targetOf(workspace, change));
  commitStates(workspace, targets, recorded(context));
}

const targetOf = (workspace: Workspace, { name: { path, found }, desired, permittedBy }: Change): EditTarget => ({
  ...entryTarget(workspace, path, desired),
  expected: found?.digest?.sha256 ?? null,
  permittedBy,
});

/** Permission to change `path`, null where none is needed. Throws FileError where there is none. */
function permission(path: string, { approved, writeVerdict }: UndoContext): Permission | null {
  const verdict = writeVerdict(path);
  if (verdict !== "ordinary" && verdict !== "pre-approved") {
    throw new FileError(verdict === "approval" ? "NEEDS_APPROVAL" : "PROTECTED_PATH", path, WRITE_REFUSALS[verdict]);
  }
  if (approved?.has(path) === true) return "human";
  return verdict === "pre-approved" ? "configuration" : null;
}

/** Throws CONFLICT unless the change is the one that was shown to the human who agreed. */
function checkAgreed({ path, found }: PlannedName, desired: DesiredEntry, approved: AgreedWrites | undefined): void {
  if (approved === undefined) return;
  const agreed = approved.get(path);
  if (agreed?.before === (found?.digest?.sha256 ?? null) && agreed.after === digestAfter(desired, found)) return;
  throw new FileError("CONFLICT", path, NOT_APPROVED);
}

const recorded = ({
  session,
  client,
  caller,
  line,
  expandedLine = line,
  call,
  goneLockOwner,
}: UndoContext): Omit<CommitContext, "nowNs"> => ({
  session,
  client,
  caller,
  line,
  expandedLine,
  goneLockOwner,
  ...(call === undefined ? {} : { call }),
});

/** Errors of the records in words of this contract. */
function told<T>(action: () => T): T {
  try {
    return action();
  } catch (thrown) {
    if (thrown instanceof NotRestorable || thrown instanceof DamagedMirror) throw new NotUndoable(thrown.message);
    throw thrown;
  }
}
