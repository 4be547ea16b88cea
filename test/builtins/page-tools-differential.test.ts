/** shasum, fmt, pr and diffstat against the real tools: random flags, random small inputs. One table, hence its length. */
import { describe, expect } from "vitest";
import { loadBuiltins } from "../../builtins/registry.ts";
import type { Dice } from "../fuzz/dice.ts";
import { needs } from "../needs.ts";
import { differences, referenceTool, RUNS, toolDice, type Answer, type FuzzCase } from "./tool-fuzz.ts";

const allBuiltins = await loadBuiltins();

const TIMEOUT_MS = 20_000 + RUNS * 100;

interface Compared {
  readonly make: (dice: Dice) => FuzzCase;
  readonly isExplained?: (example: FuzzCase, real: Answer, ours: Answer) => boolean;
}

const SHA = {
  "1": "3f786850e387550fdab836ed7e6dc881de23001b",
  "256": "87428fc522803d31065e7bce3cf03fe475096631e5e07bbd7a0fde60c4cf25c7",
  none: "da39a3ee5e6b4b0d3255bfef95601890afd80709",
  "512256": "32953806ce2fba7d0ab293a27d94e18342f1a687418279dc3804780ed566cb51",
};

function shasumCase(dice: Dice): FuzzCase {
  const name = (): string => dice.pick(["a", "empty", "a b", "new\\nline", "nope", "-", ".", "back\\\\slash", "t\\", " a"]);
  const sum = (): string =>
    dice.pick([
      SHA["1"],
      SHA["1"],
      SHA["256"],
      SHA.none,
      SHA["512256"],
      SHA["1"].toUpperCase(),
      "x",
      "",
      `${SHA["1"]}0`,
      `\\${SHA["1"]}`,
      ` ${SHA.none}`,
    ]);
  const line = (): string =>
    dice.pick([
      `${sum()}${dice.pick(["  ", " *", " ", "   ", "\t ", ""])}${name()}`,
      `${sum()}  ${name()}`,
      `SHA1 (${name()}) = ${sum()}`,
      `SHA${dice.pick(["256", "512/256", "7", ""])} (${name()}) = ${sum()}`,
      "# a",
      "",
      "garbage",
    ]);
  const list = `${dice.some(0, 5, line).join("\n")}${dice.pick(["\n", ""])}`;
  const files = { a: "a\n", empty: "", "a b": "a", "new\nline": "", "back\\slash": "a", list };
  const checks = dice.chance(60);
  const flags = dice.some(0, 3, () =>
    dice
      .pick(["-b", "-t", "--tag", "-a256", "-a1", "-a 512256", "-s", "-q", "-w", "--strict", "--ignore-missing", "--nope", "-a", "-a7"])
      .split(" "),
  );
  const operands = checks
    ? dice.pick([["list"], ["list"], ["-"], ["list", "nope"], ["."], []])
    : dice.some(0, 3, () => dice.pick(["a", "empty", "a b", "nope", ".", "-", "new\nline", "back\\slash"]));
  return { args: [...(checks ? ["-c"] : []), ...flags.flat(), ...operands], stdin: list, files };
}

const WORDS = [
  "a",
  "words",
  "are",
  "broken",
  "end.",
  "end.)",
  "what?",
  "(open",
  "comma,",
  "semi;",
  "long-and-longer-word",
  "Dr.",
  "é",
  "x'",
  '"q"',
  "on",
  "the",
  "of",
  "\r",
  "1.",
  "*",
];

/** Paragraphs of words, with indentations and prefixes. */
function prose(dice: Dice): string {
  const indents = dice.some(1, 3, () => dice.pick(["", "", "  ", "    ", "\t", " \t", "# ", "> ", " * ", "#", "//  "]));
  const line = (): string => {
    const words = dice.some(0, 14, () => dice.pick(WORDS) + dice.pick([" ", " ", " ", "  ", "\t", "   "])).join("");
    return `${dice.pick(indents)}${dice.chance(80) ? words.trimEnd() : words}`;
  };
  const text = dice.some(0, 14, () => (dice.chance(15) ? dice.pick(["", " ", "#", "\t"]) : line())).join("\n");
  if (dice.chance(3))
    return `${text} ${dice.some(900, 2500, () => dice.pick(WORDS)).join(" ")}${"x".repeat(dice.below(2) * dice.below(9000))}\n`;
  return `${text}${dice.chance(90) ? "\n" : ""}`;
}

function fmtCase(dice: Dice): FuzzCase {
  const flag = (): string =>
    dice.pick([
      "-c",
      "-s",
      "-t",
      "-u",
      `-w${dice.below(90)}`,
      `-w${dice.below(30)}`,
      `-g${dice.below(70)}`,
      "-p#",
      "-p# ",
      "-p> ",
      "-p *",
      "-p",
      `--width=${dice.below(100)}`,
    ]);
  const args = [...(dice.chance(20) ? [`-${dice.below(80)}`] : []), ...dice.some(0, 3, flag)];
  const [stdin, a] = [prose(dice), prose(dice)];
  return { args: [...args, ...dice.pick([[], [], [], ["a"], ["a", "-"], ["nope", "a"], ["."]])], stdin, files: { a } };
}

const TOOLS: Readonly<Record<string, Compared>> = {
  fmt: { make: fmtCase },
  shasum: {
    make: shasumCase,
    // A flag's value may be what follows it; of several mistakes the first is named.
    isExplained: ({ args }, real, ours) =>
      ours.stderr.includes("holds the list itself") ||
      (real.exit !== 0 && real.exit === ours.exit && real.stdout === ours.stdout && args.some((flag) => /nope|^-a/.test(flag))),
  },
};

describe("against the real tools", () => {
  for (const [name, { make, isExplained }] of Object.entries(TOOLS)) {
    const definition = allBuiltins.find((builtin) => builtin.name === name);
    if (definition === undefined) throw new Error(`${name} is no builtin`);
    needs("bash", referenceTool(name, definition.reference)).test(name, { timeout: TIMEOUT_MS }, async () => {
      const dice = toolDice(name);
      const cases = Array.from({ length: RUNS }, () => make(dice));
      expect((await differences(definition, cases, name, isExplained)).slice(0, 5)).toEqual([]);
    });
  }
});
