/** Lines with -B, for the repository of rewrite-repository.ts. */
const BREAKS: readonly string[] = ["-B", "-B50", "-B/70", "-B20%/30%", "-B1/1", "-B99/99", "--break-rewrites=.3/.1"];
const FORMATS: readonly string[] = [
  ...["-p", "--stat", "--summary", "--name-status", "--raw", "--numstat", "--dirstat", "-p --stat --summary", "-p -U0 -w", "-p -D"],
  ...["--diff-filter=B --name-status", "--diff-filter=M --name-status", "--diff-filter=b --raw", "--compact-summary", "-R -p", "-R --raw"],
  ...["--word-diff", "--check", "--quiet", "-a -p --full-index", "--exit-code --shortstat", "-S says --name-status"],
];
const RENAMES: readonly string[] = ["", "-M", "-M90", "-M100%", "-C", "--no-renames"];

export const REWRITE_LINES: readonly string[] = [
  ...BREAKS.flatMap((breaks) => RENAMES.map((renames) => `log --oneline --name-status --summary ${breaks} ${renames}`)),
  ...BREAKS.map((breaks) => `log --oneline -p -C -C ${breaks}`),
  ...BREAKS.map((breaks) => `diff-tree -r ${breaks} HEAD~3`),
  ...RENAMES.map((renames) => `diff-tree -r -B ${renames} HEAD~5 HEAD~1`),
  ...FORMATS.flatMap((format) => [
    `diff -B ${format} HEAD~5 HEAD~4`,
    `diff -B/40 ${format} HEAD~4 HEAD~1`,
    `diff -B ${format} HEAD`,
    `diff -B ${format}`,
    `diff --cached -B -C ${format}`,
    `diff-index -B -M ${format} HEAD~2`,
    `diff-files -B -M ${format}`,
  ]),
  ...["HEAD", "HEAD~1", "HEAD~2", "HEAD~3", "HEAD~4"].flatMap((commit) => [`show -B ${commit}`, `show -B -M --stat --summary ${commit}`]),
  "whatchanged -B -M --oneline",
  "whatchanged --quiet --oneline -2",
  ...["-C -C", "--find-copies-harder", "-C -C -R", "-C -C -B"].flatMap((copies) => [
    `diff ${copies} --name-status HEAD~3 HEAD~2`,
    `diff ${copies} --stat HEAD~6..HEAD`,
    `diff-tree -r ${copies} HEAD~3`,
    `diff-tree ${copies} --stat HEAD~5 HEAD~1`,
  ]),
  "diff -C -C --name-status HEAD~3 HEAD -- d moved",
  "diff -B -R HEAD",
  "diff -R -M --raw",
  "diff -B --relative=d HEAD~3",
  "diff -B -z --raw HEAD~3",
  "show -B/70 -C -C -R --name-status HEAD~2",
  "diff -D -p HEAD~1 HEAD -- linked bin",
  "diff -Bx HEAD",
  "diff -B50x HEAD",
  "diff -B50/ HEAD~3",
  "diff -B50/x HEAD",
  "diff --break-rewrites=1/2/3 HEAD",
  "diff -B --output-indicator-new=N --output-indicator-old=O HEAD~3",
  "diff -B --line-prefix='| ' HEAD~3",
  "log -B --follow --oneline --name-status -- moved",
];
