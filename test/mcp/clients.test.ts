/** The server through the clients people use, over a real process: both protocol eras. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { Client as ModernClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

let directory = "";
let server: { command: string; args: string[]; stderr: "pipe" };

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "shelpa-mcp-"));
  const outfile = join(directory, "server.mjs");
  const entryPoint = new URL("fake-server.ts", import.meta.url).pathname;
  await build({ entryPoints: [entryPoint], outfile, bundle: true, platform: "node", format: "esm", target: "node20", logLevel: "silent" });
  server = { command: process.execPath, args: [outfile], stderr: "pipe" };
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const info = { name: "test", version: "1.0.0" };
const call = (command: string): { name: string; arguments: Record<string, unknown> } => ({ name: "shelpa_pipe", arguments: { command } });

async function older(): Promise<OlderClient> {
  const client = new OlderClient(info);
  await client.connect(new OlderTransport(server));
  return client;
}

async function modern(mode: "auto" | "legacy" | { pin: string }): Promise<ModernClient> {
  const client = new ModernClient(info, { versionNegotiation: { mode } });
  await client.connect(new ModernTransport(server));
  return client;
}

describe.each([
  { name: "@modelcontextprotocol/sdk 1.x", connect: older, version: "2025-11-25" },
  { name: "@modelcontextprotocol/client 2.x, older era", connect: () => modern("legacy"), version: "2025-11-25" },
  { name: "@modelcontextprotocol/client 2.x, probing", connect: () => modern("auto"), version: "2026-07-28" },
  { name: "@modelcontextprotocol/client 2.x, pinned", connect: () => modern({ pin: "2026-07-28" }), version: "2026-07-28" },
])("$name", ({ connect, version }) => {
  let client: OlderClient | ModernClient;
  beforeAll(async () => {
    client = await connect();
  });
  afterAll(() => client.close());
  /** One signature for both generations. */
  const callTool = (command: string, options?: object): Promise<unknown> =>
    client instanceof ModernClient ? client.callTool(call(command), options) : client.callTool(call(command), undefined, options);

  test("negotiates the revision", () => {
    if (client instanceof ModernClient) expect(client.getNegotiatedProtocolVersion()).toBe(version);
    expect(client.getServerVersion()).toMatchObject({ name: "shelpa-mcp" });
    expect(client.getInstructions()).toContain("shelpa_pipe");
  });

  test("lists the one tool, with its input schema and annotations", async () => {
    const { tools } = await client.listTools();
    expect(tools[0]).not.toHaveProperty("outputSchema");
    expect(tools).toMatchObject([
      {
        name: "shelpa_pipe",
        inputSchema: { required: ["command"] },
        annotations: { openWorldHint: false },
      },
    ]);
  });

  test("calls it", async () => {
    const result = await callTool("ls");
    expect(result).toMatchObject({ content: [{ type: "text", text: "ran ls\n" }], _meta: { exit_code: 0 } });
    expect(result).not.toHaveProperty("structuredContent");
  });

  test("is not told of an error by an exit status", async () => {
    const result = (await callTool("exit 1")) as { isError?: boolean; _meta?: object };
    expect(result.isError ?? false).toBe(false);
    expect(result._meta).toMatchObject({ exit_code: 1 });
  });

  test("gets a refusal, with its reason for programs", async () => {
    expect(await callTool("refuse")).toMatchObject({ isError: true, _meta: { "shelpa/error": { reason: "DISALLOWED_CMD" } } });
  });

  test("gets a fault of ours as an answer, and the server goes on", async () => {
    expect(await callTool("throw")).toMatchObject({ isError: true, _meta: { "shelpa/error": { code: "FAULT" } } });
    expect(await callTool("ls")).toMatchObject({ content: [{ text: "ran ls\n" }] });
  });

  test("is told of an argument's right name", async () => {
    const params = { name: "shelpa_pipe", arguments: { comand: "ls" } };
    const result = client instanceof ModernClient ? await client.callTool(params) : await client.callTool(params);
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: `USAGE: unknown argument 'comand': did you mean 'command'?\nCall it with these arguments: {"command":"ls"}\n` }],
    });
  });

  test("is told of another tool's name", async () => {
    const params = { name: "bash", arguments: {} };
    const result = client instanceof ModernClient ? client.callTool(params) : client.callTool(params);
    await expect(result).rejects.toThrow(/unknown tool 'bash': the only one is shelpa_pipe/);
  });

  test("reads a long output whole", async () => {
    const result = (await callTool("big 500000")) as { _meta: { "shelpa/truncated": { resource: string; total_bytes: number } } };
    const { resource, total_bytes } = result._meta["shelpa/truncated"];
    expect(total_bytes).toBe(500_000);
    const { contents } = await client.readResource({ uri: resource });
    expect(contents).toMatchObject([{ uri: resource, mimeType: "text/plain" }]);
    expect((contents[0] as { text: string }).text).toHaveLength(500_000);
    expect((await client.listResources()).resources.at(-1)).toMatchObject({ uri: resource, size: 500_000 });
    expect((await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      "shelpa://help/{command}",
      "shelpa://audit/record/{id}",
      "shelpa://output/{id}",
    ]);
    await expect(client.readResource({ uri: "shelpa://output/gone" })).rejects.toThrow(/no output of a recent call/);
  });

  test("hears of progress in a long call", async () => {
    const heard: unknown[] = [];
    await callTool("slow 1300", { onprogress: (progress: unknown) => heard.push(progress) });
    expect(heard).toMatchObject([{ progress: 1, message: "1 s, 42 bytes of output, in slow" }]);
  });

  test("can cancel, and the call ends", async () => {
    const abort = new AbortController();
    const slow = callTool("slow 60000", { signal: abort.signal });
    setTimeout(() => abort.abort("enough"), 50);
    await expect(slow).rejects.toThrow();
    expect(await callTool("aborted")).toMatchObject({ content: [{ text: "1 aborted\n" }] });
  });
});

describe("the process", () => {
  interface Ended {
    readonly status: number | null;
    readonly answers: Record<string, unknown>[];
    readonly stderr: string;
  }
  const start = (): ChildProcessWithoutNullStreams => spawn(server.command, [...server.args, "4000000"]);
  const ended = (child: ChildProcessWithoutNullStreams): Promise<Ended> => {
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    return new Promise((resolve) => {
      child.on("close", (status) =>
        resolve({
          status,
          stderr,
          answers: stdout
            .split("\n")
            .slice(0, -1)
            .map((line) => JSON.parse(line) as Record<string, unknown>),
        }),
      );
    });
  };
  const request = (id: number, command: string): string =>
    `${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: call(command) })}\n`;

  test("answers one line without a handshake and exits", async () => {
    const child = start();
    child.stdin.end(request(1, "ls"));
    expect(await ended(child)).toMatchObject({ status: 0, answers: [{ id: 1, result: { content: [{ text: "ran ls\n" }] } }] });
  });

  test("drains an answer of several megabytes into a slow reader before it exits", async () => {
    const child = start();
    child.stdin.end(request(1, "big 3000000") + request(2, "ls"));
    child.stdout.pause();
    setTimeout(() => child.stdout.resume(), 300);
    const { status, answers } = await ended(child);
    expect(status).toBe(0);
    expect(answers.map(({ id }) => id)).toEqual([1, 2]);
  });

  test("serves on while nobody reads its answers", async () => {
    const child = start();
    child.stdin.write(request(1, "big 3000000") + request(2, "throw 200"));
    // Only the log says that the second call was served: the first answer fills the pipe.
    await new Promise((resolve) => child.stderr.once("data", resolve));
    child.kill("SIGTERM");
    const { status, answers } = await ended(child);
    expect(status).toBe(0);
    expect(answers.map(({ id }) => id)).toEqual([1, 2]);
  });

  test("ends quietly when the reader has gone", async () => {
    const child = start();
    child.stdout.destroy();
    child.stdin.on("error", () => undefined);
    child.stdin.write(request(1, "ls"));
    child.stdin.write(request(2, "slow 60000"));
    const { status, stderr } = await ended(child);
    expect(status).toBe(0);
    expect(stderr).not.toContain("EPIPE");
  });

  test.each(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])("speaks %s", async (protocolVersion) => {
    const child = start();
    const initialize = { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion, capabilities: {}, clientInfo: info } };
    child.stdin.end(`${JSON.stringify(initialize)}\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n${request(2, "ls")}`);
    expect((await ended(child)).answers).toMatchObject([
      { id: 1, result: { protocolVersion, serverInfo: { name: "shelpa-mcp" } } },
      { id: 2, result: { content: [{ text: "ran ls\n" }] } },
    ]);
  });
});
