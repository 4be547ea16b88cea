/** The answer of /readyz for what the server is in. */
import { expect, test } from "vitest";
import { readiness, type ReadinessFacts } from "../../../src/mcp/http/readiness.ts";

test.each<{ readonly name: string; readonly facts: Partial<ReadinessFacts>; readonly queued: number; readonly answer: object }>([
  { name: "all well", facts: {}, queued: 63, answer: { status: 200, body: "ready\n" } },
  { name: "a root that is there", facts: { rootProblem: () => undefined }, queued: 0, answer: { status: 200, body: "ready\n" } },
  { name: "a full queue", facts: {}, queued: 64, answer: { status: 503, body: "as many calls wait as may: 64\n" } },
  { name: "no queue", facts: { mostQueuedCalls: 1 }, queued: 0, answer: { status: 200, body: "ready\n" } },
  { name: "going down", facts: { isGoingDown: true }, queued: 0, answer: { status: 503, body: "the server is going down\n" } },
  {
    name: "everything at once, a reason a line",
    facts: { isGoingDown: true, rootProblem: () => "the root is gone" },
    queued: 70,
    answer: { status: 503, body: "the server is going down\nas many calls wait as may: 64\nthe root is gone\n" },
  },
])("$name", ({ facts, queued, answer }) => {
  expect(readiness({ isGoingDown: false, gauges: { queuedCalls: () => queued }, mostQueuedCalls: 64, ...facts })).toEqual(answer);
});
