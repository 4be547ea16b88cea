/** cat, head, tail, wc and nl against the real tools: random flags, random small inputs cut into random blocks. */
import { expect, test } from "vitest";
import { cat } from "../../builtins/cat/cat.ts";
import { head } from "../../builtins/head-tail/head.ts";
import { nl } from "../../builtins/nl/nl.ts";
import { tail } from "../../builtins/head-tail/tail.ts";
import { wc } from "../../builtins/wc/wc.ts";
import type { Dice } from "../fuzz/dice.ts";
import { differences, referenceTool, manyCases, RUNS, type Answer, type FuzzCase } from "./tool-fuzz.ts";
import { needs } from "../needs.ts";

const TIMEOUT_MS = 20_000 + RUNS * 100;

needs("bash", referenceTool("wc", wc.reference)).describe("against GNU coreutils 9.1", () => {
  test("cat", async () => expect(await differences(cat, manyCases(cat, catCase))).toEqual([]), TIMEOUT_MS);
  test("head", async () => expect(await differences(head, manyCases(head, endCase))).toEqual([]), TIMEOUT_MS);
  test("tail", async () => expect(await differences(tail, manyCases(tail, endCase), "tail", seeksTooFar)).toEqual([]), TIMEOUT_MS);
  test("wc", async () => expect(await differences(wc, manyCases(wc, wcCase))).toEqual([]), TIMEOUT_MS);
  test("nl", async () => expect(await differences(nl, manyCases(nl, nlCase))).toEqual([]), TIMEOUT_MS);
});

/**
 * `tail -c +N` of a file in which the file system cannot seek that far (past 2^44 in ext4, past 2^63 in xfs): GNU tail ends there.
 * Past the end of any other file, or of a pipe, it finds nothing, and so do we past any.
 */
const seeksTooFar = (_: FuzzCase, real: Answer, ours: Answer): boolean =>
  /^tail: .*: cannot seek to relative offset \d{13,19}: Invalid argument\n$/m.test(real.stderr) &&
  ours.exit >= 0 &&
  ours.stdout.startsWith(real.stdout);

const PIECES = [
  "\n",
  "\n",
  "\n\n",
  "a",
  "bc ",
  "\t",
  "\r",
  "\r\n",
  "\0",
  "é",
  "日本",
  "\u00a0",
  "\u2028",
  "\u0301",
  "\x7f",
  "\udcff",
  "\udce6\udc97",
  "\x01",
  "long ".repeat(30),
];

const text = (dice: Dice): string => dice.text(PIECES, dice.chance(20) ? 300 : 12);
const files = (dice: Dice): Record<string, string> => ({ f1: text(dice), f2: text(dice) });
/** Operands, some of them twice, some missing. */
const operands = (dice: Dice, names: readonly string[]): string[] => Array.from({ length: dice.below(4) }, () => dice.pick(names));

function catCase(dice: Dice): FuzzCase {
  const flags = Array.from({ length: dice.below(3) }, () => dice.pick(["-A", "-b", "-e", "-E", "-n", "-s", "-t", "-T", "-u", "-v"]));
  return { args: [...flags, ...operands(dice, ["f1", "f2", "-", "nope", "."])], stdin: text(dice), files: files(dice) };
}

function endCase(dice: Dice): FuzzCase {
  const number = dice.pick(["", "", "+", "-"]) + dice.pick(["0", "1", "2", "3", "7", "20", "1000", "1b", "1k", "2kB", "x"]);
  const flags = [
    ...(dice.chance(90) ? [`-${dice.pick(["n", "c"])}${number}`] : []),
    ...(dice.chance(30) ? [dice.pick(["-q", "-v", "-z"])] : []),
  ];
  return { args: [...flags, ...operands(dice, ["f1", "f2", "nope", "-"])], stdin: text(dice), files: files(dice) };
}

/** Fed by a pipe: the width of a count of standard input depends on what that is. */
function wcCase(dice: Dice): FuzzCase {
  const flags = Array.from({ length: dice.below(3) }, () => dice.pick(["-c", "-m", "-l", "-w", "-L"]));
  return {
    args: [...flags, "f1", ...operands(dice, ["f1", "f2", "nope", "/dev/null", ".", "-"])],
    stdin: text(dice),
    files: files(dice),
    isFed: true,
  };
}

function nlCase(dice: Dice): FuzzCase {
  const section = ["\\:\\:\\:\n", "\\:\\:\n", "\\:\n", "x\n", "\n", "xx\n", "::\n", "xy"];
  const style = (): string => dice.pick(["a", "t", "n", "px", "p^$"]);
  const flags = [`-b${style()}`, `-h${style()}`, `-f${style()}`];
  const more = Array.from({ length: dice.below(3) }, () =>
    dice.pick(["-p", "-l2", "-l3", "-v-3", "-i5", "-nln", "-nrz", "-w2", "-s: ", "-d:", "-dx", "-dxy", "-d::x"]),
  );
  return {
    args: [...flags, ...more, ...operands(dice, ["f1", "-", "nope"])],
    stdin: dice.text(section, 20),
    files: { f1: dice.text(section, 20) },
  };
}
