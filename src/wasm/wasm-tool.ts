/** A program compiled to WebAssembly and stored in dist/: checked, compiled once per process, run in a thread. */
import { createHash } from "node:crypto";
import { ownBytes } from "../host/own-code.ts";

export interface WasmTool {
  /** Its first argument. */
  readonly name: string;
  /** File name in dist/ (tools/build/build.mjs puts it there from the package). */
  readonly file: string;
  /** SHA-256 of the module's bytes; a module with any other is not run. */
  readonly sha256: string;
  readonly linkage: WasiLinkage | EmscriptenLinkage;
}

/** Linked with wasi-libc: calls WASI preview 1. */
export interface WasiLinkage {
  readonly kind: "wasi";
  /**
   * Address in its memory of wasi-libc's `__wasilibc_cwd`, a pointer to "/" at the start. Found by pointing every pointer to
   * such a text elsewhere and looking which one the program then reports as its directory.
   */
  readonly currentDirectoryAddress: number;
}

/** Linked by Emscripten: calls what its libc expects of JavaScript, by short names that change with every build. */
export interface EmscriptenLinkage {
  readonly kind: "emscripten";
  /** Short name of each import → the call in emscripten-host.ts. */
  readonly imports: Readonly<Record<string, string>>;
  /** Short names of the exports we need. */
  readonly names: Readonly<Record<"memory" | "initialise" | "main" | "setStackPosition" | "allocateOnStack" | "stackPosition", string>>;
  /** Address in its memory at which sbrk(2) keeps the heap's end, which is the stack's beginning at the start. */
  readonly heapStartAddress: number;
}

/** One entry per tool, for the process's life: compiling takes 30 ms, and all threads share the code. */
const compiled = new Map<string, Promise<WebAssembly.Module>>();

/** The tool's module. Throws where its bytes are not those the build was checked with. */
export function moduleOf(tool: WasmTool): Promise<WebAssembly.Module> {
  let module = compiled.get(tool.sha256);
  if (module === undefined) {
    module = compile(tool);
    compiled.set(tool.sha256, module);
  }
  return module;
}

async function compile({ file, sha256 }: WasmTool): Promise<WebAssembly.Module> {
  const bytes = ownBytes(file);
  const digest = createHash("sha256").update(bytes).digest("hex");
  if (digest !== sha256) throw new Error(`${file} is not the module that was built: its SHA-256 is ${digest}`);
  return WebAssembly.compile(bytes);
}
