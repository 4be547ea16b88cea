/** A session of a workspace: the directory, scratch and follow cursors that its lines share, and the ways to run one. */
import { SHELL_CLOSED } from "./shell-closed.ts";
import { createHash, randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { noTurnInTime } from "../exec/busy.ts";
import { ConfigurationError } from "../config/configuration-error.ts";
import type { RunProgress, RunResult, RunSink } from "../exec/result.ts";
import type { LineOptions, Runner, RunStreams, ServedLineOptions } from "../exec/runner.ts";
import type { Assessment } from "../guard/assessment.ts";
import { inputFrom, inputOf, type ByteInput } from "../io/input.ts";
import { LastBytes } from "../io/last-bytes.ts";
import { toBytes } from "../io/text.ts";
import { runWithApproval, type Approve } from "./approval.ts";
import { BlockQueue } from "./block-queue.ts";
import { FollowStore } from "./follow-store.ts";
import { Turns } from "./turns.ts";
import { mayWrite } from "./writing-lines.ts";

export interface RunOptions extends LineOptions {
  /** Standard input of the line. Default: none, as /dev/null. */
  readonly stdin?: string | Uint8Array | Readable | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called for each block of standard output as it comes. */
  readonly onOutput?: ((block: Uint8Array) => void) | undefined;
  /** Told now and then how far a line that takes a while is. */
  readonly onProgress?: ((progress: RunProgress) => void) | undefined;
  /** Bytes that are kept of each stream; the rest is counted (`outputBytes`) and dropped. Default: all. */
  readonly keepBytes?: number | undefined;
  /** In place of the shell's own. */
  readonly approve?: Approve | undefined;
}

/** Options of a line with those that only the server's own code sets. */
export interface ServedRunOptions extends RunOptions, ServedLineOptions {}

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
export const DEFAULT_SESSION = "default";
/** Digits kept of the SHA-256 of a session's handle, in hexadecimal: enough to tell sessions apart. */
const RECORDED_DIGITS = 12;
/** Random bytes in the name of a session's scratch. */
const SCRATCH_NAME_BYTES = 16;
/** Random bytes in the name by which its records are known. */
const ORIGIN_BYTES = 8;

/** Facts that the sessions of a shell share. */
export interface SessionSettings {
  readonly runner: Runner;
  /** The client's name in the audit. */
  readonly client: string;
  /** Milliseconds since the epoch. */
  readonly nowMs: () => number;
  readonly approve: Approve | undefined;
  /** See lacksOnlyApproval. */
  readonly asksForProtected: boolean;
  readonly isClosed: () => boolean;
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
  readonly #settings: SessionSettings;
  readonly #scratch = randomBytes(SCRATCH_NAME_BYTES).toString("hex");
  #directory: { current: string; previous: string | undefined } = { current: "", previous: undefined };
  #usedAtMs: number;
  /** Its name in the records of this run of the server: nobody who brings a journal can know it. */
  readonly #origin = randomBytes(ORIGIN_BYTES).toString("hex");
  /** Printed so far. */
  #outputs = 0;
  readonly #follow: FollowStore;
  readonly #turns = new Turns();

  /** @internal */
  constructor(handle: string, settings: SessionSettings) {
    this.#settings = settings;
    this.#usedAtMs = settings.nowMs();
    this.#follow = new FollowStore(settings.nowMs);
    this.handle = handle;
    this.recordedName = handle === DEFAULT_SESSION ? handle : createHash("sha256").update(handle).digest("hex").slice(0, RECORDED_DIGITS);
  }

  /** Relative to the root ("" is the root), or absolute in a mount. */
  get currentDirectory(): string {
    return this.#directory.current;
  }

  /**
   * Makes `directory`, relative to the root and free of links, the current one before a line has run.
   * @internal
   */
  startIn(directory: string): void {
    this.#directory = { current: directory, previous: undefined };
  }

  /** @internal */
  get usedAtMs(): number {
    return this.#usedAtMs;
  }

  /**
   * Number for the next output of this session's lines, from 1, for `@out N`.
   * @internal
   */
  nextOutputNumber(): number {
    return ++this.#outputs;
  }

  /** Removes what its lines have left in their scratch. */
  end(): void {
    this.#settings.runner.removeScratch(this.#scratch);
  }

  /**
   * Runs `line` and gathers what it prints. Never rejects for what the line does; where `approve` rejects, it does. Rejects with
   * ConfigurationError once the shell is closed, as every way to run a line.
   */
  run(line: string, options: RunOptions = {}): Promise<RunOutcome> {
    return this.serve(line, options);
  }

  /**
   * The same for the server.
   * @internal
   */
  async serve(line: string, options: ServedRunOptions): Promise<RunOutcome> {
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
      restart:
        options.onOutput === undefined
          ? () => {
              stdout.clear();
              stderr.clear();
            }
          : undefined,
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

  /**
   * Runs `line` with its output going to `sink` as it comes.
   * @internal
   */
  async stream(
    line: string,
    sink: RunStreams & { readonly signal: AbortSignal },
    options: Omit<ServedRunOptions, "stdin" | "signal" | "onOutput" | "onProgress"> = {},
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
    const end = (): void => {
      stdout.end();
      stderr.end();
    };
    void result.then(end, end);
    stdout.onAbandoned = () => closed.abort();
    return { stdout: Readable.from(stdout, { objectMode: false }), stderr: Readable.from(stderr, { objectMode: false }), result };
  }

  async #start(line: string, options: ServedRunOptions, sink: SessionSink, signal: AbortSignal): Promise<RunResult> {
    this.#usedAtMs = this.#settings.nowMs();
    const { timeMs = this.#settings.runner.timeMs } = options;
    const arrivedMs = performance.now();
    const writes = options.dryRun !== true && mayWrite(line);
    const done = await this.#turns.begin({ moves: mayMove(line), writes, hasOwnDirectory: options.cwd !== undefined }, timeMs);
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

  async #runInTurn(line: string, options: ServedRunOptions, sink: SessionSink, signal: AbortSignal, waitedMs: number): Promise<RunResult> {
    const { stdin: given, signal: _signal, onOutput: _onOutput, onProgress: _onProgress, approve: givenApprove, ...lineOptions } = options;
    const { runner, client, asksForProtected } = this.#settings;
    const { current: currentDirectory, previous: previousDirectory } = this.#directory;
    const caller = { ...lineOptions.caller, origin: this.#origin };
    const who = { session: this.recordedName, client, caller, scratch: this.#scratch };
    const request = { ...lineOptions, ...who, line, currentDirectory, previousDirectory, waitedMs, cursors: this.#follow.held() };
    const stdin = sink.stdin ?? inputOfOption(given);
    if (this.#settings.isClosed()) {
      await stdin.close();
      throw new ConfigurationError(SHELL_CLOSED);
    }
    const { cwd, preview, dryRun } = options;
    const approve = dryRun === true ? undefined : (givenApprove ?? this.#settings.approve);
    const result =
      approve === undefined
        ? await runner.run(request, { ...sink, stdin }, signal)
        : await runWithApproval({
            approve,
            asksForProtected,
            question: { line, currentDirectory: cwd ?? currentDirectory, session: this.recordedName },
            stdin,
            sink,
            signal,
            run: (mode, streams) => runner.run({ ...request, ...mode }, streams, signal),
          });
    if (result.kind !== "refused") this.#follow.add(result.cursors ?? []);
    if (cwd === undefined && preview !== true && dryRun !== true && result.kind !== "refused") {
      this.#directory = { current: result.currentDirectory, previous: result.previousDirectory };
    }
    return result;
  }
}

/** Receiver of a line's bytes, and what it reads where that is no option. */
interface SessionSink extends RunSink {
  readonly stdin?: ByteInput;
  /** See ApprovedRun. */
  readonly restart?: (() => void) | undefined;
}

/** Tells whether `line` could hold a command that moves the session, however it is quoted; most lines cannot. */
function mayMove(line: string): boolean {
  return /\b(?:cd|pushd|popd)\b/.test(line.replace(/\\\n|['"\\]/g, ""));
}

function inputOfOption(stdin: RunOptions["stdin"]): ByteInput {
  if (stdin === undefined) return inputOf();
  if (typeof stdin === "string") return inputOf(toBytes(stdin));
  return stdin instanceof Readable ? inputFrom(stdin) : inputOf(stdin);
}

/** The first bytes of a stream, up to a cap, and the last ones where there are more. */
class Kept {
  readonly #cap: number;
  #blocks: Uint8Array[] = [];
  #last = new LastBytes();
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

  clear(): void {
    this.#blocks = [];
    this.#last = new LastBytes();
    this.#bytes = 0;
    this.#givenBytes = 0;
  }

  cut(): RunOutcome["stderrCut"] {
    return this.#last.isEmpty ? undefined : { bytes: this.#givenBytes, end: this.#last.bytes() };
  }

  bytes(): Buffer {
    return Buffer.concat(this.#blocks);
  }
}
