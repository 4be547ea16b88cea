/** One table, every door: what a path reaches, or why it does not, is the same through each way to a file. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toBytes, toText } from "../../src/io/text.ts";
import type { Files, OpenDirectory, OpenFile } from "../../src/workspace/contract.ts";
import { Scratch } from "../../src/workspace/mount/scratch.ts";
import { ScratchBase } from "../../src/workspace/mount/scratch-base.ts";
import { descriptorsCanBeInherited, holdHostDirectory, release } from "../../src/workspace/walk/descriptor.ts";
import { FileError, type FileErrorCode } from "../../src/workspace/file-error.ts";
import { PrivateTree } from "../../src/workspace/private/private-tree.ts";
import { CopiedRoot } from "../../src/workspace/private/tree-source.ts";
import { Workspace } from "../../src/workspace/workspace.ts";
import { tree, type Tree } from "../tree.ts";
import { type Need, needs, skipWithout } from "../needs.ts";

const INHERITED: Need = { name: "descriptors that can be inherited", isHere: descriptorsCanBeInherited };
const LONG = "n".repeat(255);

let host: Tree;
let workspace: Workspace;
/** A root of its own, in which the tree of the other stands as the scratch. */
let mounted: Workspace;
/** The same root with the other's tree as one of the owner's mounts, at a name of its own. */
let beside: Workspace;
/** The tree of the first as an overlay has it: a copy, which goes by the root's names. */
let overlay: Workspace;
let copy: PrivateTree;
let scratch: Scratch;
let base: number;

beforeAll(async () => {
  host = tree([
    "secret: outside\n",
    "root-evil/f: outside\n",
    "root/",
    "root/f: file\n",
    "root/a/f: in a\n",
    "root/a/b/f: in b\n",
    "root/empty:",
    "root/new\nline: newline\n",
    "root/bad\udcffbyte: bad byte\n",
    "root/é: accent\n",
    `root/${LONG}: long\n`,
    "root/pipe|",
    "root/to-f => f",
    "root/to-a => a",
    "root/to-a-slash => a/",
    "root/to-f-slash => f/",
    "root/to-b => a/b",
    "root/to-dot => .",
    "root/to-bad => bad\udcffbyte",
    "root/a/up => ../f",
    "root/a/b/upup => ../../to-f",
    "root/a/b/to-root => ../..",
    "root/out => ../secret",
    "root/out-directory => ..",
    "root/out-middle => a/../../secret",
    "root/out-late => a/b/../../../root/f",
    "root/out-absolute => /etc/passwd",
    "root/out-evil => ../root-evil/f",
    "root/out-via => to-a/../../secret",
    "root/out-proc => /proc/self/root/etc/passwd",
    "root/a/out-deep => ../../secret",
    "root/dangling => nowhere",
    "root/loop-1 => loop-2",
    "root/loop-2 => loop-1",
    "root/self => self/x",
    "view => root",
    "other/here: the root's\n",
    "other/into-mount => /tmp/f",
    "other/into-mount-root => /tmp",
  ]);
  const root = `${host.path}/root`;
  symlinkSync(`${root}/f`, `${root}/to-f-absolute`);
  symlinkSync(`${root}//a/./b/../f`, `${root}/to-a-f-absolute`);
  symlinkSync(root, `${root}/to-root-absolute`);
  symlinkSync(`${root}/../secret`, `${root}/out-absolute-up`);
  symlinkSync(`${host.path}/root-evil/f`, `${root}/out-absolute-evil`);
  symlinkSync(`${host.path}/view/f`, `${root}/to-f-as-given`);
  for (let at = 0; at <= 41; at++) symlinkSync(at === 0 ? "f" : `chain-${at - 1}`, `${root}/chain-${at}`);
  workspace = Workspace.open(`${host.path}/view`, { aliases: ["/mount/point", "/m"] });
  const copied = ScratchBase.inMemory([]);
  if (copied === undefined) throw new Error("no place for a copy");
  copy = await PrivateTree.in(copied, new CopiedRoot(`${host.path}/view`, { mostBytes: 1 << 20, mostEntries: 1000 }));
  overlay = Workspace.open(copy.directory, { knownAs: `${host.path}/view`, aliases: [`${host.path}/root`, "/mount/point", "/m"] });
  base = holdHostDirectory(host.path, { follow: true });
  scratch = new Scratch(ScratchBase.of(base), "root", { mostBytes: 1 << 20, mostFiles: 1000 });
  mounted = Workspace.open(`${host.path}/other`).withScratch(scratch);
  scratch.hold();
  beside = Workspace.open(`${host.path}/other`, {
    mounts: [{ prefix: "/docs", directory: `${host.path}/root`, access: "read", denyRead: [] }],
  });
});
afterAll(() => {
  workspace.close();
  overlay.close();
  copy.close();
  scratch.release();
  release(base);
  mounted.close();
  beside.close();
  host.remove();
});

/** Target of a path: the canonical path and the content, names or kind found there; or the error code. */
type Reaches = { file: string; content: string } | { directory: string; has: string } | { special: string } | FileErrorCode;

interface Row {
  readonly name: string;
  /** HOST stands for the directory above the root. */
  readonly path: string;
  readonly at?: string;
  readonly reaches: Reaches;
  /** The result of readLink: its text, or an error code. Left out: EINVAL, or the code of `reaches`. */
  readonly link?: string;
}

const F: Reaches = { file: "f", content: "file\n" };
const A: Reaches = { directory: "a", has: "b" };
const ROOT: Reaches = { directory: "", has: "f" };

const rows: Row[] = [
  { name: "a file", path: "f", reaches: F },
  { name: "a file below", path: "a/b/f", reaches: { file: "a/b/f", content: "in b\n" } },
  { name: "a directory", path: "a", reaches: A },
  { name: "a directory with its slash", path: "a/", reaches: A },
  { name: "several slashes at the end", path: "a///", reaches: A },
  { name: "a file with a slash", path: "f/", reaches: "ENOTDIR" },
  { name: "a file with a slash and a dot", path: "f/.", reaches: "ENOTDIR" },
  { name: "a file as a directory", path: "f/x", reaches: "ENOTDIR" },
  { name: "a file left by ..", path: "f/../f", reaches: "ENOTDIR" },
  { name: "the root by a dot", path: ".", reaches: ROOT },
  { name: "the root by dots and slashes", path: "././/./", reaches: ROOT },
  { name: "back at the root", path: "a/..", reaches: ROOT },
  { name: "back at the root with a slash", path: "a/../", reaches: ROOT },
  { name: "down, up and down", path: "a/../a/b/../f", reaches: { file: "a/f", content: "in a\n" } },
  { name: "empty components", path: "a//b///f", reaches: { file: "a/b/f", content: "in b\n" } },
  { name: "the empty path", path: "", reaches: "ENOENT" },
  { name: "nothing there", path: "nope", reaches: "ENOENT" },
  { name: "nothing there, deeper", path: "nope/x", reaches: "ENOENT" },
  { name: "nothing there, left again", path: "nope/../f", reaches: "ENOENT" },
  { name: ".. at the root", path: "..", reaches: "PATH_ESCAPE" },
  { name: ".. at the root and back", path: "../root/f", reaches: "PATH_ESCAPE" },
  { name: ".. one too many", path: "a/b/../../../secret", reaches: "PATH_ESCAPE" },
  { name: ".. from a subdirectory", path: "../f", at: "a", reaches: F },
  { name: ".. out of a subdirectory", path: "../../secret", at: "a", reaches: "PATH_ESCAPE" },
  { name: "relative to a subdirectory", path: "b/f", at: "a", reaches: { file: "a/b/f", content: "in b\n" } },
  { name: "a current directory that is a link", path: "../f", at: "to-b", reaches: { file: "a/f", content: "in a\n" } },
  { name: "a current directory that is gone", path: "f", at: "gone", reaches: "ENOENT" },

  { name: "absolute, as given", path: "HOST/view/f", reaches: F },
  { name: "absolute, canonical", path: "HOST/root/f", reaches: F },
  { name: "absolute from a subdirectory", path: "HOST/root/f", at: "a", reaches: F },
  { name: "absolute, the root itself", path: "HOST/root", reaches: ROOT },
  { name: "absolute, the root with slashes", path: "HOST/root///", reaches: ROOT },
  { name: "absolute, slashes doubled", path: "/HOST//root//a//f", reaches: { file: "a/f", content: "in a\n" } },
  { name: "absolute, with a dot", path: "HOST/./root/./f", reaches: F },
  { name: "absolute, a file with a slash", path: "HOST/root/f/", reaches: "ENOTDIR" },
  { name: "absolute, by an alias", path: "/mount/point/a", reaches: A },
  { name: "an alias alone", path: "/m", reaches: ROOT },
  { name: "a name that goes on where an alias ends", path: "/mount/pointed/f", reaches: "PATH_ESCAPE" },
  { name: "a sibling whose name begins like the root", path: "HOST/root-evil/f", reaches: "PATH_ESCAPE" },
  { name: "absolute outside", path: "/etc/passwd", reaches: "PATH_ESCAPE" },
  { name: "the host's root", path: "/", reaches: "PATH_ESCAPE" },
  { name: "absolute and up", path: "HOST/root/../secret", reaches: "PATH_ESCAPE" },
  { name: "absolute, deep and up", path: "HOST/root/a/../../secret", reaches: "PATH_ESCAPE" },
  { name: "above the root", path: "HOST", reaches: "PATH_ESCAPE" },

  { name: "a link to a file", path: "to-f", reaches: F, link: "f" },
  { name: "a link to a file with a slash", path: "to-f/", reaches: "ENOTDIR" },
  { name: "a link to a directory", path: "to-a", reaches: A, link: "a" },
  { name: "a link to a directory with a slash is the directory", path: "to-a/", reaches: A },
  { name: "a link whose text ends in a slash", path: "to-a-slash", reaches: A, link: "a/" },
  { name: "through a link whose text ends in a slash", path: "to-a-slash/f", reaches: { file: "a/f", content: "in a\n" } },
  { name: "a link to a file with a slash in its text", path: "to-f-slash", reaches: "ENOTDIR", link: "f/" },
  { name: "through a link", path: "to-b/f", reaches: { file: "a/b/f", content: "in b\n" } },
  { name: ".. after a link is the target's parent", path: "to-b/../f", reaches: { file: "a/f", content: "in a\n" } },
  { name: "a link to the dot", path: "to-dot/to-dot/f", reaches: F },
  { name: "a link upwards", path: "a/up", reaches: F, link: "../f" },
  { name: "a link upwards to a link", path: "a/b/upup", reaches: F, link: "../../to-f" },
  { name: "a link upwards to the root", path: "a/b/to-root", reaches: ROOT, link: "../.." },
  { name: "through the root by a link", path: "a/b/to-root/f", reaches: F },
  { name: "an absolute link inside", path: "to-f-absolute", reaches: F, link: "HOST/root/f" },
  {
    name: "an absolute link inside with dots",
    path: "to-a-f-absolute",
    reaches: { file: "a/f", content: "in a\n" },
    link: "HOST/root//a/./b/../f",
  },
  { name: "an absolute link to the root", path: "to-root-absolute/f", reaches: F },
  { name: "an absolute link by the root's other name", path: "to-f-as-given", reaches: F, link: "HOST/view/f" },
  { name: "a dangling link", path: "dangling", reaches: "ENOENT", link: "nowhere" },
  { name: "through a dangling link", path: "dangling/x", reaches: "ENOENT" },
  { name: "a loop", path: "loop-1", reaches: "ELOOP", link: "loop-2" },
  { name: "through a loop", path: "loop-1/x", reaches: "ELOOP" },
  { name: "a link through itself", path: "self", reaches: "ELOOP", link: "self/x" },
  { name: "40 links", path: "chain-39", reaches: F, link: "chain-38" },
  { name: "41 links", path: "chain-40", reaches: "ELOOP", link: "chain-39" },

  { name: "a link out", path: "out", reaches: "SYMLINK_ESCAPE", link: "../secret" },
  { name: "a link to the directory above", path: "out-directory", reaches: "SYMLINK_ESCAPE", link: ".." },
  { name: "through a link to the directory above", path: "out-directory/secret", reaches: "SYMLINK_ESCAPE" },
  { name: "through a link out and back in", path: "out-directory/root/f", reaches: "SYMLINK_ESCAPE" },
  { name: "a link out with .. in its middle", path: "out-middle", reaches: "SYMLINK_ESCAPE", link: "a/../../secret" },
  { name: "a link out and back in", path: "out-late", reaches: "SYMLINK_ESCAPE", link: "a/b/../../../root/f" },
  { name: "an absolute link out", path: "out-absolute", reaches: "SYMLINK_ESCAPE", link: "/etc/passwd" },
  { name: "an absolute link up and out", path: "out-absolute-up", reaches: "SYMLINK_ESCAPE", link: "HOST/root/../secret" },
  { name: "an absolute link to a sibling", path: "out-absolute-evil", reaches: "SYMLINK_ESCAPE", link: "HOST/root-evil/f" },
  { name: "a link to a sibling", path: "out-evil", reaches: "SYMLINK_ESCAPE", link: "../root-evil/f" },
  { name: "a link out through a link", path: "out-via", reaches: "SYMLINK_ESCAPE", link: "to-a/../../secret" },
  { name: "a link to /proc", path: "out-proc", reaches: "SYMLINK_ESCAPE", link: "/proc/self/root/etc/passwd" },
  { name: "a link out, deeper", path: "a/out-deep", reaches: "SYMLINK_ESCAPE", link: "../../secret" },
  { name: "typed .. after a link inside", path: "to-b/../../../secret", reaches: "PATH_ESCAPE" },

  { name: "a name with a newline", path: "new\nline", reaches: { file: "new\nline", content: "newline\n" } },
  { name: "a name that is not UTF-8", path: "bad\udcffbyte", reaches: { file: "bad\udcffbyte", content: "bad byte\n" } },
  {
    name: "a link to a name that is not UTF-8",
    path: "to-bad",
    reaches: { file: "bad\udcffbyte", content: "bad byte\n" },
    link: "bad\udcffbyte",
  },
  { name: "a name beyond ASCII", path: "é", reaches: { file: "é", content: "accent\n" } },
  { name: "a name of 255 bytes", path: LONG, reaches: { file: LONG, content: "long\n" } },
  { name: "a name of 256 bytes", path: `${LONG}n`, reaches: "ENAMETOOLONG" },
  { name: "a name of 256 bytes to go through", path: `${LONG}n/f`, reaches: "ENAMETOOLONG" },
  { name: "a path of 4,095 bytes", path: `${"./".repeat(2047)}f`, reaches: F },
  { name: "a path of 4,096 bytes", path: `${"./".repeat(2047)}/f`, reaches: "ENAMETOOLONG" },
  { name: "2,000 characters of 2 bytes are 4,000 bytes", path: `${"é/".repeat(1300)}f`, reaches: "ENOTDIR" },
  { name: "invalid bytes count as one each", path: `${"\udcff".repeat(255)}/f`, reaches: "ENOENT" },
  { name: "a path with a null byte", path: "f\0", reaches: "EINVAL" },

  { name: "a FIFO", path: "pipe", reaches: { special: "fifo" } },
  { name: "a FIFO as a directory", path: "pipe/x", reaches: "ENOTDIR" },
];

/** Every door gives a text to compare, or throws FileError. */
const doors: Record<string, { run: (files: Files, path: string) => string; expects: (row: Row) => string }> = {
  open: { run: (files, path) => contentOf(files.open(path)), expects: contentExpected },
  list: { run: (files, path) => namesIn(files.openDirectory(path)), expects: namesExpected },
  status: { run: (files, path) => files.status(path).kind, expects: kindExpected },
  "status of the link": {
    run: (files, path) => files.status(path, { follow: false }).kind,
    expects: (row) => (row.link === undefined ? kindExpected(row) : "symlink"),
  },
  readLink: { run: (files, path) => files.readLink(path), expects: linkExpected },
  realPath: { run: (files, path) => `/${files.realPath(path)}`, expects: canonicalExpected },
  access: { run: (files, path) => String(files.access(path, "read")), expects: (row) => codeOf(row) ?? "true" },
  "open from its directory, as one it listed": {
    run: held((directory, name) => contentOf(directory.openFile(name, { isListed: true }))),
    expects: contentExpected,
  },
  "open from its directory": { run: held((directory, name) => contentOf(directory.openFile(name))), expects: contentExpected },
  "list from its directory": {
    run: held((directory, name) => namesIn(directory.openDirectory(name, { follow: true }))),
    expects: namesExpected,
  },
  "list from its directory, no link": {
    run: held((directory, name) => namesIn(directory.openDirectory(name))),
    expects: (row) => (row.link === undefined ? namesExpected(row) : "ENOTDIR"),
  },
  "status from its directory": { run: held((directory, name) => directory.statusOf(name, { follow: true }).kind), expects: kindExpected },
  "status of the link from its directory": {
    run: held((directory, name) => directory.statusOf(name).kind),
    expects: (row) => (row.link === undefined ? kindExpected(row) : "symlink"),
  },
  "readLink from its directory": { run: held((directory, name) => directory.readLinkOf(name)), expects: linkExpected },
};

describe.each(Object.entries(doors))("%s", (_, door) => {
  test.each(rows)("$name", async (row) => {
    const path = row.path.replace("HOST", host.path);
    const before = await descriptorsAtRest();
    expect(outcome(() => door.run(workspace.at(row.at ?? ""), path))).toBe(door.expects(row));
    expect(await descriptorsAtRest()).toBe(before);
  });
});

/** A FIFO is in no copy. */
const rowsOfOverlay = rows.filter(({ path }) => !path.startsWith("pipe"));

describe.each(Object.entries(doors))("in an overlay: %s", (name, door) => {
  /** Names come as the file system of the copy has them. */
  const inOrder = (text: string): string =>
    name.startsWith("list")
      ? text
          .split("/")
          .filter((each) => each !== "pipe")
          .sort()
          .join("/")
      : text;
  test.each(rowsOfOverlay)("$name", async (row) => {
    const path = row.path.replace("HOST", host.path);
    const before = await descriptorsAtRest();
    expect(inOrder(outcome(() => door.run(overlay.at(row.at ?? ""), path)))).toBe(inOrder(door.expects(row)));
    expect(await descriptorsAtRest()).toBe(before);
  });

  test("the place of the copy has no name", () => {
    expect(outcome(() => door.run(overlay, `${copy.directory}/f`))).toBe("PATH_ESCAPE");
  });
});

/** The rows that name no place on the host, but for links: those lead out of a mount as they do out of the root. */
const rowsOfMount = rows.filter(({ path, reaches }) => {
  const isAbsolute = path.startsWith("/") || /HOST/.test(path);
  return !isAbsolute && (reaches === "SYMLINK_ESCAPE" || !/absolute|to-f-as-given/.test(path));
});

const mounts: readonly (readonly [string, string, () => Workspace])[] = [
  ["the scratch", "/tmp", () => mounted],
  ["a mount", "/docs", () => beside],
];
const doorsOfMounts = mounts.flatMap(([what, name, view]) =>
  Object.entries(doors).map(([door, { run, expects }]) => ({ what, name, view, door, run, expects })),
);

describe.each(doorsOfMounts)("in $what: $door", ({ name, view, run, expects }) => {
  /** realPath gives the name that the mount has. */
  const below = (text: string): string => text.replace(new RegExp(`^/${name}/?`), "/");
  test.each(rowsOfMount)("$name", async (row) => {
    const before = await descriptorsAtRest();
    const inMount = view().at(row.at === undefined ? name : `${name}/${row.at}`);
    expect(below(outcome(() => run(inMount, row.path)))).toBe(expects(row));
    if (row.at === undefined && row.path !== "" && row.path.length < 4000) {
      const typed = `${name}/${row.path}`;
      expect(below(outcome(() => run(view(), typed)))).toBe(expects(row));
    }
    expect(await descriptorsAtRest()).toBe(before);
  });
});

describe("a mount as the root of a view", () => {
  test.each(rowsOfMount)("$name", (row) => {
    const view = beside.inMount("/docs")?.at(row.at ?? "");
    if (view === undefined) throw new Error("no such mount");
    for (const { run, expects } of Object.values(doors)) expect(outcome(() => run(view, row.path))).toBe(expects(row));
  });
});

describe("a mount beside the root", () => {
  test.each<[string, string]>([
    ["/tmp/../secret", "PATH_ESCAPE"],
    ["/tmp/a/../../secret", "PATH_ESCAPE"],
    ["/tmpfile", "PATH_ESCAPE"],
    ["/tmp/to-f-absolute", "SYMLINK_ESCAPE"],
    ["/tmp/to-root-absolute/f", "SYMLINK_ESCAPE"],
    ["/tmp/out-absolute", "SYMLINK_ESCAPE"],
    ["into-mount", "SYMLINK_ESCAPE"],
    ["into-mount-root/f", "SYMLINK_ESCAPE"],
    ["HOST/other/here", "the root's\n"],
    // On the host it may be there: it is beside the root.
    ["HOST/root/f", "PATH_ESCAPE"],
    ["HOST", "PATH_ESCAPE"],
    ["/tmp//./f", "file\n"],
  ])("%s: %s", (path, expected) => {
    expect(outcome(() => contentOf(mounted.open(path.replace("HOST", host.path))))).toBe(expected);
  });
  test("where the root is, or is above, the name of the mount, the root has it", () => {
    for (const root of ["/", "/tmp"]) {
      const files = Workspace.open(root);
      expect(files.withScratch(scratch)).toBe(files);
      expect(files.scratch()).toBeUndefined();
      files.close();
    }
  });
  test("nothing is written through it from outside", () => {
    expect(() => mounted.writer().target("/tmp/new")).toThrow(FileError);
    expect(() => beside.writer().target("/docs/new")).toThrow(FileError);
    expect(outcome(() => String(beside.home("/docs/new").files.writer()))).toBe("READ_ONLY");
    for (const path of ["f", "/etc/x", "/tmp/../x", `${host.path}/other/new`]) {
      expect(outcome(() => String(mounted.scratch()?.check(path)))).toBe("PATH_ESCAPE");
    }
  });
});

/** The door of a held directory: the path's directory is opened, then its last component asked for by name. */
function held(ask: (directory: OpenDirectory, name: string) => string): (files: Files, path: string) => string {
  return (files, path) => {
    const [, before = "", name = ""] = /^([^]*\/)?([^/]+)$/.exec(path) ?? [];
    const isEntry = name !== "" && name !== "." && name !== ".." && !name.includes("\0") && Buffer.byteLength(path) <= 4095;
    // What has no entry of its own (`a/`, `..`) has only the path.
    if (!isEntry || before === "/" || path.startsWith(host.path)) return ask(single(files, path), "");
    const directory = files.openDirectory(before || ".");
    try {
      return ask(directory, name);
    } finally {
      directory.close();
    }
  };
}

/** A stand-in for an open directory where none can be opened: each question goes to the path itself. */
function single(files: Files, path: string): OpenDirectory {
  return {
    status: undefined as never,
    stampsEntries: undefined as never,
    entries: undefined as never,
    list: undefined as never,
    expect: undefined as never,
    passes: () => false,
    stampsBelow: undefined as never,
    statusOf: (_, options) => files.status(path, { follow: options?.follow ?? false }),
    stampOf: () => {
      const { kind, permissions, size, modifiedNs, changedNs, inode } = files.status(path, { follow: false });
      const [modifiedMs, changedMs] = [modifiedNs, changedNs].map((ns) => Number(ns / 1_000_000n));
      return { kind, permissions, size, modifiedMs: modifiedMs ?? 0, changedMs: changedMs ?? 0, inode: Number(inode) };
    },
    readLinkOf: () => files.readLink(path),
    openFile: () => files.open(path),
    openDirectory: (_, options) => {
      if (options?.follow !== true && files.status(path, { follow: false }).kind !== "directory") throw new FileError("ENOTDIR", path);
      return files.openDirectory(path);
    },
    close: () => {},
  };
}

function contentOf(file: OpenFile): string {
  return [...file.blocks()].map((block) => toText(block)).join("");
}

function namesIn(directory: OpenDirectory): string {
  const entries = [...directory.entries()];
  expect(directory.list("kernel")).toEqual(entries);
  expect(directory.list("name")).toEqual(entries.toSorted((a, b) => Buffer.compare(toBytes(a.name), toBytes(b.name))));
  const names = entries.map((entry) => entry.name);
  directory.close();
  return names.join("/");
}

function outcome(action: () => string): string {
  try {
    return action();
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    expect(thrown.message).not.toMatch(/\/proc|shelpa-tree/);
    return thrown.code;
  }
}

const codeOf = (row: Row): string | undefined => (typeof row.reaches === "string" ? row.reaches : undefined);

function contentExpected({ reaches }: Row): string {
  if (typeof reaches === "string") return reaches;
  if ("content" in reaches) return reaches.content;
  return "directory" in reaches ? "EISDIR" : "NOT_REGULAR_FILE";
}

function namesExpected({ reaches }: Row): string {
  if (typeof reaches === "string") return reaches;
  if (!("directory" in reaches)) return "ENOTDIR";
  const names = readdirSync(`${host.path}/root/${reaches.directory}`, { encoding: "buffer" }).map((name) => toText(name));
  expect(names).toContain(reaches.has);
  return rawOrder(`${host.path}/root/${reaches.directory}`);
}

function kindExpected({ reaches }: Row): string {
  if (typeof reaches === "string") return reaches;
  return "content" in reaches ? "file" : "directory" in reaches ? "directory" : reaches.special;
}

function linkExpected(row: Row): string {
  return row.link?.replace("HOST", host.path) ?? codeOf(row) ?? "EINVAL";
}

function canonicalExpected({ reaches, path }: Row): string {
  if (typeof reaches === "string") return reaches;
  return `/${"file" in reaches ? reaches.file : "directory" in reaches ? reaches.directory : path}`;
}

const rawOrders = new Map<string, string>();

/** The kernel's own order, from another program. */
function rawOrder(path: string): string {
  const known = rawOrders.get(path);
  if (known !== undefined) return known;
  skipWithout("python3");
  const listed = execFileSync("python3", [
    "-c",
    "import os,sys; sys.stdout.buffer.write(b'/'.join(os.listdir(os.fsencode(sys.argv[1]))))",
    path,
  ]);
  rawOrders.set(path, toText(listed));
  return toText(listed);
}

/** Once the event loop has turned: until then the directory of the last paths is held (last-directory.ts). */
async function descriptorsAtRest(): Promise<number> {
  await new Promise(setImmediate);
  return descriptors();
}

function descriptors(): number {
  return readdirSync("/proc/self/fd").length;
}

describe("kinds that are never opened", () => {
  test("a socket", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(`${host.path}/root/socket`, resolve));
    expect(workspace.status("socket").kind).toBe("socket");
    expect(outcome(() => contentOf(workspace.open("socket")))).toBe("NOT_REGULAR_FILE");
    await new Promise((resolve) => server.close(resolve));
  });

  test("a device", () => {
    const dev = Workspace.open("/dev");
    expect(dev.status("zero").kind).toBe("character-device");
    expect(outcome(() => contentOf(dev.open("zero")))).toBe("NOT_REGULAR_FILE");
    const directory = dev.openDirectory(".");
    expect(outcome(() => contentOf(directory.openFile("zero")))).toBe("NOT_REGULAR_FILE");
    expect(outcome(() => contentOf(directory.openFile("zero", { isListed: true })))).toBe("NOT_REGULAR_FILE");
    directory.close();
    dev.close();
  });

  test("the kernel's pseudo files: other processes' memory and environment", () => {
    const proc = Workspace.open("/proc");
    expect(outcome(() => contentOf(proc.open(`${process.pid}/environ`)))).toBe("NOT_REGULAR_FILE");
    expect(outcome(() => contentOf(proc.open("self/environ")))).toBe("NOT_REGULAR_FILE");
    expect(outcome(() => contentOf(proc.open("self/root/etc/passwd")))).toBe("SYMLINK_ESCAPE");
    expect(outcome(() => String(proc.status("self/cwd").size))).toBe("SYMLINK_ESCAPE");
    proc.close();
  });

  test("/dev/null is an empty file", () => {
    expect(contentOf(workspace.open("/dev/null"))).toBe("");
    expect(workspace.status("/dev/null").kind).toBe("character-device");
    expect(outcome(() => namesIn(workspace.openDirectory("/dev/null")))).toBe("ENOTDIR");
    expect(outcome(() => workspace.readLink("/dev/null"))).toBe("EINVAL");
    expect(workspace.access("/dev/null", "write")).toBe(true);
  });
});

describe("depth", () => {
  // By name (named-handle.ts) each step costs as much as the path is long, and nothing is held.
  needs(INHERITED).test("2,000 directories deep needs no 2,000 descriptors, and .. finds its way back", {}, () => {
    skipWithout("python3");
    const deep = tree(["root/"]);
    execFileSync("python3", [
      "-c",
      `
import os, sys
os.chdir(sys.argv[1])
for i in range(2000):
    os.mkdir("d"); os.chdir("d")
open("f", "w").write("bottom\\n")`,
      `${deep.path}/root`,
    ]);
    const files = Workspace.open(`${deep.path}/root`);
    const down = "d/".repeat(2000);
    const before = descriptors();
    expect(contentOf(files.open(`${down}f`))).toBe("bottom\n");
    expect(contentOf(files.at(down).open(`${"../".repeat(500)}${"d/".repeat(500)}f`))).toBe("bottom\n");
    expect(files.at(down).realPath("../".repeat(1300))).toBe("d/".repeat(700).slice(0, -1));
    expect(files.at(down).realPath("../".repeat(65))).toBe("d/".repeat(1935).slice(0, -1));
    expect(outcome(() => files.at("d/".repeat(1000)).realPath("../".repeat(1001)))).toBe("PATH_ESCAPE");
    expect(descriptors()).toBe(before);
    files.close();
    execFileSync("rm", ["-rf", deep.path]);
  });
});

describe("names in a held directory", () => {
  test.each(["..", ".", "", "a/f", "../secret", "f\0"])("%j is refused as a fault of ours", (name) => {
    const directory = workspace.openDirectory(".");
    for (const ask of [
      () => directory.openFile(name),
      () => directory.openDirectory(name),
      () => directory.openDirectory(name, { follow: true }),
      () => directory.statusOf(name),
      () => directory.readLinkOf(name),
    ]) {
      expect(ask).toThrow("not the name of a directory entry");
    }
    directory.close();
  });

  test("our own record directory is passed over at the root alone", () => {
    const host = tree([".shelpa/f: record\n", "a/.shelpa/f: theirs\n"]);
    const files = Workspace.open(host.path);
    expect(namesIn(files.openDirectory("."))).toBe("a");
    expect(namesIn(files.openDirectory("a/.."))).toBe("a");
    expect(namesIn(files.openDirectory("a"))).toBe(".shelpa");
    expect(contentOf(files.open(".shelpa/f"))).toBe("record\n");
    files.close();
    host.remove();
  });
});

describe("a root that goes away", () => {
  test("is named, never an empty listing, and works again once it is back", () => {
    const host = tree(["root/f: first\n", "elsewhere/f: elsewhere\n"]);
    const root = `${host.path}/root`;
    const files = Workspace.open(root);
    const every = [
      () => contentOf(files.open("f")),
      () => namesIn(files.openDirectory(".")),
      () => files.status(".").kind,
      () => files.realPath("f"),
    ];
    rmSync(root, { recursive: true });
    for (const ask of every) expect(outcome(ask)).toBe("ROOT_GONE");
    symlinkSync(`${host.path}/elsewhere`, root);
    for (const ask of every) expect(outcome(ask)).toBe("ROOT_GONE");
    rmSync(root);
    mkdirSync(root);
    writeFileSync(`${root}/f`, "second\n");
    expect(every.map(outcome)).toEqual(["second\n", "f", "directory", "f"]);
    files.close();
    host.remove();
  });

  needs(INHERITED).test("one that was only renamed stays the same directory", {}, () => {
    const host = tree(["root/f: first\n"]);
    const files = Workspace.open(`${host.path}/root`);
    renameSync(`${host.path}/root`, `${host.path}/moved`);
    expect(contentOf(files.open("f"))).toBe("first\n");
    files.close();
    host.remove();
  });

  test("one that is not there cannot be opened", () => {
    expect(outcome(() => String(Workspace.open("/nonexistent/root")))).toBe("ENOENT");
    expect(outcome(() => String(Workspace.open(`${host.path}/secret`)))).toBe("ENOTDIR");
    expect(() => Workspace.open("relative")).toThrow("absolute");
  });

  needs(INHERITED).test("closing twice closes no descriptor of somebody else's", {}, () => {
    const files = Workspace.open(host.path);
    files.close();
    const before = descriptors();
    const other = Workspace.open(host.path);
    files.close();
    expect(descriptors()).toBe(before + 1);
    other.close();
  });
});

describe("the root as it is shown", () => {
  test.each([
    ["HOST/view", "HOST/view"],
    ["HOST/view/", "HOST/view"],
    ["HOST/view/.", "HOST/root"],
    ["HOST/view/a/..", "HOST/root"],
    ["HOST//root", "HOST/root"],
  ])("%s is shown as %s", (given, shown) => {
    const files = Workspace.open(given.replace("HOST", host.path));
    expect(files.rootPath).toBe(shown.replace("HOST", host.path));
    files.close();
  });
});

describe("permissions, as another user", () => {
  // By name the way to the root must be open too, which that of a test is not.
  needs(INHERITED).test("a directory without search permission is EACCES through every door", {}, () => {
    const host = tree(["root/closed/f: x\n", "root/unreadable: x\n", "root/unlisted/f: x\n"], {
      modes: { "root/closed": 0o600, "root/unreadable": 0, "root/unlisted": 0o311 },
    });
    const files = Workspace.open(`${host.path}/root`);
    asUser(() => {
      for (const ask of [
        () => contentOf(files.open("closed/f")),
        () => namesIn(files.openDirectory("closed/f")),
        () => files.status("closed/f").kind,
        () => files.readLink("closed/f"),
        () => files.realPath("closed/f"),
        () => String(files.access("closed/f", "read")),
        () => contentOf(files.open("closed/../unlisted/f")),
        () => contentOf(files.open("unreadable")),
        () => namesIn(files.openDirectory("unlisted")),
        () => files.status("closed/.").kind,
        () => files.status("closed/..").kind,
      ]) {
        expect(outcome(ask)).toBe("EACCES");
      }
      expect(files.status("unreadable").size).toBe(2);
      expect(files.status("closed/").kind).toBe("directory");
      // Where a volume may find a file by other names than its own, one that cannot be seen listed has none.
      const unlisted = process.env["SHELPA_FOLDING_VOLUME"] === undefined ? "x\n" : "EACCES";
      expect(outcome(() => contentOf(files.open("unlisted/f")))).toBe(unlisted);
    });
    // access(2) asks for the real user, which here stays root: to whom only a missing execute bit is denied.
    expect(files.access("unreadable", "execute")).toBe(false);
    expect(files.access("unlisted", "execute")).toBe(true);
    files.close();
    host.remove();
  });
});

/** Root passes every permission check, so these run as nobody where the tests run as root. */
function asUser(action: () => void): void {
  if (process.geteuid?.() !== 0) return action();
  process.seteuid?.(65534);
  try {
    action();
  } finally {
    process.seteuid?.(0);
  }
}
