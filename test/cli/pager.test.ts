/** Keys of the pager, and the lines that the screen shows after each. */
import { expect, test } from "vitest";
import { Pager } from "../../src/cli/pager.ts";

const SCREEN = { rows: 4, columns: 20 };
const LINES = Array.from({ length: 12 }, (_, at) => `line ${at + 1}\n`).join("");
const MORE = "\r\u001b[K\u001b[7m--More--\u001b[0m";
const numbers = (from: number, to: number): string => Array.from({ length: to - from + 1 }, (_, at) => `line ${from + at}\n`).join("");
const CLEAR = "\r\u001b[K";
const HOME = "\u001b[H\u001b[2J";

const pressed = (pager: Pager, keys: string): string =>
  keys
    .split(" ")
    .map((key) => {
      const named: Readonly<Record<string, string>> = { SP: " ", CR: "return", BS: "backspace", UP: "up", "^C": "c", ESC: "escape" };
      const name = named[key] ?? key;
      return pager.press({ text: name.length === 1 ? name : undefined, name: name === " " ? "space" : name, ctrl: key === "^C" });
    })
    .at(-1) ?? "";

test("what fits the screen is shown as it comes, and asks for nothing", () => {
  const pager = new Pager(SCREEN);
  expect([pager.add("a\nb"), pager.add("c\n"), pager.add("d\n"), pager.end(), pager.isAsking]).toEqual(["a\nb", "c\n", "d\n", "", false]);
});

test.each([
  ["SP", `${CLEAR}${numbers(4, 6)}${MORE}`],
  ["CR", `${CLEAR}${numbers(4, 4)}${MORE}`],
  ["d", `${CLEAR}${numbers(4, 4)}${MORE}`],
  ["SP SP b", `${HOME}${numbers(4, 6)}${MORE}`],
  ["SP UP", `${HOME}${numbers(3, 5)}${MORE}`],
  ["SP SP g", `${HOME}${numbers(1, 3)}${MORE}`],
  ["G", `${CLEAR}${HOME}${numbers(10, 12)}`],
  ["/ 7 CR", `${CLEAR}${HOME}${numbers(7, 9)}${MORE}`],
  ["/ 1 x BS CR", `${CLEAR}${HOME}${numbers(10, 12)}`],
  ["/ e CR n", `${CLEAR}${HOME}${numbers(3, 5)}${MORE}`],
  ["/ z CR", `${CLEAR}\r\u001b[K\u001b[7mno more lines with \u001b[0m`],
  ["/ 7 ESC", MORE],
  ["/ 7", `${CLEAR}/7`],
  ["q", CLEAR],
  ["^C", CLEAR],
  ["SP SP SP", `${CLEAR}${numbers(10, 12)}`],
])("%s", (keys, expected) => {
  const pager = new Pager(SCREEN);
  expect([pager.add(LINES), pager.end(), pager.isAsking]).toEqual([`${numbers(1, 3)}${MORE}`, "", true]);
  expect(pressed(pager, keys)).toBe(expected);
  expect(pager.isAsking).toBe(expected.endsWith("\u001b[0m") || keys === "/ 7");
  expect(pager.hasQuit).toBe(keys === "q" || keys === "^C");
});

test("a line that takes several rows takes them of the page, without its colours", () => {
  const pager = new Pager(SCREEN);
  const long = `\u001b[01;31m${"x".repeat(20)}\u001b[0my\n`;
  expect(pager.add(`${long}a\nb\n`)).toBe(`${long}a\n${MORE}`);
});

test("a search goes on through what comes later", () => {
  const pager = new Pager(SCREEN);
  pager.add(LINES);
  expect(pressed(pager, "/ z CR")).toBe(CLEAR);
  expect([pager.isAsking, pager.add("line 13\n"), pager.add("z\nafter\n"), pager.end()]).toEqual([false, "", `${HOME}z\nafter\n`, ""]);
});
