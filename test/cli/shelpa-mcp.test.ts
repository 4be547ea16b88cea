/** The command itself, bundled as it is shipped, over the real shell. */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const PROGRAM = fileURLToPath(new URL("../../dist/shelpa-mcp.js", import.meta.url));
let directory = "";
let root = "";

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "shelpa-mcp-"));
  root = join(directory, "root");
  mkdirSync(join(root, "logs"), { recursive: true });
  writeFileSync(join(root, "logs", "app.log"), Array.from({ length: 9000 }, (_, index) => `line ${index + 1}\n`).join(""));
  symlinkSync(root, join(directory, "link"));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(
  argv: readonly string[],
  stdin: string | "open" = "",
  environment: Record<string, string> = {},
  onOutput?: (kill: (signal: NodeJS.Signals) => void) => void,
): Promise<Ended> {
  const child = spawn(process.execPath, [PROGRAM, ...argv], {
    cwd: directory,
    env: { PATH: process.env["PATH"], ...environment },
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
    onOutput?.((signal) => child.kill(signal));
  });
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  if (stdin === "open") child.stdin.write(line(1, { command: "cat logs/app.log | head -n 1" }));
  else child.stdin.end(stdin);
  return new Promise((resolve) => child.on("close", (status) => resolve({ status, stdout, stderr })));
}

const line = (id: number, given: object): string =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "shelpa_pipe", arguments: given } })}\n`;

interface Answer {
  readonly id: number;
  readonly result: {
    readonly content: readonly { readonly text: string }[];
    readonly isError?: boolean;
    readonly structuredContent?: unknown;
    readonly _meta: Readonly<Record<string, unknown>>;
  };
}

async function answers(argv: readonly string[], ...calls: readonly object[]): Promise<Answer[]> {
  const { stdout, status, stderr } = await run(argv, calls.map((given, index) => line(index + 1, given)).join(""));
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  const parsed = stdout
    .split("\n")
    .slice(0, -1)
    .map((text) => JSON.parse(text) as Answer);
  return parsed.toSorted((a, b) => a.id - b.id);
}

describe("echo '{…tools/call…}' | shelpa-mcp --root DIR", () => {
  test("prints one answer", async () => {
    const [answer, ...others] = await answers(["--root", "root"], { command: "cat logs/app.log | head -n 2" });
    expect(others).toEqual([]);
    expect(answer).toMatchObject({
      id: 1,
      result: {
        content: [{ text: "line 1\nline 2\n" }],
        _meta: { exit_code: 0, "shelpa/steps": [{ command: "cat logs/app.log" }, { command: "head -n 2", exit_code: 0 }] },
      },
    });
  });

  test.each(["link", ".//root/", "root/../root"])("takes %s for the root", async (given) => {
    expect(await answers(["--root", given], { command: "head -n 1 logs/app.log" })).toMatchObject([
      { result: { content: [{ text: "line 1\n" }] } },
    ]);
  });

  test("the next command of a cut answer shows what goes before the end of a log, without a gap", async () => {
    const ask = async (command: string): Promise<{ stdout: string; truncated: { next: string } | null }> => {
      const [answer] = await answers(["--root", "root", "--structured"], { command });
      const { structuredContent } = (answer as Answer).result;
      return structuredContent as { stdout: string; truncated: { next: string } | null };
    };
    const end = await ask("cat logs/app.log");
    expect(end.truncated?.next).toMatch(/^sed -n '\d+,\d+p' logs\/app.log$/);
    const before = await ask(end.truncated?.next ?? "");
    const shown = before.stdout + end.stdout.replace(/^\[shelpa: .*\n/, "");
    expect(readFileSync(join(root, "logs", "app.log"), "utf8").endsWith(shown)).toBe(true);
  });

  test("what is refused has no effect", async () => {
    expect(await answers(["--root", "root"], { command: "tee new; cat ../secret", stdin: "x" })).toMatchObject([
      { result: { isError: true, _meta: { "shelpa/error": { reason: "PATH_ESCAPE" } } } },
    ]);
    expect(existsSync(join(root, "new"))).toBe(false);
  });
});

describe("writing", () => {
  test("is recorded, and said in the answer", async () => {
    const [answer] = await answers(["--root", "root"], { command: "tee out/a.txt", stdin: "hello\n" });
    expect(answer?.result._meta["shelpa/writes"]).toMatchObject([
      { path: "out/a.txt", mode: "overwrite", bytes: 6, created: true, previous: null },
    ]);
    expect(readFileSync(join(root, "out", "a.txt"), "utf8")).toBe("hello\n");
  });

  test("is refused with --read-only", async () => {
    expect(await answers(["--root", "root", "--read-only"], { command: "tee b.txt", stdin: "x" })).toMatchObject([
      { result: { isError: true, _meta: { "shelpa/error": { reason: "READ_ONLY" } } } },
    ]);
    expect(existsSync(join(root, "b.txt"))).toBe(false);
  });
});

test("--strict refuses 2>/dev/null", async () => {
  expect(await answers(["--root", "root", "--strict"], { command: "cat logs/app.log 2>/dev/null" })).toMatchObject([
    { result: { isError: true, _meta: { "shelpa/error": { reason: "REDIRECT" } } } },
  ]);
});

test("--alias reads absolute paths under it", async () => {
  expect(await answers(["--root", "root", "--alias", "/workspace"], { command: "head -n 1 /workspace/logs/app.log" })).toMatchObject([
    { result: { content: [{ text: "line 1\n" }] } },
  ]);
});

test("$SHELPA_ROOT is the root where none is given", async () => {
  const { stdout } = await run([], line(1, { command: "head -n 1 logs/app.log" }), { SHELPA_ROOT: root });
  expect(JSON.parse(stdout)).toMatchObject({ result: { content: [{ text: "line 1\n" }] } });
});

describe("bad usage exits 2 and prints nothing on standard output", () => {
  test.each([
    { argv: [], stderr: "shelpa-mcp: no root was given: the one directory whose files the tool may touch\ntry: shelpa-mcp --root .\n" },
    {
      argv: ["--root", "root", "--readonly"],
      stderr: "shelpa-mcp: unrecognized option '--readonly': did you mean '--read-only'?\ntry: shelpa-mcp --root root --read-only\n",
    },
    {
      argv: ["--root", "nowhere"],
      stderr: "shelpa-mcp: cannot open the root 'nowhere': No such file or directory\nTry 'shelpa-mcp --help' for more information.\n",
    },
  ])("$argv", async ({ argv, stderr }) => {
    expect(await run(argv)).toEqual({ status: 2, stdout: "", stderr });
  });

  test("a configuration inside the root with an unknown key", async () => {
    writeFileSync(join(root, ".shelpa.toml"), "bogus = 1\n");
    try {
      const { status, stdout, stderr } = await run(["--root", "root"]);
      expect({ status, stdout, stderr }).toEqual({
        status: 2,
        stdout: "",
        stderr: `shelpa-mcp: ${join(root, ".shelpa.toml")}: unknown key 'bogus'\n`,
      });
    } finally {
      rmSync(join(root, ".shelpa.toml"));
    }
  });

  test("a root that is a file", async () => {
    const { status, stdout, stderr } = await run(["--root", "root/logs/app.log"]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toBe(
      `shelpa-mcp: cannot open the root 'root/logs/app.log': Not a directory\ntry: shelpa-mcp --root ${join(root, "logs")}\n`,
    );
  });
});

test("--help and --version exit 0", async () => {
  expect(await run(["--help"])).toMatchObject({ status: 0, stdout: expect.stringMatching(/^Usage: shelpa-mcp --root DIR/), stderr: "" });
  // The entry in it works today: the program is on no registry that npx could ask.
  const { stdout: help } = await run(["--help"], "", { PATH: "/usr/bin" });
  const [, entry = ""] = /"shelpa": (\{.*\})\n/.exec(help) ?? [];
  expect(JSON.parse(entry)).toEqual({
    command: process.execPath,
    args: [expect.stringMatching(/dist\/shelpa-mcp\.js$/), "--root", "/path/to/project"],
  });
  expect(help).not.toContain("npx");
  expect(await run(["--version"])).toMatchObject({ status: 0, stdout: expect.stringMatching(/^shelpa-mcp \d+\.\d+\.\d+\n$/), stderr: "" });
});

test.each(["SIGTERM", "SIGINT"] as const)("%s ends an idle server at once, with status 0", async (signal) => {
  const startMs = performance.now();
  let signalledMs = 0;
  const { status, stderr } = await run(["--root", "root"], "open", {}, (kill) => {
    signalledMs = performance.now() - startMs;
    kill(signal);
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(performance.now() - startMs - signalledMs).toBeLessThan(1900);
});

test("the policy is a resource", async () => {
  const read = { jsonrpc: "2.0", id: 1, method: "resources/read", params: { uri: "shelpa://policy" } };
  const { stdout } = await run(["--root", "root", "--profile", "strict"], `${JSON.stringify(read)}\n`);
  const { result } = JSON.parse(stdout) as { result: { contents: { text: string }[] } };
  expect(result.contents[0]?.text).toMatch(/^profile +strict\n[^]*^rules +syntax 4, [^]*^session +default\n/m);
});
