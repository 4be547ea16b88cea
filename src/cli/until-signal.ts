/** Signals that end a server: the first lets it go down in order, the second ends it at once. */
import { constants } from "node:os";

export interface UntilSignal {
  readonly signal: AbortSignal;
  /** Resolves at the first. */
  readonly stopped: Promise<void>;
  /** Listens no longer: a handler must not keep the process. */
  release(): void;
}

export function untilSignal(): UntilSignal {
  const stop = new AbortController();
  const onSignal = (signal: NodeJS.Signals): void => {
    if (stop.signal.aborted) process.exit(128 + constants.signals[signal]);
    stop.abort();
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  const stopped = new Promise<void>((resolve) => stop.signal.addEventListener("abort", () => resolve()));
  return { signal: stop.signal, stopped, release: () => void process.off("SIGINT", onSignal).off("SIGTERM", onSignal) };
}
