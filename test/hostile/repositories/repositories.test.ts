/**
 * Hostile repositories × the ways to use the tool in one: nothing outside changes or is read or shown, no program runs,
 * nothing is left behind, and the server goes on serving. `npm run stress -- repositories`: every tree × every door.
 */
import { afterAll, describe, expect, test } from "vitest";
import { extent } from "../../extent.ts";
import { stressRuns } from "../../stress-settings.ts";
import { tryStdio } from "./stdio-door.ts";
import { COMMAND_DOORS, type CommandDoor, tryCommand } from "./command-doors.ts";
import { GuardedPlace } from "./guarded-place.ts";
import { Lanes } from "./lanes.ts";
import { TREES } from "./trees.ts";

const isWhole = stressRuns(0, 0) > 0;
/** Choice of the trees and doors that have their turn in the short form; `npm run stress -- repositories` takes all. */
const shift = Number(process.env["SHELPA_STRESS_SEED"] ?? 0);
const total = { trees: 0, doors: 0, problems: 0, longestHoldMs: 0, longestPingMs: 0 };

/** Trees that are always tried: each was once a way out, or a hold of the whole server. */
const ALWAYS = /^(records-open|lock|policy|git-(bare|nearly))/;
/** Trees that are made for `init`, which costs little. */
const OF_INIT = /^(client|link)/;
/** One tree in so many has its turn; and of the commands' trees one in so many. */
const TREES_A_TURN = extent(12, 6);
const COMMAND_TREES_A_TURN = extent(3, 2);
const turns = TREES.map((tree, at) => ({ tree, turn: at + shift }));
const hasTurn = ({ tree, turn }: (typeof turns)[number]): boolean => isWhole || ALWAYS.test(tree.id) || turn % TREES_A_TURN === 0;

/** Trees at a time: a process of ours and one of the server's for each. */
const lanes = new Lanes(3);

test("the trees have names of their own", () => {
  expect(TREES.length).toBeGreaterThan(120);
  expect(new Set(TREES.map(({ id }) => id)).size).toBe(TREES.length);
});

describe.concurrent("lines over stdio", () => {
  const rows = turns
    .filter((row) => hasTurn(row) && (isWhole || !row.tree.id.startsWith("client")))
    .map(({ tree, turn }) => [tree.id, tree, turn] as const);
  test.for(rows)("%s", { timeout: 900_000 }, async ([, tree, turn], { expect }) => {
    const { problems, doors, heldMs, pingMs } = await lanes.run(() => tryStdio(tree, isWhole ? { isWhole } : { isWhole, turn }));
    total.trees++;
    total.doors += doors;
    total.problems += problems.length;
    total.longestHoldMs = Math.max(total.longestHoldMs, heldMs);
    total.longestPingMs = Math.max(total.longestPingMs, pingMs);
    expect(problems, [tree.note, ...problems].join("\n")).toEqual([]);
  });
});

describe.concurrent("commands", () => {
  const rows = turns
    .filter((row) => hasTurn(row) || OF_INIT.test(row.tree.id))
    .filter(({ turn }) => isWhole || turn % COMMAND_TREES_A_TURN === 0)
    .map(({ tree, turn }) => [tree.id, tree, turn] as const);
  test.for(rows)("%s", { timeout: 900_000 }, async ([, tree, turn], { expect }) => {
    const problems = await lanes.run(async () => {
      const guarded = new GuardedPlace(tree);
      try {
        const found: string[] = [];
        for (const door of isWhole ? COMMAND_DOORS : doorsFor(tree.id, turn)) {
          total.doors++;
          found.push(...(await tryCommand(door, guarded)));
        }
        return found;
      } finally {
        guarded.remove();
      }
    });
    total.problems += problems.length;
    expect(problems, [tree.note, ...problems].join("\n")).toEqual([]);
  });
});

/** In the short form: one door of those that have to do with the tree's kind. */
function doorsFor(id: string, turn: number): readonly CommandDoor[] {
  const wanted = OF_INIT.test(id) ? /^init$/ : /^(records|lock)/.test(id) ? /^(audit|viewer)/ : /./;
  const doors = COMMAND_DOORS.filter(({ name }) => wanted.test(name));
  return doors.filter((_, at) => at === turn % doors.length);
}

afterAll(() => {
  if (isWhole) console.log(total);
});
