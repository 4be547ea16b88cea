/** Rows printed by `ls -l --block-size=…` of coreutils 9.1 (see also the sizes in test/builtins/ls/ls.test.ts). */
import { expect, test } from "vitest";
import { readBlockSize } from "../../src/numbers/block-size.ts";
import { BYTES, formatSize, HUMAN, HUMAN_SI } from "../../src/numbers/size-format.ts";
import { characterWidth, textWidth } from "../../src/display/character-width.ts";

test.each([
  [0, "0", "0"],
  [999, "999", "999"],
  [1000, "1000", "1.0k"],
  [1001, "1001", "1.1k"],
  [1023, "1023", "1.1k"],
  [1024, "1.0K", "1.1k"],
  [1025, "1.1K", "1.1k"],
  [10239, "10K", "11k"],
  [10241, "11K", "11k"],
  [102400, "100K", "103k"],
  [1047552, "1023K", "1.1M"],
  [1047553, "1.0M", "1.1M"],
  [9961472, "9.5M", "10M"],
])("%i bytes are %s, or %s", (bytes, human, si) => {
  expect(formatSize(bytes, HUMAN)).toBe(human);
  expect(formatSize(bytes, HUMAN_SI)).toBe(si);
  expect(formatSize(bytes, BYTES)).toBe(String(bytes));
});

test.each([
  ["K", 1025, "2K"],
  ["KB", 1000, "1kB"],
  ["KiB", 1025, "2KiB"],
  ["1K", 1025, "2"],
  ["'1", 1234567, "1234567"],
  ["512", 513, "2"],
  ["G", 1, "1G"],
])("--block-size=%s shows %i as %s", (size, bytes, shown) => expect(formatSize(bytes, readBlockSize(size))).toBe(shown));

test("blocks of 512 bytes in units that are no multiple", () => {
  expect(formatSize(8, readBlockSize("KB"), 512)).toBe("5kB");
  expect(formatSize(1000, readBlockSize("KB"), 512)).toBe("512kB");
});

test("columns of characters", () => {
  expect([..."a\u0301日😀\u200b"].map((character) => characterWidth(character.codePointAt(0) as number))).toEqual([1, 0, 2, 2, 0]);
  expect(characterWidth(0x1b)).toBe(-1);
  expect(characterWidth(0xdc80)).toBe(-1);
  expect(textWidth("a\tb\udcff日")).toBe(5);
});
