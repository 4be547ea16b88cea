/**
 * A prune that is stopped before, or half-way through, each call that changes a file, and one of which a call fails: either every
 * record is there as before, or those that went are in an archive that is whole, and what remains verifies.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { afterAll, afterEach, expect, test } from "vitest";
import { prunable, prune } from "../../src/audit/prune.ts";
import { createRecorder } from "../../src/audit/recorder.ts";
import { recordedState } from "../../src/audit/restore.ts";
import { storedLines } from "../../src/audit/stored-journal.ts";
import { verifyAudit } from "../../src/audit/verify.ts";
import { writeRecords } from "../../src/audit/write-records.ts";
import type { WriteMode } from "../../src/builtin/recorder.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { Workspace } from "../../src/workspace/workspace.ts";
import { tree } from "../tree.ts";
import { installFaultLayer, systemError } from "./fault-layer.ts";

class Stopped extends Error {}

// What matters here is the order of the calls: a file system in memory does not wait for a disk.
if (existsSync("/dev/shm")) process.env.TMPDIR = "/dev/shm";

const layer = installFaultLayer();
afterEach(() => layer.disarm());
afterAll(() => layer.remove());

const CONTEXT = { session: "s", client: "test", line: "tee", confirmOversize: true };

function write(workspace: Workspace, files: readonly string[], text: string, mode: WriteMode = "overwrite"): string {
  const transaction = createRecorder(workspace, CONTEXT).begin(files, mode, "");
  transaction.write(Buffer.from(text));
  return transaction.commit().at(-1)?.recordId ?? "";
}

function stateOf(workspace: Workspace): ReadonlyMap<string, string> {
  const states = new Map<string, string>();
  for (const { id } of writeRecords(workspace.writer())) {
    for (const when of ["before", "after"] as const) {
      states.set(`${id} ${when}`, recordedState(workspace, id, when).content?.toString("latin1") ?? "nothing");
    }
  }
  return states;
}

/** Runs a prune with `fault` at its nth call, for n = 1, 2, … until there is no nth call; then `check`. Gives how many there were. */
function eachCall(fault: Parameters<typeof layer.arm>[1], check: (thrown: unknown, nth: number) => void): number {
  for (let nth = 1; ; nth++) {
    const { path: root, remove } = tree(["a: somebody else's\n"]);
    const target = tree([]);
    const workspace = Workspace.open(root);
    const elsewhere = Workspace.open(target.path);
    write(workspace, ["a", "d/gone"], `${"x".repeat(100_000)}\n`);
    write(workspace, ["gone"], "1\n");
    const last = write(workspace, ["a"], "2\n", "append");
    const before = stateOf(workspace);
    const plan = prunable(workspace, BigInt(last));
    const directory = elsewhere.writer().root();
    let thrown: unknown;
    layer.arm(nth, fault);
    try {
      prune(workspace, plan, directory, "archive");
    } catch (error) {
      thrown = error;
    }
    layer.disarm();
    layer.dead = undefined;
    directory.close();
    checkState(workspace, root, target.path, before, nth);
    check(thrown, nth);
    workspace.close();
    elsewhere.close();
    remove();
    target.remove();
    if (!layer.fired) return nth - 1;
  }
}

function checkState(workspace: Workspace, root: string, target: string, before: ReadonlyMap<string, string>, nth: number): void {
  const note = `call ${nth}`;
  const now = stateOf(workspace);
  for (const [key, state] of now) expect(state, note).toBe(before.get(key));
  const pruned = [...storedLines(workspace.writer())].find((line) => line.kind === "pruned");
  expect(now.size, note).toBe(pruned === undefined ? before.size : 2);
  if (pruned?.kind === "pruned") {
    const archive = readFileSync(`${target}/archive`);
    expect(createHash("sha256").update(archive).digest("hex"), note).toBe(pruned.archive.sha256);
    expect(gunzipSync(archive).length % 512, note).toBe(0);
  }
  expect(verifyAudit(workspace).findings.filter(({ severity }) => severity === "error")).toEqual([]);
  const lock = `${root}/.shelpa/@/lock`;
  // A lock whose making was cut short is waited out (see write-lock.ts); here it is only put aside.
  if (existsSync(lock)) writeFileSync(lock, readFileSync(lock, "utf8").replace(/"pid":\d+/, '"pid":999999999') || "{}");
  createRecorder(workspace, CONTEXT).begin([], "overwrite", "").abort();
  if (existsSync(lock)) return;
  write(workspace, ["afterwards"], "new\n");
  expect(verifyAudit(workspace).findings, note).toEqual([]);
  const left = readdirSync(`${root}/.shelpa/@`).filter((name) => !/^journal\.jsonl$/.test(name));
  expect(left, note).toEqual([]);
  if (pruned !== undefined) expect(readdirSync(`${root}/.shelpa`), note).not.toContain("gone");
}

for (const half of [false, true]) {
  test(`stopped ${half ? "half-way through" : "before"} each call`, { timeout: 60_000 }, () => {
    let stopped = 0;
    const calls = eachCall(
      (real, args, name) => {
        if (half && name === "writeSync") real(args[0], args[1], args[2], Math.floor((args[1] as Uint8Array).length / 2), args[4] ?? null);
        layer.dead = new Stopped();
        throw layer.dead;
      },
      (thrown) => {
        if (thrown instanceof Stopped) stopped++;
      },
    );
    expect(stopped).toBe(calls);
    expect(calls).toBeGreaterThan(15);
  });
}

for (const code of ["ENOSPC", "EIO", "EACCES"]) {
  test(`${code} at each call`, { timeout: 60_000 }, () => {
    const calls = eachCall(
      () => {
        throw systemError(code);
      },
      (thrown, nth) => expect(thrown === undefined || thrown instanceof FileError, `call ${nth}: ${String(thrown)}`).toBe(true),
    );
    expect(calls).toBeGreaterThan(15);
  });
}
