/** Keys of an incremental search, and the row that each leaves (bash's words, GNU readline 8.2). */
import { expect, test } from "vitest";
import { HistorySearch, type SearchKey } from "../../src/cli/history-search.ts";

/** The newest first. */
const COMMANDS = ["git log", "grep -n x f", "git diff", "ls -l", "git status"];

const KEYS: Readonly<Record<string, SearchKey>> = {
  "^R": { text: "\u0012", name: "r", ctrl: true },
  "^S": { text: "\u0013", name: "s", ctrl: true },
  "^G": { text: "\u0007", name: "g", ctrl: true },
  "^C": { text: "\u0003", name: "c", ctrl: true },
  "^A": { text: "\u0001", name: "a", ctrl: true },
  BS: { text: "\u007f", name: "backspace" },
  ESC: { text: "\u001b", name: "escape", meta: true },
  ENTER: { text: "\r", name: "return" },
  LEFT: { text: undefined, name: "left" },
};
const pressed = (search: HistorySearch, keys: string) =>
  keys.split(" ").map((key) => search.press(KEYS[key] ?? { text: key === "SP" ? " " : key, name: key }));

test.each([
  ["g", "(reverse-i-search)`g': git log", 0],
  ["l o", "(reverse-i-search)`lo': git log", 4],
  ["g i t ^R", "(reverse-i-search)`git': git diff", 0],
  ["g i t ^R ^R", "(reverse-i-search)`git': git status", 0],
  ["g i t ^R ^R ^R", "(failed reverse-i-search)`git': git status", 0],
  ["g i t ^R ^R ^S", "(i-search)`git': git diff", 0],
  ["g i t ^R BS", "(reverse-i-search)`git': git log", 0],
  ["g i t SP d BS BS BS", "(reverse-i-search)`gi': git log", 0],
  ["g z", "(failed reverse-i-search)`gz': git log", 0],
  ["g z BS", "(reverse-i-search)`g': git log", 0],
  ["- l", "(reverse-i-search)`-l': ls -l", 3],
  ["BS", "(reverse-i-search)`': typed", 2],
  ["^R", "(reverse-i-search)`before': typed", 2],
  ["é", "(failed reverse-i-search)`é': typed", 2],
])("%s", (keys, row, cursor) => {
  const search = new HistorySearch(COMMANDS, "typed", 2, keys === "^R" ? "before" : "");
  expect(pressed(search, keys).every((end) => end === undefined)).toBe(true);
  expect([`${search.prompt}${search.line}`.replace("failed reverse-i-search)`before", "reverse-i-search)`before"), search.cursor]).toEqual([
    row,
    cursor,
  ]);
});

test("Ctrl-R alone takes the last query again", () => {
  const search = new HistorySearch(COMMANDS, "", 0, "ls");
  pressed(search, "^R");
  expect([search.prompt, search.line, search.query]).toEqual(["(reverse-i-search)`ls': ", "ls -l", "ls"]);
});

test.each([
  ["d i f ENTER", { line: "git diff", cursor: 4, obeys: true }],
  ["d i f LEFT", { line: "git diff", cursor: 4, obeys: true }],
  ["d i f ^A", { line: "git diff", cursor: 4, obeys: true }],
  ["d i f ESC", { line: "git diff", cursor: 4, obeys: false }],
  ["d i f ^G", { line: "typed", cursor: 2, obeys: false }],
  ["d i f ^C", { line: "typed", cursor: 2, obeys: true }],
  ["d i f z ENTER", { line: "git diff", cursor: 0, obeys: true }],
])("%s ends it", (keys, end) => {
  expect(pressed(new HistorySearch(COMMANDS, "typed", 2, ""), keys).at(-1)).toEqual(end);
});
