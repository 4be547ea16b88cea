/** Commits by the references they can be reached from (`tags/v1.0~3^2`), as git-name-rev(1) chooses among them. */
import { parseTag, type Tag } from "../objects/objects.ts";
import type { Repository } from "../repository.ts";

interface Name {
  readonly tip: string;
  /** Steps to first parents since the tip or the last `^N`. */
  readonly generation: number;
  readonly distance: number;
  readonly seconds: number;
  readonly isTag: boolean;
}

/** A step to another parent than the first weighs this much. */
const MERGE_WEIGHT = 65_535;

const weight = ({ distance, generation }: Name): number => distance + (generation > 0 ? MERGE_WEIGHT : 0);

function isBetter(now: Name, before: Name): boolean {
  if (now.isTag && before.isTag) return before.seconds > now.seconds || (before.seconds === now.seconds && weight(before) > weight(now));
  if (now.isTag !== before.isTag) return now.isTag;
  if (weight(before) !== weight(now)) return weight(before) > weight(now);
  return before.seconds > now.seconds;
}

export interface NamingOptions {
  readonly keeps: (refName: string) => boolean;
  readonly shorten: (refName: string) => string;
  /** Commits that are to be named: others that are older than all of them by more than a day are not looked at, as git has it. */
  readonly asked?: readonly string[];
  /** Is told of each parent before it is given a name. */
  readonly onParent?: (id: string) => void;
}

/** Returns the function that names a commit; it gives undefined if no reference leads to the commit. */
export function nameCommits(
  repository: Repository,
  { keeps, shorten, asked, onParent = () => {} }: NamingOptions,
): (id: string) => string | undefined {
  const names = new Map<string, Name>();
  const oldest = asked === undefined ? -Infinity : oldestOf(repository, asked);
  const isTooOld = (id: string): boolean => oldest > -Infinity && repository.commit(id).seconds < oldest;
  const tips = repository.refs
    .list()
    .filter(({ name }) => keeps(name))
    .flatMap(({ name, id }) => {
      const commit = repository.asCommit(id);
      if (commit === undefined) return [];
      const tagged = innermostTag(repository, id);
      const isAnnotated = tagged !== undefined;
      const seconds = isAnnotated ? (tagged.tagger?.seconds ?? 0) : repository.commit(commit).seconds;
      return [{ commit, name: `${shorten(name)}${isAnnotated ? "^0" : ""}`, seconds, isTag: name.startsWith("refs/tags/") }];
    })
    .sort((a, b) => (a.isTag === b.isTag ? a.seconds - b.seconds : a.isTag ? -1 : 1));
  for (const { commit, name, seconds, isTag } of tips) {
    const open: string[] = [];
    const give = (id: string, given: Name): void => {
      const before = names.get(id);
      if (before !== undefined && !isBetter(given, before)) return;
      names.set(id, given);
      open.push(id);
    };
    if (isTooOld(commit)) continue;
    give(commit, { tip: name, generation: 0, distance: 0, seconds, isTag });
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      const own = names.get(id) as Name;
      const next: [string, Name][] = repository.commit(id).parents.map((parent, at) => {
        onParent(parent);
        if (at === 0) return [parent, { ...own, generation: own.generation + 1, distance: own.distance + 1 }];
        const bare = own.tip.replace(/\^0$/, "");
        const tip = `${bare}${own.generation > 0 ? `~${own.generation}` : ""}^${at + 1}`;
        return [parent, { ...own, tip, generation: 0, distance: own.distance + MERGE_WEIGHT }];
      });
      for (const [parent, given] of next.reverse()) if (!isTooOld(parent)) give(parent, given);
    }
  }
  return (id) => {
    const name = names.get(id);
    if (name === undefined) return undefined;
    return name.generation === 0 ? name.tip : `${name.tip.replace(/\^0$/, "")}~${name.generation}`;
  };
}

/** Clocks may differ by so much. */
const SLOP_SECONDS = 86_400;

/** The time before which commits are not looked at; -Infinity where a commit-graph tells better. */
function oldestOf(repository: Repository, asked: readonly string[]): number {
  const graph = repository.wholeGraph();
  if (asked.length === 0 || asked.some((id) => graph?.find(id) !== undefined)) return -Infinity;
  return Math.min(...asked.map((id) => repository.commit(id).seconds)) - SLOP_SECONDS;
}

/** The last of the tags that lead from `id` to a commit: a tag of a tag is as old as the tag that it names. Undefined where there is none. */
function innermostTag(repository: Repository, id: string): Tag | undefined {
  let tag: Tag | undefined;
  for (let object = repository.objects.get(id); object.type === "tag"; object = repository.objects.get(tag.object))
    tag = parseTag(object.data);
  return tag;
}
