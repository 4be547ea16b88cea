/**
 * npm test [-- ARGUMENT…]: the build beside types, lint and dead code, then every test, or those that Vitest's arguments ask
 * for. What failed is said at the end. With SHELPA_TESTS=thorough (.ci/run) tests at random try more, and on the disk.
 */
import { mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { BUILD, conclusion, DEAD_CODE, inTurn, LINT, PAGE_TYPES, tests, TYPES } from "./steps.mjs";

const MEMORY = "/dev/shm";
const LEAST_MEMORY_BYTES = 8 * 2 ** 30;

const [built, ...checked] = await Promise.all([inTurn([BUILD]), inTurn([TYPES]), inTurn([LINT, PAGE_TYPES, DEAD_CODE])]);
// Tests of what is built would test what was built before.
if (built.length > 0) process.exit(conclusion([built, ...checked].flat()));
const directory = mkdtempSync(`${placeForTrees()}/shelpa-tests-`);
try {
  const failed = await tests(process.argv.slice(2), { TMPDIR: directory, SHELPA_TEST_DISK: tmpdir() });
  process.exitCode = conclusion([...failed, ...checked.flat()]);
} finally {
  rmSync(directory, { recursive: true, force: true });
}

/** In memory, where there is much: the tests make some 20,000 small trees, and force each record of a write to the disk. */
function placeForTrees() {
  if (process.env.TMPDIR !== undefined || process.env.SHELPA_TESTS === "thorough") return tmpdir();
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= LEAST_MEMORY_BYTES ? MEMORY : tmpdir();
  } catch {
    // No such directory: not Linux.
    return tmpdir();
  }
}
