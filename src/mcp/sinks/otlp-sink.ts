/**
 * The sink `otlp`: log records of OpenTelemetry over HTTP, in the protocol's JSON (OTLP 1.x, "OTLP/HTTP"). By hand, because the exporter's
 * packages drop what a collector does not take in time, and these may not.
 */
import { request as requestHttp, type IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import type { ShippedLine } from "../../audit/ship/shipped-line.ts";
import { type AuditSink, awayBecause, BATCH_BYTES, SinkAway } from "./audit-sink.ts";

const ANSWER_MS = 30_000;
const MOST_ANSWER_BYTES = 64 << 10;
const MOST_RETRY_MS = 600_000;
/** Severity numbers of the log data model. */
const INFO = 9;
const WARN = 13;

export interface OtlpReceiver {
  readonly url: string;
  /** Certificates in PEM; undefined: those that Node brings. */
  readonly ca: string | undefined;
  /** Sent with each request, besides those of its body. */
  readonly headers: Readonly<Record<string, string>>;
}

export class OtlpSink implements AuditSink {
  readonly name: string;
  readonly batchBytes = BATCH_BYTES;
  readonly #receiver: OtlpReceiver;
  readonly #host: string;
  readonly #rejected: (message: string) => void;
  readonly #answerMs: number;

  /** `rejected` is told of records that the collector took and threw away, which the protocol forbids to send again. */
  constructor(receiver: OtlpReceiver, host: string, rejected: (message: string) => void, answerMs = ANSWER_MS) {
    this.name = `otlp ${receiver.url}`;
    this.#receiver = receiver;
    this.#host = host;
    this.#rejected = rejected;
    this.#answerMs = answerMs;
  }

  async send(lines: readonly ShippedLine[], signal: AbortSignal): Promise<void> {
    const { status, retryAfter, body } = await this.#post(JSON.stringify(exported(lines, this.#host)), signal);
    if (status !== 200) throw new SinkAway(`it answered with status ${status}`, retryMsOf(retryAfter));
    const rejected = rejectedOf(body);
    const [first] = lines;
    if (rejected === undefined || first === undefined) return;
    this.#rejected(
      `${this.name} has thrown away ${rejected.count} of ${lines.length} records of ${first.workspace}, from ${first.log} ${first.sequence} on: ${rejected.message}`,
    );
  }

  async #post(body: string, signal: AbortSignal): Promise<{ readonly status: number; readonly retryAfter: string; readonly body: string }> {
    const { url, ca, headers: own } = this.#receiver;
    const request = url.startsWith("https:") ? requestHttps : requestHttp;
    const within = AbortSignal.any([signal, AbortSignal.timeout(this.#answerMs)]);
    try {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        const headers = { ...own, "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) };
        request(url, { method: "POST", headers, signal: within, ...(ca === undefined ? {} : { ca }) }, resolve)
          .on("error", reject)
          .end(body);
      });
      const blocks: Buffer[] = [];
      let bytes = 0;
      for await (const block of response as AsyncIterable<Buffer>) {
        bytes += block.length;
        if (bytes > MOST_ANSWER_BYTES) throw new SinkAway("its answer is too long");
        blocks.push(block);
      }
      const { statusCode = 0, headers } = response;
      return { status: statusCode, retryAfter: headers["retry-after"] ?? "", body: Buffer.concat(blocks).toString("utf8") };
    } catch (thrown) {
      if (within.aborted) throw new SinkAway(signal.aborted ? "the server stops" : "no answer in time");
      throw awayBecause(thrown);
    }
  }
}

function retryMsOf(text: string): number | undefined {
  return /^\d{1,6}$/.test(text) ? Math.min(Number(text) * 1000, MOST_RETRY_MS) : undefined;
}

/** ExportLogsServiceRequest. */
const exported = (lines: readonly ShippedLine[], host: string) => ({
  resourceLogs: [
    {
      resource: { attributes: [attribute("service.name", "shelpa-mcp"), attribute("host.name", host)] },
      scopeLogs: [{ scope: { name: "shelpa.audit" }, logRecords: lines.map(logRecord) }],
    },
  ],
});

function logRecord({ text, time, log, kind, stream, workspace, sequence, id }: ShippedLine) {
  const isWarning = log === "notices" && kind !== "anchor";
  return {
    ...(time === "" ? {} : { timeUnixNano: String(BigInt(Date.parse(time)) * 1_000_000n) }),
    severityNumber: isWarning ? WARN : INFO,
    severityText: isWarning ? "WARN" : "INFO",
    body: { stringValue: text },
    attributes: [
      attribute("shelpa.stream", stream),
      attribute("shelpa.workspace", workspace),
      attribute("shelpa.log", log),
      { key: "shelpa.sequence", value: { intValue: String(sequence) } },
      attribute("shelpa.id", id),
      attribute("shelpa.kind", kind),
    ],
  };
}

const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } });

/** The partial success of an ExportLogsServiceResponse; undefined where all was taken. */
function rejectedOf(body: string): { readonly count: string; readonly message: string } | undefined {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return undefined;
  }
  const partial = isObject(value) ? value["partialSuccess"] : undefined;
  if (!isObject(partial)) return undefined;
  // A 64-bit number is a text in the protocol's JSON.
  const count = String(partial["rejectedLogRecords"] ?? 0);
  return count === "0" ? undefined : { count, message: String(partial["errorMessage"] ?? "") };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null;
