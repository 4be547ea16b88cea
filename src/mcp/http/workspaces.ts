/**
 * Workspaces of a server, each with a policy, records, sessions and outputs of its own, at /w/NAME/mcp. One is opened when it is first
 * asked for and closed when nobody has used it for a while: until then it is a line in a table.
 */
import { isDeepStrictEqual } from "node:util";
import type { NotedEvent } from "../server-events.ts";
import type { ShellService } from "../shell-service.ts";
import { type Place, type Site, type Use, workspaceAt } from "./site.ts";
import { SessionRoom } from "./sessions.ts";
import { WorkspaceEndpoint, type EndpointOptions } from "./workspace-endpoint.ts";

/** A workspace as its owner has set it up; plain data, equal where nothing has changed. */
export interface WorkspaceSetup {
  readonly name: string;
}

export interface WorkspacesOptions<S extends WorkspaceSetup> {
  /** Its setup as it is now; undefined where there is none of that name. Rejects with an error whose message the log gets. */
  readonly find: (name: string) => Promise<S | undefined>;
  readonly open: (setup: S) => Promise<OpenedService>;
  readonly limits: WorkspaceLimits;
  readonly noted: (event: NotedEvent) => void;
  /** Milliseconds, from any instant. Default: performance.now. */
  readonly nowMs?: () => number;
}

export interface OpenedService {
  readonly service: ShellService;
  readonly options: EndpointOptions;
  /** True while it is not to be closed for being idle. Default: never. */
  readonly isNeeded?: (() => boolean) | undefined;
  /** Called after the service has been closed. */
  readonly closed?: (() => Promise<void>) | undefined;
}

export interface WorkspaceLimits {
  /** Workspaces that are open at once. */
  readonly open: number;
  /** Requests that one workspace answers at once, streams not counted. */
  readonly requests: number;
  /** Time after which one that nobody uses and that keeps no session is closed, in milliseconds. */
  readonly idleMs: number;
  /** Sessions of HTTP clients, of all workspaces. */
  readonly sessions: number;
}

interface OpenWorkspace<S> {
  readonly setup: S;
  readonly endpoint: WorkspaceEndpoint;
  readonly service: ShellService;
  readonly opened: OpenedService;
  /** Calls and streams that it answers. */
  uses: number;
  readonly calls: Set<Promise<void>>;
  usedAtMs: number;
}

const SWEEP_MS = 15_000;
/** Time for the answers of calls that were stopped to be written, in milliseconds. */
const ANSWERS_MS = 500;

export class Workspaces<S extends WorkspaceSetup> implements Site {
  readonly #options: WorkspacesOptions<S>;
  readonly #nowMs: () => number;
  readonly #room: SessionRoom;
  /** The one unused longest first. */
  readonly #open = new Map<string, OpenWorkspace<S>>();
  readonly #opening = new Map<string, Promise<OpenWorkspace<S> | "unknown" | "full" | "failed">>();
  readonly #closing = new Set<Promise<void>>();
  readonly #sweep: NodeJS.Timeout;
  #isClosed = false;

  constructor(options: WorkspacesOptions<S>) {
    this.#options = options;
    this.#nowMs = options.nowMs ?? (() => performance.now());
    this.#room = new SessionRoom(options.limits.sessions);
    this.#sweep = setInterval(() => this.closeIdle(), SWEEP_MS).unref();
  }

  placeOf(path: string): Place | undefined {
    const name = workspaceAt(path);
    return name === undefined ? undefined : { workspace: name };
  }

  get openCount(): number {
    return this.#open.size;
  }

  get sessions(): number {
    return this.#room.taken;
  }

  /** The services of the workspaces that are open. */
  get services(): readonly ShellService[] {
    return Array.from(this.#open.values(), ({ service }) => service);
  }

  async use(workspace: string | undefined, isCall: boolean, work: (endpoint: WorkspaceEndpoint) => Promise<void>): Promise<Use> {
    if (workspace === undefined) return "unknown";
    const opened = this.#open.get(workspace) ?? (await this.#opened(workspace));
    if (typeof opened === "string") return opened;
    if (isCall && opened.calls.size >= this.#options.limits.requests) return "crowded";
    opened.uses++;
    this.#touch(opened);
    const working = work(opened.endpoint);
    const counted = working.then(ignore, ignore);
    if (isCall) opened.calls.add(counted);
    try {
      await working;
      return "done";
    } finally {
      opened.uses--;
      opened.calls.delete(counted);
      this.#touch(opened);
    }
  }

  /**
   * Looks at every open workspace's setup again: one that has changed is closed once its calls have ended, and opened anew, with its new
   * policy, by the next call. The others go on as if nothing had happened.
   */
  async reload(): Promise<void> {
    for (const [name, opened] of this.#open) {
      const setup = await this.#found(name);
      if (setup === "failed" || (setup !== undefined && isDeepStrictEqual(setup, opened.setup))) continue;
      if (this.#open.get(name) !== opened) continue;
      this.#options.noted({ level: "info", message: setup === undefined ? "is gone" : "is set up anew", workspace: name });
      this.#retire(opened);
    }
  }

  /** Closes those that have been unused for long. */
  closeIdle(): void {
    const oldestMs = this.#nowMs() - this.#options.limits.idleMs;
    for (const opened of this.#open.values()) {
      if (opened.usedAtMs > oldestMs) break;
      const { uses, endpoint, service } = opened;
      const isKept = uses > 0 || endpoint.sessions > 0 || service.keepsSessions || opened.opened.isNeeded?.() === true;
      if (!isKept) this.#retire(opened);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#sweep);
    await Promise.all(this.#opening.values());
    for (const opened of this.#open.values()) this.#retire(opened, "at once");
    await Promise.all(this.#closing);
  }

  #touch(opened: OpenWorkspace<S>): void {
    opened.usedAtMs = this.#nowMs();
    const { name } = opened.setup;
    if (this.#open.get(name) !== opened) return;
    this.#open.delete(name);
    this.#open.set(name, opened);
  }

  #opened(name: string): Promise<OpenWorkspace<S> | "unknown" | "full" | "failed"> {
    const before = this.#opening.get(name);
    if (before !== undefined) return before;
    const opening = this.#openNew(name).finally(() => this.#opening.delete(name));
    this.#opening.set(name, opening);
    return opening;
  }

  async #openNew(name: string): Promise<OpenWorkspace<S> | "unknown" | "full" | "failed"> {
    const setup = await this.#found(name);
    if (setup === undefined) return "unknown";
    if (setup === "failed") return "failed";
    if (!this.#hasRoom()) return "full";
    try {
      const made = await this.#options.open(setup);
      const { service, options } = made;
      const endpoint = new WorkspaceEndpoint(service, options, this.#room);
      const opened = { setup, endpoint, service, opened: made, uses: 0, calls: new Set<Promise<void>>(), usedAtMs: this.#nowMs() };
      this.#open.set(name, opened);
      return opened;
    } catch (thrown) {
      this.#failed(name, thrown);
      return "failed";
    }
  }

  async #found(name: string): Promise<S | undefined | "failed"> {
    try {
      return this.#isClosed ? undefined : await this.#options.find(name);
    } catch (thrown) {
      this.#failed(name, thrown);
      return "failed";
    }
  }

  #failed(workspace: string, thrown: unknown): void {
    this.#options.noted({ level: "error", message: thrown instanceof Error ? thrown.message : String(thrown), workspace });
  }

  /** Closes the one unused longest where there is no room without that and nobody can be waiting for it. */
  #hasRoom(): boolean {
    if (this.#open.size + this.#opening.size <= this.#options.limits.open) return true;
    for (const opened of this.#open.values()) {
      if (opened.uses > 0 || opened.endpoint.isInUse) continue;
      this.#retire(opened);
      return true;
    }
    return false;
  }

  /** Closes `opened` after its calls, or at once, which ends them. Its streams and sessions end with it. */
  #retire(opened: OpenWorkspace<S>, when: "after its calls" | "at once" = "after its calls"): void {
    this.#open.delete(opened.setup.name);
    const closing = (async () => {
      if (when === "after its calls") await Promise.all(opened.calls);
      // First: its calls are then answered, as stopped.
      await opened.service.close();
      await Promise.race([Promise.all(opened.calls), later(ANSWERS_MS)]);
      await opened.endpoint.close();
      await opened.opened.closed?.();
    })().catch((thrown: unknown) => this.#failed(opened.setup.name, thrown));
    this.#closing.add(closing);
    void closing.then(() => this.#closing.delete(closing));
  }
}

const ignore = (): void => undefined;
const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref());
