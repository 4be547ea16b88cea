/**
 * Takes from this process, or this thread, what of Node reaches the network without an import: for the executor and
 * its threads, which import none (test/supply-chain.test.ts). A help and no boundary: code that runs here as native
 * code, or with an import of its own, has the network that the host gives the process.
 */
export function forgetNetwork(): void {
  for (const name of ["fetch", "WebSocket", "EventSource", "XMLHttpRequest"]) Reflect.deleteProperty(globalThis, name);
  for (const name of ["binding", "_linkedBinding", "getBuiltinModule", "dlopen"]) Reflect.deleteProperty(process, name);
}
