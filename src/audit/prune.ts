/**
 * Moves old records out of `.shelpa` into an archive. In this order: the archive, on disk; the list of what may be removed; the new
 * journal, in one rename, which is the moment at which the records go; their mirrors. A kill before the rename leaves everything as
 * it was, beside an archive that nothing names; one after it leaves mirrors, which the next writer removes (pruned-leftovers.ts).
 *
 * The new journal: the records of which bytes are needed (`kept`), the end of what went (`resume`), every line that remains as it
 * was, and the line that says so (`pruned`). Mirrors that hold something that remains keep their length, and all offsets are true.
 */
import { createHash } from "node:crypto";
import { FileError } from "../workspace/file-error.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { WorkspaceWriter } from "../workspace/write/write-access.ts";
import type { WritableDirectory } from "../workspace/write/write-directory.ts";
import { JOURNAL_NAME } from "./journal.ts";
import { timestampOf, type Digest, type NewLine } from "./journal-lines.ts";
import { directoryOf, nameOf, pathIn } from "./paths.ts";
import { NotPrunable, planPrune, type PrunedMirror, type PrunePlan } from "./prune-plan.ts";
import { finishPrune, noteLeftovers } from "./pruned-leftovers.ts";
import { randomName } from "./random-name.ts";
import { RECORD_DIRECTORY_PERMISSIONS, STORE_PATH } from "./record-paths.ts";
import { RecordStore } from "./record-store.ts";
import { systemNowNs } from "./recorder.ts";
import { TarArchive } from "./tar-archive.ts";
import { verifyAudit } from "./verify.ts";

const PERMISSIONS = 0o600;
const CHAIN_START = "0".repeat(64);
/** A mirror is made anew without its first bytes where they are as many, and what stays is no more than is copied in seconds. */
const LEAST_FREED_BYTES = 1 << 16;
const MOST_COPIED_BYTES = 1 << 30;

/** The plan of a prune of all records before `beforeNs`. Throws NotPrunable and FileError. */
export function prunable(workspace: Workspace, beforeNs: bigint): PrunePlan {
  const errors = verifyAudit(workspace).findings.filter(({ severity }) => severity === "error");
  if (errors.length > 0) {
    throw new NotPrunable(`'audit verify' finds ${errors.length} errors: nothing is pruned, so that they can be looked into`);
  }
  const plan = planPrune(workspace.writer(), beforeNs);
  if (plan === undefined) throw new NotPrunable("there is no record as old as that, of a command line that is finished");
  return plan;
}

/**
 * Writes the archive as the new file `name` of `directory`, and removes what is in it. Throws NotPrunable and FileError; then nothing
 * has been removed, and there is no archive.
 */
export function prune(workspace: Workspace, plan: PrunePlan, directory: WritableDirectory, name: string): Digest {
  const writer = workspace.writer();
  const archive = writeArchive(writer, plan, directory, name);
  const temporary = randomName("new");
  let store: RecordStore;
  try {
    store = openStore(writer, [temporary]);
  } catch (thrown) {
    directory.remove(name);
    throw thrown;
  }
  const stored = writer.directory(STORE_PATH);
  let isReplaced = false;
  let now: PrunePlan | undefined;
  try {
    // Others may have written meanwhile, and need what they did not need before.
    now = planPrune(writer, 0n, plan.bytes);
    if (now === undefined || now.sha256 !== plan.sha256) throw new NotPrunable("somebody is writing: nothing was pruned; try again");
    store.checkHeld();
    noteLeftovers(stored, now);
    writeJournal(stored, temporary, now, { ...archive, name }, store);
    // Whatever becomes of this step: from here on the archive may be all that has the records.
    store.checkHeld();
    isReplaced = true;
    stored.rename(temporary, JOURNAL_NAME);
    stored.sync();
    store.checkHeld();
    finishPrune(writer, stored);
  } catch (thrown) {
    stored.remove(temporary);
    if (!isReplaced) directory.remove(name);
    throw thrown;
  } finally {
    stored.close();
    store.close(true);
  }
  for (const mirror of now.mirrors) freeBeginning(writer, mirror);
  return archive;
}

const openStore = (writer: WorkspaceWriter, temporaries: readonly string[]): RecordStore =>
  RecordStore.open(writer, { temporaries: temporaries.map((name) => pathIn(STORE_PATH, name)), directories: [] }, systemNowNs);

/** The archive has the form of a `.shelpa` of its own: unpacked, the audit's commands read it. */
function writeArchive(writer: WorkspaceWriter, plan: PrunePlan, directory: WritableDirectory, name: string): Digest {
  const file = directory.create(name, PERMISSIONS, { durable: true });
  if (file === undefined) throw new FileError("EEXIST", name);
  try {
    const archive = new TarArchive(file);
    const addBeginning = (path: string, end: number): void => {
      const found = openedIn(writer, path);
      if (found === undefined) return;
      try {
        const bytes = Math.min(end, found.size);
        archive.add(path, bytes, Number(found.status.modifiedNs / 1_000_000n), found.blocks(0, bytes));
      } finally {
        found.close();
      }
    };
    addBeginning(pathIn(STORE_PATH, JOURNAL_NAME), plan.bytes);
    for (const { mirror, end } of plan.mirrors) addBeginning(mirror, end);
    const stored = writer.directory(STORE_PATH);
    for (const link of plan.links) {
      const text = stored.status(link)?.kind === "symlink" ? stored.linkTarget(link) : undefined;
      if (text !== undefined) archive.addLink(pathIn(STORE_PATH, link), text, 0);
    }
    stored.close();
    const digest = archive.end();
    directory.sync();
    return digest;
  } catch (thrown) {
    directory.remove(name);
    throw thrown;
  } finally {
    file.close();
  }
}

function openedIn(writer: WorkspaceWriter, path: string) {
  const directory = writer.directory(directoryOf(path));
  try {
    return directory.open(nameOf(path));
  } finally {
    directory.close();
  }
}

/** Writes the new journal beside the old one. */
function writeJournal(
  stored: WritableDirectory,
  temporary: string,
  plan: PrunePlan,
  archive: Digest & { readonly name: string },
  { journal }: RecordStore,
): void {
  const id = journal.nextId();
  const old = stored.open(JOURNAL_NAME);
  const file = stored.create(temporary, PERMISSIONS, { durable: true });
  if (old === undefined || file === undefined) throw new FileError("ESTALE", pathIn(STORE_PATH, JOURNAL_NAME));
  try {
    const front = frontLines(plan);
    const hash = createHash("sha256");
    const remaining = old.bytes(plan.bytes, old.size);
    const lastLine = remaining.subarray(remaining.lastIndexOf(NEWLINE, -2) + 1, -1);
    const prev = remaining.length === 0 ? plan.last : hash.update(lastLine).digest("hex");
    const { lines, records, until } = plan;
    const end: NewLine = {
      kind: "pruned",
      id,
      ts: timestampOf(id),
      until,
      lines,
      records,
      journal: { bytes: plan.bytes, sha256: plan.sha256 },
      archive,
      resume: sha256(front.at(-1) ?? ""),
    };
    file.writeAll([
      Buffer.from(front.map((line) => `${line}\n`).join("")),
      remaining,
      Buffer.from(`${JSON.stringify({ ...end, prev })}\n`),
    ]);
  } finally {
    old.close();
    file?.close();
  }
}

/** The lines before those that remain, without newlines. The last is the `resume` line. */
function frontLines({ kept, until, last }: PrunePlan): readonly string[] {
  const lines: NewLine[] = [
    ...kept.map((record): NewLine => ({ kind: "kept", id: record.id, ts: record.ts, record })),
    { kind: "resume", id: until, ts: timestampOf(until), last },
  ];
  let prev = CHAIN_START;
  return lines.map((line) => {
    const text = JSON.stringify({ ...line, prev });
    prev = sha256(text);
    return text;
  });
}

/** Frees the room of the bytes that went. Where that fails, they stay in the mirror, as bytes that no record names. */
function freeBeginning(writer: WorkspaceWriter, { mirror, from }: PrunedMirror): void {
  if (from === undefined || from < LEAST_FREED_BYTES) return;
  try {
    makeHole(writer, mirror, from);
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
  }
}

/** Makes the mirror anew with a hole before `from`: it has the same length, and takes less room. */
function makeHole(writer: WorkspaceWriter, mirror: string, from: number): void {
  const temporary = randomName("new");
  const store = openStore(writer, [temporary]);
  const stored = writer.directory(STORE_PATH, RECORD_DIRECTORY_PERMISSIONS);
  const directory = writer.directory(directoryOf(mirror));
  const old = directory.open(nameOf(mirror));
  try {
    if (old === undefined || old.size - from > MOST_COPIED_BYTES) return;
    const file = stored.create(temporary, PERMISSIONS, { durable: true });
    if (file === undefined) return;
    try {
      file.writeAfterHole(from, old.blocks(from, old.size));
    } finally {
      file.close();
    }
    // Windows keeps the name of a file that is open.
    old.close();
    store.checkHeld();
    stored.rename(temporary, nameOf(mirror), directory);
    directory.sync();
  } finally {
    old?.close();
    stored.remove(temporary);
    directory.close();
    stored.close();
    store.close(true);
  }
}

const NEWLINE = 0x0a;
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
