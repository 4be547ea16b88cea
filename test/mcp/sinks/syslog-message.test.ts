/** Messages of syslog: the form of RFC 5424, the frame of RFC 6587, and lines that are longer than a receiver takes. */
import { describe, expect, test } from "vitest";
import type { ShippedLine } from "../../../src/audit/ship/shipped-line.ts";
import { MOST_MESSAGE_BYTES, syslogFrames } from "../../../src/mcp/sinks/syslog-message.ts";

const LINE: ShippedLine = {
  ...{ stream: "s-1", workspace: "w", log: "journal", sequence: 7, id: "1795", kind: "intent" },
  ...{ time: "2026-02-25T13:17:30.123Z", text: '{"a":1}' },
};
const framesOf = (line: Partial<ShippedLine>): readonly string[] =>
  syslogFrames({ ...LINE, ...line }, "host").map((frame) => frame.toString());

test.each<readonly [string, Partial<ShippedLine>, string]>([
  [
    "a record",
    {},
    '150 <110>1 2026-02-25T13:17:30.123Z host shelpa-mcp - journal [shelpa@32473 stream="s-1" workspace="w" log="journal" seq="7" id="1795" kind="intent"] {"a":1}',
  ],
  [
    "a call has no id",
    { log: "calls", kind: "call", id: "" },
    '135 <110>1 2026-02-25T13:17:30.123Z host shelpa-mcp - calls [shelpa@32473 stream="s-1" workspace="w" log="calls" seq="7" kind="call"] {"a":1}',
  ],
  [
    "a notice warns, and may have no time",
    { log: "notices", kind: "chain-broken", time: "" },
    '133 <108>1 - host shelpa-mcp - notices [shelpa@32473 stream="s-1" workspace="w" log="notices" seq="7" id="1795" kind="chain-broken"] {"a":1}',
  ],
  [
    "an anchor does not warn; what would end a value is escaped; a length is of bytes",
    { log: "notices", kind: 'a"\\]', id: "", time: "", text: "é" },
    '114 <108>1 - host shelpa-mcp - notices [shelpa@32473 stream="s-1" workspace="w" log="notices" seq="7" kind="a\\"\\\\\\]"] é',
  ],
])("%s", (_, line, expected) => {
  const [, rest = ""] = /^\d+ (.*)$/s.exec(expected) ?? [];
  expect(framesOf(line)).toEqual([`${Buffer.byteLength(rest)} ${rest}`]);
});

describe("a long line is cut into parts", () => {
  const text = JSON.stringify({ command: "é€😀".repeat(5000) });
  const frames = syslogFrames({ ...LINE, text }, "host");
  const messages = frames.map((frame) => {
    const [, bytes = "", message = ""] = /^(\d+) (.*)$/s.exec(frame.toString()) ?? [];
    expect(Buffer.byteLength(message)).toBe(Number(bytes));
    return message;
  });
  test("none longer than receivers take", () => {
    expect(messages.filter((message) => Buffer.byteLength(message) > MOST_MESSAGE_BYTES)).toEqual([]);
    expect(messages.every((message) => !message.includes("\ufffd"))).toBe(true);
  });
  test("numbered, and together the line", () => {
    const parts = messages.map((message) => /part="(\d+)\/(\d+)"\] (.*)$/s.exec(message)?.slice(1) ?? []);
    expect(parts.map(([number, count]) => `${number}/${count}`)).toEqual(messages.map((_, index) => `${index + 1}/${messages.length}`));
    expect(parts.map(([, , part]) => part).join("")).toBe(text);
  });
});
