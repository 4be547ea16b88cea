/** Lines with --color-moved and --color-moved-ws, which change nothing without colours, for the repository of git-flag-lines.ts. */
export const MOVED_COLOR_LINES: readonly string[] = [
  ...["", "=", "=no", "=off", "=ON", "=-1", "=2k", "=1g", "=2g", "=2147483648", "=1x", "=Zebra", "=bad"].map(
    (mode) => `diff --color-moved${mode}`,
  ),
  ...["plain", "blocks", "zebra", "dimmed-zebra", "dimmed_zebra"].map((mode) => `diff --color-moved=${mode} HEAD~1 HEAD`),
  "diff --no-color-moved --color-moved HEAD~1",
  "diff --no-color-moved-ws HEAD~1",
  ...["no", "ignore-space-change", "ignore-space-at-eol,ignore-all-space", "allow-indentation-change", "bad", "", "bad,no,worse"].map(
    (mode) => `diff --color-moved-ws=${mode} HEAD~1 HEAD`,
  ),
  "diff '--color-moved-ws=no, bad '",
  "diff --color-moved-ws=ignore-all-space,allow-indentation-change",
  "diff --color-moved-ws=ignore-all-space,no,allow-indentation-change",
  "diff --color-moved-ws=bad,allow-indentation-change,ignore-all-space",
  "diff --color-moved=bad --color-moved-ws=bad",
  "diff --color-moved-ws=bad --color-moved=bad",
  "diff --word-diff --color-moved HEAD~1",
  "log -p --color-moved=zebra -n 3",
  "log --color-moved=bad",
  "show --color-moved --color-moved-ws=no --stat -p",
  "diff-tree -p --color-moved=plain HEAD",
];
