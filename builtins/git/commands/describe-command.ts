/** git describe: the nearest tag, and how far it is. */
import { compileGlob, type Glob } from "../../../src/glob/glob-match.ts";
import { fromWord, toWord } from "../objects/byte-text.ts";
import { command } from "./command.ts";
import { OPTIONAL, SWITCH, VALUE } from "./flags.ts";
import { nameCommits } from "../refs/commit-names.ts";
import { describedAs, DescribingNames, nearestName, type DescribeRequest, type DescribeSearch } from "../refs/describe.ts";
import { GitError } from "../git-error.ts";
import { commitNamed, resolveRevision } from "../refs/revision.ts";
import { readIndex } from "../worktree/index-file.ts";
import { PLAIN_WALK, walkCommits } from "../log/revision-walk.ts";
import { isTree } from "../objects/objects.ts";
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
    "--debug": SWITCH,
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
    const most = options.has("--candidates") ? candidatesOf(options.last("--candidates") ?? "") : CANDIDATES;
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
      if (options.has("--debug")) complain(`describe ${typed}\n`);
      const named = resolveRevision(repository, typed);
      if (named === undefined) throw new GitError(`Not a valid object name ${typed}`);
      const commit = repository.asCommit(named);
      // Of a file git keeps marks that tell in what it says of the next.
      if (commit === undefined && typedCommits.length > 1)
        throw new GitError(`${typed} is a file, which is described alone here\nhint: git describe ${typed}`);
      const held = commit === undefined ? yield* holderOf(repository, named, typed) : undefined;
      if (commit === undefined && held === undefined) {
        print("\n");
        continue;
      }
      const id = commit ?? held?.commit ?? "";
      const end = `${mark}${held === undefined ? "" : `:${held.path}`}\n`;
      const found = yield* nearestName(repository, id, names, wanted);
      const { best, passesLight } = found;
      if (options.has("--debug") && names.of(id) === undefined && !onlyExact) tellSearch(found, most, complain);
      if (best !== undefined) {
        print(`${describedAs(repository, id, best, abbreviation, options.has("--long"))}${end}`);
        continue;
      }
      if (onlyExact) throw new GitError(`no tag exactly matches '${id}'`);
      if (!options.has("--always"))
        throw new GitError(
          passesLight
            ? `No annotated tags can describe '${id}'.\nHowever, there were unannotated tags: try --tags.`
            : `No tags can describe '${id}'.\nTry --always, or create some tags.`,
        );
      print(`${abbreviation === 0 ? id : repository.short(id, abbreviation)}${end}`);
    }
    return 0;
  },
});

/** Throws GitError where it is no number. */
function candidatesOf(typed: string): number {
  if (!/^[+-]?[0-9]{1,9}$/.test(typed))
    throw new GitError("option `candidates' expects a numerical value", { prefix: "error: ", exit: 129 });
  return Math.max(0, Number(typed));
}

/**
 * The first commit of HEAD's history that has the file, and the first path that it has there; undefined where none has it. Throws
 * GitError where `id` is no file.
 */
function* holderOf(
  repository: Repository,
  id: string,
  typed: string,
): Generator<void, { readonly commit: string; readonly path: string } | undefined> {
  if (repository.objects.find(id)?.type !== "blob") throw new GitError(`${typed} is neither a commit nor blob`);
  const head = repository.refs.resolve("HEAD");
  if (head === undefined) throw new GitError("bad revision 'HEAD'");
  const seen = new Set<string>();
  const search = (tree: string, base: string): string | undefined => {
    if (seen.has(tree)) return undefined;
    seen.add(tree);
    for (const entry of repository.tree(tree)) {
      const path = base + entry.name;
      const found = isTree(entry.mode) ? search(entry.id, `${path}/`) : entry.id === id ? path : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  };
  for (const { id: commit, tree } of walkCommits(repository, { ...PLAIN_WALK, include: [head.id], reverse: true })) {
    const path = search(tree, "");
    if (path !== undefined) return { commit, path };
    yield;
  }
  return undefined;
}

/** The course of a search, line by line as git tells it. */
function tellSearch({ candidates, traversed, finishedAt, gaveUpAt }: DescribeSearch, most: number, complain: (text: string) => void): void {
  let told = "No exact match on refs or tags, searching to describe\n";
  if (finishedAt !== undefined) told += `finished search at ${finishedAt}\n`;
  if (candidates.length > 0) {
    for (const { name, kind, depth } of candidates) told += ` ${kind.padEnd(11)} ${String(depth).padStart(8)} ${name}\n`;
    told += `traversed ${traversed} commits\n`;
    if (gaveUpAt !== undefined) {
      const count = Math.min(most, candidates.length);
      told += `more than ${count} tags found; listed ${count} most recent\ngave up search at ${gaveUpAt}\n`;
    }
  }
  complain(told);
}

/** True if tracked files differ from HEAD, staged or not. */
function isDirty(repository: Repository): boolean {
  repository.needsWorktree();
  const index = readIndex(repository);
  const head = repository.refs.resolve("HEAD")?.id;
  if (indexPairs(repository, head === undefined ? undefined : repository.commit(head).tree, index).length > 0) return true;
  return workingPairs(repository, index, undefined, { otherwise: "none" }).length > 0;
}
