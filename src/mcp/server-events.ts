/** Events of a server that its operator sees: in the logs, the metrics and the traces. Types only. */

export interface ServerEvents {
  /** A request has been answered, or its connection has ended. */
  requestEnded?(event: RequestEvent): void;
  /** A command line has ended. */
  callEnded?(event: CallEvent): void;
  /** Something of the server's own: started, reloaded, a workspace that cannot be opened, a fault. */
  noted?(event: NotedEvent): void;
}

export interface RequestEvent {
  /** Unique in this run of the server; also in the answer's header `X-Request-Id`. */
  readonly requestId: string;
  readonly method: string;
  /** Without its query, and without what a stranger may have put there: one of the server's own paths, or "other". */
  readonly path: string;
  readonly status: number;
  readonly seconds: number;
  /** Undefined where nobody was authenticated. */
  readonly caller: string | undefined;
  readonly subject: string | undefined;
  readonly workspace: string | undefined;
}

export interface CallEvent {
  readonly requestId: string | undefined;
  readonly caller: string | undefined;
  readonly subject: string | undefined;
  /** undefined: a server of one workspace. */
  readonly workspace: string | undefined;
  readonly outcome: "completed" | "refused" | "asked" | "stopped" | "faulted";
  /** Reasons of a refusal, the limit that stopped the line, or a fault's id; "" for one that completed. */
  readonly reason: string;
  /** Of a line that completed. */
  readonly exitStatus: number | undefined;
  /** From the arrival of the call to its end. */
  readonly seconds: number;
  readonly outputBytes: number;
  /** Records that it made. */
  readonly writes: number;
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
  openWorkspaces(): number;
  sessions(): number;
  /** Bytes of the journals of the workspaces that are open. */
  journalBytes(): number;
}
