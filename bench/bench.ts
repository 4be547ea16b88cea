/**
 * npm run bench [-- GROUP…] [-- --only TEXT] [-- --write]: us against the real tool in the same run. Each row runs the
 * two in turn, ROUNDS times (a slow one fewer, and says so), and prints the median of each, the ratio, that of processor time,
 * and our peak memory. Data is made from a seed under the cache directory.
 *
 * Groups are those of rows.ts, `latency` (the time an agent waits), `server` (starts, a call after a cancelled one, load over
 * HTTP), `workspaces` (a server of 1,000 workspaces) and `growth` (how cost grows with the size of a file); all of them where none is named. `latency` needs the material of
 * tools/evidence/material.ts. --only: rows whose name has TEXT in it. --write: the page and its plots go to bench/results as
 * well. SHELPA_BENCH_ROUNDS sets ROUNDS. With SHELPA_PEERS=DIRECTORY, where `npm install just-bash @everruns/bashkit` was run,
 * those shells run every row as well: once, and where a row is measured warm, again and again in one process.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { installedTools } from "../tools/evidence/corpus.ts";
import { materialAt } from "../tools/evidence/material.ts";
import { makeDataOf } from "./data.ts";
import { connectedServer, latencyReport } from "./latency.ts";
import { measured, median, type Measured } from "./measure.ts";
import { growthPlot, ratioPlot } from "./plot.ts";
import { PEERS, type PeerName } from "./peers.ts";
import { serverReport } from "./server-report.ts";
import { workspacesReport } from "./workspaces-report.ts";
import { growthRow, resultRow, tableHead, type Grown, type PeerTime, type Result } from "./result-table.ts";
import { GROWING, ROWS, SIZES, type Row } from "./rows.ts";

const ROUNDS = Number(process.env["SHELPA_BENCH_ROUNDS"] ?? 5);
/** After so long a row has had enough rounds, from the third on. */
const ROW_MS = 12_000;
const LEAST_ROUNDS = 3;
/** Another shell is stopped after so many times our time, within these bounds: some rows take hours. */
const PEER_TIMES = 5;
const [LEAST_PEER_MS, MOST_PEER_MS] = [2000, 10_000];
/** One that took longer is not asked again: its start is a small part of that. */
const MOST_PEER_AGAIN_MS = 500;
/** Calls that load and compile, before what is measured warm. */
const WARMING_CALLS = 3;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: "string", default: "" }, write: { type: "boolean", default: false } },
});
const project = join(dirname(fileURLToPath(import.meta.url)), "..");
const cache = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "shelpa-bench");
const env = { PATH: `${installedTools(project)}:/usr/bin:/bin`, LC_ALL: "C.UTF-8", TZ: "UTC", HOME: cache };
const place = { cwd: cache, env };
const wants = (group: string): boolean => positionals.length === 0 || positionals.includes(group);
/** Looked for before anything is measured. */
const agentCommands = wants("latency") ? materialAt(project, "agent-commands") : undefined;
const rows = ROWS.filter(({ group, name }) => wants(group) && name.includes(values.only));
const growing = wants("growth") ? GROWING.filter(({ name }) => name.includes(values.only)) : [];
const peers = process.env["SHELPA_PEERS"];

const OURS = [process.execPath, join(project, "dist/shelpa.js"), "-c"];
const REAL = ["bash", "-c"];
/** Large rows need more than the half of the memory that V8 takes for its heap by itself. */
const peerCommand = (name: PeerName): readonly string[] => [
  ...[process.execPath, "--max-old-space-size=8192", join(project, "dist/dev-peer.js"), name, peers ?? ""],
];

makeDataOf([...rows.map(({ line }) => line), ...growing.flatMap(({ lineOf }) => SIZES.map(({ log }) => lineOf(log)))], cache);
const page: string[] = [];
const say = (...lines: readonly string[]): void => {
  page.push(...lines);
  console.log(lines.join("\n"));
};
const date = new Date().toISOString().slice(0, 10);
say(`# Against the real tools, in the same run: ${date}`, "");
say(`${cpus().length} × ${cpus()[0]?.model ?? "?"}, Node ${process.versions.node}. Medians of ${ROUNDS} rounds.`, "");
if (agentCommands !== undefined) say(...(await latencyReport({ material: dirname(agentCommands), project, env })), "");
if (wants("server")) say(...(await serverReport(project)), "");
if (wants("workspaces")) say(...(await workspacesReport(project)), "");
const startUpMs = rows.length > 0 ? startOf(OURS) : 0;
const peerStarts = new Map(
  peers === undefined || rows.length === 0 ? [] : PEERS.map((name) => [name, startOf(peerCommand(name))] as const),
);
if (rows.length > 0) {
  say(`Our columns leave out the start of Node (${startUpMs.toFixed(0)} ms, taken anew in every round), which a warm server has behind`);
  say("it; `warm` is the whole of a call to such a server, and is what the plot shows where it was measured. Where it was, the other");
  say("shells were asked again and again in one process as well, and `to ours` compares that with ours.");
  for (const [name, startMs] of peerStarts) say(`The start of ${name} (${startMs.toFixed(0)} ms) is left out as well.`);
  say("", ...tableHead([...peerStarts.keys()]));
}
const results: Result[] = [];
for (const row of rows) {
  const result = await compared(row);
  results.push(result);
  say(resultRow(result));
}
const grown: Grown[] = [];
if (growing.length > 0) {
  say("", "How cost grows with the size of the file, in milliseconds, ours and the real tool's:", "");
  const sizes = SIZES.map(({ megabytes }) => `${megabytes} MB`);
  say(`| workload | ${sizes.join(" | ")} |`, `|---|${"---|".repeat(sizes.length)}`);
}
for (const { name, lineOf } of growing) {
  const row = { name, sizes: SIZES.map(({ megabytes, log }) => ({ megabytes, ...inTurn(lineOf(log)) })) };
  grown.push(row);
  say(growthRow(row));
}
if (values.write) write();

/** The page and what it shows. */
function write(): void {
  const directory = join(project, "bench/results");
  mkdirSync(directory, { recursive: true });
  const plots: string[] = [];
  const plot = (name: string, svg: string): void => {
    writeFileSync(join(directory, `${date}-${name}.svg`), svg);
    plots.push("", `![${name}](${date}-${name}.svg)`);
  };
  if (results.length > 0) plot("ratio", ratioPlot(results));
  if (grown.length > 0) plot("growth", growthPlot(grown));
  writeFileSync(join(directory, `${date}.md`), `${[...page, ...plots].join("\n")}\n`);
}

async function compared({ name, line, realLine, atMost, warm }: Row): Promise<Result> {
  const { stdout, ...figures } = inTurn(line, realLine);
  const oursMs = warm === true ? await warmMs(line) : undefined;
  return {
    name,
    ...figures,
    atMost,
    warmMs: oursMs,
    peers: new Map(
      [...peerStarts].map(([peer, startMs]) => [peer, besides(peer, { startMs, line, expected: stdout, oursMs: figures.ours, warm })]),
    ),
  };
}

interface InTurn {
  readonly rounds: number;
  readonly ours: number;
  readonly real: number;
  readonly cpuRatio: number;
  readonly peakMib: number;
  readonly differs: boolean;
  /** The real tool's. */
  readonly stdout: string;
}

function inTurn(line: string, realLine = line): InTurn {
  const own: Measured[] = [];
  const starts: Measured[] = [];
  const other: Measured[] = [];
  const startedMs = performance.now();
  for (let round = 0; round < ROUNDS; round++) {
    if (round >= LEAST_ROUNDS && performance.now() - startedMs > ROW_MS) break;
    starts.push(measured([...OURS, "true"], place));
    own.push(measured([...OURS, line], place));
    other.push(measured([...REAL, realLine], place));
  }
  const ours = (figure: "wallMs" | "cpuMs"): number =>
    Math.max(0.1, median(own.map((run) => run[figure])) - median(starts.map((run) => run[figure])));
  return {
    rounds: own.length,
    ours: ours("wallMs"),
    real: median(other.map(({ wallMs }) => wallMs)),
    cpuRatio: ours("cpuMs") / median(other.map(({ cpuMs }) => cpuMs)),
    peakMib: Math.max(...own.map(({ peakMib }) => peakMib)),
    differs: realLine === line && own.some(({ stdout }, round) => stdout !== other[round]?.stdout),
    stdout: other[0]?.stdout ?? "",
  };
}

/** Another shell's time, or the reason why it has none. `oursMs`: ours, cold. */
function besides(
  peer: PeerName,
  {
    startMs,
    line,
    expected,
    oursMs,
    warm,
  }: { startMs: number; line: string; expected: string; oursMs: number; warm?: boolean | undefined },
): PeerTime {
  const mostMs = Math.min(MOST_PEER_MS, Math.max(LEAST_PEER_MS, PEER_TIMES * oursMs)) + startMs;
  const ran = measured([...peerCommand(peer), line], place, mostMs);
  if (ran.isOver) return `over ${Math.round(mostMs)} ms`;
  if (ran.stdout === "" && expected !== "") return `fails: ${ran.complaint.slice(0, 60).replaceAll("|", "/")}`;
  const once = { ms: Math.max(0.1, ran.wallMs - startMs), differs: ran.stdout !== expected };
  if (warm !== true || once.ms > MOST_PEER_AGAIN_MS) return once;
  const calls = WARMING_CALLS + ROUNDS;
  const again = measured([...peerCommand(peer), line, String(calls)], place, calls * mostMs);
  const ms = again.said
    .split("\n")
    .flatMap((text) => /^took (\S+)$/.exec(text)?.[1] ?? [])
    .map(Number);
  return ms.length < calls ? once : { ...once, ms: median(ms.slice(WARMING_CALLS)) };
}

/** Milliseconds. */
function startOf(command: readonly string[]): number {
  return median(Array.from({ length: ROUNDS }, () => measured([...command, "true"], place).wallMs));
}

/** Wall time of a call to a server that has been asked the same before. */
async function warmMs(line: string): Promise<number> {
  const client = await connectedServer(project, cache);
  const ms: number[] = [];
  for (let call = 0; call < ROUNDS + WARMING_CALLS; call++) {
    const start = performance.now();
    await client.callTool({ name: "shelpa_pipe", arguments: { command: line } });
    if (call >= WARMING_CALLS) ms.push(performance.now() - start);
  }
  await client.close();
  return median(ms);
}
