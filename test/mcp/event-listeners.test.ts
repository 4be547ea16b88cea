/** One receiver of events for several: each event reaches each listener that wants it, in order. */
import { expect, test } from "vitest";
import { toEach } from "../../src/mcp/event-listeners.ts";
import type { ServerEvents } from "../../src/mcp/server-events.ts";
import { callEvent, requestEvent } from "./http/event-samples.ts";

test("every event, to those that want it, in their order", () => {
  const told: string[] = [];
  const all = (name: string): Required<ServerEvents> => ({
    requestStarted: ({ requestId }) => told.push(`${name} started ${requestId}`),
    requestEnded: ({ status }) => told.push(`${name} ended ${status}`),
    callEnded: ({ outcome }) => told.push(`${name} call ${outcome}`),
    noted: ({ message }) => told.push(`${name} noted ${message}`),
  });
  const events = toEach([all("a"), {}, { noted: all("b").noted }, all("c")]);
  events.requestStarted({ requestId: "r", startedAtMs: 0 });
  events.callEnded(callEvent());
  events.requestEnded(requestEvent());
  events.noted({ level: "info", message: "m" });
  expect(told).toEqual([
    "a started r",
    "c started r",
    "a call completed",
    "c call completed",
    "a ended 200",
    "c ended 200",
    "a noted m",
    "b noted m",
    "c noted m",
  ]);
});
