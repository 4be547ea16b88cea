/** Commands that answer a question: merge-base, check-ignore. */
import { endOfLine } from "../../../src/io/lines.ts";
import { fromWord, quotedName } from "../objects/byte-text.ts";
import { command, type CommandRun } from "./command.ts";
import { SWITCH, type NamesRead } from "./flags.ts";
import { GitError } from "../git-error.ts";
import type { Repository } from "../repository.ts";
import { commitNamed, namedRefs, resolveRevision } from "../refs/revision.ts";
import { isAncestor, mergeBases } from "../log/revision-walk.ts";
import { Ignored } from "../worktree/ignored.ts";
import { readIndex } from "../worktree/index-file.ts";

const MERGE_BASE_USAGE = "usage: git merge-base [-a | --all] <commit> <commit>...";

export const mergeBase = command({
  flags: {
    "-a": SWITCH,
    "--all": SWITCH,
    "--is-ancestor": SWITCH,
    "--octopus": SWITCH,
    "--independent": SWITCH,
    "--fork-point": SWITCH,
  },
  *run({ options, repository, print, complain }) {
    if (options.has("--fork-point")) {
      const found = forkPoint(repository, options.operands.map(fromWord), complain);
      if (found === undefined) return 1;
      print(`${found}\n`);
      return 0;
    }
    const ids = options.operands.map((typed) => {
      const id = commitNamed(repository, fromWord(typed));
      if (id === undefined) throw new GitError(`Not a valid object name ${fromWord(typed)}`);
      return id;
    });
    const [one, ...others] = ids;
    if (one === undefined || (others[0] === undefined && !options.has("--independent", "--octopus")))
      throw new GitError(MERGE_BASE_USAGE, { exit: 129, prefix: "" });
    if (options.has("--independent")) {
      const unique = [...new Set(ids)];
      for (const id of unique) if (!unique.some((other) => other !== id && isAncestor(repository, id, other))) print(`${id}\n`);
      return 0;
    }
    if (options.has("--octopus")) {
      let bases: readonly string[] = [one];
      for (const other of others) bases = [...new Set(bases.flatMap((base) => mergeBases(repository, base, [other])))];
      const best = bases.filter((id) => !bases.some((other) => other !== id && isAncestor(repository, id, other)));
      for (const id of options.has("-a", "--all") ? best : best.slice(0, 1)) print(`${id}\n`);
      return best.length === 0 ? 1 : 0;
    }
    if (options.has("--is-ancestor")) return isAncestor(repository, one, others[0] as string) ? 0 : 1;
    const found = mergeBases(repository, one, others);
    for (const id of options.has("-a", "--all") ? found : found.slice(0, 1)) print(`${id}\n`);
    yield;
    return found.length === 0 ? 1 : 0;
  },
});

/** The entry of a reference's log that a history parted from it at (git-merge-base(1), "--fork-point"). Throws GitError. */
function forkPoint(
  repository: Repository,
  [name, typed = "HEAD", ...more]: readonly string[],
  complain: (text: string) => void,
): string | undefined {
  if (name === undefined || more.length > 0) throw new GitError(MERGE_BASE_USAGE, { exit: 129, prefix: "" });
  const tip = resolveRevision(repository, typed);
  if (tip === undefined) throw new GitError(`Not a valid object name: '${typed}'`);
  const derived = repository.asCommit(tip);
  const [ref, ...others] = namedRefs(repository, name);
  if (ref === undefined) throw new GitError(`No such ref: '${name}'`);
  if (others.length > 0) throw new GitError(`Ambiguous refname: '${name}'`);
  const entries = repository.refs.log(ref.target ?? ref.name);
  const ids = [entries[0]?.old, ...entries.map(({ id }) => id)].filter(
    (id) => id !== undefined && repository.objects.find(id)?.type === "commit",
  );
  const isCommit = repository.objects.find(ref.id)?.type === "commit";
  if (ids.length === 0 && !isCommit) complain(`error: Object ${ref.id} not a commit\n`);
  const points = new Set(ids.length > 0 || !isCommit ? ids : [ref.id]);
  const commits = [...points].filter((id) => id !== undefined);
  if (derived === undefined || commits.length === 0) return undefined;
  const [base, ...further] = mergeBases(repository, derived, commits);
  return base !== undefined && further.length === 0 && points.has(base) ? base : undefined;
}

const IGNORED_FLAGS = {
  "-q": SWITCH,
  "--quiet": SWITCH,
  "-v": SWITCH,
  "--verbose": SWITCH,
  "-n": SWITCH,
  "--non-matching": SWITCH,
  "--no-index": SWITCH,
  "-z": SWITCH,
  "--stdin": SWITCH,
} as const;

type IgnoredRun = CommandRun<NamesRead<typeof IGNORED_FLAGS>>;

export const checkIgnore = command({
  flags: IGNORED_FLAGS,
  *run(run) {
    const { options, repository } = run;
    const isVerbose = options.has("-v", "--verbose");
    if (options.has("-n", "--non-matching") && !isVerbose) throw new GitError("--non-matching is only valid with --verbose");
    const typed = [...options.operands, ...(options.paths ?? [])].map(fromWord);
    const readsNames = options.has("--stdin");
    if (readsNames && typed.length > 0) throw new GitError("cannot specify pathnames with --stdin");
    if (options.has("-q", "--quiet")) {
      if (isVerbose) throw new GitError("cannot have both --quiet and --verbose");
      if (typed.length !== 1) throw new GitError("--quiet is only valid with a single pathname");
    }
    if (options.has("-z") && !readsNames) throw new GitError("-z only makes sense with --stdin");
    if (typed.length === 0 && !readsNames) throw new GitError("no path specified");
    const rules = new Ignored(repository);
    const tracked = new Set(options.has("--no-index") ? [] : readIndex(repository).entries.map(({ name }) => name));
    const isFound = (word: string): boolean => answerOfIgnored(run, rules, tracked, word);
    let found = 0;
    for (const word of typed) if (isFound(word)) found++;
    const separator = options.has("-z") ? 0 : 10;
    for (let block = readsNames ? yield { separator } : undefined; block !== undefined; block = yield { separator }) {
      for (let at = 0; at < block.length; ) {
        const end = endOfLine(block, at, separator);
        if (isFound(block.toString("latin1", at, end))) found++;
        at = end + 1;
        yield;
      }
    }
    return found > 0 ? 0 : 1;
  },
});

/** Prints what the rules say of one path; whether one of them decides about it. */
function answerOfIgnored({ options, repository, print }: IgnoredRun, rules: Ignored, tracked: ReadonlySet<string>, word: string): boolean {
  const endsInNull = options.has("-z");
  const name = (path: string): string => (endsInNull ? path : quotedName(path, repository.quotesAll));
  const path = repository.fromHere(word);
  const isDirectory = word.endsWith("/") || repository.disk.status(repository.inWorktree(path), false)?.kind === "directory";
  const isSkipped = tracked.has(path) || path === "";
  if (!options.has("-v", "--verbose")) {
    if (isSkipped || !rules.has(path, isDirectory)) return false;
    if (!options.has("-q", "--quiet")) print(`${name(word)}${endsInNull ? "\0" : "\n"}`);
    return true;
  }
  const rule = isSkipped ? undefined : rules.ruleOf(path, isDirectory);
  if (rule === undefined && !options.has("-n", "--non-matching")) return false;
  const { source, line, pattern } = rule ?? { source: "", line: "", pattern: "" };
  if (endsInNull) print(`${source}\0${line}\0${pattern}\0${word}\0`);
  else print(`${name(source)}:${line}:${pattern}\t${name(word)}\n`);
  return rule !== undefined;
}
