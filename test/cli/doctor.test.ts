/** `shelpa-mcp doctor`: what it finds, and that a project's own files cannot lead or hold it up. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { inOrder } from "../../src/cli/doctor/ordered-tasks.ts";
import { subcommandOf } from "../../src/cli/subcommands.ts";
import { makeFifo } from "../tree.ts";

const doctor = async (argv: readonly string[]): Promise<number | undefined> => subcommandOf(["doctor", ...argv])?.run();

let root: string;
let printed: string;

const [, script = ""] = process.argv;

beforeEach(() => {
  process.argv[1] = join(process.cwd(), "dist/shelpa-mcp.js");
  root = mkdtempSync(join(tmpdir(), "shelpa-doctor-"));
  printed = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    printed += String(text);
    return true;
  });
});

afterEach(() => {
  process.argv[1] = script;
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(root, { recursive: true });
});

/** The built program, as a client would start it. */
const SERVER = join(process.cwd(), "dist/shelpa-mcp.js");

const registered = (...args: readonly string[]): string => JSON.stringify({ mcpServers: { shelpa: { command: process.execPath, args } } });

test("all is well: both eras and the client's entry answer", { timeout: 90_000 }, async () => {
  writeFileSync(join(root, ".mcp.json"), registered(SERVER, "--root", "${CLAUDE_PROJECT_DIR:-.}", "--read-only"));
  expect(await doctor(["--root", root])).toBe(0);
  expect(printed).toMatch(/^ok {4}Node 2\d/m);
  expect(printed).toContain(`ok    root ${root}: 1 entries, for reading and writing`);
  expect(printed).toMatch(new RegExp(`^ok {4}Claude Code: ${root}/\\.mcp\\.json: starts and answers \\(\\d+ ms\\)$`, "m"));
  expect(printed).toMatch(/^ok {4}protocol 2025-11-25: a server was started, answered a call and ended in \d+ ms$/m);
  expect(printed).toMatch(/^ok {4}protocol 2026-07-28: a server was started, answered a call and ended in \d+ ms$/m);
  expect(printed).not.toContain("fail");
});

test.each<[string, string, string, number]>([
  ["a file that is no JSON", '{ "mcpServers": { "broken": ', "cannot be read by it: it is no JSON: line 1: a value is missing", 1],
  [
    "a program that is not there",
    '{"mcpServers":{"shelpa":{"command":"/gone/shelpa-mcp","args":[]}}}',
    "'/gone/shelpa-mcp' is not there",
    1,
  ],
  [
    "a stranger's program",
    '{"mcpServers":{"shelpa":{"command":"/bin/sh","args":["-c","touch RAN"]}}}',
    "is not this program and was not tried",
    0,
  ],
  ["a stranger's script", registered("./evil.js", "--root", "."), "is not this program and was not tried", 0],
  ["options of Node before the script", registered("--require=./evil.js", SERVER), "is not this program and was not tried", 0],
  ["a server that does not start", registered(SERVER, "--root", "/", "--strcit"), "has arguments that no server takes: ", 1],
  [
    "a root that is gone",
    registered(SERVER, "--root", "/gone"),
    "its root /gone is not there: where the project was moved, run shelpa-mcp init",
    1,
  ],
  ["another root", registered(SERVER, "--root", "/"), "for another root: /", 0],
  ["an address", '{"mcpServers":{"shelpa":{"url":"http://localhost:1/mcp"}}}', "leads to a server by its address", 0],
])("%s in a client's file", { timeout: 90_000 }, async (_, text, says, status) => {
  writeFileSync(join(root, ".mcp.json"), text);
  writeFileSync(join(root, "evil.js"), 'require("node:fs").writeFileSync("RAN", "");\n');
  expect(await doctor(["--root", root])).toBe(status);
  expect(printed).toMatch(new RegExp(`^${status === 0 ? "note" : "fail"}  Claude Code: .*${says.replaceAll(/[.*+?^$()]/g, "\\$&")}`, "m"));
  expect(existsSync(join(root, "RAN"))).toBe(false);
});

/** An attacker's arguments in a file of the project: each was once carried out by `doctor`. */
test.each<[string, readonly string[], string]>([
  ["a line", ["run", "--root", "OUTSIDE", "rm kept"], "has arguments that no server takes: extra operand 'run'"],
  ["a line behind a server's options", ["--root", "OUTSIDE", "run", "rm kept"], "has arguments that no server takes: extra operand 'run'"],
  ["init", ["init", "--client", "all", "--root", "OUTSIDE"], "has arguments that no server takes"],
  ["init alone", ["init"], "has arguments that no server takes: extra operand 'init'"],
  ["a prune", ["audit", "prune", "--root", "OUTSIDE"], "has arguments that no server takes"],
  ["a server over HTTP", ["--root", ".", "--http", "127.0.0.1:0"], "starts no server of a client's own: --http"],
  ["a prompt", ["--root", ".", "--interactive"], "starts no server of a client's own: --interactive"],
  ["a configuration", ["--root", ".", "--config", "./c.toml"], "says --config, which is not tried"],
  ["a device as one", ["--root", ".", "--config=/dev/zero"], "says --config, which is not tried"],
  ["a mount", ["--root", ".", "--mount", "/h=OUTSIDE:rw"], "says --mount, which is not tried"],
  ["a directory to read", ["--root", ".", "--also-read", "OUTSIDE"], "says --also-read, which is not tried"],
  ["a root outside", ["--root", "OUTSIDE"], "is for another root: "],
  ["a root outside, relative", ["--root", ".."], "is for another root: .."],
  ["help", ["--help"], "starts no server: --help"],
  ["an option that is none", ["--eval", "1"], "has arguments that no server takes"],
])("%s is not started for a project", { timeout: 90_000 }, async (_, args, says) => {
  const outside = mkdtempSync(join(tmpdir(), "shelpa-outside-"));
  try {
    writeFileSync(join(outside, "kept"), "");
    vi.stubEnv("HOME", outside);
    for (const file of [".mcp.json", ".cursor/mcp.json"]) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), registered(SERVER, ...args.map((word) => word.replace("OUTSIDE", outside))));
    }
    expect(await doctor(["--root", root])).toBe(says.startsWith("has arguments") ? 1 : 0);
    expect(printed.split(says).length).toBe(3);
    expect(printed).not.toMatch(/^ok {2,}(?:Claude Code|Cursor)/m);
    expect(readdirSync(outside)).toEqual(["kept"]);
  } finally {
    rmSync(outside, { recursive: true });
  }
});

test("what a project's entry says besides is not given to the server, and is said", { timeout: 90_000 }, async () => {
  const entry = { command: process.execPath, args: [SERVER, "--root", "."], env: { SHELPA_CONFIG: "/dev/zero", PATH: "./bin" }, cwd: "/" };
  writeFileSync(join(root, ".mcp.json"), JSON.stringify({ mcpServers: { shelpa: entry } }));
  expect(await doctor(["--root", root])).toBe(0);
  expect(printed).toMatch(/starts and answers \(\d+ ms\); without what the entry says besides: SHELPA_CONFIG, PATH, the directory \/$/m);
});

test("variables of a project's entry make no stranger's code run", { timeout: 90_000 }, async () => {
  const entry = { command: process.execPath, args: [SERVER, "--root", root], env: { NODE_OPTIONS: `--require ${root}/evil.cjs` } };
  writeFileSync(join(root, "evil.cjs"), `require("node:fs").writeFileSync(${JSON.stringify(join(root, "RAN"))}, "");\n`);
  writeFileSync(join(root, ".mcp.json"), JSON.stringify({ mcpServers: { shelpa: entry } }));
  expect(await doctor(["--root", root])).toBe(0);
  expect(existsSync(join(root, "RAN"))).toBe(false);
});

test("a name that a desktop's PATH does not lead to is told of", { timeout: 90_000 }, async () => {
  const home = mkdtempSync(join(tmpdir(), "shelpa-home-"));
  try {
    vi.stubEnv("HOME", home);
    mkdirSync(join(home, ".lmstudio"));
    writeFileSync(join(home, ".lmstudio/mcp.json"), '{"mcpServers":{"shelpa":{"command":"shelpa-mcp-of-nobody","args":["--root","."]}}}');
    expect(await doctor(["--root", root])).toBe(1);
    expect(printed).toContain("'shelpa-mcp-of-nobody' is not found by a program that is started from a desktop");
  } finally {
    rmSync(home, { recursive: true });
  }
});

test("a root that is not there", async () => {
  expect(await doctor(["--root", join(root, "gone")])).toBe(1);
  expect(printed).toContain(`fail  root ${root}/gone: No such file or directory`);
});

test("a configuration that stops the start", async () => {
  writeFileSync(join(root, ".shelpa.toml"), "nonsense = 1\n");
  expect(await doctor(["--root", root])).toBe(1);
  expect(printed).toMatch(/^fail {2}configuration: .*\.shelpa\.toml/m);
});

test("a client's file that is a link out, or no file, is neither read nor waited for", { timeout: 60_000 }, async () => {
  const home = mkdtempSync(join(tmpdir(), "shelpa-home-"));
  try {
    writeFileSync(join(home, "secret.json"), JSON.stringify({ shelpa: root }));
    symlinkSync(join(home, "secret.json"), join(root, ".mcp.json"));
    mkdirSync(join(root, ".cursor"));
    makeFifo(join(root, ".cursor", "mcp.json"));
    expect(await doctor(["--root", root])).toBe(0);
    expect(printed).toMatch(/^note {2}Claude Code: \.mcp\.json: is a symbolic link/m);
    expect(printed).toMatch(/^note {2}Cursor: \.cursor\/mcp\.json: Not a regular file$/m);
    expect(printed).toMatch(/^note {2}no client knows of this server/m);
  } finally {
    rmSync(home, { recursive: true });
  }
});

describe("entries are tried side by side", () => {
  test("at most so many at once, and their findings come in order", async () => {
    let running = 0;
    let most = 0;
    const tasks = Array.from({ length: 9 }, (_, index) => async () => {
      most = Math.max(most, ++running);
      for (let turn = 0; turn < 9 - index; turn++) await Promise.resolve();
      running--;
      return index;
    });
    const results: number[] = [];
    for await (const result of inOrder(tasks, 4)) results.push(result);
    expect(results).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(most).toBe(4);
  });

  test("one that fails is told of at its turn", async () => {
    const tasks = [async () => 1, async () => Promise.reject(new Error("second")), async () => Promise.reject(new Error("third"))];
    const results: number[] = [];
    const all = async (): Promise<void> => {
      for await (const result of inOrder<number>(tasks, 3)) results.push(result);
    };
    await expect(all()).rejects.toThrow("second");
    expect(results).toEqual([1]);
  });
});
