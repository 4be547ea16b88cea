/**
 * HTTP sessions of clients that open with `initialize` (protocol revisions up to 2025-11-25). Each has its own server
 * instance, current directory and stream of events, found by its `Mcp-Session-Id`. The stateless era has no sessions.
 */
import { randomUUID } from "node:crypto";
import { isSpecType, WebStandardStreamableHTTPServerTransport, type Server } from "@modelcontextprotocol/server";
import { handed, ownerKey, type RequestFacts } from "../request-facts.ts";

/** Most sessions of a workspace at once; the one unused longest ends for another, if nobody can be waiting for it any more. */
const MAX_SESSIONS = 256;
/** A session that was used within so long is in use, in milliseconds: most clients give a call up before that. */
const SESSION_IN_USE_MS = 5 * 60 * 1000;
/** A session unused for so long ends, in milliseconds. */
const SESSION_IDLE_MS = 60 * 60 * 1000;
const SWEEP_MS = 60 * 1000;

/** Places for sessions that several workspaces share. */
export class SessionRoom {
  readonly #most: number;
  readonly #members = new Set<HttpSessions>();
  readonly #byOwner = new Map<string, number>();
  #taken = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get taken(): number {
    return this.#taken;
  }

  join(member: HttpSessions): void {
    this.#members.add(member);
  }

  leave(member: HttpSessions): void {
    this.#members.delete(member);
  }

  /**
   * Takes a place for a session of `owner`. The session unused longest, of whichever workspace, ends for it where nobody can be waiting for
   * that one, or where another caller holds more than half of all places: then that caller's. False where there is no place.
   */
  take(owner: string): boolean {
    if (this.#taken >= this.#most) {
      const [unused] = [...this.#members].sort((one, other) => one.oldestUseMs() - other.oldestUseMs());
      if (unused?.endUnused() !== true) this.#endOneOf(holderOfMost(this.#byOwner, this.#most), owner);
    }
    if (this.#taken >= this.#most) return false;
    this.#taken++;
    count(this.#byOwner, owner, 1);
    return true;
  }

  give(owner: string): void {
    this.#taken--;
    count(this.#byOwner, owner, -1);
  }

  #endOneOf(holder: string | undefined, owner: string): void {
    if (holder === undefined || holder === owner) return;
    const [member] = [...this.#members].sort((one, other) => one.oldestUseMs(holder) - other.oldestUseMs(holder));
    member?.endOldestOf(holder);
  }
}

function count(byOwner: Map<string, number>, owner: string, change: 1 | -1): void {
  const held = (byOwner.get(owner) ?? 0) + change;
  if (held > 0) byOwner.set(owner, held);
  else byOwner.delete(owner);
}

/** The caller that holds more than half of `places`; undefined where nobody does. */
const holderOfMost = (byOwner: ReadonlyMap<string, number>, places: number): string | undefined =>
  [...byOwner].find(([, held]) => held > places / 2)?.[0];

interface HttpSession {
  /** Key of the caller that it belongs to: to know a session's id is not to be its owner. */
  readonly owner: string;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly server: Server;
  usedAtMs: number;
}

export class HttpSessions {
  /** The one unused longest first. */
  readonly #sessions = new Map<string, HttpSession>();
  /** Places that are kept for sessions that are being opened. */
  readonly #opening = new Set<object>();
  readonly #newServer: () => Server;
  readonly #onError: (error: Error) => void;
  readonly #room: SessionRoom;
  readonly #sweep: NodeJS.Timeout;

  constructor(newServer: () => Server, onError: (error: Error) => void, room: SessionRoom = new SessionRoom(MAX_SESSIONS)) {
    this.#newServer = newServer;
    this.#onError = onError;
    this.#room = room;
    room.join(this);
    this.#sweep = setInterval(() => this.#endIdle(), SWEEP_MS).unref();
  }

  get size(): number {
    return this.#sessions.size + this.#opening.size;
  }

  /** True where a client may be waiting for one of them. */
  get isInUse(): boolean {
    const last = [...this.#sessions.values()].at(-1);
    return this.#opening.size > 0 || (last !== undefined && Date.now() - last.usedAtMs <= SESSION_IN_USE_MS);
  }

  /** Instant of the last use of the session, of `owner` where one is given, that was used least recently; Infinity where there is none. */
  oldestUseMs(owner?: string): number {
    for (const session of this.#sessions.values()) if (owner === undefined || session.owner === owner) return session.usedAtMs;
    return Infinity;
  }

  /** Ends the session of `owner` that was used least recently. */
  endOldestOf(owner: string): void {
    const [id] = [...this.#sessions].find(([, session]) => session.owner === owner) ?? [];
    if (id !== undefined) void this.#end(id);
  }

  /** Ends the session unused longest, where nobody can be waiting for it. False where there is none. */
  endUnused(): boolean {
    const [oldest] = this.#sessions;
    if (oldest === undefined || Date.now() - oldest[1].usedAtMs <= SESSION_IN_USE_MS) return false;
    void this.#end(oldest[0]);
    return true;
  }

  /** Opens a session with an `initialize`; undefined where there can be no more. */
  async open(request: Request, parsedBody: unknown, facts: RequestFacts | undefined): Promise<Response | undefined> {
    const owner = ownerKey(facts);
    if (!this.#hasRoom(owner)) return undefined;
    const place = {};
    this.#opening.add(place);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        this.#opening.delete(place);
        this.#sessions.set(id, { owner, transport, server, usedAtMs: Date.now() });
      },
      onsessionclosed: (id) => this.#end(id),
    });
    const server = this.#newServer();
    transport.onerror = this.#onError;
    try {
      await server.connect(transport);
      return await transport.handleRequest(request, { parsedBody, ...handed(facts) });
    } finally {
      if (this.#opening.delete(place)) this.#room.give(owner);
    }
  }

  /** Answers within the session `id`; undefined if no such session of this caller exists, or no longer. */
  async answer(id: string, request: Request, parsedBody: unknown, facts: RequestFacts | undefined): Promise<Response | undefined> {
    const session = this.#sessions.get(id);
    if (session?.owner !== ownerKey(facts)) return undefined;
    if (answersQuestion(parsedBody) && !mayApprove(facts)) return notTaken();
    session.usedAtMs = Date.now();
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    const answer = await session.transport.handleRequest(request, {
      ...handed(facts),
      ...(parsedBody === undefined ? {} : { parsedBody }),
    });
    // A request that was cancelled is never answered, and its stream would stay open for as long as the session does.
    const cancelled = cancelledBy(parsedBody);
    if (cancelled !== undefined) session.transport.closeSSEStream(cancelled);
    return answer;
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep);
    this.#room.leave(this);
    await Promise.all([...this.#sessions.keys()].map((id) => this.#end(id)));
  }

  /** Takes a place for a session of `owner`, for which another ends where there is none without that (SessionRoom.take). */
  #hasRoom(owner: string): boolean {
    if (this.size >= MAX_SESSIONS && !this.endUnused()) {
      const byOwner = new Map<string, number>();
      for (const session of this.#sessions.values()) count(byOwner, session.owner, 1);
      const holder = holderOfMost(byOwner, MAX_SESSIONS);
      if (holder !== undefined && holder !== owner) this.endOldestOf(holder);
    }
    return this.size < MAX_SESSIONS && this.#room.take(owner);
  }

  #endIdle(): void {
    for (const [id, { usedAtMs }] of this.#sessions) if (Date.now() - usedAtMs > SESSION_IDLE_MS) void this.#end(id);
  }

  async #end(id: string): Promise<void> {
    const session = this.#sessions.get(id);
    if (session === undefined) return;
    this.#sessions.delete(id);
    this.#room.give(session.owner);
    await session.server.close().catch(this.#onError);
  }
}

/** A session's caller may come with another token of its own, whose rights are fewer. */
const mayApprove = (facts: RequestFacts | undefined): boolean => facts === undefined || facts.principal.rights.has("approve");

/** Tells whether a message, or one of a batch, is a client's response: this server asks it for nothing but a human's approval. */
const answersQuestion = (message: unknown): boolean =>
  [message].flat().some((each) => typeof each === "object" && each !== null && ("result" in each || "error" in each));

const notTaken = (): Response =>
  Response.json(
    { jsonrpc: "2.0", id: null, error: { code: -32000, message: "this caller may not approve, so its answer is not taken" } },
    { status: 403 },
  );

/** The request that `message` cancels, where it does. */
function cancelledBy(message: unknown): string | number | undefined {
  if (!isSpecType.CancelledNotification(message)) return undefined;
  return message.params.requestId;
}
