/**
 * Serves any number of clients over Streamable HTTP, of one workspace at /mcp or of many at /w/NAME/mcp: who may speak, limits, and
 * going down. What is said at an endpoint is for workspace-endpoint.ts.
 */
import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server as HttpServer, type ServerResponse } from "node:http";
import { IN_PARTS, readMessage } from "../message-lines.ts";
import type { CallerName, Principal } from "../principal.ts";
import { ownerKey, type RequestFacts } from "../request-facts.ts";
import type { RequestEvent, ServerEvents } from "../server-events.ts";
import type { ShellService } from "../shell-service.ts";
import { type ConnectionLimits, Connections } from "./connections.ts";
import { BodyRoom, BodyTooLarge, bodyOf, NoRoomForBody, OutgoingRoom, webRequestOf, writeResponse } from "./exchange.ts";
import { type Authenticator, isRefusal, METRICS_PATH } from "./authenticator.ts";
import { Gate, type GateOptions, type GateRefusal } from "./gate.ts";
import { LiveRequests } from "./live-requests.ts";
import { allowPage, refuse, refuseLater, refuseUnknown, showMetadata, showText } from "./plain-answers.ts";
import type { ProtectedResource } from "./protected-resource.ts";
import { type CallerLimits, type CallPlace, tooManyAnswer } from "./caller-limits.ts";
import { readKind, type ReadKind } from "./counted-requests.ts";
import { EXPOSITION_TYPE } from "./exposition.ts";
import { ReadTurns, type ReadTurnsOptions } from "./read-turns.ts";
import { READINESS_PATH, type ReadinessAnswer } from "./readiness.ts";
import { idOf, rejection, unavailable } from "./rejection.ts";
import { MCP_PATH, SingleSite, type Place, type Site } from "./site.ts";
import { WorkspaceEndpoint, type EndpointOptions } from "./workspace-endpoint.ts";

export interface ListenOptions {
  /** An address or a name; "" is every address. */
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** A socket that listens already, by its descriptor, in place of the two. */
  readonly socket?: number | undefined;
  readonly gate: GateOptions;
  /** Default: no token is asked for. Only a test's server leaves it out. */
  readonly authenticator?: Authenticator | undefined;
  /** Its metadata are served. Default: there are none. */
  readonly resource?: ProtectedResource | undefined;
  readonly events?: ServerEvents | undefined;
  /** Default: callers have no limits of their own. */
  readonly callerLimits?: CallerLimits | undefined;
  /** The text of /metrics. Default: there is no such path. */
  readonly metrics?: (() => string) | undefined;
  /** The answer of /readyz. Default: there is no such path. */
  readonly readiness?: ((isGoingDown: boolean) => ReadinessAnswer) | undefined;
  /** For faults of ours; one line each. */
  readonly log: (line: string) => void;
}

export interface ServeHttpOptions extends ListenOptions, EndpointOptions {}

export interface HttpServing {
  /** `http://127.0.0.1:3456/mcp`, or of many workspaces `http://127.0.0.1:3456/w/NAME/mcp`. */
  readonly url: string;
  /** Milliseconds since a request was in flight; 0 while one is. */
  unusedMs(): number;
  /** Ends requests and streams whose tokens the authenticator does not take any more (LiveRequests); gives their number. */
  endRevoked(): Promise<number>;
  /**
   * Takes requests for another `graceMs` (default: 0), in which it says that it is not ready and keeps no connection; then takes no more of
   * them, gives those in flight `DRAIN_MS`, and ends them.
   */
  close(graceMs?: number): Promise<void>;
}

/** Path answered to any client, without a token, so that an orchestrator can see that the process serves. */
const HEALTH_PATH = "/healthz";

const READ_METHODS: readonly string[] = ["GET", "HEAD"];
const MCP_METHODS: readonly string[] = ["GET", "POST", "DELETE", "OPTIONS"];

/** Longest request, as on standard input. */
const MAX_BODY_BYTES = 8 << 20;
/** Bodies that are being received, together. */
const BODY_ROOM_BYTES = 128 << 20;
const MAX_CONNECTIONS = 4096;
/** A quarter of all is kept for callers. */
const STRANGERS: ConnectionLimits = { ofAddress: 256, ofAll: 3072 };
/** Answers that wait for their readers, together. */
const OUTGOING_ROOM_BYTES = 64 << 20;
/** Connections that wait to be taken. */
const BACKLOG = 1024;
/**
 * Time a connection may stay idle, in milliseconds: longer than a client or a proxy keeps one (a minute, commonly), so that
 * the other side ends it, and no connection is closed under a request that has just been sent.
 */
const KEEP_ALIVE_MS = 75_000;
/** A client that takes longer to send its head, or all of its request, is let go; milliseconds. */
const HEAD_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** Node looks at the two so often; milliseconds. */
const CHECKING_MS = 1_000;
const TIMEOUTS = {
  headersTimeout: HEAD_TIMEOUT_MS,
  requestTimeout: REQUEST_TIMEOUT_MS,
  connectionsCheckingInterval: CHECKING_MS,
  keepAliveTimeout: KEEP_ALIVE_MS,
} as const;
/** One caller's reads together are fewer than the requests that a workspace answers at once (64). */
const OUTPUT_READS: ReadTurnsOptions = { atOnce: 1, waiting: 15, mostRestMs: 250 };
const LOOK_UPS: ReadTurnsOptions = { atOnce: 4, waiting: 28, mostRestMs: 0 };
/** Time that calls in flight may go on after `close`, in milliseconds. */
const DRAIN_MS = 2000;

/** Serves one workspace at /mcp. Rejects with what `listen` says, as where the port is taken. */
export function serveOverHttp(service: ShellService, options: ServeHttpOptions): Promise<HttpServing> {
  const endpoint = new WorkspaceEndpoint(service, { ...options, isAuthenticated: options.authenticator !== undefined });
  return serveSite(new SingleSite(endpoint), MCP_PATH, options);
}

/** The same for the endpoints of `site`; `shownPath` is theirs in the URL that is shown. */
export async function serveSite(site: Site, shownPath: string, options: ListenOptions): Promise<HttpServing> {
  const door = new Door(site, options);
  const server = createServer({ ...TIMEOUTS, joinDuplicateHeaders: true }, (request, response) => {
    door.handle(request, response).catch((error: unknown) => {
      options.log(`http: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      if (response.headersSent) response.destroy();
      else refuse(response, 500, "the server failed; its log says more", {}, -32603);
    });
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.on("connection", (socket) => door.connections.add(socket));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    const { socket, host, port } = options;
    if (socket === undefined) server.listen({ port, backlog: BACKLOG, ...(host !== "" && { host }) }, resolve);
    else server.listen({ fd: socket }, resolve);
  });
  const close = (graceMs = 0): Promise<void> => door.close(server, graceMs);
  return { url: urlOf(server, options.host, shownPath), unusedMs: () => door.unusedMs, endRevoked: () => door.endRevoked(), close };
}

class Door {
  readonly #site: Site;
  readonly #gate: Gate;
  readonly #options: ListenOptions;
  readonly #inFlight = new Set<Promise<void>>();
  readonly #live = new LiveRequests();
  readonly #outgoing = new OutgoingRoom(OUTGOING_ROOM_BYTES);
  readonly connections = new Connections(STRANGERS);
  readonly #bodies = new BodyRoom(BODY_ROOM_BYTES);
  readonly #reads: Readonly<Record<ReadKind, ReadTurns>> = {
    output: new ReadTurns(OUTPUT_READS),
    "look-up": new ReadTurns(LOOK_UPS),
  };
  /** Requests that are being answered, streams among them. */
  #requests = 0;
  #usedAtMs = performance.now();
  #isGoingDown = false;
  /** True when requests are taken no more. */
  #isClosing = false;

  constructor(site: Site, options: ListenOptions) {
    this.#site = site;
    this.#gate = new Gate(options.gate);
    this.#options = options;
  }

  get unusedMs(): number {
    return this.#requests > 0 ? 0 : performance.now() - this.#usedAtMs;
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? "").replace(/\?.*$/s, "");
    const method = request.method ?? "";
    const requestId = randomBytes(8).toString("hex");
    response.setHeader("X-Request-Id", requestId);
    // The client's next request is for another server.
    if (this.#isGoingDown) response.setHeader("Connection", "close");
    const place = this.#site.placeOf(path);
    const metadata = this.#options.resource?.metadataAt(path);
    const methods = place === undefined ? this.#readMethods(path, metadata !== undefined) : MCP_METHODS;
    const who: Who = { caller: undefined, principal: undefined };
    this.#watch(request, response, {
      requestId,
      path: methods === undefined ? "other" : shownPath(path, place),
      workspace: place?.workspace,
      who,
    });
    // Before the headers are examined.
    if (methods === undefined) return refuse(response, 404, "there is no such path");
    if (!methods.includes(method)) return refuse(response, 405, `${path} takes ${methods.join(", ")}`, { Allow: methods.join(", ") });
    if (path === HEALTH_PATH) return showText(response, 200, "ok\n");
    if (path === READINESS_PATH) return this.#showReadiness(response);
    // By whatever name a caller reaches the server: no web page has its token.
    if (path === METRICS_PATH) return this.#showMetrics(request, response, who);
    if (metadata !== undefined) return showMetadata(response, metadata);
    const stranger = this.#gate.checkOrigin(request.headers);
    if (stranger !== undefined) return refuse(response, stranger.status, stranger.message, stranger.headers);
    allowPage(request, response);
    if (method === "OPTIONS") return void response.writeHead(204).end();
    const refused = await this.#admit(request, path, who);
    if (refused !== undefined) return refuse(response, refused.status, refused.message, refused.headers);
    if (this.#isClosing) return refuse(response, 503, "the server is going down", { Connection: "close" });
    const { workspace } = place ?? {};
    const { principal } = who;
    // The same answer, as soon, for a workspace that is not there and for one that is another's.
    if (workspace !== undefined && principal?.mayEnter(workspace) === false) return refuseUnknown(response);
    const isCall = method !== "GET";
    const live = principal && this.#live.add({ request, response, path, workspace, principal });
    if (!isCall) live?.endAtExpiry();
    const asked: Asked = { request, response, facts: principal && live && { requestId, workspace, principal, revoked: live.revoked } };
    const answered = this.#answered(workspace, isCall, asked);
    // A stream of events that a client keeps open is not waited for.
    if (!isCall) return answered;
    this.#inFlight.add(answered);
    await answered.finally(() => this.#inFlight.delete(answered));
  }

  async close(server: HttpServer, graceMs: number): Promise<void> {
    this.#isGoingDown = true;
    if (graceMs > 0) await new Promise((resolve) => setTimeout(resolve, graceMs));
    this.#isClosing = true;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, DRAIN_MS)));
    await Promise.race([Promise.allSettled(this.#inFlight), late]);
    clearTimeout(timer);
    await this.#site.close();
    server.closeAllConnections();
    await closed;
  }

  endRevoked(): Promise<number> {
    const { authenticator } = this.#options;
    return authenticator === undefined ? Promise.resolve(0) : this.#live.endRevoked(authenticator);
  }

  /** Methods of a path that is no endpoint's; undefined where there is no such path. */
  #readMethods(path: string, isMetadata: boolean): readonly string[] | undefined {
    const { metrics, readiness } = this.#options;
    const isThere =
      path === HEALTH_PATH ||
      isMetadata ||
      (path === METRICS_PATH && metrics !== undefined) ||
      (path === READINESS_PATH && readiness !== undefined);
    return isThere ? READ_METHODS : undefined;
  }

  /** Finds out who calls; the refusal where that is nobody, or somebody without the right that the path needs. */
  async #admit(request: IncomingMessage, path: string, who: Who): Promise<GateRefusal | undefined> {
    const answer = await this.#options.authenticator?.authenticate(request.headers, path);
    if (answer === undefined) {
      this.connections.know(request.socket);
      return undefined;
    }
    if (isRefusal(answer)) {
      who.caller = answer.caller;
      return answer;
    }
    this.connections.know(request.socket);
    who.caller = answer;
    who.principal = answer;
    return undefined;
  }

  #showReadiness(response: ServerResponse): void {
    const { status, body } = this.#options.readiness?.(this.#isGoingDown) ?? { status: 503, body: "" };
    showText(response, status, body);
  }

  async #showMetrics(request: IncomingMessage, response: ServerResponse, who: Who): Promise<void> {
    const refused = await this.#admit(request, METRICS_PATH, who);
    if (refused !== undefined) return refuse(response, refused.status, refused.message, refused.headers);
    response.writeHead(200, { "Content-Type": EXPOSITION_TYPE }).end(this.#options.metrics?.());
  }

  /** Tells the server's operator of the request's arrival and its end. */
  #watch(
    request: IncomingMessage,
    response: ServerResponse,
    { requestId, path, workspace, who }: { readonly who: Who } & Pick<RequestEvent, "requestId" | "path" | "workspace">,
  ): void {
    const { events } = this.#options;
    const startedMs = performance.now();
    const { traceparent } = request.headers;
    events?.requestStarted?.({
      requestId,
      startedAtMs: Date.now(),
      traceparent: typeof traceparent === "string" ? traceparent : undefined,
    });
    const address = request.socket.remoteAddress;
    this.#requests++;
    response.once("close", () => {
      this.#requests--;
      this.#usedAtMs = performance.now();
      const { name: caller, subject } = who.caller ?? {};
      const seconds = (performance.now() - startedMs) / 1000;
      const { method = "" } = request;
      events?.requestEnded?.({ requestId, method, path, status: response.statusCode, seconds, caller, subject, workspace, address });
    });
  }

  async #answered(workspace: string | undefined, isCall: boolean, asked: Asked): Promise<void> {
    const { response } = asked;
    const outcome = await this.#site.use(workspace, isCall, (endpoint) => this.#answer(endpoint, asked));
    if (outcome === "done" || response.headersSent) return;
    if (outcome === "unknown") return refuseUnknown(response);
    if (outcome === "crowded") return refuseLater(response);
    if (outcome === "full") return refuse(response, 503, "as many workspaces are in use as may be open", { "Retry-After": "60" });
    refuse(response, 503, "the workspace cannot be opened; the server's log says why", { "Retry-After": "60" }, -32603);
  }

  async #answer(endpoint: WorkspaceEndpoint, { request, response, facts }: Asked): Promise<void> {
    // It has gone while it was found out who it is.
    if (response.destroyed) return;
    const gone = new AbortController();
    const { callerLimits } = this.#options;
    const places: CallPlace[] = [];
    const enter = async (message: unknown): Promise<Response | undefined> => {
      const caller = ownerKey(facts);
      const kind = readKind(message);
      for (const enters of [() => callerLimits?.enter(caller, message), () => kind && this.#reads[kind].enter(caller)]) {
        const entered = await enters();
        if (entered?.kind === "too many") return tooManyAnswer(entered, idOf(message));
        if (entered === undefined) continue;
        // The client may have gone while it waited.
        if (gone.signal.aborted) entered.leave();
        else places.push(entered);
      }
      return undefined;
    };
    response.once("close", () => {
      gone.abort();
      for (const place of places) place.leave();
    });
    const answer = await respond(endpoint, request, gone.signal, { facts, enter, bodies: this.#bodies }).catch((error: unknown) => {
      if (error instanceof BodyTooLarge)
        return rejection(413, `the body is longer than ${MAX_BODY_BYTES} bytes, and none of it was done. ${IN_PARTS}`);
      if (error instanceof NoRoomForBody) return unavailable("the bodies of other requests take all the room that there is", 5);
      if (gone.signal.aborted) return undefined;
      throw error;
    });
    if (answer === undefined || response.destroyed) return;
    // The unread rest of a refused body would be taken for the next request.
    if (!request.complete) response.setHeader("Connection", "close");
    await writeResponse(answer, response, this.#outgoing);
  }
}

/** A request at an endpoint. Without an authenticator nobody is known. */
interface Asked {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly facts: RequestFacts | undefined;
}

interface RespondOptions {
  readonly facts: RequestFacts | undefined;
  /** The refusal of a message that is past its caller's limits. */
  readonly enter: (message: unknown) => Promise<Response | undefined>;
  readonly bodies: BodyRoom;
}

async function respond(
  endpoint: WorkspaceEndpoint,
  request: IncomingMessage,
  signal: AbortSignal,
  { facts, enter, bodies }: RespondOptions,
): Promise<Response> {
  const web = webRequestOf(request, signal);
  const body = request.method === "POST" ? await bodyOf(request, MAX_BODY_BYTES, bodies) : undefined;
  let message: unknown;
  if (body !== undefined && isJson(request)) {
    const read = readMessage(body);
    if (read.kind === "blank") return rejection(400, "Parse error: the body is empty", -32700);
    if (read.kind === "fault") return rejection(400, read.text, read.code, read.id);
    ({ message } = read);
  }
  const refused = await enter(message);
  signal.throwIfAborted();
  return refused ?? endpoint.respond(web, message, facts);
}

/** Whoever has been found to call, once that is known. */
interface Who {
  /** For the log; also of a caller that is refused. */
  caller: CallerName | undefined;
  principal: Principal | undefined;
}

/** A path as the operator sees it: names of workspaces are a field of their own. */
const shownPath = (path: string, place: Place | undefined): string => (place?.workspace === undefined ? path : "/w/NAME/mcp");

const isJson = ({ headers }: IncomingMessage): boolean => /^application\/json\s*(;|$)/i.test(headers["content-type"] ?? "");

function urlOf(server: HttpServer, host: string, path: string): string {
  const address = server.address();
  if (typeof address === "string") return `http+unix://${address}${path}`;
  if (address === null) throw new Error("the server has no address");
  const name = host === "" ? "localhost" : host.includes(":") ? `[${host}]` : host;
  return `http://${name}:${address.port}${path}`;
}
