/** git submodule status: the commits that submodules are at. */
import { fromWord, quotedName } from "../objects/byte-text.ts";
import { isSubmodule } from "../objects/objects.ts";
import { describedAs, DescribingNames, nearestName, type DescribeRequest } from "../refs/describe.ts";
import { nameCommits } from "../refs/commit-names.ts";
import { GitError } from "../git-error.ts";
import type { Repository } from "../repository.ts";
import { repositoryBelow } from "../repository-search.ts";
import { readIndex, type IndexEntry } from "../worktree/index-file.ts";
import { Pathspec } from "../worktree/pathspec.ts";
import { relativePath } from "../worktree/relative-path.ts";
import { isActive, submoduleName } from "../worktree/submodules.ts";
import { command } from "./command.ts";
import { SWITCH } from "./flags.ts";

/** Submodules in submodules are followed so deep. */
const MOST_DEPTH = 16;

export const submodule = command({
  flags: { "-q": SWITCH, "--quiet": SWITCH, "--cached": SWITCH, "--recursive": SWITCH },
  check: ({ operands: [action] }) => {
    if (action === undefined || action === "status") return undefined;
    if (action === "foreach") return ["it runs a command in each submodule; git -C DIR reads one", "git submodule status"];
    if (action === "summary") return ["git submodule: summary comes before its flags", "git submodule summary"];
    return [`git submodule ${action}: the repository is only read here`, "git submodule status"];
  },
  *run({ options, repository, print }) {
    repository.needsWorktree();
    const typed = [...options.operands.slice(1), ...(options.paths ?? [])].map(fromWord);
    const listing = {
      isCached: options.has("--cached"),
      isRecursive: options.has("--recursive"),
      print: options.has("-q", "--quiet") ? () => undefined : print,
    };
    yield* listSubmodules(repository, listing, typed, "", 0);
    return 0;
  },
});

interface Listing {
  readonly isCached: boolean;
  readonly isRecursive: boolean;
  readonly print: (text: string) => void;
}

/** `above`: what the paths of this repository begin with, as shown. */
function* listSubmodules(
  repository: Repository,
  listing: Listing,
  typed: readonly string[],
  above: string,
  depth: number,
): Generator<void, void> {
  const index = readIndex(repository);
  const paths = new Pathspec(repository, typed);
  const [unmatched] = paths.unmatched(index.entries.map(({ name }) => name));
  if (unmatched !== undefined)
    throw new GitError(`pathspec '${unmatched}' did not match any file(s) known to git`, { prefix: "error: ", exit: 1 });
  let last: string | undefined;
  for (const entry of index.entries) {
    if (!isSubmodule(entry.mode) || entry.name === last || !paths.matches(entry.name, true)) continue;
    last = entry.name;
    yield* showSubmodule(repository, listing, entry, above + relativePath(repository.prefix, entry.name), depth);
  }
}

function* showSubmodule(
  repository: Repository,
  listing: Listing,
  { name: path, id, stage }: IndexEntry,
  shown: string,
  depth: number,
): Generator<void, void> {
  const name = submoduleName(repository, path);
  if (name === undefined) throw new GitError(`no submodule mapping found in .gitmodules for path '${path}'`);
  const say = (mark: string, at: string, suffix = ""): void =>
    listing.print(`${mark}${at} ${quotedName(shown, repository.quotesAll)}${suffix}\n`);
  if (stage > 0) return say("U", repository.format.noId);
  const inner = isActive(repository, name, path) ? repositoryBelow(repository, path) : undefined;
  if (inner === undefined) return say("-", id);
  try {
    const head = inner.refs.resolve("HEAD")?.id;
    if (head === undefined) return say("-", id);
    const at = listing.isCached ? id : head;
    const described = yield* descriptionOf(inner, at);
    say(head === id ? " " : "+", at, described === undefined ? "" : ` (${described})`);
    if (listing.isRecursive && depth < MOST_DEPTH) yield* listSubmodules(inner, listing, [], `${shown}/`, depth + 1);
  } finally {
    inner.close();
  }
}

/** The first that is found of: nearest annotated tag, nearest tag, a tag that leads to it, any reference, the id shortened. */
function* descriptionOf(repository: Repository, id: string): Generator<void, string | undefined> {
  if (repository.asCommit(id) !== id) return undefined;
  const request: DescribeRequest = { all: false, tags: false, match: [], exclude: [], firstParent: false, candidates: 10 };
  const nearest = function* (wanted: DescribeRequest): Generator<void, string | undefined> {
    const { best } = yield* nearestName(repository, id, new DescribingNames(repository, wanted), wanted);
    return best && describedAs(repository, id, best, undefined);
  };
  const tagged = (yield* nearest(request)) ?? (yield* nearest({ ...request, tags: true }));
  if (tagged !== undefined) return tagged;
  const containing = nameCommits(repository, {
    keeps: (name) => name.startsWith("refs/tags/"),
    asked: [id],
    shorten: (name) => name.slice("refs/tags/".length),
  });
  return containing(id) ?? (yield* nearest({ ...request, all: true })) ?? repository.short(id);
}
