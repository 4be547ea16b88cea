/** git rev-parse: names of revisions made into ids, and facts of the repository. */
import { fromWord } from "../objects/byte-text.ts";
import { command, type CommandRun } from "./command.ts";
import { OPTIONAL, refusedAll, SWITCH, VALUE, type NamesRead } from "./flags.ts";
import { GitError } from "../git-error.ts";
import { shortestRefName } from "../refs/ref-values.ts";
import {
  isAmbiguous,
  ShortReflogError,
  peeledWrongly,
  previousBranch,
  rangeEnds,
  refNamed,
  resolveRange,
  resolveRevision,
  upstreamOf,
} from "../refs/revision.ts";
import { checkPath } from "../refs/misspelt-revision.ts";
import { mergeBases } from "../log/revision-walk.ts";
import { USUAL_FORMAT } from "../objects/object-format.ts";
import type { Repository } from "../repository.ts";

const FLAGS = {
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
      "--disambiguate",
      "--since",
      "--until",
    ],
    "it sorts or quotes arguments for scripts",
    "git rev-parse --verify HEAD",
  ),
  ...refusedAll(["--default", "--resolve-git-dir"], "it sorts or quotes arguments for scripts", "git rev-parse --verify HEAD", "value"),
} as const;

type OwnRun = CommandRun<NamesRead<typeof FLAGS>>;

/** Each flag acts on what stands behind it. */
export const revParse = command({
  flags: FLAGS,
  *run(run: OwnRun) {
    const { options, repository, print } = run;
    const printed = new PrintedRevisions(run);
    const facts = factsOf(repository);
    const given = options.each(...ACTING).values();
    const revisions: Revision[] = [];
    let isQuiet = false;
    let isSingle = false;
    let hasPaths = false;
    for (const word of options.sequence) {
      yield;
      const option = isOneOf(ACTING, word) ? given.next().value : undefined;
      const typed = fromWord(word);
      if (hasPaths) {
        print(`${typed}\n`);
        if (option !== undefined) throw new GitError(`option '${typed}' must come before non-option arguments`);
        checkPath(repository, typed, false);
      } else if (option !== undefined) {
        const { name, value } = option;
        if (name === "-q" || name === "--quiet") isQuiet = true;
        else if (name === "--verify") isSingle = true;
        else if (name === "--short") {
          isSingle = true;
          printed.digits = value === undefined ? "unique" : Math.min(MOST_DIGITS, Math.max(LEAST_DIGITS, Number.parseInt(value, 10) || 0));
        } else if (name === "--symbolic-full-name") printed.names.add(name);
        else if (name === "--abbrev-ref") {
          if (value !== undefined && value !== "strict" && value !== "loose") throw new GitError(`unknown mode for --abbrev-ref: ${value}`);
          printed.names.add(name);
          printed.isStrict = value === undefined ? undefined : value === "strict";
        } else if (name === "--show-superproject-working-tree") mayHaveSuperproject(repository);
        else if (name === "--git-path") print(`${gitDirectoryShown(repository)}/${value ?? ""}\n`);
        else if (isOneOf(LISTED, name))
          for (const ref of repository.refs.list(LISTS[name])) printed.revision({ id: ref.id, name: ref.name });
        else print(`${facts[name]()}\n`);
      } else if (!printed.range(typed)) {
        const isExcluded = typed.startsWith("^");
        const name = isExcluded ? typed.slice(1) : typed;
        const id = isQuiet ? quietlyResolved(repository, name) : resolveRevision(repository, name);
        if (id === NO_ENTRY) return 128;
        if (id !== undefined && isSingle) revisions.push({ id, name, isExcluded });
        else if (id !== undefined) printed.revision({ id, name, isExcluded });
        else if (isSingle) return noSingleRevision(isQuiet, peeledWrongly(repository, name));
        else {
          if (options.paths !== undefined) throw new GitError(`bad revision '${typed}'`);
          print(`${typed}\n`);
          checkPath(repository, typed, true);
          hasPaths = true;
        }
      }
    }
    if (!isSingle && options.paths !== undefined) for (const path of ["--", ...options.paths]) print(`${fromWord(path)}\n`);
    const [revision, ...more] = revisions;
    if (isSingle && (revision === undefined || more.length > 0)) return noSingleRevision(isQuiet);
    if (revision !== undefined) printed.revision(revision);
    return 0;
  },
});

const NO_ENTRY = Symbol("a reflog that is too short");

function quietlyResolved(repository: Repository, name: string): string | typeof NO_ENTRY | undefined {
  try {
    return resolveRevision(repository, name);
  } catch (thrown) {
    if (thrown instanceof ShortReflogError) return NO_ENTRY;
    throw thrown;
  }
}

const LEAST_DIGITS = 4;
/** Of --short=N: git asks how long ids are before it knows the repository. */
const MOST_DIGITS = USUAL_FORMAT.idDigits;

function noSingleRevision(isQuiet: boolean, complaint = ""): number {
  if (isQuiet) return 1;
  throw new GitError("Needed a single revision", { prefix: `${complaint}fatal: ` });
}

interface Revision {
  readonly id: string;
  /** As it was typed; absent for one that only a range stands for. */
  readonly name?: string;
  readonly isExcluded?: boolean;
}

/** Prints revisions as the flags before them ask for. */
class PrintedRevisions {
  readonly names = new Set<"--abbrev-ref" | "--symbolic-full-name">();
  /** Of --abbrev-ref; undefined: as core.warnAmbiguousRefs has it. */
  isStrict: boolean | undefined;
  /** Undefined: whole ids. */
  digits: "unique" | number | undefined;
  readonly #repository: Repository;
  readonly #print: OwnRun["print"];
  readonly #complain: OwnRun["complain"];

  constructor({ repository, print, complain }: OwnRun) {
    this.#repository = repository;
    this.#print = print;
    this.#complain = complain;
  }

  revision({ id, name, isExcluded = false }: Revision): void {
    const shown = name !== undefined && this.names.size > 0 ? this.#nameOf(name) : this.#idOf(id);
    if (shown !== undefined) this.#print(`${isExcluded ? "^" : ""}${shown}\n`);
  }

  /** Prints what `A..B`, `A...B`, `A^@`, `A^!` and `A^-N` stand for; false where `typed` is none of them. */
  range(typed: string): boolean {
    const ends = rangeEnds(typed);
    const [, parentsOf] = /^([^]+)\^(?:[@!]|-[0-9]*)$/.exec(typed) ?? [];
    if (ends === undefined && parentsOf === undefined) return false;
    const range = resolveRange(this.#repository, typed);
    if (range === undefined) return false;
    if (ends !== undefined) {
      const [from, to] = [ends.from, ends.to].map((end) => resolveRevision(this.#repository, end));
      if (from === undefined || to === undefined) return false;
      this.revision({ id: to, name: ends.to });
      this.revision({ id: from, name: ends.from, isExcluded: ends.dots === ".." });
      for (const [a, b] of range.symmetric)
        for (const base of mergeBases(this.#repository, a, [b])) this.revision({ id: base, isExcluded: true });
      return true;
    }
    const isParentsAlone = typed.endsWith("^@");
    const own = parentsOf === undefined ? undefined : resolveRevision(this.#repository, parentsOf);
    if (!isParentsAlone && own !== undefined) this.revision({ id: own, name: parentsOf as string });
    // `A^1` is no reference, and so has no full name.
    if (this.names.has("--symbolic-full-name")) return true;
    for (const id of isParentsAlone ? range.include : range.exclude) this.revision({ id, isExcluded: !isParentsAlone });
    return true;
  }

  #idOf(id: string): string {
    if (this.digits === undefined) return id;
    return this.#repository.short(id, this.digits === "unique" ? undefined : this.digits);
  }

  /** Undefined where `typed` names no reference. */
  #nameOf(typed: string): string | undefined {
    const repository = this.#repository;
    const isShort = this.names.has("--abbrev-ref");
    const [, back] = /^@\{-([1-9][0-9]*)\}$/.exec(typed) ?? [];
    if (back !== undefined) {
      const left = previousBranch(repository, Number(back)) ?? "";
      const full = refNamed(repository, left);
      return isShort || full === undefined ? left : full;
    }
    const [, of, mark] = /^([^]*)@\{(u|upstream|push)\}$/i.exec(typed) ?? [];
    const branch = of === "" || of === "HEAD" ? (repository.refs.symbolic("HEAD") ?? "").replace(/^refs\/heads\//, "") : of;
    if (mark === undefined && isAmbiguous(repository, typed)) {
      this.#complain(`error: refname '${typed}' is ambiguous\n`);
      return undefined;
    }
    const name = mark === undefined || branch === undefined ? refNamed(repository, typed) : upstreamOf(repository, branch);
    if (name === undefined) return undefined;
    const full = repository.refs.resolve(name)?.target ?? repository.refs.symbolic(name) ?? name;
    return isShort ? shortestRefName(repository, full, this.isStrict) : full;
  }
}

const LISTS = { "--all": "refs/", "--branches": "refs/heads/", "--tags": "refs/tags/", "--remotes": "refs/remotes/" } as const;
const LISTED = ["--all", "--branches", "--tags", "--remotes"] as const;
const FACTS = [
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
const ACTING = [
  ...FACTS,
  ...LISTED,
  ...(["-q", "--quiet", "--verify", "--short", "--abbrev-ref", "--symbolic-full-name", "--git-path"] as const),
  "--show-superproject-working-tree",
] as const;

const isOneOf = <Name extends string>(names: readonly Name[], name: string): name is Name => names.some((known) => known === name);

function factsOf(repository: Repository): Readonly<Record<(typeof FACTS)[number], () => string>> {
  const { disk } = repository;
  return {
    "--show-toplevel": () =>
      disk.files.rootPath === "/" && repository.worktree === "" ? "/" : fromWord(disk.absolute(repository.worktree)),
    "--is-inside-work-tree": () => String(repository.hasWorktree && !repository.isInsideGitDirectory),
    "--is-inside-git-dir": () => String(repository.isInsideGitDirectory),
    "--is-bare-repository": () => String(repository.isBare),
    "--git-dir": () => fromWord(gitDirectoryShown(repository)),
    "--git-common-dir": () =>
      repository.commonDirectory === repository.gitDirectory && repository.prefix !== ""
        ? `${"../".repeat(repository.prefix.split("/").length - 1)}.git`
        : repository.commonDirectory === repository.gitDirectory
          ? fromWord(gitDirectoryShown(repository))
          : fromWord(disk.absolute(repository.commonDirectory)),
    "--absolute-git-dir": () => fromWord(disk.absolute(repository.gitDirectory)),
    "--show-prefix": () => repository.prefix,
    "--show-cdup": () => "../".repeat(repository.prefix.split("/").length - 1),
    "--is-shallow-repository": () => String(disk.status(`${repository.commonDirectory}/shallow`) !== undefined),
    "--show-object-format": () => repository.format.name,
  };
}

/** `.git` at the top of the working tree, the path that was typed, or the whole path. */
function gitDirectoryShown(repository: Repository): string {
  if (repository.isInsideGitDirectory && repository.start === repository.gitDirectory) return ".";
  if (repository.typedGitDirectory !== undefined) return repository.typedGitDirectory;
  const isUsual = repository.hasWorktree && repository.prefix === "" && repository.gitDirectory === repository.inWorktree(".git");
  return isUsual ? ".git" : repository.disk.absolute(repository.gitDirectory);
}

/** Nothing is printed where there is no superproject. Throws GitError where there may be one: it is not looked for. */
function mayHaveSuperproject(repository: Repository): void {
  const { disk, worktree, gitDirectory } = repository;
  const parts = worktree === "" ? [] : worktree.split("/");
  const isBelow = parts.some((_, depth) => disk.status([...parts.slice(0, depth), ".git"].join("/"), false) !== undefined);
  if (isBelow || gitDirectory !== repository.inWorktree(".git")) throw new GitError("whether this is a submodule is not told here");
}
