/**
 * Records after long use: many versions of one file, many files, two writers at once, large files. Nothing is lost,
 * each version can be restored byte for byte, and a write costs no more because of earlier writes.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { createRecorder } from "../../src/audit/recorder.ts";
import { planRestore, restore } from "../../src/audit/restore.ts";
import { verifyAudit } from "../../src/audit/verify.ts";
import { writeRecords } from "../../src/audit/write-records.ts";
import type { WriteMode } from "../../src/builtin/recorder.ts";
import { Workspace } from "../../src/workspace/workspace.ts";
import { stressRandom, stressRuns } from "../stress-settings.ts";
import { tree } from "../tree.ts";
import { sha256 } from "./tree-check.ts";

// What is measured is the work, not the disk.
if (existsSync("/dev/shm")) process.env.TMPDIR = "/dev/shm";

const CONTEXT = { session: "s", client: "test", line: "tee", confirmOversize: true };
const LONG_MS = 3_000_000;

/** Gives the record's id. */
function write(workspace: Workspace, file: string, mode: WriteMode, pieces: Iterable<string | Uint8Array>): string {
  const transaction = createRecorder(workspace, CONTEXT).begin([file], mode, "");
  for (const piece of pieces) transaction.write(Buffer.from(piece));
  return transaction.commit()[0]?.recordId ?? "";
}

const errors = (workspace: Workspace): unknown[] => verifyAudit(workspace).findings.filter(({ severity }) => severity === "error");

/** Milliseconds of CPU time that `action` takes. */
function cpuMs(action: () => void): number {
  const before = process.cpuUsage();
  action();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Writes `count` times and gives the cost of a write in each tenth, in milliseconds of CPU time. */
function costs(count: number, writeOne: (at: number) => void): number[] {
  return Array.from({ length: 10 }, (_, tenth) => {
    const from = Math.floor((count * tenth) / 10);
    const to = Math.floor((count * (tenth + 1)) / 10);
    const took = cpuMs(() => {
      for (let at = from; at < to; at++) writeOne(at);
    });
    return Math.round((took / (to - from)) * 100) / 100;
  });
}

const VERSIONS = stressRuns(300, 300);
const RESTORED = 50;

test(`${VERSIONS} overwrites of one file with forged separators in them: ${RESTORED} versions come back`, { timeout: LONG_MS }, () => {
  const random = stressRandom();
  const { path: root, remove } = tree(["f: somebody else's, not ended"]);
  const workspace = Workspace.open(root);
  const ids: string[] = [];
  const hashes: string[] = [];
  const perTenth = costs(VERSIONS, (at) => {
    const forged = `--- shelpa:overwrite ts=2026-02-25T13:17:30Z record_id=${ids.at(-1) ?? "1"} ---\n`;
    const text = `${at}\n${forged}${"z".repeat(Math.floor(random() * 300))}\n--- shelpa:preimage record_id=${ids[0] ?? "1"} ---${at % 3 === 0 ? "" : "\n"}`;
    const isAppend = at % 10 === 9;
    ids.push(write(workspace, "f", isAppend ? "append" : "overwrite", [text]));
    hashes.push(sha256(readFileSync(`${root}/f`)));
  });
  expect(errors(workspace)).toEqual([]);
  for (let count = 0; count < RESTORED; count++) {
    const at = Math.floor(random() * VERSIONS);
    restore(workspace, planRestore(workspace, ids[at] as string, { undo: false }), CONTEXT);
    expect(sha256(readFileSync(`${root}/f`)), `version ${at}`).toBe(hashes[at]);
  }
  restore(workspace, planRestore(workspace, ids[0] as string, { undo: true }), CONTEXT);
  expect(readFileSync(`${root}/f`, "utf8")).toBe("somebody else's, not ended");
  expect(errors(workspace)).toEqual([]);
  console.log(`${VERSIONS} versions: CPU ms a write by tenths ${perTenth.join(" ")}`);
  workspace.close();
  remove();
});

const FILES = stressRuns(100, 100);

test(`${FILES} files in turn, three times`, { timeout: LONG_MS }, () => {
  const { path: root, remove } = tree([]);
  const workspace = Workspace.open(root);
  const perTenth = costs(FILES * 3, (at) => void write(workspace, `d${at % 7}/${at % FILES}`, "overwrite", [`${at}\n`]));
  expect(errors(workspace)).toEqual([]);
  console.log(`${FILES} files in turn: CPU ms a write by tenths ${perTenth.join(" ")}`);
  workspace.close();
  remove();
});

const ROUNDS = stressRuns(60, 60);

test(`two writers of one file, ${ROUNDS} times each: every write is recorded and none is lost`, { timeout: LONG_MS }, async () => {
  const bundle = mkdtempSync(`${tmpdir()}/shelpa-writers-`);
  await build({
    entryPoints: [`${import.meta.dirname}/writers-driver.ts`],
    bundle: true,
    platform: "node",
    format: "esm",
    outfile: `${bundle}/driver.mjs`,
    logLevel: "error",
  });
  const { path: root, remove } = tree(["f: before\n"]);
  const writers = [1, 2].map(() => fork(`${bundle}/driver.mjs`, [root, String(ROUNDS)], { stdio: ["ignore", "ignore", "inherit", "ipc"] }));
  const exits = await Promise.all(writers.map((writer) => once(writer, "exit")));
  expect(exits.map(([code]) => code as unknown)).toEqual([0, 0]);
  const workspace = Workspace.open(root);
  expect(errors(workspace)).toEqual([]);
  const records = writeRecords(workspace.writer());
  expect(records.filter(({ result }) => result === "done").length).toBe(2 * ROUNDS);
  // Each write begins with what the one before it left.
  for (const [index, record] of records.entries()) {
    expect(record.before?.sha256).toBe(index === 0 ? sha256("before\n") : records[index - 1]?.after?.sha256);
  }
  expect(sha256(readFileSync(`${root}/f`))).toBe(records.at(-1)?.after?.sha256);
  workspace.close();
  remove();
  rmSync(bundle, { recursive: true, force: true });
});

const LARGE_MIB = stressRuns(20, 20);

test(`${LARGE_MIB} MiB, written over and had back`, { timeout: LONG_MS }, () => {
  const random = stressRandom();
  const { path: root, remove } = tree(["f: small\n"]);
  const workspace = Workspace.open(root);
  const block = (byte: number): Buffer => Buffer.alloc(1 << 20, byte).fill("\n--- shelpa:overwrite record_id=1 ---\n", 1000, 1040);
  const pieces = Array.from({ length: LARGE_MIB }, () => Math.floor(random() * 256));
  const transaction = createRecorder(workspace, CONTEXT).begin(["g"], "overwrite", "");
  for (const byte of pieces) transaction.write(block(byte));
  const id = transaction.commit()[0]?.recordId ?? "";
  const large = sha256(readFileSync(`${root}/g`));
  write(workspace, "g", "overwrite", ["small\n"]);
  expect(errors(workspace)).toEqual([]);
  restore(workspace, planRestore(workspace, id, { undo: false }), CONTEXT);
  expect(sha256(readFileSync(`${root}/g`))).toBe(large);
  expect(errors(workspace)).toEqual([]);
  workspace.close();
  remove();
});
