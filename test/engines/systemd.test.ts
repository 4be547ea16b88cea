/** examples/systemd: systemd takes the units, and what they start ends when it is idle and is started again by the next connection. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { needs } from "../needs.ts";
import { tree, type Tree } from "../tree.ts";

const EXAMPLES = fileURLToPath(new URL("../../examples/systemd/", import.meta.url));
const PROGRAM = fileURLToPath(new URL("../../dist/shelpa-mcp.js", import.meta.url));
const TIME = { timeout: 60_000 };
const TOKEN = "a-token-of-the-test-of-systemd";
const textOf = (name: string): string => readFileSync(join(EXAMPLES, name), "utf8");
const unit = textOf("shelpa-mcp.service");

let place: Tree;
let running: ChildProcess | undefined;
beforeEach(() => {
  place = tree(["workspaces/web/page.html: <p>\n"]);
});
afterEach(async () => {
  if (running?.exitCode === null && running.signalCode === null) {
    running.kill("SIGKILL");
    await once(running, "exit");
  }
  running = undefined;
  place.remove();
});

needs("systemd-analyze").describe("systemd-analyze", () => {
  test("verify", TIME, () => {
    cpSync(EXAMPLES, join(place.path, "units"), { recursive: true });
    writeFileSync(join(place.path, "units/shelpa-mcp.service"), unit.replace("/usr/bin/node", process.execPath));
    const files = ["socket", "service"].map((kind) => join(place.path, `units/shelpa-mcp.${kind}`));
    expect(execFileSync("systemd-analyze", ["verify", ...files], { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] })).toBe("");
  });
  test("security: at most 1.0 of 10", TIME, () => {
    const file = join(EXAMPLES, "shelpa-mcp.service");
    const told = execFileSync("systemd-analyze", ["security", "--offline=true", "--no-pager", "--threshold=10", file], {
      encoding: "utf8",
    });
    expect(told).toMatch(/Overall exposure level for shelpa-mcp\.service: 0\.\d SAFE/);
  });
});

test("the service has each credential that the server's file names, and the file each that it has", () => {
  const loaded = [...unit.matchAll(/^LoadCredential=([^:]+):/gm)].map(([, name]) => `/run/credentials/shelpa-mcp.service/${name}`);
  expect([...textOf("server.toml").matchAll(/^token_file = "(.*)"$/gm)].map(([, path]) => path)).toEqual(loaded);
});

needs("systemd-socket-activate").test("a call starts it, it ends when it is idle, the next call starts it again", TIME, async () => {
  mkdirSync(join(place.path, "credentials"));
  for (const name of ["ci", "prometheus"]) writeFileSync(join(place.path, `credentials/${name}.token`), `${TOKEN}-${name}`);
  const file = textOf("server.toml")
    .replaceAll("/run/credentials/shelpa-mcp.service/", join(place.path, "credentials/"))
    .replace("/srv/workspaces", join(place.path, "workspaces"))
    .replace("exit_idle_seconds = 600", "exit_idle_seconds = 1");
  writeFileSync(join(place.path, "server.toml"), file);
  const [, words = ""] = /^ExecStart=\S+ \S+ (.*)$/m.exec(unit) ?? [];
  const argv = words.replace("/etc/shelpa/server.toml", join(place.path, "server.toml")).split(" ");
  const port = await freePort();
  for (const expected of ["page.html\\n", "made.txt\\npage.html\\n"]) {
    const child = spawn("systemd-socket-activate", ["-l", `127.0.0.1:${port}`, process.execPath, PROGRAM, ...argv], {
      env: { PATH: "/usr/bin:/bin", HOME: place.path },
      stdio: ["ignore", "ignore", "pipe"],
    });
    running = child;
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
    await expect.poll(() => said, TIME).toContain("Listening on");
    expect(said).not.toContain("shelpa-mcp: listening");
    expect(await call(port, "ls; echo x | tee made.txt >/dev/null")).toContain(`"text":"${expected}"`);
    if (child.exitCode === null) await once(child, "exit");
    expect(child.exitCode).toBe(0);
  }
});

async function call(port: number, command: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/w/web/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${TOKEN}-ci`,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "shelpa_pipe", arguments: { command } } }),
  });
  return answer.text();
}

async function freePort(): Promise<number> {
  const listening = createServer();
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  const address = listening.address();
  await new Promise((resolve) => listening.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}
