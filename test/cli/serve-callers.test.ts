/** Callers of `shelpa-mcp --workspaces FILE`, as a process: a workspace for each, tokens of a real issuer, revocation at SIGHUP, the audit. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Issuer } from "../mcp/oauth-issuer.ts";
import { tree, type Tree } from "../tree.ts";

const PROGRAM = fileURLToPath(new URL("../../dist/shelpa-mcp.js", import.meta.url));
const TIME = { timeout: 60_000 };
const PUBLIC_URL = "https://mcp.example.org";

let place: Tree;
let issuer: Issuer;
let server: ChildProcess | undefined;
let said = "";
beforeEach(async () => {
  // The issuer says on the console that it is for development.
  for (const method of ["info", "warn"] as const) vi.spyOn(console, method).mockImplementation(() => {});
  issuer = await Issuer.open();
  place = tree([
    "all/docs/f: text\n",
    "all/secret/f: hidden\n",
    "all/docs/own.token: the-token-of-ops-012345\n",
    "ci.token: the-token-of-ci-012345\n",
  ]);
});
afterEach(async () => {
  if (server?.exitCode === null && server.signalCode === null) {
    server.kill("SIGKILL");
    await once(server, "exit");
  }
  server = undefined;
  await issuer.close();
  place.remove();
});

const at = (...names: string[]): string => join(place.path, ...names);
const file = (callers: string): void =>
  writeFileSync(
    at("server.toml"),
    `directory = "all"
${callers}
[oauth]
issuer = "${issuer.url}"
audience = "${PUBLIC_URL}"
`,
  );
const CI = `[callers.ci]
token_file = "ci.token"
rights = ["read", "write"]
workspaces = ["do*"]
[callers.ops]
token_file = "all/docs/own.token"
rights = ["metrics"]
`;

/** Starts it, and gives the URL without the path. */
async function start(): Promise<string> {
  said = "";
  const child = spawn(process.execPath, [PROGRAM, "--workspaces", at("server.toml"), "--http", "127.0.0.1:0"], {
    env: { PATH: "/usr/bin:/bin", HOME: place.path },
    stdio: ["ignore", "ignore", "pipe"],
  });
  server = child;
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  await expect.poll(() => said, TIME).toMatch(/listening on |: /);
  return /listening on (http:\/\/[^/]+)/.exec(said)?.[1] ?? "";
}

async function call(origin: string, token: string, name: string, command: string): Promise<string> {
  const answer = await fetch(`${origin}/w/${name}/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "shelpa_pipe", arguments: { command } } }),
  });
  return `${answer.status} ${await answer.text()}`;
}

const NAMED = "the-token-of-ci-012345";

test("a named caller enters its workspaces, and another's is as one that is not there", TIME, async () => {
  file(CI);
  const origin = await start();
  expect(await call(origin, NAMED, "docs", "cat f")).toContain("text");
  expect(await call(origin, NAMED, "docs", "echo new | tee f")).toContain("replaced f");
  const others = await Promise.all(["secret", "none"].map((name) => call(origin, NAMED, name, "cat f")));
  expect(others[0]).toMatch(/^404 /);
  expect(others[1]).toBe(others[0]);
  expect(await call(origin, NAMED, "docs", "cat own.token")).toContain("does not let it be read");
  expect(await call(origin, "the-token-of-ops-012345", "docs", "cat f")).toMatch(/^403 .*lacks the right 'read'/);
  await expect.poll(() => said, TIME).toMatch(/ status=403 .*caller=ops/);
  const metrics = (token: string): Promise<number> =>
    fetch(`${origin}/metrics`, { headers: { authorization: `Bearer ${token}` } }).then(({ status }) => status);
  expect([await metrics("the-token-of-ops-012345"), await metrics(NAMED)]).toEqual([200, 403]);
  expect(said).toMatch(/caller=ci workspace=docs/);
  expect(said).not.toContain(NAMED);
});

test("a user of the issuer, by the token of one workspace; the log, the journal and the audit say who", TIME, async () => {
  file(CI);
  const origin = await start();
  const token = await issuer.tokenFor({
    user: "alice@example.org",
    resource: `${PUBLIC_URL}/w/docs/mcp`,
    scope: "openid shelpa:read shelpa:write",
  });
  expect(await call(origin, token, "docs", "echo new | tee f")).toContain("replaced f");
  expect(await call(origin, token, "secret", "cat f")).toMatch(/^401 .*the token is not for this server/);
  const audit = (...argv: string[]): string =>
    spawnSync(process.execPath, [PROGRAM, "audit", ...argv, "--root", at("all/docs")], { encoding: "utf8" }).stdout;
  expect(audit("show", "last")).toContain("mcp, token agent, subject alice@example.org\n");
  expect(JSON.parse(audit("export"))).toMatchObject({ token: "agent", subject: "alice@example.org" });
  expect(said).toMatch(/caller=agent/);
  expect(said).toContain("alice@example.org");
  expect(said).not.toContain(token);
});

test("a caller that is gone from the file is nobody from the next SIGHUP on", TIME, async () => {
  file(CI);
  const origin = await start();
  expect(await call(origin, NAMED, "docs", "cat f")).toMatch(/^200 /);
  file(CI.replace("[callers.ci]", "[callers.ci]\nexpires = 2020-01-01"));
  server?.kill("SIGHUP");
  await expect.poll(() => call(origin, NAMED, "docs", "cat f"), TIME).toMatch(/^401 .*the token 'ci' expired at 2020-01-01T00:00:00.000Z/);
  await expect.poll(() => said, TIME).toMatch(/ request method=POST path=\/w\/NAME\/mcp status=401 .*caller=ci/);
  file(CI);
  server?.kill("SIGHUP");
  await expect.poll(() => call(origin, NAMED, "docs", "cat f"), TIME).toMatch(/^200 /);
  const long = call(origin, NAMED, "docs", "sleep 500").catch(() => "closed");
  const running = (): Promise<string> =>
    fetch(`${origin}/metrics`, { headers: { authorization: "Bearer the-token-of-ops-012345" } }).then((answer) => answer.text());
  await expect.poll(running, TIME).toContain("shelpa_running_calls 1\n");
  file(CI.replace(/^[^]*(?=\[callers.ops\])/, ""));
  server?.kill("SIGHUP");
  expect(await long).toBe("closed");
  await expect.poll(() => said, TIME).toMatch(/warning one request was ended: the token is no longer taken/);
  await expect.poll(() => said, TIME).toMatch(/call outcome=stopped reason=cancelled .*caller=ci/);
  await expect.poll(() => call(origin, NAMED, "docs", "cat f"), TIME).toMatch(/^401 .*none of this server's/);
  file(CI.replace("expires", "expire").replace("token_file", "token_fle"));
  server?.kill("SIGHUP");
  await expect.poll(() => said, TIME).toMatch(/nothing has changed: .*token_fle/);
  expect(await call(origin, NAMED, "docs", "cat f")).toMatch(/^401 /);
});
