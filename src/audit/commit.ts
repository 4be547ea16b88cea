/**
 * Commit of a write, in the order that makes it durable (DESIGN §8). Under the lock: the new bytes beside each file; the
 * record (journal and mirror) on disk; only then each file replaced as a whole; the outcome. A kill at any instant leaves
 * each file old or new, and never new without its record; src/audit/recovery.ts then finishes or undoes the rest.
 */
import type { WriteReceipt } from "../builtin/recorder.ts";
import { FileError } from "../workspace/file-error.ts";
import type { WorkspaceWriter } from "../workspace/write/write-access.ts";
import { Change, type CommitTarget } from "./change.ts";
import { checkGitDirectory } from "./git-directory.ts";
import { type ChangeMode, timestampOf } from "./journal-lines.ts";
import { unavailable } from "./record-paths.ts";
import { RecordStore } from "./record-store.ts";
import { concludeIntents } from "./recovery.ts";
import type { Spool } from "./spool.ts";

/** Facts recorded with a write (session, client, command line), and the clock that ids are made from; see RecordContext. */
export interface CommitContext {
  readonly session: string;
  readonly client: string;
  readonly line: string;
  /** The line with its named pipelines written out: the same where it calls none. */
  readonly expandedLine?: string;
  readonly nowNs: () => bigint;
  /** Mark of the call that the write belongs to. Default: a call of its own. */
  readonly call?: CallMark;
}

/** Id of the first record that a call has made; set by its first write. */
export interface CallMark {
  first: string | undefined;
}

/** Writes the spooled bytes to every target (or removes it, where that is the mode), or changes none. Throws FileError, and then no file has changed. */
export function commitWrite(
  writer: WorkspaceWriter,
  context: CommitContext,
  mode: ChangeMode,
  targets: readonly CommitTarget[],
  content: Spool,
): readonly WriteReceipt[] {
  const changes = targets.map((target) => new Change(writer, mode, target));
  const store = RecordStore.open(
    writer,
    {
      temporaries: changes.flatMap((change) => change.temporaryPaths),
      directories: targets.flatMap((target) => target.missingDirectories),
    },
    context.nowNs,
  );
  const commit = new Commit(writer, context, store, changes, content);
  try {
    // Checked once more, under the lock: two writes at once may each put a part of a git directory in its place.
    const written = targets.map(({ canonical }) => canonical);
    for (const { canonical, typed } of targets) checkGitDirectory(writer, canonical, typed, written);
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
  readonly #changes: readonly Change[];
  readonly #content: Spool;
  #isJournaled = false;
  /** True if nothing is left for recovery. */
  isFinished = true;

  constructor(writer: WorkspaceWriter, context: CommitContext, store: RecordStore, changes: readonly Change[], content: Spool) {
    this.#writer = writer;
    this.#context = context;
    this.#store = store;
    this.#changes = changes;
    this.#content = content;
  }

  run(): readonly WriteReceipt[] {
    const changes = this.#changes;
    try {
      for (const change of changes) change.prepare(this.#content);
      try {
        this.#record();
      } catch (thrown) {
        throw unavailable(thrown);
      }
      for (const change of changes) change.checkUnchanged();
      // With one file there is nothing to be undone after its rename.
      if (changes.length > 1) for (const change of changes) change.keepOld();
      for (const change of changes) change.replace();
    } catch (thrown) {
      this.#abandon(thrown);
      throw thrown;
    }
    // The write is done and its record is on disk. What fails from here on is left for recovery.
    this.#attempt(() => {
      for (const change of changes) change.tidy();
      this.#conclude("");
    });
    return changes.map((change) => change.receipt(this.#content));
  }

  /**
   * Writes the record: first the journal's intents, then the mirrors, so that the journal accounts for every byte of a
   * mirror. Both are on disk afterwards.
   */
  #record(): void {
    const { journal } = this.#store;
    let transaction: string | undefined;
    for (const change of this.#changes) {
      change.plan(
        this.#writer,
        journal,
        this.#content,
        this.#changes.length,
        () => {
          const id = journal.nextId();
          transaction ??= id;
          if (this.#context.call !== undefined) this.#context.call.first ??= id;
          return { id, ts: timestampOf(id), transaction, call: this.#context.call?.first ?? transaction };
        },
        this.#context,
      );
    }
    this.#isJournaled = true;
    journal.append(this.#changes.flatMap((change) => change.lines));
    for (const change of this.#changes) change.writeMirror(this.#content);
  }

  /**
   * Undoes the whole change. A step that fails here is left for recovery: the transaction is still open then. A single file
   * that was renamed and whose directory could not be synced stays: it has its record.
   */
  #abandon(cause: unknown): void {
    for (const change of [...this.#changes].reverse()) {
      this.#attempt(() => change.putBack());
      this.#attempt(() => change.tidy());
    }
    for (const change of [...this.#changes].reverse()) this.#attempt(() => change.removeMadeDirectories());
    if (this.#isJournaled) this.#attempt(() => this.#conclude(cause instanceof FileError ? cause.code : "FAULT"));
  }

  #conclude(reason: string): void {
    const conclusions = this.#changes.flatMap(({ intent, isReplaced }) =>
      intent === undefined ? [] : [{ intent, result: isReplaced ? ("done" as const) : ("abandoned" as const) }],
    );
    concludeIntents(this.#writer, this.#store.journal, conclusions, reason, false);
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
