/**
 * Requests and calls as spans, and the events of the log as log records, sent by OTLP over HTTP. Nothing waits for a collector: what it
 * does not take is dropped once the queues are full. Bundled apart, because this alone needs the packages of OpenTelemetry.
 * https://opentelemetry.io/docs/specs/semconv/http/http-spans/
 * https://github.com/open-telemetry/semantic-conventions-genai/blob/main/docs/gen-ai/mcp.md
 */
import { randomUUID } from "node:crypto";
import {
  type Attributes,
  type Context,
  diag,
  DiagLogLevel,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from "@opentelemetry/api";
import { OTLPLogExporter } from "@opentelemetry/exporter-logs-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import { BatchLogRecordProcessor, LoggerProvider } from "@opentelemetry/sdk-logs";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { thrownText } from "../../display/thrown-text.ts";
import { shortName, showText } from "../../display/visible.ts";
import type { CallEvent, NotedEvent, RequestEvent, ServerEvents, StartedRequest } from "../server-events.ts";
import { isPollThatWentWell } from "./polled-paths.ts";
import type { Signal } from "./telemetry-settings.ts";

export interface TelemetryOptions {
  /** Of the server. */
  readonly version: string;
  /** For what hinders the sending. Goes to the server's own log alone: a record of it would not be sent either. */
  readonly say: (event: NotedEvent) => void;
}

export interface Telemetry {
  readonly events: ServerEvents;
  /** Sends what is queued, for at most `FLUSH_MS`. Never rejects. */
  shutdown(): Promise<void>;
}

/** Time for the last of it, in milliseconds: that of a server that goes down. */
const FLUSH_MS = 2000;
/** Time for one export, in milliseconds, unless the environment names another: it may be under way when the server ends. */
const EXPORT_MS = 2000;
/** Requests whose span is open: more than there are connections. */
const MOST_REQUESTS = 10_000;
/** Most characters of a name, and of a message. */
const MOST_NAME = 200;
const MOST_MESSAGE = 8192;
/** Complaints of the library that are passed on; each once. */
const MOST_COMPLAINTS = 20;

const SCOPE = "shelpa-mcp";

export function startTelemetry(
  signals: readonly Signal[],
  environment: Readonly<Record<string, string | undefined>>,
  { version, say }: TelemetryOptions,
): Telemetry {
  passOnComplaints(say);
  const resource = defaultResource()
    .merge(resourceFromAttributes({ "service.name": SCOPE, "service.version": version, "service.instance.id": randomUUID() }))
    .merge(detectResources({ detectors: [envDetector] }));
  const timeFor = (signal: Signal): { timeoutMillis?: number } =>
    [environment["OTEL_EXPORTER_OTLP_TIMEOUT"], environment[`OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_TIMEOUT`]].some(Boolean)
      ? {}
      : { timeoutMillis: EXPORT_MS };
  const spans = signals.includes("traces")
    ? [new BatchSpanProcessor(watched(new OTLPTraceExporter(timeFor("traces")), "traces", say))]
    : [];
  const records = signals.includes("logs")
    ? [new BatchLogRecordProcessor({ exporter: watched(new OTLPLogExporter(timeFor("logs")), "logs", say) })]
    : [];
  const tracers = new BasicTracerProvider({ resource, spanProcessors: spans });
  const loggers = new LoggerProvider({ resource, processors: records });
  return {
    events: new SpansAndRecords(tracers.getTracer(SCOPE, version), loggers.getLogger(SCOPE, version)),
    shutdown: async () => {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, FLUSH_MS)));
      await Promise.race([Promise.allSettled([tracers.shutdown(), loggers.shutdown()]), late]);
      clearTimeout(timer);
    },
  };
}

/** The library's warnings, as on a setting that it cannot read. Its errors are those of exports, which `watched` tells better. */
function passOnComplaints(say: TelemetryOptions["say"]): void {
  const said = new Set<string>();
  const none = (): void => undefined;
  const warn = (text: string): void => {
    if (said.has(text) || said.size >= MOST_COMPLAINTS) return;
    said.add(text);
    say({ level: "warning", message: `OpenTelemetry: ${text}` });
  };
  diag.setLogger(
    { error: none, warn, info: none, debug: none, verbose: none },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}

interface Exporter<Item> {
  export(items: Item[], done: (result: ExportResult) => void): void;
  shutdown(): Promise<void>;
  forceFlush(): Promise<void>;
}
type ExportResult = Parameters<Parameters<OTLPTraceExporter["export"]>[1]>[0];

/** `exporter`, whose first failure is said, and then the first success. */
function watched<Item>(exporter: Exporter<Item>, signal: Signal, say: TelemetryOptions["say"]): Exporter<Item> {
  let fails = false;
  return {
    export: (items, done) =>
      exporter.export(items, (result) => {
        const failed = result.error !== undefined;
        if (failed && !fails)
          say({ level: "warning", message: `${signal} cannot be sent by OTLP, and are lost: ${errorText(result.error)}` });
        if (!failed && fails) say({ level: "info", message: `${signal} are sent by OTLP again` });
        fails = failed;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush(),
  };
}

/** Of several addresses that were tried, each error is in a list, and the message is empty. */
function errorText(error: unknown): string {
  const status = typeof error === "object" && error !== null && "code" in error ? String(error.code) : undefined;
  const text = thrownText(error);
  return status === undefined || text.includes(status) ? text : `${status} ${text}`;
}

class SpansAndRecords implements ServerEvents {
  readonly #tracer: Tracer;
  readonly #logger: ReturnType<LoggerProvider["getLogger"]>;
  readonly #requests = new Map<string, { readonly span: Span; readonly startedAtMs: number }>();

  constructor(tracer: Tracer, logger: ReturnType<LoggerProvider["getLogger"]>) {
    this.#tracer = tracer;
    this.#logger = logger;
  }

  requestStarted({ requestId, startedAtMs, traceparent }: StartedRequest): void {
    if (this.#requests.size >= MOST_REQUESTS) return;
    const options = { kind: SpanKind.SERVER, startTime: timeOf(startedAtMs) };
    this.#requests.set(requestId, { span: this.#tracer.startSpan("HTTP", options, contextOf(remoteParent(traceparent))), startedAtMs });
  }

  requestEnded(event: RequestEvent): void {
    const request = this.#requests.get(event.requestId);
    this.#requests.delete(event.requestId);
    if (isPollThatWentWell(event)) return;
    const { method, path, status, seconds, address } = event;
    const attributes = present({
      "http.request.method": method,
      "http.route": path === "other" ? undefined : path,
      "url.scheme": "http",
      "http.response.status_code": status,
      "network.peer.address": address,
      "error.type": status >= 500 ? String(status) : undefined,
      ...who(event),
    });
    const name = path === "other" ? method : `${method} ${path}`;
    if (request !== undefined) {
      request.span.updateName(name).setAttributes(attributes);
      if (status >= 500) request.span.setStatus({ code: SpanStatusCode.ERROR });
      request.span.end(timeOf(request.startedAtMs + seconds * 1000));
    }
    this.#record("shelpa.request", status >= 500 ? "warning" : "info", `${name} ${status}`, attributes, request?.span);
  }

  callEnded(event: CallEvent): void {
    const { outcome, reason, startedAtMs, seconds, requestId, tool } = event;
    const request = requestId === undefined ? undefined : this.#requests.get(requestId)?.span;
    const stated = remoteParent(event.traceparent);
    const attributes = present({
      "mcp.method.name": "tools/call",
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": tool,
      "error.type": outcome === "faulted" ? "fault" : outcome === "refused" || outcome === "stopped" ? "tool_error" : undefined,
      "shelpa.outcome": outcome,
      "shelpa.reason": reason === "" ? undefined : reason,
      "shelpa.exit_status": event.exitStatus,
      "shelpa.output_bytes": event.outputBytes,
      "shelpa.records": event.writes,
      ...who(event),
    });
    // The conventions: the context in the message is the parent, whatever carries it, and the carrier's is a link.
    const links = stated !== undefined && request !== undefined ? [{ context: request.spanContext() }] : [];
    const options = { kind: SpanKind.SERVER, startTime: timeOf(startedAtMs), attributes, links };
    const span = this.#tracer.startSpan(`tools/call ${tool}`, options, contextOf(stated ?? request?.spanContext()));
    if (attributes["error.type"] !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(timeOf(startedAtMs + seconds * 1000));
    const body = ["call", outcome, reason].filter((word) => word !== "").join(" ");
    this.#record("shelpa.call", outcome === "faulted" ? "error" : "info", body, attributes, span);
  }

  noted({ level, message, workspace, requestId }: NotedEvent): void {
    const request = requestId === undefined ? undefined : this.#requests.get(requestId)?.span;
    const attributes = present({ "shelpa.workspace": nameOf(workspace), "shelpa.request_id": requestId });
    this.#record("shelpa.message", level, showText(message.slice(0, MOST_MESSAGE)), attributes, request);
  }

  #record(eventName: string, level: NotedEvent["level"], body: string, attributes: Attributes, span: Span | undefined): void {
    const severity = SEVERITIES[level];
    this.#logger.emit({ eventName, ...severity, timestamp: Date.now(), body, attributes, context: contextOf(span?.spanContext()) });
  }
}

/** https://opentelemetry.io/docs/specs/otel/logs/data-model/#field-severitynumber */
const SEVERITIES = {
  info: { severityNumber: 9, severityText: "INFO" },
  warning: { severityNumber: 13, severityText: "WARN" },
  error: { severityNumber: 17, severityText: "ERROR" },
} as const;

const who = ({ requestId, caller, subject, workspace }: Pick<CallEvent, "requestId" | "caller" | "subject" | "workspace">) => ({
  "shelpa.request_id": requestId,
  "shelpa.caller": nameOf(caller),
  "enduser.id": nameOf(subject),
  "shelpa.workspace": nameOf(workspace),
});

/** Well-formed text: a collector would refuse a whole batch for a lone surrogate. */
const nameOf = (name: string | undefined): string | undefined => (name === undefined ? undefined : shortName(name, MOST_NAME));

const present = (attributes: Readonly<Record<string, string | number | undefined>>): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));

const contextOf = (parent: SpanContext | undefined): Context =>
  parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);

/** Seconds and nanoseconds since 1970. */
function timeOf(milliseconds: number): [number, number] {
  const seconds = Math.floor(milliseconds / 1000);
  return [seconds, Math.round((milliseconds - seconds * 1000) * 1e6)];
}

/** https://www.w3.org/TR/trace-context/#traceparent-header; undefined for what is none. */
function remoteParent(traceparent: string | undefined): SpanContext | undefined {
  const [, version, traceId = "", spanId = "", flags = "", more] =
    /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/.exec(traceparent?.slice(0, MOST_NAME) ?? "") ?? [];
  if (version === undefined || version === "ff" || (version === "00" && more !== undefined)) return undefined;
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
  return isSpanContextValid(parent) ? parent : undefined;
}
