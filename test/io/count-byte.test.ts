import { expect, test } from "vitest";
import { countByte, indexAfter, indexAfterFromEnd } from "../../src/io/count-byte.ts";

test.each([0, 1, 15, 16, 255, 256, 257, 300, 4096, 262143, 262144, 262145, 600000])("%i bytes", (length) => {
  const block = Buffer.alloc(length + 3, "ab\nc\n\n").subarray(3);
  for (const byte of [10, 97, 0, 255]) {
    let expected = 0;
    for (const one of block) if (one === byte) expected++;
    expect(countByte(block, byte)).toBe(expected);
  }
});

test("what an earlier call left behind is not counted", () => {
  expect(countByte(Buffer.alloc(5000, "\n"), 10)).toBe(5000);
  expect(countByte(Buffer.alloc(300, "x"), 10)).toBe(0);
});

test("places", () => {
  const block = Buffer.from("a\nb\nc");
  expect([0, 1, 2, 3].map((wanted) => indexAfter(block, 10, wanted))).toEqual([0, 2, 4, 5]);
  expect([1, 2, 3].map((wanted) => indexAfterFromEnd(block, 10, wanted))).toEqual([4, 2, 0]);
});
