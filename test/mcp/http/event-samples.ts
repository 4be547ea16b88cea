/** Events and gauges for tests, each with the fields that matter to it. */
import type { CallEvent, RequestEvent, ServerGauges } from "../../../src/mcp/server-events.ts";

export const callEvent = (facts: Partial<CallEvent> = {}): CallEvent => ({
  requestId: "r1",
  caller: "ci",
  subject: undefined,
  workspace: "docs",
  tool: "shelpa_pipe",
  traceparent: undefined,
  outcome: "completed",
  reason: "",
  exitStatus: 0,
  startedAtMs: Date.parse("2026-11-28T12:00:00Z"),
  seconds: 0.02,
  outputBytes: 0,
  writes: 0,
  ...facts,
});

export const requestEvent = (facts: Partial<RequestEvent> = {}): RequestEvent => ({
  requestId: "r1",
  method: "POST",
  path: "/w/NAME/mcp",
  status: 200,
  seconds: 0.025,
  caller: "ci",
  subject: undefined,
  workspace: "docs",
  ...facts,
});

export const gauges = (facts: Partial<ServerGauges> = {}): ServerGauges => ({
  queuedCalls: () => 0,
  runningCalls: () => 0,
  executors: () => ({ busy: 0, idle: 1 }),
  openWorkspaces: () => 1,
  sessions: () => 0,
  journalBytes: () => 0,
  ...facts,
});
