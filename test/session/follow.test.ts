/** tail --since: what a watch sees of files that grow, rotate, shrink and vanish between two calls. */
import { appendFileSync, copyFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { RunReport } from "../../src/exec/result.ts";
import { Shell } from "../../src/session/shell.ts";
import { tree } from "../tree.ts";

let place: ReturnType<typeof tree>;
let shell: Shell;
let nowMs = 0;
beforeEach(async () => {
  place = tree(["app.log: 1\n2\n3\n", "b.log: x\n", "d/"]);
  nowMs = 1_800_000_000_000;
  shell = await Shell.open({ root: place.path, isolation: "none", nowMs: () => nowMs });
});
afterEach(async () => {
  await shell.close();
  place.remove();
});

const at = (name: string): string => join(place.path, name);

interface Seen {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: number;
  readonly notes: readonly string[];
  readonly cursor: string;
}

async function run(line: string, session = shell.defaultSession): Promise<Seen> {
  const { result, stdout, stderr } = await session.run(line);
  if (result.kind !== "completed") throw new Error(`${line}: ${JSON.stringify(result)}`);
  const { notes = [], cursors = [] }: RunReport = result;
  return { stdout: stdout.toString(), stderr: stderr.toString(), exit: result.exit, notes, cursor: cursors.at(-1)?.cursor ?? "none" };
}

const nothing = { stdout: "", stderr: "", exit: 0, notes: [] };

describe("a file that grows", () => {
  test("the first look shows its end, the next what came, each once", async () => {
    const first = await run("tail --since new -n 1 app.log");
    expect(first).toMatchObject({ stdout: "3\n", notes: [] });
    expect(await run(`tail --since ${first.cursor} app.log`)).toMatchObject(nothing);
    appendFileSync(at("app.log"), "4\n5\n");
    const second = await run(`tail --since=${first.cursor} app.log`);
    expect(second).toMatchObject({ stdout: "4\n5\n", stderr: "", exit: 0, notes: [] });
    expect(await run(`tail --since ${second.cursor} app.log`)).toMatchObject(nothing);
  });
  test("the last lines, none, bytes", async () => {
    expect((await run("tail --since new app.log")).stdout).toBe("1\n2\n3\n");
    expect((await run("tail --since new -n 0 app.log")).stdout).toBe("");
    expect((await run("tail --since new -c 3 app.log")).stdout).toBe("\n3\n");
  });
  test("the cursor before is good once more, for an answer that was lost", async () => {
    const { cursor } = await run("tail --since new app.log");
    appendFileSync(at("app.log"), "4\n");
    expect((await run(`tail --since ${cursor} app.log`)).stdout).toBe("4\n");
    expect((await run(`tail --since ${cursor} app.log`)).stdout).toBe("4\n");
  });
  test("behind it in the pipeline", async () => {
    const { cursor } = await run("tail --since new -n 0 app.log");
    appendFileSync(at("app.log"), "INFO a\nERROR b\nERROR c\n");
    const found = await run(`tail --since ${cursor} app.log | rg ERROR | wc -l`);
    expect(found.stdout).toBe("2\n");
    expect((await run(`tail --since ${found.cursor} app.log | head -n 1`)).stdout).toBe("");
  });
  test("a reader that leaves early has read it all the same", async () => {
    const { cursor } = await run("tail --since new -n 0 app.log");
    appendFileSync(at("app.log"), "line\n".repeat(100_000));
    const found = await run(`tail --since ${cursor} app.log | head -n 1`);
    expect(found.stdout).toBe("line\n");
    expect((await run(`tail --since ${found.cursor} app.log`)).stdout).toBe("");
  });
  test("an open last line waits for its end", async () => {
    const { cursor } = await run("tail --since new -n 0 app.log");
    appendFileSync(at("app.log"), "4\nhal");
    const open = await run(`tail --since ${cursor} app.log`);
    expect(open).toMatchObject({
      stdout: "4\n",
      notes: ["'app.log': a last line without its end (3 bytes so far) is left for the next look"],
    });
    appendFileSync(at("app.log"), "f\n");
    expect((await run(`tail --since ${open.cursor} app.log`)).stdout).toBe("half\n");
  });
  test("written anew with what it held and more, as tee -a does it", async () => {
    const { cursor } = await run("tail --since new app.log");
    await run("echo 4 | tee -a app.log");
    expect(await run(`tail --since ${cursor} app.log`)).toMatchObject({ ...nothing, stdout: "4\n" });
  });
});

describe("a file that is rotated", () => {
  test("by a new name: its rest, then the new one", async () => {
    const { cursor } = await run("tail --since new app.log");
    appendFileSync(at("app.log"), "4\nno end");
    renameSync(at("app.log"), at("app.log.1"));
    writeFileSync(at("app.log"), "5\n");
    const seen = await run(`tail --since ${cursor} app.log`);
    expect(seen).toMatchObject({
      stdout: "4\nno end\n5\n",
      notes: ["'app.log' was rotated: its rest was read from 'app.log.1', then the new one from its start"],
    });
    appendFileSync(at("app.log"), "6\n");
    expect(await run(`tail --since ${seen.cursor} app.log`)).toMatchObject({ ...nothing, stdout: "6\n" });
  });
  test("between its going and the new one's coming", async () => {
    const { cursor } = await run("tail --since new app.log");
    appendFileSync(at("app.log"), "4\n");
    renameSync(at("app.log"), at("other-name"));
    const gone = await run(`tail --since ${cursor} app.log`);
    expect(gone).toMatchObject({ stdout: "4\n", exit: 0, notes: ["'app.log' is gone; its rest was read from 'other-name'"] });
    writeFileSync(at("app.log"), "5\n");
    expect((await run(`tail --since ${gone.cursor} app.log`)).stdout).toBe("5\n");
  });
  test("and is not there any more: said, and the new one from its start", async () => {
    const { cursor } = await run("tail --since new app.log");
    writeFileSync(at("keeps the inode number"), "");
    rmSync(at("app.log"));
    writeFileSync(at("app.log"), "other\n");
    const seen = await run(`tail --since ${cursor} app.log`);
    expect(seen.stdout).toBe("other\n");
    expect(seen.notes[0]).toMatch(/^'app.log' was (replaced|truncated), and what it held is not beside it/);
  });
  test("by copytruncate: the copy's rest, then its own start", async () => {
    const { cursor } = await run("tail --since new app.log");
    appendFileSync(at("app.log"), "4\n");
    copyFileSync(at("app.log"), at("app.log.1"));
    truncateSync(at("app.log"));
    appendFileSync(at("app.log"), "5\n");
    expect(await run(`tail --since ${cursor} app.log`)).toMatchObject({
      stdout: "4\n5\n",
      notes: ["'app.log' was truncated: its rest was read from 'app.log.1', then the new one from its start"],
    });
  });
  test("truncated and grown past the cursor", async () => {
    const { cursor } = await run("tail --since new app.log");
    writeFileSync(at("app.log"), "a\nb\nc\nd\n");
    const seen = await run(`tail --since ${cursor} app.log`);
    expect(seen.stdout).toBe("a\nb\nc\nd\n");
    expect(seen.notes[0]).toMatch(/^'app.log' was truncated/);
  });
});

describe("a file that is not there", () => {
  test("deleted, and made again", async () => {
    const { cursor } = await run("tail --since new app.log");
    rmSync(at("app.log"));
    const gone = await run(`tail --since ${cursor} app.log`);
    expect(gone).toMatchObject({ stdout: "", stderr: "tail: cannot open 'app.log' for reading: No such file or directory\n", exit: 1 });
    writeFileSync(at("app.log"), "new\n");
    expect((await run(`tail --since ${gone.cursor} app.log`)).stdout).toBe("new\n");
  });
  test("not yet", async () => {
    const first = await run("tail --since new later.log");
    expect(first).toMatchObject({ exit: 1, stderr: "tail: cannot open 'later.log' for reading: No such file or directory\n" });
    writeFileSync(at("later.log"), "1\n");
    expect(await run(`tail --since ${first.cursor} later.log`)).toMatchObject({ ...nothing, stdout: "1\n" });
  });
  test("a directory", async () => {
    expect(await run("tail --since new d")).toMatchObject({ exit: 1, stderr: "tail: error reading 'd': Is a directory\n" });
  });
});

describe("several files", () => {
  test("headers for those that have something", async () => {
    const first = await run("tail --since new -n 1 app.log b.log");
    expect(first.stdout).toBe("==> app.log <==\n3\n\n==> b.log <==\nx\n");
    appendFileSync(at("b.log"), "y\n");
    const second = await run(`tail --since ${first.cursor} app.log b.log`);
    expect(second.stdout).toBe("==> b.log <==\ny\n");
    appendFileSync(at("b.log"), "z\n");
    expect((await run(`tail -q --since ${second.cursor} app.log b.log`)).stdout).toBe("z\n");
  });
  test("those of the cursor, where none is named; one of them; from another directory", async () => {
    const { cursor } = await run("tail --since new app.log b.log");
    appendFileSync(at("app.log"), "4\n");
    const one = await run(`cd d; tail --since ${cursor} ../app.log; cd ..`);
    expect(one.stdout).toBe("4\n");
    appendFileSync(at("b.log"), "y\n");
    expect((await run(`tail --since ${one.cursor}`)).stdout).toBe("==> b.log <==\ny\n");
  });
  test("one that the cursor is not of", async () => {
    const { cursor } = await run("tail --since new app.log");
    expect(await run(`tail --since ${cursor} b.log`)).toMatchObject({
      exit: 1,
      stderr: `tail: cursor '${cursor}' is not one of 'b.log'; begin with --since new\n`,
    });
  });
});

describe("how long a cursor lasts", () => {
  const unknown = /^tail: cursor '.*' is not known \(any more\)/;
  test("an hour after its last use", async () => {
    const { cursor } = await run("tail --since new app.log");
    nowMs += 59 * 60_000;
    const { cursor: next } = await run(`tail --since ${cursor} app.log`);
    nowMs += 59 * 60_000;
    const { cursor: last } = await run(`tail --since ${next} app.log`);
    nowMs += 61 * 60_000;
    expect(await run(`tail --since ${last} app.log`)).toMatchObject({ exit: 1, stderr: expect.stringMatching(unknown) });
  });
  test("sixteen watches; the one unused longest goes, and a look makes no new one", async () => {
    const cursors: string[] = [];
    for (let at = 0; at < 16; at++) cursors.push((await run("tail --since new app.log")).cursor);
    const first = await run(`tail --since ${cursors[0]} app.log`);
    await run("tail --since new app.log");
    expect((await run(`tail --since ${first.cursor} app.log`)).exit).toBe(0);
    expect((await run(`tail --since ${cursors[1]} app.log`)).stderr).toMatch(unknown);
    expect((await run(`tail --since ${cursors[2]} app.log`)).exit).toBe(0);
  });
  test("in its own session, and at most sixteen in a call", async () => {
    const { cursor } = await run("tail --since new app.log");
    expect((await run(`tail --since ${cursor} app.log`, shell.newSession())).stderr).toMatch(unknown);
    expect((await run("for i in {1..17}; do tail -n 0 --since new app.log; done")).stderr).toBe(
      "tail: --since: as many cursors as one call may give out are out\n",
    );
  });
  test("what is no cursor is refused before anything runs", async () => {
    for (const line of [
      "tail --since 5 app.log",
      "tail --since a.1 -n 3 app.log",
      "tail --since new -n +2 app.log",
      "tail --since new -",
    ]) {
      const { result, stderr } = await shell.defaultSession.run(line);
      expect(result.kind === "refused" || (result.kind === "completed" && result.exit === 1 && stderr.length > 0), line).toBe(true);
    }
  });
  test("through the executor process", async () => {
    const isolated = await Shell.open({ root: place.path, isolation: "process" });
    try {
      const { cursor } = await run("tail --since new app.log", isolated.defaultSession);
      appendFileSync(at("app.log"), "4\n");
      expect((await run(`tail --since ${cursor} app.log`, isolated.defaultSession)).stdout).toBe("4\n");
    } finally {
      await isolated.close();
    }
  });
});
