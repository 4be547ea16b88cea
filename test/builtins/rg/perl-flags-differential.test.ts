/**
 * Our rg -P with -U, -r, --stats, --json and the other flags against ripgrep's with PCRE2, on random patterns and texts. A short run by
 * default; npm run fuzz -- rg-perl 20000 for a long one, with a seed behind it for another.
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { quoteWord } from "../../../src/display/quote.ts";
import { toBytes, toText } from "../../../src/io/text.ts";
import { runOurs } from "../../cases.ts";
import { fuzzRuns, isLongRun } from "../../fuzz/dice.ts";
import { needs } from "../../needs.ts";
import { tree } from "../../tree.ts";
import { perlFlagsCase } from "./perl-flags-fuzz.ts";

const count = fuzzRuns(150, 400);
const firstSeed = Number(process.env["SHELPA_FUZZ_SEED"] ?? 1) * 1_000_000;
const directory = process.env["SHELPA_ORACLE"] ?? `${process.env["HOME"] ?? ""}/.cache/shelpa-oracle/bin`;
const env = { PATH: `${directory}:${process.env["PATH"] ?? ""}`, LC_ALL: "C.UTF-8" };
const isReference = spawnSync("rg", ["-P", "(?1)(a)"], { env, input: "aa\n" }).stdout?.toString() === "aa\n";

needs({ name: "ripgrep 15.2 with PCRE2", isHere: isReference }).test(
  `${count} random command lines`,
  { timeout: 60_000 + count * 200 },
  async () => {
    const differences: unknown[] = [];
    let compared = 0;
    const place = tree(["d/"]);
    try {
      for (let seed = firstSeed; seed < firstSeed + count && differences.length < 10; seed++) {
        const { args, files, stdin } = perlFlagsCase(seed);
        if (args.some((arg) => arg.includes("\0"))) continue;
        for (const [path, text] of Object.entries(files)) writeFileSync(join(place.path, path), toBytes(text));
        const command = ["rg", ...args].map(quoteWord).join(" ");
        const ours = await runOurs({ command, ...(stdin === undefined ? {} : { stdin }) }, place.path);
        if (ours.refused !== undefined || /needs PCRE2|match limit|with either the default/.test(ours.stderr)) continue;
        const input = stdin === undefined ? "" : toBytes(stdin);
        const real = spawnSync("rg", args, { cwd: place.path, env, timeout: 10_000, maxBuffer: 64 << 20, input });
        if (real.status === null || /match limit|JIT stack|heap limit/.test(real.stderr.toString())) continue;
        compared++;
        const [our, their] = [timeless(ours.stdout), timeless(toText(real.stdout))];
        if (our === their && ours.exit === real.status) continue;
        const shown = { our, exit: ours.exit, stderr: ours.stderr, their, theirExit: real.status, theirStderr: real.stderr.toString() };
        differences.push({ seed, args, stdin, files, ...shown });
      }
    } finally {
      place.remove();
    }
    if (isLongRun) console.log(`${compared} of ${count} compared`);
    expect(differences).toEqual([]);
    expect(compared).toBeGreaterThan(count / 5);
  },
);

/** Without the seconds of --stats and --json. */
const timeless = (text: string): string =>
  text.replaceAll(/^\d+\.\d+ seconds/gm, "0 seconds").replaceAll(/"elapsed(_total)?":\{[^}]*\}/g, '"elapsed":0');
