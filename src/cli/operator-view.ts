/** The view of an HTTP server's operator: its log, its metrics, its traces and its readiness, from the same events. */
import type { ExecutorPool } from "../exec/executor-pool.ts";
import { toEach } from "../mcp/event-listeners.ts";
import { Metrics } from "../mcp/http/metrics.ts";
import { readiness, type ReadinessAnswer } from "../mcp/http/readiness.ts";
import { type LogFormat, ServerLog } from "../mcp/http/server-log.ts";
import { openTelemetry } from "../mcp/http/telemetry-settings.ts";
import type { NotedEvent, ServerEvents, ServerGauges } from "../mcp/server-events.ts";
import { LogLines } from "./log-lines.ts";
import { complain, printLog } from "./print.ts";
import { VERSION } from "./version.ts";

export interface OperatorView {
  /** Says a line to whoever has started the server, in the form of the log. It is sent nowhere: a new token is among these. */
  readonly say: (line: string) => void;
  readonly events: Required<ServerEvents>;
  readonly metrics: () => string;
  readonly readiness: (isGoingDown: boolean) => ReadinessAnswer;
  /** Sends what is left of the traces; takes two seconds at most. */
  close(): Promise<void>;
}

export interface OperatorViewOptions {
  /** undefined: requests and calls are not logged, and only what goes wrong is. */
  readonly format: LogFormat | undefined;
  /** Besides those of the pool. */
  readonly gauges: Pick<ServerGauges, "openWorkspaces" | "sessions" | "journalBytes" | "sinks">;
  readonly pool: ExecutorPool;
  readonly isRootThere?: () => boolean;
}

/** The first line of a server's last. */
export const goingDown = (graceMs: number): NotedEvent => ({
  level: "info",
  message: `going down: calls are taken for another ${graceMs / 1000} s; another signal ends the server at once`,
});

export async function openOperatorView({ format, gauges: others, pool, isRootThere }: OperatorViewOptions): Promise<OperatorView> {
  const gauges: ServerGauges = {
    ...others,
    queuedCalls: () => pool.queued,
    runningCalls: () => pool.running,
    executors: () => pool.executors,
    executorBytes: () => pool.residentBytes,
  };
  const metrics = new Metrics(VERSION);
  const lines = new LogLines(printLog);
  const log = new ServerLog({ format: format ?? "text", write: (text) => lines.write(text) });
  const logged: ServerEvents = format === undefined ? { noted: (event) => log.noted(event) } : log;
  const telemetry = await openTelemetry(process.env, { version: VERSION, say: (event) => log.noted(event) });
  const rootProblem = (): string | undefined => (isRootThere?.() === false ? "the root is gone" : undefined);
  return {
    say: format === "json" ? (message) => log.noted({ level: "info", message }) : complain,
    events: toEach([metrics, logged, ...(telemetry === undefined ? [] : [telemetry.events])]),
    metrics: () => metrics.text(gauges),
    readiness: (isGoingDown) => readiness({ isGoingDown, gauges, mostQueuedCalls: pool.limits.waiting, rootProblem }),
    close: async () => {
      await telemetry?.shutdown();
      lines.close();
    },
  };
}
