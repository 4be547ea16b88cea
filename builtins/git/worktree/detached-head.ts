/** Words for a HEAD that is on no branch, as git status and git branch have them (wt-status.c, ref-filter.c). */
import { namedRefs } from "../refs/revision.ts";
import type { Repository } from "../repository.ts";
import { progressOf } from "./status-state.ts";

/** "HEAD detached at v1.0", "HEAD detached from 7dfbca9"; undefined where the reflog of HEAD has no checkout. */
export function detachedTitle(repository: Repository): string | undefined {
  const found = detachment(repository);
  if (found === undefined) return undefined;
  return `HEAD detached ${found.id === repository.refs.resolve("HEAD")?.id ? "at" : "from"} ${found.from}`;
}

/** What git branch lists in the place of a branch, without its brackets. */
export function noBranchTitle(repository: Repository): string {
  const { rebasing, bisecting } = progressOf(repository, { hasConflicts: false });
  if (rebasing !== undefined)
    return `no branch, rebasing ${rebasing.branch ?? `detached HEAD ${detachment(repository)?.from ?? "(null)"}`}`;
  if (bisecting !== undefined) return `no branch, bisect started on ${bisecting.from ?? "(null)"}`;
  return detachedTitle(repository) ?? "no branch";
}

/** The last checkout in the reflog of HEAD: its commit, by the reference that was named if that is still there, else by its id. */
function detachment(repository: Repository): { readonly from: string; readonly id: string } | undefined {
  const moved = repository.refs.log("HEAD").findLast(({ message }) => MOVE.test(message));
  if (moved === undefined) return undefined;
  const { id, message } = moved;
  const named = MOVE.exec(message)?.[1] ?? "";
  const refs = named === "HEAD" ? [] : namedRefs(repository, named);
  const [ref] = refs;
  const isStill = refs.length === 1 && ref !== undefined && (ref.id === id || repository.peeled(ref.id) === id);
  return { id, from: isStill ? (ref.target ?? ref.name).replace(/^refs\/(?:tags|remotes)\//, "") : repository.short(id) };
}

const MOVE = /^checkout: moving from .*? to (.*)$/;
