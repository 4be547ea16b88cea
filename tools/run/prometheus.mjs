/**
 * npm run test:prometheus [-- --required]: the tests that need prometheus and promtool; then a real Prometheus scrapes
 * `shelpa-mcp --root DIR --http` and is asked for the series of calls that were made. Prometheus comes from Debian (installed where this is root and apt-get is there); where there is none, that is said, and fails
 * only with --required. `npm run build` first.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as later } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { freePorts } from "./free-ports.mjs";
import { callTool } from "./tool-call.mjs";

const top = fileURLToPath(new URL("../..", import.meta.url));
const program = join(top, "dist/shelpa-mcp.js");
/** Tests that are skipped where it is not installed. */
const TESTS = ["test/mcp/http/metrics.test.ts", "test/mcp/http/prometheus.test.ts", "test/operating-doc.test.ts"];
const { values: options } = parseArgs({ options: { required: { type: "boolean" } } });
/** Time for something to come about, in milliseconds. */
const PATIENCE_MS = 60_000;
const TOKEN = "a-token-of-the-test-of-prometheus";

if (!hasPrometheus()) {
  console.log(`${options.required ? "FAILED" : "SKIPPED"}: there is no prometheus here (apt-get install prometheus)`);
  process.exit(options.required ? 1 : 0);
}
const tested = spawnSync("npx", ["vitest", "run", ...TESTS], {
  cwd: top,
  stdio: "inherit",
  env: { ...process.env, SHELPA_NEEDS: "prometheus,promtool" },
});
if (tested.status !== 0) process.exit(1);
const work = mkdtempSync(join(tmpdir(), "shelpa-prometheus-"));
const started = [];
try {
  await scrape();
  console.log("prometheus: all well");
} catch (error) {
  console.log(`FAILED: ${error.message}`);
  process.exitCode = 1;
} finally {
  await Promise.all(started.map(ended));
  rmSync(work, { recursive: true, force: true });
}

async function scrape() {
  mkdirSync(join(work, "root"));
  writeFileSync(join(work, "root/a"), "x\n");
  writeFileSync(join(work, "token"), TOKEN);
  const server = start("shelpa-mcp", process.execPath, [program, "--root", join(work, "root"), "--http", "127.0.0.1:0"], {
    SHELPA_HTTP_TOKEN: TOKEN,
  });
  const endpoint = await until("the server's address", () => /listening on (http:\S+)/.exec(server.printed)?.[1]);
  const { host } = new URL(endpoint);
  const job = {
    job_name: "shelpa",
    scrape_interval: "500ms",
    scrape_timeout: "500ms",
    authorization: { credentials_file: join(work, "token") },
    static_configs: [{ targets: [host] }],
  };
  writeFileSync(join(work, "prometheus.yml"), JSON.stringify({ scrape_configs: [job] }));
  const [port] = await freePorts(1);
  start("prometheus", "prometheus", [
    `--config.file=${join(work, "prometheus.yml")}`,
    `--storage.tsdb.path=${join(work, "data")}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ]);
  for (const line of ["cat a", "cat a", "grep z a", "echo y | tee b", "rm /etc/passwd"]) await callTool(endpoint, TOKEN, line);
  const rows = [
    ["the target is up", 'up{job="shelpa"}', 1],
    ["calls that completed", 'sum(shelpa_calls_total{outcome="completed",reason=""})', 4],
    ["a refusal by its reason", 'sum(shelpa_calls_total{outcome="refused",reason="PATH_ESCAPE"})', 1],
    ["seconds of each", "sum(shelpa_call_seconds_count)", 5],
    ["the record", "sum(shelpa_records_total)", 1],
    ["requests", 'sum(shelpa_http_requests_total{path="/mcp",method="POST",status="200"})', 5],
    ["nobody waits", "shelpa_queued_calls", 0],
    ["one workspace is open", "shelpa_open_workspaces", 1],
    ["executors", "sum(shelpa_executors) > bool 0", 1],
    ["the journal has bytes", "shelpa_journal_bytes > bool 0", 1],
    ["memory", "process_resident_memory_bytes > bool 10e6", 1],
    ["open files", "process_open_fds > bool 0", 1],
    ["what runs", "count(shelpa_build_info)", 1],
  ];
  for (const [name, query, expected] of rows) {
    const value = await until(`${name}: ${query} is ${expected}`, async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(query)}`);
      const found = (await answer.json()).data?.result[0]?.value[1];
      return Number(found) === expected ? found : undefined;
    });
    console.log(` ok     ${name}: ${query} = ${value}`);
  }
  const { status } = await fetch(`http://${host}/metrics`);
  if (status !== 401) throw new Error(`/metrics answers ${status} to somebody without a token`);
  console.log(" ok     nobody else is answered");
}

/** The first value that `look` gives; it may fail meanwhile. */
async function until(what, look) {
  const deadline = performance.now() + PATIENCE_MS;
  for (let last = ""; ; await later(200)) {
    try {
      const value = await look();
      if (value !== undefined) return value;
    } catch (error) {
      last = `: ${error.message}`;
    }
    const gone = started.find(({ child }) => child.exitCode !== null);
    if (gone !== undefined) throw new Error(`${gone.name} has ended: ${gone.printed}`);
    if (performance.now() > deadline) throw new Error(`not in ${PATIENCE_MS / 1000} s: ${what}${last}`);
  }
}

function start(name, file, args, environment = {}) {
  const child = spawn(file, args, { stdio: ["ignore", "ignore", "pipe"], env: { ...process.env, ...environment } });
  const running = { name, child, printed: "" };
  child.stderr.on("data", (chunk) => (running.printed += chunk));
  started.push(running);
  return running;
}

async function ended({ child }) {
  if (child.exitCode !== null) return;
  const exit = new Promise((resolve) => child.once("exit", resolve));
  child.kill();
  await exit;
}

function hasPrometheus() {
  const isHere = () => existsSync("/usr/bin/prometheus") || spawnSync("prometheus", ["--version"]).status === 0;
  if (isHere() || process.getuid?.() !== 0 || spawnSync("apt-get", ["--version"]).status !== 0) return isHere();
  console.log("prometheus: installing it");
  const quiet = { stdio: "ignore", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" }, timeout: 180_000 };
  const soon = ["-qq", "-o", "Acquire::Retries=0", "-o", "Acquire::http::Timeout=10", "-o", "Acquire::https::Timeout=10"];
  if (spawnSync("apt-get", [...soon, "update"], quiet).status !== 0) return false;
  spawnSync("apt-get", [...soon, "install", "-y", "--no-install-recommends", "prometheus"], quiet);
  return isHere();
}
