/** The eight clients: of both eras, over both transports; and one that speaks to the socket itself, to misbehave. */
import { request } from "node:http";
import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernStdio } from "@modelcontextprotocol/client/stdio";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OlderStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as OlderHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { PROGRAM, serverArguments, TOKEN } from "./servers.mjs";

const CANCEL_AFTER_MS = 50;
const info = { name: "soak", version: "1.0.0" };
const headers = { requestInit: { headers: { Authorization: `Bearer ${TOKEN}` } } };

/** Six over HTTP to `server`, two over stdio with a server of their own on the same root. */
export async function sdkClients(server, setting) {
  const stdio = {
    command: process.execPath,
    args: [PROGRAM, ...serverArguments(setting, setting.root)],
    stderr: "inherit",
    env: { ...process.env, TMPDIR: setting.temporary },
  };
  const clients = [];
  for (let at = 0; at < 3; at++) clients.push(await connected(older(), new OlderHttp(server.url, headers)));
  for (let at = 0; at < 3; at++) clients.push(await connected(modern(), new ModernHttp(server.url, headers)));
  clients.push(await connected(older(), new OlderStdio(stdio)), await connected(modern(), new ModernStdio(stdio)));
  return clients;
}

const older = () => new OlderClient(info);
const modern = () => new ModernClient(info, { versionNegotiation: { mode: { pin: "2026-07-28" } } });

async function connected(client, transport) {
  await client.connect(transport);
  return { pid: transport.pid, call: (line) => callTool(client, line), close: () => client.close() };
}

async function callTool(client, line) {
  const { command, stdin, cwd, timeout } = line;
  const given = {
    command,
    ...(stdin === undefined ? {} : { stdin }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(timeout === undefined ? {} : { timeout_seconds: timeout }),
  };
  const params = { name: "shelpa_pipe", arguments: given };
  const abort = new AbortController();
  const options = { signal: abort.signal, timeout: 300_000 };
  if (line.cancelled === true) setTimeout(() => abort.abort("enough"), CANCEL_AFTER_MS);
  try {
    const result = await (client instanceof ModernClient ? client.callTool(params, options) : client.callTool(params, undefined, options));
    return { content: result.structuredContent };
  } catch (error) {
    return line.cancelled === true ? { cancelled: true } : { error };
  }
}

/** One call over a connection of its own. `act` gets the request and, once it begins, the response. */
export function rawClient(url, command, act, args = {}) {
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "shelpa_pipe", arguments: { command, ...args } },
  });
  return new Promise((resolve) => {
    const outgoing = request(url, {
      method: "POST",
      agent: false,
      headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json", accept: "application/json, text/event-stream" },
    });
    outgoing.on("response", (response) => {
      act?.({ outgoing, response });
      let text = "";
      response.on("data", (chunk) => (text += chunk));
      response.on("end", () => resolve(text));
      response.on("error", () => resolve(undefined));
      response.on("close", () => resolve(undefined));
    });
    outgoing.on("error", () => resolve(undefined));
    outgoing.end(body);
    if (act?.length === 0) act();
  });
}
