/** Attempts to get from one workspace of a server to another: by paths, links, sessions, outputs, scratch, records and names. */
import { readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DEFAULT_POLICY, type Policy } from "../../src/config/policy.ts";
import { RIGHTS } from "../../src/config/server/rights.ts";
import { ExecutorPool } from "../../src/exec/executor-pool.ts";
import type { Authenticator } from "../../src/mcp/http/authenticator.ts";
import { serveSite, type HttpServing } from "../../src/mcp/http/serve-http.ts";
import { Workspaces } from "../../src/mcp/http/workspaces.ts";
import { createShellService } from "../../src/mcp/service.ts";
import { tree, type Tree } from "../tree.ts";

const SECRET = "the-secret-of-the-victim";
const SETUPS = ["mallory", "victim"] as const;

let place: Tree;
let pool: ExecutorPool;
let serving: HttpServing;
/** What the victim has made: ids of its output, its record, its session. */
const known = { output: "", record: "", session: "", handle: "" };

/** The token is the name of the one workspace that may be entered. */
const ownOnly: Authenticator = {
  authenticate: async ({ authorization = "" }) => {
    const name = authorization.replace(/^Bearer /, "");
    return { name, rights: new Set(RIGHTS), mayEnter: (workspace) => workspace === name };
  },
};

beforeAll(async () => {
  place = tree([`victim/secret.txt: ${SECRET}\n`, "victim/sub/b: b\n", "mallory/own.txt: own\n"]);
  symlinkSync("../victim", join(place.path, "mallory/link"));
  symlinkSync(join(place.path, "victim/secret.txt"), join(place.path, "mallory/file-link"));
  pool = new ExecutorPool({ running: 2, processes: 2, isShared: true, hasCallers: false, waiting: 50, idleMs: 60_000 });
  const policy: Policy = DEFAULT_POLICY;
  const workspaces = new Workspaces({
    find: async (name) => (SETUPS.some((known) => known === name) ? { name } : undefined),
    open: async ({ name }) => ({
      service: await createShellService({ root: join(place.path, name), policy, aliases: [], isolation: "process", pool }),
      options: { version: "0", readOnly: false, log: () => undefined },
    }),
    limits: { open: 10, requests: 3, idleMs: 600_000, sessions: 10 },
    noted: () => undefined,
  });
  const gate = { hosts: [], origins: [] };
  serving = await serveSite(workspaces, "", { host: "127.0.0.1", port: 0, gate, authenticator: ownOnly, log: () => undefined });
  const initialized = await send("victim", "initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "v", version: "0" },
  });
  known.session = initialized.session;
  const written = await run("victim", "cat secret.txt | tee copy.txt /tmp/left.txt", known.session);
  known.record = /undo (\d+)/.exec(written)?.[1] ?? "";
  const moved = await run("victim", "cd sub && cat ../secret.txt");
  known.handle = /"session\\?": \\?"([\w-]+)\\?"/.exec(moved)?.[1] ?? "";
  expect(known.record).not.toBe("");
  expect(known.handle).not.toBe("");
}, 60_000);
afterAll(async () => {
  await serving.close();
  place.remove();
});

async function send(
  workspace: string,
  method: string,
  params: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number; text: string; session: string }> {
  const answer = await fetch(`${serving.url}/w/${workspace}/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${workspace}`,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  return { status: answer.status, text: await answer.text(), session: answer.headers.get("mcp-session-id") ?? "" };
}

async function run(workspace: string, command: string, session?: string, options: object = {}): Promise<string> {
  const headers: Record<string, string> = session === undefined ? {} : { "mcp-session-id": session };
  return (await send(workspace, "tools/call", { name: "shelpa_pipe", arguments: { command, ...options } }, headers)).text;
}

test("the directory that holds the workspaces is not shown: how many links it has tells how many there are", async () => {
  // Mode, links, owner, size and time of `.` and `..` are alike.
  const kinds = await run("mallory", "ls -lan --time-style=full-iso | sed -n 's/ \\.\\.*$//p' | sort -u | wc -l");
  expect(kinds).toContain('"text":"1\\n');
});

describe("a line of another workspace sees nothing of the victim", () => {
  test.each<[line: string]>([
    ["cat ../victim/secret.txt"],
    ["cat PLACE/victim/secret.txt"],
    ["cat /../PLACE/victim/secret.txt"],
    ["cat link/secret.txt"],
    ["cat file-link"],
    ["cat -- file-link own.txt"],
    ["ls -la link/"],
    ["cd link && cat secret.txt"],
    ["cd .. && ls"],
    ["find -L . -type f | xargs cat"],
    ["find / -name 'secret*'"],
    ["rg -uu -L . ."],
    ["grep -rR secret ."],
    ["fd -L -H . | xargs cat"],
    ["git -C ../victim log"],
    ["cat /tmp/left.txt"],
    ["ls -la /tmp"],
    ["cat /proc/self/cwd/../victim/secret.txt"],
    ["cat /proc/self/fd/4/../victim/secret.txt"],
    ["cat /proc/*/cmdline"],
    ["@out 1"],
    ["@out 2"],
    ["history"],
    ["history ../victim/copy.txt"],
    ["undo RECORD"],
    ["undo --dry-run RECORD"],
    ["tee ../victim/mine.txt < own.txt"],
    ["tee link/mine.txt < own.txt"],
    ["cp own.txt link/mine.txt"],
    ["mv own.txt ../victim/"],
    ["tee file-link < own.txt"],
    ["policy"],
  ])("%s", { timeout: 30_000 }, async (line) => {
    const command = line.replace("PLACE", place.path.slice(line.includes("/../PLACE") ? 1 : 0)).replace("RECORD", known.record);
    const answers = [await run("mallory", command), await run("mallory", command, undefined, { cwd: "link" })];
    for (const answer of answers) {
      expect(answer).not.toContain(SECRET);
      expect(answer.replaceAll("../victim/copy.txt", "")).not.toContain("copy.txt");
    }
    expect(readFileSync(join(place.path, "victim/secret.txt"), "utf8")).toBe(`${SECRET}\n`);
    expect(readdirSync(join(place.path, "victim")).toSorted()).toEqual([".shelpa", "copy.txt", "secret.txt", "sub"]);
  });
});

describe("what the victim was given is of no use elsewhere", () => {
  test("its session of the protocol", async () => {
    const { status } = await send(
      "mallory",
      "tools/call",
      { name: "shelpa_pipe", arguments: { command: "ls" } },
      { "mcp-session-id": known.session },
    );
    expect(status).toBe(404);
  });

  test("the handle of its session", { timeout: 30_000 }, async () => {
    const answer = await run("mallory", "pwd; cat ../secret.txt secret.txt", undefined, { session: known.handle });
    expect(answer).not.toContain(SECRET);
    expect(answer).toContain("not known");
  });

  test("the addresses of resources", { timeout: 30_000 }, async () => {
    const [own] = /shelpa:\/\/output\/([\w-]+)/.exec(await run("victim", "cat secret.txt", known.session)) ?? [];
    for (const uri of [own ?? "shelpa://output/1", "shelpa://file/../victim/secret.txt", "shelpa://file/link/secret.txt"])
      expect((await send("mallory", "resources/read", { uri })).text).not.toContain(SECRET);
    expect((await send("mallory", "resources/list", {})).text).not.toContain("secret");
  });

  test("its address with the token of another, which looks like one that nobody has", async () => {
    const body = { name: "shelpa_pipe", arguments: { command: "cat secret.txt" } };
    const [there, nowhere] = [
      await send("victim", "tools/call", body, { authorization: "Bearer mallory" }),
      await send("nowhere", "tools/call", body, { authorization: "Bearer mallory" }),
    ];
    expect(there).toEqual(nowhere);
    expect(there.status).toBe(404);
  });
});

test("no process runs lines of two workspaces", { timeout: 30_000 }, async () => {
  const { executors } = pool;
  expect(executors.busy + executors.idle).toBeLessThanOrEqual(2);
  await run("mallory", "seq 3 | tee /tmp/mine.txt", known.session);
  expect(await run("victim", "cat /tmp/mine.txt", known.session)).toContain("No such file");
});
