import { expect, test } from "vitest";
import { countReader, readCount, scanCount, SIZE_SUFFIXES } from "../../src/numbers/counts.ts";

/** The number that `head -c TEXT </dev/null` of GNU coreutils 9.1 reads in TEXT, or its complaint. */
const bytes = (text: string): bigint => readCount(text, { suffixes: SIZE_SUFFIXES, complaint: "invalid number of bytes" });

test.each<[string, bigint]>([
  ["0", 0n],
  ["+5", 5n],
  [" 7", 7n],
  ["k", 1024n],
  ["1b", 512n],
  ["2kB", 2000n],
  ["2kD", 2000n],
  ["2KiB", 2048n],
  ["3M", 3145728n],
  ["15E", 15n << 60n],
  ["18446744073709551615", (1n << 64n) - 1n],
])("head -c %j", (text, value) => expect(bytes(text)).toBe(value));

test.each<[string, string]>([
  ["", "invalid number of bytes: ‘’"],
  ["-5", "invalid number of bytes: ‘-5’"],
  ["0x10", "invalid number of bytes: ‘0x10’"],
  ["1q", "invalid number of bytes: ‘1q’"],
  ["1w", "invalid number of bytes: ‘1w’"],
  ["1B", "invalid number of bytes: ‘1B’"],
  ["1R", "invalid number of bytes: ‘1R’"],
  ["1kib", "invalid number of bytes: ‘1kib’"],
  [" k", "invalid number of bytes: ‘ k’"],
  ["16E", "invalid number of bytes: ‘16E’: Value too large for defined data type"],
  ["99999999999999999999", "invalid number of bytes: ‘99999999999999999999’: Value too large for defined data type"],
  ["99999999999999999999q", "invalid number of bytes: ‘99999999999999999999q’"],
])("head -c %j fails", (text, message) => expect(() => bytes(text)).toThrow(message));

test("a signed count (nl -v)", () => {
  const read = countReader({ min: -(1n << 63n), complaint: "invalid starting line number" });
  expect(read("-12")).toBe(-12);
  expect(() => read("9223372036854775808")).toThrow(
    "invalid starting line number: ‘9223372036854775808’: Value too large for defined data type",
  );
});

test("a count below its least (nl -w 0)", () => {
  const read = countReader({ min: 1n, max: (1n << 31n) - 1n, complaint: "invalid line number field width" });
  expect(() => read("0")).toThrow("invalid line number field width: ‘0’: Numerical result out of range");
  expect(() => read("2147483648")).toThrow("invalid line number field width: ‘2147483648’: Value too large for defined data type");
});

test("problems are told apart for tools with words of their own", () => {
  expect(scanCount("x", { suffixes: "b" }).problem).toBe("invalid");
  expect(scanCount("1x", { suffixes: "b" }).problem).toBe("suffix");
  expect(scanCount("9".repeat(1000), { suffixes: "b" })).toEqual({ value: (1n << 64n) - 1n, problem: "overflow" });
});
