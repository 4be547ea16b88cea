/** od, xxd, hexdump, strings, numfmt, printf, base64 and the like against the real tools: random flags, random small inputs. */
import { describe, expect } from "vitest";
import { parseArguments } from "../../src/builtin/arguments.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import { loadBuiltins } from "../../builtins/registry.ts";
import { readOptions } from "../../builtins/xxd/options.ts";
import type { Dice } from "../fuzz/dice.ts";
import { differences, referenceTool, manyCases, RUNS, type FuzzCase } from "./tool-fuzz.ts";
import { needs } from "../needs.ts";

const allBuiltins = await loadBuiltins();

const TIMEOUT_MS = 20_000 + RUNS * 100;

const bytes = (dice: Dice): string =>
  dice.text(
    [
      "a",
      "b",
      "\0",
      "\0\0\0\0",
      "\n",
      "\x7f",
      "é",
      "日",
      "\udcff",
      "\udc80",
      " ",
      "text here",
      "\t",
      "\x1b",
      "0123456789abcdef",
      "AAAAAAAAAAAAAAAA",
    ],
    14,
  );
const files = (dice: Dice): Record<string, string> => ({ f: bytes(dice), g: bytes(dice) });
const operands = (dice: Dice): string[] =>
  dice.pick([[], [], ["f"], ["f"], ["f", "g"], ["-"], ["f", "-"], ...(dice.chance(8) ? [["nope"], ["f", "nope"], ["."]] : [])]);
const amount = (dice: Dice): string =>
  dice.pick([
    "0",
    "1",
    "2",
    "3",
    "7",
    "16",
    "020",
    "0x10",
    "100",
    ...(dice.chance(8) ? ["x", "-1", "1k", "1b", "", "99999999999999999999", "08", "1é"] : []),
  ]);
const some = (dice: Dice, most: number, of: readonly (() => string[])[]): string[] =>
  Array.from({ length: dice.below(most + 1) }, () => dice.pick(of)()).flat();
const decimal = (dice: Dice): string =>
  dice.pick(
    [
      "0",
      "1",
      "-1",
      "1000",
      "1024",
      "1500",
      "999",
      "1K",
      "1.5k",
      "2M",
      "1Ki",
      "0.1",
      "-0.5",
      "1.05",
      "12345678",
      "999999",
      "1G",
      "3T",
      "1e3",
      "+5",
      " 7",
    ].concat(
      dice.chance(25)
        ? [
            "",
            "x",
            "1x",
            "1Kx",
            "1KiB",
            "1.",
            ".5",
            "1..2",
            "9999999999999999999",
            "1E",
            "5Y",
            "-",
            "0x10",
            "1,000",
            "01",
            "1 K",
            "99999999999999999999999999999999999",
            "--1",
          ]
        : [],
    ),
  );

const CASES: Readonly<Record<string, (dice: Dice) => FuzzCase>> = {
  od(dice) {
    const type = (): string =>
      dice.pick([
        "x1",
        "x2",
        "x4",
        "x8",
        "o1",
        "o2",
        "d1",
        "d2",
        "d4",
        "u1",
        "u8",
        "c",
        "a",
        "x1z",
        "cz",
        "fF",
        "fD",
        "f4",
        "x1c",
        "xC",
        "dS",
        "uL",
        ...(dice.chance(5) ? ["q", "x3", "f1", "", "x99", "z"] : []),
      ]);
    const args = some(dice, 3, [
      () => ["-t", type()],
      () => [`-A${dice.pick(["x", "d", "o", "n", ...(dice.chance(10) ? ["q", ""] : [])])}`],
      () => [
        dice.pick([
          "-c",
          "-x",
          "-b",
          "-d",
          "-o",
          "-a",
          "-i",
          "-l",
          "-s",
          "-v",
          "-h",
          "-f",
          "-F",
          "-e",
          "-D",
          "-O",
          "-X",
          "-B",
          "-H",
          "-I",
          "-L",
        ]),
      ],
      () => ["-N", amount(dice)],
      () => ["-j", amount(dice)],
      () => [`-w${dice.pick(["", "1", "2", "4", "8", "16", "32", "5", ...(dice.chance(5) ? ["0", "x"] : [])])}`],
      () => ["--endian=big"],
    ]);
    return {
      args: [...args, ...operands(dice), ...(dice.chance(4) ? [dice.pick(["+1", "+2.", "10", "+0x3", "+1b"])] : [])],
      stdin: bytes(dice),
      files: files(dice),
    };
  },
  xxd(dice) {
    const reverse = dice.chance(25);
    const args = some(dice, 3, [
      () => [dice.pick(["-b", "-e", "-E", "-i", "-p", "-ps", "-u", "-a", "-d", "-C"])],
      () => ["-c", dice.pick(["1", "4", "8", "16", "30", "0", "256", ...(dice.chance(8) ? ["300", "x", "-1", "0x8"] : [])])],
      () => ["-g", dice.pick(["0", "1", "2", "4", "8", "3", "16", "100"])],
      () => ["-l", amount(dice)],
      () => [dice.pick(["-s", "-seek"]), dice.pick(["0", "1", "5", "0x4", "+2", "-3", "-100", "50"])],
      () => ["-o", dice.pick(["0", "16", "0x100", "100"])],
      () => [dice.pick(["-l4", "-c8", "-g1", "-s2"])],
    ]);
    const hex = dice.text(["00000000: ", "6162 ", "63", " ", "\n", "  abc\n", "00000010: ", "zz", "ff00", "0000000a:", " 0a", "\n"], 12);
    if (reverse) {
      const isPlain = dice.chance(50);
      // Up to an address that is far away xxd prints zeros until it is ended, a second each: of them a few.
      const near = hex.replace(/^\s*0*[1-9a-f][\da-f]{4}(?=[\da-f])/gm, "$&:");
      return {
        args: ["-r", ...(isPlain ? ["-p"] : []), ...(dice.chance(15) ? ["-s", "0"] : []), ...(dice.chance(10) ? ["-c", "8"] : [])],
        stdin: isPlain || dice.chance(4) ? hex : near,
        // A gap is zeros in a pipe; in a file it may be nothing, or what stood there before.
        isPiped: true,
      };
    }
    // Only a file can be sought from its end, and standard input is not a file in here.
    const isFromEnd = args.includes("-3") || args.includes("-100");
    return {
      args: [...args, ...dice.pick(isFromEnd ? [["f"]] : [[], [], ["f"], ["-"], ...(dice.chance(5) ? [["nope"]] : [])])],
      stdin: bytes(dice),
      files: files(dice),
      // Past its end one can only go in a file.
      isFed: true,
      isPiped: true,
    };
  },
  hexdump(dice) {
    const args = some(dice, 2, [
      () => [dice.pick(["-C", "-c", "-b", "-d", "-o", "-x", "-v", "-C"])],
      () => ["-n", amount(dice)],
      () => ["-s", amount(dice)],
      () => [
        "-e",
        dice.pick([
          '1/1 "%02x "',
          '16/1 "%02x " "\\n"',
          '4/2 "%04x " "|"',
          '"%_ad " 8/1 "%_p" "\\n"',
          '"%08.8_ax  " 4/4 "%08x " "\\n"',
          '1/1 "%_c"',
          '1/1 "%_u "',
          '2/1 "%3d" " "',
          '"a"',
          '1/4 "%d\\n"',
          '8/1 "%-4o"',
          '1/8 "%f "',
          '1/1 "%_A[x]"',
          '"%s"',
        ]),
      ],
    ]);
    return {
      args: [...args, ...dice.pick([[], ["f"], ["f", "g"], ...(dice.chance(5) ? [["nope"]] : [])])],
      stdin: bytes(dice),
      files: files(dice),
    };
  },
  strings(dice) {
    const args = some(dice, 3, [
      () => [`-n${dice.pick(["1", "2", "3", "8"])}`],
      () => ["-n", dice.pick(["1", "4", "0", "x", "-1"])],
      () => ["-t", dice.pick(["x", "d", "o", ...(dice.chance(5) ? ["q"] : [])])],
      () => [dice.pick(["-a", "-o", "-f", "-w", "-3", "-1", "--print-file-name", "-"])],
      () => ["-e", dice.pick(["s", "S", "b", "l", "B", "L"])],
      () => ["-s", dice.pick([",", "\n\n", ""])],
    ]);
    return {
      args: [...args, ...dice.pick([[], [], ["f"], ["f", "g"], ...(dice.chance(5) ? [["nope"], ["f", "nope"]] : [])])],
      stdin: bytes(dice),
      files: files(dice),
    };
  },
  basename(dice) {
    const path = (): string => dice.text(["/", "a", "b.c", "//", ".", "..", "é", " ", "\n", ".c", "-x"], 5);
    const flags = some(dice, 2, [
      () => ["-a"],
      () => ["-z"],
      () => ["-s", dice.pick([".c", "c", "", "b.c", "é"])],
      () => ["--suffix=.c"],
      () => ["--multiple"],
    ]);
    return { args: [...flags, "--", ...Array.from({ length: dice.pick([1, 1, 1, 2, 2, 3, 0]) }, path)], stdin: "" };
  },
  dirname(dice) {
    const path = (): string => dice.text(["/", "a", "b.c", "//", ".", "..", "é", " ", "\n"], 6);
    return { args: [...(dice.chance(20) ? ["-z"] : []), "--", ...Array.from({ length: dice.below(4) }, path)], stdin: "" };
  },
  numfmt(dice) {
    const unit = (): string => dice.pick(["si", "iec", "iec-i", "none", "auto", ...(dice.chance(4) ? ["x", ""] : [])]);
    const flags = some(dice, 4, [
      () => [`--to=${unit()}`],
      () => [`--from=${unit()}`],
      () => [`--round=${dice.pick(["up", "down", "from-zero", "towards-zero", "nearest"])}`],
      () => [`--padding=${dice.pick(["5", "-8", "12", ...(dice.chance(5) ? ["0", "x"] : [])])}`],
      () => [
        `--format=${dice.pick(["%f", "%.2f", "%10f", "%-10f|", "a%fb", "%05f", "%'f", "%.0f", "%10.3f%%", ...(dice.chance(10) ? ["%d", "%", "x", "%f%f", "%.f", "%-5.1", "%5"] : [])])}`,
      ],
      () => [`--suffix=${dice.pick(["B", "K", "x", "é"])}`],
      () => [`--field=${dice.pick(["1", "2", "1,3", "-", "2-", "-2", ...(dice.chance(5) ? ["0", "x", "3-1"] : [])])}`],
      () => ["-d", dice.pick([",", ":", " ", ...(dice.chance(5) ? ["ab", ""] : [])])],
      () => [`--invalid=${dice.pick(["abort", "fail", "warn", "ignore"])}`],
      () => [dice.pick(["--header", "--header=2", "--grouping", "-z"])],
      () => [`--from-unit=${dice.pick(["1", "1024", "1K", "512", ...(dice.chance(5) ? ["0", "x"] : [])])}`],
      () => [`--to-unit=${dice.pick(["1", "1024", "1K", "1Mi"])}`],
    ]);
    const line = (): string => Array.from({ length: 1 + dice.below(3) }, () => decimal(dice)).join(dice.pick([" ", "  ", ",", "\t"]));
    const words = dice.chance(40) ? ["--", ...Array.from({ length: 1 + dice.below(3) }, () => decimal(dice))] : [];
    return { args: [...flags, ...words], stdin: Array.from({ length: dice.below(4) }, line).join("\n") + dice.pick(["\n", "\n", ""]) };
  },
  printf(dice) {
    const directive = (): string =>
      `%${dice.pick(["", "", "-", "0", "+", " ", "#", "-0", "'"])}${dice.pick(["", "", "5", "10", "1", "*"])}${dice.pick(["", "", "", ".0", ".3", ".", ".*"])}${dice.pick(["s", "s", "d", "i", "u", "x", "X", "o", "c", "f", "e", "g", "G", "E", "b", "q", "a", "%", "s", "d", ...(dice.chance(4) ? ["z", "ld", "hd", "lld", "Q", "n", ""] : [])])}`;
    const text = (): string =>
      dice.pick([
        "a",
        "\\n",
        "\\t",
        "\\\\",
        "\\x41",
        "\\101",
        "\\0101",
        "é",
        "\\u00e9",
        "\\U1F600",
        "\\c",
        "\\e",
        "\\q",
        "%%",
        " ",
        "\\'",
        '\\"',
        "\\a",
        "\\x",
        "\\u",
      ]);
    const value = (): string =>
      dice.pick([
        "1",
        "-1",
        "abc",
        "",
        "a b",
        "é",
        "0x1f",
        "017",
        "'a",
        '"é',
        "3.14",
        "1e3",
        "42",
        "99999999999999999999",
        "-0",
        "inf",
        "nan",
        "08",
        "1x",
        "a\\tb",
        "\\0101",
        "\\c",
        "a'b",
        "\n",
        "$x",
        "\udcff",
        "~",
        "日本",
        " 5",
        "+3",
      ]);
    const format =
      dice.text(["%", "%", "."], 0) + Array.from({ length: 1 + dice.below(3) }, () => (dice.chance(60) ? directive() : text())).join("");
    // A width that no machine can print ends bash itself.
    const values = Array.from({ length: dice.below(5) }, value).map((text) => (format.includes("*") && text.length > 9 ? "7" : text));
    return { args: ["--", format, ...values], stdin: "" };
  },
  base64: (dice) => encoding(dice, ["aGVs", "bG8=", "\n", "QQ==", "a", "!", "/+", "=", " ", "YQ", "é"]),
  base32: (dice) => encoding(dice, ["NBSWY3DP", "BI======", "\n", "A", "=", "!", "ME======", "M", "77777777"]),
  basenc(dice) {
    const { args, ...rest } = encoding(dice, ["aGVs", "_-", "0011", "FF", "\n", "=", "00000001", "A", "HelloWorld", "vvvv", "!"]);
    const kind = dice.pick(["--base64", "--base64url", "--base32", "--base32hex", "--base16", "--base2msbf", "--base2lsbf", "--z85"]);
    return { args: [...(dice.chance(95) ? [kind] : []), ...args], ...rest };
  },
  cksum(dice) {
    const args = some(dice, 2, [
      () => ["-a", dice.pick(["crc", "bsd", "sysv", "md5", "sha1", "sha256", "blake2b", "sm3", "sha512", "x"])],
      () => [dice.pick(["--untagged", "--tag", "-z", "-l", "--length=128"])].filter((flag) => flag !== "-l"),
    ]);
    return { args: [...args, ...operands(dice)], stdin: bytes(dice), files: files(dice) };
  },
  sha256sum: (dice) => ({
    args: [...some(dice, 2, [() => [dice.pick(["-b", "-t", "--tag", "-z", "-c", "--status", "-w", "--strict"])]]), ...operands(dice)],
    stdin: bytes(dice),
    files: files(dice),
  }),
  sum: (dice) => ({
    args: [...some(dice, 2, [() => [dice.pick(["-r", "-s"])]]), ...operands(dice)],
    stdin: bytes(dice),
    files: files(dice),
  }),
};

/** Cases to which the two need not have one answer. */
const INCOMPARABLE: Readonly<Record<string, (example: FuzzCase) => boolean>> = {
  // Only a file can be sought from its end, and standard input is not a file in here.
  xxd: ({ args }) => seeksFromEndOfInput(args),
  // A digit that is not an argument of its own, or stands behind an operand: GNU strings then reads another argument's text.
  strings: ({ args }) =>
    args.some(
      (arg, at) =>
        /^-[^-]*\d/.test(arg) && !/^-n\d+$/.test(arg) && !/^(-n|--bytes)$/.test(args[at - 1] ?? "") && !(at === 0 && /^-\d+$/.test(arg)),
    ),
  // A deviation: a padding of that width is refused.
  numfmt: ({ args }) => args.some((arg) => /^--(?:pad|form).*\d{7}/.test(arg)),
  // Numbers past 2^63, with which hexdump computes past what its type holds. And -f is read as it comes, here once all flags are known to be sound.
  hexdump: ({ args }) =>
    args.some((arg) => /\d{19}/.test(arg)) || (args.some((arg) => /^-[^-]*f|^--format-/.test(arg)) && !isSound("hexdump", args)),
};

function seeksFromEndOfInput(args: readonly string[]): boolean {
  try {
    const { seekFrom, input } = readOptions(args);
    return seekFrom === "end" && input === "-";
  } catch (thrown) {
    if (!(thrown instanceof UsageError)) throw thrown;
    return false;
  }
}

function isSound(name: string, args: readonly string[]): boolean {
  const definition = allBuiltins.find((builtin) => builtin.name === name);
  if (definition === undefined) return false;
  try {
    definition.check?.(
      parseArguments(
        definition,
        name,
        args.map((text) => ({ text })),
      ),
    );
    return true;
  } catch {
    return false;
  }
}

function encoding(dice: Dice, pieces: readonly string[]): FuzzCase {
  const decodes = dice.chance(60);
  const args = [
    ...(decodes ? ["-d"] : []),
    ...(dice.chance(30) ? [`-w${dice.pick(["0", "1", "4", "20", "76", ...(dice.chance(8) ? ["x", "-1", "1k"] : [])])}`] : []),
    ...(dice.chance(30) ? ["-i"] : []),
  ];
  return {
    args: [...args, ...dice.pick([[], [], ["f"], ["-"], ...(dice.chance(5) ? [["nope"], ["f", "g"]] : [])])],
    stdin: decodes ? dice.text(pieces, 8) : bytes(dice),
    files: files(dice),
  };
}

describe("against the real tools", () => {
  for (const [name, make] of Object.entries(CASES)) {
    const definition = allBuiltins.find((builtin) => builtin.name === name);
    if (definition === undefined) throw new Error(`${name} is no builtin`);
    const [tool, reference] = /^GNU coreutils|^util-linux/.test(definition.reference)
      ? [name, definition.reference]
      : ["wc", "GNU coreutils 9.1"];
    needs("bash", referenceTool(tool, reference)).test(name, { timeout: TIMEOUT_MS }, async () => {
      const found = await differences(
        definition,
        manyCases(definition, make, (example) => INCOMPARABLE[name]?.(example) !== true),
        name,
        // A deviation: GNU strings prints its whole usage.
        (_example, real, ours) => real.stderr.includes("Usage: strings [option(s)]") && /^strings: /.test(ours.stderr),
      );
      expect(found.slice(0, 5)).toEqual([]);
    });
  }
});
