/** Spans and log records as a receiver of OTLP gets them, and what becomes of them where there is none. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openTelemetry, telemetryWish } from "../../../src/mcp/http/telemetry-settings.ts";
import type { Telemetry } from "../../../src/mcp/http/telemetry.ts";
import type { NotedEvent, ServerEvents } from "../../../src/mcp/server-events.ts";
import { callEvent, requestEvent } from "./event-samples.ts";
import { attributesOf, OtlpReceiver } from "./otlp-receiver.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = "b7ad6b7169203331";
const STARTED_MS = Date.parse("2026-11-28T12:00:00Z");

let receiver: OtlpReceiver;
let address: string;
beforeEach(async () => {
  receiver = new OtlpReceiver();
  address = await receiver.listen();
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", address);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await receiver.close();
});

type Events = Required<ServerEvents>;
const said: NotedEvent[] = [];
async function open(): Promise<Telemetry> {
  said.length = 0;
  const telemetry = await openTelemetry(process.env, { version: "1.2.3", say: (event) => said.push(event) });
  if (telemetry === undefined) throw new Error("nothing is wished for");
  return telemetry;
}
async function openShipped(): Promise<Telemetry> {
  said.length = 0;
  const file = new URL("../../../dist/telemetry.js", import.meta.url).href;
  const { startTelemetry } = (await import(file)) as typeof import("../../../src/mcp/http/telemetry.ts");
  return startTelemetry(["traces", "logs"], process.env, { version: "1.2.3", say: (event) => said.push(event) });
}
/** Sends what `tell` tells. */
const send = (tell: (events: Events) => void): Promise<void> => sendBy(open, tell);
async function sendBy(opened: () => Promise<Telemetry>, tell: (events: Events) => void): Promise<void> {
  const telemetry = await opened();
  tell(telemetry.events as Events);
  await telemetry.shutdown();
}
const spanNamed = (name: string) => {
  const span = receiver.spans.find((sent) => sent.name === name);
  if (span === undefined) throw new Error(`no span ${name} among ${receiver.spans.map((sent) => sent.name).join(", ")}`);
  return span;
};
const recordOf = (eventName: string) => {
  const record = receiver.records.find((sent) => sent.eventName === eventName);
  if (record === undefined) throw new Error(`no record ${eventName}`);
  return record;
};

test.each([
  ["from its source", open],
  ["as it is shipped", openShipped],
] as const)("%s: a call is a span in that of its request, which goes on with the client's trace", async (_, opened) => {
  await sendBy(opened, (events) => {
    events.requestStarted({ requestId: "r1", startedAtMs: STARTED_MS, traceparent: `00-${TRACE}-${PARENT}-01` });
    events.callEnded(callEvent({ startedAtMs: STARTED_MS + 1, seconds: 0.0125, writes: 1, outputBytes: 7, subject: "alice" }));
    events.requestEnded(requestEvent({ seconds: 0.02, subject: "alice", address: "10.0.0.7" }));
  });
  const request = spanNamed("POST /w/NAME/mcp");
  const call = spanNamed("tools/call shelpa_pipe");
  expect(request).toMatchObject({ traceId: TRACE, parentSpanId: PARENT, kind: 2 });
  expect(call).toMatchObject({ traceId: TRACE, parentSpanId: request.spanId, kind: 2 });
  expect([request, call].map(({ startTimeUnixNano, endTimeUnixNano }) => [startTimeUnixNano, endTimeUnixNano])).toEqual([
    [`${STARTED_MS}000000`, `${STARTED_MS + 20}000000`],
    [`${STARTED_MS + 1}000000`, `${STARTED_MS + 13}500000`],
  ]);
  const who = { "shelpa.request_id": "r1", "shelpa.caller": "ci", "enduser.id": "alice", "shelpa.workspace": "docs" };
  const ofRequest = {
    "http.request.method": "POST",
    "http.route": "/w/NAME/mcp",
    "url.scheme": "http",
    "http.response.status_code": 200,
    "network.peer.address": "10.0.0.7",
    ...who,
  };
  const ofCall = {
    "mcp.method.name": "tools/call",
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "shelpa_pipe",
    "shelpa.outcome": "completed",
    "shelpa.exit_status": 0,
    "shelpa.output_bytes": 7,
    "shelpa.records": 1,
    ...who,
  };
  expect([attributesOf(request), attributesOf(call)]).toEqual([ofRequest, ofCall]);
  const records = ["shelpa.request", "shelpa.call"].map(recordOf);
  expect(records.map((record) => [record.body.stringValue, record.severityText, record.traceId, record.spanId])).toEqual([
    ["POST /w/NAME/mcp 200", "INFO", TRACE, request.spanId],
    ["call completed", "INFO", TRACE, call.spanId],
  ]);
  expect(records.map(attributesOf)).toEqual([ofRequest, ofCall]);
  for (const resource of receiver.resources) {
    expect(resource).toMatchObject({ "service.name": "shelpa-mcp", "service.version": "1.2.3", "telemetry.sdk.language": "nodejs" });
  }
  expect(new Set(receiver.requests.map(({ path }) => path))).toEqual(new Set(["/v1/traces", "/v1/logs"]));
  expect(said).toEqual([]);
});

test("the trace in the message is the call's, and its request is a link", async () => {
  await send((events) => {
    events.requestStarted({ requestId: "r1", startedAtMs: STARTED_MS });
    events.callEnded(callEvent({ traceparent: `00-${TRACE}-${PARENT}-01` }));
    events.requestEnded(requestEvent());
  });
  const request = spanNamed("POST /w/NAME/mcp");
  expect(request.parentSpanId ?? "").toBe("");
  expect(request.traceId).not.toBe(TRACE);
  expect(spanNamed("tools/call shelpa_pipe")).toMatchObject({
    traceId: TRACE,
    parentSpanId: PARENT,
    links: [{ traceId: request.traceId, spanId: request.spanId }],
  });
});

test.each([
  ["nothing", undefined],
  ["no trace", `00-${"0".repeat(32)}-${PARENT}-01`],
  ["no span", `00-${TRACE}-${"0".repeat(16)}-01`],
  ["a version that is none", `ff-${TRACE}-${PARENT}-01`],
  ["more than version 00 has", `00-${TRACE}-${PARENT}-01-x`],
  ["capitals", `00-${TRACE.toUpperCase()}-${PARENT}-01`],
  ["a line", `00-${TRACE}-${PARENT}-01\n`],
  ["a megabyte", "0".repeat(1 << 20)],
])("a traceparent of %s begins a trace", async (_, traceparent) => {
  await send((events) => events.callEnded(callEvent({ requestId: undefined, traceparent })));
  expect(spanNamed("tools/call shelpa_pipe").parentSpanId ?? "").toBe("");
});

test("a later version's traceparent is read as far as it is known, and one that is not sampled is not sent", async () => {
  await send((events) => {
    events.callEnded(callEvent({ requestId: undefined, tool: "a", traceparent: `cc-${TRACE}-${PARENT}-01-what` }));
    events.callEnded(callEvent({ requestId: undefined, tool: "b", traceparent: `00-${TRACE}-${PARENT}-00` }));
  });
  expect(receiver.spans.map(({ name, parentSpanId }) => [name, parentSpanId])).toEqual([["tools/call a", PARENT]]);
});

test.each([
  { outcome: "completed", reason: "", error: undefined, status: undefined, severity: "INFO" },
  { outcome: "asked", reason: "NEEDS_APPROVAL", error: undefined, status: undefined, severity: "INFO" },
  { outcome: "refused", reason: "PATH_ESCAPE UNKNOWN_FLAG", error: "tool_error", status: 2, severity: "INFO" },
  { outcome: "stopped", reason: "time", error: "tool_error", status: 2, severity: "INFO" },
  { outcome: "faulted", reason: "5f2f", error: "fault", status: 2, severity: "ERROR" },
] as const)("a call that was $outcome", async ({ outcome, reason, error, status, severity }) => {
  await send((events) => events.callEnded(callEvent({ outcome, reason, exitStatus: undefined })));
  const span = spanNamed("tools/call shelpa_pipe");
  expect(attributesOf(span)).toMatchObject({ "shelpa.outcome": outcome, ...(reason === "" ? {} : { "shelpa.reason": reason }) });
  expect(attributesOf(span)["error.type"]).toBe(error);
  expect(span.status.code === 2 ? 2 : undefined).toBe(status);
  expect(recordOf("shelpa.call").severityText).toBe(severity);
});

test("a server that fails is an error, a probe is nothing, and a path that is none is not told", async () => {
  await send((events) => {
    for (const [requestId, facts] of Object.entries({
      a: { status: 500 },
      b: { path: "/healthz", method: "GET" },
      c: { path: "other", status: 404 },
    })) {
      events.requestStarted({ requestId, startedAtMs: STARTED_MS });
      events.requestEnded(requestEvent({ requestId, ...facts }));
    }
  });
  expect(receiver.spans.map(({ name, status }) => [name, status.code ?? 0])).toEqual([
    ["POST /w/NAME/mcp", 2],
    ["POST", 0],
  ]);
  expect(receiver.records.map(({ severityText }) => severityText)).toEqual(["WARN", "INFO"]);
});

test("what others wrote is well-formed text of a bounded length", async () => {
  const name = `a\ud800\n\u202e${"x".repeat(5000)}`;
  await send((events) => {
    events.callEnded(callEvent({ caller: name, subject: name }));
    events.noted({ level: "error", message: `x\ud800\u001b[2K${"y".repeat(100_000)}`, workspace: "docs" });
  });
  const attributes = attributesOf(spanNamed("tools/call shelpa_pipe"));
  const shown = `a\\u{d800}\\n\\u{202e}${"x".repeat(180)}…`;
  expect([attributes["shelpa.caller"], attributes["enduser.id"]]).toEqual([shown, shown]);
  const record = recordOf("shelpa.message");
  expect(record.body.stringValue).toMatch(/^x\\u\{d800\}\\u\{1b\}\[2Ky{8000,8192}$/);
  expect(record.severityNumber).toBe(17);
});

test("the environment's own resource, headers and sampler are followed", async () => {
  vi.stubEnv("OTEL_SERVICE_NAME", "team");
  vi.stubEnv("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=prod");
  vi.stubEnv("OTEL_EXPORTER_OTLP_HEADERS", "x-key=secret");
  vi.stubEnv("OTEL_TRACES_SAMPLER", "always_off");
  await send((events) => events.callEnded(callEvent()));
  expect(receiver.spans).toEqual([]);
  expect(receiver.resources).toEqual([expect.objectContaining({ "service.name": "team", "deployment.environment.name": "prod" })]);
  expect(receiver.requests.map(({ headers }) => headers["x-key"])).toEqual(["secret"]);
});

describe("a collector", () => {
  /** Calls of `events` are told at once, however many there are and whatever becomes of them. */
  const tellMany = (events: ServerEvents, count: number): void => {
    for (let number = 0; number < count; number++) events.callEnded?.(callEvent({ requestId: undefined }));
  };

  test("that is not there is said once for each of the two", async () => {
    await receiver.close();
    vi.stubEnv("OTEL_EXPORTER_OTLP_TIMEOUT", "100");
    const telemetry = await open();
    tellMany(telemetry.events, 5000);
    await telemetry.shutdown();
    expect(said.map(({ level, message }) => [level, message.replace(/: .*/s, "")]).sort()).toEqual([
      ["warning", "logs cannot be sent by OTLP, and are lost"],
      ["warning", "traces cannot be sent by OTLP, and are lost"],
    ]);
    for (const { message } of said) expect(message).toContain("ECONNREFUSED");
  });

  test("that refuses is said with its status", async () => {
    receiver.status = 401;
    vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", "");
    vi.stubEnv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", `${address}/v1/traces`);
    await send((events) => tellMany(events, 1));
    expect(said).toEqual([{ level: "warning", message: "traces cannot be sent by OTLP, and are lost: 401 Unauthorized" }]);
  });

  test("that takes all and says nothing holds up the end no longer than the flush may take", async () => {
    receiver.status = 0;
    vi.stubEnv("OTEL_EXPORTER_OTLP_TIMEOUT", "600000");
    const telemetry = await open();
    tellMany(telemetry.events, 1);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      let isDown = false;
      const down = telemetry.shutdown().then(() => (isDown = true));
      await vi.advanceTimersByTimeAsync(1999);
      expect(isDown).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      await down;
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("the environment's wish", () => {
  const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" };
  test.each<{
    readonly name: string;
    readonly environment: Record<string, string>;
    readonly signals: readonly string[];
    readonly problems?: readonly string[];
  }>([
    { name: "none", environment: {}, signals: [] },
    { name: "an endpoint for both", environment: ENDPOINT, signals: ["traces", "logs"] },
    { name: "an empty one", environment: { OTEL_EXPORTER_OTLP_ENDPOINT: " " }, signals: [] },
    { name: "one for traces", environment: { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://c/v1/traces" }, signals: ["traces"] },
    { name: "one for logs", environment: { OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: "https://c/v1/logs" }, signals: ["logs"] },
    { name: "disabled", environment: { ...ENDPOINT, OTEL_SDK_DISABLED: "TRUE" }, signals: [] },
    { name: "not disabled", environment: { ...ENDPOINT, OTEL_SDK_DISABLED: "no" }, signals: ["traces", "logs"] },
    { name: "no logs", environment: { ...ENDPOINT, OTEL_LOGS_EXPORTER: "none" }, signals: ["traces"] },
    { name: "otlp by name", environment: { ...ENDPOINT, OTEL_TRACES_EXPORTER: "otlp", OTEL_LOGS_EXPORTER: "none" }, signals: ["traces"] },
    {
      name: "another exporter",
      environment: { ...ENDPOINT, OTEL_TRACES_EXPORTER: "zipkin" },
      signals: ["logs"],
      problems: ["OTEL_TRACES_EXPORTER: there is otlp and none, and no 'zipkin'; no traces are sent"],
    },
    {
      name: "an endpoint that is no URL",
      environment: { OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" },
      signals: [],
      problems: ["traces", "logs"].map((signal) => `OTEL_EXPORTER_OTLP_ENDPOINT is no URL of http or https; no ${signal} are sent`),
    },
    { name: "protobuf", environment: { ...ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf" }, signals: ["traces", "logs"] },
    {
      name: "gRPC, said once",
      environment: { ...ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
      signals: ["traces", "logs"],
      problems: ["OTEL_EXPORTER_OTLP_PROTOCOL: OTLP is sent as http/json, not by grpc: commonly to port 4318"],
    },
  ])("$name", ({ environment, signals, problems = [] }) => {
    expect(telemetryWish(environment)).toEqual({ signals, problems });
  });
  test("nothing is loaded where nothing is wished for, and problems are said", async () => {
    const problems: NotedEvent[] = [];
    const opened = await openTelemetry({ OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: "x" }, { version: "1", say: (event) => problems.push(event) });
    expect([opened, problems.map(({ level }) => level)]).toEqual([undefined, ["warning"]]);
  });
});
