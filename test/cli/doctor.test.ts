/** `shelpa-mcp doctor`: what it finds, and that a project's own files cannot lead or hold it up. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { subcommandOf } from "../../src/cli/subcommands.ts";
import { makeFifo } from "../tree.ts";

const doctor = async (argv: readonly string[]): Promise<number | undefined> => subcommandOf(["doctor", ...argv])?.run();

let root: string;
let printed: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "shelpa-doctor-"));
  printed = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    printed += String(text);
    return true;
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(root, { recursive: true });
});

test("all is well: both eras answer", { timeout: 60_000 }, async () => {
  writeFileSync(join(root, ".mcp.json"), JSON.stringify({ mcpServers: { shelpa: { command: "shelpa-mcp", args: ["--root", root] } } }));
  expect(await doctor(["--root", root])).toBe(0);
  expect(printed).toMatch(/^ok {4}Node 2\d/m);
  expect(printed).toContain(`ok    root ${root}: 1 entries, for reading and writing`);
  expect(printed).toContain(`ok    Claude Code: ${root}/.mcp.json`);
  expect(printed).toMatch(/^ok {4}protocol 2025-11-25: a call was answered \d+ ms/m);
  expect(printed).toMatch(/^ok {4}protocol 2026-07-28: a call was answered \d+ ms/m);
  expect(printed).not.toContain("fail");
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
