/** patch against GNU patch: diffs of random files, applied to files that have changed a little since. Seeded as the other fuzzes are. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { quoteWord } from "../../../src/display/quote.ts";
import { runOurs } from "../../cases.ts";
import type { Dice } from "../../fuzz/dice.ts";
import { needs } from "../../needs.ts";
import { RUNS, toolDice } from "../tool-fuzz.ts";

const hasPatch = {
  name: "GNU patch 2.7.6",
  isHere: /^GNU patch 2\.7\.6\n/.test(String(spawnSync("bash", ["-c", "patch --version"]).stdout)),
};

needs("bash", "diff", "setsid", hasPatch).test(
  "diffs of random edits, with offsets and fuzz",
  { timeout: 60_000 + RUNS * 500 },
  async () => {
    const dice = toolDice("patch");
    const found: string[] = [];
    for (let run = 0; run < RUNS && found.length < 5; run++) {
      const difference = await differenceOf(dice);
      if (difference !== undefined) found.push(difference);
    }
    expect(found).toEqual([]);
  },
);

async function differenceOf(dice: Dice): Promise<string | undefined> {
  const base = mkdtempSync(join(tmpdir(), "patch-fuzz-"));
  const place = (name: string, content: string): string => {
    writeFileSync(join(base, name), content);
    return join(base, name);
  };
  try {
    const old = lines(dice, 3 + dice.below(40));
    const now = edited(dice, old);
    const flags = dice.pick(["-u", "-u", "-u", "-c", "-u1", "-u0", "-c1", "-U5", ""]);
    const names = ["--label", "f", "--label", "f"];
    const args = [...(flags === "" ? [] : [flags, ...names]), place("old", text(dice, old)), place("new", text(dice, now))];
    const diff = spawnSync("bash", ["-c", ["diff", ...args].map(quoteWord).join(" ")], { encoding: "latin1" }).stdout;
    const target = dice.pick([old, old, edited(dice, old), edited(dice, old), now, shifted(dice, old), shifted(dice, old)]);
    const options = dice.pick(["", "", "", "-R", "-N", "-f", "-t", "-s", "-F0", "-F3", "-l", "--dry-run", "-E", "-R -N", "-N -s"]);
    const content = text(dice, target);
    const command = `patch ${options} f p`.replace("  ", " ");
    const [real, ours] = [mkdtempSync(join(base, "real-")), mkdtempSync(join(base, "ours-"))];
    for (const directory of [real, ours]) {
      writeFileSync(join(directory, "f"), content, "latin1");
      writeFileSync(join(directory, "p"), diff, "latin1");
    }
    const ran = spawnSync("bash", ["-c", `setsid -w ${command}`], { cwd: real, encoding: "latin1", stdio: ["ignore", "pipe", "pipe"] });
    const theirs = { stdout: ran.stdout.replace(/ -- saving rejects to file .*/g, ""), stderr: ran.stderr, exit: ran.status };
    const mine = await runOurs({ command, stdin: "" }, ours);
    const answer = {
      stdout: mine.stdout,
      stderr: mine.stderr.replace("patch: no file was changed: all hunks apply, or none\n", ""),
      exit: mine.exit,
    };
    const files = [real, ours].map((directory) => fileIn(directory));
    const [theirFile, ourFile] = files;
    const isAllowed = theirFile === null && mine.stderr.includes("would be removed");
    if (isAllowed) return undefined;
    const wanted = theirs.exit === 0 ? theirFile : content;
    if (JSON.stringify(theirs) === JSON.stringify(answer) && ourFile === wanted) return undefined;
    return `${command}\nfile ${JSON.stringify(content)}\npatch ${JSON.stringify(diff)}\nreal ${JSON.stringify(theirs)} ${JSON.stringify(theirFile)}\nours ${JSON.stringify(answer)} ${JSON.stringify(ourFile)}`;
  } finally {
    rmSync(base, { recursive: true });
  }
}

const fileIn = (directory: string): string | null =>
  readdirSync(directory).includes("f") ? readFileSync(join(directory, "f"), "latin1") : null;

const lines = (dice: Dice, count: number): string[] =>
  Array.from({ length: count }, (_, at) => dice.pick([`line ${at}`, `line ${at}`, "", "}", "\tx  y", "same", `${dice.below(4)}`]));

const text = (dice: Dice, of: readonly string[]): string => (of.length === 0 ? "" : of.join("\n") + (dice.chance(85) ? "\n" : ""));

function edited(dice: Dice, old: readonly string[]): string[] {
  const out = [...old];
  for (let left = 1 + dice.below(5); left > 0; left--) {
    const at = dice.below(out.length + 1);
    const count = dice.pick([0, 1, 1, 2, 4]);
    out.splice(at, count, ...lines(dice, dice.pick([0, 1, 1, 2])));
  }
  return out;
}

/** Lines before it, or fewer. */
const shifted = (dice: Dice, old: readonly string[]): string[] =>
  dice.chance(50) ? [...lines(dice, 1 + dice.below(9)), ...old] : old.slice(1 + dice.below(3));
