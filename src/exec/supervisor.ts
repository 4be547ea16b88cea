/**
 * Runs lines in executor processes of ours and holds them to their limits. A worker thread is no boundary (one big
 * allocation ends the whole process); a child dies alone. One call at a time per executor; one is kept warm.
 */
import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { builtins } from "../../builtins/registry.ts";
import type { WriteReceipt } from "../builtin/recorder.ts";
import { mountPlaces } from "../config/mounts.ts";
import { policyContext } from "../guard/policy-context.ts";
import { goneWriter } from "../audit/gone-writer.ts";
import { timeCap } from "./call-control.ts";
import { noPlaceInTime, queueFull } from "./busy.ts";
import { rootGone } from "./root-gone.ts";
import { FileError, type FileErrorCode } from "../workspace/file-error.ts";
import { WorkspaceHold } from "../workspace/mount/workspace-hold.ts";
import { removeLeftBases, ScratchBase } from "../workspace/mount/scratch-base.ts";
import { residentBytes } from "../host/process-memory.ts";
import { CommandServer } from "./command-channel.ts";
import type { CommandHost } from "./command-host.ts";
import { customBuiltins } from "./custom-builtin.ts";
import { hostOf, onlyAllowed } from "./custom-command.ts";
import { ExecutorPool, type PoolMember } from "./executor-pool.ts";
import { heapMebibytes, startExecutor } from "./executor-process.ts";
import { noRoom } from "./no-room.ts";
import { BY_CALLER, cancelledBefore, nothingReported, refusedBefore } from "./not-begun.ts";
import { WINDOW_BYTES, type FromExecutor, type ToExecutor } from "./protocol.ts";
import type { RunResult, StopReason } from "./result.ts";
import type { LockOwner } from "../workspace/write/lock-owner.ts";
import type { Runner, RunnerOptions, RunRequest, RunStreams } from "./runner.ts";

/** Time after the start at which what dead processes have left is removed, in milliseconds: no first call waits for it. */
const SWEEP_MS = 2000;
/** Interval between looks at the clock and at a running executor's memory, in milliseconds. */
const WATCH_MS = 25;
/** An executor ends its call itself at the deadline; this much later it is killed, in milliseconds. */
const DEADLINE_GRACE_MS = 300;
/** The same after a cancellation, in milliseconds. */
const CANCEL_GRACE_MS = 100;
/**
 * A call that takes longer than this may be cancelled or stopped, which can end its executor: another is started meanwhile, in
 * milliseconds.
 */
const SPARE_AFTER_MS = 250;

/** Whose doing it is that a line ends. */
const GOING_DOWN = "the server goes down";

export class Supervisor implements Runner {
  readonly #options: RunnerOptions;
  readonly #host: CommandHost;
  readonly #executors: PoolMember<Executor>;
  readonly #scratch: ScratchBase | undefined;
  readonly #sweep: NodeJS.Timeout | undefined;
  #held: WorkspaceHold;
  #closed = false;

  readonly builtinNames: readonly string[];

  /**
   * Starts the first executor where `pool` keeps one ready, and does not wait for it. `host` runs the program's commands, in this process.
   * Throws FileError where the root cannot be opened.
   */
  constructor(options: RunnerOptions, host: CommandHost = hostOf([]), pool: ExecutorPool = ExecutorPool.ofOne(options.policy.limits)) {
    this.#options = options;
    const { concurrentCalls, queuedCalls } = options.policy.limits;
    this.#executors = pool.join({ running: concurrentCalls, waiting: queuedCalls });
    const { registry } = policyContext([...builtins, ...customBuiltins(options.commands ?? [], host)], options.policy);
    this.#host = onlyAllowed(host, (name) => registry.has(name));
    this.#held = WorkspaceHold.open(options.elsewhere?.directory ?? options.root, mountPlaces(options.policy));
    this.#scratch = options.policy.limits.scratchBytes > 0 ? ScratchBase.outside(this.#held.canonicals) : undefined;
    const isAlone = this.#executors.keepsOneReady;
    this.#sweep = isAlone && this.#scratch !== undefined ? setTimeout(removeLeftBases, SWEEP_MS).unref() : undefined;
    if (isAlone) this.#prepare();
    this.builtinNames = registry.names();
  }

  async run(request: RunRequest, streams: RunStreams, signal: AbortSignal): Promise<RunResult> {
    const { timeMs = this.timeMs, waitedMs = 0 } = request;
    const startedMs = performance.now();
    const caller = callerOf(request);
    const entry = await this.#executors.enter(signal, startedMs + timeMs - waitedMs, caller);
    if (entry === "full") return refusedBefore(queueFull(this.#executors.queued), streams);
    if (entry === "late") return refusedBefore(noPlaceInTime(timeMs, this.#executors.mostRunning), streams);
    if (entry === "cancelled") return cancelledBefore(request, streams);
    try {
      if (this.#closed) return cancelledBefore(request, streams, GOING_DOWN);
      if (!this.#followRoot()) return refusedBefore({ kind: "refused", violations: [rootGone()] }, streams);
      const executor = this.#executors.take() ?? this.#started();
      const inTurn = { ...this.#withGoneWriter(request), waitedMs: waitedMs + performance.now() - startedMs };
      const result = await executor.run(inTurn, streams, signal, this.#options, () => this.#prepare());
      this.#giveBack(executor);
      return result;
    } finally {
      this.#executors.leave(caller);
    }
  }

  get isRootThere(): boolean {
    return !this.#closed && this.#followRoot();
  }

  get timeMs(): number {
    return this.#options.policy.limits.timeMs;
  }

  #withGoneWriter(request: RunRequest): RunRequest {
    if (this.#closed || this.#options.policy.readOnly) return request;
    const goneLockOwners = new Map<string, LockOwner>();
    for (const { name, descriptor } of this.#held.writable) {
      const owner = goneWriter(descriptor);
      if (owner !== undefined) goneLockOwners.set(name, owner);
    }
    return goneLockOwners.size === 0 ? request : { ...request, goneLockOwners };
  }

  removeScratch(name: string): void {
    this.#scratch?.remove(name);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#sweep);
    for (const executor of this.#executors.all) executor.stop();
    this.#executors.dropAll();
    this.#scratch?.close();
    this.#held.release();
  }

  #giveBack(executor: Executor): void {
    if (!this.#closed && executor.alive && executor.held === this.#held) this.#executors.keep(executor);
    else this.#executors.drop(executor);
    if (this.#executors.keepsOneReady) this.#prepare();
  }

  /** Starts an executor that no call needs yet, where none is idle and there is room for one. */
  #prepare(): void {
    if (!this.#closed && this.#executors.mayPrepare) this.#executors.keep(this.#started());
  }

  /**
   * Moves on to the directory that the root's path leads to now, and those of the mounts: one removed and made anew is another
   * directory, and executors that hold the old one are dropped, the busy ones when they are given back. False where there is no root.
   */
  #followRoot(): boolean {
    const held = this.#held.current();
    if (held === undefined) return false;
    if (held === this.#held) return true;
    this.#held = held;
    this.#executors.dropIdle();
    return true;
  }

  #started(): Executor {
    const executor = new Executor(this.#options, this.#held, this.#scratch, this.#host, this.#executors.hasNeighbours);
    this.#executors.add(executor);
    return executor;
  }
}

/** One child process and the call that runs in it. */
class Executor {
  /** Rejects with FileError where the workspace cannot be opened. */
  readonly ready: Promise<void>;
  /** The directories that the executor was started for. */
  readonly held: WorkspaceHold;
  readonly #child: ChildProcess;
  readonly #host: CommandHost;
  #onMessage: (message: FromExecutor) => void = () => {};
  #onExit: () => void = () => {};
  /** Called where the executor says that it takes too much memory (process-memory.ts). */
  #onTooLarge: () => void = () => {};
  /** Called before the process is ended because the server goes down. */
  #onStop: () => void = () => {};
  /** Bytes of output that have been taken, and not been acknowledged yet. */
  #takenBytes = 0;
  /** Error that kept the process from starting. */
  #failure: Error | undefined;
  #alive = true;
  #isStopped = false;

  constructor(
    options: RunnerOptions,
    held: WorkspaceHold,
    scratchBase: ScratchBase | undefined,
    host: CommandHost,
    hasNeighbours: boolean,
  ) {
    this.held = held;
    this.#host = host;
    const { child, inheritedRoot } = startExecutor(options, held, scratchBase, hasNeighbours);
    this.#child = child;
    this.ready = new Promise((resolve, reject) => {
      this.#onMessage = (message) => {
        if (message.type === "ready") resolve();
        if (message.type === "unusable") reject(new FileError(message.code as FileErrorCode, options.root));
      };
      this.#onExit = () => reject(new Error("the executor process ended while starting"));
    });
    this.ready.catch(() => undefined);
    this.#child.on("message", (message) => this.#onMessage(message as FromExecutor));
    this.#child.on("exit", () => {
      this.#alive = false;
      this.#onExit();
    });
    this.#child.on("error", (error) => {
      this.#failure = error;
      this.end();
      this.#onExit();
    });
    this.#child.stdout?.on("data", () => this.#onTooLarge());
    this.#send({ type: "open", options: { ...options, inheritedRoot }, tellsMemory: this.#child.stdout !== null });
  }

  get alive(): boolean {
    return this.#alive;
  }

  get residentBytes(): number | undefined {
    return residentBytes(this.#child.pid ?? -1);
  }

  /** Ends the line that runs, if one does, and the process with it. */
  stop(): void {
    this.#isStopped = true;
    this.#onStop();
    this.end();
  }

  end(): void {
    this.#alive = false;
    this.#child.kill("SIGKILL");
  }

  /** `onLong`: called once where the line runs for longer than SPARE_AFTER_MS, the start of the process not counted. */
  async run(request: RunRequest, streams: RunStreams, signal: AbortSignal, options: RunnerOptions, onLong: () => void): Promise<RunResult> {
    try {
      // One that starts in place of one that was killed may take longer than a cancelled call should.
      await unlessAborted(this.ready, signal);
    } catch (thrown) {
      this.end();
      if (this.#isStopped) return cancelledBefore(request, streams, GOING_DOWN);
      const violation = thrown instanceof FileError ? undefined : noRoom(this.#failure ?? thrown);
      if (violation !== undefined) return { kind: "refused", violations: [violation] };
      return faulted(request, thrown instanceof Error ? thrown.message : String(thrown));
    }
    if (signal.aborted) return cancelledBefore(request, streams);
    const { timeMs = options.policy.limits.timeMs, waitedMs = 0 } = request;
    return new Promise<RunResult>((resolve) => {
      const written: WriteReceipt[] = [];
      const commands = new CommandServer(this.#host, (answer) => this.#send({ type: "command", answer }));
      let killedFor: { reason: StopReason; cap: string } | undefined;
      const kill = (reason: StopReason, cap: string): void => {
        killedFor ??= { reason, cap };
        this.end();
      };
      const killAtMs = performance.now() + timeMs - waitedMs + DEADLINE_GRACE_MS;
      const watch = setInterval(() => {
        if (performance.now() > killAtMs) kill("time", timeCap(timeMs, waitedMs));
        const resident = this.residentBytes ?? 0;
        if (resident > options.policy.limits.residentBytes) this.#onTooLarge();
      }, WATCH_MS);
      this.#onTooLarge = () => kill("memory", mebibytes(options.policy.limits.residentBytes));
      this.#onStop = () => kill("cancelled", GOING_DOWN);
      const long = setTimeout(onLong, SPARE_AFTER_MS).unref();
      let cancelGrace: NodeJS.Timeout | undefined;
      const cancel = (): void => {
        this.#send({ type: "cancel" });
        cancelGrace = setTimeout(() => kill("cancelled", BY_CALLER), CANCEL_GRACE_MS);
      };
      const finish = (result: RunResult): void => {
        clearInterval(watch);
        clearTimeout(long);
        clearTimeout(cancelGrace);
        signal.removeEventListener("abort", cancel);
        this.#onMessage = () => {};
        this.#onExit = () => {};
        this.#onTooLarge = () => {};
        this.#onStop = () => {};
        commands.close();
        void streams.stdin.close();
        resolve(result);
      };
      this.#onExit = () => {
        // V8 aborts the process when its heap is full, which no handler inside can answer.
        const heapFull = this.#child.signalCode === "SIGABRT" || this.#child.exitCode === 134;
        if (heapFull) killedFor ??= { reason: "memory", cap: `${heapMebibytes(options)} MiB of heap` };
        if (killedFor === undefined) finish(faulted(request, "the executor process ended unexpectedly", written));
        else finish({ kind: "stopped", limit: killedFor.reason, cap: killedFor.cap, ...nothingReported(request, written) });
      };
      this.#onMessage = (message) => {
        if (message.type === "written") written.push(...message.receipts);
        else if (message.type === "command") commands.take(message.request);
        else void this.#serve(message, streams, finish);
      };
      signal.addEventListener("abort", cancel);
      if (!this.#alive) this.#onExit();
      else this.#start(request, streams);
      if (signal.aborted) cancel();
    });
  }

  #start(request: RunRequest, { stdin, progress }: RunStreams): void {
    // The executor counts anew with each line.
    this.#takenBytes = 0;
    this.#send({ type: "run", request, hasInput: stdin.isGiven, isWatched: progress !== undefined });
  }

  async #serve(
    message: Exclude<FromExecutor, { type: "written" | "command" }>,
    streams: RunStreams,
    finish: (result: RunResult) => void,
  ): Promise<void> {
    switch (message.type) {
      case "output":
        await streams[message.stream](message.block);
        this.#acknowledge(message.block.length);
        break;
      case "pull":
        this.#send({ type: "input", block: await streams.stdin.read() });
        break;
      case "progress":
        streams.progress?.(message.progress);
        break;
      case "result":
        finish(message.result);
        break;
      case "ready":
      case "unusable":
        break;
    }
  }

  /** Most lines print less than is worth a message. */
  #acknowledge(bytes: number): void {
    this.#takenBytes += bytes;
    if (this.#takenBytes < WINDOW_BYTES / 2) return;
    this.#send({ type: "taken", bytes: this.#takenBytes });
    this.#takenBytes = 0;
  }

  #send(message: ToExecutor): void {
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }
}

/** The caller as the pool counts it; undefined where nobody has been authenticated. */
const callerOf = ({ caller: { token, subject } = {} }: RunRequest): string | undefined =>
  token === undefined ? undefined : JSON.stringify([token, subject]);

const mebibytes = (bytes: number): string => `${Math.round(bytes / (1 << 20))} MiB`;

/** Resolves with `awaited`, or as soon as `signal` is aborted. */
async function unlessAborted(awaited: Promise<unknown>, signal: AbortSignal): Promise<void> {
  let leave = (): void => undefined;
  const aborted = new Promise<void>((resolve) => {
    leave = resolve;
    signal.addEventListener("abort", leave);
    if (signal.aborted) resolve();
  });
  try {
    await Promise.race([awaited, aborted]);
  } finally {
    signal.removeEventListener("abort", leave);
  }
}

function faulted(request: RunRequest, message: string, receipts?: readonly WriteReceipt[]): RunResult {
  return { kind: "faulted", faultId: randomUUID(), message, ...nothingReported(request, receipts) };
}
