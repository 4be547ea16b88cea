/**
 * Hostile repositories × the ways to use the tool in one: nothing outside changes or is read or shown, no program runs,
 * nothing is left behind, and the server goes on serving. `npm run stress -- repositories`: every tree × every door.
 */
import { afterAll, describe, expect, test } from "vitest";
import { stressRuns } from "../../stress-settings.ts";
import { tryStdio } from "./stdio-door.ts";
import { Lanes } from "./lanes.ts";
import { TREES } from "./trees.ts";

const isWhole = stressRuns(0) > 0;
const total = { trees: 0, doors: 0, effects: 0, heldMs: 0, pingMs: 0 };

test("the trees have names of their own", () => {
  expect(TREES.length).toBeGreaterThan(120);
  expect(new Set(TREES.map(({ id }) => id)).size).toBe(TREES.length);
});

/** Trees at a time: a process of ours and one of the server's for each. */
const lanes = new Lanes(3);

describe.concurrent("lines over stdio", () => {
  test.for(TREES.map((tree, turn) => [tree.id, tree, turn] as const))("%s", { timeout: 600_000 }, async ([, tree, turn], { expect }) => {
    const { problems, doors, heldMs, pingMs } = await lanes.run(() => tryStdio(tree, isWhole ? { isWhole } : { isWhole, turn }));
    total.trees++;
    total.doors += doors;
    total.effects += problems.length;
    total.heldMs = Math.max(total.heldMs, heldMs);
    total.pingMs = Math.max(total.pingMs, pingMs);
    expect(problems, [tree.note, ...problems].join("\n")).toEqual([]);
  });
});

afterAll(() => console.log(total));
