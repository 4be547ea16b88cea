/** The class that a server opens: its sinks beside each other, its state directory, and what it refuses to begin with. */
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createRecorder } from "../../../src/audit/recorder.ts";
import { ConfigurationError } from "../../../src/config/configuration-error.ts";
import type { AuditSettings } from "../../../src/config/server/audit-settings.ts";
import { AuditShipping } from "../../../src/mcp/sinks/audit-shipping.ts";
import { Workspace } from "../../../src/workspace/workspace.ts";
import { tree, type Tree } from "../../tree.ts";
import { syslogReceiver, until } from "./receivers.ts";

let place: Tree;
let state: Tree;
let out: string[];
let shipping: AuditShipping | undefined;
beforeEach(() => {
  place = tree([]);
  state = tree([]);
  out = [];
});
afterEach(async () => {
  await shipping?.close();
  shipping = undefined;
  place.remove();
  state.remove();
});

const settings = (given: Partial<AuditSettings>): AuditSettings => ({
  ...{ sinks: [{ type: "stdout" }], state: `${state.path}/state`, requireSink: false },
  ...{ anchorKeyFile: undefined, anchorMinutes: 60, keepDays: undefined },
  ...given,
});
const writeOut = async (text: string): Promise<void> => void out.push(...text.split("\n").slice(0, -1));
function open(given: Partial<AuditSettings> = {}, write: (text: string) => Promise<void> = writeOut): AuditShipping {
  shipping = AuditShipping.open(settings(given), () => undefined, write);
  return shipping;
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
const journal = (): string[] => readFileSync(`${place.path}/.shelpa/@/journal.jsonl`, "utf8").split("\n").slice(0, -1);
const ofJournal = (): string[] => out.filter((line) => line.includes('"log":"journal"'));

test("a line of standard output holds the journal's line as it is", async () => {
  write("a");
  open().watch("w", place.path);
  await until(() => ofJournal().length === 2);
  const [first = ""] = ofJournal();
  expect(first.endsWith(`,"record":${journal()[0]}}`)).toBe(true);
  expect(JSON.parse(first)).toMatchObject({ shelpa: "audit", workspace: "w", log: "journal", sequence: 1, kind: "intent" });
});

test("nothing is written where there is nothing to send", async () => {
  open().watch("w", place.path);
  await shipping?.close();
  expect([out, existsSync(`${state.path}/state`), existsSync(`${place.path}/.shelpa`)]).toEqual([[], false, false]);
});

test("another server goes on from the place of the first; nothing of it lies in the root", async () => {
  write("a");
  open().watch("w", place.path);
  await until(() => ofJournal().length === 2);
  await shipping?.close();
  const before = out.length;
  write("b");
  expect(await open().isUnfinished("w", place.path)).toBe(true);
  const watched = open().watch("w", place.path);
  await watched.close();
  expect(out.slice(before).map((line) => (JSON.parse(line) as { sequence: number }).sequence)).toEqual([3, 4]);
  expect(await open().isUnfinished("w", place.path)).toBe(false);
  expect(readdirSync(`${state.path}/state/places`)).toEqual([expect.stringMatching(/^w-[0-9a-f]{24}\.json$/)]);
  expect(readdirSync(`${place.path}/.shelpa/@`).sort()).toEqual(["journal.jsonl"]);
});

test("a workspace of which nothing was ever sent is not unfinished", async () => {
  write("a");
  expect(await open().isUnfinished("w", place.path)).toBe(false);
});

test("a sink that hangs delays no other, and no end for longer than it may", async () => {
  const receiver = await syslogReceiver();
  try {
    write("a");
    const sinks = [
      { type: "stdout" },
      { type: "syslog", host: "127.0.0.1", port: receiver.port, isTls: false, caFile: undefined },
    ] as const;
    const watched = open({ sinks, requireSink: true }, () => new Promise(() => undefined)).watch("w", place.path);
    await until(() => receiver.messages.length === 3);
    expect(receiver.messages.map(({ facts }) => facts["kind"])).toEqual(["first-seen", "intent", "outcome"]);
    expect(watched.writesRefusedBecause()).toBeUndefined();
    await watched.close();
    expect(readdirSync(`${state.path}/state/places`)).toHaveLength(2);
  } finally {
    await receiver.close();
  }
});

const openWithHeaders = () =>
  open({ sinks: [{ type: "otlp", url: "https://h/v1/logs", caFile: undefined, headersFile: `${state.path}/headers` }] });

function withHeaders(text: string | undefined, second?: string) {
  if (text !== undefined) writeFileSync(`${state.path}/headers`, text);
  if (second !== undefined && !existsSync(`${state.path}/${second}`)) linkSync(`${state.path}/headers`, `${state.path}/${second}`);
  return openWithHeaders();
}

describe("refused at the start", () => {
  test.each<readonly [string, () => unknown, string]>([
    [
      "stdout, which is the protocol's",
      () => AuditShipping.open(settings({}), () => undefined),
      "audit.sinks: standard output is the protocol's here",
    ],
    [
      "an authority that is not there",
      () => open({ sinks: [{ type: "otlp", url: "https://h/v1/logs", caFile: `${state.path}/ca.pem`, headersFile: undefined }] }),
      "is not there, or holds no certificate in PEM",
    ],
    ["headers that are not there", () => withHeaders(undefined), "headers_file: STATE/headers is not there"],
    [
      "a line that is no header",
      () => withHeaders("A: b\n\nAuthorization Bearer secret\n"),
      "headers_file: STATE/headers, line 3: a header is NAME: VALUE",
    ],
    ["a header with nothing in it", () => withHeaders("A:\n"), "line 1: a header is NAME: VALUE"],
    ["a header of our own", () => withHeaders("Content-Length: 1\n"), "line 1: Content-Length is set by the server itself"],
    ["headers by a second name", () => withHeaders("A: b\n", "second"), "it has 2 names"],
    [
      "a state directory in the root",
      () => open({ state: `${place.path}/state` }).watch("w", place.path),
      "lies in the root of the workspace w",
    ],
  ])("%s", (_, begin, message) => {
    expect(begin).toThrow(ConfigurationError);
    expect(begin).toThrow(message.replace("STATE", state.path));
    expect(begin).not.toThrow("secret");
  });
  test("a place that cannot be read", async () => {
    write("a");
    await open().watch("w", place.path).close();
    const [name = ""] = readdirSync(`${state.path}/state/places`);
    const other = `${state.path}/other`;
    mkdirSync(`${other}/places/${name}`, { recursive: true });
    expect(() => open({ state: other }).watch("w", place.path)).toThrow(ConfigurationError);
  });
});
