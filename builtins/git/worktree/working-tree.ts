/** The working tree against the index: files that changed, and submodules, whose own trees are compared the same way. */
import { millisecondsOf, type FileStamp } from "../../../src/workspace/file-status.ts";
import { workingContent } from "../objects/contents.ts";
import { NO_ID, pairOf, type FilePair } from "../diff/file-pairs.ts";
import { readIndex, type EntryFacts, type IndexEntry, type IndexFile } from "./index-file.ts";
import { fileMarksOf } from "./file-marks.ts";
import { IndexStamps } from "./index-stamps.ts";
import { KEPT_COMPARISONS } from "./kept-comparisons.ts";
import { isLink, isSubmodule, MODE } from "../objects/objects.ts";
import type { Pathspec } from "./pathspec.ts";
import type { Repository } from "../repository.ts";
import { repositoryBelow } from "../repository-search.ts";
import { indexPairs } from "../diff/tree-pairs.ts";
import type { SubmoduleSettings } from "../diff/submodule-settings.ts";
import { configuredIgnore, type SubmoduleState } from "./submodules.ts";
import { untrackedFiles } from "./untracked.ts";
import { StatusReader } from "./status-reader.ts";

/** The pairs from the index to the working tree; conflicts are status U, each once. */
export function workingPairs(repository: Repository, index: IndexFile, paths?: Pathspec, wanted: WorkingOptions = {}): FilePair[] {
  return meanwhile(repository, index, paths, (stamps) => pairsFrom(repository, index, stamps, wanted));
}

/** Returns the result of `act`. The files of the working tree are looked at while it does something else. */
export function meanwhile<T>(repository: Repository, index: IndexFile, paths: Pathspec | undefined, act: (stamps: IndexStamps) => T): T {
  const stamps = new IndexStamps(repository, index, paths);
  try {
    return act(stamps);
  } finally {
    stamps.close();
  }
}

export function pairsFrom(repository: Repository, index: IndexFile, stamps: IndexStamps, wanted: WorkingOptions): FilePair[] {
  const pairs: FilePair[] = [];
  const trustsMode = repository.config.boolean("core.filemode", true);
  const statuses = new StatusReader(repository.disk, repository.worktree);
  try {
    const { numbers } = stamps;
    stamps.finish();
    for (let place = 0; place < numbers.length; place++) {
      // Nearly all are as they were: of those nothing more is asked.
      if (stamps.isUnchanged(place)) continue;
      const entry = index.at(numbers[place] as number) as IndexEntry;
      const { name, stage, mode } = entry;
      if (stage > 0) {
        const { id } = entry;
        if (pairs.at(-1)?.now.path !== name) pairs.push({ ...pairOf(name, { mode, id }, { mode: 0, id: NO_ID }), status: "U" });
        continue;
      }
      if (entry.assumedUnchanged || entry.skipsWorktree) continue;
      const told = stamps.stampAt(place);
      const stamp = told === "untold" ? statuses.stampOf(name) : told;
      const now = workingMode(entry, stamp, trustsMode);
      const isSame = now?.mode === mode && !entry.intentToAdd && !isSubmodule(mode);
      if (now !== undefined && isSame && isUnchanged(repository, entry, now.status, index, { ...wanted, statuses })) continue;
      const { id } = entry;
      const old = entry.intentToAdd ? undefined : { mode, id };
      if (now === undefined) {
        const head = stamp?.kind === "directory" ? checkedOut(repository, name) : undefined;
        pairs.push(
          pairOf(name, { mode, id }, head === undefined ? undefined : { mode: MODE.submodule, id: head, rawId: NO_ID, isWorking: true }),
        );
        continue;
      }
      if (isSubmodule(mode)) {
        const ignore = wanted.submodules ?? configuredIgnore(repository, name) ?? wanted.otherwise ?? "untracked";
        const state = ignore === "all" ? undefined : submoduleState(repository, name, ignore, wanted.depth);
        if (state === undefined) continue;
        const { head, isModified, hasUntracked } = state;
        const tellsDirt = (isModified || hasUntracked) && (head === id || wanted.dirtOfMoved !== false);
        const dirt = tellsDirt ? { isModified, hasUntracked } : undefined;
        const rawId = head === id ? undefined : NO_ID;
        if (head !== id || dirt !== undefined) pairs.push(pairOf(name, old, { mode, id: head, rawId, isWorking: true, dirt }));
        continue;
      }
      pairs.push(pairOf(name, old, { mode: now.mode, id: NO_ID, isWorking: true }));
    }
  } finally {
    statuses.close();
  }
  return pairs;
}

export interface WorkingOptions {
  /** Changes of submodules that are ignored, whatever the configuration says. */
  readonly submodules?: NonNullable<SubmoduleSettings["ignore"]> | undefined;
  /** The same where the configuration says nothing. */
  readonly otherwise?: NonNullable<SubmoduleSettings["ignore"]>;
  /** A file of another time than the index has counts as changed, unread, as commands for scripts have it. */
  readonly byStamp?: boolean;
  /** False: of a submodule at another commit nothing more is told. */
  readonly dirtOfMoved?: boolean;
  /** Depth of this run in submodules. */
  readonly depth?: number;
}

function workingMode(
  { mode }: EntryFacts,
  status: FileStamp | undefined,
  trustsMode: boolean,
): { mode: number; status: FileStamp } | undefined {
  if (status === undefined) return undefined;
  if (status.kind === "symlink") return { mode: MODE.link, status };
  if (status.kind === "directory") return isSubmodule(mode) ? { mode, status } : undefined;
  if (status.kind !== "file") return undefined;
  if (!trustsMode && !isLink(mode)) return { mode, status };
  return { mode: (status.permissions & 0o100) !== 0 ? MODE.executable : MODE.file, status };
}

/** The commit of a repository that stands in the place of a file; undefined for any other directory. */
function checkedOut(repository: Repository, path: string): string | undefined {
  const inner = repositoryBelow(repository, path);
  try {
    return inner?.refs.resolve("HEAD")?.id;
  } finally {
    inner?.close();
  }
}

/** How the file of one entry is, whichever its stage is and however much it is trusted, as `git ls-files` asks about it. */
export function fileState(
  repository: Repository,
  index: IndexFile,
  entry: EntryFacts,
  statuses: StatusReader,
): "absent" | "same" | "changed" {
  const stamp = statuses.stampOf(entry.name);
  if (stamp === undefined) return "absent";
  if (entry.assumedUnchanged) return "same";
  if (isSubmodule(entry.mode)) {
    if (stamp.kind !== "directory") return "changed";
    return (checkedOut(repository, entry.name) ?? entry.id) === entry.id ? "same" : "changed";
  }
  const now = workingMode(entry, stamp, repository.config.boolean("core.filemode", true));
  if (now?.mode !== entry.mode || entry.intentToAdd) return "changed";
  return isUnchanged(repository, entry, stamp, index, { statuses }) ? "same" : "changed";
}

/** The state of a submodule: undefined where nothing is checked out. `ignore` says what need not be looked for. */
export function submoduleState(
  repository: Repository,
  path: string,
  ignore: NonNullable<SubmoduleSettings["ignore"]>,
  depth = 0,
): SubmoduleState | undefined {
  const inner = repositoryBelow(repository, path);
  if (inner === undefined) return undefined;
  try {
    const head = inner.refs.resolve("HEAD")?.id;
    if (head === undefined) return undefined;
    if (ignore === "dirty" || ignore === "all" || depth > 8) return { head, isModified: false, hasUntracked: false };
    const index = readIndex(inner);
    let isModified = indexPairs(inner, inner.commit(head).tree, index).length > 0;
    let hasUntracked = false;
    for (const { now } of workingPairs(inner, index, undefined, { submodules: ignore, depth: depth + 1 })) {
      if (now.dirt === undefined || now.dirt.isModified) isModified = true;
      if (now.dirt?.hasUntracked === true) hasUntracked = true;
    }
    if (ignore === "none" && !hasUntracked)
      hasUntracked = untrackedFiles(inner, index, { joinsDirectories: true, listsIgnored: false }).untracked.length > 0;
    return { head, isModified, hasUntracked };
  } finally {
    inner.close();
  }
}

/** By what stat(2) says where that is the index's and older than it, else by the content. */
function isUnchanged(
  repository: Repository,
  entry: EntryFacts,
  status: FileStamp,
  index: IndexFile,
  { byStamp = false, statuses }: { readonly byStamp?: boolean; readonly statuses: StatusReader },
): boolean {
  const sameSize = status.size % 2 ** 32 === entry.size;
  // As git has it: another size is a change, even where line ends alone make it.
  if (!sameSize && entry.size !== 0 && !isLink(entry.mode)) return false;
  const { modifiedMs } = status;
  const nanoseconds = entry.modifiedNanoseconds;
  const sameTime =
    nanoseconds === 0
      ? Math.floor(modifiedMs / 1000) === entry.modifiedSeconds
      : entry.modifiedSeconds * 1000 + nanoseconds / 1e6 === modifiedMs;
  const [changedSeconds = 0, , , , , inode = 0] = entry.stat;
  const sameFile = sameTime && fileMarksOf(repository).areSame(inode, changedSeconds, status);
  if (sameFile && sameSize && modifiedMs < millisecondsOf(index.writtenNs)) return true;
  if (!sameFile && byStamp) return false;
  // As git does with a file that it may not read: it differs.
  if (repository.denied.why(entry.name) !== undefined) return false;
  const compared = repository.kept.of(KEPT_COMPARISONS).of(index);
  if (compared.isSame(entry.name, entry.id, status)) return true;
  const content = workingContent(repository, entry.name, entry.mode, () => statuses.content(entry.name));
  if (content === undefined || repository.format.idOf("blob", content) !== entry.id) return false;
  compared.keep(entry.name, entry.id, status, repository.clock.nowMs);
  return true;
}

/** True if a file of the working tree has the content of `id`. */
export function isUnchangedFile(
  repository: Repository,
  path: string,
  { id, mode }: { readonly id: string; readonly mode: number },
): boolean {
  if (isSubmodule(mode) || repository.denied.why(path) !== undefined) return false;
  const content = workingContent(repository, path, mode);
  return content !== undefined && repository.format.idOf("blob", content) === id;
}

/** 0 where there is no file. */
export function modeOnDisk(repository: Repository, path: string): number {
  const status = repository.disk.status(repository.inWorktree(path), false);
  if (status === undefined || status.kind === "directory") return 0;
  return status.kind === "symlink" ? MODE.link : (status.permissions & 0o100) === 0 ? MODE.file : MODE.executable;
}
