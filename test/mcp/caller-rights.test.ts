/** Rights of named callers over HTTP: who may only read writes nothing by any line, and who may not approve is not asked. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { NamedCaller } from "../../src/config/server/callers.ts";
import type { Right } from "../../src/config/server/rights.ts";
import { DEFAULT_POLICY, type Policy } from "../../src/config/policy.ts";
import { Approvals } from "../../src/mcp/approval.ts";
import type { Authenticator } from "../../src/mcp/http/authenticator.ts";
import { openAuthenticator } from "../../src/mcp/http/open-authenticator.ts";
import { serveOverHttp, type HttpServing } from "../../src/mcp/http/serve-http.ts";
import { createShellService } from "../../src/mcp/service.ts";
import type { ShellService } from "../../src/mcp/shell-service.ts";
import { tree, type Tree } from "../tree.ts";

const caller = (name: string, rights: readonly Right[]): NamedCaller => ({
  name,
  tokenSha256: createHash("sha256").update(tokenOf(name)).digest("hex"),
  tokenFile: undefined,
  expiresMs: undefined,
  rights,
  rightsIn: undefined,
  workspaces: ["*"],
});
const tokenOf = (name: string): string => `the-token-of-${name}`;
const CALLERS = [caller("reader", ["read"]), caller("ci", ["read", "write"]), caller("ann", ["read", "write", "approve"])];

let place: Tree;
let service: ShellService;
let serving: HttpServing;
const clients: Client[] = [];
beforeEach(() => {
  place = tree(["f: old\n", "d/g: x\n", ".envrc: a\n"]);
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  await serving.close();
  await service.close();
  place.remove();
});

interface Server {
  readonly policy?: Policy;
  readonly split?: boolean;
  /** Default: of CALLERS. */
  readonly authenticator?: Authenticator;
  readonly isolation?: "none" | "process";
  readonly writesRefusedBecause?: () => string | undefined;
}

async function serve({
  policy = DEFAULT_POLICY,
  split = false,
  isolation = "none",
  authenticator: given,
  ...more
}: Server = {}): Promise<void> {
  service = await createShellService({ root: place.path, policy, aliases: [], isolation });
  const opened = await openAuthenticator({ callers: CALLERS, oauth: undefined }, { nowMs: Date.now, log: () => {} });
  serving = await serveOverHttp(service, {
    version: "0",
    readOnly: policy.readOnly,
    recordsRedirects: policy.redirects === "record",
    split,
    approvals: new Approvals({ asks: true, challenge: false }),
    ...more,
    log: () => {},
    host: "127.0.0.1",
    port: 0,
    gate: { hosts: [], origins: [] },
    authenticator: given ?? opened.authenticator,
  });
}

type Era = "legacy" | { pin: string };
const ERAS: readonly { era: Era; name: string }[] = [
  { era: "legacy", name: "in a session" },
  { era: { pin: "2026-07-28" }, name: "without one" },
];

interface Human {
  /** Number of times that one was asked. */
  asked: number;
}

async function connect(name: string, era: Era, human: Human = { asked: 0 }): Promise<Client> {
  const client = new Client(
    { name: "test", version: "1" },
    { versionNegotiation: { mode: era }, capabilities: { elicitation: { form: {} } } },
  );
  client.setRequestHandler("elicitation/create", () => {
    human.asked++;
    return { action: "accept" as const, content: { approve: true } };
  });
  const requestInit = { headers: { Authorization: `Bearer ${tokenOf(name)}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(serving.url), { requestInit }));
  clients.push(client);
  return client;
}

async function called(
  client: Client,
  command: string,
  more: object = {},
  tool = "shelpa_pipe",
): Promise<{ text: string; isError: boolean }> {
  const { content, isError = false } = (await client.callTool({ name: tool, arguments: { command, ...more } })) as {
    content: readonly { text: string }[];
    isError?: boolean;
  };
  return { text: content.map(({ text }) => text).join("\n"), isError };
}

/** As far as a line of the tests writes there. */
const files = (): unknown => [
  readdirSync(place.path)
    .filter((name) => name !== ".shelpa")
    .toSorted(),
  contentOf("f"),
  contentOf("d/g"),
];
const contentOf = (name: string): string | undefined =>
  existsSync(`${place.path}/${name}`) ? readFileSync(`${place.path}/${name}`, "utf8") : undefined;
const UNTOUCHED = [[".envrc", "d", "f"], "old\n", "x\n"];
/** Said of a line, or of a part that it would run. */
const ONLY_READS = "the caller 'reader' may only read";

/** One caller that has two tokens: "full", and "less", which may not approve. */
const SAME_CALLER: Authenticator = {
  authenticate: async ({ authorization }) => ({
    name: "agent",
    subject: "alice",
    rights: new Set<Right>(authorization === `Bearer ${tokenOf("full")}` ? ["read", "write", "approve"] : ["read", "write"]),
    mayEnter: () => true,
  }),
};

describe("who may only read", () => {
  const WRITES: readonly string[] = [
    "echo x | tee f",
    "echo x | tee -a f",
    "echo x | tee new",
    "echo x > f",
    "echo x >> f",
    "ls > new",
    "ls 2> new",
    "sed -i s/old/new/ f",
    "sed 's/old/new/w new' f",
    "awk '{ print > \"new\" }' f",
    "ls | sort -o f",
    "cp f new",
    "mv f new",
    "rm f",
    "rm -r d",
    "mkdir new",
    "touch new",
    "find . -name g -delete",
    "find . -name g -exec rm {} +",
    "echo new | xargs touch",
    "ls | xargs -I{} tee {}",
    "sh -c 'echo x | tee f'",
    "cd d && rm g",
    "true && echo x | tee f",
    "for x in a b; do echo $x | tee f; done",
    "x=f; echo x | tee $x",
    "w() { tee f; }; echo x | w",
    "echo x | tee /tmp/a f",
  ];
  for (const { policy, name } of [
    { name: "as usual", policy: DEFAULT_POLICY },
    { name: "where redirections are recorded", policy: { ...DEFAULT_POLICY, redirects: "record" as const } },
  ]) {
    test(`${name}: no line writes a file of the workspace`, async () => {
      await serve({ policy });
      const client = await connect("reader", { pin: "2026-07-28" });
      for (const line of WRITES) {
        const { isError } = await called(client, line, { confirm_oversize: true });
        expect({ line, isError, files: files() }).toEqual({ line, isError: true, files: UNTOUCHED });
      }
    });
  }

  test("each of these lines writes where its caller may", async () => {
    const kept: string[] = [];
    await serve({ policy: { ...DEFAULT_POLICY, redirects: "record" } });
    const client = await connect("ci", { pin: "2026-07-28" });
    for (const line of WRITES) {
      await called(client, line);
      if (JSON.stringify(files()) === JSON.stringify(UNTOUCHED)) kept.push(line);
      await called(client, "undo; rm -rf new d f; mkdir d; echo x | tee d/g; echo old | tee f");
    }
    expect(kept).toEqual([]);
  });

  test.each(ERAS)("the refusal names the caller, $name", async ({ era }) => {
    await serve();
    const client = await connect("reader", era);
    for (const line of ["echo x | tee f", "rm f", "cp f new", "ls | xargs touch", "sh -c 'echo x | tee f'", "x=f; echo x | tee $x"]) {
      const { text } = await called(client, line);
      expect(text).toContain(ONLY_READS);
      expect(text).toContain("READ_ONLY");
    }
    expect(await called(client, "ls | tee /tmp/own | wc -l")).toMatchObject({ isError: false, text: expect.stringMatching(/^2$/m) });
    expect(await called(client, "cat f")).toMatchObject({ isError: false, text: expect.stringContaining("old") });
  });

  test("the same in a process of its own", async () => {
    await serve({ isolation: "process" });
    const { text } = await called(await connect("reader", "legacy"), "echo x | tee f");
    expect(text).toContain(`READ_ONLY: 'f' cannot be written: ${ONLY_READS}.`);
    expect(files()).toEqual(UNTOUCHED);
  });

  test("a dry run says that the line may not run, and why", async () => {
    await serve();
    const { text } = await called(await connect("reader", "legacy"), "echo x | tee f", { dry_run: true });
    expect(text).toContain(ONLY_READS);
    expect(files()).toEqual(UNTOUCHED);
  });

  test("what others have written is not taken back", async () => {
    await serve();
    await called(await connect("ann", "legacy"), "echo new | tee f");
    const reader = await connect("reader", "legacy");
    const journal = readFileSync(`${place.path}/.shelpa/@/journal.jsonl`, "utf8");
    const record = /"id":"(\d+)"/.exec(journal)?.[1] ?? "";
    for (const line of ["undo f", `undo ${record}`, `echo ${record} | xargs undo`]) {
      const { text, isError } = await called(reader, line);
      expect({ line, isError, text }).toEqual({ line, isError: true, text: expect.stringMatching(/the caller 'reader' may only read/i) });
    }
    expect(readFileSync(`${place.path}/f`, "utf8")).toBe("new\n");
  });

  test("of two tools neither writes, and the reader is not sent to the other one", async () => {
    await serve({ split: true });
    const client = await connect("reader", { pin: "2026-07-28" });
    for (const tool of ["shelpa_pipe", "shelpa_write"]) {
      const { text, isError } = await called(client, "echo x | tee f", {}, tool);
      expect(isError).toBe(true);
      expect(text).toContain(ONLY_READS);
      expect(text).not.toContain("takes the same line");
    }
    expect(files()).toEqual(UNTOUCHED);
    const writer = await connect("ci", { pin: "2026-07-28" });
    expect((await called(writer, "echo x | tee f")).text).toContain("shelpa_write takes the same line");
    expect((await called(writer, "echo x | tee f", {}, "shelpa_write")).isError).toBe(false);
  });

  test("a command that is none is told of by what may be done", async () => {
    await serve();
    const { text } = await called(await connect("reader", "legacy"), "truncate -s 0 f");
    expect(text).toContain("'truncate' is not allowed. The caller 'reader' may only read.");
  });

  test("the prompt and the help say so", async () => {
    await serve();
    const client = await connect("reader", "legacy");
    const { messages } = await client.getPrompt({ name: "pipeline", arguments: {} });
    expect(JSON.stringify(messages)).toContain("6. The caller 'reader' may only read: nothing is written but in /tmp");
    expect((await called(client, "help")).text).toContain("The workspace is read-only.");
  });
});

describe("who may not approve", () => {
  test.each(ERAS)("is not asked, and is refused with its name, $name", async ({ era }) => {
    await serve();
    const human = { asked: 0 };
    const { text, isError } = await called(await connect("ci", era, human), "echo x | tee .envrc");
    expect(isError).toBe(true);
    expect(text).toContain("NEEDS_APPROVAL");
    expect(text).toContain("The caller 'ci' may not approve.");
    expect(human.asked).toBe(0);
    expect(readFileSync(`${place.path}/.envrc`, "utf8")).toBe("a\n");
    const other = { asked: 0 };
    expect((await called(await connect("ann", era, other), "echo x | tee .envrc")).isError).toBe(false);
    expect(other.asked).toBe(1);
    expect(readFileSync(`${place.path}/.envrc`, "utf8")).toBe("x\n");
  });

  test("confirms a large write where the policy leaves that to agents, and not where it is a human's", async () => {
    const large = { stdin: "x".repeat(100) };
    const policy = (confirmOversize: "agent" | "human"): Policy => ({
      ...DEFAULT_POLICY,
      approval: { ...DEFAULT_POLICY.approval, oversizeBytes: 50, confirmOversize },
    });
    await serve({ policy: policy("agent") });
    const first = await called(await connect("ci", "legacy"), "tee new", { ...large, confirm_oversize: true });
    expect(first.isError).toBe(false);
    for (const client of clients.splice(0)) await client.close();
    await serving.close();
    await service.close();
    await serve({ policy: policy("human") });
    const human = { asked: 0 };
    const second = await called(await connect("ci", "legacy", human), "tee other", { ...large, confirm_oversize: true });
    expect(second).toMatchObject({ isError: true, text: expect.stringContaining("The caller 'ci' may not approve.") });
    expect(human.asked).toBe(0);
    expect(existsSync(`${place.path}/other`)).toBe(false);
  });

  const META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "t", version: "0" },
    "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
  };
  const post = async (name: string, params: object): Promise<{ result?: Record<string, unknown>; error?: unknown }> => {
    const answer = await fetch(serving.url, {
      method: "POST",
      headers: {
        authorization: `Bearer ${tokenOf(name)}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": "shelpa_pipe",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "shelpa_pipe", arguments: { command: "echo x | tee .envrc" }, _meta: META, ...params },
      }),
    });
    const text = await answer.text();
    return JSON.parse(text.startsWith("{") ? text : (/^data: (\{.*)$/m.exec(text)?.[1] ?? "")) as Record<string, never>;
  };
  const agreed = { approval: { action: "accept", content: { approve: true } } };

  test("the answer to its own question is not taken with a token of fewer rights", async () => {
    await serve({ authenticator: SAME_CALLER });
    const { result } = await post("full", {});
    const answer = { requestState: result?.["requestState"], inputResponses: agreed };
    expect(await post("less", answer)).toMatchObject({ result: { isError: true } });
    expect(contentOf(".envrc")).toBe("a\n");
    expect((await post("full", answer)).result?.["isError"] ?? false).toBe(false);
    expect(contentOf(".envrc")).toBe("x\n");
  });

  test.each(["ci", "reader", "bob"])("the answer to another's question is not taken from %s", async (name) => {
    CALLERS.push(caller("bob", ["read", "write", "approve"]));
    try {
      await serve();
    } finally {
      CALLERS.pop();
    }
    const question = await post("ann", {});
    const requestState = question.result?.["requestState"];
    expect(requestState).toEqual(expect.any(String));
    const stolen = await post(name, { requestState, inputResponses: agreed });
    expect(stolen.result?.["isError"] === true || stolen.error !== undefined).toBe(true);
    expect(readFileSync(`${place.path}/.envrc`, "utf8")).toBe("a\n");
    const own = await post("ann", { requestState, inputResponses: agreed });
    expect(own.result?.["isError"] ?? false).toBe(false);
    expect(readFileSync(`${place.path}/.envrc`, "utf8")).toBe("x\n");
  });
});

describe("sessions", () => {
  test("another caller's session does not exist", async () => {
    await serve();
    const initialize = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "0" } };
    const send = (name: string, method: string, params: object, session?: string): Promise<Response> =>
      fetch(serving.url, {
        method: "POST",
        headers: {
          authorization: `Bearer ${tokenOf(name)}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...(session === undefined ? {} : { "mcp-session-id": session }),
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
      });
    const opened = await send("ann", "initialize", initialize);
    await opened.text();
    const session = opened.headers.get("mcp-session-id") ?? "";
    const statuses = await Promise.all(
      ["ann", "ci", "reader"].map(async (name) => {
        const answer = await send(name, "tools/list", {}, session);
        await answer.text();
        return answer.status;
      }),
    );
    expect(statuses).toEqual([200, 404, 404]);
  });

  test("an answer is taken with the right to approve alone, though the caller is the same", async () => {
    await serve({ authenticator: SAME_CALLER });
    const post = (token: string, message: object, session?: string): Promise<Response> =>
      fetch(serving.url, {
        method: "POST",
        headers: {
          authorization: `Bearer ${tokenOf(token)}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...(session === undefined ? {} : { "mcp-session-id": session }),
        },
        body: JSON.stringify({ jsonrpc: "2.0", ...message }),
      });
    const clientInfo = { name: "t", version: "0" };
    const params = { protocolVersion: "2025-11-25", capabilities: { elicitation: {} }, clientInfo };
    const opened = await post("full", { id: 1, method: "initialize", params });
    await opened.text();
    const session = opened.headers.get("mcp-session-id") ?? "";
    await post("full", { method: "notifications/initialized" }, session);
    const called = await post(
      "full",
      { id: 2, method: "tools/call", params: { name: "shelpa_pipe", arguments: { command: "echo x | tee .envrc" } } },
      session,
    );
    const reader = called.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    const until = async (pattern: RegExp): Promise<string> => {
      for (;;) {
        const found = pattern.exec(text)?.[1];
        if (found !== undefined) return found;
        const next = await reader?.read();
        if (next?.done !== false) throw new Error(`the stream ended: ${text}`);
        text += next.value;
      }
    };
    const { id } = JSON.parse(await until(/^data: (\{.*"elicitation\/create".*\})$/m)) as { id: number | string };
    const agreed = { id, result: { action: "accept", content: { approve: true } } };
    expect((await post("less", agreed, session)).status).toBe(403);
    expect(contentOf(".envrc")).toBe("a\n");
    expect((await post("full", agreed, session)).status).toBe(202);
    await until(/^data: (\{.*"id":2.*\})$/m);
    expect(contentOf(".envrc")).toBe("x\n");
  });

  test("two headers of authorization are refused, whichever comes first", async () => {
    await serve();
    const both: readonly [string, string] = [`Bearer ${tokenOf("ann")}`, `Bearer ${tokenOf("reader")}`];
    const { request } = await import("node:http");
    const [ann, reader] = both;
    for (const values of [both, [reader, ann], [ann, ann]]) {
      const status = await new Promise<number>((resolve, reject) => {
        const outgoing = request(serving.url, { method: "POST" });
        outgoing.setHeader("content-type", "application/json");
        outgoing.setHeader("authorization", values);
        outgoing.on("response", (answer) => {
          answer.resume();
          resolve(answer.statusCode ?? 0);
        });
        outgoing.on("error", reject);
        outgoing.end("{}");
      });
      expect(status).toBe(400);
    }
  });
});

test.each(ERAS)("while the server takes no writes, whoever may write is told why, $name", async ({ era }) => {
  let because: string | undefined = "the sink 'syslog' has confirmed nothing for 31 s";
  await serve({ writesRefusedBecause: () => because });
  const client = await connect("ann", era);
  const before = files();
  const { text, isError } = await called(client, "cat f | tee new");
  expect([text.split("\n")[0], isError]).toEqual([
    "AUDIT_UNAVAILABLE: 'new' cannot be written: the sink 'syslog' has confirmed nothing for 31 s.",
    true,
  ]);
  expect((await called(client, "cat f")).text).toContain("old");
  expect(files()).toEqual(before);
  because = undefined;
  expect((await called(client, "cat f | tee new")).isError).toBe(false);
  expect(existsSync(`${place.path}/new`)).toBe(true);
});
