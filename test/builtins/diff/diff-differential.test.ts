/** diff against the real tool: random edits, random small alphabets, random flags. */
import { expect, test } from "vitest";
import { diff } from "../../../builtins/diff/diff.ts";
import type { Dice } from "../../fuzz/dice.ts";
import { differences, referenceTool, manyCases, RUNS, toolDice, type Answer, type Comparison, type FuzzCase } from "../tool-fuzz.ts";
import { needs } from "../../needs.ts";

const TIMEOUT_MS = 20_000 + RUNS * 100;

needs("bash", referenceTool("diff", diff.reference)).describe("against GNU diffutils 3.8", () => {
  test.each(["default", "-d", "flags"] as const)(
    "%s",
    async (kind) => {
      const dice = toolDice(`diff ${kind}`);
      const make = (): FuzzCase => pairCase(dice, kind);
      const cases = kind === "flags" ? manyCases(diff, make, undefined, dice) : Array.from({ length: RUNS }, make);
      expect((await differences(diff, cases, "diff", isExplained)).slice(0, 5)).toEqual([]);
    },
    TIMEOUT_MS,
  );
});

function pairCase(dice: Dice, kind: "default" | "-d" | "flags"): FuzzCase {
  const args = kind === "default" ? [] : kind === "-d" ? ["-d"] : flags(dice);
  const alphabet = dice.chance(50) ? LETTERS.slice(0, 2 + dice.below(7)) : PIECES;
  const old = Array.from({ length: dice.below(dice.pick([6, 20, 60, 300])) }, () => dice.pick(alphabet));
  const now = dice.chance(60) ? edited(dice, old) : Array.from({ length: dice.below(60) }, () => dice.pick(alphabet));
  return { args: [...args, "a", "b"], stdin: "", files: { a: content(dice, old), b: content(dice, now) }, mtime: 1_600_000_000.5 };
}

/** A deviation: standard input may be compared several times. The time of standard input is that of a file there and that of a pipe here; and no file is read before all arguments are looked at. */
const isExplained: Comparison["isExplained"] = ({ args }, real, ours) =>
  real.stderr.endsWith("diff: -: Bad file descriptor\n") ||
  withoutTimes(real) === withoutTimes(ours) ||
  (args.some((argument) => /^(-[^-]*X|--exclude-)/.test(argument)) &&
    real.exit === 2 &&
    ours.exit === 2 &&
    /: (No such file or directory|Not a directory|Is a directory)\n$/.test(real.stderr));
const withoutTimes = (answer: Answer): string =>
  JSON.stringify({ ...answer, stdout: answer.stdout.replace(/^((?:---|\+\+\+|\*\*\*) -\t).*$/gm, "$1") });

const LETTERS = ["a", "b", "c", "d", "e", "f", "g", "h"];
const PIECES = [
  "a",
  "b",
  "",
  "A",
  " a",
  "a ",
  "a\tb",
  "a       b",
  "a b",
  ".",
  "é",
  "\udcff\udc80",
  "x\ry",
  "ab\bc",
  "日本語日本語",
  "0123456789".repeat(7),
  "}",
  "  }",
  "int f()",
];

const content = (dice: Dice, lines: readonly string[]): string =>
  lines.length === 0 ? "" : lines.join("\n") + (dice.chance(80) ? "\n" : "");

/** Lines removed, added, moved, copied and changed. */
function edited(dice: Dice, lines: readonly string[]): string[] {
  const out = [...lines];
  for (let left = 1 + dice.below(dice.pick([2, 5, 12])); left > 0; left--) {
    const at = dice.below(out.length + 1);
    const count = 1 + dice.below(dice.pick([1, 3, 12]));
    const part = out.slice(at, at + count);
    switch (dice.below(5)) {
      case 0:
        out.splice(at, count);
        break;
      case 1:
        out.splice(at, 0, ...Array.from({ length: count }, () => dice.pick(PIECES)));
        break;
      case 2:
        out.splice(at, count);
        out.splice(dice.below(out.length + 1), 0, ...part);
        break;
      case 3:
        out.splice(dice.below(out.length + 1), 0, ...part);
        break;
      default:
        out.splice(at, count, ...part.map((line) => line.replace(/\s+/, dice.pick([" ", "\t", ""])) + dice.pick(["", " ", "\r", "!"])));
    }
  }
  return out;
}

function flags(dice: Dice): string[] {
  const labels = ["--label=a", "--label=b"];
  const args = [
    ...dice.pick([
      [],
      ["-u", ...labels],
      [`-U${dice.below(6)}`, ...labels],
      ["-c", ...labels],
      [`-C${dice.below(4)}`, ...labels],
      ["-u", "-2", ...labels],
      ["-e"],
      ["-f"],
      ["-n"],
      ["-y", `-W${1 + dice.below(60)}`],
      ["-y", "--left-column"],
      ["-y", "--suppress-common-lines"],
      ["-DFOO"],
      ["-q"],
      ["--old-line-format=-%l\n", "--new-line-format=+%L", "--unchanged-line-format=%5dn %l\n"],
      ["--changed-group-format=%dF,%dL=%dN %(F=L?one:%(n=2?two:%xM))%c'\\012'%<", "--unchanged-group-format="],
    ]),
  ];
  for (let left = dice.pick([0, 0, 1, 1, 2, 3]); left > 0; left--) {
    args.push(
      dice.pick([
        ...["-i", "-b", "-w", "-E", "-Z", "-B", "-d", "-t", "-T", "-Ia", "-I^$", "-H", "-F^[a-z]", "-a", "-s"],
        ...["--strip-trailing-cr", "--suppress-blank-empty", "--color=never", "-I[0-9]\\+"],
        `--tabsize=${1 + dice.below(9)}`,
        `--horizon-lines=${dice.below(5)}`,
      ]),
    );
  }
  return args;
}
