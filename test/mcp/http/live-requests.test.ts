/** Requests under way whose token is revoked or expires: calls of either era, streams, and what goes on. */
import { afterEach, describe, expect, test } from "vitest";
import { RIGHTS, type Right } from "../../../src/config/server/rights.ts";
import type { Authenticator } from "../../../src/mcp/http/authenticator.ts";
import type { GateRefusal } from "../../../src/mcp/http/gate.ts";
import { serveOverHttp, type HttpServing } from "../../../src/mcp/http/serve-http.ts";
import type { Principal } from "../../../src/mcp/principal.ts";
import { completed, FakeShell, untilAborted } from "../fake-shell.ts";

const TIME = { timeout: 30_000 };
const ALL: Principal = { name: "ci", rights: new Set(RIGHTS), mayEnter: () => true };
const refusal = (status: GateRefusal["status"]): GateRefusal => ({ status, message: "not now", headers: {} });

let serving: HttpServing;
let tokens: Map<string, Principal | GateRefusal>;
afterEach(() => serving.close());

/** Lines that run until they are cancelled, by their text. */
const running = new Map<string, AbortSignal>();

async function serve(): Promise<void> {
  tokens = new Map();
  running.clear();
  const authenticator: Authenticator = {
    authenticate: async ({ authorization = "" }) => tokens.get(authorization.replace("Bearer ", "")) ?? refusal(401),
  };
  const shell = new FakeShell(({ command }, signal) => {
    running.set(command, signal);
    return untilAborted(signal, completed({ stdout: "cancelled\n" }));
  });
  serving = await serveOverHttp(shell, {
    ...{ version: "0", readOnly: false, log: () => undefined, host: "127.0.0.1", port: 0, gate: { hosts: [], origins: [] } },
    authenticator,
  });
}

const headersOf = (token: string, more: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
  ...more,
});
const post = (token: string, method: string, params: object, more?: Readonly<Record<string, string>>): Promise<Response> => {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  return fetch(serving.url, { method: "POST", headers: headersOf(token, more), body });
};
const openSession = async (token: string): Promise<Readonly<Record<string, string>>> => {
  const clientInfo = { name: "t", version: "0" };
  const answer = await post(token, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  await answer.text();
  return { "mcp-session-id": answer.headers.get("mcp-session-id") ?? "" };
};
/** Starts a line that does not end, and resolves with the way its answer does when it runs. */
async function start(
  token: string,
  command: string,
  session?: Readonly<Record<string, string>>,
): Promise<{ readonly ended: Promise<string> }> {
  const ended = post(token, "tools/call", { name: "shelpa_pipe", arguments: { command } }, session)
    .then((answer) => answer.text())
    .catch(() => "closed");
  await expect.poll(() => running.has(command), TIME).toBe(true);
  return { ended };
}

describe("revoked", () => {
  test.each<[era: string, hasSession: boolean]>([
    ["without a session", false],
    ["in a session", true],
  ])("a call %s is cancelled and its connection closed, and another caller's goes on", TIME, async (_, hasSession) => {
    await serve();
    tokens.set("a", ALL).set("b", { ...ALL, name: "other" });
    const [one, other] = [hasSession ? await openSession("a") : undefined, hasSession ? await openSession("b") : undefined];
    const [revoked, kept] = [await start("a", "of a", one), await start("b", "of b", other)];
    tokens.delete("a");
    expect(await serving.endRevoked()).toBe(1);
    expect(await revoked.ended).toBe("closed");
    expect([running.get("of a")?.aborted, running.get("of b")?.aborted]).toEqual([true, false]);
    tokens.clear();
    await serving.endRevoked();
    await kept.ended;
  });

  test.each<{ name: string; now: Principal | GateRefusal; was?: Partial<Principal>; goesOn: boolean }>([
    { name: "the same", now: ALL, goesOn: true },
    { name: "one that lost a right", now: { ...ALL, rights: new Set<Right>(["read"]) }, goesOn: false },
    { name: "one that gained a right", was: { rights: new Set<Right>(["read"]) }, now: ALL, goesOn: true },
    { name: "another caller's", now: { ...ALL, name: "cd" }, goesOn: false },
    { name: "another user's", now: { ...ALL, subject: "somebody" }, goesOn: false },
    { name: "without the right to read", now: refusal(403), goesOn: false },
    { name: "one that cannot be checked now", now: refusal(503), goesOn: true },
    { name: "one that has expired since", was: { expiresMs: 1 }, now: refusal(401), goesOn: true },
  ])("a call with a token that is now $name", TIME, async ({ now, was, goesOn }) => {
    await serve();
    tokens.set("a", { ...ALL, ...was });
    const { ended } = await start("a", "line");
    tokens.set("a", now);
    expect([await serving.endRevoked(), running.get("line")?.aborted]).toEqual(goesOn ? [0, false] : [1, true]);
    await serving.close();
    await ended;
  });

  test("a stream ends", TIME, async () => {
    await serve();
    tokens.set("a", ALL);
    const stream = await fetch(serving.url, { headers: headersOf("a", await openSession("a")) });
    expect(stream.status).toBe(200);
    tokens.delete("a");
    expect(await serving.endRevoked()).toBe(1);
    await expect(stream.text()).rejects.toThrow();
  });
});

test("a stream ends when its token expires", TIME, async () => {
  await serve();
  tokens.set("a", ALL);
  const session = await openSession("a");
  tokens.set("a", { ...ALL, expiresMs: Date.now() + 300 });
  // A loaded machine may be so slow that the token has expired before.
  const stream = await fetch(serving.url, { headers: headersOf("a", session) }).catch(() => undefined);
  if (stream !== undefined) await expect(stream.text()).rejects.toThrow();
});
