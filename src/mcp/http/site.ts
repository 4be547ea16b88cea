/** MCP endpoints of an HTTP server: one at /mcp, or one for each workspace at /w/NAME/mcp (workspaces.ts). */
import type { WorkspaceEndpoint } from "./workspace-endpoint.ts";

/** "unknown": no such workspace. "full": as many as may be open are in use. "crowded": as many requests as may be are at it. "failed": see the log. */
export type Use = "done" | "unknown" | "full" | "crowded" | "failed";

/** Endpoints by their paths. */
export interface Site {
  /** undefined where `path` is no endpoint's. The workspace of a server that has but one has no name. */
  placeOf(path: string): Place | undefined;
  /** Does `work` with an endpoint, which stays open as long. `isCall`: it ends, and a reload waits for it. */
  use(workspace: string | undefined, isCall: boolean, work: (endpoint: WorkspaceEndpoint) => Promise<void>): Promise<Use>;
  close(): Promise<void>;
}

export interface Place {
  readonly workspace: string | undefined;
}

export const MCP_PATH = "/mcp";

const WORKSPACE_PATH = /^\/w\/(?<name>[A-Za-z0-9][A-Za-z0-9._-]{0,62})\/mcp$/;

/** Name of the workspace whose endpoint has this path; undefined where it is none's. */
export const workspaceAt = (path: string): string | undefined => WORKSPACE_PATH.exec(path)?.groups?.["name"];

/** One workspace, at /mcp, whose service is closed by its owner. */
export class SingleSite implements Site {
  readonly #endpoint: WorkspaceEndpoint;

  constructor(endpoint: WorkspaceEndpoint) {
    this.#endpoint = endpoint;
  }

  placeOf(path: string): Place | undefined {
    return path === MCP_PATH ? { workspace: undefined } : undefined;
  }

  async use(_workspace: string | undefined, _isCall: boolean, work: (endpoint: WorkspaceEndpoint) => Promise<void>): Promise<"done"> {
    await work(this.#endpoint);
    return "done";
  }

  close(): Promise<void> {
    return this.#endpoint.close();
  }
}
