/** git grep: lines of tracked files, of the index, or of commits. */
import { fromWord, quotedName } from "../objects/byte-text.ts";
import { command, type CommandRun } from "./command.ts";
import { GREP_FLAGS, type GrepFlag } from "./grep-flags.ts";
import { GitError } from "../git-error.ts";
import { configuredSyntax, SYNTAXES } from "../log/grep-syntax.ts";
import { GrepExpression, type GrepToken } from "../log/grep-expression.ts";
import { grepFile, type GrepOptions } from "../log/grep-file.ts";
import { grepOptions } from "./grep-options.ts";
import { emptyIndex, readIndex, type IndexEntry } from "../worktree/index-file.ts";
import { StatusReader } from "../worktree/status-reader.ts";
import { isRegular, isSubmodule, isTree } from "../objects/objects.ts";
import type { Options } from "./options.ts";
import type { Print } from "../diff/patch.ts";
import { Pathspec } from "../worktree/pathspec.ts";
import { isBinary } from "../diff/renames.ts";
import { relativePath } from "../worktree/relative-path.ts";
import type { Repository } from "../repository.ts";
import { repositoryOfNothing } from "../repository-search.ts";
import { checkNoPath, checkPath } from "../refs/misspelt-revision.ts";
import { placeNamed, resolveRevision, treeOf } from "../refs/revision.ts";
import { driverOf } from "../diff/userdiff.ts";
import { untrackedFiles } from "../worktree/untracked.ts";

export const grep = command({
  flags: GREP_FLAGS,

  takesNumbers: true,
  numberFlag: "-C",
  wordFlags: ["(", ")"],
  stopsAtOperand: true,
  worksOutside: true,
  *run(given) {
    const { options } = given;
    const run = given.repository.isAbsent ? { ...given, repository: outsideRepository(given) } : given;
    const { repository } = run;
    const operands = options.operands.map(fromWord);
    const tokens = tokensOf(run);
    if (tokens.length === 0) {
      const pattern = operands.shift();
      if (pattern === undefined) throw new GitError("no pattern given");
      tokens.push(...pattern.split("\n").map((text): GrepToken => ({ kind: "pattern", text, from: "command line" })));
    }
    const late = operands.find((word) => word.startsWith("-"));
    if (late !== undefined)
      throw new GitError(
        options.paths === undefined ? `option '${late}' must come before non-option arguments` : `unable to resolve revision: ${late}`,
      );
    const isUnindexed = options.has("--no-index");
    const isUntracked = options.lastOf("--untracked", "--no-untracked") === "--untracked";
    const { revisions, typed } = isUnindexed || isUntracked ? withoutRevisions(run, operands) : split(run, operands);
    const { config } = repository;
    const type = options.lastOf("-E", "--extended-regexp", "-G", "--basic-regexp", "-F", "--fixed-strings", "-P", "--perl-regexp");
    const expression = new GrepExpression(tokens, {
      syntax: SYNTAXES.get(type ?? "") ?? configuredSyntax(config),
      foldCase: options.has("-i", "--ignore-case"),
      words: options.has("-w", "--word-regexp"),
    });
    const wanted = grepOptions(options, repository, expression);
    const places = typed.length === 0 && repository.prefix !== "" ? ["."] : typed;
    const paths = places.length === 0 ? undefined : new Pathspec(repository, places, true);
    const search = new GrepSearch(run, wanted, paths, places);
    const beside = [
      ...(isUnindexed ? ["--no-index"] : []),
      ...(isUntracked ? ["--untracked"] : []),
      ...(options.has("--cached") ? ["--cached"] : []),
    ].map((name) => `'${name}'`);
    if (beside.length > 2) throw new GitError(`options ${beside[0]}, ${beside[1]}, and ${beside[2]} cannot be used together`);
    if (beside.length > 1) throw new GitError(`options ${beside.join(" and ")} cannot be used together`);
    const excludes = options.lastOf("--exclude-standard", "--no-exclude-standard");
    if (isUnindexed || isUntracked) {
      const leavesOut = excludes === undefined ? !isUnindexed : excludes === "--exclude-standard";
      return (yield* search.untracked({ leavesOut, entersRepositories: isUnindexed })) ? 0 : 1;
    }
    if (excludes !== undefined) throw new GitError("--[no-]exclude-standard cannot be used for tracked contents");
    if (revisions.length === 0) return (yield* options.has("--cached") ? search.cached() : search.working()) ? 0 : 1;
    if (options.has("--cached")) throw new GitError("both --cached and trees are given");
    let found = false;
    for (const { name, id } of revisions) {
      found = (yield* search.object(name, id)) || found;
      if (found && wanted.quiet) break;
    }
    return found ? 0 : 1;
  },
});

/** The directory outside of any repository, where --no-index alone searches. Throws GitError without it. */
function outsideRepository({ repository, options }: CommandRun<GrepFlag>): Repository {
  if (!options.has("--no-index")) throw new GitError("not a git repository (or any of the parent directories): .git");
  return repositoryOfNothing(repository);
}

/** Where no revision is taken, all operands are paths. Throws GitError. */
function withoutRevisions(
  { options, repository }: CommandRun<GrepFlag>,
  operands: readonly string[],
): { readonly revisions: Named[]; readonly typed: string[] } {
  const paths = options.paths?.map(fromWord);
  if (paths !== undefined && operands.length > 0) throw new GitError("--no-index or --untracked cannot be used with revs");
  for (const path of operands) checkPath(repository, path, false);
  return { revisions: [], typed: paths ?? [...operands] };
}

/** -e, -f, --and, --or, --not and parentheses in order. */
function tokensOf({ options, repository }: CommandRun<GrepFlag>): GrepToken[] {
  const tokens: GrepToken[] = [];
  for (const { name, value } of options.each("--and", "--or", "--not", "(", ")", "-e", "-f")) {
    if (name === "--and" || name === "--or" || name === "--not")
      tokens.push({ kind: name === "--and" ? "and" : name === "--or" ? "or" : "not" });
    else if (name === "(" || name === ")") tokens.push({ kind: name === "(" ? "open" : "close" });
    else if (name === "-e") for (const text of fromWord(value ?? "").split("\n")) tokens.push({ kind: "pattern", text, from: "-e option" });
    else {
      const file = fromWord(value ?? "");
      const text = repository.disk.text(repository.inWorktree(repository.fromHere(file)));
      if (text === undefined) throw new GitError(`cannot open '${file}': No such file or directory`);
      for (const line of text.split("\n")) if (line !== "") tokens.push({ kind: "pattern", text: line, from: file });
    }
  }
  return tokens;
}

interface Named {
  readonly name: string;
  readonly id: string;
}

/** Commits and trees stand before paths. */
function split(
  { options, repository }: CommandRun<GrepFlag>,
  operands: readonly string[],
): { readonly revisions: Named[]; readonly typed: string[] } {
  const revisions: Named[] = [];
  const paths = options.paths?.map(fromWord);
  for (const [index, word] of operands.entries()) {
    const id = resolveRevision(repository, word);
    if (id === undefined || repository.objects.find(id) === undefined) {
      if (paths !== undefined) throw new GitError(`unable to resolve revision: ${word}`);
      for (const [later, path] of operands.slice(index).entries()) checkPath(repository, path, later === 0);
      return { revisions, typed: operands.slice(index) };
    }
    if (paths === undefined) checkNoPath(repository, word);
    revisions.push({ name: word, id });
  }
  return { revisions, typed: paths ?? [] };
}

class GrepSearch {
  readonly #repository: Repository;
  readonly #options: Options<GrepFlag>;
  readonly #wanted: GrepOptions;
  readonly #paths: Pathspec | undefined;
  readonly #print: Print;
  readonly #mostDepth: number;
  readonly #bases: readonly string[];
  readonly #isSeparated: boolean;
  readonly #isFullName: boolean;
  #hasShown = false;

  constructor(
    { repository, options, print }: CommandRun<GrepFlag>,
    wanted: GrepOptions,
    paths: Pathspec | undefined,
    typed: readonly string[],
  ) {
    this.#repository = repository;
    this.#options = options;
    this.#wanted = wanted;
    this.#paths = paths;
    this.#print = print;
    const depth = options.each("--max-depth", "-r", "--recursive", "--no-recursive").at(-1);
    this.#mostDepth =
      depth === undefined || depth.name === "-r" || depth.name === "--recursive"
        ? -1
        : depth.name === "--max-depth"
          ? Number(depth.value)
          : 0;
    const fullName = options.lastOf("--full-name", "--no-full-name");
    this.#isFullName = fullName === undefined ? repository.config.boolean("grep.fullname", false) : fullName === "--full-name";
    this.#bases = typed.filter((word) => !/[*?[:]/.test(word)).map((word) => repository.fromHere(word));
    const showsLines = !(wanted.counts || wanted.listsNames || wanted.listsOthers);
    this.#isSeparated = showsLines && (wanted.before > 0 || wanted.after > 0 || wanted.breaks || wanted.functionBody);
  }

  *working(): Generator<void, boolean> {
    return yield* this.#each(this.#workingFiles());
  }

  /** `leavesOut`: ignored files are not searched. */
  *untracked({
    leavesOut,
    entersRepositories,
  }: {
    readonly leavesOut: boolean;
    readonly entersRepositories: boolean;
  }): Generator<void, boolean> {
    const { untracked } = untrackedFiles(this.#repository, emptyIndex(), {
      joinsDirectories: false,
      listsIgnored: false,
      paths: this.#paths,
      entersRepositories,
      ...(leavesOut ? {} : { rules: "none" }),
    });
    const files = untracked.filter((path) => !path.endsWith("/")).map((path) => ({ path, read: () => this.#onDisk(path) }));
    return yield* this.#each(files);
  }

  *cached(): Generator<void, boolean> {
    const repository = this.#repository;
    const files = readIndex(repository)
      .entries.filter(({ mode, stage, intentToAdd }) => isRegular(mode) && stage === 0 && !intentToAdd)
      .map(({ name, id }) => ({ path: name, read: () => repository.blob(id, name) }));
    return yield* this.#each(files, "", false);
  }

  *object(name: string, id: string): Generator<void, boolean> {
    const repository = this.#repository;
    const peeled = repository.peeled(id);
    const tree = treeOf(repository, id);
    const prefix = `${name}${name.includes(":") ? "/" : ":"}`;
    const place = placeNamed(repository, name);
    repository.denied.checkNamed(place, name);
    if (tree === undefined) {
      const read = (): Buffer => repository.objects.get(peeled, "blob").data;
      return yield* this.#each([{ path: name, read, shown: name }], "", false);
    }
    const below = place === undefined || place === "" ? "" : `${place}/`;
    return yield* this.#each(this.#treeFiles(tree, "", below), prefix, false);
  }

  /** Those that are known to hold nothing are left out. */
  *#workingFiles(): Generator<GrepCandidate | undefined, void> {
    const repository = this.#repository;
    const index = readIndex(repository);
    const reader = new StatusReader(repository.disk, repository.worktree);
    const { invert, listsOthers, expression } = this.#wanted;
    const mayHold = invert || listsOthers ? undefined : expression.mayHold;
    const isSearched = (at: number): boolean => isRegular(index.wordAt(at, 24)) && this.#isWanted(index.nameAt(at));
    let expectedTo = 0;
    try {
      for (let at = 0; at < index.count; at++) {
        const name = index.nameAt(at);
        if (at % PASSED_AT_ONCE === 0) yield undefined;
        if (!isSearched(at) || (at > 0 && index.nameAt(at - 1) === name)) continue;
        const entry = index.at(at) as IndexEntry;
        if (entry.assumedUnchanged || entry.skipsWorktree) {
          yield { path: name, read: () => repository.blob(entry.id, name) };
          continue;
        }
        if (at >= expectedTo) {
          const directory = name.slice(0, name.lastIndexOf("/") + 1);
          const names: string[] = [];
          for (expectedTo = at; expectedTo < index.count && names.length < MOST_EXPECTED; expectedTo++) {
            const next = index.nameAt(expectedTo);
            if (!next.startsWith(directory) || next.includes("/", directory.length)) break;
            if (isSearched(expectedTo)) names.push(next.slice(directory.length));
          }
          reader.expect(directory, names, mayHold !== undefined);
        }
        if (mayHold === undefined || !reader.passes(name, mayHold)) yield { path: name, read: () => reader.read(name) };
      }
    } finally {
      reader.close();
    }
  }

  #isWanted(path: string): boolean {
    return (this.#paths === undefined || this.#paths.matches(path)) && !this.#isDeep(path);
  }

  /** `place`: where the tree of the whole search lies in its commit, with a slash at the end. */
  *#treeFiles(tree: string, below: string, place: string): Generator<GrepCandidate, void> {
    const repository = this.#repository;
    for (const { name, mode, id } of repository.tree(tree)) {
      const path = below + name;
      if (isTree(mode)) {
        if (this.#paths === undefined || this.#paths.mayHold(path) || this.#paths.matches(path, true))
          yield* this.#treeFiles(id, `${path}/`, place);
      } else if (isRegular(mode) && !isSubmodule(mode)) {
        yield { path, place: place + path, read: () => repository.blob(id, place + path) };
      }
    }
  }

  #onDisk(path: string): Buffer | undefined {
    const place = this.#repository.inWorktree(path);
    return this.#repository.disk.status(place, false)?.kind === "file" ? this.#repository.disk.read(place) : undefined;
  }

  #isDeep(path: string): boolean {
    if (this.#mostDepth < 0) return false;
    const depths = (this.#bases.length === 0 ? [""] : this.#bases).flatMap((base) =>
      base === ""
        ? [path.split("/").length - 1]
        : path.startsWith(`${base}/`)
          ? [path.slice(base.length + 1).split("/").length - 1]
          : path === base
            ? [0]
            : [],
    );
    return depths.length > 0 && Math.min(...depths) > this.#mostDepth;
  }

  /** `inParallel`: git searches these with threads, and leaves out the first line where marks stand between files. */
  *#each(files: Iterable<GrepCandidate | undefined>, prefix = "", inParallel = true): Generator<void, boolean> {
    const repository = this.#repository;
    const wanted = this.#wanted;
    const drop = inParallel && this.#isSeparated ? withoutFirstLine(this.#print) : this.#print;
    let found = false;
    const misses = wanted.invert || wanted.listsOthers ? undefined : wanted.expression;
    for (const candidate of files) {
      if (candidate === undefined) {
        yield;
        continue;
      }
      const { path, place = path, read, shown } = candidate;
      if (shown === undefined && (!this.#isWanted(path) || repository.denied.skips(place))) continue;
      const bytes = read();
      if (bytes === undefined) continue;
      // What a file is need not be known where it has nothing.
      if (misses?.isIn(bytes) === false) {
        yield;
        continue;
      }
      const driver = driverOf(repository, path);
      const binary = this.#options.has("-a", "--text") ? false : (driver.isBinary ?? isBinary(bytes));
      if (binary && this.#options.has("-I")) continue;
      const here = this.#isFullName ? path : relativePath(repository.prefix, path);
      const whole = shown ?? prefix + here;
      const name = wanted.endsInNull ? whole : prefix + quotedName(shown ?? here, repository.quotesAll);
      const isHit = grepFile(
        {
          name,
          bytes,
          isBinary: binary,
          functionLine: driver.functionLine,
          isMarked: inParallel ? this.#isSeparated : this.#hasShown && this.#isSeparated,
        },
        wanted,
        drop,
      );
      if (isHit && !binary) this.#hasShown = true;
      found ||= isHit;
      if (found && wanted.quiet) return true;
      yield;
    }
    return found;
  }
}

/** So many files are passed over before others get their turn, and so many are expected at a time. */
const PASSED_AT_ONCE = 256;
const MOST_EXPECTED = 1024;

interface GrepCandidate {
  readonly path: string;
  /** The whole path in the commit, where `path` begins at a tree below its top. */
  readonly place?: string;
  readonly read: () => Buffer | undefined;
  /** The name to show where it is no path of a tree. */
  readonly shown?: string;
}

function withoutFirstLine(print: Print): Print {
  let isFirst = true;
  return (text) => {
    if (!isFirst) return print(text);
    const newline = text.indexOf("\n");
    if (newline < 0) return;
    isFirst = false;
    print(text.slice(newline + 1));
  };
}
