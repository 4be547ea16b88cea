/** Streamable HTTP over a real socket: who may speak, both eras, sessions apart, limits, and going down. */
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from "@modelcontextprotocol/client";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { singleTokenAuthenticator } from "../../src/mcp/http/open-authenticator.ts";
import { serveOverHttp, type HttpServing, type ServeHttpOptions } from "../../src/mcp/http/serve-http.ts";
import type { CallOptions, OpenSession, ShellRequest } from "../../src/mcp/shell-service.ts";
import { completed, FakeShell, untilAborted, type Responder } from "./fake-shell.ts";

const TOKEN = "correct horse battery".replaceAll(" ", "-");
let serving: HttpServing | undefined;
afterEach(async () => {
  await serving?.close();
  serving = undefined;
});

/** Notes whose session each call had, and who called. */
class NotingShell extends FakeShell {
  readonly sessions: CallOptions["session"][] = [];
  readonly callers: CallOptions["caller"][] = [];

  override call(request: ShellRequest, signal: AbortSignal, options: CallOptions = {}): ReturnType<FakeShell["call"]> {
    this.sessions.push(options.session);
    this.callers.push(options.caller);
    return super.call(request, signal, options);
  }
}

async function serve(respond?: Responder, options: Partial<ServeHttpOptions> = {}): Promise<{ url: string; shell: NotingShell }> {
  const shell = new NotingShell(respond);
  const gate = {
    hosts: ["mcp.example.org"],
    origins: ["app.example.org", "https://only.example.org", "vscode-webview://one"],
  };
  serving = await serveOverHttp(shell, {
    version: "0",
    readOnly: false,
    log: () => undefined,
    host: "127.0.0.1",
    port: 0,
    gate,
    authenticator: singleTokenAuthenticator(TOKEN, "team"),
    ...options,
  });
  return { url: serving.url, shell };
}

interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** With node:http, because fetch sets Host itself. A header of undefined is left out. */
function send(
  url: string,
  method: string,
  body: string | undefined,
  headers: Readonly<Record<string, string | undefined>> = {},
): Promise<Response> {
  const all = {
    authorization: `Bearer ${TOKEN}`,
    accept: "application/json, text/event-stream",
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(url, { method, headers: JSON.parse(JSON.stringify(all)) as Record<string, string> }, (answer) => {
      let text = "";
      answer.on("data", (chunk: Buffer) => (text += chunk.toString()));
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

const message = (method: string, params?: object, id = 1): string => JSON.stringify({ jsonrpc: "2.0", id, method, params });
const call = (command: string): string => message("tools/call", { name: "shelpa_pipe", arguments: { command } });
const initialize = message("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "0" } });

describe("who may speak", () => {
  test.each<{ name: string; headers: Record<string, string | undefined>; status: number }>([
    { name: "the token", headers: {}, status: 200 },
    { name: "no token", headers: { authorization: undefined }, status: 401 },
    { name: "a wrong token", headers: { authorization: "Bearer nope" }, status: 401 },
    { name: "a token that begins right", headers: { authorization: `Bearer ${TOKEN.slice(0, -1)}` }, status: 401 },
    { name: "another scheme", headers: { authorization: `Basic ${TOKEN}` }, status: 401 },
    { name: "another name of the loopback", headers: { host: "localhost:1" }, status: 200 },
    { name: "the name of the proxy", headers: { host: "mcp.example.org" }, status: 200 },
    { name: "a name that was made to resolve here", headers: { host: "evil.example" }, status: 403 },
    { name: "a page of this machine", headers: { origin: "http://localhost:6274" }, status: 200 },
    { name: "a page that was allowed", headers: { origin: "https://app.example.org" }, status: 200 },
    { name: "any other page", headers: { origin: "https://evil.example" }, status: 403 },
    { name: "a page without an origin", headers: { origin: "null" }, status: 403 },
    { name: "a page of an allowed host's other port", headers: { origin: "https://app.example.org:8443" }, status: 200 },
    { name: "an allowed origin", headers: { origin: "https://only.example.org" }, status: 200 },
    { name: "the host of an allowed origin, by another scheme", headers: { origin: "http://only.example.org" }, status: 403 },
    { name: "an allowed origin of another kind", headers: { origin: "vscode-webview://one" }, status: 200 },
    { name: "another of that kind", headers: { origin: "vscode-webview://two" }, status: 403 },
    { name: "an extension that is called localhost", headers: { origin: "chrome-extension://localhost" }, status: 403 },
    { name: "an extension that is called as an allowed host", headers: { origin: "moz-extension://app.example.org" }, status: 403 },
    { name: "an origin with a user", headers: { origin: "http://evil.example@localhost" }, status: 403 },
    { name: "an origin with a path", headers: { origin: "http://localhost/x" }, status: 403 },
    { name: "a Host with a user", headers: { host: "evil.example@localhost" }, status: 400 },
    { name: "a Host with a user and a password", headers: { host: "a:b@localhost:1" }, status: 400 },
    { name: "a Host with a path", headers: { host: "localhost/evil" }, status: 400 },
    { name: "a Host with a query", headers: { host: "localhost?evil" }, status: 400 },
    { name: "a Host with a port that is none", headers: { host: "localhost:x" }, status: 400 },
    { name: "an address of version 6", headers: { host: "[::1]:1" }, status: 200 },
  ])("$name: $status", async ({ headers, status }) => {
    const { url, shell } = await serve();
    const answer = await send(url, "POST", call("ls"), headers);
    expect(answer.status).toBe(status);
    expect(shell.requests).toHaveLength(status === 200 ? 1 : 0);
    if (status === 401) expect(answer.headers["www-authenticate"]).toMatch(/^Bearer realm=/);
  });

  test("a page's preflight is answered without a token, that of another page is not", async () => {
    const { url } = await serve();
    const allowed = await send(url, "OPTIONS", undefined, { origin: "https://app.example.org", authorization: undefined });
    expect(allowed).toMatchObject({ status: 204, headers: { "access-control-allow-origin": "https://app.example.org" } });
    expect((await send(url, "OPTIONS", undefined, { origin: "https://evil.example" })).status).toBe(403);
  });

  test("anybody may ask whether the process serves, and for nothing else", async () => {
    const { url } = await serve();
    const nobody = { authorization: undefined, host: "10.0.0.7" };
    expect(await send(url.replace("/mcp", "/healthz"), "GET", undefined, nobody)).toMatchObject({ status: 200, text: "ok\n" });
    expect((await send(url.replace("/mcp", "/"), "GET", undefined)).status).toBe(404);
  });
});

test("a client that asks for the end of its connection gets it with the answer", async () => {
  const { url } = await serve();
  const { hostname, port } = new URL(url);
  const text = await new Promise<string>((resolve) => {
    let got = "";
    const socket = connect(Number(port), hostname, () => {
      const head = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json`;
      socket.write(
        `${head}\r\nAccept: application/json, text/event-stream\r\nConnection: close\r\nContent-Length: ${call("ls").length}\r\n\r\n${call("ls")}`,
      );
    });
    socket.on("data", (chunk: Buffer) => (got += chunk.toString()));
    socket.on("close", () => resolve(got));
  });
  expect(text).toContain("ran ls");
  expect(text).toMatch(/^connection: close\r$/im);
});

test("the stream of a request that is cancelled ends, in a session", async () => {
  const { url } = await serve(({ command }, signal) => (command === "slow" ? untilAborted(signal, completed({})) : completed({})));
  const opened = await send(url, "POST", initialize);
  const session = { "mcp-session-id": String(opened.headers["mcp-session-id"]), "mcp-protocol-version": "2025-11-25" };
  const slow = send(url, "POST", message("tools/call", { name: "shelpa_pipe", arguments: { command: "slow" } }, 7), session);
  await new Promise((resolve) => setTimeout(resolve, 100));
  const cancel = JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } });
  expect((await send(url, "POST", cancel, session)).status).toBe(202);
  const { status, text } = await slow;
  expect([status, text.includes('"id":7')]).toEqual([200, false]);
});

describe("what is no request", () => {
  test.each([
    { name: "no JSON", body: "{", status: 400, code: -32700 },
    { name: "nothing", body: "", status: 400, code: -32700 },
    { name: "a batch", body: "[]", status: 400, code: -32600 },
    { name: "another version of JSON-RPC", body: '{"jsonrpc":"1.0","id":1,"method":"ping"}', status: 400, code: -32600 },
    { name: "a body past 8 MiB", body: "x".repeat((8 << 20) + 1), status: 413, code: -32000 },
  ])("$name: $status, $code", async ({ body, status, code }) => {
    const { url } = await serve();
    const answer = await send(url, "POST", body);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text)).toMatchObject({ jsonrpc: "2.0", error: { code } });
  });

  test("another media type: 415", async () => {
    const { url } = await serve();
    expect((await send(url, "POST", call("ls"), { "content-type": "text/plain" })).status).toBe(415);
  });
});

describe("methods", () => {
  test.each(["TRACE", "PUT", "PATCH", "HEAD", "PROPFIND"])("%s: 405, and the log has no fault", async (method) => {
    const logged: string[] = [];
    const { url } = await serve(undefined, { log: (line) => logged.push(line) });
    const answer = await send(url, method, undefined);
    expect(answer).toMatchObject({ status: 405, headers: { allow: "GET, POST, DELETE, OPTIONS" } });
    expect(logged).toEqual([]);
  });

  test("of the page that says that the process serves", async () => {
    const { url } = await serve();
    const health = url.replace("/mcp", "/healthz");
    expect((await send(health, "HEAD", undefined)).status).toBe(200);
    expect(await send(health, "POST", "x")).toMatchObject({ status: 405, headers: { allow: "GET, HEAD" } });
  });
});

describe("as many sessions as there can be", () => {
  afterEach(() => void vi.useRealTimers());

  test("none that is in use ends for a new one, which is told to come later; the one unused longest does, once it is idle", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { url, shell } = await serve();
    const open = (): Promise<Response> => send(url, "POST", initialize);
    const uses = async (id: string): Promise<number> => (await send(url, "POST", call("ls"), { "mcp-session-id": id })).status;
    const ids: string[] = [];
    for (let count = 0; count < 256; count++) ids.push(String((await open()).headers["mcp-session-id"]));
    const [first = "", second = "", third = ""] = ids;
    expect(await open()).toMatchObject({ status: 503, headers: { "retry-after": "60" } });
    expect(await uses(first)).toBe(200);
    vi.setSystemTime(Date.now() + 4 * 60_000);
    expect(await uses(second)).toBe(200);
    expect((await open()).status).toBe(503);
    vi.setSystemTime(Date.now() + 2 * 60_000);
    expect((await open()).status).toBe(200);
    expect(await uses(third)).toBe(404);
    expect(await uses(first)).toBe(200);
    expect(await uses(second)).toBe(200);
    expect(shell.requests).toHaveLength(4);
  }, 30_000);

  test("as many at once do not get past it", async () => {
    const { url } = await serve();
    const statuses = (await Promise.all(Array.from({ length: 300 }, () => send(url, "POST", initialize)))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(256);
    expect(statuses.filter((status) => status === 503)).toHaveLength(44);
  }, 30_000);
});

describe("sessions", () => {
  test("of clients that shook hands are apart, and end with DELETE", async () => {
    const { url, shell } = await serve();
    const ids = [];
    for (const _ of [1, 2]) ids.push((await send(url, "POST", initialize)).headers["mcp-session-id"] as string);
    for (const id of [...ids, ids[0]]) await send(url, "POST", call("ls"), { "mcp-session-id": id });
    const [first, second, again] = shell.sessions as OpenSession[];
    expect(first?.handle).not.toBe(second?.handle);
    expect(again).toBe(first);
    expect((await send(url, "DELETE", undefined, { "mcp-session-id": ids[0] })).status).toBe(200);
    expect((await send(url, "POST", call("ls"), { "mcp-session-id": ids[0] })).status).toBe(404);
    expect((await send(url, "POST", call("ls"), { "mcp-session-id": ids[1] })).status).toBe(200);
  });

  test("a request without one, and each of the stateless era, has one of its own", async () => {
    const { url, shell } = await serve();
    await send(url, "POST", call("ls"));
    const modern = new ModernClient({ name: "t", version: "0" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
    await modern.connect(new ModernTransport(new URL(url), { requestInit: { headers: { Authorization: `Bearer ${TOKEN}` } } }));
    await modern.callTool({ name: "shelpa_pipe", arguments: { command: "ls" } });
    await modern.close();
    expect(shell.sessions).toEqual(["of its own", "of its own"]);
  });

  test("each call says which client it is, and by which token it came", async () => {
    const { url, shell } = await serve();
    const requestInit = { headers: { authorization: `Bearer ${TOKEN}` } };
    const older = new OlderClient({ name: "older", version: "1" });
    await older.connect(new OlderTransport(new URL(url), { requestInit }) as never);
    await older.callTool({ name: "shelpa_pipe", arguments: { command: "ls" } });
    await older.close();
    const modern = new ModernClient({ name: "modern", version: "2" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
    await modern.connect(new ModernTransport(new URL(url), { requestInit }));
    await modern.callTool({ name: "shelpa_pipe", arguments: { command: "ls" } });
    await modern.close();
    await send(url, "POST", call("ls"));
    expect(shell.callers).toEqual([
      { name: "older", version: "1", token: "team", request: expect.stringMatching(/^[0-9a-f]{16}$/) },
      { name: "modern", version: "2", token: "team", request: expect.any(String) },
      { token: "team", request: expect.any(String) },
    ]);
  });

  test("an output is found by its address, and listed to nobody", async () => {
    const { url } = await serve(() => completed({ stdout: "x".repeat(500) }), { maxOutputCharacters: 100 });
    const older = new OlderClient({ name: "t", version: "0" });
    await older.connect(new OlderTransport(new URL(url), { requestInit: { headers: { Authorization: `Bearer ${TOKEN}` } } }) as never);
    const result = await older.callTool({ name: "shelpa_pipe", arguments: { command: "x" } });
    const { resource } = (result["_meta"] as { "shelpa/truncated": { resource: string } })["shelpa/truncated"];
    expect((await older.readResource({ uri: resource })).contents).toMatchObject([{ text: "x".repeat(500) }]);
    expect((await older.listResources()).resources.map(({ uri }) => uri)).not.toContain(resource);
    await older.close();
  });
});

describe("a client that goes", () => {
  test("in the stateless era takes its call with it", async () => {
    let aborted: () => void = () => undefined;
    const isAborted = new Promise<void>((resolve) => (aborted = resolve));
    const abort = new AbortController();
    const { url } = await serve((_, signal) => {
      signal.addEventListener("abort", aborted);
      // Only now: a request that has not been sent yet leaves nothing to end.
      setTimeout(() => abort.abort("enough"), 50);
      return untilAborted(signal, completed({}));
    });
    const modern = new ModernClient({ name: "t", version: "0" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
    await modern.connect(new ModernTransport(new URL(url), { requestInit: { headers: { Authorization: `Bearer ${TOKEN}` } } }));
    const slow = modern.callTool({ name: "shelpa_pipe", arguments: { command: "slow" } }, { signal: abort.signal });
    await expect(slow).rejects.toThrow();
    await isAborted;
    await modern.close();
  });

  test("before it has sent its request leaves nothing behind", async () => {
    const { url, shell } = await serve();
    const { port } = new URL(url);
    const socket = connect(Number(port), "127.0.0.1");
    const head = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{`;
    await new Promise<void>((resolve) => socket.write(head, () => resolve()));
    socket.destroy();
    expect((await send(url, "POST", call("ls"))).status).toBe(200);
    expect(shell.requests).toHaveLength(1);
  });
});

describe("going down", () => {
  test("answers what is in flight", async () => {
    const { url } = await serve(() => new Promise((resolve) => setTimeout(resolve, 100, completed({ stdout: "late\n" }))));
    const late = send(url, "POST", call("slow"));
    await new Promise((resolve) => setTimeout(resolve, 30));
    await serving?.close();
    serving = undefined;
    expect(await late).toMatchObject({ status: 200, text: expect.stringContaining("late") });
    await expect(send(url, "POST", call("ls"))).rejects.toThrow();
  });

  test("ends what takes longer than two seconds, and streams that nobody closes", async () => {
    let isAborted = false;
    const { url } = await serve((_, signal) => {
      signal.addEventListener("abort", () => (isAborted = true));
      return untilAborted(signal, completed({}));
    });
    const id = (await send(url, "POST", initialize)).headers["mcp-session-id"] as string;
    const stream = send(url, "GET", undefined, { "mcp-session-id": id }).catch(() => undefined);
    const slow = send(url, "POST", call("slow"), { "mcp-session-id": id }).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await serving?.close();
    serving = undefined;
    await Promise.all([stream, slow]);
    expect(isAborted).toBe(true);
  });
});
