/** Implements the MCP server's ShellService over sessions: runs each call in its session, logs it and keeps its output. */
import type {
  CallOptions,
  CapturedOutput,
  KeptOutput,
  OpenSession,
  ShellAnswer,
  ShellRequest,
  ShellService,
  ShellServiceOptions,
} from "./shell-service.ts";
import type { WritePreview } from "../audit/preview.ts";
import { DEFINITION_FINDER, definitionNote } from "../builtin/sought-definition.ts";
import { CallLog } from "../audit/call-log.ts";
import { toldOfRights } from "./caller-rights.ts";
import { callRecord } from "./call-record.ts";
import { type CallClock, endedCall } from "./ended-call.ts";
import { KeptOutputs, type OutputRoom } from "./kept-outputs.ts";
import { linesIn } from "./next-page.ts";
import { passedOnOutput } from "./passed-on-output.ts";
import { Session, type RunOutcome, type ServedRunOptions } from "../session/session.ts";
import { Shell } from "../session/shell.ts";

/** Most that is kept of one stream, in bytes; the rest is counted. */
const CAPTURE_BYTES = 8 << 20;

/** The client's name in the audit. */
const CLIENT = "mcp";

/** Rejects with FileError where the root cannot be opened. */
export async function createShellService(options: ShellServiceOptions): Promise<ShellService> {
  const shell = await Shell.open({ ...options, client: CLIENT });
  return new SessionService(
    shell,
    new CallLog(options.root, options.policy.readOnly ? "none" : options.policy.audit.calls, options.logsAtOnce || undefined),
    options.outputs,
  );
}

class SessionService implements ShellService {
  readonly commandNames: readonly string[];
  readonly #shell: Shell;

  readonly #calls: CallLog;
  /** Calls that have not been logged yet: one that its client cancelled may end after the last answer. */
  readonly #inFlight = new Set<Promise<ShellAnswer>>();
  readonly #outputs: KeptOutputs;
  /** Keys of the callers that sessions with a handle belong to: see CallOptions. */
  readonly #callerKeys = new WeakMap<Session, string | undefined>();
  /** Sessions that know of a better way to find a definition. */
  readonly #toldOfDefinitions = new WeakSet<Session>();

  constructor(shell: Shell, calls: CallLog, outputs: OutputRoom | undefined) {
    this.#shell = shell;
    this.#outputs = new KeptOutputs(undefined, outputs);
    this.#calls = calls;
    this.commandNames = shell.builtinNames;
  }

  async call(request: ShellRequest, signal: AbortSignal, options: CallOptions = {}): Promise<ShellAnswer> {
    const clock: CallClock = { startedAtMs: Date.now(), startedMs: performance.now() };
    const answer = this.#answered(request, signal, options, clock);
    this.#inFlight.add(answer);
    try {
      return await answer;
    } catch (error) {
      options.onEnded?.(endedCall(undefined, clock));
      throw error;
    } finally {
      this.#inFlight.delete(answer);
    }
  }

  async #answered(request: ShellRequest, signal: AbortSignal, options: CallOptions, clock: CallClock): Promise<ShellAnswer> {
    const { onProgress, caller, callerKey, readsOnly, session: given, isLookUp = false } = options;
    const notes: string[] = [];
    const session = this.#sessionOf(request, options, notes);
    const named = this.#outputsNamedBy(request.command, session.handle);
    const startedIn = request.cwd ?? session.currentDirectory;
    const ran = await session.serve(request.command, {
      signal,
      keepBytes: CAPTURE_BYTES,
      onProgress,
      caller,
      readsOnly,
      outputs: named.size === 0 ? undefined : new Map([...named].map(([number, { bytes }]) => [number, bytes])),
      ...runOptions(request),
    });
    const outcome = { ...ran, result: toldOfRights(ran.result, options) };
    if (outcome.result.kind !== "refused") notes.push(...(outcome.result.notes ?? []), ...(outcome.result.advice ?? []));
    // A session of a single call would repeat the note each time.
    const isAlone = request.session === undefined && given === "of its own";
    if (!isAlone) notes.push(...this.#definitionNotes(session, outcome));
    let isAsked = false;
    if (request.dryRun !== true && !isLookUp) {
      const logged = callRecord(outcome.result, {
        session: session.recordedName,
        client: CLIENT,
        caller,
        command: request.command,
        directory: startedIn,
        isAgreed: request.approved !== undefined,
        startedMs: clock.startedMs,
      });
      isAsked = logged.outcome === "refused" && (await options.asks?.(outcome.result)) === true;
      this.#calls.note(isAsked ? { ...logged, outcome: "asked" } : logged);
    }
    // A session opened for this call alone is kept only if it has something to go on with: else each call would push out a
    // session.
    if (isAlone) {
      const hasMoved = session.currentDirectory !== "";
      const hasFiles = outcome.result.kind !== "refused" && outcome.result.usedScratch === true;
      if (!hasMoved && !hasFiles) {
        session.end();
      } else {
        const isKept = this.#shell.keep(session);
        this.#callerKeys.set(session, callerKey);
        const how = isKept
          ? `to go on from here, give it "session": "${session.handle}"`
          : "as many sessions as may be are in use, so this one is not kept";
        if (!isKept) session.end();
        const what = hasMoved ? "the next call starts at the root again" : "the next call has another /tmp";
        notes.push(`${what}; ${how}`);
      }
    }
    const { stdout, stderr } = captured(outcome);
    const isKept = stdout.bytes.length > 0 && outcome.result.kind !== "refused" && !isLookUp;
    const output = isKept ? this.#outputs.add(session, request.command, stdout, callerKey) : undefined;
    const [paged] = named.values();
    const pagedLines = paged && { kept: linesIn(paged.bytes), total: paged.totalLines };
    const passedOn = passedOnOutput(request, stdout, outcome.result);
    const mayBeAskedFor = output !== undefined && !isAlone;
    if (passedOn === "unseen" && mayBeAskedFor) notes.push(`its output, ${linesText(stdout)}: @out ${output.number}`);
    const shown = passedOn === "seen" || (passedOn === "unseen" && mayBeAskedFor) ? NO_OUTPUT : stdout;
    const kept = output === undefined ? undefined : { id: output.id, ...(mayBeAskedFor ? { number: output.number } : {}) };
    options.onEnded?.(endedCall(outcome.result, clock, isAsked));
    return { result: outcome.result, stdout: shown, stderr, startedIn, cwd: session.currentDirectory, notes, output: kept, pagedLines };
  }

  /** The kept outputs that `line` names. A number that is not spelled out in it is not found. */
  #outputsNamedBy(line: string, session: string): ReadonlyMap<number, KeptOutput> {
    const found = new Map<number, KeptOutput>();
    for (const [, digits] of line.matchAll(/@out["']?[ \t]+["']?([1-9]\d{0,8})/g)) {
      const output = this.#outputs.ofSession(session, Number(digits));
      if (output !== undefined) found.set(Number(digits), output);
    }
    return found;
  }

  keptOutput(id: string, callerKey: string | undefined): KeptOutput | undefined {
    return this.#outputs.get(id, callerKey);
  }

  keptOutputs(): readonly KeptOutput[] {
    return this.#outputs.list();
  }

  /** Once a session, that there is a better way to find a definition than by its text. */
  #definitionNotes(session: Session, { result, stdout }: RunOutcome): readonly string[] {
    if (result.kind !== "completed" || this.#toldOfDefinitions.has(session) || !this.commandNames.includes(DEFINITION_FINDER)) return [];
    const sought = result.stages.find((stage) => stage.sought !== undefined)?.sought;
    const note = sought && definitionNote(sought, stdout);
    if (note === undefined) return [];
    this.#toldOfDefinitions.add(session);
    return [note];
  }

  get keepsSessions(): boolean {
    return this.#shell.keepsSessions;
  }

  journalBytes(): number {
    return this.#calls.journalBytes();
  }

  isRootThere(): boolean {
    return this.#shell.isRootThere;
  }

  openSession(): OpenSession {
    return this.#shell.looseSession();
  }

  closeSession(session: OpenSession): void {
    if (session instanceof Session) session.end();
  }

  async preview(request: ShellRequest, signal: AbortSignal, options: CallOptions = {}): Promise<readonly WritePreview[] | undefined> {
    const { readsOnly } = options;
    const session = this.#sessionOf(request, options, []);
    const { result } = await session.serve(request.command, { ...runOptions(request), signal, readsOnly, keepBytes: 0, preview: true });
    return result.kind === "completed" ? result.previews : undefined;
  }

  #sessionOf({ session: handle }: ShellRequest, { session: given, callerKey }: CallOptions, notes: string[]): Session {
    if (handle !== undefined) {
      const known = this.#shell.session(handle);
      // To know a handle is not to be its owner.
      if (known !== undefined && this.#callerKeys.get(known) === callerKey) return known;
      const session = this.#shell.newSession();
      this.#callerKeys.set(session, callerKey);
      notes.push(`That session is not known (any more); this is a new one: session ${session.handle}`);
      return session;
    }
    if (given === "of its own") return this.#shell.looseSession();
    return given instanceof Session ? given : this.#shell.defaultSession;
  }

  async close(): Promise<void> {
    await this.#shell.close();
    await Promise.allSettled(this.#inFlight);
    this.#calls.close();
    this.#outputs.close();
  }
}

const runOptions = ({ command: _command, session: _session, ...options }: ShellRequest): ServedRunOptions => options;

function captured({ result, stdout, stderr, stderrCut }: RunOutcome): { stdout: CapturedOutput; stderr: CapturedOutput } {
  const counted = result.kind === "refused" || result.outputBytes < stdout.length ? undefined : result;
  return {
    stdout: {
      bytes: stdout,
      totalBytes: counted?.outputBytes ?? stdout.length,
      totalLines: counted?.outputLines ?? linesIn(stdout),
      end: counted?.lastBytes,
    },
    stderr: { bytes: stderr, totalBytes: stderrCut?.bytes ?? stderr.length, totalLines: linesIn(stderr), end: stderrCut?.end },
  };
}

const NO_OUTPUT: CapturedOutput = { bytes: Buffer.alloc(0), totalBytes: 0, totalLines: 0 };

const linesText = ({ totalLines }: CapturedOutput): string => `${totalLines} ${totalLines === 1 ? "line" : "lines"}`;
