/** A shell after `close()`: each way to use it says that it is closed, and nothing runs. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Shell, type MemoryOptions, type ShellOptions } from "../../src/session/shell.ts";
import { tree, type Tree } from "../tree.ts";

let place: Tree;
beforeEach(() => {
  place = tree(["a.txt: x"]);
});
afterEach(() => place.remove());

const SAID = { name: "ConfigurationError", message: "the shell is closed; open another with Shell.open" };

describe.each<[string, () => ShellOptions | MemoryOptions]>([
  ["in this process", () => ({ root: place.path, isolation: "none" })],
  ["in a process of its own", () => ({ root: place.path, isolation: "process" })],
  ["over a copy", () => ({ root: place.path, isolation: "none", overlay: true })],
  ["over files in memory", () => ({ files: { "a.txt": "x" }, isolation: "none" })],
])("%s", (name, options) => {
  test("lines, assessments and sessions from before reject", async () => {
    const shell = await Shell.open(options());
    const session = shell.newSession();
    expect((await session.run("cat a.txt")).result).toMatchObject({ kind: "completed", exit: 0 });
    await shell.close();
    await expect(session.run("cat a.txt")).rejects.toMatchObject(SAID);
    await expect(shell.defaultSession.assess("ls")).rejects.toMatchObject(SAID);
    await expect(shell.newSession().run("echo x | tee b")).rejects.toMatchObject(SAID);
    const piped = session.pipe("cat a.txt");
    await expect(piped.result).rejects.toMatchObject(SAID);
    expect(await piped.stdout.toArray()).toEqual([]);
    if (name.startsWith("over")) await expect(shell.changes()).rejects.toMatchObject(SAID);
    await shell.close();
  });
});
