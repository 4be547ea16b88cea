/** `shelpa-mcp --workspaces DIR|FILE --check`, as a process: what would be served, and each fault with its exit status. */
import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { tree, type Tree } from "../tree.ts";

const PROGRAM = fileURLToPath(new URL("../../dist/shelpa-mcp.js", import.meta.url));
const TIME = { timeout: 60_000 };
const TOKEN = "a-token-of-the-test";

let place: Tree;
beforeEach(() => {
  place = tree(["all/web/f: 1\n", "all/data/f: 1\n", "all/.hidden/f: 1\n", "all/file: 1\n", "own/f: 1\n", "docs/f: 1\n"]);
  writeFileSync(at("wrong.toml"), "[limits]\nmemroy = 1\n");
  writeFileSync(at("ci.token"), `${TOKEN}\n`);
});
afterEach(() => place.remove());

const at = (...names: string[]): string => join(place.path, ...names);

function check(text: string | undefined, argv: readonly string[] = []): { status: number | null; stdout: string; stderr: string } {
  if (text !== undefined) writeFileSync(at("server.toml"), text);
  const from = text === undefined ? at("all") : at("server.toml");
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, "--workspaces", from, "--check", ...argv], {
    encoding: "utf8",
    env: { PATH: "/usr/bin:/bin", HOME: place.path },
  });
  const plain = (output: string): string => output.replaceAll(place.path, "/PLACE");
  return { status, stdout: plain(stdout), stderr: plain(stderr) };
}

const ONE_TOKEN = "caller\twhoever has the one token\n";

test("a directory", TIME, () => {
  expect(check(undefined)).toEqual({
    status: 0,
    stdout: `workspace\tdata\t/PLACE/all/data\tread and write\nworkspace\tweb\t/PLACE/all/web\tread and write\n${ONE_TOKEN}`,
    stderr: "",
  });
  expect(existsSync(at("all/web/.shelpa"))).toBe(false);
});

test("a file, with callers", TIME, () => {
  const text = `[workspaces.own]
root = "own"
profile = "read-only"
mounts = { "/docs" = "docs" }
[callers.ci]
token_file = "ci.token"
rights = ["read"]
workspaces = ["own", "team-*"]
expires = 2020-01-01
[callers.cd]
token_sha256 = "${"0".repeat(64)}"
rights = { own = ["read", "write"], "team-*" = ["read"] }
[oauth]
issuer = "https://id.example.org"
audience = "https://mcp.example.org"
`;
  expect(check(text)).toEqual({
    status: 1,
    stdout: `workspace\town\t/PLACE/own\tread-only /docs
caller\tci\tread\tin own team-*\texpired 2020-01-01T00:00:00.000Z
caller\tcd\tread write\tin own
caller\tcd\tread\tin team-*
issuer\thttps://id.example.org\taudience https://mcp.example.org
`,
    stderr: "shelpa-mcp: caller ci: its token expired at 2020-01-01T00:00:00.000Z\n",
  });
});

describe("a fault", () => {
  test("of a workspace that holds the audit's state", TIME, () => {
    const { status, stderr } = check('[workspaces.own]\nroot = "own"\n[audit]\nsinks = [{ type = "stdout" }]\nstate = "own/state"\n');
    expect([status, stderr]).toEqual([1, "shelpa-mcp: workspace own: audit.state: '/PLACE/own/state' lies in its root\n"]);
  });

  test("of workspaces: the others would be served", TIME, () => {
    const text = `[workspaces.gone]
root = "gone"
[workspaces.own]
root = "own"
[workspaces.wrong]
root = "docs"
config = "wrong.toml"
`;
    const { status, stdout, stderr } = check(text);
    expect([status, stdout]).toEqual([1, `workspace\town\t/PLACE/own\tread and write\n${ONE_TOKEN}`]);
    expect(stderr.split("\n")).toEqual([
      "shelpa-mcp: workspace gone: '/PLACE/gone' is no directory",
      expect.stringMatching(/^shelpa-mcp: workspace wrong: \/PLACE\/wrong.toml: unknown key 'limits.memroy': did you mean 'memory'\?/),
      "",
    ]);
  });

  test.each<[name: string, text: string, faults: readonly string[]]>([
    [
      "several keys",
      'directory = "all"\n[limits]\nsessions = 0\nexecutrs = 1\n',
      ["limits.sessions: Too small: expected number to be >=1", "unknown key 'limits.executrs': did you mean 'executors'?"],
    ],
    ["a token", 'directory = "all"\n[callers.ci]\ntoken_file = "nope"\n', ["callers.ci: token_file: there is no file '/PLACE/nope'"]],
    [
      "an authority",
      'directory = "all"\n[audit]\nsinks = [{ type = "syslog", url = "tls://h", ca_file = "nope.pem" }]\n',
      ["nope.pem is not there, or holds no certificate in PEM"],
    ],
    [
      "a key that is not there",
      'directory = "all"\n[audit]\nsinks = [{ type = "stdout" }]\nanchor_key_file = "nope"\n',
      ["audit.anchor_key_file: /PLACE/nope: there is no such file"],
    ],
    [
      "a key that is none",
      'directory = "all"\n[audit]\nsinks = [{ type = "stdout" }]\nanchor_key_file = "server.toml"\n',
      ["server.toml: the key file holds no Ed25519 private key"],
    ],
    ["a sink", 'directory = "all"\n[audit]\nrequire_sink = true\n', ["audit.require_sink: there is no sink; name one in audit.sinks"]],
  ])("of the file, %s: nothing would be", TIME, (_, text, faults) => {
    const { status, stdout, stderr } = check(text);
    expect([status, stdout]).toEqual([2, ""]);
    for (const fault of faults) expect(stderr).toContain(fault);
    expect(stderr.trimEnd().split("\n")).toHaveLength(faults.length);
  });

  test("of the command: other machines could connect without a token", TIME, () => {
    const { status, stderr } = check('directory = "all"\n', ["--http", "0.0.0.0:3456"]);
    expect([status, stderr]).toEqual([2, expect.stringContaining("can be reached from other machines")]);
  });
});
