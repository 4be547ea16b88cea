/** Promise 3 under SIGKILL: every file wholly old or wholly new, never new without its record, and recovery finishes. */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRecorder } from "../../src/audit/recorder.ts";
import { Workspace } from "../../src/workspace/workspace.ts";
import { stressRandom, stressRuns } from "../stress-settings.ts";
import { tree } from "../tree.ts";
import { checkKilled, checkRecovered, isFileIntent, journal } from "./tree-check.ts";

/** npm run stress -- kills COUNT SEED. The seed decides how long each writer lives; what it is at by then, the machine. At least so many. */
const RANDOM_KILLS = stressRuns(30, 50);
/** Kills that must have fallen into writes, or nothing was tested: one in six does, and there are more kills until so many have. */
const LEAST_RECOVERIES = RANDOM_KILLS / 10 + 1;
const MOST_KILLS = 4 * RANDOM_KILLS;
const random = stressRandom();
const INITIAL = { "a.txt": "somebody else's\n", "log.txt": "somebody else's log\n" };
const FILES = ["a.txt", "log.txt", "pair/one.txt", "pair/two.txt"];

let bundle: string;
beforeAll(async () => {
  bundle = mkdtempSync(`${tmpdir()}/shelpa-crash-`);
  await build({
    entryPoints: [`${import.meta.dirname}/crash-driver.ts`],
    bundle: true,
    platform: "node",
    format: "esm",
    outfile: `${bundle}/driver.mjs`,
    logLevel: "error",
  });
});
afterAll(() => rmSync(bundle, { recursive: true, force: true }));

/** A driver that has started and waits for its order; started ahead, so that its start costs no time. */
class Drivers {
  #next = this.#start();

  async take(): Promise<ChildProcess> {
    const driver = await this.#next;
    this.#next = this.#start();
    return driver;
  }

  async close(): Promise<void> {
    (await this.#next).kill("SIGKILL");
  }

  async #start(): Promise<ChildProcess> {
    const child = fork(`${bundle}/driver.mjs`, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
    await once(child, "message");
    return child;
  }
}

/** Recovers as the next server does. A lock whose maker was killed before it wrote in it counts as left behind after 1 s. */
async function recover(root: string): Promise<void> {
  const workspace = Workspace.open(root);
  for (let attempt = 0; attempt < 40; attempt++) {
    createRecorder(workspace, { session: "s", client: "test", line: "", confirmOversize: false }).begin([], "overwrite", "").abort();
    if (!existsSync(`${root}/.shelpa/@/lock`)) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  workspace.close();
}

const sameState = (root: string, a: string, b: string): boolean =>
  existsSync(`${root}/${a}`) === existsSync(`${root}/${b}`) &&
  (!existsSync(`${root}/${a}`) || readFileSync(`${root}/${a}`).equals(readFileSync(`${root}/${b}`)));

test(`${RANDOM_KILLS} kills at random instants`, { timeout: Math.max(300_000, RANDOM_KILLS * 5_000) }, async () => {
  const drivers = new Drivers();
  let records = 0;
  let recoveries = 0;
  let kill = 0;
  while (kill < RANDOM_KILLS || (recoveries < LEAST_RECOVERIES && kill < MOST_KILLS)) {
    // A fresh tree now and then: the first writes to a file are not like the later ones.
    const { path: root, remove } = tree(Object.entries(INITIAL).map(([name, text]) => `${name}: ${text}`));
    for (let round = 0; round < 10; round++, kill++) {
      const driver = await drivers.take();
      const ended = once(driver, "exit");
      driver.send(root);
      await once(driver, "message");
      await new Promise((resolve) => setTimeout(resolve, random() * 50));
      driver.kill("SIGKILL");
      await ended;
      const files = [...new Set([...FILES, ...journal(root).lines.flatMap((line) => (isFileIntent(line) ? [line.path] : []))])];
      expect(checkKilled(root, files, INITIAL)).toEqual([]);
      const before = journal(root).lines.length;
      await recover(root);
      expect(checkRecovered(root, files, INITIAL)).toEqual([]);
      expect(sameState(root, "pair/one.txt", "pair/two.txt")).toBe(true);
      recoveries += Number(journal(root).lines.length > before);
    }
    records += journal(root).lines.filter((line) => line.kind === "intent").length;
    remove();
  }
  await drivers.close();
  expect(records).toBeGreaterThan(RANDOM_KILLS);
  expect(recoveries).toBeGreaterThanOrEqual(LEAST_RECOVERIES);
  console.log(`${kill} kills, none torn and none unaudited: ${records} records, ${recoveries} transactions finished by recovery`);
});
