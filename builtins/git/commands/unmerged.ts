/** Files of the index against the working tree that are more than one entry, or less: conflicts, and what is to be added. */
import type { CombinedFile } from "../diff/combined-diff.ts";
import type { DiffSettings } from "../diff/diff-options.ts";
import { NO_ID, pairOf, type FilePair, type Side } from "../diff/file-pairs.ts";
import type { Repository } from "../repository.ts";
import { readIndex } from "../worktree/index-file.ts";
import { modeOnDisk } from "../worktree/working-tree.ts";
import type { CommandRun } from "./command.ts";
import { SWITCH } from "./flags.ts";

/** The side of a conflict to compare with. */
export const STAGE_FLAGS = {
  "--theirs": SWITCH,
  "--ours": SWITCH,
  "--base": SWITCH,
  "-0": SWITCH,
  "-1": SWITCH,
  "-2": SWITCH,
  "-3": SWITCH,
} as const;

type StageFlag = keyof typeof STAGE_FLAGS | "-c" | "--cc";

/**
 * Unmerged files against the working tree: a combined diff of both sides where a patch is asked for, or else a pair that
 * says so and one from the stage that was asked for (our own).
 */
export function splitConflicts(
  { repository, options }: CommandRun<StageFlag>,
  found: readonly FilePair[],
  settings: DiffSettings,
): { readonly pairs: readonly FilePair[]; readonly combined: readonly CombinedFile[] } {
  if (!found.some(({ status }) => status === "U")) return { pairs: found, combined: [] };
  const chosen = options.lastOf("-1", "-2", "-3", "--base", "--ours", "--theirs", "-0");
  const stage = chosen === undefined ? 2 : (STAGES.get(chosen) ?? 0);
  const combines = chosen === undefined && (settings.formats.has("patch") || options.has("-c", "--cc"));
  const { entries } = readIndex(repository);
  const pairs: FilePair[] = [];
  const combined: CombinedFile[] = [];
  for (const pair of found) {
    if (pair.status !== "U") {
      pairs.push(pair);
      continue;
    }
    const { path } = pair.now;
    const mode = modeOnDisk(repository, path);
    const at = (number: number): Omit<Side, "path"> | undefined => entries.find((entry) => entry.name === path && entry.stage === number);
    const [ours, theirs] = [at(2), at(3)];
    const now: Side = { path, mode, id: NO_ID, isWorking: mode !== 0 };
    if (combines && ours !== undefined && theirs !== undefined) {
      const side = ({ mode: of, id }: Omit<Side, "path">): CombinedFile["parents"][number] => ({ path, mode: of, id, status: "M" });
      combined.push({ now, parents: [side(ours), side(theirs)] });
      continue;
    }
    pairs.push({ ...pair, old: { path, mode: 0, id: NO_ID }, now: { ...now, isWorking: false } });
    const old = at(stage);
    if (old !== undefined) pairs.push(pairOf(path, { mode: old.mode, id: old.id }, mode === 0 ? undefined : now));
  }
  return { pairs, combined };
}

const STAGES: ReadonlyMap<string, number> = new Map([
  ["-1", 1],
  ["--base", 1],
  ["-2", 2],
  ["--ours", 2],
  ["-3", 3],
  ["--theirs", 3],
]);

/** Files that are to be added (`git add -N`) as if the index had them, empty. */
export function seenAsEmpty(repository: Repository, pairs: readonly FilePair[]): FilePair[] {
  const index = readIndex(repository);
  return pairs.map((pair) => {
    const entry = pair.status === "A" ? index.at(index.lowerBound(pair.now.path)) : undefined;
    if (entry?.name !== pair.now.path || !entry.intentToAdd) return pair;
    return pairOf(entry.name, { mode: entry.mode, id: entry.id }, pair.now);
  });
}
