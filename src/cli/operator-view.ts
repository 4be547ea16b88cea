/** The view of an HTTP server's operator: its log, its metrics and its readiness, from the same events. */
import type { PoolLimits } from "../exec/executor-pool.ts";
import { toEach } from "../mcp/event-listeners.ts";
import { Metrics } from "../mcp/http/metrics.ts";
import { readiness, type ReadinessAnswer } from "../mcp/http/readiness.ts";
import { type LogFormat, ServerLog } from "../mcp/http/server-log.ts";
import type { ServerEvents, ServerGauges } from "../mcp/server-events.ts";
import { VERSION } from "./version.ts";

export interface OperatorView {
  readonly events: Required<ServerEvents>;
  readonly metrics: () => string;
  readonly readiness: (isGoingDown: boolean) => ReadinessAnswer;
}

export interface OperatorViewOptions {
  /** undefined: requests and calls are not logged. */
  readonly format: LogFormat | undefined;
  readonly gauges: ServerGauges;
  readonly pool: PoolLimits;
  readonly isRootThere?: () => boolean;
}

export function operatorView({ format, gauges, pool, isRootThere }: OperatorViewOptions): OperatorView {
  const metrics = new Metrics(VERSION);
  const write = (lines: string): void => void process.stderr.write(lines);
  const log = format === undefined ? [] : [new ServerLog({ format, write })];
  const rootProblem = (): string | undefined => (isRootThere?.() === false ? "the root is gone" : undefined);
  return {
    events: toEach([metrics, ...log]),
    metrics: () => metrics.text(gauges),
    readiness: (isGoingDown) => readiness({ isGoingDown, gauges, mostQueuedCalls: pool.waiting, rootProblem }),
  };
}
