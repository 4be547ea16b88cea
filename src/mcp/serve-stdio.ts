/** Serves one client over standard input and output, in whichever protocol era the client opens with, until input ends. */
import type { Readable, Writable } from "node:stream";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createShelpaServer, type ShelpaServerOptions } from "./server.ts";
import type { ShellService } from "./shell-service.ts";
import { StdioTransport } from "./stdio.ts";

export interface ServeOptions extends ShelpaServerOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** Aborted: takes no more requests, and ends those in flight after `DRAIN_MS`. */
  readonly stop: AbortSignal;
}

/** Time that calls in flight may go on after `stop`, in milliseconds. */
const DRAIN_MS = 2000;

/** Resolves when input has ended and everything was answered, when nobody reads the answers, or after `stop`. */
export async function serveOverStdio(service: ShellService, options: ServeOptions): Promise<void> {
  const transport = new StdioTransport(options.input, options.output);
  // `initialize` or a request without an envelope opens the eras up to 2025-11-25, an envelope the one of 2026-07-28.
  const connection = serveStdio(() => createShelpaServer(service, options), {
    transport,
    onerror: (error) => options.log(`protocol: ${error.message}`),
  });
  let drain: NodeJS.Timeout | undefined;
  const onStop = (): void => {
    transport.stopReading();
    drain = setTimeout(() => void connection.close(), DRAIN_MS);
  };
  if (options.stop.aborted) onStop();
  options.stop.addEventListener("abort", onStop);
  await transport.finished;
  clearTimeout(drain);
  options.stop.removeEventListener("abort", onStop);
  await connection.close();
}
