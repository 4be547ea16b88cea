/** git diff: working tree, index and commits against each other. */
import { fromWord } from "../objects/byte-text.ts";
import { combinedFiles, printCombinedPatch, printCombinedRaw } from "../diff/combined-diff.ts";
import { command, type CommandRun, type Running } from "./command.ts";
import { isWithoutIndex, withoutIndex } from "./no-index.ts";
import { keysOf, type NamesRead, noEffect, SWITCH, VALUE } from "./flags.ts";
import { seenAsEmpty, splitConflicts, STAGE_FLAGS } from "./unmerged.ts";
import { DIFF_FLAGS, INTENDED_FLAGS } from "../diff/diff-flags.ts";
import { lineEndWarning } from "../objects/contents.ts";
import { NO_ID, treePairs, type FilePair, type Side } from "../diff/file-pairs.ts";
import { COUNT_FORMATS, diffSettings, hasFormat, NAME_FORMATS, onlyFormats, type DiffSettings } from "../diff/diff-options.ts";
import { answeredPairs, printPairs, shownPairs } from "../diff/diff-print.ts";
import { orderedPairs } from "../diff/file-order.ts";
import { GitError } from "../git-error.ts";
import { readIndex } from "../worktree/index-file.ts";
import { treeToWorking } from "../worktree/tree-to-working.ts";
import { isLink, MODE } from "../objects/objects.ts";
import type { Print } from "../diff/patch.ts";
import type { Pathspec } from "../worktree/pathspec.ts";
import type { Repository } from "../repository.ts";
import { splitRevisions } from "../refs/revision-arguments.ts";
import { commitNamed, entryNamed, placeNamed, resolveRange, resolveRevision, treeOf, rangeEnds } from "../refs/revision.ts";
import { mergeBases } from "../log/revision-walk.ts";
import { indexPairs } from "../diff/tree-pairs.ts";
import { isUnchangedFile, workingPairs, type WorkingOptions } from "../worktree/working-tree.ts";

const OWN_FLAGS = {
  ...DIFF_FLAGS,
  "--cached": SWITCH,
  "--staged": SWITCH,
  "--merge-base": SWITCH,
  ...STAGE_FLAGS,
  ...INTENDED_FLAGS,
  "-m": SWITCH,
  "-r": noEffect("trees are always compared with all that is below them"),
  "--no-index": SWITCH,
  "-O": VALUE,
  "--skip-to": VALUE,
  "--rotate-to": VALUE,
} as const;

const ORDER_FLAGS = ["-O", "--skip-to", "--rotate-to"] as const;

type OwnRun = CommandRun<NamesRead<typeof OWN_FLAGS>>;

export const diff = command({
  flags: OWN_FLAGS,
  readsRevisions: true,
  worksOutside: true,
  run: (run) => runDiff(run),
});

/** `wanted`: what counts in submodules, as far as no flag says it. */
export function* runDiff(run: OwnRun, wanted: Pick<WorkingOptions, "dirtOfMoved"> = {}): Running {
  const { repository, options, print } = run;
  const isFree = isWithoutIndex(run);
  const parents = isFree ? undefined : combinedOperands(run);
  if (options.has(...ORDER_FLAGS) && (isFree || parents !== undefined))
    throw new GitError("files of a combined diff, and of none in the index, are shown in order of their names here");
  if (isFree) return yield* comparedFiles(run);
  const settings = settingsOf(run);
  if (options.has("--merge-base")) {
    if (parents !== undefined) throw usageError("[<options>] [<commit>] [--] [<path>...]");
    if (splitRevisions(repository, options).revisions.some((typed) => typed.startsWith("^") || rangeEnds(typed) !== undefined))
      throw new GitError("--merge-base does not work with ranges");
  }
  if (parents !== undefined) return yield* printCombined(run, parents, settings);
  const { relativeTo } = settings;
  let source: string | undefined;
  const inPlace = foundPairs(run, { ...wanted, submodules: settings.submodules.ignore }, (old, now) => {
    source = settings.reverses ? now : old;
  }).filter(({ now }) => relativeTo === undefined || now.path.startsWith(relativeTo));
  const { pairs: found, combined } = isAgainstWorking(run) ? splitConflicts(run, inPlace, settings) : { pairs: inPlace, combined: [] };
  if (options.has(...ORDER_FLAGS) && combined.length > 0)
    throw new GitError("files in conflict are shown first, in order of their names here");
  for (const file of combined)
    printCombinedPatch(
      repository,
      file,
      settings,
      options.lastOf("-c", "--cc") !== "-c",
      withPrefix(settings.linePrefix, print, settings.endsInNull),
    );
  const differing = changedPairs(settings.quiet ? { ...run, complain: () => {} } : run, found, settings);
  const { paths } = splitRevisions(repository, options);
  const allOld = source === undefined ? undefined : () => treePairs(repository, undefined, source, { paths });
  const pairs = orderedPairs(repository, shownPairs(repository, differing, settings, allOld), options);
  return yield* checked(run, settings, (counted) => answeredPairs(repository, pairs, settings, counted));
}

function settingsOf(run: OwnRun): DiffSettings {
  const { repository, options } = run;
  const plain = diffSettings(options, repository.config, repository.prefix);
  const isMnemonic = repository.config.boolean("diff.mnemonicprefix", false) && plain.oldPrefix !== "" && !options.has("--no-prefix");
  const asked = isMnemonic ? { ...plain, ...mnemonicPrefixes(run) } : plain;
  return asked.formats.size === 0 && !asked.isSilent && !asked.quiet ? { ...asked, formats: new Set(["patch" as const]) } : asked;
}

/** diff.mnemonicPrefix: letters for the commit, the index and the working tree; two commits have the usual ones. */
function mnemonicPrefixes(run: OwnRun): Pick<DiffSettings, "oldPrefix" | "newPrefix"> {
  const { repository, options } = run;
  const { revisions } = isWithoutIndex(run) ? { revisions: [] } : splitRevisions(repository, options);
  const [first, second] = revisions;
  const isOfBlob = first !== undefined && second === undefined && /^[^{]+:/.test(first);
  const isOfCommits = second !== undefined || (first !== undefined && (rangeEnds(first) !== undefined || /\^([!@]|-[0-9]*)$/.test(first)));
  const [old, now] = isWithoutIndex(run)
    ? ["1/", "2/"]
    : options.has("--cached", "--staged")
      ? ["c/", "i/"]
      : isOfCommits
        ? ["a/", "b/"]
        : isOfBlob
          ? ["o/", "w/"]
          : first !== undefined
            ? ["c/", "w/"]
            : ["i/", "w/"];
  const [left, right] = [options.last("--src-prefix") ?? old, options.last("--dst-prefix") ?? now];
  return options.has("-R") ? { oldPrefix: right, newPrefix: left } : { oldPrefix: left, newPrefix: right };
}

/** The exit status of what prints, with that of --check: 2 more if it printed something. */
function* checked({ print }: OwnRun, settings: DiffSettings, run: (print: Print) => Running): Running {
  let errors = 0;
  const prefixed = withPrefix(settings.linePrefix, print, settings.endsInNull);
  const counted: Print = (text) => {
    errors++;
    prefixed(text);
  };
  const exit = yield* run(settings.checks ? counted : prefixed);
  return exit | (errors > 0 ? 2 : 0);
}

/** --no-index */
function* comparedFiles(run: OwnRun): Running {
  const [beyond] = run.options.each(...BEYOND_FILES);
  if (beyond !== undefined) {
    const name = beyond.name.replace(/^--?/, "");
    throw new GitError(`unknown ${beyond.name.startsWith("--") ? `option \`${name}'` : `switch \`${name}'`}`, {
      prefix: "error: ",
      exit: 129,
    });
  }
  const settings = settingsOf(run);
  return yield* checked(run, settings, (counted) => withoutIndex(run, settings, counted));
}

/** Without what differs in time or line ends alone; says which line ends git would change. */
export function changedPairs({ repository, complain }: CommandRun, found: readonly FilePair[], settings: DiffSettings): FilePair[] {
  const readsContent = [...settings.formats].some((format) => !NAME_FORMATS.has(format) && format !== "summary" && format !== "dirstat");
  const seeksRenames = settings.renames && found.some(({ now }) => now.mode === 0);
  for (const { old, now } of found) {
    // Git reads an added file to seek where it comes from, and once more to show it.
    const times = old.mode === 0 ? Number(seeksRenames) + Number(readsContent) : 1;
    if (times > 0) complain((lineEndWarning(repository, now) ?? "").repeat(times));
  }
  return found.filter(
    ({ status, old, now }) =>
      !(status === "M" && now.isWorking === true && old.mode === now.mode && isUnchangedFile(repository, now.path, old)),
  );
}

const STAGES = keysOf(STAGE_FLAGS);

/** Flags about the index, commits and merges. */
const BEYOND_FILES = ["--cached", "--staged", "--merge-base", "-m", "-c", "--cc", ...STAGES] as const;

const usageError = (form: string): GitError => new GitError(`usage: git diff ${form}`, { exit: 129, prefix: "" });

const isAgainstWorking = ({ repository, options }: OwnRun): boolean =>
  !options.has("--cached", "--staged") && splitRevisions(repository, options).revisions.length === 0;

/** `git diff A B C` and `git diff MERGE^!`: A against B and C, a merge against its parents. */
function combinedOperands({ repository, options }: OwnRun): readonly string[] | undefined {
  if (options.has("--cached", "--staged")) return undefined;
  const revisions = splitRevisions(repository, options).revisions.flatMap((typed) => revisionsOf(repository, typed));
  const isOfTrees = revisions.length > 2 && revisions.every((typed) => rangeEnds(typed) === undefined);
  return isOfTrees ? revisions.map((typed) => typed.replace(/^\^/, "")) : undefined;
}

/** Parents for `M^@`, a merge and its parents for `M^!`; what was typed for any other. */
function revisionsOf(repository: Repository, typed: string): readonly string[] {
  const found = /\^[!@]$/.test(typed) ? resolveRange(repository, typed) : undefined;
  if (found === undefined || (typed.endsWith("^!") && found.exclude.length < 2)) return [typed];
  return [...found.include, ...found.exclude];
}

function* printCombined({ repository, options, print }: OwnRun, typed: readonly string[], settings: DiffSettings): Running {
  const { paths } = splitRevisions(repository, options);
  const trees = typed.map((name) => {
    const id = resolveRevision(repository, name);
    const tree = id === undefined ? undefined : treeOf(repository, id);
    if (tree === undefined) throw new GitError(`${name}: not a commit or tree`);
    repository.denied.checkTop(placeNamed(repository, name), name);
    return tree;
  });
  const [result, ...parents] = trees;
  const diffs = parents.map((parent) => shownPairs(repository, treePairs(repository, parent, result, { paths }), settings));
  const counts = onlyFormats(settings, COUNT_FORMATS);
  if (counts.formats.size > 0) yield* printPairs(repository, diffs[0] ?? [], counts, print);
  for (const file of combinedFiles(diffs)) {
    if (hasFormat(settings, NAME_FORMATS)) printCombinedRaw(repository, file, settings, print);
    if (settings.formats.has("patch")) printCombinedPatch(repository, file, settings, options.lastOf("-c", "--cc") !== "-c", print);
    yield;
  }
  return 0;
}

/** What `print` gets, with `prefix` before each line. `endsInNull`: files of a diff are records that end in NUL, and are printed one by one. */
export function withPrefix(prefix: string, print: Print, endsInNull = false): Print {
  if (prefix === "") return print;
  let isStart = true;
  return (text) => {
    print((isStart ? prefix : "") + text.replace(/\n(?=[^])/g, `\n${prefix}`));
    isStart = text.endsWith("\n") || (endsInNull && text.endsWith("\0"));
  };
}

function foundPairs(run: OwnRun, wanted: WorkingOptions, compares: TreesReceiver): FilePair[] {
  const { repository, options } = run;
  const { revisions: given, paths } = splitRevisions(repository, options);
  const isCached = options.has("--cached", "--staged");
  const excluding = given.flatMap((typed) => revisionsOf(repository, typed));
  // `^A` names the same tree; as the second of two it is what the first is compared with.
  const revisions = excluding.map((typed) => typed.replace(/^\^/, ""));
  if (revisions.length === 2 && excluding[1]?.startsWith("^") === true) revisions.reverse();
  const [first, second] = revisions;
  const intended = options.lastOf("--ita-visible-in-index", "--ita-invisible-in-index");
  if (isCached || first !== undefined) {
    if (options.has(...STAGES)) throw usageError("[<options>] [<commit>] [--] [<path>...]");
  } else if (options.has("--merge-base")) throw new GitError("invalid option: --merge-base", { prefix: "error: ", exit: 255 });
  if (!isCached && second === undefined && first !== undefined && rangeEnds(first) === undefined && options.has("-c", "--cc"))
    throw new GitError("a combined diff of a commit, the index and the working tree is not made here");
  if (isCached) {
    if (revisions.length > 1) throw usageError("[<options>] --cached [<commit>] [--] [<path>...]");
    const head = first === undefined ? repository.refs.resolve("HEAD")?.id : resolveRevision(repository, first);
    if (first !== undefined) repository.denied.checkTop(placeNamed(repository, first), first);
    const base =
      options.has("--merge-base") && head !== undefined
        ? mergeBases(repository, head, [repository.refs.resolve("HEAD")?.id ?? head])[0]
        : head;
    const tree = base === undefined ? undefined : treeOf(repository, base);
    return indexPairs(repository, tree, readIndex(repository), paths, intended === "--ita-visible-in-index");
  }
  if (first === undefined) {
    const found = workingPairs(repository, readIndex(repository), paths, wanted);
    return intended === "--ita-visible-in-index" ? seenAsEmpty(repository, found) : found;
  }
  if (options.has("--merge-base") && rangeEnds(first) === undefined) {
    const [a, b] = [first, second ?? "HEAD"].map((typed) => commitNamed(repository, typed));
    const base = a === undefined || b === undefined ? undefined : mergeBases(repository, a, [b])[0];
    if (base === undefined) throw new GitError("no merge base found");
    const tree = repository.commit(base).tree;
    return second === undefined ? treeToWorking(repository, tree, paths, wanted) : treeToTree(repository, base, second, paths, compares);
  }
  if (second !== undefined && revisions.length === 2 && rangeEnds(first) === undefined)
    return treeToTree(repository, first, second, paths, compares);
  if (revisions.length > 2) throw usageError("[<options>] [<commit>] [--] [<path>...]");
  const ends = rangeEnds(first);
  if (ends !== undefined) {
    if (ends.dots === "..") return treeToTree(repository, ends.from, ends.to, paths, compares);
    const [x, y] = [commitNamed(repository, ends.from), commitNamed(repository, ends.to)];
    const base = x === undefined || y === undefined ? undefined : mergeBases(repository, x, [y])[0];
    if (base === undefined) throw new GitError(`${first}: no merge base`);
    return treeToTree(repository, base, ends.to, paths, compares);
  }
  const parents = /\^([!@]|-[0-9]*)$/.test(first) ? resolveRange(repository, first) : undefined;
  const [root, parent] = [parents?.include[0], parents?.exclude[0]];
  // The first commit has no parent that is left out: it alone is named.
  if (root !== undefined && parent === undefined) return treeToWorking(repository, repository.commit(root).tree, paths, wanted);
  if (parents !== undefined) return treeToTree(repository, parent ?? "", parents.include[0] ?? "", paths, compares);
  const id = resolveRevision(repository, first);
  const tree = id === undefined ? undefined : treeOf(repository, id);
  if (tree === undefined && id !== undefined) return blobToWorking(run, first, id);
  repository.denied.checkTop(placeNamed(repository, first), first);
  return treeToWorking(repository, tree ?? "", paths, wanted);
}

/** `git diff REV:PATH FILE`, or without FILE that path of the working tree. */
function blobToWorking({ repository, options }: CommandRun, typed: string, id: string): FilePair[] {
  const { typedPaths } = splitRevisions(repository, options);
  const [file] = typedPaths;
  repository.denied.checkNamed(placeNamed(repository, typed), typed);
  if (file === undefined || typedPaths.length > 1) throw usageError("[<options>] <blob> <path>");
  const path = repository.fromHere(file);
  const status = repository.disk.status(repository.inWorktree(path), false);
  if (status === undefined) throw new GitError(`failed to stat '${file}': No such file or directory`);
  if (status.kind !== "symlink" && status.kind !== "file") throw new GitError(`'${file}': not a regular file or symlink`);
  const mode = status.kind === "symlink" ? MODE.link : (status.permissions & 0o100) === 0 ? MODE.file : MODE.executable;
  const old: Side = {
    path: placeNamed(repository, typed) ?? path,
    mode: entryNamed(repository, typed.slice(0, typed.indexOf(":")), typed.slice(typed.indexOf(":") + 1))?.mode ?? mode,
    id,
  };
  return [{ status: isLink(old.mode) === isLink(mode) ? "M" : "T", old, now: { path, mode, id: NO_ID, isWorking: true }, score: 0 }];
}

/** Part of a mode that tells a file from a link. */
const TYPE_BITS = 0o170000;

/** Gets the two trees that are compared. */
type TreesReceiver = (old: string, now: string) => void;

function treeToTree(repository: Repository, from: string, to: string, paths: Pathspec | undefined, compares: TreesReceiver): FilePair[] {
  const ids = [from, to].map((typed) => resolveRevision(repository, typed));
  const trees = ids.map((id) => (id === undefined ? undefined : treeOf(repository, id)));
  const isTrees = trees[0] !== undefined && trees[1] !== undefined;
  for (const typed of [from, to]) {
    if (isTrees) repository.denied.checkTop(placeNamed(repository, typed), typed);
    else repository.denied.checkNamed(placeNamed(repository, typed), typed);
  }
  if (trees[0] !== undefined && trees[1] !== undefined) {
    compares(trees[0], trees[1]);
    return treePairs(repository, trees[0], trees[1], { paths });
  }
  const [old, now] = [from, to].map((typed, index): Side => {
    const colon = typed.indexOf(":");
    const mode = colon > 0 ? entryNamed(repository, typed.slice(0, colon), typed.slice(colon + 1))?.mode : undefined;
    return { path: placeNamed(repository, typed) ?? typed, mode: mode ?? MODE.file, id: ids[index] ?? NO_ID };
  });
  if (old === undefined || now === undefined || trees[0] !== trees[1])
    throw new GitError(`invalid object pair given: ${fromWord(from)} ${fromWord(to)}`);
  const isOtherType = ((old.mode ^ now.mode) & TYPE_BITS) !== 0;
  return old.id === now.id && !isOtherType ? [] : [{ status: isOtherType ? "T" : "M", old, now, score: 0 }];
}
