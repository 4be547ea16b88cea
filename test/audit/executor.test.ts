/**
 * Writing in the executor process, where Node's permission model forbids fsync and the other calls that act on a
 * descriptor, and where /proc cannot be read: what works in this process may fault there. Uses dist/ (npm run build).
 */
import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  lutimesSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
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

describe("symbolic links, of which Node's permission model lets none be made", () => {
  let links: Tree;
  let own: Shell;
  beforeEach(async () => {
    links = tree(["x: x\n", "d/e/", "d/f: f\n", "d/e/rel => ../f", "rel => x", "loose => nowhere", "up => ../../elsewhere"]);
    symlinkSync(`${links.path}/x`, `${links.path}/abs`);
    symlinkSync(`${links.path}/x`, `${links.path}/d/e/abs`);
    symlinkSync("/nowhere/at all", `${links.path}/d/away`);
    // Of two links of one text it does not matter which comes back: both have one time.
    for (const name of ["rel", "loose", "up", "abs", "d/e/rel", "d/e/abs", "d/away"]) lutimesSync(`${links.path}/${name}`, 1e9, 1e9);
    own = await Shell.open({ root: links.path, isolation: "process" });
  });
  afterEach(async () => {
    await own.close();
    links.remove();
  });

  /** Every name below the root but for the records, with its kind, its target and its time. */
  const state = (): Record<string, string> =>
    Object.fromEntries(
      readdirSync(links.path, { recursive: true, encoding: "utf8" })
        .filter((name) => !/^\.shelpa($|\/)/.test(name))
        .toSorted()
        .map((name) => {
          const status = lstatSync(`${links.path}/${name}`);
          if (status.isSymbolicLink()) return [name, `=> ${readlinkSync(`${links.path}/${name}`)} ${status.mtimeMs}`];
          return [name, status.isDirectory() ? "directory" : readFileSync(`${links.path}/${name}`, "latin1")];
        }),
    );

  test.each([
    "rm abs",
    "rm rel",
    "rm loose up",
    "rm abs rel loose up x",
    "rm -r d",
    "rm -r d abs rel x",
    "find . -type l -delete",
    "mv abs other",
    "mv rel d",
    "mv up loose d/e",
    "mv d dd",
    "mv d/away d/e/abs .",
    "mv x abs",
    "mv -T rel abs",
    "cp x y && mv y rel",
    "cp --remove-destination x rel",
    // The link that is made is a second name of the one that it replaces.
    "cp -P abs copy && cp -P --remove-destination abs copy",
    "rm abs && echo a | tee abs",
    "rm abs && mkdir abs",
  ])("%s, then undo, and undo of that", async (line) => {
    const session = own.defaultSession;
    const before = state();
    const done = (await session.run(line)).result;
    expect(done).toMatchObject({ kind: "completed", exit: 0 });
    const after = state();
    expect(after).not.toEqual(before);
    const undone = await session.run("undo");
    expect(undone.result).toMatchObject({ kind: "completed", exit: 0 });
    expect(state()).toEqual(before);
    const redone = (await session.run(`undo ${undone.result.receipts?.[0]?.recordId}`)).result;
    expect(state()).toEqual(after);
    await session.run(`undo ${redone.receipts?.[0]?.recordId}`);
    expect(state()).toEqual(before);
  });
});
