/** Messages between the main thread and a tool's thread; bytes go through the rings. */
import type { HandedOver } from "../workspace/contract.ts";
import type { GuestNames } from "./guest-paths.ts";
import type { WasmTool } from "./wasm-tool.ts";

/** One run of a tool. Plain data. */
export interface ToolJob {
  readonly module: WebAssembly.Module;
  /** Its name first. */
  readonly args: readonly string[];
  /** `NAME=value`. Given to a guest that Emscripten linked alone. */
  readonly environment: readonly string[];
  readonly workspace: HandedOver;
  readonly names: GuestNames;
  readonly nowMs: number;
  readonly timeZone: string;
  /** The most memory an Emscripten guest may have. */
  readonly memoryBytes: number;
  readonly linkage: WasmTool["linkage"];
  readonly stdin: SharedArrayBuffer;
  /** Frames: see output-frames.ts. */
  readonly output: SharedArrayBuffer;
}

export type FromTool =
  /** Sent once for output written after the main thread has announced that it sleeps. */
  | { readonly type: "output" }
  /** The tool waits for standard input. */
  | { readonly type: "input" }
  /** All output is in the ring. */
  | { readonly type: "exit"; readonly status: number }
  /** The tool wanted more than `memoryBytes`. */
  | { readonly type: "memory-full" }
  | { readonly type: "fault"; readonly message: string };
