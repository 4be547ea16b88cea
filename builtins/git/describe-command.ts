/** git describe: the nearest tag, and how far it is. */
import { compileGlob } from "../../src/walk/glob-match.ts";
import { fromWord, toWord } from "./byte-text.ts";
import type { Command } from "./command.ts";
import { nameCommits } from "./commit-names.ts";
import { GitError } from "./git-error.ts";
import { commitNamed } from "./revision.ts";
import { readIndex } from "./index-file.ts";
import type { Repository } from "./repository.ts";
import { indexPairs } from "./tree-pairs.ts";
import { workingPairs } from "./working-tree.ts";
import { walkCommits, type WalkRequest } from "./revision-walk.ts";

/** So many tags are weighed, as git does. */
const CANDIDATES = 10;

export const describe: Command = {
  flags:
    "--tags --all --always --long --abbrev: --match: --exact-match --candidates: --dirty? --broken? --contains --first-parent --exclude:",
  refused: { "--debug": ["the search is not told here", "git describe --tags --long"] },
  *run({ options, repository, print }) {
    if (options.has("--contains")) {
      const contained = commitNamed(repository, fromWord(options.operands[0] ?? "HEAD"));
      if (contained === undefined) throw new GitError(`Not a valid object name ${fromWord(options.operands[0] ?? "HEAD")}`);
      const keeps = (name: string): boolean => options.has("--all") || name.startsWith("refs/tags/");
      const names = nameCommits(repository, {
        keeps,
        shorten: (name) => (options.has("--all") ? name.replace(/^refs\/heads\//, "").replace(/^refs\//, "") : name.slice(10)),
      });
      const found = names(contained) ?? (options.has("--always") ? repository.short(contained) : undefined);
      if (found === undefined) throw new GitError(`cannot describe '${contained}'`);
      print(`${found}\n`);
      return 0;
    }
    const dirty = options.last("--dirty", "--broken");
    if (dirty !== undefined && options.operands.length > 0) throw new GitError("option '--dirty' and commit-ishes cannot be used together");
    const mark = dirty === undefined || !isDirty(repository) ? "" : dirty === "" ? "-dirty" : fromWord(dirty);
    const most = options.has("--candidates") ? Number(options.last("--candidates")) : CANDIDATES;
    const typed = fromWord(options.operands[0] ?? "HEAD");
    const id = commitNamed(repository, typed);
    if (id === undefined) throw new GitError(`Not a valid object name ${typed}`);
    const abbreviation = options.has("--abbrev") ? Number(options.last("--abbrev")) : undefined;
    const globs = options.all("--match").map((pattern) => compileGlob(pattern));
    const names = new Map<string, { readonly name: string; readonly rank: number }>();
    const light = new Set<string>();
    const excludes = options.all("--exclude").map((pattern) => compileGlob(pattern));
    const all = options.has("--all");
    for (const { name, id: tag } of repository.refs.list(all ? "refs/" : "refs/tags/")) {
      const isAnnotated = repository.objects.find(tag)?.type === "tag";
      const short = all ? name.slice(5) : name.slice(10);
      const commit = repository.asCommit(tag);
      if (commit === undefined) continue;
      const bare = name.replace(/^refs\/(tags|heads|remotes)\//, "");
      if (excludes.some((glob) => glob.matches(toWord(bare)))) continue;
      if (!isAnnotated && !all && !options.has("--tags")) {
        if (globs.length === 0 || globs.some((glob) => glob.matches(toWord(bare)))) light.add(commit);
        continue;
      }
      if (globs.length > 0 && !globs.some((glob) => glob.matches(toWord(bare)))) continue;
      const known = names.get(commit);
      const rank = isAnnotated ? 2 : name.startsWith("refs/tags/") ? 1 : 0;
      if (known === undefined || rank > known.rank) names.set(commit, { name: short, rank });
    }
    const whole: WalkRequest = {
      include: [id],
      exclude: [],
      firstParent: options.has("--first-parent"),
      paths: undefined,
      order: "default",
      since: undefined,
      until: undefined,
      keeps: () => true,
      skip: 0,
      most: Infinity,
      reverse: false,
    };
    let best: { readonly name: string; readonly depth: number } | undefined;
    let found = 0;
    let passesLight = false;
    for (const commit of options.has("--exact-match") || most === 0 ? [repository.commit(id)] : walkCommits(repository, whole)) {
      passesLight ||= light.has(commit.id);
      const tag = names.get(commit.id);
      if (tag === undefined) continue;
      let depth = 0;
      for (const _ of walkCommits(repository, { ...whole, exclude: [commit.id] })) depth++;
      if (best === undefined || depth < best.depth) best = { name: tag.name, depth };
      if (depth === 0 || ++found >= most) break;
      yield;
    }
    if (best === undefined) {
      if (options.has("--always")) {
        print(`${abbreviation === 0 ? id : repository.short(id, abbreviation)}${mark}\n`);
        return 0;
      }
      if (options.has("--exact-match") || most === 0) throw new GitError(`no tag exactly matches '${id}'`);
      throw new GitError(
        names.size === 0 && repository.refs.list("refs/tags/").length === 0
          ? "No names found, cannot describe anything."
          : passesLight
            ? `No annotated tags can describe '${id}'.\nHowever, there were unannotated tags: try --tags.`
            : `No tags can describe '${id}'.\nTry --always, or create some tags.`,
      );
    }
    const isFar = (best.depth > 0 && abbreviation !== 0) || options.has("--long");
    print(`${best.name}${isFar ? `-${best.depth}-g${repository.short(id, abbreviation)}` : ""}${mark}\n`);
    return 0;
  },
};

/** Whether tracked files differ from HEAD, staged or not. */
function isDirty(repository: Repository): boolean {
  const index = readIndex(repository);
  const head = repository.refs.resolve("HEAD")?.id;
  if (indexPairs(repository, head === undefined ? undefined : repository.commit(head).tree, index).length > 0) return true;
  return workingPairs(repository, index, undefined, { otherwise: "none" }).length > 0;
}
