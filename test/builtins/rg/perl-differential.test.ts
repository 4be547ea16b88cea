/**
 * Our rg -P against ripgrep's with PCRE2 on random patterns, one or several. A short run by default; SHELPA_FUZZ_RUNS for a long one,
 * SHELPA_FUZZ_SEED for another.
 */
import { spawnSync } from "node:child_process";
import { expect } from "vitest";
import { quoteWord } from "../../../src/display/quote.ts";
import { toBytes, toText } from "../../../src/io/text.ts";
import { runOurs } from "../../cases.ts";
import { Dice, fuzzRuns } from "../../fuzz/dice.ts";
import { needs } from "../../needs.ts";
import { perlFuzzCase } from "../grep/perl-fuzz.ts";

const count = fuzzRuns(120, 300);
const firstSeed = Number(process.env["SHELPA_FUZZ_SEED"] ?? 1) * 1_000_000;
const directory = process.env["SHELPA_ORACLE"] ?? `${process.env["HOME"] ?? ""}/.cache/shelpa-oracle/bin`;
const env = { PATH: `${directory}:${process.env["PATH"] ?? ""}`, LC_ALL: "C.UTF-8" };
const isReference = spawnSync("rg", ["-P", "(?1)(a)"], { env, input: "aa\n" }).stdout?.toString() === "aa\n";

needs({ name: "ripgrep 15.2 with PCRE2", isHere: isReference }).test(
  `${count} random patterns`,
  { timeout: 60_000 + count * 200 },
  async () => {
    const differences: unknown[] = [];
    let compared = 0;
    for (let seed = firstSeed; seed < firstSeed + count && differences.length < 10; seed++) {
      const dice = new Dice("rg -P", seed);
      const patterns = Array.from({ length: dice.chance(60) ? 2 + dice.below(2) : 1 }, (_, at) => patternOf(seed * 4 + at));
      if (patterns.some((pattern) => /[\0\n]/.test(pattern) || pattern.startsWith("(*"))) continue;
      const stdin = perlFuzzCase(seed).stdin;
      const flags = Array.from({ length: dice.below(3) }, () =>
        dice.pick(["-n", "-v", "-c", "-i", "-w", "-x", "-S", "-l", "-m1", "-C1", "-o", "--count-matches"]),
      );
      const args = ["-P", ...flags, ...patterns.flatMap((pattern) => ["-e", pattern])];
      const ours = await runOurs({ command: ["rg", ...args].map(quoteWord).join(" "), stdin: toText(stdin) }, "/tmp");
      if (ours.refused !== undefined || /needs PCRE2|match limit/.test(ours.stderr)) continue;
      const real = spawnSync("rg", args, { input: toBytes(toText(stdin)), env, timeout: 10_000 });
      if (real.status === null || /match limit|JIT stack|heap limit/.test(real.stderr.toString())) continue;
      compared++;
      const same = ours.exit === real.status && ours.stdout === toText(real.stdout);
      if (!same)
        differences.push({
          seed,
          args,
          stdin: toText(stdin),
          ours,
          real: { stdout: toText(real.stdout), stderr: toText(real.stderr), exit: real.status },
        });
    }
    expect(differences).toEqual([]);
    expect(compared).toBeGreaterThan(count / 10);
  },
);

const patternOf = (seed: number): string => perlFuzzCase(seed).args.at(-1) as string;
