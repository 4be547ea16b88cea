/**
 * `shelpa-mcp audit serve`: the audit as a page in a browser on this machine. Loopback alone; every request must carry
 * the token that was printed, and a Host that is ours, so that no other page can reach it. Nothing comes from elsewhere.
 */
import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { DamagedMirror } from "../../audit/mirror.ts";
import { NotRestorable } from "../../audit/restore.ts";
import { showName } from "../../display/visible.ts";
import { FileError } from "../../workspace/file-error.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import page from "./page/page.html";
import { Rejected } from "./rejected.ts";
import { ViewerApi } from "./viewer-api.ts";

export interface Viewer {
  /** The address with the token: everybody who has it may restore files. */
  readonly url: string;
  readonly server: Server;
}

/** Reads the audit, then listens on 127.0.0.1; `port` 0 takes a free one. Rejects where the port is taken. Throws FileError. */
export async function serveViewer(workspace: Workspace, port: number): Promise<Viewer> {
  const token = randomBytes(24).toString("base64url");
  const api = new ViewerApi(workspace);
  const server = createServer((request, response) => {
    answer(api, token, request, response).catch((thrown: unknown) => {
      if (response.headersSent) response.destroy();
      else send(response, statusOf(thrown), "application/json", JSON.stringify({ error: messageOf(thrown) }, spelledOut));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the server has no port");
  return { url: `http://127.0.0.1:${address.port}/#${token}`, server };
}

async function answer(api: ViewerApi, token: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { port } = request.socket.address() as { port: number };
  if (request.headers.host !== `127.0.0.1:${port}` && request.headers.host !== `localhost:${port}`) {
    throw new Rejected(403, "this page is served to this machine alone");
  }
  const { origin } = request.headers;
  if (origin !== undefined && origin !== `http://127.0.0.1:${port}` && origin !== `http://localhost:${port}`) {
    throw new Rejected(403, "another page may not ask");
  }
  const url = new URL(request.url ?? "/", "http://127.0.0.1");
  // The page itself says nothing. The token is behind # in its address, and goes into a header from there.
  if (request.method === "GET" && url.pathname === "/") {
    const nonce = randomBytes(16).toString("base64");
    send(response, 200, "text/html; charset=utf-8", page.replaceAll("{{nonce}}", nonce), nonce);
    return;
  }
  if (!isToken(request.headers.authorization, token)) throw new Rejected(401, "the address lacks the token that was printed");
  const answered = await api.answer(request, url);
  if (answered.kind === "json") send(response, 200, "application/json", JSON.stringify(answered.value, spelledOut));
  else if (answered.kind === "bytes") send(response, 200, "application/octet-stream", answered.bytes);
  else await sendEach(response, answered.type, answered.lines);
}

/**
 * Spells out characters that would begin a line or change the direction of the text beside them: the page shows names and
 * command lines as it gets them. Lines of a difference (`text`) are spelled out already, and keep their tabs.
 */
const spelledOut = (key: string, value: unknown): unknown => (typeof value === "string" && key !== "text" ? showName(value) : value);

function isToken(header: string | undefined, token: string): boolean {
  const given = Buffer.from(header ?? "");
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

const statusOf = (thrown: unknown): number =>
  thrown instanceof Rejected
    ? thrown.status
    : thrown instanceof NotRestorable || thrown instanceof DamagedMirror || thrown instanceof FileError
      ? 409
      : 500;

function messageOf(thrown: unknown): string {
  if (thrown instanceof FileError) return `${thrown.path}: ${thrown.message}`;
  return thrown instanceof Error ? thrown.message : String(thrown);
}

function send(response: ServerResponse, status: number, type: string, content: string | Uint8Array, nonce?: string): void {
  response.writeHead(status, headersOf(type, nonce));
  response.end(content);
}

/** Sends lines at the pace of the reader, without holding more than a block of them; other requests are answered meanwhile. */
async function sendEach(response: ServerResponse, type: string, lines: Iterable<string>): Promise<void> {
  response.writeHead(200, headersOf(type));
  let block = "";
  for (const line of lines) {
    block += line;
    if (block.length < BLOCK_CHARACTERS) continue;
    if (!(await written(response, block))) return;
    block = "";
  }
  response.end(block);
}

const BLOCK_CHARACTERS = 1 << 16;

/** False where nobody reads any more. */
const written = (response: ServerResponse, block: string): Promise<boolean> =>
  new Promise((resolve) => response.write(block, (error) => resolve(error == null)));

function headersOf(type: string, nonce?: string): Record<string, string> {
  const sources = nonce === undefined ? "" : `; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; connect-src 'self'; img-src data:`;
  return {
    "content-type": type,
    "cache-control": "no-store",
    "content-security-policy": `default-src 'none'${sources}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
  };
}
