/** `audit verify` of a journal that cannot have been written where it lies, or when it says. */
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createRecorder } from "../../src/audit/recorder.ts";
import { verifyAudit, type AuditFinding } from "../../src/audit/verify.ts";
import { toBytes } from "../../src/io/text.ts";
import { Workspace } from "../../src/workspace/workspace.ts";
import { tree, type Tree } from "../tree.ts";

const HOUR_MS = 3_600_000;

let place: Tree;
let workspace: Workspace;
beforeEach(() => {
  place = tree([".shelpa/@/"]);
  workspace = Workspace.open(place.path);
});
afterEach(() => {
  workspace.close();
  place.remove();
});

const journal = (): string => `${place.path}/.shelpa/@/journal.jsonl`;
const idAt = (ms: number): string => String(BigInt(Math.round(ms)) * 1_000_000n);
const timeOf = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");
/** A line that a project could bring: the only one of a journal, so that its chain is whole. */
const brought = (ms: number): void =>
  writeFileSync(journal(), `${JSON.stringify({ kind: "repair", id: idAt(ms), ts: timeOf(ms), prev: "0".repeat(64), damaged_bytes: 0 })}\n`);
const write = (): void => {
  const transaction = createRecorder(workspace, { line: "tee f", session: "s", client: "c", confirmOversize: true }).begin(
    ["f"],
    "overwrite",
    "",
  );
  transaction.write(toBytes("x\n"));
  transaction.commit();
};
const found = (nowMs = Date.now()): readonly AuditFinding[] => verifyAudit(workspace, nowMs).findings;

test("a journal of our own says nothing of it", () => {
  write();
  expect(found()).toEqual([]);
});

describe("the first record is older than the journal's file", () => {
  test.each([
    { name: "by months", ageMs: 2000 * HOUR_MS, codes: ["BROUGHT_HERE"] },
    { name: "by an hour", ageMs: HOUR_MS, codes: ["BROUGHT_HERE"] },
    { name: "by less than a clock may be wrong", ageMs: 30_000, codes: [] },
  ])("$name", ({ ageMs, codes }) => {
    const firstMs = Date.now() - ageMs;
    brought(firstMs);
    expect(found().map(({ code }) => code)).toEqual(codes);
    // What is written here afterwards does not make it ours.
    write();
    const findings = found();
    expect(findings.map(({ code }) => code)).toEqual(codes);
    for (const { severity, path, detail } of findings) {
      expect([severity, path]).toEqual(["warn", ""]);
      expect(detail).toContain(`The journal's first record is of ${timeOf(firstMs)}, and its file came into being here at 20`);
    }
  });

  test("as where a journal of our own was copied", () => {
    brought(Date.now() - HOUR_MS);
    mkdirSync(`${place.path}/copy/.shelpa/@`, { recursive: true });
    copyFileSync(journal(), `${place.path}/copy/.shelpa/@/journal.jsonl`);
    const copy = Workspace.open(`${place.path}/copy`);
    expect(verifyAudit(copy).findings.map(({ code }) => code)).toEqual(["BROUGHT_HERE"]);
    copy.close();
  });
});

test("a record of a time that is still to come", () => {
  const ms = Date.now() + HOUR_MS;
  brought(ms);
  expect(found()).toMatchObject([
    {
      severity: "warn",
      code: "NOT_YET",
      path: "",
      recordId: idAt(ms),
      detail: expect.stringContaining(`is of ${timeOf(ms)}, which is still to come`),
    },
  ]);
  expect(found(ms + HOUR_MS)).toEqual([]);
});
