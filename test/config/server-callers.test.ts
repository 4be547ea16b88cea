/** Tables `callers` and `oauth`: a server's file in TOML → who may call, or a sentence that says what is wrong with it. */
import { createHash } from "node:crypto";
import { linkSync, mkdirSync, writeFileSync } from "node:fs";
import { parse } from "smol-toml";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serverCallers, type ServerCallers } from "../../src/config/server/callers.ts";
import { serverSchema } from "../../src/config/server/server-schema.ts";
import { tree, type Tree } from "../tree.ts";

const digestOf = (token: string): string => createHash("sha256").update(token).digest("hex");
const ONE = digestOf("one-token-of-many-characters");

let place: Tree;
beforeAll(() => {
  place = tree(["ci.token: from-a-file-16-long\n", "short: fifteen-long-15\n", "blank: with blanks in it, and long\n", "empty: \n"]);
  mkdirSync(`${place.path}/directory`);
  writeFileSync(`${place.path}/short`, "fifteen-long-15\n");
  writeFileSync(`${place.path}/linked`, "from-a-file-of-two-names\n");
  linkSync(`${place.path}/linked`, `${place.path}/other-name`);
});
afterAll(() => place.remove());

const read = (toml: string): ServerCallers => serverCallers(serverSchema.parse(parse(toml)), place.path);

test("a caller has the default rights, everywhere, for ever, unless its table says less", () => {
  const toml = `
[callers.ci]
token_file = "ci.token"
[callers."ops@example.org"]
token_sha256 = "${ONE}"
rights = ["metrics"]
workspaces = ["docs", "team-*"]
expires = 2027-01-31
`;
  expect(read(toml)).toEqual({
    callers: [
      {
        name: "ci",
        tokenSha256: digestOf("from-a-file-16-long"),
        tokenFile: `${place.path}/ci.token`,
        expiresMs: undefined,
        rights: ["read", "write", "approve"],
        rightsIn: undefined,
        workspaces: ["*"],
      },
      {
        name: "ops@example.org",
        tokenSha256: ONE,
        tokenFile: undefined,
        expiresMs: Date.UTC(2027, 0, 31),
        rights: ["metrics"],
        rightsIn: undefined,
        workspaces: ["docs", "team-*"],
      },
    ],
    oauth: undefined,
  });
});

test("rights may be of workspaces, which are then those that it may enter", () => {
  const toml = `[callers.ci]\ntoken_sha256 = "${ONE}"\nrights = { docs = ["read"], "team-*" = ["read", "write"] }`;
  expect(read(toml).callers).toEqual([
    {
      ...{ name: "ci", tokenSha256: ONE, tokenFile: undefined, expiresMs: undefined },
      rights: ["read", "write"],
      rightsIn: { docs: ["read"], "team-*": ["read", "write"] },
      workspaces: ["docs", "team-*"],
    },
  ]);
});

test("a file without the tables has nobody", () => {
  expect(read("")).toEqual({ callers: [], oauth: undefined });
});

describe("the time of expiry", () => {
  test.each<{ expires: string; iso: string }>([
    { expires: "2027-01-31", iso: "2027-01-31T00:00:00.000Z" },
    { expires: "2027-01-31T12:00:00Z", iso: "2027-01-31T12:00:00.000Z" },
    { expires: "2027-01-31 12:00:00+02:00", iso: "2027-01-31T10:00:00.000Z" },
    { expires: '"2027-01-31"', iso: "2027-01-31T00:00:00.000Z" },
    { expires: '"2027-01-31T12:00:00.5-01:00"', iso: "2027-01-31T13:00:00.500Z" },
    { expires: '"2028-02-29"', iso: "2028-02-29T00:00:00.000Z" },
  ])("$expires is $iso", ({ expires, iso }) => {
    const [caller] = read(`[callers.a]\ntoken_sha256 = "${ONE}"\nexpires = ${expires}`).callers;
    expect(new Date(caller?.expiresMs ?? 0).toISOString()).toBe(iso);
  });

  test.each(["2027-01-31T12:00:00", "12:00:00", '"2027-02-30"', '"2027-13-01"', '"tomorrow"', '"2027-01-31T12:00:00"', '"2027"', '""'])(
    "%s is none",
    (expires) => {
      expect(() => read(`[callers.a]\ntoken_sha256 = "${ONE}"\nexpires = ${expires}`)).toThrow(
        "callers.a: expires: give a day (2027-01-31, from midnight UTC on) or an instant (2027-01-31T12:00:00Z)",
      );
    },
  );
});

describe("what stops the start", () => {
  const IDENTITY = `issuer = "https://id.example.org"`;
  test.each<{ name: string; toml: string; message: string | RegExp }>([
    { name: "no token", toml: "[callers.a]", message: "callers.a: it needs token_file or token_sha256, and not both" },
    {
      name: "two",
      toml: `[callers.a]\ntoken_file = "ci.token"\ntoken_sha256 = "${ONE}"`,
      message: "callers.a: it needs token_file or token_sha256, and not both",
    },
    {
      name: "one token of two callers, by its file and by its digest",
      toml: `[callers.a]\ntoken_file = "ci.token"\n[callers.b]\ntoken_sha256 = "${digestOf("from-a-file-16-long")}"`,
      message: "callers.b: it has the token of callers.a; each needs its own",
    },
    { name: "no file", toml: '[callers.a]\ntoken_file = "nope"', message: /^callers\.a: token_file: there is no file '.*\/nope'$/ },
    { name: "a directory", toml: '[callers.a]\ntoken_file = "directory"', message: /^callers\.a: token_file: .*: Is a directory$/ },
    { name: "an empty file", toml: '[callers.a]\ntoken_file = "empty"', message: /^callers\.a: token_file: '.*\/empty' is empty$/ },
    {
      name: "a file with a second name",
      toml: '[callers.a]\ntoken_file = "linked"',
      message:
        /^callers\.a: token_file: .*\/linked: it has 2 names \(hard links\), and a workspace that holds another of them could show it; make it a file of its own$/,
    },
    {
      name: "a short token",
      toml: '[callers.a]\ntoken_file = "short"',
      message: /^callers\.a: token_file: '.*': the token must be at least 16 printable ASCII characters, without blanks$/,
    },
    { name: "a token with blanks", toml: '[callers.a]\ntoken_file = "blank"', message: /without blanks$/ },
    { name: "a digest in capitals", toml: `[callers.a]\ntoken_sha256 = "${ONE.toUpperCase()}"`, message: /a SHA-256 is 64 digits/ },
    {
      name: "a right to write and none to read",
      toml: `[callers.a]\ntoken_sha256 = "${ONE}"\nrights = ["write"]`,
      message: 'callers.a: rights: without "read" no line runs; add it',
    },
    {
      name: "a right to write and none to read, in one workspace",
      toml: `[callers.a]\ntoken_sha256 = "${ONE}"\nrights = { docs = ["read"], own = ["write"] }`,
      message: 'callers.a: rights: without "read" no line runs; add it',
    },
    {
      name: "workspaces beside rights that name them",
      toml: `[callers.a]\ntoken_sha256 = "${ONE}"\nrights = { docs = ["read"] }\nworkspaces = ["*"]`,
      message: "callers.a: workspaces: the table of its rights names them already",
    },
    {
      name: "rights in no workspace",
      toml: `[callers.a]\ntoken_sha256 = "${ONE}"\nrights = {}`,
      message: "callers.a: rights: the table names no workspace",
    },
    {
      name: "the metrics of one workspace",
      toml: `[callers.a]\ntoken_sha256 = "${ONE}"\nrights = { docs = ["metrics"] }`,
      message: /rights/,
    },
    { name: "no rights", toml: `[callers.a]\ntoken_sha256 = "${ONE}"\nrights = []`, message: /rights/ },
    { name: "an unknown right", toml: `[callers.a]\ntoken_sha256 = "${ONE}"\nrights = ["admin"]`, message: /rights/ },
    {
      name: "an issuer that is reached in the clear",
      toml: '[oauth]\nissuer = "http://id.example.org"\naudience = "https://a.example"',
      message: "oauth: issuer: 'http://id.example.org' is no https URL",
    },
    {
      name: "keys that come in the clear",
      toml: `[oauth]\n${IDENTITY}\naudience = "https://a.example"\njwks_uri = "http://localhost.evil.example/keys"`,
      message: "oauth: jwks_uri: 'http://localhost.evil.example/keys' is no https URL",
    },
    {
      name: "an issuer with a query",
      toml: '[oauth]\nissuer = "https://id.example.org/?a"\naudience = "https://a.example"',
      message: "oauth: issuer: an issuer's URL has neither a query nor a fragment",
    },
    {
      name: "an audience that is no URL",
      toml: `[oauth]\n${IDENTITY}\naudience = "api://shelpa"`,
      message: "oauth: audience: 'api://shelpa' is no URL of this server, so public_url must say by which one clients know it",
    },
    {
      name: "a public URL of another kind",
      toml: `[oauth]\n${IDENTITY}\naudience = "a"\npublic_url = "ftp://a.example"`,
      message: "oauth: public_url: 'ftp://a.example' is no http or https URL",
    },
  ])("$name", ({ toml, message }) => {
    expect(() => read(toml)).toThrow(message);
  });
});

describe("an issuer", () => {
  test.each<{ audience: string; publicUrl?: string; base: string }>([
    { audience: "https://mcp.example.org", base: "https://mcp.example.org" },
    { audience: "https://mcp.example.org/", base: "https://mcp.example.org" },
    { audience: "https://mcp.example.org/mcp", base: "https://mcp.example.org" },
    { audience: "https://example.org/shelpa/mcp", base: "https://example.org/shelpa" },
    { audience: "api://shelpa", publicUrl: "https://mcp.example.org:8443/", base: "https://mcp.example.org:8443" },
  ])("with the audience $audience: the server is at $base", ({ audience, publicUrl, base }) => {
    const more = publicUrl === undefined ? "" : `public_url = "${publicUrl}"\n`;
    const { oauth } = read(`[oauth]\nissuer = "https://id.example.org/"\naudience = "${audience}"\nworkspaces_claim = "spaces"\n${more}`);
    expect(oauth).toEqual({
      issuer: "https://id.example.org/",
      audience,
      publicUrl: base,
      jwksUri: undefined,
      workspacesClaim: "spaces",
    });
  });

  test("on this machine may be without TLS", () => {
    expect(read('[oauth]\nissuer = "http://127.0.0.1:4000"\naudience = "http://localhost:3456"').oauth?.issuer).toBe(
      "http://127.0.0.1:4000",
    );
  });
});
