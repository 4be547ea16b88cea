/** test, [, echo, xargs, cmp and md5sum and its like against the real ones: random arguments of every kind. */
import { afterAll, describe, expect, test } from "vitest";
import { builtins } from "../../builtins/registry.ts";
import { Registry } from "../../src/builtin/registry.ts";
import { Dice, fuzzRuns, isLongRun } from "../fuzz/dice.ts";
import { makeOddTree, type OddTree } from "../fuzz/odd-tree.ts";
import { differencesIn, referenceTool, otherSpelling, type Answer, type Comparison, type FuzzCase } from "./tool-fuzz.ts";
import { bracketCase, cmpCase, echoCase, sumCase, testCase, xargsCase } from "./word-tools-fuzz.ts";
import { lackOf } from "../needs.ts";

const RUNS = fuzzRuns(15, 15);
const CASES_A_LOT = 400;
const TIMEOUT_MS = 60_000 + RUNS * 200;
const MOST_FOUND = 60;

interface Tool extends Comparison {
  readonly make: (dice: Dice, tree: OddTree) => FuzzCase;
}

const TOOLS: Readonly<Record<string, Tool>> = {
  // A deviation: standard input is the same as itself, also where it is a file.
  cmp: { make: cmpCase, isExplained: (_case, real) => real.stderr.endsWith("cmp: -: Bad file descriptor\n") },
  echo: { make: echoCase },
  md5sum: { make: sumCase("md5sum") },
  sha1sum: { make: sumCase("sha1sum") },
  sha512sum: { make: sumCase("sha512sum") },
  test: { make: testCase },
  // What a command says and what xargs says of its input come as they come; a NUL ends the word that an item is put into.
  xargs: {
    make: xargsCase,
    told: ({ stderr, ...rest }) => ({ ...rest, stderr: stderr.split("\n").sort() }),
    isExplained: ({ args, stdin }, real, ours) =>
      (stdin.includes("\0") && args.some((flag) => /^-[Ii]|^--rep/.test(flag))) ||
      // With -P the commands run side by side, and what the last command says stands amidst what xargs says.
      (args.some((flag) => /^-P|^--max-p/.test(flag)) && sorted(real, "\n") === sorted(ours, "\n")) ||
      sorted(real, "") === sorted(ours, "") ||
      // The printf that a real xargs starts is not bash's, as ours is, which knows \' besides.
      (args.includes("printf") && [...args, stdin].some((text) => text.includes("\\'"))) ||
      // wc -c reads nothing of a file that is its standard input: the next one counts the same again.
      (args.includes("wc") && args.some((flag) => /^-a|^--a/.test(flag))),
  },
  bracket: { make: bracketCase, tool: "[" },
};

const sorted = ({ stdout, stderr, exit }: Answer, separator: string): string =>
  `${exit}${`${stdout}${stderr}`.split(separator).sort().join(separator)}`;

const registry = new Registry(builtins);
/** The tree of a short run: all tools read the same. */
let made: OddTree | undefined;
const one = (): OddTree => (made ??= makeOddTree(new Dice("tree")));
afterAll(() => made?.remove());

describe("against the real tools", () => {
  for (const [name, { make, ...comparison }] of Object.entries(TOOLS)) {
    test(
      name,
      async ({ skip }) => {
        const definition = await registry.load(comparison.tool ?? name);
        if (definition === undefined) throw new Error(`${name} is no builtin`);
        const lack = lackOf("bash", referenceTool(definition.reference.startsWith("GNU bash") ? "bash" : name, definition.reference));
        if (lack !== undefined) return skip(lack);
        const dice = new Dice(name);
        const found: string[] = [];
        for (let left = RUNS; left > 0 && found.length < MOST_FOUND; left -= CASES_A_LOT) {
          const tree = isLongRun ? makeOddTree(dice) : one();
          const cases = Array.from({ length: Math.min(left, CASES_A_LOT) }, () => {
            const example = make(dice, tree);
            return (definition.syntax ?? "gnu") === "gnu" && dice.chance(15)
              ? { ...example, args: otherSpelling(dice, definition, example.args) }
              : example;
          });
          const place = cases[0]?.files === undefined ? tree : undefined;
          found.push(...(await differencesIn(place, definition, cases, { tool: name, ...comparison })));
          if (isLongRun) tree.remove();
        }
        if (isLongRun) console.log(found.join("\n"));
        expect(found.slice(0, 5)).toEqual([]);
      },
      TIMEOUT_MS,
    );
  }
});
