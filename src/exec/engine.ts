/**
 * Runs a plan: the way from a line the guard has passed to bytes in the caller's sink.
 *
 * Stages are async generators that pull from one another, so `| head -5` stops its producer by `return`, and memory
 * does not grow with the input. Everything runs in this process; src/exec/supervisor.ts puts a process around it.
 */
import { constants } from "node:buffer";
import { randomUUID } from "node:crypto";
import { thrownText } from "../display/thrown-text.ts";
import { LimitReached } from "../io/limit-reached.ts";
import type { Recorder, WriteReceipt } from "../builtin/recorder.ts";
import type { UndoAccess } from "../builtin/undo-access.ts";
import { WriteRefused } from "../builtin/write-refused.ts";
import type { CallReads } from "../workspace/read/call-reads.ts";
import type { Plan } from "../guard/plan.ts";
import { suggestionText } from "../guard/render.ts";
import type { Violation } from "../guard/violation.ts";
import type { ByteInput } from "../io/input.ts";
import { countByte } from "../io/count-byte.ts";
import { LastBytes } from "../io/last-bytes.ts";
import { CallCursors, type HeldCursor } from "./call-cursors.ts";
import { CallControl, CallStopped } from "./call-control.ts";
import { ListRun } from "./list-run.ts";
import { FLUSH, Waiting } from "./routes.ts";
import type { RunResult, RunSink, StageReport, StoppedStage, StopReason } from "./result.ts";
import { StageClock } from "./stage-clock.ts";
import { ShellState } from "./shell-state.ts";
import { Advice } from "./advice.ts";
import type { CallContext, CheckStarting } from "./stage.ts";
import { isTooDeep, isTooLong } from "./engine-limits.ts";
import { isSystemError } from "../workspace/system-error.ts";
import { noRoom } from "./no-room.ts";
import { StageRefused, startingRefusal, withWrites, writeRefusal } from "./late-refusal.ts";

export interface EngineCall extends CallContext {
  /** Relative to the root, as navigated; "" is the root. */
  readonly currentDirectory: string;
  readonly previousDirectory: string | undefined;
  readonly stdin: ByteInput;
  readonly sink: RunSink;
  /** Those of the session. Default: none. */
  readonly cursors?: readonly HeldCursor[] | undefined;
  /** Bytes of standard output that go to the sink; later bytes are counted and dropped. */
  readonly keepBytes: number;
  /** See RunRequest. Default: none. */
  readonly colourMark?: string | undefined;
  /** Notes of what is read in `workspace`, from which what the call itself changes is taken. */
  readonly reads?: CallReads | undefined;
  readonly signal: AbortSignal;
  readonly checkStarting: CheckStarting;
}

/** Runs `plan` to its end, its limit or its cancellation. Never throws: a fault of ours is a result too. */
export async function runPlan(plan: Plan, call: EngineCall): Promise<RunResult> {
  const control = new CallControl(call.limits, call.signal, call.waitedMs);
  const cursors = new CallCursors(call.cursors ?? []);
  const stages: StageReport[] = [];
  const clock = new StageClock();
  const receipts: WriteReceipt[] = [];
  const collected = (written: readonly WriteReceipt[]): void => {
    collect(written, receipts);
    if (written.length > 0) call.sink.written?.(written);
    if (call.reads !== undefined) for (const { path } of written) call.reads.forget(path);
  };
  const passedOn = new WeakSet<Uint8Array>();
  const { currentDirectory, previousDirectory, nowMs, workspace } = call;
  const { rootPath, scratchPrefix: scratch } = workspace;
  const shell = new ShellState({ rootPath, currentDirectory, previousDirectory, nowMs, line: plan.line, scratch });
  const run = new ListRun({
    ...call,
    recorder: call.recorder && collectingReceipts(call.recorder, collected, call.reads),
    undo: call.undo && collectingUndone(call.undo, collected),
    line: plan.line,
    planned: plan.stages,
    failing: plan.failing,
    scripts: plan.scripts,
    origins: plan.origins,
    cursors,
    checkStarting: call.checkStarting,
    control,
    stages,
    clock,
    passedOn,
  });
  const last = new LastBytes();
  const advice = new Advice();
  const stderr: RunSink["stderr"] = (block) => {
    advice.note(block);
    return call.sink.stderr(block);
  };
  let outputBytes = 0;
  let passedOnBytes = 0;
  let newlines = 0;
  let endsInNewline = true;
  const report = () => ({
    outputBytes,
    outputLines: newlines + (endsInNewline ? 0 : 1),
    stages,
    receipts,
    ...(outputBytes > 0 && passedOnBytes === outputBytes ? { onlyPassedOn: true as const } : {}),
    currentDirectory: shell.currentDirectory,
    previousDirectory: shell.previousDirectory,
    unsetVariables: [...shell.notes.unset],
    ...(shell.exitCalled ? { exitCalled: true as const } : {}),
    ...(last.isEmpty ? {} : { lastBytes: last.bytes() }),
    ...(cursors.given.length === 0 ? {} : { cursors: cursors.given }),
    ...(cursors.notes.length + plan.faults.length === 0 ? {} : { notes: [...faultNotes(plan.faults), ...cursors.notes] }),
    ...(plan.expandedLine === undefined ? {} : { expandedLine: plan.expandedLine }),
  });
  const { progress } = call.sink;
  const told = progress && setInterval(() => progress({ outputBytes, stage: unended(stages) }), PROGRESS_INTERVAL_MS);
  const output = run.line(plan.body, {
    shell,
    stdin: untilStopped(call.stdin, control),
    stderr,
    waiting: new Waiting(),
    colourMark: call.colourMark,
  });
  try {
    for (;;) {
      const next = await output.next();
      if (next.done === true) {
        const given = advice.of(stages, workspace.at(shell.currentDirectory), receipts);
        return { kind: "completed", exit: next.value, ...report(), ...(given.length === 0 ? {} : { advice: given }) };
      }
      const block = next.value;
      if (block === FLUSH) continue;
      const room = call.keepBytes - outputBytes;
      if (passedOn.has(block)) passedOnBytes += block.length;
      outputBytes += block.length;
      newlines += countByte(block, NEWLINE);
      endsInNewline = block.at(-1) === NEWLINE;
      if (room >= block.length) await call.sink.stdout(block);
      else if (room > 0) await call.sink.stdout(block.subarray(0, room));
      if (room < block.length) last.add(block);
      if (outputBytes > call.limits.outputBytes) control.stop("output", `${call.limits.outputBytes} bytes of standard output`);
    }
  } catch (thrown) {
    const stopped = (limit: StopReason, cap: string, stage: StoppedStage | undefined): RunResult => ({
      kind: "stopped",
      limit,
      cap,
      ...(stage === undefined ? {} : { stage }),
      ...report(),
    });
    if (thrown instanceof CallStopped) return stopped(thrown.reason, thrown.cap, thrown.reason === "time" ? clock.busiest() : undefined);
    if (thrown instanceof LimitReached) return stopped(thrown.limit, `${thrown.cap} ${thrown.unit}`, clock.origin(thrown));
    if (isTooLong(thrown)) return stopped("held", `${MOST_LENGTH} characters or elements`, clock.origin(thrown));
    if (isTooDeep(thrown)) return stopped("held", "the nesting there is room for", clock.origin(thrown));
    if (thrown instanceof WriteRefused) return { kind: "refused", violations: [writeRefusal(thrown, receipts)], receipts };
    if (thrown instanceof StageRefused) return { kind: "refused", violations: [startingRefusal(thrown, receipts)], receipts };
    const lack = isSystemError(thrown, "EMFILE") || isSystemError(thrown, "ENFILE") ? noRoom(thrown) : undefined;
    if (lack !== undefined) return { kind: "refused", violations: [withWrites(lack, receipts)], receipts };
    const message = thrownText(thrown, { hasStack: true });
    return { kind: "faulted", faultId: randomUUID(), message, ...report() };
  } finally {
    clearInterval(told);
    await output.return(0).catch(() => undefined);
    await call.stdin.close();
  }
}

/** The parts of the line that failed at their turn, each once, and a line of which all runs. A tool's own message stands on standard error already. */
function faultNotes(faults: readonly Violation[]): readonly string[] {
  const reasons = faults.flatMap(({ detail, native }) => (native === undefined ? [`not run: ${detail}`] : []));
  const way = faults.map(suggestionText).find((text) => text !== "");
  return [...new Set(reasons), ...(way === undefined ? [] : [way])];
}

/** The same recorder, which also gives the receipts of every commit to `collected`, and tells `reads` of edits. */
function collectingReceipts(
  recorder: Recorder,
  collected: (written: readonly WriteReceipt[]) => void,
  reads: CallReads | undefined,
): Recorder {
  return {
    begin(targets, mode, currentDirectory) {
      const transaction = recorder.begin(targets, mode, currentDirectory);
      return {
        write: (bytes) => transaction.write(bytes),
        commit() {
          const written = transaction.commit();
          collected(written);
          return written;
        },
        abort: () => transaction.abort(),
      };
    },
    edit(currentDirectory) {
      const transaction = recorder.edit(currentDirectory);
      const ended = reads?.beginEdit();
      return {
        pending: (path) => transaction.pending(path),
        replace: (path, content, attributes) => transaction.replace(path, content, attributes),
        write: (path, mode) => transaction.write(path, mode),
        link: (path, text, like) => transaction.link(path, text, like),
        remove: (path, options) => transaction.remove(path, options),
        makeDirectory: (path, attributes) => transaction.makeDirectory(path, attributes),
        removeDirectory: (path) => transaction.removeDirectory(path),
        setAttributes: (path, attributes) => transaction.setAttributes(path, attributes),
        commit() {
          const written = transaction.commit();
          collected(written);
          ended?.();
          return written;
        },
        abort() {
          transaction.abort();
          ended?.();
        },
      };
    },
  };
}

/** The same for changes that are taken back. */
function collectingUndone(undo: UndoAccess, collected: (written: readonly WriteReceipt[]) => void): UndoAccess {
  return {
    plan(sought) {
      const plan = undo.plan(sought);
      return {
        ...plan,
        carryOut() {
          const written = plan.carryOut();
          collected(written);
          return written;
        },
      };
    },
  };
}

/** Adds `written` to `receipts`, with the differences of the first changes alone: a loop may make very many. */
function collect(written: readonly WriteReceipt[], receipts: WriteReceipt[]): void {
  for (const { change, ...receipt } of written) {
    const shown = change === undefined || receipts.length < MOST_SHOWN_CHANGES ? change : { ...change, diff: [], more: 0 };
    receipts.push({ ...receipt, change: shown });
  }
}

/** Changes of one call whose differences are kept for the answer. */
const MOST_SHOWN_CHANGES = 100;

/**
 * The same input, which no stage reads on from once the call was stopped: a stage that brings its input to its end
 * before it writes (tee) must not take the end of the call for the end of the input.
 */
function untilStopped(stdin: ByteInput, control: CallControl): ByteInput {
  const read = async (): Promise<Uint8Array | undefined> => {
    await control.check();
    return stdin.read();
  };
  return {
    isGiven: stdin.isGiven,
    read,
    unread: (rest) => stdin.unread(rest),
    close: () => stdin.close(),
    async *[Symbol.asyncIterator]() {
      for (let block = await read(); block !== undefined; block = await read()) yield block;
    },
  };
}

/** A stage that was not started yet, or runs, has taken no time so far. */
const unended = (stages: readonly StageReport[]): string | undefined => stages.find(({ elapsedMs }) => elapsedMs === 0)?.command;

/** Interval between calls of `RunSink.progress`, in milliseconds. */
const PROGRESS_INTERVAL_MS = 400;
const NEWLINE = 10;

/** V8's own, on 64 bits: of a text about 2^29 characters. */
const MOST_LENGTH = constants.MAX_STRING_LENGTH;
