/**
 * Executor processes and the turns of calls, shared by the workspaces of a server: a process runs lines of one workspace alone and is
 * never handed to another. Turns go round the workspaces that wait, so that none waits for all the calls of another, and neither a
 * workspace nor a caller holds all places.
 */
import { randomInt } from "node:crypto";
import type { Policy } from "../config/policy.ts";
import { LONGEST_TIMER_MS } from "./call-control.ts";
import { FairShare } from "./fair-share.ts";

export interface PoolLimits {
  /** Calls that run at once, of all workspaces. */
  readonly running: number;
  /** Processes, busy and idle; at least as many. */
  readonly processes: number;
  /** True where a workspace leaves a place free for others, and has but a part of them while others are active. */
  readonly isShared: boolean;
  /** The same of a caller in any number of workspaces. */
  readonly hasCallers: boolean;
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

/** A workspace with more calls than this waiting while others are active pauses after each of its calls. */
const LONG_QUEUE = 16;
/** That pause, in milliseconds: what all calls share besides places, the server's own thread, is then free for the others'. */
const PAUSE_MS = 20;

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
  /** Lets the first call that waits and may run enter. False where there is none. */
  giveTurn(): boolean;
  turnAwayLast(): void;
}

/** "full": too many wait already. "late": the deadline passed. */
export type Entry = "entered" | "full" | "late" | "cancelled";

export class ExecutorPool {
  readonly limits: PoolLimits;
  /** Those with calls that wait; the one whose turn is next first. */
  readonly #waiting = new Set<Member>();
  readonly #processes = new Set<PooledProcess>();
  readonly #byMember = new FairShare<Member>();
  readonly #byCaller = new FairShare<string>();
  /** The one idle longest first. */
  readonly #idle = new Map<PooledProcess, { readonly drop: () => void; readonly sinceMs: number }>();
  #running = 0;
  #sweep: NodeJS.Timeout | undefined;

  constructor(limits: PoolLimits) {
    this.limits = limits;
  }

  /** The pool of a workspace that has a server of its own: one executor is always ready. */
  static ofOne({ concurrentCalls: running, queuedCalls: waiting }: Policy["limits"]): ExecutorPool {
    return new ExecutorPool({ running, processes: running, isShared: false, hasCallers: false, waiting, idleMs: undefined });
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

  /** Notes that a call has arrived, until `ended`. @internal */
  arrived(member: Member, caller: string | undefined): void {
    this.#byMember.arrived(member);
    if (caller !== undefined) this.#byCaller.arrived(caller);
  }

  /** Notes that a call has ended, or waits no more. @internal */
  ended(member: Member, caller: string | undefined): void {
    this.#byMember.ended(member);
    if (caller !== undefined) this.#byCaller.ended(caller);
  }

  /** Takes a place for a call of `member`, of which `running` run already. False where it may have none now. @internal */
  enter(running: number, caller: string | undefined): boolean {
    const { running: places, isShared, hasCallers } = this.limits;
    if (this.#running >= places) return false;
    if (isShared && running >= this.#byMember.share(places)) return false;
    if (hasCallers && caller !== undefined && this.#byCaller.held(caller) >= this.#byCaller.share(places)) return false;
    if (caller !== undefined) this.#byCaller.take(caller);
    this.#running++;
    return true;
  }

  /** Gives the place back. @internal */
  leave(caller: string | undefined): void {
    this.#running--;
    if (caller !== undefined) this.#byCaller.giveBack(caller);
  }

  /** True where `member` keeps the server busy while others are active. @internal */
  isFloodedBy(member: Member): boolean {
    return this.limits.isShared && member.queued > LONG_QUEUE && this.#byMember.othersOf(member) > 0;
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

  /** Gives the places that are free to those that wait. @internal */
  next(): void {
    for (const member of this.#waiting) {
      if (this.#running >= this.limits.running) return;
      if (!member.giveTurn()) continue;
      this.#waiting.delete(member);
      if (member.queued > 0) this.#waiting.add(member);
    }
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
  readonly caller: string | undefined;
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

  /** True where other workspaces have the same server. */
  get hasNeighbours(): boolean {
    return this.#pool.limits.isShared;
  }

  /**
   * Waits for a turn until `deadlineMs` (performance.now()). Whoever has entered leaves, as the same caller (any text that tells it
   * from others; undefined: nobody knows).
   */
  async enter(signal: AbortSignal, deadlineMs: number, caller?: string): Promise<Entry> {
    if (signal.aborted) return "cancelled";
    this.#pool.arrived(this, caller);
    const entry = await this.#entered(signal, deadlineMs, caller);
    if (entry !== "entered") this.#pool.ended(this, caller);
    return entry;
  }

  leave(caller?: string): void {
    this.#pool.leave(caller);
    const pauses = this.#pool.isFloodedBy(this);
    this.#pool.ended(this, caller);
    if (!pauses) this.#running--;
    else setTimeout(() => this.#endPause(), PAUSE_MS).unref();
    this.#pool.next();
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
  giveTurn(): boolean {
    const at = this.#waiters.findIndex(({ caller }) => this.#takePlace(caller));
    const [waiter] = at < 0 ? [] : this.#waiters.splice(at, 1);
    waiter?.settle("entered");
    return waiter !== undefined;
  }

  /** @internal */
  turnAwayLast(): void {
    this.#waiters.pop()?.settle("full");
  }

  async #entered(signal: AbortSignal, deadlineMs: number, caller: string | undefined): Promise<Entry> {
    if (this.#waiters.length === 0 && this.#takePlace(caller)) return "entered";
    if (this.#waiters.length >= this.#limits.waiting || !this.#pool.wait(this)) return "full";
    const turn = this.#turn(signal, deadlineMs, caller);
    // Those before it may have to wait for others of their caller.
    this.#pool.next();
    return turn;
  }

  /** False where there is none for it now. */
  #takePlace(caller: string | undefined): boolean {
    if (this.#running >= this.#limits.running || !this.#pool.enter(this.#running, caller)) return false;
    this.#running++;
    return true;
  }

  #endPause(): void {
    this.#running--;
    this.#pool.next();
  }

  async #turn(signal: AbortSignal, deadlineMs: number, caller: string | undefined): Promise<Entry> {
    let timer: NodeJS.Timeout | undefined;
    let leave = (): void => undefined;
    const entry = await new Promise<Entry>((resolve) => {
      const waiter: Waiter = { caller, settle: resolve };
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
