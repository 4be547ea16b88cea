/** git status: short, porcelain 1 and 2, and the long form: past 400 lines, because the forms share what they read and how they name it. */
import { fromWord, quotedName } from "../objects/byte-text.ts";
import { command, type CommandRun, type InputRequest, type Running, type LoadRequest } from "./command.ts";
import { runDiff } from "./diff-command.ts";
import { Options, type Option } from "./options.ts";
import { noEffect, OPTIONAL, refused, SWITCH, type NamesRead } from "./flags.ts";
import { contentToCompare } from "../objects/contents.ts";
import { idText, NO_ID, type FilePair, type Side } from "../diff/file-pairs.ts";
import { readIndex, type IndexEntry, type IndexFile } from "../worktree/index-file.ts";
import { indexPairs } from "../diff/tree-pairs.ts";
import { isSubmodule, isTree, modeText } from "../objects/objects.ts";
import { Pathspec } from "../worktree/pathspec.ts";
import { readScore } from "../diff/diff-options.ts";
import { submoduleIgnore } from "../diff/submodule-settings.ts";
import { detachedTitle } from "../worktree/detached-head.ts";
import { progressOf } from "../worktree/status-state.ts";
import { HALF, MOST_SCORE, withRenames } from "../diff/renames.ts";
import { GitError } from "../git-error.ts";
import { upstreamOf } from "../refs/revision.ts";
import { branchLine, distanceTo, printTracking, shortUpstream } from "../worktree/tracking.ts";
import type { Config } from "../config.ts";
import type { Repository } from "../repository.ts";
import { relativePath } from "../worktree/relative-path.ts";
import { untrackedFiles, type Untracked } from "../worktree/untracked.ts";
import { meanwhile, pairsFrom } from "../worktree/working-tree.ts";

const STATUS_FLAGS = {
  "-s": SWITCH,
  "--short": SWITCH,
  "-b": SWITCH,
  "--branch": SWITCH,
  "--porcelain": OPTIONAL,
  "--long": SWITCH,
  "--no-short": SWITCH,
  "--no-long": SWITCH,
  "-u": OPTIONAL,
  "--untracked-files": OPTIONAL,
  "--ignored": OPTIONAL,
  "--ignore-submodules": OPTIONAL,
  "-z": SWITCH,
  "--show-stash": SWITCH,
  "--ahead-behind": SWITCH,
  "--no-ahead-behind": SWITCH,
  "--renames": SWITCH,
  "--no-renames": SWITCH,
  "--find-renames": OPTIONAL,
  "-M": OPTIONAL,
  "--no-column": noEffect("output has one name a line here"),
  "-v": SWITCH,
  "--verbose": SWITCH,
  "--column": refused("output has one name a line here", "git status --short"),
} as const;

type StatusRun = CommandRun<NamesRead<typeof STATUS_FLAGS>>;

export const status = command({
  flags: STATUS_FLAGS,

  *run(run) {
    const { options } = run;
    const state = readState(run);
    const last = formatOf(run);
    const version = options.last("--porcelain") ?? "";
    if (last === "--porcelain" && !["", "1", "2", "v1", "v2"].includes(version))
      throw new GitError(`unsupported porcelain version '${version}'`);
    const endsInNull = options.has("-z");
    const isShort = last === undefined && asksConfig(run) && run.repository.config.boolean("status.short", false);
    if (isShort) printShort(run, state, false, false);
    else if (last === "--porcelain" && version.endsWith("2")) printVersion2(run, state, endsInNull);
    else if (last !== "--long" && ((last !== undefined && last !== "none") || endsInNull))
      printShort(run, state, endsInNull, last === "--porcelain" || last === "none" || last === undefined);
    else yield* printLong(run, state);
    yield;
    return 0;
  },
});

/** The last form that is named; "none": taken back, and so the configuration's does not count either. */
function formatOf({ options }: StatusRun): "-s" | "--short" | "--porcelain" | "--long" | "none" | undefined {
  const last = options.lastOf("-s", "--short", "--porcelain", "--long", "--no-short", "--no-long");
  return last === "--no-short" || last === "--no-long" ? "none" : last;
}

/** False for programs, which get the same whatever the configuration says. */
const asksConfig = (run: StatusRun): boolean => !run.options.has("-z") && formatOf(run) !== "--porcelain";

const showsBranch = (run: StatusRun): boolean =>
  run.options.has("-b", "--branch") || (asksConfig(run) && run.repository.config.boolean("status.branch", false));

const showsStash = ({ options, repository }: StatusRun): boolean =>
  options.has("--show-stash") || repository.config.boolean("status.showstash", false);

/** A path as people are shown it: from the current directory, or from the top. */
const shownPath = ({ config, prefix }: Repository, path: string): string =>
  config.boolean("status.relativepaths", true) ? relativePath(prefix, path) : path;

interface State {
  readonly staged: readonly FilePair[];
  readonly working: readonly FilePair[];
  readonly untracked: readonly string[];
  readonly ignored: readonly string[];
  readonly conflicts: ReadonlyMap<string, readonly IndexEntry[]>;
  /** Undefined on an unborn branch. */
  readonly head: string | undefined;
  /** Undefined where HEAD is detached. */
  readonly branch: string | undefined;
  /** Tracked files that a sparse checkout has, in percent, "untold" where the index itself is sparse; undefined in any other. */
  readonly presentPercent: number | "untold" | undefined;
}

const NOTHING: Untracked = { untracked: [], ignored: [] };

function readState({ repository, options }: StatusRun): State {
  const index = readIndex(repository);
  const typed = [...options.operands, ...(options.paths ?? [])].map(fromWord);
  const paths = typed.length === 0 ? undefined : new Pathspec(repository, typed);
  const head = repository.refs.resolve("HEAD")?.id;
  const { config } = repository;
  const minimumScore = renameScore(options, config);
  const limit = Number(config.get("status.renamelimit") ?? config.get("diff.renamelimit") ?? "1000");
  const join = (pairs: readonly FilePair[]): FilePair[] =>
    minimumScore === undefined
      ? [...pairs]
      : withRenames(pairs, { minimumScore, limit, content: (side) => contentToCompare(repository, side) });
  const conflicts = new Map<string, IndexEntry[]>();
  for (const entry of index.hasConflicts ? index.entries : [])
    if (entry.stage > 0) conflicts.set(entry.name, [...(conflicts.get(entry.name) ?? []), entry]);
  const mode = options.last("-u", "--untracked-files") ?? repository.config.get("status.showuntrackedfiles") ?? "normal";
  if (!["no", "normal", "all", ""].includes(mode)) throw new GitError(`Invalid untracked files mode '${mode}'`);
  const ignoredMode = options.last("--ignored");
  if (ignoredMode !== undefined && !["no", "traditional", "matching", ""].includes(ignoredMode))
    throw new GitError(`Invalid ignored mode '${ignoredMode}'`);
  const isSearched = mode !== "no";
  if (ignoredMode === "matching" && !isSearched) throw new GitError("Unsupported combination of ignored and untracked-files arguments");
  const untrackedOptions = {
    joinsDirectories: mode !== "all" && mode !== "",
    ignoredMatch: ignoredMode === "matching",
    listsIgnored: ignoredMode !== undefined && ignoredMode !== "no",
    paths,
  };
  const { working, found } = meanwhile(repository, index, paths, (stamps) => {
    const untracked = isSearched ? untrackedFiles(repository, index, untrackedOptions) : NOTHING;
    const submodules = options.has("--ignore-submodules") ? submoduleIgnore(options.last("--ignore-submodules") ?? "") : undefined;
    return {
      found: untracked,
      working: pairsFrom(repository, index, stamps, { submodules, otherwise: isSearched ? "none" : "untracked" }),
    };
  });
  const symbolic = repository.refs.symbolic("HEAD");
  return {
    staged: join(indexPairs(repository, head === undefined ? undefined : repository.commit(head).tree, index, paths)).filter(
      ({ status: kind }) => kind !== "U",
    ),
    working: join(working).filter(({ status: kind }) => kind !== "U"),
    untracked: found.untracked,
    ignored: found.ignored,
    conflicts,
    head,
    branch: symbolic?.replace(/^refs\/heads\//, ""),
    presentPercent: presentPercent(config, index),
  };
}

function presentPercent(config: Config, { entries }: IndexFile): number | "untold" | undefined {
  if (!config.boolean("core.sparsecheckout", false) || entries.length === 0) return undefined;
  if (entries.some(({ mode }) => isTree(mode))) return "untold";
  const left = entries.filter(({ skipsWorktree }) => skipsWorktree).length;
  return 100 - Math.trunc((100 * left) / entries.length);
}

/** The least score of a rename; undefined where none is looked for. -M stands above --no-renames, wherever it is. */
function renameScore(options: StatusRun["options"], config: Config): number | undefined {
  const score = options.last("-M", "--find-renames");
  if (score !== undefined) return score === "" ? HALF : readScore(score);
  const asked = options.lastOf("--renames", "--no-renames");
  if (asked !== undefined) return asked === "--renames" ? HALF : undefined;
  const configured = config.get("status.renames") ?? config.get("diff.renames") ?? "true";
  return /^(false|no|off|0|)$/i.test(configured) ? undefined : HALF;
}

/** Whether commits to the upstream are counted; the configuration is asked where people read. */
function countsDistance({ options, repository }: StatusRun, isForPeople: boolean): boolean {
  const asked = options.lastOf("--ahead-behind", "--no-ahead-behind");
  if (asked !== undefined) return asked === "--ahead-behind";
  return !isForPeople || repository.config.boolean("status.aheadbehind", true);
}

/** The two letters of a conflict, by the stages there are. */
function conflictLetters(entries: readonly IndexEntry[]): string {
  const mask = entries.reduce((bits, { stage }) => bits | (1 << (stage - 1)), 0);
  return ["", "DD", "AU", "UD", "UA", "DU", "AA", "UU"][mask] ?? "UU";
}

interface Line {
  readonly path: string;
  staged?: FilePair;
  working?: FilePair;
  conflict?: readonly IndexEntry[];
}

function linesOf({ staged, working, conflicts }: State): Line[] {
  const lines = new Map<string, Line>();
  const at = (path: string): Line => {
    let line = lines.get(path);
    if (line === undefined) {
      line = { path };
      lines.set(path, line);
    }
    return line;
  };
  for (const pair of staged) at(pair.now.path).staged = pair;
  for (const pair of working) at(pair.now.path).working = pair;
  for (const [path, entries] of conflicts) at(path).conflict = entries;
  return [...lines.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function printShort(run: StatusRun, state: State, endsInNull: boolean, isPorcelain: boolean): void {
  const { print, repository } = run;
  const end = endsInNull ? "\0" : "\n";
  const name = (path: string): string => {
    if (endsInNull) return path;
    const shown = isPorcelain ? path : shownPath(repository, path);
    const quoted = quotedName(shown, repository.quotesAll);
    return quoted === shown && shown.includes(" ") ? `"${shown}"` : quoted;
  };
  if (showsBranch(run))
    print(`## ${branchLine(repository, state.branch, state.head, countsDistance(run, !endsInNull && !isPorcelain))}${end}`);
  for (const { path, staged, working, conflict } of linesOf(state)) {
    if (conflict !== undefined) {
      print(`${conflictLetters(conflict)} ${name(path)}${end}`);
      continue;
    }
    const letters = `${staged?.status ?? " "}${working === undefined ? " " : isPorcelain ? working.status : workingLetter(working)}`;
    const old = staged?.status === "R" ? staged.old.path : working?.status === "R" ? working.old.path : undefined;
    if (old === undefined) print(`${letters} ${name(path)}${end}`);
    else if (endsInNull) print(`${letters} ${path}\0${old}\0`);
    else print(`${letters} ${name(old)} -> ${name(path)}\n`);
  }
  for (const path of state.untracked) print(`?? ${name(path)}${end}`);
  for (const path of state.ignored) print(`!! ${name(path)}${end}`);
}

/** A submodule has `M` for another commit, and with the same `m` for changes, `?` for untracked files alone. */
function workingLetter({ status: kind, old, now }: FilePair): string {
  if (!isSubmodule(now.mode)) return kind;
  if (old.id !== now.id) return "M";
  return now.dirt === undefined ? kind : now.dirt.isModified ? "m" : "?";
}

function printVersion2(run: StatusRun, state: State, endsInNull: boolean): void {
  const { print, options, repository } = run;
  const end = endsInNull ? "\0" : "\n";
  const name = (path: string): string => (endsInNull ? path : quotedName(shownPath(repository, path), repository.quotesAll));
  if (options.has("-b", "--branch")) {
    print(`# branch.oid ${state.head ?? "(initial)"}${end}# branch.head ${state.branch ?? "(detached)"}${end}`);
    const upstream = state.branch === undefined ? undefined : upstreamOf(repository, state.branch);
    if (upstream !== undefined) {
      print(`# branch.upstream ${shortUpstream(upstream)}${end}`);
      const counts = state.head === undefined ? undefined : distanceTo(repository, state.head, upstream, countsDistance(run, false));
      if (counts === "different") print(`# branch.ab +? -?${end}`);
      else if (counts !== undefined) print(`# branch.ab +${counts.ahead} -${counts.behind}${end}`);
    }
  }
  if (showsStash(run)) {
    const stashes = repository.refs.log("refs/stash").length;
    if (stashes > 0) print(`# stash ${stashes}${end}`);
  }
  const lines = linesOf(state);
  for (const { path, staged, working, conflict } of [
    ...lines.filter((line) => line.conflict === undefined),
    ...lines.filter((line) => line.conflict !== undefined),
  ]) {
    if (conflict !== undefined) {
      const at = (stage: number): IndexEntry | undefined => conflict.find((entry) => entry.stage === stage);
      const modes = [1, 2, 3].map((stage) => modeText(at(stage)?.mode ?? 0));
      const ids = [1, 2, 3].map((stage) => at(stage)?.id ?? repository.format.noId);
      const mode = repository.disk.status(repository.inWorktree(path), false);
      const now = mode === undefined ? 0 : mode.kind === "symlink" ? 0o120000 : (mode.permissions & 0o100) === 0 ? 0o100644 : 0o100755;
      print(`u ${conflictLetters(conflict)} N... ${modes.join(" ")} ${modeText(now)} ${ids.join(" ")} ${name(path)}${end}`);
      continue;
    }
    const letters = `${staged?.status ?? "."}${working?.status ?? "."}`;
    const first = staged?.old ?? working?.old;
    const second = staged?.now ?? working?.old;
    const third = working?.now ?? staged?.now;
    const submodule = [first, second, third].some((side) => side?.mode === 0o160000)
      ? `S${working !== undefined && working.old.id !== working.now.id ? "C" : "."}${working?.now.dirt?.isModified === true ? "M" : "."}${working?.now.dirt?.hasUntracked === true ? "U" : "."}`
      : "N...";
    const head = staged === undefined ? first : staged.old;
    const whole = (side: Side | undefined): string => idText(repository, side?.id ?? NO_ID, true, undefined);
    const facts = `${letters} ${submodule} ${modeText(head?.mode ?? 0)} ${modeText(second?.mode ?? 0)} ${modeText(third?.mode ?? 0)} ${whole(head)} ${whole(second)}`;
    const renamed = staged?.status === "R" ? staged : working?.status === "R" ? working : undefined;
    if (renamed === undefined) print(`1 ${facts} ${name(path)}${end}`);
    else
      print(
        `2 ${facts} R${Math.trunc((renamed.score * 100) / MOST_SCORE)} ${name(path)}${endsInNull ? "\0" : "\t"}${name(renamed.old.path)}${end}`,
      );
  }
  for (const path of state.untracked) print(`? ${name(path)}${end}`);
  for (const path of state.ignored) print(`! ${name(path)}${end}`);
}

const WORDS: Readonly<Record<string, string>> = {
  A: "new file:   ",
  D: "deleted:    ",
  M: "modified:   ",
  R: "renamed:    ",
  T: "typechange: ",
  C: "copied:     ",
};
const CONFLICTS: Readonly<Record<string, string>> = {
  DD: "both deleted:    ",
  AU: "added by us:     ",
  UD: "deleted by them: ",
  UA: "added by them:   ",
  DU: "deleted by us:   ",
  AA: "both added:      ",
  UU: "both modified:   ",
};

function* printLong(run: StatusRun, state: State): Generator<void | InputRequest | LoadRequest, void, Buffer | undefined> {
  const { repository, print, options } = run;
  const { staged, working, untracked, ignored, conflicts, head, branch } = state;
  const name = (path: string): string => quotedName(shownPath(repository, path), repository.quotesAll);
  const progress = progressOf(repository, { hasConflicts: conflicts.size > 0, presentPercent: state.presentPercent });
  if (progress.title !== undefined) print(`${progress.title}\n`);
  else if (branch === undefined) print(`${detachedTitle(repository) ?? "Not currently on any branch."}\n`);
  else print(`On branch ${branch}\n`);
  if (head === undefined) print("\nNo commits yet\n\n");
  else if (branch !== undefined && progress.title === undefined) printTracking(repository, head, branch, countsDistance(run, true), print);
  print(progress.text);
  const unstage = head === undefined ? 'git rm --cached <file>..."' : 'git restore --staged <file>..."';
  const line = ({ status: kind, old, now }: FilePair): string =>
    `\t${WORDS[kind] ?? ""}${kind === "R" ? `${name(old.path)} -> ${name(now.path)}` : name(now.path)}`;
  if (staged.length > 0) {
    print(`Changes to be committed:\n${progress.hidesUnstaging ? "" : `  (use "${unstage} to unstage)\n`}`);
    for (const pair of staged) print(`${line(pair)}\n`);
    print("\n");
  }
  if (conflicts.size > 0) {
    const all = [...conflicts.values()].map(conflictLetters);
    const how = all.every((letters) => letters === "DD")
      ? '"git rm <file>..."'
      : all.some((letters) => letters === "DD" || letters === "DU" || letters === "UD")
        ? '"git add/rm <file>..." as appropriate'
        : '"git add <file>..."';
    print(`Unmerged paths:\n${progress.hidesUnstaging ? "" : `  (use "${unstage} to unstage)\n`}  (use ${how} to mark resolution)\n`);
    for (const [path, entries] of conflicts) print(`\t${CONFLICTS[conflictLetters(entries)] ?? ""}${name(path)}\n`);
    print("\n");
  }
  if (working.length > 0) {
    const hasDeleted = working.some(({ status: kind }) => kind === "D");
    print(`Changes not staged for commit:\n  (use "git add${hasDeleted ? "/rm" : ""} <file>..." to update what will be committed)\n`);
    print(`  (use "git restore <file>..." to discard changes in working directory)\n`);
    if (working.some(({ now }) => now.dirt !== undefined)) print("  (commit or discard the untracked or modified content in submodules)\n");
    for (const pair of working) print(`${line(pair)}${submoduleNote(pair)}\n`);
    print("\n");
  }
  const list = (title: string, paths: readonly string[], use: string): void => {
    if (paths.length === 0) return;
    print(`${title}:\n  (use "git add ${use}<file>..." to include in what will be committed)\n`);
    for (const path of paths) print(`\t${name(path)}\n`);
    print("\n");
  };
  list("Untracked files", untracked, "");
  list("Ignored files", ignored, "-f ");
  const hidesUntracked = (options.last("-u", "--untracked-files") ?? repository.config.get("status.showuntrackedfiles")) === "no";
  if (hidesUntracked && staged.length > 0) print("Untracked files not listed (use -u option to show untracked files)\n");
  yield* printVerbose(run, state);
  if (staged.length > 0) {
    // What is to be committed speaks for itself.
  } else if (working.length > 0 || conflicts.size > 0) print('no changes added to commit (use "git add" and/or "git commit -a")\n');
  else if (untracked.length > 0) print('nothing added to commit but untracked files present (use "git add" to track)\n');
  else if (head === undefined) print('nothing to commit (create/copy files and use "git add" to track)\n');
  else if (hidesUntracked) print("nothing to commit (use -u to show untracked files)\n");
  else print("nothing to commit, working tree clean\n");
  if (showsStash(run)) {
    const stashes = repository.refs.log("refs/stash").length;
    if (stashes > 0) print(`Your stash currently has ${stashes} ${stashes === 1 ? "entry" : "entries"}\n`);
  }
}

/** -v: what is staged, as a diff of all files; -v -v: what is not staged, too. */
function* printVerbose(
  run: StatusRun,
  { staged, working, conflicts }: State,
): Generator<void | InputRequest | LoadRequest, void, Buffer | undefined> {
  const { options, print } = run;
  const times = options.each("-v", "--verbose").length;
  if (times === 0) return;
  const flag = (name: string, value?: string): Option => ({ name, value });
  const scores = options.each("-M", "--find-renames").map(({ value }) => flag("-M", value));
  const renames = options.lastOf("--renames", "--no-renames") === "--no-renames" && scores.length === 0 ? [flag("--no-renames")] : scores;
  const shown = function* (...flags: readonly Option[]): Running {
    return yield* runDiff({ ...run, options: new Options<string>([...renames, ...flags], [], undefined) }, { dirtOfMoved: false });
  };
  const prefixes = (old: string, now: string): readonly Option[] => [flag("--src-prefix", old), flag("--dst-prefix", now)];
  const hasBoth = times > 1 && staged.length > 0;
  if (hasBoth) print("Changes to be committed:\n");
  yield* shown(flag("--cached"), ...(hasBoth ? prefixes("c/", "i/") : []));
  if (times < 2 || working.length + conflicts.size === 0) return;
  print(`${"-".repeat(50)}\nChanges not staged for commit:\n`);
  yield* shown(...prefixes("i/", "w/"));
}

function submoduleNote({ old, now }: FilePair): string {
  if (!isSubmodule(now.mode)) return "";
  const notes = [
    ...(old.id === now.id ? [] : ["new commits"]),
    ...(now.dirt?.isModified === true ? ["modified content"] : []),
    ...(now.dirt?.hasUntracked === true ? ["untracked content"] : []),
  ];
  return notes.length === 0 ? "" : ` (${notes.join(", ")})`;
}
