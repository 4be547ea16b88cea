/** Limits of a caller at the door of the server: a place is given back however a request ends. */
import { request as httpRequest } from "node:http";
import { afterEach, expect, test } from "vitest";
import { RIGHTS } from "../../../src/config/server/rights.ts";
import type { Authenticator } from "../../../src/mcp/http/authenticator.ts";
import { CallerLimits } from "../../../src/mcp/http/caller-limits.ts";
import { serveOverHttp, type HttpServing } from "../../../src/mcp/http/serve-http.ts";
import { callerKey } from "../../../src/mcp/principal.ts";
import { FakeShell } from "../fake-shell.ts";

const CALL = JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "shelpa_pipe", arguments: { command: "ls" } } });
const HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const PRINCIPAL = { name: "ci", rights: new Set(RIGHTS), mayEnter: () => true };

let serving: HttpServing;
const said: string[] = [];
afterEach(() => serving.close());

async function serve(
  shell: FakeShell,
  authenticate: () => Promise<void> = async () => undefined,
  callerLimits: CallerLimits | undefined = new CallerLimits({ callsAtOnce: 1 }),
): Promise<void> {
  said.length = 0;
  const authenticator: Authenticator = {
    authenticate: async () => {
      await authenticate();
      return PRINCIPAL;
    },
  };
  serving = await serveOverHttp(shell, {
    ...{ version: "0", readOnly: false, log: (line) => said.push(line), host: "127.0.0.1", port: 0, gate: { hosts: [], origins: [] } },
    authenticator,
    callerLimits,
  });
}

const post = (signal?: AbortSignal): Promise<Response> =>
  fetch(serving.url, { method: "POST", headers: HEADERS, body: CALL, ...(signal && { signal }) });

/** Resolves when a call is answered with 200; one that comes too early is answered with 429. */
const free = (): Promise<void> =>
  expect
    .poll(
      async () => {
        const answer = await post();
        await answer.text();
        return answer.status;
      },
      { timeout: 30_000 },
    )
    .toBe(200);

test("while a call runs the next is refused, by its id, and has not run", async () => {
  let end = (): void => undefined;
  const running = new Promise<void>((resolve) => (end = resolve));
  let begun = 0;
  const shell = new FakeShell(async (request) => {
    begun++;
    await running;
    return new FakeShell().call(request, new AbortController().signal);
  });
  await serve(shell);
  const first = post();
  await expect.poll(() => begun, { timeout: 30_000 }).toBe(1);
  const refused = await post();
  expect([refused.status, refused.headers.get("retry-after"), ((await refused.json()) as { id: number }).id]).toEqual([429, "1", 7]);
  expect(begun).toBe(1);
  end();
  expect((await first).status).toBe(200);
  await (await first).text();
  await free();
});

test("a client that goes while it is found out who it is takes no place, and is no fault", async () => {
  let isFirst = true;
  let asked = (): void => undefined;
  const isAsked = new Promise<void>((resolve) => (asked = resolve));
  let know = (): void => undefined;
  const known = new Promise<void>((resolve) => (know = resolve));
  const shell = new FakeShell();
  await serve(shell, async () => {
    if (!isFirst) return;
    isFirst = false;
    asked();
    await known;
  });
  const outgoing = httpRequest(serving.url, { method: "POST", headers: HEADERS, agent: false });
  outgoing.on("error", () => undefined);
  outgoing.end(CALL);
  await isAsked;
  outgoing.destroy();
  await once(() => serving.unusedMs() > 0);
  know();
  await free();
  expect([shell.requests.length, said]).toEqual([1, []]);
});

/** Resolves when `isSo`, in turns of the event loop. */
async function once(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}

test("a read waits for the one before it, those that are too many are refused, and calls have places of their own", async () => {
  const shell = new FakeShell();
  await serve(shell, undefined, new CallerLimits({}));
  // Larger than what the two sockets of an answer hold: it is under way until somebody reads it.
  const uri = `shelpa://output/${shell.keep(Buffer.alloc(8 << 20, "x"), callerKey(PRINCIPAL)).id}`;
  const READ = JSON.stringify({ jsonrpc: "2.0", id: 8, method: "resources/read", params: { uri } });
  const first = await fetch(serving.url, { method: "POST", headers: HEADERS, body: READ });
  const others = Array.from({ length: 20 }, async () => {
    const answer = await fetch(serving.url, { method: "POST", headers: HEADERS, body: READ });
    return [answer.status, (await answer.text()).length > 1000];
  });
  expect(await Promise.any(others)).toEqual([429, false]);
  const call = await post();
  expect([call.status, (await call.text()).includes("ran ls")]).toEqual([200, true]);
  await first.text();
  const answers = await Promise.all(others);
  expect([
    answers.filter(([status]) => status === 429).length,
    answers.filter(([status, isWhole]) => status === 200 && isWhole).length,
  ]).toEqual([5, 15]);
});

test("a client that goes while its read waits hands its turn on", async () => {
  const shell = new FakeShell();
  let asked = 0;
  await serve(shell, async () => void asked++, new CallerLimits({ callsAtOnce: 3 }));
  const uri = `shelpa://output/${shell.keep(Buffer.alloc(8 << 20, "x"), callerKey(PRINCIPAL)).id}`;
  const read = (signal?: AbortSignal): Promise<Response> => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 8, method: "resources/read", params: { uri } });
    return fetch(serving.url, { method: "POST", headers: HEADERS, body, ...(signal && { signal }) });
  };
  const first = await read();
  const goes = new AbortController();
  const gone = read(goes.signal).catch(() => "gone");
  await expect.poll(() => asked, { timeout: 30_000 }).toBe(2);
  goes.abort();
  expect(await gone).toBe("gone");
  const third = read();
  await first.text();
  expect([(await third).status, (await (await third).text()).length > 1000]).toEqual([200, true]);
  await free();
});
