/** The index with the files of active submodules in their places (git ls-files --recurse-submodules). */
import { isSubmodule } from "../objects/objects.ts";
import type { Repository } from "../repository.ts";
import { repositoryBelow } from "../repository-search.ts";
import { absorbedRepository } from "./absorbed-repository.ts";
import { readIndex, type EntryFacts, type IndexFile } from "./index-file.ts";
import { isActive, submoduleName } from "./submodules.ts";

/** Submodules in submodules are followed so deep. */
const MOST_DEPTH = 16;

/** In order; of an active submodule without a repository there is nothing. */
export function entriesWithin(repository: Repository, index: IndexFile, depth = 0): readonly EntryFacts[] {
  return index.entries.flatMap((entry): readonly EntryFacts[] => {
    const { name, mode } = entry;
    const known = isSubmodule(mode) ? submoduleName(repository, name) : undefined;
    if (known === undefined || depth > MOST_DEPTH || !isActive(repository, known, name)) return [entry];
    const inner = repositoryBelow(repository, name) ?? absorbedRepository(repository, name);
    if (inner === undefined) return [];
    try {
      return entriesWithin(inner, readIndex(inner), depth + 1).map((each) => named(each, `${name}/${each.name}`));
    } finally {
      inner.close();
    }
  });
}

function named(entry: EntryFacts, name: string): EntryFacts {
  const { mode, id, stage, size, modifiedSeconds, modifiedNanoseconds, assumedUnchanged, intentToAdd, skipsWorktree, stat, flags } = entry;
  return { name, mode, id, stage, size, modifiedSeconds, modifiedNanoseconds, assumedUnchanged, intentToAdd, skipsWorktree, stat, flags };
}
