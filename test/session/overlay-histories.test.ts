/**
 * Random lines of all writers in an overlay and on a copy of its root: each says the same, leaves the same tree, and the root is untouched
 * until `apply`, which makes it the copy's; one undo takes that back. SHELPA_STRESS_RUNS: number of histories.
 */
import { execFileSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { expect, test } from "vitest";
import { FileError } from "../../src/workspace/file-error.ts";
import type { Session } from "../../src/session/session.ts";
import { Shell } from "../../src/session/shell.ts";
import { Dice } from "../fuzz/dice.ts";
import { stressRuns } from "../stress-settings.ts";
import { tree } from "../tree.ts";
import { ALL_WRITERS, randomCommand, randomWriter } from "../builtins/writers/random-line.ts";
import { plant, randomTree } from "../builtins/writers/random-tree.ts";
import { changedPaths, treeState, type TreeState } from "../builtins/writers/tree-state.ts";

/** npm run stress -- overlays COUNT SEED. */
const SEEDS = stressRuns(30, 40);
const FIRST_SEED = Number(process.env["SHELPA_STRESS_SEED"] ?? 1);
const STEPS = 6;
const OPTIONS = { isolation: "none", redirects: "record", timeZone: "UTC" } as const;

// What is compared are trees, not the disk.
if (existsSync("/dev/shm")) process.env["TMPDIR"] = "/dev/shm";

/** Kind, mode, path and text of a link of every name. */
const LISTING = "find . -mindepth 1 -printf '%y %m %s %p %l\\0' | sort -z";

/**
 * All that a line says, without what no two lines have in common: the numbers of records, and the order of names in a directory, which is the
 * file system's.
 */
async function said(session: Session, line: string): Promise<string> {
  const { result, stdout, stderr } = await session.run(line);
  const how =
    result.kind === "refused"
      ? result.violations.map(({ reason, detail }) => `${reason} ${detail}`).join("\n")
      : result.kind === "completed"
        ? String(result.exit)
        : JSON.stringify(result);
  const printed = `${stdout.toString("latin1")}\n${stderr.toString("latin1")}`.split("\n").sort().join("\n");
  return `${how}\n${printed}`.replaceAll(/\d{12,}/g, "N");
}

const differences = (a: TreeState, b: TreeState): readonly unknown[] =>
  changedPaths(a, b).map((path) => [path, a.get(path)?.text, b.get(path)?.text]);

/** A name that is a directory on one side and something else on the other. */
const hasSwapped = (a: TreeState, b: TreeState): boolean =>
  [...a].some(([path, { kind }]) => b.has(path) && (kind === "directory") !== (b.get(path)?.kind === "directory"));

interface Counts {
  changed: number;
  applied: number;
  refused: number;
}

async function history(seed: number, root: string, copy: string, counts: Counts): Promise<void> {
  const dice = new Dice("overlays", seed);
  plant(root, randomTree(dice, 14));
  execFileSync("cp", ["-a", root, copy]);
  const initial = treeState(root);
  const overlay = await Shell.open({ root, overlay: true, ...OPTIONS });
  const plain = await Shell.open({ root: copy, ...OPTIONS });
  try {
    for (let number = 0; number < STEPS; number++) {
      const context = { dice, root: copy, state: treeState(copy), number };
      const line = dice.chance(15) ? "undo" : randomCommand(randomWriter(context, ALL_WRITERS), context);
      const [ours, theirs] = [await said(overlay.defaultSession, line), await said(plain.defaultSession, line)];
      expect(ours, line).toBe(theirs);
      expect(await said(overlay.defaultSession, LISTING), line).toBe(await said(plain.defaultSession, LISTING));
    }
    const wanted = treeState(copy);
    for (const [path, content] of await overlay.files())
      expect([path, wanted.get(path)?.text.replace(/^\d+ /, "")]).toEqual([path, JSON.stringify(content.toString("latin1"))]);
    expect([...treeState(root)]).toEqual([...initial]);
    const changes = await overlay.changes();
    const named = changes.filter(({ change }) => change !== "attributes").map(({ path }) => path);
    expect(changedPaths(initial, wanted)).toEqual(expect.arrayContaining(named.filter((path) => wanted.get(path)?.kind !== "symlink")));
    expect(changes.map(({ path }) => path)).toEqual(expect.arrayContaining([...changedPaths(initial, wanted)]));
    if (changes.length > 0) counts.changed++;
    if (dice.chance(30)) return await discarded(overlay, initial, root);
    await applied(overlay, { initial, wanted, root }, counts);
  } finally {
    await overlay.close();
    await plain.close();
  }
}

async function discarded(overlay: Shell, initial: TreeState, root: string): Promise<void> {
  await overlay.discard();
  expect(await overlay.changes()).toEqual([]);
  expect([...treeState(root)]).toEqual([...initial]);
}

interface Trees {
  readonly initial: TreeState;
  readonly wanted: TreeState;
  readonly root: string;
}

async function applied(overlay: Shell, { initial, wanted, root }: Trees, counts: Counts): Promise<void> {
  const changes = await overlay.changes();
  try {
    const receipts = await overlay.apply();
    counts.applied++;
    expect(receipts.length > 0).toBe(changes.length > 0);
    expect(differences(treeState(root), wanted)).toEqual([]);
    expect(await overlay.changes()).toEqual([]);
    const [first] = receipts;
    if (first === undefined) return;
    const back = await Shell.open({ root, ...OPTIONS });
    expect(await said(back.defaultSession, `undo ${first.recordId}`)).toMatch(/^0\n/);
    await back.close();
  } catch (thrown) {
    // One command cannot make a directory of a file.
    if (!(thrown instanceof FileError) || !hasSwapped(initial, wanted)) throw thrown;
    counts.refused++;
  }
  expect(differences(treeState(root), initial)).toEqual([]);
}

test(`${SEEDS} histories of ${STEPS} lines`, { timeout: 60_000 + SEEDS * 5_000 }, async () => {
  const counts: Counts = { changed: 0, applied: 0, refused: 0 };
  const wrong: string[] = [];
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS && wrong.length < 5; seed++) {
    const { path: place, remove } = tree(["root/"]);
    try {
      await history(seed, `${place}/root`, `${place}/copy`, counts);
    } catch (thrown) {
      wrong.push(`seed ${seed}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    } finally {
      remove();
      rmSync(place, { recursive: true, force: true });
    }
  }
  console.log(`${SEEDS} seeds from ${FIRST_SEED}: ${JSON.stringify(counts)}`);
  expect(wrong).toEqual([]);
  expect(counts.changed).toBeGreaterThan(SEEDS / 2);
  expect(counts.applied).toBeGreaterThan(SEEDS / 2);
});
