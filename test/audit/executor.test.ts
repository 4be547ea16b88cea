/**
 * Writing in the executor process, where Node's permission model forbids fsync and the other calls that act on a
 * descriptor, and where /proc cannot be read: what works in this process may fault there. Uses dist/ (npm run build).
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync, readlinkSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startOf } from "../../src/workspace/write/process-identity.ts";
import { Shell } from "../../src/session/shell.ts";
import { tree, type Tree } from "../tree.ts";
import { checkRecovered } from "./tree-check.ts";

let place: Tree;
let shell: Shell;
beforeAll(async () => {
  place = tree(["theirs: one\n"], { modes: { theirs: 0o751 } });
  shell = await Shell.open({ root: place.path, isolation: "process" });
});
afterAll(async () => {
  await shell.close();
  place.remove();
});

const run = async (line: string) => (await shell.defaultSession.run(line)).result;
const read = (path: string): string => readFileSync(`${place.path}/${path}`, "utf8");

/** A lock as process `pid` of this host leaves it, which has started at `start`. */
function plantLock(pid: number, start?: string): string {
  const lock = `${place.path}/.shelpa/@/lock`;
  const space = `${readlinkSync("/proc/self/ns/pid")} ${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()}`;
  writeFileSync(lock, JSON.stringify({ owner: { pid, space, host: hostname(), start }, note: null, inherited: [] }));
  return lock;
}

test("overwrite, append, several files, new directories, modes", async () => {
  expect(await run("echo a | tee new/f g")).toMatchObject({ kind: "completed", exit: 0, receipts: [{ path: "new/f" }, { path: "g" }] });
  expect(await run("echo two | tee -a theirs")).toMatchObject({ kind: "completed", exit: 0 });
  expect(await run("echo three | tee theirs")).toMatchObject({ kind: "completed", exit: 0 });
  expect([read("new/f"), read("g"), read("theirs")]).toEqual(["a\n", "a\n", "three\n"]);
  expect((statSync(`${place.path}/theirs`).mode & 0o777).toString(8)).toBe("751");
  expect(checkRecovered(place.path, ["new/f", "g", "theirs"], { theirs: "one\n" })).toEqual([]);
});

test("the lock of a process that is gone is taken over", async () => {
  const lock = plantLock(spawnSync("true").pid);
  expect(await run("echo b | tee g")).toMatchObject({ kind: "completed", exit: 0 });
  expect([read("g"), existsSync(lock)]).toEqual(["b\n", false]);
});

test("the lock of a process whose number another has now is, though the executor cannot see that", async () => {
  const lock = plantLock(process.pid, "1");
  expect(await run("echo b2 | tee g")).toMatchObject({ kind: "completed", exit: 0 });
  expect([read("g"), existsSync(lock)]).toEqual(["b2\n", false]);
});

test.each([
  { name: "a living process", start: undefined, seconds: undefined },
  { name: "a living process, however old it is,", start: startOf(process.pid), seconds: 1 },
])("the lock of $name is not", { timeout: 30_000 }, async ({ start, seconds }) => {
  const lock = plantLock(process.pid, start);
  if (seconds !== undefined) utimesSync(lock, seconds, seconds);
  const released = setTimeout(() => execFileSync("rm", [`${place.path}/.shelpa/@/lock`]), 700);
  const startedMs = performance.now();
  expect(await run("echo c | tee g")).toMatchObject({ kind: "completed", exit: 0 });
  expect(performance.now() - startedMs).toBeGreaterThan(500);
  clearTimeout(released);
});
