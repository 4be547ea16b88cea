/** Lines of one session that are sent together: moves and writes keep their order, the rest may overlap. */
import { expect, test } from "vitest";
import { Shell } from "../../src/session/shell.ts";
import { tree } from "../tree.ts";

test("lines sent together see the moves before them and no later ones", async () => {
  const place = tree(["a/x:", "b/y:"]);
  const shell = await Shell.open({ root: place.path, isolation: "none" });
  try {
    const lines = ["cd a", "ls", "cd ../b", "ls", "\\cd ..", "ls"];
    const outcomes = await Promise.all(lines.map((line) => shell.defaultSession.run(line)));
    expect(outcomes.map(({ stdout }) => stdout.toString())).toEqual(["", "x\n", "", "y\n", "", "a\nb\n"]);
  } finally {
    await shell.close();
    place.remove();
  }
});

test("a line with its own cwd that only reads waits for no move", async () => {
  const place = tree(["a/x:"]);
  const shell = await Shell.open({ root: place.path, isolation: "none" });
  const stop = new AbortController();
  try {
    const endless = shell.defaultSession.run("cd a; yes", { signal: stop.signal, keepBytes: 0 });
    expect((await shell.defaultSession.run("ls", { cwd: "a" })).stdout.toString()).toBe("x\n");
    stop.abort();
    await endless;
  } finally {
    await shell.close();
    place.remove();
  }
});

test("a line whose time limit passes while another moves the session is BUSY, and those behind it keep their order", async () => {
  const place = tree(["a/x:", "b/y:"]);
  const shell = await Shell.open({ root: place.path, isolation: "none" });
  const stop = new AbortController();
  try {
    const session = shell.defaultSession;
    const endless = session.run("cd a; yes", { signal: stop.signal, keepBytes: 0 });
    const behind = session.run("ls");
    const late = await Promise.all(["ls", "cd b"].map((line) => session.run(line, { timeMs: 50 })));
    const detail = expect.stringMatching(
      /^waited 0\.05 s for its turn, .* nothing of it ran: a line before it in the same session still runs/,
    );
    for (const { result } of late)
      expect(result).toMatchObject({ kind: "refused", violations: [{ code: "LIMIT", reason: "BUSY", detail }] });
    const last = session.run("ls");
    stop.abort();
    await endless;
    expect((await Promise.all([behind, last])).map(({ stdout }) => stdout.toString())).toEqual(["x\n", "x\n"]);
  } finally {
    await shell.close();
    place.remove();
  }
});

test("the time in the queue is part of a line's time, and is told", async () => {
  const place = tree(["a/x:"]);
  const shell = await Shell.open({ root: place.path, isolation: "none" });
  try {
    const before = shell.defaultSession.run("cd a; sleep 0.3");
    const { result } = await shell.defaultSession.run("sleep 600", { timeMs: 1000 });
    await before;
    // On a machine so busy that the first line took all of its time.
    if (result.kind === "refused") return;
    expect(result).toMatchObject({
      kind: "stopped",
      limit: "time",
      cap: expect.stringMatching(/^1 s, \d\.\d s of them waiting for its turn$/),
    });
  } finally {
    await shell.close();
    place.remove();
  }
});

test("lines that write keep their order, and a line after them sees all of it, whatever its directory", async () => {
  const place = tree(["a/"]);
  const shell = await Shell.open({ root: place.path, isolation: "none" });
  try {
    const session = shell.defaultSession;
    const numbers = Array.from({ length: 10 }, (_, at) => at + 1);
    const writes = numbers.map((number) =>
      // The slower the earlier; every other one with a directory of its own.
      number % 2 === 0
        ? session.run(`sleep 0.0${10 - number}; echo ${number} | tee -a ../seq.txt`, { cwd: "a" })
        : session.run(`sleep 0.0${10 - number}; echo ${number} | tee -a seq.txt`),
    );
    const reads = [session.run("cat seq.txt"), session.run("cat ../seq.txt", { cwd: "a" })];
    const removed = session.run("rm seq.txt");
    const after = session.run("ls");
    const all = numbers.map((number) => `${number}\n`).join("");
    expect((await Promise.all(reads)).map(({ stdout }) => stdout.toString())).toEqual([all, all]);
    await Promise.all([...writes, removed]);
    expect((await after).stdout.toString()).toBe("a\n");
  } finally {
    await shell.close();
    place.remove();
  }
});

test("a line that writes waits for those that read before it", async () => {
  const place = tree(["f: old\n"]);
  const shell = await Shell.open({ root: place.path, isolation: "none" });
  try {
    const session = shell.defaultSession;
    const read = session.run("sleep 0.2; cat f");
    const write = session.run("echo new | tee f", { cwd: "." });
    expect((await read).stdout.toString()).toBe("old\n");
    expect((await write).result.kind).toBe("completed");
  } finally {
    await shell.close();
    place.remove();
  }
});

test("lines that only read run side by side, and so does one that is only assessed", async () => {
  const place = tree(["f: x\n"]);
  const shell = await Shell.open({ root: place.path, isolation: "none" });
  const stop = new AbortController();
  try {
    const session = shell.defaultSession;
    // Neither ends before the other has begun.
    const endless = session.run("yes", { signal: stop.signal, keepBytes: 0 });
    expect((await session.run("cat f")).stdout.toString()).toBe("x\n");
    expect((await session.assess("rm f")).stages[0]?.writes).toMatchObject([{ path: "f" }]);
    stop.abort();
    await endless;
  } finally {
    await shell.close();
    place.remove();
  }
});
