/** The sink `syslog`: RFC 5424 over TCP (RFC 6587) or TLS (RFC 5425), a connection for each batch. */
import type { ShippedLine } from "../../audit/ship/shipped-line.ts";
import { type AuditSink, BATCH_BYTES } from "./audit-sink.ts";
import { type ConnectionLimits, sendOverConnection, type SyslogReceiver } from "./syslog-connection.ts";
import { syslogFrames } from "./syslog-message.ts";

const LIMITS: ConnectionLimits = { connectMs: 10_000, sendMs: 30_000 };

export class SyslogSink implements AuditSink {
  readonly name: string;
  readonly batchBytes = BATCH_BYTES;
  readonly #receiver: SyslogReceiver;
  readonly #host: string;
  readonly #limits: ConnectionLimits;

  /** `host`: the name of this machine, as messages have it. */
  constructor(receiver: SyslogReceiver, host: string, limits = LIMITS) {
    const { host: to, port, tls } = receiver;
    this.name = `syslog ${tls === undefined ? "tcp" : "tls"}://${to.includes(":") ? `[${to}]` : to}:${port}`;
    this.#receiver = receiver;
    this.#host = host.replace(/[^!-~]/g, "").slice(0, 255) || "-";
    this.#limits = limits;
  }

  send(lines: readonly ShippedLine[], signal: AbortSignal): Promise<void> {
    const bytes = Buffer.concat(lines.flatMap((line) => syslogFrames(line, this.#host)));
    return sendOverConnection(this.#receiver, bytes, this.#limits, signal);
  }
}
