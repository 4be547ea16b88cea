/** Callers of the HTTP server: tokens with names, tokens that an issuer signed, the challenges of refusals, and who is served at last. */
import { createHash } from "node:crypto";
import { createServer, type RequestListener, type Server } from "node:http";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import type { NamedCaller, OAuthSettings } from "../../src/config/server/callers.ts";
import type { Right } from "../../src/config/server/rights.ts";
import { isRefusal } from "../../src/mcp/http/authenticator.ts";
import type { GateRefusal } from "../../src/mcp/http/gate.ts";
import { openAuthenticator, type OpenedAuthenticator, singleTokenAuthenticator } from "../../src/mcp/http/open-authenticator.ts";
import { ProtectedResource } from "../../src/mcp/http/protected-resource.ts";
import { workspacesNamed } from "../../src/mcp/http/workspaces-named.ts";
import type { Principal } from "../../src/mcp/principal.ts";

const NOW_MS = Date.UTC(2027, 0, 1);
const NOW = NOW_MS / 1000;

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** Rights in their order, for a principal; the refusal as it is. */
const told = (answer: Principal | GateRefusal): unknown =>
  isRefusal(answer) ? answer : { name: answer.name, subject: answer.subject, rights: [...answer.rights] };

const digest = (token: string): string => createHash("sha256").update(token).digest("hex");
const named = (name: string, token: string, more: Partial<NamedCaller> = {}): NamedCaller => ({
  name,
  tokenSha256: digest(token),
  tokenFile: undefined,
  expiresMs: undefined,
  rights: ["read", "write", "approve"],
  rightsIn: undefined,
  workspaces: ["*"],
  ...more,
});

/** Longer than an answer on the loopback takes, however loaded the machine is. */
const FETCH_MS = 30_000;
const opened = (
  callers: readonly NamedCaller[],
  oauth?: OAuthSettings,
  { lines = [], fetchMs = FETCH_MS, ...more }: { readonly lines?: string[]; readonly fetchMs?: number; readonly cooldownMs?: number } = {},
): Promise<OpenedAuthenticator> =>
  openAuthenticator({ callers, oauth }, { nowMs: () => NOW_MS, log: (line) => lines.push(line), fetchMs, ...more });

describe("named tokens", () => {
  const callers = [
    named("ci", "token-of-ci-0123456", { rights: ["read"], workspaces: ["docs", "team-*"] }),
    named("old", "token-of-old-012345", { expiresMs: NOW_MS }),
    named("soon", "token-of-soon-01234", { expiresMs: NOW_MS + 1 }),
    named("a.b.c", "aaa.bbb.ccc", {}),
  ];
  const headers = (error: string): GateRefusal["headers"] => ({ "WWW-Authenticate": `Bearer realm="shelpa-mcp"${error}` });
  const malformed = {
    status: 400,
    message: "the header Authorization must be 'Bearer TOKEN', once",
    headers: headers(`, error="invalid_request", error_description="the header Authorization must be 'Bearer TOKEN', once"`),
  };
  const needed = { status: 401, message: "a bearer token is needed", headers: headers("") };
  const unknown = {
    status: 401,
    message: "the bearer token is none of this server's",
    headers: headers(`, error="invalid_token", error_description="the bearer token is none of this server's"`),
  };

  test.each<{ name: string; authorization: string | undefined; answer: unknown }>([
    { name: "known", authorization: "Bearer token-of-ci-0123456", answer: { name: "ci", subject: undefined, rights: ["read"] } },
    {
      name: "in small letters, with blanks",
      authorization: "bearer   token-of-ci-0123456 ",
      answer: { name: "ci", subject: undefined, rights: ["read"] },
    },
    {
      name: "about to expire",
      authorization: "Bearer token-of-soon-01234",
      answer: { name: "soon", subject: undefined, rights: ["read", "write", "approve"] },
    },
    {
      name: "that looks as a JWT does, where there is no issuer",
      authorization: "Bearer aaa.bbb.ccc",
      answer: { name: "a.b.c", subject: undefined, rights: ["read", "write", "approve"] },
    },
    {
      name: "expired",
      authorization: "Bearer token-of-old-012345",
      answer: {
        status: 401,
        message: "the token 'old' expired at 2027-01-01T00:00:00.000Z",
        headers: headers(`, error="invalid_token", error_description="the token 'old' expired at 2027-01-01T00:00:00.000Z"`),
        caller: { name: "old" },
      },
    },
    { name: "wrong", authorization: "Bearer token-of-ci-0123457", answer: unknown },
    { name: "its digest", authorization: `Bearer ${digest("token-of-ci-0123456")}`, answer: unknown },
    { name: "very long", authorization: `Bearer ${"x".repeat(1 << 20)}`, answer: unknown },
    { name: "a name without a token", authorization: "Bearer ci", answer: unknown },
    { name: "none", authorization: undefined, answer: needed },
    { name: "another scheme", authorization: "Basic dG9rZW46eA==", answer: needed },
    { name: "a scheme that begins so", authorization: "BearerX token-of-ci-0123456", answer: needed },
    { name: "nothing after the scheme", authorization: "Bearer", answer: malformed },
    { name: "blanks alone", authorization: "Bearer  ", answer: malformed },
    { name: "two", authorization: "Bearer token-of-ci-0123456 x", answer: malformed },
    { name: "two headers, as Node joins them", authorization: "Bearer token-of-ci-0123456, Bearer x", answer: malformed },
    { name: "not ASCII", authorization: "Bearer token-of-cï-0123456", answer: malformed },
  ])("a token $name", async ({ authorization, answer }) => {
    const { authenticator } = await opened(callers);
    expect(told(await authenticator.authenticate(authorization === undefined ? {} : { authorization }, "/mcp"))).toEqual(answer);
  });

  test("the workspaces are those that the patterns name", async () => {
    const { authenticator } = await opened(callers);
    const answer = await authenticator.authenticate({ authorization: "Bearer token-of-ci-0123456" }, "/mcp");
    if (isRefusal(answer)) throw new Error(answer.message);
    expect(["docs", "docs2", "team-", "team-a", "my-team-a", ""].filter((name) => answer.mayEnter(name))).toEqual([
      "docs",
      "team-",
      "team-a",
    ]);
  });

  test.each<{ rights: readonly Right[]; resource: string; lacks?: string }>([
    { rights: ["read"], resource: "/mcp" },
    { rights: ["read"], resource: "/w/docs/mcp" },
    { rights: ["metrics"], resource: "/metrics" },
    { rights: ["metrics"], resource: "/mcp", lacks: "read" },
    { rights: ["metrics"], resource: "/w/docs/mcp", lacks: "read" },
    { rights: ["read", "write", "approve"], resource: "/metrics", lacks: "metrics" },
  ])("the rights $rights at $resource", async ({ rights, resource, lacks }) => {
    const { authenticator } = await opened([named("ci", "token-of-ci-0123456", { rights })]);
    const answer = await authenticator.authenticate({ authorization: "Bearer token-of-ci-0123456" }, resource);
    expect(isRefusal(answer) ? [answer.status, answer.message] : undefined).toEqual(
      lacks === undefined ? undefined : [403, `the caller 'ci' lacks the right '${lacks}'`],
    );
  });

  test.each<{ resource: string; rights: readonly Right[]; enters: boolean }>([
    { resource: "/w/docs/mcp", rights: ["read"], enters: true },
    { resource: "/w/team-a/mcp", rights: ["read", "write"], enters: true },
    // The name itself goes before a pattern, and the longest pattern before others.
    { resource: "/w/team-ops/mcp", rights: ["read"], enters: true },
    { resource: "/w/team-b-1/mcp", rights: ["read", "approve"], enters: true },
    // As for a workspace that is not there: not for want of a right.
    { resource: "/w/secret/mcp", rights: ["read", "write", "approve"], enters: false },
  ])("the rights of a table of workspaces at $resource", async ({ resource, rights, enters }) => {
    const rightsIn = { docs: ["read"], "team-*": ["read", "write"], "team-ops": ["read"], "team-b*": ["read", "approve"] } as const;
    const { authenticator } = await opened([named("ci", "token-of-ci-0123456", { rightsIn, workspaces: Object.keys(rightsIn) })]);
    const answer = await authenticator.authenticate({ authorization: "Bearer token-of-ci-0123456" }, resource);
    if (isRefusal(answer)) throw new Error(answer.message);
    expect([[...answer.rights], answer.mayEnter(resource.split("/")[2] ?? "")]).toEqual([rights, enters]);
  });

  test("a right that all requests of an endpoint need", async () => {
    const { challenges } = await opened([]);
    const reader = { name: "ci", rights: new Set<Right>(["read"]) };
    expect(challenges.lackOf("read", reader, "/mcp")).toBeUndefined();
    const error = `, error="insufficient_scope", error_description="the caller 'ci' lacks the right 'metrics'"`;
    expect(challenges.lackOf("metrics", reader, "/metrics")).toEqual({
      status: 403,
      message: "the caller 'ci' lacks the right 'metrics'",
      headers: headers(error),
    });
  });

  test("the one token of a server without a file has every right", async () => {
    const authenticator = singleTokenAuthenticator("the-only-token-here", "generated");
    const answer = await authenticator.authenticate({ authorization: "Bearer the-only-token-here" }, "/mcp");
    expect(told(answer)).toEqual({ name: "generated", subject: undefined, rights: ["read", "write", "approve", "metrics"] });
    expect(told(await authenticator.authenticate({ authorization: "Bearer the-only-token-her" }, "/mcp"))).toEqual(unknown);
  });
});

describe("patterns of workspaces", () => {
  test.each<{ pattern: string; matches: readonly string[]; others: readonly string[] }>([
    { pattern: "*", matches: ["a", ""], others: [] },
    { pattern: "a", matches: ["a"], others: ["aa", "", "A"] },
    { pattern: "", matches: [""], others: ["a"] },
    { pattern: "a*a", matches: ["aa", "aba"], others: ["a", "ab"] },
    { pattern: "*b*b", matches: ["bb", "abab"], others: ["b", "bba"] },
    { pattern: "a**b", matches: ["ab", "axb"], others: ["a", "ba"] },
    { pattern: "x.*", matches: ["x.", "x.a"], others: ["xa", "x"] },
    { pattern: "[ab]?", matches: ["[ab]?"], others: ["aa"] },
    { pattern: `${"a*".repeat(5000)}b`, matches: [], others: ["a".repeat(20_000)] },
  ])("$pattern", ({ pattern, matches, others }) => {
    const is = workspacesNamed([pattern]);
    expect([matches.filter((name) => !is(name)), others.filter(is)]).toEqual([[], []]);
  });

  test("none of them lets nobody in", () => {
    expect(workspacesNamed([])("a")).toBe(false);
  });
});

describe("metadata of the protected resource", () => {
  const resource = new ProtectedResource({ issuer: "https://id.example.org/", publicUrl: "https://mcp.example.org" });
  const metadata = (url: string): unknown => ({
    resource: url,
    authorization_servers: ["https://id.example.org/"],
    scopes_supported: ["shelpa:read", "shelpa:write", "shelpa:approve"],
    bearer_methods_supported: ["header"],
    resource_name: "shelpa-mcp",
  });
  test.each<{ path: string; answer: unknown }>([
    { path: "/.well-known/oauth-protected-resource/mcp", answer: metadata("https://mcp.example.org/mcp") },
    { path: "/.well-known/oauth-protected-resource/w/docs/mcp", answer: metadata("https://mcp.example.org/w/docs/mcp") },
    { path: "/.well-known/oauth-protected-resource", answer: undefined },
    { path: "/.well-known/oauth-protected-resource/", answer: undefined },
    { path: "/.well-known/oauth-protected-resource/w//mcp", answer: undefined },
    { path: '/.well-known/oauth-protected-resource/w/a"b/mcp', answer: undefined },
    { path: "/.well-known/oauth-protected-resource/w/a/b/mcp", answer: undefined },
    { path: "/.well-known/oauth-protected-resource/mcp/", answer: undefined },
    { path: "/mcp", answer: undefined },
  ])("$path", ({ path, answer }) => {
    expect(resource.metadataAt(path)).toEqual(answer);
  });
});

describe("tokens that an issuer has signed", () => {
  type Keys = Awaited<ReturnType<typeof generateKeyPair>>;
  let keys: Keys;
  let others: Keys;
  beforeAll(async () => {
    keys = await generateKeyPair("ES256", { extractable: true });
    others = await generateKeyPair("ES256", { extractable: true });
  });

  /** An issuer on the loopback, and the number of requests that it has had. */
  async function issuer(listener: RequestListener): Promise<{ url: string; requests: string[] }> {
    const requests: string[] = [];
    const server = createServer((request, response) => {
      requests.push(request.url ?? "");
      listener(request, response);
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    if (typeof address !== "object" || address === null) throw new Error("no port");
    return { url: `http://127.0.0.1:${address.port}`, requests };
  }

  const settings = (url: string, more: Partial<OAuthSettings> = {}): OAuthSettings => ({
    issuer: url,
    audience: "https://mcp.example.org",
    publicUrl: "https://mcp.example.org",
    jwksUri: `${url}/keys`,
    workspacesClaim: undefined,
    ...more,
  });

  /** The issuer's public key, at any path. */
  const good = async (): Promise<RequestListener> => {
    const set = JSON.stringify({ keys: [{ ...(await exportJWK(keys.publicKey)), kid: "one", alg: "ES256", use: "sig" }] });
    return (_request, response) => response.end(set);
  };

  interface Made {
    readonly claims?: Readonly<Record<string, unknown>>;
    readonly header?: Readonly<Record<string, unknown>>;
    readonly key?: Keys["privateKey"] | Uint8Array;
  }
  const made = (url: string, { claims = {}, header = {}, key = keys.privateKey }: Made = {}): Promise<string> =>
    new SignJWT({
      iss: url,
      aud: "https://mcp.example.org",
      exp: NOW + 60,
      sub: "alice",
      client_id: "agent",
      scope: "openid shelpa:read shelpa:write",
      ...claims,
    })
      .setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid: "one", ...header })
      .sign(key);

  const METADATA = 'resource_metadata="https://mcp.example.org/.well-known/oauth-protected-resource/w/docs/mcp"';
  const ALL = 'scope="shelpa:read shelpa:write shelpa:approve"';
  const refusal = (status: 401 | 403, error: string, message: string): GateRefusal => ({
    status,
    message,
    headers: {
      "WWW-Authenticate": `Bearer realm="shelpa-mcp", ${METADATA}, error="${error}", error_description="${message}", ${ALL}`,
    },
  });
  /** The refusal of a token whose owner is known. */
  const ofAlice = (...said: Parameters<typeof refusal>): GateRefusal => ({
    ...refusal(...said),
    caller: { name: "agent", subject: "alice" },
  });
  const alice = { name: "agent", subject: "alice", rights: ["read", "write"] };
  const noAccess = "the token is no access token: its typ is neither at+jwt nor JWT";
  const notHere = "the token is not for this server, whose audience is https://mcp.example.org";
  const noScope = "the token has none of the scopes shelpa:read, shelpa:write, shelpa:approve, shelpa:metrics";

  interface Row extends Omit<Made, "key"> {
    readonly name: string;
    /** Default: the issuer's; "public": its public key as a shared secret. */
    readonly key?: "others" | "public";
    /** "iss": refused for its issuer. */
    readonly is: unknown;
  }
  test.each<Row>([
    { name: "as RFC 9068 has it", is: alice },
    {
      name: "of the type JWT, and of a client by azp",
      header: { typ: "JWT" },
      claims: { client_id: undefined, azp: "web" },
      is: { ...alice, name: "web" },
    },
    { name: "of the full type", header: { typ: "application/at+jwt" }, is: alice },
    // Its subject is itself: it is never the same as a named caller of that name.
    { name: "of a client that acts for itself", claims: { sub: undefined }, is: { ...alice, subject: "agent" } },
    { name: "of a client whose subject is empty", claims: { sub: "" }, is: { ...alice, subject: "agent" } },
    { name: "of a subject alone", claims: { client_id: undefined }, is: { ...alice, name: "alice" } },
    { name: "for several audiences", claims: { aud: ["x", "https://mcp.example.org"] }, is: alice },
    { name: "for this endpoint alone", claims: { aud: "https://mcp.example.org/w/docs/mcp" }, is: alice },
    {
      name: "with scopes as a list",
      claims: { scope: undefined, scp: ["shelpa:approve", "shelpa:read"] },
      is: { ...alice, rights: ["read", "approve"] },
    },
    { name: "with one that expired within the difference of clocks", claims: { exp: NOW - 9 }, is: alice },
    { name: "without a key's id, where there is one key", header: { kid: undefined }, is: alice },
    { name: "expired", claims: { exp: NOW - 10 }, is: ofAlice(401, "invalid_token", "the token has expired") },
    { name: "that never expires", claims: { exp: undefined }, is: refusal(401, "invalid_token", "the token has no time of expiry (exp)") },
    { name: "of tomorrow", claims: { nbf: NOW + 11 }, is: ofAlice(401, "invalid_token", "the token is not valid yet") },
    {
      name: "with a time that is a text",
      claims: { exp: "tomorrow" },
      is: refusal(401, "invalid_token", "a claim of the token is not as it must be"),
    },
    { name: "for another server", claims: { aud: "https://other.example.org" }, is: ofAlice(401, "invalid_token", notHere) },
    { name: "for another workspace", claims: { aud: "https://mcp.example.org/w/secret/mcp" }, is: ofAlice(401, "invalid_token", notHere) },
    { name: "for the audience with a slash", claims: { aud: "https://mcp.example.org/" }, is: ofAlice(401, "invalid_token", notHere) },
    { name: "for nobody", claims: { aud: undefined }, is: ofAlice(401, "invalid_token", notHere) },
    { name: "for a list of none", claims: { aud: [] }, is: ofAlice(401, "invalid_token", notHere) },
    { name: "of no issuer", claims: { iss: undefined }, is: "iss" },
    { name: "of another issuer", claims: { iss: "https://evil.example" }, is: "iss" },
    { name: "of another key", key: "others", is: refusal(401, "invalid_token", "the token's signature is not that of its issuer") },
    {
      name: "of a key that the issuer does not have",
      header: { kid: "two" },
      key: "others",
      is: refusal(401, "invalid_token", "the token is signed by no key of the issuer"),
    },
    {
      name: "with its own key (jwk)",
      header: { kid: undefined, jwk: "others" },
      key: "others",
      is: refusal(401, "invalid_token", "the token's signature is not that of its issuer"),
    },
    {
      name: "that says where its key is (jku)",
      header: { kid: "two", jku: "evil" },
      key: "others",
      is: refusal(401, "invalid_token", "the token is signed by no key of the issuer"),
    },
    {
      name: "that says where its certificate is (x5u)",
      header: { kid: "two", x5u: "evil" },
      key: "others",
      is: refusal(401, "invalid_token", "the token is signed by no key of the issuer"),
    },
    {
      name: "of a shared secret: the public key",
      header: { alg: "HS256" },
      key: "public",
      is: refusal(401, "invalid_token", "the token is not signed by an algorithm with a public key"),
    },
    { name: "that is an identity (typ)", header: { typ: "id+jwt" }, is: refusal(401, "invalid_token", noAccess) },
    { name: "that is a logout", header: { typ: "logout+jwt" }, is: refusal(401, "invalid_token", noAccess) },
    { name: "without a type", header: { typ: undefined }, is: refusal(401, "invalid_token", noAccess) },
    {
      name: "of nobody",
      claims: { client_id: undefined, sub: undefined },
      is: refusal(401, "invalid_token", "the token names no client: it has neither client_id nor azp nor sub"),
    },
    {
      name: "whose client is no text",
      claims: { client_id: 7, sub: undefined },
      is: refusal(401, "invalid_token", "the token names no client: it has neither client_id nor azp nor sub"),
    },
    {
      name: "with other scopes",
      claims: { scope: "openid shelpa:readwrite SHELPA:READ" },
      is: ofAlice(403, "insufficient_scope", noScope),
    },
    {
      name: "with the right to write alone",
      claims: { scope: "shelpa:write" },
      is: {
        status: 403,
        message: "the caller 'agent' lacks the right 'read'",
        headers: {
          "WWW-Authenticate": `Bearer realm="shelpa-mcp", ${METADATA}, error="insufficient_scope", error_description="the caller 'agent' lacks the right 'read'", scope="shelpa:read shelpa:write"`,
        },
        caller: { name: "agent", subject: "alice" },
      },
    },
    { name: "with none", claims: { scope: undefined }, is: ofAlice(403, "insufficient_scope", noScope) },
    { name: "with scopes of another form", claims: { scope: { "shelpa:read": true } }, is: ofAlice(403, "insufficient_scope", noScope) },
    {
      name: "longer than any",
      claims: { note: "x".repeat(10_000) },
      is: refusal(401, "invalid_token", "the token is longer than 12288 characters"),
    },
    { name: "with a header that is large", header: { note: "x".repeat(5000) }, is: alice },
  ])("a token $name", async ({ claims, header, key, is }) => {
    const { url, requests } = await issuer(await good());
    const evil = await issuer(await good());
    const { authenticator } = await opened([], settings(url));
    const filled = Object.entries(header ?? {}).map(async ([name, value]) => [
      name,
      value === "evil" ? evil.url : value === "others" ? await exportJWK(others.publicKey) : value,
    ]);
    const secret = new TextEncoder().encode(JSON.stringify(await exportJWK(keys.publicKey)));
    const token = await made(url, {
      ...(claims === undefined ? {} : { claims }),
      header: Object.fromEntries((await Promise.all(filled)) as [string, unknown][]),
      key: key === "others" ? others.privateKey : key === "public" ? secret : keys.privateKey,
    });
    const expected = is === "iss" ? refusal(401, "invalid_token", `the token is not of the issuer ${url}`) : is;
    expect(told(await authenticator.authenticate({ authorization: `Bearer ${token}` }, "/w/docs/mcp"))).toEqual(expected);
    expect(requests.length).toBeLessThanOrEqual(1);
    expect(evil.requests).toEqual([]);
  });

  test("a header that must be understood and is not, is refused", async () => {
    const { url } = await issuer(await good());
    const { authenticator } = await opened([], settings(url));
    const token = await new SignJWT({ iss: url, aud: "https://mcp.example.org", exp: NOW + 60, sub: "alice", scope: "shelpa:read" })
      .setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid: "one", crit: ["http://example.org/rule"], "http://example.org/rule": true })
      .sign(keys.privateKey, { crit: { "http://example.org/rule": true } });
    expect(told(await authenticator.authenticate({ authorization: `Bearer ${token}` }, "/w/docs/mcp"))).toEqual(
      refusal(401, "invalid_token", "the token is no JWT that can be checked"),
    );
  });

  const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const payload = { aud: "https://mcp.example.org", exp: NOW + 60, sub: "a", scope: "shelpa:read" };
  const notSigned = "the token is not signed by an algorithm with a public key";
  const noJwt = "the token is no JWT that can be checked";
  test.each<{ name: string; token: string; message: string }>([
    { name: "alg none", token: `${base64({ alg: "none", typ: "at+jwt" })}.${base64(payload)}.`, message: notSigned },
    { name: "alg None", token: `${base64({ alg: "None", typ: "at+jwt" })}.${base64(payload)}.AAAA`, message: notSigned },
    { name: "no alg", token: `${base64({ typ: "at+jwt" })}.${base64(payload)}.AAAA`, message: noJwt },
    { name: "an empty header", token: `${base64({})}.${base64(payload)}.AAAA`, message: noJwt },
    { name: "a header that is no JSON", token: `AAAA.${base64(payload)}.AAAA`, message: noJwt },
    {
      name: "an unsigned alg with a key's id",
      token: `${base64({ alg: "RS256", kid: "two" })}.${base64(payload)}.AAAA`,
      message: "the token is signed by no key of the issuer",
    },
    {
      name: "a signature of no bytes",
      token: `${base64({ alg: "ES256", kid: "one" })}.${base64(payload)}.`,
      message: "the token's signature is not that of its issuer",
    },
  ])("made by hand: $name", async ({ token, message }) => {
    const { url } = await issuer(await good());
    const { authenticator } = await opened([], settings(url));
    expect(told(await authenticator.authenticate({ authorization: `Bearer ${token}` }, "/w/docs/mcp"))).toEqual(
      refusal(401, "invalid_token", message),
    );
  });

  test("named tokens are there beside the issuer's, and none of its requests is made for them", async () => {
    const { url, requests } = await issuer(await good());
    const { authenticator } = await opened([named("ci", "token-of-ci-0123456"), named("dots", "token.of.dots-0123")], settings(url));
    const answer = await authenticator.authenticate({ authorization: "Bearer token-of-ci-0123456" }, "/mcp");
    expect(told(answer)).toMatchObject({ name: "ci" });
    const dots = await authenticator.authenticate({ authorization: "Bearer token.of.dots-0123" }, "/mcp");
    expect(told(dots)).toMatchObject({ name: "dots" });
    expect(requests).toEqual([]);
  });

  test.each<{ claim: unknown; enters: readonly string[] }>([
    { claim: "docs team-*", enters: ["docs", "team-a"] },
    { claim: ["docs"], enters: ["docs"] },
    { claim: undefined, enters: [] },
    { claim: { docs: true }, enters: [] },
    { claim: ["*"], enters: ["docs", "team-a", "secret"] },
  ])("the claim of workspaces: $claim", async ({ claim, enters }) => {
    const { url } = await issuer(await good());
    const { authenticator } = await opened([], settings(url, { workspacesClaim: "spaces" }));
    const token = await made(url, { claims: { spaces: claim } });
    const answer = await authenticator.authenticate({ authorization: `Bearer ${token}` }, "/w/docs/mcp");
    if (isRefusal(answer)) throw new Error(answer.message);
    expect(["docs", "team-a", "secret"].filter((name) => answer.mayEnter(name))).toEqual(enters);
  });

  test("many tokens at once make one fetch, and many of unknown keys no more", async () => {
    const { url, requests } = await issuer(await good());
    const { authenticator } = await opened([], settings(url));
    const token = await made(url);
    const ask = async (each: string): Promise<unknown> =>
      told(await authenticator.authenticate({ authorization: `Bearer ${each}` }, "/mcp"));
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(token)));
    expect(answers).toEqual(answers.map(() => alice));
    const strange = await Promise.all(Array.from({ length: 20 }, (_, at) => made(url, { header: { kid: `unknown-${at}` } })));
    for (const each of strange)
      expect(await ask(each)).toMatchObject({ status: 401, message: "the token is signed by no key of the issuer" });
    expect(requests).toEqual(["/keys"]);
  });

  test("where the issuer fails later, the keys that it gave are good, and only others cannot be checked", async () => {
    const keysAt = await good();
    let isAway = false;
    const { url, requests } = await issuer((request, response) => (isAway ? response.writeHead(500).end() : keysAt(request, response)));
    const { authenticator } = await opened([], settings(url), { cooldownMs: 0 });
    const ask = async (made_: Made = {}): Promise<unknown> =>
      told(await authenticator.authenticate({ authorization: `Bearer ${await made(url, made_)}` }, "/mcp"));
    expect(await ask()).toEqual(alice);
    isAway = true;
    for (let attempt = 0; attempt < 3; attempt++) {
      expect(await ask({ header: { kid: "two" } })).toMatchObject({ status: 503 });
      expect(await ask()).toEqual(alice);
    }
    expect(requests).toHaveLength(2);
  });

  describe("keys that cannot be had", () => {
    const huge = "x".repeat(64 << 10);
    test.each<{ name: string; listener: RequestListener; fetchMs?: number; log: RegExp }>([
      { name: "a failure", listener: (_request, response) => response.writeHead(500).end("no"), log: /keys answers 500$/ },
      {
        name: "a redirect",
        listener: (_request, response) => response.writeHead(302, { location: "/other" }).end(),
        log: /keys answers 302$/,
      },
      { name: "no JSON", listener: (_request, response) => response.end("<html>"), log: /keys answers no JSON$/ },
      { name: "no answer", listener: () => undefined, fetchMs: 100, log: /timeout|timed out/ },
      {
        name: "an answer without an end",
        listener: (_request, response) => void response.write('{"keys":['),
        fetchMs: 100,
        log: /timeout|timed out|aborted/,
      },
      {
        name: "an answer without a limit",
        listener: (_request, response) => {
          const more = (): void => void (response.destroyed || response.write(huge, more));
          more();
        },
        log: /answers more than 262144 bytes$/,
      },
      { name: "a connection that ends", listener: (request) => request.socket.destroy(), log: /fetch failed/ },
    ])("$name: 503, and not asked again at once", async ({ listener, fetchMs, log }) => {
      const { url, requests } = await issuer(listener);
      const lines: string[] = [];
      const { authenticator } = await opened([], settings(url), { lines, ...(fetchMs === undefined ? {} : { fetchMs }) });
      const token = await made(url);
      const answer = {
        status: 503,
        message: `the keys of the issuer ${url} cannot be had now; try again in a while`,
        headers: { "Retry-After": "10" },
      };
      for (let attempt = 0; attempt < 3; attempt++) {
        expect(told(await authenticator.authenticate({ authorization: `Bearer ${token}` }, "/mcp"))).toEqual(answer);
      }
      expect(requests).toHaveLength(1);
      expect(lines).toEqual([expect.stringMatching(log)]);
    });

    test("a set of other things is no set of keys", async () => {
      const { url } = await issuer((_request, response) => response.end('{"keys":7}'));
      const { authenticator } = await opened([], settings(url));
      expect(await authenticator.authenticate({ authorization: `Bearer ${await made(url)}` }, "/mcp")).toMatchObject({ status: 503 });
    });
  });

  describe("the issuer's metadata", () => {
    /** Metadata at one path, keys at /keys. */
    const with_ = async (path: string, metadata: (url: string) => unknown): Promise<{ url: string; requests: string[] }> => {
      const keysAt = await good();
      const made_ = await issuer((request, response) => {
        if (request.url === "/keys") keysAt(request, response);
        else if (request.url === path) response.end(JSON.stringify(metadata(made_.url)));
        else response.writeHead(404).end();
      });
      return made_;
    };
    const OAUTH = "/.well-known/oauth-authorization-server";
    const OPENID = "/.well-known/openid-configuration";

    test.each<{ name: string; path: string; below: string; asked: readonly string[] }>([
      { name: "of OAuth", path: OAUTH, below: "", asked: [OAUTH, "/keys"] },
      { name: "of OpenID Connect", path: OPENID, below: "", asked: [OAUTH, OPENID, "/keys"] },
      { name: "of OAuth, of a tenant", path: `${OAUTH}/t`, below: "/t", asked: [`${OAUTH}/t`, "/keys"] },
      { name: "of OpenID Connect, of a tenant", path: `${OPENID}/t`, below: "/t", asked: [`${OAUTH}/t`, `${OPENID}/t`, "/keys"] },
      { name: "below the tenant", path: `/t${OPENID}`, below: "/t", asked: [`${OAUTH}/t`, `${OPENID}/t`, `/t${OPENID}`, "/keys"] },
      { name: "of an issuer with a slash at its end", path: OAUTH, below: "/", asked: [OAUTH, "/keys"] },
    ])("$name says where the keys are, and is asked for once", async ({ path, below, asked }) => {
      const { url, requests } = await with_(path, (base) => ({ issuer: base + below, jwks_uri: `${base}/keys` }));
      const { authenticator } = await opened([], settings(url + below, { jwksUri: undefined }));
      for (let attempt = 0; attempt < 2; attempt++) {
        const token = await made(url + below);
        expect(told(await authenticator.authenticate({ authorization: `Bearer ${token}` }, "/mcp"))).toEqual(alice);
      }
      expect(requests).toEqual(asked);
    });

    test.each<{ name: string; metadata: (url: string) => unknown; log: RegExp }>([
      {
        name: "of another issuer",
        metadata: (url) => ({ issuer: `${url}/`, jwks_uri: `${url}/keys` }),
        log: /is the metadata of another issuer$/,
      },
      { name: "without a place of keys", metadata: (url) => ({ issuer: url }), log: /names no jwks_uri with https$/ },
      {
        name: "with keys in the clear",
        metadata: (url) => ({ issuer: url, jwks_uri: "http://192.0.2.1/keys" }),
        log: /names no jwks_uri with https$/,
      },
      { name: "that is a list", metadata: () => [], log: /another issuer$/ },
      { name: "that is null", metadata: () => null, log: /another issuer$/ },
    ])("$name: 503", async ({ metadata, log }) => {
      const { url, requests } = await with_(OPENID, metadata);
      const lines: string[] = [];
      const { authenticator } = await opened([], settings(url, { jwksUri: undefined }), { lines });
      expect(await authenticator.authenticate({ authorization: `Bearer ${await made(url)}` }, "/mcp")).toMatchObject({ status: 503 });
      expect(lines).toEqual([expect.stringMatching(log)]);
      expect(requests).not.toContain("/keys");
    });
  });
});
