/** find, ls and the other tools that read a tree, against the real ones in trees with odd things: random arguments of every kind. */
import { afterAll, describe, expect, test } from "vitest";
import { builtins } from "../../builtins/registry.ts";
import { Registry } from "../../src/builtin/registry.ts";
import { Dice, fuzzRuns, isLongRun } from "../fuzz/dice.ts";
import { makeOddTree, type OddTree } from "../fuzz/odd-tree.ts";
import { findCase, isExplainedFind } from "./find/find-fuzz.ts";
import { duCase, fdCase, fileCase, lsCase, readlinkCase, realpathCase, sortedLines, statCase, treeCase } from "./tree-tools-fuzz.ts";
import { differencesIn, referenceTool, otherSpelling, type Answer, type Comparison, type FuzzCase } from "./tool-fuzz.ts";
import { lackOf } from "../needs.ts";

const RUNS = fuzzRuns(15, 15);
/** Cases in one tree. */
const CASES_A_TREE = 300;
const TIMEOUT_MS = 60_000 + RUNS * 200;
const MOST_FOUND = 60;

interface Tool extends Comparison {
  readonly make: (dice: Dice, tree: OddTree) => FuzzCase;
  readonly keepsSpelling?: true;
}

const TOOLS: Readonly<Record<string, Tool>> = {
  // It goes on after a wrong flag, and tells of the next as well.
  du: {
    make: duCase,
    isExplained: (_, real, ours) => [real, ours].every(({ stdout, exit }) => stdout === "" && exit === 1) && /\n.*\n/.test(real.stderr),
  },
  // A deviation: a name is never taken for a flag by the command that -x runs.
  fd: { make: fdCase, told: sortedLines, isExplained: (_case, real) => real.stdout.includes("display this help and exit") },
  // It reads the list of a -f before it looks at the flag behind it; here a flag that is wrong ends it before anything is read.
  file: {
    make: fileCase,
    isExplained: ({ args }, real, ours) =>
      args.some((argument) => /^-[^-]*f|^--fil/.test(argument)) &&
      ours.stdout === "" &&
      [real, ours].every(({ stderr }) => stderr.includes("\nUsage: file ")),
  },
  find: { make: findCase, isExplained: isExplainedFind },
  ls: { make: lsCase },
  readlink: { make: readlinkCase },
  realpath: { make: realpathCase },
  // To ask where a link leads is to read it, which the file system takes note of: the second to be asked finds a later time.
  stat: {
    make: statCase,
    isExplained: (_, real, ours) => {
      const unread = ({ stdout }: Answer): string => stdout.replace(/(?<=symbolic link\n(?:.*\n){2})Access: .*/g, "");
      return real.stderr === ours.stderr && unread(real) === unread(ours);
    },
  },
  // Wrong flags it tells of in getopt's words here.
  tree: {
    make: treeCase,
    keepsSpelling: true,
    isExplained: (_, real, ours) =>
      real.stderr.includes("\nusage: tree") ||
      // Errors of the arguments are reported before any file is read.
      (/^tree: Could not load (?:gitignore file|infofile)\n$/.test(real.stderr) && ours.stderr.includes("tree: Invalid level")),
  },
};

const registry = new Registry(builtins);
/** The tree of a short run: all tools read the same. */
let made: OddTree | undefined;
const one = (): OddTree => (made ??= makeOddTree(new Dice("tree")));
afterAll(() => made?.remove());

describe("against the real tools", () => {
  for (const [name, { make, keepsSpelling, ...comparison }] of Object.entries(TOOLS)) {
    test(
      name,
      async ({ skip }) => {
        const definition = await registry.load(name);
        if (definition === undefined) throw new Error(`${name} is no builtin`);
        const lack = lackOf("bash", referenceTool(name, definition.reference));
        if (lack !== undefined) return skip(lack);
        const dice = new Dice(name);
        const found: string[] = [];
        for (let left = RUNS; left > 0 && found.length < MOST_FOUND; left -= CASES_A_TREE) {
          const tree = isLongRun ? makeOddTree(dice) : one();
          const cases = Array.from({ length: Math.min(left, CASES_A_TREE) }, () => {
            const example = make(dice, tree);
            const isPlain = (definition.syntax ?? "gnu") === "gnu" && definition.argumentWords === undefined;
            return isPlain && keepsSpelling !== true && dice.chance(15)
              ? { ...example, args: otherSpelling(dice, definition, example.args) }
              : example;
          });
          found.push(...(await differencesIn(tree, definition, cases, comparison)));
          if (isLongRun) tree.remove();
        }
        if (isLongRun) console.log(found.join("\n"));
        expect(found.slice(0, 5)).toEqual([]);
      },
      TIMEOUT_MS,
    );
  }
});
