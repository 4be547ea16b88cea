/** Commits that are chosen by who made them, by their messages, and by the number of their parents. */
import { compilePerl } from "../../../src/regex/perl-matcher.ts";
import { compilePosix } from "../../../src/regex/posix-matcher.ts";
import { PatternError } from "../../../src/regex/pattern-error.ts";
import { GitError } from "../git-error.ts";
import { bytesOf, fromWord, toWord } from "../objects/byte-text.ts";
import type { CommandRun } from "../commands/command.ts";
import type { Commit, Signature } from "../objects/objects.ts";
import { configuredSyntax, SYNTAXES } from "./grep-syntax.ts";
import { mailmapOf } from "./mailmap.ts";
import type { WalkFlag } from "./walk-flags.ts";

const PATTERN_FLAGS = ["-E", "--extended-regexp", "-F", "--fixed-strings", "-P", "--perl-regexp", "--basic-regexp"] as const;

type Test = (text: string) => boolean;

/** Tells whether a line of a text matches one of the patterns, as the flags say; undefined if there is none. Throws GitError, which names `from`. */
export function lineTest(run: CommandRun<WalkFlag>, patterns: readonly string[], from: "command line" | "header"): Test | undefined {
  if (patterns.length === 0) return undefined;
  for (const pattern of patterns) {
    try {
      compiledTest(run, [pattern]);
    } catch (thrown) {
      if (thrown instanceof PatternError) throw new GitError(`${from}, '${fromWord(pattern)}': ${thrown.message}`);
      throw thrown;
    }
  }
  return compiledTest(run, patterns);
}

function compiledTest({ options, repository }: CommandRun<WalkFlag>, patterns: readonly string[]): Test {
  const foldCase = options.has("-i", "--regexp-ignore-case");
  const type = options.lastOf(...PATTERN_FLAGS);
  const chosen = type === undefined ? configuredSyntax(repository.config) : (SYNTAXES.get(type) ?? "basic");
  const isPerl = chosen === "perl";
  const syntax = isPerl ? "basic" : chosen;
  const compiled = isPerl
    ? patterns.map((pattern) => compilePerl([pattern], { foldCase, extent: "any", lineEnd: 10 }))
    : [
        compilePosix(
          patterns.map((pattern) => toWord(fromWord(pattern))),
          { syntax, foldCase },
        ),
      ];
  return (text) =>
    text.split("\n").some((line) => {
      const bytes = bytesOf(line);
      return compiled.some((one) => one.test(bytes, 0, bytes.length));
    });
}

const PARENT_COUNTS = [
  "--merges",
  "--no-merges",
  "--cherry",
  "--min-parents",
  "--max-parents",
  "--no-min-parents",
  "--no-max-parents",
] as const;

/** The test that --author, --committer, --grep and counts of parents make of a commit. Throws GitError. */
export function filterOf(run: CommandRun<WalkFlag>, readsMailmap: boolean): (commit: Commit) => boolean {
  const { options, repository } = run;
  let least = 0;
  let most = Infinity;
  for (const { name, value } of options.each(...PARENT_COUNTS)) {
    if (name === "--merges") least = 2;
    else if (name === "--no-merges" || name === "--cherry") most = 1;
    else if (name === "--min-parents") least = Number(value);
    else if (name === "--max-parents") most = Number(value) < 0 ? Infinity : Number(value);
    else if (name === "--no-min-parents") least = 0;
    else if (name === "--no-max-parents") most = Infinity;
  }
  const matcher = (patterns: readonly string[]): Test | undefined => lineTest(run, patterns, "command line");
  const author = lineTest(run, options.all("--author"), "header");
  const committer = lineTest(run, options.all("--committer"), "header");
  const patterns = options.all("--grep");
  const message =
    options.has("--all-match") && patterns.length > 1 ? allOf(patterns.map((pattern) => matcher([pattern]))) : matcher(patterns);
  const inverts = options.has("--invert-grep");
  const mailmap = readsMailmap && (author !== undefined || committer !== undefined) ? mailmapOf(repository) : undefined;
  const shown = ({ name, mail }: Signature): string => `${name} <${mail}>`;
  const mapped = (signature: Signature): Signature => mailmap?.map(signature) ?? signature;
  return (commit) => {
    if (commit.parents.length < least || commit.parents.length > most) return false;
    if (author !== undefined && !author(shown(mapped(commit.author)))) return false;
    // git 2.39 comes to the committer only where the author was mapped.
    const isMapped = committer !== undefined && mapped(commit.author) !== commit.author;
    if (committer !== undefined && !committer(shown(isMapped ? mapped(commit.committer) : commit.committer))) return false;
    return message === undefined || message(commit.message) !== inverts;
  };
}

const allOf =
  (tests: readonly (((text: string) => boolean) | undefined)[]) =>
  (text: string): boolean =>
    tests.every((test) => test === undefined || test(text));
