/** git diff-tree, diff-index, diff-files and whatchanged: the same diffs in the form that scripts read. */
import { compareBytes } from "../objects/byte-text.ts";
import { command, type CommandRun, type Running } from "./command.ts";
import { noEffect, OPTIONAL, refused, refusedAll, SWITCH, VALUE, type NamesRead } from "./flags.ts";
import { splitConflicts, seenAsEmpty, STAGE_FLAGS } from "./unmerged.ts";
import { DIFF_FLAGS, INTENDED_FLAGS, type DiffFlag } from "../diff/diff-flags.ts";
import { PLAIN_MAIL } from "../log/mail.ts";
import { ENCODING } from "../log/walk-flags.ts";
import { CommitPrinter, type CommitFlag } from "../log/commit-printer.ts";
import { mergeDiffOf, type MergeFlag } from "../log/merge-diff.ts";
import { combinedFiles, printCombinedPatch, printCombinedRaw } from "../diff/combined-diff.ts";
import { changedPairs, withPrefix } from "./diff-command.ts";
import { treeToWorking } from "../worktree/tree-to-working.ts";
import { diffSettings, hasFormat, NAME_FORMATS, type DiffSettings } from "../diff/diff-options.ts";
import { answeredPairs, shownPairs } from "../diff/diff-print.ts";
import { pairOf, treePairs, type FilePair } from "../diff/file-pairs.ts";
import { Config } from "../config.ts";
import { GitError } from "../git-error.ts";
import { readIndex } from "../worktree/index-file.ts";
import { log, runLog } from "./log-command.ts";
import { wholeInput } from "./standard-input.ts";
import { isTree, type Commit } from "../objects/objects.ts";
import type { Pathspec } from "../worktree/pathspec.ts";
import { splitRevisions } from "../refs/revision-arguments.ts";
import { commitNamed, placeNamed, resolveRange, resolveRevision, treeOf, rangeEnds } from "../refs/revision.ts";
import { mergeBases } from "../log/revision-walk.ts";
import type { Repository } from "../repository.ts";
import { indexPairs } from "../diff/tree-pairs.ts";
import { workingPairs } from "../worktree/working-tree.ts";

const NO_INPUT = { "--stdin": refused("commits are named in the line", "git diff-tree -r HEAD") } as const;

/** Settings that git diff and git log obey, and the commands for scripts do not. */
const OF_PEOPLE =
  /^diff\.(?:context|interhunkcontext|renames|mnemonicprefix|noprefix|relative|statgraphwidth|wordregex|orderfile|submodule|algorithm)$/;

type PlainFlag = Exclude<DiffFlag, "-c" | "--cc">;

/** Renames are looked for where a flag says so alone, ids are whole, and without a format the raw one is printed. */
function plainSettings({ options, repository }: CommandRun<PlainFlag>): DiffSettings {
  const basic = new Config(repository.config.settings.filter(({ name }) => !OF_PEOPLE.test(name)));
  const asked = diffSettings(options.among<DiffFlag>(), basic, repository.prefix);
  const renames = options.has("-M", "--find-renames", "-C", "--find-copies", "--find-copies-harder");
  const formats = asked.formats.size === 0 && !asked.isSilent ? new Set(["raw" as const]) : asked.formats;
  return { ...asked, renames: renames && asked.renames, formats, rawIsWhole: options.lastOf("--abbrev", "--no-abbrev") !== "--abbrev" };
}

export const diffFiles = command({
  flags: {
    ...DIFF_FLAGS,
    ...NO_INPUT,
    ...STAGE_FLAGS,
    ...INTENDED_FLAGS,
    "-m": noEffect("it is about merges, and no commit is shown"),
  },
  readsRevisions: true,
  *run(run) {
    const { repository, options } = run;
    const settings = plainSettings(run);
    const print = withPrefix(settings.linePrefix, run.print, settings.endsInNull);
    const { revisions, paths } = splitRevisions(repository, options);
    if (revisions.length > 0)
      throw new GitError("git diff-files [-q] [-0 | -1 | -2 | -3 | -c | --cc] [<common-diff-options>] [<path>...]", {
        prefix: "usage: ",
        exit: 129,
      });
    const found = workingPairs(repository, readIndex(repository), paths, { submodules: settings.submodules.ignore, byStamp: true });
    const seesIntended = options.lastOf("--ita-visible-in-index", "--ita-invisible-in-index") === "--ita-visible-in-index";
    const { pairs: plain, combined } = splitConflicts(run, seesIntended ? seenAsEmpty(repository, found) : found, settings);
    for (const file of combined) printCombinedPatch(repository, file, settings, options.lastOf("-c", "--cc") !== "-c", print);
    const readsContent = [...settings.formats].some((format) => !NAME_FORMATS.has(format));
    const pairs = shownPairs(repository, readsContent ? changedPairs(run, plain, settings) : plain, settings);
    return yield* answeredPairs(repository, pairs, settings, print);
  },
});

export const diffIndex = command({
  flags: {
    ...DIFF_FLAGS,
    ...NO_INPUT,
    "--cached": SWITCH,
    ...INTENDED_FLAGS,
    "-m": refused("a file that is missing counts as deleted", "git diff-index HEAD"),
    ...refusedAll(["-c", "--cc"], "the index and the working tree are not compared at once", "git diff-index -p HEAD"),
    "--merge-base": refused("the base is named by git merge-base", "git merge-base HEAD main"),
  },
  readsRevisions: true,
  *run(run) {
    const { repository, options } = run;
    const settings = plainSettings(run);
    const print = withPrefix(settings.linePrefix, run.print, settings.endsInNull);
    const { revisions, paths } = splitRevisions(repository, options);
    const [typed] = revisions;
    if (typed === undefined || revisions.length > 1)
      throw new GitError("git diff-index [-m] [--cached] [--merge-base] [<common-diff-options>] <tree-ish> [<path>...]", {
        prefix: "usage: ",
        exit: 129,
      });
    const id = resolveRevision(repository, typed);
    const tree = id === undefined ? undefined : treeOf(repository, id);
    if (tree === undefined) throw new GitError(`bad tree object ${typed}`, { prefix: "error: " });
    repository.denied.checkTop(placeNamed(repository, typed), typed);
    const seesIntended = options.lastOf("--ita-visible-in-index", "--ita-invisible-in-index") !== "--ita-invisible-in-index";
    const found = options.has("--cached")
      ? indexPairs(repository, tree, readIndex(repository), paths, seesIntended)
      : treeToWorking(repository, tree, paths, { submodules: settings.submodules.ignore, byStamp: true });
    const readsContent = [...settings.formats].some((format) => !NAME_FORMATS.has(format));
    const pairs = shownPairs(repository, readsContent ? changedPairs(run, found, settings) : found, settings);
    return yield* answeredPairs(repository, pairs, settings, print);
  },
});

const TREE_FLAGS = {
  ...DIFF_FLAGS,
  "--stdin": SWITCH,
  "-r": SWITCH,
  "-t": refused("directories are not listed beside their files", "git diff-tree -r HEAD"),
  "--line-prefix": refused("lines are printed as they are", "git diff-tree -r HEAD", "value"),
  "--root": SWITCH,
  "--no-commit-id": SWITCH,
  "-v": SWITCH,
  "--always": SWITCH,
  "--pretty": OPTIONAL,
  "--format": VALUE,
  "--oneline": SWITCH,
  "--abbrev-commit": SWITCH,
  "--no-abbrev-commit": SWITCH,
  "--date": VALUE,
  "--notes": OPTIONAL,
  "--no-notes": SWITCH,
  "--encoding": ENCODING,
  "--merge-base": SWITCH,
} as const;

export const diffTree = command({
  flags: TREE_FLAGS,
  readsRevisions: true,
  *run(run) {
    const { repository, options, print } = run;
    const settings = treeSettings(run);
    const { revisions, paths } = splitRevisions(repository, options);
    const recurses = options.has("-r") || [...settings.formats].some((format) => !NAME_FORMATS.has(format));
    const compare = (old: string | undefined, now: string | undefined): readonly FilePair[] => {
      const pairs = recurses ? treePairs(repository, old, now, { paths }) : topPairs(run, old, now, paths);
      return shownPairs(repository, pairs, settings, () => treePairs(repository, undefined, settings.reverses ? now : old, { paths }));
    };
    if (options.has("--stdin")) return yield* namedCommits(run, settings, paths, compare);
    const [first, second] = revisions;
    if (first === undefined)
      throw new GitError(
        "git diff-tree [--stdin] [-m] [-s] [-v] [--no-commit-id] [--pretty] [-t] [-r] [-c | --cc] [--combined-all-paths] [--root] [--merge-base] [<common-diff-options>] <tree-ish> [<tree-ish>] [<path>...]",
        {
          prefix: "usage: ",
          exit: 129,
        },
      );
    const range = second === undefined && rangeEnds(first) !== undefined ? resolveRange(repository, first) : undefined;
    const ends =
      range === undefined
        ? second === undefined
          ? undefined
          : [first, second]
        : [range.exclude[0] ?? range.include[0] ?? "", range.include.at(-1) ?? ""];
    if (options.has("--merge-base")) {
      if (ends === undefined || revisions.length > 2) throw new GitError("--merge-base only works with two commits");
      if (range !== undefined) throw new GitError("--merge-base does not work with ranges");
    }
    if (ends !== undefined) {
      const [old, now] = ends.map((typed) => {
        const id = resolveRevision(repository, typed);
        repository.denied.checkTop(placeNamed(repository, typed), typed);
        return id === undefined ? undefined : treeOf(repository, id);
      });
      const pairs = compare(options.has("--merge-base") ? baseTree(repository, ends) : old, now);
      return yield* answeredPairs(repository, pairs, settings, print);
    }
    const id = resolveRevision(repository, first);
    const commitId = id === undefined ? undefined : repository.asCommit(id);
    if (commitId === undefined) throw new GitError(`object ${first} is not a commit`, { prefix: "error: ", exit: 1 });
    return yield* commitShown(run, repository.commit(commitId), settings, paths, compare);
  },
});

/** Compares two trees by the flags of the line. */
type Compare = (old: string | undefined, now: string | undefined) => readonly FilePair[];

/** -c alone is no format here, as it is in git log. */
function treeSettings(run: CommandRun<NamesRead<typeof TREE_FLAGS>>): DiffSettings {
  const settings = plainSettings({ ...run, options: run.options.among<DiffFlag>() });
  const isRaw =
    run.options.lastOf("-c", "--cc") === "-c" && !run.options.has("-p", "-u", "--patch", "--patch-with-stat", "--patch-with-raw");
  const formats = new Set([...settings.formats].filter((format) => format !== "patch"));
  return isRaw && !settings.isSilent && settings.formats.has("patch")
    ? { ...settings, formats: formats.size === 0 ? formats.add("raw") : formats }
    : settings;
}

/** --stdin: a commit a line. Throws GitError for any other line. */
function* namedCommits(
  run: CommandRun<NamesRead<typeof TREE_FLAGS>>,
  settings: DiffSettings,
  paths: Pathspec | undefined,
  compare: Compare,
): Running {
  const { repository } = run;
  let exit = 0;
  for (const line of (yield* wholeInput(repository)).toString("latin1").split("\n")) {
    if (line === "") continue;
    const commit = repository.format.isId(line) ? repository.asCommit(line) : undefined;
    if (commit === undefined) throw new GitError(`--stdin: ${line}: only whole ids of commits are read here`);
    exit |= yield* commitShown(run, repository.commit(commit), settings, paths, compare);
  }
  return exit;
}

function* commitShown(
  run: CommandRun<NamesRead<typeof TREE_FLAGS>>,
  commit: Commit,
  settings: DiffSettings,
  paths: Pathspec | undefined,
  compare: Compare,
): Running {
  const { repository, options } = run;
  if (commit.parents.length === 0 && !options.has("--root") && !options.has("--always")) return 0;
  if (!options.has("--pretty", "--format", "--oneline", "-v")) return yield* commitDiff(run, commit, settings, paths, compare);
  const [parent, ...others] = commit.parents;
  const pairs = parent !== undefined && others.length === 0 ? compare(repository.commit(parent).tree, commit.tree) : undefined;
  // %h and the like are whole ids, unless they are asked for in short.
  const asked = options.among<CommitFlag>().after([{ name: "--no-notes", value: undefined }]);
  const shown = options.has("--abbrev", "--oneline", "--pretty") ? asked : asked.after([{ name: "--no-abbrev", value: undefined }]);
  const printer = new CommitPrinter({ ...run, options: shown }, settings, {
    mergeDiff: mergeDiffOf(options.among<MergeFlag>(), "none"),
    paths,
    skipsUnchanged: !options.has("--always"),
    obeysLog: false,
    mail: { ...PLAIN_MAIL, subjectPrefix: "" },
  });
  yield* printer.print({ commit, pairs });
  return 0;
}

/** The tree of the one merge base. Throws GitError. */
function baseTree(repository: Repository, [left = "", right = ""]: readonly string[]): string {
  const [a, b] = [left, right].map((typed) => {
    const id = commitNamed(repository, typed);
    if (id === undefined) throw new GitError(`could not get commit for '${typed}'`);
    return id;
  });
  const [base, other] = mergeBases(repository, a as string, [b as string]);
  if (base === undefined) throw new GitError("no merge base found");
  if (other !== undefined) throw new GitError("multiple merge bases found");
  return repository.commit(base).tree;
}

function* commitDiff(
  { repository, options, print }: CommandRun<NamesRead<typeof TREE_FLAGS>>,
  commit: Commit,
  settings: DiffSettings,
  paths: Pathspec | undefined,
  compare: Compare,
): Running {
  const end = settings.endsInNull ? "\0" : "\n";
  const header = (): void => {
    if (!options.has("--no-commit-id")) print(`${commit.id}${end}`);
  };
  const { parents } = commit;
  if (parents.length === 0 && !options.has("--root")) return 0;
  const mode = mergeDiffOf(options.among<MergeFlag>(), "none");
  if (parents.length > 1 && (mode === "combined" || mode === "dense")) {
    const trees = parents.map((parent) => repository.commit(parent).tree);
    // Names of a combined diff are those of files, with and without -r.
    const files = combinedFiles(trees.map((tree) => shownPairs(repository, treePairs(repository, tree, commit.tree, { paths }), settings)));
    header();
    for (const file of files) {
      if (hasFormat(settings, NAME_FORMATS)) printCombinedRaw(repository, file, settings, print);
      else printCombinedPatch(repository, file, settings, mode === "dense", print);
      yield;
    }
    return 0;
  }
  if (parents.length > 1 && mode === "none") return 0;
  const shown = parents.length === 0 ? [undefined] : mode === "first-parent" ? parents.slice(0, 1) : parents;
  let exit = 0;
  for (const parent of shown) {
    const pairs = compare(parent === undefined ? undefined : repository.commit(parent).tree, commit.tree);
    if (pairs.length === 0) continue;
    header();
    exit |= yield* answeredPairs(repository, pairs, settings, print);
  }
  return exit;
}

/** The entries of two trees alone, directories among them. */
function topPairs({ repository }: CommandRun, old: string | undefined, now: string | undefined, paths: Pathspec | undefined): FilePair[] {
  const list = (tree: string | undefined) => (tree === undefined ? [] : repository.tree(tree));
  const olds = new Map(list(old).map((entry) => [entry.name, entry]));
  const news = new Map(list(now).map((entry) => [entry.name, entry]));
  const names = [...new Set([...olds.keys(), ...news.keys()])].sort(compareBytes);
  return names.flatMap((name) => {
    const [a, b] = [olds.get(name), news.get(name)];
    if (a?.id === b?.id && a?.mode === b?.mode) return [];
    const isChosen = (mode: number): boolean => paths?.matches(name, isTree(mode)) !== false || (isTree(mode) && paths.mayHold(name));
    const [old, now] = [a, b].map((entry) => (entry !== undefined && isChosen(entry.mode) ? entry : undefined));
    if (old === undefined && now === undefined) return [];
    if (old === undefined || now === undefined || isTree(old.mode) === isTree(now.mode)) return [pairOf(name, old, now)];
    // A file and a directory are two entries, the file before the directory.
    const pairs = [pairOf(name, old, undefined), pairOf(name, undefined, now)];
    return isTree(old.mode) ? pairs.reverse() : pairs;
  });
}

const RAW = { name: "--raw", value: undefined } as const;

export const whatchanged = command({
  ...log,
  *run(run) {
    const { options } = run;
    const settings = diffSettings(options, run.repository.config, "");
    const format = settings.formats.size === 0 && !settings.isSilent && !settings.quiet ? [RAW] : [];
    return yield* runLog({ ...run, options: options.after(format) }, "whatchanged");
  },
});
