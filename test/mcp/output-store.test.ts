import { expect, test } from "vitest";
import { OutputStore } from "../../src/mcp/output-store.ts";

test("an output is found by its URI", () => {
  const store = new OutputStore();
  const uri = store.add("ls", Buffer.from("a\n"));
  expect(uri).toMatch(/^shelpa:\/\/output\/[\w-]{12}$/);
  expect(store.get(uri)).toEqual({ uri, command: "ls", bytes: Buffer.from("a\n") });
  expect(store.get("shelpa://output/other")).toBeUndefined();
});

test("past 64 MiB the one unused longest goes", () => {
  const store = new OutputStore();
  const eightMiB = new Uint8Array(8 << 20);
  const uris = Array.from({ length: 8 }, () => store.add("x", eightMiB));
  expect(store.list()).toHaveLength(8);
  store.get(uris[0] as string);
  store.add("one more", eightMiB);
  expect(store.get(uris[0] as string)).toBeDefined();
  expect(store.get(uris[1] as string)).toBeUndefined();
  expect(store.list()).toHaveLength(8);
});

test("past 64 outputs the one unused longest goes, however small", () => {
  const store = new OutputStore();
  const first = store.add("first", new Uint8Array(1));
  for (let count = 0; count < 64; count++) store.add("x", new Uint8Array(1));
  expect(store.get(first)).toBeUndefined();
  expect(store.list()).toHaveLength(64);
});
