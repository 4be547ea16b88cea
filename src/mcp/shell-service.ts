/**
 * The interface between the MCP server and the shell: one call in, one answer out. src/mcp/service.ts implements it over
 * sessions and the executor; tests use a fake. Types only.
 */
import type { Caller } from "../audit/caller.ts";
import type { WritePreview } from "../audit/preview.ts";
import type { Policy } from "../config/policy.ts";
import type { ExecutorPool } from "../exec/executor-pool.ts";
import type { RunProgress, RunResult } from "../exec/result.ts";
import type { CallRights } from "./caller-rights.ts";
import type { OutputRoom } from "./kept-outputs.ts";
import type { LineOptions, ServedLineOptions } from "../exec/runner.ts";
import type { EndedCall } from "./server-events.ts";

export interface ShellService {
  /** Names an agent may type, for the tool's description. */
  readonly commandNames: readonly string[];
  /**
   * Runs one command line. Resolves for every outcome a caller can cause; a rejection is a fault of ours.
   * An aborted `signal` ends the call (`stopped`, limit "cancelled").
   */
  call(request: ShellRequest, signal: AbortSignal, options?: CallOptions): Promise<ShellAnswer>;
  /** A session for calls that name none, to last as long as the caller holds it. */
  openSession(): OpenSession;
  /** Ends a session that was opened: what it has left in its scratch is removed. */
  closeSession(session: OpenSession): void;
  /** The writes that the line would make, if human approval is all that it lacks; undefined otherwise. */
  preview(request: ShellRequest, signal: AbortSignal, options?: CallOptions): Promise<readonly WritePreview[] | undefined>;
  /** The output of a recent call of the caller of this key, by its id; undefined if it is not kept, or no longer. */
  keptOutput(id: string, callerKey: string | undefined): KeptOutput | undefined;
  /** True while a session is kept that a later call can name by its handle. */
  readonly keepsSessions: boolean;
  /** Bytes of the journal of its root. */
  journalBytes(): number;
  /** False where the path of the root leads nowhere now. */
  isRootThere(): boolean;
  /** All that is kept, of every session; the one used last is last. */
  keptOutputs(): readonly KeptOutput[];
  /** Ends every call and every process; harmless when repeated. */
  close(): Promise<void>;
}

export interface CallOptions extends CallRights {
  readonly onProgress?: ((progress: RunProgress) => void) | undefined;
  /**
   * The session of a call that names none: one that was opened; or "of its own", a new one, kept only where its directory
   * has changed or its scratch holds files, in which case a note gives its handle. Default: the process's.
   */
  readonly session?: OpenSession | "of its own" | undefined;
  /** The MCP client that calls. */
  readonly caller?: Caller | undefined;
  /** Key of the caller as the server has authenticated it (principal.ts): what the call leaves behind is of no use to any other. */
  readonly callerKey?: string | undefined;
  /**
   * Called where the line was refused: true if a human is asked about it now. The log of calls then says that it was asked
   * about, and not that it was refused.
   */
  readonly asks?: ((result: RunResult) => Promise<boolean>) | undefined;
  /** Told once of the call's ending, before it is answered, and also where the service fails. Must not throw. */
  readonly onEnded?: ((call: EndedCall) => void) | undefined;
  /** A line of the server's own, for a resource or a completion: its output is not kept and the log of calls is silent about it. */
  readonly isLookUp?: boolean;
}

/** A session's handle, only to be given back. */
export interface OpenSession {
  readonly handle: string;
}

/** The tool's arguments, checked for their types. */
export interface ShellRequest extends LineOptions, Pick<ServedLineOptions, "approved"> {
  readonly command: string;
  /** Text for the first stage's standard input. */
  readonly stdin?: string | undefined;
  /** Session handle; undefined: see CallOptions. */
  readonly session?: string | undefined;
}

export interface ShellAnswer {
  readonly result: RunResult;
  /** Empty where the line was refused. Without the bytes that a writer only passed on: the kept output has them. */
  readonly stdout: CapturedOutput;
  readonly stderr: CapturedOutput;
  /** The directory the call started in, relative to the root ("": the root); with `request.cwd`, as that was typed. */
  readonly startedIn: string;
  /** The session's directory afterwards, relative to the root. */
  readonly cwd: string;
  /** The kept output, with its number where a later call can name it; undefined where nothing was printed. */
  readonly output?: (Pick<KeptOutput, "id"> & Partial<Pick<KeptOutput, "number">>) | undefined;
  /** Those of output N, for a line that shows a page of it (next-page.ts). */
  readonly pagedLines?: PagedLines | undefined;
  /** Sentences for the caller: a pre-approved action, a new session's handle. */
  readonly notes: readonly string[];
}

/** Numbers of lines of an output that is kept. */
export interface PagedLines {
  readonly kept: number;
  /** Also of the part that was not captured. */
  readonly total: number;
}

/** Output of a call, as far as it was captured. Its secrets are in it: whoever shows it redacts it. */
export interface KeptOutput {
  /** Cannot be guessed. */
  readonly id: string;
  readonly session: string;
  /** See CallOptions. */
  readonly callerKey: string | undefined;
  /** Number of the output in its session, from 1: `@out N`. */
  readonly number: number;
  /** The line that printed it. */
  readonly command: string;
  readonly bytes: Uint8Array;
  /** Lines of the whole output, also of the part that was not captured. */
  readonly totalLines: number;
}

/** The first bytes of a stream, at most 8 MiB, with the size of the whole. */
export interface CapturedOutput {
  readonly bytes: Uint8Array;
  /** The last bytes of the stream, where `bytes` does not go so far. */
  readonly end?: Uint8Array | undefined;
  readonly totalBytes: number;
  /** Newlines, plus one for a last line without one. */
  readonly totalLines: number;
  /** Set where secrets were taken out of it: a place in it is no place in what is kept, nor is a line, where they were of several. */
  readonly changed?: "bytes" | "lines" | undefined;
}

/** Options of `createShellService` (src/mcp/service.ts). */
export interface ShellServiceOptions {
  /** Host path of the workspace's root. */
  readonly root: string;
  readonly policy: Policy;
  /** Absolute prefixes that mean the root, besides the root itself. */
  readonly aliases: readonly string[];
  readonly isolation: "none" | "process";
  /** Executor processes shared with other workspaces of the server. Default: the workspace has its own. */
  readonly pool?: ExecutorPool | undefined;
  /** Room for kept outputs that is shared with them. Default: the workspace has its own. */
  readonly outputs?: OutputRoom | undefined;
  /** Calls are logged before there is a record, too. Default: where the policy logs all. */
  readonly logsAtOnce?: boolean | undefined;
}
