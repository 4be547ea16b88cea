/** The records stay out of the user's repository, and nothing is made before there is a record. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { CallLog, type CallRecord } from "../../src/audit/call-log.ts";
import { fileVersions } from "../../src/audit/mirror.ts";
import { createRecorder } from "../../src/audit/recorder.ts";
import { verifyAudit } from "../../src/audit/verify.ts";
import type { WriteMode } from "../../src/builtin/recorder.ts";
import { toBytes } from "../../src/io/text.ts";
import { Workspace } from "../../src/workspace/workspace.ts";
import { needs } from "../needs.ts";
import { tree, type Tree } from "../tree.ts";

const CONTEXT = { session: "s", client: "test", line: "tee f", confirmOversize: false };
let place: Tree;
let workspace: Workspace;
beforeEach(() => {
  place = tree([]);
  workspace = Workspace.open(place.path);
});
afterEach(() => {
  workspace.close();
  place.remove();
});

function write(path: string, content: string, mode: WriteMode = "overwrite"): void {
  const transaction = createRecorder(workspace, CONTEXT).begin([path], mode, "");
  transaction.write(toBytes(content));
  transaction.commit();
}

const at = (path: string): string => `${place.path}/${path}`;
const versions = (path: string): unknown[] => fileVersions(workspace.writer(), path).map((version) => version.read()?.toString());

test("the first record makes the ignore file, once", () => {
  expect(existsSync(at(".shelpa"))).toBe(false);
  write("f", "x\n");
  expect(readFileSync(at(".shelpa/.gitignore"), "utf8")).toMatch(/^\*$/m);
  writeFileSync(at(".shelpa/.gitignore"), "theirs\n");
  write("f", "y\n");
  expect(readFileSync(at(".shelpa/.gitignore"), "utf8")).toBe("theirs\n");
});

test("an ignore file that a killed writer left empty is written", () => {
  mkdirSync(at(".shelpa"));
  writeFileSync(at(".shelpa/.gitignore"), "");
  write("f", "x\n");
  expect(readFileSync(at(".shelpa/.gitignore"), "utf8")).toMatch(/^\*$/m);
});

test("the records of .gitignore itself lie aside", () => {
  for (const [text, mode] of [
    ["a\n", "overwrite"],
    ["*\n", "append"],
    ["b\n", "overwrite"],
  ] as const)
    write(".gitignore", text, mode);
  write("sub/.gitignore", "c\n");
  expect(versions(".gitignore")).toEqual(["a\n", "a\n*\n", "b\n"]);
  expect(versions("sub/.gitignore")).toEqual(["c\n"]);
  expect(readFileSync(at(".shelpa/.gitignore"), "utf8")).toMatch(/^# Made by shelpa.*\n\*\n$/);
  expect(verifyAudit(workspace).findings).toEqual([]);
});

test("a mirror of .gitignore from before there were ignore files goes on", () => {
  const old = "--- shelpa:overwrite ts=2026-02-25T13:17:30Z record_id=1 ---\na\n";
  mkdirSync(at(".shelpa"));
  writeFileSync(at(".shelpa/.gitignore"), old);
  write(".gitignore", "b\n");
  expect(readFileSync(at(".shelpa/.gitignore"), "utf8").startsWith(old)).toBe(true);
  expect(versions(".gitignore")).toEqual(["b\n"]);
});

needs("git").test("a real git sees only the files that were written", {}, () => {
  const git = (...args: string[]): string => execFileSync("git", ["-C", place.path, ...args], { encoding: "utf8" });
  git("init", "-q");
  write("f", "x\n");
  write(".gitignore", "*.log\n");
  write("d/.gitignore", "!f\n");
  expect(git("status", "--porcelain", "-uall")).toBe("?? .gitignore\n?? d/.gitignore\n?? f\n");
});

test("calls are logged once there is a record; those before it with it", () => {
  const log = new CallLog(place.path, "notable");
  const call = (command: string): CallRecord => ({
    ts: "2026-02-25T13:17:30.123Z",
    session: "s",
    client: "test",
    command,
    directory: "",
    outcome: "refused",
    exit: null,
    reason: "DISALLOWED_CMD",
    records: [],
    elapsed_ms: 1,
  });
  log.note(call("rm a"));
  expect(existsSync(at(".shelpa"))).toBe(false);
  write("f", "x\n");
  log.note(call("rm b"));
  log.close();
  const logged = readFileSync(at(".shelpa/@/calls.jsonl"), "utf8").trimEnd().split("\n");
  expect(logged.map((line) => (JSON.parse(line) as CallRecord).command)).toEqual(["rm a", "rm b"]);
});
