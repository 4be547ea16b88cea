/**
 * Runs a tool in its thread as a stage: output is pulled from one ring, input is put into another when the tool asks
 * for it. A reader that has enough ends the thread.
 */
import type { StageLimits } from "../builtin/definition.ts";
import type { ByteInput } from "../io/input.ts";
import { LimitReached } from "../io/limit-reached.ts";
import type { Files } from "../workspace/contract.ts";
import { ByteRing } from "./byte-ring.ts";
import type { GuestNames } from "./guest-paths.ts";
import { FrameReader } from "./output-frames.ts";
import type { FromTool, ToolJob } from "./tool-messages.ts";
import { ToolThread } from "./tool-thread.ts";
import { moduleOf, type WasmTool } from "./wasm-tool.ts";

/** Bytes that the tool may write ahead of its reader, and bytes of input read ahead of the tool. */
const OUTPUT_BYTES = 1 << 20;
const INPUT_BYTES = 1 << 19;
/** The most memory a tool may have, in bytes. */
const MOST_MEMORY_BYTES = 256 << 20;

export interface ToolCall {
  readonly args: readonly string[];
  readonly files: Files;
  readonly names: GuestNames;
  readonly stdin: ByteInput;
  readonly stderr: (bytes: Uint8Array) => void;
  readonly nowMs: number;
  readonly timeZone: string;
  readonly limits: StageLimits;
  /** Environment of the tool; empty where there is none. */
  readonly environment?: () => ReadonlyMap<string, string>;
}

/** Yields the tool's standard output and returns its exit status. Throws where the tool itself broke down. */
export async function* runTool(tool: WasmTool, call: ToolCall): AsyncGenerator<Uint8Array, number> {
  const run = new ToolRun(call);
  try {
    run.start(await moduleOf(tool), tool);
    return yield* run.output();
  } finally {
    await run.end();
  }
}

class ToolRun {
  readonly #call: ToolCall;
  readonly #input = ByteRing.of(INPUT_BYTES);
  readonly #output = ByteRing.of(OUTPUT_BYTES);
  readonly #frames = new FrameReader();
  #thread: ToolThread | undefined;
  #exit: number | undefined;
  #failure: unknown;
  #failed = false;
  #ended = false;
  #wake: () => void = () => {};

  constructor(call: ToolCall) {
    this.#call = call;
  }

  start(module: WebAssembly.Module, tool: WasmTool): void {
    const { args, files, names, nowMs, timeZone, limits, environment } = this.#call;
    const job: ToolJob = {
      module,
      args: [tool.name, ...args],
      environment: [...(environment?.() ?? [])].map(([name, value]) => `${name}=${value}`),
      workspace: files.handOver(),
      names,
      nowMs,
      timeZone,
      memoryBytes: Math.min(limits.heldBytes, MOST_MEMORY_BYTES),
      linkage: tool.linkage,
      stdin: this.#input.shared,
      output: this.#output.shared,
    };
    this.#thread = new ToolThread(job, { hear: (message) => this.#hear(message), fail: (error) => this.#fail(error) });
  }

  async *output(): AsyncGenerator<Uint8Array, number> {
    for (;;) {
      const over = this.#exit;
      const bytes = this.#output.takeAll();
      for (const piece of this.#frames.read(bytes)) {
        if (piece.isError) this.#call.stderr(piece.bytes);
        else yield piece.bytes;
      }
      if (bytes.length > 0) continue;
      if (over !== undefined) return over;
      if (this.#failed) throw this.#failure;
      await this.#news();
    }
  }

  /** Ends the thread, unless it has ended its job, and gives back the input that it has not read. */
  async end(): Promise<void> {
    this.#ended = true;
    if (this.#exit !== undefined && !this.#failed) this.#thread?.giveBack();
    else await this.#thread?.end();
    this.#call.stdin.unread(this.#input.takeAll());
  }

  #hear(message: FromTool): void {
    switch (message.type) {
      case "output":
        break;
      case "input":
        void this.#feed();
        return;
      case "exit":
        this.#exit = message.status;
        break;
      case "memory-full":
        this.#fail(new LimitReached("held", Math.min(this.#call.limits.heldBytes, MOST_MEMORY_BYTES), "bytes"));
        break;
      case "fault":
        this.#fail(new Error(message.message));
        break;
    }
    this.#wake();
  }

  #fail(error: unknown): void {
    if (!this.#failed) this.#failure = error;
    this.#failed = true;
    this.#wake();
  }

  /** The tool waits: one block, or as much of it as the ring holds. */
  async #feed(): Promise<void> {
    const { stdin } = this.#call;
    try {
      const block = await stdin.read();
      if (block === undefined) this.#input.end();
      else stdin.unread(block.subarray(this.#ended ? 0 : this.#input.write(block)));
    } catch (thrown) {
      this.#fail(thrown);
    }
  }

  /** Resolves when there may be something new: output, the end, a failure. */
  async #news(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      this.#output.announceWait();
      if (this.#output.held > 0 || this.#exit !== undefined || this.#failed) resolve();
    });
  }
}
