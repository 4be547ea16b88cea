/**
 * Commit of a write, in the order that makes it durable (DESIGN §8). Under the lock: the new bytes beside each file; the
 * record (journal and mirror) on disk; only then each file replaced as a whole; the outcome. A kill at any instant leaves
 * each file old or new, and never new without its record; src/audit/recovery.ts then finishes or undoes the rest. A process that
 * others take for dead, and who have taken its lock, sees that before its next step: recovery has been at work then, and it stops
 * as it is, without putting back and without another line in the journal.
 */
import type { WriteMode, WriteReceipt } from "../builtin/recorder.ts";
import { FileError } from "../workspace/file-error.ts";
import type { LockOwner } from "../workspace/write/lock-owner.ts";
import type { WorkspaceWriter } from "../workspace/write/write-access.ts";
import type { Caller } from "./caller.ts";
import { Change, type ChangeSteps, type CommitTarget } from "./change.ts";
import type { EditTarget } from "./desired-entry.ts";
import { EditChange } from "./edit-change.ts";
import { inDirectoryOf } from "./entry-state.ts";
import { pathIn } from "./paths.ts";
import { checkGitDirectories } from "./git-directory.ts";
import { timestampOf } from "./journal-lines.ts";
import { withOneCommand } from "./record-layout.ts";
import { unavailable } from "./record-paths.ts";
import { RecordStore } from "./record-store.ts";
import { concludeIntents } from "./recovery.ts";
import type { Spool } from "./spool.ts";

/** Facts recorded with a write (session, client, caller, command line), and the clock that ids are made from; see RecordContext. */
export interface CommitContext {
  readonly session: string;
  readonly client: string;
  readonly caller?: Caller | undefined;
  readonly line: string;
  /** The line with its named pipelines written out: the same where it calls none. */
  readonly expandedLine?: string;
  readonly nowNs: () => bigint;
  /** Mark of the call that the write belongs to. Default: a call of its own. */
  readonly call?: CallMark;
  /** See RunRequest.goneLockOwner. */
  readonly goneLockOwner?: LockOwner | undefined;
}

/** Id of the first record that a call has made; set by its first write. */
export interface CallMark {
  first: string | undefined;
}

/** Writes the spooled bytes to every target, and makes the directories on the way, or changes nothing. Throws FileError. */
export function commitWrite(
  writer: WorkspaceWriter,
  context: CommitContext,
  mode: WriteMode,
  targets: readonly CommitTarget[],
  content: Spool,
): readonly WriteReceipt[] {
  const directories = [...new Set(targets.flatMap(({ missingDirectories }) => missingDirectories))];
  const made = targets.map(({ canonical }) => canonical);
  const changes = [
    ...directories.map((path) => new EditChange(writer, directoryOnTheWay(path))),
    ...targets.map((target) => new Change(writer, mode, target, content)),
  ];
  const receipts = commitChanges(writer, context, changes, directories, made);
  const untold = new Set(receipts.filter(({ mode: each }) => each === "make-directory").map(({ path }) => path));
  return receipts.flatMap((receipt) => {
    if (receipt.mode === "make-directory") return [];
    const own = [...untold].filter((directory) => receipt.path.startsWith(`${directory}/`));
    for (const directory of own) untold.delete(directory);
    return own.length === 0 ? receipt : { ...receipt, directories: own.length };
  });
}

/** The directory at the canonical path `path`, to be made for a file in it. */
export const directoryOnTheWay = (path: string): EditTarget => ({
  canonical: path,
  typed: path,
  isResolved: true,
  status: undefined,
  missingDirectories: [],
  permittedBy: null,
  desired: { kind: "directory", attributes: {} },
});

/**
 * Makes all `changes`, or none. `directories`: canonical paths of those that will be made, outermost first; `made`: names that may
 * make a directory one of git's. Throws FileError, and then nothing has changed.
 */
export function commitChanges(
  writer: WorkspaceWriter,
  context: CommitContext,
  changes: readonly ChangeSteps[],
  directories: readonly string[],
  made: readonly string[],
): readonly WriteReceipt[] {
  const planned = { temporaries: changes.flatMap((change) => change.temporaryPaths), directories };
  const store = RecordStore.open(writer, planned, context.nowNs, context.goneLockOwner);
  const commit = new Commit(writer, context, store, changes);
  try {
    // Checked once more, under the lock: two writes at once may each put a part of a git directory in its place.
    checkGitDirectories(
      writer,
      changes.map(({ target }) => target),
      made,
    );
    return commit.run();
  } finally {
    for (const change of changes) change.close();
    store.close(commit.isFinished);
  }
}

class Commit {
  readonly #writer: WorkspaceWriter;
  readonly #context: CommitContext;
  readonly #store: RecordStore;
  #changes: readonly ChangeSteps[];
  #isJournaled = false;
  /** True if nothing is left for recovery. */
  isFinished = true;

  constructor(writer: WorkspaceWriter, context: CommitContext, store: RecordStore, changes: readonly ChangeSteps[]) {
    this.#writer = writer;
    this.#context = context;
    this.#store = store;
    this.#changes = changes;
  }

  run(): readonly WriteReceipt[] {
    try {
      // What is there is looked at before anything is made, so that the times recorded of directories are those of before.
      const isNeeded = new Map<ChangeSteps, boolean>();
      for (const change of this.#changes) if (!change.makesEntry) isNeeded.set(change, change.prepare());
      for (const change of this.#changes) if (change.makesEntry) isNeeded.set(change, change.prepare());
      const needed = this.#changes.filter((change) => isNeeded.get(change));
      this.#changes = needed;
      try {
        this.#record();
      } catch (thrown) {
        throw unavailable(thrown);
      }
      for (const change of needed) change.checkUnchanged();
      this.#inTurn(needed, (change) => change.keepOld(needed.length === 1));
      this.#inTurn(needed, (change) => change.replace());
      this.#inTurn([...needed].reverse(), (change) => change.settle());
      this.#sync(needed.flatMap(({ directories }) => directories.files));
      this.#store.checkHeld();
    } catch (thrown) {
      this.#abandon(thrown);
      throw thrown;
    }
    // The write is done and its record is on disk. What fails from here on is left for recovery.
    this.#attempt(() => {
      this.#inTurn(this.#changes, (change) => change.tidy());
      this.#store.checkHeld();
      this.#conclude("");
    });
    return this.#changes.map((change) => change.receipt());
  }

  /**
   * Writes the record: first the journal's intents, then the mirrors, so that the journal accounts for every byte of a
   * mirror. Both are on disk afterwards.
   */
  #record(): void {
    const { journal } = this.#store;
    let transaction: string | undefined;
    const next = () => {
      const id = journal.nextId();
      transaction ??= id;
      if (this.#context.call !== undefined) this.#context.call.first ??= id;
      return { id, ts: timestampOf(id), transaction, call: this.#context.call?.first ?? transaction };
    };
    const sought = this.#changes.filter((change) => change.wantsLastWrite).map(({ target }) => target.canonical);
    const last = journal.lastWritten(new Set(sought));
    for (const change of this.#changes) change.plan(journal, last, this.#changes.length, next, this.#context);
    this.#store.checkHeld();
    this.#isJournaled = true;
    journal.append(withOneCommand(this.#changes.flatMap((change) => change.lines)));
    this.#inTurn(this.#changes, (change) => change.writeMirror());
    this.#sync(this.#changes.flatMap(({ directories }) => directories.mirrors));
  }

  /** Takes `step` of each, as long as the lock is ours. */
  #inTurn(changes: readonly ChangeSteps[], step: (change: ChangeSteps) => void): void {
    for (const change of changes) {
      this.#store.checkHeld();
      step(change);
    }
  }

  /** Makes the names in these directories durable, in each once. One that is gone again has none. */
  #sync(paths: readonly string[]): void {
    for (const path of new Set(paths)) inDirectoryOf(this.#writer, pathIn(path, "."), (directory) => directory.sync());
  }

  /**
   * Undoes the whole change. A step that fails here is left for recovery: the transaction is still open then. A single file
   * that was renamed and whose directory could not be synced stays: it has its record.
   */
  #abandon(cause: unknown): void {
    const backward = [...this.#changes].reverse();
    for (const change of backward) {
      this.#attemptHeld(() => change.putBack());
      // Before there are intents nobody else needs what has our names.
      if (this.#isJournaled) this.#attemptHeld(() => change.tidy());
      else this.#attempt(() => change.tidy());
    }
    for (const change of backward) this.#attemptHeld(() => change.removeMadeDirectories());
    if (this.#isJournaled) this.#attemptHeld(() => this.#conclude(cause instanceof FileError ? cause.code : "FAULT"));
  }

  #conclude(reason: string): void {
    const conclusions = this.#changes.flatMap(({ intent, isReplaced }) =>
      intent === undefined ? [] : [{ intent, result: isReplaced ? ("done" as const) : ("abandoned" as const) }],
    );
    concludeIntents(this.#writer, this.#store.journal, conclusions, reason, false);
  }

  /** As `#attempt`; does nothing once the lock is not ours any more. */
  #attemptHeld(action: () => void): void {
    this.#attempt(() => {
      this.#store.checkHeld();
      action();
    });
  }

  #attempt(action: () => void): void {
    try {
      action();
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
      this.isFinished = false;
    }
  }
}
