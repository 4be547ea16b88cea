/** Outcome of a call: four kinds, never one overloaded exit status. */
import type { WritePreview } from "../audit/preview.ts";
import type { WriteReceipt } from "../builtin/recorder.ts";
import type { ExitStatus } from "../builtin/definition.ts";
import type { SoughtDefinition } from "../builtin/sought-definition.ts";
import type { NewCursor } from "./call-cursors.ts";
import type { Assessment } from "../guard/assessment.ts";
import type { Violation } from "../guard/violation.ts";

export type RunResult = Completed | Refused | Stopped | Faulted;

/** Ran to its end. The bytes went to the caller's sink while it ran. */
export interface Completed extends RunReport {
  readonly kind: "completed";
  readonly exit: ExitStatus;
  /**
   * Set for a request for a preview.
   * @internal
   */
  readonly previews?: readonly WritePreview[];
  /** Set for a dry run: nothing else has happened. */
  readonly assessment?: Assessment;
}

/** The guard did not pass it, or stopped it at a stage that was about to start. */
export interface Refused {
  readonly kind: "refused";
  readonly violations: readonly [Violation, ...Violation[]];
  /** Writes that the line had made before it was stopped, and that stand. Left out where nothing ran. */
  readonly receipts?: readonly WriteReceipt[];
}

/** A limit or the caller ended it. What had been printed is in the sink; no write was half done. */
export interface Stopped extends RunReport {
  readonly kind: "stopped";
  readonly limit: StopReason;
  /** The cap that was met, with its unit, for people: "30 s", "512 MiB". */
  readonly cap: string;
  /** At the time limit the command that has taken most of the time, at a limit of a stage the command that met it. Left out where it is not known. */
  readonly stage?: StoppedStage;
}

/** A command of a line that was stopped. */
export interface StoppedStage {
  readonly command: string;
  /** That it was at work itself. */
  readonly milliseconds: number;
  /** Times that it was started. */
  readonly runs: number;
  /** That it was given by the stage before it in its pipeline, where there is one, and that it has printed. */
  readonly inputBytes: number | undefined;
  readonly outputBytes: number;
}

/** A fault of ours. `faultId` is in the server's log beside the stack. */
export interface Faulted extends RunReport {
  readonly kind: "faulted";
  readonly faultId: string;
  readonly message: string;
}

export type StopReason = "time" | "memory" | "output" | "line" | "held" | "spill" | "cancelled";

export interface RunReport {
  /** Standard output of the whole call, including the bytes that `keepBytes` kept from the sink. */
  readonly outputBytes: number;
  /** Newlines, plus one for a last line without one. */
  readonly outputLines: number;
  /** The end of standard output, where `keepBytes` kept it from the sink. */
  readonly lastBytes?: Uint8Array;
  /** There is standard output, and all of it was only passed on by writers at the end of their pipelines. */
  readonly onlyPassedOn?: true;
  readonly stages: readonly StageReport[];
  readonly receipts: readonly WriteReceipt[];
  /** The session's directory afterwards, relative to the root ("" is the root). */
  readonly currentDirectory: string;
  /** Names of variables that were expanded and not set, the first few. */
  readonly unsetVariables: readonly string[];
  /** Follow cursors that the call gave out. */
  readonly cursors?: readonly NewCursor[];
  /** Sentences of stages for the caller, beside their output. */
  readonly notes?: readonly string[];
  /** Sentences for an agent that save its next call (advice.ts). */
  readonly advice?: readonly string[];
  /** The line as it ran, where it calls named pipelines. */
  readonly expandedLine?: string;
  /** Files, relative to the root, that a human would have had to allow, and that the configuration allows beforehand. */
  readonly preApproved?: readonly string[];
  /** True if the line has used its session's scratch. */
  readonly usedScratch?: true;
  /** True if the line called `exit` in its own shell: a prompt that runs it is left. */
  readonly exitCalled?: true;
  /** Directory that `cd -` goes back to. */
  readonly previousDirectory: string | undefined;
}

/** Stages of a call that are reported; loops run more. */
export const MOST_REPORTS = 200;

/** One stage that ran, in the order of starting. */
export interface StageReport {
  /** The stage's own source text. */
  readonly command: string;
  readonly outputBytes: number;
  readonly elapsedMs: number;
  /** Exit status; null for a stage that was closed by its reader before it ended. */
  readonly exit: ExitStatus | null;
  /** The first of its pipeline: those behind it up to the next such one are the others. */
  readonly startsPipeline?: true;
  /** The part of a long output that says most; left out for both ends. */
  readonly tells?: "start" | "end";
  /** Meaning of an output that is empty: "grep found nothing". */
  readonly silence?: string;
  /** The definition that it sought by its text, and found something. */
  readonly sought?: SoughtDefinition;
}

/** Receiver of a run's bytes. A returned promise is waited for: backpressure. */
export interface RunSink {
  readonly stdout: (bytes: Uint8Array) => void | Promise<void>;
  readonly stderr: (bytes: Uint8Array) => void | Promise<void>;
  /** Called now and then during a run that takes a while. */
  readonly progress?: ((progress: RunProgress) => void) | undefined;
  /** Called with what was written, when it was. */
  readonly written?: ((receipts: readonly WriteReceipt[]) => void) | undefined;
}

/** Progress of a run. */
export interface RunProgress {
  /** Bytes of standard output so far. */
  readonly outputBytes: number;
  /** Source text of the first stage that has not ended; undefined where that is not known. */
  readonly stage: string | undefined;
}
