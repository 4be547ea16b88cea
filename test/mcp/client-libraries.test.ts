/**
 * The shipped server through the MCP clients of agents' packages, over standard streams and over HTTP: listing, a call, a refusal, a write,
 * progress, and cancelling, as far as each package has these.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMCPClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport as AiStdioTransport } from "@ai-sdk/mcp/mcp-stdio";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernStdio } from "@modelcontextprotocol/client/stdio";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OlderStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as OlderHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { MCPServerStdio, MCPServerStreamableHttp } from "@openai/agents";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";

const PROGRAM = join(process.cwd(), "dist/shelpa-mcp.js");
const TOKEN = "t".repeat(43);
const INFO = { name: "test", version: "1.0.0" };

let top: string;
let root: string;
let served: ChildProcess;
let url: URL;

beforeAll(async () => {
  top = mkdtempSync(join(tmpdir(), "shelpa-libraries-"));
  writeFileSync(join(top, "token"), `${TOKEN}\n`);
});
afterAll(() => rmSync(top, { recursive: true, force: true }));

beforeEach(async () => {
  root = mkdtempSync(join(top, "root-"));
  writeFileSync(join(root, "a.txt"), "one\ntwo\n");
  const args = [PROGRAM, "--root", root, "--http", "127.0.0.1:0", "--token-file", join(top, "token")];
  served = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  served.stderr?.on("data", (piece) => (said += String(piece)));
  await vi.waitFor(() => expect(said).toMatch(/listening on \S+/), { timeout: 60_000 });
  url = new URL(/listening on (\S+)/.exec(said)?.[1] ?? "");
});
afterEach(async () => {
  const ended = new Promise((resolve) => served.once("close", resolve));
  served.kill();
  await ended;
});

interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: () => void;
}

/** A client that is connected. */
interface Connected {
  readonly list: () => Promise<readonly string[]>;
  /** The answer's text; rejects where the package throws. */
  readonly call: (args: Readonly<Record<string, unknown>>, options?: CallOptions) => Promise<string>;
  readonly close: () => Promise<unknown>;
}

type Way = "stdio" | "HTTP";
const headers = { Authorization: `Bearer ${TOKEN}` };
const command = (): { command: string; args: string[] } => ({ command: process.execPath, args: [PROGRAM, "--root", root] });

/** The text blocks of a result. */
const textOf = (result: unknown): string => {
  const content = Array.isArray(result) ? result : ((result as { content?: unknown }).content ?? result);
  if (!Array.isArray(content))
    return typeof content === "object" && content !== null && "text" in content ? String(content.text) : String(content);
  return content.map((block: { text?: string }) => block.text ?? "").join("\n");
};

const name = "shelpa_pipe";

const sdk = async (client: OlderClient | ModernClient): Promise<Connected> => ({
  list: async () => (await client.listTools()).tools.map((tool) => tool.name),
  call: async (args, { signal, onProgress } = {}) => {
    const options = { ...(signal === undefined ? {} : { signal }), ...(onProgress === undefined ? {} : { onprogress: onProgress }) };
    const request = { name, arguments: { ...args } };
    return textOf(
      client instanceof ModernClient ? await client.callTool(request, options) : await client.callTool(request, undefined, options),
    );
  },
  close: () => client.close(),
});

const LIBRARIES: readonly {
  readonly library: string;
  readonly connect: (way: Way) => Promise<Connected>;
  readonly hasProgress: boolean;
  /** A refusal is an exception of this package's own, whose message is the answer. */
  readonly throwsRefusals?: true;
}[] = [
  {
    library: "@modelcontextprotocol/sdk",
    hasProgress: true,
    connect: async (way) => {
      const client = new OlderClient(INFO);
      // biome-ignore format: one transport a line
      const transport = way === "stdio" ? new OlderStdio({ ...command(), stderr: "ignore" }) : new OlderHttp(url, { requestInit: { headers } });
      await client.connect(transport as never);
      return sdk(client);
    },
  },
  {
    library: "@modelcontextprotocol/client",
    hasProgress: true,
    connect: async (way) => {
      const client = new ModernClient(INFO, { versionNegotiation: { mode: "auto" } });
      await client.connect(
        way === "stdio" ? new ModernStdio({ ...command(), stderr: "ignore" }) : new ModernHttp(url, { requestInit: { headers } }),
      );
      return sdk(client);
    },
  },
  {
    library: "@ai-sdk/mcp",
    hasProgress: false,
    connect: async (way) => {
      const transport =
        way === "stdio" ? new AiStdioTransport({ ...command(), stderr: "ignore" }) : { type: "http" as const, url: url.href, headers };
      const client = await createMCPClient({ transport });
      return {
        list: async () => Object.keys(await client.tools()),
        call: async (args, { signal } = {}) => {
          const tool = (await client.tools())[name];
          const given = { toolCallId: "1", messages: [], context: {}, ...(signal === undefined ? {} : { abortSignal: signal }) };
          return textOf(await tool?.execute(args, given as never));
        },
        close: () => client.close(),
      };
    },
  },
  {
    library: "@langchain/mcp-adapters",
    hasProgress: true,
    throwsRefusals: true,
    connect: async (way) => {
      let told: (() => void) | undefined;
      const client = new MultiServerMCPClient({
        mcpServers: { shelpa: way === "stdio" ? { transport: "stdio", ...command() } : { transport: "http", url: url.href, headers } },
        onProgress: () => told?.(),
      });
      const [tool] = await client.getTools();
      if (tool === undefined) throw new Error("no tool");
      return {
        list: async () => (await client.getTools()).map((one) => one.name),
        call: async (args, { signal, onProgress } = {}) => {
          told = onProgress;
          return textOf(await tool.invoke(args, signal === undefined ? {} : { signal }));
        },
        close: () => client.close(),
      };
    },
  },
  {
    library: "@openai/agents",
    hasProgress: false,
    connect: async (way) => {
      const server =
        way === "stdio" ? new MCPServerStdio({ ...command() }) : new MCPServerStreamableHttp({ url: url.href, requestInit: { headers } });
      await server.connect();
      return {
        list: async () => (await server.listTools()).map((tool) => tool.name),
        call: async (args, options = {}) =>
          textOf(await server.callTool(name, { ...args }, null, options.signal === undefined ? {} : { signal: options.signal })),
        close: () => server.close(),
      };
    },
  },
];

describe.each(LIBRARIES.flatMap((row) => (["stdio", "HTTP"] as const).map((way) => ({ ...row, way }))))(
  "$library over $way",
  ({ connect, way, hasProgress, throwsRefusals }) => {
    test("lists, calls, is refused, writes, hears of progress, cancels", { timeout: 120_000 }, async () => {
      const client = await connect(way);
      try {
        expect(await client.list()).toEqual([name]);
        expect(await client.call({ command: "grep -n two a.txt" })).toBe("2:two\n");
        const refused = client.call({ command: "wc -l a.txt > b.txt" });
        const said = throwsRefusals === true ? await refused.catch((error: Error) => error.message) : await refused;
        expect(said).toContain("try: set -o pipefail; wc -l a.txt | tee b.txt >/dev/null");
        expect(await client.call({ command: "tee b.txt", stdin: "x\n" })).toContain("created b.txt: 1 line");
        expect(existsSync(join(root, "b.txt"))).toBe(true);
        if (hasProgress) {
          let heard = 0;
          await client.call({ command: "sleep 2.5" }, { onProgress: () => heard++ });
          expect(heard).toBeGreaterThan(0);
        }
        const stop = new AbortController();
        const asked = client.call({ command: "sleep 500" }, { signal: stop.signal });
        setTimeout(() => stop.abort(new Error("enough")), 1000);
        await expect(asked).rejects.toThrow();
        // The call is over: the same session answers again.
        expect(await client.call({ command: "echo on" })).toBe("on\n");
      } finally {
        await client.close();
      }
    });
  },
);
