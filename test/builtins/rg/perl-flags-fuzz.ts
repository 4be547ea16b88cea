/** Random command lines of rg -P with every flag beside it, and the files they search: what rg -P is compared by. */
import { Dice } from "../../fuzz/dice.ts";
import { perlFuzzCase } from "../grep/perl-fuzz.ts";

export interface PerlFlagsCase {
  /** Of rg; the paths are among them. */
  readonly args: readonly string[];
  /** Path → text (src/io/text.ts). */
  readonly files: Readonly<Record<string, string>>;
  readonly stdin: string | undefined;
}

/** Put in the place of a letter: what only shows where a text has many lines. */
const OVER_LINES = ["\\n", "\\n", "\\s", "(?s:.)", "[^b]", "\\R", "$", "^", "(?-m:^)", "(?-m:$)", "\\Z", "\\A", "\\v", "\\W", "(?<=\\n)"];
const FLAGS = [
  ...[
    "-n",
    "-N",
    "-v",
    "-c",
    "-i",
    "-w",
    "-x",
    "-S",
    "-l",
    "-m1",
    "-m2",
    "-C1",
    "-A1",
    "-B2",
    "-o",
    "-o",
    "--count-matches",
    "-b",
    "--column",
  ],
  ...[
    "--files-without-match",
    "--vimgrep",
    "--heading",
    "--passthru",
    "--trim",
    "-M4",
    "-M6",
    "--max-columns-preview",
    "-0",
    "-H",
    "-I",
    "-q",
  ],
  ...[
    "--stats",
    "--stats",
    "--stats",
    "--json",
    "-U",
    "-U",
    "-U",
    "-U",
    "-U",
    "--multiline-dotall",
    "--multiline-dotall",
    "-a",
    "--include-zero",
  ],
  ...[
    "--stop-on-nonmatch",
    "--no-context-separator",
    "--context-separator=\\t",
    "--field-match-separator= ",
    "--field-context-separator=\\x41",
  ],
  ...["--no-column", "--no-multiline", "--no-stats", "--no-json", "--no-trim", "--binary", "--no-mmap", "--mmap", "-j1", "-F", "-g*", "-u"],
];
const REPLACEMENTS = [
  "<$0>",
  "[$1]",
  "$1$2",
  "${1}a",
  "$1a",
  "${n0}|$n1",
  "$$1",
  "",
  "x\ny",
  "$9",
  "${",
  "$",
  "é$0",
  "${0}\n",
  "$_",
  "${n0",
];
const LETTERS = ["a", "a", "b", "b", "c", "A", "-", " ", "é", "1", "\t", "\n", "\n"];

export function perlFlagsCase(seed: number): PerlFlagsCase {
  const dice = new Dice("rg -P flags", seed);
  const patterns = dice.some(1, dice.chance(15) ? 3 : 1, () => patternOf(dice));
  const flags = [...dice.some(1, 5, () => dice.pick(FLAGS)), ...(dice.chance(35) ? [`-r${dice.pick(REPLACEMENTS)}`] : [])];
  const text = (): string => textOf(dice);
  const files = { f: text(), g: text(), "d/h": text(), "d/i": text() };
  const paths = dice.pick([
    [],
    [],
    ["f"],
    ["f"],
    ["--sort=path", "f", "g"],
    ["--sort=path", "d"],
    ["-H", "d/h"],
    ["--sort=path", "d", "f"],
  ]);
  const args = ["-P", ...flags, ...patterns.flatMap((pattern) => ["-e", pattern]), ...paths];
  return { args, files, stdin: paths.length > 0 ? undefined : text() };
}

function patternOf(dice: Dice): string {
  const pattern = perlFuzzCase(dice.below(1 << 30)).args.at(-1) as string;
  const beside = dice.pick(["", "", "(?=)", "(?<!q)", "(?!q)"]);
  return (
    beside + pattern.replace(/(?<![\\[^-][^\]]{0,3})[abc](?![^[]*\])/g, (letter) => (dice.chance(12) ? dice.pick(OVER_LINES) : letter))
  );
}

function textOf(dice: Dice): string {
  const letters = dice.chance(4) ? [...LETTERS, "\udcff", "\udcc3", "\udca9"] : LETTERS;
  const text = dice.text(letters, dice.chance(20) ? 90 : 30);
  // Past the buffer that ripgrep reads into.
  if (dice.chance(2)) return `${text}\n`.repeat(Math.ceil((70_000 + dice.below(90_000)) / (text.length + 1)));
  if (dice.chance(4)) return `\ufeff${text}`;
  return dice.chance(6) ? `${text}\0${dice.text(LETTERS, 12)}` : text;
}
