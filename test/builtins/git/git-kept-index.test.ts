/** Files and directories that count as the ones that were read before. */
import { expect, test } from "vitest";
import { emptyIndex } from "../../../builtins/git/worktree/index-file.ts";
import { KeptIndexes, SETTLED_MS, type IndexVersion } from "../../../builtins/git/worktree/kept-indexes.ts";
import { KEPT_LISTINGS } from "../../../builtins/git/worktree/kept-listings.ts";
import type { FileStatus } from "../../../src/workspace/file-status.ts";

const CHANGED_MS = 1_000_000;
const STATUS = {
  ...{ kind: "file", permissions: 0o644, size: 100, inode: 7n, device: 1n, specialDevice: 0n, links: 1, userId: 0, groupId: 0 },
  ...{ blocks: 1, ioBytes: 4096, modifiedNs: 1_000_000_000_000n, changedNs: 1_000_000_000_000n, accessedNs: 0n, bornNs: 0n },
} as const satisfies FileStatus;
const OLD = CHANGED_MS + SETTLED_MS;

const version = (over: Partial<IndexVersion>): IndexVersion => ({
  path: ".git/index",
  status: STATUS,
  checksum: Buffer.from("0123456789abcdef0123"),
  readMs: OLD,
  ...over,
});
const NO_CHECKSUM = Buffer.alloc(20);

const ROWS: readonly (readonly [name: string, read: Partial<IndexVersion>, found: Partial<IndexVersion>, isKept: boolean])[] = [
  ["the same file", {}, {}, true],
  ["another path", {}, { path: "sub/.git/index" }, false],
  ["another size", {}, { status: { ...STATUS, size: 101 } }, false],
  ["another inode", {}, { status: { ...STATUS, inode: 8n } }, false],
  ["another time of the content", {}, { status: { ...STATUS, modifiedNs: 1n } }, false],
  ["the time of the content put back", {}, { status: { ...STATUS, changedNs: 1_000_000_000_001n } }, false],
  ["another checksum under the same stamp", {}, { checksum: Buffer.from("0123456789abcdef0124") }, false],
  ["read at once, told by its checksum", { readMs: CHANGED_MS }, {}, true],
  ["read at once, without a checksum", { readMs: CHANGED_MS, checksum: NO_CHECKSUM }, { checksum: NO_CHECKSUM }, false],
  ["read a tick too early, without a checksum", { readMs: OLD - 1, checksum: NO_CHECKSUM }, { checksum: NO_CHECKSUM }, false],
  ["read late, without a checksum", { checksum: NO_CHECKSUM }, { checksum: NO_CHECKSUM }, true],
];

test.each(ROWS)("an index is kept or read: %s", (_, read, found, isKept) => {
  const kept = new KeptIndexes();
  const index = emptyIndex();
  kept.keep(version(read), index);
  expect(kept.find(version(found))).toBe(isKept ? index : undefined);
});

test("the indexes used last are kept, and no more than there is room for", () => {
  const kept = new KeptIndexes();
  for (const path of ["a", "b", "c"]) kept.keep(version({ path }), emptyIndex());
  kept.find(version({ path: "a" }));
  kept.keep(version({ path: "d" }), emptyIndex());
  expect(["a", "b", "c", "d"].filter((path) => kept.find(version({ path })) !== undefined)).toEqual(["a", "c", "d"]);
  const large = emptyIndex();
  Object.defineProperty(large, "heldBytes", { value: 17 << 20 });
  kept.keep(version({ path: "large" }), large);
  expect(["c", "d", "large"].filter((path) => kept.find(version({ path })) !== undefined)).toEqual([]);
});

test("a listing is kept if its directory was old when it was listed, for one index and as long as it has the same times", () => {
  const kept = KEPT_LISTINGS.make();
  const index = emptyIndex();
  const entries = [{ name: "new", kind: "file" }] as const;
  const listings = kept.of(index);
  listings.keep("fresh/", STATUS, OLD - 1, entries);
  listings.keep("old/", STATUS, OLD, entries);
  expect(listings.find("fresh/", STATUS)).toBeUndefined();
  expect(kept.of(index).find("old/", STATUS)).toBe(entries);
  expect(listings.find("old/", { ...STATUS, changedNs: STATUS.changedNs + 1n })).toBeUndefined();
  expect(listings.find("old/", { ...STATUS, inode: 8n })).toBeUndefined();
  expect(kept.of(emptyIndex()).find("old/", STATUS)).toBeUndefined();
});
