import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LineSplitter, tooLongMessage } from "../../src/mcp/message-lines.ts";
import { RequestIdScan, requestId } from "../../src/mcp/request-id.ts";
import { ownMs } from "../own-time.ts";

describe("the id of a request that is not parsed", () => {
  test.each<[string, string, string | number | null]>([
    ["before the rest", '{"id":7,"method":"x","params":{}}', 7],
    ["behind the rest", '{"method":"x","params":{"id":1,"a":[{"id":2}]},"id":7}', 7],
    ["behind spaces and a byte order mark", '\uFEFF \t{ "id" : 7 , "method":"x"}\r', 7],
    ["of text with escapes", String.raw`{"method":"x","id":"a\"b\\\u00e4,{}"}`, 'a"b\\ä,{}'],
    ["of text that is not ASCII", '{"id":"ä€😀","method":"x"}', "ä€😀"],
    ["with its name escaped", String.raw`{"\u0069d":7,"method":"x"}`, 7],
    ["below zero", '{"id":-7,"method":"x"}', -7],
    ["of as many bytes as are kept", `{"id":"${"x".repeat(1022)}","method":"x"}`, "x".repeat(1022)],
    ["of more bytes", `{"id":"${"x".repeat(1023)}","method":"x"}`, null],
    ["given twice: the last one, as JSON.parse has it", '{"id":1,"id":2,"method":"x"}', 2],
    ["given again as an object", '{"id":1,"id":{"id":3},"method":"x"}', null],
    ["null", '{"id":null,"method":"x"}', null],
    ["with a fraction", '{"id":1.5,"method":"x"}', null],
    ["true", '{"id":true,"method":"x"}', null],
    ["in a text", String.raw`{"method":"x","params":{"a":"\",\"id\":7"},"b":"\\\",\"id\":8,"}`, null],
    ["as a value", '{"method":"id","params":7}', null],
    ["of a nested object alone", '{"method":"x","params":{"id":7}}', null],
    ["of an answer, which is one of ours", '{"id":7,"result":{"method":"x"}}', null],
    ["of an answer that is an error", '{"id":7,"error":{}}', null],
    ["of a batch", '[{"id":7,"method":"x"}]', null],
    ["of what is no JSON", 'x{"id":7,"method":"x"}', null],
    ["that is cut off", '{"method":"x","id":12', null],
    ["of a second message on the line", '{"method":"x"}{"id":7,"method":"x"}', null],
    ["none", '{"method":"x"}', null],
  ])("%s", (_, line, id) => {
    expect(requestId(Buffer.from(line))).toBe(id);
    const scan = new RequestIdScan();
    for (const byte of Buffer.from(line)) scan.push(Buffer.of(byte));
    expect(scan.id).toBe(id);
  });

  test("of text whose bytes are no UTF-8 is none", () => {
    expect(requestId(Buffer.from('{"id":"\xff","method":"x"}', "latin1"))).toBe(null);
  });

  test("is what JSON.parse finds, wherever the chunks end", () => {
    const id = fc.oneof(fc.integer(), fc.string({ unit: "binary", maxLength: 20 }));
    const members = fc.dictionary(
      fc.string({ maxLength: 5 }).filter((name) => !["id", "method", "result", "error", "__proto__"].includes(name)),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(id, members, members, fc.integer({ min: 1, max: 50 }), (given, before, after, size) => {
        const line = Buffer.from(JSON.stringify({ ...before, id: given, method: "x", ...after }));
        const scan = new RequestIdScan();
        for (let at = 0; at < line.length; at += size) scan.push(line.subarray(at, at + size));
        expect(scan.id).toBe(given);
      }),
    );
  });

  test.each([
    ["text", '"'.padEnd(8 << 20, "x")],
    ["escapes", `"${'\\"'.repeat(4 << 20)}`],
    ["brackets", "[".repeat(8 << 20)],
    ["members", '"a":0,'.repeat(1 << 20)],
  ])("is looked for in 8 MiB of %s soon", (_, text) => {
    const line = Buffer.from(`{"id":7,"method":"x",${text}`);
    const startedMs = ownMs();
    expect(requestId(line)).toBe(7);
    expect(ownMs() - startedMs).toBeLessThan(2000);
  });
});

test.each([1, 60, 1000])("a line that is passed over in chunks of %d bytes is answered by its id", (size) => {
  const line = Buffer.from(`{"jsonrpc":"2.0","params":{"a":"${"x".repeat(300)}"},"method":"x","id":"a"}\n{"id":1}\n`);
  const lines = new LineSplitter(100);
  const received = Array.from({ length: Math.ceil(line.length / size) }, (_, index) =>
    line.subarray(index * size, (index + 1) * size),
  ).flatMap((chunk) => [...lines.push(chunk)]);
  expect(received).toEqual([{ tooLong: true, id: "a" }, Buffer.from('{"id":1}')]);
  expect(tooLongMessage({ tooLong: true, id: "a" }, 100)).toMatchObject({ kind: "fault", id: "a", code: -32600 });
});
