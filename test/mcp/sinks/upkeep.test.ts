/** Upkeep of a workspace that is watched: the commands it runs, and what it does with their ends. */
import { generateKeyPairSync } from "node:crypto";
import { readdirSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createRecorder } from "../../../src/audit/recorder.ts";
import { anchorKey, checkAnchor, parseAnchor } from "../../../src/audit/ship/anchor.ts";
import { Slices } from "../../../src/audit/ship/slices.ts";
import { newPlace } from "../../../src/audit/ship/place.ts";
import type { ShippedLine } from "../../../src/audit/ship/shipped-line.ts";
import { type OwnCommandEnd, runOwnCommand } from "../../../src/exec/own-command.ts";
import { Shipper } from "../../../src/mcp/sinks/shipper.ts";
import { Turns } from "../../../src/mcp/sinks/turns.ts";
import { Upkeep } from "../../../src/mcp/sinks/upkeep.ts";
import { Workspace } from "../../../src/workspace/workspace.ts";
import { tree, type Tree } from "../../tree.ts";
import { until } from "./receivers.ts";

const DAY_MS = 86_400_000;
let place: Tree;
let state: Tree;
let workspace: Workspace;
let sent: ShippedLine[];
let told: string[];
let ran: (readonly string[])[];
let shipper: Shipper;
let upkeep: Upkeep;
beforeEach(() => {
  place = tree([]);
  state = tree([]);
  workspace = Workspace.open(place.path);
  sent = [];
  told = [];
  ran = [];
  shipper = new Shipper({
    workspace: Workspace.open(place.path),
    sink: { name: "a sink", batchBytes: 1 << 20, send: async (lines) => void sent.push(...lines) },
    turns: new Turns(1),
    slices: new Slices(),
    file: `${state.path}/place.json`,
    place: newPlace("s", "w", 0),
    ...{ log: () => undefined, chance: () => 1, nowMs: () => Date.now() },
  });
});
afterEach(async () => {
  await upkeep.close();
  await shipper.close(30_000);
  workspace.close();
  place.remove();
  state.remove();
});

/** `end` is what a command ends with; undefined: it is run. */
function keep(end?: Partial<OwnCommandEnd>): Upkeep {
  upkeep = new Upkeep({
    settings: { sinks: [], state: state.path, requireSink: false, anchorKeyFile: undefined, anchorMinutes: 60, keepDays: undefined },
    ...{ name: "w", root: place.path, shippers: [shipper] },
    log: ({ message }) => told.push(message),
    run: (argv, timeoutMs, signal) => {
      ran.push(argv);
      return end === undefined ? runOwnCommand(argv, timeoutMs, signal) : Promise.resolve({ status: 0, stdout: "", stderr: "", ...end });
    },
  });
  return upkeep;
}

/** `ageMs`: the record's, in milliseconds. */
function write(path: string, ageMs = 0): void {
  const nowNs = (): bigint => BigInt(Date.now() - ageMs) * 1_000_000n;
  const context = { session: "s", client: "test", line: "line", confirmOversize: true, nowNs };
  const transaction = createRecorder(workspace, context).begin([path], "overwrite", "");
  transaction.write(Buffer.from("x\n"));
  transaction.commit();
}

async function shipped(): Promise<void> {
  shipper.changed();
  const { length } = sent;
  await until(() => sent.length > length && shipper.place.journal.sequence === sent.filter(({ log }) => log === "journal").length);
}

test("the head is signed by a command of ours, goes to the sink behind its line, and not twice", async () => {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519", {
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  writeFileSync(`${state.path}/key`, privateKey);
  write("a");
  await shipped();
  await keep().anchor(`${state.path}/key`);
  await until(() => sent.some(({ kind }) => kind === "anchor"));
  const anchor = parseAnchor(sent.find(({ kind }) => kind === "anchor")?.text ?? "");
  expect(anchor).toMatchObject({ workspace: "w", records: 1, id: shipper.place.journal.id });
  expect(checkAnchor(workspace.writer(), anchor, anchorKey(publicKey)).verdict).toBe("holds");
  await upkeep.anchor(`${state.path}/key`);
  expect([ran.length, told]).toEqual([1, []]);
});

test("a key that is none is told, once", async () => {
  write("a");
  await shipped();
  const kept = keep({ status: 1, stderr: "shelpa-mcp: there is no such file\n" });
  await kept.anchor("nothing");
  await kept.anchor("nothing");
  expect(told).toEqual(["audit anchor: shelpa-mcp: there is no such file"]);
});

test("old records go into an archive in the state directory", async () => {
  write("a", 10 * DAY_MS);
  write("b", 9 * DAY_MS);
  write("c");
  await shipped();
  await keep().prune(5);
  expect(told).toEqual([expect.stringMatching(/^audit: 2 records in 2 mirrors, until \S+Z pruned; /)]);
  expect(readdirSync(`${state.path}/archives/w`)).toEqual([expect.stringMatching(/\.tar\.gz$/)]);
  await upkeep.prune(5);
  expect(told).toHaveLength(1);
  expect(readdirSync(`${state.path}/archives/w`)).toHaveLength(1);
});

test("none that a sink has not confirmed", async () => {
  write("a", 10 * DAY_MS);
  await shipped();
  const confirmedMs = Number(BigInt(shipper.place.journal.id) / 1_000_000n);
  await keep({}).prune(5);
  expect(ran[0]?.slice(0, 6)).toEqual(["audit", "prune", "--root", place.path, "--before", new Date(confirmedMs).toISOString()]);
});

test("nothing is pruned before anything was sent", async () => {
  write("a", 10 * DAY_MS);
  await keep({}).prune(5);
  expect(ran).toEqual([]);
});

test("a command that takes too long is ended", async () => {
  expect(await runOwnCommand(["audit", "verify", "--root", place.path], 1, new AbortController().signal)).toMatchObject({
    status: undefined,
  });
  keep();
});
