/**
 * The Workspace as it is on macOS and Windows, where handles are names (src/workspace/walk/named-handle.ts), by the tables
 * that hold it on Linux: confinement, paths against their model, writing. What differs is stated here.
 */
import { readdirSync, renameSync, symlinkSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import { tree } from "../../tree.ts";

vi.hoisted(() => Object.defineProperty(process, "platform", { value: "darwin" }));

const { Workspace } = await import("../../../src/workspace/workspace.ts");
const { descriptorsCanBeInherited } = await import("../../../src/workspace/walk/descriptor.ts");
const { NamedHandles } = await import("../../../src/workspace/walk/named-handle.ts");
const { isWindowsName } = await import("../../../src/glob/windows-name.ts");

test("it is the other implementation that is tested here", () => {
  expect(descriptorsCanBeInherited).toBe(false);
});

describe("as on Linux", async () => {
  await import("../confinement.test.ts");
  await import("../../fuzz/paths.test.ts");
  await import("../../audit/forged-records.test.ts");
});

describe("a directory that another is put in the place of, while it is held", () => {
  test("lists nothing of the other, and opens nothing there", () => {
    const host = tree(["root/d/f: inside\n", "outside/f: OUTSIDE\n"]);
    const workspace = Workspace.open(`${host.path}/root`);
    try {
      const held = workspace.openDirectory("d");
      renameSync(`${host.path}/root/d`, `${host.path}/root/elsewhere`);
      symlinkSync("../outside", `${host.path}/root/d`);
      expect(() => held.openFile("f")).toThrow(/Stale file handle/);
      expect(() => held.openFile("f", { isListed: true })).toThrow(/Stale file handle/);
      expect(() => [...held.entries()]).toThrow(/Stale file handle/);
      expect(() => held.statusOf("f")).toThrow(/Stale file handle/);
      expect(() => workspace.open("d/f")).toThrow(/leaves the workspace/);
      held.close();
    } finally {
      workspace.close();
      host.remove();
    }
  });

  test("a parent on the way that becomes a link is seen as well", () => {
    const host = tree(["root/a/d/f: inside\n", "outside/d/f: OUTSIDE\n"]);
    const handles = new NamedHandles("darwin");
    const root = handles.holdHost(`${host.path}/root`, true);
    const d = handles.holdDirectory(handles.holdDirectory(root, "a"), "d");
    const file = handles.holdAny(d, "f");
    renameSync(`${host.path}/root/a`, `${host.path}/outside/a`);
    symlinkSync("../outside/a", `${host.path}/root/a`);
    // The same directory by another way: it is outside now.
    expect(() => handles.status(handles.holdAny(d, "f"))).toThrow(/ESTALE/);
    expect(() => handles.linkStatus(d, "f")).toThrow(/ESTALE/);
    expect(() => handles.list(d, (path) => path)).toThrow(/ESTALE/);
    expect(() => handles.pathIn(d, "new")).toThrow(/ESTALE/);
    expect(handles.isDead(d)).toBe(true);
    handles.release(file);
    expect(() => handles.reopen(file, 0)).toThrow(/EBADF/);
    host.remove();
  });
});

test("rules for what is not read hold in any case, as the file system's names do", () => {
  const host = tree(["Secrets/Key: k\n"]);
  const workspace = Workspace.open(host.path, { denyRead: ["secrets/**"] });
  expect(() => workspace.open("Secrets/Key")).toThrow(/policy/);
  workspace.close();
  host.remove();
});

test.each<[string, boolean]>([
  ["file.txt", true],
  ["com1x", true],
  [".git", true],
  ["é", true],
  ["NUL", false],
  ["nul.txt", false],
  ["CON .log", false],
  ["com1", false],
  ["LPT9.x", false],
  ["f:stream", false],
  ["C:", false],
  ["a\\b", false],
  ["..\\x", false],
  ["trailing.", false],
  ["trailing ", false],
  ["a?b", false],
  ["a\u0001b", false],
])("on Windows %j is one name: %s", (name, is) => {
  expect(isWindowsName(name)).toBe(is);
});

test("a name that Windows takes for another is none there", () => {
  const host = tree(["root/f: x\n"]);
  const handles = new NamedHandles("win32");
  const root = handles.holdHost(`${host.path}/root`, true);
  for (const name of ["f:stream", "..\\f", "NUL", "f."]) expect(() => handles.holdAny(root, name), name).toThrow(/ENOENT/);
  expect(readdirSync(`${host.path}/root`)).toEqual(["f"]);
  host.remove();
});
