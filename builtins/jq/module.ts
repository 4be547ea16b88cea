/** jq's module: jq 1.8.2 linked by Emscripten, from the npm package `jq-wasm` 3.0.0-jq-1.8.2, of which nothing else is used. */
import type { WasmTool } from "../../src/wasm/wasm-tool.ts";

export const jqModule: WasmTool = {
  name: "jq",
  file: "jq.wasm.br",
  sha256: "27d493c06601e9cbc7112ef4198ee71a0dc3e9c9a4a1754e73888841da6c450a",
  linkage: {
    kind: "emscripten",
    // As the package's own glue pairs them (`wasmImports` and `assignWasmExports` in dist/index.mjs).
    imports: {
      a: "assert_fail",
      b: "exit",
      c: "fd_close",
      d: "fd_write",
      e: "fcntl64",
      f: "openat",
      g: "emscripten_date_now",
      h: "fd_read",
      i: "ioctl",
      j: "environ_get",
      k: "emscripten_resize_heap",
      l: "environ_sizes_get",
      m: "readlinkat",
      n: "getcwd",
      o: "call_sighandler",
      p: "exit",
      q: "emscripten_runtime_keepalive_clear",
      r: "gmtime",
      s: "localtime",
      t: "mktime",
      u: "timegm",
      v: "tzset",
      w: "strptime",
      x: "fd_seek",
      y: "fd_fdstat_get",
      z: "random_get",
      A: "lstat64",
      B: "newfstatat",
      C: "stat64",
      D: "fstat64",
      E: "abort",
    },
    names: { memory: "F", initialise: "G", main: "H", setStackPosition: "J", allocateOnStack: "K", stackPosition: "L" },
    // The one word of its data that holds the stack's beginning.
    heapStartAddress: 395336,
  },
};
