/** Turns of a caller's reads, by a clock of the test. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { CallPlace, TooManyCalls } from "../../../src/mcp/http/caller-limits.ts";
import { ReadTurns } from "../../../src/mcp/http/read-turns.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Names of the reads that have been let in, in their order, and of those that were refused. */
class Entrances {
  readonly turns: ReadTurns;
  readonly seen: string[] = [];
  readonly places = new Map<string, CallPlace>();

  constructor(turns: ReadTurns) {
    this.turns = turns;
  }

  async ask(caller: string, name: string): Promise<void> {
    void this.turns.enter(caller).then((entered: CallPlace | TooManyCalls) => {
      this.seen.push(entered.kind === "place" ? name : `${name}: ${entered.message}`);
      if (entered.kind === "place") this.places.set(name, entered);
    });
    await vi.advanceTimersByTimeAsync(0);
  }

  async leave(name: string): Promise<void> {
    this.places.get(name)?.leave();
    await vi.advanceTimersByTimeAsync(0);
  }
}

test("a caller has so many at once, others wait in their order, and further ones are refused; another caller has its own", async () => {
  const reads = new Entrances(new ReadTurns({ atOnce: 1, waiting: 2, mostRestMs: 0 }));
  for (const name of ["a1", "a2", "a3", "a4"]) await reads.ask("a", name);
  await reads.ask("b", "b1");
  const refused = "a4: this caller may have 3 reads of this kind under way; none of this one was done. Try again in 1 s";
  expect(reads.seen).toEqual(["a1", refused, "b1"]);
  await reads.leave("a1");
  await reads.leave("a1");
  expect(reads.seen.slice(3)).toEqual(["a2"]);
  await reads.leave("a2");
  expect(reads.seen.slice(4)).toEqual(["a3"]);
  await reads.leave("a3");
  await reads.leave("b1");
  expect(reads.turns.size).toBe(0);
});

test.each([
  { took: 40, rests: 40 },
  { took: 10_000, rests: 100 },
])("a place that was taken for $took ms rests for $rests ms", async ({ took, rests }) => {
  const reads = new Entrances(new ReadTurns({ atOnce: 1, waiting: 2, mostRestMs: 100 }));
  await reads.ask("a", "first");
  await vi.advanceTimersByTimeAsync(took);
  await reads.leave("first");
  await reads.ask("a", "second");
  await vi.advanceTimersByTimeAsync(rests - 1);
  expect(reads.seen).toEqual(["first"]);
  await vi.advanceTimersByTimeAsync(1);
  expect(reads.seen).toEqual(["first", "second"]);
});
