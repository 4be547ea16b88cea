/**
 * A workspace with a runner and its sessions: what the library, the MCP server and the command line all use.
 */
import { createHash, randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { DEFAULT_POLICY, type Policy, type RedirectPolicy } from "../config/policy.ts";
import type { RunLimits } from "../config/limits.ts";
import { checkMounts, policyMount, type MountOption } from "../config/mounts.ts";
import { noTurnInTime } from "../exec/busy.ts";
import type { RunProgress, RunResult, RunSink } from "../exec/result.ts";
import type { Runner, RunnerOptions, RunStreams, ServedLineOptions } from "../exec/runner.ts";
import { Supervisor } from "../exec/supervisor.ts";
import type { Assessment } from "../guard/assessment.ts";
import { inputFrom, inputOf, type ByteInput } from "../io/input.ts";
import { LastBytes } from "../io/last-bytes.ts";
import { toBytes } from "../io/text.ts";
import { BlockQueue } from "./block-queue.ts";
import { FollowStore } from "./follow-store.ts";
import { Turns } from "./turns.ts";

export interface ShellOptions {
  /** Host directory, absolute. */
  readonly root: string;
  /**
   * "none" (default): lines run in this process; a stage that computes without yielding cannot be stopped.
   * "process": in a process of ours that is killed at its time or memory limit.
   */
  readonly isolation?: "none" | "process";
  /** Default: DEFAULT_POLICY. */
  readonly policy?: Policy;
  /** Takes precedence over the policy, as `strict` and `limits` do. */
  readonly readOnly?: boolean;
  readonly strict?: boolean;
  readonly redirects?: RedirectPolicy | undefined;
  /** Further absolute prefixes that mean the root. */
  readonly aliases?: readonly string[];
  /** Directories beside the root, besides those of the policy. */
  readonly mounts?: readonly MountOption[];
  readonly limits?: Partial<RunLimits>;
  /** IANA name; default: the host's. */
  readonly timeZone?: string;
  /** The client's name in the audit. */
  readonly client?: string;
  /** Milliseconds since the epoch, for what is forgotten after a time. Default: the host's clock. */
  readonly nowMs?: () => number;
}

export interface RunOptions extends ServedLineOptions {
  readonly stdin?: string | Uint8Array | Readable | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called for each block of standard output as it comes. */
  readonly onOutput?: ((block: Uint8Array) => void) | undefined;
  /** Told now and then how far a line that takes a while is. */
  readonly onProgress?: ((progress: RunProgress) => void) | undefined;
}

/** Result of a line, with its output. */
export interface RunOutcome {
  readonly result: RunResult;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  /** Size of standard error, and its end, where `keepBytes` kept a part of it from `stderr`. */
  readonly stderrCut?: { readonly bytes: number; readonly end: Buffer };
}

/** A line that is running: two streams to read, and its result once both have been read to the end. */
export interface PipedRun {
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly result: Promise<RunResult>;
}

/** The session that all calls share which name none: its name is no secret. */
const DEFAULT_SESSION = "default";
/** Digits kept of the SHA-256 of a session's handle, in hexadecimal: enough to tell sessions apart. */
const RECORDED_DIGITS = 12;
/** Random bytes in the name of a session's scratch. */
const SCRATCH_NAME_BYTES = 16;
/** Random bytes in the name by which its records are known. */
const ORIGIN_BYTES = 8;
/** Most sessions kept. */
const MAX_SESSIONS = 1024;
/** A session used within this time is not dropped when others are opened, in milliseconds. */
const SESSION_BUSY_MS = 5 * 60 * 1000;
/** A session unused for so long is forgotten, in milliseconds. */
const SESSION_IDLE_MS = 60 * 60 * 1000;

export class Shell {
  readonly #runner: Runner;
  readonly #client: string;
  readonly #nowMs: () => number;
  readonly #sessions = new Map<string, Session>();
  /** The session of calls that name none. */
  readonly defaultSession: Session;

  private constructor(runner: Runner, client: string, nowMs: () => number) {
    this.#runner = runner;
    this.#client = client;
    this.#nowMs = nowMs;
    this.defaultSession = new Session(runner, DEFAULT_SESSION, client, nowMs);
  }

  /** Opens the workspace. Rejects with FileError where the root cannot be opened, and with ConfigurationError for its mounts. */
  static async open(options: ShellOptions): Promise<Shell> {
    const { policy = DEFAULT_POLICY, aliases = [] } = options;
    const mounts = [...policy.mounts, ...(options.mounts ?? []).map(policyMount)];
    checkMounts(mounts, options.root, aliases);
    const runnerOptions: RunnerOptions = {
      root: options.root,
      aliases,
      policy: {
        ...policy,
        mounts,
        readOnly: options.readOnly ?? policy.readOnly,
        strict: options.strict ?? policy.strict,
        redirects: options.redirects ?? policy.redirects,
        limits: { ...policy.limits, ...options.limits },
      },
      timeZone: options.timeZone,
    };
    const { client = "library", nowMs = Date.now } = options;
    if (options.isolation === "process") return new Shell(new Supervisor(runnerOptions), client, nowMs);
    // Loaded here, because a process that only supervises has no use for the builtins.
    const { LocalRunner } = await import("../exec/local-runner.ts");
    return new Shell(new LocalRunner(runnerOptions), client, nowMs);
  }

  /** Names of the builtins there are, in byte order, without aliases. */
  get builtinNames(): readonly string[] {
    return this.#runner.builtinNames;
  }

  /** A new session with a handle that cannot be guessed. */
  newSession(): Session {
    const session = this.looseSession();
    this.keep(session);
    return session;
  }

  /** A new session that lasts as long as the caller holds it and is not found by its handle. */
  looseSession(): Session {
    return new Session(this.#runner, randomBytes(16).toString("base64url"), this.#client, this.#nowMs);
  }

  /** The session with this handle; undefined if it does not exist, or no longer. */
  session(handle: string): Session | undefined {
    const session = this.#sessions.get(handle);
    if (session === undefined) return undefined;
    this.#endIdle();
    if (!this.#sessions.delete(handle)) return undefined;
    this.#sessions.set(handle, session);
    return session;
  }

  async close(): Promise<void> {
    await this.#runner.close();
  }

  #endIdle(): void {
    for (const session of this.#sessions.values()) {
      if (this.#nowMs() - session.usedAtMs <= SESSION_IDLE_MS) continue;
      this.#sessions.delete(session.handle);
      session.end();
    }
  }

  /**
   * Lets `session` be found by its handle, until it is unused for long, or for a while and many others are kept. False where
   * as many as may be are in use: nobody's session ends because somebody else opens more.
   */
  keep(session: Session): boolean {
    this.#endIdle();
    if (this.#sessions.size >= MAX_SESSIONS) {
      // The one used last is last.
      const [unused] = this.#sessions.values();
      if (unused !== undefined && this.#nowMs() - unused.usedAtMs < SESSION_BUSY_MS) return false;
      if (unused !== undefined) this.#sessions.delete(unused.handle);
      unused?.end();
    }
    this.#sessions.set(session.handle, session);
    return true;
  }
}

/** A current directory that lasts from line to line. */
export class Session {
  /**
   * Secret name of the session: anybody who has it may go on with the session. Only its own client gets it, and it is
   * written nowhere.
   */
  readonly handle: string;
  /** Its name in records, from which the handle cannot be had. */
  readonly recordedName: string;
  readonly #runner: Runner;
  readonly #client: string;
  readonly #scratch = randomBytes(SCRATCH_NAME_BYTES).toString("hex");
  #directory: { current: string; previous: string | undefined } = { current: "", previous: undefined };
  #usedAtMs: number;
  /** Its name in the records of this run of the server: nobody who brings a journal can know it. */
  readonly #origin = randomBytes(ORIGIN_BYTES).toString("hex");
  /** Printed so far. */
  #outputs = 0;
  readonly #nowMs: () => number;
  readonly #follow: FollowStore;
  readonly #turns = new Turns();

  constructor(runner: Runner, handle: string, client: string, nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#usedAtMs = nowMs();
    this.#follow = new FollowStore(nowMs);
    this.#runner = runner;
    this.handle = handle;
    this.recordedName = handle === DEFAULT_SESSION ? handle : createHash("sha256").update(handle).digest("hex").slice(0, RECORDED_DIGITS);
    this.#client = client;
  }

  /** Relative to the root ("" is the root), or absolute in a mount. */
  get currentDirectory(): string {
    return this.#directory.current;
  }

  /** Makes `directory`, relative to the root and free of links, the current one before a line has run. */
  startIn(directory: string): void {
    this.#directory = { current: directory, previous: undefined };
  }

  get usedAtMs(): number {
    return this.#usedAtMs;
  }

  /** Number for the next output of this session's lines, from 1, for `@out N`. */
  nextOutputNumber(): number {
    return ++this.#outputs;
  }

  /** Removes what its lines have left in their scratch. */
  end(): void {
    this.#runner.removeScratch(this.#scratch);
  }

  /** Runs `line` and gathers what it prints. Never rejects for what the line does. */
  async run(line: string, options: RunOptions = {}): Promise<RunOutcome> {
    const stdout = new Kept(options.keepBytes);
    const stderr = new Kept(options.keepBytes);
    const sink = {
      stdout: (block: Uint8Array) => {
        stdout.add(block);
        // A copy, for whoever listens may keep it, and producers use their memory again.
        options.onOutput?.(Buffer.from(block));
      },
      stderr: (block: Uint8Array) => stderr.add(block),
      progress: options.onProgress,
    };
    const result = await this.#start(line, options, sink, options.signal ?? new AbortController().signal);
    const cut = stderr.cut();
    return { result, stdout: stdout.bytes(), stderr: stderr.bytes(), ...(cut === undefined ? {} : { stderrCut: cut }) };
  }

  /** Assesses `line` without running it: whether it may run, its severity, and the files it would read and write. */
  async assess(line: string, options: Pick<RunOptions, "cwd" | "signal"> = {}): Promise<Assessment> {
    const { result } = await this.run(line, { ...options, dryRun: true });
    if (result.kind === "completed" && result.assessment !== undefined) return result.assessment;
    throw new Error(`the line was not assessed: ${result.kind}`);
  }

  /** Runs `line` with its output going to `sink` as it comes. */
  async stream(
    line: string,
    sink: RunStreams & { readonly signal: AbortSignal },
    options: Omit<RunOptions, "stdin" | "signal"> = {},
  ): Promise<RunResult> {
    return this.#start(line, options, sink, sink.signal);
  }

  /** Runs `line` with Node streams. Destroying `stdout` stops the line as a closed pipe would. */
  pipe(line: string, options: RunOptions = {}): PipedRun {
    const stdout = new BlockQueue();
    const stderr = new BlockQueue();
    const closed = new AbortController();
    const signal = options.signal === undefined ? closed.signal : AbortSignal.any([closed.signal, options.signal]);
    const result = this.#start(line, options, { stdout: (block) => stdout.add(block), stderr: (block) => stderr.add(block) }, signal);
    void result.finally(() => {
      stdout.end();
      stderr.end();
    });
    stdout.onAbandoned = () => closed.abort();
    return { stdout: Readable.from(stdout, { objectMode: false }), stderr: Readable.from(stderr, { objectMode: false }), result };
  }

  async #start(line: string, options: RunOptions, sink: RunSink & { readonly stdin?: ByteInput }, signal: AbortSignal): Promise<RunResult> {
    this.#usedAtMs = this.#nowMs();
    const { timeMs = this.#runner.timeMs } = options;
    const arrivedMs = performance.now();
    const done = options.cwd === undefined ? await this.#turns.begin(mayMove(line), timeMs) : () => {};
    if (done === undefined) {
      await (sink.stdin ?? inputOfOption(options.stdin)).close();
      return noTurnInTime(timeMs);
    }
    try {
      return await this.#runInTurn(line, options, sink, signal, performance.now() - arrivedMs);
    } finally {
      done();
    }
  }

  async #runInTurn(
    line: string,
    options: RunOptions,
    sink: RunSink & { readonly stdin?: ByteInput },
    signal: AbortSignal,
    waitedMs: number,
  ): Promise<RunResult> {
    const { stdin, signal: _signal, onOutput: _onOutput, onProgress: _onProgress, ...lineOptions } = options;
    const { current: currentDirectory, previous: previousDirectory } = this.#directory;
    const caller = { ...lineOptions.caller, origin: this.#origin };
    const who = { session: this.recordedName, client: this.#client, caller, scratch: this.#scratch };
    const result = await this.#runner.run(
      { ...lineOptions, ...who, line, currentDirectory, previousDirectory, waitedMs, cursors: this.#follow.held() },
      { ...sink, stdin: sink.stdin ?? inputOfOption(stdin) },
      signal,
    );
    const { cwd, preview, dryRun } = options;
    if (result.kind !== "refused") this.#follow.add(result.cursors ?? []);
    if (cwd === undefined && preview !== true && dryRun !== true && result.kind !== "refused") {
      this.#directory = { current: result.currentDirectory, previous: result.previousDirectory };
    }
    return result;
  }
}

/** Tells whether `line` could hold a command that moves the session, however it is quoted; most lines cannot. */
function mayMove(line: string): boolean {
  return /\b(?:cd|pushd|popd)\b/.test(line.replace(/['"\\]/g, ""));
}

function inputOfOption(stdin: RunOptions["stdin"]): ByteInput {
  if (stdin === undefined) return inputOf();
  if (typeof stdin === "string") return inputOf(toBytes(stdin));
  return stdin instanceof Readable ? inputFrom(stdin) : inputOf(stdin);
}

/** The first bytes of a stream, up to a cap, and the last ones where there are more. */
class Kept {
  readonly #cap: number;
  readonly #blocks: Uint8Array[] = [];
  readonly #last = new LastBytes();
  #bytes = 0;
  #givenBytes = 0;

  constructor(cap = Infinity) {
    this.#cap = cap;
  }

  add(block: Uint8Array): void {
    const room = this.#cap - this.#bytes;
    this.#givenBytes += block.length;
    if (block.length > room) this.#last.add(block);
    if (room <= 0) return;
    // A copy, so that ten kept bytes do not hold on to a whole read block.
    this.#blocks.push(Buffer.from(block.subarray(0, Math.min(room, block.length))));
    this.#bytes += Math.min(room, block.length);
  }

  cut(): RunOutcome["stderrCut"] {
    return this.#last.isEmpty ? undefined : { bytes: this.#givenBytes, end: this.#last.bytes() };
  }

  bytes(): Buffer {
    return Buffer.concat(this.#blocks);
  }
}
