/** Turns and processes that workspaces share: nobody starves, nobody gets another's process, and idle ones end. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ExecutorPool, type Entry, type PoolLimits, type PooledProcess, type PoolMember } from "../../src/exec/executor-pool.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const LIMITS: PoolLimits = { running: 2, processes: 2, isShared: false, hasCallers: false, waiting: 100, idleMs: 1000 };

class FakeProcess implements PooledProcess {
  alive = true;
  residentBytes: number | undefined;
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  end(): void {
    this.alive = false;
  }
}

const member = (pool: ExecutorPool, running = 2, waiting = 100): PoolMember<FakeProcess> => pool.join<FakeProcess>({ running, waiting });

/** Enters, and notes the name in `order` when that has happened. */
function enter(
  from: PoolMember<FakeProcess>,
  name: string,
  order: string[],
  {
    signal = new AbortController().signal,
    deadlineMs = Infinity,
    caller,
  }: { readonly signal?: AbortSignal; readonly deadlineMs?: number; readonly caller?: string } = {},
): Promise<Entry> {
  return from.enter(signal, deadlineMs, caller).then((entry) => {
    order.push(entry === "entered" ? name : `${name} ${entry}`);
    return entry;
  });
}

const settled = (): Promise<void> => vi.advanceTimersByTimeAsync(0).then(() => undefined);

describe("turns", () => {
  test("go round the workspaces that wait, not along the calls", async () => {
    const pool = new ExecutorPool({ ...LIMITS, running: 1 });
    const [flood, other] = [member(pool), member(pool)];
    const order: string[] = [];
    for (const name of ["f1", "f2", "f3", "f4"]) void enter(flood, name, order);
    void enter(other, "o1", order);
    await settled();
    for (const leaving of [flood, flood, other, flood]) {
      leaving.leave();
      await settled();
    }
    expect(order).toEqual(["f1", "f2", "o1", "f3", "f4"]);
  });

  test("where they are shared, one is left free, and while others are active a workspace has but its part", async () => {
    const pool = new ExecutorPool({ ...LIMITS, running: 4, isShared: true });
    const [flood, other] = [member(pool, 8), member(pool, 8)];
    const order: string[] = [];
    for (const name of ["f1", "f2", "f3", "f4", "f5", "f6"]) void enter(flood, name, order);
    await settled();
    expect(order).toEqual(["f1", "f2", "f3"]);
    void enter(other, "o1", order);
    await settled();
    expect(order).toEqual(["f1", "f2", "f3", "o1"]);
    for (const leaving of [flood, flood, other]) leaving.leave();
    await settled();
    expect([order, pool.running, pool.queued]).toEqual([["f1", "f2", "f3", "o1"], 1, 3]);
    // The other has been quiet for long: the next call that arrives finds it so.
    await vi.advanceTimersByTimeAsync(1100);
    void enter(flood, "f7", order);
    flood.leave();
    await settled();
    expect(order).toEqual(["f1", "f2", "f3", "o1", "f4", "f5", "f6"]);
  });

  test("a caller leaves one free as well, in however many workspaces, and another's call goes before its own", async () => {
    const pool = new ExecutorPool({ ...LIMITS, running: 4, isShared: true, hasCallers: true });
    const [first, second, third] = [member(pool, 8), member(pool, 8), member(pool, 8)];
    const order: string[] = [];
    for (const name of ["a1", "a2", "a3"]) void enter(first, name, order, { caller: "a" });
    for (const name of ["a4", "a5"]) void enter(second, name, order, { caller: "a" });
    await settled();
    expect(order).toEqual(["a1", "a2", "a3"]);
    void enter(second, "b1", order, { caller: "b" });
    await settled();
    expect(order).toEqual(["a1", "a2", "a3", "b1"]);
    first.leave("a");
    second.leave("b");
    await settled();
    // Three workspaces and three callers are active: each has one.
    void enter(third, "c1", order, { caller: "c" });
    await settled();
    expect([order, pool.running, pool.queued]).toEqual([["a1", "a2", "a3", "b1", "c1"], 3, 2]);
    for (const leaving of [first, first]) leaving.leave("a");
    await settled();
    expect([order, pool.running, pool.queued]).toEqual([["a1", "a2", "a3", "b1", "c1", "a4"], 2, 1]);
  });

  test("where there are no callers to tell apart, one that makes all calls has all places but one workspace's", async () => {
    const pool = new ExecutorPool({ ...LIMITS, running: 4, isShared: true });
    const order: string[] = [];
    for (const name of ["a", "b", "c", "d"]) void enter(member(pool), name, order, { caller: "the only one" });
    await settled();
    expect(order).toEqual(["a", "b", "c", "d"]);
  });

  test("a workspace with a long queue pauses after each call while another is active, and the place is free meanwhile", async () => {
    const pool = new ExecutorPool({ ...LIMITS, running: 2, isShared: true });
    const [flood, other] = [member(pool), member(pool)];
    const order: string[] = [];
    for (let call = 1; call <= 19; call++) void enter(flood, `f${call}`, order);
    await settled();
    flood.leave();
    await settled();
    // Nobody else is active.
    expect(order).toEqual(["f1", "f2"]);
    void enter(other, "o1", order);
    await settled();
    flood.leave();
    await vi.advanceTimersByTimeAsync(19);
    expect([order, pool.running]).toEqual([["f1", "f2", "o1"], 1]);
    await vi.advanceTimersByTimeAsync(1);
    expect([order, pool.running]).toEqual([["f1", "f2", "o1", "f3"], 2]);
    // 16 wait.
    flood.leave();
    await settled();
    expect(order).toEqual(["f1", "f2", "o1", "f3", "f4"]);
  });

  test("a workspace's own limit holds where the pool has room", async () => {
    const pool = new ExecutorPool({ ...LIMITS, running: 8 });
    const one = member(pool, 1, 1);
    const order: string[] = [];
    for (const name of ["a", "b", "c"]) void enter(one, name, order);
    await settled();
    expect(order).toEqual(["a", "c full"]);
  });

  test("where all the queue is taken, the last call of the longest gives way", async () => {
    const pool = new ExecutorPool({ ...LIMITS, running: 1, waiting: 3 });
    const [flood, other] = [member(pool), member(pool)];
    const order: string[] = [];
    for (const name of ["f1", "f2", "f3", "f4", "f5"]) void enter(flood, name, order);
    await settled();
    void enter(other, "o1", order);
    await settled();
    expect(order).toEqual(["f1", "f5 full", "f4 full"]);
    flood.leave();
    await settled();
    flood.leave();
    await settled();
    expect(order).toEqual(["f1", "f5 full", "f4 full", "f2", "o1"]);
  });

  test("a call that is cancelled or late leaves the queue, and its turn is the next one's", async () => {
    const pool = new ExecutorPool({ ...LIMITS, running: 1 });
    const one = member(pool);
    const order: string[] = [];
    const cancel = new AbortController();
    void enter(one, "a", order);
    void enter(one, "b", order, { signal: cancel.signal });
    void enter(one, "c", order, { deadlineMs: performance.now() + 50 });
    void enter(one, "d", order);
    cancel.abort();
    await vi.advanceTimersByTimeAsync(60);
    expect(order).toEqual(["a", "b cancelled", "c late"]);
    one.leave();
    await settled();
    expect(order).toEqual(["a", "b cancelled", "c late", "d"]);
    expect(await one.enter(AbortSignal.abort(), Infinity)).toBe("cancelled");
  });
});

describe("processes", () => {
  test("are taken by their own workspace alone, the one used last first, dead ones never", () => {
    const pool = new ExecutorPool({ ...LIMITS, processes: 4 });
    const [one, other] = [member(pool), member(pool)];
    const [a, b, c] = ["a", "b", "c"].map((name) => new FakeProcess(name)) as [FakeProcess, FakeProcess, FakeProcess];
    for (const process of [a, b, c]) {
      one.add(process);
      one.keep(process);
    }
    expect(other.take()).toBeUndefined();
    c.alive = false;
    expect(one.take()).toBe(b);
    expect(pool.executors).toEqual({ busy: 1, idle: 1 });
  });

  test("an idle one, of whichever workspace, ends for a new one", () => {
    const pool = new ExecutorPool(LIMITS);
    const [one, other] = [member(pool), member(pool)];
    const [a, b, c] = ["a", "b", "c"].map((name) => new FakeProcess(name)) as [FakeProcess, FakeProcess, FakeProcess];
    one.add(a);
    one.keep(a);
    other.add(b);
    other.keep(b);
    other.add(c);
    expect([a.alive, b.alive].filter(Boolean)).toHaveLength(1);
    expect(c.alive).toBe(true);
    expect([one.take(), other.take()].filter((process) => process !== undefined)).toEqual([a.alive ? a : b]);
    expect(pool.executors).toEqual({ busy: 2, idle: 0 });
  });

  test("end when they have been idle for long", async () => {
    const pool = new ExecutorPool(LIMITS);
    const one = member(pool);
    const [a, b] = [new FakeProcess("a"), new FakeProcess("b")];
    one.add(a);
    one.keep(a);
    await vi.advanceTimersByTimeAsync(600);
    one.add(b);
    one.keep(b);
    await vi.advanceTimersByTimeAsync(500);
    expect([a.alive, b.alive]).toEqual([false, true]);
    await vi.advanceTimersByTimeAsync(600);
    expect(b.alive).toBe(false);
    expect(pool.executors).toEqual({ busy: 0, idle: 0 });
  });

  test("none is prepared where nothing is kept ready, or there is no room", () => {
    const shared = member(new ExecutorPool(LIMITS));
    expect(shared.keepsOneReady).toBe(false);
    const alone = new ExecutorPool({ ...LIMITS, running: 1, processes: 1, idleMs: undefined });
    const one = member(alone, 1);
    expect([one.keepsOneReady, one.mayPrepare]).toEqual([true, true]);
    one.add(new FakeProcess("a"));
    expect(one.mayPrepare).toBe(false);
  });
});
