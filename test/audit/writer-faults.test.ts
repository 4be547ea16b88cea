/**
 * Random lines of all writers with faults at random calls that change a file: the writer is stopped there, or the call fails. After
 * recovery the tree is the recorded one, each change is whole or not there, and the last line can be undone.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { createRecorder } from "../../src/audit/recorder.ts";
import { Shell } from "../../src/session/shell.ts";
import { Workspace } from "../../src/workspace/workspace.ts";
import { ALL_WRITERS, randomCommand, randomWriter } from "../builtins/writers/random-line.ts";
import { plant, randomTree } from "../builtins/writers/random-tree.ts";
import { treeState } from "../builtins/writers/tree-state.ts";
import { Dice } from "../fuzz/dice.ts";
import { stressRuns } from "../stress-settings.ts";
import { tree } from "../tree.ts";
import { installFaultLayer, systemError } from "./fault-layer.ts";
import { differencesOf, knownTree, lastCall, recordedTree, wrongAfterRecovery } from "./recorded-state.ts";

/** npm run stress -- writer-faults COUNT SEED. */
const FAULTS = stressRuns(25, 40);
const SEED = Number(process.env["SHELPA_STRESS_SEED"] ?? 1);
const KINDS = ["stop", "stop", "stop half-way", "ENOSPC", "EIO", "EACCES", "EDQUOT"] as const;

if (existsSync("/dev/shm")) process.env["TMPDIR"] = "/dev/shm";
const layer = installFaultLayer();
afterAll(() => layer.remove());

class Stopped extends Error {}

test(`${FAULTS} faults in random lines`, { timeout: 60_000 + FAULTS * 5_000 }, async () => {
  const dice = new Dice("writer faults", SEED);
  const hit: Record<string, number> = {};
  for (let faults = 0; faults < FAULTS; ) {
    const { path: root, remove } = tree([]);
    plant(root, randomTree(dice, 20));
    const initial = knownTree(root);
    for (let round = 0; round < 10 && faults < FAULTS; ) {
      const kind = dice.pick(KINDS);
      const line = randomLine(dice, root, faults * 100 + round);
      if (!(await faulted(dice, root, line, kind))) continue;
      round++;
      faults++;
      hit[kind] = (hit[kind] ?? 0) + 1;
      const at = `seed ${SEED}, fault ${faults}: ${kind}: ${line}`;
      recover(root);
      // The outcome that a living process could not write is left for the next write.
      if (kind.startsWith("E")) await run(root, `echo ${faults} | tee afterwards`);
      expect(wrongAfterRecovery(root, initial), at).toEqual([]);
      expect(await wrongAfterUndo(root, initial), at).toEqual([]);
    }
    remove();
  }
  console.log(`seed ${SEED}: ${FAULTS} faults: ${JSON.stringify(hit)}`);
});

function randomLine(dice: Dice, root: string, number: number): string {
  const context = { dice, root, state: treeState(root), number };
  return dice.some(1, 2, () => randomCommand(randomWriter(context, ALL_WRITERS), context)).join("; ");
}

/** Runs the line with the fault. False where the call never came. */
async function faulted(dice: Dice, root: string, line: string, kind: (typeof KINDS)[number]): Promise<boolean> {
  layer.arm(1 + dice.below(40), (real, args, name) => {
    // A lock that cannot be removed holds until this process ends.
    if (name === "unlinkSync" && String(args[0]).endsWith("/lock") && kind.startsWith("E")) return real(...args);
    const bytes = args[1] as Uint8Array;
    if (name === "writeSync" && kind !== "stop") real(args[0], bytes, 0, dice.below(bytes.length + 1));
    if (kind.startsWith("E")) throw systemError(kind);
    layer.dead = new Stopped();
    throw layer.dead;
  });
  try {
    await run(root, line);
  } catch (thrown) {
    if (!(thrown instanceof Stopped)) throw thrown;
  }
  const { fired } = layer;
  layer.dead = undefined;
  layer.disarm();
  return fired;
}

async function run(root: string, line: string): Promise<string> {
  const shell = await Shell.open({ root, isolation: "none", redirects: "record" });
  try {
    const { result, stderr } = await shell.defaultSession.run(line);
    return result.kind === "completed" && result.exit === 0 ? "" : `${stderr.toString()}${JSON.stringify(result)}`;
  } finally {
    await shell.close();
  }
}

/** As the next server does, once the process that was stopped is gone. */
function recover(root: string): void {
  const lock = `${root}/.shelpa/@/lock`;
  if (existsSync(lock)) {
    const text = readFileSync(lock, "utf8");
    // A lock whose making was cut short holds nothing to take over, and is waited out: here it is put aside.
    if (isWhole(text)) writeFileSync(lock, text.replace(/"pid":\d+/, '"pid":999999999'));
    else rmSync(lock);
  }
  const workspace = Workspace.open(root);
  createRecorder(workspace, { session: "s", client: "test", line: "", confirmOversize: false }).edit("").abort();
  workspace.close();
}

function isWhole(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

async function wrongAfterUndo(root: string, initial: ReturnType<typeof knownTree>): Promise<readonly string[]> {
  const call = lastCall(root);
  if (call === undefined) return [];
  const wanted = recordedTree(root, initial, call);
  const said = await run(root, `undo ${call}`);
  return said === "" ? differencesOf(knownTree(root), wanted) : [said];
}
