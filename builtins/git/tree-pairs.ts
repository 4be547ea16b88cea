/** What differs between a tree and the index. */
import { filesOf, NO_ID, pairOf, type FilePair } from "./file-pairs.ts";
import type { IndexFile } from "./index-file.ts";
import type { Pathspec } from "./pathspec.ts";
import type { Repository } from "./repository.ts";

/** From a tree to the index: what is staged. `seesIntended`: files that are to be added (`git add -N`) are there, empty. */
export function indexPairs(
  repository: Repository,
  tree: string | undefined,
  index: IndexFile,
  paths?: Pathspec,
  seesIntended = false,
): FilePair[] {
  const files = filesOf(repository, tree, paths);
  const pairs: FilePair[] = [];
  const seen = new Set<string>();
  for (const { name, mode, id, stage, intentToAdd } of index.entries) {
    if (paths !== undefined && !paths.matches(name)) continue;
    const isNew = !seen.has(name);
    seen.add(name);
    if (stage > 0) {
      if (isNew) pairs.push({ ...pairOf(name, { mode, id }, { mode: 0, id: NO_ID }), status: "U" });
      continue;
    }
    if (intentToAdd && !seesIntended) continue;
    const old = files.get(name);
    if (old === undefined || old.id !== id || old.mode !== mode) pairs.push(pairOf(name, old, { mode, id }));
  }
  for (const [path, old] of files) if (!seen.has(path)) pairs.push(pairOf(path, old, undefined));
  return pairs.sort((a, b) => (a.now.path < b.now.path ? -1 : 1));
}
