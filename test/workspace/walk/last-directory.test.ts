/** Several paths of one directory in a row: it is held for them, and only while it lies where it was found. */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Workspace } from "../../../src/workspace/workspace.ts";
import { tree, type Tree } from "../../tree.ts";

let host: Tree;
let workspace: Workspace;

beforeEach(() => {
  host = tree(["root/a/d/f: one\n", "root/a/d/g: two\n", "root/a/d/sub/x: x\n", "outside/d/h: OUTSIDE\n"]);
  workspace = Workspace.open(`${host.path}/root`);
  for (const path of ["a/d/f", "a/d/g"]) read(path);
});
afterEach(() => {
  workspace.close();
  host.remove();
});

function read(path: string): string {
  return Buffer.concat([...workspace.open(path).blocks()]).toString();
}

/** Longer than the answer to where a directory lies is good. */
function later(): void {
  const endMs = performance.now() + 3;
  while (performance.now() < endMs);
}

test("it is held until the event loop turns", async () => {
  const held = (): number => readdirSync("/proc/self/fd").length;
  const during = held();
  await new Promise(setImmediate);
  expect(held()).toBe(during - 1);
});

test("moved out of the root, it answers no more", () => {
  renameSync(`${host.path}/root/a/d`, `${host.path}/outside/moved`);
  writeFileSync(`${host.path}/outside/moved/f`, "OUTSIDE\n");
  later();
  expect(() => read("a/d/f")).toThrow("No such file or directory");
  expect(() => workspace.status("a/d/g")).toThrow("No such file or directory");
});

test("a parent of it moved out of the root", () => {
  renameSync(`${host.path}/root/a`, `${host.path}/outside/a`);
  later();
  expect(() => read("a/d/f")).toThrow("No such file or directory");
});

test("a link outwards in its place", () => {
  renameSync(`${host.path}/root/a/d`, `${host.path}/root/a/e`);
  symlinkSync("../../outside/d", `${host.path}/root/a/d`);
  later();
  expect(() => read("a/d/h")).toThrow("leaves the workspace");
  expect(() => workspace.status("a/d/h")).toThrow("leaves the workspace");
});

test("another directory in its place is that directory", () => {
  rmSync(`${host.path}/root/a/d`, { recursive: true });
  mkdirSync(`${host.path}/root/a/d`);
  writeFileSync(`${host.path}/root/a/d/f`, "new\n");
  later();
  expect(read("a/d/f")).toBe("new\n");
});

test("a link in it is followed as in a walk, and never out of the root", () => {
  symlinkSync("g", `${host.path}/root/a/d/inside`);
  symlinkSync("../../../outside/d/h", `${host.path}/root/a/d/outwards`);
  expect(read("a/d/inside")).toBe("two\n");
  expect(workspace.status("a/d/inside").kind).toBe("file");
  expect(workspace.status("a/d/inside", { follow: false }).kind).toBe("symlink");
  expect(() => read("a/d/outwards")).toThrow("leaves the workspace");
  expect(() => workspace.status("a/d/outwards")).toThrow("leaves the workspace");
});

test("what cannot be read is refused in the words of a walk", () => {
  expect(() => read("a/d/sub")).toThrow("Is a directory");
  expect(() => read("a/d/none")).toThrow("No such file or directory");
  expect(() => read("a/d/f/")).toThrow("Not a directory");
  expect(() => read("a/d/..")).toThrow("Is a directory");
});

test("the policy's rules hold in it", () => {
  const strict = Workspace.open(`${host.path}/root`, { denyRead: ["g"] });
  try {
    for (let round = 0; round < 3; round++) {
      strict.open("a/d/f").close();
      expect(() => strict.open("a/d/g")).toThrow("Permission denied");
    }
  } finally {
    strict.close();
  }
});

test("files of another current directory are others", () => {
  mkdirSync(`${host.path}/root/b/d`, { recursive: true });
  writeFileSync(`${host.path}/root/b/d/f`, "three\n");
  const [a, b] = [workspace.at("a"), workspace.at("b")];
  for (let round = 0; round < 3; round++) {
    expect(Buffer.concat([...a.open("d/f").blocks()]).toString()).toBe("one\n");
    expect(Buffer.concat([...b.open("d/f").blocks()]).toString()).toBe(readFileSync(`${host.path}/root/b/d/f`, "utf8"));
  }
});
