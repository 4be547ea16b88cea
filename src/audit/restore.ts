/**
 * Restores a file, a directory or a symbolic link to a recorded state: a change like any other, with its own record, so that it
 * can be undone too.
 */
import { createHash } from "node:crypto";
import { showName } from "../display/visible.ts";
import { FileError } from "../workspace/file-error.ts";
import type { WriteReceipt } from "../builtin/recorder.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { commitChanges, directoryOnTheWay, type CommitContext } from "./commit.ts";
import type { DesiredEntry, GivenContent, SetAttributes } from "./desired-entry.ts";
import { Comparisons } from "./comparisons.ts";
import type { EditTarget } from "./desired-entry.ts";
import { EditChange } from "./edit-change.ts";
import { digestOf, entryAt, fileBytes, hasOtherNames } from "./entry-state.ts";
import { checkGitDirectories } from "./git-directory.ts";
import { hasContent, type Digest, type EntryState } from "./journal-lines.ts";
import { isInState } from "./open-edit.ts";
import { pathIn } from "./paths.ts";
import { fileVersions } from "./mirror.ts";
import { protectedPath } from "./protected-paths.ts";
import { WRITE_REFUSALS } from "./write-policy.ts";
import { findMirror, STORE_PATH } from "./record-paths.ts";
import { systemNowNs } from "./recorder.ts";
import { memberBytes, missingRecord, storedLines } from "./stored-journal.ts";
import { folded } from "../workspace/walk/name-folding.ts";

/** Plan of a restore: the file's bytes now and afterwards. */
export interface RestorePlan {
  readonly path: string;
  /** The file's bytes as they will be; undefined: it will be removed. */
  readonly content: Buffer | undefined;
  /** Digest of the file as it is now; null: there is no file. */
  readonly now: Digest | null;
  /** True if the file is in that state already; nothing will be written then. */
  readonly isThere: boolean;
  /** Recorded kind and attributes, null for nothing; left out where a write by tee recorded none. */
  readonly entry?: EntryState | null;
  /** True if only attributes are set, and the content stays. */
  readonly keepsContent?: boolean;
  /** Canonical path at which a removed symbolic link was kept. */
  readonly keptLink?: string;
}

/** Thrown for a state that cannot be restored; the message says why. */
export class NotRestorable extends Error {
  override readonly name = "NotRestorable";

  /** Names in `message` are spelled out. */
  constructor(message: string) {
    super(showName(message));
  }
}

/**
 * Plan that brings back the state after the record `recordId` (before it, with `undo`). Throws NotRestorable, DamagedMirror
 * or FileError.
 */
export function planRestore(workspace: Workspace, recordId: string, options: { readonly undo: boolean }): RestorePlan {
  const state = recordedState(workspace, recordId, options.undo ? "before" : "after");
  return state.entry === undefined ? planFor(workspace, state.path, state.content) : planEntry(workspace, { ...state, entry: state.entry });
}

/** A file and its bytes, or a symbolic link and its text; undefined: there was none. */
export interface RecordedState extends Pick<RestorePlan, "entry" | "keepsContent" | "keptLink"> {
  readonly path: string;
  readonly content: Buffer | undefined;
}

/**
 * The state that the record `recordId` stands for: the bytes of a pre-image, the file as a write left it, or as it was
 * before that write. Throws NotRestorable, DamagedMirror or FileError.
 */
export function recordedState(workspace: Workspace, recordId: string, when: "before" | "after"): RecordedState {
  const writer = workspace.writer();
  for (const line of storedLines(writer, memberBytes("id", recordId))) {
    if (line.id !== recordId) continue;
    if (line.kind === "preimage") {
      if (when === "before") throw new NotRestorable(`${recordId} is what a write replaced, and changed nothing itself`);
      const entry = line.old === undefined ? {} : { entry: line.old };
      return { path: line.path, content: versionOf(workspace, line.path, recordId), ...entry };
    }
    if (line.kind !== "intent") break;
    if (line.old !== undefined && line.new !== undefined) {
      const entry = when === "before" ? line.old : line.new;
      const keepsContent = line.mode === "attributes";
      const isLeaf = hasContent(line) && entry !== null;
      const record = when === "before" ? (line.previous ?? "") : recordId;
      return {
        path: line.path,
        content: isLeaf ? versionOf(workspace, line.path, record) : undefined,
        entry,
        keepsContent,
        ...(when === "before" ? { keptLink: pathIn(STORE_PATH, line.backup) } : {}),
      };
    }
    const { path, before, after, previous } = line;
    if (when === "after") return { path, content: after === null ? undefined : versionOf(workspace, path, recordId) };
    if (before === null) return { path, content: undefined };
    return { path, content: previous === null ? startOf(workspace, path, before) : versionOf(workspace, path, previous) };
  }
  throw new NotRestorable(missingRecord(writer, recordId));
}

/**
 * Carries out `plan` and returns the id of its own record; undefined where the file is in that state already. Throws
 * FileError; then nothing has changed.
 */
export function restore(workspace: Workspace, plan: RestorePlan, context: Omit<CommitContext, "nowNs">): string | undefined {
  if (plan.isThere) return undefined;
  if (protectedPath(plan.path) === "hard") throw new FileError("PROTECTED_PATH", plan.path, WRITE_REFUSALS.hard);
  const { path, content, entry } = plan;
  const given = content && { digest: digestOf(content), blocks: () => [content] };
  const desired = entry === undefined ? contentAlone(given) : desiredState(entry, given, plan);
  return commitStates(workspace, [entryTarget(workspace, path, desired)], context).at(-1)?.recordId;
}

/** The state of a file of which only the bytes were recorded. */
export const contentAlone = (content: GivenContent | undefined): DesiredEntry =>
  content === undefined ? { kind: "nothing" } : { kind: "file", content, attributes: {} };

/** Error for a recorded path that leads to `canonical` now: by a link, or where the file system finds names in any case. */
export const elsewhereNow = (path: string, canonical: string): FileError =>
  new FileError(
    "CONFLICT",
    path,
    folded(path) === folded(canonical)
      ? `The name is spelled '${canonical}' now; move that away first`
      : "It is reached through a link now",
  );

/** The change of the name `path` (canonical). CONFLICT where it is reached through a link now. Throws FileError. */
export function entryTarget(workspace: Workspace, path: string, desired: DesiredEntry): EditTarget {
  const target = workspace.writer().entry(path);
  if (target.canonical !== path) throw elsewhereNow(path, target.canonical);
  return {
    ...target,
    typed: path,
    permittedBy: null,
    desired: desired.kind === "same" ? sameState(workspace, path, desired.attributes) : desired,
  };
}

/** What is there, with these attributes; a file of its own where it has other names, which keep theirs. */
function sameState(workspace: Workspace, path: string, attributes: SetAttributes): DesiredEntry {
  const writer = workspace.writer();
  const found = entryAt(writer, path);
  if (!found?.digest || !hasOtherNames(found.status)) return { kind: "same", attributes };
  return { kind: "file", content: { digest: found.digest, blocks: () => fileBytes(writer, path) }, attributes };
}

/** Makes all these changes, in order, or none, and the directories on the way to what is new. Throws FileError. */
export function commitStates(
  workspace: Workspace,
  targets: readonly EditTarget[],
  context: Omit<CommitContext, "nowNs">,
): readonly WriteReceipt[] {
  const writer = workspace.writer();
  for (const { canonical } of targets) findMirror(writer, canonical);
  const made = targets.filter(({ status }) => status === undefined).map(({ canonical }) => canonical);
  checkGitDirectories(writer, targets, made);
  const own = new Set(targets.map(({ canonical }) => canonical));
  const onTheWay = targets.flatMap(({ desired, missingDirectories }) => (desired.kind === "nothing" ? [] : missingDirectories));
  const others = [...new Set(onTheWay)].filter((path) => !own.has(path));
  const directories = [...others, ...targets.filter(({ desired }) => desired.kind === "directory").map(({ canonical }) => canonical)];
  const comparisons = new Comparisons();
  const undoes = targets[0]?.undoes;
  const needed = others.map((path): EditTarget => ({ ...directoryOnTheWay(path), ...(undoes === undefined ? {} : { undoes }) }));
  const changes = [...needed, ...targets].map((target) => new EditChange(writer, target, comparisons));
  return commitChanges(writer, { nowNs: systemNowNs, ...context }, changes, directories, made);
}

/** The change that brings a recorded state back. */
export function desiredState(
  entry: EntryState | null,
  content: GivenContent | undefined,
  { keepsContent = false, keptLink }: Pick<RestorePlan, "keepsContent" | "keptLink">,
): DesiredEntry {
  if (entry === null) return { kind: "nothing" };
  const attributes = { mode: entry.permissions, modifiedNs: BigInt(entry.modified_ns) };
  if (keepsContent) return { kind: "same", attributes };
  if (entry.kind === "directory") return { kind: "directory", attributes };
  if (content === undefined) throw new NotRestorable("its bytes were never recorded as a whole");
  return entry.kind === "file" ? { kind: "file", content, attributes } : { kind: "symlink", content, like: keptLink };
}

function planEntry(
  workspace: Workspace,
  { path, content, entry, keepsContent = false, ...rest }: RecordedState & { entry: EntryState | null },
): RestorePlan {
  const found = entryAt(workspace.writer(), path);
  const digest = content === undefined ? null : digestOf(content);
  const hasAttributes = found?.status.permissions === entry?.permissions && String(found?.status.modifiedNs) === entry?.modified_ns;
  const isThere = keepsContent ? found?.kind === entry?.kind && hasAttributes : isInState(found, entry, digest);
  const now = found === undefined ? null : (found.digest ?? NO_BYTES);
  return { path, content, now, isThere, entry, keepsContent, ...rest };
}

const NO_BYTES = digestOf(Buffer.alloc(0));

function planFor(workspace: Workspace, path: string, content: Buffer | undefined): RestorePlan {
  const now = currentDigest(workspace, path);
  const isThere =
    content === undefined
      ? now === null
      : now?.bytes === content.length && now.sha256 === createHash("sha256").update(content).digest("hex");
  return { path, content, now, isThere };
}

/** The file's bytes now; undefined where there is none, or a directory. Throws FileError where it is there and cannot be read. */
export function currentContent(workspace: Workspace, path: string): Buffer | undefined {
  try {
    return Buffer.concat([...workspace.open(path).blocks()]);
  } catch (thrown) {
    if (thrown instanceof FileError && ["ENOENT", "ENOTDIR", "EISDIR"].includes(thrown.code)) return undefined;
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
export function startOf(workspace: Workspace, path: string, before: Digest): Buffer {
  const isIt = (bytes: Buffer): boolean => createHash("sha256").update(bytes).digest("hex") === before.sha256;
  const bytes = (currentContent(workspace, path) ?? Buffer.alloc(0)).subarray(0, before.bytes);
  if (isIt(bytes)) return bytes;
  for (const version of fileVersions(workspace.writer(), path)) {
    const start = version.kind === "preimage" ? version.read()?.subarray(0, before.bytes) : undefined;
    if (start !== undefined && isIt(start)) return start;
  }
  throw new NotRestorable(`the bytes that ${path} began with were never recorded, and it does not begin with them any more`);
}
