/** A receiver of records outside the workspace. */
import type { ShippedLine } from "../../audit/ship/shipped-line.ts";

export interface AuditSink {
  /** The sink as the operator knows it: "syslog tls://logs.example.org:6514". Also what its place in a workspace is kept under. */
  readonly name: string;
  /** Bytes of lines that it takes at a time, roughly. */
  readonly batchBytes: number;
  /**
   * Resolves when the receiver has all of `lines`, in order. Throws SinkAway where that is not known: all are then sent again. One call
   * per workspace at a time, those of several workspaces beside each other.
   */
  send(lines: readonly ShippedLine[], signal: AbortSignal): Promise<void>;
}

/** Bytes of a batch. It is put into a sink's form in one piece; reading it and that took the server 15 ms, and 53 at 1 MiB. */
export const BATCH_BYTES = 256 << 10;

/** Thrown where a sink has not confirmed; the message is a clause that says why. */
export class SinkAway extends Error {
  override readonly name = "SinkAway";
  /** Time after which it wants to be asked again, in milliseconds; undefined: it does not say. */
  readonly retryMs: number | undefined;

  constructor(message: string, retryMs?: number) {
    super(message);
    this.retryMs = retryMs;
  }
}

/** The clause of an error that a socket has thrown. */
export const awayBecause = (thrown: unknown): SinkAway =>
  thrown instanceof SinkAway ? thrown : new SinkAway(thrown instanceof Error ? thrown.message : String(thrown));
