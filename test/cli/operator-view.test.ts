/** `shelpa-mcp` over HTTP as its operator sees it, as a process: log, metrics, readiness, limits of a caller, and telemetry by OTLP. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { attributesOf, OtlpReceiver } from "../mcp/http/otlp-receiver.ts";
import { parsedExposition } from "../mcp/http/parsed-exposition.ts";
import { tree, type Tree } from "../tree.ts";

const PROGRAM = fileURLToPath(new URL("../../dist/shelpa-mcp.js", import.meta.url));
const TOKEN = "a-token-of-the-test";
const TIME = { timeout: 60_000 };
const POLL = { timeout: 30_000 };

let place: Tree;
let server: ChildProcess;
let said = "";
beforeEach(() => {
  place = tree(["web/page.html: <p>\n", "server.toml: \n"]);
});
afterEach(async () => {
  if (server.exitCode === null && server.signalCode === null) {
    server.kill("SIGKILL");
    await once(server, "exit");
  }
  place.remove();
});

const at = (...names: string[]): string => join(place.path, ...names);

/** Starts it, and gives the URL without the path. */
async function start(argv: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<string> {
  said = "";
  server = spawn(process.execPath, [PROGRAM, ...argv, "--http", "127.0.0.1:0"], {
    env: { PATH: "/usr/bin:/bin", HOME: place.path, SHELPA_HTTP_TOKEN: TOKEN, ...environment },
    stdio: ["ignore", "ignore", "pipe"],
  });
  server.stderr?.on("data", (chunk: Buffer) => (said += chunk.toString()));
  await expect.poll(() => said, POLL).toMatch(/listening on /);
  return /listening on (http:\/\/[^/"]+)/.exec(said)?.[1] ?? "";
}

async function startWithFile(text: string, environment: Readonly<Record<string, string>> = {}): Promise<string> {
  writeFileSync(at("server.toml"), `[workspaces.web]\nroot = "web"\n${text}`);
  return start(["--workspaces", at("server.toml")], environment);
}

async function end(): Promise<void> {
  const exit = once(server, "exit");
  server.kill("SIGTERM");
  expect((await exit)[0], said).toBe(0);
}

const call = (url: string, command: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(url, {
    method: "POST",
    headers: {
      authorization: `Bearer ${TOKEN}`,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "shelpa_pipe", arguments: { command } } }),
  });
const get = (url: string, token?: string): Promise<Response> =>
  fetch(url, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } });

describe("a server of workspaces", () => {
  test("a call is in the log and in the metrics by the id that its answer has, and its line is in neither", TIME, async () => {
    const origin = await startWithFile('[log]\nformat = "json"\n');
    const answer = await call(`${origin}/w/web/mcp`, "cat page.html; cat /etc/shadow");
    await answer.text();
    const id = answer.headers.get("x-request-id");
    expect(id).toMatch(/^\S+$/);
    const lines = (): readonly Record<string, unknown>[] =>
      said.split("\n").flatMap((line) => (line.startsWith("{") ? [JSON.parse(line) as Record<string, unknown>] : []));
    await expect
      .poll(
        () =>
          lines()
            .filter(({ request_id }) => request_id === id)
            .map(({ event }) => event),
        POLL,
      )
      .toEqual(["call", "request"]);
    expect(lines().filter(({ request_id }) => request_id === id)).toMatchObject([
      { level: "info", workspace: "web", tool: "shelpa_pipe" },
      { method: "POST", path: "/w/NAME/mcp", status: 200, workspace: "web" },
    ]);
    expect(said).not.toMatch(/shadow|page\.html/);
    const written = await call(`${origin}/w/web/mcp`, "echo x | tee made");
    await written.text();
    const ofWrite = written.headers.get("x-request-id");
    const records = (name: string): readonly unknown[] =>
      readFileSync(at("web/.shelpa/@", name), "utf8")
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line) as unknown);
    expect(records("journal.jsonl")[0]).toMatchObject({ path: "made", token: "SHELPA_HTTP_TOKEN", request_id: ofWrite });
    expect(records("calls.jsonl")).toMatchObject([{ outcome: "completed", request_id: ofWrite }]);
    expect([(await get(`${origin}/metrics`)).status, (await get(`${origin}/metrics`, "another-token-of-no-use")).status]).toEqual([
      401, 401,
    ]);
    const scraped = await get(`${origin}/metrics`, TOKEN);
    expect(scraped.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    const families = parsedExposition(await scraped.text());
    const calls = families.get("shelpa_calls_total");
    expect(calls?.labels).toEqual([expect.objectContaining({ workspace: "web" })]);
    expect([...(calls?.samples.values() ?? [])]).toEqual([2]);
    expect(families.get("shelpa_executors_resident_memory_bytes")?.samples.get("shelpa_executors_resident_memory_bytes")).toBeGreaterThan(
      1e6,
    );
    expect(await (await get(`${origin}/readyz`)).text()).toBe("ready\n");
    // Probes and scrapes that went well are no lines.
    await get(`${origin}/nothing`);
    await expect.poll(() => lines().some(({ path, status }) => path === "other" && status === 404), POLL).toBe(true);
    expect(
      lines()
        .map(({ path, status }) => `${path} ${status}`)
        .filter((text) => /^\/(?:metrics|readyz) 200/.test(text)),
    ).toEqual([]);
    await end();
  });

  test("a caller past its limit is answered 429 with the time to wait, and may go on after that", TIME, async () => {
    const origin = await startWithFile("[limits]\ncaller_calls = 1\n");
    const url = `${origin}/w/web/mcp`;
    await (await call(url, "true")).text();
    const long = call(url, "sleep 60");
    let refused: Response | undefined;
    await expect
      .poll(async () => {
        const answer = await call(url, "true");
        if (answer.status === 429) refused = answer;
        else await answer.text();
        return answer.status;
      }, POLL)
      .toBe(429);
    expect(refused?.headers.get("retry-after")).toBe("1");
    expect(await refused?.json()).toMatchObject({ id: 1, error: { message: expect.stringContaining("one call at once") } });
    const list = await fetch(url, {
      method: "POST",
      headers: { authorization: `Bearer ${TOKEN}`, accept: "application/json, text/event-stream", "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/list" }),
    });
    expect(list.status).toBe(200);
    await list.text();
    server.kill("SIGKILL");
    await long.then((answer) => answer.text()).catch(() => undefined);
  });

  test("clients that go away, at whatever moment, leave no place taken", TIME, async () => {
    const origin = await startWithFile("[limits]\ncaller_calls = 2\n");
    const url = `${origin}/w/web/mcp`;
    for (let round = 0; round < 100; round++) {
      const gone = new AbortController();
      const answer = fetch(url, {
        method: "POST",
        signal: gone.signal,
        headers: { authorization: `Bearer ${TOKEN}`, accept: "application/json, text/event-stream", "content-type": "application/json" },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name: "shelpa_pipe", arguments: { command: "sleep 1" } },
        }),
      });
      setTimeout(() => gone.abort(), round % 10);
      await answer.then((given) => given.text()).catch(() => undefined);
    }
    const both = (): Promise<readonly number[]> =>
      Promise.all(
        [call(url, "true"), call(url, "true")].map(async (answering) => {
          const answer = await answering;
          await answer.text();
          return answer.status;
        }),
      );
    await expect.poll(both, POLL).toEqual([200, 200]);
    await end();
  });
});

describe("telemetry", () => {
  let receiver: OtlpReceiver;
  beforeEach(() => {
    receiver = new OtlpReceiver();
  });
  afterEach(() => receiver.close());

  /** Scripts of dist/ that the server's own process has loaded, as V8 says when it ends. */
  function loaded(directory: string): ReadonlySet<string> {
    const files = readdirSync(directory).map(
      (name) => JSON.parse(readFileSync(join(directory, name), "utf8")) as { result: { url: string }[] },
    );
    return new Set(files.flatMap(({ result }) => result.map(({ url }) => /\/dist\/([^/]+\.js)$/.exec(url)?.[1] ?? "")));
  }

  test("a call's span is sent when the server goes down, in the trace of its client", TIME, async () => {
    const trace = "0af7651916cd43dd8448eb211c80319c";
    mkdirSync(at("coverage"));
    const origin = await startWithFile("", { OTEL_EXPORTER_OTLP_ENDPOINT: await receiver.listen(), NODE_V8_COVERAGE: at("coverage") });
    await (await call(`${origin}/w/web/mcp`, "grep z page.html", { traceparent: `00-${trace}-b7ad6b7169203331-01` })).text();
    await end();
    const spans = receiver.spans.map((span) => [
      span.name,
      span.traceId,
      attributesOf(span)["shelpa.workspace"],
      attributesOf(span)["shelpa.exit_status"],
    ]);
    expect(spans.sort()).toEqual([
      ["POST /w/NAME/mcp", trace, "web", undefined],
      ["tools/call shelpa_pipe", trace, "web", 1],
    ]);
    expect(receiver.records.map(({ eventName }) => eventName)).toEqual(expect.arrayContaining(["shelpa.request", "shelpa.call"]));
    expect(loaded(at("coverage")).has("telemetry.js")).toBe(true);
  });

  test("nothing of it is loaded where the environment does not ask", TIME, async () => {
    mkdirSync(at("coverage"));
    const origin = await startWithFile("", { NODE_V8_COVERAGE: at("coverage"), OTEL_SERVICE_NAME: "x" });
    await (await call(`${origin}/w/web/mcp`, "true")).text();
    await end();
    const scripts = loaded(at("coverage"));
    expect([scripts.has("serve-workspaces.js"), scripts.has("telemetry.js")]).toEqual([true, false]);
    await receiver.listen();
  });

  test("a collector that is not there is said once, and holds up neither calls nor the end", TIME, async () => {
    await receiver.listen();
    const origin = await startWithFile("", {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://127.0.0.1:9/v1/traces",
      OTEL_BSP_SCHEDULE_DELAY: "50",
    });
    for (let round = 0; round < 5; round++) await (await call(`${origin}/w/web/mcp`, "true")).text();
    await expect.poll(() => said, POLL).toContain("traces cannot be sent by OTLP");
    await end();
    expect(said.match(/traces cannot be sent/g)).toHaveLength(1);
  });

  test("a collector that takes all and answers nothing does not keep a server that is to end", TIME, async () => {
    receiver.status = 0;
    const origin = await startWithFile("", { OTEL_EXPORTER_OTLP_ENDPOINT: await receiver.listen(), OTEL_EXPORTER_OTLP_TIMEOUT: "600000" });
    await (await call(`${origin}/w/web/mcp`, "true")).text();
    await expect.poll(() => receiver.records.length, POLL).toBeGreaterThan(0);
    await end();
  });
});
