/** The pipe between threads: what goes in comes out, in order, whatever its size and wherever it wraps. */
import { expect, test } from "vitest";
import { ByteRing } from "../../src/wasm/byte-ring.ts";
import { FrameReader, frameHeader } from "../../src/wasm/output-frames.ts";

test("bytes wrap around its end in order", () => {
  const ring = ByteRing.of(8);
  const out: number[] = [];
  for (let next = 0; next < 100; ) {
    next += ring.write(Uint8Array.of(next, next + 1, next + 2, next + 3, next + 4));
    const into = new Uint8Array(3);
    out.push(...into.subarray(0, ring.read(into)));
  }
  out.push(...ring.takeAll());
  expect(out).toEqual(out.map((_, at) => at));
  expect(out.length).toBeGreaterThanOrEqual(100);
});

test("it takes no more than it holds", () => {
  const ring = ByteRing.of(8);
  expect(ring.write(new Uint8Array(20))).toBe(8);
  expect(ring.write(new Uint8Array(1))).toBe(0);
  expect(ring.held).toBe(8);
});

test("a reader at the end does not wait", () => {
  const ring = ByteRing.of(8);
  ring.end();
  ring.waitForBytes();
  expect(ring.read(new Uint8Array(1))).toBe(0);
});

test("a wait is answered once", () => {
  const ring = ByteRing.of(8);
  ring.announceWait();
  expect([ring.takeWait(), ring.takeWait()]).toEqual([true, false]);
});

test("frames cut anywhere give the same streams in the same order", () => {
  const all = Buffer.concat([
    frameHeader(3, false),
    Buffer.from("abc"),
    frameHeader(2, true),
    Buffer.from("er"),
    frameHeader(1, false),
    Buffer.from("d"),
  ]);
  for (let cut = 0; cut <= all.length; cut++) {
    const reader = new FrameReader();
    const pieces = [...reader.read(all.subarray(0, cut)), ...reader.read(all.subarray(cut))];
    const text = pieces
      .map(({ isError, bytes }) => (isError ? `<${String(bytes)}>` : String(bytes)))
      .join("")
      .replace("><", "");
    expect(text).toBe("abc<er>d");
  }
});
