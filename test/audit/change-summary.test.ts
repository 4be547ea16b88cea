/** The account of a change is bounded, in size and in time. */
import { expect, test } from "vitest";
import { changeSummary } from "../../src/audit/change-summary.ts";

const lines = (count: number, text: (at: number) => string): Buffer =>
  Buffer.from(Array.from({ length: count }, (_, at) => `${text(at)}\n`).join(""));

test.each([
  ["a created file", undefined, Buffer.from("a\nb"), { added: 2, removed: 0, diff: [], more: 0 }],
  ["a removed one", Buffer.from("a\n"), undefined, { added: 0, removed: 1, diff: [], more: 0 }],
  ["nothing", Buffer.from("a\n"), Buffer.from("a\n"), { added: 0, removed: 0, diff: [], more: 0 }],
  [
    "a line in many",
    lines(20_000, String),
    lines(20_000, (at) => String(at === 9 ? -1 : at)),
    { added: 1, removed: 1, diff: ["@@ -10 +10 @@", "-9", "+-1"], more: 0 },
  ],
  ["bytes that are no text", Buffer.from("a\0"), Buffer.from("b\n"), undefined],
  ["too many bytes", Buffer.from("a\n"), Buffer.alloc((1 << 20) + 1, "a"), undefined],
])("%s", (_name, old, now, expected) => expect(changeSummary(old, now)).toEqual(expected));

test("at most 40 lines of differences; the others are counted", () => {
  const summary = changeSummary(
    lines(100, (at) => `a${at}`),
    lines(100, (at) => `b${at}`),
  );
  expect(summary).toMatchObject({ added: 100, removed: 100, more: 161 });
  expect(summary?.diff).toHaveLength(40);
});

test("an addition to a long file is compared, two long files without a common line are not", () => {
  const long = lines(30_000, String);
  expect(changeSummary(long, Buffer.concat([long, lines(10_000, (at) => `b${at}`)]))).toMatchObject({ added: 10_000, removed: 0 });
  expect(
    changeSummary(
      lines(1501, (at) => `a${at}`),
      lines(1501, (at) => `b${at}`),
    ),
  ).toBeUndefined();
});
