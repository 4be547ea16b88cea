/** Faults that are made while the long soak runs: each goes on until `over()`, and counts what it has done. */
import { execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { rawClient } from "./clients.mjs";
import { childrenOf } from "./held.mjs";
import { PROGRAM, serverArguments, startHttp, verifyAudit } from "./servers.mjs";

const KILL_EVERY_MS = 4000;
const TROUBLE_EVERY_MS = 4000;

/** A call in flight goes on to its own time limit (30 s here): that nobody reads its answer is seen when it is written. */
const VANISHED_MS = 120_000;

/** A sort of as much as spills costs seconds. */
const SORT_EVERY = 25;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const count = (tally, kind) => tally.errors.set(kind, (tally.errors.get(kind) ?? 0) + 1);
const stdoutOf = (text) => /"structuredContent":(\{.*\})/s.exec(text ?? "")?.[1] ?? text;

/** SIGKILL for any executor of the servers, in the middle of whatever it does. */
export async function killExecutors(pids, over, tally) {
  for (let turn = 0; !over(); turn++) {
    await pause(KILL_EVERY_MS);
    const executors = childrenOf(pids[turn % pids.length]);
    const victim = executors[turn % Math.max(1, executors.length)];
    if (victim === undefined) continue;
    try {
      process.kill(victim, "SIGKILL");
      count(tally, "executors killed");
    } catch {
      // It had ended by itself.
    }
  }
}

/** Clients that go away in the middle of a call: over HTTP the connection, over stdio the process's pipes. */
export async function vanishingClients({ url }, setting, over, tally, problem) {
  for (let turn = 0; !over(); turn++) {
    await pause(TROUBLE_EVERY_MS);
    if (turn % 4 !== 0) {
      const gone = new Promise((resolve) => {
        void rawClient(url, "sleep 30", undefined);
        resolve();
      });
      await gone;
      const socketGone = spawn(process.execPath, ["-e", VANISH, String(url)], { stdio: "ignore" });
      await new Promise((resolve) => socketGone.once("exit", resolve));
      count(tally, "HTTP clients vanished");
      continue;
    }
    const server = spawn(process.execPath, [PROGRAM, ...serverArguments(setting, setting.root)], {
      stdio: ["pipe", "pipe", "ignore"],
      env: { ...process.env, TMPDIR: setting.temporary },
    });
    const call = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "shelpa_pipe", arguments: { command: "yes | head -c 50000000" } },
    };
    server.stdin.on("error", () => undefined);
    server.stdin.write(`${JSON.stringify(call)}\n`);
    await pause(300);
    server.stdin.destroy();
    server.stdout.destroy();
    const exited = new Promise((resolve) => server.once("exit", () => resolve(true)));
    if (!(await Promise.race([exited, pause(VANISHED_MS)]))) {
      problem(`a server whose client vanished still runs ${VANISHED_MS / 1000} s later`);
      server.kill("SIGKILL");
    }
    count(tally, "stdio clients vanished");
  }
}

/** Sends a call that would run long, and ends its process before there is an answer. */
const VANISH = `
const { request } = require("node:http");
const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "shelpa_pipe", arguments: { command: "sleep 8" } } });
const outgoing = request(process.argv[1], { method: "POST", headers: { authorization: "Bearer a-token-for-the-soak-test-alone",
  "content-type": "application/json", accept: "application/json, text/event-stream" } });
outgoing.on("error", () => {});
outgoing.end(body);
setTimeout(() => process.exit(0), 150);
`;

/** Readers that take their answer byte by byte, or stop in the middle of it. */
export async function slowReaders({ url }, over, tally, problem) {
  for (let turn = 0; !over(); turn++) {
    await pause(TROUBLE_EVERY_MS);
    const stops = turn % 5 === 4;
    const text = await Promise.race([
      rawClient(url, "seq 1 100000", ({ response }) => {
        if (stops) setTimeout(() => response.destroy(), 2000);
        response.pause();
        const step = setInterval(() => response.read(512), 5);
        setTimeout(() => {
          clearInterval(step);
          response.resume();
        }, 1000);
      }),
      pause(180_000).then(() => "late"),
    ]);
    if (text === "late") problem("a slow reader was not answered");
    count(tally, stops ? "readers that stopped" : "slow readers");
  }
}

/** A root on a disk of some MiB that fills: writes fail and change nothing, reading goes on, and once there is room, writing does. */
export async function fullDisk(setting, over, tally, problem) {
  const disk = join(setting.directory, "disk");
  mkdirSync(disk);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=6m", "tmpfs", disk], { stdio: "ignore" });
  } catch {
    count(tally, "full disk: not tried, only the superuser mounts one");
    return;
  }
  try {
    const root = join(disk, "root");
    const temporary = join(disk, "tmp");
    for (const made of [root, temporary]) mkdirSync(made);
    const server = await startHttp(setting, root, { temporary });
    const ask = (command, args) => rawClient(server.url, command, undefined, args);
    for (let turn = 0; !over(); turn++) {
      await pause(TROUBLE_EVERY_MS);
      try {
        writeFileSync(join(disk, "ballast"), Buffer.alloc(8 << 20));
      } catch {
        // Now it is full.
      }
      const refused = stdoutOf(await ask("tee file.txt", { stdin: `${"x".repeat(9000)}${turn}\n` }));
      if (!/No space|ENOSPC|AUDIT_UNAVAILABLE|cannot be recorded/i.test(refused ?? ""))
        problem(`a write to a full disk: ${String(refused).slice(0, 300)}`);
      else count(tally, "writes to a full disk refused");
      const spilled = turn % SORT_EVERY === 0 ? stdoutOf(await ask("seq 1 3000000 | sort -R | wc -l", { timeout_seconds: 60 })) : undefined;
      if (spilled === undefined) count(tally, "rounds on the full disk without a sort");
      else if (/3000000/.test(spilled ?? "")) count(tally, "sorts beside a full disk that fitted");
      else if (/No space|ENOSPC|LIMIT/i.test(spilled ?? "")) count(tally, "sorts beside a full disk stopped");
      else problem(`a sort beside a full disk: ${String(spilled).slice(0, 300)}`);
      const reads = stdoutOf(await ask("echo still; ls"));
      if (!/still/.test(reads ?? "")) problem(`reading beside a full disk: ${String(reads).slice(0, 300)}`);
      rmSync(join(disk, "ballast"), { force: true });
      const writes = stdoutOf(await ask("tee file.txt", { stdin: `there is room ${turn}\n` }));
      if (!existsSync(join(root, "file.txt")) || readFileSync(join(root, "file.txt"), "utf8") !== `there is room ${turn}\n`)
        problem(`a write once there is room: ${String(writes).slice(0, 300)}`);
      // The record grows with every write, and this disk is small.
      if (turn % 50 === 49) rmSync(join(root, ".shelpa"), { recursive: true, force: true });
    }
    await server.end();
    for (const finding of await verifyAudit(root)) problem(`audit verify on the full disk: ${finding}`);
  } finally {
    execFileSync("umount", ["-l", disk]);
  }
}

/** A root that is removed and made anew while the server serves it. */
export async function rootThatGoes(setting, over, tally, problem) {
  const root = join(setting.directory, "coming-and-going");
  mkdirSync(root);
  const server = await startHttp(setting, root);
  for (let turn = 0; !over(); turn++) {
    await pause(TROUBLE_EVERY_MS);
    rmSync(root, { recursive: true });
    const gone = stdoutOf(await rawClient(server.url, "ls -la; cat f", undefined));
    if (/"stdout":"[^"]*here/.test(gone ?? "")) problem(`a root that is gone: ${String(gone).slice(0, 300)}`);
    mkdirSync(root);
    writeFileSync(join(root, "f"), `here ${turn}\n`);
    const back = stdoutOf(await rawClient(server.url, "cat f", undefined));
    if (!(back ?? "").includes(`here ${turn}`)) problem(`a root that has come back: ${String(back).slice(0, 300)}`);
    else count(tally, "roots removed and made anew");
    await rawClient(server.url, "tee written", undefined, { stdin: `written ${turn}\n` });
    if (!existsSync(join(root, "written"))) problem("a write in a root that has come back");
  }
  if (!server.lives()) problem("the server whose root went has ended");
  await server.end();
}

/** Every ten seconds another hour, forwards and back: for the server and its executors, by Date alone, as the kernel's clock is everybody's. */
const JUMPING = `{
  const RealDate = Date;
  const offset = () => { const at = Math.floor(RealDate.now() / 10000); return (((at * 7919) % 49) - 24) * 3600000; };
  globalThis.Date = class extends RealDate {
    constructor(...given) { if (given.length === 0) super(RealDate.now() + offset()); else super(...given); }
    static now() { return RealDate.now() + offset(); }
  };
}
`;

export async function movingClock(setting, over, tally, problem) {
  const copy = join(setting.directory, "moving/dist");
  cpSync(dirname(PROGRAM), copy, { recursive: true, filter: (from) => !from.endsWith("types") });
  cpSync(join(dirname(PROGRAM), "../package.json"), join(setting.directory, "moving/package.json"));
  for (const name of ["shelpa-mcp.js", "executor.js"]) {
    const text = readFileSync(join(copy, name), "utf8");
    const hashbang = /^#!.*\n/.exec(text)?.[0] ?? "";
    writeFileSync(join(copy, name), hashbang + JUMPING + text.slice(hashbang.length));
  }
  const root = join(setting.directory, "moving-root");
  mkdirSync(root);
  const server = await startHttp(setting, root, { program: join(copy, "shelpa-mcp.js") });
  const dates = new Set();
  for (let turn = 0; !over(); turn++) {
    await pause(TROUBLE_EVERY_MS / 2);
    const sent = performance.now();
    const text = stdoutOf(await rawClient(server.url, `tee f${turn % 5}; date +%F-%H`, undefined, { stdin: `${turn}\n` }));
    const tookMs = performance.now() - sent;
    const hour = /\d{4}-\d\d-\d\d-\d\d/.exec(text ?? "")?.[0];
    if (hour === undefined) problem(`with a clock that moves: ${String(text).slice(0, 300)}`);
    else dates.add(hour);
    if (tookMs > 60_000) problem(`with a clock that moves a call took ${Math.round(tookMs)} ms`);
    count(tally, "calls with a clock that moves");
  }
  if (!server.lives()) problem("the server whose clock moved has ended");
  await server.end();
  if (dates.size < 2) problem("the clock did not move");
  for (const finding of await verifyAudit(root)) problem(`audit verify with a clock that moved: ${finding}`);
}
