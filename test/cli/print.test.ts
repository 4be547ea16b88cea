/** Foreign names, values and file contents in the output of our commands: none of them controls a terminal or begins a line. */
import { spawnSync } from "node:child_process";
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { Completer } from "../../src/cli/completer.ts";
import { complain, print, printContent, suggest } from "../../src/cli/print.ts";
import { INVISIBLE, showJson } from "../../src/display/visible.ts";
import { Shell } from "../../src/session/shell.ts";
import { Workspace } from "../../src/workspace/workspace.ts";
import { tree, type Tree } from "../tree.ts";

const DIST = fileURLToPath(new URL("../../dist/", import.meta.url));
const SOURCES = fileURLToPath(new URL("../../src/cli/", import.meta.url));

/** A name that would clear a terminal's line, set its title, turn text around and put in a line. */
const NAME = "n\u001b[2K\u202e\u009b31m\nFORGED";
/** The same as a string of TOML. */
const TOML = JSON.stringify(NAME).replace("\u202e", "\\u202e").replace("\u009b", "\\u009b");

let place: Tree;
let record = "";
beforeAll(async () => {
  place = tree([`${NAME}: theirs\n`, "hostile.toml: x = 1\n"]);
  const shell = await Shell.open({ root: place.path, isolation: "none", client: NAME });
  const { result } = await shell.defaultSession.run(`echo ours | tee $'${Array.from(NAME, escaped).join("")}'`, {});
  if (result.kind !== "completed") throw new Error(result.kind);
  await shell.close();
  writeFileSync(`${place.path}/.shelpa/stranger\nFORGED`, "");
  appendFileSync(`${place.path}/.shelpa/${NAME}`, "more");
  const [line = ""] = readFileSync(`${place.path}/.shelpa/@/journal.jsonl`, "utf8")
    .split("\n")
    .filter((text) => text.includes('"intent"'));
  record = (JSON.parse(line) as { id: string }).id;
  writeFileSync(`${place.path}/key.toml`, `${TOML} = 1\n`);
  writeFileSync(`${place.path}/rule.toml`, `[paths]\ndeny_read = [${TOML}]\ndeny_write = [${JSON.stringify("~ \nFORGED")}]\n`);
});
afterAll(() => place.remove());

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

describe("no line is forged, and nothing moves the terminal", () => {
  test.each<{ argv: readonly string[]; shows: string }>([
    { argv: ["audit", "log"], shows: "n\\u{1b}[2K\\u{202e}\\u{9b}31m\\nFORGED" },
    { argv: ["audit", "log", "--json"], shows: "n\\u001b[2K\\u202e\\u009b31m\\nFORGED" },
    { argv: ["audit", "show", "last"], shows: "client      n\\u{1b}" },
    { argv: ["audit", "show", "last", "--json"], shows: "\\u009b31m\\nFORGED" },
    { argv: ["audit", "verify"], shows: "bytes that belong to no record" },
    { argv: ["audit", "verify", "--json"], shows: "\\u009b31m\\nFORGED" },
    { argv: ["audit", "report"], shows: "FORGED" },
    { argv: ["audit", "report", "--format", "json"], shows: "FORGED" },
    { argv: ["audit", "restore", "last"], shows: "\\nFORGED is so already" },
    { argv: ["audit", "restore", "last", "--undo", "--dry-run"], shows: "\\nFORGED: 5 bytes -> 7 bytes" },
    { argv: ["audit", "show", NAME], shows: "there is no record n\\u{1b}" },
    { argv: ["audit", NAME], shows: "audit: there is no 'n\\u{1b}" },
    { argv: ["policy", "check", "--config", "key.toml"], shows: "unknown key 'n\\u{1b}" },
    { argv: ["policy", "check", "--config", "rule.toml"], shows: "not read        n\\u{1b}" },
    { argv: ["policy", "check", "--config", "rule.toml", "--json"], shows: "\\u009b31m\\nFORGED" },
    { argv: ["policy", "check", "--config", NAME], shows: "n\\u{1b}" },
    { argv: ["doctor", "--config", "key.toml"], shows: "fail  configuration: key.toml: unknown key 'n\\u{1b}" },
    { argv: ["check", "cat n*"], shows: "\\nFORGED" },
    { argv: ["check", "--json", "cat n*"], shows: "FORGED" },
    { argv: ["run", `cat '${NAME}/x'`, "--cwd", NAME], shows: "FORGED" },
    { argv: ["init", "--client", NAME], shows: "there is no client 'n\\u{1b}" },
    { argv: ["init", "--root", `gone/${NAME}`], shows: "/gone/n\\u{1b}" },
    { argv: ["--root", `gone/${NAME}`], shows: "cannot open the root 'gone/n\\u{1b}" },
    { argv: ["--root", ".", "--config", "key.toml"], shows: "unknown key 'n\\u{1b}" },
    { argv: ["--root", ".", NAME], shows: "extra operand 'n\\u{1b}" },
  ])("shelpa-mcp $argv", ({ argv, shows }) => {
    const { stdout, stderr } = spawnSync(process.execPath, [`${DIST}shelpa-mcp.js`, ...argv], {
      cwd: place.path,
      encoding: "utf8",
      env: { HOME: place.path },
    });
    expect(stdout + stderr).toContain(shows);
    for (const text of [stdout, stderr]) {
      expect(text.match(INVISIBLE)).toBeNull();
      expect(text).not.toMatch(/^FORGED/m);
    }
  });

  test.each([[["-c", "ls", NAME]], [[NAME]], [["--root", `gone/${NAME}`, "-c", "ls"]]])("shelpa %j", (argv) => {
    const { stderr } = spawnSync(process.execPath, [`${DIST}shelpa.js`, ...argv], { cwd: place.path, encoding: "utf8" });
    expect(stderr).toContain("n\\u{1b}");
    expect(stderr.match(INVISIBLE)).toBeNull();
    expect(stderr).not.toMatch(/^FORGED/m);
  });

  test("audit diff for a program is what patch reads, and audit show --content the bytes as they are", () => {
    const audit = (...argv: string[]): string =>
      spawnSync(process.execPath, [`${DIST}shelpa-mcp.js`, "audit", ...argv], { cwd: place.path, encoding: "utf8" }).stdout;
    const name = `"n\\033[2K\u202e\\302\\23331m\\nFORGED"`;
    expect(audit("diff", record)).toBe(`--- ${name}\tbefore ${record}\n+++ ${name}\t${record}\n@@ -1 +1 @@\n-theirs\n+ours\n`);
    expect(audit("show", record, "--content")).toBe("ours\n");
  });

  test("Tab offers no name that a terminal would obey", async () => {
    const shell = await Shell.open({ root: place.path, isolation: "none" });
    const workspace = Workspace.open(place.path);
    const [offered] = await new Completer(workspace, shell.defaultSession).complete("cat ");
    workspace.close();
    await shell.close();
    expect(offered).toEqual(["hostile.toml", "key.toml", "rule.toml"]);
  });
});

describe("in this process", () => {
  let stdout: string;
  let stderr: string;
  const { isTTY } = process.stdout;
  beforeEach(() => {
    stdout = stderr = "";
    vi.spyOn(process.stdout, "write").mockImplementation((text) => {
      stdout += typeof text === "string" ? text : Buffer.from(text).toString("latin1");
      return true;
    });
    vi.spyOn(process.stderr, "write").mockImplementation((text) => {
      stderr += String(text);
      return true;
    });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    process.stdout.isTTY = isTTY;
  });

  test("text of ours", () => {
    print("a\u001b\tb\r\n\u2028c\n");
    expect(stdout).toBe("a\\u{1b}\tb\r\n\\u{2028}c\n");
  });
  test("a message of several lines: further ones cannot pass for messages", () => {
    complain("a: x\nshelpa-mcp: FORGED\n    at stack");
    complain("b\n", "shelpa");
    expect(stderr).toBe("shelpa-mcp: a: x\n  shelpa-mcp: FORGED\n      at stack\nshelpa: b\n\n");
  });
  test("content: exact for a program", () => {
    process.stdout.isTTY = false;
    printContent(Buffer.from([0x1b, 0xff, 0x0a]));
    expect(stdout).toBe("\u001b\u00ff\n");
  });
  test("content: spelled out for a terminal", () => {
    process.stdout.isTTY = true;
    printContent(Buffer.from([0x1b, 0xff, 0x09, 0x0a]));
    expect(stdout).toBe("\\u{1b}\\xff\t\n");
  });
  test("JSON: the same value, without what a terminal obeys", () => {
    const value = { [NAME]: [NAME, "\u{e0041}", "\ud800"] };
    expect(showJson(value).match(INVISIBLE)).toBeNull();
    expect(JSON.parse(showJson(value, 2))).toEqual(value);
  });
  test("a command that cannot be copied as it is shown is not suggested", () => {
    suggest("shelpa-mcp --root .", "none");
    suggest("shelpa-mcp --root '\u001b'", "none");
    suggest("shelpa-mcp --root '\nx'", "none");
    suggest(undefined, "none");
    expect(stderr).toBe("try: shelpa-mcp --root .\nnone\nnone\nnone\n");
  });
});

test("nothing under src/cli prints in another way", () => {
  const own = ["print.ts", "prompt-terminal.ts", "standard-streams.ts"];
  const others = readdirSync(SOURCES, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !own.includes(name))
    .filter((name) => /process\.std(out|err)\.write|console\./.test(readFileSync(SOURCES + name, "utf8")));
  expect(others).toEqual([]);
});
