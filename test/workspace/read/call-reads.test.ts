/** Notes of what a call has read: which of them count, and what becomes of those that are too many. */
import { expect, test } from "vitest";
import { CallReads, stampOf } from "../../../src/workspace/read/call-reads.ts";
import { statusOfNone, type FileStatus } from "../../../src/workspace/file-status.ts";

const MOST = 100_000;

/** A file that has changed at this time, in milliseconds. */
const changedAt = (ms: number, more: Partial<FileStatus> = {}): FileStatus => ({
  ...statusOfNone("file", 0o644),
  modifiedNs: BigInt(ms) * 1_000_000n,
  changedNs: BigInt(ms) * 1_000_000n,
  ...more,
});

const stamp = (ms: number) => stampOf(changedAt(ms));

test("the last reading counts, unless an edit is open", () => {
  const reads = new CallReads(() => 0);
  reads.note("f", stamp(1));
  reads.note("f", stamp(2));
  expect(reads.changedSince("f")(changedAt(2))).toBe(false);
  const end = reads.beginEdit();
  reads.note("f", stamp(3));
  reads.note("g", stamp(3));
  expect([reads.changedSince("f")(changedAt(3)), reads.changedSince("g")(changedAt(3))]).toEqual([true, false]);
  end();
  end();
  reads.note("f", stamp(3));
  expect(reads.changedSince("f")(changedAt(3))).toBe(false);
});

test("a change of the status alone is one, but not of a file with other names", () => {
  const reads = new CallReads(() => 0);
  reads.note("f", stamp(1));
  const touched = changedAt(1, { changedNs: 9_000_000n });
  expect(reads.changedSince("f")(touched)).toBe(true);
  expect(reads.changedSince("f")({ ...touched, links: 2 })).toBe(false);
});

test("what the call has changed itself, and what it has not read", () => {
  const reads = new CallReads(() => 0);
  reads.note("f", stamp(1));
  reads.forget("f");
  expect([reads.changedSince("f")(changedAt(9)), reads.changedSince("g")(changedAt(9))]).toEqual([false, false]);
});

test("more files than are noted one by one", () => {
  let nowMs = 10;
  const reads = new CallReads(() => nowMs);
  for (let file = 0; file < MOST; file++) reads.note(`${file}`, stamp(5));
  nowMs = 20;
  for (const file of ["own", "other"]) reads.note(file, stamp(5));
  reads.forget("own");
  nowMs = 30;
  const changed = (path: string, ms: number): boolean => reads.changedSince(path)(changedAt(ms));
  expect([changed("7", 5), changed("7", 6)]).toEqual([false, true]);
  expect([changed("other", 19), changed("other", 21), changed("never read", 21), changed("own", 21)]).toEqual([false, true, true, false]);
  // Those that are known already are noted further on.
  reads.note("7", stamp(6));
  expect(changed("7", 6)).toBe(false);
});

test("a loop that reads one file again and again", () => {
  const reads = new CallReads(() => 10);
  for (let turn = 0; turn < 3 * MOST; turn++) reads.note("f", stamp(turn));
  expect([reads.changedSince("f")(changedAt(3 * MOST - 1)), reads.changedSince("g")(changedAt(20))]).toEqual([false, false]);
});

test("what was read by another spelling is what is removed", () => {
  const reads = new CallReads(
    () => 0,
    (path) => path.toLowerCase(),
  );
  reads.note("F", stamp(1));
  expect([reads.changedSince("f")(changedAt(1)), reads.changedSince("f")(changedAt(2))]).toEqual([false, true]);
});
