/** Every state a file was in can be had back, and so can the one before a restore. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fileVersions } from "../../src/audit/mirror.ts";
import { createRecorder } from "../../src/audit/recorder.ts";
import { NotRestorable, planRestore, restore } from "../../src/audit/restore.ts";
import { verifyAudit } from "../../src/audit/verify.ts";
import { writeRecords } from "../../src/audit/write-records.ts";
import type { WriteMode } from "../../src/builtin/recorder.ts";
import { toBytes } from "../../src/io/text.ts";
import { Workspace } from "../../src/workspace/workspace.ts";
import { tree, type Tree } from "../tree.ts";

const CONTEXT = { session: "s", client: "test", line: "tee f", confirmOversize: true };
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

function write(path: string, content: string | Uint8Array, mode: WriteMode = "overwrite"): string {
  const transaction = createRecorder(workspace, CONTEXT).begin([path], mode, "");
  transaction.write(typeof content === "string" ? toBytes(content) : content);
  return transaction.commit()[0]?.recordId ?? "";
}

function bringBack(recordId: string, undo = false): string | undefined {
  return restore(workspace, planRestore(workspace, recordId, { undo }), { ...CONTEXT, line: `restore ${recordId}` });
}

const at = (path: string): string => `${place.path}/${path}`;
const read = (path: string): string | undefined => (existsSync(at(path)) ? readFileSync(at(path), "utf8") : undefined);
const findings = (): string[] => verifyAudit(workspace).findings.map(({ code, path }) => `${code} ${path}`);

test("50 random versions of one file, byte for byte, in any order", () => {
  let seed = 5;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return (seed >>> 8) % below;
  };
  const versions: { id: string; bytes: Buffer }[] = [];
  let now = Buffer.alloc(0);
  for (let version = 0; version < 50; version++) {
    const forged = random(4) === 0 ? `--- shelpa:overwrite ts=2026-01-01T00:00:00Z record_id=${version} ---\n` : "";
    const bytes = Buffer.concat([Buffer.from(forged), Buffer.from(Array.from({ length: random(5000) }, () => random(256)))]);
    const isAppend = version > 0 && random(3) === 0;
    const id = write("f", bytes, isAppend ? "append" : "overwrite");
    now = isAppend ? Buffer.concat([now, bytes]) : bytes;
    versions.push({ id, bytes: now });
  }
  for (let turn = 0; turn < 60; turn++) {
    const { id, bytes } = versions[turn < 50 ? turn : random(50)] as (typeof versions)[number];
    bringBack(id);
    expect(readFileSync(at("f")).equals(bytes), `version ${turn}`).toBe(true);
  }
  expect(findings()).toEqual([]);
});

test("what was there before us comes back with the pre-image, or by undoing the first write", () => {
  writeFileSync(at("f"), "theirs\n");
  const first = write("f", "ours\n");
  const { preimage } = writeRecords(workspace.writer())[0] as { preimage: string };
  bringBack(preimage);
  expect(read("f")).toBe("theirs\n");
  bringBack(first);
  expect(read("f")).toBe("ours\n");
  bringBack(first, true);
  expect(read("f")).toBe("theirs\n");
});

test("a file that a write created is removed by undoing it, and comes back by undoing that", () => {
  const created = write("new/f", "x\n");
  const removal = bringBack(created, true) as string;
  expect(read("new/f")).toBeUndefined();
  expect(writeRecords(workspace.writer()).at(-1)).toMatchObject({ mode: "remove", after: null, result: "done" });
  expect(findings()).toEqual([]);
  bringBack(removal, true);
  expect(read("new/f")).toBe("x\n");
  bringBack(removal);
  expect(read("new/f")).toBeUndefined();
});

test("bytes that somebody else wrote meanwhile are recorded before they are replaced or removed", () => {
  const created = write("f", "ours\n");
  writeFileSync(at("f"), "theirs\n");
  expect(findings()).toEqual(["CHANGED_OUTSIDE f"]);
  bringBack(created, true);
  expect(read("f")).toBeUndefined();
  const preimage = fileVersions(workspace.writer(), "f").find(({ kind }) => kind === "preimage");
  expect(preimage?.read()?.toString()).toBe("theirs\n");
  write("f", "again\n");
  expect(fileVersions(workspace.writer(), "f").map((version) => version.kind)).toEqual(["overwrite", "preimage", "remove", "overwrite"]);
});

test("an append to bytes that were never recorded is undone from the file itself, while that is possible", () => {
  writeFileSync(at("f"), "theirs\n");
  const first = write("f", "one\n", "append");
  write("f", "two\n", "append");
  bringBack(first, true);
  expect(read("f")).toBe("theirs\n");
  bringBack(first);
  expect(read("f")).toBe("theirs\none\n");
});

test("a state that is there already writes nothing", () => {
  const id = write("f", "x\n");
  expect(bringBack(id)).toBeUndefined();
  expect(writeRecords(workspace.writer())).toHaveLength(1);
});

test("what cannot be had back says why", () => {
  const id = write("f", "x\n");
  expect(() => planRestore(workspace, "1", { undo: false })).toThrow(new NotRestorable("there is no record 1"));
  writeFileSync(at(".shelpa/f"), readFileSync(at(".shelpa/f"), "utf8").replace("x\n", "y\n"));
  write("f", "z\n");
  expect(() => planRestore(workspace, id, { undo: false })).toThrow(`.shelpa/f: record ${id} is not what was recorded`);
  expect(findings()).toEqual(["MIRROR_CHANGED f"]);
});

const TAMPERINGS: readonly { readonly name: string; readonly tamper: () => void; readonly found: readonly string[] }[] = [
  { name: "nothing", tamper: () => {}, found: [] },
  { name: "a file changed by somebody else", tamper: () => writeFileSync(at("a"), "x"), found: ["CHANGED_OUTSIDE a"] },
  { name: "a file removed by somebody else", tamper: () => rmSync(at("b")), found: ["REMOVED_OUTSIDE b"] },
  {
    name: "a line of the journal removed",
    tamper: () => editJournal((lines) => lines.filter((_, index) => index !== 1)),
    found: ["CHAIN_BROKEN ", "OPEN_TRANSACTION a"],
  },
  {
    name: "a line of the journal changed",
    tamper: () => editJournal((lines) => lines.map((line, index) => (index === 0 ? line.replace("tee f", "tee g") : line))),
    found: ["CHAIN_BROKEN "],
  },
  {
    name: "a line of the journal damaged",
    tamper: () => editJournal((lines) => lines.map((line, index) => (index === 3 ? line.slice(0, 20) : line))),
    found: ["CHAIN_BROKEN ", "LINE_DAMAGED ", "OPEN_TRANSACTION b"],
  },
  {
    name: "the last line cut short",
    tamper: () => writeFileSync(journal(), readFileSync(journal(), "utf8").slice(0, -30)),
    found: ["CHANGED_OUTSIDE a", "LINE_CUT_SHORT ", "OPEN_TRANSACTION a"],
  },
  { name: "a mirror removed", tamper: () => rmSync(at(".shelpa/b")), found: ["MIRROR_MISSING b"] },
  { name: "a mirror cut short", tamper: () => writeFileSync(at(".shelpa/b"), ""), found: ["MIRROR_CHANGED b"] },
  { name: "bytes put behind a mirror", tamper: () => writeFileSync(at(".shelpa/b"), "more", { flag: "a" }), found: ["MIRROR_EXTRA b"] },
  {
    name: "a mirror of no record",
    tamper: () => {
      mkdirSync(at(".shelpa/d"));
      writeFileSync(at(".shelpa/d/x"), "");
    },
    found: ["ORPHAN_MIRROR .shelpa/d/x"],
  },
  {
    name: "a temporary file left",
    tamper: () => writeFileSync(at(".shelpa-new-0123456789abcdef"), ""),
    found: ["LEFTOVER .shelpa-new-0123456789abcdef"],
  },
];

const journal = (): string => at(".shelpa/@/journal.jsonl");

function editJournal(edit: (lines: readonly string[]) => readonly string[]): void {
  writeFileSync(journal(), edit(readFileSync(journal(), "utf8").split("\n")).join("\n"));
}

for (const { name, tamper, found } of TAMPERINGS) {
  test(`verify: ${name}`, () => {
    write("a", "one\n");
    write("b", "two\n");
    write("a", "three\n", "append");
    tamper();
    expect(findings().toSorted()).toEqual(found.toSorted());
  });
}
