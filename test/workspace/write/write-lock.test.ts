/** The lock of the records: from whom it is taken over, and that who has lost it notices. */
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { existsSync, readdirSync, readFileSync, readlinkSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FileError } from "../../../src/workspace/file-error.ts";
import { startOf } from "../../../src/workspace/write/process-identity.ts";
import type { WritableDirectory } from "../../../src/workspace/write/write-directory.ts";
import { FileLock, goneOwner } from "../../../src/workspace/write/write-lock.ts";
import { Workspace } from "../../../src/workspace/workspace.ts";
import { tree, type Tree } from "../../tree.ts";

/** Long enough for a lock that can be had, and short for one that cannot. */
const PATIENCE_MS = 50;
const SPACE = `${readlinkSync("/proc/self/ns/pid")} ${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()}`;
const OF_OTHER_BOOT = { space: "pid:[4026531836] 00000000-0000-0000-0000-000000000000" };

let place: Tree;
let workspace: Workspace;
let directory: WritableDirectory;
let children: ChildProcess[] = [];
beforeEach(() => {
  place = tree(["store/"]);
  workspace = Workspace.open(place.path);
  directory = workspace.writer().directory("store");
});
afterEach(() => {
  for (const child of children) child.kill("SIGKILL");
  children = [];
  directory.close();
  workspace.close();
  place.remove();
});

const at = (name: string): string => `${place.path}/store/${name}`;
const names = (): string[] => readdirSync(at("")).toSorted();
const acquire = (note: unknown = "ours"): FileLock => FileLock.acquire(directory, "lock", note, PATIENCE_MS);

interface Planted {
  readonly pid?: number;
  readonly start?: string | undefined;
  readonly space?: string;
  readonly host?: string;
}

const textOf = (owner: Planted, more: object = {}): string =>
  JSON.stringify({ owner: { pid: process.pid, space: SPACE, host: hostname(), ...owner }, note: "theirs", inherited: [], ...more });

/** `seconds`: its time. Default: now. */
function plant(text: string, seconds?: number, name = "lock"): void {
  writeFileSync(at(name), text);
  if (seconds !== undefined) utimesSync(at(name), seconds, seconds);
}

/** Number of a process that has ended. */
const ended = (): number => spawnSync("true").pid;

/** Number of a process that has ended, and that its parent has not waited for. */
async function zombie(): Promise<number> {
  const child = spawn("sh", ["-c", "sleep 0 & echo $!; exec sleep 60"], { stdio: ["ignore", "pipe", "ignore"] });
  children.push(child);
  const pid = await new Promise<number>((resolve) => child.stdout.once("data", (text) => resolve(Number(text))));
  while (startOf(pid) !== "ended") await new Promise((resolve) => setTimeout(resolve, 5));
  return pid;
}

const isBusy = (action: () => unknown): void => {
  expect(action).toThrow(FileError);
  expect(action).toThrow(/^Another server is writing here: process \d+ on /);
};

describe("the lock of", () => {
  const own = { start: startOf(process.pid) };
  const IN_2100 = 4_102_444_800;
  test.each<{ name: string; owner: Planted; seconds?: number; taken: boolean }>([
    { name: "a process that lives", owner: own, taken: false },
    { name: "a process that lives, from 1970", owner: own, seconds: 1, taken: false },
    { name: "a process that lives, from 2100", owner: own, seconds: IN_2100, taken: false },
    { name: "a process that lives, though the host has another name now", owner: { ...own, host: "before" }, seconds: 1, taken: false },
    { name: "a process whose number another has now", owner: { start: "1" }, taken: true },
    { name: "an older version's process that lives", owner: {}, taken: false },
    { name: "an older version's process that may live, from 1970", owner: {}, seconds: 1, taken: true },
    { name: "a process that is gone", owner: { pid: ended(), start: "1" }, taken: true },
    { name: "another boot of this host", owner: { ...own, ...OF_OTHER_BOOT }, taken: true },
    { name: "another boot of another host", owner: { ...own, ...OF_OTHER_BOOT, host: "other" }, taken: false },
    { name: "another boot of another host, from 1970", owner: { ...own, ...OF_OTHER_BOOT, host: "other" }, seconds: 1, taken: true },
    { name: "another boot of another host, from 2100", owner: { ...own, ...OF_OTHER_BOOT, host: "other" }, seconds: IN_2100, taken: true },
    { name: "another PID namespace", owner: { ...own, space: SPACE.replace(/\d+/, "1") }, taken: false },
    { name: "another PID namespace, from 1970", owner: { ...own, space: SPACE.replace(/\d+/, "1") }, seconds: 1, taken: true },
  ])("$name", ({ owner, seconds, taken }) => {
    plant(textOf(owner), seconds);
    if (taken) acquire().release();
    else isBusy(acquire);
    expect(names()).toEqual(taken ? [] : ["lock"]);
  });

  test("a process that has ended, and whose parent has not waited for it", async () => {
    const pid = await zombie();
    plant(textOf({ pid, start: readFileSync(`/proc/${pid}/stat`, "latin1").split(" ")[21] }));
    acquire().release();
    expect(names()).toEqual([]);
  });

  test("a process of which somebody who sees more says that it is gone", async () => {
    const owner = { pid: process.pid, space: SPACE, host: hostname(), start: "1" };
    plant(textOf(owner));
    expect(goneOwner(directory, "lock")).toEqual(owner);
    plant(textOf(own));
    expect(goneOwner(directory, "lock")).toBeUndefined();
    plant(textOf({ pid: ended(), start: "1", ...OF_OTHER_BOOT }));
    expect(goneOwner(directory, "lock")).toBeUndefined();
  });
});

describe("a lock that is too large to be read", () => {
  const LARGE = "x".repeat(65 << 20);
  test("is its owner's, who lives", () => {
    plant(textOf({ start: startOf(process.pid) }, { note: LARGE }), 1);
    isBusy(acquire);
  });
  test("is taken from an owner who is gone, and its note is lost", () => {
    plant(textOf({ start: "1" }, { note: LARGE }));
    const lock = acquire();
    expect(lock.inherited).toEqual([]);
    lock.release();
  });
  test("is not written: the note is refused, and nothing is there", () => {
    expect(() => acquire("x".repeat(17 << 20))).toThrow("The paths of all that it changes take more than 16 MiB: change fewer at a time");
    expect(names()).toEqual([]);
  });
  test("does not come of the notes of several that died", () => {
    const dead = (): void => plant(readFileSync(at("lock"), "utf8").replace(/"start":"\d+"/, '"start":"1"'));
    let notes = 0;
    for (; notes < 10; notes++) {
      try {
        acquire("x".repeat(15 << 20));
      } catch (thrown) {
        expect(thrown).toMatchObject({ code: "EFBIG" });
        break;
      }
      dead();
    }
    expect(notes).toBe(3);
    // A small note has room.
    const lock = acquire("small");
    expect(lock.inherited).toHaveLength(notes);
    lock.release();
  });
});

describe("a holder", () => {
  const lost: readonly (readonly [name: string, lose: () => void])[] = [
    ["removed", () => rmSync(at("lock"))],
    ["another's", () => renameSync(at("lock.other"), at("lock"))],
    ["a new file of the same text", () => writeAgain()],
  ];
  const writeAgain = (): void => {
    const text = readFileSync(at("lock"));
    rmSync(at("lock"));
    writeFileSync(at("lock"), text);
  };
  describe.each(lost)("whose lock is %s meanwhile", (_, lose) => {
    test.each(["release", "leave"] as const)("notices, and its %s leaves the other's alone", (end) => {
      const lock = acquire();
      expect(lock.isHeld).toBe(true);
      plant(textOf({ start: startOf(process.pid) }), undefined, "lock.other");
      lose();
      const left = existsSync(at("lock")) ? readFileSync(at("lock"), "utf8") : undefined;
      expect(lock.isHeld).toBe(false);
      expect(() => lock.checkHeld()).toThrow("Another server has taken over the lock of the records");
      lock[end]();
      expect(existsSync(at("lock")) ? readFileSync(at("lock"), "utf8") : undefined).toBe(left);
      expect(existsSync(at("lock.left"))).toBe(false);
    });
  });

  test("waits while somebody may be taking over what was empty before", () => {
    plant(textOf({ pid: process.ppid, start: startOf(process.ppid) }), undefined, "lock.takeover");
    isBusy(acquire);
    expect(names()).toEqual(["lock.takeover"]);
    // Our own that could not be removed.
    plant(textOf({ start: startOf(process.pid) }), undefined, "lock.takeover");
    acquire().release();
    expect(names()).toEqual([]);
    plant(textOf({ start: "1" }), undefined, "lock.takeover");
    acquire().release();
    expect(names()).toEqual([]);
  });
});

describe("notes", () => {
  const die = (): void => plant(readFileSync(at("lock"), "utf8").replace(/"start":"\d+"/, '"start":"1"'));

  test("of one who died are not told again once they are forgotten", () => {
    acquire("first");
    die();
    const second = acquire("second");
    expect(second.inherited).toEqual(["first"]);
    second.forgetInherited();
    expect(second.isHeld).toBe(true);
    expect(names()).toEqual(["lock"]);
    die();
    const third = acquire("third");
    expect(third.inherited).toEqual(["second"]);
    third.release();
  });

  test.each(["leave", "die"] as const)("that were left are passed on by one who could not finish either (%s)", (end) => {
    acquire("first").leave();
    const second = acquire("second");
    expect(second.inherited).toEqual(["first"]);
    if (end === "leave") second.leave();
    else die();
    const third = acquire("third");
    expect(third.inherited).toEqual(["first", "second"]);
    third.forgetInherited();
    third.release();
    expect(names()).toEqual([]);
  });
});
