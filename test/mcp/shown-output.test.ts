import { expect, test } from "vitest";
import { showOutput } from "../../src/mcp/shown-output.ts";

test("an output that begins with an empty line is shown from its end once", () => {
  const text = `\na${"=".repeat(31_000)}\nb`;
  const shown = showOutput(Buffer.from(text), {
    maxCharacters: 2500,
    shownIn: "output",
    tells: "end",
    totalLines: 3,
    totalBytes: text.length,
  });
  expect({ start: shown.startLines, end: shown.endLines }).toEqual({ start: 0, end: 3 });
  expect(shown.text).toMatch(/^\na=+\[… 30,001 characters\]\nb$/);
});
