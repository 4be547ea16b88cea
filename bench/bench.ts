/**
 * npm run bench [-- GROUP…] [-- --cpu] [-- --only TEXT]: us against the real tool in the same run. Each row runs the two
 * in turn, ROUNDS times, and prints the median of each, the ratio, and our peak memory. Data is made from a seed under
 * the cache directory. SHELPA_BENCH_ROUNDS sets ROUNDS. With --cpu the figures are of processor time, on a machine that others use too. With
 * SHELPA_JUST_BASH=DIRECTORY, where `npm install just-bash` was run, that shell runs every row once as well.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { cpus, homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { makeRepository } from "./git-repository.ts";
import { makeEntries, makeFiles, makeJsonLines, makeLine, makeLog, makePair } from "./data.ts";
import { ROWS, type Row } from "./rows.ts";

const ROUNDS = Number(process.env["SHELPA_BENCH_ROUNDS"] ?? 5);
const LATENCY_CALLS = 200;
const LOG_BYTES = 300_000_000;
/** just-bash is stopped after this: some rows take it hours. */
const JUST_BASH_MS = 60_000;

const project = join(dirname(fileURLToPath(import.meta.url)), "..");
const cache = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "shelpa-bench");
const tools = execFileSync("bash", [join(project, "../shared/oracle/install.sh")], {
  encoding: "utf8",
  stdio: ["ignore", "pipe", "inherit"],
}).trim();
const env = { PATH: `${tools}:/usr/bin:/bin`, LC_ALL: "C.UTF-8", TZ: "UTC", HOME: cache };

const arguments_ = process.argv.slice(2);
const byCpu = arguments_.includes("--cpu");
const only = arguments_.includes("--only") ? arguments_[arguments_.indexOf("--only") + 1] : undefined;
const wanted = new Set(arguments_.filter((word) => !word.startsWith("--") && word !== only));
const wants = (group: string): boolean => wanted.size === 0 || wanted.has(group);
const justBash = process.env["SHELPA_JUST_BASH"];

const OURS = [process.execPath, join(project, "dist/shelpa.js"), "-c"];
const REAL = ["bash", "-c"];
/** Large rows need more than the half of the memory that V8 takes for its heap by itself. */
const JUST_BASH = [process.execPath, "--max-old-space-size=8192", join(project, "dist/just-bash.js"), justBash ?? ""];

/** Prints what the command prints, and on standard error: wall ms, processor ms, peak KiB, 1 where its time was over. */
const METER = `
import resource, subprocess, sys, time
start = time.perf_counter()
over = 0
try:
    run = subprocess.run(sys.argv[2:], stdout=subprocess.PIPE, timeout=float(sys.argv[1]))
    sys.stdout.buffer.write(run.stdout)
except subprocess.TimeoutExpired:
    over = 1
wall = time.perf_counter() - start
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print("", wall * 1000, (used.ru_utime + used.ru_stime) * 1000, used.ru_maxrss, over, file=sys.stderr)
`;

mkdirSync(cache, { recursive: true });
if (wants("stream") || wants("search") || wants("sort") || wants("bounds")) makeLog(join(cache, "log"), LOG_BYTES);
if (wants("json")) makeJsonLines(join(cache, "lines.json"), 50_000_000);
if (wants("git")) makeRepository(join(cache, "repository"));
if (wants("text")) {
  makeLog(join(cache, "log-100"), 100_000_000);
  makeLog(join(cache, "log-50"), 50_000_000);
  makePair(join(cache, "old"), join(cache, "new"), 400_000);
}
if (wants("bounds") || wants("sort")) makeLog(join(cache, "two-gigabytes"), 2_000_000_000);
if (wants("bounds")) makeLine(join(cache, "one-line"), 1_000_000_000);
if (wants("tree")) {
  makeFiles(join(cache, "files"), 20_000);
  makeEntries(join(cache, "entries"), 50_000);
}
console.log(`# ${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0]?.model ?? "?"}, Node ${process.versions.node}\n`);
if (wants("latency")) await latency();
const columns = [
  "workload",
  "ours ms",
  "real ms",
  "ratio",
  "at most",
  "our peak MiB",
  "warm ms",
  ...(justBash ? ["just-bash ms", "to ours"] : []),
];
console.log(`\n| ${columns.join(" | ")} |\n|${"---|".repeat(columns.length)}`);
const startUp = medianMs(OURS);
const justBashStartUp = justBash === undefined ? 0 : medianMs(JUST_BASH);
for (const row of ROWS) if (wants(row.group) && (only === undefined || row.name.includes(only))) await compare(row);
const what = byCpu ? "Milliseconds of processor time. " : "";
console.log(`\n${what}Our column leaves out the start of Node (${startUp.toFixed(0)} ms), which a warm server has behind it;`);
console.log(`\`warm\` is wall time of the whole call to such a server.`);
if (justBash) console.log(`The start of just-bash (${justBashStartUp.toFixed(0)} ms) is left out as well.`);

async function compare(row: Row): Promise<void> {
  const ours: number[] = [];
  const real: number[] = [];
  let peakMib = 0;
  let stdout = "";
  let differs = false;
  for (let round = 0; round < ROUNDS; round++) {
    const own = measured(OURS, row.line);
    const other = measured(REAL, row.line);
    differs ||= own.stdout !== other.stdout;
    stdout = other.stdout;
    ours.push(Math.max(0.1, own.ms - startUp));
    real.push(other.ms);
    peakMib = Math.max(peakMib, own.peakMib);
  }
  const ratio = median(ours) / median(real);
  const name = row.name.replaceAll("|", "\\|");
  const cells = [
    differs ? `${name} (other output than the real tool)` : name,
    median(ours).toFixed(1),
    median(real).toFixed(1),
    ratio.toFixed(2),
    row.atMost ?? "",
    peakMib.toFixed(0),
    row.warm === true ? (await warmMs(row.line)).toFixed(1) : "",
    ...(justBash ? justBashCells(row.line, stdout, median(ours)) : []),
  ];
  console.log(`| ${cells.join(" | ")} |`);
}

/** Its time and how many times ours that is; or why there is none. */
function justBashCells(line: string, expected: string, ourMs: number): readonly string[] {
  const ran = measured(JUST_BASH, line, JUST_BASH_MS);
  if (ran.isOver) return [`over ${JUST_BASH_MS}`, ""];
  if (ran.stdout === "" && ran.complaint !== "") return [`fails: ${ran.complaint.slice(0, 60).replaceAll("|", "/")}`, ""];
  const ms = Math.max(0.1, ran.ms - justBashStartUp);
  return [`${ms.toFixed(1)}${ran.stdout === expected ? "" : " (other output)"}`, (ms / ourMs).toFixed(1)];
}

function medianMs(command: readonly string[]): number {
  return median(Array.from({ length: ROUNDS }, () => measured(command, "true").ms));
}

interface Measured {
  /** Wall or processor milliseconds. */
  readonly ms: number;
  readonly peakMib: number;
  readonly stdout: string;
  /** The first line on standard error. */
  readonly complaint: string;
  /** It was stopped because its time was over. */
  readonly isOver: boolean;
}

function measured(command: readonly string[], line: string, timeoutMs = 1_000_000): Measured {
  const argv = ["-c", METER, String(timeoutMs / 1000), ...command, line];
  const ran = spawnSync("python3", argv, { cwd: cache, env, maxBuffer: 1 << 30, stdio: ["ignore", "pipe", "pipe"] });
  const said = ran.stderr.toString().trimEnd().split("\n");
  const [wallMs = 0, cpuMs = 0, kib = 0, over = 0] = said.at(-1)?.trim().split(" ").map(Number) ?? [];
  const complaint = said.length > 1 ? (said[0] ?? "") : "";
  return { ms: byCpu ? cpuMs : wallMs, peakMib: kib / 1024, stdout: ran.stdout.toString("latin1"), complaint, isOver: over === 1 };
}

/** Wall time of a call to a server that has been asked the same before. */
async function warmMs(line: string): Promise<number> {
  const client = await server(cache);
  const ms: number[] = [];
  for (let call = 0; call < ROUNDS + 3; call++) {
    const start = performance.now();
    await client.callTool({ name: "shelpa_pipe", arguments: { command: line } });
    if (call >= 3) ms.push(performance.now() - start);
  }
  await client.close();
  return median(ms);
}

async function server(root: string): Promise<Client> {
  const client = new Client({ name: "bench", version: "1" });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [join(project, "dist/shelpa-mcp.js"), "--root", root] }),
  );
  return client;
}

/** A warm call through MCP beside a spawned bash, in turn. */
async function latency(): Promise<void> {
  const line = "ls src | grep x";
  const client = await server(project);
  const ours: number[] = [];
  const real: number[] = [];
  for (let call = 0; call < LATENCY_CALLS + 20; call++) {
    const ownStart = performance.now();
    await client.callTool({ name: "shelpa_pipe", arguments: { command: line } });
    const ownMs = performance.now() - ownStart;
    const realStart = performance.now();
    await new Promise((ended) => spawn("bash", ["-c", line], { cwd: project, env, stdio: ["ignore", "pipe", "pipe"] }).on("close", ended));
    const realMs = performance.now() - realStart;
    if (call < 20) continue;
    ours.push(ownMs);
    real.push(realMs);
  }
  await client.close();
  console.log(
    `warm shelpa_pipe \`${line}\`, ${LATENCY_CALLS} calls: median ${median(ours).toFixed(2)} ms; bash -c: median ${median(real).toFixed(2)} ms`,
  );
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}
