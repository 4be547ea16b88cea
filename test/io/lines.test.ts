import { expect, test } from "vitest";
import fc from "fast-check";
import { endOfLine, lineBlocks, linesOf } from "../../src/io/lines.ts";
import { inputOf } from "../../src/io/input.ts";

async function collect(parts: readonly string[], lineBytes = 1000, separator = 10): Promise<string[]> {
  const blocks: string[] = [];
  for await (const block of lineBlocks(inputOf(...parts.map((part) => Buffer.from(part))), lineBytes, separator)) {
    blocks.push(block.toString());
  }
  return blocks;
}

test.each<[readonly string[], readonly string[]]>([
  [[], []],
  [["a\nb\n"], ["a\nb\n"]],
  [["a\nb"], ["a\n", "b"]],
  [
    ["a\nb", "c\nd\n"],
    ["a\n", "bc\n", "d\n"],
  ],
  [["a", "b", "c"], ["abc"]],
  [["a", "\n"], ["a\n"]],
])("%j", async (parts, expected) => expect(await collect(parts)).toEqual(expected));

test("any cutting gives whole lines and loses nothing", () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.stringMatching(/^[a\n]{1,60}$/)), async (parts) => {
      const blocks = await collect(parts);
      expect(blocks.join("")).toBe(parts.join(""));
      for (const block of blocks.slice(0, -1)) expect(block.endsWith("\n")).toBe(true);
      const lines = blocks.flatMap((block) => [...linesOf(Buffer.from(block))].map(String));
      const whole = parts.join("");
      expect(lines).toEqual(whole === "" ? [] : whole.replace(/\n$/, "").split("\n"));
    }),
  ));

test("another separator", async () => expect(await collect(["a\0b\nc", "\0d"], 1000, 0)).toEqual(["a\0", "b\nc\0", "d"]));

test("a line longer than the cap stops the stage", async () => {
  expect(await collect(["a".repeat(10), "\n"], 10)).toEqual([`${"a".repeat(10)}\n`]);
  await expect(collect(["a".repeat(10), "a\n"], 10)).rejects.toThrow("line: more than 10 bytes");
});

test("the end of a long line is found past the short steps", () => {
  const block = Buffer.from(`${"x".repeat(100)}\ny`);
  expect(endOfLine(block, 0)).toBe(100);
  expect(endOfLine(block, 101)).toBe(102);
});
