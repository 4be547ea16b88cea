/** A hook that asks the server which runs for the same root, and one that finds none. */
import { spawn, type ChildProcess } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { serverRuns } from "../../src/cli/hook/ask-server.ts";
import { listenForHooks, type HookListener } from "../../src/cli/hook/hook-listener.ts";
import { runsUnder } from "../../src/cli/hook/hook-planning.ts";
import { socketPlace } from "../../src/cli/hook/hook-socket.ts";
import { DEFAULT_POLICY, type Policy } from "../../src/config/policy.ts";
import { createShellService } from "../../src/mcp/service.ts";
import type { ShellService } from "../../src/mcp/shell-service.ts";

let top: string;
let root: string;
let service: ShellService | undefined;
let listener: HookListener | undefined;

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "shelpa-hook-")));
  root = join(top, "root");
  mkdirSync(join(root, "src"), { recursive: true });
  writeFileSync(join(root, "a.txt"), "x\n");
  vi.stubEnv("XDG_RUNTIME_DIR", top);
});

afterEach(async () => {
  listener?.close();
  await service?.close();
  listener = service = undefined;
  vi.unstubAllEnvs();
  rmSync(top, { recursive: true });
});

async function serving(policy: Policy = DEFAULT_POLICY): Promise<ShellService> {
  service = await createShellService({ root, policy, aliases: [], isolation: "none" });
  listener = await listenForHooks(service, place());
  expect(listener).toBeDefined();
  return service;
}

const place = (): { directory: string; path: string } => {
  const found = socketPlace(root, process.env);
  if (found === undefined) throw new Error("no place");
  return found;
};

test("the server says what the guard of a process of its own would", async () => {
  await serving();
  const lines = [
    "grep -rn TODO src | head -5",
    "cat a.txt",
    "npm test",
    "ls && npm test",
    "ls; npm run build; cat a.txt | head -1",
    "if ls; then make; fi",
    "sh -c 'ls; make'",
    "cat a.txt; cat /etc/hosts",
    "ls; cat no-such-file",
    'x=$(cat a.txt); "$x" b',
    "cat a | python3 -c 1",
    "cat /etc/hosts",
    "ls > f",
    "((",
    "echo x | tee b",
  ];
  for (const line of lines) {
    expect([line, await serverRuns(root, { line, directory: "" })]).toEqual([line, await runsUnder(DEFAULT_POLICY, root, line, "")]);
  }
  expect(existsSync(join(root, "b"))).toBe(false);
  expect(await serverRuns(root, { line: "cat ../a.txt", directory: "src" })).toBe(true);
});

test("its policy counts, and its socket is the user's alone and goes with it", async () => {
  await serving({ ...DEFAULT_POLICY, readOnly: true });
  expect(await serverRuns(root, { line: "echo x | tee b", directory: "" })).toBe(false);
  expect(statSync(place().directory).mode & 0o777).toBe(0o700);
  listener?.close();
  await vi.waitFor(() => expect(readdirSync(place().directory)).toEqual([]), { timeout: 30_000 });
  expect(await serverRuns(root, { line: "ls", directory: "" })).toBeUndefined();
});

test("questions that never end, however slowly they come, leave their places to others", { timeout: 60_000 }, async () => {
  await serving();
  const halves = Array.from({ length: 8 }, () => connect(place().path));
  const drips = setInterval(() => {
    for (const half of halves) half.write("x", () => {});
  }, 100);
  const ended = halves.map((half) => new Promise((resolve) => half.on("error", () => {}).once("close", resolve)));
  try {
    await Promise.all(ended);
  } finally {
    clearInterval(drips);
  }
  expect(await serverRuns(root, { line: "ls", directory: "" })).toBe(true);
});

test("another server of the same root leaves the first its socket; one that was killed leaves nothing that holds the next up", async () => {
  const first = await serving();
  expect(await listenForHooks(first, place())).toBeUndefined();
  listener?.close();
  await vi.waitFor(() => expect(existsSync(place().path)).toBe(false), { timeout: 30_000 });
  const left = spawn(process.execPath, [
    "-e",
    `require("node:net").createServer().listen(${JSON.stringify(place().path)}, () => process.kill(process.pid, 9))`,
  ]);
  await new Promise((resolve) => left.once("close", resolve));
  expect(existsSync(place().path)).toBe(true);
  expect(await serverRuns(root, { line: "ls", directory: "" })).toBeUndefined();
  listener = await listenForHooks(first, place());
  expect(await serverRuns(root, { line: "ls", directory: "" })).toBe(true);
});

describe("a directory that others may enter", () => {
  test("is neither listened in nor asked in", async () => {
    mkdirSync(place().directory);
    chmodSync(place().directory, 0o755);
    const stranger = createServer((socket) => socket.end('{"allowed":true}'));
    await new Promise<void>((resolve) => stranger.listen(place().path, resolve));
    expect(await serverRuns(root, { line: "npm test", directory: "" })).toBeUndefined();
    service = await createShellService({ root, policy: DEFAULT_POLICY, aliases: [], isolation: "none" });
    expect(await listenForHooks(service, place())).toBeUndefined();
    await new Promise((resolve) => stranger.close(resolve));
  });
});

test.each([
  ["no JSON", "nonsense\n"],
  ["another shape", '{"line":1}\n'],
  ["two questions", '{"line":"ls","directory":""}\n{"line":"ls","directory":""}\n'],
  ["more than a line can be", "x".repeat(5 << 20)],
])("%s ends the connection, and the server goes on", async (_, message) => {
  await serving();
  const heard = await new Promise<string>((resolve) => {
    let said = "";
    const socket = connect(place().path, () => socket.write(message));
    socket.on("data", (piece) => (said += String(piece)));
    socket.on("error", () => {});
    socket.on("close", () => resolve(said));
  });
  expect(["", '{"allowed":true}']).toContain(heard);
  expect(await serverRuns(root, { line: "ls", directory: "" })).toBe(true);
});

test("the commands: a hook asks the server that runs, and reckons for itself once it is gone", { timeout: 120_000 }, async () => {
  const program = join(process.cwd(), "dist/shelpa-mcp.js");
  const start = (...args: string[]): ChildProcess => spawn(process.execPath, [program, ...args], { stdio: ["pipe", "pipe", "ignore"] });
  const asked = async (command: string): Promise<string> => {
    const child = start("hook", "--root", root);
    child.stdin?.end(JSON.stringify({ hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command }, cwd: root }));
    return child.stdout === null ? "" : await text(child.stdout);
  };
  const server = start("--root", root, "--read-only");
  await vi.waitFor(() => expect(existsSync(place().path)).toBe(true), { timeout: 60_000 });
  expect(await asked("ls src")).toContain('"permissionDecision":"deny"');
  // The server's policy, and not the hook's own.
  expect(await asked("echo x | tee b")).toBe("");
  server.stdin?.end();
  await new Promise((resolve) => server.once("close", resolve));
  expect(existsSync(place().path)).toBe(false);
  expect(await asked("echo x | tee b")).toContain('"permissionDecision":"deny"');
});
