/**
 * Restores a file to a recorded state: a write like any other, with its own record, so that it can be undone too. The only
 * code that removes a file: the state before a file was created is no file.
 */
import { createHash } from "node:crypto";
import { FileError } from "../workspace/file-error.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { commitWrite, type CommitContext } from "./commit.ts";
import { checkGitDirectory } from "./git-directory.ts";
import type { Digest } from "./journal-lines.ts";
import { fileVersions } from "./mirror.ts";
import { protectedPath } from "./protected-paths.ts";
import { WRITE_REFUSALS } from "./write-policy.ts";
import { findMirror } from "./record-paths.ts";
import { systemNowNs } from "./recorder.ts";
import { Spool } from "./spool.ts";
import { storedLines } from "./stored-journal.ts";

/** Plan of a restore: the file's bytes now and afterwards. */
export interface RestorePlan {
  readonly path: string;
  /** The file's bytes as they will be; undefined: it will be removed. */
  readonly content: Buffer | undefined;
  /** Digest of the file as it is now; null: there is no file. */
  readonly now: Digest | null;
  /** True if the file is in that state already; nothing will be written then. */
  readonly isThere: boolean;
}

/** Thrown for a state that cannot be restored; the message says why. */
export class NotRestorable extends Error {
  override readonly name = "NotRestorable";
}

/**
 * Plan that brings back the state after the record `recordId` (before it, with `undo`). Throws NotRestorable, DamagedMirror
 * or FileError.
 */
export function planRestore(workspace: Workspace, recordId: string, options: { readonly undo: boolean }): RestorePlan {
  const { path, content } = recordedState(workspace, recordId, options.undo ? "before" : "after");
  return planFor(workspace, path, content);
}

/** A file and its bytes; undefined: there was no file. */
export interface RecordedState {
  readonly path: string;
  readonly content: Buffer | undefined;
}

/**
 * The state that the record `recordId` stands for: the bytes of a pre-image, the file as a write left it, or as it was
 * before that write. Throws NotRestorable, DamagedMirror or FileError.
 */
export function recordedState(workspace: Workspace, recordId: string, when: "before" | "after"): RecordedState {
  const writer = workspace.writer();
  for (const line of storedLines(writer)) {
    if (line.id !== recordId) continue;
    if (line.kind === "preimage") {
      if (when === "before") throw new NotRestorable(`${recordId} is what a write replaced, and changed nothing itself`);
      return { path: line.path, content: versionOf(workspace, line.path, recordId) };
    }
    if (line.kind !== "intent") break;
    const { path, before, after, previous } = line;
    if (when === "after") return { path, content: after === null ? undefined : versionOf(workspace, path, recordId) };
    if (before === null) return { path, content: undefined };
    return { path, content: previous === null ? startOf(workspace, path, before) : versionOf(workspace, path, previous) };
  }
  throw new NotRestorable(`there is no record ${recordId}`);
}

/**
 * Carries out `plan` and returns the id of its own record; undefined where the file is in that state already. Throws
 * FileError; then nothing has changed.
 */
export function restore(workspace: Workspace, plan: RestorePlan, context: Omit<CommitContext, "nowNs">): string | undefined {
  if (plan.isThere) return undefined;
  const writer = workspace.writer();
  if (protectedPath(plan.path) === "hard") throw new FileError("PROTECTED_PATH", plan.path, WRITE_REFUSALS.hard);
  const target = { ...writer.target(plan.path), typed: plan.path, permittedBy: null };
  checkGitDirectory(writer, target.canonical, plan.path);
  findMirror(writer, target.canonical);
  const spool = new Spool(writer);
  try {
    if (plan.content !== undefined) spool.add(plan.content);
    const [receipt] = commitWrite(
      writer,
      { nowNs: systemNowNs, ...context },
      plan.content === undefined ? "remove" : "overwrite",
      [target],
      spool,
    );
    return receipt?.recordId;
  } finally {
    spool.close();
  }
}

function planFor(workspace: Workspace, path: string, content: Buffer | undefined): RestorePlan {
  const now = currentDigest(workspace, path);
  const isThere =
    content === undefined
      ? now === null
      : now?.bytes === content.length && now.sha256 === createHash("sha256").update(content).digest("hex");
  return { path, content, now, isThere };
}

/** The file's bytes now; undefined where there is none. Throws FileError where it is there and cannot be read. */
export function currentContent(workspace: Workspace, path: string): Buffer | undefined {
  try {
    return Buffer.concat([...workspace.open(path).blocks()]);
  } catch (thrown) {
    if (thrown instanceof FileError && (thrown.code === "ENOENT" || thrown.code === "ENOTDIR")) return undefined;
    throw thrown;
  }
}

/** The file's digest now; null where there is none. Throws FileError where it is there and cannot be read. */
export function currentDigest(workspace: Workspace, path: string): Digest | null {
  const hash = createHash("sha256");
  let bytes = 0;
  try {
    for (const block of workspace.open(path).blocks()) {
      hash.update(block);
      bytes += block.length;
    }
  } catch (thrown) {
    if (thrown instanceof FileError && (thrown.code === "ENOENT" || thrown.code === "ENOTDIR")) return null;
    throw thrown;
  }
  return { bytes, sha256: hash.digest("hex") };
}

function versionOf(workspace: Workspace, path: string, recordId: string): Buffer {
  const version = fileVersions(workspace.writer(), path).find((candidate) => candidate.recordId === recordId);
  if (version === undefined) throw new NotRestorable(`record ${recordId} was abandoned: ${path} was never in that state`);
  // Appends to bytes that were never recorded: the file itself may still begin with them.
  return version.read() ?? startOf(workspace, path, version.digest);
}

/**
 * The bytes before the first append, read from the start of the file itself, as long as nobody has written over them, or of what
 * a write over them recorded.
 */
function startOf(workspace: Workspace, path: string, before: Digest): Buffer {
  const isIt = (bytes: Buffer): boolean => createHash("sha256").update(bytes).digest("hex") === before.sha256;
  const bytes = (currentContent(workspace, path) ?? Buffer.alloc(0)).subarray(0, before.bytes);
  if (isIt(bytes)) return bytes;
  for (const version of fileVersions(workspace.writer(), path)) {
    const start = version.kind === "preimage" ? version.read()?.subarray(0, before.bytes) : undefined;
    if (start !== undefined && isIt(start)) return start;
  }
  throw new NotRestorable(`the bytes that ${path} began with were never recorded, and it does not begin with them any more`);
}
