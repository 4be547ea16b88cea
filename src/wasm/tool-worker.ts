/**
 * The thread of a WebAssembly tool: a bundle of its own (tools/build/build.mjs). Runs one job after another, each in a fresh
 * instance with a workspace of its own; everything here may block, nothing here may outlive its job.
 */
import { parentPort } from "node:worker_threads";
import { forgetNetwork } from "../host/no-network.ts";
import { toBytes, toText } from "../io/text.ts";
import { Workspace } from "../workspace/workspace.ts";
import { BufferedStreams } from "./buffered-streams.ts";
import { ByteRing } from "./byte-ring.ts";
import { GuestMemoryFull } from "./emscripten-host.ts";
import { runEmscripten } from "./emscripten-run.ts";
import { GuestFiles } from "./guest-files.ts";
import { GuestPaths } from "./guest-paths.ts";
import { frameHeader } from "./output-frames.ts";
import type { FromTool, ToolJob } from "./tool-messages.ts";
import { inLinuxWords } from "./wasi-errno.ts";
import { GuestExit, WasiHost } from "./wasi-host.ts";

forgetNetwork();

parentPort?.on("message", (job: ToolJob) => {
  try {
    send({ type: "exit", status: run(job) });
  } catch (thrown) {
    if (thrown instanceof GuestMemoryFull) send({ type: "memory-full" });
    else send({ type: "fault", message: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) });
  }
});

function send(message: FromTool): void {
  parentPort?.postMessage(message);
}

function run(job: ToolJob): number {
  const stdin = new ByteRing(job.stdin);
  const output = new ByteRing(job.output);
  const errors = new ErrorLines((bytes) => emit(output, bytes, true));
  const workspace = Workspace.takeOver(job.workspace);
  const { linkage } = job;
  if (linkage.kind === "emscripten") {
    const streams = new BufferedStreams({
      readInput: (into) => readInput(stdin, into),
      emit: (bytes, isError) => emit(output, bytes, isError),
    });
    try {
      return runEmscripten({ ...job, linkage, workspace, streams });
    } finally {
      streams.flush();
      workspace.close();
    }
  }
  const files = new GuestFiles(workspace, new GuestPaths(job.names, job.workspace.rootPath));
  try {
    const host = new WasiHost({
      args: job.args,
      files,
      nowMs: job.nowMs,
      streams: {
        stdin: (into) => readInput(stdin, into),
        stdout: (bytes) => emit(output, bytes, false),
        stderr: (bytes) => errors.add(bytes),
      },
    });
    const instance = new WebAssembly.Instance(job.module, host.importsFor(job.module));
    const { memory, _start: start } = instance.exports as { memory: WebAssembly.Memory; _start: () => void };
    host.memory = memory;
    setCurrentDirectory(memory, linkage.currentDirectoryAddress, job.names.currentDirectory);
    try {
      start();
      return 0;
    } catch (thrown) {
      if (thrown instanceof GuestExit) return thrown.status;
      throw thrown;
    }
  } finally {
    errors.flush();
    files.closeAll();
    workspace.close();
  }
}

function readInput(stdin: ByteRing, into: Uint8Array): number {
  if (stdin.held === 0 && !stdin.ended) {
    send({ type: "input" });
    stdin.waitForBytes();
  }
  return stdin.read(into);
}

function emit(output: ByteRing, bytes: Uint8Array, isError: boolean): void {
  if (bytes.length === 0) return;
  const wake = (): void => {
    if (output.takeWait()) send({ type: "output" });
  };
  output.writeAll(frameHeader(bytes.length, isError), () => {});
  output.writeAll(bytes, wake);
}

/**
 * Sets the guest's current directory. Its C library believes that it is in "/" and has no call to change that; the program
 * asks it for the directory to find the ignore files above, so the path is put where the library keeps it, in a page of its
 * own.
 */
function setCurrentDirectory(memory: WebAssembly.Memory, address: number, directory: string): void {
  const bytes = Buffer.concat([toBytes(directory), Buffer.of(0)]);
  const pageBytes = 65536;
  const at = memory.grow(Math.ceil(bytes.length / pageBytes)) * pageBytes;
  const view = Buffer.from(memory.buffer);
  const now = view.readUInt32LE(address);
  if (view.toString("latin1", now, now + 2) !== "/\0") throw new Error("the module's current directory is not where it was");
  view.set(bytes, at);
  view.writeUInt32LE(at, address);
}

/** Standard error by whole lines, with Linux's words for system errors. */
class ErrorLines {
  readonly #emit: (bytes: Uint8Array) => void;
  #parts: Buffer[] = [];

  constructor(emitLine: (bytes: Uint8Array) => void) {
    this.#emit = emitLine;
  }

  add(bytes: Uint8Array): void {
    this.#parts.push(Buffer.from(bytes));
    if (bytes.includes(NEWLINE)) this.flush();
  }

  flush(): void {
    if (this.#parts.length === 0) return;
    this.#emit(toBytes(inLinuxWords(toText(Buffer.concat(this.#parts)))));
    this.#parts = [];
  }
}

const NEWLINE = 10;
