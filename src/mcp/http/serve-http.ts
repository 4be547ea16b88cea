/**
 * Serves any number of clients over Streamable HTTP at /mcp, in both protocol eras. A request with an envelope is stateless,
 * `initialize` opens a session, and a single request without either is answered as if it were alone.
 */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server as HttpServer, type ServerResponse } from "node:http";
import {
  type AuthInfo,
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  type McpHttpHandler,
  type Server,
} from "@modelcontextprotocol/server";
import { IN_PARTS, readMessage } from "../message-lines.ts";
import { createShelpaServer, type ShelpaServerOptions } from "../server.ts";
import type { ShellService } from "../shell-service.ts";
import { authInfoOf } from "../request-facts.ts";
import { type Authenticator, isRefusal } from "./authenticator.ts";
import { BodyTooLarge, bodyOf, webRequestOf, writeResponse } from "./exchange.ts";
import { Gate, type GateOptions } from "./gate.ts";
import { HttpSessions } from "./sessions.ts";

export interface ServeHttpOptions extends Omit<ShelpaServerOptions, "outputs" | "listsOutputs" | "isAuthenticated" | "session"> {
  /** An address or a name; "" is every address. */
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly gate: GateOptions;
  /** Default: no token is asked for. Only a test's server leaves it out. */
  readonly authenticator?: Authenticator;
  /** Makes the server of a client; a test adds to it. Default: `createShelpaServer`. */
  readonly createServer?: typeof createShelpaServer;
}

export interface HttpServing {
  /** `http://127.0.0.1:3456/mcp` */
  readonly url: string;
  /** Takes no more requests, gives those in flight `DRAIN_MS`, then ends them. */
  close(): Promise<void>;
}

export const MCP_PATH = "/mcp";
/** Path answered to any client, without a token, so that an orchestrator can see that the process serves. */
const HEALTH_PATH = "/healthz";

/** Methods allowed on each path. Any other path or method is answered with 404 or 405 before the headers are examined. */
const METHODS: ReadonlyMap<string, readonly string[]> = new Map([
  [MCP_PATH, ["GET", "POST", "DELETE", "OPTIONS"]],
  [HEALTH_PATH, ["GET", "HEAD"]],
]);

/** Longest request, as on standard input. */
const MAX_BODY_BYTES = 8 << 20;
const MAX_CONNECTIONS = 4096;
/** Connections that wait to be taken. */
const BACKLOG = 1024;
/**
 * Time a connection may stay idle, in milliseconds: longer than a client or a proxy keeps one (a minute, commonly), so that
 * the other side ends it, and no connection is closed under a request that has just been sent.
 */
const KEEP_ALIVE_MS = 75_000;
/** A client that takes longer to send its head, or all of its request, is let go; milliseconds. */
const HEAD_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const TIMEOUTS = { headersTimeout: HEAD_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS, keepAliveTimeout: KEEP_ALIVE_MS } as const;
/** Time that calls in flight may go on after `close`, in milliseconds. */
const DRAIN_MS = 2000;

/** Listens. Rejects with what `listen` says, as where the port is taken. */
export async function serveOverHttp(service: ShellService, options: ServeHttpOptions): Promise<HttpServing> {
  const endpoint = new Endpoint(service, options);
  // Joined, two headers where one must be are seen to be wrong; else all but the first would be dropped.
  const server = createServer({ ...TIMEOUTS, joinDuplicateHeaders: true }, (request, response) => {
    endpoint.handle(request, response).catch((error: unknown) => {
      options.log(`http: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      if (response.headersSent) response.destroy();
      else refuse(response, 500, "the server failed; its log says more", {}, -32603);
    });
  });
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port: options.port, backlog: BACKLOG, ...(options.host !== "" && { host: options.host }) }, resolve);
  });
  const close = (): Promise<void> => endpoint.close(server);
  return { url: urlOf(server, options.host), close };
}

class Endpoint {
  readonly #gate: Gate;
  readonly #authenticator: Authenticator | undefined;
  /** The stateless era, and single requests of the older ones. */
  readonly #handler: McpHttpHandler;
  readonly #sessions: HttpSessions;
  readonly #inFlight = new Set<Promise<void>>();
  #closing = false;

  constructor(service: ShellService, options: ServeHttpOptions) {
    this.#gate = new Gate(options.gate);
    this.#authenticator = options.authenticator;
    const { createServer: create = createShelpaServer } = options;
    // Outputs are kept for all clients together: one is found by its address, which nobody can guess.
    const shared = { ...options, listsOutputs: false, isAuthenticated: options.authenticator !== undefined };
    const onerror = (error: Error): void => options.log(`protocol: ${error.message}`);
    this.#handler = createMcpHandler(() => create(service, { ...shared, session: "of its own" }), { onerror });
    const newServer = (): Server => {
      const session = service.openSession();
      const server = create(service, { ...shared, session });
      const { onclose } = server;
      server.onclose = () => {
        service.closeSession(session);
        onclose?.();
      };
      return server;
    };
    this.#sessions = new HttpSessions(newServer, onerror);
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? "").replace(/\?.*$/s, "");
    const methods = METHODS.get(path);
    if (methods === undefined) return refuse(response, 404, `there is nothing but ${MCP_PATH}`);
    if (!methods.includes(request.method ?? "")) {
      return refuse(response, 405, `${path} takes ${methods.join(", ")}`, { Allow: methods.join(", ") });
    }
    if (path === HEALTH_PATH) return void response.writeHead(200, { "Content-Type": "text/plain" }).end("ok\n");
    const stranger = this.#gate.checkOrigin(request.headers);
    if (stranger !== undefined) return refuse(response, stranger.status, stranger.message, stranger.headers);
    allowPage(request, response);
    if (request.method === "OPTIONS") return void response.writeHead(204).end();
    const principal = await this.#authenticator?.authenticate(request.headers, path);
    if (principal !== undefined && isRefusal(principal)) {
      return refuse(response, principal.status, principal.message, principal.headers);
    }
    const authInfo = principal && authInfoOf({ requestId: randomUUID(), workspace: undefined, principal });
    if (this.#closing) return refuse(response, 503, "the server is going down", { Connection: "close" });
    const answered = this.#answer(request, response, authInfo);
    // A stream of events that a client keeps open is not waited for.
    if (request.method === "GET") return answered;
    this.#inFlight.add(answered);
    await answered.finally(() => this.#inFlight.delete(answered));
  }

  async close(server: HttpServer): Promise<void> {
    this.#closing = true;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, DRAIN_MS)));
    await Promise.race([Promise.allSettled(this.#inFlight), late]);
    clearTimeout(timer);
    await Promise.all([this.#handler.close(), this.#sessions.close()]);
    server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse, authInfo: AuthInfo | undefined): Promise<void> {
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const answer = await this.#respond(request, gone.signal, authInfo).catch((error: unknown) => {
      if (error instanceof BodyTooLarge)
        return rejection(413, `the body is longer than ${MAX_BODY_BYTES} bytes, and none of it was done. ${IN_PARTS}`);
      if (gone.signal.aborted) return undefined;
      throw error;
    });
    if (answer === undefined || response.destroyed) return;
    // The unread rest of a refused body would be taken for the next request.
    if (!request.complete) response.setHeader("Connection", "close");
    await writeResponse(answer, response);
  }

  async #respond(request: IncomingMessage, signal: AbortSignal, authInfo: AuthInfo | undefined): Promise<Response> {
    const web = webRequestOf(request, signal);
    const body = request.method === "POST" ? await bodyOf(request, MAX_BODY_BYTES) : undefined;
    let message: unknown;
    if (body !== undefined && isJson(request)) {
      const read = readMessage(body);
      if (read.kind === "blank") return rejection(400, "Parse error: the body is empty", -32700);
      if (read.kind === "fault") return rejection(400, read.text, read.code, read.id);
      ({ message } = read);
    }
    const id = web.headers.get("mcp-session-id");
    const handed = { ...(authInfo === undefined ? {} : { authInfo }), ...(message === undefined ? {} : { parsedBody: message }) };
    const isOlder = message === undefined || (await isLegacyRequest(web, message));
    if (isOlder && id !== null) {
      return (await this.#sessions.answer(id, web, handed)) ?? rejection(404, "Session not found", -32001, idOf(message));
    }
    if (isOlder && message !== undefined && isInitializeRequest(message)) {
      return (await this.#sessions.open(web, handed)) ?? busy(idOf(message));
    }
    return this.#handler.fetch(web, handed);
  }
}

const isJson = ({ headers }: IncomingMessage): boolean => /^application\/json\s*(;|$)/i.test(headers["content-type"] ?? "");

function idOf(message: unknown): string | number | null {
  const id: unknown = typeof message === "object" && message !== null && "id" in message ? message.id : null;
  return typeof id === "string" || typeof id === "number" ? id : null;
}

/** Lets a page whose origin has passed the gate read the answers. */
function allowPage({ headers: { origin } }: IncomingMessage, response: ServerResponse): void {
  if (origin === undefined) return;
  response.setHeader("Access-Control-Allow-Origin", origin);
  response.setHeader("Vary", "Origin");
  response.setHeader("Access-Control-Allow-Methods", "GET, POST, DELETE");
  response.setHeader(
    "Access-Control-Allow-Headers",
    "Authorization, Content-Type, Last-Event-ID, Mcp-Method, Mcp-Name, Mcp-Protocol-Version, Mcp-Session-Id",
  );
  response.setHeader("Access-Control-Expose-Headers", "Mcp-Session-Id, WWW-Authenticate");
}

function rejection(status: number, message: string, code = -32000, id: string | number | null = null): Response {
  return Response.json({ jsonrpc: "2.0", id, error: { code, message } }, { status });
}

/** Answers 503: every session is in use, and no session ends because another client wants one. */
function busy(id: string | number | null): Response {
  const answer = rejection(503, "as many sessions are in use as there can be; try again in a minute", -32000, id);
  answer.headers.set("Retry-After", "60");
  return answer;
}

function refuse(
  response: ServerResponse,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  code = -32000,
): void {
  const body = JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message } });
  // The body of the request has not been read, and is not going to be.
  response.writeHead(status, { "Content-Type": "application/json", Connection: "close", ...headers }).end(body);
}

function urlOf(server: HttpServer, host: string): string {
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the server has no port");
  const name = host === "" ? "localhost" : host.includes(":") ? `[${host}]` : host;
  return `http://${name}:${address.port}${MCP_PATH}`;
}
