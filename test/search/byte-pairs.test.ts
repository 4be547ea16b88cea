/** The vector search for byte pairs against a loop that looks at every place. */
import { expect, test } from "vitest";
import { findPairs, MOST_GAP, PAIR_BLOCK } from "../../src/search/byte-pairs.ts";
import { findTriples, TRIPLE_BLOCK, tripleTable } from "../../src/search/byte-triples.ts";
import { LineSearch } from "../../src/search/line-search.ts";
import { compilePosix } from "../../src/regex/posix-matcher.ts";

test("finds what a loop finds, at every length and place", () => {
  const bytes = Buffer.alloc(PAIR_BLOCK + 100);
  for (let at = 0, seed = 1; at < bytes.length; at++) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    bytes[at] = 97 + ((seed >>> 16) % 5);
  }
  const into = new Int32Array(PAIR_BLOCK);
  for (const [from, to] of [
    [0, 0],
    [0, 1],
    [3, 20],
    [5, 37],
    [16, 32],
    [0, PAIR_BLOCK],
    [99, 99 + PAIR_BLOCK],
  ] as const) {
    for (const gap of [0, 1, 7, MOST_GAP]) {
      const pair = { first: 97, firstOr: 98, gap, second: 99, secondOr: 97 };
      const expected: number[] = [];
      for (let at = from; at < to; at++) {
        const second = bytes[at + gap];
        if ((bytes[at] === 97 || bytes[at] === 98) && (second === 99 || second === 97)) expected.push(at - from);
      }
      const count = findPairs(bytes, from, to, pair, into);
      // A pair whose second byte lies past the block is not promised either way.
      const inside = (offset: number): boolean => from + offset + gap < bytes.length;
      expect([...into.subarray(0, count)].filter(inside)).toEqual(expected.filter(inside));
    }
  }
});

const LINES = ["error", "an ERROR: 1", "eRrOr", "no", "", "errorerror", "erro", "r", "xxTaskK", "taſk", "tas\u212a", "Error: x"];

test.each([
  { name: "one literal", pattern: "error", foldCase: false },
  { name: "either case", pattern: "error", foldCase: true },
  { name: "letters that fold past ASCII", pattern: "task", foldCase: true },
  { name: "alternatives", pattern: "error|task|no", foldCase: false },
  { name: "many alternatives", pattern: "error|task|no|Error|TaskK|xx|R: 1|r|ſk", foldCase: false },
  { name: "many alternatives in either case", pattern: "error|tas|nothing|line 1|xxt|r: 1|:|filler line 7", foldCase: true },
  { name: "more around the literal", pattern: "[A-Z]rror: [0-9x]+", foldCase: false },
])("the lines found are those that match, often or not: $name", ({ pattern, foldCase }) => {
  const matcher = compilePosix([pattern], { syntax: "extended", foldCase });
  for (const filler of [0, 1, 40, 4000]) {
    const search = new LineSearch(matcher, 10);
    const lines = LINES.flatMap((line) => [line, ...Array.from({ length: filler }, (_, at) => `filler line ${at}`)]);
    const bytes = Buffer.from(`${lines.join("\n")}\n`);
    const expected = lines.filter((line) => matcher.test(Buffer.from(line), 0, Buffer.byteLength(line)));
    // Twice: what was often in one block is looked for otherwise in the next.
    for (let block = 0; block < 2; block++) {
      const found: string[] = [];
      search.load(bytes, 0, bytes.length);
      for (let at = 0; at < bytes.length && search.next(at); at = search.lineEnd + 1) {
        found.push(bytes.toString("utf8", search.lineStart, search.lineEnd));
      }
      expect(found).toEqual(expected);
    }
  }
});

test("of several texts, finds every place where one of them may stand", () => {
  const bytes = Buffer.alloc(TRIPLE_BLOCK + 100);
  for (let at = 0, seed = 1; at < bytes.length; at++) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    bytes[at] = 97 + ((seed >>> 16) % 9) + (seed >>> 31) * 128;
  }
  const texts = ["abc", "bca", "cab", "aaa", "\u00e1bc", "hid", "iii", "fed", "dea", "gag"].map((text) => Buffer.from(text, "latin1"));
  const table = tripleTable(texts.map((text) => ({ has: (place, byte) => text[place] === byte })));
  const into = new Int32Array(TRIPLE_BLOCK);
  for (const [from, to] of [
    [0, 0],
    [0, 1],
    [3, 20],
    [16, 32],
    [0, TRIPLE_BLOCK],
    [99, 99 + TRIPLE_BLOCK],
  ] as const) {
    const found = [...into.subarray(0, findTriples(bytes, from, to, table, into))];
    const isText = (at: number): boolean => texts.some((text) => bytes.subarray(from + at, from + at + 3).equals(text));
    const expected = Array.from({ length: to - from }, (_, at) => at).filter(isText);
    expect(found.filter(isText)).toEqual(expected);
    expect(found.length).toBeLessThanOrEqual(20 * expected.length + 20);
    expect(found).toEqual(found.toSorted((a, b) => a - b));
  }
});
