/** `shelpa-mcp run` and `shelpa -c`: streams, exit status and what is recorded, of the commands as they are shipped. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ProgressLine, progressText } from "../../src/cli/progress-line.ts";
import { tree, type Tree } from "../tree.ts";

const program = (name: string): string => fileURLToPath(new URL(`../../dist/${name}.js`, import.meta.url));
const DOORS = {
  "shelpa-mcp run": (line: string, ...flags: string[]) => [program("shelpa-mcp"), "run", ...flags, line],
  "shelpa -c": (line: string, ...flags: string[]) => [program("shelpa"), ...flags, "-c", line],
};

let place: Tree;
beforeEach(() => {
  place = tree(["src/", "src/x.ts: x\n", "a.txt: one\ntwo\n"]);
});
afterEach(() => place.remove());

describe.each(Object.entries(DOORS))("%s", (_, door) => {
  const run = (line: string, options: { flags?: string[]; input?: string } = {}) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, door(line, ...(options.flags ?? [])), {
      cwd: place.path,
      input: options.input ?? "",
      encoding: "utf8",
    });
    return { status, stdout, stderr };
  };

  test("output, messages and the exit status of the line", () => {
    expect(run("cat a.txt nope")).toEqual({ status: 1, stdout: "one\ntwo\n", stderr: "cat: nope: No such file or directory\n" });
    expect(run("grep -c two a.txt")).toEqual({ status: 0, stdout: "1\n", stderr: "" });
    expect(run("exit 7")).toMatchObject({ status: 7 });
  });
  test("standard input is the line's", () => expect(run("wc -l", { input: "1\n2\n" })).toEqual({ status: 0, stdout: "2\n", stderr: "" }));
  test("a refusal: 2, and nothing on standard output", () => {
    expect(run("shred a.txt")).toMatchObject({ status: 2, stdout: "", stderr: expect.stringContaining("DISALLOWED_CMD") });
  });
  test("--cwd, --read-only and --strict", () => {
    expect(run("ls", { flags: ["--cwd", "src"] })).toMatchObject({ stdout: "x.ts\n" });
    expect(run("ls | tee new", { flags: ["--read-only"] })).toMatchObject({ status: 2, stderr: expect.stringContaining("READ_ONLY") });
    expect(run("ls 2>/dev/null", { flags: ["--strict"] })).toMatchObject({ status: 2, stderr: expect.stringContaining("REDIRECT") });
  });
  test("a root that is not there", () => {
    expect(run("ls", { flags: ["--root", "nowhere"] })).toMatchObject({ status: 2, stdout: "" });
  });
  test("a reader that has gone ends the line in silence", async () => {
    const child = spawn(process.execPath, door("yes"), { cwd: place.path, stdio: ["ignore", "pipe", "pipe"] });
    let stderr = "";
    child.stderr.on("data", (text: Buffer) => (stderr += text.toString()));
    child.stdout.once("data", () => child.stdout.destroy());
    expect(await new Promise((resolve) => child.on("close", resolve))).toBe(141);
    expect(stderr).toBe("");
  });
  test("Ctrl-C ends the line in silence, with 130", async () => {
    const child = spawn(process.execPath, door("echo on; sleep 60"), { cwd: place.path, detached: true });
    let stderr = "";
    child.stderr.on("data", (text: Buffer) => (stderr += text.toString()));
    // To every process of the group, as a terminal does.
    child.stdout.once("data", () => process.kill(-(child.pid ?? 0), "SIGINT"));
    expect(await new Promise((resolve) => child.on("close", resolve))).toBe(130);
    expect(stderr).toBe("");
  });
});

test("shelpa starts where the caller stands, as every tool does, where that is in the root", () => {
  const outside = tree(["x: x"]);
  const ran = (args: readonly string[], cwd: string, input = "") =>
    spawnSync(process.execPath, [program("shelpa"), "--root", place.path, ...args], { cwd, input, encoding: "utf8" }).stdout;
  try {
    expect([
      ran(["ls"], `${place.path}/src`),
      ran(["-c", "ls; cd ..; ls"], `${place.path}/src`),
      ran([], `${place.path}/src`, "ls"),
      ran(["sh", "-c", "ls"], `${place.path}/src`),
      ran(["--cwd", ".", "ls"], `${place.path}/src`),
      ran(["ls"], outside.path),
    ]).toEqual(["x.ts\n", "x.ts\na.txt\nsrc\n", "x.ts\n", "x.ts\n", "a.txt\nsrc\n", "a.txt\nsrc\n"]);
  } finally {
    outside.remove();
  }
});

test("shelpa-mcp run obeys the configuration, and its calls and writes are in the audit", () => {
  writeFileSync(`${place.path}/.shelpa.toml`, '[commands]\ndeny = ["wc"]\n');
  const run = (line: string) => spawnSync(process.execPath, DOORS["shelpa-mcp run"](line), { cwd: place.path, encoding: "utf8" });
  expect(run("wc a.txt")).toMatchObject({ status: 2, stderr: expect.stringContaining("DISALLOWED_CMD") });
  expect(existsSync(`${place.path}/.shelpa`)).toBe(false);
  expect(run("ls | tee new")).toMatchObject({ status: 0 });
  expect(run("wc a.txt")).toMatchObject({ status: 2 });
  const calls = readFileSync(`${place.path}/.shelpa/@/calls.jsonl`, "utf8")
    .trimEnd()
    .split("\n")
    .map((text) => JSON.parse(text));
  expect(calls).toMatchObject([
    { client: "run", command: "ls | tee new", outcome: "completed", records: [expect.any(String)] },
    { client: "run", command: "wc a.txt", outcome: "refused" },
  ]);
});

test("progress: one line, rewritten, cut to the terminal, and gone before anything else is written", () => {
  let written = "";
  const terminal = { isTTY: true, columns: 20, write: (text: string | Uint8Array) => (written += String(text)) !== "" };
  const line = new ProgressLine(terminal);
  line.clear();
  line.show(progressText(2, { outputBytes: 12345, stage: "sort\u001b" }));
  line.show("x".repeat(30));
  line.clear();
  line.clear();
  expect(written).toBe(`\r\u001b[K2 s, 12,345 bytes, \r\u001b[K${"x".repeat(19)}\r\u001b[K`);
  written = "";
  new ProgressLine({ ...terminal, isTTY: false }).show("x");
  expect(written).toBe("");
});
