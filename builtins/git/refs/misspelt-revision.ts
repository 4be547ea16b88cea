/** Words that are neither a revision nor a path, and the messages with which git refuses them (setup.c, object-name.c). */
import { isAbsolutePath } from "../../../src/glob/absolute-path.ts";
import { GitError } from "../git-error.ts";
import { normal } from "../objects/object-store.ts";
import type { Repository } from "../repository.ts";
import { readIndex } from "../worktree/index-file.ts";
import { colonOf, entryNamed, peeledWrongly, resolveRevision, unknownRevision } from "./revision.ts";

export const SEPARATE = "Use '--' to separate paths from revisions, like this:\n'git <command> [<revision>...] -- [<file>...]'";

/** Throws GitError where a word that names a revision is a file too. */
export function checkNoPath(repository: Repository, word: string): void {
  if (repository.hasWorktree && !repository.isInsideGitDirectory && isPath(repository, word))
    throw new GitError(`ambiguous argument '${word}': both revision and filename\n${SEPARATE}`);
}

/** Throws GitError where a word that stands for a path is none; `mayBeRevision`: the first such word, which may be a misspelt revision. */
export function checkPath(repository: Repository, word: string, mayBeRevision: boolean): void {
  if (/^:\(|[*?[]/.test(word.replace(/\\[^]/g, "")) || isPath(repository, word)) return;
  if (!mayBeRevision)
    throw new GitError(
      `${word}: no such path in the working tree.\nUse 'git <command> -- <path>...' to specify paths that do not exist locally.`,
    );
  // Once for the revision that was looked for, and once for what is said of it here.
  const complaint = peeledWrongly(repository, word).repeat(2);
  if (complaint !== "") throw new GitError(unknownRevision(word).message, { prefix: `${complaint}fatal: ` });
  if (!/^:(?![0-9A-Za-z])/.test(word)) complainOfPath(repository, word);
  throw unknownRevision(word);
}

/** Throws GitError with what is wrong of a misspelt `REV:PATH` or `:N:PATH`; returns for any other word. */
export function complainOfPath(repository: Repository, typed: string, prefix = repository.prefix): void {
  const colon = colonOf(typed);
  if (colon < 0) return;
  const revision = typed.slice(0, colon);
  const id = colon === 0 ? undefined : resolveRevision(repository, revision);
  if (colon > 0 && id === undefined) throw new GitError(`invalid object name '${revision}'.`);
  if (colon === 0 && /^:(?:\/|$)/.test(typed)) return;
  const [, stage = "0", name = typed.slice(colon + 1)] = (colon === 0 ? /^:(?:([0-3]):)?([^]*)$/.exec(typed) : undefined) ?? [];
  const path = /^\.{1,2}\//.test(name) ? repository.fromHere(name) : name;
  if (entryNamed(repository, revision, colon === 0 ? `${stage}:${path}` : path) !== undefined) return;
  if (colon === 0) throw absentFromIndex(repository, path, stage, prefix);
  if (existsAtTop(repository, path)) throw new GitError(`path '${path}' exists on disk, but not in '${revision}'`);
  const below = prefix + path;
  if (entryNamed(repository, revision, below) !== undefined)
    throw new GitError(`path '${below}' exists, but not '${path}'\nhint: Did you mean '${revision}:${below}' aka '${revision}:./${path}'?`);
  throw new GitError(`path '${path}' does not exist in '${revision}'`);
}

function absentFromIndex(repository: Repository, path: string, stage: string, prefix: string): GitError {
  const index = readIndex(repository);
  const stageOf = (name: string): number | undefined => {
    const at = index.lowerBound(name);
    return at < index.count && index.nameAt(at) === name ? index.at(at)?.stage : undefined;
  };
  const other = stageOf(path);
  if (other !== undefined)
    return new GitError(`path '${path}' is in the index, but not at stage ${stage}\nhint: Did you mean ':${other}:${path}'?`);
  const below = prefix + path;
  const found = stageOf(below);
  if (found !== undefined)
    return new GitError(
      `path '${below}' is in the index, but not '${path}'\nhint: Did you mean ':${found}:${below}' aka ':${found}:./${path}'?`,
    );
  if (existsAtTop(repository, path)) return new GitError(`path '${path}' exists on disk, but not in the index`);
  return new GitError(`path '${path}' does not exist (neither on disk nor in the index)`);
}

/** Tells whether git would find a file by this pathspec: `:/` is from the top, `:!` and `:^` leave out. */
function isPath(repository: Repository, word: string): boolean {
  if (word.startsWith(":/")) return word === ":/" || existsAtTop(repository, word.slice(2));
  const plain = word.replace(/^:[!^]/, "");
  if (plain === "") return word !== "";
  // `absent/../file` is no file.
  const above = /^([^]+?)\/+\.\.(?:\/|$)/.exec(plain)?.[1];
  if (above !== undefined && !isPath(repository, `${above}/`)) return false;
  const place = placeOf(repository, plain);
  return place === undefined ? plain === word : exists(repository, place, plain);
}

function existsAtTop(repository: Repository, path: string): boolean {
  const absolute = isAbsolutePath(path) ? placeOf(repository, path) : undefined;
  const below = normal(path);
  if (path === "" || (isAbsolutePath(path) ? absolute === undefined : below === undefined)) return false;
  return exists(repository, absolute ?? repository.inWorktree(below ?? ""), path);
}

function exists(repository: Repository, place: string, typed: string): boolean {
  const status = repository.disk.status(place, false);
  return status !== undefined && (!typed.endsWith("/") || repository.disk.status(place)?.kind === "directory");
}

/** A typed path as one relative to the root of the workspace; undefined for one outside, of which the pathspec complains. */
function placeOf(repository: Repository, word: string): string | undefined {
  if (!repository.hasWorktree) return word;
  try {
    return repository.inWorktree(repository.fromHere(word));
  } catch (thrown) {
    if (thrown instanceof GitError) return word.startsWith("/") ? undefined : normal(`${repository.start}/${word}`);
    throw thrown;
  }
}
