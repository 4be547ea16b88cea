/** Interface of a runner of command lines in one workspace: in this process (local-runner.ts) or in its own (supervisor.ts). */
import type { Caller } from "../audit/caller.ts";
import type { AgreedWrites } from "../builtin/recorder.ts";
import type { ByteInput } from "../io/input.ts";
import type { LockOwner } from "../workspace/write/lock-owner.ts";
import type { InheritedRoot } from "../workspace/walk/root.ts";
import type { Policy } from "../config/policy.ts";
import type { ReadsOnly } from "../guard/reads-only.ts";
import type { CommandFacts } from "./custom-command.ts";
import type { HeldCursor } from "./call-cursors.ts";
import type { RunResult, RunSink } from "./result.ts";

export interface Runner {
  /** Names of the builtins there are, in byte order, without aliases. */
  readonly builtinNames: readonly string[];
  /** False where the path of the root leads nowhere now. */
  readonly isRootThere: boolean;
  /** Time limit of a line that is given none, in milliseconds. */
  readonly timeMs: number;
  /** Runs one line. Never rejects: every ending is a RunResult. */
  run(request: RunRequest, streams: RunStreams, signal: AbortSignal): Promise<RunResult>;
  /** Removes a session's scratch, of this name, and all that is in it. */
  removeScratch(name: string): void;
  close(): Promise<void>;
}

/** The root in which lines run and the policy they run under; fixed for a runner's life. Plain data: it crosses a process boundary. */
export interface RunnerOptions {
  /** Host directory, absolute. */
  readonly root: string;
  /** Where the files are, if not at `root`: those of a tree of our own, which `root` is only the name of. */
  readonly elsewhere?: ElsewhereRoot;
  /** Given to a process that may open no host path. */
  readonly inheritedRoot?: InheritedRoot;
  /** Further absolute prefixes that mean the root. */
  readonly aliases: readonly string[];
  readonly policy: Policy;
  /** Commands of the program. Default: none. */
  readonly commands?: readonly CommandFacts[];
  /** IANA name; undefined: the host's, which the process finds that runs the lines, because to ask is slow. */
  readonly timeZone: string | undefined;
}

/** A tree of our own in the place of a root (src/workspace/private/). */
export interface ElsewhereRoot {
  /** Host path of its files. */
  readonly directory: string;
  /** Host path, without links, of the root that it is a copy of: what is protected there is protected here. */
  readonly copyOf: string | undefined;
  /** Most bytes in it, the records of its changes included. */
  readonly mostBytes: number;
}

/** Options of one line that its author may choose, from a call of the tool down to here. Plain data. */
export interface LineOptions {
  /** Run from here instead of the session's directory, relative to the root or absolute under it; the session stays where it is. */
  readonly cwd?: string | undefined;
  /** Time limit in place of the policy's, in milliseconds. */
  readonly timeMs?: number | undefined;
  readonly confirmOversize?: boolean | undefined;
  /** Only assess: the result is `completed` with the assessment, its text on standard output, exit 1 where the line may not run. */
  readonly dryRun?: boolean | undefined;
}

/** Options of one line, with those that only the server's own code sets. */
export interface ServedLineOptions extends LineOptions {
  /** The writes that a human has just agreed to, and no others. */
  readonly approved?: AgreedWrites | undefined;
  /** The MCP client whose line it is, for the audit. */
  readonly caller?: Caller | undefined;
  /** The line may only read, and why. Default: the policy decides. */
  readonly readsOnly?: ReadsOnly | undefined;
  /** Write nothing, and say in the result what would be written (`previews`). */
  readonly preview?: boolean | undefined;
  /** The printed bytes of earlier calls, for `@out N`, as far as the line names them. */
  readonly outputs?: ReadonlyMap<number, Uint8Array> | undefined;
  /** Bytes of standard output that go to the sink; the rest is counted (`outputBytes`) and dropped. */
  readonly keepBytes?: number | undefined;
  /** The mark of colours (colourSequence), where standard output is a terminal that shows those with the mark. */
  readonly colourMark?: string | undefined;
}

/** One line to run. Plain data. */
export interface RunRequest extends ServedLineOptions {
  readonly line: string;
  /** Relative to the root ("" is the root), or absolute in a mount; as navigated. */
  readonly currentDirectory: string;
  readonly previousDirectory: string | undefined;
  /** Time that the line has waited for its turn, in milliseconds: its time limit runs from its arrival. Default: 0. */
  readonly waitedMs?: number | undefined;
  /** The session's follow cursors. */
  readonly cursors?: readonly HeldCursor[];
  /** Secret name of the session's scratch; undefined: the line has none. */
  readonly scratch?: string | undefined;
  /**
   * Owners of the locks of the records, by the mount's name ("": the root), where that process is gone and only the supervisor can
   * see it: in an executor no other process's start can be read, by which it is told from a later one of its number.
   */
  readonly goneLockOwners?: ReadonlyMap<string, LockOwner> | undefined;
  /** For the audit: the session, and the way in ("mcp", "run", …). */
  readonly session: string;
  readonly client: string;
}

export interface RunStreams extends RunSink {
  readonly stdin: ByteInput;
}
