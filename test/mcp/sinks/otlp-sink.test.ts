/** The sink `otlp` against a collector of its own making: the form of OTLP/HTTP in JSON, and which answers confirm. */
import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { SinkAway } from "../../../src/mcp/sinks/audit-sink.ts";
import { OtlpSink } from "../../../src/mcp/sinks/otlp-sink.ts";
import { needs } from "../../needs.ts";
import { tree } from "../../tree.ts";
import { makeCertificates, shippedLine } from "./receivers.ts";

interface Answer {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

let server: Server | undefined;
let got: { readonly path: string; readonly type: string; readonly team: unknown; readonly body: unknown }[];
let rejected: string[];
beforeEach(() => {
  got = [];
  rejected = [];
});
afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => (server === undefined ? resolve(undefined) : server.close(resolve)));
  server = undefined;
});
const never = new AbortController().signal;
const FEW = [shippedLine(1), { ...shippedLine(2), log: "notices" as const, kind: "chain-broken", time: "" }];

/** undefined: no answer ever. */
async function collector(answer: Answer | undefined, answerMs?: number): Promise<OtlpSink> {
  server = createServer((request, response) => {
    let body = "";
    request.on("data", (block) => {
      body += String(block);
    });
    request.on("end", () => {
      got.push({
        path: request.url ?? "",
        type: request.headers["content-type"] ?? "",
        team: request.headers["x-team"],
        body: JSON.parse(body),
      });
      if (answer !== undefined) response.writeHead(answer.status, answer.headers).end(answer.body ?? "{}");
    });
  });
  return new OtlpSink(
    { url: `http://127.0.0.1:${await portOf(server)}/v1/logs`, ca: undefined, headers: { "X-Team": "a b" } },
    "host",
    (message) => rejected.push(message),
    answerMs,
  );
}

async function portOf(listener: Server): Promise<number> {
  await new Promise<void>((resolve) => listener.listen(0, resolve));
  return (listener.address() as { readonly port: number }).port;
}

test("the request", async () => {
  const sink = await collector({ status: 200 });
  await sink.send(FEW, never);
  const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
  expect(got).toEqual([
    {
      path: "/v1/logs",
      type: "application/json",
      team: "a b",
      body: {
        resourceLogs: [
          {
            resource: { attributes: [text("service.name", "shelpa-mcp"), text("host.name", "host")] },
            scopeLogs: [
              {
                scope: { name: "shelpa.audit" },
                logRecords: [
                  {
                    timeUnixNano: "1772025450000000000",
                    severityNumber: 9,
                    severityText: "INFO",
                    body: { stringValue: '{"line":1}' },
                    attributes: [
                      ...[text("shelpa.stream", "s"), text("shelpa.workspace", "w"), text("shelpa.log", "journal")],
                      { key: "shelpa.sequence", value: { intValue: "1" } },
                      ...[text("shelpa.id", "1"), text("shelpa.kind", "intent")],
                    ],
                  },
                  {
                    severityNumber: 13,
                    severityText: "WARN",
                    body: { stringValue: '{"line":2}' },
                    attributes: [
                      ...[text("shelpa.stream", "s"), text("shelpa.workspace", "w"), text("shelpa.log", "notices")],
                      { key: "shelpa.sequence", value: { intValue: "2" } },
                      ...[text("shelpa.id", "2"), text("shelpa.kind", "chain-broken")],
                    ],
                  },
                ],
              },
            ],
          },
        ],
      },
    },
  ]);
});

describe("answers that confirm", () => {
  test.each<readonly [string, string, readonly string[]]>([
    ["an empty success", "{}", []],
    ["no JSON", "", []],
    ["a warning", '{"partialSuccess":{"rejectedLogRecords":"0","errorMessage":"slow down"}}', []],
    [
      "some thrown away",
      '{"partialSuccess":{"rejectedLogRecords":"1","errorMessage":"too old"}}',
      ["has thrown away 1 of 2 records of w, from journal 1 on: too old"],
    ],
    ["the number as a number", '{"partialSuccess":{"rejectedLogRecords":2}}', ["has thrown away 2 of 2 records of w, from journal 1 on: "]],
  ])("%s", async (_, body, expected) => {
    const sink = await collector({ status: 200, body });
    await sink.send(FEW, never);
    expect(rejected).toEqual(expected.map((message) => `${sink.name} ${message}`));
  });
});

describe("answers that do not", () => {
  test.each<readonly [Answer, number | undefined]>([
    [{ status: 503, headers: { "Retry-After": "7" } }, 7000],
    [{ status: 429, headers: { "Retry-After": "Wed, 25 Feb 2026 13:17:30 GMT" } }, undefined],
    [{ status: 400 }, undefined],
    [{ status: 302, headers: { Location: "http://127.0.0.1:1/" } }, undefined],
    [{ status: 204 }, undefined],
  ])("%j", async (answer, retryMs) => {
    const sink = await collector(answer);
    const thrown = await sink.send(FEW, never).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(SinkAway);
    expect(thrown).toMatchObject({ message: `it answered with status ${answer.status}`, retryMs });
  });
  test("none in time", async () => {
    const sink = await collector(undefined, 50);
    await expect(sink.send(FEW, never)).rejects.toThrow("no answer in time");
  });
  test("one that is too long", async () => {
    const sink = await collector({ status: 200, body: "x".repeat(1 << 20) });
    await expect(sink.send(FEW, never)).rejects.toThrow("its answer is too long");
  });
  test("the server stops meanwhile", async () => {
    const sink = await collector(undefined);
    const stop = new AbortController();
    const sent = sink.send(FEW, stop.signal);
    stop.abort();
    await expect(sent).rejects.toThrow("the server stops");
  });
});

needs("openssl").test("a certificate is verified", {}, async () => {
  const place = tree([]);
  try {
    const certificates = makeCertificates(place.path, "localhost");
    const other = makeCertificates(place.path, "other");
    server = createTlsServer({ key: certificates.key, cert: certificates.certificate }, (request, response) => {
      request.resume().on("end", () => response.end("{}"));
    });
    const url = `https://localhost:${await portOf(server)}/v1/logs`;
    const sinkWith = (ca: string | undefined): OtlpSink => new OtlpSink({ url, ca, headers: {} }, "host", () => undefined);
    await sinkWith(certificates.ca).send(FEW, never);
    await expect(sinkWith(other.ca).send(FEW, never)).rejects.toThrow(/certificate/);
    await expect(sinkWith(undefined).send(FEW, never)).rejects.toThrow(/certificate/);
  } finally {
    place.remove();
  }
});
