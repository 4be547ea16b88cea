/** A sink that counts, for the server's metrics. */
import type { ShippedLine } from "../../audit/ship/shipped-line.ts";
import type { SinkFigures } from "../server-events.ts";
import { type AuditSink, SinkAway } from "./audit-sink.ts";

export class CountedSink implements AuditSink {
  readonly name: string;
  readonly batchBytes: number;
  readonly #sink: AuditSink;
  readonly #nowMs: () => number;
  #lines = 0;
  #failures = 0;
  #confirmedMs: number | undefined;

  /** `nowMs`: milliseconds since the epoch. */
  constructor(sink: AuditSink, nowMs: () => number = Date.now) {
    this.name = sink.name;
    this.batchBytes = sink.batchBytes;
    this.#sink = sink;
    this.#nowMs = nowMs;
  }

  get figures(): SinkFigures {
    return { name: this.name, lines: this.#lines, failures: this.#failures, confirmedMs: this.#confirmedMs };
  }

  async send(lines: readonly ShippedLine[], signal: AbortSignal): Promise<void> {
    try {
      await this.#sink.send(lines, signal);
    } catch (thrown) {
      // A server that ends is no failure of the sink.
      if (thrown instanceof SinkAway && !signal.aborted) this.#failures++;
      throw thrown;
    }
    this.#lines += lines.length;
    this.#confirmedMs = this.#nowMs();
  }
}
