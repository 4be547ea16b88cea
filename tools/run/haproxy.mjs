/**
 * npm run test:haproxy [-- [--short] [--required]]: three servers of the same workspaces behind HAProxy as examples/haproxy has it, under
 * load, one of them killed and started again: no call is lost that could be sent again, the sessions of the other two go on, the workspaces
 * of the dead one are served meanwhile and come back. HAProxy comes from Debian (installed where this is root and apt-get is there); where
 * there is none, that is said, and fails only with --required. --short: one kill instead of three. `npm run build` first.
 */
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as later } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { freePorts } from "./free-ports.mjs";

const top = fileURLToPath(new URL("../..", import.meta.url));
const program = join(top, "dist/shelpa-mcp.js");
const { values: options } = parseArgs({ options: { short: { type: "boolean" }, required: { type: "boolean" } } });
/** Time for something to come about, in milliseconds. */
const PATIENCE_MS = 60_000;
const KILLS = options.short ? 1 : 3;
const WORKSPACES = Array.from({ length: 15 }, (_, index) => `team-${index}`);
const TOKEN = "a-token-of-the-test-of-haproxy";
/** Calls of each workspace that have to be answered while a server is gone, and again after it is back. */
const CALLS_IN_A_PHASE = 8;

if (!hasHaproxy()) {
  console.log(`${options.required ? "FAILED" : "SKIPPED"}: there is no haproxy here (apt-get install haproxy)`);
  process.exit(options.required ? 1 : 0);
}
const work = mkdtempSync(join(tmpdir(), "shelpa-haproxy-"));
const all = join(work, "all");
for (const name of WORKSPACES) mkdirSync(join(all, name, "sub"), { recursive: true });
const agent = new Agent({ keepAlive: true });
const running = new Map();
const problems = [];
/** Answers of each kind, of all calls of the load. */
const counts = { answered: 0, inFlight: 0, noSession: 0 };
let proxyPort = 0;
/** No more load: a call that fails from then on is nobody's loss. */
let isOver = false;
try {
  await run();
} catch (error) {
  problems.push(error.message);
} finally {
  isOver = true;
  agent.destroy();
  await Promise.all([...running.values()].map((process) => ended(process, "SIGTERM")));
  rmSync(work, { recursive: true, force: true });
}
for (const problem of problems.slice(0, 20)) console.log(`    ${problem}`);
console.log(problems.length === 0 ? "haproxy: all well" : `FAILED: ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;

async function run() {
  const shards = await freePorts(3);
  [proxyPort] = await freePorts(1);
  await Promise.all(shards.map(startShard));
  startProxy(shards);
  await until("three servers that are ready", async () => (await stateOfShards()).every((state) => state.startsWith("UP")));
  const agents = WORKSPACES.map((workspace) => ({ workspace, session: "", shard: -1, calls: 0, atRisk: false, written: new Set() }));
  for (const client of agents) {
    await openSession(client);
    // What only this session knows: it is lost with its server.
    await called(client, "cd sub");
  }
  const shares = shards.map((_, shard) => agents.filter((client) => client.shard === shard).length);
  console.log(`${agents.length} workspaces on three servers: ${shares.join(", ")}`);
  if (shares.includes(0)) problems.push("a server has no workspace: the hash does not spread them");
  const home = new Map(agents.map(({ workspace, shard }) => [workspace, shard]));
  const loads = agents.map(load);
  // That with the most workspaces first.
  const order = shards.map((_, shard) => shard).sort((one, other) => shares[other] - shares[one]);
  for (const shard of order.slice(0, KILLS)) await killed(shard, { shards, agents, home });
  isOver = true;
  await Promise.all(loads);
  console.log(
    `${problems.length === 0 ? "no call lost that could be sent again; " : ""}${counts.answered} calls answered, ${counts.inFlight} in flight on a server as it was killed, ${counts.noSession} told to open a new session`,
  );
  for (const client of agents) checkFile(client);
}

/** One server is killed under load and started again. */
async function killed(shard, { shards, agents, home }) {
  const others = agents.filter((client) => home.get(client.workspace) !== shard);
  const own = agents.filter((client) => home.get(client.workspace) === shard);
  const sessions = new Map(others.map(({ workspace, session }) => [workspace, session]));
  const before = { ...counts, redispatched: await redispatched() };
  for (const client of own) client.atRisk = true;
  await ended(running.get(`shard-${shard}`), "SIGKILL");
  const killedAtMs = performance.now();
  await until("the workspaces of the dead server elsewhere", () => own.every((client) => client.shard !== shard));
  const movedMs = performance.now() - killedAtMs;
  await rounds(agents);
  await startShard(shards[shard], shard);
  await until("the server is back", async () => (await stateOfShards())[shard].startsWith("UP"));
  await until("its workspaces are back", () => own.every((client) => client.shard === shard));
  await rounds(agents);
  for (const client of own) client.atRisk = false;
  const kept = others.filter(({ workspace, session }) => sessions.get(workspace) === session).length;
  const lost = counts.inFlight - before.inFlight;
  const retried = (await redispatched()) - before.redispatched;
  console.log(
    `server ${shard} killed: ${own.length} workspaces elsewhere after ${Math.round(movedMs)} ms, ${counts.answered - before.answered} calls answered until they were back, ` +
      `${retried} of them sent again to another server, ${lost} in flight; ${kept} of ${others.length} sessions of the other two go on`,
  );
  if (kept !== others.length) problems.push(`${others.length - kept} sessions of the other two servers ended`);
  if (retried === 0) problems.push("no call was sent again: nothing is shown about those that may be");
  // The one that ran, and one more that the kernel still took for the process as it died.
  if (lost > 2 * own.length) problems.push(`${lost} calls failed in flight, of ${own.length} clients with one at a time`);
}

/** Waits until each client has had so many more answers. */
async function rounds(agents) {
  const least = new Map(agents.map((client) => [client, client.calls + CALLS_IN_A_PHASE]));
  await until("calls of every workspace", () => agents.every((client) => client.calls >= least.get(client)));
}

/** One call after another, each a write, until all is over. */
async function load(client) {
  for (let number = 1; !isOver; number++) {
    try {
      const isAnswered = await called(client, `echo ${number} | tee -a ../numbers >/dev/null; pwd`);
      if (isAnswered) client.written.add(String(number));
    } catch (error) {
      if (!isOver) problems.push(`${client.workspace}: ${error.message}`);
      return;
    }
  }
}

/**
 * Calls in the client's session, and tells whether that was answered. A session that has ended with its server is opened anew, as the
 * specification has it for a 404.
 */
async function called(client, command) {
  for (;;) {
    const answer = await post(client, { id: 2, method: "tools/call", params: { name: "shelpa_pipe", arguments: { command } } });
    if (answer.kind === "in flight") {
      // Nobody knows whether it ran: it is the agent's to look, and not sent again here.
      if (!client.atRisk) throw new Error(`a call failed on a server that was not killed: ${answer.text}`);
      counts.inFlight++;
      return false;
    }
    if (answer.status === 404) {
      if (!client.atRisk) throw new Error(`the session ended on a server that was not killed: ${answer.text}`);
      counts.noSession++;
      await openSession(client);
      await called(client, "cd sub");
      continue;
    }
    if (answer.status !== 200) throw new Error(`lost: ${answer.status} ${answer.text}`);
    if (answer.text.includes('"isError":true')) throw new Error(answer.text);
    if (command.endsWith("pwd") && !answer.text.includes("/sub")) throw new Error(`another session answered: ${answer.text}`);
    counts.answered++;
    client.calls++;
    return true;
  }
}

async function openSession(client) {
  client.session = "";
  const clientInfo = { name: "haproxy", version: "1.0.0" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  for (;;) {
    const answer = await post(client, { id: 1, method: "initialize", params });
    if (answer.kind === "in flight" && client.atRisk && !isOver) continue;
    if (answer.status !== 200) throw new Error(`initialize: ${answer.status} ${answer.text}`);
    client.session = answer.session;
    break;
  }
  await post(client, { method: "notifications/initialized" });
}

/** Sends it through the proxy. "in flight": the connection to the server broke after the request was sent (502 of the proxy, or a cut answer). */
function post(client, message) {
  return new Promise((resolve) => {
    const sent = request(
      {
        agent,
        port: proxyPort,
        host: "127.0.0.1",
        path: `/w/${client.workspace}/mcp`,
        method: "POST",
        headers: {
          authorization: `Bearer ${TOKEN}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...(client.session !== "" && { "mcp-session-id": client.session }),
        },
      },
      (response) => {
        let text = "";
        response.on("data", (chunk) => (text += chunk));
        response.on("error", ({ message: why }) => resolve({ kind: "in flight", text: why }));
        response.on("end", () => {
          const { statusCode: status, headers } = response;
          if (headers["x-shard"] !== undefined) client.shard = Number(headers["x-shard"].slice("shard-".length));
          if (status === 502) resolve({ kind: "in flight", text: "502" });
          else resolve({ kind: "answer", status, text, session: headers["mcp-session-id"] });
        });
      },
    );
    sent.on("error", ({ message: why }) => resolve({ kind: "in flight", text: why }));
    sent.end(JSON.stringify({ jsonrpc: "2.0", ...message }));
  });
}

/** Each number that was answered is there, and none is there twice: nothing was undone, and no call ran again, whatever was retried. */
function checkFile({ workspace, written }) {
  const numbers = readFileSync(join(all, workspace, "numbers"), "utf8")
    .trimEnd()
    .split("\n");
  const there = new Set(numbers);
  const gone = [...written].filter((number) => !there.has(number));
  if (gone.length > 0) problems.push(`${workspace}: answered, and not written: ${gone.join(" ")}`);
  if (there.size < numbers.length) problems.push(`${workspace}: ran twice: ${numbers.length - there.size} calls`);
}

async function startShard(port, shard) {
  const name = `shard-${shard}`;
  const server = start(name, process.execPath, [program, "--workspaces", all, "--http", `127.0.0.1:${port}`], {
    SHELPA_HTTP_TOKEN: TOKEN,
  });
  await until(`${name} listens`, () => server.printed.includes("listening on "));
}

/** The example itself, without its certificate, on ports of our own, and with the server's name in each answer. */
function startProxy(shards) {
  const edits = [
    [
      /^ {4}bind :443 ssl .*$/m,
      `    bind 127.0.0.1:${proxyPort}\n    stats socket ${join(work, "stats")} level admin\n    http-response set-header X-Shard %s`,
    ],
    ...shards.map((port, shard) => [new RegExp(`^( {4}server shard-${shard}) .*$`, "m"), `$1 127.0.0.1:${port}`]),
  ];
  let text = readFileSync(join(top, "examples/haproxy/haproxy.cfg"), "utf8");
  for (const [from, to] of edits) {
    if (!from.test(text)) throw new Error(`examples/haproxy/haproxy.cfg has no line ${from}`);
    text = text.replace(from, to);
  }
  const socket = / {4}stats socket .*\n/.exec(text)[0];
  text = text.replace(socket, "").replace("global\n", `global\n${socket}`);
  writeFileSync(join(work, "haproxy.cfg"), text);
  start("haproxy", "haproxy", ["-db", "-f", join(work, "haproxy.cfg")]);
}

/** State of each server as HAProxy sees it: `UP`, `DOWN`, `UP 1/2` on its way. */
async function stateOfShards() {
  return (await statistics()).map((row) => row[17]);
}

/** Requests whose connection a server refused, and that another got. */
async function redispatched() {
  return (await statistics()).reduce((sum, row) => sum + Number(row[16]), 0);
}

/** HAProxy's row of statistics for each server, by its management guide, 9.1. */
async function statistics() {
  const text = await new Promise((resolve, reject) => {
    let read = "";
    const stats = connect(join(work, "stats"), () => stats.write("show stat -1 4 -1\n"));
    stats.on("data", (chunk) => (read += chunk));
    stats.on("end", () => resolve(read));
    stats.on("error", reject);
  });
  return text
    .split("\n")
    .filter((line) => line.startsWith("shards,shard-"))
    .map((line) => line.split(","));
}

/** Resolves once `look` holds; it may fail meanwhile. */
async function until(what, look) {
  const deadline = performance.now() + PATIENCE_MS;
  for (let last = ""; ; await later(50)) {
    try {
      if (await look()) return;
    } catch (error) {
      last = `: ${error.message}`;
    }
    const gone = [...running.values()].find(({ child }) => child.exitCode !== null);
    if (gone !== undefined) throw new Error(`${gone.name} has ended: ${gone.printed}`);
    if (problems.length > 0) throw new Error(`not to be waited for any more: ${what}`);
    if (performance.now() > deadline) throw new Error(`not in ${PATIENCE_MS / 1000} s: ${what}${last}`);
  }
}

function start(name, file, args, environment = {}) {
  const child = spawn(file, args, { stdio: ["ignore", "ignore", "pipe"], env: { ...process.env, ...environment } });
  const process_ = { name, child, printed: "" };
  child.stderr.on("data", (chunk) => (process_.printed = (process_.printed + chunk).slice(-10_000)));
  running.set(name, process_);
  return process_;
}

async function ended({ name, child }, signal) {
  running.delete(name);
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  await exit;
}

function hasHaproxy() {
  const isHere = () => spawnSync("haproxy", ["-v"]).status === 0;
  if (isHere() || process.getuid?.() !== 0 || spawnSync("apt-get", ["--version"]).status !== 0) return isHere();
  console.log("haproxy: installing it");
  const quiet = { stdio: "ignore", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" }, timeout: 180_000 };
  const soon = ["-qq", "-o", "Acquire::Retries=0", "-o", "Acquire::http::Timeout=10", "-o", "Acquire::https::Timeout=10"];
  if (spawnSync("apt-get", [...soon, "update"], quiet).status !== 0) return false;
  spawnSync("apt-get", [...soon, "install", "-y", "--no-install-recommends", "haproxy"], quiet);
  return isHere();
}
