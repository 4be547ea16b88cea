import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LineSplitter, readMessage, type ReceivedLine, wireText } from "../../src/mcp/message-lines.ts";
import { ownMs } from "../own-time.ts";

describe("lines", () => {
  const split = (chunks: readonly Buffer[], maxLineBytes = 100): string[] => {
    const splitter = new LineSplitter(maxLineBytes);
    const shown = (line: ReceivedLine): string => ("tooLong" in line ? "<too long>" : line.toString("utf8"));
    return [...chunks.flatMap((chunk) => [...splitter.push(chunk)]), ...splitter.end()].map(shown);
  };

  test.each([
    { name: "several in a chunk", chunks: ["a\nb\nc\n"], lines: ["a", "b", "c"] },
    { name: "one over several chunks", chunks: ["a", "b", "c\n"], lines: ["abc"] },
    { name: "the last one may lack its newline", chunks: ["a\nb"], lines: ["a", "b"] },
    { name: "an empty one", chunks: ["\n\na\n"], lines: ["", "", "a"] },
    { name: "one at the limit", chunks: ["x".repeat(100), "\ny\n"], lines: ["x".repeat(100), "y"] },
    { name: "one past the limit is skipped to its end", chunks: ["x".repeat(60), "x".repeat(60), "xx\ny\n"], lines: ["<too long>", "y"] },
    { name: "one past the limit without an end", chunks: ["y\n", "x".repeat(101)], lines: ["y", "<too long>"] },
    {
      name: "an over-long one just before another",
      chunks: [`${"x".repeat(101)}\ny\n${"x".repeat(200)}\nz`],
      lines: ["<too long>", "y", "<too long>", "z"],
    },
  ])("$name", ({ chunks, lines }) => {
    expect(split(chunks.map((chunk) => Buffer.from(chunk)))).toEqual(lines);
  });

  test("do not depend on where the chunks end", () => {
    const line = fc.string({ unit: "binary", maxLength: 60 }).map((text) => text.replaceAll("\n", ""));
    fc.assert(
      fc.property(fc.array(line, { minLength: 1 }), fc.array(fc.nat(40), { minLength: 1 }), (lines, sizes) => {
        const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(""));
        const chunks: Buffer[] = [];
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = (sizes[turn % sizes.length] as number) + 1;
          chunks.push(bytes.subarray(at, at + size));
          at += size;
        }
        const expected = lines.map((text) => (Buffer.byteLength(text) > 100 ? "<too long>" : Buffer.from(text).toString("utf8")));
        expect(split(chunks)).toEqual(expected);
      }),
    );
  });
});

describe("a line as a message", () => {
  test.each([
    { name: "a request", line: '{"jsonrpc":"2.0","id":1,"method":"ping"}' },
    { name: "a request with a string id", line: '{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"x"}}' },
    { name: "a notification", line: '{"jsonrpc":"2.0","method":"notifications/initialized"}' },
    { name: "a response", line: '{"jsonrpc":"2.0","id":1,"result":{}}' },
    { name: "an error response", line: '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}' },
    { name: "CR LF", line: '{"jsonrpc":"2.0","id":1,"method":"ping"}\r' },
    { name: "a byte order mark, as PowerShell writes", line: '\uFEFF{"jsonrpc":"2.0","id":1,"method":"ping"}' },
    { name: "an unknown method is the server's affair", line: '{"jsonrpc":"2.0","id":1,"method":"nope"}' },
  ])("$name", ({ line }) => {
    expect(readMessage(Buffer.from(line))).toEqual({ kind: "message", message: JSON.parse(line.replace("\uFEFF", "")) });
  });

  test.each(["", "  ", "\r", "\t"])("%j is blank", (line) => {
    expect(readMessage(Buffer.from(line))).toEqual({ kind: "blank" });
  });

  test.each([
    { name: "no JSON", line: "hello", code: -32700, id: null },
    { name: "half an object", line: '{"jsonrpc":"2.0","id":1', code: -32700, id: null },
    { name: "two messages on a line", line: '{"jsonrpc":"2.0","id":1,"method":"ping"}{}', code: -32700, id: null },
    { name: "deep JSON that never closes", line: "[".repeat(5000), code: -32700, id: null },
    { name: "a batch", line: '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', code: -32600, id: null },
    { name: "an empty batch", line: "[]", code: -32600, id: null },
    { name: "a number", line: "1", code: -32600, id: null },
    { name: "null", line: "null", code: -32600, id: null },
    { name: "a null id", line: '{"jsonrpc":"2.0","id":null,"method":"ping"}', code: -32600, id: null },
    { name: "a fractional id", line: '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', code: -32600, id: null },
    { name: "an object as id", line: '{"jsonrpc":"2.0","id":{},"method":"ping"}', code: -32600, id: null },
    { name: "another protocol version", line: '{"jsonrpc":"1.0","id":7,"method":"ping"}', code: -32600, id: 7 },
    { name: "no version", line: '{"id":7,"method":"ping"}', code: -32600, id: 7 },
    { name: "no method", line: '{"jsonrpc":"2.0","id":7}', code: -32600, id: 7 },
    { name: "a method that is no string", line: '{"jsonrpc":"2.0","id":"x","method":1}', code: -32600, id: "x" },
    { name: "params by position", line: '{"jsonrpc":"2.0","id":7,"method":"ping","params":[1]}', code: -32600, id: 7 },
    {
      name: "a bad progress token",
      line: '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"_meta":{"progressToken":{}}}}',
      code: -32600,
      id: 7,
    },
  ])("$name is answered with $code", ({ line, code, id }) => {
    expect(readMessage(Buffer.from(line))).toMatchObject({ kind: "fault", code, id });
  });

  test("bytes that are not UTF-8 are refused, not replaced", () => {
    expect(readMessage(Buffer.from('{"jsonrpc":"2.0","id":1,"method":"\xff"}', "latin1"))).toMatchObject({ kind: "fault", code: -32700 });
  });

  test("deep JSON that closes is a message like any other", () => {
    const depth = 9000;
    const line = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":{"command":${"[".repeat(depth)}${"]".repeat(depth)}}}}`;
    expect(readMessage(Buffer.from(line)).kind).toBe("message");
  });
});

describe("a message of more members than are parsed", () => {
  const keys = (count: number): string => Array.from({ length: count }, (_, key) => `"k${key}":0`).join();
  const call = (args: string, id: string): Buffer =>
    Buffer.from(`{"jsonrpc":"2.0",${id}"method":"tools/call","params":{"name":"shelpa_pipe","arguments":{"command":"ls",${args}}}}`);

  test.each<[string, Buffer, string | number | null]>([
    ["of keys", call(keys(400_000), '"id":7,'), 7],
    ["with its id behind them", Buffer.from(`{"params":{${keys(20_000)}},"method":"x","id" : "a\\"b" }`), 'a"b'],
    ["with a name that is escaped", call(keys(20_000), '"\\u0069d":7,'), 7],
    ["with an id inside of them", call(`"id":9,${keys(20_000)}`, ""), null],
    ["of brackets", Buffer.from("[".repeat(4 << 20)), null],
    ["of numbers", call(`"x":[${"0,".repeat(1 << 20)}0]`, '"id":3,'), 3],
  ])("%s is refused by its id, soon", (_, line, id) => {
    const startedMs = ownMs();
    expect(readMessage(line)).toMatchObject({ kind: "fault", id, code: -32600 });
    expect(ownMs() - startedMs).toBeLessThan(500);
  });

  test.each([
    ["quotes", '\\"'.repeat(1 << 20)],
    ["backslashes", "\\\\".repeat(1 << 20)],
    ["commas and brackets", "[,{".repeat(1 << 20)],
  ])("a text of %s is one member", (_, text) => {
    const read = readMessage(call(`"stdin":"${text}"`, '"id":1,'));
    expect(read.kind).toBe("message");
  });
});

test.each([
  [{ error: { message: "unknown tool 'a\ud83d'" } }, '{"error":{"message":"unknown tool \'a\ufffd\'"}}'],
  [{ text: "a\ud83d\ude00 \\ud83d" }, '{"text":"a\ud83d\ude00 \\\\ud83d"}'],
])("no half character is written: %j", (message, text) => {
  expect(wireText(message)).toBe(text);
  expect(JSON.parse(wireText(message))).toEqual(JSON.parse(text));
});
