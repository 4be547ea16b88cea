/** Ending of a call as the operator is told of it: by the service, with the tool's name and the client's trace by the server. */
import { request as httpRequest } from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";
import { DEFAULT_POLICY, type Policy } from "../../src/config/policy.ts";
import { serveOverHttp } from "../../src/mcp/http/serve-http.ts";
import type { CallEvent, EndedCall } from "../../src/mcp/server-events.ts";
import { createShellService } from "../../src/mcp/service.ts";
import type { CallOptions, ShellRequest } from "../../src/mcp/shell-service.ts";
import { tree, type Tree } from "../tree.ts";

let place: Tree;
beforeEach(() => {
  place = tree(["a: x\n"]);
});
afterEach(() => place.remove());

const open = (policy: Policy = DEFAULT_POLICY) => createShellService({ root: place.path, policy, aliases: [], isolation: "none" });

type Row = { readonly name: string; readonly request: ShellRequest; readonly options?: CallOptions; readonly told: Partial<EndedCall> };
const completedWith = { outcome: "completed", reason: "", exitStatus: 0, outputBytes: 0, writes: 0 } as const;
const rows: readonly Row[] = [
  { name: "a line that prints", request: { command: "cat a" }, told: { ...completedWith, outputBytes: 2 } },
  { name: "a line that fails", request: { command: "grep z a" }, told: { ...completedWith, exitStatus: 1 } },
  { name: "two writes", request: { command: "echo y | tee b c >/dev/null" }, told: { ...completedWith, writes: 2 } },
  { name: "a dry run", request: { command: "rm a", dryRun: true }, told: { outcome: "completed", exitStatus: 0, writes: 0 } },
  {
    name: "two reasons, each once",
    request: { command: "nmap a; nmap b; cat --wrong a | tee b" },
    told: { outcome: "refused", reason: "DISALLOWED_CMD UNKNOWN_FLAG", exitStatus: undefined, outputBytes: 0, writes: 0 },
  },
  {
    name: "a question",
    request: { command: "nmap a | tee b" },
    options: { asks: async () => true },
    told: { outcome: "asked", reason: "DISALLOWED_CMD" },
  },
  { name: "its time", request: { command: "yes > /dev/null", timeMs: 200 }, told: { outcome: "stopped", reason: "time" } },
];

test.each(rows)("$name", async ({ request, options, told }) => {
  const service = await open();
  const calls: EndedCall[] = [];
  const beforeMs = Date.now();
  await service.call(request, new AbortController().signal, { ...options, onEnded: (call) => calls.push(call) });
  const afterMs = Date.now();
  await service.close();
  expect(calls).toEqual([expect.objectContaining(told)]);
  const [{ startedAtMs, seconds } = { startedAtMs: 0, seconds: -1 }] = calls;
  expect(startedAtMs).toBeGreaterThanOrEqual(beforeMs);
  expect(seconds).toBeGreaterThanOrEqual(0);
  // Both clocks are rounded to the millisecond.
  expect(startedAtMs + seconds * 1000).toBeLessThanOrEqual(afterMs + 2);
});

test("a service that fails is told of as a fault, once", async () => {
  const service = await open();
  const calls: EndedCall[] = [];
  const asks = () => Promise.reject(new Error("ours"));
  const failing = service.call({ command: "nmap a | tee b" }, new AbortController().signal, { asks, onEnded: (call) => calls.push(call) });
  await expect(failing).rejects.toThrow("ours");
  await service.close();
  expect(calls).toEqual([expect.objectContaining({ outcome: "faulted", reason: "", exitStatus: undefined, writes: 0 })]);
});

test.each([
  [
    "in the request's _meta",
    "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
  ],
  ["that is no text", 7, undefined],
])("over HTTP, with the tool and the trace %s", async (_, traceparent, told) => {
  const service = await open();
  const calls: CallEvent[] = [];
  const serving = await serveOverHttp(service, {
    version: "0",
    readOnly: false,
    log: () => undefined,
    host: "127.0.0.1",
    port: 0,
    gate: { hosts: [], origins: [] },
    events: { callEnded: (call) => calls.push(call) },
  });
  const params = { name: "shelpa_pipe", arguments: { command: "cat a" }, _meta: { traceparent } };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  await new Promise<void>((resolve, reject) => {
    const outgoing = httpRequest(serving.url, { method: "POST", headers }, (answer) => answer.resume().on("end", resolve));
    outgoing.on("error", reject).end(body);
  });
  await serving.close();
  await service.close();
  expect(calls).toEqual([
    expect.objectContaining({ ...completedWith, outputBytes: 2, tool: "shelpa_pipe", traceparent: told, caller: undefined }),
  ]);
});
