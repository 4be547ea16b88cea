/**
 * The executor process: runs one call at a time for the supervisor that forked it, and ends with it. Started with
 * the flags of executor-process.ts; it has no network, no child processes and no code generation.
 */
import { Worker } from "node:worker_threads";
import type { WriteReceipt } from "../builtin/recorder.ts";
import { inputFrom } from "../io/input.ts";
import { forgetNetwork } from "../host/no-network.ts";
import { FileError } from "../workspace/file-error.ts";
import { ownPath } from "../host/own-code.ts";
import { CommandClient } from "./command-channel.ts";
import { LocalRunner } from "./local-runner.ts";
import { WINDOW_BYTES, type FromExecutor, type ToExecutor } from "./protocol.ts";
import type { RunProgress } from "./result.ts";

let runner: LocalRunner | undefined;
let cancellation = new AbortController();
let onInput: ((block: Uint8Array | undefined) => void) | undefined;
let onTaken: (() => void) | undefined;
let onTheWayBytes = 0;
const commands = new CommandClient((request) => send({ type: "command", request }));

forgetNetwork();

/** Ends this process with its supervisor, however busy it is, and watches its memory where the supervisor does not see it. */
const watchdog = new Worker(ownPath("watchdog.js"), {
  workerData: process.ppid,
  env: {},
  execArgv: [],
  resourceLimits: { maxOldGenerationSizeMb: 8 },
});
watchdog.unref();
/** Most resident bytes of a line, where the watchdog is to see to it. */
let mostResidentBytes: number | undefined;

// Ctrl-C reaches every process of the terminal; how the line ends is the supervisor's to say.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => undefined);
process.on("disconnect", () => process.exit(0));
process.on("message", (message: ToExecutor) => {
  switch (message.type) {
    case "open":
      open(message);
      break;
    case "run":
      void run(message);
      break;
    case "input":
      onInput?.(message.block);
      break;
    case "command":
      commands.take(message.answer);
      break;
    case "taken":
      onTheWayBytes -= message.bytes;
      if (onTheWayBytes < WINDOW_BYTES) onTaken?.();
      break;
    case "cancel":
      cancellation.abort();
      break;
  }
});

function open({ options, tellsMemory }: Extract<ToExecutor, { type: "open" }>): void {
  if (tellsMemory) mostResidentBytes = options.policy.limits.residentBytes;
  try {
    runner = new LocalRunner(options, commands.host);
    send({ type: "ready" });
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    send({ type: "unusable", code: thrown.code, message: thrown.message });
  }
}

async function run({ request, hasInput, isWatched }: Extract<ToExecutor, { type: "run" }>): Promise<void> {
  if (runner === undefined) throw new Error("run before open");
  if (cancellation.signal.aborted) cancellation = new AbortController();
  onTheWayBytes = 0;
  const stdin = inputFrom(pulledInput(), hasInput);
  const output = (stream: "stdout" | "stderr") => (block: Uint8Array) => emit(stream, block);
  const sink = {
    stdout: output("stdout"),
    stderr: output("stderr"),
    progress: isWatched ? (progress: RunProgress) => send({ type: "progress", progress }) : undefined,
  };
  const written = (receipts: readonly WriteReceipt[]): void => send({ type: "written", receipts });
  if (mostResidentBytes !== undefined) watchdog.postMessage(mostResidentBytes);
  const result = await runner.run(request, { stdin, ...sink, written }, cancellation.signal);
  if (mostResidentBytes !== undefined) watchdog.postMessage(undefined);
  send({ type: "result", result });
  setImmediate(() => runner?.learnTimeZone());
}

async function* pulledInput(): AsyncGenerator<Uint8Array, void> {
  for (;;) {
    const answered = new Promise<Uint8Array | undefined>((resolve) => {
      onInput = resolve;
    });
    send({ type: "pull" });
    const block = await answered;
    if (block === undefined) return;
    yield block;
  }
}

function emit(stream: "stdout" | "stderr", block: Uint8Array): void | Promise<void> {
  onTheWayBytes += block.length;
  send({ type: "output", stream, block });
  if (onTheWayBytes < WINDOW_BYTES) return;
  return new Promise((resolve) => {
    onTaken = resolve;
  });
}

function send(message: FromExecutor): void {
  // A failed send is ignored: the supervisor has just ended, nobody waits for the message, and the disconnection ends this process.
  process.send?.(message, undefined, undefined, () => undefined);
}
