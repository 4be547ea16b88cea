/** Binary patches of files made by chance beside the real git's: its deflate, its deltas both ways, and which of the two is shorter. */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { expect } from "vitest";
import { toBytes } from "../../../src/io/text.ts";
import { runOurs } from "../../cases.ts";
import { Dice, FUZZ_SEED, fuzzRuns } from "../../fuzz/dice.ts";
import { noise } from "./binary-repository.ts";
import { Maker } from "./git-feature-repositories.ts";
import { ENVIRONMENT, needsGit } from "./git-repositories.ts";

const RUNS = fuzzRuns(120, 400);
/** Files of one repository. */
const FILES = 200;

const LENGTHS = [40, 600, 9_000, 70_000, 300_000] as const;

/** Around the length of a block, and in every order of magnitude; now and then some megabytes. */
const lengthOf = (dice: Dice): number => {
  if (dice.chance(15)) return 14 + dice.below(6);
  return dice.chance(1) ? dice.below(3_000_000) : dice.below(dice.pick(LENGTHS));
};

function made(dice: Dice, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  switch (dice.below(6)) {
    case 0:
      return noise(dice.below(2 ** 31), length);
    case 1:
      return bytes.fill(dice.below(3));
    case 2:
      for (let at = 0; at < length; ) {
        const end = Math.min(length, at + 1 + dice.below(dice.pick([3, 20, 600, 20_000])));
        bytes.fill(dice.below(3), at, end);
        at = end;
      }
      return bytes;
    case 3:
      // Blocks that come again and again: more of them than a bucket holds.
      return length === 0 ? bytes : bytes.fill(noise(dice.below(2 ** 31), 1 + dice.below(80)));
    case 4:
      for (let at = 0; at < length; at++) bytes[at] = dice.below(2);
      return bytes;
    default: {
      const words = dice.some(1, 60, () => noise(dice.below(2 ** 31), 1 + dice.below(40)));
      for (let at = 0; at < length; ) at += dice.pick(words).copy(bytes, at);
      return bytes;
    }
  }
}

/** The same with parts that were inserted, removed, changed, moved and repeated. */
function edited(dice: Dice, bytes: Buffer): Buffer {
  let text = bytes;
  for (let times = 1 + dice.below(dice.chance(25) ? 60 : 6); times > 0; times--) {
    const at = dice.below(text.length + 1);
    const length = dice.below(dice.pick([4, 30, 300, 5_000, 100_000]));
    const from = dice.below(text.length + 1);
    const [before, after] = [text.subarray(0, at), text.subarray(at)];
    switch (dice.below(8)) {
      case 0:
        text = Buffer.concat([before, noise(dice.below(2 ** 31), Math.min(length, 3_000)), after]);
        break;
      case 1:
        text = Buffer.concat([before, after.subarray(length)]);
        break;
      case 2:
        text = Buffer.from(text);
        for (let changes = dice.below(30); changes > 0 && text.length > 0; changes--) text[dice.below(text.length)] = dice.below(256);
        break;
      case 3:
        text = Buffer.concat([before, text.subarray(from, from + length), after]);
        break;
      case 4:
        text = Buffer.concat([after, before]);
        break;
      case 5:
        text = before;
        break;
      case 6:
        text = Buffer.concat([made(dice, length % 4_000), text]);
        break;
      case 7:
        text = Buffer.concat([text, made(dice, length % 4_000)]);
        break;
    }
    if (text.length > 1 << 22) text = text.subarray(0, 1 << 20);
  }
  return text;
}

/** Patch of each file by its name. */
const patches = (output: Buffer): ReadonlyMap<string, string> =>
  new Map(
    output
      .toString("latin1")
      .split(/^(?=diff --git )/m)
      .map((patch) => [/^diff --git a\/(\S+)/.exec(patch)?.[1] ?? "", patch]),
  );

needsGit.test("patches of files made by chance", { timeout: 120_000 + RUNS * 500 }, async () => {
  for (let from = 0; from < RUNS; from += FILES) {
    const dice = new Dice("binary patches", FUZZ_SEED + from);
    const maker = new Maker();
    mkdirSync(`${maker.path}/f`);
    maker.git("init", "-q", "-b", "main", ".");
    writeFileSync(`${maker.path}/.gitattributes`, "f/* -diff\n");
    const pairs = Array.from({ length: Math.min(FILES, RUNS - from) }, () => {
      const old = made(dice, lengthOf(dice));
      return [old, dice.chance(10) ? made(dice, lengthOf(dice)) : edited(dice, old)] as const;
    });
    for (const side of [0, 1] as const) {
      pairs.forEach((pair, at) => writeFileSync(`${maker.path}/f/${at}`, pair[side]));
      maker.commit(`side ${side}`);
    }
    const line = "git diff --binary --no-renames HEAD~1 HEAD";
    const real = patches(spawnSync("bash", ["-c", line], { cwd: maker.path, env: ENVIRONMENT, maxBuffer: 1 << 30 }).stdout);
    const ours = patches(toBytes((await runOurs({ command: line }, maker.path, { timeMs: 600_000 })).stdout));
    expect(real.size).toBeGreaterThan(pairs.length / 2);
    expect([...real.values()].join("")).toMatch(/^delta /m);
    const differing = [...real].filter(([name, patch]) => ours.get(name) !== patch).map(([name]) => name);
    expect({ from, differing, count: ours.size }).toEqual({ from, differing: [], count: real.size });
    maker.made().remove();
  }
});
