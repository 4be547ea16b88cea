/** The order in which a diff shows its files: by the patterns of a file (-O), or begun with another one (--skip-to, --rotate-to). */
import { compileGlob } from "../../../src/glob/glob-match.ts";
import { fromWord, toWord } from "../objects/byte-text.ts";
import { GitError } from "../git-error.ts";
import type { Repository } from "../repository.ts";
import type { Options } from "../commands/options.ts";
import type { FilePair } from "./file-pairs.ts";

/** Throws GitError where the file of patterns is not there, and where no pair has the path to begin with. */
export function orderedPairs(
  repository: Repository,
  pairs: readonly FilePair[],
  options: Options<"-O" | "--skip-to" | "--rotate-to">,
): readonly FilePair[] {
  // Git reads the file of patterns where there is something to order.
  if (pairs.length === 0) return pairs;
  const file = options.last("-O");
  const ordered = file === undefined || file === "/dev/null" ? pairs : byPatterns(repository, pairs, file);
  const start = options.each("--skip-to", "--rotate-to").at(-1);
  if (start === undefined) return ordered;
  const path = fromWord(start.value ?? "");
  const at = ordered.findIndex(({ now }) => now.path === path);
  if (at < 0) throw new GitError(`No such path '${path}' in the diff`);
  return [...ordered.slice(at), ...(start.name === "--skip-to" ? [] : ordered.slice(0, at))];
}

function byPatterns(repository: Repository, pairs: readonly FilePair[], file: string): readonly FilePair[] {
  const path = repository.fromHere(fromWord(file));
  repository.denied.check(path);
  const text = repository.disk.text(repository.inWorktree(path));
  if (text === undefined) throw new GitError(`failed to read orderfile '${path}': No such file or directory`);
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const globs = lines.map((line) => compileGlob(toWord(line)));
  // A pattern may be about a directory above.
  const rank = ({ now }: FilePair): number => {
    const parts = now.path.split("/");
    const names = parts.map((_, depth) => toWord(parts.slice(0, parts.length - depth).join("/")));
    const found = globs.findIndex((glob) => names.some((name) => glob.matches(name)));
    return found < 0 ? globs.length : found;
  };
  return pairs
    .map((pair) => ({ pair, rank: rank(pair) }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ pair }) => pair);
}
