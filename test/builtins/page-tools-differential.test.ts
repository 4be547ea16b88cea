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

const PATHS = [
  "a",
  "dir/a",
  "dir/b.c",
  "dir/sub/c.txt",
  "old/a",
  "new/a",
  "a/x.c",
  "b/x.c",
  "x.c.orig",
  "x.c",
  "/dev/null",
  "with space",
  "é.txt",
  "a/é",
  '"a/\\303\\251"',
  "lib/x.c",
];
const STAMPS = [
  "",
  "\t2020-01-02 03:04:05.000000000 +0000",
  "\t2020/01/02 03:04:05",
  "\tMon Jan  2 03:04:05 2020",
  "\t(revision 3)",
  "\t(a)\t(b)",
  "\t1.2",
];

/** Differences of several forms, sometimes with lines that are none. */
function patch(dice: Dice): string {
  const text = (): string => dice.pick(["x", "", "-- y", "++ z", "- a", "*** b", "Index: q", "@@", "diff a b", "!", "\t"]);
  const some = (sign: string, most: number): string[] => dice.some(0, most, () => `${sign}${text()}`);
  const header = (): string => dice.pick(PATHS) + dice.pick(STAMPS);
  const unified = (): string[] => {
    const lines = [...some(" ", 2), ...some("-", dice.chance(5) ? 200 : 5), ...some("+", dice.chance(5) ? 120 : 5), ...some(" ", 2)];
    const [old, fresh] = ["+", "-"].map((sign) => lines.filter((line) => !line.startsWith(sign)).length + (dice.chance(4) ? 1 : 0));
    return [`@@ -${dice.below(9)},${old} +${dice.pick(["1", "3"])},${fresh} @@${dice.pick(["", " f()"])}`, ...lines];
  };
  const context = (): string[] => [
    "***************",
    `*** 1,${dice.below(9)} ****`,
    ...some("! ", 3),
    ...some("- ", 2),
    `--- 1,${dice.below(9)} ----`,
    ...some("! ", 3),
    ...some("+ ", 3),
  ];
  const file = (): string[] => {
    const name = dice.pick(PATHS);
    switch (dice.below(11)) {
      case 0:
        return [`Only in ${dice.pick(["dir", "old", "new/", "/"])}: ${name}`];
      case 1:
        return [`${dice.pick(["Binary files", "Files", "binary files"])} ${name} and ${dice.pick(PATHS)} differ`];
      case 2:
        return [`Index: ${name}`, ...unified()];
      case 3:
        return [`*** ${header()}`, `--- ${header()}`, ...context(), ...(dice.chance(40) ? context() : [])];
      case 4:
        return [`diff ${dice.pick(["-r ", "", "-u -N "])}${name} ${dice.pick(PATHS)}`, "3,5c3", ...some("< ", 3), "---", ...some("> ", 4)];
      case 5:
        return [
          `diff --git a/${name} b/${name}`,
          "index 1234..5678 100644",
          dice.pick(["GIT binary patch", "Binary files a/x and b/x differ"]),
          "literal 3",
          "+abc",
          "-x",
        ];
      case 6:
        return [
          `diff --git a/${name} b/${name}`,
          dice.pick(["index 1..2 100644", "new file mode 100644"]),
          `--- ${dice.pick(["a/", "/dev/null#"]).replace(/(.*)#/, "$1")}${name}`,
          `+++ b/${name}`,
          ...unified(),
        ];
      case 7:
        return [`==== //depot/${name}#3 - /home/${name} ====`, ...unified()];
      default:
        return [`--- ${header()}`, `+++ ${header()}`, ...unified(), ...(dice.chance(40) ? unified() : [])];
    }
  };
  const lines = dice.chance(10)
    ? [...unified(), ...file()]
    : dice.chance(5)
      ? ["3,4c5", "< a", "---", "> b", "> c"]
      : dice.some(0, 6, file).flat();
  if (dice.chance(10))
    lines.splice(
      dice.below(lines.length + 1),
      0,
      dice.pick(["junk", "", "-- ", "diff ", "Index: ", "\\ No newline at end of file", "*** a", "--- a"]),
    );
  return lines.map((line) => `${line}\n`).join("");
}

function diffstatCase(dice: Dice): FuzzCase {
  const flags = dice.some(0, 3, () =>
    dice.pick([
      "-p0",
      "-p1",
      "-p2",
      "-l",
      "-s",
      "-t",
      "-T",
      "-m",
      "-u",
      "-k",
      "-K",
      "-R",
      "-b",
      "-c",
      "-C",
      "-q",
      "-E",
      "-v",
      `-f${dice.below(8)}`,
      `-r${dice.below(3)}`,
      `-n${dice.below(30)}`,
      `-N${dice.below(20)}`,
      `-w${dice.below(120)}`,
      "-w40",
    ]),
  );
  const [stdin, a, b] = [patch(dice), patch(dice), patch(dice)];
  return { args: [...flags, ...dice.pick([[], [], [], [], ["p"], ["p", "q"], ["nope"], ["."]])], stdin, files: { p: a, q: b } };
}

function prCase(dice: Dice): FuzzCase {
  const line = (): string => dice.text(["a", "bc", "word ", "\t", "  ", "é", "\b", "\x07", "longer", ":", dice.chance(10) ? "\f" : ""], 9);
  const text = (): string => {
    const lines = dice.some(0, dice.chance(15) ? 150 : 15, line);
    return `${lines.map((each) => each + dice.pick(["\n", "\n", "\n", "\n", "\n", "\n", dice.chance(20) ? "\f" : "\n", dice.chance(10) ? "\f\n" : "\n"])).join("")}${dice.chance(10) ? "end" : ""}`;
  };
  const flag = (): string =>
    dice.pick([
      "-t",
      "-t",
      "-t",
      "-T",
      "-a",
      "-m",
      "-d",
      "-e",
      "-e4",
      "-ex3",
      "-i",
      "-i4",
      "-ix2",
      "-n",
      "-n3",
      "-n:2",
      "-s",
      "-s,",
      "-s:",
      "-S",
      "-S::",
      "-S ",
      "-S\t",
      "-J",
      "-f",
      "-F",
      "-c",
      "-v",
      "-r",
      "-b",
      "-hTITLE",
      "-D%Y",
      "-2",
      "-3",
      "-t2",
      "-2",
      "--columns=4",
    ]);
  const measure = (): string =>
    dice.pick([
      `-l${5 + dice.below(30)}`,
      `-w${10 + dice.below(80)}`,
      `-W${5 + dice.below(80)}`,
      `-o${dice.below(9)}`,
      `-N${dice.below(200)}`,
      `+${1 + dice.below(3)}`,
      `--pages=${1 + dice.below(2)}:${1 + dice.below(3)}`,
    ]);
  const args = [...dice.some(0, 4, flag), ...dice.some(0, 2, measure)];
  const operands = dice.pick([
    ["a"],
    ["a"],
    ["a", "b"],
    ["a", "b", "c"],
    ["nope", "a"],
    ["a", "nope", "b"],
    dice.chance(10) ? ["."] : ["b"],
  ]);
  // Of standard input the header has the time.
  const reads = args.some((each) => /^-(?:t|T)/.test(each)) && !args.includes("-m") && dice.chance(30) ? [] : operands;
  const shown = args.includes("-m") && !args.some((each) => /^-[tTD]/.test(each)) ? ["-D%Y", ...args] : args;
  return { args: [...shown, ...reads], stdin: text(), files: { a: text(), b: text(), c: text() }, mtime: 1_600_000_000 };
}

const TOOLS: Readonly<Record<string, Compared>> = {
  pr: { make: prCase },
  diffstat: { make: diffstatCase },
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
