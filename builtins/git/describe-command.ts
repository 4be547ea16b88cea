/** git describe: the nearest tag, and how far it is. */
import { compileGlob } from "../../src/walk/glob-match.ts";
import { fromWord, toWord } from "./byte-text.ts";
import type { Command } from "./command.ts";
import { GitError } from "./git-error.ts";
import { commitNamed } from "./revision.ts";
import { walkCommits, type WalkRequest } from "./revision-walk.ts";

/** So many tags are weighed, as git does. */
const CANDIDATES = 10;

export const describe: Command = {
  flags:
    "--tags --all --always --long --abbrev: --match: --exact-match --candidates: --dirty? --broken? --contains --first-parent --exclude: --debug",
  *run({ options, repository, print }) {
    for (const name of ["--all", "--dirty", "--broken", "--contains", "--exclude", "--debug", "--candidates"])
      if (options.has(name)) throw new GitError(`describe ${name} is not available here yet`);
    const typed = fromWord(options.operands[0] ?? "HEAD");
    const id = commitNamed(repository, typed);
    if (id === undefined) throw new GitError(`Not a valid object name ${typed}`);
    const abbreviation = options.has("--abbrev") ? Number(options.last("--abbrev")) : undefined;
    const globs = options.all("--match").map((pattern) => compileGlob(pattern));
    const names = new Map<string, { readonly name: string; readonly isAnnotated: boolean }>();
    const light = new Set<string>();
    for (const { name, id: tag } of repository.refs.list("refs/tags/")) {
      const isAnnotated = repository.objects.find(tag)?.type === "tag";
      const short = name.slice(10);
      const commit = repository.asCommit(tag);
      if (commit !== undefined && !isAnnotated) light.add(commit);
      if (commit === undefined || (!isAnnotated && !options.has("--tags"))) continue;
      if (globs.length > 0 && !globs.some((glob) => glob.matches(toWord(short)))) continue;
      const known = names.get(commit);
      if (known === undefined || (isAnnotated && !known.isAnnotated)) names.set(commit, { name: short, isAnnotated });
    }
    const all: WalkRequest = {
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
    for (const commit of options.has("--exact-match") ? [repository.commit(id)] : walkCommits(repository, all)) {
      passesLight ||= light.has(commit.id);
      const tag = names.get(commit.id);
      if (tag === undefined) continue;
      let depth = 0;
      for (const _ of walkCommits(repository, { ...all, exclude: [commit.id] })) depth++;
      if (best === undefined || depth < best.depth) best = { name: tag.name, depth };
      if (depth === 0 || ++found >= CANDIDATES) break;
      yield;
    }
    if (best === undefined) {
      if (options.has("--always")) {
        print(`${abbreviation === 0 ? id : repository.short(id, abbreviation)}\n`);
        return 0;
      }
      if (options.has("--exact-match")) throw new GitError(`no tag exactly matches '${id}'`);
      throw new GitError(
        names.size === 0 && repository.refs.list("refs/tags/").length === 0
          ? "No names found, cannot describe anything."
          : passesLight
            ? `No annotated tags can describe '${id}'.\nHowever, there were unannotated tags: try --tags.`
            : `No tags can describe '${id}'.\nTry --always, or create some tags.`,
      );
    }
    const isFar = (best.depth > 0 && abbreviation !== 0) || options.has("--long");
    print(`${best.name}${isFar ? `-${best.depth}-g${repository.short(id, abbreviation)}` : ""}\n`);
    return 0;
  },
};
