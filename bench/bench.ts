/**
 * npm run bench [-- GROUP…]: us against the real tool in the same run. Each row runs the two in turn, ROUNDS times, and
 * prints the median of each, the ratio, and our peak memory. Data is made from a seed under the cache directory.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, statSync, writeSync } from "node:fs";
import { cpus, homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

interface Row {
  readonly group: "stream" | "search" | "sort" | "json" | "text" | "bounds";
  readonly name: string;
  /** Runs in the data directory, through `shelpa -c` and through bash with the real tools. */
  readonly line: string;
  /** The most the ratio may be, from DESIGN §10; undefined: no target. */
  readonly atMost?: number;
}

const ROWS: readonly Row[] = [
  { group: "stream", name: "wc -l, 300 MB", line: "wc -l log", atMost: 3 },
  { group: "stream", name: "head -1, 300 MB", line: "head -n 1 log" },
  { group: "stream", name: "cat | head -1, 300 MB", line: "cat log | head -n 1" },
  { group: "stream", name: "tail -n 100, 300 MB", line: "tail -n 100 log | wc -l" },
  { group: "stream", name: "cat | wc -c, 300 MB", line: "cat log | wc -c" },
  { group: "stream", name: "tr a-z A-Z | tail -1, 300 MB", line: "cat log | tr a-z A-Z | tail -n 1" },
  { group: "stream", name: "cut -d' ' -f3 | sort -u, 300 MB", line: "cut -d' ' -f2 log | sort -u", atMost: 3 },
  { group: "search", name: "grep literal, 300 MB", line: "grep -c ERROR log", atMost: 3 },
  { group: "search", name: "grep -i literal, 300 MB", line: "grep -ci error log", atMost: 4 },
  { group: "search", name: "grep -E regex, 300 MB", line: "grep -cE '[A-Z][a-z]+Error: [0-9]+' log", atMost: 4 },
  { group: "search", name: "grep -v, 300 MB", line: "grep -vc INFO log", atMost: 4 },
  { group: "search", name: "rg literal, 300 MB", line: "rg -c ERROR log", atMost: 3 },
  { group: "search", name: "rg regex, 300 MB", line: "rg -c '[A-Z][a-z]+Error: [0-9]+' log", atMost: 4 },
  { group: "search", name: "rg -i literal, 300 MB", line: "rg -ci error log", atMost: 4 },
  { group: "search", name: "cat | rg literal, 300 MB", line: "cat log | rg -c ERROR", atMost: 3 },
  { group: "sort", name: "sort -u, 50 MB", line: "head -c 50000000 log | sort -u | tail -n 1", atMost: 3 },
  { group: "sort", name: "sort -u, 300 MB", line: "sort -u log | tail -n 1", atMost: 3 },
  { group: "sort", name: "sort, 1 GB, by what the lines say", line: "head -c 1000000000 two-gigabytes | sort -k 2 | tail -n 1", atMost: 3 },
  { group: "json", name: "jq .x, 50 MB of lines", line: "jq .x lines.json", atMost: 1.5 },
  { group: "json", name: "jq -c ., 50 MB of lines", line: "jq -c . lines.json", atMost: 1.5 },
  { group: "json", name: "cat | jq select, 50 MB of lines", line: "cat lines.json | jq -c 'select(.level == \"error\")'", atMost: 1.5 },
  { group: "json", name: "jq . | head -1", line: "jq . lines.json | head -n 1" },
  { group: "json", name: "jq on nothing", line: "jq -n 1" },
  { group: "text", name: "awk sum of a field, 300 MB", line: "awk '{ s += length($3) + $1 } END { print s }' log", atMost: 2.5 },
  { group: "text", name: "awk two fields, 300 MB", line: "awk '{ print $1, $3 }' log", atMost: 2.5 },
  { group: "text", name: "awk a literal, 300 MB", line: "awk '/ERROR/ { n++ } END { print n }' log", atMost: 2.5 },
  { group: "text", name: "awk a count per key, 300 MB", line: "awk '{ a[$2]++ } END { for (k in a) print k, a[k] }' log", atMost: 2.5 },
  { group: "text", name: "awk -F, 300 MB", line: "awk -F: '{ n += NF } END { print n }' log", atMost: 2.5 },
  { group: "text", name: "awk gsub, 300 MB", line: "awk '{ gsub(/e+/, \"E\") } END { print }' log", atMost: 2.5 },
  { group: "bounds", name: "yes x | head -5", line: "yes x | head -n 5" },
  { group: "bounds", name: "cat 2 GB | head -1", line: "cat two-gigabytes | head -n 1 | wc -c" },
  { group: "bounds", name: "head -1, 2 GB", line: "head -n 1 two-gigabytes | wc -c" },
  { group: "bounds", name: "tail -n 100, 2 GB", line: "tail -n 100 two-gigabytes | wc -c" },
  { group: "bounds", name: "head -c 10 of a 1 GB line", line: "head -c 10 one-line" },
  { group: "bounds", name: "cat a 1 GB line | head -c 10", line: "cat one-line | head -c 10" },
  { group: "bounds", name: "cat a 1 GB line | wc -c", line: "cat one-line | wc -c" },
  { group: "bounds", name: "cut -c 1-5 of a 1 GB line", line: "cut -c 1-5 one-line" },
];

const ROUNDS = 5;
const LATENCY_CALLS = 200;
const LOG_BYTES = 300_000_000;

const project = join(dirname(fileURLToPath(import.meta.url)), "..");
const cache = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "shelpa-bench");
const shelpa = join(project, "dist/shelpa.js");
const tools = execFileSync("bash", [join(project, "../shared/oracle/install.sh")], {
  encoding: "utf8",
  stdio: ["ignore", "pipe", "inherit"],
}).trim();
const env = { PATH: `${tools}:/usr/bin:/bin`, LC_ALL: "C.UTF-8", TZ: "UTC", HOME: cache };

const wanted = new Set(process.argv.slice(2));
makeLog(join(cache, "log"), LOG_BYTES);
makeJsonLines(join(cache, "lines.json"), 50_000_000);
if (wanted.size === 0 || wanted.has("bounds") || wanted.has("sort")) {
  makeLog(join(cache, "two-gigabytes"), 2_000_000_000);
  makeLine(join(cache, "one-line"), 1_000_000_000);
}
console.log(`# ${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0]?.model ?? "?"}, Node ${process.versions.node}\n`);
if (wanted.size === 0 || wanted.has("latency")) await latency();
console.log("\n| workload | ours ms | real ms | ratio | at most | our peak MiB |\n|---|---|---|---|---|---|");
const startUp = median(Array.from({ length: ROUNDS }, () => measured("true", true).ms));
for (const row of ROWS) if (wanted.size === 0 || wanted.has(row.group)) compare(row);
console.log(`\nOur column leaves out the start of Node (${startUp.toFixed(0)} ms), which a warm server has behind it.`);

function compare(row: Row): void {
  const ours: number[] = [];
  const real: number[] = [];
  let peakMib = 0;
  let differs = false;
  for (let round = 0; round < ROUNDS; round++) {
    const own = measured(row.line, true);
    const other = measured(row.line, false);
    differs ||= own.stdout !== other.stdout;
    ours.push(Math.max(0.1, own.ms - startUp));
    real.push(other.ms);
    peakMib = Math.max(peakMib, own.peakMib);
  }
  const ratio = median(ours) / median(real);
  const cells = [
    differs ? `${row.name} (other output than the real tool)` : row.name,
    median(ours).toFixed(1),
    median(real).toFixed(1),
    ratio.toFixed(2),
    row.atMost ?? "",
    peakMib.toFixed(0),
  ];
  console.log(`| ${cells.join(" | ")} |`);
}

/** Wall milliseconds and peak resident memory (from /usr/bin/time's %M) of one run of `line`. */
function measured(line: string, ours: boolean): { ms: number; peakMib: number; stdout: string } {
  const argv = ours ? [process.execPath, shelpa, "-c", line] : ["bash", "-c", line];
  const script =
    "import resource,subprocess,sys,time\nt=time.perf_counter()\nr=subprocess.run(sys.argv[1:],stdout=subprocess.PIPE)\nd=time.perf_counter()-t\nsys.stdout.buffer.write(r.stdout)\nprint(d*1000,resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss,file=sys.stderr)";
  const ran = spawnSync("python3", ["-c", script, ...argv], { cwd: cache, env, maxBuffer: 1 << 28 });
  const [ms = 0, kib = 0] = ran.stderr.toString().trim().split("\n").at(-1)?.split(" ").map(Number) ?? [];
  return { ms, peakMib: kib / 1024, stdout: ran.stdout.toString("latin1") };
}

/** A warm call through MCP beside a spawned bash, in turn. */
async function latency(): Promise<void> {
  const line = "ls src | grep x";
  const client = new Client({ name: "bench", version: "1" });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [join(project, "dist/shelpa-mcp.js"), "--root", project] }),
  );
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

/** One object a line. */
function makeJsonLines(path: string, bytes: number): void {
  if (existsSync(path) && statSync(path).size >= bytes) return;
  const file = openSync(path, "w");
  let written = 0;
  for (let number = 0; written < bytes; ) {
    let block = "";
    for (let line = 0; line < 5000; line++, number++) {
      const level = number % 7 === 0 ? "error" : "info";
      block += `${JSON.stringify({ x: number, level, msg: `request ${number} done`, tags: ["a", "b"], seconds: number * 1.5 })}\n`;
    }
    written += writeSync(file, block);
  }
  closeSync(file);
}

/** A log with levels, times, words and the odd error, the same every time. */
function makeLog(path: string, bytes: number): void {
  if (existsSync(path) && statSync(path).size >= bytes) return;
  mkdirSync(dirname(path), { recursive: true });
  const random = linearCongruential(42);
  const levels = ["INFO", "INFO", "INFO", "INFO", "DEBUG", "DEBUG", "WARN"];
  const words = ["request", "finished", "user", "cache", "lookup", "connection", "pool", "job", "queue", "token", "refresh", "upstream"];
  const file = openSync(path, "w");
  let written = 0;
  for (let number = 0; written < bytes; ) {
    let block = "";
    for (let line = 0; line < 5000; line++, number++) {
      const rare = random() < 0.001;
      const level = rare ? "ERROR" : levels[Math.floor(random() * levels.length)];
      const said = Array.from({ length: 8 }, () => words[Math.floor(random() * words.length)]).join(" ");
      block += `2026-01-01T00:00:00.${String(number % 1000).padStart(3, "0")}Z ${level} ${said}${rare ? ` TimeoutError: ${number}` : ""}\n`;
    }
    written += writeSync(file, block);
  }
  closeSync(file);
}

/** One line without an end. */
function makeLine(path: string, bytes: number): void {
  if (existsSync(path) && statSync(path).size >= bytes) return;
  const block = Buffer.alloc(1_000_000, "abcdefghij");
  const file = openSync(path, "w");
  for (let written = 0; written < bytes; ) written += writeSync(file, block);
  closeSync(file);
}

function linearCongruential(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}
