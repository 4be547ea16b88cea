/**
 * Random lines of all writers over random trees, then undone: in reverse order each state comes back, name by name, byte for byte and
 * mode for mode; in random order each undo is right or refused, and a refusal changes nothing. SHELPA_STRESS_STEPS: lines of a history.
 */
import { execFileSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { expect, test } from "vitest";
import { verifyAudit } from "../../../src/audit/verify.ts";
import { writeRecords } from "../../../src/audit/write-records.ts";
import { Shell } from "../../../src/session/shell.ts";
import { Workspace } from "../../../src/workspace/workspace.ts";
import { Dice } from "../../fuzz/dice.ts";
import { stressRuns } from "../../stress-settings.ts";
import { tree } from "../../tree.ts";
import { ALL_WRITERS, randomCommand, randomWriter } from "./random-line.ts";
import { plant, randomTree } from "./random-tree.ts";
import { changedPaths, treeState, type TreeState } from "./tree-state.ts";

/** npm run stress -- histories COUNT SEED. */
const SEEDS = stressRuns(4, 10);
const FIRST_SEED = Number(process.env["SHELPA_STRESS_SEED"] ?? 1);
const STEPS = Number(process.env["SHELPA_STRESS_STEPS"] ?? 25);
/** npm run build first. */
const ISOLATION = process.env["SHELPA_STRESS_ISOLATION"] === "process" ? "process" : "none";

// What is compared are trees, not the disk.
if (existsSync("/dev/shm")) process.env["TMPDIR"] = "/dev/shm";

/** One line that changed something. */
interface Step {
  readonly line: string;
  readonly record: string;
  readonly before: TreeState;
  readonly after: TreeState;
}

interface Answer {
  readonly exit: number;
  readonly said: string;
  readonly record: string | undefined;
}

class Place {
  readonly root: string;
  readonly #shell: Shell;

  private constructor(root: string, shell: Shell) {
    this.root = root;
    this.#shell = shell;
  }

  static async open(root: string): Promise<Place> {
    return new Place(root, await Shell.open({ root, redirects: "record", timeZone: "UTC", isolation: ISOLATION }));
  }

  async run(line: string): Promise<Answer> {
    const { result, stdout, stderr } = await this.#shell.defaultSession.run(line);
    if (result.kind === "refused") {
      // What earlier commands of the line wrote stays, and is told with its record.
      const said = result.violations.map(({ detail }) => detail).join("\n");
      return { exit: 2, said, record: /Written before that, and kept: .*\(record (\d+)\)/.exec(said)?.[1] };
    }
    if (result.kind !== "completed") throw new Error(`${line}: ${JSON.stringify(result)}`);
    return { exit: result.exit, said: `${stderr.toString()}${stdout.toString()}`, record: result.receipts[0]?.recordId };
  }

  async close(): Promise<void> {
    await this.#shell.close();
  }
}

/** Runs random lines and gives those that changed something. */
async function history(place: Place, dice: Dice, counts: Counts): Promise<readonly Step[]> {
  const steps: Step[] = [];
  let before = treeState(place.root);
  for (let number = 0; number < STEPS; number++) {
    const context = { dice, root: place.root, state: before, number };
    const commands = dice.some(1, dice.chance(20) ? 3 : 1, () => randomCommand(randomWriter(context, ALL_WRITERS), context));
    const line = commands.join("; ");
    const { record, said } = await place.run(line);
    const after = treeState(place.root);
    counts.lines++;
    const changed = changedPaths(before, after);
    if (record === undefined) expect(changed, `${line}\n${said}: changed without a record`).toEqual([]);
    else steps.push({ line, record, before, after });
    before = after;
  }
  return steps;
}

/** Kinds of endings, over all seeds. */
class Counts {
  lines = 0;
  writes = 0;
  reversed = 0;
  undone = 0;
  refused = 0;
  /** Of the others: a directory that the line had made stays, because of what it holds since. */
  held = 0;
  already = 0;
  /** Refused although nothing that the line had changed was touched since, by the message. */
  readonly unwilling = new Map<string, number>();
}

test(`${SEEDS} histories of ${STEPS} lines, undone in reverse and in random order`, {
  timeout: 60_000 + SEEDS * STEPS * 2_000,
}, async () => {
  const counts = new Counts();
  const wrong: string[] = [];
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS && wrong.length < 10; seed++) {
    const dice = new Dice("histories", seed);
    const { path: root, remove } = tree([]);
    const copy = `${root}-copy`;
    try {
      plant(root, randomTree(dice, 14));
      const place = await Place.open(root);
      const steps = await history(place, dice, counts);
      counts.writes += steps.length;
      execFileSync("cp", ["-a", root, copy]);
      await (seed % 2 === 0 ? backStepByStep : inReverse)(place, steps, `seed ${seed}`, counts);
      await place.close();
      const other = await Place.open(copy);
      await inRandomOrder(other, steps, dice, `seed ${seed}`, counts);
      await other.close();
      for (const each of [root, copy]) expect(findings(each), `seed ${seed}`).toEqual([]);
    } catch (thrown) {
      wrong.push(`seed ${seed}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    } finally {
      remove();
      rmSync(copy, { recursive: true, force: true });
    }
    if (SEEDS > 20) console.log(`seed ${seed}: ${JSON.stringify({ ...counts, unwilling: [...counts.unwilling] })}`);
  }
  console.log(`${SEEDS} seeds from ${FIRST_SEED}: ${JSON.stringify({ ...counts, unwilling: [...counts.unwilling] })}`);
  expect(wrong).toEqual([]);
  expect(counts.writes).toBeGreaterThan(SEEDS);
});

/** Undoes until nothing is left to take back: each undo goes to the state before a step, and passes over those that changed nothing. */
async function backStepByStep(place: Place, steps: readonly Step[], seed: string, counts: Counts): Promise<void> {
  let left = [...steps];
  for (;;) {
    const { exit, said } = await place.run("undo");
    const at = `${seed}: ${left.length} left\n${said}`;
    if (said.includes("all changes of this session are taken back") || said.includes("already")) break;
    expect([exit, said.includes("has changed since")], at).toEqual([0, false]);
    const now = treeState(place.root);
    const before = left.findLastIndex((step) => differences(now, step.before).length === 0);
    expect(before, at).toBeGreaterThanOrEqual(0);
    for (const step of left.slice(before + 1)) expect(differences(step.after, step.before), `${at}${step.line}`).toEqual([]);
    left = left.slice(0, before);
    counts.reversed++;
  }
  for (const step of left) expect(differences(step.after, step.before), `${seed}: ${step.line}`).toEqual([]);
}

async function inReverse(place: Place, steps: readonly Step[], seed: string, counts: Counts): Promise<void> {
  const timed = timedPaths(place.root);
  for (const { line, record, before } of [...steps].reverse()) {
    const { exit, said } = await place.run(`undo ${record}`);
    const now = treeState(place.root);
    const at = `${seed}: ${line}\n${said}`;
    expect(differences(now, before), at).toEqual([]);
    expect([exit, said.includes("has changed since"), said.includes("stays")], at).toEqual([0, false, false]);
    // Of several commands a later one may meet the time that an earlier one has set.
    for (const path of line.includes("; ") ? [] : (timed.get(record) ?? []))
      expect([path, now.get(path)?.modifiedUs], at).toEqual([path, before.get(path)?.modifiedUs]);
    counts.reversed++;
  }
}

async function inRandomOrder(place: Place, steps: readonly Step[], dice: Dice, seed: string, counts: Counts): Promise<void> {
  const left = [...steps];
  while (left.length > 0) {
    const [step] = left.splice(dice.below(left.length), 1) as [Step];
    const before = treeState(place.root);
    const { exit, said, record } = await place.run(`undo ${step.record}`);
    const now = treeState(place.root);
    const at = `${seed}: undo in random order of ${step.line}\n${said}`;
    if (said.includes("stays: it holds")) counts.held++;
    if (record === undefined) {
      expect(differences(now, before), at).toEqual([]);
      countUnchanged(step, before, { exit, said, record }, at, counts);
      continue;
    }
    counts.undone++;
    expect(exit, at).toBe(0);
    checkUndone(step, before, now, said, at);
    if (!dice.chance(30)) continue;
    // A redo.
    const redone = await place.run(`undo ${record}`);
    expect(differences(treeState(place.root), before), `${at}redo: ${redone.said}`).toEqual([]);
  }
}

/** Checks an undo that changed nothing: it says why. */
function countUnchanged(step: Step, now: TreeState, { exit, said }: Answer, at: string, counts: Counts): void {
  expect(said, at).not.toBe("");
  const changed = changedPaths(step.before, step.after);
  if (said.includes("already")) {
    counts.already++;
    for (const path of changed)
      if (!isHeld(path, step, now, said)) expect([path, now.get(path)?.text], at).toEqual([path, wantedText(path, step, now)]);
    return;
  }
  expect(exit, at).not.toBe(0);
  counts.refused++;
  const isUntouched = changed.every((path) => now.get(path)?.text === step.after.get(path)?.text);
  if (!isUntouched || said.includes("stays")) return;
  const [first = ""] = said.split("\n");
  const why = first.replace(/^undo: .*(?=: | has changed| stays)/, "undo: …").replaceAll(/'[^']*'|\S*\d+\S*/g, "…");
  counts.unwilling.set(why, (counts.unwilling.get(why) ?? 0) + 1);
}

/** Each name that changed went from the state after the line to the one before it, and each that the line had changed is as before it. */
function checkUndone(step: Step, before: TreeState, now: TreeState, said: string, at: string): void {
  for (const path of changedPaths(before, now)) {
    const [from, to] = [before.get(path)?.text, now.get(path)?.text];
    if (from === wantedText(path, step, before, "after") && to === wantedText(path, step, before)) continue;
    // A directory on the way to what came back, which a later line had removed.
    const isOnTheWay =
      from === undefined && now.get(path)?.kind === "directory" && [...step.before.keys()].some((name) => name.startsWith(`${path}/`));
    expect(isOnTheWay, `${at}${path}: ${from} became ${to}, ${step.after.get(path)?.text} was ${step.before.get(path)?.text}`).toBe(true);
  }
  for (const path of changedPaths(step.before, step.after)) {
    if (!isHeld(path, step, now, said)) expect([path, now.get(path)?.text], at).toEqual([path, wantedText(path, step, now)]);
  }
}

/** The file before or after the line, with the permission bits of `now` where the line did not change them: somebody else has. */
function wantedText(path: string, step: Step, now: TreeState, when: "before" | "after" = "before"): string | undefined {
  const states = [step.before, step.after, now].map((tree) => tree.get(path));
  const [before, after, its] = states.map((state) => /^(\d+) ([^]*)$/.exec(state?.kind === "file" ? state.text : ""));
  const isKept = before && after && its && before[1] === after[1];
  return isKept ? `${its[1]} ${(when === "before" ? before : after)[2]}` : step[when].get(path)?.text;
}

/** A directory that the line made and that holds what came later. */
const isHeld = (path: string, step: Step, now: TreeState, said: string): boolean =>
  said.includes("stays: it holds") && step.before.get(path) === undefined && now.get(path)?.kind === "directory";

const differences = (now: TreeState, wanted: TreeState): readonly unknown[] =>
  changedPaths(now, wanted).map((path) => [path, { now: now.get(path)?.text, wanted: wanted.get(path)?.text }]);

/** Files and directories of which the time before was recorded, by the first record of their line. */
function timedPaths(root: string): ReadonlyMap<string, readonly string[]> {
  const workspace = Workspace.open(root);
  try {
    const paths = new Map<string, string[]>();
    for (const { call, path, old, result } of writeRecords(workspace.writer())) {
      if (result !== "done" || (old?.kind !== "file" && old?.kind !== "directory")) continue;
      paths.set(call, [...(paths.get(call) ?? []), path]);
    }
    return paths;
  } finally {
    workspace.close();
  }
}

function findings(root: string): readonly unknown[] {
  const workspace = Workspace.open(root);
  try {
    return verifyAudit(workspace).findings.filter(({ severity, code }) => severity === "error" || code === "LEFTOVER");
  } finally {
    workspace.close();
  }
}
