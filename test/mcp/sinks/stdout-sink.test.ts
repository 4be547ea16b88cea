/** Lines of the sink stdout: one for each record, whatever a repository brought. */
import { expect, test } from "vitest";
import type { ShippedLine } from "../../../src/audit/ship/shipped-line.ts";
import { StdoutSink } from "../../../src/mcp/sinks/stdout-sink.ts";

const line = (text: string): ShippedLine => ({
  ...{ stream: "s", workspace: "evil", log: "journal", sequence: 1, id: "1", kind: "repair", time: "" },
  text,
});

async function printed(text: string): Promise<string> {
  let out = "";
  const sink = new StdoutSink(async (lines) => {
    out += lines;
  });
  await sink.send([line(text)], new AbortController().signal);
  return out;
}

test("a record of ours is there as it is on disk", async () => {
  const text = '{"kind":"repair",  "ü":1}';
  expect(await printed(text)).toContain(`"record":${text}}\n`);
});

test.each(["\r", "\u0085", "\u2028", "\u2029", "\u000b", "\u000c", "\u001b"])("one with %j is a string in escapes", async (end) => {
  const text = `{"kind":"repair","x":[0${end},${end}{"shelpa":"audit","workspace":"good"}${end}${end}]}`;
  const out = await printed(text);
  expect(out.split(/[\r\n\u000b\u000c\u001c-\u001e\u0085\u2028\u2029]/)).toHaveLength(2);
  expect(JSON.parse(out)).toMatchObject({ workspace: "evil", raw: text });
});
