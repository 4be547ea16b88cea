/**
 * Walks with and without a thread that reads ahead: both get the same entries, and the thread reads nothing that the
 * walk itself would not.
 */
import { readdirSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startLookAhead } from "../../../src/exec/look-ahead-thread.ts";
import { toText } from "../../../src/io/text.ts";
import { FileTree, type TreeOptions } from "../../../src/walk/file-tree.ts";
import type { OpenDirectory } from "../../../src/workspace/contract.ts";
import { FileError } from "../../../src/workspace/file-error.ts";
import { DONE, LookAheadMemory, TAKEN, WAITING } from "../../../src/workspace/ahead/look-ahead-memory.ts";
import type { Expected } from "../../../src/workspace/contract.ts";
import { NO_FILE, NOT_TOLD, STAMP_WORDS } from "../../../src/workspace/file-status.ts";
import type { StartLookAhead } from "../../../src/workspace/ahead/look-ahead.ts";
import { hasMountsBelow } from "../../../src/workspace/read/kernel-file-systems.ts";
import { Workspace } from "../../../src/workspace/workspace.ts";
import { pathList } from "../path-list.ts";
import { tree, type Tree } from "../../tree.ts";

const LISTING = { order: "kernel", withStatus: true } as const;
/** Entries before those under test, enough to keep the thread busy for a while. */
const own = (what: Expected["what"]): readonly Expected[] => names("own-", 24).map(({ name }) => ({ name, what }));

let host: Tree;
let memory: LookAheadMemory;
let workspace: Workspace;
let alone: Workspace;

beforeAll(async () => {
  const lines = ["outside/secret: SECRET\n"];
  for (let part = 0; part < 320; part++) {
    for (let file = 0; file < 6; file++) lines.push(`root/${part % 7}/part-${part}/file-${file}: ${"line\n".repeat((part * file) % 40)}`);
  }
  lines.push("root/odd/bad\udcff: not text\n", "root/odd/pipe|", "root/odd/link => ../0", "root/odd/out => ../../outside");
  lines.push("root/odd/out-file => ../../outside/secret", "root/odd/broken => nowhere", "root/odd/empty:", "root/odd/none/");
  lines.push(
    `root/odd/${"ä".repeat(127)}/x: long name\n`,
    `root/odd/big: ${"0123456789".repeat(40_000)}`,
    "root/odd/\u{10ffff}/\ue000: high\n",
  );
  lines.push("root/odd/bad\udcffdirectory/x: below\n", "root/denied/key: DENIED\n", "root/plain/key.pem: DENIED\n", "root/plain/a: a\n");
  for (let file = 0; file < 700; file++) lines.push(`root/wide/${file}: ${file}\n`);
  host = tree(lines);
  alone = Workspace.open(`${host.path}/root`, { denyRead: ["denied/", "*.pem"] });
  let shared: SharedArrayBuffer | undefined;
  workspace = Workspace.open(`${host.path}/root`, {
    denyRead: ["denied/", "*.pem"],
    startLookAhead: (given) => {
      shared = given;
      if (startLookAhead === undefined) throw new Error("these tests need two processors");
      return startLookAhead(given);
    },
  });
  const directory = workspace.openDirectory(".");
  directory.expect(names("none-", 2000), LISTING);
  memory = new LookAheadMemory(shared);
  await settled();
  directory.close();
});
afterAll(() => {
  workspace.close();
  alone.close();
  host.remove();
});

const WALKS: Readonly<Record<string, Partial<TreeOptions>>> = {
  "in the kernel's order": {},
  "by name": { order: "name" },
  "last first": { order: "last-first" },
  "contents first": { contentsFirst: true },
  "through links": { follow: "always" },
  "to a depth": { maxDepth: 2 },
  "without some": { filter: { keeps: (name) => !name.endsWith("3"), enter: () => WALKS["without some"]?.filter as never } },
};

describe.each(Object.entries(WALKS))("a walk %s", (_, options) => {
  test.each(["names", "status", "content"] as const)("%s", (what) => {
    const expected = walk(alone, what, options);
    expect(expected.length).toBeGreaterThan(10);
    const before = descriptors();
    // How much of it the thread does is not the same each time.
    for (let time = 0; time < 2; time++) expect(walk(workspace, what, { ...options, ahead: { content: () => true } })).toEqual(expected);
    expect(descriptors()).toBe(before);
  });
});

test.each(["with a thread", "alone"])("a walk %s passes over files that cannot hold what is sought", (who) => {
  const files = who === "alone" ? alone : workspace;
  const holds = (line: string): boolean => line.includes("line\nline\nline\nline\nline\nline\n");
  const expected = walk(alone, "content", {}).filter((line) => holds(line) || !line.includes(" file "));
  const before = descriptors();
  for (let time = 0; time < 2; time++) {
    const mayHold = (bytes: Buffer, from: number, to: number): boolean => holds(bytes.toString("latin1", from, to));
    const seen = walk(files, "content", { ahead: { content: () => true, mayHold } });
    expect(seen.filter((line) => holds(line) || !line.includes(" file "))).toEqual(expected);
    // Those that could not be read, and every so often another.
    expect(seen.length).toBeLessThan(expected.length + 30);
  }
  expect(descriptors()).toBe(before);
});

test("a file in UTF-16 is never passed, nor one that is not there, nor what is no file", async () => {
  writeFileSync(`${host.path}/root/plain/wide`, Buffer.from("\ufeffline\n", "utf16le"));
  for (const mayPass of [false, true]) {
    const directory = workspace.openDirectory(".");
    const plain = workspace.openDirectory("plain");
    directory.expect(names("none-", 64), LISTING);
    plain.expect([...own("content"), { name: "wide", what: "content" }, { name: "a", what: "content" }], { ...LISTING, mayPass });
    const odd = workspace.openDirectory("odd");
    odd.expect(
      ["pipe", "none", "out-file", "missing"].map((name) => ({ name, what: "content" })),
      { ...LISTING, mayPass },
    );
    await settled();
    const passes = (name: string, of: OpenDirectory): boolean => of.passes(name, () => false);
    expect(["wide", "missing", "a", "a"].map((name) => passes(name, plain))).toEqual([false, false, true, false]);
    expect(["pipe", "none", "out-file", "missing"].map((name) => passes(name, odd))).toEqual([false, false, false, false]);
    expect(() => odd.openFile("pipe", { isListed: true })).toThrow(expect.objectContaining({ code: "NOT_REGULAR_FILE" }));
    for (const opened of [directory, plain, odd]) opened.close();
  }
});

test("what was read without a look at what it is is read again before it is given out", async () => {
  const wide = workspace.openDirectory("wide");
  const expected = names("", 90);
  wide.expect(expected, { ...LISTING, mayPass: true });
  for (const { name } of expected.slice(0, 80)) expect(wide.passes(name, () => false)).toBe(true);
  wide.expect([{ name: "600", what: "content" }], { ...LISTING, mayPass: true });
  await settled();
  writeFileSync(`${host.path}/root/wide/600`, "now");
  expect(wide.passes("600", () => true)).toBe(false);
  expect(contentOf(wide, "600")).toBe("now");
  wide.close();
});

test("mounts below a directory", () => {
  expect(hasMountsBelow("/")).toBe(true);
  expect(hasMountsBelow(host.path)).toBe(false);
});

test("what was expected is read by the thread", async () => {
  const directory = workspace.openDirectory("plain");
  directory.expect([...own("content"), { name: "a", what: "content" }], LISTING);
  await settled();
  writeFileSync(`${host.path}/root/plain/a`, "changed\n");
  expect(contentOf(directory, "a")).toBe("a\n");
  expect(contentOf(directory, "a")).toBe("changed\n");
  directory.close();
});

test("a directory that was expected is held, whatever is in its place", async () => {
  const directory = workspace.openDirectory(".");
  directory.expect([...own("entries"), { name: "odd", what: "entries" }], LISTING);
  await settled();
  const odd = directory.openDirectory("odd");
  expect(odd.list("kernel")).toEqual(alone.openDirectory("odd").list("kernel"));
  expect(odd.statusOf("big")).toMatchObject({ size: 400_000, kind: "file" });
  odd.close();
  directory.close();
});

describe.each([["with the thread"], ["alone"]])("stamps of a list, %s", (how) => {
  let open: Workspace;
  beforeAll(() => {
    open = Workspace.open(`${host.path}/root`, how === "alone" ? {} : { startLookAhead: startLookAhead as StartLookAhead });
  });
  afterAll(() => open.close());

  test("are those of the files", async () => {
    const files = Array.from({ length: 320 }, (_, part) =>
      Array.from({ length: 7 }, (__, file) => `${part % 7}/part-${part}/file-${file}`),
    ).flat();
    const paths = [
      ...files,
      ...Array.from({ length: 4000 }, (_, file) => `wide/${file % 800}`),
      "plain/a",
      "plain/key.pem",
      "odd/out",
      "odd/link",
    ];
    const top = open.openDirectory(".");
    const expected = paths.map((path) => {
      const slash = path.lastIndexOf("/");
      const directory = open.openDirectory(path.slice(0, slash));
      const stamp = directory.stampOf(path.slice(slash + 1));
      directory.close();
      return stamp === undefined ? `${path} absent` : `${path} ${stamp.permissions} ${stamp.size} ${stamp.modifiedMs}`;
    });
    for (let round = 0; round < 3; round++) {
      const list = top.stampsBelow(pathList(paths));
      await new Promise((passed) => setTimeout(passed, round * 20));
      const stamps = list?.take() ?? expect.fail();
      const found = paths.map((path, number) => {
        const [mode = 0, size, modifiedMs] = stamps.subarray(number * STAMP_WORDS);
        return mode === NO_FILE ? `${path} absent` : `${path} ${mode & 0o7777} ${size} ${modifiedMs}`;
      });
      expect(found).toEqual(expected);
    }
    top.close();
  });

  test("are not told beyond links, above the directory, or of names that are none", () => {
    const top = open.openDirectory("odd");
    const paths = [
      "link/part-0/file-0",
      "out/secret",
      "../plain/a",
      "./big",
      "a//b",
      "/etc/passwd",
      "",
      "big/",
      "none/..",
      "out-file/x",
      "b\u00e4d",
    ];
    const stamps = top.stampsBelow(pathList(paths))?.take();
    paths.forEach((path, number) => expect([path, stamps?.[number * STAMP_WORDS]]).toEqual([path, NOT_TOLD]));
    top.close();
  });

  test("end with their directory, and another list is read then", () => {
    const paths = pathList(Array.from({ length: 5000 }, (_, file) => `${file % 700}`));
    const first = open.openDirectory("wide");
    expect(first.stampsBelow(paths)).toBeDefined();
    const second = open.openDirectory("wide");
    expect(second.stampsBelow(paths)).toBeUndefined();
    first.close();
    const stamps = second.stampsBelow(paths)?.take() ?? expect.fail();
    expect(stamps.filter((_, word) => word % STAMP_WORDS === 0).every((mode) => (mode & 0o170000) === 0o100000)).toBe(true);
    second.close();
  });
});

test("stamps of a list are not told where rules keep something from being read", () => {
  const top = workspace.openDirectory(".");
  expect(top.stampsBelow(pathList(["plain/a"]))).toBeUndefined();
  top.close();
});

const REFUSED: readonly { readonly at: string; readonly name: string; readonly what: Expected["what"]; readonly code: string }[] = [
  { at: "plain", name: "key.pem", what: "content", code: "EACCES" },
  { at: ".", name: "denied", what: "entries", code: "EACCES" },
  { at: "odd", name: "out-file", what: "content", code: "SYMLINK_ESCAPE" },
  { at: "odd", name: "out", what: "entries", code: "ENOTDIR" },
  { at: "odd", name: "pipe", what: "content", code: "NOT_REGULAR_FILE" },
  { at: "odd", name: "none", what: "content", code: "EISDIR" },
  { at: "odd", name: "missing", what: "content", code: "ENOENT" },
  { at: "odd", name: "missing", what: "entries", code: "ENOENT" },
];

test.each(REFUSED)("$name as $what stays $code", async ({ at, name, what, code }) => {
  const directory = workspace.openDirectory(at);
  directory.expect([...own(what), { name, what }], LISTING);
  await settled();
  expect(memory.results.includes("SECRET") || memory.results.includes("DENIED")).toBe(false);
  const ask = (): unknown => (what === "content" ? directory.openFile(name, { isListed: true }) : directory.openDirectory(name));
  expect(ask).toThrow(FileError);
  expect(ask).toThrow(expect.objectContaining({ code }));
  directory.close();
});

test.each([
  ["waits", false],
  ["is done", true],
] as const)("a directory closed while what was expected of it %s leaves nothing open", async (_, waits) => {
  const before = descriptors();
  const directory = workspace.openDirectory("wide");
  directory.expect(names("", 300), LISTING);
  const top = workspace.openDirectory(".");
  top.expect(
    [...own("entries"), ...Array.from({ length: 7 }, (_none, number): Expected => ({ name: String(number), what: "entries" }))],
    LISTING,
  );
  if (waits) await settled();
  directory.close();
  top.close();
  expect(descriptors()).toBe(before);
  expect(memory.height).toBe(0);
});

test("without the thread's help the walk is the same", () => {
  const dead = Workspace.open(`${host.path}/root`, { denyRead: alone.handOver().denyRead, startLookAhead: () => ({ end: () => {} }) });
  const options = { ahead: { content: () => true } };
  for (let time = 0; time < 2; time++) expect(walk(dead, "content", options)).toEqual(walk(alone, "content", {}));
  dead.close();
});

function walk(files: Workspace, what: "names" | "status" | "content", options: Partial<TreeOptions>): readonly string[] {
  const walked = new FileTree(files, ".", { follow: "never", contentsFirst: false, maxDepth: Infinity, oneDevice: false, ...options });
  const seen: string[] = [];
  for (let step = walked.next(); step !== undefined; step = walked.next()) {
    if (step.what !== "file") {
      seen.push(`${step.path} ${step.what === "error" ? step.error.code : step.what}`);
      continue;
    }
    const { path, kind } = step.file;
    seen.push(
      `${path} ${kind} ${what === "names" ? "" : attempt(() => (what === "status" ? statusText(step.file.status) : textOf(step.file.openFile())))}`,
    );
  }
  walked.close();
  return seen;
}

const statusText = (status: Workspace["aboveRoot"]): string =>
  [status.kind, status.permissions, status.size, status.modifiedNs, status.changedNs, status.bornNs, status.inode, status.device]
    .concat([status.links, status.userId, status.groupId, status.blocks, status.ioBytes, status.specialDevice])
    .join(" ");

function textOf(file: ReturnType<OpenDirectory["openFile"]>): string {
  const into = Buffer.alloc(file.size + 10);
  let end = 0;
  for (let count = 1; count > 0; end += count) count = file.readAt(into.subarray(end), end);
  file.close();
  return toText(into.subarray(0, end));
}

function contentOf(directory: OpenDirectory, name: string): string {
  return textOf(directory.openFile(name, { isListed: true }));
}

function attempt(action: () => string): string {
  try {
    return action();
  } catch (thrown) {
    if (thrown instanceof FileError) return thrown.code;
    throw thrown;
  }
}

function names(prefix: string, count: number): readonly Expected[] {
  return Array.from({ length: count }, (_, number) => ({ name: `${prefix}${number}`, what: "content" }));
}

/** The thread has come to all its tasks. */
async function settled(): Promise<void> {
  const isOpen = (task: number): boolean => [WAITING, TAKEN].includes(memory.stateOf(task));
  const tasks = (): readonly number[] => Array.from({ length: memory.height }, (_, task) => task);
  while (tasks().some(isOpen)) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(tasks().every((task) => memory.stateOf(task) >= DONE || memory.stateOf(task) === 0)).toBe(true);
}

const descriptors = (): number => readdirSync("/proc/self/fd").length;
