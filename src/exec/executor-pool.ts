/**
 * Executor processes and the turns of calls, shared by the workspaces of a server: a process runs lines of one workspace alone and is
 * never handed to another. Turns go round the workspaces that wait, so that none waits for all the calls of another.
 */
import { randomInt } from "node:crypto";
import type { Policy } from "../config/policy.ts";
import { LONGEST_TIMER_MS } from "./call-control.ts";

export interface PoolLimits {
  /** Calls that run at once, of all workspaces. */
  readonly running: number;
  /** Processes, busy and idle; at least as many. */
  readonly processes: number;
  /** True where a workspace leaves a place free for others, and has but a part of them while others are active. */
  readonly isShared: boolean;
  /** Calls that wait, of all workspaces. */
  readonly waiting: number;
  /** Time after which an idle executor ends, in milliseconds. undefined: it never does, and the workspace has one ready from its start. */
  readonly idleMs: number | undefined;
}

/** Limits of one workspace. */
export interface MemberLimits {
  /** Calls that run at once. */
  readonly running: number;
  /** Calls that wait. */
  readonly waiting: number;
}

/** A workspace counts as active for so long after its last call, in milliseconds. */
const ACTIVE_MS = 1000;

/** An executor as the pool sees it. */
export interface PooledProcess {
  readonly alive: boolean;
  /** undefined where it has ended, or the platform does not tell. */
  readonly residentBytes: number | undefined;
  end(): void;
}

/** A workspace as the pool sees it. */
interface Member {
  /** Calls that wait. */
  readonly queued: number;
  readonly mayRunMore: boolean;
  readonly isRunning: boolean;
  /** Lets the first call that waits enter. */
  giveTurn(): void;
  turnAwayLast(): void;
}

/** "full": too many wait already. "late": the deadline passed. */
export type Entry = "entered" | "full" | "late" | "cancelled";

export class ExecutorPool {
  readonly limits: PoolLimits;
  /** Those with calls that wait; the one whose turn is next first. */
  readonly #waiting = new Set<Member>();
  readonly #processes = new Set<PooledProcess>();
  /** With the instant of the last call that arrived. */
  readonly #active = new Map<Member, number>();
  /** The one idle longest first. */
  readonly #idle = new Map<PooledProcess, { readonly drop: () => void; readonly sinceMs: number }>();
  #running = 0;
  #sweep: NodeJS.Timeout | undefined;

  constructor(limits: PoolLimits) {
    this.limits = limits;
  }

  /** The pool of a workspace that has a server of its own: one executor is always ready. */
  static ofOne({ concurrentCalls: running, queuedCalls: waiting }: Policy["limits"]): ExecutorPool {
    return new ExecutorPool({ running, processes: running, isShared: false, waiting, idleMs: undefined });
  }

  /** A workspace's share of the pool. */
  join<P extends PooledProcess>(limits: MemberLimits): PoolMember<P> {
    return new PoolMember<P>(this, limits);
  }

  get running(): number {
    return this.#running;
  }

  /** Calls that wait, of all workspaces. */
  get queued(): number {
    let queued = 0;
    for (const member of this.#waiting) queued += member.queued;
    return queued;
  }

  get executors(): { readonly busy: number; readonly idle: number } {
    return { busy: this.#processes.size - this.#idle.size, idle: this.#idle.size };
  }

  /** Resident memory of all executors together; undefined where none tells its own. */
  get residentBytes(): number | undefined {
    const told = [...this.#processes].map((executor) => executor.residentBytes).filter((bytes) => bytes !== undefined);
    return told.length === 0 && this.#processes.size > 0 ? undefined : told.reduce((sum, bytes) => sum + bytes, 0);
  }

  /** True where one more may start without another's end. */
  get hasRoom(): boolean {
    return this.#processes.size < this.limits.processes;
  }

  /** Most calls of one workspace that run now. @internal */
  get share(): number {
    const { running, isShared } = this.limits;
    if (!isShared) return running;
    const others = this.#active.size;
    return Math.max(1, others <= 1 ? running - 1 : Math.floor(running / (others + 1)));
  }

  /** Notes that a call of `member` has arrived. @internal */
  noteActive(member: Member): void {
    const nowMs = performance.now();
    for (const [other, lastMs] of this.#active) {
      if (nowMs - lastMs > ACTIVE_MS && other.queued === 0 && !other.isRunning) this.#active.delete(other);
    }
    this.#active.set(member, nowMs);
  }

  /** @internal */
  enter(): boolean {
    if (this.#running >= this.limits.running) return false;
    this.#running++;
    return true;
  }

  /** @internal */
  leave(): void {
    this.#running--;
    this.#next();
  }

  /** Puts `member` among those that wait. False where the queue is full, and no other waits with more calls than it. @internal */
  wait(member: Member): boolean {
    if (this.queued >= this.limits.waiting) {
      const [longest] = [...this.#waiting].sort((one, other) => other.queued - one.queued);
      if (longest === undefined || longest === member || longest.queued <= member.queued + 1) return false;
      longest.turnAwayLast();
    }
    this.#waiting.add(member);
    return true;
  }

  /** @internal */
  waitsNoMore(member: Member): void {
    this.#waiting.delete(member);
  }

  /** Counts `executor`, for which an idle one ends where there are as many as may be. @internal */
  add(executor: PooledProcess): void {
    if (!this.hasRoom) this.#endOne();
    this.#processes.add(executor);
  }

  /** @internal */
  remove(executor: PooledProcess): void {
    this.#processes.delete(executor);
    this.#idle.delete(executor);
  }

  /** @internal */
  becomesIdle(executor: PooledProcess, drop: () => void): void {
    this.#idle.set(executor, { drop, sinceMs: performance.now() });
    this.#sweepLater();
  }

  /** @internal */
  becomesBusy(executor: PooledProcess): void {
    this.#idle.delete(executor);
  }

  #next(): void {
    for (const member of this.#waiting) {
      if (this.#running >= this.limits.running) return;
      if (!member.mayRunMore) continue;
      this.#waiting.delete(member);
      this.#running++;
      member.giveTurn();
      if (member.queued > 0) this.#waiting.add(member);
    }
  }

  /** Any: where workspaces take turns, the one idle longest is the one that is needed next. */
  #endOne(): void {
    const idle = [...this.#idle.values()];
    idle[randomInt(Math.max(1, idle.length))]?.drop();
  }

  #sweepLater(): void {
    const { idleMs } = this.limits;
    const [oldest] = this.#idle;
    if (idleMs === undefined || oldest === undefined || this.#sweep !== undefined) return;
    const dueMs = oldest[1].sinceMs + idleMs - performance.now();
    this.#sweep = setTimeout(
      () => {
        this.#sweep = undefined;
        const nowMs = performance.now();
        for (const { drop, sinceMs } of this.#idle.values()) {
          if (sinceMs + idleMs > nowMs) break;
          drop();
        }
        this.#sweepLater();
      },
      Math.max(1, Math.ceil(dueMs)),
    ).unref();
  }
}

interface Waiter {
  readonly settle: (entry: "entered" | "full") => void;
}

/** One workspace's executors, and the calls of it that wait for a turn. */
export class PoolMember<P extends PooledProcess> implements Member {
  readonly #pool: ExecutorPool;
  readonly #limits: MemberLimits;
  readonly #all = new Set<P>();
  /** The one used last is last. */
  readonly #idle: P[] = [];
  readonly #waiters: Waiter[] = [];
  #running = 0;

  /** @internal */
  constructor(pool: ExecutorPool, limits: MemberLimits) {
    this.#pool = pool;
    this.#limits = limits;
  }

  /** Most calls of the workspace that run at once. */
  get mostRunning(): number {
    return this.#limits.running;
  }

  get all(): Iterable<P> {
    return [...this.#all];
  }

  /** Calls of the workspace that wait. */
  get queued(): number {
    return this.#waiters.length;
  }

  /** True where the workspace has an executor ready before there is a call. */
  get keepsOneReady(): boolean {
    return this.#pool.limits.idleMs === undefined;
  }

  /** True where an executor may start that no call needs yet. */
  get mayPrepare(): boolean {
    return this.#idle.length === 0 && this.#all.size < this.#limits.running && this.#pool.hasRoom;
  }

  /** @internal */
  get mayRunMore(): boolean {
    return this.#running < Math.min(this.#limits.running, this.#pool.share);
  }

  /** @internal */
  get isRunning(): boolean {
    return this.#running > 0;
  }

  /** Waits for a turn until `deadlineMs` (performance.now()). Whoever has entered leaves. */
  async enter(signal: AbortSignal, deadlineMs: number): Promise<Entry> {
    if (signal.aborted) return "cancelled";
    this.#pool.noteActive(this);
    if (this.#waiters.length === 0 && this.mayRunMore && this.#pool.enter()) {
      this.#running++;
      return "entered";
    }
    if (this.#waiters.length >= this.#limits.waiting || !this.#pool.wait(this)) return "full";
    return this.#turn(signal, deadlineMs);
  }

  leave(): void {
    this.#running--;
    this.#pool.leave();
  }

  /** An executor that is idle, taken; undefined where there is none. */
  take(): P | undefined {
    for (let executor = this.#idle.pop(); executor !== undefined; executor = this.#idle.pop()) {
      this.#pool.becomesBusy(executor);
      if (executor.alive) return executor;
      this.drop(executor);
    }
    return undefined;
  }

  /** Counts an executor that was started. */
  add(executor: P): void {
    this.#pool.add(executor);
    this.#all.add(executor);
  }

  /** Keeps `executor` for a later call. */
  keep(executor: P): void {
    this.#idle.push(executor);
    this.#pool.becomesIdle(executor, () => this.drop(executor));
  }

  /** Ends `executor`. */
  drop(executor: P): void {
    executor.end();
    const at = this.#idle.indexOf(executor);
    if (at >= 0) this.#idle.splice(at, 1);
    this.#all.delete(executor);
    this.#pool.remove(executor);
  }

  dropIdle(): void {
    for (const executor of [...this.#idle]) this.drop(executor);
  }

  dropAll(): void {
    for (const executor of [...this.#all]) this.drop(executor);
  }

  /** @internal */
  giveTurn(): void {
    this.#running++;
    this.#waiters.shift()?.settle("entered");
  }

  /** @internal */
  turnAwayLast(): void {
    this.#waiters.pop()?.settle("full");
  }

  async #turn(signal: AbortSignal, deadlineMs: number): Promise<Entry> {
    let timer: NodeJS.Timeout | undefined;
    let leave = (): void => undefined;
    const entry = await new Promise<Entry>((resolve) => {
      const waiter: Waiter = { settle: resolve };
      const giveUp = (why: "late" | "cancelled"): void => {
        const at = this.#waiters.indexOf(waiter);
        if (at < 0) return;
        this.#waiters.splice(at, 1);
        if (this.#waiters.length === 0) this.#pool.waitsNoMore(this);
        resolve(why);
      };
      this.#waiters.push(waiter);
      leave = () => giveUp("cancelled");
      signal.addEventListener("abort", leave);
      const restMs = Math.min(Math.max(1, Math.ceil(deadlineMs - performance.now())), LONGEST_TIMER_MS);
      timer = setTimeout(() => giveUp("late"), restMs);
    });
    clearTimeout(timer);
    signal.removeEventListener("abort", leave);
    return entry;
  }
}
