/** A workspace with a runner and its sessions, as the library, the MCP server and the command line use it. */
import { randomBytes } from "node:crypto";
import type { RunLimits } from "../config/limits.ts";
import type { WriteReceipt } from "../builtin/recorder.ts";
import { ConfigurationError } from "../config/configuration-error.ts";
import { checkMounts, policyMount, type MountOption } from "../config/mounts.ts";
import { checkPolicy } from "../config/policy-check.ts";
import { DEFAULT_POLICY, type Policy, type RedirectPolicy } from "../config/policy.ts";
import type { CommandHost } from "../exec/command-host.ts";
import { checkCommands, hostOf, type CustomCommand } from "../exec/custom-command.ts";
import type { ExecutorPool } from "../exec/executor-pool.ts";
import type { Runner, RunnerOptions } from "../exec/runner.ts";
import { Supervisor } from "../exec/supervisor.ts";
import { isAbsolutePath } from "../glob/absolute-path.ts";
import { fromHostPath } from "../workspace/walk/host-path.ts";
import type { TreeChange } from "../workspace/private/tree-changes.ts";
import type { Approve } from "./approval.ts";
import { GatedRunner } from "./gate.ts";
import { checkMountsBeside, MEMORY_ROOT, OwnTree, type OverlayOptions } from "./own-tree.ts";
import { DEFAULT_SESSION, Session, type SessionSettings } from "./session.ts";
import { SHELL_CLOSED } from "./shell-closed.ts";

export interface ShellOptions extends CommonOptions {
  /** Host directory, absolute. */
  readonly root: string;
  /**
   * Lines see the root, and change a copy of it that is made when the shell is opened: `changes`, `apply` and `discard` handle what they
   * did. Default: false.
   */
  readonly overlay?: boolean | OverlayOptions;
  /** Further absolute prefixes that mean the root. */
  readonly aliases?: readonly string[];
}

/** Options of a shell on files that the program gives; its root is named `/workspace`. */
export interface MemoryOptions extends CommonOptions {
  /** Text (in UTF-8) or bytes by path, relative to the root: "src/a.ts". */
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  /** Most bytes of the files with their changes and the records of those. Default: 64 MiB. */
  readonly mostBytes?: number;
}

/** Options of either. */
export interface CommonOptions {
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
  /** Directories beside the root, besides those of the policy. */
  readonly mounts?: readonly MountOption[];
  readonly limits?: Partial<RunLimits>;
  /** Commands of the program (`defineCommand`), stages like the builtins; the policy's `commands` leave them out as those. */
  readonly commands?: readonly CustomCommand[];
  /** IANA name; default: the host's. */
  readonly timeZone?: string;
  /** The client's name in the audit. */
  readonly client?: string;
  /** Milliseconds since the epoch, for what is forgotten after a time. Default: the host's clock. */
  readonly nowMs?: () => number;
  /**
   * Executor processes shared with other workspaces of the server.
   * @internal
   */
  readonly pool?: ExecutorPool | undefined;
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
  readonly #own: OwnWorkspace | undefined;
  /** The session of calls that name none. */
  readonly defaultSession: Session;

  #closing: Promise<void> | undefined;

  private constructor(settings: Omit<SessionSettings, "isClosed">, own?: OwnWorkspace) {
    this.#settings = { ...settings, isClosed: () => this.#closing !== undefined };
    this.#own = own;
    this.defaultSession = new Session(DEFAULT_SESSION, this.#settings);
  }

  /**
   * Opens the workspace. Rejects with FileError where the root cannot be opened, and with ConfigurationError for a policy, or mounts,
   * that cannot be.
   */
  static async open(options: ShellOptions | MemoryOptions): Promise<Shell> {
    const { isolation = "process", client = "library", nowMs = Date.now, approve, timeZone, pool } = options;
    const policy = policyOf(options);
    const { commands = [] } = options;
    checkCommands(commands);
    const { root, aliases, tree } = await placeOf(options, policy);
    try {
      const runnerOptions = {
        root,
        aliases,
        policy,
        timeZone,
        commands: commands.map(({ facts }) => facts),
        ...(tree === undefined ? {} : { elsewhere: tree.elsewhere }),
      };
      const opened = await runnerOf(isolation, runnerOptions, hostOf(commands), pool);
      const gate = tree && new GatedRunner(opened);
      const settings = { runner: gate ?? opened, client, nowMs, approve, asksForProtected: policy.approval.protectedPaths === "ask" };
      return new Shell(settings, gate && tree && { gate, tree, policy });
    } catch (thrown) {
      tree?.close();
      throw thrown;
    }
  }

  /**
   * What the lines of an overlay have changed, or those of a workspace in memory, in the order of the paths. Rejects where the shell works
   * on its root itself, as `files`, `apply` and `discard` do. All four wait for the lines that run, and lines wait for them.
   */
  changes(): Promise<readonly TreeChange[]> {
    return this.#alone(({ tree }) => tree.changes());
  }

  /** The content of every file of an overlay or a workspace in memory, by path. */
  files(): Promise<Map<string, Buffer>> {
    return this.#alone(({ tree }) => tree.files());
  }

  /**
   * Makes the changes of an overlay in its root: recorded there, all or none, and taken back together by `undo RECORD`. The overlay then is
   * over the root as it has become. Rejects with FileError: CONFLICT where a file of the root has changed since it was copied,
   * NEEDS_APPROVAL where `approve` does not agree, and others; then nothing has changed.
   */
  apply(): Promise<readonly WriteReceipt[]> {
    const { client, approve } = this.#settings;
    const session = this.defaultSession.recordedName;
    return this.#alone(({ tree, policy }) => tree.apply({ policy, session, client, approve }));
  }

  /** Drops the changes: an overlay is made anew over the root as it is now, a workspace in memory of the files that were given. */
  discard(): Promise<void> {
    return this.#alone(({ tree }) => tree.discard());
  }

  async #alone<T>(work: (own: OwnWorkspace) => Promise<T>): Promise<T> {
    const own = this.#own;
    if (own === undefined) throw new ConfigurationError("this shell works on its root itself; open it with overlay: true, or with files");
    if (this.#closing !== undefined) throw new ConfigurationError(SHELL_CLOSED);
    return own.gate.alone(() => work(own));
  }

  /** Names of the builtins there are and of the program's own commands, as far as the policy leaves them, in byte order, without aliases. */
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

  /**
   * False where the path of the root leads nowhere now.
   * @internal
   */
  get isRootThere(): boolean {
    return this.#settings.runner.isRootThere;
  }

  /**
   * True while there is a session that can be found by its handle.
   * @internal
   */
  get keepsSessions(): boolean {
    this.#endIdle();
    return this.#sessions.size > 0;
  }

  /** Ends what still runs, and the processes of lines, without which this process would not end. */
  close(): Promise<void> {
    // Once: what it gives back may be somebody else's by then.
    return (this.#closing ??= this.#end());
  }

  async #end(): Promise<void> {
    await this.#settings.runner.close();
    this.#own?.tree.close();
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

/** What a shell on a tree of our own has besides. */
interface OwnWorkspace {
  readonly gate: GatedRunner;
  readonly tree: OwnTree;
  readonly policy: Policy;
}

interface Place {
  readonly root: string;
  readonly aliases: readonly string[];
  readonly tree?: OwnTree;
}

/** The root of lines, by its name, and the tree of our own in its place, if any. Rejects with FileError and ConfigurationError. */
async function placeOf(options: ShellOptions | MemoryOptions, policy: Policy): Promise<Place> {
  if ("files" in options) {
    checkMountsBeside(policy);
    const tree = await OwnTree.of(options.files, options.mostBytes);
    try {
      checkMounts(policy.mounts, tree.elsewhere.directory, [MEMORY_ROOT]);
      return { root: MEMORY_ROOT, aliases: [], tree };
    } catch (thrown) {
      tree.close();
      throw thrown;
    }
  }
  const { aliases = [], overlay = false } = options;
  if (!isAbsolutePath(options.root)) throw new ConfigurationError(`the root '${options.root}' is no absolute path`);
  const root = fromHostPath(options.root);
  checkMounts(policy.mounts, root, aliases);
  if (overlay === false) return { root, aliases };
  checkMountsBeside(policy);
  const tree = await OwnTree.over(root, overlay === true ? {} : overlay);
  const { copyOf = root } = tree.elsewhere;
  // As Root has it: a path with dots in it is shown without.
  return { root: /\/\.{0,2}(\/|$)/.test(root.replace(/(?<=.)\/+$/, "")) ? copyOf : root, aliases: [copyOf, ...aliases], tree };
}

/** The policy with the options that take precedence over it. Throws ConfigurationError. */
function policyOf({ policy: given = DEFAULT_POLICY, ...options }: CommonOptions): Policy {
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

async function runnerOf(
  isolation: "none" | "process",
  options: RunnerOptions,
  host: CommandHost,
  pool: ExecutorPool | undefined,
): Promise<Runner> {
  if (isolation === "process") return new Supervisor(options, host, pool);
  // Loaded here, because a process that only supervises has no use for the builtins.
  const { LocalRunner } = await import("../exec/local-runner.ts");
  return new LocalRunner(options, host);
}
