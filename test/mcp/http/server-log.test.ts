/** Lines of the server's log: their fields, and that nothing that others wrote passes for a line or a field of ours. */
import { describe, expect, test } from "vitest";
import { ServerLog, type LogFormat } from "../../../src/mcp/http/server-log.ts";
import type { ServerEvents } from "../../../src/mcp/server-events.ts";
import { callEvent, requestEvent } from "./event-samples.ts";

const NOW = new Date("2026-11-28T12:00:00.123Z");
function logged(format: LogFormat, tell: (log: Required<Pick<ServerEvents, "requestEnded" | "callEnded" | "noted">>) => void): string {
  let text = "";
  tell(new ServerLog({ format, write: (lines) => (text += lines), now: () => NOW }));
  return text;
}

type Tell = Parameters<typeof logged>[1];
const rows: readonly { readonly name: string; readonly tell: Tell; readonly text: string; readonly json: object | undefined }[] = [
  {
    name: "a request",
    tell: (log) => log.requestEnded(requestEvent({ address: "10.0.0.7", subject: "alice@example.org" })),
    text: "request method=POST path=/w/NAME/mcp status=200 ms=25 request_id=r1 caller=ci subject=alice@example.org workspace=docs address=10.0.0.7",
    json: {
      level: "info",
      event: "request",
      method: "POST",
      path: "/w/NAME/mcp",
      status: 200,
      ms: 25,
      request_id: "r1",
      caller: "ci",
      subject: "alice@example.org",
      workspace: "docs",
      address: "10.0.0.7",
    },
  },
  {
    name: "a request of nobody",
    tell: (log) => log.requestEnded(requestEvent({ status: 401, caller: undefined, workspace: undefined, path: "other" })),
    text: "request method=POST path=other status=401 ms=25 request_id=r1",
    json: { level: "info", event: "request", method: "POST", path: "other", status: 401, ms: 25, request_id: "r1" },
  },
  {
    name: "a server that fails",
    tell: (log) => log.requestEnded(requestEvent({ status: 500, caller: undefined, workspace: undefined })),
    text: "request method=POST path=/w/NAME/mcp status=500 ms=25 request_id=r1",
    json: { level: "warning", event: "request", method: "POST", path: "/w/NAME/mcp", status: 500, ms: 25, request_id: "r1" },
  },
  { name: "a probe", tell: (log) => log.requestEnded(requestEvent({ path: "/healthz" })), text: "", json: undefined },
  { name: "a scrape", tell: (log) => log.requestEnded(requestEvent({ path: "/metrics" })), text: "", json: undefined },
  {
    name: "a probe that finds it not ready",
    tell: (log) => log.requestEnded(requestEvent({ path: "/readyz", method: "GET", status: 503, caller: undefined, workspace: undefined })),
    text: "request method=GET path=/readyz status=503 ms=25 request_id=r1",
    json: { level: "warning", event: "request", method: "GET", path: "/readyz", status: 503, ms: 25, request_id: "r1" },
  },
  {
    name: "a call",
    tell: (log) => log.callEnded(callEvent({ exitStatus: 1, outputBytes: 12, writes: 2, seconds: 1.2345 })),
    text: "call outcome=completed exit=1 ms=1235 output_bytes=12 writes=2 request_id=r1 caller=ci workspace=docs tool=shelpa_pipe",
    json: {
      level: "info",
      event: "call",
      outcome: "completed",
      exit: 1,
      ms: 1235,
      output_bytes: 12,
      writes: 2,
      request_id: "r1",
      caller: "ci",
      workspace: "docs",
      tool: "shelpa_pipe",
    },
  },
  {
    name: "a refusal for two reasons",
    tell: (log) => log.callEnded(callEvent({ outcome: "refused", reason: "PATH_ESCAPE UNKNOWN_FLAG", exitStatus: undefined })),
    text: 'call outcome=refused reason="PATH_ESCAPE UNKNOWN_FLAG" ms=20 output_bytes=0 writes=0 request_id=r1 caller=ci workspace=docs tool=shelpa_pipe',
    json: {
      level: "info",
      event: "call",
      outcome: "refused",
      reason: "PATH_ESCAPE UNKNOWN_FLAG",
      ms: 20,
      output_bytes: 0,
      writes: 0,
      request_id: "r1",
      caller: "ci",
      workspace: "docs",
      tool: "shelpa_pipe",
    },
  },
  {
    name: "a fault, by its id, in a server without requests",
    tell: (log) =>
      log.callEnded(callEvent({ outcome: "faulted", reason: "5f2f", exitStatus: undefined, requestId: undefined, workspace: undefined })),
    text: "call outcome=faulted reason=5f2f ms=20 output_bytes=0 writes=0 caller=ci tool=shelpa_pipe",
    json: {
      level: "error",
      event: "call",
      outcome: "faulted",
      reason: "5f2f",
      ms: 20,
      output_bytes: 0,
      writes: 0,
      caller: "ci",
      tool: "shelpa_pipe",
    },
  },
  {
    name: "a message",
    tell: (log) => log.noted({ level: "warning", message: "docs: no such directory", workspace: "docs", requestId: "r9" }),
    text: "warning request_id=r9 workspace=docs docs: no such directory",
    json: { level: "warning", event: "message", message: "docs: no such directory", request_id: "r9", workspace: "docs" },
  },
  {
    name: "a message of several lines",
    tell: (log) => log.noted({ level: "error", message: "fault 5f2f: x\n    at y\n    at z\n" }),
    text: "error fault 5f2f: x\n      at y\n      at z",
    json: { level: "error", event: "message", message: "fault 5f2f: x\n    at y\n    at z\n" },
  },
];

describe.each(rows)("$name", ({ tell, text, json }) => {
  test("as text", () => expect(logged("text", tell)).toBe(text === "" ? "" : `${NOW.toISOString()} ${text}\n`));
  test("as JSON", () => {
    const lines = logged("json", tell);
    if (json === undefined) return expect(lines).toBe("");
    expect(lines).toMatch(/^[^\n]+\n$/);
    expect(JSON.parse(lines)).toEqual({ ts: NOW.toISOString(), ...json });
  });
});

const HOSTILE: readonly (readonly [string, string])[] = [
  ["a\n2026-11-28T12:00:00.123Z request method=GET", String.raw`"a\n2026-11-28T12:00:00.123Z request method=GET"`],
  ["a caller=root", '"a caller=root"'],
  ['a" caller="root', String.raw`"a\" caller=\"root"`],
  ["a\r\u001b[2Kb", String.raw`"a\r\u001b[2Kb"`],
  ["\u202egpj.exe", String.raw`"\u202egpj.exe"`],
  ["a\u2028b", String.raw`"a\u2028b"`],
  ["[shelpa] created b", '"[shelpa] created b"'],
  ["", '""'],
  ["x".repeat(5000), `${"x".repeat(199)}…`],
  [`${"x ".repeat(99)}x\u{1F600}y`, `"${"x ".repeat(99)}x"`],
];

describe.each(HOSTILE)("what others wrote: %j", (name, shown) => {
  const facts = { caller: name, subject: name, workspace: name };
  test("is one field of text", () => {
    const tail = `caller=${shown} subject=${shown} workspace=${shown}`;
    expect(logged("text", (log) => log.requestEnded(requestEvent(facts)))).toBe(
      `${NOW.toISOString()} request method=POST path=/w/NAME/mcp status=200 ms=25 request_id=r1 ${tail}\n`,
    );
    expect(logged("text", (log) => log.callEnded(callEvent({ ...facts, requestId: undefined })))).toBe(
      `${NOW.toISOString()} call outcome=completed exit=0 ms=20 output_bytes=0 writes=0 ${tail} tool=shelpa_pipe\n`,
    );
  });
  test("is one value of JSON, in characters that a terminal shows", () => {
    const lines = logged("json", (log) => {
      log.requestEnded(requestEvent(facts));
      log.callEnded(callEvent(facts));
      log.noted({ level: "info", message: name });
    });
    expect(lines).toMatch(/^(?:[\x20-\x7e\u{1F600}]+\n){3}$/u);
    for (const line of lines.trimEnd().split("\n").slice(0, 2)) {
      expect(name.startsWith((JSON.parse(line) as { caller: string }).caller)).toBe(true);
    }
  });
  test("begins no line in a message", () => {
    const text = logged("text", (log) => log.noted({ level: "info", message: `x ${name}` }));
    expect(text.split("\n").filter((line) => /^\S/.test(line))).toHaveLength(1);
  });
});
