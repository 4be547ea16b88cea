/** Cache of the objects that deltas are applied to: its memory is written over, but never what is in use. */
import { expect, test } from "vitest";
import { DeltaBases, type PackBases } from "../../../builtins/git/objects/delta-bases.ts";
import type { ObjectType } from "../../../builtins/git/objects/pack.ts";

const LARGE = 1 << 20;

function add(bases: PackBases, offset: number, type: ObjectType, data: Buffer, inUse?: Buffer): void {
  const room = bases.room(offset, type, data.length, inUse);
  if (room === undefined) throw new Error("too large");
  data.copy(room);
}

test("an object is found by its pack and its offset, whatever its type is taken for", () => {
  const bases = new DeltaBases();
  const [one, other] = [bases.ofPack(), bases.ofPack()];
  add(one, 12, "tree", Buffer.from("tree of one"));
  add(other, 12, "blob", Buffer.from("blob of the other"));
  expect(one.get(12, undefined)?.data.toString()).toBe("tree of one");
  expect(one.get(12, "tree")).toEqual({ type: "tree", data: Buffer.from("tree of one") });
  expect(one.get(12, "blob")).toBeUndefined();
  expect(other.get(12, "blob")?.data.toString()).toBe("blob of the other");
  expect(other.get(12, undefined)?.type).toBe("blob");
  expect(other.get(12, "commit")).toBeUndefined();
  other.forget(12);
  expect(other.get(12, undefined)).toBeUndefined();
  expect(one.get(12, undefined)).toBeDefined();
});

test.each(["tree", "blob"] as const)("the %ss added last stay, and the first go", (type) => {
  const bases = new DeltaBases().ofPack();
  const text = (offset: number): Buffer => Buffer.alloc(LARGE >> 4, `${offset},`);
  for (let offset = 0; offset < 400; offset++) {
    add(bases, offset, type, text(offset));
    for (const back of [0, 1, 16]) {
      if (offset < back) continue;
      expect(bases.get(offset - back, type)?.data.equals(text(offset - back)), `${offset - back} at ${offset}`).toBe(true);
    }
  }
  expect(bases.get(0, type)).toBeUndefined();
});

test("what one type adds leaves the other's where it is", () => {
  const bases = new DeltaBases().ofPack();
  add(bases, 1, "tree", Buffer.from("tree"));
  for (let offset = 2; offset < 400; offset++) add(bases, offset, "blob", Buffer.alloc(LARGE >> 4));
  expect(bases.get(1, undefined)?.data.toString()).toBe("tree");
  expect(bases.get(2, undefined)).toBeUndefined();
});

test("an object in use is not written over, however old it is", () => {
  const bases = new DeltaBases().ofPack();
  let oldest = 0;
  for (let offset = 0; offset < 200; offset++) {
    while (oldest < offset && bases.get(oldest, "tree") === undefined) oldest++;
    // It lies where the next begins once the other half of the memory is used again.
    const old = bases.get(oldest, "tree")?.data ?? Buffer.alloc(0);
    const expected = Buffer.from(old);
    bases.room(offset, "tree", LARGE >> 2, old)?.fill(offset + 1);
    expect(old.equals(expected), `${oldest} at ${offset}`).toBe(true);
  }
  expect(oldest).toBeGreaterThan(100);
});

test("an object that would fill the cache has no room there", () => {
  const bases = new DeltaBases().ofPack();
  expect(bases.room(1, "tree", 4 * LARGE, undefined)).toBeUndefined();
  expect(bases.room(1, "blob", LARGE, undefined)).toBeUndefined();
  expect(bases.get(1, undefined)).toBeUndefined();
});
