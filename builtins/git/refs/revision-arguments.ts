/** Revisions and paths of a command line, told apart as git does it: what names a revision is one, unless `--` says more. */
import { fromWord } from "../objects/byte-text.ts";
import type { Options, StrayFlag } from "../commands/options.ts";
import { GitError } from "../git-error.ts";
import { Pathspec } from "../worktree/pathspec.ts";
import type { Repository } from "../repository.ts";
import { checkNoPath, checkPath } from "./misspelt-revision.ts";
import { resolveRange, resolveRevision } from "./revision.ts";

export interface RevisionArguments {
  readonly revisions: readonly string[];
  readonly paths: Pathspec | undefined;
  readonly typedPaths: readonly string[];
  /** Operands behind --ignore-missing that name nothing: passed over, and yet revisions, so that HEAD does not stand for them. */
  readonly missing: readonly string[];
}

/** Throws GitError: `ambiguous argument`, `bad revision`. */
export function splitRevisions(repository: Repository, options: Options): RevisionArguments {
  const words = options.operands.map(fromWord);
  const revisions: string[] = [];
  let paths = (options.paths ?? []).map(fromWord);
  const mayBeMissing = operandsBehind(options, "--ignore-missing");
  const missing: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    if (at >= mayBeMissing && !isThere(repository, word)) {
      missing.push(word);
      continue;
    }
    if (isRevision(repository, word)) {
      if (options.paths === undefined && !/\.\.|[*?[]/.test(word)) checkNoPath(repository, word);
      revisions.push(word);
      continue;
    }
    if (options.paths !== undefined || word.startsWith("^")) throw new GitError(`bad revision '${word}'`);
    for (const [offset, path] of words.slice(at).entries()) {
      checkPath(repository, path, offset === 0);
      const stray = options.strays.find(({ behind }) => behind === at + offset + 1);
      if (stray !== undefined) throw strayError(stray);
    }
    paths = words.slice(at);
    break;
  }
  return { revisions, paths: paths.length === 0 ? undefined : new Pathspec(repository, paths), typedPaths: paths, missing };
}

const strayError = ({ typed }: StrayFlag): GitError => new GitError(`option '${fromWord(typed)}' must come before non-option arguments`);

/** The index of the first operand that stands behind `flag`; Infinity where none does. */
function operandsBehind(options: Options, flag: string): number {
  const at = options.sequence.indexOf(flag);
  if (at < 0) return Infinity;
  return options.sequence.slice(0, at).reduce((count, word) => (word === options.operands[count] ? count + 1 : count), 0);
}

function isRevision(repository: Repository, word: string): boolean {
  if (word === "" || word === "." || word === "..") return false;
  if (resolveRange(repository, word) !== undefined) return true;
  return resolveObject(repository, word.replace(/^\^/, "")) !== undefined;
}

/** Tells whether a word names an object that is there. */
function isThere(repository: Repository, word: string): boolean {
  const id = resolveRevision(repository, word);
  return id === undefined ? resolveRange(repository, word) !== undefined : repository.objects.find(id) !== undefined;
}

function resolveObject(repository: Repository, word: string): string | undefined {
  const id = resolveRevision(repository, word);
  if (id !== undefined && !repository.format.isId(word) && !repository.objects.has(id)) throw new GitError(`bad object ${word}`);
  if (id !== undefined && repository.objects.find(id) === undefined) throw new GitError(`bad object ${word}`);
  return id;
}
