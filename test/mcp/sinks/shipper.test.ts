/** The shipper of one workspace to one sink: retries, crashes, and when it has writes refused. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createRecorder } from "../../../src/audit/recorder.ts";
import { Slices } from "../../../src/audit/ship/slices.ts";
import { newPlace, parsePlace } from "../../../src/audit/ship/place.ts";
import type { ShippedLine } from "../../../src/audit/ship/shipped-line.ts";
import { type AuditSink, SinkAway } from "../../../src/mcp/sinks/audit-sink.ts";
import { Shipper } from "../../../src/mcp/sinks/shipper.ts";
import { Turns } from "../../../src/mcp/sinks/turns.ts";
import { Workspace } from "../../../src/workspace/workspace.ts";
import { tree, type Tree } from "../../tree.ts";
import { until } from "./receivers.ts";

let place: Tree;
let state: Tree;
let sent: ShippedLine[];
let told: string[];
let shippers: Shipper[];
let turns: Turns;
let nowMs: number;
/** Answer of the sink to a batch: undefined confirms it. */
let answer: () => Promise<void> | undefined;
beforeEach(() => {
  place = tree([]);
  state = tree([]);
  sent = [];
  told = [];
  shippers = [];
  turns = new Turns(1);
  nowMs = Date.now();
  answer = () => undefined;
});
afterEach(async () => {
  answer = () => undefined;
  await Promise.all(shippers.map((shipper) => shipper.close(30_000)));
  place.remove();
  state.remove();
});

const sink = (batchBytes = 1 << 20): AuditSink => ({
  name: "a sink",
  batchBytes,
  send: async (lines) => {
    await answer();
    sent.push(...lines);
  },
});
const file = (): string => `${state.path}/places/w.json`;

/** As AuditShipping makes it, of the place that is kept. */
function shipper(of = sink()): Shipper {
  const kept = existsSync(file()) ? parsePlace(readFileSync(file(), "utf8")) : undefined;
  const made = new Shipper({
    workspace: Workspace.open(place.path),
    sink: of,
    turns,
    slices: new Slices(),
    file: file(),
    place: kept ?? newPlace("a stream", "w", nowMs),
    log: ({ message }) => told.push(message),
    chance: () => 1,
    nowMs: () => nowMs,
  });
  shippers.push(made);
  return made;
}

function write(path: string): void {
  const workspace = Workspace.open(place.path);
  const transaction = createRecorder(workspace, { session: "s", client: "test", line: "line", confirmOversize: true }).begin(
    [path],
    "overwrite",
    "",
  );
  transaction.write(Buffer.from("x\n"));
  transaction.commit();
  workspace.close();
}

const numbers = (): number[] => sent.filter(({ log }) => log === "journal").map(({ sequence }) => sequence);
const keptNumber = (): number => (existsSync(file()) ? (parsePlace(readFileSync(file(), "utf8"))?.journal.sequence ?? -1) : -1);

test("nothing is written where nothing was recorded", async () => {
  const one = shipper();
  one.changed();
  await one.close(30_000);
  expect([sent, told, existsSync(`${state.path}/places`)]).toEqual([[], [], false]);
  shippers = [];
});

test("what is written while it ships is shipped, and what is there when it ends", async () => {
  const one = shipper(sink(1));
  write("a");
  one.changed();
  await until(() => numbers().length === 2);
  write("b");
  await one.close(30_000);
  expect(numbers()).toEqual([1, 2, 3, 4]);
  expect(keptNumber()).toBe(4);
  shippers = [];
});

test("a sink that fails gets the same batch again, later each time, and its operator is told once", async () => {
  let tries = 0;
  answer = () => (++tries < 4 ? Promise.reject(new SinkAway("away")) : undefined);
  write("a");
  const one = shipper();
  one.changed();
  await until(() => keptNumber() === 2);
  expect([tries, numbers()]).toEqual([4, [1, 2]]);
  expect(told).toEqual([
    "audit sink a sink: away; records wait on the disk, and it is tried again",
    "audit sink a sink: takes records again",
  ]);
});

test("a notice is told to the operator once, however often it must be sent", async () => {
  write("a");
  const one = shipper();
  one.changed();
  await until(() => keptNumber() === 2);
  rmSync(`${place.path}/.shelpa`, { recursive: true });
  let tries = 0;
  answer = () => (++tries < 3 ? Promise.reject(new SinkAway("away")) : undefined);
  write("b");
  one.changed();
  await until(() => keptNumber() === 4);
  expect(told).toEqual([
    "audit sink a sink gets the notice journal-replaced: The journal no longer holds what was sent of it: it was rewritten, replaced or removed. It is sent from its beginning.",
    "audit sink a sink: away; records wait on the disk, and it is tried again",
    "audit sink a sink: takes records again",
  ]);
});

test("of many notices of a kind the operator is told once a minute, and how many there were", async () => {
  write("a");
  const one = shipper();
  one.changed();
  await until(() => keptNumber() === 2);
  const journal = `${place.path}/.shelpa/@/journal.jsonl`;
  const [line = ""] = readFileSync(journal, "utf8").split("\n");
  const breaks = (): string[] => told.filter((text) => text.includes("chain-broken"));
  appendFileSync(journal, `${line}\n`.repeat(50));
  one.changed();
  await until(() => keptNumber() === 52);
  expect(breaks()).toEqual([expect.stringContaining("gets the notice chain-broken: ")]);
  nowMs += 60_000;
  appendFileSync(journal, `${line}\n`);
  one.changed();
  await until(() => keptNumber() === 53);
  expect(breaks().slice(1)).toEqual([expect.stringContaining("gets the notice chain-broken (and 49 times before that): ")]);
});

test("a crash between the sending and the keeping of the place: the batch comes again with its numbers, and nothing else", async () => {
  write("a");
  const first = shipper();
  first.changed();
  await until(() => keptNumber() === 2);
  const before = readFileSync(file(), "utf8");
  write("b");
  first.changed();
  await until(() => keptNumber() === 4);
  await first.close(30_000);
  writeFileSync(file(), before);
  write("c");
  shippers = [];
  const second = shipper();
  second.changed();
  await until(() => keptNumber() === 6);
  expect(numbers()).toEqual([1, 2, 3, 4, 3, 4, 5, 6]);
  const [, , third, fourth, ...again] = sent.filter(({ log }) => log === "journal");
  expect(again.slice(0, 2)).toEqual([third, fourth]);
});

test("a crash before the first confirmation: the stream keeps its name", async () => {
  write("a");
  let isAway = true;
  answer = () => (isAway ? Promise.reject(new SinkAway("away")) : undefined);
  const first = shipper();
  first.changed();
  await until(() => told.length === 1);
  expect(parsePlace(readFileSync(file(), "utf8"))).toMatchObject({ stream: "a stream", journal: { sequence: 0 } });
  isAway = false;
});

test("a place that was lost, or is damaged: all is sent again", async () => {
  write("a");
  const first = shipper();
  first.changed();
  await until(() => keptNumber() === 2);
  await first.close(30_000);
  writeFileSync(file(), "{");
  shippers = [];
  shipper().changed();
  await until(() => keptNumber() === 2);
  expect(numbers()).toEqual([1, 2, 1, 2]);
});

test("a root that is gone is told, and its records are not", async () => {
  const one = shipper();
  rmSync(place.path, { recursive: true });
  one.changed();
  await until(() => told.length === 1);
  expect(told[0]).toMatch(/^audit sink a sink: the records cannot be read: /);
});

test("an anchor waits for its line, and one that was sent is not sent again", async () => {
  write("a");
  const one = shipper();
  one.changed();
  await until(() => keptNumber() === 2);
  const { id } = one.place.journal;
  one.anchor({ id, time: "2026-02-25T13:17:30Z", text: "{}" });
  one.anchor({ id, time: "2026-02-25T13:17:31Z", text: '{"another":1}' });
  await until(() => sent.some(({ kind }) => kind === "anchor"));
  await until(() => !one.hasAnchor);
  one.anchor({ id, time: "2026-02-25T13:17:32Z", text: '{"another":2}' });
  await one.close(30_000);
  expect(sent.filter(({ kind }) => kind === "anchor")).toHaveLength(1);
  shippers = [];
});

describe("writes are refused", () => {
  const SECOND = 1000;
  const away = (): Promise<void> => Promise.reject(new SinkAway("away"));

  test("never while nothing waits", async () => {
    const one = shipper();
    nowMs += 3600 * SECOND;
    await one.readAhead();
    expect(one.writesRefusedBecause()).toBeUndefined();
  });
  test("not at once, but once a record has waited for 30 s, and until the sink confirms", async () => {
    write("a");
    answer = away;
    const one = shipper();
    one.changed();
    await until(() => told.length === 1);
    expect(one.writesRefusedBecause()).toBeUndefined();
    nowMs += 29 * SECOND;
    expect(one.writesRefusedBecause()).toBeUndefined();
    nowMs += 2 * SECOND;
    expect(one.writesRefusedBecause()).toMatch(/^the audit's sink has confirmed nothing for 3\d s, and without that no line writes here$/);
    answer = () => undefined;
    await until(() => one.writesRefusedBecause() === undefined);
  });
  test("also right after a restart, where the record is as old as that", async () => {
    write("a");
    answer = away;
    nowMs += 3600 * SECOND;
    const one = shipper();
    expect(one.writesRefusedBecause()).toBeUndefined();
    const kept = newPlace("a stream", "w", nowMs - 3600 * SECOND);
    const two = new Shipper({
      ...{ workspace: Workspace.open(place.path), sink: sink(), turns, slices: new Slices(), file: file(), place: kept },
      ...{ log: () => undefined, chance: () => 1, nowMs: () => nowMs },
    });
    shippers.push(two);
    await two.readAhead();
    expect(two.writesRefusedBecause()).toBeUndefined();
    nowMs += 5 * SECOND;
    expect(two.writesRefusedBecause()).toMatch(/has confirmed nothing for 3\d\d\d s, and/);
  });
  test("also where a repository brought a record that is dated in the future", async () => {
    const line = { kind: "repair", id: "9000000000000000000", ts: "2255-03-13T00:00:00Z", damaged_bytes: 0, prev: "0".repeat(64) };
    mkdirSync(`${place.path}/.shelpa/@`, { recursive: true });
    writeFileSync(`${place.path}/.shelpa/@/journal.jsonl`, `${JSON.stringify(line)}\n`);
    answer = away;
    const one = shipper();
    await one.readAhead();
    for (let look = 0; look < 4; look++) {
      nowMs += 10 * SECOND;
      await one.readAhead();
    }
    expect(one.writesRefusedBecause()).toMatch(/for 40 s/);
  });
  test("also while a shipper has no turn at the sink, and cannot tell", async () => {
    const giveBack = await turns.take(new AbortController().signal);
    const one = shipper();
    one.changed();
    nowMs += 29 * SECOND;
    expect(one.writesRefusedBecause()).toBeUndefined();
    nowMs += 2 * SECOND;
    expect(one.writesRefusedBecause()).toMatch(/for 31 s/);
    giveBack?.();
    await until(() => one.writesRefusedBecause() === undefined);
  });
  test("a batch that is confirmed counts, though more waits", async () => {
    write("a");
    write("b");
    let isFirst = true;
    answer = () => {
      if (!isFirst) return away();
      isFirst = false;
      nowMs += 60 * SECOND;
      return undefined;
    };
    const one = shipper(sink(1));
    one.changed();
    await until(() => told.length === 1);
    expect(one.writesRefusedBecause()).toBeUndefined();
    nowMs += 31 * SECOND;
    expect(one.writesRefusedBecause()).toMatch(/for 31 s/);
  });
});
