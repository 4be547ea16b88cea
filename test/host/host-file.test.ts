/** Files of the user's that are read whole: settings, tokens, a history. None is waited for, and none takes the memory of the host. */
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { hostFileText } from "../../src/host/host-file.ts";
import type { FileErrorCode } from "../../src/workspace/file-error.ts";
import { makeFifo, tree, type Tree } from "../tree.ts";

let place: Tree;
let path: string;
beforeEach(() => {
  place = tree([]);
  path = `${place.path}/f`;
});
afterEach(() => place.remove());

const MOST_BYTES = 4 << 20;

test.each<[string, () => void, FileErrorCode]>([
  ["a FIFO", () => makeFifo(path), "NOT_REGULAR_FILE"],
  ["a link to a device without an end", () => symlinkSync("/dev/zero", path), "NOT_REGULAR_FILE"],
  ["a directory", () => mkdirSync(path), "EISDIR"],
  ["one byte too many", () => writeFileSync(path, Buffer.alloc(MOST_BYTES + 1)), "EFBIG"],
  [
    "three gigabytes of nothing",
    () => {
      writeFileSync(path, "");
      truncateSync(path, 3 * 2 ** 30);
    },
    "EFBIG",
  ],
])("%s is an error", (_, make, code) => {
  make();
  expect(() => hostFileText(path)).toThrow(expect.objectContaining({ code }));
});

test.each([
  ["", ""],
  ["é\n", "é\n"],
  ["x".repeat(MOST_BYTES), "x".repeat(MOST_BYTES)],
])("a file that is no longer than that is read (%#)", (given, read) => {
  writeFileSync(path, given);
  expect(hostFileText(path)).toBe(read);
});

test("a file of the kernel's, which tells no size, is read; one that is not there is none", () => {
  if (process.platform === "linux") expect(hostFileText("/proc/self/stat")).toMatch(/^\d+ \(/);
  expect(hostFileText(`${path}/gone`)).toBeUndefined();
});
