/**
 * npm run soak -- --long [CALLS [MINUTES]]: at least CALLS mixed calls (default 100,000) from eight clients over at least
 * MINUTES (default 20), while executors are killed, clients vanish, readers are slow, a disk is full, a root goes and
 * comes back, and the clock jumps. Ctrl-C ends it early, with its report. What is held at the start, in the middle and at the end is printed: resident memory,
 * descriptors, processes, temporary files. Fails where an answer is wrong, or where what is held has grown.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sdkClients } from "./clients.mjs";
import { held, heldTable } from "./held.mjs";
import { lineOf, wrongAnswer } from "./lines.mjs";
import { fullDisk, killExecutors, movingClock, rootThatGoes, slowReaders, vanishingClients } from "./trouble.mjs";
import { startHttp, verifyAudit } from "./servers.mjs";

/** What the resident memory of the servers may be more at the end than in the middle, in MiB: garbage not collected yet. */
const MOST_GROWTH_MIB = 64;
const MOST_MORE_DESCRIPTORS = 24;

export async function soakLong(atLeastCalls = 100_000, atLeastMinutes = 20) {
  const directory = mkdtempSync(join(tmpdir(), "shelpa-soak-long-"));
  const temporary = join(directory, "tmp");
  const root = join(directory, "root");
  for (const made of [temporary, root]) mkdirSync(made);
  writeFileSync(join(directory, "shelpa.toml"), '[limits]\nqueued_calls = 10000\noutput = "64 MiB"\n');
  fillRoot(root);
  const setting = { directory, temporary, root, config: join(directory, "shelpa.toml") };
  const tally = { calls: 0, cancelled: 0, errors: new Map(), problems: [] };
  const problem = (text) => void (tally.problems.length < 50 && tally.problems.push(text));
  const main = await startHttp(setting, root);
  const clients = await sdkClients(main, setting);
  const pids = [main.pid, ...clients.map(({ pid }) => pid).filter((pid) => pid !== undefined)];
  const startedMs = Date.now();
  const endMs = startedMs + atLeastMinutes * 60_000;
  let stopped = false;
  process.once("SIGINT", () => (stopped = true));
  const over = () => stopped || (tally.calls >= atLeastCalls && Date.now() >= endMs);
  const samples = [];
  const sample = () => {
    samples.push({ calls: tally.calls, seconds: Math.round((Date.now() - startedMs) / 1000), ...held(pids, setting) });
    process.stderr.write(`${JSON.stringify(samples.at(-1))} ${tally.problems.length} problems\n`);
  };
  const troubles = [
    killExecutors(pids, over, tally),
    vanishingClients(main, setting, over, tally, problem),
    slowReaders(main, over, tally, problem),
    fullDisk(setting, over, tally, problem),
    rootThatGoes(setting, over, tally, problem),
    movingClock(setting, over, tally, problem),
  ];
  // The start is taken once everything is warm.
  const sampling = (async () => {
    while (tally.calls < Math.min(2000, atLeastCalls / 20)) await pause(200);
    while (!over()) {
      sample();
      await pause(Math.max(1000, (atLeastMinutes * 60_000) / 20));
    }
  })();
  await Promise.all(clients.map((client, index) => work(client, index, over, tally, problem)));
  await Promise.all([...troubles, sampling]);
  // What is in flight ends, what can be collected is.
  await pause(3000);
  sample();
  for (const { close } of clients) await close();
  await main.end();
  await pause(500);
  for (const finding of await verifyAudit(root)) problem(`audit verify: ${finding}`);
  const left = readdirSync(temporary);
  if (left.length > 0) problem(`temporary files are left: ${left.slice(0, 10).join(" ")}`);
  judge(samples, problem);
  report(samples, tally, Date.now() - startedMs);
  rmSync(directory, { recursive: true, force: true });
  return tally.problems.length === 0;
}

/** One client: a call after the other, each its own. */
async function work(client, index, over, tally, problem) {
  const lanes = [0, 1];
  await Promise.all(
    lanes.map(async (lane) => {
      for (let turn = 0; !over(); turn++) {
        const line = lineOf(turn, index * 2 + lane);
        const answer = await client.call(line);
        tally.calls++;
        if (answer.cancelled === true) {
          tally.cancelled++;
          continue;
        }
        const wrong = wrongAnswer(line, answer);
        if (wrong === undefined) continue;
        // Whoever calls while an executor is killed is told so, by a fault and its number: that is the promise.
        if (/the executor process ended unexpectedly|FAULT/.test(wrong)) count(tally, "executor killed from outside");
        else problem(`${line.command}: ${wrong}`);
      }
    }),
  );
}

export function count(tally, kind) {
  tally.errors.set(kind, (tally.errors.get(kind) ?? 0) + 1);
}

function judge(samples, problem) {
  const middle = samples[Math.floor(samples.length / 2)];
  const end = samples.at(-1);
  if (end.residentMib - middle.residentMib > MOST_GROWTH_MIB)
    problem(`resident memory grew from ${middle.residentMib} to ${end.residentMib} MiB in the second half`);
  if (end.descriptors - middle.descriptors > MOST_MORE_DESCRIPTORS)
    problem(`descriptors grew from ${middle.descriptors} to ${end.descriptors} in the second half`);
}

function report(samples, tally, ms) {
  const { calls, cancelled, errors, problems } = tally;
  process.stdout.write(`${calls} calls, ${cancelled} cancelled, ${Math.round(ms / 1000)} s, ${Math.round((calls / ms) * 1000)} calls/s\n`);
  for (const [kind, times] of errors) process.stdout.write(`  ${kind}: ${times}\n`);
  process.stdout.write(heldTable([samples[0], samples[Math.floor(samples.length / 2)], samples.at(-1)]));
  for (const text of problems) process.stdout.write(`PROBLEM ${text}\n`);
  process.stdout.write(problems.length === 0 ? "ok\n" : "FAILED\n");
}

function fillRoot(root) {
  const line = (index) => `${index} ${index % 7 === 0 ? "ERROR" : "info"} line of the log\n`;
  writeFileSync(join(root, "app.log"), Array.from({ length: 5000 }, (_, index) => line(index)).join(""));
  writeFileSync(join(root, "big.log"), Array.from({ length: 20_000 }, (_, index) => line(index)).join(""));
  writeFileSync(join(root, "data.json"), JSON.stringify({ items: Array.from({ length: 100 }, (_, id) => ({ id, odd: id % 2 === 1 })) }));
  for (let at = 0; at < 40; at++) {
    mkdirSync(join(root, `src/d${at}`), { recursive: true });
    for (let file = 0; file < 5; file++) writeFileSync(join(root, `src/d${at}/f${file}.ts`), `export const value${file} = ${at};\n`);
  }
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
