/** Undo of a whole transaction: all its changes taken back together, in reverse, where nobody has changed the files since. */
import type { WriteReceipt } from "../builtin/recorder.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { WorkspaceWriter } from "../workspace/write/write-access.ts";
import type { CommitContext } from "./commit.ts";
import { digestOf, entryAt, inDirectoryOf, type FoundEntry } from "./entry-state.ts";
import type { GivenContent } from "./desired-entry.ts";
import { hasContent, type EntryState, type IntentLine } from "./journal-lines.ts";
import { versionsOfAll, type FileVersion } from "./mirror.ts";
import { isInState } from "./open-edit.ts";
import { pathIn } from "./paths.ts";
import { STORE_PATH } from "./record-paths.ts";
import { commitStates, desiredState, NotRestorable, planRestore, type RestoredState } from "./restore.ts";
import { storedLines } from "./stored-journal.ts";

/** Plan that takes a transaction back. */
export interface UndoPlan {
  readonly transaction: string;
  /** The changes to be made, in order. Empty where everything is as it was before already. */
  readonly states: readonly RestoredState[];
  /** Names that are not as the transaction left them. With any, nothing is undone. */
  readonly conflicts: readonly UndoConflict[];
}

export interface UndoConflict {
  readonly path: string;
  /** A clause: "it was changed since". */
  readonly why: string;
}

/**
 * Plan that takes back the transaction of which `id` is a record, or the id. Throws NotRestorable where there is none that was
 * done, or where bytes were never recorded; FileError.
 */
export function planUndo(workspace: Workspace, id: string): UndoPlan {
  const writer = workspace.writer();
  const { transaction, intents } = doneChanges(writer, id);
  const versions = versionsOfAll(writer, new Set(intents.map(({ path }) => path)));
  const touched = new Set(intents.map(({ path }) => path));
  const states: RestoredState[] = [];
  const conflicts: UndoConflict[] = [];
  for (const intent of intents.toReversed()) {
    const now = entryAt(writer, intent.path);
    const why = conflictOf(writer, intent, now, touched);
    if (why === "undone") continue;
    if (why !== undefined) conflicts.push({ path: intent.path, why });
    else states.push({ path: intent.path, desired: before(workspace, intent, versions.get(intent.path) ?? []) });
  }
  return { transaction, states, conflicts };
}

/** Carries out `plan` as one transaction with records of its own. Throws NotRestorable where it has conflicts; FileError. */
export function undo(workspace: Workspace, plan: UndoPlan, context: Omit<CommitContext, "nowNs">): readonly WriteReceipt[] {
  const [first] = plan.conflicts;
  if (first !== undefined) throw new NotRestorable(`${first.path}: ${first.why}`);
  return plan.states.length === 0 ? [] : commitStates(workspace, plan.states, context);
}

function doneChanges(writer: WorkspaceWriter, id: string): { readonly transaction: string; readonly intents: readonly IntentLine[] } {
  let transaction: string | undefined;
  for (const line of storedLines(writer)) {
    if ((line.kind === "intent" || line.kind === "preimage") && (line.id === id || line.transaction === id)) transaction = line.transaction;
    if (transaction !== undefined) break;
  }
  if (transaction === undefined) throw new NotRestorable(`there is no record ${id}`);
  const intents = new Map<string, IntentLine>();
  const done: IntentLine[] = [];
  for (const line of storedLines(writer)) {
    if (line.kind === "repair" || line.transaction !== transaction) continue;
    if (line.kind === "intent") intents.set(line.id, line);
    const intent = line.kind === "outcome" && line.result === "done" ? intents.get(line.record_id) : undefined;
    if (intent !== undefined) done.push(intent);
  }
  if (done.length === 0) throw new NotRestorable(`the changes of ${transaction} were abandoned: there is nothing to undo`);
  return { transaction, intents: done };
}

/** The reason not to undo a change; "undone" where the name is as it was before; undefined where it can be undone. */
function conflictOf(
  writer: WorkspaceWriter,
  intent: IntentLine,
  now: FoundEntry | undefined,
  touched: ReadonlySet<string>,
): string | undefined {
  const old = intent.old === undefined ? fileState(intent.before) : intent.old;
  const after = intent.new === undefined ? fileState(intent.after) : intent.new;
  if (intent.mode === "attributes") return now?.kind === after?.kind ? undefined : "it is gone, or something else";
  if (isInState(now, after, intent.after)) {
    if (intent.mode !== "make-directory") return undefined;
    const names = inDirectoryOf(writer, pathIn(intent.path, "."), (directory) => directory.names()) ?? [];
    const other = names.find((name) => !touched.has(pathIn(intent.path, name)));
    return other === undefined ? undefined : `it holds '${other}', which came later`;
  }
  if (isInState(now, old, intent.before)) return "undone";
  return now === undefined ? "it was removed since" : "it was changed since";
}

/** State of a file of which only the bytes were recorded. */
const fileState = (digest: IntentLine["before"]): EntryState | null =>
  digest === null ? null : { kind: "file", permissions: 0, modified_ns: "0" };

function before(workspace: Workspace, intent: IntentLine, versions: readonly FileVersion[]): RestoredState["desired"] {
  const { old, previous, path, mode, backup } = intent;
  if (old === undefined) {
    const { content } = planRestore(workspace, intent.id, { undo: true });
    if (content === undefined) return { kind: "nothing" };
    return { kind: "file", content: { digest: digestOf(content), blocks: () => [content] }, attributes: {} };
  }
  const version = hasContent({ mode }) && old !== null ? versions.find(({ recordId }) => recordId === previous) : undefined;
  const content = version && lateContent(version, path);
  return desiredState(old, content, { keepsContent: mode === "attributes", keptLink: pathIn(STORE_PATH, backup) });
}

/** Bytes that are read when they are wanted: those of a whole transaction may be too many to hold. */
function lateContent(version: FileVersion, path: string): GivenContent {
  return {
    digest: version.digest,
    blocks() {
      const bytes = version.read();
      if (bytes === undefined) throw new NotRestorable(`the bytes that ${path} began with were never recorded`);
      return [bytes];
    },
  };
}
