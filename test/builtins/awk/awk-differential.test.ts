/** Random programs against the real gawk: 120 of them, or as many as npm run fuzz -- awk says. */
import { spawnSync } from "node:child_process";
import { expect } from "vitest";
import { awk } from "../../../builtins/awk/awk.ts";
import type { BuiltinDefinition } from "../../../src/builtin/definition.ts";
import { isExplained } from "./awk-explained.ts";
import { ProgramMaker } from "./awk-fuzz.ts";
import { differences, type FuzzCase, RUNS, toolDice } from "../tool-fuzz.ts";
import { type Need, needs } from "../../needs.ts";

/** Messages begin with the name that was typed. */
const gawk = { ...awk, name: "gawk" } as unknown as BuiltinDefinition;
const GAWK: Need = {
  name: "gawk 5.3.2",
  isHere: spawnSync("gawk", ["--version"], { encoding: "utf8" }).stdout?.startsWith("GNU Awk 5.3.2,") ?? false,
};

needs(GAWK).test(`${RUNS} programs print what gawk prints`, { timeout: 60_000 + RUNS * 100 }, async () => {
  const maker = new ProgramMaker(toolDice("awk"));
  const cases = Array.from({ length: RUNS }, () => maker.fuzzCase());
  expect((await differences(gawk, cases, "gawk", isExplained)).join("\n")).toBe("");
});

needs(GAWK).test("arrays are visited in gawk's order", { timeout: 60_000 }, async () => {
  const dice = toolDice("order");
  const keys = [
    "i",
    "i * 100000 / 3",
    '"s" i',
    "-i",
    "i * i",
    "i * 1000003 % 65537",
    '(i % 2 ? i : "x" i)',
    "i * 1000",
    '"k" i * i',
    "i / 2",
  ];
  const cases = Array.from({ length: 60 }, (): FuzzCase => {
    const [key, other] = [dice.pick(keys), dice.pick(keys)];
    const fill = `for (i = 0; i < ${dice.below(dice.chance(30) ? 2500 : 200)}; i++) { a[${key}]; if (i % ${2 + dice.below(9)} == 0) a[${other}] }`;
    const thin = dice.chance(60) ? `for (i = 0; i < ${dice.below(500)}; i++) delete a[${dice.pick([key, other])}]` : "i = 0";
    return { args: [`BEGIN { ${fill}; ${thin}; for (i = 5; i < 60; i += 3) a[${other}]; for (k in a) print k }`], stdin: "" };
  });
  expect((await differences(gawk, cases)).join("\n")).toBe("");
});
