/**
 * Recovery: brings a transaction that a killed process left open to one of its two ends. Each file is whole at every
 * instant (it is replaced by rename), so the one open question is which files of the transaction have been replaced.
 *
 * If none has, the intents are abandoned. If some have, the others are replaced too, as long as their new bytes lie ready
 * and nobody has changed them since; failing that, those that were replaced get their old file back. The caller holds the
 * lock.
 *
 * Nothing is changed for a transaction that may not be ours: a repository can bring a journal of its own making. Ours has
 * noted the names of its temporaries, which nobody can guess, in a lock of this boot. Another is ended in the journal alone:
 * no file that it names is opened. Of ours that touches a protected path no file is replaced or put back either.
 */
import { FileError } from "../workspace/file-error.ts";
import type { WorkspaceWriter } from "../workspace/write/write-access.ts";
import type { WritableDirectory } from "../workspace/write/write-directory.ts";
import { inDirectoryOf } from "./entry-state.ts";
import { fileDigest } from "./file-digest.ts";
import { gitDirectoryOf } from "./git-directory.ts";
import { directoryOf, nameOf, pathIn } from "./paths.ts";
import type { Journal } from "./journal.ts";
import { hasContent, type Digest, type IntentLine, type OutcomeLine } from "./journal-lines.ts";
import { isFilePath, timestampOf, type NewLine } from "./journal-lines.ts";
import { lineEnd, openMirror, separator } from "./mirror.ts";
import { protectedPath } from "./protected-paths.ts";
import { OpenEdit } from "./open-edit.ts";
import { OUR_NAME } from "./random-name.ts";
import { STORE_PATH } from "./record-paths.ts";
import type { PlannedNames } from "./record-store.ts";

/**
 * Finishes the journal's last transaction if it is open. `ownTemporaries`: paths that killed writers of this boot noted in
 * the lock. `checkHeld` is called before each step, and throws where the caller no longer holds the lock.
 */
export function finishTransaction(
  writer: WorkspaceWriter,
  journal: Journal,
  ownTemporaries: ReadonlySet<string>,
  checkHeld: () => void,
): void {
  const lines = journal.openTransaction();
  checkHeld();
  if (lines === undefined) {
    journal.endOpenTransaction();
    return;
  }
  const intents = lines.filter((line) => line.kind === "intent");
  const outcomes = lines.filter((line): line is OutcomeLine => line.kind === "outcome");
  const settled = new Set(outcomes.map((line) => line.record_id));
  if (intents.length === 0) return;
  if (!intents.every(({ path, temporary }) => ownTemporaries.has(pathIn(directoryOf(path), temporary)))) {
    const open = intents.filter(({ id }) => !settled.has(id));
    endForeign(journal, open);
    return;
  }
  const found: readonly OpenChange[] = intents.map((intent) =>
    intent.new === undefined ? new OpenIntent(writer, intent) : new OpenEdit(writer, intent, intent.new),
  );
  try {
    const isFree = intents.every(({ path }) => protectedPath(path) === undefined && gitDirectoryOf(writer, path) === undefined);
    // A recovery that was stopped on the way has decided.
    const isAbandoned = outcomes.some(({ result }) => result === "abandoned");
    const complete = intents.length === intents[0]?.targets && !isAbandoned;
    const isCompleted = isFree && isBegun(found) && complete && found.every((open) => open.isReplaced || open.isReady);
    const inTurn = (changes: readonly OpenChange[], step: (open: OpenChange) => void): void => {
      for (const open of changes) {
        checkHeld();
        step(open);
      }
    };
    const backward = [...found].reverse();
    if (isCompleted) inTurn(found, (open) => open.replace());
    else if (isFree)
      inTurn(
        backward.filter((open) => !makesDirectory(open)),
        (open) => open.putBack(),
      );
    inTurn(found, (open) => open.tidy());
    if (isCompleted) inTurn(backward, (open) => open.settle());
    // What is in a directory that was made goes first, with the temporaries of changes that were not journaled.
    if (isFree && !isCompleted) removeLeftovers(writer, { temporaries: [...ownTemporaries].filter(isBesideItsFile), directories: [] });
    if (isFree && !isCompleted) inTurn(backward.filter(makesDirectory), (open) => open.putBack());
    checkHeld();
    const conclusions = found.map((open) => ({
      intent: open.intent,
      result: open.isReplaced ? ("done" as const) : ("abandoned" as const),
    }));
    concludeIntents(
      writer,
      journal,
      conclusions.filter(({ intent }) => !settled.has(intent.id)),
      "KILLED",
      true,
    );
  } finally {
    for (const open of found) open.close();
  }
}

/**
 * True if the mirrors hold all of the transaction's bytes: they are written before the first of its files is changed. A directory
 * that was made says nothing of that, nor do attributes, which may have been so before.
 */
function isBegun(found: readonly OpenChange[]): boolean {
  const tells = ({ intent }: OpenChange): boolean => hasContent(intent) || intent.mode === "remove-directory";
  const telling = found.filter(tells);
  return (telling.length === 0 ? found : telling).some((open) => open.isReplaced);
}

const makesDirectory = ({ intent }: OpenChange): boolean => intent.mode === "make-directory";

const isBesideItsFile = (temporary: string): boolean => directoryOf(temporary) !== STORE_PATH;

/** Directories that the last transaction made, and symbolic links that it kept, as far as its outcomes say so. */
export function namesOfLastTransaction(journal: Journal): ReadonlySet<string> {
  const done = new Set<string>();
  const names = new Set<string>();
  let isAtIntents = false;
  for (const line of journal.linesBackward()) {
    if (line.kind === "outcome") {
      if (isAtIntents) break;
      if (line.result === "done") done.add(line.record_id);
    } else if (line.kind === "intent") {
      isAtIntents = true;
      if (!done.delete(line.id)) continue;
      if (line.mode === "make-directory") names.add(line.path);
      if (line.old?.kind === "symlink") names.add(pathIn(STORE_PATH, line.backup));
    }
  }
  return names;
}

/** Most bytes appended to the journal for a transaction that is not ours: a repository may bring one of any length. */
const MOST_FOREIGN_BYTES = 1 << 20;
/** Bytes of an outcome line without its path. */
const OUTCOME_BYTES = 600;

/** Ends a transaction that is not ours. Its intents are abandoned, so each file's last recorded state is the one before it. */
function endForeign(journal: Journal, intents: readonly IntentLine[]): void {
  const bytes = intents.reduce((sum, { path }) => sum + OUTCOME_BYTES + path.length, 0);
  if (bytes > MOST_FOREIGN_BYTES) return journal.endOpenTransaction();
  const conclusions = intents.map((intent) => ({ intent, result: "abandoned" as const }));
  journal.append(outcomesOf(journal, conclusions, { reason: "NOT_OURS", recovered: true, pending: conclusions.length }));
}

/**
 * Removes files and directories that a killed process may have made before it had journaled anything: only names of ours
 * and empty directories, because a lock is a file that anybody may have put there.
 */
export function removeLeftovers(writer: WorkspaceWriter, planned: PlannedNames): void {
  const temporaries = planned.temporaries.filter((path) => isFilePath(path) && OUR_NAME.test(nameOf(path)));
  const directories = planned.directories.filter((path) => isFilePath(path) && protectedPath(path) !== "hard");
  for (const path of temporaries) inParent(writer, path, (directory, name) => directory.remove(name));
  for (const path of directories.reverse()) inParent(writer, path, (directory, name) => directory.removeEmptyDirectory(name));
}

/** One intent and its result. */
export interface Conclusion {
  readonly intent: Omit<IntentLine, "prev">;
  readonly result: OutcomeLine["result"];
}

/** Appends an outcome for each intent to the journal, and for an abandoned one a note to its mirror too. */
export function concludeIntents(
  writer: WorkspaceWriter,
  journal: Journal,
  conclusions: readonly Conclusion[],
  reason: string,
  recovered: boolean,
): void {
  for (let at = 0; at < conclusions.length; at += CONCLUDED_AT_ONCE) {
    const some = conclusions.slice(at, at + CONCLUDED_AT_ONCE);
    for (const { intent, result } of some) if (result === "abandoned" && hasContent(intent)) noteAbandoned(writer, intent);
    journal.append(outcomesOf(journal, some, { reason, recovered, pending: conclusions.length - at }));
  }
}

/** Outcomes after which a recovery that is stopped need not begin anew: each abandoned one waits for the disk. */
const CONCLUDED_AT_ONCE = 500;

/** Says in the mirror that the record's bytes there were never the file's. Nothing to be said where it has none of them. */
function noteAbandoned(writer: WorkspaceWriter, { mirror: path, id, offset }: Conclusion["intent"]): void {
  const size = inDirectoryOf(writer, path, (directory, name) => directory.status(name)?.size) ?? 0;
  if (size <= offset) return;
  const mirror = openMirror(writer, path);
  try {
    mirror.write(Buffer.from(lineEnd(mirror) + separator("abandoned", id)));
  } finally {
    mirror.close();
  }
}

/** `pending`: number of the transaction's outcomes that are still to come, with these. */
function outcomesOf(
  journal: Journal,
  conclusions: readonly Conclusion[],
  { reason, recovered, pending }: { readonly reason: string; readonly recovered: boolean; readonly pending: number },
): readonly NewLine[] {
  return conclusions.map(({ intent, result }, index): NewLine => {
    const id = journal.nextId();
    return {
      kind: "outcome",
      id,
      ts: timestampOf(id),
      transaction: intent.transaction,
      record_id: intent.id,
      path: intent.path,
      ...(intent.new === undefined ? {} : { mode: intent.mode, new: intent.new }),
      result,
      reason: result === "done" ? "" : reason,
      recovered,
      after: intent.after,
      whole: intent.whole,
      mirror_end: intent.content_offset + intent.content.bytes,
      pending: pending - 1 - index,
    };
  });
}

/** One change of an open transaction. */
export interface OpenChange {
  readonly intent: IntentLine;
  /** True if the change has been made. */
  readonly isReplaced: boolean;
  /** True if it can still be made. */
  readonly isReady: boolean;
  replace(): void;
  /** Called in reverse order once all are replaced. */
  settle(): void;
  putBack(): void;
  /** Removes what was made on the way. */
  tidy(): void;
  close(): void;
}

class OpenIntent implements OpenChange {
  readonly intent: IntentLine;
  /** True if the file is the new one, or is gone where it was to be removed. */
  isReplaced: boolean;
  /** True if the file is still the one that was to be replaced, and the new bytes lie beside it (none for a removal). */
  readonly isReady: boolean;
  readonly #directory: WritableDirectory | undefined;
  readonly #name: string;

  constructor(writer: WorkspaceWriter, intent: IntentLine) {
    this.intent = intent;
    this.#name = nameOf(intent.path);
    // No writer of ours begins to write to a hard-protected path: somebody made this line so that we would.
    this.#directory = protectedPath(intent.path) === "hard" ? undefined : existingDirectory(writer, directoryOf(intent.path));
    const current = this.#digest(this.#name);
    const temporary = this.#directory?.status(intent.temporary);
    // A new file has both names for a moment (link, then unlink).
    const ready = temporary !== undefined && temporary.inode !== this.#directory?.status(this.#name)?.inode;
    const isUnchanged = same(current, intent.before ?? undefined);
    if (intent.after === null) {
      this.isReplaced = current === undefined;
      this.isReady = isUnchanged;
    } else {
      this.isReplaced = !ready && same(current, intent.after);
      this.isReady = ready && isUnchanged && same(this.#digest(intent.temporary), intent.after);
    }
  }

  replace(): void {
    if (this.isReplaced) return;
    if (this.intent.after === null) this.#directory?.remove(this.#name);
    else this.#directory?.rename(this.intent.temporary, this.#name);
    this.#directory?.sync();
    this.isReplaced = true;
  }

  settle(): void {}

  /** Undoes `replace`, if the old file is still there under its backup name. */
  putBack(): void {
    if (!this.isReplaced || this.#directory === undefined) return;
    if (this.intent.before === null) this.#directory.remove(this.#name);
    else if (same(this.#digest(this.intent.backup), this.intent.before)) this.#directory.rename(this.intent.backup, this.#name);
    else return;
    this.#directory.sync();
    this.isReplaced = false;
  }

  tidy(): void {
    this.#directory?.remove(this.intent.temporary);
    this.#directory?.remove(this.intent.backup);
  }

  close(): void {
    this.#directory?.close();
  }

  /** Digest of the file `name`; undefined where there is no file. */
  #digest(name: string): Digest | undefined {
    const file = this.#directory?.status(name)?.kind === "file" ? this.#directory.open(name) : undefined;
    if (file === undefined) return undefined;
    try {
      return fileDigest(file);
    } finally {
      file.close();
    }
  }
}

const same = (a: Digest | undefined, b: Digest | undefined): boolean => a?.sha256 === b?.sha256 && a?.bytes === b?.bytes;

function existingDirectory(writer: WorkspaceWriter, path: string): WritableDirectory | undefined {
  try {
    return writer.directory(path);
  } catch (thrown) {
    if (thrown instanceof FileError && (thrown.code === "ENOENT" || thrown.code === "ENOTDIR")) return undefined;
    throw thrown;
  }
}

function inParent(writer: WorkspaceWriter, path: string, action: (directory: WritableDirectory, name: string) => void): void {
  const directory = existingDirectory(writer, directoryOf(path));
  if (directory === undefined) return;
  try {
    action(directory, nameOf(path));
  } finally {
    directory.close();
  }
}
