/**
 * Our grep -P against GNU grep's with PCRE2 10.42 on random patterns. A short run by default; npm run fuzz -- perl 20000 for a long one,
 * with a seed behind it for another.
 */
import { spawnSync } from "node:child_process";
import { expect } from "vitest";
import { fuzzRuns } from "../../fuzz/dice.ts";
import { needs } from "../../needs.ts";
import { perlFuzzCase } from "./perl-fuzz.ts";
import { runGrep } from "./run-grep.ts";

const count = fuzzRuns(150, 300);
const firstSeed = Number(process.env["SHELPA_FUZZ_SEED"] ?? 1) * 1_000_000;
const env = { PATH: process.env["PATH"] ?? "", LC_ALL: "C.UTF-8" };
const isReference = spawnSync("grep", ["-P", "(?1)(a)"], { env, input: "aa\n" }).stdout?.toString() === "aa\n";

needs({ name: "GNU grep 3.8 with PCRE2", isHere: isReference }).test(
  `${count} random patterns`,
  { timeout: 60_000 + count * 100 },
  async () => {
    const differences: unknown[] = [];
    for (let seed = firstSeed; seed < firstSeed + count && differences.length < 20; seed++) {
      const { args, stdin } = perlFuzzCase(seed);
      const ours = await runGrep(args, stdin, "/tmp");
      if (ours.stderr.includes("is not available here")) continue;
      const real = spawnSync("grep", args, { input: stdin, env, timeout: 10_000 });
      if (isUnsettled(ours.stderr, real.stderr.toString(), real.status)) continue;
      const same = ours.exit === real.status && ours.stdout.equals(real.stdout) && ours.stderr === real.stderr.toString();
      if (same || !sameWithout(args, stdin, real.stdout)) continue;
      differences.push({ seed, args, stdin: stdin.toString(), ours: show(ours), real: show({ ...real, exit: real.status }) });
    }
    expect(differences).toEqual([]);
  },
);

/** One of the two gave up, each by a limit of its own. */
const isUnsettled = (ours: string, real: string, status: number | null): boolean =>
  status === null || [ours, real].some((text) => /backtracking limit|JIT stack|heap limit/.test(text));

/** False where PCRE2 says something else without its own optimizations: they have faults. */
function sameWithout(args: readonly string[], stdin: Uint8Array, stdout: Uint8Array): boolean {
  const plain = [...args.slice(0, -1), `(*NO_AUTO_POSSESS)(*NO_START_OPT)${args.at(-1)}`];
  return spawnSync("grep", plain, { input: stdin, env, timeout: 10_000 }).stdout.equals(stdout);
}

const show = ({ stdout, stderr, exit }: { stdout: Buffer; stderr: string | Buffer; exit: number | null }) => ({
  stdout: stdout.toString(),
  stderr: stderr.toString(),
  exit,
});
