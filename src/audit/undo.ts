/**
 * `undo`: takes the changes of one command line back, together or not at all. A name that has changed since is shown with its state,
 * and left to the caller's decision. Every path is judged again by the policy of now: what a record says gives no permission.
 */
import type { AgreedWrites, WriteReceipt } from "../builtin/recorder.ts";
import { NotUndoable, type NameState, type UndoAccess, type UndoPlan, type UndoSought } from "../builtin/undo-access.ts";
import { FileError } from "../workspace/file-error.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { NOT_APPROVED } from "./change.ts";
import { ChangesInEffect, isAtOrBelow, type RecordPlace } from "./changes-in-effect.ts";
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
import { eachRecord, type WriteRecord } from "./write-records.ts";

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

/** The plans of `undo`, none of which is carried out. */
export const undoPlansAlone = (undo: UndoAccess): UndoAccess => ({
  plan: (sought) => ({
    ...undo.plan(sought),
    carryOut: () => {
      throw new FileError("READ_ONLY", "undo", "nothing may be written here");
    },
  }),
});

/** Less than any record's id. */
const NONE = -1n;

/**
 * Files that taking `sought` back would change, canonical, and the newest of their records: 0 where all is taken back already, less where
 * there never was anything.
 */
export function undoneNames(
  workspace: Workspace,
  sought: UndoSought,
  own: OwnCalls,
): { readonly paths: readonly string[]; readonly newest: bigint } {
  try {
    const { names } = soughtChanges(workspace, sought, own);
    const ids = [...names.values()].flat().map(({ id }) => BigInt(id));
    return { paths: [...names.keys()], newest: ids.reduce((a, b) => (b > a ? b : a), 0n) };
  } catch (thrown) {
    if (thrown instanceof NotUndoable) return { paths: [], newest: thrown.wasUndone ? 0n : NONE };
    if (thrown instanceof FileError) return { paths: [], newest: NONE };
    throw thrown;
  }
}

function planUndo(workspace: Workspace, sought: UndoSought, context: UndoContext): UndoPlan {
  // What a killed process has left is brought to one of its ends first: it may be the very change that is meant.
  if (context.previews === undefined) recoverWrites(workspace.writer(), systemNowNs, context.goneLockOwner);
  const found = soughtChanges(workspace, sought, { origin: context.caller?.origin, call: context.call?.first });
  const names = planNames(workspace, found.names, found.latest);
  const call = found.rest === undefined ? found.call : undefined;
  const shown = (state: NameState): NameState => ({ ...state, content: () => told(state.content) });
  return {
    names: names.map((name) => ({ ...name, before: shown(name.before), now: shown(name.now), after: shown(name.after) })),
    ...(found.older === undefined ? {} : { older: found.older }),
    ...othersOf(workspace, found),
    carryOut: () => told(() => carryOut(workspace, { call, names }, context)),
  };
}

/** Changes of one call that are to be taken back. */
interface Changes {
  readonly call: string;
  /** By path, the records, oldest first. */
  readonly names: ReadonlyMap<string, NameRecords>;
  /** The last record of each of these paths, which may be one of another call. */
  readonly latest: ReadonlyMap<string, WriteRecord>;
  /** The call's other changes, where only some were sought. */
  readonly rest?: Changes;
  /** A record of the session's call before it. */
  readonly older?: string;
}

/** Names of the same call that were not sought and are not as before it. */
function othersOf(workspace: Workspace, { rest, names }: Changes): Pick<UndoPlan, "others"> {
  const [record] = [...names.values(), ...(rest?.names.values() ?? [])]
    .map(([{ id }]) => id)
    .sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1));
  if (rest === undefined || rest.names.size === 0 || record === undefined) return {};
  const paths = planNames(workspace, rest.names, rest.latest).flatMap(({ path, state }) => (state === "undone" ? [] : [path]));
  return paths.length === 0 ? {} : { others: { paths, record } };
}

/** How a session's own calls are known in the journal, which may hold anybody's: by its origin, and where it has none by the call. */
export interface OwnCalls {
  /** See Caller. */
  readonly origin?: string | undefined;
  /** Id of the first record of the call that runs. */
  readonly call?: string | undefined;
}

/** Throws NotUndoable. */
function soughtChanges(workspace: Workspace, sought: UndoSought, own: OwnCalls): Changes {
  if (sought.kind === "last") return lastOwnChanges(workspace, own);
  if (sought.kind === "record") {
    const found = recordPlace(workspace, sought.id);
    if (found === undefined) throw new NotUndoable(whyNone(workspace, sought));
    return changesOfCall(workspace, found);
  }
  const changes = changesInEffect(workspace);
  const path = sought.orPath !== undefined && !changes.knows(sought.path) && changes.knows(sought.orPath) ? sought.orPath : sought.path;
  const found = placeOfLast(workspace, changes, path, sought.shown ?? path);
  if (found === undefined) throw new NotUndoable(whyNone(workspace, sought));
  const all = changesOfCall(workspace, found);
  return { ...among(all, (name) => isAtOrBelow(name, path)), rest: among(all, (name) => !isAtOrBelow(name, path)) };
}

const among = (changes: Changes, isWanted: (name: string) => boolean): Changes => ({
  ...changes,
  names: new Map([...changes.names].filter(([name]) => isWanted(name))),
});

/** Most calls whose names are looked at for one that there is something of to take back. */
const MOST_CALLS = 20;

/** Those of the session's last call that was not taken back, neither by an undo nor, as a whole, by hand. */
function lastOwnChanges(workspace: Workspace, { origin, call }: OwnCalls): Changes {
  const isOwn = (record: WriteRecord): boolean =>
    origin === undefined ? call !== undefined && record.call === call : record.origin === origin;
  const changes = changesInEffect(workspace, isOwn);
  let first: Changes | undefined;
  const calls = changes.ownCalls().slice(0, MOST_CALLS);
  for (const [at, place] of calls.entries()) {
    const found = changesOfCall(workspace, place);
    first ??= found;
    const older = calls[at + 1]?.id;
    if (hasToGo(workspace, found)) return { ...found, ...(older === undefined ? {} : { older }) };
  }
  if (first !== undefined) return first;
  const pruned = prunedWith(workspace.writer(), "0");
  if (pruned !== undefined)
    throw new NotUndoable(`no change of this session is left in the records; older ones are in the archive ${pruned.archive.name}`);
  throw new NotUndoable(
    changes.hasOwn
      ? "all changes of this session are taken back (history lists them; undo RECORD of an undo makes one again)"
      : "this session has changed nothing yet; name a record or a file (history lists them)",
    { wasUndone: changes.hasOwn },
  );
}

/** True where a name is not as it was before these records, or cannot be looked at. */
function hasToGo(workspace: Workspace, { names, latest }: Changes): boolean {
  try {
    return planNames(workspace, names, latest).some(({ state }) => state === "as recorded" || state === "changed");
  } catch (thrown) {
    if (thrown instanceof FileError || thrown instanceof DamagedMirror || thrown instanceof NotRestorable) return true;
    throw thrown;
  }
}

/** The last change to the file at `path` that is in effect. Throws NotUndoable where all are taken back. */
function placeOfLast(workspace: Workspace, changes: ChangesInEffect, path: string, shown: string): RecordPlace | undefined {
  const found = changes.lastOf(path);
  if (found === undefined && changes.knows(path) && prunedWith(workspace.writer(), "0") === undefined) {
    throw new NotUndoable(`all recorded changes to ${shown} are taken back (history lists them; undo RECORD of an undo makes one again)`);
  }
  return found;
}

function changesInEffect(workspace: Workspace, isOwn: (record: WriteRecord) => boolean = () => false): ChangesInEffect {
  const changes = new ChangesInEffect(isOwn);
  let at = 0;
  for (const record of eachRecord(workspace.writer())) {
    if (record.result === "done") changes.add(record, at);
    at++;
  }
  return changes;
}

/** The last record of that id. */
function recordPlace(workspace: Workspace, id: string): RecordPlace | undefined {
  let found: RecordPlace | undefined;
  let at = 0;
  for (const record of eachRecord(workspace.writer())) {
    if (record.result === "done" && (record.id === id || record.preimage === id))
      found = { id, call: record.call, origin: record.origin, at };
    at++;
  }
  return found;
}

/**
 * The changes of the call that the one at `found` belongs to. Ids increase from line to line, so the call's
 * lines begin where those before them have lower ids: a repository can bring a journal whose last line tells the id of our next call,
 * and lines before it of that call.
 */
function changesOfCall(workspace: Workspace, found: RecordPlace): Changes {
  const first = BigInt(found.call);
  const names = new Map<string, [WriteRecord, ...WriteRecord[]]>();
  const latest = new Map<string, WriteRecord>();
  let last = 0n;
  let at = 0;
  for (const record of eachRecord(workspace.writer())) {
    const id = BigInt(record.id);
    if (at <= found.at && (id < first || id <= last)) names.clear();
    if (record.result === "done") {
      // A session's origin is its own: no journal that was brought tells it.
      const isSought = record.call === found.call && record.origin === found.origin && (at >= found.at || id >= first);
      const others = names.get(record.path);
      if (isSought && others === undefined) names.set(record.path, [record]);
      else if (isSought) others?.push(record);
      if (names.has(record.path)) latest.set(record.path, record);
    }
    last = id;
    at++;
  }
  if (names.size > MOST_NAMES) throw new NotUndoable(`${names.size} names would be changed, and at most ${MOST_NAMES} can be at once`);
  return { call: found.call, names, latest };
}

/** Reason for which there is nothing to take back: its record was pruned, or may have been, or there never was one. */
function whyNone(workspace: Workspace, sought: Exclude<UndoSought, { readonly kind: "last" }>): string {
  if (sought.kind === "record") {
    const pruned = prunedWith(workspace.writer(), sought.id);
    return pruned === undefined
      ? `there is no record ${sought.id} of a change (history lists them)`
      : `record ${sought.id} ${prunedTo(pruned)}`;
  }
  const { shown = sought.path } = sought;
  const pruned = prunedWith(workspace.writer(), "0");
  return pruned === undefined
    ? `no change to ${shown} is recorded`
    : `no change to ${shown} is recorded here; older records are in the archive ${pruned.archive.name}`;
}

/** One name with the change that takes it back. */
interface Change {
  readonly name: PlannedName;
  readonly desired: DesiredEntry;
  readonly permittedBy: Permission | null;
}

/** `call`: the one that is taken back as a whole. */
function carryOut(
  workspace: Workspace,
  { call, names }: { readonly call: string | undefined; readonly names: readonly PlannedName[] },
  context: UndoContext,
): readonly WriteReceipt[] {
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
  if (!changes.some(({ name }) => turns(name))) return commit([...going, ...coming].map((change) => targetOf(workspace, change, call)));
  // A name cannot be a directory and a file in one transaction.
  const removed = commit(going.map((change) => targetOf(workspace, { ...change, desired: { kind: "nothing" } }, call)));
  try {
    const isFree = (change: Change): boolean => going.includes(change);
    const back = coming.map((change) => ({ ...targetOf(workspace, change, call), ...(isFree(change) ? { expected: null } : {}) }));
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
  const names = new Map<string, NameRecords>();
  for (const record of eachRecord(workspace.writer())) if (ids.has(record.id)) names.set(record.path, [record]);
  const changes = planNames(workspace, names).map((name): Change => ({ name, desired: name.desired(), permittedBy: null }));
  const targets = changes.sort((a, b) => inwards(b, a)).map((change) => targetOf(workspace, change, context.call?.first));
  commitStates(workspace, targets, recorded(context));
}

const targetOf = (
  workspace: Workspace,
  { name: { path, found, first }, desired, permittedBy }: Change,
  call: string | undefined,
): EditTarget => ({
  ...entryTarget(workspace, path, desired),
  expected: found?.digest?.sha256 ?? null,
  permittedBy,
  undoes: { record: first, call },
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
