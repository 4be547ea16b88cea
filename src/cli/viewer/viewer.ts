/**
 * `shelpa-mcp audit serve`: the audit as a page in a browser on this machine. Loopback alone; every request must carry
 * the token that was printed, and a Host that is ours, so that no other page can reach it. Nothing comes from elsewhere.
 */
import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { callRecords } from "../../audit/call-log.ts";
import { DamagedMirror } from "../../audit/mirror.ts";
import { currentContent, NotRestorable, planRestore, recordedState, restore } from "../../audit/restore.ts";
import { verifyAudit } from "../../audit/verify.ts";
import { changeOf, writeRecords } from "../../audit/write-records.ts";
import { showName } from "../../display/visible.ts";
import { FileError } from "../../workspace/file-error.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { approvalOf, authorOf, callAuthor } from "../audit/who.ts";
import page from "./page.html";
import { sideBySide } from "./side-by-side.ts";

export interface Viewer {
  /** The address with the token: everybody who has it may restore files. */
  readonly url: string;
  readonly server: Server;
}

const MOST_BODY_BYTES = 4096;

/** Listens on 127.0.0.1; `port` 0 takes a free one. Rejects where the port is taken. */
export async function serveViewer(workspace: Workspace, port: number): Promise<Viewer> {
  const token = randomBytes(24).toString("base64url");
  const server = createServer((request, response) => {
    answer(workspace, token, request, response).catch((thrown: unknown) => {
      send(response, statusOf(thrown), "application/json", JSON.stringify({ error: messageOf(thrown) }, spelledOut));
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

async function answer(workspace: Workspace, token: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { port } = request.socket.address() as { port: number };
  if (request.headers.host !== `127.0.0.1:${port}` && request.headers.host !== `localhost:${port}`) {
    throw new Rejected(403, "this page is served to this machine alone");
  }
  const url = new URL(request.url ?? "/", "http://127.0.0.1");
  // The page itself says nothing. The token is behind # in its address, and goes into a header from there.
  if (request.method === "GET" && url.pathname === "/") {
    const nonce = randomBytes(16).toString("base64");
    send(response, 200, "text/html; charset=utf-8", page.replaceAll("{{nonce}}", nonce), nonce);
    return;
  }
  if (!isToken(request.headers.authorization, token)) throw new Rejected(401, "the address lacks the token that was printed");
  send(response, 200, "application/json", JSON.stringify(await content(workspace, request, url), spelledOut));
}

/**
 * Spells out characters that would begin a line or change the direction of the text beside them: the page shows names and
 * command lines as it gets them. Lines of a difference (`text`) are spelled out already, and keep their tabs.
 */
const spelledOut = (key: string, value: unknown): unknown => (typeof value === "string" && key !== "text" ? showName(value) : value);

async function content(workspace: Workspace, request: IncomingMessage, url: URL): Promise<unknown> {
  const writer = workspace.writer();
  switch (`${request.method} ${url.pathname}`) {
    case "GET /api/timeline":
      return {
        root: workspace.rootPath,
        records: writeRecords(writer).map((record) => ({
          ...record,
          change: changeOf(record),
          author: authorOf(record),
          approval: approvalOf(record),
        })),
        calls: Array.from(callRecords(writer), (call) => ({ ...call, author: callAuthor(call) })),
      };
    case "GET /api/verify":
      return verifyAudit(workspace);
    case "GET /api/diff": {
      const id = url.searchParams.get("record") ?? "";
      const before = recordedState(workspace, id, "before").content;
      const after = recordedState(workspace, id, "after");
      const now = currentContent(workspace, after.path);
      return {
        ...sideBySide(before ?? Buffer.alloc(0), after.content ?? Buffer.alloc(0)),
        isBinary: (before?.includes(0) ?? false) || (after.content?.includes(0) ?? false),
        isCurrent: now === undefined ? after.content === undefined : after.content !== undefined && now.equals(after.content),
      };
    }
    case "POST /api/restore": {
      const { record, undo } = await body(request);
      if (typeof record !== "string" || typeof undo !== "boolean")
        throw new Rejected(400, "a restore names a record and says whether it undoes it");
      const plan = planRestore(workspace, record, { undo });
      const line = `shelpa-mcp audit restore ${record}${undo ? " --undo" : ""}`;
      const id = restore(workspace, plan, { session: "", client: "audit viewer", line });
      return { path: plan.path, record: id ?? null };
    }
    default:
      throw new Rejected(404, "there is nothing here");
  }
}

async function body(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  const blocks: Buffer[] = [];
  let bytes = 0;
  for await (const block of request as AsyncIterable<Buffer>) {
    bytes += block.length;
    if (bytes > MOST_BODY_BYTES) throw new Rejected(413, "that is too much");
    blocks.push(block);
  }
  try {
    const value: unknown = JSON.parse(Buffer.concat(blocks).toString("utf8"));
    if (typeof value === "object" && value !== null) return value as Readonly<Record<string, unknown>>;
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown;
  }
  throw new Rejected(400, "that is no JSON object");
}

class Rejected extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

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

function send(response: ServerResponse, status: number, type: string, text: string, nonce?: string): void {
  const sources = nonce === undefined ? "" : `; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; connect-src 'self'; img-src data:`;
  response.writeHead(status, {
    "content-type": type,
    "cache-control": "no-store",
    "content-security-policy": `default-src 'none'${sources}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
  });
  response.end(text);
}
