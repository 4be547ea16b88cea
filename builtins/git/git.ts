/** git: a repository read in process, without git. Nothing of its configuration ever runs anything, and nothing is written. */
import { isAbsolutePath } from "../../src/glob/absolute-path.ts";
import { defineBuiltin, type BuiltinDefinition } from "../../src/builtin/definition.ts";
import { helpText } from "../../src/builtin/help.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import { PatternError } from "../../src/regex/pattern-error.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { lineBlocks } from "../../src/io/lines.ts";
import { BlockBuilder } from "../../src/io/output.ts";
import { fromWord, toWord } from "./objects/byte-text.ts";
import { flagLists } from "./commands/flag-lists.ts";
import { runGit } from "./commands/git-run.ts";
import { parseGit } from "./commands/command-line.ts";
import { GitError } from "./git-error.ts";

/** Files that make a directory a repository without a commit. */
const EMPTY = { ".git/HEAD": "ref: refs/heads/main\n", ".git/objects/info/packs": "\n", ".git/refs/heads/.keep.lock": "" };

/** The first block is no larger, and so is what most commands print. */
const FIRST_BYTES = 1 << 12;

/** Commands that read the repository's store alone. */
const OF_STORE: ReadonlySet<string> = new Set([
  "log",
  "show",
  "shortlog",
  "blame",
  "rev-parse",
  "rev-list",
  "cat-file",
  "ls-tree",
  "branch",
  "tag",
]);

export const git: BuiltinDefinition<Record<never, never>> = defineBuiltin({
  name: "git",
  summary: "Read a git repository: log, status, diff, show, blame, grep, branch, for-each-ref, rev-parse and more.",
  standard: "https://git-scm.com/docs",
  reference: "git 2.39.5",
  operands: { kind: "values" },
  syntax: "raw",
  flags: {},
  usageExit: 129,
  tells: "start",
  looksAt: ([command]) => (OF_STORE.has(command ?? "") ? "nothing" : undefined),
  subcommands: flagLists,
  examples: [
    { command: "git status --short", files: { ...EMPTY, "a.txt": "a\n" }, stdout: "?? a.txt\n" },
    { command: "git branch --show-current", files: EMPTY, stdout: "main\n" },
    {
      command: "git rev-parse HEAD",
      files: { ...EMPTY, ".git/refs/heads/main": `${"0123456789".repeat(4)}\n` },
      stdout: `${"0123456789".repeat(4)}\n`,
    },
    {
      command: "git remote -v",
      files: { ...EMPTY, ".git/config": '[remote "origin"]\n\turl = https://example.org/x.git\n' },
      stdout: "origin\thttps://example.org/x.git (fetch)\norigin\thttps://example.org/x.git (push)\n",
    },
  ],
  deviations: [
    { from: "git", what: "commands that write, fetch or start a program are refused", why: "a repository is only read here" },
    {
      from: "git",
      what: "aliases, hooks, pagers, filters, external diffs, text conversions and fsmonitor of the configuration never run",
      why: "nothing here starts a program",
    },
    {
      from: "git",
      what: "configuration outside the repository, includes and core.excludesFile are not read",
      why: "they are outside the workspace, or can lead there",
    },
    {
      from: "git",
      what: "repositories, worktrees and alternates outside the workspace are refused",
      why: "nothing outside the workspace is read",
    },
    {
      from: "git",
      what: "files with a filter or a text conversion are compared and shown as they are stored",
      why: "nothing here starts a program",
    },
    {
      from: "git",
      what: "GIT_DIR and GIT_WORK_TREE are read; GIT_INDEX_FILE, GIT_CONFIG_GLOBAL, GIT_TRACE and the like, and core.worktree that names another working tree, end a command",
      why: "they would make it read another repository than is shown",
    },
    {
      from: "git",
      what: "with a built-in diff driver --word-diff parts words by white space, and ada, bibtex, csharp, dts, elixir, fortran, fountain, java, kotlin, matlab, objc, pascal, perl and scheme find functions by the usual rule: each says so on standard error",
      why: "the patterns of those drivers are not done; diff.NAME.wordRegex and diff.NAME.xfuncname are",
    },
    {
      from: "git",
      what: "where the policy does not let some files be read, a link within an object store ends the command",
      why: "the store that it leads to may be of files to which other rules are held",
    },
    { from: "git", what: "{a,b} in .gitignore and .gitattributes is a choice", why: "ignore files are read as ripgrep and fd read them" },
    {
      from: "git",
      what: "%G? of a signed commit is E, and %GS and the like end the command there",
      why: "checking a signature starts a program",
    },
    {
      from: "git",
      what: "-C -C against the index or the working tree ends the command where a file was added",
      why: "files that did not change are looked for between two commits alone",
    },
    {
      from: "git",
      what: "blame --ignore-rev ends the command where an ignored commit changed lines of the file",
      why: "which lines of its parents are like them is a guess of git's own",
    },
    {
      from: "git",
      what: "settings of the repository that are not done are told of on standard error (with -c they are refused)",
      why: "none is passed over: blame.ignoreRevsFile, log.showSignature, diff.orderFile, status.submoduleSummary and the like",
    },
    {
      from: "git",
      what: "git without a command prints the commands that are here, with git's exit status",
      why: "git's own list is of those that write",
    },
    {
      from: "git",
      what: "output has no colours (--color=always is refused) but those of --color-words, which end the command beside a graph, names of commits, a combined diff, a submodule's commits, a format with colours or color.diff.NAME",
      why: "it is read by programs; these are not coloured here",
    },
    {
      from: "git",
      what: "a word diff ends the command where git leaves out the prefix of a line (--line-prefix, --graph), and of a file with NUL in it",
      why: "lines without their prefix, and words up to a NUL, are accidents of git's own",
    },
    {
      from: "git",
      what: "--submodule=diff ends the command where a submodule is not checked out; describe takes one file at a time; ls-files --debug and --with-tree stand without -o and -k",
      why: "what git says there is of its own state",
    },
    {
      from: "git",
      what: "after an unknown option, or where range-diff lacks a range, the list of options is not printed",
      why: "the guard names the option before anything runs; the list is git's own text",
    },
    {
      from: "git",
      what: "git var answers from the line's variables and the repository's configuration, and ends with a message where they say nothing",
      why: "the host's variables and configuration are not read",
    },
    {
      from: "git",
      what: "a binary patch of files that are larger than 128 MiB, both sides together (half of what a stage holds), ends the command",
      why: "what it is made of is held several times over",
    },
    { from: "git", what: "the index is never refreshed", why: "a repository is only read here" },
    {
      from: "git",
      what: "a pack that is broken, or has another object format than --object-format says, ends verify-pack with a message of ours",
      why: "git's messages tell of its own reading of such a file, step by step",
    },
  ],
  check({ operands }) {
    parseGit(operands);
  },
  effects({ operands }) {
    const line = parseGit(operands);
    const places = line.kind === "command" ? [line.places.gitDirectory, line.places.worktree] : [];
    // Each is relative to those of -C, one behind the other.
    const from = line.directories.reduce((at, { path }) => (isAbsolutePath(path) || at === "" ? path : `${at}/${path}`), "");
    const below = (path: string): string => (isAbsolutePath(path) || from === "" ? path : `${from}/${path}`);
    return [...line.directories, ...places.flatMap((place) => (place === undefined ? [] : [{ ...place, path: below(place.path) }]))].map(
      ({ path, operand }) => ({ kind: "status", path, operand }) as const,
    );
  },
  async *run(invocation) {
    const line = parseGit(invocation.operands);
    if (line.kind === "help") {
      yield Buffer.from(helpText(git, invocation.name));
      return line.exit;
    }
    if (line.kind !== "command") {
      yield Buffer.from("git version 2.39.5\n");
      return 0;
    }
    // What `head` wants of a long history is there soon.
    let output = new BlockBuilder(FIRST_BYTES);
    let isFirst = true;
    const late: string[] = [];
    let input: AsyncGenerator<Buffer, void> | undefined;
    let running: ReturnType<typeof runGit> | undefined;
    try {
      running = runGit(
        invocation,
        line,
        (text) => output.addLatin1(text),
        // Nothing was printed that it would come behind.
        (text) => (output.empty && late.length === 0 ? invocation.stderr(toWord(text)) : void late.push(text)),
      );
      let block: Buffer | undefined;
      for (let steps = 0, step = running.next(); ; step = running.next(block)) {
        const wanted = step.done === true ? undefined : step.value;
        if (output.full || ((late.length > 0 || wanted !== undefined) && !output.empty)) {
          yield output.take();
          output = isFirst ? new BlockBuilder() : output;
          isFirst = false;
        }
        for (const text of late.splice(0)) invocation.stderr(toWord(text));
        if (step.done === true) {
          if (!output.empty) yield output.take();
          return step.value;
        }
        if (wanted !== undefined && "loading" in wanted) await wanted.loading;
        else if (wanted !== undefined) {
          input ??= lineBlocks(invocation.stdin, invocation.limits.lineBytes, wanted.separator);
          block = (await input.next()).value ?? undefined;
        }
        if (++steps % 64 === 0) await invocation.wait(0);
      }
    } catch (thrown) {
      const error = asGitError(thrown);
      if (!output.empty) yield output.take();
      for (const text of late) invocation.stderr(toWord(text));
      invocation.stderr(toWord(`${error.prefix}${error.message}\n`));
      return error.exit;
    } finally {
      // Where nobody wants the rest, it lets go of what it holds open.
      running?.return(0);
      await input?.return();
    }
  },
});

function asGitError(thrown: unknown): GitError {
  if (thrown instanceof GitError) return thrown;
  if (thrown instanceof UsageError) return new GitError(thrown.message, { exit: thrown.exit ?? 129, prefix: "error: " });
  if (thrown instanceof FileError) return new GitError(`${fromWord(thrown.path)}: ${thrown.message}`);
  if (thrown instanceof PatternError) return new GitError(thrown.message);
  throw thrown;
}
