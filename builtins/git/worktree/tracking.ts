/** The distance of a branch from its upstream, and its words in git status. */
import { walkCommits } from "../log/revision-walk.ts";
import type { Repository } from "../repository.ts";
import { upstreamOf } from "../refs/revision.ts";

export interface Distance {
  readonly ahead: number;
  readonly behind: number;
}

/** Ahead and behind its upstream; undefined where that is not there. */
export function aheadBehind(repository: Repository, id: string, upstream: string): Distance | undefined {
  const other = repository.refs.resolve(upstream)?.id;
  if (other === undefined) return undefined;
  const count = (include: string, exclude: string): number => {
    const request = {
      include: [include],
      exclude: [exclude],
      firstParent: false,
      paths: undefined,
      since: undefined,
      until: undefined,
    } as const;
    let commits = 0;
    for (const _ of walkCommits(repository, { ...request, keeps: () => true, skip: 0, most: Infinity, reverse: false })) commits++;
    return commits;
  };
  return other === id ? { ahead: 0, behind: 0 } : { ahead: count(id, other), behind: count(other, id) };
}

/** Without `counts` (--no-ahead-behind) only whether both are the same commit; undefined where the upstream is not there. */
export function distanceTo(repository: Repository, id: string, upstream: string, counts: boolean): Distance | "different" | undefined {
  const other = repository.refs.resolve(upstream)?.id;
  return counts || other === undefined || other === id ? aheadBehind(repository, id, upstream) : "different";
}

export const shortUpstream = (name: string): string => name.replace(/^refs\/(heads|remotes)\//, "");

/** What stands after `## `. */
export function branchLine(repository: Repository, branch: string | undefined, head: string | undefined, counts: boolean): string {
  if (branch === undefined) return "HEAD (no branch)";
  const start = head === undefined ? `No commits yet on ${branch}` : branch;
  const upstream = upstreamOf(repository, branch);
  if (upstream === undefined) return start;
  const distance = head === undefined ? undefined : distanceTo(repository, head, upstream, counts);
  const text = `${start}...${shortUpstream(upstream)}`;
  if (distance === undefined) return `${text} [gone]`;
  if (distance === "different") return `${text} [different]`;
  const { ahead, behind } = distance;
  const parts = [...(ahead > 0 ? [`ahead ${ahead}`] : []), ...(behind > 0 ? [`behind ${behind}`] : [])];
  return parts.length === 0 ? text : `${text} [${parts.join(", ")}]`;
}

/** The lines below `On branch`. */
export function printTracking(repository: Repository, head: string, branch: string, counted: boolean, print: (text: string) => void): void {
  const upstream = upstreamOf(repository, branch);
  if (upstream === undefined) return;
  const name = shortUpstream(upstream);
  const counts = distanceTo(repository, head, upstream, counted);
  const commits = (count: number): string => `${count} commit${count === 1 ? "" : "s"}`;
  if (counts === undefined)
    print(`Your branch is based on '${name}', but the upstream is gone.\n  (use "git branch --unset-upstream" to fixup)\n`);
  else if (counts === "different")
    print(`Your branch and '${name}' refer to different commits.\n  (use "git status --ahead-behind" for details)\n`);
  else if (counts.ahead === 0 && counts.behind === 0) print(`Your branch is up to date with '${name}'.\n`);
  else if (counts.behind === 0)
    print(`Your branch is ahead of '${name}' by ${commits(counts.ahead)}.\n  (use "git push" to publish your local commits)\n`);
  else if (counts.ahead === 0)
    print(
      `Your branch is behind '${name}' by ${commits(counts.behind)}, and can be fast-forwarded.\n  (use "git pull" to update your local branch)\n`,
    );
  else
    print(
      `Your branch and '${name}' have diverged,\nand have ${counts.ahead} and ${counts.behind} different commits each, respectively.\n  (use "git pull" to merge the remote branch into yours)\n`,
    );
  print("\n");
}
