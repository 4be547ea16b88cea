/** The server as an OAuth 2.1 resource server beside a real issuer: a login, its token, a call; and each way that a token is wrong. */
import { existsSync, readFileSync } from "node:fs";
import { createPublicKey, type JsonWebKey } from "node:crypto";
import {
  Client as ModernClient,
  type OAuthClientProvider,
  StreamableHTTPClientTransport as ModernTransport,
} from "@modelcontextprotocol/client";
import type { OAuthClientProvider as OlderProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { DEFAULT_POLICY } from "../../src/config/policy.ts";
import { openAuthenticator } from "../../src/mcp/http/open-authenticator.ts";
import { serveOverHttp, type HttpServing } from "../../src/mcp/http/serve-http.ts";
import { createShellService } from "../../src/mcp/service.ts";
import type { ShellService } from "../../src/mcp/shell-service.ts";
import { tree, type Tree } from "../tree.ts";
import { type Authorized, CLIENT, Issuer, REDIRECT, TOKEN_SECONDS } from "./oauth-issuer.ts";

const PUBLIC_URL = "https://mcp.example.org";
const RESOURCE = `${PUBLIC_URL}/mcp`;
const METADATA = `resource_metadata="${PUBLIC_URL}/.well-known/oauth-protected-resource/mcp"`;
const SCOPE = 'scope="shelpa:read shelpa:write shelpa:approve"';

let issuer: Issuer;
let place: Tree;
let service: ShellService;
let serving: HttpServing;
let aheadMs: number;
beforeAll(async () => {
  // The issuer says on the console, at its import too, that it is for development.
  for (const method of ["info", "warn"] as const) vi.spyOn(console, method).mockImplementation(() => {});
  issuer = await Issuer.open();
});
afterAll(() => issuer.close());
beforeEach(async () => {
  aheadMs = 0;
  place = tree(["f: old\n", ".envrc: a\n"]);
  service = await createShellService({ root: place.path, policy: DEFAULT_POLICY, aliases: [], isolation: "none" });
  const oauth = { issuer: issuer.url, audience: PUBLIC_URL, publicUrl: PUBLIC_URL, jwksUri: undefined, workspacesClaim: undefined };
  const { authenticator, resource } = await openAuthenticator(
    { callers: [], oauth },
    { nowMs: () => Date.now() + aheadMs, log: () => {}, cooldownMs: 0, fetchMs: 30_000 },
  );
  serving = await serveOverHttp(service, {
    version: "0",
    readOnly: false,
    log: () => {},
    host: "127.0.0.1",
    port: 0,
    gate: { hosts: [], origins: [] },
    authenticator,
    resource,
  });
});
afterEach(async () => {
  await serving.close();
  await service.close();
  place.remove();
});

const logIn = (scope: string, more: { readonly user?: string; readonly resource?: string; readonly from?: Issuer } = {}): Promise<string> =>
  (more.from ?? issuer).tokenFor({ user: "alice", resource: RESOURCE, scope: `openid ${scope}`, ...more });

interface Answer {
  readonly status: number;
  readonly challenge: string | null;
  /** Text of the tool's answer, or of the refusal. */
  readonly text: string;
  readonly isError: boolean;
}

async function call(token: string | undefined, command: string): Promise<Answer> {
  const answer = await fetch(serving.url, {
    method: "POST",
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "shelpa_pipe", arguments: { command } } }),
  });
  const body = await answer.text();
  const { result, error } = JSON.parse(body.startsWith("{") ? body : (/^data: (\{.*)$/m.exec(body)?.[1] ?? "{}")) as {
    result?: { content: readonly { text: string }[]; isError?: boolean };
    error?: { message: string };
  };
  return {
    status: answer.status,
    challenge: answer.headers.get("www-authenticate"),
    text: result?.content.map(({ text }) => text).join("\n") ?? error?.message ?? "",
    isError: result?.isError === true || error !== undefined,
  };
}

const refused = (message: string): Answer => ({
  status: 401,
  challenge: `Bearer realm="shelpa-mcp", ${METADATA}, error="invalid_token", error_description="${message}", ${SCOPE}`,
  text: message,
  isError: true,
});

const content = (name: string): string => readFileSync(`${place.path}/${name}`, "utf8");

test("without a token a client is told where to get one, and of which scopes", async () => {
  expect(await call(undefined, "cat f")).toEqual({
    status: 401,
    challenge: `Bearer realm="shelpa-mcp", ${METADATA}, ${SCOPE}`,
    text: "a bearer token is needed",
    isError: true,
  });
});

test("a login, its token, a call; the journal says whose", async () => {
  const token = await logIn("shelpa:read shelpa:write");
  expect(await call(token, "cat f")).toMatchObject({ status: 200, challenge: null, isError: false, text: expect.stringContaining("old") });
  expect(await call(token, "echo new | tee f")).toMatchObject({ status: 200, isError: false });
  expect(content("f")).toBe("new\n");
  const [intent] = content(".shelpa/@/journal.jsonl")
    .split("\n")
    .filter((line) => line.includes('"kind":"intent"'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(intent).toMatchObject({ client: "mcp", token: CLIENT, subject: "alice" });
});

test("the right to read does not write", async () => {
  const token = await logIn("shelpa:read");
  expect(await call(token, "cat f")).toMatchObject({ isError: false });
  expect(await call(token, "echo x | tee f")).toMatchObject({
    status: 200,
    isError: true,
    text: expect.stringContaining(`READ_ONLY: 'f' cannot be written: the caller '${CLIENT}' may only read.`),
  });
  expect(content("f")).toBe("old\n");
  expect(existsSync(`${place.path}/.shelpa`)).toBe(false);
});

test("the right to write does not approve", async () => {
  const answer = await call(await logIn("shelpa:read shelpa:write"), "echo x | tee .envrc");
  expect(answer).toMatchObject({ isError: true, text: expect.stringContaining(`The caller '${CLIENT}' may not approve.`) });
  expect(content(".envrc")).toBe("a\n");
});

test("a token without a scope of ours: the scopes are named that are missing", async () => {
  expect(await call(await logIn("other"), "cat f")).toEqual({
    status: 403,
    challenge: `Bearer realm="shelpa-mcp", ${METADATA}, error="insufficient_scope", error_description="the token has none of the scopes shelpa:read, shelpa:write, shelpa:approve, shelpa:metrics", ${SCOPE}`,
    text: "the token has none of the scopes shelpa:read, shelpa:write, shelpa:approve, shelpa:metrics",
    isError: true,
  });
});

test("a token for another server", async () => {
  const message = `the token is not for this server, whose audience is ${PUBLIC_URL}`;
  expect(await call(await logIn("shelpa:read", { resource: "https://other.example.org/mcp" }), "cat f")).toEqual(refused(message));
  expect(await call(await logIn("shelpa:read", { resource: `${PUBLIC_URL}/w/docs/mcp` }), "cat f")).toEqual(refused(message));
});

test("a token is of use until it expires, and for the difference of two clocks", async () => {
  const token = await logIn("shelpa:read");
  aheadMs = (TOKEN_SECONDS - 60) * 1000;
  expect(await call(token, "cat f")).toMatchObject({ status: 200 });
  aheadMs = (TOKEN_SECONDS + 11) * 1000;
  expect(await call(token, "cat f")).toEqual(refused("the token has expired"));
});

test("a token of another issuer", async () => {
  const other = await Issuer.open();
  try {
    const token = await logIn("shelpa:read", { from: other });
    expect(await call(token, "cat f")).toEqual(refused("the token is signed by no key of the issuer"));
  } finally {
    await other.close();
  }
});

describe("a token that was made by somebody else", () => {
  const claims = (): Record<string, unknown> => ({
    iss: issuer.url,
    aud: RESOURCE,
    sub: "alice",
    client_id: CLIENT,
    scope: "shelpa:read",
    exp: Math.floor(Date.now() / 1000) + 600,
  });
  const published = async (): Promise<JsonWebKey & { kid: string }> => {
    const answer = await fetch(`${issuer.url}/jwks`);
    const { keys } = (await answer.json()) as { keys: readonly [JsonWebKey & { kid: string }] };
    return keys[0];
  };

  test("by a key of the same id", async () => {
    const { kid } = await published();
    const { privateKey } = await generateKeyPair("RS256");
    const token = await new SignJWT(claims()).setProtectedHeader({ alg: "RS256", typ: "at+jwt", kid }).sign(privateKey);
    expect(await call(token, "cat f")).toEqual(refused("the token's signature is not that of its issuer"));
  });

  test("by a key that it brings", async () => {
    const { kid } = await published();
    const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
    const header = { alg: "RS256", typ: "at+jwt", kid, jwk: await exportJWK(publicKey), jku: "http://127.0.0.1:9/keys" };
    const token = await new SignJWT(claims()).setProtectedHeader(header).sign(privateKey);
    expect(await call(token, "cat f")).toEqual(refused("the token's signature is not that of its issuer"));
  });

  test("with alg none", async () => {
    const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
    const token = `${part({ alg: "none", typ: "at+jwt" })}.${part(claims())}.`;
    expect(await call(token, "cat f")).toEqual(refused("the token is not signed by an algorithm with a public key"));
  });

  test("with the public key as the secret of HS256, in each form that it has", async () => {
    const key = await published();
    const pem = createPublicKey({ key, format: "jwk" }).export({ type: "spki", format: "pem" });
    const der = createPublicKey({ key, format: "jwk" }).export({ type: "spki", format: "der" });
    for (const secret of [pem, der, JSON.stringify(key), key.n ?? ""]) {
      const token = await new SignJWT(claims())
        .setProtectedHeader({ alg: "HS256", typ: "at+jwt", kid: key.kid })
        .sign(new Uint8Array(Buffer.from(secret)));
      expect(await call(token, "cat f")).toEqual(refused("the token is not signed by an algorithm with a public key"));
    }
  });
});

/** What a client keeps of its authorization. */
class Authorization implements OAuthClientProvider, OlderProvider {
  readonly redirectUrl = REDIRECT;
  readonly clientMetadata = { redirect_uris: [REDIRECT], token_endpoint_auth_method: "none", grant_types: ["authorization_code"] };
  /** Pages that the user was sent to. */
  readonly pages: URL[] = [];
  #tokens: { access_token: string; token_type: string } | undefined;
  #verifier = "";

  clientInformation(): { client_id: string } {
    return { client_id: CLIENT };
  }

  tokens(): { access_token: string; token_type: string } | undefined {
    return this.#tokens;
  }

  saveTokens(tokens: { access_token: string; token_type: string }): void {
    this.#tokens = tokens;
  }

  redirectToAuthorization(url: URL): void {
    this.pages.push(url);
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }
}

/** Stands for the name and the certificate that the server has for its clients. */
const throughProxy: typeof fetch = (input, init) =>
  fetch(String(input instanceof Request ? input.url : input).replace(PUBLIC_URL, new URL(serving.url).origin), init);

describe("a client that knows nothing but the server's URL finds the issuer, and comes back with a token", () => {
  const info = { name: "client", version: "1" };
  const line = { name: "shelpa_pipe", arguments: { command: "echo new | tee f" } };
  interface Connection {
    connect(): Promise<void>;
    finish(authorized: Authorized): Promise<void>;
    call(): Promise<unknown>;
    close(): Promise<void>;
  }
  const modern =
    (mode: "legacy" | { pin: string }) =>
    (authProvider: Authorization): Connection => {
      const client = new ModernClient(info, { versionNegotiation: { mode } });
      const transport = new ModernTransport(new URL(RESOURCE), { authProvider, fetch: throughProxy });
      return {
        connect: () => client.connect(transport),
        finish: ({ code, iss }) => transport.finishAuth(code, iss),
        call: () => client.callTool(line),
        close: () => client.close(),
      };
    };
  const older = (authProvider: Authorization): Connection => {
    const client = new OlderClient(info);
    const transport = new OlderTransport(new URL(RESOURCE), { authProvider, fetch: throughProxy as never });
    return {
      connect: () => client.connect(transport as never),
      finish: ({ code }) => transport.finishAuth(code),
      call: () => client.callTool(line),
      close: () => client.close(),
    };
  };
  test.each<{ name: string; connection: (authorization: Authorization) => Connection }>([
    { name: "@modelcontextprotocol/sdk 1.x", connection: older },
    { name: "@modelcontextprotocol/client 2.x, older era", connection: modern("legacy") },
    { name: "@modelcontextprotocol/client 2.x, 2026-07-28", connection: modern({ pin: "2026-07-28" }) },
  ])("$name", async ({ connection }) => {
    const authorization = new Authorization();
    const first = connection(authorization);
    await expect(first.connect()).rejects.toThrow(/unauthorized/i);
    const [page, ...others] = authorization.pages;
    expect(others).toEqual([]);
    expect(page?.origin).toBe(issuer.url);
    expect(page?.searchParams.get("resource")).toBe(RESOURCE);
    expect(page?.searchParams.get("scope")).toBe("shelpa:read shelpa:write shelpa:approve");
    await first.finish(await issuer.approve(page?.href ?? "", "alice"));
    await first.close();
    const second = connection(authorization);
    await second.connect();
    expect(await second.call()).toMatchObject({ content: [{ text: expect.stringContaining("replaced f") }] });
    await second.close();
    expect(content("f")).toBe("new\n");
    expect(content(".shelpa/@/journal.jsonl")).toContain(`"token":"${CLIENT}","subject":"alice"`);
  });
});

test("the issuer's new keys are found without a restart, and its old ones are no longer taken", async () => {
  const before = await logIn("shelpa:read");
  expect(await call(before, "cat f")).toMatchObject({ status: 200, isError: false });
  await issuer.restartWithOtherKeys();
  // The key is kept for a while, whether or not the issuer is there.
  expect(await call(before, "cat f")).toMatchObject({ status: 200, isError: false });
  const after = await logIn("shelpa:read", { user: "bob" });
  expect(await call(after, "cat f")).toMatchObject({ status: 200, isError: false });
  expect(await call(before, "cat f")).toEqual(refused("the token is signed by no key of the issuer"));
});

test("an issuer that is away is no fault of the token's", async () => {
  const token = await logIn("shelpa:read");
  await issuer.close();
  try {
    expect(await call(token, "cat f")).toMatchObject({ status: 503, challenge: null, text: expect.stringContaining("cannot be had now") });
  } finally {
    issuer = await Issuer.open();
  }
});
