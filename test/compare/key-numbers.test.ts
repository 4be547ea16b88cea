/** Numbers for keys of bytes, below and above the count from which they are hashed by random tables. */
import { expect, test } from "vitest";
import { KeyNumbers } from "../../src/compare/key-numbers.ts";

const EXPECTED = [0, 10, 256, 257, 5000];

test.each(EXPECTED)("equal keys get one number, in the order of their first appearance, where %s are expected", (expected) => {
  const numbers = new KeyNumbers(expected);
  const texts = ["one", "two"].map((source) =>
    Array.from({ length: 700 }, (_, line) => (line % 3 === 0 ? `both ${line}` : `${source} ${line}`)),
  );
  const sources = texts.map((lines) => Buffer.from(lines.join("")));
  const known = new Map<string, number>();
  for (const round of ["first", "again"]) {
    texts.forEach((lines, source) => {
      let start = 0;
      for (const line of lines) {
        const end = start + line.length;
        const number = known.get(line) ?? known.size + 1;
        known.set(line, number);
        expect(numbers.numberOf(sources[source] as Buffer, start, end), `${line}, ${round}`).toBe(number);
        start = end;
      }
    });
  }
  expect(numbers.count).toBe(known.size);
});
