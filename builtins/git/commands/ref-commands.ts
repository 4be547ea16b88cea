/** git branch, git tag and git show-ref: what references there are. */
import { quoteWord } from "../../../src/display/quote.ts";
import { compileGlob } from "../../../src/glob/glob-match.ts";
import { fromWord, toWord } from "../objects/byte-text.ts";
import { columnStyle, type ColumnStyle, table, USUAL_TABLE } from "./columns.ts";
import { command, type CommandRun } from "./command.ts";
import { noColours, OPTIONAL, refused, refusedAll, rewrittenFlag, SWITCH } from "./flags.ts";
import { GitError } from "../git-error.ts";
import type { Options } from "./options.ts";
import { subjectOf } from "../log/message.ts";
import { RefFormat } from "../refs/ref-format.ts";
import { FILTER_FLAGS, LIST_FLAGS, refFilter, sortedRefs } from "../refs/ref-filter.ts";
import { RefValues, type RefSubject } from "../refs/ref-values.ts";
import { shortRefName } from "../refs/refs.ts";
import type { Repository } from "../repository.ts";
import { upstreamOf } from "../refs/revision.ts";
import { aheadBehind } from "../worktree/tracking.ts";
import { noBranchTitle } from "../worktree/detached-head.ts";
import { branchPlaces } from "../worktree/worktrees.ts";

const WRITES = "the repository is only read here";

const LISTS = ["-l", "--list", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at"] as const;

export const branch = command({
  flags: {
    "-a": SWITCH,
    "--all": SWITCH,
    "-r": SWITCH,
    "--remotes": SWITCH,
    "-v": SWITCH,
    "--verbose": SWITCH,
    "--show-current": SWITCH,
    "-l": SWITCH,
    "--list": SWITCH,
    "--abbrev": OPTIONAL,
    "--no-abbrev": SWITCH,
    "--column": OPTIONAL,
    "--no-column": SWITCH,
    ...FILTER_FLAGS,
    ...LIST_FLAGS,
    ...refusedAll(
      [
        "-d",
        "-D",
        "--delete",
        "-m",
        "-M",
        "--move",
        "-c",
        "-C",
        "--copy",
        "-u",
        "--set-upstream-to",
        "--unset-upstream",
        "--edit-description",
        "-f",
        "--force",
        "-t",
        "--track",
        "--no-track",
        "--create-reflog",
        "--recurse-submodules",
      ],
      WRITES,
      "git branch -a",
    ),
  },
  check: (options) => {
    if (options.has(...LISTS, "--show-current") || options.operands.length === 0) return undefined;
    return [`git branch NAME makes a branch: ${WRITES}`, `git branch --list '*'`];
  },
  *run(run) {
    const { options, repository, print } = run;
    const head = repository.refs.symbolic("HEAD");
    const headId = repository.refs.resolve("HEAD")?.id;
    if (options.has("--show-current")) {
      if (head?.startsWith("refs/heads/") === true) print(`${head.slice(11)}\n`);
      return 0;
    }
    const { keeps } = refFilter(run);
    const folds = options.has("-i", "--ignore-case");
    const globs = options.operands.map((pattern) => compileGlob(pattern, { caseFold: folds }));
    const shown = options.lastOf("-a", "--all", "-r", "--remotes");
    const all = shown === "-a" || shown === "--all";
    const remotes = !all && shown !== undefined;
    const detached: RefSubject[] =
      head === undefined && headId !== undefined && !remotes && globs.length === 0
        ? [{ name: "HEAD", id: headId, target: undefined, title: `(${noBranchTitle(repository)})` }]
        : [];
    const refs: RefSubject[] = [
      ...(remotes ? [] : repository.refs.list("refs/heads/")),
      ...(all || remotes ? repository.refs.list("refs/remotes/") : []),
    ];
    const values = new RefValues(run);
    const listed = [...detached, ...refs].filter(
      (ref) => keeps(ref) && (globs.length === 0 || globs.some((glob) => glob.matches(toWord(shortRefName(ref.name))))),
    );
    const sorted = sortedRefs(run, listed, values, repository.config.get("branch.sort"));
    const columns = columnStyle(repository.config, "branch", options);
    const isVerbose = options.has("-v", "--verbose");
    if (isVerbose && columns.isOn && options.has("--column", "--no-column"))
      throw new GitError("options '--column' and '--verbose' cannot be used together");
    const typed = options.last("--format");
    if (typed !== undefined) {
      const format = new RefFormat(fromWord(typed));
      const items: string[] = [];
      for (const ref of sorted) {
        const text = format.text(ref, values);
        if (columns.isOn && !isVerbose) items.push(text);
        else print(`${text}\n`);
        yield;
      }
      print(table(items, columns, USUAL_TABLE));
      return 0;
    }
    yield* printBranches(run, sorted, all, columns);
    return 0;
  },
});

function* printBranches(
  { options, repository, print }: CommandRun<"-v" | "--verbose" | "--abbrev" | "--no-abbrev">,
  refs: readonly RefSubject[],
  all: boolean,
  columns: ColumnStyle,
): Generator<void, void> {
  const head = repository.refs.symbolic("HEAD");
  const shown = refs.map((ref) => ({
    ref,
    text: ref.title ?? (ref.name.startsWith("refs/remotes/") && all ? ref.name.slice(5) : shortRefName(ref.name)),
    isHead: ref.name === head || ref.title !== undefined,
  }));
  const verbosity = options.each("-v", "--verbose").length;
  const items: string[] = [];
  const width = Math.max(0, ...shown.map(({ text }) => text.length));
  const short = abbreviator(repository, options);
  const places = branchPlaces(repository);
  for (const { ref, text, isHead } of shown) {
    const { name, id, target } = ref;
    const place = isHead ? undefined : places.get(name);
    const mark = isHead ? "* " : place === undefined ? "  " : "+ ";
    const where = place === undefined || verbosity < 2 ? "" : ` (${place})`;
    const points = target !== undefined && name !== head ? ` -> ${shortRefName(target)}` : "";
    if (verbosity === 0 && columns.isOn) items.push(`${mark}${text}${points}`);
    else if (verbosity === 0) print(`${mark}${text}${points}\n`);
    else if (points !== "") print(`${mark}${text.padEnd(width)}${points}\n`);
    else
      print(
        `${mark}${text.padEnd(width)} ${short(id)}${where}${tracking(repository, name, id, verbosity > 1)} ${subjectOf(repository.commit(id).asStored.message)}\n`,
      );
    yield;
  }
  print(table(items, columns, USUAL_TABLE));
}

function abbreviator(repository: Repository, options: Options<"--abbrev" | "--no-abbrev">): (id: string) => string {
  const last = options.each("--abbrev", "--no-abbrev").at(-1);
  if (last?.name === "--no-abbrev" || last?.value === "0") return (id) => id;
  const length = last?.value === undefined ? undefined : Number(last.value);
  return (id) => repository.short(id, length);
}

function tracking(repository: Repository, name: string, id: string, withName: boolean): string {
  const upstream = name.startsWith("refs/heads/") ? upstreamOf(repository, name.slice(11)) : undefined;
  if (upstream === undefined) return "";
  const counts = aheadBehind(repository, id, upstream);
  const parts =
    counts === undefined
      ? ["gone"]
      : [...(counts.ahead > 0 ? [`ahead ${counts.ahead}`] : []), ...(counts.behind > 0 ? [`behind ${counts.behind}`] : [])];
  const text = [...(withName ? [shortRefName(upstream)] : []), ...(parts.length > 0 ? [parts.join(", ")] : [])].join(": ");
  return text === "" ? "" : ` [${text}]`;
}

const VERIFY = rewrittenFlag(refused("a signature is checked by git verify-tag, and only where there is none", "git verify-tag -v TAG"), {
  words: (args, at) => {
    const names = args.toSpliced(at, 1);
    return names.length === 0 || names.some((name) => name.startsWith("-"))
      ? undefined
      : ["git verify-tag -v", ...names.map(quoteWord)].join(" ");
  },
  lost: "a signed tag ends it: checking a signature starts a program",
});

export const tag = command({
  flags: {
    "-l": SWITCH,
    "--list": SWITCH,
    "-n": OPTIONAL,
    "--column": OPTIONAL,
    "--no-column": SWITCH,
    ...FILTER_FLAGS,
    ...LIST_FLAGS,
    "--color": noColours("git tag"),
    "-v": VERIFY,
    "--verify": VERIFY,
    ...refusedAll(
      [
        "-a",
        "-d",
        "--delete",
        "-m",
        "-s",
        "-u",
        "-f",
        "--force",
        "-F",
        "--annotate",
        "--sign",
        "--create-reflog",
        "--cleanup",
        "-e",
        "--edit",
      ],
      WRITES,
      "git tag -n",
    ),
  },
  check: (options) => {
    if (options.has(...LISTS, "-n") || options.operands.length === 0) return undefined;
    return [`git tag NAME makes a tag: ${WRITES}`, "git tag -l '*'"];
  },
  *run(run) {
    const { options, repository, print } = run;
    const { keeps } = refFilter(run);
    const folds = options.has("-i", "--ignore-case");
    const globs = options.operands.map((pattern) => compileGlob(pattern, { caseFold: folds }));
    const values = new RefValues(run);
    const listed = repository.refs
      .list("refs/tags/")
      .filter((ref) => keeps(ref) && (globs.length === 0 || globs.some((glob) => glob.matches(toWord(ref.name.slice(10))))));
    const typed = options.last("--format");
    const lines = options.has("-n") ? Number(options.last("-n") || 1) : 0;
    const format = typed === undefined ? undefined : new RefFormat(fromWord(typed));
    const style = columnStyle(repository.config, "tag", options);
    if (options.has("-n") && style.isOn && options.has("--column", "--no-column"))
      throw new GitError("options '--column' and '-n' cannot be used together");
    const columns = options.has("-n") ? { ...style, isOn: false } : style;
    const items: string[] = [];
    for (const ref of sortedRefs(run, listed, values, repository.config.get("tag.sort"))) {
      const short = ref.name.slice(10);
      if (columns.isOn) items.push(...(format === undefined ? short : format.text(ref, values)).split("\n"));
      else if (format !== undefined) print(`${format.text(ref, values)}\n`);
      else if (lines === 0) print(`${short}\n`);
      else print(`${short.padEnd(15)} ${values.textOf(ref, { name: "contents", modifier: `lines=${lines}`, peels: false })}\n`);
      yield;
    }
    print(table(items, columns, { ...USUAL_TABLE, padding: 2 }));
    return 0;
  },
});

export const showRef = command({
  flags: {
    "--heads": SWITCH,
    "--tags": SWITCH,
    "-d": SWITCH,
    "--dereference": SWITCH,
    "--head": SWITCH,
    "-s": SWITCH,
    "--hash": OPTIONAL,
    "-q": SWITCH,
    "--quiet": SWITCH,
    "--verify": SWITCH,
    "--abbrev": OPTIONAL,
  },
  *run({ options, repository, print }) {
    const operands = options.operands.map(fromWord);
    const id = (full: string): string =>
      options.has("--abbrev") || options.last("--hash")
        ? repository.short(full, Number(options.last("--abbrev") || options.last("--hash")) || undefined)
        : full;
    const line = (full: string, name: string): void => {
      if (!options.has("-q", "--quiet")) print(options.has("-s", "--hash") ? `${id(full)}\n` : `${id(full)} ${name}\n`);
    };
    if (options.has("--verify")) {
      if (operands.length === 0) throw new GitError("--verify requires a reference");
      for (const name of operands) {
        const ref = name.startsWith("refs/") || name === "HEAD" ? repository.refs.resolve(name) : undefined;
        if (ref !== undefined) line(ref.id, name);
        else if (options.has("-q", "--quiet")) return 1;
        else throw new GitError(`'${name}' - not a valid ref`);
      }
      return 0;
    }
    const head = repository.refs.resolve("HEAD");
    const chosen = [...(options.has("--head") && head !== undefined ? [head] : []), ...repository.refs.list()].filter(({ name }) => {
      if (
        name !== "HEAD" &&
        options.has("--heads", "--tags") &&
        !((options.has("--heads") && name.startsWith("refs/heads/")) || (options.has("--tags") && name.startsWith("refs/tags/")))
      )
        return false;
      return name === "HEAD" || operands.length === 0 || operands.some((wanted) => name === wanted || name.endsWith(`/${wanted}`));
    });
    for (const { name, id: full } of chosen) {
      line(full, name);
      if (options.has("-d", "--dereference") && repository.peeled(full) !== full) line(repository.peeled(full), `${name}^{}`);
      yield;
    }
    return chosen.length === 0 ? 1 : 0;
  },
});
