/** `shelpa NAME ARGUMENT…`, the words of one builtin: the same as the line of them where it needs a session, and a true sentence else. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { builtins } from "../../builtins/registry.ts";
import { SUBCOMMANDS } from "../../src/cli/subcommands.ts";
import { tree, type Tree } from "../tree.ts";

const DIST = fileURLToPath(new URL("../../dist/", import.meta.url));

let place: Tree;
beforeEach(() => {
  place = tree(["a.txt: old", "src/b.txt: x"]);
});
afterEach(() => place.remove());

interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(program: "shelpa" | "shelpa-mcp", argv: readonly string[], input = ""): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`${DIST}${program}.js`, ...argv], {
    cwd: place.path,
    encoding: "utf8",
    input,
  });
  return { status, stdout, stderr };
}

describe("a builtin that needs a session does what the line of its words does", () => {
  test.each([
    ["undo"],
    ["undo", "-n", "no-such-file"],
    ["history"],
    ["history", "a.txt"],
    ["policy"],
    ["explain", "grep x a.txt | head -1"],
    ["@out", "3"],
    ["cd", "no-such-directory"],
    ["cd", "src"],
    ["pushd"],
    ["popd"],
    ["dirs"],
    ["exit", "3"],
    ["read", "x"],
    ["shift"],
    ["let", "x=0"],
    ["mapfile", "x"],
    ["printf", "-v", "x", "a"],
    ["shopt", "-s", "nullglob"],
    ["alias"],
    ["getopts", "a", "x"],
  ])("%s %s %s", (...words) => {
    const line = words.map((word) => (/^[\w@.=-]+$/.test(word) ? word : `'${word}'`)).join(" ");
    expect(run("shelpa", words)).toEqual(run("shelpa", ["-c", line]));
  });

  test("undo finds what an earlier one wrote, by its name, and history lists both", () => {
    expect(run("shelpa", ["tee", "a.txt"], "new\n")).toEqual({ status: 0, stdout: "new\n", stderr: "" });
    expect(run("shelpa", ["undo", "a.txt"])).toMatchObject({ status: 0, stdout: "restored a.txt\n" });
    expect(run("shelpa", ["cat", "a.txt"]).stdout).toBe("old");
    expect(run("shelpa", ["history"]).stdout.trimEnd().split("\n")).toHaveLength(2);
  });
});

test("no builtin of the shell or of ours fails by a fault of ours when it is alone", { timeout: 240_000 }, () => {
  const some = builtins.filter(({ topic, group }) => topic === "shell" || topic === "ours" || group === "bash");
  expect(some.length).toBeGreaterThan(30);
  expect(some.filter(({ name }) => run("shelpa", [name]).status === 70).map(({ name }) => name)).toEqual([]);
});

test("a write that is not allowed is said without a stack", () => {
  expect(run("shelpa", ["tee", "/tmp/x"])).toEqual({
    status: 2,
    stdout: "",
    stderr: "shelpa: /tmp/x: Path is outside the workspace\ntry: shelpa --help\n",
  });
});

describe("a word of the other command is told so", () => {
  const ofServer = SUBCOMMANDS.map(({ word }) => word).filter((word) => !builtins.some(({ name }) => name === word));
  test.each(ofServer)("shelpa %s", (word) => {
    expect(run("shelpa", [word, "--root", "a b"])).toEqual({
      status: 2,
      stdout: "",
      stderr: `shelpa: '${word}' is a command of shelpa-mcp, and no builtin\ntry: shelpa-mcp ${word} --root 'a b'\n`,
    });
  });

  test.each(["grep", "egrep", "undo"])("shelpa-mcp %s", (word) => {
    expect(run("shelpa-mcp", [word, "-n", "a b", "f"])).toEqual({
      status: 2,
      stdout: "",
      stderr: `shelpa-mcp: '${word}' is a command of shelpa, and none of shelpa-mcp\ntry: shelpa ${word} -n 'a b' f\n`,
    });
  });

  test("shelpa @NAME", () => {
    expect(run("shelpa", ["@todo", "word=x"])).toEqual({
      status: 2,
      stdout: "",
      stderr: `shelpa: named pipelines are of a server's configuration, and '@todo' is no builtin\ntry: shelpa-mcp run '@todo word=x'\n`,
    });
  });
});
