/** One run of a module that Emscripten linked: instance, arguments, `main`, exit status. */
import { toBytes } from "../io/text.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { BufferedStreams } from "./buffered-streams.ts";
import { EmscriptenFiles } from "./emscripten-files.ts";
import { EmscriptenHost } from "./emscripten-host.ts";
import type { EmscriptenLinkage } from "./wasm-tool.ts";
import { GuestExit } from "./wasi-host.ts";

export interface EmscriptenJob {
  readonly module: WebAssembly.Module;
  readonly linkage: EmscriptenLinkage;
  /** Its name first. */
  readonly args: readonly string[];
  readonly environment: readonly string[];
  readonly workspace: Workspace;
  readonly streams: BufferedStreams;
  readonly nowMs: number;
  readonly timeZone: string;
  readonly memoryBytes: number;
}

/**
 * The stack the guest gets, in bytes, room for the 10,000 levels that jq descends into a value at 2 KiB a level. With
 * the one it was linked with (1 MiB) it would write into its own data; a page that is not used costs nothing.
 */
const STACK_BYTES = 32 << 20;
const PAGE_BYTES = 65536;
/** Exit status that a shell reports for a program that a segmentation fault ended. */
const SEGMENTATION_FAULT = 139;

/** Returns the exit status. Throws GuestMemoryFull; anything else is a fault of ours. */
export function runEmscripten(job: EmscriptenJob): number {
  const files = new EmscriptenFiles(job.workspace, job.streams.stdin);
  const host = new EmscriptenHost({ ...job, files });
  try {
    const { names } = job.linkage;
    const instance = new WebAssembly.Instance(job.module, host.importsFor(job.module, job.linkage.imports));
    const exported = <T>(name: string): T => instance.exports[name] as T;
    const memory = exported<WebAssembly.Memory>(names.memory);
    moveHeap(memory, exported(names.stackPosition), exported(names.setStackPosition), job.linkage.heapStartAddress);
    const allocate = exported<(bytes: number) => number>(names.allocateOnStack);
    host.attach(memory, allocate);
    exported<() => void>(names.initialise)();
    const main = exported<(count: number, vector: number) => number>(names.main);
    return main(...writeArguments(memory, allocate, job.args));
  } catch (thrown) {
    if (thrown instanceof GuestExit) return thrown.status;
    // A trap is the guest's own end: it met its stack's, or touched what it has not.
    if (thrown instanceof RangeError || thrown instanceof WebAssembly.RuntimeError) return SEGMENTATION_FAULT;
    throw thrown;
  } finally {
    files.closeAll();
  }
}

/** Lets the heap begin further up, and puts the stack's beginning there: it grows down. */
function moveHeap(memory: WebAssembly.Memory, stackPosition: () => number, setStackPosition: (at: number) => void, address: number): void {
  memory.grow(STACK_BYTES / PAGE_BYTES);
  const view = Buffer.from(memory.buffer);
  const from = stackPosition();
  if (view.readUInt32LE(address) !== from) throw new Error("the module's heap does not begin where it did");
  view.writeUInt32LE(from + STACK_BYTES, address);
  setStackPosition(from + STACK_BYTES);
}

/** main's two arguments. */
function writeArguments(memory: WebAssembly.Memory, allocate: (bytes: number) => number, args: readonly string[]): [number, number] {
  const pointers = args.map((arg) => {
    const bytes = Buffer.concat([toBytes(arg), Buffer.of(0)]);
    const at = allocate(bytes.length);
    Buffer.from(memory.buffer).set(bytes, at);
    return at;
  });
  const vector = allocate(4 * (pointers.length + 1));
  const view = Buffer.from(memory.buffer);
  [...pointers, 0].forEach((pointer, index) => view.writeUInt32LE(pointer, vector + 4 * index));
  return [pointers.length, vector];
}
