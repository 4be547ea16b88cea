/** Limits of a caller at the door of the server: a place is given back however a request ends. */
import { request as httpRequest } from "node:http";
import { afterEach, expect, test } from "vitest";
import { RIGHTS } from "../../../src/config/server/rights.ts";
import type { Authenticator } from "../../../src/mcp/http/authenticator.ts";
import { CallerLimits } from "../../../src/mcp/http/caller-limits.ts";
import { serveOverHttp, type HttpServing } from "../../../src/mcp/http/serve-http.ts";
import { FakeShell } from "../fake-shell.ts";

const CALL = JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "shelpa_pipe", arguments: { command: "ls" } } });
const HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const PRINCIPAL = { name: "ci", rights: new Set(RIGHTS), mayEnter: () => true };

let serving: HttpServing;
const said: string[] = [];
afterEach(() => serving.close());

async function serve(shell: FakeShell, authenticate: () => Promise<void> = async () => undefined): Promise<void> {
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
    callerLimits: new CallerLimits({ callsAtOnce: 1 }),
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
