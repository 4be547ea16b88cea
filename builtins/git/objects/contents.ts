/** The content of one side of a pair: an object, or a file of the working tree. */
import { bytesOf } from "./byte-text.ts";
import { convertsLineEnds, storedForm } from "../worktree/conversion.ts";
import type { Side } from "../diff/file-pairs.ts";
import { GitError } from "../git-error.ts";
import { entryOf, readIndex } from "../worktree/index-file.ts";
import { isLink, isRegular, isSubmodule } from "./objects.ts";
import type { Repository } from "../repository.ts";

/** Throws GitError where the object is missing, FileError where the policy denies the file. */
export function contentOf(repository: Repository, side: Side): Buffer {
  if (side.mode === 0) return Buffer.alloc(0);
  if (side.read !== undefined) return side.read();
  if (isSubmodule(side.mode)) return bytesOf(`Subproject commit ${side.textId ?? side.id}${isDirty(side) ? "-dirty" : ""}\n`);
  repository.denied.check(side.path);
  if (side.isWorking === true) return workingContent(repository, side.path, side.mode) ?? Buffer.alloc(0);
  return repository.blob(side.id, side.path);
}

/**
 * Content that is compared and not shown. Undefined where the policy denies it, for how alike files are tells of their bytes;
 * that a rename may have been missed is said.
 */
export const contentToCompare = (repository: Repository, side: Side): Buffer | undefined =>
  skipsPair(repository, side) ? undefined : contentOf(repository, side);

/** True if the policy denies the content of a side. */
export const isDenied = (repository: Repository, { mode, path, read }: Side): boolean =>
  mode !== 0 && read === undefined && !isSubmodule(mode) && repository.denied.why(path) !== undefined;

/** True if the policy denies the content of either side: reports it, and the pair is not shown. */
export function skipsPair(repository: Repository, ...sides: readonly Side[]): boolean {
  let skips = false;
  for (const side of sides) if (isDenied(repository, side)) skips = repository.denied.skips(side.path) || skips;
  return skips;
}

export const isDirty = ({ dirt }: Side): boolean => dirt !== undefined && (dirt.isModified || dirt.hasUntracked);

/** A file of the working tree, or the text of a link; undefined where it is gone. `read`: another way to the file's bytes. */
export function workingContent(
  repository: Repository,
  path: string,
  mode: number,
  read = (): Buffer | undefined => repository.disk.read(repository.inWorktree(path)),
): Buffer | undefined {
  if (isLink(mode)) return bytesOf(repository.disk.link(repository.inWorktree(path)));
  const bytes = read();
  if (bytes === undefined) return undefined;
  if (bytes.length > 1 << 30) throw new GitError(`${path}: too large`);
  return storedForm(repository, path, bytes, () => storedContent(repository, path)).bytes;
}

/**
 * Bytes that were read of a file of any place, in the form in which git would store them as `path`. If it `says`, what is wrong with
 * line ends is told of `name`.
 */
export function storedBytes(repository: Repository, path: string, name: string, read: Buffer, says: boolean): Buffer {
  const { bytes, warning } = storedForm(repository, path, read, () => storedContent(repository, path));
  if (warning !== undefined && says) repository.say(warning.replace(`'${path}'`, () => `'${name}'`));
  return bytes;
}

function storedContent(repository: Repository, path: string): Buffer | undefined {
  const entry = entryOf(readIndex(repository), path);
  const object = entry === undefined ? undefined : repository.objects.find(entry.id);
  return object?.type === "blob" ? object.data : undefined;
}

/** git's warning about the line ends of a file of the working tree when a diff reads it; undefined if nothing is wrong. */
export function lineEndWarning(repository: Repository, { path, mode, isWorking }: Side): string | undefined {
  if (isWorking !== true || !isRegular(mode) || !convertsLineEnds(repository, path)) return undefined;
  if (repository.denied.why(path) !== undefined) return undefined;
  const bytes = repository.disk.read(repository.inWorktree(path));
  return bytes === undefined ? undefined : storedForm(repository, path, bytes, () => storedContent(repository, path)).warning;
}
