/** Limits per caller, by a clock of the test: what has a place, when the next has one, and that memory does not grow. */
import { describe, expect, test } from "vitest";
import { type CallPlace, CallerLimits, tooManyAnswer, type TooManyCalls } from "../../../src/mcp/http/caller-limits.ts";

const CALL = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "shelpa_pipe", arguments: { command: "ls" } } };

class Clock {
  nowMs = 1_000_000;
  readonly read = (): number => this.nowMs;
}

const place = (entered: CallPlace | TooManyCalls): CallPlace => {
  if (entered.kind !== "place") throw new Error(entered.message);
  return entered;
};
/** "place", or the seconds after which it should be tried again. */
const outcome = (entered: CallPlace | TooManyCalls): "place" | number => (entered.kind === "place" ? "place" : entered.retryAfterSeconds);

describe("calls at once", () => {
  test("a place that is given back is the next one's, and is given back once", () => {
    const limits = new CallerLimits({ callsAtOnce: 2 });
    const first = place(limits.enter("a", CALL));
    place(limits.enter("a", CALL));
    expect(outcome(limits.enter("a", CALL))).toBe(1);
    expect(outcome(limits.enter("b", CALL))).toBe("place");
    first.leave();
    first.leave();
    expect(outcome(limits.enter("a", CALL))).toBe("place");
    expect(outcome(limits.enter("a", CALL))).toBe(1);
  });
  test("what is refused takes no place, and none of the minute's calls", () => {
    const clock = new Clock();
    const limits = new CallerLimits({ callsAtOnce: 1, callsPerMinute: 3, nowMs: clock.read });
    const first = place(limits.enter("a", CALL));
    for (let number = 0; number < 10; number++) expect(outcome(limits.enter("a", CALL))).toBe(1);
    first.leave();
    place(limits.enter("a", CALL)).leave();
    place(limits.enter("a", CALL)).leave();
    expect(outcome(limits.enter("a", CALL))).toBe(20);
  });
});

describe("calls a minute", () => {
  test.each([
    { perMinute: 1, waits: 60 },
    { perMinute: 7, waits: 9 },
    { perMinute: 60, waits: 1 },
    { perMinute: 6000, waits: 1 },
  ])("$perMinute: after a minute's calls the next is taken when it is said, and not before", ({ perMinute, waits }) => {
    const clock = new Clock();
    const limits = new CallerLimits({ callsPerMinute: perMinute, nowMs: clock.read });
    for (let number = 0; number < perMinute; number++) place(limits.enter("a", CALL)).leave();
    expect(outcome(limits.enter("a", CALL))).toBe(waits);
    clock.nowMs += 60_000 / perMinute - 1;
    expect(outcome(limits.enter("a", CALL))).toBe(1);
    clock.nowMs += waits * 1000 - (60_000 / perMinute - 1);
    expect(outcome(limits.enter("a", CALL))).toBe("place");
  });
  test("a caller that keeps the pace is never refused, and one that was quiet for a day has a minute's calls", () => {
    const clock = new Clock();
    const limits = new CallerLimits({ callsPerMinute: 30, nowMs: clock.read });
    for (let number = 0; number < 30; number++) place(limits.enter("a", CALL)).leave();
    for (let number = 0; number < 100; number++) {
      clock.nowMs += 2000;
      place(limits.enter("a", CALL)).leave();
    }
    clock.nowMs += 86_400_000;
    for (let number = 0; number < 30; number++) place(limits.enter("a", CALL)).leave();
    expect(outcome(limits.enter("a", CALL))).toBe(2);
  });
});

test.each<readonly [string, unknown]>([
  ["a list", { jsonrpc: "2.0", id: 1, method: "tools/list" }],
  ["a notification", { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } }],
  ["an answer", { jsonrpc: "2.0", id: 1, result: {} }],
  ["nothing", undefined],
  ["null", null],
  ["text", "tools/call"],
  ["many", [CALL, CALL]],
])("%s does not count", (_, message) => {
  const limits = new CallerLimits({ callsAtOnce: 1, callsPerMinute: 1 });
  place(limits.enter("a", CALL));
  expect(outcome(limits.enter("a", message))).toBe("place");
  expect(outcome(limits.enter("b", message))).toBe("place");
  expect(limits.size).toBe(1);
});

test("without limits nobody is refused", () => {
  const limits = new CallerLimits({});
  for (let number = 0; number < 10_000; number++) expect(outcome(limits.enter("a", CALL))).toBe("place");
});

describe("a hundred thousand callers", () => {
  test("are not all remembered, and those with a call that runs are", () => {
    const clock = new Clock();
    const limits = new CallerLimits({ callsAtOnce: 1, callsPerMinute: 2, nowMs: clock.read });
    place(limits.enter("busy", CALL));
    for (let number = 0; number < 100_000; number++) {
      place(limits.enter(`c${number}`, CALL)).leave();
      clock.nowMs += 10;
    }
    expect(limits.size).toBeLessThanOrEqual(10_000);
    expect(outcome(limits.enter("busy", CALL))).toBe(1);
  });
  test("one that has made its calls is not forgotten for others that have nothing to be remembered for", () => {
    const clock = new Clock();
    const limits = new CallerLimits({ callsPerMinute: 2, nowMs: clock.read });
    for (let number = 0; number < 9_999; number++) place(limits.enter(`c${number}`, CALL)).leave();
    clock.nowMs += 59_000;
    place(limits.enter("greedy", CALL)).leave();
    place(limits.enter("greedy", CALL)).leave();
    clock.nowMs += 1000;
    place(limits.enter("new", CALL)).leave();
    expect(limits.size).toBe(2);
    expect(outcome(limits.enter("greedy", CALL))).toBe(29);
  });
});

test("the answer is 429 with the time to wait, and an error of the request", async () => {
  const limits = new CallerLimits({ callsAtOnce: 1 });
  place(limits.enter("a", CALL));
  const refused = limits.enter("a", CALL);
  if (refused.kind !== "too many") throw new Error("it has a place");
  const answer = tooManyAnswer(refused, 7);
  expect({ status: answer.status, retryAfter: answer.headers.get("retry-after"), body: await answer.json() }).toEqual({
    status: 429,
    retryAfter: "1",
    body: {
      jsonrpc: "2.0",
      id: 7,
      error: { code: -32000, message: "this caller may run one call at once; none of this one was done. Try again in 1 s" },
    },
  });
});
