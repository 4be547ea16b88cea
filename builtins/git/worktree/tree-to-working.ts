/** A tree against the working tree. */
import { NO_ID, pairOf, type FilePair, type Side } from "../diff/file-pairs.ts";
import { indexPairs } from "../diff/tree-pairs.ts";
import { isTree, type TreeEntry } from "../objects/objects.ts";
import type { Repository } from "../repository.ts";
import { readIndex } from "./index-file.ts";
import type { Pathspec } from "./pathspec.ts";
import { meanwhile, modeOnDisk, pairsFrom, type WorkingOptions } from "./working-tree.ts";

/** From a tree to the working tree, as far as the index knows its files. */
export function treeToWorking(repository: Repository, tree: string, paths: Pathspec | undefined, wanted: WorkingOptions): FilePair[] {
  const index = readIndex(repository);
  const { staged, changed } = meanwhile(repository, index, paths, (stamps) => ({
    staged: new Map(indexPairs(repository, tree, index, paths).map((pair) => [pair.now.path, pair])),
    changed: new Map(pairsFrom(repository, index, stamps, wanted).map((pair) => [pair.now.path, pair])),
  }));
  const pairs: FilePair[] = [];
  const seen = new Set<string>();
  // Most files are the same everywhere.
  for (const name of new Set([...changed.keys(), ...staged.keys()])) {
    const entry = index.at(index.lowerBound(name));
    if (entry?.name !== name) continue;
    seen.add(name);
    const { mode, id } = entry;
    const pair = changed.get(name);
    const before = staged.get(name);
    const old =
      entry.stage > 0 || entry.intentToAdd ? fileAt(repository, tree, name) : before === undefined ? { mode, id } : existing(before.old);
    const now =
      pair === undefined ? { mode, id } : pair.now.mode === 0 ? undefined : { ...pair.now, isWorking: pair.now.isWorking === true };
    if (pair?.status === "U") {
      const onDisk = modeOnDisk(repository, name);
      if (old !== undefined || onDisk !== 0)
        pairs.push(pairOf(name, old, onDisk === 0 ? undefined : { mode: onDisk, id: NO_ID, isWorking: true }));
      continue;
    }
    if (old === undefined && now === undefined) continue;
    if (old !== undefined && now !== undefined && old.mode === now.mode && old.id === now.id && pair?.now.dirt === undefined) continue;
    pairs.push(pairOf(name, old, now));
  }
  for (const [path, { old }] of staged) if (!seen.has(path)) pairs.push(pairOf(path, old, undefined));
  return pairs.sort((a, b) => (a.now.path < b.now.path ? -1 : 1));
}

function fileAt(repository: Repository, tree: string, name: string): TreeEntry | undefined {
  const entry = repository.entryAt(tree, name);
  return entry === undefined || isTree(entry.mode) ? undefined : entry;
}

const existing = (side: Side): Side | undefined => (side.mode === 0 ? undefined : side);
