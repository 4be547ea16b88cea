/**
 * Deletes, in this process or thread, the globals of Node that reach the network without an import: for the executor and
 * its threads, which import no network module (test/supply-chain.test.ts). A help and no boundary: code that runs here as
 * native code, or with an import of its own, has the network that the host gives the process.
 */
export function forgetNetwork(): void {
  for (const name of ["fetch", "WebSocket", "EventSource", "XMLHttpRequest"]) Reflect.deleteProperty(globalThis, name);
  for (const name of ["binding", "_linkedBinding", "getBuiltinModule", "dlopen"]) Reflect.deleteProperty(process, name);
}
