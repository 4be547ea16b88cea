/** git blame and git annotate: the file, and the search for where its lines come from. */
import { lineText } from "../../../src/compare/line-text.ts";
import { blameLines, workingCommit, type BlameRequest } from "../log/blame.ts";
import { fromWord } from "../objects/byte-text.ts";
import { backToFront, frontToBack, usageError, wantedOf } from "./blame-course.ts";
import { BlamePrinter } from "./blame-printer.ts";
import { command, type CommandRun, type Running } from "./command.ts";
import { OPTIONAL, refused, SWITCH, VALUE, type NamesRead } from "./flags.ts";
import { ENCODING } from "../log/walk-flags.ts";
import { workingContent } from "../objects/contents.ts";
import { GitError } from "../git-error.ts";
import { hasEntry, readIndex } from "../worktree/index-file.ts";
import { EXACT } from "../diff/line-changes.ts";
import { readRanges } from "../log/line-ranges.ts";
import { isLink, isRegular, MODE, type Commit } from "../objects/objects.ts";
import type { Options } from "./options.ts";
import type { Repository } from "../repository.ts";
import { commitNamed, entryAt } from "../refs/revision.ts";
import { driverOf } from "../diff/userdiff.ts";

const INSTEAD = "git blame FILE";

const BLAME_FLAGS = {
  "-L": VALUE,
  "-s": SWITCH,
  "-p": SWITCH,
  "--porcelain": SWITCH,
  "--line-porcelain": SWITCH,
  "--incremental": SWITCH,
  "--no-incremental": SWITCH,
  "-w": SWITCH,
  "-e": SWITCH,
  "--show-email": SWITCH,
  "-l": SWITCH,
  "-t": SWITCH,
  "-f": SWITCH,
  "--show-name": SWITCH,
  "-n": SWITCH,
  "--show-number": SWITCH,
  "--root": SWITCH,
  "--no-root": SWITCH,
  "-b": SWITCH,
  "-c": SWITCH,
  "-M": OPTIONAL,
  "-C": OPTIONAL,
  "--reverse": SWITCH,
  "--date": VALUE,
  "--abbrev": VALUE,
  "--first-parent": SWITCH,
  "--since": VALUE,
  "--after": VALUE,
  "--minimal": SWITCH,
  "--no-progress": SWITCH,
  "--progress": SWITCH,
  "--encoding": ENCODING,
  "--ignore-rev": VALUE,
  "--ignore-revs-file": VALUE,
  "--contents": refused("the file of the working tree or of a commit is traced", "git blame HEAD -- FILE", "value"),
  "--color-lines": refused("output has no colours here", INSTEAD),
  "--color-by-age": refused("output has no colours here", INSTEAD),
  "--score-debug": refused("scores are not shown here", INSTEAD),
  "--show-stats": refused("work is not counted here", INSTEAD),
  "-S": refused("a file that says other parents is not read here", INSTEAD, "value"),
} as const;

export type BlameFlag = NamesRead<typeof BLAME_FLAGS>;
export type BlameRun = CommandRun<BlameFlag>;

export const blame = command({
  flags: BLAME_FLAGS,
  check: (options) =>
    options.has("--reverse") && options.has("--since", "--after")
      ? ["--reverse: a date does not limit it here; its range does", "git blame --reverse START..END FILE"]
      : undefined,
  *run(run) {
    return yield* blamed(run, run.options.has("-c"));
  },
});

export const annotate = command({
  ...blame,
  *run(run) {
    return yield* blamed(run, true);
  },
});

function* blamed(run: BlameRun, isAnnotated: boolean): Running {
  const { repository, options } = run;
  const isIncremental = options.lastOf("--incremental", "--no-incremental") === "--incremental";
  const isPorcelain = options.has("-p", "--porcelain", "--line-porcelain");
  if ((isIncremental || isPorcelain) && options.lastOf("--progress", "--no-progress") === "--progress")
    throw new GitError("--progress can't be used with --incremental or porcelain formats");
  const { path, revisions } = wantedOf(run);
  const course = options.has("--reverse") ? backToFront(run, revisions) : frontToBack(run, revisions);
  const file = course.from === undefined ? workingFile(repository, path) : committedFile(repository, course.from, path);
  const text = lineText(file.content);
  const typed = options.all("-L").map(fromWord);
  const ranges = text.lineCount > 0 && typed.length === 0 ? ["1"] : typed;
  const search = blameLines(repository, {
    path,
    start: course.from?.commit ?? workingStart(run, path),
    blob: repository.format.idOf("blob", file.content),
    mode: file.mode,
    content: file.content,
    ranges: readRanges(ranges, text, path, driverOf(repository, path).functionLine, usageError),
    changes: {
      rule: options.has("-w") ? { ...EXACT, whiteSpace: { kind: "all" } } : EXACT,
      minimal: options.has("--minimal"),
      indentHeuristic: repository.config.boolean("diff.indentheuristic", true),
    },
    copying: copySettings(options),
    ignored: ignoredCommits(run),
    ...course,
  });
  const printer = new BlamePrinter(run, text, path);
  for (let step = search.next(); ; step = search.next()) {
    if (step.done !== true) {
      if (isIncremental) for (const lines of step.value) printer.found(lines);
      yield;
      continue;
    }
    if (isIncremental) return 0;
    if (isPorcelain) yield* printer.porcelain(step.value, options.has("--line-porcelain"));
    else yield* printer.lines(step.value, isAnnotated);
    return 0;
  }
}

/** Ids of the commits that --ignore-rev and --ignore-revs-file name; a file with an empty name forgets those of the files before. */
function ignoredCommits({ repository, options }: BlameRun): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const { value = "" } of options.each("--ignore-revs-file")) {
    if (value === "") {
      ids.clear();
      continue;
    }
    const path = repository.fromHere(fromWord(value));
    repository.denied.check(path);
    const text = repository.disk.text(repository.inWorktree(path));
    if (text === undefined) throw new GitError(`could not open object name list: ${fromWord(value)}`);
    for (const line of text.split("\n")) {
      const id = line.replace(/#[^]*$/, "").trim();
      if (id === "") continue;
      if (!repository.format.isId(id)) throw new GitError(`invalid object name: ${id}`);
      ids.add(repository.asCommit(id) ?? id);
    }
  }
  for (const typed of options.all("--ignore-rev").map(fromWord)) {
    const id = commitNamed(repository, typed);
    if (id === undefined) throw new GitError(`cannot find revision ${typed} to ignore`);
    ids.add(id);
  }
  return ids;
}

/** Score that git takes where none is given, for lines moved within a file and copied from another. */
const USUAL_MOVE = 20;
const USUAL_COPY = 40;

function copySettings(options: Options<BlameFlag>): BlameRequest["copying"] {
  if (!options.has("-M", "-C")) return undefined;
  // What is no number is no score.
  const score = (name: "-M" | "-C", usual: number): number => {
    const typed = options.all(name).findLast((value) => value !== "") ?? "";
    return (/^[+-]?[0-9]{1,19}$/.test(typed) ? Number(BigInt.asUintN(32, BigInt(typed.replace("+", "")))) : 0) || usual;
  };
  const times = options.each("-C").length;
  return {
    moveScore: score("-M", USUAL_MOVE),
    copies:
      times === 0 ? undefined : { score: score("-C", USUAL_COPY), from: times === 1 ? "changed" : times === 2 ? "all for new" : "all" },
  };
}

interface File {
  readonly content: Buffer;
  readonly mode: number;
}

function workingFile(repository: Repository, path: string): File {
  const head = repository.refs.resolve("HEAD")?.id;
  if (head === undefined) throw new GitError("no such ref: HEAD");
  const heads = [head, ...mergeHeads(repository)];
  const isFileIn = (id: string): boolean => {
    const { mode } = entryAt(repository, repository.commit(id).tree, path) ?? { mode: 0 };
    return isRegular(mode) || isLink(mode);
  };
  const isKnown = heads.some(isFileIn) || hasEntry(readIndex(repository), path);
  if (!isKnown) throw new GitError(`no such path '${path}' in HEAD`);
  const status = repository.disk.status(repository.inWorktree(path), false);
  if (status === undefined) throw new GitError(`Cannot lstat '${path}': No such file or directory`);
  if (status.kind === "directory") throw new GitError(`unsupported file type ${path}`);
  const mode = status.kind === "symlink" ? MODE.link : MODE.file;
  repository.denied.check(path);
  return { content: workingContent(repository, path, mode) ?? Buffer.alloc(0), mode };
}

function committedFile(repository: Repository, { commit, name }: { readonly commit: Commit; readonly name: string }, path: string): File {
  const entry = entryAt(repository, commit.tree, path);
  const isMissing = entry !== undefined && isRegular(entry.mode) && repository.objects.find(entry.id) === undefined;
  if (isMissing) throw new GitError(`unable to read ${entry.id}`);
  if (entry === undefined || repository.objects.find(entry.id)?.type !== "blob") throw new GitError(`no such path ${path} in ${name}`);
  return { content: repository.blob(entry.id, path), mode: entry.mode };
}

const mergeHeads = (repository: Repository): readonly string[] =>
  (repository.disk.text(`${repository.gitDirectory}/MERGE_HEAD`) ?? "").split("\n").filter((line) => repository.format.isId(line));

function workingStart({ repository, invocation }: BlameRun, path: string): Commit {
  const head = repository.refs.resolve("HEAD")?.id ?? repository.format.noId;
  return workingCommit(
    repository.format,
    [head, ...mergeHeads(repository)],
    Math.floor(invocation.nowMs / 1000),
    `Version of ${path} from ${path}\n`,
  );
}
