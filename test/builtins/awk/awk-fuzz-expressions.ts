/** Random expressions of awk without the parentheses that would tell how they bind: precedence, concatenation, side effects. */
import type { Dice } from "../../fuzz/dice.ts";

const TEXTS = ["a", "b", "ab", "10", "9", "3x", "", " 7 ", "+5", "-1", "0x11", "1e2", ".5", "é", "abc abc", "nan", "inf", "-inf", "0"];
const NUMBERS = [
  ..."0 1 2 3 7 10 0.1 3.75 .5 5. 1e3 1e-3 1E+2 0x11 017 08 1e300 123456789012345678 9007199254740993 100000 1e6 0.000001 1e16 1e18".split(
    " ",
  ),
  ..."2147483648 4294967296 9223372036854775807 18446744073709551616 3.0 1e100 123456.7 1234567.8 0.1e1".split(" "),
];
const VARIABLES = ["u", "v", "w", "i", "NR", "NF", "x1"];
const FIELDS = [
  "$1",
  "$2",
  "$3",
  "$NF",
  "$0",
  "$9",
  "$i",
  "$(1 + 1)",
  "$i++",
  "$++i",
  "$NF-1",
  "$(NF)-1",
  "$NR",
  "$$0",
  '$"1"',
  "$1.5",
  "$length",
];
const ELEMENTS = [
  "arr[1]",
  "arr[$1]",
  "arr[v]",
  "arr[1, 2]",
  'arr["a"]',
  "arr[u]",
  "arr[0.1 + 0.2]",
  "arr[1e6]",
  "arr[01]",
  "arr[-0]",
  "brr[1][2]",
];
const BINARY = ["+", "-", "*", "/", "%", "^", "**", " ", " ", " ", "<", "<=", "==", "!=", ">=", "~", "!~", "&&", "||", " in arr && "];
const ASSIGNMENTS = ["=", "+=", "-=", "*=", "/=", "%=", "^=", "**="];

/** `depth` operators deep at most. There is no `>` in it, which in print would name a file. */
export function looseExpression(dice: Dice, regex: () => string, depth: number): string {
  const inner = (): string => looseExpression(dice, regex, depth - 1);
  if (depth <= 0 || dice.chance(20)) return operand(dice, regex);
  const space = (operator: string): string =>
    dice.chance(70) ? ` ${operator} ` : operator === " " ? " " : dice.pick([operator, ` ${operator}`, `${operator} `]);
  switch (dice.below(18)) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
      return `${inner()}${space(dice.pick(BINARY))}${inner()}`;
    case 5:
      return `${dice.pick(["-", "+", "!", "- -", "!!", "-!", "!-", "- +"])}${dice.pick(["", " "])}${inner()}`;
    case 6:
      return `${inner()} ? ${inner()} : ${inner()}`;
    case 7:
      return `${place(dice)}${space(dice.pick(ASSIGNMENTS))}${inner()}`;
    case 8:
      return dice.pick([`${place(dice)}${dice.pick(["++", "--"])}`, `${dice.pick(["++", "--"])}${place(dice)}`]);
    case 9:
      return `${inner()} ${dice.pick(["-1", "+1", "- 1", '" " -1', "-v", "!v", "-$1", "$1", "++v", "--i", "v++", "(v)", "-(v)"])}`;
    case 10:
      return `(${inner()})${dice.pick(["", "", "^2", " in arr", "(1)", " $1", "[1]"].slice(0, dice.chance(95) ? 6 : 7))}`;
    case 11:
      return `(${inner()}, ${inner()}) in arr`;
    case 12:
      return `${inner()} in ${dice.pick(["arr", "brr", "arr"])}`;
    case 13:
      return `${inner()} ${dice.pick(["~", "!~"])} ${dice.pick([`/${regex()}/`, `"${regex().replaceAll("\\", "\\\\")}"`, "$1", "v", "@/b/"])}`;
    case 14:
      return call(dice, inner);
    case 15:
      return `(getline${dice.pick(["", " v", " $2", ' < "aux"', ' v < "aux"', ' arr[1] < "aux"', ' < "no" "where"'])})`;
    case 16:
      return `${dice.pick(["2", "v", "$1", "-2", "-v", "!v", "2^3", "10"])}${dice.pick(["^", "**", " ^ "])}${dice.pick(["2", "-2", "-v", "+3", "0.5", "!v", "3^2", "v++", "--i"])}`;
    default:
      return `${inner()}${space(dice.pick(["&&", "||"]))}${dice.chance(20) ? "\n" : ""}${inner()}`;
  }
}

function operand(dice: Dice, regex: () => string): string {
  return dice.pick<() => string>([
    () => dice.pick(NUMBERS),
    () => dice.pick(NUMBERS),
    () => `"${dice.pick(TEXTS)}"`,
    () => `"${dice.pick(TEXTS)}"`,
    () => dice.pick(VARIABLES),
    () => dice.pick(VARIABLES),
    () => dice.pick(FIELDS),
    () => dice.pick(FIELDS),
    () => dice.pick(ELEMENTS),
    () => `/${regex()}/`,
    () => dice.pick(["length", "length()", "length $1", "NR", "RSTART", "FILENAME", "SUBSEP", "RLENGTH", "FNR", "RT"]),
  ])();
}

function place(dice: Dice): string {
  return dice.pick([
    "v",
    "w",
    "u",
    "i",
    "$1",
    "$2",
    "$0",
    "$(NF + 1)",
    "arr[1]",
    "arr[v]",
    "$NF",
    "NF",
    "NR",
    "x1",
    "brr[1][2]",
    "$i",
    "$i++",
  ]);
}

function call(dice: Dice, inner: () => string): string {
  return dice.pick<() => string>([
    () => `${dice.pick(["int", "length", "toupper", "tolower", "sqrt", "exp", "sin", "cos", "strtonum", "typeof", "compl"])}(${inner()})`,
    () => `${dice.pick(["index", "atan2", "substr", "match", "and", "or", "xor", "lshift", "rshift", "f"])}(${inner()}, ${inner()})`,
    () => `substr(${inner()}, ${inner()}, ${inner()})`,
    () => `sprintf("%${dice.pick(["s", "d", "5.2f", "c", "g", "x", "i", "-6s|", "06d", "e", ".3s", "u", "o", "a"])}", ${inner()})`,
    () => `${dice.pick(["g(3)", "count(v)", "sum(arr)", "f(1)", "depth(arr, 3)", "length(arr)"])}`,
  ])();
}
