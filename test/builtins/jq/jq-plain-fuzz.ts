/** Random filters and inputs of the plain part of jq that is ours (builtins/jq/own-plan.ts), and some just beyond it. */
import { ownPlan } from "../../../builtins/jq/own-plan.ts";
import type { Dice } from "../../fuzz/dice.ts";
import type { FuzzCase } from "../tool-fuzz.ts";

const OPTIONS = [
  "-c",
  "-c",
  "-c",
  "-r",
  "-j",
  "-S",
  "-s",
  "-n",
  "-e",
  "-M",
  "--tab",
  "-cr",
  "-rc",
  "-sc",
  "-eS",
  "--compact-output",
  "--raw-output",
];
const BEYOND = ["-a", "-C", "-R", "--seq", "--stream", "-h", "--indent", "-f", "--", "--args", "-L", "--unbuffered", "--raw-output0"];
const NAMES = [
  "a",
  "b",
  "c",
  "x",
  "é",
  "a b",
  "__proto__",
  "constructor",
  "length",
  "0",
  "1",
  "",
  "日本",
  "😀",
  "toString",
  "k\\u0065y",
  'q\\"',
  "\\\\",
];
const PATHS = [
  ...[
    ".",
    ".",
    ".a",
    ".b",
    ".a.b",
    ".a.b.c",
    ".c[0]",
    ".[]",
    ".[]?",
    ".a[]",
    ".a[]?",
    ".[0]",
    ".[-1]",
    ".[0]?",
    ".a?",
    ".a.b?",
    ".[1:]",
    ".[:2]",
  ],
  ...[
    ".[-2:]",
    ".[1:2]?",
    '.["a b"]',
    '."é"',
    '.["a"]?',
    ".a[0].b",
    ".a[1:][]",
    "..",
    ".. ",
    '."a"."b"',
    ".__proto__",
    ".constructor",
    '.["日本"]',
  ],
  ...[
    '.["😀"]',
    '.[""]',
    '.["0"]',
    ".a?.b?",
    ". .a",
    ".a .b",
    ".a.[0]",
    ".length",
    ".b[-1:]",
    ".x[]?.a?",
    ".[2:1]",
    ".[0:0]",
    ".a?//1",
    ".[1.5]",
  ],
];
const LITERALS = [
  ...[
    '"a"',
    '"é"',
    '""',
    '"x y"',
    '"1"',
    "0",
    "1",
    "-1",
    "2",
    "1.5",
    "1.0",
    "null",
    "true",
    "false",
    '"\\u00e9"',
    '"a\\nb"',
    '"\\"q\\""',
    "10",
  ],
  ...[
    "100000000000000000000",
    "1e3",
    "0.000001",
    "0.0000001",
    "-1.5",
    "-0",
    '"\\ud83d\\ude00"',
    "123456789012345",
    "1234567890123456",
    '"\u007f"',
  ],
];
const FUNCTIONS = [
  ...[
    "length",
    "keys",
    "keys_unsorted",
    "not",
    "type",
    "to_entries",
    "empty",
    "tostring",
    "tojson",
    "first",
    "last",
    "reverse",
    "add",
    "sort",
  ],
  ...[
    "unique",
    "recurse",
    "ascii_downcase",
    "ascii_upcase",
    "values",
    "nulls",
    "booleans",
    "numbers",
    "strings",
    "arrays",
    "objects",
    "scalars",
  ],
  ...[
    "iterables",
    "floor",
    "input_line_number",
    "tonumber",
    "$x",
    "$y",
    "min",
    "flatten",
    "any",
    "to_entries[]",
    "keys[]",
    "length",
    "keys[0]",
  ],
];
const WITH_TEXT = ["has", "join", "startswith", "endswith", "test", "contains", "split", "ltrimstr", "rtrimstr", "index", "error"];
const WITH_FILTER = [
  "select",
  "select",
  "select",
  "map",
  "map",
  "sort_by",
  "group_by",
  "unique_by",
  "any",
  "first",
  "map_values",
  "with_entries",
];
const OPERATORS = ["==", "!=", "<", "<=", ">", ">=", "and", "or", "//", "+", "==", "//"];

const VALUES = [
  ...[
    "null",
    "true",
    "false",
    "0",
    "1",
    "-1",
    "42",
    "1.5",
    "-0.25",
    "0.1",
    "1700000000",
    "123456789012345",
    "1700000000.5",
    "3.0",
    "1.10",
    "-7",
  ],
  ...[
    '"a"',
    '"abc"',
    '"é"',
    '"日本"',
    '"😀"',
    '"x y"',
    '""',
    '"1"',
    '"a\\nb"',
    '"\\"q\\""',
    '"C:\\\\dir"',
    '"<a>"',
    '"a,b,c"',
    '"error"',
    '"info"',
  ],
];
const ODD_VALUES = [
  ...[
    "-0",
    "-0.0",
    "0.000001",
    "0.0000001",
    "0.000000",
    "0.00000",
    "1e3",
    "1E-5",
    "100000000000000000000",
    "1234567890123456",
    "12345678901234567",
  ],
  ...[
    "9007199254740993",
    "1e1000",
    "nan",
    "NaN",
    "Infinity",
    "01",
    "1.",
    ".5",
    "+1",
    "-",
    "tru",
    "nulll",
    "truefalse",
    "'a'",
    "0x10",
    "1_0",
  ],
  ...[
    '"\\u00e9"',
    '"\\ud83d\\ude00"',
    '"\\ud800"',
    '"\\udc00\\ud800"',
    '"\\u0000"',
    '"\\u001B"',
    '"\\/"',
    '"\\b\\f\\r\\t"',
    '"\u007f"',
    '"a\tb"',
  ],
  ...[
    '"\\x"',
    '"\\u12"',
    '"a',
    "[1,]",
    "{,}",
    '{"a"}',
    '{"a":}',
    "{1:2}",
    "[1 2]",
    "]",
    "}",
    ",",
    ":",
    "{",
    "[",
    '"\u2028\ufeff"',
    "\ufeff",
    "\u001e",
  ],
  ...[
    '{"a":1,"a":2}',
    '{"a":1,"b":2,"a":3}',
    '{"\\u0061":1,"a":2}',
    "1.7976931348623157e308",
    `${"[".repeat(300)}${"]".repeat(300)}`,
    "/*c*/",
    "#c",
  ],
  ...[
    `${"[".repeat(255)}1${"]".repeat(255)}`,
    `"${"é".repeat(300)}"`,
    "0.1234567890123456789012345678901234567890",
    "0".repeat(3),
    `1${"0".repeat(70)}`,
  ],
  ...[
    `{${Array.from({ length: 40 }, (_, at) => `"k${at}":${at}`).join(",")}}`,
    `{${Array.from({ length: 40 }, (_, at) => `"k${at % 33}":${at}`).join(",")}}`,
  ],
];

/** Mostly such as are ours. */
export function plainCase(dice: Dice): FuzzCase {
  for (;;) {
    const drawn = anyCase(dice);
    if (ownPlan(drawn.args) !== undefined || dice.chance(6)) return drawn;
  }
}

function anyCase(dice: Dice): FuzzCase {
  const args: string[] = [];
  const files: Record<string, string> = {};
  for (let left = dice.below(3); left > 0; left--) args.push(dice.pick(OPTIONS));
  if (dice.chance(4)) args.push("--indent", dice.pick(["0", "1", "2", "3", "7", "8", "x"]));
  if (dice.chance(2)) args.push(dice.pick(BEYOND));
  if (dice.chance(25)) args.push("--arg", dice.pick(["x", "x", "y"]), dice.pick(["a", "é", "", "1", "\udcff", "a b", '"']));
  const filter = dice.chance(3)
    ? dice.text([...PATHS, ...LITERALS, "|", ",", "(", ")", "[", "]", "{", "}", "//", "and", "?"], 5)
    : plainFilter(dice, 3);
  args.push(filter);
  if (dice.chance(3)) args.splice(dice.below(args.length), 1);
  // All of a large input as one array is more than the module may hold here.
  const holdsAll = args.some((arg) => /^-\w*s|^--slurp$/.test(arg));
  const odd = dice.chance(25) ? 12 : 0;
  for (let left = dice.chance(30) ? 1 + dice.below(3) : 0; left > 0; left--) {
    const name = dice.pick(["f", "g", "dir/../f", "f"]);
    if (!name.includes("/")) files[name] = plainInput(dice, odd, !holdsAll);
    args.push(dice.chance(96) ? name : dice.pick(["missing", ".", "-", "/dev/stdin", "/dev/null"]));
  }
  if (dice.chance(15)) args.push(dice.pick(holdsAll ? OPTIONS : OPTIONS.filter((option) => !/^-\w*s/.test(option))));
  // Standard input comes in small blocks, of which each costs the module a round trip between threads.
  return { args, stdin: plainInput(dice, odd, false), files };
}

/** `odd`: percentage of odd values. */
function plainInput(dice: Dice, odd: number, many: boolean): string {
  const layout = dice.pick(["lines", "lines", "lines", "spaces", "pretty", "mixed"]);
  const between = layout === "spaces" ? " " : layout === "mixed" ? dice.pick(["", "\n\n", "\t", "\r\n", " \n ", ","]) : "\n";
  const gap = layout === "pretty" ? "\n  " : dice.pick(["", "", " "]);
  // Now and then more than is held or printed at once.
  const count = many && dice.below(60) === 0 ? 1500 : dice.below(6);
  const few = Array.from({ length: Math.min(count, 40) }, () => plainValue(dice, 3, gap, count > 40 ? 0 : odd));
  const values = count > 40 ? Array.from({ length: count }, (_, at) => few[at % few.length] as string) : few;
  if (count > 40 && dice.chance(60))
    values.splice(count - dice.below(count >> dice.below(12)), 0, dice.pick(ODD_VALUES), dice.pick(VALUES));
  let text = values.join(between);
  if (dice.chance(85)) text += "\n";
  if (odd > 0 && dice.chance(10)) text = text.slice(0, dice.below(text.length + 1));
  return text;
}

function plainValue(dice: Dice, depth: number, gap: string, odd: number): string {
  if (dice.chance(odd)) return dice.pick(ODD_VALUES);
  const kind = dice.below(depth > 0 ? 10 : 3);
  if (kind < 3) return dice.pick(VALUES);
  const length = dice.below(4);
  if (kind < 5) return `[${Array.from({ length }, () => gap + plainValue(dice, depth - 1, gap, odd)).join(",")}${gap}]`;
  const names = Array.from({ length: length + 1 }, () => dice.pick(dice.chance(80) ? ["a", "b", "c", "x"] : NAMES));
  const kept = dice.chance(odd) ? names : [...new Set(names)];
  const blank = gap === "" ? "" : " ";
  return `{${kept.map((name) => `${gap}"${name}":${blank}${plainValue(dice, depth - 1, gap, odd)}`).join(",")}${gap}}`;
}

function plainFilter(dice: Dice, depth: number): string {
  const inner = (): string => plainFilter(dice, depth - 1);
  const path = (): string => dice.pick(PATHS);
  if (depth <= 0 || dice.chance(25)) {
    const kind = dice.below(10);
    return kind < 6 ? path() : kind < 8 ? dice.pick(FUNCTIONS) : dice.pick(LITERALS);
  }
  switch (dice.below(15)) {
    case 0:
    case 1:
    case 2:
      return `${inner()} | ${inner()}`;
    case 3:
      return `${inner()}, ${inner()}`;
    case 4:
      return `select(${path()} ${dice.pick(OPERATORS)} ${dice.pick(LITERALS)})`;
    case 5:
      return `(${inner()} ${dice.pick(OPERATORS)} ${inner()})`;
    case 6:
      return `${path()} ${dice.pick(OPERATORS)} ${path()} ${dice.pick(OPERATORS)} ${inner()}`;
    case 7:
      return `[${inner()}]`;
    case 8:
      return `{a, b: ${inner()}${dice.chance(50) ? `, ${dice.pick(['"x y"', "c", "$x", '"é": .a', "if: 1", "a", "(.a): 1", "x: 1 | 2"])}` : ""}}`;
    case 9:
      return `${dice.pick(WITH_FILTER)}(${inner()})`;
    case 10:
      return `${path()} | ${dice.pick(WITH_TEXT)}(${dice.chance(90) ? dice.pick(LITERALS) : inner()})`;
    case 11:
      return `if ${inner()} then ${inner()} ${dice.chance(30) ? `elif ${inner()} then ${inner()} ` : ""}${dice.chance(70) ? `else ${inner()} ` : ""}end`;
    case 12:
      return `"${dice.pick(["", "a ", "é"])}\\(${inner()})${dice.chance(50) ? `:\\(${inner()})` : ""}${dice.pick(["", "\\n", " z"])}"`;
    case 13:
      return `(${inner()})${dice.pick(["", "[]", ".a", "[0]", "?", "[]?", "[1:]", '."a"'])}`;
    default:
      return `${path()}${dice.pick(["", " // ", "//"])}${inner()}`;
  }
}
