/** `shelpa-mcp --workspaces DIR|FILE`: one server for many workspaces over HTTP, until a signal ends it; SIGHUP reads its files again. */
import { availableParallelism, totalmem } from "node:os";
import { isDeepStrictEqual } from "node:util";
import { ConfigurationError } from "../config/configuration-error.ts";
import type { Policy } from "../config/policy.ts";
import { loadServer, type ServerSetup } from "../config/server/load-server.ts";
import { ExecutorPool } from "../exec/executor-pool.ts";
import { openAuthenticator, singleTokenAuthenticator, type OpenedAuthenticator } from "../mcp/http/open-authenticator.ts";
import { serveSite, type HttpServing } from "../mcp/http/serve-http.ts";
import { Workspaces } from "../mcp/http/workspaces.ts";
import { openShipping, resumeShipping, shippedService } from "./shipped-workspaces.ts";
import { createShellService } from "../mcp/service.ts";
import { OutputRoom } from "../mcp/kept-outputs.ts";
import type { Redactor } from "../mcp/redaction.ts";
import { CallerLimits } from "../mcp/http/caller-limits.ts";
import { goingDown, openOperatorView } from "./operator-view.ts";
import { CommandLineError } from "./command-line-error.ts";
import { gateOf, tokenOf } from "./http-settings.ts";
import type { WorkspacesSettings } from "./mcp-arguments.ts";
import { servingFault } from "./print.ts";
import { checkServer } from "./check-server.ts";
import { type ServedWorkspace, servedWorkspace } from "./served-workspace.ts";
import { redactorOf, serverOptions } from "./server-options.ts";
import { withUsageReport } from "./usage-report.ts";
import { untilSignal } from "./until-signal.ts";

const EXIT_FAULT = 1;
const DEFAULT_IDLE_EXECUTOR_SECONDS = 60;
const DEFAULT_IDLE_WORKSPACE_SECONDS = 300;
const DEFAULT_OPEN_WORKSPACES = 1000;
const DEFAULT_SESSIONS = 4096;
const DEFAULT_REQUESTS = 64;
const DEFAULT_QUEUED_CALLS = 1024;
/** Kept outputs of all workspaces, in bytes. */
const OUTPUT_BYTES = 256 << 20;
/** Calls for each processor: some wait for a disk or a client. */
const CALLS_A_PROCESSOR = 2;
const LEAST_CALLS = 4;
/** Of the host's memory, or the container's: what idle executors may take by default. */
const PART_FOR_EXECUTORS = 1 / 3;
/** Resident memory of an idle executor, in bytes. */
const EXECUTOR_BYTES = 72 << 20;
const MOST_EXECUTORS = 256;
const MOST_REDACTORS = 64;

/** One redactor for all workspaces that have the same taken out: its tables are most of what an open workspace would take. */
class SharedRedactors {
  readonly #made = new Map<string, Redactor>();

  of(policy: Policy): Redactor {
    const key = JSON.stringify(policy.redaction);
    const redactor = this.#made.get(key) ?? redactorOf(policy);
    // As many as a server's policies are; only reloads could add to them without end.
    if (this.#made.size >= MOST_REDACTORS) this.#made.clear();
    this.#made.set(key, redactor);
    return redactor;
  }
}

/** Gives the exit status. It reports bad usage itself: this is bundled apart, so that the errors are of classes of its own. */
export const serveWorkspaces = (settings: WorkspacesSettings): Promise<number> =>
  withUsageReport("shelpa-mcp", () => (settings.isCheck ? checkServer(settings) : served(settings)));

/** Rejects with CommandLineError or ConfigurationError. */
async function served(settings: WorkspacesSettings): Promise<number> {
  let setup = loadServer(settings.workspaces);
  const began = setup.file;
  const { limits = {} } = began;
  const pool = poolOf(limits, () => hasCallers(setup));
  const outputs = new OutputRoom(OUTPUT_BYTES);
  const shared = new SharedRedactors();
  const view = await openOperatorView({
    format: settings.http.log ?? setup.file.log?.format ?? "text",
    gauges: {
      openWorkspaces: () => workspaces.openCount,
      sessions: () => workspaces.sessions,
      sinks: () => shipping?.figures ?? [],
      journalBytes: () => workspaces.services.reduce((sum, service) => sum + service.journalBytes(), 0),
    },
    pool,
  });
  const { events, metrics, readiness, say } = view;
  const log = (message: string): void => events.noted({ level: "error", message });
  const shipping = await openShipping(setup, events.noted);
  const callerLimits = new CallerLimits({ callsAtOnce: limits.caller_calls, callsPerMinute: limits.caller_calls_per_minute });
  let access = await accessOf(setup, settings, log);
  const workspaces = new Workspaces<ServedWorkspace>({
    find: (name) => servedWorkspace(name, setup, settings),
    open: async ({ name, root, policy }) => {
      const service = await createShellService({
        root,
        policy,
        aliases: [],
        isolation: "process",
        pool,
        outputs,
        logsAtOnce: shipping !== undefined,
      });
      const options = {
        ...serverOptions(policy, { rawOutput: settings.rawOutput, log, redactor: shared.of(policy) }),
        events,
        isAuthenticated: true,
      };
      if (shipping === undefined) return { service, options };
      try {
        return await shippedService(shipping, { name, root, service, options });
      } catch (thrown) {
        await service.close();
        throw thrown;
      }
    },
    limits: {
      open: limits.open_workspaces ?? DEFAULT_OPEN_WORKSPACES,
      requests: limits.workspace_requests ?? DEFAULT_REQUESTS,
      idleMs: (limits.workspace_idle_seconds ?? DEFAULT_IDLE_WORKSPACE_SECONDS) * 1000,
      sessions: limits.sessions ?? DEFAULT_SESSIONS,
    },
    noted: events.noted,
  });
  let serving: HttpServing | undefined;
  const reload = async (): Promise<void> => {
    try {
      const next = loadServer(settings.workspaces);
      access = await accessOf(next, settings, log, access);
      const later = (["limits", "log", "audit"] as const).filter((table) => !isDeepStrictEqual(next.file[table], began[table]));
      if (later.length > 0) {
        const tables = later.map((table) => `[${table}]`).join(", ");
        events.noted({ level: "warning", message: `${tables}: what has changed there takes effect with the next start` });
      }
      setup = next;
    } catch (thrown) {
      if (!(thrown instanceof ConfigurationError || thrown instanceof CommandLineError)) throw thrown;
      return events.noted({ level: "error", message: `not read again, and nothing has changed: ${thrown.message}` });
    }
    await workspaces.reload();
    const ended = (await serving?.endRevoked()) ?? 0;
    const requests = ended === 1 ? "one request was" : `${ended} requests were`;
    if (ended > 0) events.noted({ level: "warning", message: `${requests} ended: the token is no longer taken, or lacks a right it had` });
    events.noted({ level: "info", message: "read again" });
  };
  const onReload = (): void => void reload();
  const stop = untilSignal();
  process.on("SIGHUP", onReload);
  try {
    const { host, port, socket } = settings.http;
    const gate = gateOf(settings.http);
    serving = await serveSite(workspaces, "/w/NAME/mcp", {
      ...{ host, port, socket, gate, log, events, metrics, readiness, callerLimits },
      // As they are at the moment of a request.
      get authenticator() {
        return access.authenticator;
      },
      get resource() {
        return access.resource;
      },
    });
    say(`listening on ${serving.url}`);
    if (access.newToken !== undefined) say(`clients send the header  Authorization: Bearer ${access.newToken}`);
    void resumeShipping(shipping, workspaces, setup, log);
    const { graceMs } = settings.http;
    const isSignal = await Promise.race([stop.stopped.then(() => true), unused(serving, limits.exit_idle_seconds).then(() => false)]);
    if (isSignal && graceMs > 0) events.noted(goingDown(graceMs));
    await serving.close(isSignal ? graceMs : 0);
    await view.close();
    return 0;
  } catch (error) {
    log(servingFault(error));
    return EXIT_FAULT;
  } finally {
    process.off("SIGHUP", onReload);
    stop.release();
    process.stdin.destroy();
  }
}

interface Access extends Partial<OpenedAuthenticator> {
  /** A token that was made here, and so must be shown. */
  readonly newToken?: string;
}

/** True where callers are told apart. */
const hasCallers = ({ callers: { callers, oauth } }: Pick<ServerSetup, "callers">): boolean => callers.length > 0 || oauth !== undefined;

/** Who may call: the callers of the file, or without any whoever has the one token. Rejects with CommandLineError. */
async function accessOf(
  { callers }: ServerSetup,
  { http }: WorkspacesSettings,
  log: (line: string) => void,
  before?: Access,
): Promise<Access> {
  if (hasCallers({ callers })) return openAuthenticator(callers, { nowMs: Date.now, log });
  // One that was made here lasts as long as the server.
  if (before?.newToken !== undefined) return before;
  const { token, name, isNew } = tokenOf(http, process.env);
  return { authenticator: singleTokenAuthenticator(token, name), ...(isNew ? { newToken: token } : {}) };
}

/** Resolves when the server has not been used for `seconds`; never where that is undefined. */
function unused(serving: HttpServing, seconds: number | undefined): Promise<void> {
  if (seconds === undefined) return new Promise(() => undefined);
  return new Promise((resolve) => {
    const look = (): void => {
      const leftMs = seconds * 1000 - serving.unusedMs();
      if (leftMs <= 0) resolve();
      else setTimeout(look, leftMs).unref();
    };
    look();
  });
}

function poolOf(limits: NonNullable<ServerSetup["file"]["limits"]>, hasCallersNow: () => boolean): ExecutorPool {
  const running = limits.concurrent_calls ?? Math.max(LEAST_CALLS, CALLS_A_PROCESSOR * availableParallelism());
  const memory = Math.min(process.constrainedMemory() || Infinity, totalmem());
  const processes = Math.floor((memory * PART_FOR_EXECUTORS) / EXECUTOR_BYTES);
  return new ExecutorPool({
    running,
    processes: Math.max(running, limits.executors ?? Math.min(processes, MOST_EXECUTORS)),
    isShared: true,
    get hasCallers() {
      return hasCallersNow();
    },
    waiting: limits.queued_calls ?? DEFAULT_QUEUED_CALLS,
    idleMs: (limits.executor_idle_seconds ?? DEFAULT_IDLE_EXECUTOR_SECONDS) * 1000,
  });
}
