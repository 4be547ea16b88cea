import { expect, test } from "vitest";
import { KeptOutputs, OutputRoom, type PrintingSession } from "../../src/mcp/kept-outputs.ts";

const captured = (bytes: Uint8Array) => ({ bytes, totalBytes: bytes.length, totalLines: 1 });

function owner(handle: string): PrintingSession {
  let printed = 0;
  return { handle, nextOutputNumber: () => ++printed };
}

test("an output is found by its id, and by its number in the session that printed it", () => {
  const kept = new KeptOutputs();
  const session = owner("a");
  kept.add(session, "pwd", captured(Buffer.from("/\n")));
  const output = kept.add(session, "ls", captured(Buffer.from("a\n")));
  expect(output).toMatchObject({ session: "a", number: 2, command: "ls", bytes: Buffer.from("a\n") });
  expect(output.id).toMatch(/^[\w-]{12}$/);
  expect(kept.get(output.id)).toBe(output);
  expect(kept.ofSession("a", 2)).toBe(output);
  expect(kept.ofSession("b", 2)).toBeUndefined();
  expect(kept.get("other")).toBeUndefined();
});

test("past 64 MiB the one unused longest goes, whoever printed it", () => {
  const kept = new KeptOutputs();
  const eightMiB = captured(new Uint8Array(8 << 20));
  const outputs = Array.from({ length: 8 }, (_, index) => kept.add(owner(`session ${index}`), "x", eightMiB));
  expect(kept.list()).toHaveLength(8);
  kept.ofSession("session 0", 1);
  kept.add(owner("another"), "one more", eightMiB);
  expect(outputs.map(({ id }) => kept.get(id) !== undefined)).toEqual([true, false, true, true, true, true, true, true]);
});

test("a session keeps its last 64, however small, and does not push out another's", () => {
  const kept = new KeptOutputs();
  const other = kept.add(owner("b"), "other", captured(new Uint8Array(1)));
  const session = owner("a");
  const first = kept.add(session, "first", captured(new Uint8Array(1)));
  for (let count = 0; count < 64; count++) kept.add(session, "x", captured(new Uint8Array(1)));
  expect(kept.get(first.id)).toBeUndefined();
  expect(kept.get(other.id)).toBe(other);
  expect(kept.list()).toHaveLength(65);
});

test("past a room that workspaces share, whoever keeps most gives way, oldest first", () => {
  const room = new OutputRoom(4 << 20);
  const [large, small] = [new KeptOutputs(undefined, room), new KeptOutputs(undefined, room)];
  const oneMiB = captured(new Uint8Array(1 << 20));
  const outputs = ["a", "b", "c"].map((handle) => large.add(owner(handle), "x", oneMiB));
  const other = small.add(owner("d"), "y", oneMiB);
  small.add(owner("e"), "z", oneMiB);
  expect(outputs.map(({ id }) => large.get(id) !== undefined)).toEqual([false, true, true]);
  expect(small.get(other.id)).toBe(other);
  large.close();
  const more = ["f", "g"].map((handle) => small.add(owner(handle), "z", oneMiB));
  expect(more.map(({ id }) => small.get(id) !== undefined)).toEqual([true, true]);
  expect([large.heldBytes, small.heldBytes]).toEqual([2 << 20, 4 << 20]);
});
