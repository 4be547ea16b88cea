/**
 * Lines of all writers under SIGKILL, and from two processes at once: after recovery the tree is the recorded one, each line's change is
 * whole or not there, and the last one can be undone.
 */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRecorder } from "../../src/audit/recorder.ts";
import { Shell } from "../../src/session/shell.ts";
import { Workspace } from "../../src/workspace/workspace.ts";
import { Dice } from "../fuzz/dice.ts";
import { plant, randomTree } from "../builtins/writers/random-tree.ts";
import { stressRuns } from "../stress-settings.ts";
import { tree } from "../tree.ts";
import type { DriverOrder } from "./random-lines-driver.ts";
import { differencesOf, knownTree, lastCall, recordedTree, wrongAfterRecovery } from "./recorded-state.ts";
import { journal } from "./tree-check.ts";

/** npm run stress -- writer-kills COUNT SEED; two-servers COUNT SEED: lines of each. */
const KILLS = stressRuns(12, 35);
const LINES = stressRuns(15, 60);
const SEED = Number(process.env["SHELPA_STRESS_SEED"] ?? 1);
/** Kills in one tree, before there is a new one. */
const ROUNDS = 5;

if (existsSync("/dev/shm")) process.env["TMPDIR"] = "/dev/shm";

let bundle: string;
beforeAll(async () => {
  bundle = mkdtempSync(`${tmpdir()}/shelpa-writer-kills-`);
  await build({
    entryPoints: [`${import.meta.dirname}/random-lines-driver.ts`],
    bundle: true,
    platform: "node",
    format: "esm",
    outfile: `${bundle}/driver.mjs`,
    logLevel: "error",
  });
});
afterAll(() => rmSync(bundle, { recursive: true, force: true }));

async function start(): Promise<ChildProcess> {
  const child = fork(`${bundle}/driver.mjs`, {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    execArgv: ["--enable-experimental-regexp-engine-on-excessive-backtracks"],
  });
  await once(child, "message");
  return child;
}

/** Recovers as the next server does. A lock whose maker was killed before it wrote in it counts as left behind after 1 s. */
async function recover(root: string): Promise<void> {
  const workspace = Workspace.open(root);
  for (let attempt = 0; attempt < 40; attempt++) {
    createRecorder(workspace, { session: "s", client: "test", line: "", confirmOversize: false }).edit("").abort();
    if (!existsSync(`${root}/.shelpa/@/lock`)) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  workspace.close();
}

/** Undoes the last call and does it again; gives what is wrong. */
async function undoneAndRedone(root: string, initial: ReturnType<typeof knownTree>): Promise<readonly string[]> {
  const call = lastCall(root);
  if (call === undefined) return [];
  const wanted = recordedTree(root, initial, call);
  const before = knownTree(root);
  const shell = await Shell.open({ root, isolation: "none" });
  try {
    const undone = await shell.defaultSession.run(`undo ${call}`);
    const said = `undo: ${undone.stderr.toString()}${JSON.stringify(undone.result)}`;
    if (undone.result.kind !== "completed" || undone.result.exit !== 0) return [said];
    const wrong = differencesOf(knownTree(root), wanted).map((each) => `undone: ${each} ${said}`);
    const [made] = undone.result.receipts;
    if (made !== undefined) await shell.defaultSession.run(`undo ${made.recordId}`);
    return [...wrong, ...differencesOf(knownTree(root), before).map((each) => `redone: ${each}`)];
  } finally {
    await shell.close();
  }
}

test(`${KILLS} kills of random lines`, { timeout: 60_000 + KILLS * 10_000 }, async () => {
  const dice = new Dice("kills", SEED);
  const counts = { kills: 0, recoveries: 0, done: 0, abandoned: 0, undone: 0 };
  let next = start();
  while (counts.kills < KILLS) {
    const { path: root, remove } = tree([]);
    plant(root, randomTree(dice, 30));
    const initial = knownTree(root);
    for (let round = 0; round < ROUNDS && counts.kills < KILLS; round++) {
      const driver = await next;
      next = start();
      const ended = once(driver, "exit");
      const order: DriverOrder = { root, seed: SEED * 10_000 + counts.kills, lines: 100_000 };
      driver.send(order);
      await once(driver, "message");
      await new Promise((resolve) => setTimeout(resolve, dice.below(80_000) / 1000));
      driver.kill("SIGKILL");
      await ended;
      counts.kills++;
      const before = journal(root).lines.length;
      const wasLocked = existsSync(`${root}/.shelpa/@/lock`);
      await recover(root);
      const at = `seed ${SEED}, kill ${counts.kills}`;
      expect(wrongAfterRecovery(root, initial), at).toEqual([]);
      const ends = journal(root)
        .lines.slice(before)
        .filter((line) => line.kind === "outcome");
      counts.recoveries += Number(wasLocked);
      counts.done += Number(ends.some(({ result }) => result === "done"));
      counts.abandoned += Number(ends.some(({ result }) => result === "abandoned"));
      expect(await undoneAndRedone(root, initial), at).toEqual([]);
      counts.undone++;
    }
    remove();
  }
  (await next).kill("SIGKILL");
  console.log(`seed ${SEED}: ${JSON.stringify(counts)}`);
  expect(counts.kills).toBe(KILLS);
});

test(`two servers with ${LINES} random lines each`, { timeout: 60_000 + LINES * 4_000 }, async () => {
  const { path: root, remove } = tree([]);
  plant(root, randomTree(new Dice("two servers", SEED), 30));
  const initial = knownTree(root);
  const drivers = await Promise.all([start(), start()]);
  const answers = await Promise.all(
    drivers.map(async (driver, at) => {
      const said: { readonly wrote?: number; readonly wrong?: string }[] = [];
      driver.on("message", (message: string | { readonly wrote?: number }) => void (typeof message === "string" || said.push(message)));
      const ended = once(driver, "exit");
      driver.send({ root, seed: SEED * 2 + at, lines: LINES } satisfies DriverOrder);
      await ended;
      return said;
    }),
  );
  console.log(`two servers: ${JSON.stringify(answers)}`);
  expect(answers.flat().filter(({ wrong }) => wrong !== undefined)).toEqual([]);
  for (const said of answers) expect(said.at(-1)?.wrote).toBeGreaterThan(LINES / 10);
  expect(wrongAfterRecovery(root, initial)).toEqual([]);
  expect(await undoneAndRedone(root, initial)).toEqual([]);
  remove();
});
