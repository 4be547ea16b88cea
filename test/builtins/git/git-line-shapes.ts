/** Lines made of the shapes that agents type, from a seed: a command, its usual flags, a revision, a path, a pipe behind it. */

import { FURTHER_SHAPES, FURTHER_WORDS } from "./git-further-shapes.ts";

/** Replacements for the words in braces of a shape, in one repository. */
export interface Names {
  readonly files: readonly string[];
  readonly directories: readonly string[];
  readonly revisions: readonly string[];
  readonly tags: readonly string[];
  readonly branches: readonly string[];
  readonly words: readonly string[];
  readonly authors: readonly string[];
  /** Directories to start in, for -C. */
  readonly places: readonly string[];
}

/** `count` distinct lines. */
export function shapedLines(seed: number, count: number, names: Names): readonly string[] {
  let state = seed;
  const below = (most: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
  const one = (from: readonly string[]): string => from[below(from.length)] ?? "";
  const words: Readonly<Record<string, () => string>> = {
    file: () => `'${one(names.files)}'`,
    dir: () => `'${one(names.directories)}'`,
    rev: () => one(names.revisions),
    tag: () => one(names.tags),
    branch: () => one(names.branches),
    word: () => one(names.words),
    author: () => one(names.authors),
    number: () => String(1 + below(12)),
    logFormat: () => one(LOG_FORMATS),
    logFlag: () => one(LOG_FLAGS),
    limit: () => one(["-{number}", "-n {number}", "-n{number}", "--max-count={number}", "-{number}", ""]),
    range: () => one(["{rev}..{rev}", "{rev}...{rev}", "{tag}..HEAD", "{branch}..HEAD", "HEAD...{branch}", "{rev} ^{rev}"]),
    path: () =>
      one(["-- {file}", "-- {dir}", "-- {dir} {file}", "{file}", "-- {dir}/", "-- '*.ts'", "-- . ':!{rawdir}'", "-- ':(top){rawdir}'"]),
    rawdir: () => one(names.directories),
    rawfile: () => one(names.files.filter((name) => /^[\w./-]+$/.test(name))),
    diffFormat: () => one(DIFF_FORMATS),
    diffFlag: () => one(DIFF_FLAGS),
    date: () => one(DATES),
    ...Object.fromEntries(Object.entries(FURTHER_WORDS).map(([name, texts]) => [name, () => one(texts)])),
  };
  const filled = (shape: string): string => {
    let text = shape;
    for (let depth = 0; depth < 6 && text.includes("{"); depth++)
      text = text.replace(/\{([a-zA-Z]+)\}/g, (all, name: string) => words[name]?.() ?? all);
    return text.replace(/ +/g, " ").trim();
  };
  const lines = new Set<string>();
  for (let tries = 0; lines.size < count && tries < count * 50; tries++) {
    const place = below(8) === 0 ? `git -C ${one(names.places)} ` : below(12) === 0 ? "git --no-pager " : "git ";
    const shape = one(below(3) === 0 ? SHAPES : FURTHER_SHAPES);
    lines.add(filled(place + shape + (below(shape.includes("|") ? 12 : 4) === 0 ? one(PIPES) : "")));
  }
  return [...lines];
}

const LOG_FORMATS = [
  "--oneline",
  "--oneline",
  "--format='%h %s'",
  "--format='%H %an <%ae> %ad %s' --date=short",
  "--pretty=format:'%h|%an|%ar|%s' --date=iso",
  "--pretty=format:'%C(auto)%h%d %s'",
  "--format='%h %cI %s%n%b'",
  "--pretty=format:'%h %ad %s' --date=format:'%Y-%m-%d %H:%M'",
  "--pretty=medium",
  "--pretty=fuller",
  "--format='%h %p %t %cn %ct'",
  "--format='%s (%h)' --reverse",
  "--oneline --decorate",
  "--format=%s",
  "--format='%h%x09%an%x09%as%x09%s'",
  "--format='- %s (%an, %cs)'",
  "",
];
const LOG_FLAGS = [
  "--stat",
  "--shortstat",
  "--numstat",
  "--name-only",
  "--name-status",
  "-p",
  "-p --stat",
  "--no-merges",
  "--merges",
  "--first-parent",
  "--all",
  "--author={author}",
  "--grep={word}",
  "-i --grep={word}",
  "-S {word}",
  "-G {word}",
  "--since={date}",
  "--after={date}",
  "--until={date}",
  "--reverse",
  "--topo-order",
  "--diff-filter=A --name-only",
  "--diff-filter=D --summary",
  "--diff-filter=R --name-status -M",
  "--abbrev-commit",
  "--skip={number}",
  "--raw",
  "-U1 -p",
  "--decorate=short",
  "--no-decorate",
  "--graph",
  "",
];
const DIFF_FORMATS = [
  "",
  "--stat",
  "--shortstat",
  "--numstat",
  "--name-only",
  "--name-status",
  "--raw",
  "--summary",
  "-U0",
  "-U1",
  "-p --stat",
  "--compact-summary",
  "--stat=100",
  "--dirstat",
];
const DIFF_FLAGS = [
  "",
  "",
  "-w",
  "-b",
  "--ignore-space-at-eol",
  "-M",
  "--no-renames",
  "--diff-filter=AM",
  "--diff-filter=d",
  "--minimal",
  "-R",
  "--no-ext-diff",
  "--no-color",
  "--full-index",
  "--ignore-blank-lines",
  "--exit-code",
  "-a",
  "--patience",
  "--histogram",
  "-C",
  "--word-diff",
  "-W",
];
const DATES = ["2023-11-15", "'2023-11-16 12:00'", "'1 week ago'", "yesterday", "2020-01-01", "'2023-11-20T00:00:00Z'"];
const SHAPES = [
  "log {logFormat} {limit}",
  "log {logFormat} {limit}",
  "log {logFormat} {logFlag} {limit}",
  "log {logFormat} {logFlag} {limit}",
  "log {logFormat} {logFlag} {limit} {path}",
  "log {logFormat} {limit} {path}",
  "log {logFormat} {range} {limit}",
  "log {logFormat} {logFlag} {range}",
  "log {logFormat} {rev} {limit} {logFlag}",
  "log {logFormat} --follow {limit} -- {file}",
  "log --follow -p -{number} -- {file}",
  "log -1 --format=%cd --date=relative",
  "log -L 1,5:{rawfile}",
  "diff {diffFormat} {diffFlag}",
  "diff {diffFormat} {diffFlag} {path}",
  "diff --cached {diffFormat} {diffFlag}",
  "diff --staged {diffFormat} {path}",
  "diff HEAD {diffFormat} {path}",
  "diff {rev} {diffFormat} {diffFlag}",
  "diff {range} {diffFormat} {diffFlag}",
  "diff {rev} {rev} {diffFormat} {path}",
  "diff {branch}...HEAD {diffFormat}",
  "diff {rev}:{rawfile} {rev}:{rawfile}",
  "status",
  "status -s {path}",
  "status --short --branch",
  "status --porcelain=v2 --branch",
  "status -uall --porcelain",
  "show {rev} {diffFormat}",
  "show {rev} {diffFormat} {diffFlag}",
  "show --stat {rev}",
  "show --name-only --format= {rev}",
  "show -s {logFormat} {rev}",
  "show {rev}:{rawfile}",
  "show {rev}:{rawfile} | head -{number}",
  "show {tag}",
  "show {rev} {path}",
  "branch -a",
  "branch -v --no-abbrev",
  "branch --contains {rev}",
  "branch --merged {branch}",
  "branch --sort=-committerdate",
  "branch -r --format='%(refname:short)'",
  "for-each-ref --sort=-committerdate --format='%(refname:short) %(objectname:short)' refs/heads",
  "for-each-ref --count={number}",
  "rev-parse {rev}",
  "rev-parse --short {rev}",
  "rev-parse --abbrev-ref HEAD",
  "rev-parse --show-toplevel",
  "rev-parse --git-dir --is-inside-work-tree",
  "rev-parse --verify {branch}",
  "rev-list --count {range}",
  "rev-list {rev} -n {number}",
  "rev-list --count --no-merges {rev} {path}",
  "merge-base {branch} {rev}",
  "merge-base --is-ancestor {rev} {rev}",
  "ls-files {path}",
  "ls-files -s {path}",
  "ls-files --others --exclude-standard",
  "ls-files -m",
  "ls-tree {rev}",
  "ls-tree -r --name-only {rev} {path}",
  "ls-tree -r -l {rev} {dir}",
  "cat-file -t {rev}",
  "cat-file -p {rev}",
  "cat-file -s {rev}:{rawfile}",
  "tag --sort=-creatordate",
  "tag -l -n1",
  "tag --contains {rev}",
  "describe --tags --always {rev}",
  "describe --tags --long",
  "shortlog -sn {rev}",
  "shortlog -sne --no-merges HEAD",
  "reflog -{number}",
  "stash list",
  "stash show",
  "show-ref --heads",
  "worktree list",
  "check-ignore -v {file}",
  "blame {file}",
  "blame -L 1,{number} {file}",
  "blame -s {rev} -- {file}",
  "grep -n {word}",
  "grep -c {word} {rev}",
  "grep -l {word} {path}",
  "config --get remote.origin.url",
  "config user.name",
  "remote -v",
];
const PIPES = [
  " | head -{number}",
  " | wc -l",
  " | tail -{number}",
  " 2>&1 | head -20",
  " | cat",
  " | sort | uniq -c | sort -rn | head",
  " | grep -c .",
];
