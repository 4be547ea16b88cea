/** bc against the real one: random expressions, statements, functions and mistakes. */
import { expect } from "vitest";
import { bc } from "../../builtins/bc/bc.ts";
import type { Dice } from "../fuzz/dice.ts";
import { needs } from "../needs.ts";
import { differences, referenceTool, RUNS, toolDice, type Answer, type FuzzCase } from "./tool-fuzz.ts";

const TIMEOUT_MS = 20_000 + RUNS * 100;

const digits = (dice: Dice): string => String(dice.below(10 ** (1 + dice.below(dice.chance(10) ? 15 : 4))));

function number(dice: Dice): string {
  const kind = dice.below(12);
  if (kind === 0) return dice.pick(["0", "1", "10", "0.5", ".5", "2", "A", "FF", "00.10", "5.", "1Z"]);
  if (kind < 7) return digits(dice);
  if (kind < 11) return `${dice.chance(50) ? digits(dice) : ""}.${digits(dice)}`;
  return `${digits(dice)}${digits(dice)}${digits(dice)}${digits(dice)}`;
}

function value(dice: Dice, depth: number): string {
  if (depth <= 0 || dice.chance(35)) return dice.chance(70) ? number(dice) : name(dice, depth);
  const sub = (): string => value(dice, depth - 1);
  switch (dice.below(15)) {
    case 0:
      return `-${sub()}`;
    case 1:
      return `(${sub()})`;
    case 2:
      return `sqrt(${sub()})`;
    case 3:
      return `length(${sub()})`;
    case 4:
      return `scale(${sub()})`;
    case 5:
      return `${sub()}^${dice.pick(["2", "3", "0", "-1", "-2", "5", "2.5", "(1+1)"])}`;
    case 6:
      return `${sub()} ${dice.pick(["<", "<=", ">", ">=", "==", "!="])} ${sub()}`;
    case 7:
      return `${sub()} ${dice.pick(["&&", "||"])} ${sub()}`;
    case 8:
      return dice.pick([
        `!${sub()}`,
        `${name(dice, depth - 1)}${dice.pick(["++", "--"])}`,
        `${dice.pick(["++", "--"])}${name(dice, depth - 1)}`,
      ]);
    case 9:
      return `${name(dice, depth - 1)} ${dice.pick(["=", "=", "=", "+=", "-=", "*=", "/=", "%=", "^="])} ${dice.pick([sub(), "2", "3"])}`;
    case 10:
      return `${dice.pick(["f", "g", "h", "nope"])}(${dice.pick([sub(), `${sub()},${sub()}`, "", "a[]"])})`;
    default:
      return `${sub()}${dice.pick(["+", "-", "*", "/", "%", " + ", "-", "*", "/"])}${sub()}`;
  }
}

const name = (dice: Dice, depth: number): string =>
  dice.pick(["a", "b", "x", "y", "last", ".", "abc", `a[${depth > 0 ? value(dice, depth - 1) : dice.below(5)}]`, "scale", "i"]);

function statement(dice: Dice, depth: number): string {
  const sub = (): string => statement(dice, depth - 1);
  const test = (): string => value(dice, 1);
  if (depth > 0) {
    switch (dice.below(14)) {
      case 0:
        return `if (${test()}) ${sub()}${dice.chance(40) ? ` else ${sub()}` : ""}`;
      case 1:
        return `for (i = 0; i < ${dice.below(5)}; i++) ${sub()}`;
      case 2:
        return `{ ${sub()}${dice.pick(["; ", "\n"])}${sub()}${dice.pick(["", "\n", ";"])} }`;
      case 3:
        return `print ${value(dice, 1)}, "${dice.pick(["\\n", " x ", "a\\tb\\q", "\\\\", "z"])}"`;
      case 4:
        return `j = 0; while (j++ < 3) ${dice.pick(["j", "{ if (j == 2) break; j }", sub().replaceAll("j", "k")])}`;
      case 5:
        return `define ${dice.pick(["f", "g", "void h", "f"])}(${dice.pick(["x", "x", "x,y", "", "*a[]", "a[]"])}) {\n${dice.pick(["", "auto b\n", "auto a[], b;"])}${sub()}\n${dice.pick(["return (x*2)", "return", "x", "return x+1;", "a[1] = 5"])}\n}`;
      case 6:
        return dice.pick([
          `scale = ${dice.below(30)}`,
          `ibase = ${dice.pick(["2", "8", "16", "A", "1", "-1", "20", "99"])}`,
          `obase = ${dice.pick(["2", "8", "16", "20", "100", "7", "1", "0"])}`,
        ]);
    }
  }
  return dice.pick([value(dice, 3), value(dice, 2), value(dice, 4), `"${dice.pick(["text", "a\\n", "b\nc"])}"`]);
}

function mathCase(dice: Dice): string {
  const argument = (): string =>
    `${dice.chance(30) ? "-" : ""}${dice.chance(70) ? "" : dice.below(20)}${dice.pick(["", ".", ""])}${dice.below(50)}`;
  const call = (): string => `${dice.pick(["e", "l", "s", "a", "c"])}(${argument()})`;
  return `${dice.chance(40) ? `scale=${dice.below(70)}\n` : ""}${dice.pick([call(), `${call()}*${call()}`, `j(${dice.below(8)},${argument()})`, `${call()}/3`, "4*a(1)", `a(${dice.pick(["1", ".2", "-1", "3"])})`, "e(1)"])}`;
}

/** A mistake somewhere. */
function broken(text: string, dice: Dice): string {
  const at = dice.below(text.length + 1);
  const bad = dice.pick([
    "",
    "(",
    ")",
    "{",
    "}",
    ";",
    "@",
    "+",
    "*",
    " 5",
    " a",
    '"',
    "=",
    "\n",
    ",",
    "[",
    "]",
    "é",
    "#",
    "/*",
    "&",
    "$",
    "quit",
    "else ",
    "\\",
    "return ",
  ]);
  return text.slice(0, at) + bad + text.slice(at + (dice.chance(60) ? dice.below(3) : 0));
}

function bcCase(dice: Dice): FuzzCase {
  const isMath = dice.chance(15);
  const args = isMath ? ["-l"] : dice.pick([[], [], [], [], [], ["-q"], ["-w"], ["-s"]]);
  const lines = Array.from({ length: 1 + dice.below(4) }, () => (isMath ? mathCase(dice) : statement(dice, 2)));
  let text = `${lines.join(dice.pick(["\n", "\n", "\n", "; "]))}\n`;
  if (dice.chance(25)) text = broken(text, dice);
  if (dice.chance(3)) text = text.trimEnd();
  return dice.chance(10) ? { args: [...args, "f"], stdin: dice.chance(50) ? "" : "1+1\n", files: { f: text } } : { args, stdin: text };
}

/** The real message names another variable, and there may be several. */
const isDeviation = (_: FuzzCase, real: Answer): boolean => real.stderr.includes(": Parameter ");

needs("bash", referenceTool("bc", bc.reference)).test("answers as the real one", { timeout: TIMEOUT_MS }, async () => {
  const dice = toolDice("bc");
  const cases = Array.from({ length: RUNS }, () => bcCase(dice));
  expect((await differences(bc, cases, "bc", isDeviation)).slice(0, 5)).toEqual([]);
});
