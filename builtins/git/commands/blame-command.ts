/** git blame and git annotate. */
import { lineEnd, lineText, type LineText } from "../../../src/compare/line-text.ts";
import { textWidth } from "../../../src/display/character-width.ts";
import { blameLines, blobId, UNCOMMITTED, workingCommit, type BlamedLines, type Origin } from "../log/blame.ts";
import { fromWord, quotedName, toWord } from "../objects/byte-text.ts";
import { command, type CommandRun, type Running } from "./command.ts";
import { noEffect, refused, SWITCH, VALUE, type NamesRead } from "./flags.ts";
import { ENCODING } from "../log/walk-flags.ts";
import { workingContent } from "../objects/contents.ts";
import { readDate } from "../dates/approximate-date.ts";
import { readDateStyle, type DateStyle } from "../dates/date-printer.ts";
import { GitError } from "../git-error.ts";
import { hasEntry, readIndex } from "../worktree/index-file.ts";
import { EXACT } from "../diff/line-changes.ts";
import { readRanges } from "../log/line-ranges.ts";
import { mailmapOf } from "../log/mailmap.ts";
import { MODE, type Commit, type Signature } from "../objects/objects.ts";
import type { Options } from "./options.ts";
import { subjectOf } from "../log/pretty.ts";
import type { Repository } from "../repository.ts";
import { commitNamed, entryAt, resolveRange } from "../refs/revision.ts";
import { driverOf } from "../diff/userdiff.ts";

const USAGE = "git blame [<options>] [<rev-opts>] [<rev>] [--] <file>";
const INSTEAD = "git log --oneline -S TEXT";

const BLAME_FLAGS = {
  "-L": VALUE,
  "-s": SWITCH,
  "-p": SWITCH,
  "--porcelain": SWITCH,
  "--line-porcelain": SWITCH,
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
  "--date": VALUE,
  "--abbrev": VALUE,
  "--first-parent": SWITCH,
  "--since": VALUE,
  "--after": VALUE,
  "--minimal": SWITCH,
  "--no-progress": noEffect("progress is never told here"),
  "--progress": noEffect("progress is told to a terminal alone"),
  "--encoding": ENCODING,
  "-M": refused("moves within a file are not traced here; git log -S finds where text came in", INSTEAD),
  "-C": refused("copies between files are not traced here; git log -S finds where text came in", INSTEAD),
  "--reverse": refused("lines are traced back and not forward; git log -S finds where text went", INSTEAD),
  "--ignore-rev": refused("every commit counts here", "git blame -w FILE"),
  "--ignore-revs-file": refused("every commit counts here", "git blame -w FILE"),
  "--incremental": refused("the whole answer comes at once", "git blame --porcelain FILE"),
  "--contents": refused("the file of the working tree or of a commit is traced", "git blame HEAD -- FILE"),
  "--color-lines": refused("output has no colours here", "git blame FILE"),
  "--color-by-age": refused("output has no colours here", "git blame FILE"),
  "--score-debug": refused("moves are not traced here", "git blame FILE"),
  "--show-stats": refused("work is not counted here", "git blame FILE"),
  "-S": refused("a file that says other parents is not read here", "git blame FILE"),
} as const;

type BlameRun = CommandRun<NamesRead<typeof BLAME_FLAGS>>;

export const blame = command({
  flags: BLAME_FLAGS,

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

const usageError = (): GitError => new GitError(USAGE, { prefix: "usage: ", exit: 129 });

interface Wanted {
  readonly path: string;
  readonly revision: string | undefined;
}

/** The file and the revision. Throws GitError. */
function wantedOf({ options, repository }: BlameRun): Wanted {
  const operands = options.operands.map(fromWord);
  const paths = options.paths?.map(fromWord);
  let typed: string | undefined;
  if (paths !== undefined) {
    const [first, second, third] = paths;
    if (first === undefined || third !== undefined) throw usageError();
    if (second !== undefined) operands.push(second);
    typed = first;
  } else {
    const last = operands.at(-1);
    if (last === undefined) throw usageError();
    // `blame FILE REV` is understood too.
    if (
      operands.length === 2 &&
      commitNamed(repository, last) !== undefined &&
      repository.statusInWorktree(repository.fromHere(last)) === undefined
    )
      typed = operands.shift();
    else typed = operands.pop();
  }
  if (operands.length > 1) throw new GitError(`More than one commit to dig from: '${operands[0]}' and '${operands[1]}'?`);
  return { path: repository.fromHere(typed ?? ""), revision: operands[0] ?? (repository.isBare ? "HEAD" : undefined) };
}

function* blamed(run: BlameRun, isAnnotated: boolean): Running {
  const { repository, options, invocation } = run;
  const { path, revision } = wantedOf(run);
  const { start, excluded } = startOf(run, revision);
  const since = options.last("--since", "--after");
  const oldest = since === undefined ? -Infinity : readDate(since, invocation).seconds;
  const file = start === undefined ? workingFile(repository, path) : committedFile(repository, start, path, revision ?? "HEAD");
  const text = lineText(file.content);
  const typed = options.all("-L").map(fromWord);
  const ranges = text.lineCount > 0 && typed.length === 0 ? ["1"] : typed;
  const commit = start ?? workingStart(run, path);
  const lines = yield* blameLines(repository, {
    path,
    start: commit,
    blob: blobId(file.content),
    mode: file.mode,
    content: file.content,
    ranges: readRanges(ranges, text, path, driverOf(repository, path).functionLine, usageError),
    changes: {
      rule: options.has("-w") ? { ...EXACT, whiteSpace: { kind: "all" } } : EXACT,
      minimal: options.has("--minimal"),
      indentHeuristic: repository.config.boolean("diff.indentheuristic", true),
    },
    firstParent: options.has("--first-parent"),
    showsRoot:
      options.lastOf("--root", "--no-root") === "--root" ||
      (!options.has("--no-root") && repository.config.boolean("blame.showroot", false)),
    isExcluded: (of) => excluded.has(of.id) || of.seconds < oldest,
  });
  const printer = new BlamePrinter(run, lines, text, path);
  if (options.has("-p", "--porcelain", "--line-porcelain")) yield* printer.porcelain(options.has("--line-porcelain"));
  else yield* printer.lines(isAnnotated);
  return 0;
}

/** The commit to begin with (undefined: the working tree), and what a range leaves out with all its ancestors. */
function startOf({ repository }: BlameRun, revision: string | undefined): { start: Commit | undefined; excluded: ReadonlySet<string> } {
  const excluded = new Set<string>();
  if (revision === undefined) return { start: undefined, excluded };
  const range = resolveRange(repository, revision);
  if (range === undefined) throw new GitError(`bad revision '${revision}'`);
  const open = [...range.exclude];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (excluded.has(id)) continue;
    excluded.add(id);
    open.push(...repository.commit(id).parents);
  }
  const [include, other] = range.include;
  if (other !== undefined) throw new GitError(`More than one commit to dig from: '${revision}'?`);
  return { start: include === undefined ? undefined : repository.commit(include), excluded };
}

interface File {
  readonly content: Buffer;
  readonly mode: number;
}

function workingFile(repository: Repository, path: string): File {
  const head = repository.refs.resolve("HEAD")?.id;
  if (head === undefined) throw new GitError("no such ref: HEAD");
  const heads = [head, ...mergeHeads(repository)];
  const isKnown =
    heads.some((id) => entryAt(repository, repository.commit(id).tree, path) !== undefined) || hasEntry(readIndex(repository), path);
  if (!isKnown) throw new GitError(`no such path '${path}' in HEAD`);
  const status = repository.disk.status(repository.inWorktree(path), false);
  if (status === undefined) throw new GitError(`Cannot lstat '${path}': No such file or directory`);
  if (status.kind === "directory") throw new GitError(`unsupported file type ${path}`);
  const mode = status.kind === "symlink" ? MODE.link : MODE.file;
  repository.denied.check(path);
  return { content: workingContent(repository, path, mode) ?? Buffer.alloc(0), mode };
}

function committedFile(repository: Repository, start: Commit, path: string, revision: string): File {
  const entry = entryAt(repository, start.tree, path);
  if (entry === undefined || repository.objects.find(entry.id)?.type !== "blob") throw new GitError(`no such path ${path} in ${revision}`);
  return { content: repository.blob(entry.id, path), mode: entry.mode };
}

const mergeHeads = (repository: Repository): readonly string[] =>
  (repository.disk.text(`${repository.gitDirectory}/MERGE_HEAD`) ?? "").split("\n").filter((line) => /^[0-9a-f]{40}$/.test(line));

function workingStart({ repository, invocation }: BlameRun, path: string): Commit {
  const head = repository.refs.resolve("HEAD")?.id ?? UNCOMMITTED;
  return workingCommit([head, ...mergeHeads(repository)], Math.floor(invocation.nowMs / 1000), `Version of ${path} from ${path}\n`);
}

/** Width of each kind of date, as git reserves it. */
const DATE_WIDTHS: Readonly<Record<DateStyle["kind"], number>> = {
  rfc: 31,
  "iso-strict": 25,
  iso: 25,
  raw: 16,
  unix: 10,
  short: 10,
  relative: 22,
  human: 16,
  default: 30,
  format: 0,
};

class BlamePrinter {
  readonly #run: BlameRun;
  readonly #lines: readonly BlamedLines[];
  readonly #text: LineText;
  readonly #path: string;
  readonly #options: Options<NamesRead<typeof BLAME_FLAGS>>;
  readonly #map: (who: Signature) => Signature;

  constructor(run: BlameRun, lines: readonly BlamedLines[], text: LineText, path: string) {
    this.#run = run;
    this.#lines = lines;
    this.#text = text;
    this.#path = path;
    this.#options = run.options;
    const mailmap = mailmapOf(run.repository);
    this.#map = (who) => mailmap.map(who);
  }

  #lineOf(line: number): string {
    return `${this.#text.bytes.toString("latin1", this.#text.starts[line] as number, lineEnd(this.#text, line))}\n`;
  }

  *lines(isAnnotated: boolean): Generator<void, void> {
    const { print, repository, dates } = this.#run;
    const options = this.#options;
    const { config } = repository;
    const showsMail = options.has("-e", "--show-email") || config.boolean("blame.showemail", false);
    const nameOf = (commit: Commit): string => {
      const { name, mail } = this.#map(commit.author);
      return showsMail ? `<${mail}>` : name;
    };
    const style = readDateStyle(fromWord(options.last("--date") ?? config.get("blame.date") ?? "iso"));
    const dateWidth =
      style.kind === "format" ? dates.text({ name: "", mail: "", seconds: 0, zone: "+0000" }, style).length : DATE_WIDTHS[style.kind];
    const dateOf = (who: Signature): string => {
      if (options.has("-t")) return `${who.seconds} ${who.zone}`;
      const text = dates.text(who, style);
      return text + " ".repeat(Math.max(0, dateWidth - textWidth(toWord(text))));
    };
    const widest = { name: 0, file: 0, origin: 0, line: 0 };
    for (const { origin, line, count, originLine } of this.#lines) {
      widest.name = Math.max(widest.name, textWidth(toWord(nameOf(origin.commit))));
      widest.file = Math.max(widest.file, textWidth(toWord(origin.path)));
      widest.origin = Math.max(widest.origin, originLine + count);
      widest.line = Math.max(widest.line, line + count);
    }
    const showsFile = options.has("-f", "--show-name") || this.#lines.some(({ origin }) => origin.path !== this.#path);
    const length = this.#idLength();
    const blanks = options.has("-b") || config.boolean("blame.blankboundary", false);
    for (const { origin, line, count, originLine } of this.#lines) {
      const { commit } = origin;
      const width = options.has("-l") ? 40 : length;
      let id = commit.id.slice(0, width);
      if (origin.isBoundary) id = blanks ? " ".repeat(width) : isAnnotated ? id : `^${commit.id.slice(0, width - 1)}`;
      const name = nameOf(commit);
      for (let at = 0; at < count; at++) {
        const text = this.#lineOf(line + at);
        if (isAnnotated) {
          print(`${id}\t(${name.padStart(10)}\t${dateOf(commit.author).padStart(10)}\t${line + at + 1})${text}`);
          continue;
        }
        const file = showsFile ? ` ${origin.path}${" ".repeat(widest.file - textWidth(toWord(origin.path)))}` : "";
        const number = options.has("-n", "--show-number") ? ` ${String(originLine + at + 1).padStart(String(widest.origin).length)}` : "";
        const who = options.has("-s")
          ? ""
          : ` (${name}${" ".repeat(widest.name - textWidth(toWord(name)))} ${dateOf(commit.author).padStart(10)}`;
        print(`${id}${file}${number}${who} ${String(line + at + 1).padStart(String(widest.line).length)}) ${text}`);
      }
      yield;
    }
  }

  /** One more than ids need, for the mark of a boundary. */
  #idLength(): number {
    const { repository } = this.#run;
    const asked = this.#options.last("--abbrev");
    if (asked !== undefined) {
      const count = Number(asked);
      if (count === 0) return 40;
      return count < 40 ? Math.max(4, count) + 1 : 40;
    }
    let length = repository.abbreviation;
    for (const { origin } of this.#lines)
      if (origin.commit.id !== UNCOMMITTED) length = Math.max(length, repository.short(origin.commit.id, length).length);
    return length + 1;
  }

  *porcelain(repeats: boolean): Generator<void, void> {
    const { print, repository } = this.#run;
    const shown = new Set<string>();
    const guilty = new Map<string, Set<Origin>>();
    for (const { origin } of this.#lines) {
      const origins = guilty.get(origin.commit.id) ?? new Set();
      guilty.set(origin.commit.id, origins.add(origin));
    }
    const details = (origin: Origin): void => {
      const { commit } = origin;
      const isNew = repeats || !shown.has(commit.id);
      shown.add(commit.id);
      if (isNew) {
        const [author, committer] = [this.#map(commit.author), this.#map(commit.committer)];
        const who = (key: string, { name, mail, seconds, zone }: Signature): string =>
          `${key} ${name}\n${key}-mail <${mail}>\n${key}-time ${seconds}\n${key}-tz ${zone}\n`;
        print(
          who("author", author) + who("committer", committer) + `summary ${subjectLine(commit)}\n${origin.isBoundary ? "boundary\n" : ""}`,
        );
      }
      if (!isNew && (guilty.get(commit.id)?.size ?? 0) < 2) return;
      const quote = (name: string): string => quotedName(name, repository.quotesAll);
      if (origin.previous !== undefined) print(`previous ${origin.previous.commit.id} ${quote(origin.previous.path)}\n`);
      print(`filename ${quote(origin.path)}\n`);
    };
    for (const { origin, line, count, originLine } of this.#lines) {
      for (let at = 0; at < count; at++) {
        print(`${origin.commit.id} ${originLine + at + 1} ${line + at + 1}${at === 0 ? ` ${count}` : ""}\n`);
        if (at === 0 || repeats) details(origin);
        print(`\t${this.#lineOf(line + at)}`);
      }
      yield;
    }
  }
}

/** The first line of a message, or the id of a commit without one. */
const subjectLine = ({ id, message }: Commit): string => {
  const line = message.replace(/^\n+/, "").split("\n")[0] ?? "";
  return line === "" ? `(${id})` : subjectOf(line) || line;
};
