/** A running `shelpa-mcp audit serve`, and requests to it. */
import { spawn, spawnSync } from "node:child_process";
import { request } from "node:http";
import { fileURLToPath } from "node:url";

const SHELL = fileURLToPath(new URL("../../../dist/shelpa.js", import.meta.url));
const SERVER = fileURLToPath(new URL("../../../dist/shelpa-mcp.js", import.meta.url));

export interface Reply {
  readonly status: number | undefined;
  readonly text: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

export interface Served {
  /** The address that was printed. */
  readonly url: URL;
  /** The headers with the token. */
  readonly authorized: Readonly<Record<string, string>>;
  readonly ask: (path: string, headers?: Readonly<Record<string, string>>, body?: string) => Promise<Reply>;
  readonly stop: () => void;
}

/** Serves the audit of a directory, once its address is printed. */
export async function served(directory: string): Promise<Served> {
  const server = spawn(process.execPath, [SERVER, "audit", "serve"], { cwd: directory });
  const printed = await new Promise<string>((resolve, reject) => {
    server.stdout.once("data", (bytes: Buffer) => resolve(bytes.toString()));
    server.stderr.once("data", (bytes: Buffer) => reject(new Error(bytes.toString())));
  });
  const url = new URL(printed.trim());
  const ask: Served["ask"] = (path, headers = {}, body) =>
    new Promise((resolve, reject) => {
      const sent = request(
        { host: url.hostname, port: url.port, path, headers, method: body === undefined ? "GET" : "POST" },
        (response) => {
          const blocks: Buffer[] = [];
          response.on("data", (bytes: Buffer) => blocks.push(bytes));
          response.on("end", () =>
            resolve({ status: response.statusCode, text: Buffer.concat(blocks).toString(), headers: response.headers }),
          );
        },
      );
      sent.on("error", reject);
      sent.end(body);
    });
  return { url, authorized: { authorization: `Bearer ${url.hash.slice(1)}` }, ask, stop: () => server.kill("SIGTERM") };
}

/** Runs a command line in `directory`; a session of each call. */
export function shell(directory: string, line: string): void {
  const { status, stderr } = spawnSync(process.execPath, [SHELL, "-c", line], { cwd: directory, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
}

/** Calls the server in `directory` with a command line, as claude-code. */
export function call(directory: string, command: string): void {
  const initialize = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "claude-code", version: "2.1.4" } };
  const messages = [
    { jsonrpc: "2.0", id: 0, method: "initialize", params: initialize },
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "shelpa_pipe", arguments: { command } } },
  ];
  const input = messages.map((message) => `${JSON.stringify(message)}\n`).join("");
  const { status, stderr } = spawnSync(process.execPath, [SERVER, "--root", "."], { cwd: directory, input, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
}

/** Makes five records and three refusals. */
export function recordFive(directory: string): void {
  shell(directory, "sed 's/b = 2/b = 20/' src/a.ts | tee src/a.ts");
  shell(directory, "printf '<b>not markup</b>\\n' | tee notes.md");
  shell(directory, "printf 'one\\n' | tee docs/one.md docs/two.md");
  // One process each, because a server answers calls beside each other.
  for (const line of ["sed 's/c = 3/c = 30/' src/a.ts | tee src/a.ts", "nmap localhost", "cat /etc/passwd", "nmap -A localhost"])
    call(directory, line);
}

export const FIVE = ["src/a.ts: const a = 1;\nconst b = 2;\nconst c = 3;\n", "docs/"];
