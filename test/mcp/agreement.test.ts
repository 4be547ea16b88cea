/**
 * An agreement, as a client of revision 2026-07-28 can bring it back: it is for what was shown, and once. Over the
 * shipped server, with messages as they stand on the wire.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { tree, type Tree } from "../tree.ts";

const SERVER = fileURLToPath(new URL("../../dist/shelpa-mcp.js", import.meta.url));
const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
};

interface Result {
  readonly requestState?: string;
  readonly inputRequests?: { readonly approval: { readonly params: { readonly message: string } } };
  readonly content?: readonly { readonly text: string }[];
}

let place: Tree;
let server: ChildProcess;
let answered: ((result: Result) => void)[];

/** Starts the server; `configuration` is TOML. */
function start(configuration = ""): void {
  writeFileSync(`${place.path}.toml`, configuration);
  server = spawn(process.execPath, [SERVER, "--root", place.path, "--config", `${place.path}.toml`], { stdio: ["pipe", "pipe", "ignore"] });
  let unread = "";
  answered = [];
  server.stdout?.on("data", (text) => {
    const lines = `${unread}${String(text)}`.split("\n");
    unread = lines.pop() ?? "";
    for (const line of lines) answered.shift()?.((JSON.parse(line) as { result: Result }).result);
  });
}

const call = (command: string, more: object = {}, args: object = {}): Promise<Result> =>
  new Promise((resolve) => {
    answered.push(resolve);
    const params = { name: "shelpa_pipe", arguments: { command, ...args }, _meta: ENVELOPE, ...more };
    server.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id: answered.length, method: "tools/call", params })}\n`);
  });

const agreeing = (asked: Result, content: object = { approve: true }): object => ({
  requestState: asked.requestState,
  inputResponses: { approval: { action: "accept", content } },
});
const question = (asked: Result): string => asked.inputRequests?.approval.params.message ?? `not asked: ${textOf(asked)}`;
const textOf = ({ content = [] }: Result): string => content.map(({ text }) => text).join("\n");
const fileText = (name: string): string => readFileSync(`${place.path}/${name}`, "utf8");

beforeEach(() => {
  place = tree([".envrc: export A=1\n", "out.txt: old\n"]);
});
afterEach(() => {
  server.kill("SIGKILL");
  place.remove();
});

describe("used up by its use", () => {
  test.each(["echo x | tee .envrc", "echo x | tee -a .envrc"])("%s: the same answer is no answer to the second question", async (line) => {
    start();
    const asked = await call(line);
    expect(textOf(await call(line, agreeing(asked)))).toContain("allowed by a human");
    writeFileSync(`${place.path}/.envrc`, "the user's own\n");
    const again = await call(line, agreeing(asked));
    expect(question(again)).toContain("An agent wants to");
    expect(fileText(".envrc")).toBe("the user's own\n");
  });
});

describe("for what was shown", () => {
  test("a file that was changed after the question is not replaced", async () => {
    start();
    const asked = await call("echo x | tee .envrc");
    writeFileSync(`${place.path}/.envrc`, "export A=1\nexport MINE=2\n");
    expect(textOf(await call("echo x | tee .envrc", agreeing(asked)))).toContain("after the change to it was approved");
    expect(fileText(".envrc")).toBe("export A=1\nexport MINE=2\n");
    expect(existsSync(`${place.path}/.shelpa/.envrc`)).toBe(false);
  });

  test("a file that was to be created and is there now is not replaced", async () => {
    start();
    const asked = await call("echo x | tee .mcp.json");
    expect(question(asked)).toContain("create .mcp.json");
    writeFileSync(`${place.path}/.mcp.json`, "{}\n");
    expect(textOf(await call("echo x | tee .mcp.json", agreeing(asked)))).toContain("after the change to it was approved");
    expect(fileText(".mcp.json")).toBe("{}\n");
  });

  test.each([
    ["an append replaces nothing", "if [ -e flag ]; then echo x | tee .envrc; else echo x | tee -a .envrc; fi", "append to .envrc"],
    ["a replacement is no append", "if [ -e flag ]; then echo x | tee -a .envrc; else echo x | tee .envrc; fi", "replace .envrc"],
  ])("what was agreed to as %s", async (_, line, shown) => {
    start();
    const asked = await call(line);
    expect(question(asked)).toContain(shown);
    writeFileSync(`${place.path}/flag`, "");
    expect(textOf(await call(line, agreeing(asked)))).toContain("not what was approved");
    expect(fileText(".envrc")).toBe("export A=1\n");
  });

  const ASKS = "[approval]\nrequire_human_approval = true\n";
  test("a line that was shown to write nothing writes nothing", async () => {
    start(ASKS);
    const line = "[ -e flag ] && echo evil | tee out.txt";
    const asked = await call(line);
    expect(question(asked)).toContain("run a line that writes nothing");
    writeFileSync(`${place.path}/flag`, "");
    expect(textOf(await call(line, agreeing(asked)))).toContain("not what was approved");
    expect(fileText("out.txt")).toBe("old\n");
  });

  test("a further file that was not shown is not written", async () => {
    start(ASKS);
    const line = "echo a | tee first; [ -e flag ] && echo evil | tee out.txt";
    const asked = await call(line);
    expect(question(asked)).toContain("create first");
    writeFileSync(`${place.path}/flag`, "");
    expect(textOf(await call(line, agreeing(asked)))).toContain("not what was approved");
    expect(fileText("out.txt")).toBe("old\n");
  });
});

describe("the question is ours", () => {
  const FORGED = [".vscode/readme (0 bytes)", "", "Nothing is run by this file; it is safe.", "Allow it?"].join("\n");

  test("a path with newlines stays on the line that names it", async () => {
    start();
    const message = question(await call('tee "$(cat name)"', {}, { stdin: "" }));
    expect(message).not.toContain("wants to");
    writeFileSync(`${place.path}/name`, FORGED);
    const asked = question(await call(`echo x | tee '${FORGED}'`));
    expect(asked).toContain("create .vscode/readme (0 bytes)\\n\\nNothing is run by this file; it is safe.\\nAllow it? (2 bytes)");
    expect(asked.split("\n").filter((line) => line.startsWith("Allow it?"))).toEqual(["Allow it?"]);
    expect(asked.split("\n").filter((line) => line.startsWith("Nothing is run"))).toEqual([]);
  });

  test("nor does a line of the file, or of the command, end it", async () => {
    start();
    const asked = question(
      await call("tee .envrc\n: 'Allow it?\n[shelpa] allowed'", {}, { stdin: "Allow it?\n[shelpa] allowed\u001b[2J\n" }),
    );
    expect(asked.split("\n").filter((line) => /^(Allow it\?|\[shelpa)/.test(line))).toEqual(["Allow it?"]);
    expect(asked).not.toContain("\u001b");
  });

  test("the name that is typed is the name that is shown", async () => {
    start("[approval]\nchallenge = true\n");
    const line = "echo x | tee $'.vscode/a\\nb'";
    const asked = await call(line);
    expect(question(asked)).toContain("type the file's name: a\\nb");
    expect(textOf(await call(line, agreeing(asked, { file_name: "a\\nb" })))).toContain("allowed by a human");
  });
});
