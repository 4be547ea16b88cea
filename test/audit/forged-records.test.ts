/**
 * Records that somebody else has put there, as a repository can that brings its own `.shelpa`: recovery, reading and
 * restoring act on them, and must reach nothing outside, remove nothing, and write nothing that is protected.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fileVersions } from "../../src/audit/mirror.ts";
import { createRecorder } from "../../src/audit/recorder.ts";
import { planRestore } from "../../src/audit/restore.ts";
import { verifyAudit } from "../../src/audit/verify.ts";
import { writeRecords } from "../../src/audit/write-records.ts";
import { toBytes } from "../../src/io/text.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { Workspace } from "../../src/workspace/workspace.ts";
import { tree, type Tree } from "../tree.ts";

const ID = "1772025450395572000";
const ZEROS = "0".repeat(64);
const digest = (text: string) => ({ bytes: Buffer.byteLength(text), sha256: createHash("sha256").update(text).digest("hex") });
const OURS = ".shelpa-new-0123456789abcdef";

let place: Tree;
let root: string;
let workspace: Workspace;
beforeEach(() => {
  place = tree([
    "outside/victim: victim\n",
    "root/keep: keep\n",
    "root/d/f: in d\n",
    "root/d/payload: payload\n",
    `root/.git/hooks/${OURS}: payload\n`,
    "root/.git/hooks/sample: sample\n",
    "root/.shelpa/@/",
  ]);
  root = `${place.path}/root`;
  workspace = Workspace.open(root);
});
afterEach(() => {
  workspace.close();
  place.remove();
});

const intent = (facts: object): object => ({
  kind: "intent",
  id: ID,
  ts: "2026-02-25T13:17:30Z",
  prev: ZEROS,
  transaction: ID,
  path: "d/f",
  mirror: ".shelpa/d/f",
  offset: 0,
  content_offset: 0,
  content: digest("payload\n"),
  targets: 1,
  mode: "overwrite",
  before: digest("in d\n"),
  after: digest("payload\n"),
  whole: true,
  previous: null,
  temporary: OURS,
  backup: ".shelpa-old-0123456789abcdef",
  session: "s",
  client: "c",
  command: "tee d/f",
  permitted_by: null,
  ...facts,
});
const outcome = (facts: object): object => ({
  kind: "outcome",
  id: `${BigInt(ID) + 1n}`,
  ts: "2026-02-25T13:17:30Z",
  prev: ZEROS,
  transaction: ID,
  record_id: ID,
  path: "d/f",
  result: "done",
  reason: "",
  recovered: false,
  after: digest("payload\n"),
  whole: true,
  mirror_end: 8,
  pending: 0,
  ...facts,
});

test.each<{ name: string; lines?: readonly object[]; lock?: object }>([
  { name: "a temporary name that leads out of the root", lines: [intent({ temporary: "../../outside/victim" })] },
  { name: "a backup name that leads out of the root", lines: [intent({ backup: "../../outside/victim" })] },
  { name: "a temporary name of somebody's file", lines: [intent({ path: "x", mirror: ".shelpa/x", temporary: "keep" })] },
  { name: "a backup name of somebody's file", lines: [intent({ path: "x", mirror: ".shelpa/x", backup: "keep" })] },
  { name: "a file outside that would be replaced", lines: [intent({ path: "../outside/victim", mirror: ".shelpa/../outside/victim" })] },
  { name: "an absolute path", lines: [intent({ path: "/etc/passwd", mirror: ".shelpa//etc/passwd" })] },
  { name: "a path with an empty name", lines: [intent({ path: "d//f", mirror: ".shelpa/d//f" })] },
  { name: "a mirror outside", lines: [intent({ mirror: "../outside/victim" })] },
  { name: "a mirror outside of a write that was done", lines: [intent({ mirror: "../outside/victim" }), outcome({})] },
  { name: "a mirror that is an ordinary file", lines: [intent({ mirror: "keep" }), outcome({})] },
  {
    name: "a hook that would be put in its place",
    lines: [
      intent({
        path: ".git/hooks/a",
        mirror: ".shelpa/.git/hooks/a",
        before: null,
        targets: 2,
        temporary: ".shelpa-new-ffffffffffffffff",
        after: digest(""),
      }),
      intent({
        path: ".git/hooks/pre-commit",
        mirror: ".shelpa/.git/hooks/pre-commit",
        before: null,
        targets: 2,
        id: `${BigInt(ID) + 1n}`,
      }),
    ],
  },
  {
    name: "a hook that would be removed",
    lines: [
      intent({ path: ".git/hooks/sample", mirror: ".shelpa/.git/hooks/sample", mode: "remove", before: digest("sample\n"), after: null }),
    ],
  },
  { name: "an id that no date can show", lines: [outcome({ id: "9".repeat(24) })] },
  { name: "an id just before the last date", lines: [outcome({ id: "8639999999999999999999" })] },
  {
    name: "offsets that are none",
    lines: [intent({ content_offset: -1 }), intent({ content_offset: 1e308 }), intent({ content_offset: 0.5 })],
  },
  {
    name: "lengths that are none",
    lines: [intent({ content: { bytes: 1e15, sha256: ZEROS } }), intent({ content: { bytes: -5, sha256: ZEROS } })],
  },
  {
    name: "values of other types",
    lines: [{ kind: "repair", id: 5 }, intent({ before: 7 }), outcome({ pending: "0" }), outcome({ record_id: null })],
  },
  {
    name: "a dead writer's lock that names somebody's file",
    lock: { temporaries: ["keep", "d/payload", "../outside/victim"], directories: [] },
  },
  { name: "a dead writer's lock that names directories", lock: { temporaries: [], directories: ["../outside", ".git", "..", "", "/"] } },
  { name: "a lock with other things in it", lock: { temporaries: [{}], directories: 5 } },
])("$name", ({ lines = [], lock }) => {
  writeFileSync(`${root}/.shelpa/@/journal.jsonl`, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  if (lock !== undefined) {
    const file = `${root}/.shelpa/@/lock`;
    writeFileSync(file, JSON.stringify({ owner: { pid: 1, space: "", host: "elsewhere" }, note: lock, inherited: [lock] }));
    utimesSync(file, 1, 1);
  }
  const before = everything();
  // What reads them.
  answered(() => verifyAudit(workspace));
  answered(() => writeRecords(workspace.writer()));
  for (const path of ["d/f", "../outside/victim", ".git/hooks/sample"]) {
    const versions = answered(() => fileVersions(workspace.writer(), path)) ?? [];
    for (const version of versions) expect(answered(() => version.read()?.toString()) ?? "").not.toContain("victim");
  }
  answered(() => planRestore(workspace, ID, { undo: true }));
  answered(() => planRestore(workspace, ID, { undo: false }));
  // What finishes them: the next write, which is done or says that it cannot be recorded.
  answered(() => {
    const transaction = recorder().begin(["fresh"], "overwrite", "");
    transaction.write(toBytes("fresh\n"));
    transaction.commit();
  });
  const after = everything();
  expect(after.filter((entry) => !entry.startsWith("root/fresh "))).toEqual(before);
  expect(after).toContain("root/fresh fresh\n");
});

const recorder = () => createRecorder(workspace, { session: "s", client: "c", line: "tee fresh", confirmOversize: false });

/** What `action` gives, or undefined where it says in its own words why not. Anything else that is thrown is a fault. */
function answered<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (thrown) {
    if (thrown instanceof FileError || (thrown instanceof Error && /^(DamagedMirror|NotRestorable)$/.test(thrown.name))) return undefined;
    throw thrown;
  }
}

/** Every file but the records, with its bytes. */
function everything(): string[] {
  return readdirSync(place.path, { recursive: true, encoding: "utf8" })
    .filter((path) => !path.startsWith("root/.shelpa") && statSync(`${place.path}/${path}`).isFile())
    .map((path) => `${path} ${readFileSync(`${place.path}/${path}`, "utf8")}`)
    .sort();
}
