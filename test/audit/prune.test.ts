/** Prune: the archive, verification and undo of what remains, messages for what went, and tampering with the lines in front. */
import { existsSync, readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { NotPrunable } from "../../src/audit/prune-plan.ts";
import { prunable, prune } from "../../src/audit/prune.ts";
import { createRecorder } from "../../src/audit/recorder.ts";
import { recordedState } from "../../src/audit/restore.ts";
import { createUndo } from "../../src/audit/undo.ts";
import { verifyAudit } from "../../src/audit/verify.ts";
import { writeRecords } from "../../src/audit/write-records.ts";
import type { EditTransaction, WriteMode } from "../../src/builtin/recorder.ts";
import { Workspace } from "../../src/workspace/workspace.ts";
import { tree, type Tree } from "../tree.ts";

let place: Tree;
let elsewhere: Tree;
let workspace: Workspace;
beforeEach(() => {
  place = tree(["theirs: somebody else's\n", "link => theirs"]);
  elsewhere = tree([]);
  workspace = Workspace.open(place.path);
});
afterEach(() => {
  workspace.close();
  place.remove();
  elsewhere.remove();
});

const context = (call?: { first: string | undefined }) => ({
  session: "s",
  client: "test",
  line: "line",
  confirmOversize: true,
  ...(call === undefined ? {} : { call }),
});

function write(path: string, text: string, mode: WriteMode = "overwrite", call?: { first: string | undefined }): string {
  const transaction = createRecorder(workspace, context(call)).begin([path], mode, "");
  transaction.write(Buffer.from(text));
  return transaction.commit().at(-1)?.recordId ?? "";
}

function edit(change: (edits: EditTransaction) => void): void {
  const edits = createRecorder(workspace, context()).edit("");
  change(edits);
  edits.commit();
}

/** Prunes all records before the one with this id, into the archive `name`. */
function pruneBefore(id: string, name = "a.tar.gz"): void {
  const target = Workspace.open(elsewhere.path);
  const directory = target.writer().root();
  try {
    prune(workspace, prunable(workspace, BigInt(id)), directory, name);
  } finally {
    directory.close();
    target.close();
  }
}

const findings = (): string[] => verifyAudit(workspace).findings.map(({ code, path, detail }) => `${code} ${path} ${detail}`);
const ids = (): string[] => writeRecords(workspace.writer()).map(({ id }) => id);
const at = (path: string): string => `${place.path}/${path}`;
const undo = (sought: Parameters<ReturnType<typeof createUndo>["plan"]>[0]): void =>
  void createUndo(workspace, { ...context(), writeVerdict: () => "ordinary" })
    .plan(sought)
    .carryOut();

/** Bytes before and after each record, or why there are none. */
function states(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { id } of writeRecords(workspace.writer())) {
    for (const when of ["before", "after"] as const) {
      let state: string;
      try {
        state = recordedState(workspace, id, when).content?.toString("latin1") ?? "nothing";
      } catch (thrown) {
        state = String(thrown);
      }
      found.set(`${id} ${when}`, state);
    }
  }
  return found;
}

/** Names in the archive → content; read as POSIX describes it, with GNU's long names. */
function members(name = "a.tar.gz"): ReadonlyMap<string, Buffer> {
  const bytes = gunzipSync(readFileSync(`${elsewhere.path}/${name}`));
  const found = new Map<string, Buffer>();
  const text = (from: number, to: number): string => bytes.toString("utf8", from, to).replace(/\0.*$/s, "");
  let longName: string | undefined;
  for (let at = 0; bytes[at] !== 0; ) {
    const size = Number.parseInt(text(at + 124, at + 136), 8);
    const content = bytes.subarray(at + 512, at + 512 + size);
    if (bytes[at + 156] === "L".charCodeAt(0)) longName = content.toString("utf8").replace(/\0$/, "");
    else {
      found.set(longName ?? text(at, at + 100), bytes[at + 156] === "2".charCodeAt(0) ? Buffer.from(text(at + 157, at + 257)) : content);
      longName = undefined;
    }
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return found;
}

test("what went is in the archive as it was, what remains can be undone, and both say so", () => {
  const long = `${"directory/".repeat(12)}file`;
  const first = write("theirs", "one\n");
  write("gone", "gone\n");
  write(long, "long\n");
  edit((edits) => edits.remove("link"));
  const journal = readFileSync(at(".shelpa/@/journal.jsonl"));
  const [keptLink = ""] = readdirSync(at(".shelpa/@")).filter((name) => name.startsWith(".shelpa-old-"));
  expect(readlinkSync(at(`.shelpa/@/${keptLink}`))).toBe("theirs");
  const second = write("theirs", "two\n", "append");
  expect(findings()).toEqual([]);
  pruneBefore(second);
  expect(findings()).toEqual([]);
  expect(ids()).toEqual([second]);
  const archived = members();
  expect([...archived.keys()].toSorted()).toEqual(
    [".shelpa/@/journal.jsonl", `.shelpa/@/${keptLink}`, `.shelpa/${long}`, ".shelpa/gone", ".shelpa/link", ".shelpa/theirs"].toSorted(),
  );
  expect(archived.get(".shelpa/@/journal.jsonl")?.equals(journal)).toBe(true);
  expect(archived.get(".shelpa/gone")?.toString()).toMatch(/^--- shelpa:overwrite .* ---\ngone\n$/);
  expect(archived.get(`.shelpa/@/${keptLink}`)?.toString()).toBe("theirs");
  expect(readdirSync(at(".shelpa")).toSorted()).toEqual([".gitignore", "@", "theirs"]);
  expect(readdirSync(at(".shelpa/@"))).toEqual(["journal.jsonl"]);
  expect(() => undo({ kind: "record", id: first })).toThrow(/^record \d+ was pruned at .*Z: it is in the archive a\.tar\.gz$/);
  expect(() => undo({ kind: "file", path: "gone" })).toThrow(
    "no change to gone is recorded here; older records are in the archive a.tar.gz",
  );
  expect(() => recordedState(workspace, first, "after")).toThrow("was pruned at");
  undo({ kind: "record", id: second });
  expect(readFileSync(at("theirs"), "utf8")).toBe("one\n");
  write("gone", "again\n");
  expect(findings()).toEqual([]);
});

test("nothing goes that is part of a command line that goes on, or of none that is old enough", () => {
  write("a", "1\n");
  const call = { first: undefined };
  const early = write("b", "1\n", "overwrite", call);
  write("c", "1\n");
  const late = write("d", "1\n", "overwrite", call);
  expect(() => prunable(workspace, 1n)).toThrow(NotPrunable);
  // The command line of b and d began before c, so that c stays as well.
  pruneBefore(late);
  expect(ids()).toHaveLength(3);
  expect(ids()[0]).toBe(early);
  expect(() => prunable(workspace, BigInt(late))).toThrow("there is no record as old as that");
});

test("a journal with errors is left as it is", () => {
  write("a", "1\n");
  const id = write("a", "2\n");
  writeFileSync(at(".shelpa/a"), "");
  expect(() => prunable(workspace, BigInt(id))).toThrow("'audit verify' finds");
});

test("somebody writes between the plan and the prune: what they need stays", () => {
  write("a", "1\n");
  const id = write("b", "1\n");
  const plan = prunable(workspace, BigInt(id));
  const later = write("a", "2\n");
  const target = Workspace.open(elsewhere.path);
  const directory = target.writer().root();
  prune(workspace, plan, directory, "a.tar.gz");
  expect(() => prune(workspace, plan, directory, "b.tar.gz")).toThrow(NotPrunable);
  expect(() => prune(workspace, plan, directory, "a.tar.gz")).toThrow("File exists");
  expect(existsSync(`${elsewhere.path}/b.tar.gz`)).toBe(false);
  directory.close();
  target.close();
  expect(findings()).toEqual([]);
  undo({ kind: "record", id: later });
  expect(readFileSync(at("a"), "utf8")).toBe("1\n");
});

test("a large mirror keeps its length, and takes the room of what is left", () => {
  for (let version = 0; version < 8; version++) write("a", `${version}${"x".repeat(300_000)}\n`);
  const last = write("a", "small\n");
  const { size, blocks } = statSync(at(".shelpa/a"));
  pruneBefore(last);
  expect(findings()).toEqual([]);
  expect(statSync(at(".shelpa/a")).size).toBe(size);
  expect(statSync(at(".shelpa/a")).blocks).toBeLessThan(blocks / 4);
  undo({ kind: "record", id: last });
  expect(readFileSync(at("a"), "utf8")).toBe(`7${"x".repeat(300_000)}\n`);
});

describe("tampering with what a prune left", () => {
  const change = (replace: (lines: string[]) => void): void => {
    const lines = readFileSync(at(".shelpa/@/journal.jsonl"), "utf8").split("\n");
    replace(lines);
    writeFileSync(at(".shelpa/@/journal.jsonl"), lines.join("\n"));
  };
  test.each<[string, (lines: string[]) => void]>([
    ["a kept record", (lines) => (lines[0] = (lines[0] ?? "").replace('"bytes":', '"bytes":1'))],
    ["the end of what went", (lines) => (lines[1] = (lines[1] ?? "").replace(/"ts":"20/, '"ts":"21'))],
    ["lines left out", (lines) => void lines.splice(2, 1)],
    ["a second resumption", (lines) => void lines.splice(4, 0, lines[1] ?? "")],
  ])("%s", (_, replace) => {
    write("a", "1\n");
    pruneBefore(write("a", "2\n"));
    expect(readFileSync(at(".shelpa/@/journal.jsonl"), "utf8").match(/^\{"kind":"\w+"/gm)).toEqual(
      ["kept", "resume", "intent", "outcome", "pruned"].map((kind) => `{"kind":"${kind}"`),
    );
    change(replace);
    expect(findings().some((finding) => /^(CHAIN_BROKEN|LINE_DAMAGED) /.test(finding))).toBe(true);
  });
  test("a list of leftovers that somebody made removes no mirror that a record names, and nothing else", () => {
    write("a", "1\n");
    const mirrors = [
      { path: "a", mirror: ".shelpa/a" },
      { path: "theirs", mirror: "theirs" },
      { path: "../x", mirror: ".shelpa/../x" },
      { path: "link", mirror: "link" },
    ];
    writeFileSync(at(".shelpa/@/pruned.json"), JSON.stringify({ mirrors, links: ["journal.jsonl", "../../theirs"] }));
    write("b", "1\n");
    expect(findings()).toEqual([]);
    expect(existsSync(at("theirs")) && readlinkSync(at("link")) === "theirs").toBe(true);
    for (const text of ["null", "[1]", '{"mirrors":[null,{}],"links":[null]}', "{"]) {
      writeFileSync(at(".shelpa/@/pruned.json"), text);
      write("b", text);
    }
    expect(findings()).toEqual([]);
  });
});

test("30 random histories, pruned again and again: every remaining record leads to the same bytes", { timeout: 120_000 }, () => {
  for (let seed = 1; seed <= 30; seed++) {
    place.remove();
    workspace.close();
    place = tree(["a: somebody else's", "b: theirs\n"]);
    workspace = Workspace.open(place.path);
    let state = seed;
    const random = (below: number): number => {
      state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
      return (state >>> 8) % below;
    };
    for (let round = 0; round < 4; round++) {
      for (let step = 0; step < 8; step++) change(random, `${seed} ${round} ${step}`);
      expect(findings(), `seed ${seed}`).toEqual([]);
      const all = ids();
      const before = states();
      try {
        pruneBefore(all[random(all.length)] ?? "", `${seed}-${round}.tar.gz`);
      } catch (thrown) {
        if (!(thrown instanceof NotPrunable)) throw thrown;
      }
      expect(findings(), `seed ${seed}, round ${round}`).toEqual([]);
      for (const [key, content] of states()) expect(content, `seed ${seed}, round ${round}: ${key}`).toBe(before.get(key));
    }
  }

  function change(random: (below: number) => number, text: string): void {
    const path = ["a", "b", "d/c", "d/e"][random(4)] as string;
    const isThere = existsSync(at(path));
    switch (random(6)) {
      case 0:
      case 1:
        write(path, `${text}\n`);
        break;
      case 2:
        write(path, text, "append");
        break;
      case 3:
        if (isThere) edit((edits) => edits.remove(path));
        break;
      case 4:
        if (isThere) writeFileSync(at(path), `${readFileSync(at(path), "utf8")} of theirs\n`);
        if (isThere) write(path, text, random(2) === 0 ? "append" : "overwrite");
        break;
      case 5:
        if (isThere) edit((edits) => edits.setAttributes(path, { mode: 0o600 + random(64) }));
        break;
    }
  }
});
