/** `shelpa-mcp --workspaces`, as a process: each with its own policy, read again at SIGHUP, on a socket that it is handed. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { tree, type Tree } from "../tree.ts";

const PROGRAM = fileURLToPath(new URL("../../dist/shelpa-mcp.js", import.meta.url));
const TOKEN = "a-token-of-the-test";
const TIME = { timeout: 60_000 };

let place: Tree;
let server: ChildProcess | undefined;
let said = "";
let printed = "";
beforeEach(() => {
  place = tree(["all/web/page.html: <p>\n", "all/data/table.csv: 1\n", "own/f: own\n", "docs/d: doc\n", "policy.toml: \n"]);
});
afterEach(async () => {
  if (server?.exitCode === null && server.signalCode === null) {
    server.kill("SIGKILL");
    await once(server, "exit");
  }
  server = undefined;
  place.remove();
});

const at = (...names: string[]): string => join(place.path, ...names);

/** Starts it, and gives the URL without the path. */
async function start(argv: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<string> {
  said = "";
  printed = "";
  const child = spawn(process.execPath, [PROGRAM, ...argv], {
    env: { PATH: "/usr/bin:/bin", HOME: place.path, SHELPA_HTTP_TOKEN: TOKEN, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  server = child;
  child.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  await expect.poll(() => said, TIME).toMatch(/listening on |: /);
  return /listening on (http:\/\/[^/]+)/.exec(said)?.[1] ?? "";
}

const request = (command: string): RequestInit => ({
  method: "POST",
  headers: {
    authorization: `Bearer ${TOKEN}`,
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
  },
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "shelpa_pipe", arguments: { command } } }),
});

async function call(origin: string, name: string, command: string): Promise<string> {
  const answer = await fetch(`${origin}/w/${name}/mcp`, request(command));
  return `${answer.status} ${await answer.text()}`;
}

describe("a directory of workspaces", () => {
  test("each is a root of its own, and records in it", TIME, async () => {
    const origin = await start(["--workspaces", at("all"), "--http", "127.0.0.1:0"]);
    expect(await call(origin, "web", "ls")).toContain("page.html");
    expect(await call(origin, "data", "seq 3 | tee made.txt; ls")).toContain("table.csv");
    expect(await call(origin, "web", "cat ../data/table.csv")).toContain("PATH_ESCAPE");
    expect(await call(origin, "none", "ls")).toMatch(/^404 /);
    expect([existsSync(at("all/data/.shelpa")), existsSync(at("all/web/.shelpa"))]).toEqual([true, false]);
  });

  test("ends in order at the first signal", TIME, async () => {
    await start(["--workspaces", at("all"), "--http", "127.0.0.1:0"]);
    server?.kill("SIGTERM");
    const [code] = (await once(server as ChildProcess, "exit")) as [number | null];
    expect(code).toBe(0);
  });
});

describe("a file of workspaces", () => {
  const file = (text: string): string => {
    writeFileSync(at("server.toml"), text);
    return at("server.toml");
  };

  test("policies and mounts are each workspace's own, and change with SIGHUP while a call runs", TIME, async () => {
    const before = `[workspaces.own]
root = "own"
read_only = true
mounts = { "/docs" = "docs" }
[workspaces.web]
root = "all/web"
`;
    const path = file(before);
    const origin = await start(["--workspaces", path, "--http", "127.0.0.1:0"]);
    expect(await call(origin, "own", "cat /docs/d")).toContain("doc");
    expect(await call(origin, "web", "cat /docs/d")).not.toContain("doc\\n");
    expect(await call(origin, "own", "tee new < f")).toContain("READ_ONLY");
    expect(await call(origin, "web", "tee new < page.html")).not.toContain("READ_ONLY");
    const long = call(origin, "own", "sleep 3; echo done");
    await call(origin, "own", "ls");
    file(before.replace("read_only = true\n", ""));
    server?.kill("SIGHUP");
    await expect.poll(() => said, TIME).toMatch(/is set up anew/);
    expect(await call(origin, "own", "tee new < f")).not.toContain("READ_ONLY");
    expect(await long).toContain("done");
    file("[workspaces");
    server?.kill("SIGHUP");
    await expect.poll(() => said, TIME).toMatch(/nothing has changed/);
    expect(await call(origin, "own", "cat new")).toContain("own");
  });

  test("SIGHUP says which tables wait for the next start, and takes the rest", TIME, async () => {
    const before = '[workspaces.own]\nroot = "own"\n[limits]\nsessions = 10\n';
    const path = file(before);
    const origin = await start(["--workspaces", path, "--http", "127.0.0.1:0"]);
    file(`${before.replace("10", "11")}[log]\nformat = "text"\n[audit]\nsinks = []\n[workspaces.web]\nroot = "all/web"\n`);
    server?.kill("SIGHUP");
    await expect
      .poll(() => said, TIME)
      .toMatch(/ warning \[limits\], \[log\], \[audit\]: what has changed there takes effect with the next start$/m);
    expect(await call(origin, "web", "ls")).toContain("page.html");
    const told = (): number => said.split("takes effect with the next start").length - 1;
    file(before);
    server?.kill("SIGHUP");
    await expect.poll(() => said.match(/ read again$/gm)?.length, TIME).toBe(2);
    expect(told()).toBe(1);
  });

  test("neither the file nor the token's can be read by a workspace that has them", TIME, async () => {
    writeFileSync(at("own/token"), TOKEN);
    writeFileSync(at("own/server.toml"), '[workspaces.own]\nroot = "."\n');
    const argv = ["--workspaces", at("own/server.toml"), "--http", "127.0.0.1:0", "--token-file", at("own/token")];
    const origin = await start(argv);
    for (const name of ["token", "server.toml"]) {
      expect(await call(origin, "own", `cat ${name}`)).toContain("the policy of this server does not let it be read");
      expect(await call(origin, "own", `tee ${name} < f`)).toContain("PROTECTED_PATH");
    }
  });

  test.each<[text: string, problem: string]>([
    ["[workspaces.a]\nroots = 1\n", "unknown key 'workspaces.a.roots'"],
    ["", "it names no workspace"],
  ])("%j: bad usage", TIME, async (text, problem) => {
    await start(["--workspaces", file(text)]);
    expect(said).toContain(problem);
    if (server?.exitCode === null) await once(server, "exit");
    expect(server?.exitCode).toBe(2);
  });
});

test.each<{ name: string; argv: () => readonly string[] }>([
  { name: "many workspaces, by its file", argv: () => ["--workspaces", jsonFile(), "--http", "127.0.0.1:0"] },
  { name: "many workspaces with a new token", argv: () => ["--workspaces", at("all"), "--http", "127.0.0.1:0", "--log", "json"] },
  { name: "one workspace", argv: () => ["--root", at("own"), "--http", "127.0.0.1:0", "--log", "json"] },
])("a server of $name says in JSON alone what it says", TIME, async ({ name, argv }) => {
  const isNew = name.endsWith("new token");
  await start(argv(), isNew ? { SHELPA_HTTP_TOKEN: "" } : {});
  if (isNew) await expect.poll(() => said, TIME).toContain("Authorization: Bearer ");
  server?.kill("SIGTERM");
  if (server?.exitCode === null) await once(server, "exit");
  const lines = said.trimEnd().split("\n");
  const messages = lines.map((line) => (JSON.parse(line) as { readonly message: string }).message);
  expect(messages[0]).toMatch(/^listening on http:/);
  expect(messages.length).toBe(isNew ? 2 : 1);
});

function jsonFile(): string {
  writeFileSync(at("server.toml"), 'directory = "all"\n[log]\nformat = "json"\n');
  return at("server.toml");
}

describe("going down", () => {
  const ended = async (): Promise<number | null> => {
    if (server?.exitCode === null) await once(server, "exit");
    return server?.exitCode ?? null;
  };
  const ready = async (origin: string): Promise<string> => {
    const answer = await fetch(`${origin}/readyz`);
    return `${answer.status} ${await answer.text()}`;
  };

  test("a call that runs is answered as stopped", TIME, async () => {
    const origin = await start(["--workspaces", at("all"), "--http", "127.0.0.1:0"]);
    const long = call(origin, "web", "tee begun < page.html; sleep 500");
    await expect.poll(() => existsSync(at("all/web/begun")), TIME).toBe(true);
    server?.kill("SIGTERM");
    expect(await long).toMatch(/^200 .*LIMIT_TIME: cancelled before it had ended/s);
    expect(await ended()).toBe(0);
  });

  test("with --grace it says so, and takes calls on connections that it does not keep, until a second signal", TIME, async () => {
    const origin = await start(["--workspaces", at("all"), "--http", "127.0.0.1:0", "--grace", "3600"]);
    expect(await ready(origin)).toBe("200 ready\n");
    server?.kill("SIGTERM");
    await expect.poll(() => ready(origin), TIME).toBe("503 the server is going down\n");
    const answer = await fetch(`${origin}/w/web/mcp`, request("ls"));
    expect([answer.status, answer.headers.get("connection"), (await answer.text()).includes("page.html")]).toEqual([200, "close", true]);
    expect(said).toContain("going down: calls are taken for another 3600 s");
    server?.kill("SIGTERM");
    expect(await ended()).toBe(143);
  });

  test("after the time of --grace it ends", TIME, async () => {
    await start(["--workspaces", at("all"), "--http", "127.0.0.1:0", "--grace", "0.2"]);
    server?.kill("SIGTERM");
    expect(await ended()).toBe(0);
  });

  test("a server of one workspace does the same", TIME, async () => {
    const origin = await start(["--root", at("own"), "--http", "127.0.0.1:0", "--grace", "3600"]);
    server?.kill("SIGTERM");
    await expect.poll(() => ready(origin), TIME).toBe("503 the server is going down\n");
    server?.kill("SIGTERM");
    expect(await ended()).toBe(143);
  });
});

describe("records that are sent elsewhere", () => {
  const withAudit = (table: string): string[] => {
    writeFileSync(at("server.toml"), `directory = "all"\n[audit]\nstate = "state"\n${table}`);
    return ["--workspaces", at("server.toml"), "--http", "127.0.0.1:0"];
  };

  test("to standard output, also those that the last run of the server did not send", TIME, async () => {
    let origin = await start(withAudit('sinks = [{ type = "syslog", url = "tcp://127.0.0.1:9" }]'));
    expect(await call(origin, "web", "echo 1 | tee one")).not.toContain("AUDIT_UNAVAILABLE");
    server?.kill("SIGTERM");
    await once(server as ChildProcess, "exit");
    origin = await start(withAudit('sinks = [{ type = "stdout" }]'));
    await call(origin, "web", "echo 2 | tee two");
    // Records of the journal alone: an intent and its outcome for each write.
    const paths = (): string[] => [...printed.matchAll(/"path\\*":\\*"(\w+)\\*"/g)].map(([, path = ""]) => path);
    await expect.poll(paths, TIME).toEqual(["one", "one", "two", "two"]);
    server?.kill("SIGTERM");
    await once(server as ChildProcess, "exit");
    origin = await start(withAudit('sinks = [{ type = "stdout" }]'));
    await call(origin, "web", "echo 3 | tee three");
    await expect.poll(paths, TIME).toEqual(["three", "three"]);
    // Nothing was ever written there.
    await call(origin, "data", "cat ../web/page.html");
    await expect.poll(() => printed, TIME).toMatch(/"workspace":"data","log":"calls".*PATH_ESCAPE/);
  });
});

describe("a socket that it is handed", () => {
  test("is listened on, and the server ends when nobody has used it for a while", TIME, async () => {
    const listening = createServer();
    await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
    const address = listening.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    writeFileSync(at("server.toml"), 'directory = "all"\n[limits]\nexit_idle_seconds = 2\n');
    // The variable names the process that the socket is for, which nobody knows before it is there.
    const script = `LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" "$@"`;
    const { fd } = (listening as unknown as { readonly _handle: { readonly fd: number } })._handle;
    const child = spawn("/bin/sh", ["-c", script, process.execPath, PROGRAM, "--workspaces", at("server.toml")], {
      env: { PATH: "/usr/bin:/bin", HOME: place.path, SHELPA_HTTP_TOKEN: TOKEN },
      stdio: ["ignore", "ignore", "pipe", fd],
    });
    server = child;
    said = "";
    child.stderr?.on("data", (chunk: Buffer) => (said += chunk.toString()));
    await expect.poll(() => said, TIME).toContain(`listening on http://127.0.0.1:${port}/w/NAME/mcp`);
    listening.close();
    expect(await call(`http://127.0.0.1:${port}`, "web", "ls")).toContain("page.html");
    const [code] = child.exitCode === null ? ((await once(child, "exit")) as [number | null]) : [child.exitCode];
    expect(code).toBe(0);
  });
});
