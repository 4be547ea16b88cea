/** ripgrep's module: ripgrep 15.1.0 for wasm32-wasip1 with SIMD, from the npm package `ripgrep` 0.3.1. */
import type { WasmTool } from "../../src/wasm/wasm-tool.ts";

export const ripgrep: WasmTool = {
  name: "rg",
  file: "rg.wasm.br",
  sha256: "0b39774ab9fe912a277f3b921f7619c937dc0398eacf184683d2112919cb6943",
  linkage: { kind: "wasi", currentDirectoryAddress: 1801568 },
};
