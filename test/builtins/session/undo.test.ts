/** Changes are taken back by record, by file and by session; what came after them is not lost unasked. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { undo } from "../../../builtins/session/undo.ts";
import { DEFAULT_POLICY } from "../../../src/config/policy.ts";
import type { ServedRunOptions, Session } from "../../../src/session/session.ts";
import { Shell } from "../../../src/session/shell.ts";
import { cases } from "../../cases.ts";
import { tree, type Tree } from "../../tree.ts";

cases(undo, [
  {
    name: "nothing was changed",
    command: "undo",
    exit: 1,
    stderr: "undo: this session has changed nothing yet; name a record or a file (history lists them)\n",
    differs: "no other tool",
  },
  {
    name: "a record that is none",
    command: "undo 1795289807092000001",
    exit: 1,
    stderr: "undo: there is no record 1795289807092000001 of a change (history lists them)\n",
    differs: "no other tool",
  },
  {
    name: "a file without a record",
    command: "undo a",
    files: { a: "x\n" },
    exit: 1,
    stderr: "undo: no change to a is recorded\n",
    differs: "no other tool",
  },
  { name: "a file outside", command: "undo ../a", refused: "PATH_ESCAPE" },
  { name: "two operands", command: "undo a b", refused: "USAGE" },
  {
    name: "all that the line has written so far, and only that",
    command: "echo 1 | tee a b/c >/dev/null; echo 2 | tee -a a >/dev/null; undo; cat a; ls",
    files: { a: "0\n" },
    stdout: "removed b\nrestored a\nremoved b/c\n0\na\n",
    differs: "no other tool",
  },
]);

let place: Tree;
let shell: Shell;
let session: Session;
beforeEach(async () => {
  place = tree(["sub/"]);
  writeFileSync(`${place.path}/f`, "old\n");
  shell = await Shell.open({ root: place.path, isolation: "none" });
  session = shell.defaultSession;
});
afterEach(async () => {
  await shell.close();
  place.remove();
});

const at = (path: string): string => `${place.path}/${path}`;
const read = (path: string): string | undefined => (existsSync(at(path)) ? readFileSync(at(path), "utf8") : undefined);

async function run(line: string, options: ServedRunOptions = {}, from = session) {
  const { result, stdout, stderr } = await from.serve(line, options);
  const reasons = result.kind === "refused" ? result.violations.map(({ reason }) => reason) : [];
  const records = result.receipts?.map(({ recordId }) => recordId) ?? [];
  return {
    exit: result.kind === "completed" ? result.exit : undefined,
    stdout: stdout.toString(),
    stderr: stderr.toString(),
    reasons,
    records,
    result,
  };
}

const ALL_BACK = "undo: all changes of this session are taken back (history lists them; undo RECORD of an undo makes one again)\n";

test("each undo goes one line further back, in any order of undos and writes", async () => {
  await run("echo 1 | tee f");
  await run("echo 2 | tee f g");
  await run("echo 3 | tee -a f");
  expect(await run("undo")).toMatchObject({ exit: 0, stdout: "restored f\n" });
  expect(await run("undo")).toMatchObject({ exit: 0, stdout: "restored f\nremoved g\n" });
  expect([read("f"), read("g")]).toEqual(["1\n", undefined]);
  await run("echo 4 | tee -a f");
  await run("undo; undo");
  expect(read("f")).toBe("old\n");
  expect(await run("undo")).toMatchObject({ exit: 1, stderr: ALL_BACK, records: [] });
  expect(await run("undo f")).toMatchObject({ exit: 1, stderr: expect.stringMatching(/^undo: all recorded changes to f are taken back/) });
});

test("an undo is taken back by its record, and what it had taken back is in effect again", async () => {
  await run("echo 1 | tee f");
  await run("echo 2 | tee f");
  const { records } = await run("undo");
  expect(await run(`undo ${records[0]}`)).toMatchObject({ exit: 0 });
  expect(read("f")).toBe("2\n");
  await run("undo");
  expect(read("f")).toBe("1\n");
  await run("undo");
  expect(read("f")).toBe("old\n");
});

test("a line that undoes and writes is taken back as one", async () => {
  await run("echo 1 | tee f");
  await run("echo 2 | tee f");
  await run("undo; echo 3 | tee f");
  expect(read("f")).toBe("3\n");
  for (const state of ["2\n", "1\n", "old\n"]) {
    await run("undo");
    expect(read("f")).toBe(state);
  }
  await run("echo 4 | tee f; undo");
  expect(read("f")).toBe("old\n");
  expect(await run("undo")).toMatchObject({ exit: 1, stderr: ALL_BACK });
});

test("a file that is undone alone leaves the rest of its line to the next undo", async () => {
  await run("echo 0 | tee h");
  await run("echo new | tee f g");
  await run("undo f");
  expect(await run("undo")).toMatchObject({ stdout: "removed g\n" });
  expect(await run("undo")).toMatchObject({ stdout: "removed h\n" });
});

test("a line is taken back once, also where somebody has put a file of it back by hand", async () => {
  const { records } = await run("echo 0 | tee h");
  await run("echo new | tee f g");
  writeFileSync(at("f"), "old\n");
  expect(await run("undo")).toMatchObject({ exit: 0, stdout: "removed g\n" });
  writeFileSync(at("f"), "newer\n");
  expect(await run("undo")).toMatchObject({ exit: 0, stdout: "removed h\n" });
  expect(await run(`undo ${records[0]}`)).toMatchObject({ exit: 0 });
});

test("a line of which nothing is left to take back is passed over", async () => {
  await run("echo 1 | tee f");
  await run("echo 2 | tee f");
  writeFileSync(at("f"), "1\n");
  expect(await run("undo")).toMatchObject({ exit: 0, stdout: "restored f\n" });
  expect(read("f")).toBe("old\n");
  expect(await run("undo")).toMatchObject({ exit: 1, stderr: ALL_BACK });
  await run("echo 1 | tee h");
  await run("mkdir d");
  writeFileSync(at("d/theirs"), "");
  expect(await run("undo")).toMatchObject({ exit: 0, stdout: "removed h\n" });
  expect(await run("undo")).toMatchObject({ exit: 1, stderr: "undo: d stays: it holds what came later\n" });
  rmSync(at("d"), { recursive: true });
  expect(await run("undo")).toMatchObject({ exit: 0, stderr: expect.stringMatching(/^undo: d: as before record \d+ already\n$/) });
});

test("a directory stands for what the line changed below it", async () => {
  mkdirSync(at("d/e"), { recursive: true });
  for (const name of ["d/a", "d/e/b"]) writeFileSync(at(name), `${name}\n`);
  await run("rm -r d f");
  expect(await run("undo d/a")).toMatchObject({ exit: 0, stdout: "restored d/a\n" });
  const { result, ...back } = await run("undo d");
  expect(back).toMatchObject({ exit: 0 });
  expect([read("d/a"), read("d/e/b"), read("f")]).toEqual(["d/a\n", "d/e/b\n", undefined]);
  expect(result).toMatchObject({
    notes: [expect.stringMatching(/^the same line changed f too, and that stays; undo \d+ takes all of it back$/)],
  });
  await run("undo f");
  await run("mv d moved");
  expect((await run("undo moved")).stdout.split("\n").sort()).toEqual([
    "",
    "removed moved",
    "removed moved/a",
    "removed moved/e",
    "removed moved/e/b",
  ]);
  expect(read("d/a")).toBeUndefined();
  expect(await run("undo d")).toMatchObject({ exit: 0 });
  expect(read("d/e/b")).toBe("d/e/b\n");
});

test("files are named as answers and records name them, too", async () => {
  await run("cd sub");
  await run("sed -i s/old/new/ ../f; echo x | tee g");
  expect(await run("undo sub/g")).toMatchObject({ exit: 0, stdout: "removed sub/g\n" });
  expect((await run("history f | cut -f5")).stdout).toBe("f\n");
  expect(await run("undo f")).toMatchObject({ exit: 0, stdout: "restored f\n" });
  for (const operand of ["2", "last", "all"])
    expect((await run(`undo ${operand}`)).stderr).toMatch(/is recorded; undo alone takes back one line, and undo again the one before\n$/);
});

test("a line that left all as it was is passed over", async () => {
  await run("echo 1 | tee f");
  await run("cat f | tee f; touch -a f");
  expect(await run("undo")).toMatchObject({ exit: 0, stdout: "restored f\n" });
  expect(read("f")).toBe("old\n");
});

test("undos of undos, each by its record", async () => {
  await run("echo 1 | tee f");
  await run("echo 2 | tee f");
  for (let turn = 0; turn < 4; turn++) {
    const { records } = await run("undo");
    expect(read("f")).toBe("1\n");
    const { records: redone } = await run(`undo ${records[0]}`);
    expect(read("f")).toBe("2\n");
    if (turn % 2 === 0) continue;
    const { records: undone } = await run(`undo ${redone[0]}`);
    expect(read("f")).toBe("1\n");
    await run(`undo ${undone[0]}`);
    expect(read("f")).toBe("2\n");
  }
  await run("echo 3 | tee f; undo; echo 4 | tee f; undo");
  expect(read("f")).toBe("2\n");
  await run("undo");
  await run("undo");
  expect(read("f")).toBe("old\n");
  expect(await run("undo")).toMatchObject({ exit: 1, stderr: ALL_BACK });
});

test("a file that was written since it was touched keeps its time", async () => {
  await run("touch -d 2001-02-03 f");
  writeFileSync(at("f"), "newer\n");
  const { mtimeMs } = statSync(at("f"));
  expect(await run("undo")).toMatchObject({ exit: 1, stderr: expect.stringContaining("f has changed since record") });
  expect(statSync(at("f")).mtimeMs).toBe(mtimeMs);
});

test("a line is undone as one, however many writes it made, by any of its records", async () => {
  const { records } = await run("for i in 1 2 3; do echo $i | tee -a f n$i; done >/dev/null; echo last | tee f");
  expect(records).toHaveLength(7);
  expect(await run(`undo ${records[4]}`)).toMatchObject({ exit: 0, stdout: "restored f\nremoved n1\nremoved n2\nremoved n3\n" });
  expect(read("f")).toBe("old\n");
  const calls = readFileSync(at(".shelpa/@/journal.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((text) => JSON.parse(text) as { kind: string; call?: string });
  const called = [...new Set(calls.flatMap(({ call }) => call ?? []))];
  expect(called).toHaveLength(2);
  await run(`undo ${called[1]}`);
  expect([read("f"), read("n1"), read("n3")]).toEqual(["last\n", "1\n", "3\n"]);
});

test("a file is undone alone", async () => {
  await run("echo new | tee f g");
  expect(await run("cd sub; undo ../f")).toMatchObject({ exit: 0, stdout: "restored f\n" });
  expect([read("f"), read("g")]).toEqual(["old\n", "new\n"]);
});

test("a session undoes its own changes alone; a record or a file may be anybody's", async () => {
  const { records } = await run("echo new | tee f");
  const other = shell.newSession();
  expect(await run("undo", {}, other)).toMatchObject({ exit: 1, stderr: expect.stringContaining("this session has changed nothing yet") });
  expect(await run(`undo ${records[0]}`, {}, other)).toMatchObject({ exit: 0 });
  expect(read("f")).toBe("old\n");
  // What it has taken back was no change of its own.
  expect(await run("undo", {}, other)).toMatchObject({ exit: 1, stderr: expect.stringContaining("this session has changed nothing yet") });
  expect(read("f")).toBe("old\n");
});

test("what came after the change is shown, and lost only by force", async () => {
  const { records } = await run("echo new | tee f");
  writeFileSync(at("f"), "new\nmore\n");
  const refused = await run("undo");
  expect(refused).toMatchObject({ exit: 1, stdout: "--- f\n+++ f\n@@ -1 +1,2 @@\n new\n+more\n", records: [] });
  expect(refused.stderr).toBe(
    `undo: f has changed since record ${records[0]}; nothing was taken back (undo --force loses what came after it)\n`,
  );
  expect(read("f")).toBe("new\nmore\n");
  const forced = await run("undo --force");
  expect(forced).toMatchObject({ exit: 0, stdout: "restored f\n" });
  expect(read("f")).toBe("old\n");
  await run(`undo ${forced.records[0]}`);
  expect(read("f")).toBe("new\nmore\n");
});

test("where one file of a line has changed, none is undone", async () => {
  await run("echo new | tee f g");
  writeFileSync(at("g"), "theirs\n");
  expect(await run("undo")).toMatchObject({ exit: 1, records: [] });
  expect([read("f"), read("g")]).toEqual(["new\n", "theirs\n"]);
});

test("a mode that was changed since stays where the line had not changed it, and else keeps the undo from being made", async () => {
  await run("echo new | sed -i s/old/new/ f; mkdir -m 755 d; touch -d 2001-02-03 sub");
  chmodSync(at("f"), 0o751);
  chmodSync(at("sub"), 0o711);
  chmodSync(at("d"), 0o700);
  expect(await run("undo")).toMatchObject({
    exit: 1,
    stdout: "d: mode 755 became 700\n",
    stderr: expect.stringMatching(/^undo: d has changed since record \d+; nothing was taken back/),
    records: [],
  });
  chmodSync(at("d"), 0o755);
  expect(await run("undo")).toMatchObject({ exit: 0 });
  expect([read("f"), existsSync(at("d"))]).toEqual(["old\n", false]);
  expect(["f", "sub"].map((path) => statSync(at(path)).mode & 0o777)).toEqual([0o751, 0o711]);
});

test("times alone are taken back: of a directory, and of a file that was written with its own bytes", async () => {
  utimesSync(at("sub"), 1e9, 1e9);
  utimesSync(at("f"), 1e9, 1e9);
  for (const line of ["touch sub", "cp f g; cp g f"]) {
    await run(line);
    expect(await run("undo")).toMatchObject({ exit: 0 });
  }
  expect(["f", "sub"].map((path) => statSync(at(path)).mtimeMs)).toEqual([1e12, 1e12]);
});

test("a link out of the workspace that came into a file's place goes again", async () => {
  symlinkSync("../outside", at("l"));
  expect(await run("mv -T l f")).toMatchObject({ exit: 0 });
  expect(await run("undo")).toMatchObject({ exit: 0 });
  expect([read("f"), readlinkSync(at("l"))]).toEqual(["old\n", "../outside"]);
});

test("-n shows the change, and makes none", async () => {
  await run("echo new | tee f g");
  const shown = "--- f\n+++ f\n@@ -1 +1 @@\n-new\n+old\n--- g\n+++ /dev/null\n@@ -1 +0,0 @@\n-new\n";
  expect(await run("undo -n")).toMatchObject({ exit: 0, stdout: shown, stderr: "", records: [] });
  expect([read("f"), read("g")]).toEqual(["new\n", "new\n"]);
  rmSync(at("g"));
  expect(await run("undo -n g")).toMatchObject({
    exit: 0,
    stdout: "",
    stderr: expect.stringMatching(/^undo: g: as before record \d+ already\n$/),
  });
});

test("the guard sees the files, the dry run and the policy hold", async () => {
  const { records } = await run("echo new | tee f");
  expect((await session.assess("undo")).stages[0]).toMatchObject({ writes: [{ path: "f", change: "replace" }], writes_unknown: false });
  expect((await session.assess(`cd sub; undo ${records[0]}`)).stages[1]).toMatchObject({ writes: [{ path: "f", change: "replace" }] });
  expect((await session.assess("undo -n")).stages[0]).toMatchObject({ writes: [] });
  const previewed = await run("undo", { preview: true });
  expect(previewed.result).toMatchObject({ previews: [{ path: "f", created: false, bytes: 4 }] });
  expect(read("f")).toBe("new\n");
  for (const policy of [
    { ...DEFAULT_POLICY, readOnly: true },
    { ...DEFAULT_POLICY, paths: { ...DEFAULT_POLICY.paths, denyWrite: ["/f"] } },
  ]) {
    const other = await Shell.open({ root: place.path, isolation: "none", policy });
    expect(await run(`undo ${records[0]}`, {}, other.defaultSession)).toMatchObject({
      reasons: [policy.readOnly ? "READ_ONLY" : "PROTECTED_PATH"],
    });
    await other.close();
  }
  expect(read("f")).toBe("new\n");
});

test("a protected file needs a human to be brought back, and then only as it was shown", async () => {
  const allowing = await Shell.open({
    root: place.path,
    isolation: "none",
    policy: { ...DEFAULT_POLICY, approval: { ...DEFAULT_POLICY.approval, preApproved: [".envrc"] } },
  });
  const { records } = await run("echo new | tee .envrc", {}, allowing.defaultSession);
  await allowing.close();
  const line = `undo ${records[0]}`;
  expect(await run(line)).toMatchObject({ reasons: ["NEEDS_APPROVAL"] });
  // Where the guard cannot see it, the audit does.
  expect(await run(`for r in ${records[0]}; do undo $r; done`)).toMatchObject({ reasons: ["NEEDS_APPROVAL"] });
  const { result } = await run(line, { preview: true });
  const [preview] = result.kind === "completed" ? (result.previews ?? []) : [];
  expect(preview).toMatchObject({ path: ".envrc", change: "removed", after: null });
  const { sha256: content = "", before = null } = preview ?? {};
  expect(await run(line, { approved: new Map([[".envrc", { content, before: "0", after: null }]]) })).toMatchObject({
    reasons: ["CONFLICT"],
  });
  expect(read(".envrc")).toBe("new\n");
  expect(await run(line, { approved: new Map([[".envrc", { content, before, after: null }]]) })).toMatchObject({ exit: 0 });
  expect(read(".envrc")).toBeUndefined();
});

test("links do not lead an undo elsewhere", async () => {
  await run("echo new | tee d/f");
  renameSync(at("d"), at("moved"));
  mkdirSync(at("e"));
  writeFileSync(at("e/f"), "new\n");
  symlinkSync("e", at("d"));
  expect(await run("undo")).toMatchObject({ reasons: ["CONFLICT"] });
  rmSync(at("d"));
  mkdirSync(at("d"));
  symlinkSync("../e/f", at("d/f"));
  expect((await run("undo")).records).toEqual([]);
  expect(read("e/f")).toBe("new\n");
});

test("a file that may not be read is not shown", async () => {
  const { records } = await run("echo new | tee f");
  const other = await Shell.open({
    root: place.path,
    isolation: "none",
    policy: { ...DEFAULT_POLICY, paths: { ...DEFAULT_POLICY.paths, denyRead: ["/f"] } },
  });
  for (const line of [`undo ${records[0]}`, `undo -n ${records[0]}`, "undo -n f"]) {
    expect(await run(line, {}, other.defaultSession)).toMatchObject({
      exit: 1,
      stdout: "",
      stderr: expect.stringContaining("Permission denied"),
    });
  }
  await other.close();
});
