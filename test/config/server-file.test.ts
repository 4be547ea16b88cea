/** The file, or the directory, of a server of many workspaces: which there are, and what stops the start. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ConfigurationError } from "../../src/config/configuration-error.ts";
import { loadServer } from "../../src/config/server/load-server.ts";
import { tree, type Tree } from "../tree.ts";

let place: Tree;
beforeEach(() => {
  place = tree(["all/a/f: 1\n", "all/b/f: 2\n", "own/f: 3\n", "own/below/f: 4\n", "docs/f: 5\n"]);
});
afterEach(() => place.remove());

const at = (...names: string[]): string => join(place.path, ...names);

function fileWith(text: string): string {
  writeFileSync(at("server.toml"), text);
  return at("server.toml");
}

describe("a directory", () => {
  test.each<[name: string, isThere: boolean]>([
    ["a", true],
    ["b", true],
    ["c", false],
    ["..", false],
    [".", false],
    ["", false],
    [".hidden", false],
    ["link", false],
    ["file", false],
    ["a/f", false],
    ["a\n", false],
    ["x".repeat(64), false],
  ])("has %j: %s", (name, isThere) => {
    for (const made of [".hidden", "x".repeat(64)]) mkdirSync(at("all", made));
    symlinkSync(at("own"), at("all", "link"));
    writeFileSync(at("all", "file"), "");
    const found = loadServer(at("all")).find(name);
    expect(found?.root).toBe(isThere ? at("all", name) : undefined);
  });

  test("that is made later is a workspace at once", () => {
    const server = loadServer(at("all"));
    expect(server.find("later")).toBeUndefined();
    mkdirSync(at("all", "later"));
    expect(server.find("later")).toMatchObject({ name: "later", root: at("all", "later") });
  });
});

test("a file's workspaces, with paths relative to it", () => {
  writeFileSync(at("ci.token"), "a-token-of-the-test");
  const server = loadServer(
    fileWith(`
config = "policy.toml"
directory = "all"
[workspaces.billing]
root = "own"
config = "billing.toml"
profile = "strict"
read_only = true
mounts = { "/docs" = "docs:rw" }
[workspaces.a]
root = "all/a"
read_only = true
[callers.ci]
token_file = "ci.token"
[audit]
anchor_key_file = "/etc/anchor.pem"
`),
  );
  expect(server.callers.callers.map(({ name }) => name)).toEqual(["ci"]);
  expect(server.config).toBe(at("policy.toml"));
  expect(server.find("billing")).toEqual({
    name: "billing",
    root: at("own"),
    config: at("billing.toml"),
    profile: "strict",
    readOnly: true,
    mounts: [{ name: "/docs", directory: at("docs"), access: "write", own: [], denyRead: [] }],
  });
  expect(server.find("a")).toMatchObject({ readOnly: true });
  expect(server.find("b")).toMatchObject({ readOnly: false, root: at("all", "b") });
  expect(server.secretFiles).toEqual([at("server.toml"), at("ci.token"), "/etc/anchor.pem"]);
});

test.each<[text: string, problem: RegExp]>([
  ["", /it names no workspace; give it a table \[workspaces\.NAME\] with a root, or 'directory'$/],
  ['directory = "nowhere"', /'.*\/nowhere' is no directory$/],
  ['[workspaces.a]\nroots = "own"', /unknown key 'workspaces\.a\.roots': did you mean 'root'\?/],
  ['[workspace.a]\nroot = "own"', /unknown key 'workspace': did you mean 'workspaces'\?/],
  ['[workspaces."../x"]\nroot = "own"', /a workspace's name is of letters/],
  ['[workspaces.".git"]\nroot = "own"', /a workspace's name is of letters/],
  ['[workspaces.a]\nroot = "own"\n[workspaces.b]\nroot = "own/below"', /the roots of 'a' and 'b' lie in each other$/],
  ['[workspaces.a]\nroot = "own"\n[workspaces.b]\nroot = "./own/../own"', /the roots of '[ab]' and '[ab]' lie in each other$/],
  ['directory = "all"\n[workspaces.c]\nroot = "all/a"', /the root of 'c' and the directory of all workspaces lie in each other$/],
  ['directory = "all"\n[workspaces.c]\nroot = "."', /the root of 'c' and the directory of all workspaces lie in each other$/],
  ['[workspaces.a]\nroot = "own"\nmounts = { docs = "docs" }', /a mount's name is an absolute path/],
  ['[workspaces.a]\nroot = "own"\n[limits]\nexecutors = 0', /limits\.executors: /],
  [
    "[callers.x]\nrights = ['root']",
    /callers\.x\.rights: a list of read, write, approve, metrics; or a table of workspaces, each with a list of read, write, approve/,
  ],
  ["[workspaces", /server\.toml:1:\d+: /],
])("%j stops the start", (text, problem) => {
  const path = fileWith(text);
  expect(() => loadServer(path)).toThrow(ConfigurationError);
  expect(() => loadServer(path)).toThrow(problem);
});

test("neither a directory nor a file", () => {
  expect(() => loadServer(at("gone"))).toThrow(/gone: there is no such directory or file$/);
});
