/** Command lines of test, [, echo, xargs, cmp, md5sum -c and env from dice. */
import type { Dice } from "../fuzz/dice.ts";
import type { OddTree } from "../fuzz/odd-tree.ts";
import type { FuzzCase } from "./tool-fuzz.ts";

const WORDS = [
  "",
  "a",
  "b",
  "0",
  "1",
  "-1",
  "07",
  " 5 ",
  "+3",
  "1x",
  "!",
  "(",
  ")",
  "=",
  "-f",
  "-a",
  "-o",
  "-n",
  "-z",
  "é",
  "a b",
  "\n",
  "99999999999999999999",
  "-",
  "--",
  "<",
  "x]",
];
const NUMBERS = ["0", "1", "-1", "07", " 5 ", "+3", "10", "9223372036854775807", "9223372036854775808", "x", "", "1 2", "0x10"];

export function testCase(dice: Dice, tree: OddTree): FuzzCase {
  const words = conditionWords(dice, tree, dice.below(4));
  if (dice.chance(15)) words.splice(dice.below(words.length + 1), dice.below(2), ...dice.some(0, 2, () => dice.pick(WORDS)));
  return { args: words, stdin: "" };
}

export function bracketCase(dice: Dice, tree: OddTree): FuzzCase {
  const { args } = testCase(dice, tree);
  return { args: dice.chance(4) ? args : [...args, "]"], stdin: "" };
}

function conditionWords(dice: Dice, tree: OddTree, depth: number): string[] {
  if (depth > 0 && dice.chance(60)) {
    const inner = (): string[] => conditionWords(dice, tree, depth - 1);
    switch (dice.below(5)) {
      case 0:
        return ["!", ...inner()];
      case 1:
        return ["(", ...inner(), ")"];
      default:
        return [...inner(), dice.pick(["-a", "-o"]), ...inner()];
    }
  }
  const path = (): string => dice.pick([dice.pick(tree.paths), dice.pick(tree.paths), "nope", ".", "", "..", `${dice.pick(tree.paths)}/`]);
  switch (dice.below(9)) {
    case 0:
    case 1:
    case 2:
      return [`-${dice.pick([..."abcdefghkprsuwxGLNOS"])}`, path()];
    case 3:
      return [path(), dice.pick(["-nt", "-ot", "-ef"]), path()];
    case 4:
      return [dice.pick(NUMBERS), dice.pick(["-eq", "-ne", "-lt", "-le", "-gt", "-ge"]), dice.pick(NUMBERS)];
    case 5:
    case 6:
      return [dice.pick(WORDS), dice.pick(["=", "==", "!=", "<", ">", "=~"]), dice.pick(WORDS)];
    case 7:
      return dice.chance(25)
        ? [dice.pick(["-v", "-R", "-o"]), dice.pick(["nope", "a", "x y", "errexit"])]
        : [dice.pick(["-n", "-z", "-t"]), dice.pick(WORDS)];
    default:
      return [dice.pick(WORDS)];
  }
}

export function echoCase(dice: Dice): FuzzCase {
  const escapes = [
    "\\n",
    "\\t",
    "\\\\",
    "\\c",
    "\\0",
    "\\0101",
    "\\101",
    "\\x41",
    "\\x",
    "\\xg",
    "\\u00e9",
    "\\u",
    "\\U1F44D",
    "\\U",
    "\\e",
    "\\E",
    "\\q",
    "\\",
    "\\'",
    '\\"',
    "\\?",
    "\\0777",
    "\\xfff",
    "\\uD800",
    "\\U110000",
    "\\u20ac1",
    "\\a\\b\\f\\r\\v",
    "\\0401",
    "\\08",
    "\\xC3\\xA9",
    "\\U7fffffff",
    "\\UFFFFFFFF",
  ];
  const word = (): string => dice.some(0, 3, () => dice.pick([...escapes, ...escapes, "a", " ", "é", "-n", "%s", "\n", "\udcff"])).join("");
  const flags = dice.some(0, 3, () => dice.pick(["-n", "-e", "-E", "-e", "-ne", "-neE", "-x", "-", "--", "-nx", "-ee", "--help"]));
  return { args: [...flags, ...dice.some(0, 3, word)], stdin: "" };
}

const XARGS_ITEMS = [
  "a",
  "b",
  "c d",
  "'q r'",
  '"x y"',
  "e\\ f",
  "\\'",
  "é",
  "\\",
  "_",
  "END",
  "''",
  '""',
  "long".repeat(30),
  "1",
  "a'b c'd",
  "\udcff",
  "\\\n",
  "{}",
  "%s",
  "x,y",
];
const XARGS_ENDS = [" ", "\n", "\n", "  ", "\t", " \n", "\n\n", "\0", ",", "\v"];
const XARGS_FLAGS: readonly (readonly string[])[] = [
  ...[
    ["-0"],
    ["-r"],
    ["-t"],
    ["-x"],
    ["--null"],
    ["-i"],
    ["-e"],
    ["-l"],
    ["--no-run-if-empty"],
    ["--verbose"],
    ["--exit"],
    ["-IX"],
    ["-i%"],
    ["-e_"],
    ["-l2"],
  ],
  ...["1", "2", "3", "0", "x", "-1", "10"].flatMap((count) => [
    ["-n", count],
    ["-L", count],
    [`-n${count}`],
    [`--max-args=${count}`],
    [`--max-lines=${count}`],
    ["-P", count],
  ]),
  ...["{}", "%", "X", "a"].map((mark) => ["-I", mark]),
  ...[",", "\\n", "\\0", "a", "\\x41", "\\054", "", "\\t", "é"].flatMap((mark) => [["-d", mark], [`--delimiter=${mark}`]]),
  ...["_", "END", ""].map((mark) => ["-E", mark]),
  ...["50", "20", "200", "x", "100k"].map((size) => ["-s", size]),
  ...["nope", "list", "quoted"].map((name) => ["-a", name]),
  ["--replace"],
  ["--replace=R"],
  ["--eof=END"],
  ["--max-chars=60"],
  ["--arg-file=list"],
  ["--nope"],
  ["-Z"],
];
const XARGS_COMMANDS: readonly (readonly string[])[] = [
  ...[
    [],
    [],
    ["echo"],
    ["echo", "x"],
    ["echo", "{}"],
    ["echo", "a{}b{}", "{}"],
    ["echo", "X", "%", "R"],
    ["printf", "[%s]\\n"],
    ["printf", "%s|"],
    ["basename", "-a"],
  ],
  ...[
    ["false"],
    ["true"],
    ["cat"],
    ["wc", "-c"],
    ["seq", "2"],
    ["ls", "-d"],
    ["grep", "-c", "x", "list"],
    ["head", "-1", "list"],
    ["expr", "1", "+"],
    ["dirname"],
  ],
];

export function xargsCase(dice: Dice): FuzzCase {
  const flags = dice.some(0, dice.pick([1, 2, 3]), () => dice.pick(XARGS_FLAGS)).flat();
  const items = dice.some(0, 8, () => dice.pick(XARGS_ITEMS) + dice.pick(XARGS_ENDS)).join("");
  const ending = dice.pick(["", "", "\n", "'", '"', "z", " "]);
  return {
    args: [...flags, ...dice.pick(XARGS_COMMANDS)],
    stdin: items + ending,
    files: { list: "l1 l2\nl3\n", quoted: "'a b' c\\ d\n\"e\n" },
  };
}

export function cmpCase(dice: Dice): FuzzCase {
  const content = (): string => dice.some(0, 6, () => dice.pick(["a", "b", "\n", "é", "\0", "\udcff", "line\n", "x".repeat(40)])).join("");
  const one = content();
  const other = dice.chance(40) ? one : dice.chance(60) ? one + content() : content();
  const count = (): string => dice.pick(["0", "1", "2", "10", "1k", "x", "-1", "5:2", "1:x", "1K", "0x2", "3M", "9999999999999999999999"]);
  const flags = dice
    .some(0, 3, () =>
      dice.pick([
        ["-b"],
        ["-l"],
        ["-s"],
        ["-bl"],
        ["-n", count()],
        [`-i${count()}`],
        ["--print-bytes"],
        ["--verbose"],
        ["--quiet"],
        ["--silent"],
        [`--bytes=${count()}`],
        ["--ver"],
        ["--nope"],
        ["-c"],
      ]),
    )
    .flat();
  const name = (): string => dice.pick(["f1", "f2", "f1", "f2", "-", "nope", ".", "/dev/null", "big"]);
  const names = dice.chance(85) ? [dice.pick(["f1", name()]), dice.pick(["f2", name()])] : dice.some(0, 4, name);
  const skips = dice.chance(12) ? dice.some(1, 2, count) : [];
  return {
    args: [...flags, ...names, ...skips],
    stdin: dice.chance(50) ? one : other,
    files: { f1: one, f2: other, big: "0123456789\n".repeat(30) },
    // How wide numbers are is known from the size of standard input where that is a file.
    isFed: true,
  };
}

const SUMS: Readonly<Record<string, readonly string[]>> = {
  md5sum: [
    "d41d8cd98f00b204e9800998ecf8427e",
    "60b725f10c9c85c70d97880dfe8191b3",
    "0cc175b9c0f1b6a831c399e269772661",
    "D41D8CD98F00B204E9800998ECF8427E",
  ],
  sha1sum: [
    "da39a3ee5e6b4b0d3255bfef95601890afd80709",
    "3f786850e387550fdab836ed7e6dc881de23001b",
    "DA39A3EE5E6B4B0D3255BFEF95601890AFD80709",
  ],
  sha512sum: [
    "1f40fc92da241694750979ee6cf582f2d5d7d28e18335de05abc54d0560e0f5302860c652bf08d560252aa5e74210546f369fbbbce8c12cfc7957b2652fe9a75",
  ],
};
const TAGS: Readonly<Record<string, string>> = { md5sum: "MD5", sha1sum: "SHA1", sha512sum: "SHA512" };

export function sumCase(tool: string): (dice: Dice) => FuzzCase {
  return (dice) => {
    const [sums, tag] = [SUMS[tool] ?? [], TAGS[tool] ?? ""];
    const name = (): string => dice.pick(["empty", "a", "a b", "é", "new\\nline", "nope", "-", ".", "back\\\\slash", "", "t\\", " a"]);
    const sum = (): string =>
      dice.pick([
        ...sums,
        ...sums,
        ...sums,
        "x",
        "",
        `${sums[0]}0`,
        (sums[0] ?? "").slice(1),
        `\\${sums[0]}`,
        ` ${sums[0]}`,
        `# ${sums[0]}`,
      ]);
    const line = (): string =>
      dice.chance(75)
        ? `${sum()}${dice.pick(["  ", " *", " ", "   ", "\t", ""])}${name()}`
        : dice.pick([
            `${tag} (${name()}) = ${sum()}`,
            `${tag}(${name()})= ${sum()}`,
            `MD4 (a) = ${sum()}`,
            "",
            "garbage",
            `\\${tag} (new\\nline) = ${sum()}`,
            `${tag} (a = ${sum()}`,
          ]);
    const list = dice.some(0, 5, () => line() + dice.pick(["\n", "\n", "\n", "\r\n"])).join("") + dice.pick(["", "", line()]);
    const files = { empty: "", a: "a\n", "a b": "a", é: "", "new\nline": "", "back\\slash": "a", list };
    const checks = dice.chance(75);
    const flags = dice.some(0, 3, () =>
      dice.pick(
        checks
          ? ["--quiet", "--status", "-w", "--warn", "--strict", "--ignore-missing", "-b", "-t", "--tag", "-z"]
          : ["-b", "-t", "--tag", "-z", "--zero", "--text", "--quiet", "--nope", "--s", "--status"],
      ),
    );
    const operands = checks
      ? dice.pick([["list"], ["list"], ["-"], ["list", "nope"], ["."], []])
      : dice.some(0, 3, () => dice.pick(["a", "empty", "a b", "é", "nope", ".", "-", "new\nline", "back\\slash"]));
    return { args: [...(checks ? ["-c"] : []), ...flags, ...operands], stdin: list, files };
  };
}
