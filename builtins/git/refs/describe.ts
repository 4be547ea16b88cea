/** Names a commit after the nearest tag that leads to it (git describe, `%(describe)`). */
import { compileGlob } from "../../../src/glob/glob-match.ts";
import { toWord } from "../objects/byte-text.ts";
import type { Repository } from "../repository.ts";
import { parseTag, type Commit } from "../objects/objects.ts";
import { DateQueue } from "./date-queue.ts";

export interface DescribeRequest {
  /** Every reference counts, or light tags too. */
  readonly all: boolean;
  readonly tags: boolean;
  /** Globs for names without `refs/tags/`. */
  readonly match: readonly string[];
  readonly exclude: readonly string[];
  readonly firstParent: boolean;
  /** Number of tags that are weighed; 0: only a tag of the commit itself will do. */
  readonly candidates: number;
}

export interface NearestName {
  readonly name: string;
  /** Commits that the tag does not lead to. */
  readonly depth: number;
}

export interface DescribingName {
  readonly name: string;
  readonly kind: "head" | "lightweight" | "annotated";
}

/** By rank. */
const KINDS: readonly DescribingName["kind"][] = ["head", "lightweight", "annotated"];

/** Commits by the name that describes them. */
export class DescribingNames {
  readonly #names = new Map<string, DescribingName & { readonly rank: number; readonly seconds: number }>();
  readonly #light = new Set<string>();
  #isEmpty = true;

  constructor(repository: Repository, { all, tags, match, exclude }: DescribeRequest) {
    const [globs, excludes] = [match, exclude].map((patterns) => patterns.map((pattern) => compileGlob(pattern)));
    const isMatched = (name: string): boolean => globs?.length === 0 || globs?.some((glob) => glob.matches(toWord(name))) === true;
    for (const { name, id: tag } of repository.refs.list(all ? "refs/" : "refs/tags/")) {
      const bare = name.replace(/^refs\/(tags|heads|remotes)\//, "");
      if (excludes?.some((glob) => glob.matches(toWord(bare))) === true || !isMatched(bare)) continue;
      this.#isEmpty = false;
      const object = repository.objects.find(tag);
      const isAnnotated = object?.type === "tag";
      const commit = repository.asCommit(tag);
      if (commit === undefined) continue;
      if (!isAnnotated && !all && !tags) {
        this.#light.add(commit);
        continue;
      }
      const rank = isAnnotated ? 2 : name.startsWith("refs/tags/") ? 1 : 0;
      const known = this.#names.get(commit);
      // Of several annotated tags the one that was made last counts.
      const seconds = isAnnotated ? (parseTag(object.data).tagger?.seconds ?? 0) : 0;
      if (known === undefined || rank > known.rank || (rank === known.rank && seconds > known.seconds))
        this.#names.set(commit, { name: name.slice(all ? 5 : 10), kind: KINDS[rank] ?? "head", rank, seconds });
    }
  }

  /** True if no reference has a name that is asked for, whatever it is of. */
  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  of(commit: string): DescribingName | undefined {
    return this.#names.get(commit);
  }

  /** True if the commit has a lightweight tag, which does not count. */
  isLight(commit: string): boolean {
    return this.#light.has(commit);
  }
}

/** A tag that was come to on the way back, and the commits found so far that it does not lead to. */
export interface Candidate extends NearestName {
  readonly kind: DescribingName["kind"];
}

/** Course of a search: what git tells of it with --debug. */
export interface DescribeSearch {
  readonly best: NearestName | undefined;
  readonly passesLight: boolean;
  /** The best first: of it alone the depth is told to the end. */
  readonly candidates: readonly Candidate[];
  readonly traversed: number;
  /** Commit at which all that was left of history was known to be behind the best. */
  readonly finishedAt: string | undefined;
  /** Commit whose tag was one too many. */
  readonly gaveUpAt: string | undefined;
}

/** More are never weighed. */
const MOST_CANDIDATES = 27;

/** Walks back by date and weighs the tags it comes to. Yields now and then, so that a long search can be left. */
export function* nearestName(
  repository: Repository,
  id: string,
  names: DescribingNames,
  { firstParent, candidates }: DescribeRequest,
): Generator<void, DescribeSearch> {
  const own = names.of(id);
  const found: { readonly name: DescribingName; depth: number; readonly bit: number }[] = [];
  if (own !== undefined || candidates === 0)
    return {
      best: own && { name: own.name, depth: 0 },
      passesLight: names.isLight(id),
      candidates: [],
      traversed: 0,
      finishedAt: undefined,
      gaveUpAt: undefined,
    };
  const most = Math.min(candidates, MOST_CANDIDATES);
  /** For each commit that was come to the bits of the tags that lead to it. */
  const within = new Map<string, number>([[id, 0]]);
  const queue = new DateQueue();
  const queueParents = ({ id: child, parents }: Commit): void => {
    for (const parent of parents) {
      if (!within.has(parent)) queue.push(repository.commit(parent));
      within.set(parent, (within.get(parent) ?? 0) | (within.get(child) ?? 0));
    }
  };
  queue.push(repository.commit(id));
  let passesLight = false;
  let traversed = 0;
  let hasAnnotated = false;
  let finishedAt: string | undefined;
  let gaveUpAt: string | undefined;
  for (let commit = queue.pop(); commit !== undefined; commit = queue.pop()) {
    traversed++;
    passesLight ||= names.isLight(commit.id);
    const name = names.of(commit.id);
    if (name !== undefined && found.length >= most) {
      gaveUpAt = commit.id;
      queue.push(commit);
      traversed--;
      break;
    }
    if (name !== undefined) {
      const bit = 1 << found.length;
      found.push({ name, depth: traversed - 1, bit });
      within.set(commit.id, (within.get(commit.id) ?? 0) | bit);
      hasAnnotated ||= name.kind === "annotated";
      yield;
    }
    const bits = within.get(commit.id) ?? 0;
    for (const each of found) if ((bits & each.bit) === 0) each.depth++;
    if (hasAnnotated && queue.size === 0) {
      const least = Math.min(...found.map(({ depth }) => depth));
      if (found.every(({ depth, bit }) => depth !== least || (bits & bit) !== 0)) {
        finishedAt = commit.id;
        break;
      }
    }
    queueParents(firstParent ? { ...commit, parents: commit.parents.slice(0, 1) } : commit);
  }
  found.sort((one, other) => one.depth - other.depth || one.bit - other.bit);
  const [first] = found;
  if (first !== undefined) traversed += finishDepth(queue, first, within, queueParents);
  return {
    best: first && { name: first.name.name, depth: first.depth },
    passesLight,
    candidates: found.map(({ name: { name, kind }, depth }) => ({ name, kind, depth })),
    traversed,
    finishedAt,
    gaveUpAt,
  };
}

/** Counts the commits that are left and that `best` does not lead to; returns how many were looked at. */
function finishDepth(
  queue: DateQueue,
  best: { depth: number; readonly bit: number },
  within: ReadonlyMap<string, number>,
  queueParents: (commit: Commit) => void,
): number {
  const isBehind = (id: string): boolean => ((within.get(id) ?? 0) & best.bit) !== 0;
  let seen = 0;
  for (let commit = queue.pop(); commit !== undefined; commit = queue.pop()) {
    seen++;
    if (!isBehind(commit.id)) best.depth++;
    else if ([...queue].every(({ id }) => isBehind(id))) break;
    queueParents(commit);
  }
  return seen;
}

/** `NAME-DEPTH-gID`, or the name alone where it is the commit's own or `abbreviation` is 0. */
export function describedAs(
  repository: Repository,
  id: string,
  { name, depth }: NearestName,
  abbreviation: number | undefined,
  isLong = false,
): string {
  return (depth > 0 && abbreviation !== 0) || isLong ? `${name}-${depth}-g${repository.short(id, abbreviation)}` : name;
}

/** `%(describe:tags,match=GLOB,…)`: what it says of any commit; undefined where the words are none of it. */
export function readDescription(repository: Repository, words: string): ((id: string) => string) | undefined {
  let request: DescribeRequest = { all: false, tags: false, match: [], exclude: [], firstParent: false, candidates: 10 };
  let abbreviation: number | undefined;
  for (const word of words === "" ? [] : words.split(",")) {
    const [, name, , value] = /^([a-z]+)(=([^]*))?$/.exec(word) ?? [];
    if (name === "tags") {
      const isOn = value === undefined || /^(true|yes|on|[+-]?0*[1-9][0-9]*)$/i.test(value);
      request = { ...request, tags: isOn };
    } else if (name === "match" && value !== undefined) request = { ...request, match: [...request.match, value] };
    else if (name === "exclude" && value !== undefined) request = { ...request, exclude: [...request.exclude, value] };
    else if (name === "abbrev" && value !== undefined && /^[0-9]+$/.test(value)) abbreviation = Number(value);
    else return undefined;
  }
  let names: DescribingNames | undefined;
  return (id) => {
    names ??= new DescribingNames(repository, request);
    const running = nearestName(repository, id, names, request);
    let step = running.next();
    while (step.done !== true) step = running.next();
    const { best } = step.value;
    return best === undefined ? "" : describedAs(repository, id, best, abbreviation);
  };
}
