/** Sessions of several callers: none of them holds all places, in a workspace or in all. */
import { Server } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { RIGHTS } from "../../../src/config/server/rights.ts";
import { HttpSessions, SessionRoom } from "../../../src/mcp/http/sessions.ts";
import type { RequestFacts } from "../../../src/mcp/request-facts.ts";

const clientInfo = { name: "t", version: "0" };
const message = {
  ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo },
};
const facts = (name: string): RequestFacts => ({
  ...{ requestId: "r", workspace: "w", revoked: new AbortController().signal },
  principal: { name, rights: new Set(RIGHTS), mayEnter: () => true },
});
const sessionsIn = (room?: SessionRoom): HttpSessions =>
  new HttpSessions(
    () => new Server({ name: "s", version: "0" }, { capabilities: {} }),
    () => undefined,
    room,
  );

/** The id of a new session of the caller; undefined where there is no place. */
async function opened(sessions: HttpSessions, caller: string): Promise<string | undefined> {
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const request = new Request("http://localhost/mcp", { method: "POST", headers, body: JSON.stringify(message) });
  const answer = await sessions.open(request, message, facts(caller));
  await answer?.text();
  return answer?.headers.get("mcp-session-id") ?? undefined;
}

async function isThere(sessions: HttpSessions, id: string | undefined, caller: string): Promise<boolean> {
  const request = new Request("http://localhost/mcp", { method: "DELETE", headers: { "mcp-session-id": id ?? "" } });
  return (await sessions.answer(id ?? "", request, undefined, facts(caller))) !== undefined;
}

test("a caller with more than half of all places, in however many workspaces, loses its oldest session to another", async () => {
  const room = new SessionRoom(4);
  const [a, b, c] = [sessionsIn(room), sessionsIn(room), sessionsIn(room)];
  const first = await opened(a, "greedy");
  const second = await opened(b, "greedy");
  for (const sessions of [a, b]) expect(await opened(sessions, "greedy")).toBeDefined();
  expect(await opened(a, "greedy")).toBeUndefined();
  expect(await opened(c, "other")).toBeDefined();
  expect(room.taken).toBe(4);
  expect([await isThere(a, first, "greedy"), await isThere(b, second, "greedy")]).toEqual([false, true]);
});

test("where nobody has more than half, no session ends for another's", async () => {
  const sessions = sessionsIn(new SessionRoom(2));
  const ids = [await opened(sessions, "one"), await opened(sessions, "two")];
  expect([ids.every((id) => id !== undefined), await opened(sessions, "three")]).toEqual([true, undefined]);
});

test("the same holds within a workspace", async () => {
  const sessions = sessionsIn();
  const ids: (string | undefined)[] = [];
  for (let count = 0; count < 256; count++) ids.push(await opened(sessions, "greedy"));
  expect(await opened(sessions, "greedy")).toBeUndefined();
  expect(await opened(sessions, "other")).toBeDefined();
  expect(sessions.size).toBe(256);
  expect(await isThere(sessions, ids[0], "greedy")).toBe(false);
});
