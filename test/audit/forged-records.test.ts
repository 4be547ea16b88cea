/**
 * Records that somebody else has put there, as a repository can that brings its own `.shelpa`: recovery, reading and
 * restoring act on them, and must reach nothing outside, remove nothing, and write nothing that is protected.
 */
import { createHash } from "node:crypto";
import { hostname } from "node:os";
import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { callRecords } from "../../src/audit/call-log.ts";
import { fileVersions } from "../../src/audit/mirror.ts";
import { createRecorder } from "../../src/audit/recorder.ts";
import { planRestore } from "../../src/audit/restore.ts";
import { verifyAudit } from "../../src/audit/verify.ts";
import { writeRecords } from "../../src/audit/write-records.ts";
import { toBytes } from "../../src/io/text.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { Workspace } from "../../src/workspace/workspace.ts";
import { type Need, needs } from "../needs.ts";
import { ownMs } from "../own-time.ts";
import { makeFifo, tree, type Tree } from "../tree.ts";

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

describe("an open transaction that somebody else made", () => {
  /** The one file is replaced already, the other's new bytes lie ready: what recovery would go on with, had a writer of ours been killed there. */
  const halfDone = (path: string): void => {
    const directory = path.slice(0, path.lastIndexOf("/") + 1);
    mkdirSync(`${root}/${directory}`, { recursive: true });
    writeFileSync(`${root}/${path}`, "reviewed\n");
    writeFileSync(`${root}/${directory}.shelpa-new-ffffffffffffffff`, "evil\n");
    const both = { targets: 2, previous: null };
    const lines = [
      intent({ ...both, path: "keep", mirror: ".shelpa/keep", before: digest("older\n"), after: digest("keep\n") }),
      intent({
        ...both,
        id: `${BigInt(ID) + 1n}`,
        path,
        mirror: `.shelpa/${path}`,
        before: digest("reviewed\n"),
        after: digest("evil\n"),
        temporary: ".shelpa-new-ffffffffffffffff",
      }),
    ];
    writeFileSync(`${root}/.shelpa/@/journal.jsonl`, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  };
  const lock = (owner: object): void =>
    writeFileSync(
      `${root}/.shelpa/@/lock`,
      JSON.stringify({
        owner,
        note: { temporaries: [`d/${OURS}`, OURS, ".shelpa-new-ffffffffffffffff"], directories: ["d/empty"] },
        inherited: [],
      }),
    );
  const GONE = 999_999_999;
  const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  const BOOT: Need = { name: "a host that names its boot", isHere: process.platform === "linux" };

  describe.each([".envrc", ".mcp.json", ".claude/settings.json", "d/f", "src/main.ts"])("on %s", (path) => {
    test.each<{ name: string; owner?: object }>([
      { name: "without a lock" },
      { name: "behind the lock of another host", owner: { pid: 1, space: "x", host: "elsewhere" } },
      { name: "behind a lock that names this host and no boot", owner: { pid: GONE, space: "", host: hostname() } },
      { name: "behind a lock of another boot of this host", owner: { pid: GONE, space: `pid:[1] ${ZEROS}`, host: hostname() } },
    ])("$name is not finished by a reading or a writing call", ({ owner }) => {
      halfDone(path);
      if (owner !== undefined) {
        mkdirSync(`${root}/d/empty`);
        lock(owner);
        utimesSync(`${root}/.shelpa/@/lock`, 1, 1);
      }
      const journal = readFileSync(`${root}/.shelpa/@/journal.jsonl`, "utf8");
      const reader = recorder();
      expect(reader).toBeDefined();
      expect(readFileSync(`${root}/.shelpa/@/journal.jsonl`, "utf8")).toBe(journal);
      const transaction = recorder().begin(["fresh"], "overwrite", "");
      transaction.write(toBytes("fresh\n"));
      transaction.commit();
      expect(readFileSync(`${root}/${path}`, "utf8")).toBe("reviewed\n");
      if (owner !== undefined) expect(existsSync(`${root}/d/empty`)).toBe(true);
      expect(readFileSync(`${root}/.shelpa/@/journal.jsonl`, "utf8")).toContain('"result":"abandoned"');
    });
  });

  test("on a protected path is not finished for a dead writer of this boot either", () => {
    halfDone(".envrc");
    lock({ pid: GONE, space: `${readlinkSync("/proc/self/ns/pid")} ${boot}`, host: hostname() });
    recorder().begin([], "overwrite", "").abort();
    expect(readFileSync(`${root}/.envrc`, "utf8")).toBe("reviewed\n");
    expect(existsSync(`${root}/.shelpa/@/lock`)).toBe(false);
  });

  needs(BOOT).test("is finished for one whose lock noted those very names", {}, () => {
    halfDone("other");
    lock({ pid: GONE, space: `${readlinkSync("/proc/self/ns/pid")} ${boot}`, host: hostname() });
    recorder().begin([], "overwrite", "").abort();
    expect(readFileSync(`${root}/other`, "utf8")).toBe("evil\n");
  });
});

describe("a lock that somebody else made", () => {
  const foreign = (mtime: Date): void => {
    const file = `${root}/.shelpa/@/lock`;
    writeFileSync(file, JSON.stringify({ owner: { pid: 1, space: "x", host: "el\nse\u001b[2J" }, note: null, inherited: [] }));
    utimesSync(file, mtime, mtime);
  };
  const write = (): void => {
    const transaction = recorder().begin(["fresh"], "overwrite", "");
    transaction.write(toBytes("fresh\n"));
    transaction.commit();
  };

  test.each([new Date("2100-01-01"), new Date("2038-01-19T03:14:08Z"), new Date(Date.now() + 3_600_000), new Date(0)])(
    "at %s holds up no write",
    (mtime) => {
      foreign(mtime);
      const startedMs = ownMs();
      write();
      expect(ownMs() - startedMs).toBeLessThan(5000);
      expect(readFileSync(`${root}/fresh`, "utf8")).toBe("fresh\n");
    },
  );

  const makers: readonly (readonly [kind: string, make: (path: string) => void])[] = [
    ["a directory", (path) => full(path)],
    ["a dangling link", (path) => symlinkSync("nowhere", path)],
    ["a link to a file", (path) => symlinkSync("../../keep", path)],
    ["a FIFO", (path) => makeFifo(path)],
  ];
  const full = (path: string): void => {
    mkdirSync(path);
    writeFileSync(`${path}/f`, "x\n");
  };
  describe.each(["lock", "lock.left", "lock.takeover", "lock.next"])("%s", (name) => {
    test.each(makers)("that is %s is moved aside, and holds up no write", (_, make) => {
      const path = `${root}/.shelpa/@/${name}`;
      make(path);
      const made = lstatSync(path).ino;
      // A dead writer's, so that every name is used.
      if (name !== "lock") foreign(new Date(0));
      const startedMs = ownMs();
      write();
      write();
      expect(ownMs() - startedMs).toBeLessThan(2000);
      expect(readFileSync(`${root}/keep`, "utf8")).toBe("keep\n");
      const left = readdirSync(`${root}/.shelpa/@`).filter((other) => other.startsWith("lock"));
      expect(left).toEqual([expect.stringMatching(/\.aside-[0-9a-f]{16}$/)]);
      expect(lstatSync(`${root}/.shelpa/@/${left[0]}`).ino).toBe(made);
    });
  });

  test("of just now is named, with whom it says it is of", { timeout: 30_000 }, () => {
    foreign(new Date());
    expect(write).toThrow("process 1 on el\\nse\\u{1b}[2J, as that file says");
    expect(existsSync(`${root}/fresh`)).toBe(false);
  });
});

describe("records of any size", () => {
  const journal = (): string => `${root}/.shelpa/@/journal.jsonl`;
  /** Holes: as long as a file can be, and of no weight in a repository. */
  const grown = (path: string, bytes: number): void => {
    writeFileSync(path, "");
    truncateSync(path, bytes);
  };
  const write = (): void => {
    const transaction = recorder().begin(["fresh"], "overwrite", "");
    transaction.write(toBytes("fresh\n"));
    transaction.commit();
  };

  test("a journal of 5 GiB is said to be too large by whatever would read it", () => {
    grown(journal(), 5 * 2 ** 30);
    const tooLarge = /larger than 256 MiB: move it away to begin another/;
    expect(write).toThrow(tooLarge);
    expect(existsSync(`${root}/fresh`)).toBe(false);
    expect(() => verifyAudit(workspace)).toThrow(tooLarge);
    expect(() => writeRecords(workspace.writer())).toThrow(tooLarge);
    expect(() => fileVersions(workspace.writer(), "d/f")).toThrow(tooLarge);
    expect(readdirSync(`${root}/.shelpa/@`)).toEqual(["journal.jsonl"]);
  });

  test("a line of 200 MiB is damaged, is not held, and the next write goes on after it", () => {
    const peak = (): number => process.resourceUsage().maxRSS;
    const beforeKiB = peak();
    for (const newline of [true, false]) {
      grown(journal(), 200 << 20);
      if (newline) appendFileSync(journal(), "\n");
      write();
      expect(verifyAudit(workspace).findings.map(({ code }) => code)).toEqual([newline ? "LINE_DAMAGED" : "LINE_CUT_SHORT"]);
      expect(writeRecords(workspace.writer()).map(({ path, result }) => `${path} ${result}`)).toEqual(["fresh done"]);
      rmSync(`${root}/.shelpa/fresh`);
    }
    expect(peak() - beforeKiB).toBeLessThan(100 << 10);
  });

  test.each<{ name: string; line: (index: number) => object; lines: number }>([
    {
      name: "of repairs",
      line: (index) => ({ kind: "repair", id: `${BigInt(ID) + BigInt(index)}`, ts: "x", prev: ZEROS, damaged_bytes: 1 }),
      lines: 50_001,
    },
    { name: "without end", line: () => intent({}), lines: 60_000 },
    { name: "of 49,999 intents", line: (index) => intent({ id: `${BigInt(ID) + BigInt(index)}` }), lines: 49_999 },
    { name: "of 3,000 intents for one large file", line: (index) => intent({ id: `${BigInt(ID) + BigInt(index)}` }), lines: 3_000 },
    { name: "of 1,000 intents for one large file", line: (index) => intent({ id: `${BigInt(ID) + BigInt(index)}` }), lines: 1_000 },
  ])("a transaction $name holds up no write, and is ended once", ({ line, lines }) => {
    grown(`${root}/d/f`, 60 << 20);
    writeFileSync(journal(), Array.from({ length: lines }, (_, index) => `${JSON.stringify(line(index))}\n`).join(""));
    const before = statSync(journal()).size;
    const startedMs = ownMs();
    write();
    expect(ownMs() - startedMs).toBeLessThan(3000);
    expect(statSync(journal()).size - before).toBeLessThan(2 << 20);
    expect(existsSync(`${root}/.shelpa/d`)).toBe(false);
    const after = statSync(journal()).size;
    write();
    expect(statSync(journal()).size - after).toBeLessThan(8192);
    const codes = new Set(verifyAudit(workspace).findings.map(({ code, path }) => `${code} ${path}`));
    expect([...codes].filter((code) => code.endsWith(" fresh"))).toEqual([]);
  });

  test("a damaged line before such an end is no line that was cut short", () => {
    writeFileSync(journal(), `${JSON.stringify(intent({}))}\n`.repeat(60_000));
    appendFileSync(journal(), "damaged\n");
    write();
    expect(verifyAudit(workspace).findings.map(({ code }) => code)).toContain("LINE_DAMAGED");
  });

  test.each([
    ["of 5 GiB", (path: string) => grown(path, 5 * 2 ** 30)],
    [
      "that nests",
      (path: string) => writeFileSync(path, `{"owner":{"pid":1},"note":null,"inherited":${"[".repeat(100_000)}${"]".repeat(100_000)}}`),
    ],
  ])("a lock %s is a dead writer's", (_, make) => {
    const lock = `${root}/.shelpa/@/lock`;
    make(lock);
    utimesSync(lock, 1, 1);
    write();
    expect(readFileSync(`${root}/fresh`, "utf8")).toBe("fresh\n");
  });

  test("a log of calls of 600 MiB is read line by line", () => {
    const log = `${root}/.shelpa/@/calls.jsonl`;
    grown(log, 600 << 20);
    const call = { ts: "2026-02-25T13:17:30Z", session: "s", client: "c", command: "ls", directory: "", outcome: "completed", exit: 0 };
    appendFileSync(log, `\n${JSON.stringify({ ...call, reason: "", records: [], elapsed_ms: 1 })}\n`);
    expect(Array.from(callRecords(workspace.writer()), ({ command }) => command)).toEqual(["ls"]);
  });

  test("a state whose parts are longer than the whole, or than can be shown, is damaged", () => {
    const states = (facts: object): readonly (() => unknown)[] => {
      writeFileSync(journal(), [intent(facts), outcome({})].map((line) => `${JSON.stringify(line)}\n`).join(""));
      grown(`${root}/.shelpa/d/f`, 5 * 2 ** 30);
      return fileVersions(workspace.writer(), "d/f").map((version) => () => version.read());
    };
    mkdirSync(`${root}/.shelpa/d`);
    const huge = { bytes: 5 * 2 ** 30, sha256: ZEROS };
    for (const read of states({ content: huge, after: huge })) expect(read).toThrow("File too large");
    for (const read of states({ content: huge, after: digest("payload\n") })) expect(read).toThrow("is not what was recorded");
  });
});

const recorder = () => createRecorder(workspace, { session: "s", client: "c", line: "tee fresh", confirmOversize: false });

/** The result of `action`, or undefined where it refuses with an error of its own. Any other error is a fault. */
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
