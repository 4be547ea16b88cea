/**
 * npm run stress -- NAME [COUNT] [SEED]: one of the stress tests with so many runs (race: seconds; default: below) from a
 * seed (default: of the clock, and printed). The tests run with every `npm test` too, with fewer.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const TESTS = {
  race: { file: "test/workspace/race.test.ts", name: "no escape", count: 60 },
  kills: { file: "test/audit/crash.test.ts", name: "kills at random instants", count: 500 },
  faults: { file: "test/audit/fault.test.ts", name: "random faults", count: 200 },
  versions: { file: "test/audit/many-writes.test.ts", name: "overwrites of one file", count: 10_000 },
  files: { file: "test/audit/many-writes.test.ts", name: "files in turn", count: 2_000 },
  writers: { file: "test/audit/many-writes.test.ts", name: "two writers", count: 500 },
  repositories: { file: "test/hostile/repositories/repositories.test.ts", name: "", count: 1 },
  histories: { file: "test/builtins/writers/histories.test.ts", name: "undone in reverse", count: 200 },
  "writer-kills": { file: "test/audit/writer-kills.test.ts", name: "kills of random lines", count: 500 },
  "two-servers": { file: "test/audit/writer-kills.test.ts", name: "two servers", count: 300 },
  "writer-faults": { file: "test/audit/writer-faults.test.ts", name: "faults in random lines", count: 200 },
  overlays: { file: "test/session/overlay-histories.test.ts", name: "histories", count: 1000 },
  "git-status": { file: "test/audit/git-status.test.ts", name: "sessions", count: 50 },
  large: { file: "test/audit/many-writes.test.ts", name: "MiB", count: 100 },
};

const [name = "", given, seed = String(Date.now() % 1_000_000_000)] = process.argv.slice(2);
const test = Object.hasOwn(TESTS, name) ? TESTS[name] : undefined;
const count = given ?? String(test?.count);
if (test === undefined || !/^\d+$/.test(count) || !/^\d+$/.test(seed)) {
  console.error(`usage: npm run stress -- NAME [COUNT] [SEED]\nNAME: ${Object.keys(TESTS).join(" ")}`);
  process.exit(2);
}
console.log(`${name}: ${count}, seed ${seed}`);
const ran = spawnSync("npx", ["vitest", "run", test.file, "-t", test.name], {
  cwd: fileURLToPath(new URL("../..", import.meta.url)),
  stdio: "inherit",
  env: { ...process.env, SHELPA_STRESS_RUNS: count, SHELPA_STRESS_SEED: seed },
});
process.exit(ran.status ?? 1);
