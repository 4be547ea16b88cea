/** Answer of `/readyz`: whether a new call would be taken now. A process that is alive (`/healthz`) may be not ready for a while. */
import type { ServerGauges } from "../server-events.ts";

export const READINESS_PATH = "/readyz";

export interface ReadinessFacts {
  readonly isGoingDown: boolean;
  readonly gauges: Pick<ServerGauges, "queuedCalls">;
  /** Most calls that may wait. */
  readonly mostQueuedCalls: number;
  /** Of a server of one workspace: the reason why its root cannot be used, as a clause; undefined where it can. */
  readonly rootProblem?: (() => string | undefined) | undefined;
}

export interface ReadinessAnswer {
  readonly status: 200 | 503;
  /** Text: "ready", or a reason a line. */
  readonly body: string;
}

export function readiness({ isGoingDown, gauges, mostQueuedCalls, rootProblem }: ReadinessFacts): ReadinessAnswer {
  const reasons = [
    isGoingDown ? "the server is going down" : undefined,
    gauges.queuedCalls() >= mostQueuedCalls ? `as many calls wait as may: ${mostQueuedCalls}` : undefined,
    rootProblem?.(),
  ].filter((reason) => reason !== undefined);
  return reasons.length === 0 ? { status: 200, body: "ready\n" } : { status: 503, body: `${reasons.join("\n")}\n` };
}
