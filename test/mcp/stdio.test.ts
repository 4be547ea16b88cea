import { PassThrough, Writable } from "node:stream";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { serveOverStdio, type ServeOptions } from "../../src/mcp/serve-stdio.ts";
import { StdioTransport } from "../../src/mcp/stdio.ts";
import { completed, FakeShell, untilAborted, type Responder } from "./fake-shell.ts";

const request = (id: unknown, method = "ping", params?: object): string => JSON.stringify({ jsonrpc: "2.0", id, method, params });
const call = (id: unknown, command: unknown): string => request(id, "tools/call", { name: "shelpa_pipe", arguments: { command } });

interface Session {
  readonly input: PassThrough;
  readonly written: () => Record<string, unknown>[];
  readonly stop: AbortController;
  readonly done: Promise<void>;
  readonly log: string[];
}

function session(respond?: Responder, output: Writable = new PassThrough()): Session {
  const input = new PassThrough();
  let text = "";
  output.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const stop = new AbortController();
  const log: string[] = [];
  const options: ServeOptions = { version: "0", readOnly: false, log: (line) => log.push(line), input, output, stop: stop.signal };
  const done = serveOverStdio(new FakeShell(respond), options);
  const written = (): Record<string, unknown>[] =>
    text
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { input, written, stop, done, log };
}

/** Everything that is answered to `bytes`, by the end of input. */
async function answersTo(bytes: string | readonly Buffer[], respond?: Responder): Promise<Record<string, unknown>[]> {
  const { input, written, done } = session(respond);
  for (const chunk of typeof bytes === "string" ? [Buffer.from(bytes)] : bytes) input.write(chunk);
  input.end();
  await done;
  return written();
}

const ids = (answers: readonly Record<string, unknown>[]): unknown[] => answers.map(({ id }) => id);
const later = <T>(value: T, ms = 30): Promise<T> => new Promise((resolve) => setTimeout(resolve, ms, value));

describe("one call without a handshake", () => {
  test("is answered on one line", async () => {
    const [answer, ...others] = await answersTo(`${call(1, "ls")}\n`);
    expect(others).toEqual([]);
    expect(answer).toMatchObject({ jsonrpc: "2.0", id: 1, result: { content: [{ type: "text", text: "ran ls\n" }] } });
  });

  test.each(['"__proto__":{"x":1},"command":"ls"', '"command":"ls","__proto__":null'])(
    "with __proto__ among its arguments is told so: {%s}",
    async (given) => {
      const [answer] = await answersTo(
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"shelpa_pipe","arguments":{${given}}}}\n`,
      );
      expect(answer).toMatchObject({
        result: {
          isError: true,
          _meta: {
            "shelpa/error": { code: "USAGE", detail: expect.stringMatching(/^unknown argument .__proto__.: there are command, /) },
          },
        },
      });
    },
  );

  test("needs no newline at the end", async () => {
    expect(ids(await answersTo(call(1, "ls")))).toEqual([1]);
  });

  test("that is still running at the end of input is answered before the server is done", async () => {
    const answers = await answersTo(`${call(1, "slow")}\n${call(2, "fast")}\n`, ({ command }) =>
      command === "slow" ? later(completed({ stdout: "late\n" })) : completed({ stdout: "soon\n" }),
    );
    expect(ids(answers)).toEqual([2, 1]);
  });
});

describe("input that is not a message", () => {
  test.each([
    { name: "bad JSON", line: "{oops", code: -32700 },
    { name: "a batch", line: `[${request(5)}]`, code: -32600 },
    { name: "a null id", line: request(null), code: -32600 },
    { name: "a line past 8 MiB", line: "x".repeat((8 << 20) + 1), code: -32600 },
    { name: "not UTF-8", line: Buffer.from([0x7b, 0xff, 0x7d]), code: -32700 },
  ])("$name is answered with id null, and the server goes on", async ({ line, code }) => {
    const newline = Buffer.from("\n");
    const answers = await answersTo([Buffer.from(`${request(1)}\n`), Buffer.from(line as string), newline, Buffer.from(`${request(2)}\n`)]);
    expect(answers).toContainEqual({ jsonrpc: "2.0", id: null, error: { code, message: expect.any(String) } });
    expect(ids(answers).toSorted()).toEqual([1, 2, null]);
  });

  test.each([
    { name: "before its text", line: (text: string) => call(7, text) },
    { name: "behind its text", line: (text: string) => `{"method":"tools/call","params":{"stdin":"${text}"},"id":7}` },
  ])("a request past 8 MiB with its id $name is answered by it, and says what to do", async ({ line }) => {
    const answers = await answersTo(`${line("x".repeat(8 << 20))}\n${request(2)}\n`);
    expect(answers).toContainEqual({
      jsonrpc: "2.0",
      id: 7,
      error: { code: -32600, message: expect.stringMatching(/^Invalid Request: the line is longer than 8388608 bytes, .*`tee -a FILE`$/) },
    });
    expect(ids(answers)).toEqual([7, 2]);
  });

  test("as the last thing is answered before the end", async () => {
    expect(await answersTo("nope")).toMatchObject([{ id: null, error: { code: -32700 } }]);
  });

  test("blank lines and nothing at all are answered with nothing", async () => {
    expect(await answersTo("\n\r\n  \n")).toEqual([]);
    expect(await answersTo("")).toEqual([]);
  });

  test("a command that is 9,000 brackets deep is refused, and one of 100,000 as a message", async () => {
    const deep = (levels: number): string =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"shelpa_pipe","arguments":{"command":${"[".repeat(levels)}${"]".repeat(levels)}}}}`;
    expect(await answersTo(deep(9_000))).toMatchObject([{ id: 1, result: { isError: true } }]);
    expect(await answersTo(deep(100_000))).toMatchObject([{ id: 1, error: { code: -32600 } }]);
  });
});

test("chunks may end anywhere, in the middle of a character too", async () => {
  const bytes = Buffer.from([1, 2, 3, 4, 5].map((id) => `${call(id, `printf 'ä€😀${id}'`)}\r\n`).join(""));
  for (let size = 1; size < 60; size += 7) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size));
    const answers = await answersTo(chunks);
    const texts = answers.map((answer) => (answer["result"] as { content: [{ text: string }] }).content[0].text);
    expect(texts).toEqual([1, 2, 3, 4, 5].map((id) => `ran printf 'ä€😀${id}'\n`));
  }
});

test("whatever comes between, in whatever chunks: each request is answered once, each bad line once", async () => {
  const good = fc.constantFrom("ls", "cat 'ü'", "fail").map((command) => ({ kind: "call", command }) as const);
  const bad = fc
    .constantFrom("{", "[]", "null", '{"jsonrpc":"2.0"}', `[${request(1)}]`, request(null), "\u0000", "{}".repeat(50))
    .map((line) => ({ kind: "bad", line }) as const);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(good, bad), { maxLength: 12 }),
      fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1 }),
      async (items, sizes) => {
        const lines = items.map((item, index) => (item.kind === "call" ? call(index + 1, item.command) : item.line));
        const bytes = Buffer.from(lines.join("\n"));
        const chunks: Buffer[] = [];
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = sizes[turn % sizes.length] as number;
          chunks.push(bytes.subarray(at, at + size));
          at += size;
        }
        const answers = await answersTo(chunks, ({ command }) => {
          if (command === "fail") throw new Error("a fault");
          return completed({});
        });
        const expected = items.map((item, index) => (item.kind === "call" ? index + 1 : null));
        expect(ids(answers).toSorted()).toEqual(expected.toSorted());
      },
    ),
    { numRuns: 60 },
  );
});

test("an id used twice at once is answered twice", async () => {
  expect(ids(await answersTo(`${call(1, "a")}\n${call(1, "b")}\n`, () => later(completed({}))))).toEqual([1, 1]);
});

describe("cancelling", () => {
  test("aborts the call, and the call is not answered nor waited for", async () => {
    let isAborted = false;
    const cancel = JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
    const answers = await answersTo(`${call(1, "slow")}\n${cancel}\n${call(2, "ls")}\n`, ({ command }, signal) => {
      if (command !== "slow") return completed({});
      signal.addEventListener("abort", () => (isAborted = true));
      return untilAborted(signal, completed({}));
    });
    expect(ids(answers)).toEqual([2]);
    expect(isAborted).toBe(true);
  });
});

test("a cancellation is read while hundreds of requests before it go on", async () => {
  const calls = Array.from({ length: 600 }, (_, index) => call(index + 1, "slow")).join("\n");
  const cancels = Array.from({ length: 600 }, (_, index) =>
    JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: index + 1 } }),
  ).join("\n");
  // Without the cancellations none of them would ever end.
  expect(await answersTo(`${calls}\n${cancels}\n`, (_, signal) => untilAborted(signal, completed({})))).toEqual([]);
});

test("requests of more bytes than may be in flight pause the input until some are answered", async () => {
  const input = new PassThrough();
  const transport = new StdioTransport(input, new PassThrough().resume(), { maxInFlightBytes: 250 });
  const received: unknown[] = [];
  transport.onmessage = (message) => received.push(message);
  await transport.start();
  for (let id = 1; id <= 5; id++) {
    input.write(`${request(id, "ping", { padding: "x".repeat(60) })}\n`);
    await later(undefined, 1);
  }
  expect(received).toHaveLength(3);
  for (let id = 1; id <= 5; id++) {
    await transport.send({ jsonrpc: "2.0", id, result: {} });
    await later(undefined, 1);
  }
  expect(received).toHaveLength(5);
  input.end();
  await transport.finished;
});

describe("stopping", () => {
  test("answers what is in flight and takes nothing more", async () => {
    const { input, written, stop, done } = session(() => later(completed({})));
    input.write(`${call(1, "slow")}\n`);
    await later(undefined, 5);
    stop.abort();
    input.write(`${call(2, "late")}\n`);
    await done;
    expect(ids(written())).toEqual([1]);
  });

  test("ends what takes longer than two seconds", async () => {
    let isAborted = false;
    const { input, stop, done } = session((_, signal) => {
      signal.addEventListener("abort", () => (isAborted = true));
      return untilAborted(signal, completed({}));
    });
    input.write(`${call(1, "slow")}\n`);
    await later(undefined, 5);
    const startMs = performance.now();
    stop.abort();
    await done;
    expect(isAborted).toBe(true);
    expect(performance.now() - startMs).toBeGreaterThan(1900);
  });
});

describe("the output", () => {
  test("that nobody reads any more ends the server and the calls in flight", async () => {
    const broken = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error("write EPIPE"), { code: "EPIPE" })),
    });
    let isAborted = false;
    const { input, done } = session((_, signal) => {
      signal.addEventListener("abort", () => (isAborted = true));
      return untilAborted(signal, completed({}));
    }, broken);
    input.write(`${call(1, "slow")}\n${request(2)}\n`);
    await done;
    await later(undefined, 5);
    expect(isAborted).toBe(true);
  });

  test("that is full pauses the input", async () => {
    const pending: (() => void)[] = [];
    const stuck = new Writable({ highWaterMark: 1, write: (_chunk, _encoding, done) => void pending.push(done) });
    const input = new PassThrough();
    const transport = new StdioTransport(input, stuck, { maxInFlight: 3 });
    const received: unknown[] = [];
    transport.onmessage = (message) => received.push(message);
    await transport.start();
    for (let id = 1; id <= 9; id++) {
      input.write(`${request(id)}\n`);
      await later(undefined, 1);
    }
    expect(received).toHaveLength(3);
    for (let id = 1; id <= 9; id++) {
      void transport.send({ jsonrpc: "2.0", id, result: {} });
      await later(undefined, 1);
      pending.shift()?.();
      await later(undefined, 1);
    }
    expect(received).toHaveLength(9);
    input.end();
    await transport.finished;
  });
});

const _meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "t", version: "0" },
};

describe("the protocol eras", () => {
  test("a request with an envelope is served in 2026-07-28, with no exchange before it", async () => {
    const line = request(1, "tools/call", { _meta, name: "shelpa_pipe", arguments: { command: "ls" } });
    expect(await answersTo(line)).toMatchObject([
      {
        id: 1,
        result: {
          resultType: "complete",
          content: [{ text: "ran ls\n" }],
          _meta: { exit_code: 0, "io.modelcontextprotocol/serverInfo": { name: "shelpa-mcp" } },
        },
      },
    ]);
  });

  test("server/discover tells the revisions and what the server is for", async () => {
    expect(await answersTo(request(1, "server/discover", { _meta }))).toMatchObject([
      {
        result: {
          supportedVersions: ["2026-07-28"],
          capabilities: { tools: {}, resources: {} },
          instructions: expect.stringContaining("shelpa_pipe"),
          ttlMs: 3_600_000,
        },
      },
    ]);
  });

  test("a revision nobody knows is answered with those that are", async () => {
    const unknown = { ..._meta, "io.modelcontextprotocol/protocolVersion": "2099-01-01" };
    expect(await answersTo(request(1, "server/discover", { _meta: unknown }))).toMatchObject([
      { error: { data: { supported: ["2026-07-28"], requested: "2099-01-01" } } },
    ]);
  });

  test("a client that probes and then shakes hands the older way is served", async () => {
    const initialize = request(2, "initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "t", version: "0" },
    });
    const answers = await answersTo(`${request(1, "server/discover", { _meta })}\n${initialize}\n${request(3)}\n${call(4, "ls")}\n`);
    expect(answers).toMatchObject([
      { id: 1 },
      { id: 2, result: { protocolVersion: "2025-06-18" } },
      { id: 3, result: {} },
      { id: 4, result: { content: [{ text: "ran ls\n" }] } },
    ]);
  });

  test("a method nobody knows is -32601", async () => {
    expect(await answersTo(request(1, "tools/explode"))).toMatchObject([{ id: 1, error: { code: -32601 } }]);
  });
});

test("a subscription that stays open does not hold up the end", async () => {
  const answers = await answersTo(`${request(1, "subscriptions/listen", { _meta, notifications: {} })}\n`);
  expect(answers).toMatchObject([{ method: "notifications/subscriptions/acknowledged" }]);
});
