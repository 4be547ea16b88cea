/**
 * Our grep against GNU grep on random patterns: same bytes, same messages, same exit status. A short run by default;
 * npm run fuzz -- grep 20000 for a long one, with a seed behind it for another.
 */
import { spawnSync } from "node:child_process";
import { expect } from "vitest";
import { fuzzRuns } from "../../fuzz/dice.ts";
import { fuzzCase } from "./grep-fuzz.ts";
import { runGrep } from "./run-grep.ts";
import { needs } from "../../needs.ts";

const count = fuzzRuns(100, 200);
const firstSeed = Number(process.env["SHELPA_FUZZ_SEED"] ?? 1) * 1_000_000;
const env = { PATH: process.env["PATH"] ?? "", LC_ALL: "C.UTF-8" };
const isReference = spawnSync("grep", ["--version"], { env }).stdout?.toString().startsWith("grep (GNU grep) 3.8") === true;

needs({ name: "GNU grep 3.8", isHere: isReference }).test(`${count} random patterns`, { timeout: 60_000 + count * 100 }, async () => {
  const differences: unknown[] = [];
  for (let seed = firstSeed; seed < firstSeed + count && differences.length < 20; seed++) {
    const { args, stdin } = fuzzCase(seed);
    const real = spawnSync("grep", args, { input: stdin, env, timeout: 10_000 });
    const ours = await runGrep(args, stdin, "/tmp");
    const same = ours.exit === real.status && ours.stdout.equals(real.stdout) && ours.stderr === real.stderr.toString();
    if (!same && !isExplained(args, real.status)) {
      differences.push({
        seed,
        args,
        stdin: stdin.toString("latin1"),
        ours: show(ours),
        real: show({ ...real, stderr: real.stderr.toString(), exit: real.status }),
      });
    }
  }
  expect(differences).toEqual([]);
});

/**
 * GNU grep 3.8 may not end where a group that may be empty is repeated, and is then stopped; and it loses a word boundary
 * of a group that is repeated by number: (\b.){2} finds "ab".
 */
const isExplained = (args: readonly string[], status: number | null): boolean =>
  status === null || args.some((arg) => /\\[bB<>].*\)\\?\{/.test(arg));

const show = ({ stdout, stderr, exit }: { stdout: Buffer; stderr: string; exit: number | null }) => ({
  stdout: stdout.toString("latin1"),
  stderr,
  exit,
});
