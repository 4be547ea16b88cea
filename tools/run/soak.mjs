/**
 * Many calls at once, from the clients people use, over both transports and in both eras, some of them cancelled:
 * is each answered once, and is the memory given back? `npm run build` first.
 *
 *   npm run soak [-- CALLS [WORD]]    CALLS per client (default 1,000); only where the name holds WORD, as HTTP
 *   npm run soak -- --long [CALLS [MINUTES]]    the long one, with everything going wrong meanwhile: soak/long.mjs
 */
import { spawn } from "node:child_process";
import { setMaxListeners } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernStdio } from "@modelcontextprotocol/client/stdio";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OlderStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as OlderHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

// The clients hang a listener on one signal or stream for each call, and there are many here.
setMaxListeners(0);

if (process.argv[2] === "--long") {
  const [calls, minutes] = process.argv.slice(3).map(Number);
  const { soakLong } = await import("./soak/long.mjs");
  process.exit((await soakLong(calls, minutes)) ? 0 : 1);
}
const CALLS = Number(process.argv[2] ?? 1000);
/** Every so many calls one is cancelled, 20 ms after it was sent. */
const CANCEL_EVERY = 5;
/** What the server process may have grown by after the second round, in MiB: garbage that is not collected yet. */
const MOST_GROWTH_MIB = 96;
const TOKEN = "a-token-for-the-soak-test-alone";
const program = fileURLToPath(new URL("../../dist/shelpa-mcp.js", import.meta.url));
const directory = mkdtempSync(join(tmpdir(), "shelpa-soak-"));
const root = join(directory, "root");
mkdirSync(root);
writeFileSync(
  join(root, "app.log"),
  Array.from({ length: 5000 }, (_, index) => `${index} ${index % 7 === 0 ? "ERROR" : "info"} line\n`).join(""),
);
// Long enough a queue that no call is turned away as one too many.
writeFileSync(join(directory, "shelpa.toml"), `[limits]\nqueued_calls = ${CALLS * 2}\n`);
const given = [program, "--structured", "--root", root, "--config", join(directory, "shelpa.toml")];

const info = { name: "soak", version: "1.0.0" };
const stdio = { command: process.execPath, args: given, stderr: "inherit" };
const older = (transport) => connected(new OlderClient(info), transport);
const modern = (transport) => connected(new ModernClient(info, { versionNegotiation: { mode: { pin: "2026-07-28" } } }), transport);
const headers = { requestInit: { headers: { Authorization: `Bearer ${TOKEN}` } } };

let failed = 0;
try {
  await soak("stdio, 2025-11-25", async () => ({ ...(await older(new OlderStdio(stdio))), end: () => undefined }));
  await soak("stdio, 2026-07-28", async () => ({ ...(await modern(new ModernStdio(stdio))), end: () => undefined }));
  await soak("HTTP, 2025-11-25", async () => overHttp((url) => older(new OlderHttp(url, headers))));
  await soak("HTTP, 2026-07-28", async () => overHttp((url) => modern(new ModernHttp(url, headers))));
} finally {
  rmSync(directory, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;

/** The client, and the ids that were answered more than once: it passes over a second answer in silence. */
async function connected(client, transport) {
  await client.connect(transport);
  const answered = new Set();
  const twice = [];
  const take = transport.onmessage;
  transport.onmessage = (message, extra) => {
    if (message.id !== undefined && message.method === undefined) {
      if (answered.has(message.id)) twice.push(message.id);
      answered.add(message.id);
    }
    take?.call(transport, message, extra);
  };
  return { client, pid: transport.pid, twice };
}

async function overHttp(connect) {
  const child = spawn(process.execPath, [...given, "--http", "127.0.0.1:0"], {
    env: { ...process.env, SHELPA_HTTP_TOKEN: TOKEN },
    stdio: ["ignore", "inherit", "pipe"],
  });
  const url = await new Promise((resolve) => {
    let text = "";
    child.stderr.on("data", (chunk) => {
      text += chunk;
      const found = /listening on (\S+)\n/.exec(text);
      if (found !== null) resolve(new URL(found[1]));
    });
  });
  const { client, twice } = await connect(url);
  return { client, twice, pid: child.pid, end: () => ended(child) };
}

/** Asks the server to end, and gives its exit status. */
function ended(child) {
  const exit = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  return exit;
}

async function soak(name, connect) {
  if (!name.includes(process.argv[3] ?? "")) return;
  const { client, pid, twice, end } = await connect();
  await calls(client, 20);
  const before = residentMib(pid);
  const startedMs = performance.now();
  const first = await calls(client, CALLS);
  const elapsedMs = performance.now() - startedMs;
  const between = residentMib(pid);
  const second = await calls(client, CALLS);
  const after = residentMib(pid);
  await client.close();
  const status = await end();
  const problems = [...first.problems, ...second.problems, ...twice.map((id) => `request ${id} was answered twice`)];
  if (status !== undefined && status !== 0) problems.push(`the server ended with ${status}`);
  if (after - between > MOST_GROWTH_MIB) problems.push(`resident memory grew from ${between} to ${after} MiB in the second round`);
  process.stdout.write(
    `${problems.length === 0 ? "ok    " : "FAILED"} ${name}: 2 x ${CALLS} calls, ${first.cancelled + second.cancelled} cancelled, ` +
      `${Math.round((CALLS / elapsedMs) * 1000)} calls/s, server ${before} -> ${between} -> ${after} MiB\n`,
  );
  for (const problem of problems.slice(0, 10)) process.stdout.write(`    ${problem}\n`);
  failed += problems.length;
}

/** Sends `count` calls at once. Each prints its own number, so that an answer that went astray is seen. */
async function calls(client, count) {
  const problems = [];
  let cancelled = 0;
  await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const abort = new AbortController();
      const isCancelled = index % CANCEL_EVERY === CANCEL_EVERY - 1;
      const command = isCancelled ? "sleep 20" : `grep -c ERROR app.log; echo call ${index}`;
      const params = { name: "shelpa_pipe", arguments: { command } };
      const options = { signal: abort.signal, timeout: 300_000 };
      if (isCancelled) setTimeout(() => abort.abort("enough"), 20);
      try {
        const result = await (client instanceof ModernClient
          ? client.callTool(params, options)
          : client.callTool(params, undefined, options));
        const { stdout, error } = result.structuredContent ?? {};
        if (isCancelled) problems.push(`call ${index} was answered though it was cancelled`);
        else if (stdout !== `715\ncall ${index}\n`) problems.push(`call ${index}: ${JSON.stringify(stdout ?? error)}`);
      } catch (error) {
        if (isCancelled) cancelled++;
        else problems.push(`call ${index}: ${error}`);
      }
    }),
  );
  return { problems, cancelled };
}

/** Of the server process alone, without its executors; 0 where the host does not say. */
function residentMib(pid) {
  try {
    return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024);
  } catch {
    return 0;
  }
}
