/** The examples do what they say. Those for clients are held by test/docs.test.ts. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { PassThrough } from "node:stream";
import { atTerminal, policy } from "../examples/library/approval.ts";
import { edited } from "../examples/library/memory.ts";
import { fetchJson } from "../examples/library/command.ts";
import { answer, definition } from "../examples/library/openai.ts";
import { tried } from "../examples/library/overlay.ts";
import { shellTool } from "../examples/library/vercel-ai.ts";
import { Shell } from "../src/index.ts";
import { tree, type Tree } from "./tree.ts";

let place: Tree;
let shell: Shell;
beforeEach(async () => {
  place = tree(["a.txt: one\ntwo\n"]);
  shell = await Shell.open({ root: place.path, isolation: "none" });
});
afterEach(async () => {
  await shell.close();
  place.remove();
});

describe("an OpenAI-style tool", () => {
  const ask = (command: unknown): Promise<string> => answer(shell.defaultSession, JSON.stringify({ command }));

  test("output, messages and exit status", async () => {
    expect(await ask("grep -n two a.txt")).toBe("2:two\n[exit 0]");
    expect(await ask("cat nope")).toBe("cat: nope: No such file or directory\n[exit 1]");
  });
  test("a refusal comes with a line that works", async () => {
    expect(await ask("wc -l a.txt > b.txt")).toMatch(/\nUse: set -o pipefail; wc -l a\.txt \| tee b\.txt >\/dev\/null$/);
  });
  test("an endless line is cut", async () => {
    expect(await ask("yes")).toMatch(/^(y\n)+\n\[cut here\]\n\[stopped/);
  });
  test("arguments that are none", async () => {
    expect(await answer(shell.defaultSession, "{")).toBe('The arguments are {"command": "…"}.');
    expect(await ask(3)).toBe('The arguments are {"command": "…"}.');
  });
  test("strict: every property is required, and no other allowed", () => {
    const { parameters } = definition.function;
    expect(Object.keys(parameters.properties)).toEqual(parameters.required);
  });
});

test("a tool for the Vercel AI SDK", async () => {
  const execute = shellTool(shell.defaultSession).execute;
  expect(await execute?.({ command: "wc -l a.txt" }, { toolCallId: "1", messages: [], context: {} } as never)).toBe("2 a.txt\n[exit 0]");
});

test.each([
  ["y", "completed", []],
  ["n", "refused", ["a.txt"]],
] as const)("a question at the terminal, answered %s", async (typed, kind, files) => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const asking = await Shell.open({ root: place.path, isolation: "none", policy, approve: atTerminal(input, output) });
  try {
    input.write(`${typed}\n`);
    const { result } = await asking.defaultSession.run("rm a.txt");
    expect(result.kind).toBe(kind);
    expect(String(output.read())).toMatch(/^The line: rm a\.txt\n.*\n {2}removed a\.txt\n[^]*-two\nAllow it\? \[y\/N\] $/);
    expect(readdirSync(place.path).filter((name) => name !== ".shelpa")).toEqual(files);
  } finally {
    await asking.close();
  }
});

test.each([
  [["sed -i s/one/ONE/ a.txt", "rm -f nothing"], 5, true, "ONE\ntwo\n"],
  [["sed -i s/one/ONE/ a.txt", "echo x | tee b"], 1, false, "one\ntwo\n"],
  [["sed -i s/one/ONE/ a.txt", "grep none a.txt"], 5, false, "one\ntwo\n"],
] as const)("lines that are tried in an overlay: %j", async (lines, most, isKept, content) => {
  expect(await tried(place.path, lines, (changes) => changes.length <= most)).toBe(isKept);
  expect(readFileSync(join(place.path, "a.txt"), "utf8")).toBe(content);
});

test.each([
  ["fetch-json /users | jq -r '.[].name'", 0, "ada\n", ""],
  ["fetch-json /nothing", 22, "none\n", "fetch-json: /nothing: 404 Not Found\n"],
  ["fetch-json http://127.0.0.1:9/", 1, "", "fetch-json: http://127.0.0.1:9/: not of ORIGIN\n"],
])("a command of the program: %s", async (line, exit, stdout, stderr) => {
  const server = createServer(({ url }, response) => {
    response.writeHead(url === "/users" ? 200 : 404).end(url === "/users" ? '[{"name":"ada"}]' : "none\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const own = await Shell.open({ files: {}, commands: [fetchJson(origin)] });
  try {
    const outcome = await own.defaultSession.run(line);
    expect(outcome.result).toMatchObject({ kind: "completed", exit });
    expect([outcome.stdout.toString(), outcome.stderr.toString().replace(origin, "ORIGIN")]).toEqual([stdout, stderr]);
  } finally {
    await own.close();
    server.close();
  }
});

test("a line over files in memory", async () => {
  expect(await edited({ "a.csv": "2\n1\n" }, "sort -n a.csv | tee sorted/b.csv")).toEqual({ "a.csv": "2\n1\n", "sorted/b.csv": "1\n2\n" });
  await expect(edited({}, "curl x | tee y")).rejects.toThrow("curl");
});

test("init --print shows the very files of examples/clients", () => {
  const top = fileURLToPath(new URL("..", import.meta.url));
  // As npx would have it, which then stands in the files.
  const cache = mkdtempSync(join(tmpdir(), "shelpa-examples-"));
  mkdirSync(join(cache, "_npx"));
  symlinkSync(top, join(cache, "_npx", "shelpa-mcp"));
  const root = join(cache, "project");
  mkdirSync(root);
  const flags = ["--root", root, "--client", "all", "--steer", "--hook", "--print"];
  const printed = execFileSync(process.execPath, [join(cache, "_npx/shelpa-mcp/dist/shelpa-mcp.js"), "init", ...flags], {
    encoding: "utf8",
    env: { HOME: "/home/you", PATH: "" },
  });
  rmSync(cache, { recursive: true });
  const ownPath = [...new Set([dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"])].join(":");
  const shown = printed
    .replaceAll(root, "/path/to/project")
    .replaceAll(ownPath, "/usr/local/bin:/usr/bin:/bin")
    .split(/^\+\+\+ .*\n/m)
    .slice(1)
    .map((part) => part.split("\n").flatMap((line) => (line.startsWith("+") ? [line.slice(1)] : [])));
  const directory = join(top, "examples/clients");
  const files = readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((name) => statSync(join(directory, name)).isFile());
  const texts = files.map((name) => readFileSync(join(directory, name), "utf8").trimEnd());
  expect(shown.map((lines) => lines.join("\n")).toSorted()).toEqual(texts.toSorted());
});
