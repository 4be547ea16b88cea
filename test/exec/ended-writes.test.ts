/** Writes of a call whose executor was ended: they are told, and undo takes them back before any earlier ones. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Shell } from "../../src/session/shell.ts";
import { tree, type Tree } from "../tree.ts";

let place: Tree;
let shell: Shell;
beforeEach(async () => {
  place = tree(["f: old\n"]);
  shell = await Shell.open({ root: place.path, isolation: "process" });
});
afterEach(async () => {
  await shell.close();
  place.remove();
});

const run = (line: string, timeMs?: number) => shell.defaultSession.run(line, timeMs === undefined ? {} : { timeMs });

test("a line that is ended for its time tells what it wrote, and undo takes that back", { timeout: 60_000 }, async () => {
  await run("echo good | tee keep");
  const { result } = await run("echo broken | tee bad; awk 'BEGIN { while (1) x++ }'", 2000);
  expect(result).toMatchObject({ kind: "stopped", receipts: [{ path: "bad", created: true }] });
  const { result: undone } = await run("undo");
  expect(undone).toMatchObject({ kind: "completed", exit: 0, receipts: [{ path: "bad" }] });
  expect([existsSync(`${place.path}/bad`), existsSync(`${place.path}/keep`)]).toEqual([false, true]);
});

test("undo after a removal that was ended on its way never takes back what was before it", { timeout: 120_000 }, async () => {
  mkdirSync(`${place.path}/d`);
  for (let file = 0; file < 600; file++) writeFileSync(`${place.path}/d/${file}`, `${file}\n`);
  await run("echo good | tee keep");
  const { result } = await run("rm -r d", 400);
  await run("undo");
  expect(readdirSync(place.path).includes("d") ? readdirSync(`${place.path}/d`).length : 0).toBe(600);
  // Ended before the record was made, the removal is nothing that could be taken back.
  if (result.kind === "completed") expect(existsSync(`${place.path}/keep`)).toBe(true);
});
