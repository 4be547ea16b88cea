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
  "--path-format": VALUE,
  "--revs-only": SWITCH,
  "--no-revs": SWITCH,
  "--symbolic": SWITCH,
  "--sq": SWITCH,
  ...refusedAll(
    ["--flags", "--no-flags", "--parseopt", "--sq-quote", "--disambiguate", "--since", "--until"],
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
    let format: PathFormat | undefined;
    const facts = factsOf(repository, () => format);
    const file = (text: string): boolean => {
      if (printed.revsOnly) return false;
      printed.show(text);
      return true;
    };
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
        if (!file(typed)) break;
        if (option !== undefined) throw new GitError(`option '${typed}' must come before non-option arguments`);
        checkPath(repository, typed, false);
      } else if (option !== undefined) {
        const { name, value } = option;
        if (name === "-q" || name === "--quiet") isQuiet = true;
        else if (name === "--verify") isSingle = true;
        else if (name === "--short") {
          isSingle = true;
          printed.digits = value === undefined ? "unique" : Math.min(MOST_DIGITS, Math.max(LEAST_DIGITS, Number.parseInt(value, 10) || 0));
        } else if (name === "--symbolic-full-name" || name === "--symbolic") {
          printed.names.delete("--symbolic-full-name");
          printed.names.delete("--symbolic");
          printed.names.add(name);
        } else if (name === "--sq") printed.isQuoted = true;
        else if (name === "--revs-only") printed.revsOnly = true;
        else if (name === "--no-revs") printed.noRevs = true;
        else if (name === "--path-format") {
          if (value !== "absolute" && value !== "relative") throw new GitError(`unknown argument to --path-format: ${value ?? ""}`);
          format = value;
        } else if (name === "--abbrev-ref") {
          if (value !== undefined && value !== "strict" && value !== "loose") throw new GitError(`unknown mode for --abbrev-ref: ${value}`);
          printed.names.add(name);
          printed.isStrict = value === undefined ? undefined : value === "strict";
        } else if (name === "--show-superproject-working-tree") mayHaveSuperproject(repository);
        else if (name === "--git-path") {
          const path = value ?? "";
          const hooks = /^hooks(?:\/|$)/.test(path) ? repository.config.get("core.hookspath") : undefined;
          if (hooks !== undefined && (format !== undefined || hooks.startsWith("~")))
            throw new GitError("core.hooksPath is not followed here from other directories");
          const place = hooks ?? `${facts[isShared(repository, path) ? "--git-common-dir" : name]()}/`;
          print(`${place}${hooks === undefined ? path : path.slice("hooks".length)}\n`);
        } else if (isOneOf(LISTED, name))
          for (const ref of repository.refs.list(LISTS[name]))
            printed.revision({ id: ref.id, name: ref.name, asIs: name === "--all" ? ref.name : ref.name.slice(LISTS[name].length) });
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
          if (!file(typed)) break;
          checkPath(repository, typed, true);
          hasPaths = true;
        }
      }
    }
    if (!isSingle && options.paths !== undefined) for (const path of ["--", ...options.paths]) file(fromWord(path));
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
  /** For --symbolic, where that is another. */
  readonly asIs?: string;
  readonly isExcluded?: boolean;
}

/** Prints revisions as the flags before them ask for. */
class PrintedRevisions {
  readonly names = new Set<"--abbrev-ref" | "--symbolic-full-name" | "--symbolic">();
  /** Words are quoted for a shell, and parted by blanks. */
  isQuoted = false;
  revsOnly = false;
  noRevs = false;
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

  show(text: string, before = ""): void {
    this.#print(this.isQuoted ? `${before}'${text.replace(/'/g, "'\\''")}' ` : `${before}${text}\n`);
  }

  revision({ id, name, asIs = name, isExcluded = false }: Revision): void {
    if (this.noRevs) return;
    const isAsIs = this.names.has("--symbolic") && !this.names.has("--abbrev-ref");
    const shown = name === undefined || this.names.size === 0 ? this.#idOf(id) : isAsIs ? asIs : this.#nameOf(name);
    if (shown !== undefined) this.show(shown, isExcluded ? "^" : "");
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
    const isNamed = this.names.has("--symbolic-full-name") || this.names.has("--symbolic");
    const first = Number(/\^-([0-9]+)$/.exec(typed)?.[1] ?? "1");
    for (const [at, id] of (isParentsAlone ? range.include : range.exclude).entries())
      this.revision({ id, isExcluded: !isParentsAlone, ...(isNamed ? { name: `${parentsOf}^${first + at}` } : {}) });
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
  ...(["--path-format", "--revs-only", "--no-revs", "--symbolic", "--sq"] as const),
  "--show-superproject-working-tree",
] as const;

const isOneOf = <Name extends string>(names: readonly Name[], name: string): name is Name => names.some((known) => known === name);

const SHARED =
  /^(?:(?:branches|common|hooks|info|logs|lost-found|objects|refs|remotes|worktrees|rr-cache|svn)(?:\/|$)|(?:config|gc\.pid|packed-refs|shallow)$)/;
const OWN = /^(?:info\/sparse-checkout$|logs\/HEAD$|(?:logs\/)?refs\/(?:bisect|rewritten|worktree)(?:\/|$))/;

/** True for a path that the linked worktrees of a repository share (gitrepository-layout(5)). */
const isShared = ({ commonDirectory, gitDirectory }: Repository, path: string): boolean =>
  commonDirectory !== gitDirectory && SHARED.test(path.replace(/\.lock$/, "")) && !OWN.test(path.replace(/\.lock$/, ""));

type PathFormat = "absolute" | "relative";

/** `formatOf`: as --path-format had it last. */
function factsOf(
  repository: Repository,
  formatOf: () => PathFormat | undefined,
): Readonly<Record<(typeof FACTS)[number] | "--git-path", () => string>> {
  const { disk } = repository;
  const formatted = (path: string, usual: () => string): string => {
    const format = formatOf();
    if (format === undefined) return usual();
    const whole = fromWord(disk.absolute(path));
    return format === "absolute" ? whole : relativeFrom(fromWord(disk.absolute(repository.start)), whole);
  };
  const gitDirectory = (): string => formatted(repository.gitDirectory, () => fromWord(gitDirectoryShown(repository)));
  const isBelow = repository.commonDirectory === repository.gitDirectory && repository.prefix !== "";
  const fromBelow = (): string => `${"../".repeat(repository.prefix.split("/").length - 1)}.git`;
  const top = (): string =>
    disk.files.rootPath === "/" && repository.worktree === "" ? "/" : fromWord(disk.absolute(repository.worktree));
  return {
    "--show-toplevel": () => formatted(repository.worktree, top),
    "--is-inside-work-tree": () => String(repository.hasWorktree && !repository.isInsideGitDirectory),
    "--is-inside-git-dir": () => String(repository.isInsideGitDirectory),
    "--is-bare-repository": () => String(repository.isBare),
    "--git-dir": gitDirectory,
    "--git-path": () => (isBelow ? formatted(repository.gitDirectory, fromBelow) : gitDirectory()),
    "--git-common-dir": () =>
      formatted(repository.commonDirectory, () =>
        isBelow
          ? fromBelow()
          : repository.commonDirectory === repository.gitDirectory
            ? fromWord(gitDirectoryShown(repository))
            : fromWord(disk.absolute(repository.commonDirectory)),
      ),
    "--absolute-git-dir": () => fromWord(disk.absolute(repository.gitDirectory)),
    "--show-prefix": () => repository.prefix,
    "--show-cdup": () => "../".repeat(repository.prefix.split("/").length - 1),
    "--is-shallow-repository": () => String(disk.status(`${repository.commonDirectory}/shallow`) !== undefined),
    "--show-object-format": () => repository.format.name,
  };
}

/** A whole path as one from the directory `from`: "./", "../.git". */
function relativeFrom(from: string, path: string): string {
  const [start, end] = [from, path].map((whole) => whole.split("/").filter((part) => part !== "")) as [string[], string[]];
  let common = 0;
  while (common < start.length && start[common] === end[common]) common++;
  return `${"../".repeat(start.length - common)}${end.slice(common).join("/")}` || "./";
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
