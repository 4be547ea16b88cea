/** git describe: the nearest tag, and how far it is. */
import { compileGlob, type Glob } from "../../../src/glob/glob-match.ts";
import { fromWord, toWord } from "../objects/byte-text.ts";
import { command } from "./command.ts";
import { OPTIONAL, refused, SWITCH, VALUE } from "./flags.ts";
import { nameCommits } from "../refs/commit-names.ts";
import { describedAs, DescribingNames, nearestName, type DescribeRequest } from "../refs/describe.ts";
import { GitError } from "../git-error.ts";
import { commitNamed, resolveRevision } from "../refs/revision.ts";
import { readIndex } from "../worktree/index-file.ts";
import type { Repository } from "../repository.ts";
import { indexPairs } from "../diff/tree-pairs.ts";
import { workingPairs } from "../worktree/working-tree.ts";

/** So many tags are weighed, as git does. */
const CANDIDATES = 10;

export const describe = command({
  flags: {
    "--tags": SWITCH,
    "--all": SWITCH,
    "--always": SWITCH,
    "--long": SWITCH,
    "--abbrev": VALUE,
    "--match": VALUE,
    "--exact-match": SWITCH,
    "--candidates": VALUE,
    "--dirty": OPTIONAL,
    "--broken": OPTIONAL,
    "--contains": SWITCH,
    "--first-parent": SWITCH,
    "--exclude": VALUE,
    "--debug": refused("the search is not told here", "git describe --tags --long"),
  },
  *run({ options, repository, print, complain }) {
    const typedCommits = options.operands.length === 0 ? ["HEAD"] : options.operands.map(fromWord);
    if (options.has("--contains")) {
      const [matched, excluded] = (["--match", "--exclude"] as const).map((flag) =>
        options.all(flag).map((pattern) => compileGlob(`refs/tags/${pattern}`)),
      );
      const isOf = (globs: readonly Glob[] | undefined, name: string): boolean =>
        globs?.some((glob) => glob.matches(toWord(name))) === true;
      // git heeds the patterns only where tags alone count.
      const keeps = (name: string): boolean =>
        options.has("--all") || (name.startsWith("refs/tags/") && (matched?.length === 0 || isOf(matched, name)) && !isOf(excluded, name));
      const names = nameCommits(repository, {
        keeps,
        asked: typedCommits.flatMap((typed) => commitNamed(repository, typed) ?? []),
        shorten: (name) => (options.has("--all") ? name.replace(/^refs\/heads\//, "").replace(/^refs\//, "") : name.slice(10)),
      });
      for (const typed of typedCommits) {
        const contained = commitNamed(repository, typed);
        if (contained === undefined) {
          complain(`Could not get ${resolveRevision(repository, typed) === undefined ? "sha1" : "commit"} for ${typed}. Skipping.\n`);
          continue;
        }
        const found = names(contained) ?? (options.has("--always") ? repository.short(contained) : undefined);
        if (found === undefined) throw new GitError(`cannot describe '${contained}'`);
        print(`${found}\n`);
      }
      return 0;
    }
    const most = options.has("--candidates") ? Number(options.last("--candidates")) : CANDIDATES;
    const abbreviation = options.has("--abbrev") ? Number(options.last("--abbrev")) : undefined;
    const onlyExact = options.has("--exact-match") || most === 0;
    const wanted: DescribeRequest = {
      all: options.has("--all"),
      tags: options.has("--tags"),
      match: options.all("--match"),
      exclude: options.all("--exclude"),
      firstParent: options.has("--first-parent"),
      candidates: onlyExact ? 0 : most,
    };
    const names = new DescribingNames(repository, wanted);
    if (names.isEmpty && !options.has("--always")) throw new GitError("No names found, cannot describe anything.");
    const marking = options.has("--dirty") ? "--dirty" : options.has("--broken") ? "--broken" : undefined;
    if (marking !== undefined && options.operands.length > 0)
      throw new GitError(`option '${marking}' and commit-ishes cannot be used together`);
    // The value of --broken is for a repository that cannot be read.
    const mark = marking === undefined || !isDirty(repository) ? "" : fromWord(options.last("--dirty") || "-dirty");
    for (const typed of typedCommits) {
      const id = commitNamed(repository, typed);
      if (id === undefined) throw new GitError(`Not a valid object name ${typed}`);
      const { best, passesLight } = yield* nearestName(repository, id, names, wanted);
      if (best !== undefined) {
        print(`${describedAs(repository, id, best, abbreviation, options.has("--long"))}${mark}\n`);
        continue;
      }
      if (onlyExact) throw new GitError(`no tag exactly matches '${id}'`);
      if (!options.has("--always"))
        throw new GitError(
          passesLight
            ? `No annotated tags can describe '${id}'.\nHowever, there were unannotated tags: try --tags.`
            : `No tags can describe '${id}'.\nTry --always, or create some tags.`,
        );
      print(`${abbreviation === 0 ? id : repository.short(id, abbreviation)}${mark}\n`);
    }
    return 0;
  },
});

/** True if tracked files differ from HEAD, staged or not. */
function isDirty(repository: Repository): boolean {
  repository.needsWorktree();
  const index = readIndex(repository);
  const head = repository.refs.resolve("HEAD")?.id;
  if (indexPairs(repository, head === undefined ? undefined : repository.commit(head).tree, index).length > 0) return true;
  return workingPairs(repository, index, undefined, { otherwise: "none" }).length > 0;
}
