/**
 * Approval by a program's callback: a line that lacks nothing but a human's agreement is previewed, put to the callback with what it
 * would write, and run again with exactly those writes agreed to.
 */
import type { WritePreview } from "../audit/preview.ts";
import type { AgreedWrites } from "../builtin/recorder.ts";
import { lacksOnlyApproval, needsWrites } from "../exec/lacks-approval.ts";
import type { RunResult, RunSink } from "../exec/result.ts";
import type { RunStreams } from "../exec/runner.ts";
import type { Violation } from "../guard/violation.ts";
import type { ByteInput } from "../io/input.ts";
import { RereadInput } from "../io/reread-input.ts";

/** A line that runs only if a human agrees. */
export interface ApprovalQuestion {
  readonly line: string;
  /** Relative to the root ("" is the root), or absolute in a mount. */
  readonly currentDirectory: string;
  /** The session's name in the records. */
  readonly session: string;
  /** Reasons for asking. */
  readonly violations: readonly [Violation, ...Violation[]];
  /** Every write of the line, with its difference. Others are not made, and these only while the files are still as they were. */
  readonly writes: readonly WritePreview[];
  /** Aborted where the line was cancelled: the answer does not matter any more. */
  readonly signal: AbortSignal;
}

/** Answers a question: true runs the line. The time it takes is no part of the line's own; later lines of the session wait for it. */
export type Approve = (question: ApprovalQuestion) => boolean | Promise<boolean>;

/** Most of standard input that is kept for the run after the question, in bytes: about a line that reads more nobody is asked. */
const MOST_INPUT_BYTES = 8 << 20;

export interface ApprovedRun {
  readonly approve: Approve;
  /** See lacksOnlyApproval. */
  readonly asksForProtected: boolean;
  readonly question: Pick<ApprovalQuestion, "line" | "currentDirectory" | "session">;
  readonly stdin: ByteInput;
  readonly sink: RunSink & {
    /** Drops what has been printed; left out where it cannot be taken back. */
    readonly restart?: (() => void) | undefined;
  };
  readonly signal: AbortSignal;
  readonly run: (mode: { readonly preview?: true; readonly approved?: AgreedWrites }, streams: RunStreams) => Promise<RunResult>;
}

/** Runs a line, and once more if `approve` agrees. Rejects where `approve` does. */
export async function runWithApproval(given: ApprovedRun): Promise<RunResult> {
  const { approve, asksForProtected, question, stdin, sink, signal, run } = given;
  const input = new RereadInput(stdin, MOST_INPUT_BYTES);
  let hasPrinted = false;
  const noting = (stream: RunSink["stdout"]) => (block: Uint8Array) => {
    hasPrinted = true;
    return stream(block);
  };
  try {
    const noted = { ...sink, stdout: noting(sink.stdout), stderr: noting(sink.stderr) };
    const first = await run({}, { ...noted, stdin: input.fromStart() ?? stdin });
    if (!lacksOnlyApproval(first, asksForProtected) || (first.receipts ?? []).length > 0) return first;
    if (hasPrinted && sink.restart === undefined) return first;
    const shown = input.fromStart();
    const preview = shown && (await run({ preview: true }, { ...SILENT, stdin: shown }));
    const writes = preview?.kind === "completed" ? preview.previews : undefined;
    const again = input.fromStart();
    if (again === undefined || writes === undefined || (writes.length === 0 && needsWrites(first))) return first;
    const { violations } = first;
    const isAgreed = await unlessAborted(Promise.resolve(approve({ ...question, violations, writes, signal })), signal);
    if (isAgreed !== true) return first;
    sink.restart?.();
    const approved = new Map(writes.map(({ path, sha256: content, before, after }) => [path, { content, before, after }]));
    return await run({ approved }, { ...sink, stdin: again });
  } finally {
    await input.close();
  }
}

const SILENT: RunSink = { stdout: () => {}, stderr: () => {} };

/** The answer; undefined as soon as `signal` is aborted. */
async function unlessAborted(answer: Promise<boolean>, signal: AbortSignal): Promise<boolean | undefined> {
  let leave = (): void => {};
  const aborted = new Promise<undefined>((resolve) => {
    leave = () => resolve(undefined);
    signal.addEventListener("abort", leave);
    if (signal.aborted) leave();
  });
  try {
    return await Promise.race([answer, aborted]);
  } finally {
    signal.removeEventListener("abort", leave);
  }
}
