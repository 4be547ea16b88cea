/** Fixed cost of the tool in every conversation, in tokens of o200k_base; docs/tokens.md is what `npm run tokens` writes now. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { fixedCost, MOST_DEFINITION_TOKENS, MOST_INSTRUCTION_TOKENS, tokenPage } from "../../tools/docs/token-page.ts";

describe.each([false, true])("read-only %s", (readOnly) => {
  const cost = fixedCost(readOnly);
  test("the whole definition", () => expect(cost.definition).toBeLessThanOrEqual(MOST_DEFINITION_TOKENS));
  test("the instructions", () => expect(cost.instructions).toBeLessThanOrEqual(MOST_INSTRUCTION_TOKENS));
});

test("two tools: each definition, and the instructions", () => {
  const cost = fixedCost(false, true);
  expect(cost.definition).toBeLessThanOrEqual(2 * MOST_DEFINITION_TOKENS);
  expect(cost.instructions).toBeLessThanOrEqual(MOST_INSTRUCTION_TOKENS);
});

test.each<readonly [string, number]>([
  ["a new file of 100 lines", 40],
  ["a one-line edit of 1,000 lines", 80],
  ...["a listing", "a file", "some matches", "no match", "a count", "an error of the tool"].map((what) => [what, 8] as const),
])("the answer to %s adds at most %i in every client", async (what, most) => {
  const row = (await tokenPage()).split("\n").find((line) => line.includes(`| ${what} |`));
  const added = row?.match(/\d+(?= \/)/g) ?? [];
  expect(added).toHaveLength(4);
  for (const tokens of added) expect(Number(tokens)).toBeLessThanOrEqual(most);
});

test("docs/tokens.md is up to date", async () => {
  expect(readFileSync(fileURLToPath(new URL("../../docs/tokens.md", import.meta.url)), "utf8")).toBe(await tokenPage());
});
