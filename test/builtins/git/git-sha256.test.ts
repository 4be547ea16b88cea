/** Repositories of the object format sha256, line by line beside the real git; and such that are malformed. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { deflateSync } from "node:zlib";
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { runOurs } from "../../cases.ts";
import { testBesideReal, type LineSet } from "./beside-real.ts";
import { INTERRUPTED, makeConflictRepository, makeFeatureRepository, makeInterruptedRepository } from "./git-feature-repositories.ts";
import { PACK_LINES, PLUMBING_LINES } from "./git-plumbing-lines.ts";
import { needsGit } from "./git-repositories.ts";
import { ALTERED_LINES, CONFLICT_SHA256_LINES, INTERRUPTED_SHA256_LINES, SHA256_LINES } from "./git-sha256-lines.ts";
import { makePackedSha256, makeReplacedSha256, makeSha256Repository, makeShallowSha256, withIds } from "./git-sha256-repository.ts";

const PLUMBING = [...PLUMBING_LINES, ...PACK_LINES].filter((line) => !line.includes("=sha1")).map((line) => `git ${line}`);

const SETS: readonly LineSet[] = [
  ["a commit-graph", () => makeSha256Repository("file"), SHA256_LINES],
  ["a chain of commit-graphs", () => makeSha256Repository("chain"), ALTERED_LINES],
  ["replacements", makeReplacedSha256, ALTERED_LINES],
  ["a shallow history", makeShallowSha256, ALTERED_LINES],
  ["plumbing", () => makeFeatureRepository("sha256"), PLUMBING],
  ["conflicts", () => makeConflictRepository("sha256"), CONFLICT_SHA256_LINES],
  ...Object.entries(INTERRUPTED).map(
    ([name, interrupt]) => [name, () => makeInterruptedRepository(interrupt, "sha256"), INTERRUPTED_SHA256_LINES] as const,
  ),
];

testBesideReal("object format sha256", SETS, withIds);

/** Bytes of git's files before the ids of a pack's index, and of the fields before an id in the index. */
const IDS_AT = 8 + 256 * 4;
const HEADER_BYTES = 12;
const ID_BYTES = 32;

/** Rewrites a file of a repository that nothing else reads. */
function rewrite(file: string, change: (bytes: Buffer) => Buffer): void {
  chmodSync(file, 0o644);
  writeFileSync(file, change(readFileSync(file)));
}

const packIndex = (path: string): string => {
  const directory = `${path}/.git/objects/pack`;
  return `${directory}/${readdirSync(directory).find((name) => name.endsWith(".idx")) ?? ""}`;
};

/** Stores an object that git would not write, and names it in a reference. */
function stores(path: string, type: "commit" | "tree", data: Buffer): void {
  const bytes = Buffer.concat([Buffer.from(`${type} ${data.length}\0`), data]);
  const id = createHash("sha256").update(bytes).digest("hex");
  const directory = `${path}/.git/objects/${id.slice(0, 2)}`;
  mkdirSync(directory, { recursive: true });
  writeFileSync(`${directory}/${id.slice(2)}`, deflateSync(bytes));
  writeFileSync(`${path}/.git/refs/heads/made`, `${id}\n`);
}

interface Damage {
  readonly name: string;
  readonly change: (path: string) => void;
  readonly line: string;
  /** The whole of it, or how it begins. */
  readonly stderr: string;
}

const cutIndex =
  (bytes: (size: number) => number): Damage["change"] =>
  (path) =>
    rewrite(packIndex(path), (whole) => whole.subarray(0, bytes(whole.length)));
const changesIndex =
  (change: (bytes: Buffer) => unknown): Damage["change"] =>
  (path) =>
    rewrite(`${path}/.git/index`, (bytes) => {
      change(bytes);
      return bytes;
    });

const TOO_SMALL = "is too small\n";
const DAMAGES: readonly Damage[] = [
  { name: "a pack index without ids", change: cutIndex(() => IDS_AT), line: "git log", stderr: TOO_SMALL },
  { name: "a pack index of one checksum", change: cutIndex(() => IDS_AT + 2 * ID_BYTES - 1), line: "git log", stderr: TOO_SMALL },
  {
    name: "a pack index cut in its checksums",
    change: cutIndex((size) => size - ID_BYTES),
    line: "git log",
    stderr: "wrong index v2 file size in ",
  },
  {
    name: "a pack index without its last byte",
    change: cutIndex((size) => size - 1),
    line: "git log",
    stderr: "wrong index v2 file size in ",
  },
  {
    name: "a pack index of more objects than there are",
    change: (path) => rewrite(packIndex(path), (bytes) => bytes.fill(255, IDS_AT - 4, IDS_AT)),
    line: "git log",
    stderr: "wrong index v2 file size in ",
  },
  {
    name: "a pack index as a SHA-1 repository has it",
    change: (path) => {
      rewrite(packIndex(path), (bytes) => bytes.subarray(0, IDS_AT + bytes.readUInt32BE(IDS_AT - 4) * 28 + 40));
    },
    line: "git log",
    stderr: "wrong index v2 file size in ",
  },
  {
    name: "an index of a header alone",
    change: (path) => rewrite(`${path}/.git/index`, (bytes) => bytes.subarray(0, HEADER_BYTES + ID_BYTES - 1)),
    line: "git ls-files",
    stderr: ".git/index: index file smaller than expected\n",
  },
  {
    name: "an index of more files than there are",
    change: changesIndex((bytes) => bytes.writeUInt32BE(0xffffffff, 8)),
    line: "git ls-files",
    stderr: "index file corrupt\n",
  },
  {
    name: "an index of one file more",
    change: changesIndex((bytes) => bytes.writeUInt32BE(bytes.readUInt32BE(8) + 1, 8)),
    line: "git ls-files",
    stderr: "index file corrupt\n",
  },
  {
    name: "a tree whose id is as short as one of SHA-1",
    change: (path) => stores(path, "tree", Buffer.concat([Buffer.from("100644 a\0"), Buffer.alloc(20, 1)])),
    line: "git ls-tree made",
    stderr: "malformed tree object: too-short tree file\n",
  },
  {
    name: "a commit whose tree is as short as one of SHA-1",
    change: (path) => stores(path, "commit", Buffer.from(`tree ${"1".repeat(40)}\nauthor a <a> 1 +0000\ncommitter a <a> 1 +0000\n\nm\n`)),
    line: "git log made",
    stderr: "bogus commit object ",
  },
  {
    name: "a format that git does not know",
    change: (path) => rewrite(`${path}/.git/config`, (bytes) => Buffer.from(bytes.toString().replace("= sha256", "= sha512"))),
    line: "git log",
    stderr: "repositories of the object format 'sha512' are not read here\n",
  },
  {
    name: "a version that has no formats",
    change: (path) => rewrite(`${path}/.git/config`, (bytes) => Buffer.from(bytes.toString().replace("version = 1", "version = 0"))),
    line: "git log",
    stderr: "repo version is 0, but v1-only extension found:\n\tobjectformat\n",
  },
  {
    name: "packed references of SHA-1",
    change: (path) => writeFileSync(`${path}/.git/packed-refs`, `${"1".repeat(40)} refs/heads/short\n`),
    line: "git for-each-ref",
    stderr: "unexpected line in .git/packed-refs: ",
  },
];

needsGit.describe("a malformed repository of the object format sha256", () => {
  for (const { name, change, line, stderr } of DAMAGES) {
    test(name, async () => {
      const made = makePackedSha256();
      change(made.path);
      const outcome = await runOurs({ command: line }, made.path);
      made.remove();
      expect([outcome.exit, outcome.stdout]).toEqual([128, ""]);
      expect(outcome.stderr).toMatch(/^fatal: /);
      expect(outcome.stderr).toContain(stderr);
    });
  }
});
