/** Rows of the benchmarks: one command line each, run by us and by the real tools in the same directory. */

export interface Row {
  readonly group: "stream" | "search" | "tree" | "sort" | "json" | "text" | "bounds" | "git" | "symbols";
  readonly name: string;
  /** Runs in the data directory, through `shelpa -c` and through bash with the real tools. */
  readonly line: string;
  /** Line for the real tool, if it does the same under another name; its output differs too. */
  readonly realLine?: string;
  /** The most the ratio may be, from DESIGN §10; undefined: no target. */
  readonly atMost?: number;
  /** Measured also on a server that has answered it before: the time an agent waits. */
  readonly warm?: boolean;
}

export const ROWS: readonly Row[] = [
  { group: "stream", name: "wc -l, 300 MB", line: "wc -l log", atMost: 3 },
  { group: "stream", name: "head -1, 300 MB", line: "head -n 1 log" },
  { group: "stream", name: "cat | head -1, 300 MB", line: "cat log | head -n 1" },
  { group: "stream", name: "tail -n 100, 300 MB", line: "tail -n 100 log | wc -l" },
  { group: "stream", name: "cat | wc -c, 300 MB", line: "cat log | wc -c" },
  { group: "stream", name: "tr a-z A-Z | tail -1, 300 MB", line: "cat log | tr a-z A-Z | tail -n 1" },
  { group: "stream", name: "cut -d' ' -f3 | sort -u, 300 MB", line: "cut -d' ' -f2 log | sort -u", atMost: 3 },
  { group: "search", name: "grep literal, 300 MB", line: "grep -c ERROR log", atMost: 3 },
  { group: "search", name: "grep -i literal, 300 MB", line: "grep -ci error log", atMost: 4 },
  { group: "search", name: "grep -E regex, 300 MB", line: "grep -cE '[A-Z][a-z]+Error: [0-9]+' log", atMost: 4 },
  { group: "search", name: "grep -v, 300 MB", line: "grep -vc INFO log", atMost: 4 },
  { group: "search", name: "rg literal, 300 MB", line: "rg -c ERROR log", atMost: 3 },
  { group: "search", name: "rg regex, 300 MB", line: "rg -c '[A-Z][a-z]+Error: [0-9]+' log", atMost: 4 },
  { group: "search", name: "rg -i literal, 300 MB", line: "rg -ci error log", atMost: 4 },
  { group: "search", name: "cat | rg literal, 300 MB", line: "cat log | rg -c ERROR", atMost: 3 },
  { group: "tree", name: "grep -rn, 20,000 files", line: "grep -rn TimeoutError files | sort", atMost: 2.5, warm: true },
  {
    group: "tree",
    name: "grep -rl regex, 20,000 files",
    line: "grep -rlE '[A-Z][a-z]+Error: [0-9]+' files | sort",
    atMost: 2.5,
    warm: true,
  },
  { group: "tree", name: "rg, 20,000 files", line: "rg -n TimeoutError files | sort", atMost: 2.5, warm: true },
  { group: "tree", name: "rg regex, 20,000 files", line: "rg -n '[A-Z][a-z]+Error: [0-9]+' files | sort", atMost: 2.5, warm: true },
  { group: "tree", name: "find -name, 50,000 entries", line: "find entries -name '*.ts' | wc -l", atMost: 3, warm: true },
  { group: "tree", name: "find -type f, 50,000 entries", line: "find entries -type f | wc -l", atMost: 3, warm: true },
  { group: "tree", name: "find -size, 50,000 entries", line: "find entries -type f -size +0 | wc -l", atMost: 3, warm: true },
  { group: "tree", name: "fd -e, 50,000 entries", line: "fd -e ts . entries | wc -l", atMost: 3, warm: true },
  { group: "tree", name: "fd pattern, 50,000 entries", line: "fd 'f[0-9]+1\\.' entries | wc -l", atMost: 3, warm: true },
  { group: "tree", name: "rg --files | head -4", line: "rg --files entries | head -n 4 | wc -l", warm: true },
  { group: "tree", name: "rg --files | wc -l, 50,000 entries", line: "rg --files entries | wc -l", atMost: 3, warm: true },
  { group: "sort", name: "sort -u, 50 MB", line: "head -c 50000000 log | sort -u | tail -n 1", atMost: 3 },
  { group: "sort", name: "sort -u, 300 MB", line: "sort -u log | tail -n 1", atMost: 3 },
  { group: "sort", name: "sort, 1 GB, by what the lines say", line: "head -c 1000000000 two-gigabytes | sort -k 2 | tail -n 1", atMost: 3 },
  { group: "json", name: "jq .x, 50 MB of lines", line: "jq .x lines.json", atMost: 1.5 },
  { group: "json", name: "jq -c ., 50 MB of lines", line: "jq -c . lines.json", atMost: 1.5 },
  { group: "json", name: "cat | jq select, 50 MB of lines", line: "cat lines.json | jq -c 'select(.level == \"error\")'", atMost: 1.5 },
  { group: "json", name: "jq . | head -1", line: "jq . lines.json | head -n 1" },
  { group: "json", name: "jq on nothing", line: "jq -n 1" },
  { group: "text", name: "awk sum of a field, 300 MB", line: "awk '{ s += length($3) + $1 } END { print s }' log", atMost: 2.5 },
  { group: "text", name: "awk two fields, 300 MB", line: "awk '{ print $1, $3 }' log", atMost: 2.5 },
  { group: "text", name: "awk a literal, 300 MB", line: "awk '/ERROR/ { n++ } END { print n }' log", atMost: 2.5 },
  { group: "text", name: "awk a count per key, 300 MB", line: "awk '{ a[$2]++ } END { for (k in a) print k, a[k] }' log", atMost: 2.5 },
  { group: "text", name: "awk -F, 300 MB", line: "awk -F: '{ n += NF } END { print n }' log", atMost: 2.5 },
  { group: "text", name: "awk gsub, 300 MB", line: "awk '{ gsub(/e+/, \"E\") } END { print }' log", atMost: 2.5 },
  { group: "text", name: "awk sum of a third field, 100 MB", line: "awk '{ s += $3 } END { print s }' log-100", atMost: 2.5 },
  { group: "text", name: "sed s///g, no match, 100 MB", line: "sed 's/foo/bar/g' log-100", atMost: 2 },
  { group: "text", name: "sed s///g, most lines match, 100 MB", line: "sed 's/user/bar/g' log-100", atMost: 2 },
  { group: "text", name: "sed s/regex/, most lines match, 50 MB", line: "sed 's/[a-z]*ion/X/' log-50" },
  { group: "text", name: "wc, 100 MB", line: "wc log-100", atMost: 3 },
  { group: "text", name: "tr a-z A-Z, 100 MB", line: "cat log-100 | tr a-z A-Z" },
  { group: "text", name: "tr -d aeiou, 100 MB", line: "cat log-100 | tr -d aeiou" },
  { group: "text", name: "uniq, 100 MB", line: "uniq log-100" },
  { group: "text", name: "cut | sort | uniq -c, 50 MB", line: "cut -d ' ' -f 2-4 log-50 | sort | uniq -c | tail -n 1" },
  { group: "text", name: "cut -d' ' -f2-4, 100 MB", line: "cut -d ' ' -f 2-4 log-100" },
  { group: "text", name: "cut -c1-20, 100 MB", line: "cut -c 1-20 log-100" },
  { group: "text", name: "nl, 50 MB", line: "nl log-50" },
  { group: "text", name: "diff of 400,000 lines", line: "diff old new" },
  { group: "text", name: "md5sum, 100 MB", line: "md5sum log-100" },
  { group: "text", name: "sha256sum, 100 MB", line: "sha256sum log-100" },
  { group: "text", name: "base64, 50 MB", line: "base64 log-50" },
  { group: "text", name: "xxd, 50 MB", line: "xxd log-50" },
  { group: "text", name: "od -c, 50 MB", line: "od -c log-50" },
  { group: "text", name: "paste, 2 × 50 MB", line: "paste log-50 log-50" },
  { group: "text", name: "join, 2 × 10 MB", line: "join old new" },
  { group: "text", name: "comm, 2 × 10 MB", line: "comm old new" },
  { group: "text", name: "tac, 50 MB", line: "tac log-50" },
  { group: "text", name: "rev, 50 MB", line: "rev log-50" },
  { group: "text", name: "fold, 50 MB", line: "fold log-50" },
  { group: "text", name: "expand, 50 MB", line: "expand log-50" },
  {
    group: "symbols",
    name: "symbols NAME, 20,000 files; ctags lists all",
    line: "symbols Store40 code | wc -l",
    realLine: "ctags -R --languages=TypeScript -f - code | grep -c '^Store40\t'",
    warm: true,
  },
  {
    group: "symbols",
    name: "symbols /REGEX/, 20,000 files; ctags",
    line: "symbols -k class '/^Store4/' code | wc -l",
    realLine: "ctags -R --languages=TypeScript -f - code | grep -c '^Store4'",
    warm: true,
  },
  {
    group: "symbols",
    name: "symbols --refs NAME, 20,000 files; rg -w",
    line: "symbols --refs Store40 code | wc -l",
    realLine: "rg -w Store40 code | wc -l",
  },
  {
    group: "symbols",
    name: "outline of 1,000 files; ctags",
    line: "outline code/package-3 | wc -l",
    realLine: "ctags -R --languages=TypeScript -f - code/package-3 | wc -l",
    warm: true,
  },
  { group: "bounds", name: "yes x | head -5", line: "yes x | head -n 5" },
  { group: "bounds", name: "cat 2 GB | head -1", line: "cat two-gigabytes | head -n 1 | wc -c" },
  { group: "bounds", name: "head -1, 2 GB", line: "head -n 1 two-gigabytes | wc -c" },
  { group: "bounds", name: "tail -n 100, 2 GB", line: "tail -n 100 two-gigabytes | wc -c" },
  { group: "bounds", name: "head -c 10 of a 1 GB line", line: "head -c 10 one-line" },
  { group: "bounds", name: "cat a 1 GB line | head -c 10", line: "cat one-line | head -c 10" },
  { group: "bounds", name: "cat a 1 GB line | wc -c", line: "cat one-line | wc -c" },
  { group: "bounds", name: "cut -c 1-5 of a 1 GB line", line: "cut -c 1-5 one-line" },
  { group: "git", name: "git log --oneline -20", line: "git -C repository log --oneline -20", atMost: 4, warm: true },
  { group: "git", name: "git status --short", line: "git -C repository status --short", atMost: 4, warm: true },
  { group: "git", name: "git diff --stat HEAD~5", line: "git -C repository diff --stat HEAD~5", atMost: 4, warm: true },
  { group: "git", name: "git log --stat -50", line: "git -C repository log --stat -50", warm: true },
  { group: "git", name: "git log --oneline -- PATH", line: "git -C repository log --oneline -- src/package-3/part-2", warm: true },
  { group: "git", name: "git log -S", line: "git -C repository log --oneline -S 'changed(here)'", warm: true },
  { group: "git", name: "git show HEAD", line: "git -C repository show HEAD", warm: true },
  { group: "git", name: "git ls-files | wc -l", line: "git -C repository ls-files | wc -l", warm: true },
  { group: "git", name: "git log --oneline | wc -l", line: "git -C repository log --oneline | wc -l", warm: true },
];

/** Logs of these sizes, for what grows with them. */
export const SIZES = [
  { megabytes: 3, log: "log-3" },
  { megabytes: 30, log: "log-30" },
  { megabytes: 300, log: "log" },
] as const;

/** Lines over a log of each of SIZES. */
export const GROWING: readonly { readonly name: string; readonly lineOf: (log: string) => string }[] = [
  { name: "grep -c ERROR", lineOf: (log) => `grep -c ERROR ${log}` },
  { name: "rg -n regex | tail", lineOf: (log) => `rg -n '[A-Z][a-z]+Error: [0-9]+' ${log} | tail -n 3` },
  { name: "awk a count per key", lineOf: (log) => `awk '{ a[$2]++ } END { for (k in a) print k, a[k] }' ${log}` },
  { name: "sed s///g | tail", lineOf: (log) => `sed 's/user/bar/g' ${log} | tail -n 1` },
  { name: "sort -u | tail", lineOf: (log) => `sort -u ${log} | tail -n 1` },
  { name: "cut | sort | uniq -c", lineOf: (log) => `cut -d ' ' -f 2 ${log} | sort | uniq -c` },
  { name: "wc", lineOf: (log) => `wc ${log}` },
  { name: "head -n 5", lineOf: (log) => `head -n 5 ${log}` },
];
