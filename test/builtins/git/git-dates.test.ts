/** Dates that git guesses: each form as the real git 2.39 reads it, at each clock (`npm run git-dates -- --write` asks it anew). */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readDate } from "../../../builtins/git/dates/approximate-date.ts";
import { CLOCKS, DATE_FORMS } from "./git-date-forms.ts";

const ANSWERS = JSON.parse(readFileSync(new URL("git-date-answers.json", import.meta.url), "utf8")) as Record<string, readonly string[]>;

test("five hundred forms, each with the real git's answers", () => {
  expect(DATE_FORMS.length).toBeGreaterThanOrEqual(500);
  expect(Object.keys(ANSWERS).sort()).toEqual([...DATE_FORMS].sort());
});

for (const [index, { name, seconds, timeZone }] of CLOCKS.entries()) {
  test(`dates ${name}`, () => {
    const ours = DATE_FORMS.map((form) => [form, readDate(form, { nowMs: seconds * 1000, timeZone }).seconds]);
    expect(ours).toEqual(DATE_FORMS.map((form) => [form, Number(ANSWERS[form]?.[index])]));
  });
}

test("what is no date is told apart from now", () => {
  const isDate = (text: string): boolean => readDate(text, { nowMs: 0, timeZone: "UTC" }).isDate;
  expect(["", "nonsense", "a year ago", "today", "fortnight ago", "monday"].map(isDate)).toEqual([
    false,
    false,
    false,
    false,
    false,
    false,
  ]);
  expect(["now", "last", "1", "yesterday", "one"].map(isDate)).toEqual([true, true, true, true, true]);
});
