/** cut, uniq, tr and sort against the real tools: random flags, random small inputs. */
import { expect, test } from "vitest";
import { cut } from "../../builtins/cut/cut.ts";
import { sort } from "../../builtins/sort/sort.ts";
import { tr } from "../../builtins/tr/tr.ts";
import { uniq } from "../../builtins/uniq/uniq.ts";
import type { Dice } from "../fuzz/dice.ts";
import { differences, referenceTool, manyCases, RUNS, type FuzzCase } from "./tool-fuzz.ts";
import { needs } from "../needs.ts";

const TIMEOUT_MS = 20_000 + RUNS * 100;

needs("bash", referenceTool("sort", sort.reference)).describe("against GNU coreutils 9.1", () => {
  test(
    "cut",
    async () => {
      const found = await differences(cut, manyCases(cut, cutCase));
      expect(found.slice(0, 5)).toEqual([]);
    },
    TIMEOUT_MS,
  );
  test(
    "uniq",
    async () => {
      const found = await differences(uniq, manyCases(uniq, uniqCase));
      expect(found.slice(0, 5)).toEqual([]);
    },
    TIMEOUT_MS,
  );
  test(
    "tr",
    async () => {
      const found = await differences(tr, manyCases(tr, trCase));
      expect(found.slice(0, 5)).toEqual([]);
    },
    TIMEOUT_MS,
  );
  test(
    "sort",
    async () => {
      const found = await differences(sort, manyCases(sort, sortCase, isDeterminate));
      expect(found.slice(0, 5)).toEqual([]);
    },
    TIMEOUT_MS,
  );
});

/** -b, a list, flags: mostly valid, for an error needs no input. */
function cutCase(dice: Dice): FuzzCase {
  const number = (): string =>
    dice.pick(["1", "2", "3", "4", "7", "10", ...(dice.chance(6) ? ["0", "2147483647", "18446744073709551615", "x", ""] : [])]);
  const range = (): string =>
    dice.pick([
      number(),
      number(),
      `${number()}-`,
      `-${number()}`,
      `${number()}-${number()}`,
      ...(dice.chance(5) ? ["-", "1-2-3", "--", "1,,2", "a", "2é"] : []),
    ]);
  const list = Array.from({ length: 1 + dice.below(3) }, range).join(dice.pick([",", ",", " ", "\t"]));
  const fields = dice.chance(70);
  const args = [fields ? `-f${list}` : dice.pick([`-b${list}`, `-c${list}`])];
  if (fields ? dice.chance(75) : dice.chance(3))
    args.push(
      `-d${dice.pick([":", ":", ":", " ", "\n", "", "\udcff", ...(dice.chance(5) ? ["ab", "é"] : [])])}`.replace(/^-d$/, "--delimiter="),
    );
  if (fields ? dice.chance(30) : dice.chance(3)) args.push("-s");
  if (dice.chance(20)) args.push("--complement");
  if (dice.chance(25)) args.push(`--output-delimiter=${dice.pick([":", "", "_", "<>", "\n"])}`);
  if (dice.chance(15)) args.push("-z");
  if (dice.chance(4)) args.push(dice.pick(["-f1", "-b2", "-n"]));
  return { args, stdin: dice.text(["a", "b", "xyz", ":", ":", ":", " ", "\n", "\n", "\t", "\0", "é", "\udcff", "\r"], 24) };
}

function uniqCase(dice: Dice): FuzzCase {
  const args: string[] = [];
  const number = (): string =>
    dice.pick(["0", "1", "2", "3", "99999999999999999999", "+1", ...(dice.chance(8) ? ["x", "-1", "1k", ""] : [])]);
  for (let left = dice.below(4); left > 0; left--) {
    args.push(
      dice.pick([
        "-c",
        "-d",
        "-D",
        "-u",
        "-i",
        "-z",
        `-f${number() || "9"}`,
        `--skip-chars=${number()}`,
        `-w${number() || "9"}`,
        "--group",
        "--group=both",
        "--group=app",
        "--group=prepend",
        "--all-repeated",
        "--all-repeated=sep",
        "--all-repeated=prepend",
        "-1",
        "+2",
        "-1d",
        "-12",
        "+x",
        "--all-repeated=x",
        "--group=",
      ]),
    );
  }
  const line = (): string => dice.text(["a", "a", "A", "b", " ", "\t", "é", "\0", "\udcc3"], 3);
  const lines = Array.from({ length: dice.below(9) }, line);
  const repeated = lines.flatMap((text) => (dice.chance(40) ? [text, dice.chance(30) ? text.toUpperCase() : text] : [text]));
  // A second operand would be the output, which is refused.
  return { args: [...new Set(args)], stdin: repeated.join(dice.chance(15) ? "\0" : "\n") + (dice.chance(70) ? "\n" : "") };
}

function trCase(dice: Dice): FuzzCase {
  const piece = (): string =>
    dice.pick([
      "a",
      "b",
      "c",
      "A",
      "a-c",
      "A-C",
      "0-9",
      "x",
      "é",
      "\\n",
      "\\101",
      "\\0",
      "\\377",
      "-",
      "\\-",
      "\\\\",
      "[:lower:]",
      "[:upper:]",
      "[=a=]",
      "[b*2]",
      ...(dice.chance(50)
        ? [
            "[c*]",
            "[:alpha:]",
            "[:digit:]",
            "[:space:]",
            "[:punct:]",
            "[b*010]",
            "[:alnum:]",
            "[:cntrl:]",
            "[:print:]",
            "[:graph:]",
            "[:blank:]",
            "[:xdigit:]",
          ]
        : []),
      ...(dice.chance(20)
        ? [
            "c-a",
            "\\400",
            "[",
            "]",
            "[:",
            ":]",
            "[=",
            "=]",
            "*",
            "[x*",
            "[\\*3]",
            "[:foo:]",
            "[==]",
            "[::]",
            "[:*5]",
            "[=*]",
            "[b*x]",
            "[b*09]",
            "[=ab=]",
            "\\8",
            "\\q",
            "[b*+1]",
            "\udcff",
          ]
        : []),
    ]);
  const set = (most: number): string => Array.from({ length: 1 + dice.below(most) }, piece).join("") + (dice.chance(2) ? "\\" : "");
  const flags = dice.pick(["", "", "", "-d", "-s", "-c", "-t", "-ds", "-cs", "-cd", "-st", "-cst", "-cds", "-ct"]);
  const count = dice.chance(4)
    ? dice.below(4)
    : flags.includes("d") && !flags.includes("s")
      ? 1
      : flags.includes("s") && dice.chance(40) && !flags.includes("d")
        ? 1
        : 2;
  const first = set(3);
  // A set in step with the first one, so that classes meet.
  const second = dice.chance(30) ? first.replaceAll("lower", "L").replaceAll("upper", "lower").replaceAll("L", "upper") : set(3);
  return {
    args: [...(flags === "" ? [] : [flags]), "--", ...[first, second, set(2)].slice(0, count)],
    stdin: dice.text(["a", "b", "c", "aa", "ABC", "xyz", "09", "é", "\n", "\n", " ", "-", "\\", "[=a:*]", "\0", "\udcff", "\t"], 30),
  };
}

/**
 * With -g, GNU sort 9.1 compares two NaNs by their bytes in memory, of which six are whatever was there. A --batch-size past
 * the number of files that the host lets a process open is an error that names this number.
 */
function isDeterminate({ args, stdin, files = {} }: FuzzCase): boolean {
  if (/^--ba[a-z-]*[=\n].*\d{9}/m.test(args.join("\n"))) return false;
  const nans = `${stdin}${Object.values(files).join("")}`.match(/nan/gi)?.length ?? 0;
  return nans < 2 || !args.some((argument) => argument.startsWith("-") && argument.includes("g"));
}

function sortCase(dice: Dice): FuzzCase {
  const ordering = (): string =>
    dice.pick([
      "n",
      "n",
      "g",
      "h",
      "M",
      "V",
      "r",
      "b",
      "d",
      "f",
      "i",
      "nr",
      "fr",
      "bf",
      "df",
      "bn",
      "rV",
      "",
      "",
      ...(dice.chance(5) ? ["ng", "x", "Mn", "di"] : []),
    ]);
  const place = (): string =>
    dice.pick(["1", "2", "3", "1.2", "2.1", "1.3", "2.2", ...(dice.chance(5) ? ["0", "1.0", "x", "", "1."] : [])]);
  const end = (): string => dice.pick(["1", "2", "1.2", "2.0", "2.2", "1.1", ...(dice.chance(4) ? ["0", "", "y"] : [])]);
  const key = (): string => `-k${place()}${ordering()}${dice.chance(60) ? `,${end()}${dice.chance(30) ? ordering() : ""}` : ""}`;
  const args: string[] = [];
  for (let left = dice.pick([0, 1, 1, 2, 3]); left > 0; left--) args.push(dice.chance(92) ? key() : dice.pick(["+1", "+0.1", "+1n", "+0"]));
  if (args.at(-1)?.startsWith("+") === true && dice.chance(50)) args.push(dice.pick(["-1", "-2.1", "-1.0n", "-0"]));
  for (let left = dice.pick([0, 0, 1, 1, 2]); left > 0; left--) {
    args.push(
      dice.pick([
        "-n",
        "-g",
        "-h",
        "-M",
        "-V",
        "-r",
        "-r",
        "-b",
        "-d",
        "-f",
        "-i",
        "-u",
        "-s",
        "-u",
        "-s",
        "--sort=numeric",
        "--sort=version",
        "--sort=h",
      ]),
    );
  }
  if (dice.chance(40)) args.push(`-t${dice.pick([":", ":", " ", "\\0", "a", ...(dice.chance(5) ? ["ab", "é", "\udcff"] : [])])}`);
  if (dice.chance(12)) args.push("-z");
  if (dice.chance(10)) args.push(dice.pick(["-c", "-C", "--check", "--check=quiet"]));
  const piece = dice.pick([
    [
      "1",
      "2",
      "10",
      "-1",
      "0",
      "00",
      ".5",
      "0.50",
      "1.",
      "-0",
      "+1",
      "-",
      "1,000",
      "99999999999999999999",
      "99999999999999999998",
      "1e3",
      "0x1f",
      "inf",
      "-nan",
      "nan",
      "NaN(1)",
      "nan(0x10)",
      "-nan(010)",
      "nan(z)",
      "1e-400",
      "1e400",
      "9007199254740993",
      "9007199254740992",
      "0.1",
      "0.10000000000000000001",
      "  3",
      "-.5",
      "0x",
      "0x1p-3",
      "1e",
      "-inf",
      "infinity",
      "1E2x",
    ],
    [
      "1K",
      "2M",
      "1G",
      "1k",
      "1024K",
      "0K",
      "-1K",
      "-2M",
      "1.5G",
      "1Ki",
      "3T",
      "1P",
      "1E",
      "1Z",
      "1Y",
      "12",
      "K",
      "1.K",
      "5m",
      "-1G",
      "1R",
      "1e4",
    ],
    ["jan", "FEB", " mar", "apr", "may", "Jun", "jul", "AUGUST", "sep", "oct", "nov", "dec", "ja", "x", "\tDec", ""],
    ["a", "b", "A", "B", "ab", "aB", "-a", "_b", " a", "é", "É", "z", "\t", "\0", "\udcff", "~", "a1", "😀", "\u007f", "\u0001"],
    ["common prefix ", "common prefix of lines ", "common prefix of Lines", "common", "x", "x\0", "x\u0001", "", "common prefix "],
    ["a1", "a10", "a2", "a02", "v1.10", "v1.9", "1.0~rc1", "1.0", "a.tar.gz", "a-1.tar", ".a", "..", ".", "a~", "b.1.2", "A1", ""],
  ]);
  const separator = dice.pick([":", " ", " ", "\t", "  ", "a", "\n"]);
  const lines = Array.from({ length: dice.pick([0, 1, 3, 8, 8, 30, 60]) }, () =>
    Array.from({ length: 1 + dice.below(3) }, () => dice.pick(piece)).join(separator),
  );
  const lineEnd = args.includes("-z") ? "\0" : "\n";
  const content = lines.join(lineEnd) + (lines.length > 0 && dice.chance(80) ? lineEnd : "");
  if (dice.chance(5))
    return { args: [...args, "-R", "--random-source=salt"], stdin: content, files: { salt: `sixteen bytes ${dice.below(1000)} and more` } };
  if (dice.chance(80)) return { args, stdin: content };
  const half = lines.length >> 1;
  const files = { one: lines.slice(0, half).join(lineEnd), two: lines.slice(half).join(lineEnd) };
  return { args: [...args, ...(dice.chance(50) ? ["-m"] : []), "one", dice.pick(["-", "two", "two", "none"])], stdin: content, files };
}
