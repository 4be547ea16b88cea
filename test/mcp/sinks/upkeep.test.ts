/** Upkeep of a workspace that is watched: the commands it runs, and what it does with their ends. */
import { generateKeyPairSync } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createRecorder } from "../../../src/audit/recorder.ts";
import { anchorKey, checkAnchor, parseAnchor } from "../../../src/audit/ship/anchor.ts";
import { Slices } from "../../../src/audit/ship/slices.ts";
import { type JournalSince, newPlace, parsePlace } from "../../../src/audit/ship/place.ts";
import type { ShippedLine } from "../../../src/audit/ship/shipped-line.ts";
import type { AuditSettings } from "../../../src/config/server/audit-settings.ts";
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
function keep(end?: Partial<OwnCommandEnd>, given: Partial<AuditSettings> = {}, sinceClosed: JournalSince = "same"): Upkeep {
  const settings = { sinks: [], state: state.path, requireSink: false, anchorKeyFile: undefined, anchorMinutes: 60, keepDays: undefined };
  upkeep = new Upkeep({
    settings: { ...settings, ...given },
    ...{ name: "w", root: place.path, shippers: [shipper], turns: new Turns(1), sinceClosed },
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

const { publicKey, privateKey } = generateKeyPairSync("ed25519", {
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});
const JOURNAL = ".shelpa/@/journal.jsonl";
const keyFile = (): string => {
  writeFileSync(`${state.path}/key`, privateKey);
  return `${state.path}/key`;
};
const notices = (): string[] => sent.filter(({ log }) => log === "notices").map(({ kind }) => kind);
const anchors = (): ReturnType<typeof parseAnchor>[] => sent.filter(({ kind }) => kind === "anchor").map(({ text }) => parseAnchor(text));

/** Has the head signed, and waits until the sink has `count` notices. */
async function anchored(count: number): Promise<void> {
  await upkeep.anchor(keyFile());
  await until(() => notices().length === count);
}

test("the head is signed by a command of ours, goes to the sink behind its line, and not twice", async () => {
  write("a");
  await shipped();
  keep();
  await anchored(2);
  const [anchor] = anchors();
  expect(anchor).toMatchObject({ workspace: "w", records: 1, id: shipper.place.journal.id });
  expect(anchor && checkAnchor(workspace.writer(), anchor, anchorKey(publicKey)).verdict).toBe("holds");
  await upkeep.anchor(keyFile());
  await shipper.close(30_000);
  expect([ran.map((argv) => argv.includes("--after")), notices(), told]).toEqual([[false, true], ["first-seen", "anchor"], []]);
});

test("nothing is signed, and no command is run, where nothing was recorded", async () => {
  await shipper.readAhead();
  await keep().anchor(keyFile());
  expect(ran).toEqual([]);
});

test("a journal that was replaced is told before the head of the other is signed", async () => {
  write("a");
  await shipped();
  keep();
  await anchored(2);
  const [first] = anchors();
  rmSync(`${place.path}/.shelpa`, { recursive: true });
  workspace.close();
  workspace = Workspace.open(place.path);
  write("b");
  await anchored(5);
  expect(notices()).toEqual(["first-seen", "anchor", "journal-replaced", "anchor-lost", "anchor"]);
  const lost = sent.find(({ kind }) => kind === "anchor-lost");
  expect(JSON.parse(lost?.text ?? "")).toMatchObject({ anchored: { id: first?.id, sha256: first?.sha256, time: first?.time } });
  expect(told).toEqual([expect.stringMatching(/^audit anchor: shelpa-mcp: the journal no longer has the head that was signed at /)]);
  expect(anchors()[1]).toMatchObject({ records: 1, id: shipper.place.journal.id });
});

test("an old line that was changed is told once, and no head is signed", async () => {
  write("a");
  write("b");
  await shipped();
  keep();
  await anchored(2);
  const journal = readFileSync(`${place.path}/${JOURNAL}`, "utf8");
  writeFileSync(`${place.path}/${JOURNAL}`, journal.replace('"client":"test"', '"client":"tess"'));
  await anchored(3);
  await upkeep.anchor(keyFile());
  await shipper.close(30_000);
  expect([ran.length, notices()]).toEqual([3, ["first-seen", "anchor", "anchor-refused"]]);
  expect(told).toEqual([expect.stringMatching(/^audit anchor: shelpa-mcp: the chain of the journal is broken at line \d+, /)]);
});

test("the head is signed when the workspace is closed, and the place says so", async () => {
  write("a");
  await shipped();
  await keep(undefined, { anchorKeyFile: keyFile() }).close();
  await shipper.close(30_000);
  const kept = parsePlace(readFileSync(`${state.path}/place.json`, "utf8"));
  expect([notices(), kept?.isClosed, kept?.notices.anchored]).toEqual([["first-seen", "anchor"], true, kept?.journal.id]);
});

test.each<readonly [string, Parameters<Upkeep["close"]>[0], Partial<AuditSettings>]>([
  ["by whoever goes on with the workspace", AbortSignal.abort(), { anchorKeyFile: "key" }],
  ["without a key", undefined, {}],
])("no head is signed when it is closed %s", async (_, hurry, given) => {
  write("a");
  await shipped();
  await keep({}, given).close(hurry);
  expect(ran).toEqual([]);
});

test.each<readonly [JournalSince, readonly string[], readonly RegExp[]]>([
  ["same", [], []],
  ["longer", ["written-unwatched"], [/^audit: lines were recorded while no server watched the workspace, /]],
  ["other", [], [/^audit: the journal is not as it was when its head was signed at the closing of the workspace: /]],
])("a journal that is %s since the closing is told at the opening", async (since, kinds, messages) => {
  write("a");
  await shipped();
  keep({}, { anchorKeyFile: "key" }, since);
  expect(told).toEqual(messages.map((message) => expect.stringMatching(message)));
  await shipper.close(30_000);
  expect(notices()).toEqual(["first-seen", ...kinds]);
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
