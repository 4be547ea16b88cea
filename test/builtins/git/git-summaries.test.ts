/** Beginnings of zlib streams, of which the sizes of deltas are read: as much as is asked for, or all there is. */
import { deflateSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { Inflater } from "../../../builtins/git/objects/inflate.ts";

const inflater = new Inflater();
afterAll(() => inflater.close());

const LONG = Buffer.from(Array.from({ length: 20_000 }, (_, at) => (at * at * 31) % 251));

test.each([
  ["a short stream", deflateSync(Buffer.from("abc")), 20, "abc"],
  ["a long stream", deflateSync(LONG), 20, LONG.toString("latin1", 0, 20)],
  ["what is there of a stream that is cut", deflateSync(LONG).subarray(0, 1024), 20, LONG.toString("latin1", 0, 20)],
  ["other bytes behind it", Buffer.concat([deflateSync(Buffer.from("abc")), LONG]), 20, "abc"],
  ["no stream", Buffer.from("no stream at all"), 20, undefined],
  ["after no stream", deflateSync(Buffer.from("abcdef")), 3, "abc"],
])("%s", (_, packed, bytes, expected) => {
  expect(inflater.beginning(packed, bytes)?.toString("latin1")).toBe(expected);
});
