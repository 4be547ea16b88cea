/** Events of a server that its operator sees: in the logs, the metrics and the traces. Types only. */
import type { CallRecord } from "../audit/call-log.ts";

/** A listener's method must not throw, and does no more than it can within a call: what takes time is done later. */
export interface ServerEvents {
  /** A request has arrived. `requestEnded` with the same id follows, once. */
  requestStarted?(event: StartedRequest): void;
  /** A request has been answered, or its connection has ended. */
  requestEnded?(event: RequestEvent): void;
  /** A command line has ended; where it came in a request, before that one's `requestEnded`, unless the client has gone. */
  callEnded?(event: CallEvent): void;
  /** Something of the server's own: started, reloaded, a workspace that cannot be opened, a fault. */
  noted?(event: NotedEvent): void;
}

export interface StartedRequest {
  readonly requestId: string;
  /** Of Date.now(). */
  readonly startedAtMs: number;
  /** Header of W3C Trace Context as the client sent it; nobody has looked at it. */
  readonly traceparent?: string | undefined;
}

export interface RequestEvent {
  /** Unique in this run of the server; also in the answer's header `X-Request-Id`. */
  readonly requestId: string;
  readonly method: string;
  /** A path of the server's own, such as "/w/NAME/mcp" (so spelled) for those of workspaces; "other" for all that a stranger may ask for. */
  readonly path: string;
  readonly status: number;
  readonly seconds: number;
  /** Of a request that is refused, too, where its token is somebody's: one that has expired, or lacks a right. */
  readonly caller: string | undefined;
  readonly subject: string | undefined;
  readonly workspace: string | undefined;
  /** Address of the connection's other end: the client's, or its proxy's. */
  readonly address?: string | undefined;
}

/** A command line that has ended, as the shell's service knows it. */
export interface EndedCall {
  readonly outcome: CallRecord["outcome"];
  /**
   * Stable words with a blank between: reasons of a refusal or a question (VIOLATION_REASONS), the limit that stopped the line
   * (StopReason). A fault's id, or "" where it has none. "" for one that completed.
   */
  readonly reason: string;
  /** Of a line that completed. */
  readonly exitStatus: number | undefined;
  /** Arrival of the call, of Date.now(). */
  readonly startedAtMs: number;
  /** From the arrival of the call to its end. */
  readonly seconds: number;
  readonly outputBytes: number;
  /** Records that it made. */
  readonly writes: number;
}

/** A call of the tool that has ended, as the MCP server knows it. */
export interface EndedToolCall extends EndedCall {
  /** Name of the tool. */
  readonly tool: string;
  /** `traceparent` of the request's `_meta`, as the client sent it; nobody has looked at it. */
  readonly traceparent: string | undefined;
}

export interface CallEvent extends EndedToolCall {
  readonly requestId: string | undefined;
  readonly caller: string | undefined;
  readonly subject: string | undefined;
  /** undefined: a server of one workspace. */
  readonly workspace: string | undefined;
}

export interface NotedEvent {
  readonly level: "info" | "warning" | "error";
  readonly message: string;
  readonly workspace?: string | undefined;
  readonly requestId?: string | undefined;
}

/** Numbers of the moment, read when they are asked for. */
export interface ServerGauges {
  /** Calls that wait for a place. */
  queuedCalls(): number;
  runningCalls(): number;
  executors(): { readonly busy: number; readonly idle: number };
  /** Resident memory of all executors together; undefined where the platform does not tell. */
  executorBytes?(): number | undefined;
  openWorkspaces(): number;
  sessions(): number;
  /** Bytes of the journals of the workspaces that are open. */
  journalBytes(): number;
  /** Those that the audit's records are sent to. Default: none. */
  sinks?(): readonly SinkFigures[];
}

export interface SinkFigures {
  readonly name: string;
  /** Lines that it has confirmed. */
  readonly lines: number;
  /** Batches that it has not confirmed; each is sent again. */
  readonly failures: number;
  /** Instant of its last confirmation, in milliseconds since the epoch; undefined: this server has had none. */
  readonly confirmedMs: number | undefined;
}
