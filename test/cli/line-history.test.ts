/** The file of commands typed at the prompt: its place, what it keeps, and several sessions at once. */
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { historyPath, LineHistory } from "../../src/cli/line-history.ts";
import { makeFifo, tree, type Tree } from "../tree.ts";

let place: Tree;
let path: string;
beforeEach(() => {
  place = tree(["root/"]);
  path = `${place.path}/state/shelpa/history`;
});
afterEach(() => place.remove());

describe("its place", () => {
  const at = (environment: Readonly<Record<string, string>>, root = "/r") => historyPath(root, environment);
  test.each([
    [{ XDG_STATE_HOME: "/s", HOME: "/h" }, "/s/shelpa/history"],
    [{ HOME: "/h" }, "/h/.local/state/shelpa/history"],
    [{ XDG_STATE_HOME: "", HOME: "/h" }, "/h/.local/state/shelpa/history"],
    [{}, undefined],
    [{ HOME: "/h", SHELPA_HISTORY: "off" }, undefined],
    [{ HOME: "/r/h" }, undefined],
    [{ HOME: "/r" }, undefined],
  ])("%j", (environment, expected) => expect(at(environment)).toBe(expected));
  test("a link into the root is in the root", () => {
    symlinkSync(`${place.path}/root`, `${place.path}/home`);
    expect(at({ HOME: `${place.path}/home` }, `${place.path}/root`)).toBeUndefined();
  });
});

test("a session finds the commands of those before, the newest first, each once", () => {
  const first = new LineHistory(path);
  for (const command of ["ls", "for i in 1\ndo echo '\\n'; done", "ls", "ls", " hidden", "", "bell\u0007"]) first.add(command);
  expect(new LineHistory(path).commands).toEqual(["ls", "for i in 1\ndo echo '\\n'; done"]);
  expect(readFileSync(path, "utf8")).toBe("ls\nfor i in 1\\ndo echo '\\\\n'; done\nls\n");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(`${place.path}/state/shelpa`).mode & 0o777).toBe(0o700);
});

test("sessions at once append to the same file", () => {
  const one = new LineHistory(path);
  const other = new LineHistory(path);
  one.add("a");
  other.add("b");
  one.add("c");
  expect([one.commands, other.commands, new LineHistory(path).commands]).toEqual([["c", "a"], ["b"], ["c", "b", "a"]]);
});

test("a long file becomes the one before, and at most 5,000 commands are read", () => {
  new LineHistory(path).add("first");
  writeFileSync(path, Array.from({ length: 6000 }, (_, at) => `echo ${at}\n`).join(""));
  const history = new LineHistory(path);
  expect([history.commands.length, history.commands[0], history.commands.at(-1)]).toEqual([5000, "echo 5999", "echo 1000"]);
  expect(existsSync(path)).toBe(false);
  history.add("later");
  const next = new LineHistory(path);
  expect([next.commands.length, next.commands[0], next.commands[1]]).toEqual([5000, "later", "echo 5999"]);
});

test.each<[string, () => void]>([
  ["a FIFO", () => makeFifo(path)],
  ["a link to a device", () => symlinkSync("/dev/zero", path)],
  ["a directory", () => mkdirSync(path)],
])("%s in its place is neither waited for nor read", (_, make) => {
  mkdirSync(dirname(path), { recursive: true });
  make();
  expect(new LineHistory(path).commands).toEqual([]);
});

test("a file too long to be read becomes the one before", () => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "");
  truncateSync(path, 3 * 2 ** 30);
  new LineHistory(path).add("ls");
  expect(new LineHistory(path).commands).toEqual(["ls"]);
  expect(statSync(`${path}.1`).size).toBe(3 * 2 ** 30);
});

test("what a terminal would obey is not offered out of the file", () => {
  new LineHistory(path).add("ls");
  writeFileSync(path, "cat \u001b]0;x\u0007\necho \u202e\nls\n");
  expect(new LineHistory(path).commands).toEqual(["ls"]);
});

test("a file that is a link, or cannot be written, is left alone", () => {
  new LineHistory(path).add("ls");
  writeFileSync(`${place.path}/other`, "");
  symlinkSync(`${place.path}/other`, `${place.path}/link`);
  new LineHistory(`${place.path}/link`).add("ls");
  expect(readFileSync(`${place.path}/other`, "utf8")).toBe("");
  chmodSync(path, 0o400);
  const history = new LineHistory(path);
  history.add("pwd");
  expect(history.commands).toEqual(["pwd", "ls"]);
  expect(new LineHistory(`${path}/below`).commands).toEqual([]);
});
