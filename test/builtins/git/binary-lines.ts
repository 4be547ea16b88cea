/** Lines that print binary patches, for the repository of binary-repository.ts. */
const SHAPES: readonly string[] = [
  ...["", "-R", "-M", "-C", "-C -C", "--no-renames", "-B", "-D", "-D -R", "-a", "--stat", "--numstat", "--summary", "--raw", "--shortstat"],
  ...["--full-index", "--abbrev=9", "--no-abbrev", "--no-prefix", "-w", "-w --exit-code", "-w --stat --exit-code", "--quiet", "-U0", "-z"],
  ...["--line-prefix='> '", "--relative=d", "--src-prefix=x/", "--diff-filter=D", "-Sinserted", "--name-only"],
  ...["--patch-with-stat", "--dirstat=lines", "-s", "--check", "--no-textconv", "--ignore-blank-lines --exit-code", "-I x --exit-code"],
];

const LEVELS: readonly string[] = ["-1", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];

export const BINARY_LINES: readonly string[] = [
  ...SHAPES.flatMap((shape) => [`git diff --binary ${shape} HEAD~3 HEAD~2`, `git log --binary ${shape} --format=%s`]),
  ...SHAPES.filter((shape) => shape !== "-C -C").flatMap((shape) => [
    `git diff --binary ${shape}`,
    `git diff --binary --cached ${shape}`,
    `git diff --binary ${shape} HEAD~4`,
  ]),
  ...[1, 2, 3, 4, 5, 6].flatMap((back) => [
    `git show --binary HEAD~${back}`,
    `git show -p --binary --stat HEAD~${back}`,
    `git diff --binary HEAD~${back}`,
    `git diff --binary -R HEAD HEAD~${back}`,
    `git diff-tree --binary -r HEAD~${back}`,
    `git diff-tree -p --binary -r -M --root HEAD~${back}`,
    `git diff-index --binary HEAD~${back}`,
    `git diff-index -p --binary --cached HEAD~${back}`,
    `git format-patch --stdout -1 HEAD~${back}`,
    `git diff HEAD~${back} HEAD -- '*.dat' '*.sec'`,
  ]),
  ...["", "--graph", "-m", "-c", "--cc", "--first-parent -m", "--reverse", "--graph --all", "-- d", "--follow -- d/moved.png", "-2"].map(
    (more) => `git log -p --binary ${more}`,
  ),
  ...LEVELS.flatMap((level) => [
    `git -c core.compression=${level} diff --binary HEAD~5 HEAD~4`,
    `git -c core.compression=9 -c core.looseCompression=${level} show --binary HEAD~4`,
  ]),
  // A level that is none ends the command before it prints anything.
  ...["core.compression=-2", "core.compression=10", "core.looseCompression=x"].map(
    (setting) => `git -c ${setting} diff --binary HEAD~6 HEAD~5 -- image.png`,
  ),
  ...["", "--no-binary", "--binary", "--text", "--text --binary", "-p", "--no-stat", "--full-index", "-M", "--no-renames", "-D"].map(
    (more) => `git format-patch --stdout ${more} HEAD~4`,
  ),
  "git format-patch --stdout --no-binary --binary -2",
  "git format-patch --stdout --binary --no-binary -2",
  "git format-patch --stdout --root side",
  "git format-patch --stdout --no-signature --zero-commit HEAD~7..HEAD -- d",
  "git diff-files --binary",
  "git diff-files -p --binary -R",
  "git whatchanged --binary -3",
  "git whatchanged -p --binary -2",
  "git stash show -p --binary",
  "git stash show --binary",
  "git stash show --stat --binary",
  "git stash list -p --binary",
  "git log -g -p --binary -3",
  "git reflog -p --binary -2",
  "git show --binary HEAD~1 HEAD~2 main:text.txt",
  "git show --binary --cc HEAD~1",
  "git show --binary -c HEAD~1",
  "git show --binary -m HEAD~1",
  "git show --binary stash",
  "git diff --binary HEAD~6:image.png HEAD:copy.bin",
  "git diff --binary HEAD~6:image.png copy.bin",
  "git diff --binary HEAD~6:image.png HEAD:text.txt",
  "git diff --binary HEAD~6:empty HEAD~5:empty",
  "git diff --binary side...main",
  "git diff --binary --merge-base side main",
  "git diff --binary HEAD~2^1 HEAD~1 -- copy.bin",
  "git diff --no-index --binary 15 16",
  "git diff --no-index --binary a.dat plain.dat",
  "git diff --no-index --binary d/moved.png untracked.bin",
  "git diff --no-index --binary /dev/null untracked.bin",
  "git diff --no-index --binary untracked.bin /dev/null",
  "git diff --no-index --binary empty untracked.bin",
  "cat 16 | git diff --no-index --binary 15 -",
  "git diff --binary HEAD~5 | git patch-id",
  "git diff --binary HEAD~5 | git patch-id --stable",
  "git log -p --binary | git patch-id",
  "git log -p --full-index | git patch-id --stable",
  "git format-patch --stdout HEAD~5 | git patch-id --stable",
  "git range-diff --no-patch HEAD~4..HEAD~2 HEAD~4..HEAD~1",
  "git log --cherry-pick --left-right --oneline side...main",
  "git diff --binary -G inserted HEAD~6 HEAD~5",
  // Patterns of -L find nothing behind a NUL byte.
  ...["/one/,+1", "/three/,+1", "1,/two/", "/two/,/three/", ":one", ":three"].flatMap((range) => [
    `git log --format=%s -L'${range}:a.yes'`,
    `git blame -L'${range}' a.yes`,
  ]),
  "git diff --binary | head -c 300",
  "git log -p --binary | grep -c '^GIT binary patch$'",
  "git diff HEAD~6 HEAD -- link.dat plain.dat plain.always",
  "git diff --stat HEAD~3 HEAD~2 -- link.dat",
  "git diff --stat HEAD~5 HEAD -- link.dat 'd/ü.bin'",
];

export const SHA256_BINARY_LINES: readonly string[] = [
  "git log -p --binary --reverse",
  "git diff --binary HEAD~3",
  "git format-patch --stdout HEAD~3",
  "git log -p --binary | git patch-id",
];
