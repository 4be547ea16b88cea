/**
 * Times of the server as a whole: starts beside Node's own, a call after one that was cancelled, and load over HTTP from 1, 8 and 50
 * connections, with the memory of its processes.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { connectedServer } from "./latency.ts";
import { measured, median } from "./measure.ts";

const START_ROUNDS = 15;
const CANCEL_ROUNDS = 9;
/** Connections at once, and calls in all from them. */
const LOADS = [
  { connections: 1, calls: 1000 },
  { connections: 8, calls: 12_000 },
  { connections: 50, calls: 2000 },
] as const;
const CALL = "ls src | rg x";
const TOKEN = "a-token-for-the-benchmark-alone";

/** Lines of Markdown. */
export async function serverReport(project: string): Promise<readonly string[]> {
  return [...startReport(project), "", ...(await cancelReport(project)), "", ...(await loadReport(project))];
}

/** Each in turn with Node's own start, so that both meet the same machine. */
function startReport(project: string): readonly string[] {
  const dist = (name: string): string => join(project, `dist/${name}.js`);
  const client = { clientInfo: { name: "bench", version: "1" }, capabilities: {}, protocolVersion: "2025-11-25" };
  const first = [
    { jsonrpc: "2.0", id: 1, method: "initialize", params: client },
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "shelpa_pipe", arguments: { command: CALL } } },
  ];
  const attempted = { hook_event_name: "PreToolUse", cwd: project, tool_name: "Bash", tool_input: { command: CALL } };
  const programs: readonly { readonly name: string; readonly command: readonly string[]; readonly input?: string }[] = [
    { name: "`shelpa -c true`", command: [dist("shelpa"), "-c", "true"] },
    { name: `\`shelpa -c '${CALL.replace("|", "\\|")}'\``, command: [dist("shelpa"), "-c", CALL] },
    { name: "`shelpa-mcp hook`", command: [dist("shelpa-mcp"), "hook", "--root", project], input: JSON.stringify(attempted) },
    {
      name: "`shelpa-mcp`, to the first answer and its end",
      command: [dist("shelpa-mcp"), "--root", project],
      input: first.map((message) => `${JSON.stringify(message)}\n`).join(""),
    },
  ];
  const rows = programs.map(({ name, command, input = "" }) => {
    const ours: number[] = [];
    const node: number[] = [];
    for (let round = 0; round < START_ROUNDS; round++) {
      node.push(measured([process.execPath, "-e", "0"], { cwd: project }).wallMs);
      ours.push(measured([process.execPath, ...command], { cwd: project, input }).wallMs);
    }
    return `| ${name} | ${median(ours).toFixed(0)} | ${median(node).toFixed(0)} | ${(median(ours) - median(node)).toFixed(0)} |`;
  });
  return ["| start | median ms | `node -e 0`, ms | above it |", "|---|---|---|---|", ...rows];
}

async function cancelReport(project: string): Promise<readonly string[]> {
  const client = await connectedServer(project, project);
  const call = async (command: string, signal?: AbortSignal): Promise<number> => {
    const startMs = performance.now();
    await client.callTool({ name: "shelpa_pipe", arguments: { command } }, { ...(signal === undefined ? {} : { signal }) });
    return performance.now() - startMs;
  };
  await call(CALL);
  const after: number[] = [];
  for (let round = 0; round < CANCEL_ROUNDS; round++) {
    const abort = new AbortController();
    const cancelled = call("yes > /dev/null", abort.signal).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 300));
    abort.abort();
    await cancelled;
    after.push(await call(CALL));
  }
  await client.close();
  return [
    `The first call after one that was cancelled (\`${CALL}\` after \`yes > /dev/null\`, ${CANCEL_ROUNDS} times): median ${median(after).toFixed(0)} ms, at most ${Math.max(...after).toFixed(0)}.`,
  ];
}

async function loadReport(project: string): Promise<readonly string[]> {
  const server = spawn(process.execPath, [join(project, "dist/shelpa-mcp.js"), "--root", project, "--http", "127.0.0.1:0"], {
    env: { ...process.env, SHELPA_HTTP_TOKEN: TOKEN },
    stdio: ["ignore", "ignore", "pipe"],
  });
  try {
    const url = await addressOf(server);
    const lines: string[] = [];
    let calls = 0;
    for (const load of LOADS) {
      lines.push(await loaded(url, load, server));
      calls += load.calls;
    }
    return [
      `Calls of \`${CALL}\` over HTTP, each connection with one at a time; after ${calls.toLocaleString("en")} the server is the one that began.`,
      "",
      "| connections | calls | calls a second | median ms | 99th percentile, ms | server MiB | its executors, MiB |",
      "|---|---|---|---|---|---|---|",
      ...lines,
    ];
  } finally {
    server.kill("SIGTERM");
  }
}

async function loaded(url: URL, { connections, calls }: (typeof LOADS)[number], server: ChildProcess): Promise<string> {
  const clients = await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new Client({ name: "bench", version: "1" });
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: { Authorization: `Bearer ${TOKEN}` } } }));
      return client;
    }),
  );
  const tookMs: number[] = [];
  const startMs = performance.now();
  let left = calls;
  await Promise.all(
    clients.map(async (client) => {
      while (left-- > 0) {
        const callMs = performance.now();
        const { isError } = await client.callTool({ name: "shelpa_pipe", arguments: { command: CALL } }, { timeout: 120_000 });
        if (isError === true) throw new Error("a call of the load was refused");
        tookMs.push(performance.now() - callMs);
      }
    }),
  );
  const seconds = (performance.now() - startMs) / 1000;
  const [own, executors] = residentMib(server.pid ?? 0);
  for (const client of clients) await client.close();
  const sorted = tookMs.toSorted((a, b) => a - b);
  const percentile99 = sorted[Math.floor(0.99 * (sorted.length - 1))] ?? NaN;
  const figures = [(calls / seconds).toFixed(0), median(tookMs).toFixed(1), percentile99.toFixed(0), own.toFixed(0), executors.toFixed(0)];
  return `| ${connections} | ${calls} | ${figures.join(" | ")} |`;
}

export function addressOf(server: ChildProcess): Promise<URL> {
  return new Promise((resolve, reject) => {
    let text = "";
    server.once("exit", () => reject(new Error(`the server ended: ${text}`)));
    server.stderr?.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      const [, url] = /listening on (\S+)\n/.exec(text) ?? [];
      if (url !== undefined) resolve(new URL(url));
    });
  });
}

/** Resident memory of the process, and of those that it started, in MiB. */
export function residentMib(pid: number): readonly [own: number, started: number] {
  const of = (id: string): number => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/status`, "utf8"))?.[1] ?? 0) / 1024;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  return [of(String(pid)), children === "" ? 0 : children.split(" ").reduce((sum, id) => sum + of(id), 0)];
}
