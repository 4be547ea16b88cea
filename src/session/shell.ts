/** A workspace with a runner and its sessions, as the library, the MCP server and the command line use it. */
import { randomBytes } from "node:crypto";
import type { RunLimits } from "../config/limits.ts";
import { ConfigurationError } from "../config/configuration-error.ts";
import { checkMounts, policyMount, type MountOption } from "../config/mounts.ts";
import { checkPolicy } from "../config/policy-check.ts";
import { DEFAULT_POLICY, type Policy, type RedirectPolicy } from "../config/policy.ts";
import type { Runner, RunnerOptions } from "../exec/runner.ts";
import { Supervisor } from "../exec/supervisor.ts";
import type { Approve } from "./approval.ts";
import { DEFAULT_SESSION, Session, type SessionSettings } from "./session.ts";

export interface ShellOptions {
  /** Host directory, absolute. */
  readonly root: string;
  /**
   * "process" (default): lines run in a process of ours that is killed at its time or memory limit, and that may open nothing of the
   * host but the root and the mounts. "none": in this process; a stage that computes without yielding cannot be stopped.
   */
  readonly isolation?: "none" | "process";
  /** Default: DEFAULT_POLICY. `parsePolicy` makes one of the text of a configuration file. */
  readonly policy?: Policy;
  /**
   * Asked about lines that run only if a human agrees: writes to files that programs run or obey, large writes, and what the policy
   * says. Default: such lines are refused.
   */
  readonly approve?: Approve;
  /** Takes precedence over the policy, as `strict` and `limits` do. */
  readonly readOnly?: boolean;
  readonly strict?: boolean;
  readonly redirects?: RedirectPolicy | undefined;
  /** Further absolute prefixes that mean the root. */
  readonly aliases?: readonly string[];
  /** Directories beside the root, besides those of the policy. */
  readonly mounts?: readonly MountOption[];
  readonly limits?: Partial<RunLimits>;
  /** IANA name; default: the host's. */
  readonly timeZone?: string;
  /** The client's name in the audit. */
  readonly client?: string;
  /** Milliseconds since the epoch, for what is forgotten after a time. Default: the host's clock. */
  readonly nowMs?: () => number;
}

/** Most sessions kept. */
const MAX_SESSIONS = 1024;
/** A session used within this time is not dropped when others are opened, in milliseconds. */
const SESSION_BUSY_MS = 5 * 60 * 1000;
/** A session unused for so long is forgotten, in milliseconds. */
const SESSION_IDLE_MS = 60 * 60 * 1000;

export class Shell {
  readonly #settings: SessionSettings;
  readonly #sessions = new Map<string, Session>();
  /** The session of calls that name none. */
  readonly defaultSession: Session;

  private constructor(settings: SessionSettings) {
    this.#settings = settings;
    this.defaultSession = new Session(DEFAULT_SESSION, settings);
  }

  /**
   * Opens the workspace. Rejects with FileError where the root cannot be opened, and with ConfigurationError for a policy, or mounts,
   * that cannot be.
   */
  static async open(options: ShellOptions): Promise<Shell> {
    const { root, aliases = [], isolation = "process", client = "library", nowMs = Date.now, approve } = options;
    if (!root.startsWith("/")) throw new ConfigurationError(`the root '${root}' is no absolute path`);
    const policy = policyOf(options);
    checkMounts(policy.mounts, root, aliases);
    const runner = await runnerOf(isolation, { root, aliases, policy, timeZone: options.timeZone });
    return new Shell({ runner, client, nowMs, approve, asksForProtected: policy.approval.protectedPaths === "ask" });
  }

  /** Names of the builtins there are, in byte order, without aliases. */
  get builtinNames(): readonly string[] {
    return this.#settings.runner.builtinNames;
  }

  /** A new session with a handle that cannot be guessed. */
  newSession(): Session {
    const session = this.looseSession();
    this.keep(session);
    return session;
  }

  /**
   * A new session that lasts as long as the caller holds it and is not found by its handle.
   * @internal
   */
  looseSession(): Session {
    return new Session(randomBytes(16).toString("base64url"), this.#settings);
  }

  /** The session with this handle; undefined if it does not exist, or no longer. */
  session(handle: string): Session | undefined {
    const session = this.#sessions.get(handle);
    if (session === undefined) return undefined;
    this.#endIdle();
    if (!this.#sessions.delete(handle)) return undefined;
    this.#sessions.set(handle, session);
    return session;
  }

  /** Ends what still runs, and the processes of lines, without which this process would not end. */
  async close(): Promise<void> {
    await this.#settings.runner.close();
  }

  #endIdle(): void {
    for (const session of this.#sessions.values()) {
      if (this.#settings.nowMs() - session.usedAtMs <= SESSION_IDLE_MS) continue;
      this.#sessions.delete(session.handle);
      session.end();
    }
  }

  /**
   * Lets `session` be found by its handle, until it is unused for long, or for a while and many others are kept. False where
   * as many as may be are in use: nobody's session ends because somebody else opens more.
   * @internal
   */
  keep(session: Session): boolean {
    this.#endIdle();
    if (this.#sessions.size >= MAX_SESSIONS) {
      // The one used last is last.
      const [unused] = this.#sessions.values();
      if (unused !== undefined && this.#settings.nowMs() - unused.usedAtMs < SESSION_BUSY_MS) return false;
      if (unused !== undefined) this.#sessions.delete(unused.handle);
      unused?.end();
    }
    this.#sessions.set(session.handle, session);
    return true;
  }
}

/** The policy with the options that take precedence over it. Throws ConfigurationError. */
function policyOf({ policy: given = DEFAULT_POLICY, ...options }: ShellOptions): Policy {
  const policy = {
    ...given,
    readOnly: options.readOnly ?? given.readOnly,
    strict: options.strict ?? given.strict,
    redirects: options.redirects ?? given.redirects,
    limits: { ...given.limits, ...options.limits },
  };
  checkPolicy(policy);
  return { ...policy, mounts: [...policy.mounts, ...(options.mounts ?? []).map(policyMount)] };
}

async function runnerOf(isolation: "none" | "process", options: RunnerOptions): Promise<Runner> {
  if (isolation === "process") return new Supervisor(options);
  // Loaded here, because a process that only supervises has no use for the builtins.
  const { LocalRunner } = await import("../exec/local-runner.ts");
  return new LocalRunner(options);
}
