/** tac, rev, paste, comm and the like against the real tools: random flags, random small inputs. */
import { describe, expect, test } from "vitest";
import { allBuiltins } from "../../builtins/registry.ts";
import { Dice, differences, hasReference, RUNS, type FuzzCase } from "./tool-fuzz.ts";

const TIMEOUT_MS = 20_000 + RUNS * 100;

const CASES: Readonly<Record<string, (dice: Dice) => FuzzCase>> = {
  tac(dice) {
    const args: string[] = [];
    if (dice.chance(25)) args.push("-b");
    if (dice.chance(60)) {
      const regex = dice.chance(45);
      if (regex) args.push("-r");
      const patterns = [
        "x+",
        "[ab]",
        "a\\|b",
        "ab*",
        "^a",
        "b$",
        "\\(a\\|b\\)+",
        "a.b",
        "[^a]b",
        "x?a",
        "^$",
        "aa*",
        "\n\n",
        "\\(a\\)\\1",
        "é",
        "a\\{2",
      ];
      args.push(`-s${dice.pick(regex ? patterns : ["a", "b", "ab", "aa", "aba", "x", "\n\n", "é", "\n", "aab"])}`);
    }
    return { args, stdin: dice.text(["a", "b", "a", "b", "\n", "\n", "x", "é", "\0", "aab", "\udcff"], 30) };
  },
  rev(dice) {
    // A NUL and bytes that are no text in one input: the real tool then prints what is left over in its buffer.
    const odd = dice.pick(["\0", "\udcff", "x", "y", "z"]);
    return { args: [], stdin: dice.text(["a", "b", "xyz", "\n", "\n", "é", "日", "👍", "\r", "\t", odd], 20) };
  },
  paste(dice) {
    const args: string[] = [];
    if (dice.chance(30)) args.push("-s");
    if (dice.chance(15)) args.push("-z");
    if (dice.chance(60))
      args.push("-d", dice.text([",", ";", "\\n", "\\0", "\\t", "\\\\", "x", "\\q", "é", "\\b", ...(dice.chance(3) ? ["\\"] : [])], 4));
    const names = Array.from({ length: dice.below(5) }, () =>
      dice.pick(["a", "b", "-", "-", "c", ...(dice.chance(4) ? ["nope", "."] : [])]),
    );
    const text = (): string => dice.text(["1", "22", "a", "\n", "\n", "\0", "é"], 10);
    return { args: [...args, ...names], stdin: text(), files: { a: text(), b: text(), c: text() } };
  },
  comm(dice) {
    const args: string[] = [];
    for (const flag of [
      "-1",
      "-2",
      "-3",
      "-z",
      "--total",
      "--check-order",
      "--nocheck-order",
      "--output-delimiter=",
      "--output-delimiter=::",
    ])
      if (dice.chance(18)) args.push(flag);
    const lines = (): string => {
      const all = Array.from({ length: dice.below(7) }, () => dice.text(["a", "b", "B", "é", "\udcff"], 2));
      if (dice.chance(75)) all.sort((one, other) => Buffer.from(one).compare(Buffer.from(other)));
      return all.join(args.includes("-z") ? "\0" : "\n") + (dice.chance(80) ? "\n" : "");
    };
    const names = dice.pick([
      ["a", "b"],
      ["a", "b"],
      ["a", "-"],
      ["-", "b"],
      ["a", "a"],
      ...(dice.chance(4) ? [["a"], ["a", "nope"], [".", "a"]] : []),
    ]);
    return { args: [...args, ...names], stdin: lines(), files: { a: lines(), b: lines() } };
  },
  fold(dice) {
    const args = dice.pick([[], ["-s"], ["-b"], ["-bs"], ["-s", "-b"]]);
    const width = dice.pick(["1", "2", "3", "5", "8", "9", "16", ...(dice.chance(4) ? ["0", "x", "-1", "1k"] : [])]);
    return {
      args: [...args, dice.pick([`-w${width}`, `-${width}`, `--width=${width}`])],
      stdin: dice.text(["a", "b c", "xyz", "\n", "\t", "\b", "\r", " ", "é", "\0", "\udcff", "long word "], 25),
    };
  },
  expand: (dice) => ({ args: tabFlags(dice, ["-i", "--initial"]), ...blankText(dice) }),
  unexpand: (dice) => ({ args: tabFlags(dice, ["-a", "--all", "--first-only", "-4", "-2,5", "-a3"]), ...blankText(dice) }),
  seq(dice) {
    const number = (): string =>
      dice.pick([
        ...[
          "0",
          "1",
          "2",
          "3",
          "7",
          "10",
          "-1",
          "-3",
          "0.1",
          "0.3",
          "-0.2",
          "1.50",
          ".5",
          "5.",
          "1e1",
          "2e-1",
          "1.2e1",
          "100",
          "08",
          "+4",
          "-.5",
        ],
        ...["0x10", "1e0", "-0", "-0.0", "0.05", "9.995", "12.000", "1.e-1", "0.1e1", "99"],
        ...(dice.chance(8) ? ["x", "", "nan", "1e5000", "0x", "1x", " 3", "18446744073709551616", "-inf", "1e-5000"] : []),
      ]);
    const flags: string[] = [];
    if (dice.chance(20)) flags.push("-w");
    if (dice.chance(25)) flags.push("-s", dice.pick([",", "", "ab", " ", "%"]));
    if (dice.chance(20))
      flags.push(
        "-f",
        dice.pick([
          "%g",
          "%.2f",
          "a%03gb",
          "%%%e",
          "%5.1f|",
          "%-5gx",
          "%+g",
          "% g",
          "%#g",
          "%a",
          "%G",
          "%d",
          "%",
          "x",
          "%g%g",
          "%Lf",
          "%.0f",
          "%'f",
        ]),
      );
    const count = dice.pick([1, 2, 2, 3, 3, 3]);
    const numbers = Array.from({ length: count }, number);
    // A tiny step up to a large number takes for ever.
    if (numbers.some((text) => /e5000|18446|inf/.test(text))) numbers.length = 1;
    if (/18446|e5000|1e-5000/.test(numbers[0] as string)) numbers.unshift(numbers[0] as string);
    return { args: [...flags, ...numbers], stdin: "" };
  },
};

function tabFlags(dice: Dice, others: readonly string[]): string[] {
  const number = (): string =>
    dice.pick(["1", "2", "3", "4", "5", "7", "8", "12", ...(dice.chance(4) ? ["0", "x", "99999999999999999999"] : [])]);
  const list = (): string => {
    const stops = Array.from({ length: 1 + dice.below(3) }, number);
    if (dice.chance(80)) stops.sort((one, other) => Number(one) - Number(other));
    if (dice.chance(30)) stops[stops.length - 1] = dice.pick(["/", "+"]) + stops.at(-1);
    if (dice.chance(3)) stops.push(dice.pick(["/3", "+2", "3/", "2+3", ""]));
    return stops.join(dice.pick([",", ",", " "]));
  };
  const args: string[] = [];
  if (dice.chance(70)) args.push(`-t${list()}`);
  if (dice.chance(5)) args.push(`--tabs=${list()}`);
  if (dice.chance(50)) args.push(dice.pick(others));
  return args;
}

function blankText(dice: Dice): Pick<FuzzCase, "stdin"> {
  return { stdin: dice.text([" ", "  ", "    ", "\t", "\t", "a", "bcd", "\n", "\b", "é", "\0", "       "], 25) };
}

describe("against the real tools", () => {
  for (const [name, make] of Object.entries(CASES)) {
    const definition = allBuiltins.find((builtin) => builtin.name === name);
    if (definition === undefined) throw new Error(`${name} is no builtin`);
    test.skipIf(!hasReference(name, definition.reference))(
      name,
      async () => {
        const dice = new Dice(name);
        const found = await differences(
          definition,
          Array.from({ length: RUNS }, () => make(dice)),
        );
        expect(found.slice(0, 5)).toEqual([]);
      },
      TIMEOUT_MS,
    );
  }
});
