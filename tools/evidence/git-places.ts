/** Repositories that git-differential.ts runs its lines in, and the names in each that its lines are made of. */
import { execFileSync } from "node:child_process";
import { makeCopiesRepository } from "../../test/builtins/git/blame-copies-repository.ts";
import { cloneOf, makePartialRepository, makeShallowRepository } from "../../test/builtins/git/git-clone-repositories.ts";
import { makeFeatureRepository } from "../../test/builtins/git/git-feature-repositories.ts";
import type { Names } from "../../test/builtins/git/git-line-shapes.ts";
import { LINES } from "../../test/builtins/git/git-lines.ts";
import { makeMessageRepository } from "../../test/builtins/git/git-message-repository.ts";
import { makeOddRepository } from "../../test/builtins/git/git-odd-repository.ts";
import { makeSeriesRepository } from "../../test/builtins/git/git-range-diff-repository.ts";
import { makeReadingRepository } from "../../test/builtins/git/git-reading-repository.ts";
import { ENVIRONMENT, makeRepository, type Made } from "../../test/builtins/git/git-repositories.ts";
import { makeSha256Repository } from "../../test/builtins/git/git-sha256-repository.ts";
import { makeRewriteRepository } from "../../test/builtins/git/rewrite-repository.ts";

export interface Place {
  readonly name: string;
  readonly make: (seed: number, own: string) => Made;
  /** Lines beside those from the seed. */
  readonly lines?: readonly string[];
  /** Of the lines from the seed, so many hundredths. */
  readonly share?: number;
}

export const PLACES: readonly Place[] = [
  // Merges, renames, light and annotated tags, a submodule without a repository, a stash, binary files.
  { name: "made", make: makeRepository, lines: LINES },
  // A submodule, a linked worktree, CRLF, names with quotes and newlines, links in the place of files.
  { name: "odd", make: makeOddRepository },
  // Conflicts resolved by hand, an octopus, notes, attributes, a mail map, two stashes, upstream branches.
  { name: "features", make: () => makeFeatureRepository() },
  // Signed tags and a signed commit, messages with CRLF, trailers.
  { name: "messages", make: () => makeMessageRepository(), share: 50 },
  // Untracked and ignored files of every kind, submodules, remotes, a bisection.
  { name: "reading", make: makeReadingRepository, share: 50 },
  // Two versions of a series; blocks that move between files; files written anew.
  { name: "series", make: makeSeriesRepository, share: 40 },
  { name: "copies", make: makeCopiesRepository, share: 40 },
  { name: "rewrites", make: makeRewriteRepository, share: 40 },
  { name: "shallow", make: makeShallowRepository, share: 60 },
  { name: "partial", make: makePartialRepository, share: 60 },
  // Ids of SHA-256: packs and objects of their own, merges, renames, notes, a stash, a worktree, a submodule, a commit-graph.
  { name: "sha256", make: () => makeSha256Repository("file"), share: 60 },
  // This project's own history.
  { name: "own", make: (_, own) => cloneOf(own), share: 60 },
];

/** Asks the real git: the files that changed most, and tags, branches, authors and frequent words. */
export function namesIn(path: string): Names {
  const asked = (...words: string[]): string[] =>
    execFileSync("/usr/bin/git", ["-c", "core.quotePath=false", ...words], { cwd: path, env: ENVIRONMENT, maxBuffer: 1 << 28 })
      .toString()
      .split("\n")
      .filter((line) => line !== "");
  const plain = (name: string): boolean => /^[\w./ ü-]+$/u.test(name);
  const held = new Set(asked("ls-files").filter(plain));
  const changed = mostFrequent(asked("log", "-n", "400", "--name-only", "--no-renames", "--format=").filter((name) => held.has(name)));
  const files = [...new Set([...changed.slice(0, 10), ...held])].slice(0, 14);
  const directories = mostFrequent(files.flatMap((name) => (name.includes("/") ? [name.slice(0, name.lastIndexOf("/"))] : [])));
  const branches = asked("for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/remotes").filter((name) => name !== "origin");
  // A tag of a file is no end of a range.
  const tags = asked("for-each-ref", "--format=%(objecttype) %(*objecttype) %(refname:short)", "refs/tags").flatMap(
    (line) => /^(?:tag )?commit +(.*)$/.exec(line)?.[1] ?? [],
  );
  const depth = asked("rev-list", "--first-parent", "HEAD").length;
  const back = [1, 2, 3, 5, 12].filter((count) => count < depth).map((count) => `HEAD~${count}`);
  const wordsOf = (lines: readonly string[]): string[] => mostFrequent(lines.flatMap((line) => line.match(/\b[a-zA-Z]{3,12}\b/g) ?? []));
  return {
    files,
    directories: directories.length > 0 ? directories.slice(0, 6) : ["."],
    revisions: ["HEAD", "HEAD", "HEAD^", ...back, ...tags.slice(0, 4), ...branches.slice(0, 5)],
    tags: tags.length > 0 ? tags.slice(0, 6) : [back.at(-1) ?? "HEAD"],
    branches: branches.slice(0, 6),
    words: [...wordsOf(asked("log", "-n", "400", "--format=%s")).slice(0, 5), "function", "return", "const", "add"],
    authors: [...wordsOf(asked("log", "-n", "400", "--format=%an")).slice(0, 3), "example.org"],
    places: [...directories.slice(0, 3), "."],
  };
}

/** Each once: the most frequent first, then in the order of their letters. */
function mostFrequent(texts: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1)).map(([text]) => text);
}
