/** Lines of the journal from an offset, by what they hold, and as it grows: the same that are read from its first line. */
import { appendFileSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FollowedFile } from "../../src/audit/followed-file.ts";
import { linesFrom } from "../../src/audit/journal.ts";
import { memberBytes, storedLines } from "../../src/audit/stored-journal.ts";
import { Workspace } from "../../src/workspace/workspace.ts";
import { recordMany } from "../cli/viewer/long-journal.ts";
import { tree, type Tree } from "../tree.ts";

let place: Tree;
let workspace: Workspace;
let journal: string;
let whole: Buffer;
beforeAll(() => {
  place = tree([]);
  // Of many blocks, in which lines cross the edges.
  recordMany(place.path, 2000);
  workspace = Workspace.open(place.path);
  journal = `${place.path}/.shelpa/@/journal.jsonl`;
  whole = readFileSync(journal);
});
afterAll(() => {
  workspace.close();
  place.remove();
});

const idsOf = (text: string): string[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => (JSON.parse(line) as { id: string }).id);

test("each record is found by its id, and each file's lines by its path", () => {
  const writer = workspace.writer();
  const text = whole.toString();
  // Those whose line crosses the edge of a block, whatever its size is, and some others.
  let end = 0;
  const ids = idsOf(text).filter((_, at) => {
    const start = end;
    end = text.indexOf("\n", start) + 1;
    return start >> 16 !== end >> 16 || at % 50 === 0;
  });
  expect(ids.length).toBeGreaterThan(100);
  for (const id of ids) {
    const found = Array.from(storedLines(writer, memberBytes("id", id)), (line) => line.id);
    expect(found).toContain(id);
    expect(found.length).toBeLessThan(2000);
  }
  for (const path of ["src/module-00.ts", "src/module-39.ts"]) {
    const lines = text.split("\n").filter((line) => line.includes(`"path":"${path}"`));
    const found = Array.from(storedLines(writer, memberBytes("path", path))).filter((line) => "path" in line && line.path === path);
    expect(found.map(({ id }) => id)).toEqual(idsOf(lines.join("\n")));
  }
});

test("a journal that grows is read once: whole lines alone, in whatever pieces they come", () => {
  const file = new FollowedFile(workspace.writer(), "journal.jsonl", linesFrom);
  const seen: string[] = [];
  const follow = (): boolean =>
    file.follow(
      () => expect.unreachable("it was not replaced"),
      ({ line }) => seen.push(line.id),
    );
  const part = whole.subarray(0, 20_000);
  writeFileSync(journal, "");
  expect(follow()).toBe(false);
  for (let at = 0; at < part.length; at += 700) {
    appendFileSync(journal, part.subarray(at, at + 700));
    follow();
    expect(follow()).toBe(false);
  }
  const ended = part.subarray(0, part.lastIndexOf(0x0a)).toString();
  expect(seen).toEqual(idsOf(ended));
});

test.each<[name: string, change: () => void]>([
  [
    "another file in its place",
    () => {
      writeFileSync(`${journal}.new`, whole);
      renameSync(`${journal}.new`, journal);
    },
  ],
  ["it was cut", () => writeFileSync(journal, whole.subarray(0, 3000))],
  ["other bytes in it", () => writeFileSync(journal, Buffer.concat([whole.subarray(0, 30_000).fill(0x20), whole]))],
])("a journal that was replaced is told: %s", (_, change) => {
  writeFileSync(journal, whole.subarray(0, 30_000));
  const file = new FollowedFile(workspace.writer(), "journal.jsonl", linesFrom);
  expect(
    file.follow(
      () => expect.unreachable("it was not replaced"),
      () => {},
    ),
  ).toBe(true);
  let restarts = 0;
  change();
  expect(
    file.follow(
      () => restarts++,
      () => expect.unreachable("lines of another file"),
    ),
  ).toBe(false);
  expect(restarts).toBe(1);
});
