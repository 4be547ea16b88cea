/**
 * Patterns that make a backtracking matcher run for years, and lines long enough for it. Every one is answered,
 * refused, or stopped within its time limit, and the next call is served. Through an executor process, as the MCP
 * server runs lines: what computes without end is ended from outside.
 */
import { afterAll, beforeAll, describe, test } from "vitest";
import { Shell } from "../../src/session/shell.ts";
import { quoteWord } from "../../src/display/quote.ts";
import { tree, type Tree } from "../tree.ts";
import { expectAnswer, GRACE_MS, LIMIT_MS } from "./answered.ts";

const LINE_BYTES = 65_536;

let place: Tree;
let shell: Shell;

beforeAll(async () => {
  const words = "word ".repeat(LINE_BYTES / 5);
  place = tree([
    `as: ${"a".repeat(LINE_BYTES)}!\n`,
    `xs: ${"x".repeat(LINE_BYTES)}\n`,
    `words: ${words}!\n`,
    `abc: ${"abc".repeat(LINE_BYTES / 3)}!\n`,
  ]);
  shell = await Shell.open({ root: place.path, isolation: "process", limits: { timeMs: LIMIT_MS, residentBytes: 384 << 20 } });
});
afterAll(async () => {
  await shell.close();
  place.remove();
});

/** In extended syntax, with the file whose line nearly matches. */
const PATTERNS: readonly (readonly [name: string, pattern: string, file: string])[] = [
  ["a repeat of a repeat", "(a+)+$", "as"],
  ["words that may be empty between", "^(\\w+\\s?)*$", "words"],
  ["two repeats that share what they match", "(x+x+)+y", "xs"],
  ["alternatives that match the same", "(a|a|aa)*b", "as"],
  ["counted groups in counted groups", "((a{1,30}){1,30}){1,30}$", "as"],
  ["a bomb of counted groups", "((((a{0,99}){0,99}){0,99}){0,99}){0,99}b", "as"],
  ["a back-reference to anything", "(.*)(.*)(.*)(.*)(.*)\\1\\2\\3\\4\\5z", "abc"],
  ["a back-reference in a repeat", "((a*)\\2)*b", "as"],
  ["many stars", ".*.*.*.*.*.*.*.*.*.*=.*", "abc"],
  ["a long alternation", Array.from({ length: 500 }, (_, at) => `a{${at}}b`).join("|"), "as"],
];

/** As a basic regular expression. */
const basic = (pattern: string): string => pattern.replace(/\\?[(){}+?|]/g, (found) => (found.startsWith("\\") ? found : `\\${found}`));

const COMMANDS: readonly (readonly [name: string, line: (pattern: string, file: string) => string])[] = [
  ["grep -E", (pattern, file) => `grep -cE ${quoteWord(pattern)} ${file}`],
  ["grep -iE", (pattern, file) => `grep -ciE ${quoteWord(pattern)} ${file}`],
  ["grep", (pattern, file) => `grep -c ${quoteWord(basic(pattern))} ${file}`],
  ["grep -oE", (pattern, file) => `grep -oE ${quoteWord(pattern)} ${file}`],
  ["grep -P", (pattern, file) => `grep -cP ${quoteWord(pattern)} ${file}`],
  ["sed -E", (pattern, file) => `sed -E ${quoteWord(`s~${pattern}~X~g`)} ${file}`],
  ["rg", (pattern, file) => `rg -c ${quoteWord(pattern)} ${file}`],
  ["find -regex", (pattern) => `find . -regextype posix-extended -regex ${quoteWord(pattern)}`],
];

for (const [command, line] of COMMANDS) {
  describe(command, () => {
    for (const [name, pattern, file] of PATTERNS) test(name, () => expectAnswer(shell, line(pattern, file)), 2 * (LIMIT_MS + GRACE_MS));
  });
}

describe("star bombs in globs", () => {
  const bomb = `${"*a".repeat(60)}b`;
  test.each([`find . -name '${bomb}'`, `grep -r --include='${bomb}' x .`, `du --exclude='${bomb}' .`, `ls ${bomb}`, `ls -I '${bomb}'`])(
    "%s",
    async (line) => {
      const long = "a".repeat(200);
      await shell.defaultSession.run(`echo x | tee ${long} | cat`);
      await expectAnswer(shell, line);
    },
  );
});
