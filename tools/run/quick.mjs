/**
 * npm run test:quick: types, boundaries, and the tests that are nearest to what changed, in less than a minute. Nearest are, in
 * this order: test files that changed; those in the room of test/ that mirrors a changed file's; those that import a changed file,
 * themselves or through a helper in test/; and, where a changed file has no such room, those that import it through other sources.
 * What is not committed yet comes before the commits since HEAD left main. Of these it takes as many as the time allows, none that
 * is slow unless it changed itself, and names those that are left to `npm test`. Where something is generated of what changed (a
 * builtin's page, the tool's description), the tests of that are always among them.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { conclusion, FAST_BUILD, inTurn, root, tests, TYPES } from "./steps.mjs";

/** Seconds of all tests that are taken, one after the other: two at a time they take half, and reading the sources the rest. */
const MOST_SECONDS = 40;
const SLOW_SECONDS = 8;
/** Of a file that test-seconds.json does not name. */
const USUAL_SECONDS = 0.5;
const BOUNDARIES = "test/boundaries.test.ts";
/** Tests of what is made of definitions and rules; they fail where `npm run docs` or `npm run tokens` was forgotten. */
const GENERATED = ["test/docs.test.ts", "test/mcp/tokens.test.ts"];
const GENERATES = /^(?:builtins\/|src\/(?:builtin|guard\/rules)\/)/;
const SECONDS = JSON.parse(readFileSync(new URL("test-seconds.json", import.meta.url), "utf8"));

process.chdir(root);
const startedMs = performance.now();
const base = forkPoint();
const uncommitted = changedSince("HEAD");
const changed = [...new Set([...uncommitted, ...changedSince(base)])];
const files = testFiles();
const importsOf = new Map([...files, ...sourceFiles()].map((path) => [path, importsIn(path)]));
if (changed.length === 0) {
  console.log(` nothing changed since ${base.slice(0, 12)}, and nothing is tested: npm test runs everything`);
  process.exit(0);
}
const { taken, left } = chosen();
console.log(
  ` ${changed.length} files changed since ${base.slice(0, 12)}, ${uncommitted.length} of them not committed: boundaries and ${taken.length} more test files`,
);

const building = needsBuild() ? await inTurn([FAST_BUILD]) : [];
// The types beside the tests: each needs about one processor.
const failed = await Promise.all([inTurn([TYPES]), building.length > 0 ? building : tests([BOUNDARIES, ...taken])]);
if (left.length > 0) console.log(` left to npm test: ${left.length} test files (${named(left)})`);
console.log(
  ` ${Math.round((performance.now() - startedMs) / 1000)} s; format, lint and dead code are for npm run format and npm run check`,
);
process.exit(conclusion(failed.flat()));

/** The commit at which this branch left main; HEAD on main, and where there is no main. */
function forkPoint() {
  for (const main of ["main", "origin/main"]) {
    const commit = git(["merge-base", "HEAD", main], "");
    if (commit !== "") return commit;
  }
  return git(["rev-parse", "HEAD"]);
}

function changedSince(commit) {
  const tracked = git(["diff", "--name-only", "--no-renames", commit]);
  const added = git(["ls-files", "--others", "--exclude-standard"]);
  return [...new Set(`${tracked}\n${added}`.split("\n"))].filter((path) => path !== "");
}

function git(args, otherwise) {
  try {
    return execFileSync("git", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch (thrown) {
    if (otherwise === undefined) throw thrown;
    return otherwise;
  }
}

function testFiles() {
  return filesIn("test");
}

function sourceFiles() {
  return ["src", "builtins", "tools", "bench"].flatMap(filesIn);
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(folder, name));
}

/** Files of ours that one imports, from the top of the project. */
function importsIn(path) {
  const found = readFileSync(path, "utf8").matchAll(/(?:\bfrom|\bimport)\s*\(?\s*["'](\.[^"']+)["']/g);
  return [...found].map(([, module]) => normalize(join(dirname(path), module)));
}

/** The test files that are run, and those that are not though they have to do with what changed. */
function chosen() {
  const nearest = new Map();
  const add = (path, rank) => {
    if (path.endsWith(".test.ts") && path !== BOUNDARIES && existsSync(path)) nearest.set(path, Math.min(rank, nearest.get(path) ?? rank));
  };
  for (const path of changed) {
    const before = uncommitted.includes(path) ? 0 : 3;
    add(path, before);
    const mirror = files.filter((test) => mirrors(test, path));
    for (const test of mirror) add(test, before + 1);
    for (const test of importers(path, mirror.length === 0)) add(test, before + 2);
  }
  const secondsOf = (path) => SECONDS[path] ?? USUAL_SECONDS;
  const ordered = [...nearest].sort(([a, nearA], [b, nearB]) => nearA - nearB || secondsOf(a) - secondsOf(b));
  const taken = changed.some((path) => GENERATES.test(path)) ? [...GENERATED] : [];
  const left = [];
  let seconds = taken.reduce((sum, path) => sum + secondsOf(path), 0);
  for (const [path, rank] of ordered) {
    if (taken.includes(path)) continue;
    const isQuick = rank % 3 === 0 || secondsOf(path) < SLOW_SECONDS;
    const isTaken = isQuick && seconds + secondsOf(path) <= MOST_SECONDS;
    (isTaken ? taken : left).push(path);
    if (isTaken) seconds += secondsOf(path);
  }
  return { taken, left };
}

/** `test/io/…` mirrors `src/io/text.ts`, and `test/builtins/sort/…` mirrors `builtins/sort/text-key.ts`. */
function mirrors(test, path) {
  const [, room] = /^(?:src\/([^/]+)|(builtins\/[^/]+))\//.exec(path)?.filter((part) => part !== undefined) ?? [];
  return room !== undefined && test.startsWith(`test/${room}/`);
}

/** Files that import `path`, or a helper in test/ that does; with `throughSources` also those that reach it through any file. */
function importers(path, throughSources, seen = new Set()) {
  for (const [file, imports] of importsOf) {
    if (seen.has(file) || !imports.includes(path)) continue;
    seen.add(file);
    if (!file.endsWith(".test.ts") && (throughSources || file.startsWith("test/"))) importers(file, throughSources, seen);
  }
  return seen;
}

/** Whether a chosen test runs what is built. */
function needsBuild() {
  const reached = new Set();
  const visit = (path) => {
    if (reached.has(path) || !importsOf.has(path)) return;
    reached.add(path);
    importsOf
      .get(path)
      .filter((imported) => imported.startsWith("test/"))
      .forEach(visit);
  };
  taken.forEach(visit);
  return [...reached].some((path) => readFileSync(path, "utf8").includes("/dist/"));
}

function named(paths) {
  const shown = paths.slice(0, 4).map((path) => path.replace(/^test\/|\.test\.ts$/g, ""));
  return paths.length > shown.length ? `${shown.join(", ")}, …` : shown.join(", ");
}
