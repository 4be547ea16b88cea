/** `shelpa-mcp --interactive`: what is typed, what goes to the answers and what to the terminal. */
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, expect, test } from "vitest";
import { interactive } from "../../src/cli/interactive.ts";
import { serverOptions } from "../../src/cli/server-options.ts";
import { DEFAULT_POLICY } from "../../src/config/policy.ts";
import type { ShellService } from "../../src/mcp/shell-service.ts";
import { createShellService } from "../../src/mcp/service.ts";
import { tree, type Tree } from "../tree.ts";

let place: Tree;
let service: ShellService;

beforeEach(async () => {
  place = tree(["src/", "a.txt: one\ntwo\n"]);
  service = await createShellService({ root: place.path, policy: DEFAULT_POLICY, aliases: [], isolation: "none" });
});
afterEach(async () => {
  await service.close();
  place.remove();
});

interface Typing {
  readonly type: (text: string) => void;
  /** Resolves once the terminal shows `text`. */
  readonly sees: (text: string) => Promise<void>;
  readonly ended: Promise<{ readonly output: string; readonly terminal: string }>;
}

/** As on a terminal where `isTTY`, else as from a pipe. */
function prompted(isTTY: boolean): Typing {
  const input = Object.assign(new PassThrough(), { isTTY, setRawMode: () => undefined });
  const output = new PassThrough().setEncoding("utf8");
  const terminal = Object.assign(new PassThrough(), { isTTY, columns: 80 }).setEncoding("utf8");
  const seen = { output: "", terminal: "" };
  let look = (): void => undefined;
  output.on("data", (text: string) => (seen.output += text));
  terminal.on("data", (text: string) => {
    seen.terminal += text;
    look();
  });
  const options = serverOptions(DEFAULT_POLICY, { rawOutput: false, log: (line) => terminal.write(`${line}\n`) });
  const streams = { input, output, terminal: terminal as unknown as NodeJS.WriteStream };
  return {
    type: (text) => void input.write(text),
    sees: (text) =>
      new Promise((resolve) => {
        look = () => seen.terminal.includes(text) && resolve();
        look();
      }),
    ended: interactive(service, options, streams, new AbortController().signal).then(() => seen),
  };
}

async function piped(...lines: string[]): Promise<string> {
  const { type, ended } = prompted(false);
  type(`${lines.join("\n")}\nquit\necho never\n`);
  return (await ended).output;
}

test("a command line is answered with its text, and the session goes on", async () => {
  expect(await piped("cat a.txt | head -n 1", "cd src", "pwd")).toBe(`one\n(no output, exit 0, cwd src)\n${place.path}/src\n`);
});

test("a group and a test are lines, and no messages", async () => {
  expect(await piped("{ echo a; echo b; }", "[ -f a.txt ] && echo there")).toBe("a\nb\nthere\n");
});

test("a refusal is what an agent would be told", async () => {
  expect(await piped("shred a.txt")).toMatch(/^DISALLOWED_CMD: 'shred' is not allowed/);
});

test("a message is answered whole, in both eras, one after another", async () => {
  const modern = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "t", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const call = { name: "shelpa_pipe", arguments: { command: "echo hi" } };
  const printed = await piped(
    '{"jsonrpc":"2.0","id":"line 1","method":"ping"}',
    JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/call", params: { ...call, _meta: modern } }),
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"x"}}',
    '{"jsonrpc":',
    "echo last",
  );
  const [ping, answer, unknown, broken, ...rest] = printed.split(/^(?=\{|last)/m);
  expect(JSON.parse(ping ?? "")).toEqual({ jsonrpc: "2.0", id: "line 1", result: {} });
  expect(JSON.parse(answer ?? "")).toMatchObject({ id: 2, result: { content: [{ text: "hi\n" }], resultType: "complete" } });
  expect(JSON.parse(unknown ?? "")).toMatchObject({ id: 3, error: { code: -32602 } });
  expect(JSON.parse(broken ?? "")).toMatchObject({ id: null, error: { code: -32700 } });
  expect(rest).toEqual(["last\n"]);
});

test("help tells of the prompt, and of the builtins", async () => {
  expect(await piped("help")).toMatch(/^A command line is run as [^]*grep/);
});

test("on a terminal: a prompt, progress after a second, Ctrl-C ends the line and drops the one being typed", {
  timeout: 30_000,
}, async () => {
  const { type, sees, ended } = prompted(true);
  await sees("> ");
  type("sleep 20; echo never\r");
  await sees("1 s, 0 bytes of output, in sleep 20");
  type("\u0003");
  await sees("cancelled\n");
  type("echo dropped\u0003echo kept\r");
  type("quit\r");
  const { output, terminal } = await ended;
  expect(output).toBe("kept\n");
  expect(terminal).toMatch(/^shelpa-mcp: a command line, or a JSON-RPC message; /);
});

test("the end of input ends it", async () => {
  const { type, ended, sees } = prompted(true);
  await sees("> ");
  type("\u0004");
  expect((await ended).output).toBe("");
});
