import { describe, expect, test } from "vitest";
import { readMessage } from "../../src/mcp/message-lines.ts";
import { spokenRevision } from "../../src/mcp/revisions.ts";

test.each([
  { name: "one we speak", asked: "2025-03-26", spoken: "2025-03-26" },
  { name: "a newer one", asked: "2099-01-01", spoken: "2025-11-25" },
  { name: "the stateless one, which has no handshake", asked: "2026-07-28", spoken: "2025-11-25" },
  { name: "one between two of ours", asked: "2025-05-05", spoken: "2025-03-26" },
  { name: "one older than all of ours", asked: "2024-10-07", spoken: "2024-11-05" },
  { name: "none", asked: undefined, spoken: "2025-11-25" },
  { name: "no date", asked: "latest", spoken: "2025-11-25" },
])("$name is answered with $spoken", ({ asked, spoken }) => {
  expect(spokenRevision(asked)).toBe(spoken);
});

describe("initialize", () => {
  const initialize = (params: object): ReturnType<typeof readMessage> =>
    readMessage(Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 7, method: "initialize", params })));
  const client = { capabilities: {}, clientInfo: { name: "t", version: "0" } };

  test("without a revision is one for our latest", () => {
    expect(initialize(client)).toMatchObject({ kind: "message", message: { params: { ...client, protocolVersion: "2025-11-25" } } });
  });

  test("that says too little is -32602", () => {
    expect(initialize({ protocolVersion: "2025-11-25" })).toMatchObject({ kind: "fault", id: 7, code: -32602 });
  });

  test("with an envelope is left to the stateless era, which knows no such method", () => {
    const params = { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } };
    expect(initialize(params)).toMatchObject({ kind: "message", message: { params } });
  });
});
