/** `shelpa-mcp --root DIR`: the server, until its client is done or a signal ends it. */
import { resolve } from "node:path";
import { loadPolicy } from "../config/load.ts";
import type { Policy } from "../config/policy.ts";
import { quoteWord } from "../display/quote.ts";
import { ExecutorPool } from "../exec/executor-pool.ts";
import type { ShellService, ShellServiceOptions } from "../mcp/shell-service.ts";
import { FileError } from "../workspace/file-error.ts";
import { CommandLineError } from "./command-line-error.ts";
import type { HookListener } from "./hook/hook-listener.ts";
import { socketPlace } from "./hook/hook-socket.ts";
import { tokenOf } from "./http-settings.ts";
import type { McpSettings } from "./mcp-arguments.ts";
import { policySources } from "./policy-sources.ts";
import { servingFault } from "./print.ts";
import { untilSignal } from "./until-signal.ts";

const EXIT_FAULT = 1;

/** Gives the exit status. Rejects with CommandLineError or ConfigurationError. */
export async function serve(settings: McpSettings, log: (line: string) => void): Promise<number> {
  const { policy } = await loadPolicy(
    policySources({ ...settings, secretFiles: settings.http?.tokenFile === undefined ? [] : [settings.http.tokenFile] }),
  );
  // The executor process is started first, so that it comes up while the protocol's code is loaded here.
  const { createShellService } = await import("../mcp/service.ts");
  const token = settings.http && tokenOf(settings.http, process.env);
  const pool = ExecutorPool.ofOne(policy.limits);
  const [service, transport, { serverOptions }] = await Promise.all([
    openService(createShellService, settings, policy, pool),
    settings.interactive
      ? import("./interactive.ts")
      : settings.http === undefined
        ? import("../mcp/serve-stdio.ts")
        : import("./serve-one-http.ts"),
    import("./server-options.ts"),
  ]);
  const stop = untilSignal();
  const hooks = hooksLater(service, resolve(settings.root), stop.signal);
  try {
    const options = serverOptions(policy, { rawOutput: settings.rawOutput, log });
    if ("interactive" in transport) {
      const streams = { input: process.stdin, output: process.stdout, terminal: process.stderr };
      await transport.interactive(service, options, streams, stop.signal);
    } else if ("serveOverStdio" in transport) {
      await transport.serveOverStdio(service, { ...options, input: process.stdin, output: process.stdout, stop: stop.signal });
    } else if (settings.http !== undefined && token !== undefined) {
      await transport.serveOneOverHttp(service, { http: settings.http, token, pool, endpoint: options, stop });
    }
    return 0;
  } catch (error) {
    log(servingFault(error));
    return EXIT_FAULT;
  } finally {
    await hooks.close();
    await service.close();
    // A paused standard input, or a signal's handler, must not keep the process.
    stop.release();
    process.stdin.destroy();
  }
}

/** A server that answers one call and ends has no use for the socket of hooks. */
const HOOKS_AFTER_MS = 300;

/** Listens for hooks once the server has been there for a while. */
function hooksLater(service: ShellService, root: string, stop: AbortSignal): { readonly close: () => Promise<void> } {
  let listening: Promise<HookListener | undefined> | undefined;
  const timer = setTimeout(() => {
    const place = stop.aborted ? undefined : socketPlace(root, process.env);
    if (place !== undefined) listening = import("./hook/hook-listener.ts").then(({ listenForHooks }) => listenForHooks(service, place));
  }, HOOKS_AFTER_MS).unref();
  return {
    close: async () => {
      clearTimeout(timer);
      (await listening)?.close();
    },
  };
}

async function openService(
  createShellService: (options: ShellServiceOptions) => Promise<ShellService>,
  { root, aliases }: McpSettings,
  policy: Policy,
  pool: ExecutorPool,
): Promise<ShellService> {
  try {
    return await createShellService({ root: resolve(root), policy, aliases, isolation: "process", pool });
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    const hint = error.code === "ENOTDIR" ? `shelpa-mcp --root ${quoteWord(resolve(root, ".."))}` : undefined;
    throw new CommandLineError(`cannot open the root '${root}': ${error.message}`, hint);
  }
}
