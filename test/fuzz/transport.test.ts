/**
 * Both transports with random lines in random chunks: each request is answered exactly once, a line that is no request
 * gets its error, and the server goes on serving. `npm run fuzz -- transport RUNS SEED`: RUNS conversations.
 */
import { connect } from "node:net";
import { PassThrough } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { singleTokenAuthenticator } from "../../src/mcp/http/open-authenticator.ts";
import { serveOverHttp, type HttpServing } from "../../src/mcp/http/serve-http.ts";
import { serveOverStdio } from "../../src/mcp/serve-stdio.ts";
import { completed, FakeShell } from "../mcp/fake-shell.ts";
import { corpus, Dice, fuzzRuns, isLongRun } from "./dice.ts";
import { fuzzLine, type FuzzLine } from "./json-rpc-lines.ts";

const RUNS = fuzzRuns(10, 10);
const LINES = 25;
const TOKEN = "token-of-the-transport-fuzz";
const counts = { lines: 0, answered: 0, errors: 0, httpRequests: 0, httpBytes: 0 };

interface Answer {
  readonly id: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

const shell = (): FakeShell =>
  new FakeShell(({ command }) => {
    if (command === "fail") throw new Error("a fault");
    return completed({ stdout: "ran\n" });
  });

/** Everything answered to `bytes`, cut where `sizes` says, by the end of input. Notifications of the server are left out. */
async function overStdio(bytes: Buffer, sizes: () => number): Promise<Answer[]> {
  const input = new PassThrough();
  const output = new PassThrough();
  let text = "";
  output.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const stop = new AbortController();
  const done = serveOverStdio(shell(), { version: "0", readOnly: false, log: () => undefined, input, output, stop: stop.signal });
  for (let at = 0; at < bytes.length; ) {
    const size = sizes();
    input.write(bytes.subarray(at, at + size));
    at += size;
    if (size < 40) await new Promise((resolve) => setImmediate(resolve));
  }
  input.end();
  await done;
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Answer & { method?: string })
    .filter(({ method }) => method === undefined);
}

function conversation(dice: Dice): readonly FuzzLine[] {
  let next = 0;
  const id = (): string | number => (next++ % 3 === 0 ? `id ${next}` : next);
  return [
    ...dice.some(1, LINES, () => fuzzLine(dice, id)),
    { bytes: Buffer.from('{"jsonrpc":"2.0","id":"last","method":"ping"}'), answer: "last" },
  ];
}

function expectAnswered(lines: readonly FuzzLine[], answers: readonly Answer[], what: string): void {
  const wanted = lines.flatMap(({ answer }) => (answer === undefined ? [] : [String(answer)])).sort();
  expect(answers.map(({ id }) => String(id)).sort(), what).toEqual(wanted);
  for (const { id, error } of answers) {
    if (id === null) expect([-32700, -32600], what).toContain(error?.code);
    // A fault of ours is -32603, and only the shell that fails on purpose makes one.
    if (error?.code === -32603) expect(error.message, what).not.toMatch(/TypeError|RangeError|undefined|stack/);
  }
  counts.lines += lines.length;
  counts.answered += answers.length;
  counts.errors += answers.filter(({ error }) => error !== undefined).length;
}

afterAll(() => {
  if (isLongRun) console.log(counts);
});

describe("stdio", () => {
  test("what once failed", async () => {
    for (const { note, lines, answered } of corpus<{ note: string; lines: readonly string[]; answered: readonly unknown[] }>("transport")) {
      const answers = await overStdio(Buffer.from(lines.join("\n")), () => 100_000);
      expect(
        answers.map(({ id }) => id),
        note,
      ).toEqual(answered);
    }
  });

  test(`${RUNS} conversations`, { timeout: 60_000 + RUNS * 10_000 }, async () => {
    for (let at = 0; at < RUNS; at++) {
      const dice = new Dice(`stdio ${at}`);
      const lines = conversation(dice);
      const bytes = Buffer.concat(lines.flatMap(({ bytes: line }) => [line, Buffer.from(dice.chance(80) ? "\n" : "\r\n")]));
      const most = dice.pick([7, 60, 1000, 100_000]);
      const sizes = bytes.length > 50_000 ? () => 1000 + dice.below(100_000) : () => 1 + dice.below(most);
      expectAnswered(lines, await overStdio(bytes, sizes), `conversation ${at}`);
    }
  });

  test("cut at every position", { timeout: 60_000 }, async () => {
    const dice = new Dice("every position");
    let next = 0;
    const lines = [
      ...dice.some(4, 4, () => fuzzLine(dice, () => ++next)).filter(({ bytes }) => bytes.length < 300),
      { bytes: Buffer.from('{"jsonrpc":"2.0","id":"é😀","method":"ping"}'), answer: "é😀" },
    ];
    const bytes = Buffer.concat(lines.flatMap(({ bytes: line }) => [line, Buffer.from("\n")]));
    for (let at = 1; at < bytes.length; at++) {
      let turn = 0;
      expectAnswered(lines, await overStdio(bytes, () => (turn++ === 0 ? at : bytes.length)), `cut at ${at}`);
    }
  });
});

describe("HTTP", () => {
  let serving: HttpServing;
  beforeAll(async () => {
    serving = await serveOverHttp(shell(), {
      version: "0",
      readOnly: false,
      log: () => undefined,
      host: "127.0.0.1",
      port: 0,
      gate: { hosts: [], origins: [] },
      authenticator: singleTokenAuthenticator(TOKEN, "fuzz"),
    });
  });
  afterAll(() => serving.close());

  test(`${RUNS * 4} bodies, in pieces`, { timeout: 60_000 + RUNS * 10_000 }, async () => {
    let next = 0;
    for (let at = 0; at < RUNS * 4; at++) {
      const dice = new Dice(`http ${at}`);
      const { bytes, answer } = fuzzLine(dice, () => ++next);
      const { status, body } = await post(bytes, dice);
      counts.httpRequests++;
      const what = `body ${at}: ${bytes.toString("latin1").slice(0, 300)}\n${status} ${body.slice(0, 300)}`;
      expect(status, what).toBeGreaterThanOrEqual(200);
      expect(status, what).toBeLessThan(500);
      const answers = messagesIn(body);
      if (typeof answer === "number") {
        expect(answers.filter(({ id }) => id === answer).length, what).toBe(1);
      } else {
        expect(
          answers.filter(({ id }) => id !== null),
          what,
        ).toEqual([]);
        if (answer === null) expect(status, what).toBeGreaterThanOrEqual(400);
      }
    }
    await expectService();
  });

  test(`${RUNS * 2} connections of bytes that are no HTTP, or half of it`, { timeout: 60_000 + RUNS * 10_000 }, async () => {
    for (let at = 0; at < RUNS * 2; at++) {
      const dice = new Dice(`bytes ${at}`);
      counts.httpBytes++;
      const answer = await send(Buffer.from(request(dice)), dice, 150);
      expect(answer === "" || /^HTTP\/1\.1 [1-4]\d\d /.test(answer), answer.slice(0, 300)).toBe(true);
    }
    await expectService();
  });

  async function expectService(): Promise<void> {
    const { status, body } = await post(Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping"}'), new Dice("service"));
    expect(status, body).toBe(200);
  }

  /** A request with a body, in pieces over a connection of its own. */
  async function post(body: Buffer, dice: Dice): Promise<{ status: number; body: string }> {
    const head = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nConnection: close\r\n`;
    const isChunked = dice.chance(30) && body.length > 0;
    const framed = isChunked
      ? Buffer.concat([
          Buffer.from(`${head}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n`),
          body,
          Buffer.from("\r\n0\r\n\r\n"),
        ])
      : Buffer.concat([Buffer.from(`${head}Content-Length: ${body.length}\r\n\r\n`), body]);
    const text = await send(framed, dice, 20_000);
    const [top = "", ...rest] = text.split("\r\n\r\n");
    return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(top)?.[1] ?? 0), body: rest.join("\r\n\r\n") };
  }

  /** Resolves with all that came back when the other side ends, or when `patienceMs` have passed. */
  function send(bytes: Buffer, dice: Dice, patienceMs: number): Promise<string> {
    const { hostname, port } = new URL(serving.url);
    return new Promise((resolve) => {
      const socket = connect(Number(port), hostname);
      let text = "";
      const end = (): void => {
        socket.destroy();
        resolve(text);
      };
      const timer = setTimeout(end, patienceMs);
      socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
      socket.on("error", () => undefined);
      socket.on("close", () => {
        clearTimeout(timer);
        resolve(text);
      });
      socket.on("connect", () => {
        const cut = dice.below(bytes.length + 1);
        socket.write(bytes.subarray(0, cut));
        setImmediate(() => socket.write(bytes.subarray(cut)));
      });
    });
  }
});

/** Messages of an answer that is JSON, or a stream of events. */
function messagesIn(body: string): Answer[] {
  const found: Answer[] = [];
  for (const [text] of body.matchAll(/\{"(?:jsonrpc|result|error|id)".*\}/g)) {
    try {
      found.push(JSON.parse(text) as Answer);
    } catch {
      // A chunk's length stands in it.
    }
  }
  return found.filter((answer) => !("method" in answer));
}

/** The start of a request, whole or not, right or not. */
function request(dice: Dice): string {
  const method = dice.pick([
    "GET",
    "POST",
    "DELETE",
    "PUT",
    "OPTIONS",
    "HEAD",
    "TRACE",
    "CONNECT",
    "get",
    "\u0000",
    "POST\t",
    "X".repeat(300),
  ]);
  const path = dice.pick([
    "/mcp",
    "/",
    "/healthz",
    "//mcp",
    "/mcp/../mcp",
    "/mcp?x=1",
    "http://evil/mcp",
    "*",
    "/%00",
    "/\\",
    "é",
    `/${"a".repeat(9000)}`,
  ]);
  const version = dice.pick(["HTTP/1.1", "HTTP/1.0", "HTTP/2.0", "HTTP/9", ""]);
  const headers = dice.some(0, 6, () =>
    dice.pick([
      "Host: localhost",
      "Host: evil.example",
      "Host:",
      `Authorization: Bearer ${TOKEN}`,
      "Authorization: Bearer",
      "Content-Length: -1",
      "Content-Length: 99999999999999999999",
      "Content-Length: 5\r\nContent-Length: 6",
      "Transfer-Encoding: chunked",
      "Transfer-Encoding: chunked\r\nContent-Length: 3",
      "Content-Type: application/json",
      "Accept: application/json, text/event-stream",
      "Mcp-Session-Id: \u0001",
      "Mcp-Session-Id: __proto__",
      "Mcp-Protocol-Version: 2026-07-28",
      "Origin: null",
      "Origin: http://localhost",
      "Upgrade: websocket\r\nConnection: Upgrade",
      "Expect: 100-continue",
      "X: é\u0080",
      ": x",
      "no colon",
      " folded",
      `X: ${"y".repeat(20_000)}`,
    ]),
  );
  return `${[`${method} ${path} ${version}`, ...headers].join(dice.chance(90) ? "\r\n" : "\n")}${dice.pick(["\r\n\r\n", "\r\n", "", "\r\n\r\n{}", "\r\n\r\nzz\r\n", "\r\n\r\n5\r\nabc"])}`;
}
