/** Kinds of requests in the limits of callers. */
import { expect, test } from "vitest";
import { isCounted, readKind } from "../../../src/mcp/http/counted-requests.ts";

test.each<[string, unknown, boolean, ReturnType<typeof readKind>]>([
  ["a call", { method: "tools/call", params: { name: "shelpa_pipe" } }, true, undefined],
  ["a whole output", { method: "resources/read", params: { uri: "shelpa://output/abc" } }, true, "output"],
  ["another resource", { method: "resources/read", params: { uri: "shelpa://audit/log" } }, true, "look-up"],
  ["a resource without an address", { method: "resources/read" }, true, "look-up"],
  ["a list of resources", { method: "resources/list" }, true, "look-up"],
  ["a prompt", { method: "prompts/get", params: { name: "pipeline" } }, true, "look-up"],
  ["a completion", { method: "completion/complete", params: { ref: {}, argument: {} } }, true, "look-up"],
  ["a list of tools", { method: "tools/list" }, false, undefined],
  ["a handshake", { method: "initialize", params: {} }, false, undefined],
  ["a method that is no text", { method: ["tools/call"] }, false, undefined],
  ["an answer", { id: 1, result: {} }, false, undefined],
  ["no body", undefined, false, undefined],
  ["null", null, false, undefined],
])("%s", (_, message, counted, kind) => {
  expect([isCounted(message), readKind(message)]).toEqual([counted, kind]);
});
