/** Names a commit after the nearest tag that leads to it (git describe, `%(describe)`). */
import { compileGlob } from "../../../src/glob/glob-match.ts";
import { toWord } from "../objects/byte-text.ts";
import type { Repository } from "../repository.ts";
import { parseTag } from "../objects/objects.ts";
import { PLAIN_WALK, walkCommits, type WalkRequest } from "../log/revision-walk.ts";

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

/** Commits by the name that describes them. */
export class DescribingNames {
  readonly #names = new Map<string, { readonly name: string; readonly rank: number; readonly seconds: number }>();
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
        this.#names.set(commit, { name: name.slice(all ? 5 : 10), rank, seconds });
    }
  }

  /** True if no reference has a name that is asked for, whatever it is of. */
  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  of(commit: string): string | undefined {
    return this.#names.get(commit)?.name;
  }

  /** True if the commit has a lightweight tag, which does not count. */
  isLight(commit: string): boolean {
    return this.#light.has(commit);
  }
}

/** Yields after each tag that was weighed. */
export function* nearestName(
  repository: Repository,
  id: string,
  names: DescribingNames,
  { firstParent, candidates }: DescribeRequest,
): Generator<void, { readonly best: NearestName | undefined; readonly passesLight: boolean }> {
  const whole: WalkRequest = {
    ...PLAIN_WALK,
    include: [id],
    firstParent,
  };
  let best: NearestName | undefined;
  let found = 0;
  let passesLight = false;
  for (const commit of candidates === 0 ? [repository.commit(id)] : walkCommits(repository, whole)) {
    passesLight ||= names.isLight(commit.id);
    const name = names.of(commit.id);
    if (name === undefined) continue;
    let depth = 0;
    for (const _ of walkCommits(repository, { ...whole, exclude: [commit.id] })) depth++;
    if (best === undefined || depth < best.depth) best = { name, depth };
    if (depth === 0 || ++found >= candidates) break;
    yield;
  }
  return { best, passesLight };
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
