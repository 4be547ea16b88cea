/** The log of calls: the bounds of its lines and its files. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CallLog, type CallRecord, callRecords, MOST_CALL_LOG_BYTES } from "../../src/audit/call-log.ts";
import { MOST_LINE_BYTES } from "../../src/audit/raw-lines.ts";
import { Workspace } from "../../src/workspace/workspace.ts";
import { tree, type Tree } from "../tree.ts";

let place: Tree;
let log: CallLog;
beforeEach(() => {
  place = tree([]);
  log = new CallLog(place.path, "notable");
});
afterEach(() => {
  log.close();
  place.remove();
});

const CALLS = ".shelpa/@/calls.jsonl";
const OLDER = ".shelpa/@/calls.older.jsonl";
const path = (name: string): string => `${place.path}/${name}`;
const lines = (): string[] => readFileSync(path(CALLS), "utf8").split("\n").slice(0, -1);
const call = (given: Partial<CallRecord> = {}): CallRecord => ({
  ...{ ts: "2026-02-25T13:17:30.123Z", session: "s", client: "mcp", command: "line", directory: "" },
  ...{ outcome: "refused", exit: null, reason: "DISALLOWED_CMD", records: [], elapsed_ms: 1 },
  ...given,
});
/** A journal is there, so that calls are logged at once. */
function begin(): void {
  mkdirSync(path(".shelpa/@"), { recursive: true });
  writeFileSync(path(".shelpa/@/journal.jsonl"), "");
}
function read(): CallRecord[] {
  const workspace = Workspace.open(place.path);
  try {
    return [...callRecords(workspace.writer())];
  } finally {
    workspace.close();
  }
}

test("before the first record, calls are held, or make the log where that is asked for", () => {
  log.note(call({ command: "held" }));
  expect(existsSync(path(CALLS))).toBe(false);
  log.close();
  log = new CallLog(place.path, "notable", true);
  log.note(call({ command: "at once" }));
  expect(read().map(({ command }) => command)).toEqual(["at once"]);
});

test("a client is also sought by the name and the subject of its token", () => {
  log.close();
  log = new CallLog(place.path, "all");
  for (const [command, token, subject] of [
    ["a", "ci", undefined],
    ["b", "app", "alice"],
    ["c", undefined, undefined],
  ] as const)
    log.note(call({ command, ...(token === undefined ? {} : { token }), ...(subject === undefined ? {} : { subject }) }));
  const workspace = Workspace.open(place.path);
  const sought = (client: string): string[] => [...callRecords(workspace.writer(), { client })].map(({ command }) => command);
  expect(["ci", "app", "alice", "mcp", "bob"].map(sought)).toEqual([["a"], ["b"], ["b"], ["a", "b", "c"], []]);
  workspace.close();
});

describe("a line", () => {
  const x = (count: number): string => "x".repeat(count);
  const ids = (count: number): string[] => Array.from({ length: count }, () => "1795289807092000001");
  test.each<readonly [string, Partial<CallRecord>, Partial<CallRecord>]>([
    ["that is as long as it may be is whole", { command: x(10_000), ran: x(10_000) }, { command: x(10_000), ran: x(10_000) }],
    ["has a long command line cut, and says how long it was", { command: x(10_001) }, { command: x(10_000), cut: { command: 10_001 } }],
    ["has a long expansion cut", { ran: x(50_000) }, { command: "line", ran: x(10_000), cut: { ran: 50_000 } }],
    ["has ids of records cut", { records: ids(20_001) }, { records: ids(20_000), cut: { records: 20_001 } }],
  ])("%s", (_, given, expected) => {
    begin();
    log.note(call(given));
    expect(read()).toEqual([call(expected)]);
  });
  test("of the longest call can be read back", () => {
    begin();
    log.note(call({ command: "\u0001".repeat(1 << 20), ran: "\u0001".repeat(1 << 20), records: ids(200_000) }));
    expect(read()).toHaveLength(1);
    expect(lines()[0]?.length).toBeLessThan(MOST_LINE_BYTES);
  });
});

test("a file ends at its cap, also where all calls of the beginning are written at once, and none is lost", () => {
  const long = call({ command: "\u0001".repeat(10_000), ran: "\u0001".repeat(10_000) });
  for (let number = 0; number < 100; number++) log.note(long);
  begin();
  writeFileSync(path(CALLS), "");
  // One line of holes, which no reader takes for a call.
  truncateSync(path(CALLS), (32 << 20) - 1);
  appendFileSync(path(CALLS), "\n");
  log.note(long);
  expect(statSync(path(OLDER)).size).toBeLessThan((32 << 20) + 4 * (1 << 20));
  expect(statSync(path(OLDER)).size).toBeLessThan(MOST_CALL_LOG_BYTES);
  expect(read()).toHaveLength(101);
});
