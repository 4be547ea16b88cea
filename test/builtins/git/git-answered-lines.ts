/** Lines that git-differential.ts found refused or answered otherwise, by repository; those of `every` in each of them. */
export const ANSWERED_LINES = {
  every: [
    "git diff --raw HEAD",
    "git diff --raw HEAD~2",
    "git diff --raw -R HEAD~2",
    "git diff --raw --no-renames HEAD~2",
    "git diff --raw",
    "git diff --raw -R",
    "git diff HEAD~2",
    "git diff-index HEAD~2",
    "git diff-files",
    "git status --porcelain=v2",
  ],
  made: [],
  odd: [],
  features: [],
  messages: [],
  reading: [],
  series: [],
  sha256: [
    "git diff --raw -z v1.0 | tr '\\0' '\\n'",
    "git diff --raw v1.0",
    "git diff --name-only -z v1.0",
    "git diff --raw v1.0 -- module",
    "git diff --raw --no-renames v1.0",
    "git diff -C --raw v1.0",
  ],
} as const;
