/** The executor process: what it gives, and what becomes of a call that will not end or eats memory. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { Readable } from "node:stream";
import { DEFAULT_POLICY } from "../../src/config/policy.ts";
import { ExecutorPool } from "../../src/exec/executor-pool.ts";
import { Shell } from "../../src/session/shell.ts";
import { tree, type Tree } from "../tree.ts";
import { skipWithout } from "../needs.ts";

let place: Tree;
let shell: Shell;

beforeAll(async () => {
  place = tree(["a: one\ntwo\n", "d/f: x\n"]);
  shell = await Shell.open({ root: place.path, isolation: "process", limits: { timeMs: 1500, residentBytes: 256 << 20 } });
});
afterAll(async () => {
  await shell.close();
  place.remove();
});

const openWith = (pool: ExecutorPool): Promise<Shell> => Shell.open({ root: place.path, isolation: "process", pool });

/** Not ended, and not only waiting to be reaped. */
function isAlive(processId: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/.test(readFileSync(`/proc/${processId}/stat`, "latin1"));
  } catch {
    return false;
  }
}

/** Checks that the server still runs a line, whatever happened before. */
async function expectService(): Promise<void> {
  const { result, stdout } = await shell.defaultSession.run("echo ok");
  expect(result.kind).toBe("completed");
  expect(stdout.toString()).toBe("ok\n");
}

describe("an executor process", () => {
  test("runs lines and keeps the session's directory", async () => {
    const session = shell.newSession();
    expect((await session.run("cd d && ls")).stdout.toString()).toBe("f\n");
    expect(session.currentDirectory).toBe("d");
    expect((await session.run("cat f")).stdout.toString()).toBe("x\n");
    expect((await session.run("ls", { cwd: "" })).stdout.toString()).toBe("a\nd\n");
    expect(session.currentDirectory).toBe("d");
  });

  test("what sort puts aside has no name on the host, nor has it when the process is killed", { timeout: 30_000 }, async () => {
    const host = await Shell.open({ root: place.path, isolation: "process", limits: { timeMs: 20_000, heldBytes: 1 << 20 } });
    try {
      const names = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith("shelpa-spill-"));
      const before = names();
      const { stdout } = await host.defaultSession.run("yes 0123456789 | head -n 300000 | sort -r | wc -l");
      expect(stdout.toString()).toBe("300000\n");
      const { result } = await host.defaultSession.run("yes 0123456789 | sort", { timeMs: 1500 });
      expect(result).toMatchObject({ kind: "stopped" });
      expect((await host.defaultSession.run("echo ok")).stdout.toString()).toBe("ok\n");
      expect(names()).toEqual(before);
    } finally {
      await host.close();
    }
  });

  test("refusals cross the process boundary", async () => {
    const { result } = await shell.defaultSession.run("shred d");
    expect(result).toMatchObject({ kind: "refused", violations: [{ reason: "DISALLOWED_CMD" }] });
  });

  test("standard input is pulled, output is pushed, in order and whole", async () => {
    const input = Buffer.alloc(3_000_000, "0123456789abcde\n");
    const { stdout } = await shell.defaultSession.run("cat", {
      stdin: Readable.from([input.subarray(0, 1_000_000), input.subarray(1_000_000)]),
    });
    expect(stdout.equals(input)).toBe(true);
  });

  test("a caller with lines in two workspaces leaves a place for another", { timeout: 30_000 }, async () => {
    const pool = new ExecutorPool({ running: 2, processes: 2, isShared: true, hasCallers: true, waiting: 10, idleMs: 60_000 });
    const [first, second] = [await openWith(pool), await openWith(pool)];
    const cancellation = new AbortController();
    const [one, other] = [{ caller: { token: "one" } }, { caller: { token: "other" } }];
    try {
      const slow = [first, second].map((each) => each.newSession().serve("sleep 60", { ...one, signal: cancellation.signal }));
      while (pool.running + pool.queued < 2) await new Promise((resolve) => setImmediate(resolve));
      expect([pool.running, pool.queued]).toEqual([1, 1]);
      const { stdout } = await second.newSession().serve("cat a", other);
      expect(stdout.toString()).toBe("one\ntwo\n");
      cancellation.abort();
      expect((await Promise.all(slow)).map(({ result }) => result.kind)).toEqual(["stopped", "stopped"]);
    } finally {
      await first.close();
      await second.close();
    }
  });

  test.each([["while its process starts"], ["while it waits for a turn"]])(
    "a line that is cut off by the end of the server %s is stopped",
    async (when) => {
      const ending = await openWith(
        new ExecutorPool({ running: 1, processes: 1, isShared: false, hasCallers: false, waiting: 10, idleMs: undefined }),
      );
      const earlier = when === "while it waits for a turn" ? [ending.newSession().run("sleep 60")] : [];
      const cut = ending.newSession().run("cat a");
      // As soon as it has its turn, or waits for it.
      await new Promise((resolve) => setImmediate(resolve));
      await ending.close();
      for (const { result } of await Promise.all([...earlier, cut]))
        expect(result).toMatchObject({ kind: "stopped", limit: "cancelled", cap: "the server goes down" });
    },
  );

  test("an endless line stops at its time limit, with what it printed", async () => {
    const startedMs = performance.now();
    const { result, stdout } = await shell.defaultSession.run("yes", { keepBytes: 100 });
    expect(result).toMatchObject({ kind: "stopped" });
    expect(stdout.length).toBe(100);
    expect(performance.now() - startedMs).toBeLessThan(2500);
    await expectService();
  });

  test("cancelling ends a call at once", async () => {
    const cancellation = new AbortController();
    const running = shell.defaultSession.run("yes | tr y n | sort", { signal: cancellation.signal, keepBytes: 0 });
    setTimeout(() => cancellation.abort(), 200);
    const { result } = await running;
    expect(result).toMatchObject({ kind: "stopped", limit: "cancelled" });
    await expectService();
  });

  test("cancelling ends a call that waits, for its turn or for a process, before it runs", async () => {
    const running = Array.from({ length: 4 }, () => new AbortController());
    const busy = running.map(({ signal }) => shell.newSession().run("sleep 1", { signal }));
    const waiting = Array.from({ length: 6 }, () => new AbortController());
    const ends = waiting.map(({ signal }) => shell.newSession().run("echo ran", { signal }));
    const untouched = shell.newSession().run("echo ran");
    setTimeout(() => {
      for (const cancellation of waiting) cancellation.abort();
    }, 20);
    for (const { result, stdout } of await Promise.all(ends)) {
      expect({ ...result, stdout: stdout.toString() }).toMatchObject({ kind: "stopped", limit: "cancelled", stdout: "", stages: [] });
    }
    for (const cancellation of running) cancellation.abort();
    await Promise.all(busy);
    expect((await untouched).stdout.toString()).toBe("ran\n");
    await expectService();
  });

  test("a call whose time limit passes while all places are taken is BUSY then, and did not run", { timeout: 30_000 }, async () => {
    const host = await Shell.open({
      root: place.path,
      isolation: "process",
      policy: { ...DEFAULT_POLICY, limits: { ...DEFAULT_POLICY.limits, concurrentCalls: 1 } },
    });
    const stop = new AbortController();
    try {
      const running = host.newSession().run("sleep 600", { signal: stop.signal, timeMs: 600_000 });
      const waiting = host.newSession().run("echo ran", { timeMs: 600_000 });
      const { result, stdout } = await host.newSession().run("echo ran", { timeMs: 50 });
      const detail = expect.stringMatching(/^waited 0\.05 s for its turn, .* 1 calls? runs? at once, .* allow it more time\.$/);
      expect(result).toMatchObject({ kind: "refused", violations: [{ code: "LIMIT", reason: "BUSY", detail }] });
      expect(stdout.toString()).toBe("");
      stop.abort();
      expect(await running).toMatchObject({ result: { kind: "stopped", limit: "cancelled" } });
      expect((await waiting).stdout.toString()).toBe("ran\n");
    } finally {
      await host.close();
    }
  });

  test("while a call takes long, a spare is started, which the next call gets where that one is killed", { timeout: 30_000 }, async () => {
    skipWithout("pgrep");
    const ofThisProcess = (): readonly string[] =>
      spawnSync("pgrep", ["-f", "-P", String(process.pid), "dist/executor.js"], { encoding: "utf8" })
        .stdout.trim()
        .split("\n");
    const ofOtherTests = ofThisProcess();
    const executors = (): readonly string[] => ofThisProcess().filter((one) => !ofOtherTests.includes(one));
    const place = await Shell.open({ root: tmpdir(), isolation: "process", limits: { timeMs: 20_000 } });
    try {
      await place.defaultSession.run("true");
      const stop = new AbortController();
      // One that does not yield, and has to be killed.
      const long = place.newSession().run("awk 'BEGIN { while (1) i++ }'", { signal: stop.signal });
      await expect.poll(() => executors().length, { timeout: 10_000 }).toBe(2);
      const during = executors();
      stop.abort();
      expect((await long).result).toMatchObject({ kind: "stopped", limit: "cancelled" });
      expect((await place.defaultSession.run("echo ok")).stdout.toString()).toBe("ok\n");
      expect(executors()).toHaveLength(1);
      expect(during).toEqual(expect.arrayContaining([...executors()]));
    } finally {
      await place.close();
    }
  });

  test("a long call says how far it is, and in which stage", async () => {
    const heard: unknown[] = [];
    await shell.defaultSession.run("sleep 0.1; echo x; sleep 1.2 | cat", { onProgress: (progress) => heard.push(progress) });
    expect(heard).toContainEqual({ outputBytes: 2, stage: "sleep 1.2" });
  });

  test("a memory bomb dies alone", async () => {
    const { result } = await shell.defaultSession.run("yes aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa | tr -d '\\n' | sort", {
      timeMs: 1500,
    });
    expect(result.kind).toBe("stopped");
    await expectService();
  });

  test("calls run side by side", async () => {
    const sessions = Array.from({ length: 8 }, () => shell.newSession());
    const outcomes = await Promise.all(sessions.map((session, index) => session.run(`echo ${index} | cat`)));
    expect(outcomes.map(({ stdout }) => stdout.toString())).toEqual(sessions.map((_, index) => `${index}\n`));
  });

  test("a root that does not exist is said so", async () => {
    await expect(Shell.open({ root: `${place.path}/nope`, isolation: "process" })).rejects.toMatchObject({ code: "ENOENT" });
  });
});

describe("a supervisor that dies", () => {
  test("takes its executor with it, however busy that is", async () => {
    skipWithout("pgrep");
    const program = `import { Shell } from ${JSON.stringify(new URL("../../dist/index.js", import.meta.url).href)};
      const shell = await Shell.open({ root: ${JSON.stringify(place.path)}, isolation: "process" });
      void shell.defaultSession.run("sed ':a;ba' a");
      setTimeout(() => console.log("busy"), 500);`;
    const parent = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: ["ignore", "pipe", "inherit"] });
    await once(parent.stdout, "data");
    const children = execFileSync("pgrep", ["-P", String(parent.pid)], { encoding: "utf8" })
      .trim()
      .split("\n")
      .map(Number);
    expect(children.length).toBeGreaterThan(0);
    parent.kill("SIGKILL");
    for (const child of children) await expect.poll(() => isAlive(child), { timeout: 10_000 }).toBe(false);
  });
});

describe("streams", () => {
  test("pipe gives Node streams, and closing one stops the line", async () => {
    const { stdout, result } = shell.defaultSession.pipe("yes");
    for await (const block of stdout) {
      expect(String(block).startsWith("y\n")).toBe(true);
      break;
    }
    expect((await result).kind).toBe("stopped");
    await expectService();
  });
});
