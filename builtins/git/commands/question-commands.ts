/** Commands that answer a question: rev-parse, merge-base, check-ignore. */
import { endOfLine } from "../../../src/io/lines.ts";
import { fromWord, quotedName } from "../objects/byte-text.ts";
import { command, type CommandRun } from "./command.ts";
import { OPTIONAL, refused, refusedAll, SWITCH, VALUE, type NamesRead } from "./flags.ts";
import { GitError } from "../git-error.ts";
import { shortRefName } from "../refs/refs.ts";
import {
  commitNamed,
  HOW_TO_SEPARATE,
  previousBranch,
  refNamed,
  resolveRange,
  resolveRevision,
  upstreamOf,
  rangeEnds,
} from "../refs/revision.ts";
import { isAncestor, mergeBases } from "../log/revision-walk.ts";
import { complainOfPath } from "./show-command.ts";
import { Ignored } from "../worktree/ignored.ts";
import type { Repository } from "../repository.ts";
import { readIndex } from "../worktree/index-file.ts";

export const revParse = command({
  flags: {
    "--short": OPTIONAL,
    "--abbrev-ref": OPTIONAL,
    "--symbolic-full-name": SWITCH,
    "--show-toplevel": SWITCH,
    "--is-inside-work-tree": SWITCH,
    "--is-inside-git-dir": SWITCH,
    "--is-bare-repository": SWITCH,
    "--git-dir": SWITCH,
    "--git-common-dir": SWITCH,
    "--absolute-git-dir": SWITCH,
    "--show-prefix": SWITCH,
    "--show-cdup": SWITCH,
    "--verify": SWITCH,
    "-q": SWITCH,
    "--quiet": SWITCH,
    "--all": SWITCH,
    "--branches": SWITCH,
    "--tags": SWITCH,
    "--remotes": SWITCH,
    "--is-shallow-repository": SWITCH,
    "--show-superproject-working-tree": SWITCH,
    "--show-object-format": OPTIONAL,
    "--git-path": VALUE,
    ...refusedAll(
      [
        "--revs-only",
        "--no-revs",
        "--flags",
        "--no-flags",
        "--symbolic",
        "--parseopt",
        "--sq",
        "--sq-quote",
        "--path-format",
        "--default",
        "--resolve-git-dir",
        "--disambiguate",
        "--since",
        "--until",
      ],
      "it sorts or quotes arguments for scripts",
      "git rev-parse --verify HEAD",
    ),
  },
  *run({ options, repository, print }) {
    const { disk } = repository;
    const { typedGitDirectory } = repository;
    const standsInIt = repository.isInsideGitDirectory && repository.start === repository.gitDirectory;
    const gitDirectory = standsInIt
      ? "."
      : typedGitDirectory !== undefined
        ? typedGitDirectory
        : repository.hasWorktree && repository.prefix === "" && repository.gitDirectory === repository.inWorktree(".git")
          ? ".git"
          : disk.absolute(repository.gitDirectory);
    const printId = (id: string, typed: string): void => {
      if (options.has("--abbrev-ref", "--symbolic-full-name")) {
        const [, back] = /^@\{-([1-9][0-9]*)\}$/.exec(typed) ?? [];
        if (back !== undefined) {
          const left = previousBranch(repository, Number(back)) ?? "";
          const full = refNamed(repository, left);
          print(`${options.has("--abbrev-ref") || full === undefined ? left : full}\n`);
          return;
        }
        const [, of, mark] = /^([^]*)@\{(u|upstream)\}$/i.exec(typed) ?? [];
        const branch = of === "" || of === "HEAD" ? (repository.refs.symbolic("HEAD") ?? "").replace(/^refs\/heads\//, "") : of;
        const name = mark === undefined || branch === undefined ? refNamed(repository, typed) : upstreamOf(repository, branch);
        const full = name === "HEAD" ? (repository.refs.symbolic("HEAD") ?? "HEAD") : name;
        if (full === undefined) return;
        print(`${options.has("--abbrev-ref") ? shortRefName(full) : full}\n`);
      } else if (options.has("--short")) print(`${repository.short(id, Number(options.last("--short")) || undefined)}\n`);
      else print(`${id}\n`);
    };
    const answers: Readonly<Record<(typeof ANSWERED)[number], () => string>> = {
      "--show-toplevel": () => {
        return disk.files.rootPath === "/" && repository.worktree === "" ? "/" : latin(disk.absolute(repository.worktree));
      },
      "--is-inside-work-tree": () => String(repository.hasWorktree && !repository.isInsideGitDirectory),
      "--is-inside-git-dir": () => String(repository.isInsideGitDirectory),
      "--is-bare-repository": () => String(repository.isBare),
      "--git-dir": () => latin(gitDirectory),
      "--git-common-dir": () =>
        repository.commonDirectory === repository.gitDirectory && repository.prefix !== ""
          ? `${"../".repeat(repository.prefix.split("/").length - 1)}.git`
          : repository.commonDirectory === repository.gitDirectory
            ? latin(gitDirectory)
            : latin(disk.absolute(repository.commonDirectory)),
      "--absolute-git-dir": () => latin(disk.absolute(repository.gitDirectory)),
      "--show-prefix": () => repository.prefix,
      "--show-cdup": () => "../".repeat(repository.prefix.split("/").length - 1),
      "--is-shallow-repository": () => String(disk.status(`${repository.commonDirectory}/shallow`) !== undefined),
      "--show-object-format": () => "sha1",
    };
    for (const { name, value } of options.each(...ANSWERED, ...LISTED)) {
      if (name === "--show-superproject-working-tree") mayHaveSuperproject(repository);
      else if (isAnswered(name)) print(`${answers[name]()}\n`);
      else if (name === "--git-path") print(`${gitDirectory}/${value ?? ""}\n`);
      else {
        const prefix = name === "--all" ? "refs/" : name === "--branches" ? "refs/heads/" : `refs/${name.slice(2)}/`;
        for (const ref of repository.refs.list(prefix)) print(`${ref.id}\n`);
      }
    }
    const quiet = options.has("-q", "--quiet");
    const verifies = options.has("--verify");
    if (verifies && options.operands.length !== 1) {
      if (quiet) return 1;
      throw new GitError("Needed a single revision");
    }
    for (const typed of options.operands.map(fromWord)) {
      const range =
        rangeEnds(typed) !== undefined || /^\^/.test(typed) || /\^([@!]|-[0-9]*)$/.test(typed)
          ? resolveRange(repository, typed)
          : undefined;
      if (range !== undefined) {
        for (const id of range.include.toReversed()) print(`${id}\n`);
        for (const id of range.exclude) print(`^${id}\n`);
        for (const [a, b] of range.symmetric) for (const base of mergeBases(repository, a, [b])) print(`^${base}\n`);
        continue;
      }
      const id = resolveRevision(repository, typed);
      if (id === undefined) {
        if (verifies || options.has("--short")) {
          if (quiet) return 1;
          throw new GitError("Needed a single revision");
        }
        complainOfPath(repository, typed, options);
        if (repository.statusInWorktree(repository.prefix + typed) !== undefined) {
          print(`${typed}\n`);
          continue;
        }
        print(`${typed}\n`);
        throw new GitError(`ambiguous argument '${typed}': unknown revision or path not in the working tree.\n${HOW_TO_SEPARATE}`);
      }
      printId(id, typed);
    }
    for (const path of options.paths ?? []) print(`${fromWord(path)}\n`);
    yield;
    return 0;
  },
});

/** Nothing is printed where there is no superproject. Throws GitError where there may be one: it is not looked for. */
function mayHaveSuperproject(repository: Repository): void {
  const { disk, worktree, gitDirectory } = repository;
  const parts = worktree === "" ? [] : worktree.split("/");
  const isBelow = parts.some((_, depth) => disk.status([...parts.slice(0, depth), ".git"].join("/"), false) !== undefined);
  if (isBelow || gitDirectory !== repository.inWorktree(".git")) throw new GitError("whether this is a submodule is not told here");
}

/** Flags that are answered in their order. */
const ANSWERED = [
  "--show-toplevel",
  "--is-inside-work-tree",
  "--is-inside-git-dir",
  "--is-bare-repository",
  "--git-dir",
  "--git-common-dir",
  "--absolute-git-dir",
  "--show-prefix",
  "--show-cdup",
  "--is-shallow-repository",
  "--show-object-format",
] as const;
const LISTED = ["--show-superproject-working-tree", "--git-path", "--all", "--branches", "--tags", "--remotes"] as const;

const isAnswered = (name: string): name is (typeof ANSWERED)[number] => ANSWERED.some((known) => known === name);

const latin = (path: string): string => fromWord(path);

export const mergeBase = command({
  flags: {
    "-a": SWITCH,
    "--all": SWITCH,
    "--is-ancestor": SWITCH,
    "--octopus": SWITCH,
    "--independent": SWITCH,
    "--fork-point": refused("reflogs are not weighed against history here", "git merge-base main HEAD"),
  },
  *run({ options, repository, print }) {
    const ids = options.operands.map((typed) => {
      const id = commitNamed(repository, fromWord(typed));
      if (id === undefined) throw new GitError(`Not a valid object name ${fromWord(typed)}`);
      return id;
    });
    const [one, ...others] = ids;
    if (one === undefined || (others[0] === undefined && !options.has("--independent", "--octopus")))
      throw new GitError("usage: git merge-base [-a | --all] <commit> <commit>...", { exit: 129, prefix: "" });
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
