/** The one path of `git log --follow`, under the names that it had before: a commit in which it first appears may have it from another. */
import { PLAIN_SETTINGS, type DiffSettings } from "../diff/diff-options.ts";
import { asAsked, chosenPairs, shownPairs } from "../diff/diff-print.ts";
import { treePairs, type FilePair } from "../diff/file-pairs.ts";
import { GitError } from "../git-error.ts";
import { Pathspec } from "../worktree/pathspec.ts";
import type { Repository } from "../repository.ts";

/** What git follows a path with; at any other it stops with a message about itself. */
const FOLLOWED_MAGIC: ReadonlySet<string> = new Set(["top", "literal"]);

export class FollowedPath {
  readonly #repository: Repository;
  readonly #diff: DiffSettings;
  #paths: Pathspec;

  /** Throws GitError unless `paths` is one that can be followed. */
  constructor(repository: Repository, diff: DiffSettings, paths: Pathspec | undefined) {
    const only = paths?.only;
    if (paths === undefined || only === undefined) throw new GitError("--follow requires exactly one pathspec");
    const magic = [...only.magic].find((word) => !FOLLOWED_MAGIC.has(word));
    if (magic !== undefined)
      throw new GitError(
        `--follow is not done with the pathspec magic '${magic}', at which git stops\nhint: git log --oneline -- ${only.typed}`,
      );
    if (diff.copies === "all") throw new GitError("--follow is not done here with -C -C, which looks through what did not change");
    if (diff.findObject !== undefined)
      throw new GitError("--follow is not done here with --find-object, with which git follows next to nothing");
    this.#repository = repository;
    this.#diff = diff;
    this.#paths = paths;
  }

  /** Changes of the path between two trees; where it came with the second, the path is followed to its source from then on. */
  pairs(before: string | undefined, tree: string): readonly FilePair[] {
    const repository = this.#repository;
    const diff = this.#diff;
    const plain = asAsked(treePairs(repository, before, tree, { paths: this.#paths }), diff);
    const [first, second] = plain;
    const source = first !== undefined && second === undefined && first.old.mode === 0 ? this.#source(before, tree) : undefined;
    if (source === undefined) return shownPairs(repository, plain, { ...diff, reverses: false });
    this.#paths = new Pathspec(repository, [`:(top,literal)${source.old.path}`]);
    return chosenPairs(repository, [source], { ...diff, breaks: undefined, renames: false });
  }

  /** Makes `made` with the name that the path has now, and forgets those that were found meanwhile. */
  aside<T>(made: () => T): T {
    const paths = this.#paths;
    const result = made();
    this.#paths = paths;
    return result;
  }

  #source(before: string | undefined, tree: string): FilePair | undefined {
    const repository = this.#repository;
    const { breaks, minimumScore } = this.#diff;
    const renameLimit = repository.config.number("diff.renamelimit") ?? PLAIN_SETTINGS.renameLimit;
    const only = this.#paths.only;
    const isFollowed = (path: string): boolean => only?.path === path && !only.mustBeDirectory;
    const pairs = treePairs(repository, before, tree).filter(({ status, now }) => status !== "A" || isFollowed(now.path));
    const settings: DiffSettings = { ...PLAIN_SETTINGS, copies: "all", breaks, minimumScore, renameLimit };
    return shownPairs(repository, pairs, settings, () => treePairs(repository, undefined, before)).find(
      ({ status, now }) => (status === "R" || status === "C") && isFollowed(now.path),
    );
  }
}
