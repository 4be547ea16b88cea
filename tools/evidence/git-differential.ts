/**
 * npm run git-differential [-- --seed N] [-- --lines N]: runs lines of the shapes that agents type through our git and the
 * real one, in two repositories made from the seed and in this project's own history. Prints the share of lines whose
 * standard output, standard error and exit status are the same, and the others with the reason.
 */
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Shell } from "../../src/session/shell.ts";
import { shapedLines, type Names } from "../../test/builtins/git/git-line-shapes.ts";
import { LINES } from "../../test/builtins/git/git-lines.ts";
import { makeOddRepository } from "../../test/builtins/git/git-odd-repository.ts";
import { ENVIRONMENT, makeRepository } from "../../test/builtins/git/git-repositories.ts";

const { values } = parseArgs({
  options: { seed: { type: "string", default: "1" }, lines: { type: "string", default: "400" } },
});
const seed = Number(values.seed);
const count = Number(values.lines);

interface Place {
  readonly name: string;
  readonly path: string;
  readonly lines: readonly string[];
}

const MADE: Names = {
  files: [
    "src/a.ts",
    "README.md",
    "lib/renamed.ts",
    "unusual/with space.txt",
    "moved.json",
    "staged.txt",
    "bin/moved.bin",
    "lib/deep/er/c.ts",
  ],
  directories: ["src", "lib", "unusual", "lib/deep"],
  revisions: ["HEAD", "HEAD~1", "HEAD~3", "HEAD^", "main", "feature", "v1.0", "v0.1", "HEAD~5", "main~2", "light"],
  tags: ["v1.0", "v0.1", "light"],
  branches: ["main", "feature", "topic/one", "origin/main"],
  words: ["fix", "change", "step", "function", "changed", "feature"],
  authors: ["Ada", "Bob", "zoe@example.org"],
  places: ["src", "lib/deep", "."],
};
const ODD: Names = {
  files: [
    "src/main.ts",
    "src/main.py",
    "documentation/a b.md",
    "crlf.txt",
    "side.txt",
    "documentation/ünï.md",
    "no-newline/now-a-directory",
  ],
  directories: ["src", "documentation", "vendor", "no-newline"],
  revisions: ["HEAD", "HEAD~1", "HEAD~2", "HEAD^", "main", "side", "v1.0.0", "v1.1.0", "HEAD~5", "hotfix/x"],
  tags: ["v1.0.0", "v1.1.0"],
  branches: ["main", "side", "hotfix/x"],
  words: ["round", "fix", "call", "extra", "return", "docs"],
  authors: ["Ada", "Brien", "l@example.org"],
  places: ["src", "trees/side", "vendor/lib", "documentation"],
};
const OWN: Names = {
  files: [
    "package.json",
    "src/io/text.ts",
    "builtins/sort/sort.ts",
    "CHANGELOG.md",
    "builtins/git/objects/pack.ts",
    "README.md",
    "tools/build/build.mjs",
  ],
  directories: ["src", "builtins", "src/io", "docs", "test/builtins"],
  revisions: ["HEAD", "HEAD~1", "HEAD~4", "HEAD~12", "HEAD~30", "HEAD^"],
  tags: ["HEAD~40"],
  branches: ["HEAD~7", "HEAD~20"],
  words: ["git", "sort", "test", "docs", "BlockBuilder"],
  authors: ["shelpa", "a"],
  places: ["src", "builtins", "test/builtins"],
};

const made = makeRepository(seed);
const odd = makeOddRepository(seed);
const own = join(dirname(fileURLToPath(import.meta.url)), "..");
const places: readonly Place[] = [
  { name: "made", path: made.path, lines: [...new Set([...LINES, ...shapedLines(seed, count, MADE)])] },
  { name: "odd", path: odd.path, lines: shapedLines(seed + 1, count, ODD) },
  { name: "own", path: own, lines: shapedLines(seed + 2, Math.ceil(count / 2), OWN) },
];
let all = 0;
let same = 0;
const rest: { readonly place: string; readonly line: string; readonly reason: string }[] = [];
for (const { name, path, lines } of places) {
  const shell = await Shell.open({ root: path, isolation: "none", readOnly: true, timeZone: "UTC", limits: { outputBytes: 1 << 28 } });
  let sameHere = 0;
  for (const line of lines) {
    const real = spawnSync("bash", ["-c", line], { cwd: path, env: ENVIRONMENT, maxBuffer: 1 << 28 });
    const reason = await differenceOf(shell, line, real.stdout, real.stderr, real.status ?? 128);
    if (reason === undefined) sameHere++;
    else rest.push({ place: name, line, reason });
  }
  await shell.close();
  console.log(`${name}: ${sameHere} of ${lines.length} lines the same, ${((sameHere / lines.length) * 100).toFixed(1)} %`);
  all += lines.length;
  same += sameHere;
}
made.remove();
odd.remove();
console.log(`all: ${same} of ${all}, ${((same / all) * 100).toFixed(1)} %\n`);
for (const { place, line, reason } of rest) console.log(`${place}: ${line}\n    ${reason}`);

/** The difference between the two runs of the line; undefined if they agree. */
async function differenceOf(shell: Shell, line: string, stdout: Buffer, stderr: Buffer, exit: number): Promise<string | undefined> {
  const ran = await shell.newSession().run(line, { keepBytes: 1 << 28 });
  const { result } = ran;
  if (result.kind === "refused") return `refused: ${result.violations[0].detail}`;
  if (result.kind !== "completed") return result.kind;
  if (!ran.stdout.equals(stdout))
    return `standard output: ${firstDifference(ran.stdout, stdout)}${ran.stderr.length > 0 ? ` (${ran.stderr})` : ""}`;
  if (!ran.stderr.equals(stderr)) return `standard error: ${firstDifference(ran.stderr, stderr)}`;
  return result.exit === exit ? undefined : `exit status ${result.exit}, not ${exit}`;
}

function firstDifference(ours: Buffer, real: Buffer): string {
  const [a, b] = [ours, real].map((bytes) => bytes.toString("latin1").split("\n"));
  const at = a?.findIndex((text, index) => text !== b?.[index]) ?? 0;
  const shown = (text: string | undefined): string => JSON.stringify(text?.slice(0, 120) ?? "(end)");
  return at < 0 ? "ours ends early" : `line ${at + 1}: ${shown(a?.[at])}, not ${shown(b?.[at])}`;
}
