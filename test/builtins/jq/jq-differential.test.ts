/**
 * Random filters, options and inputs against the real jq: 60 of them, or as many as npm run fuzz -- jq says. What a filter means is
 * the module's affair and the same source; its numbers, its clock, its files and its streams are ours.
 */
import { expect } from "vitest";
import { spawnSync } from "node:child_process";
import { jq } from "../../../builtins/jq/jq.ts";
import type { BuiltinDefinition } from "../../../src/builtin/definition.ts";
import { FilterMaker, jsonText } from "./jq-fuzz.ts";
import { plainCase } from "./jq-plain-fuzz.ts";
import type { Dice } from "../../fuzz/dice.ts";
import { differences, manyCases, RUNS, type FuzzCase } from "../tool-fuzz.ts";
import { type Need, needs } from "../../needs.ts";

const JQ: Need = { name: "jq 1.8.2", isHere: spawnSync("jq", ["--version"], { encoding: "utf8" }).stdout?.startsWith("jq-1.8.2") ?? false };

needs(JQ).test(`jq: ${RUNS} filters print what jq prints`, { timeout: 60_000 + RUNS * 300 }, async () => {
  const cases = manyCases(jq as unknown as BuiltinDefinition, fuzzCase);
  const found = await differences(jq as unknown as BuiltinDefinition, cases);
  expect(
    found
      .filter((difference) => !EXPLAINED.test(difference) && !TELLS_TIME_PAST_YEARS.test(difference) && !differsInYears(difference))
      .join("\n"),
  ).toBe("");
});

needs(JQ).test(`jq: ${RUNS} plain filters print what jq prints`, { timeout: 60_000 + RUNS * 300 }, async () => {
  const cases = manyCases(jq as unknown as BuiltinDefinition, plainCase);
  expect((await differences(jq as unknown as BuiltinDefinition, cases)).join("\n")).toBe("");
});

/**
 * The deviations of jq's definition: times past 32 bits of years, letters strftime does not know, years that are not four
 * digits, also where %x shows two of a year below zero. And a value past the limit of memory, which is a sixteenth here of what it is outside of tests.
 */
const EXPLAINED =
  /error converting number of seconds since epoch|unknown system failure|[-+]\d{3,}-\d\d-\d\d|\d{5,}-\d\d-\d\d|\b0000-\d\d-\d\d|\b12\/31\/01\b|LimitReached: held/;
/** The same of a year alone: written with a sign past 9999, and with zeros below 1000; of one below zero, its two digits are others. */
function differsInYears(difference: string): boolean {
  const [asked = "", real = "", ours = ""] = difference.split(/\n {2}(?:real|ours) /);
  const plain = (answer: string): string => answer.replace(/\+?(-?)0*(\d)/g, "$1$2");
  const bare = (answer: string): string => answer.replace(/[-+]?\d+/g, "0");
  return /time|date/.test(asked) && (plain(real) === plain(ours) || (/%[CDgxy]/.test(asked) && bare(real) === bare(ours)));
}

/** The same where the filter catches the error, or asks for the year alone: a time from a number of 15 digits or more. */
const TELLS_TIME_PAST_YEARS = /(?:time|date)\b[^]*(?:\d{15,}|nan|infinite|1e1000)|(?:\d{15,}|nan|infinite|1e1000)[^]*(?:time|date)\b/i;

const PLAIN = [
  "-c",
  "-r",
  "-j",
  "-a",
  "-S",
  "-s",
  "-n",
  "-R",
  "-e",
  "-C",
  "--tab",
  "--seq",
  "--stream",
  "--stream-errors",
  "--raw-output0",
];
const RARE = ["-h", "-q", "--nope", "-cq", "--indent", "-V", "--arg", "--slurpfile", "--", "-L", "-M", "--unbuffered"];

function fuzzCase(dice: Dice): FuzzCase {
  const maker = new FilterMaker(dice);
  const args: string[] = [];
  const files: Record<string, string> = {};
  for (let left = dice.below(4); left > 0; left--) args.push(dice.pick(PLAIN));
  if (dice.chance(40)) args.push("-c");
  if (dice.chance(3)) args.push(dice.pick(RARE));
  if (dice.chance(6)) args.push("--indent", dice.pick(["0", "1", "3", "7", "8", "-1", "x", "1x"]));
  const later: string[] = [];
  if (dice.chance(8)) args.push("--arg", "x", jsonText(dice, 1));
  if (dice.chance(8)) args.push("--argjson", "x", dice.chance(90) ? jsonText(dice, 2) : "{1");
  if (dice.chance(5)) {
    files["other"] = Array.from({ length: dice.below(4) }, () => jsonText(dice, 2)).join("\n");
    args.push(dice.pick(["--slurpfile", "--rawfile"]), "x", dice.chance(90) ? "other" : "missing");
  }
  if (dice.chance(5)) later.push(dice.pick(["--args", "--jsonargs"]), jsonText(dice, 1), dice.pick(["a", "1", "-5", "-z", "{}"]));
  const filter = maker.filter(4);
  if (dice.chance(5)) {
    files["program"] = `# comment\n${filter}\n`;
    args.push("-f", "program");
  } else args.push(filter);
  const stdin = inputText(dice);
  if (dice.chance(15)) {
    files["in"] = inputText(dice);
    args.push("in");
    if (dice.chance(30)) args.push(dice.pick(["in", "missing", "."]));
  }
  return { args: [...args, ...later], stdin, files };
}

function inputText(dice: Dice): string {
  const between = dice.pick(["\n", "\n", "\n", " ", "\n\n", "\t", "\r\n", "", "\u001e", ","]);
  let text = Array.from({ length: dice.below(5) }, () => jsonText(dice, 3)).join(between);
  if (dice.chance(80)) text += "\n";
  if (dice.chance(8)) text = text.slice(0, dice.below(text.length + 1));
  if (dice.chance(4)) text = `\ufeff${text}`;
  return text;
}
