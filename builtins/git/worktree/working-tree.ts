/** The working tree against the index: what changed, what is not tracked, what is ignored. */
import { parseIgnoreFile, type IgnoreRules } from "../../../src/glob/ignore-rules.ts";
import type { FileStamp } from "../../../src/workspace/file-status.ts";
import { objectId, workingContent } from "../objects/contents.ts";
import { NO_ID, pairOf, type FilePair } from "../diff/file-pairs.ts";
import type { IndexEntry, IndexFile } from "./index-file.ts";
import { IndexStamps } from "./index-stamps.ts";
import { isLink, isSubmodule, MODE } from "../objects/objects.ts";
import type { Pathspec } from "./pathspec.ts";
import type { Repository } from "../repository.ts";
import type { SubmoduleSettings } from "../diff/diff-options.ts";
import { configuredIgnore, submoduleState } from "./submodules.ts";
import { millisecondsOf, StatusReader } from "./status-reader.ts";

/** The pairs from the index to the working tree; conflicts are status U, each once. */
export function workingPairs(repository: Repository, index: IndexFile, paths?: Pathspec, wanted: WorkingOptions = {}): FilePair[] {
  return meanwhile(repository, index, paths, (stamps) => pairsFrom(repository, index, stamps, wanted));
}

/** What `act` returns. The files of the working tree are looked at while it does something else. */
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
  const writtenMs = millisecondsOf(index.writtenNs);
  const statuses = new StatusReader(repository.disk, repository.worktree);
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
    const now = workingMode(entry, told === "untold" ? statuses.stampOf(name) : told, trustsMode);
    const isSame = now?.mode === mode && !entry.intentToAdd && !isSubmodule(mode);
    if (now !== undefined && isSame && isUnchanged(repository, entry, now.status, writtenMs)) continue;
    const { id } = entry;
    const old = entry.intentToAdd ? undefined : { mode, id };
    if (now === undefined) {
      pairs.push(pairOf(name, { mode, id }, undefined));
      continue;
    }
    if (isSubmodule(mode)) {
      const ignore = wanted.submodules ?? configuredIgnore(repository, name) ?? wanted.otherwise ?? "untracked";
      const state = ignore === "all" ? undefined : submoduleState(repository, name, ignore, wanted.depth);
      if (state === undefined) continue;
      const { head, isModified, hasUntracked } = state;
      const isMoved = head !== id;
      // A submodule with another commit is not looked into, unless its whole state is wanted.
      const dirt =
        (isMoved && wanted.otherwise !== "none" && wanted.depth === undefined) || !(isModified || hasUntracked)
          ? undefined
          : { isModified, hasUntracked };
      if (isMoved || dirt !== undefined) pairs.push(pairOf(name, old, { mode, id: head, dirt }));
      continue;
    }
    pairs.push(pairOf(name, old, { mode: now.mode, id: NO_ID, isWorking: true }));
  }
  statuses.close();
  return pairs;
}

export interface WorkingOptions {
  /** What of submodules does not count, whatever the configuration says. */
  readonly submodules?: NonNullable<SubmoduleSettings["ignore"]> | undefined;
  /** The same where the configuration says nothing. */
  readonly otherwise?: NonNullable<SubmoduleSettings["ignore"]>;
  /** How deep in submodules this is. */
  readonly depth?: number;
}

function workingMode(
  { mode }: IndexEntry,
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

/** By what stat(2) says where that is the index's and older than it, else by the content. */
function isUnchanged(repository: Repository, entry: IndexEntry, status: FileStamp, writtenMs: number): boolean {
  const sameSize = status.size % 2 ** 32 === entry.size;
  // As git has it: another size is a change, even where line ends alone make it.
  if (!sameSize && entry.size !== 0 && !isLink(entry.mode)) return false;
  const { modifiedMs } = status;
  const nanoseconds = entry.modifiedNanoseconds;
  const sameTime =
    nanoseconds === 0
      ? Math.floor(modifiedMs / 1000) === entry.modifiedSeconds
      : entry.modifiedSeconds * 1000 + nanoseconds / 1e6 === modifiedMs;
  if (sameTime && sameSize && modifiedMs < writtenMs) return true;
  // As git does with a file that it may not read: it differs.
  if (repository.denied.why(entry.name) !== undefined) return false;
  const content = workingContent(repository, entry.name, entry.mode);
  return content !== undefined && objectId("blob", content) === entry.id;
}

export interface IgnoreLine {
  /** Below the worktree. */
  readonly source: string;
  readonly line: number;
  readonly pattern: string;
}

/** The ignore rules of a worktree, directory by directory. */
export class Ignored {
  readonly #repository: Repository;
  readonly #exclude: IgnoreRules | undefined;
  readonly #directories = new Map<string, IgnoreRules | undefined>();

  constructor(repository: Repository) {
    this.#repository = repository;
    this.#exclude = this.#read(`${repository.commonDirectory}/info/exclude`);
  }

  /** Whether git passes over `path`, or a directory that it is in. */
  has(path: string, isDirectory: boolean): boolean {
    const parts = path.split("/");
    for (let count = 1; count < parts.length; count++) if (this.hasItself(parts.slice(0, count).join("/"), true)) return true;
    return this.hasItself(path, isDirectory);
  }

  /** The same, where the directories above are known not to be ignored. */
  hasItself(path: string, isDirectory: boolean): boolean {
    const name = path.slice(path.lastIndexOf("/") + 1);
    for (let end = path.lastIndexOf("/"); ; end = path.lastIndexOf("/", end - 1)) {
      const directory = end < 0 ? "" : path.slice(0, end);
      const verdict = this.#rulesOf(directory)?.verdict(path.slice(end + 1), name, isDirectory);
      if (verdict !== undefined) return verdict === "ignore";
      if (end < 0) break;
      if (end === 0) break;
    }
    return this.#exclude?.verdict(path, name, isDirectory) === "ignore";
  }

  /** The line that decides about `path` or a directory that it is in, and the file it stands in. */
  ruleOf(path: string, isDirectory: boolean): IgnoreLine | undefined {
    const parts = path.split("/");
    for (let count = 1; count < parts.length; count++) {
      const rule = this.#lineOf(parts.slice(0, count).join("/"), true);
      if (rule !== undefined && !rule.pattern.startsWith("!")) return rule;
    }
    return this.#lineOf(path, isDirectory);
  }

  #lineOf(path: string, isDirectory: boolean): IgnoreLine | undefined {
    const { disk, commonDirectory } = this.#repository;
    const name = path.slice(path.lastIndexOf("/") + 1);
    const search = (source: string, place: string, below: string): IgnoreLine | undefined => {
      if (disk.status(place, false)?.kind !== "file") return undefined;
      const lines = (disk.text(place) ?? "").split("\n");
      for (let line = lines.length - 1; line >= 0; line--) {
        const pattern = (lines[line] ?? "").replace(/\r$/, "");
        if (parseIgnoreFile(Buffer.from(pattern, "latin1"))?.verdict(below, name, isDirectory) !== undefined)
          return { source, line: line + 1, pattern: pattern.replace(/(?<!\\) +$/, "") };
      }
      return undefined;
    };
    for (let end = path.lastIndexOf("/"); ; end = path.lastIndexOf("/", end - 1)) {
      const source = end < 0 ? ".gitignore" : `${path.slice(0, end)}/.gitignore`;
      const found = search(source, this.#repository.inWorktree(source), path.slice(end + 1));
      if (found !== undefined) return found;
      if (end <= 0) break;
    }
    return search(".git/info/exclude", `${commonDirectory}/info/exclude`, path);
  }

  #rulesOf(directory: string): IgnoreRules | undefined {
    if (!this.#directories.has(directory))
      this.#directories.set(
        directory,
        this.#read(this.#repository.inWorktree(directory === "" ? ".gitignore" : `${directory}/.gitignore`)),
      );
    return this.#directories.get(directory);
  }

  #read(path: string): IgnoreRules | undefined {
    if (this.#repository.disk.status(path, false)?.kind !== "file") return undefined;
    const bytes = this.#repository.disk.read(path);
    return bytes === undefined ? undefined : parseIgnoreFile(bytes);
  }
}

/** Whether a file of the working tree has the content of `id`. */
export function isUnchangedFile(
  repository: Repository,
  path: string,
  { id, mode }: { readonly id: string; readonly mode: number },
): boolean {
  if (isSubmodule(mode) || repository.denied.why(path) !== undefined) return false;
  const content = workingContent(repository, path, mode);
  return content !== undefined && objectId("blob", content) === id;
}
