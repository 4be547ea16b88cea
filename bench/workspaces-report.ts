/**
 * Figures of a server of 1,000 workspaces: its memory, 200 sessions over 100 of them, and what a workspace feels while another makes 500
 * calls at once, which a process of its own makes (flood.ts). All of it is on the same processors.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { median } from "./measure.ts";
import { addressOf, residentMib } from "./server-report.ts";

const WORKSPACES = 1000;
const SESSIONS = 200;
const BUSY_WORKSPACES = 100;
const CALLS_OF_A_SESSION = 5;
const FLOOD = 500;
const PROBES = 200;
/** Time until all calls of the flood are in flight, in milliseconds. */
const FLOOD_RISES_MS = 1500;
const CALL = "grep -c x a.txt";
const TOKEN = "a-token-for-the-benchmark-alone";
/** So that what is idle is closed while this runs. */
const IDLE_SECONDS = 5;

/** Lines of Markdown. */
export async function workspacesReport(project: string): Promise<readonly string[]> {
  const place = mkdtempSync(join(tmpdir(), "shelpa-bench-"));
  const names = Array.from({ length: WORKSPACES }, (_, number) => `w${number}`);
  for (const name of names) {
    mkdirSync(join(place, "all", name), { recursive: true });
    writeFileSync(join(place, "all", name, "a.txt"), `x of ${name}\n`.repeat(100));
  }
  writeFileSync(join(place, "server.toml"), `directory = "all"\n[limits]\nworkspace_idle_seconds = ${IDLE_SECONDS}\n`);
  const server = spawn(
    process.execPath,
    [join(project, "dist/shelpa-mcp.js"), "--workspaces", join(place, "server.toml"), "--http", "127.0.0.1:0"],
    { env: { ...process.env, SHELPA_HTTP_TOKEN: TOKEN }, stdio: ["ignore", "ignore", "pipe"] },
  );
  server.stderr?.resume();
  try {
    const { origin } = await addressOf(server);
    return [
      "| server of 1,000 workspaces | |",
      "|---|---|",
      ...(await memoryRows(origin, names, server)),
      ...(await sessionRows(origin, names, server)),
      ...(await floodRows(project, origin, names)),
    ];
  } finally {
    server.kill("SIGTERM");
    rmSync(place, { recursive: true, force: true });
  }
}

async function memoryRows(origin: string, names: readonly string[], server: ChildProcess): Promise<readonly string[]> {
  const own = (): string => residentMib(server.pid ?? 0)[0].toFixed(0);
  const [first = ""] = names;
  await post(origin, first, message("tools/list", {}));
  const atStart = own();
  for (const name of names) await post(origin, name, message("tools/list", {}));
  const allOpen = own();
  // Longer than the time after which what is idle is closed, and the interval at which that is looked for.
  await new Promise((resolve) => setTimeout(resolve, (IDLE_SECONDS + 35) * 1000));
  return [
    `| memory with one open | ${atStart} MiB |`,
    `| with all ${names.length} open, without executors | ${allOpen} MiB |`,
    `| with all closed again for being idle | ${own()} MiB |`,
  ];
}

async function sessionRows(origin: string, names: readonly string[], server: ChildProcess): Promise<readonly string[]> {
  const clientInfo = { name: "bench", version: "1" };
  const opening = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const tookMs: number[] = [];
  let errors = 0;
  const startMs = performance.now();
  await Promise.all(
    Array.from({ length: SESSIONS }, async (_, number) => {
      const name = names[number % BUSY_WORKSPACES] ?? "";
      const { session } = await post(origin, name, message("initialize", opening));
      for (let call = 0; call < CALLS_OF_A_SESSION; call++) {
        const { status, text, ms } = await post(origin, name, message("tools/call", toolCall(CALL)), { "mcp-session-id": session });
        tookMs.push(ms);
        if (status !== 200 || !text.includes('"text":"100')) errors++;
      }
    }),
  );
  const seconds = (performance.now() - startMs) / 1000;
  const sorted = tookMs.toSorted((a, b) => a - b);
  const [own, executors] = residentMib(server.pid ?? 0);
  return [
    `| ${SESSIONS} sessions at once over ${BUSY_WORKSPACES} workspaces, ${CALLS_OF_A_SESSION} calls each: seconds in all | ${seconds.toFixed(1)} s |`,
    `| median, 99th percentile, most | ${[0.5, 0.99, 1].map((part) => `${at(sorted, part).toFixed(0)} ms`).join(", ")} |`,
    `| errors | ${errors} of ${tookMs.length} |`,
    `| memory then, with its executors | ${own.toFixed(0)} + ${executors.toFixed(0)} MiB |`,
  ];
}

async function floodRows(project: string, origin: string, names: readonly string[]): Promise<readonly string[]> {
  const [flooding = "", other = ""] = names;
  const probe = async (): Promise<number> => {
    const times: number[] = [];
    for (let round = 0; round < PROBES; round++) times.push((await post(origin, other, message("tools/call", toolCall(CALL)))).ms);
    return median(times);
  };
  await probe();
  const quiet = await probe();
  const flood = spawn(process.execPath, [join(project, "dist/dev-flood.js"), `${origin}/w/${flooding}/mcp`, String(FLOOD), CALL], {
    env: { ...process.env, SHELPA_HTTP_TOKEN: TOKEN },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const answers = text(flood.stdout);
  await new Promise((resolve) => setTimeout(resolve, FLOOD_RISES_MS));
  const flooded = await probe();
  flood.kill("SIGTERM");
  const answered = await answers;
  const ratio = (flooded / quiet).toFixed(2);
  return [
    `| a call alone, median | ${quiet.toFixed(1)} ms |`,
    `| while another workspace makes ${FLOOD} calls at once, again and again (${answered} answered) | ${flooded.toFixed(1)} ms, ${ratio} times |`,
  ];
}

const at = (sorted: readonly number[], part: number): number => sorted[Math.floor(part * (sorted.length - 1))] ?? NaN;
const message = (method: string, params: object): object => ({ jsonrpc: "2.0", id: 1, method, params });
const toolCall = (command: string): object => ({ name: "shelpa_pipe", arguments: { command } });

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly session: string;
  readonly ms: number;
}

async function post(origin: string, name: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const startMs = performance.now();
  const answer = await fetch(`${origin}/w/${name}/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${TOKEN}`,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      ...headers,
    },
    body: JSON.stringify(body),
  });
  return {
    status: answer.status,
    text: await answer.text(),
    session: answer.headers.get("mcp-session-id") ?? "",
    ms: performance.now() - startMs,
  };
}
