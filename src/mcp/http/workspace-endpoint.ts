/** MCP over HTTP for one workspace, in both protocol eras: a request with an envelope is stateless, `initialize` opens a session. */
import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  type McpHttpHandler,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { handed, requestFactsOf, type RequestFacts } from "../request-facts.ts";
import type { EndedToolCall, ServerEvents } from "../server-events.ts";
import { createShelpaServer, type ShelpaServerOptions } from "../server.ts";
import type { ShellService } from "../shell-service.ts";
import { idOf, rejection, unavailable } from "./rejection.ts";
import { HttpSessions, type SessionRoom } from "./sessions.ts";

export interface EndpointOptions extends Omit<ShelpaServerOptions, "listsOutputs" | "session" | "onCallEnded"> {
  readonly events?: ServerEvents | undefined;
  /** Makes the server of a client; a test adds to it. Default: `createShelpaServer`. */
  readonly createServer?: typeof createShelpaServer;
}

export class WorkspaceEndpoint {
  /** The stateless era, and single requests of the older ones. */
  readonly #handler: McpHttpHandler;
  readonly #sessions: HttpSessions;

  /** `room`: places for sessions that are shared with other workspaces. */
  constructor(service: ShellService, options: EndpointOptions, room?: SessionRoom) {
    const { createServer: create = createShelpaServer, events } = options;
    const onCallEnded = (call: EndedToolCall, context: ServerContext): void => {
      const { requestId, workspace, principal } = requestFactsOf(context) ?? {};
      events?.callEnded?.({ ...call, requestId, workspace, caller: principal?.name, subject: principal?.subject });
    };
    // A caller's clients are several: one that should read another's output is told its address.
    const shared = { ...options, onCallEnded, listsOutputs: false };
    // What a client has sent, commonly, and no fault of ours.
    const onerror = ({ message }: Error): void => {
      if (events?.noted === undefined) options.log(`protocol: ${message}`);
      else events.noted({ level: "warning", message: `protocol: ${message}` });
    };
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
    this.#sessions = new HttpSessions(newServer, onerror, room);
  }

  /** Sessions that are open. */
  get sessions(): number {
    return this.#sessions.size;
  }

  /** True where a client may be waiting for one of the sessions. */
  get isInUse(): boolean {
    return this.#sessions.isInUse;
  }

  /** `message` is the request's body, parsed; undefined where it has none. */
  async respond(request: Request, message: unknown, facts: RequestFacts | undefined): Promise<Response> {
    const id = request.headers.get("mcp-session-id");
    const isOlder = message === undefined || (await isLegacyRequest(request, message));
    if (isOlder && id !== null) {
      return (await this.#sessions.answer(id, request, message, facts)) ?? rejection(404, "Session not found", -32001, idOf(message));
    }
    if (isOlder && message !== undefined && isInitializeRequest(message)) {
      return (await this.#sessions.open(request, message, facts)) ?? tooManySessions(message);
    }
    return this.#handler.fetch(request, { ...handed(facts), ...(message === undefined ? {} : { parsedBody: message }) });
  }

  async close(): Promise<void> {
    await Promise.all([this.#handler.close(), this.#sessions.close()]);
  }
}

/** No session ends because another client wants one. */
const tooManySessions = (message: unknown): Response =>
  unavailable("as many sessions are in use as there can be; try again in a minute", 60, idOf(message));
