/** The types that everything about running stages shares: the call, the surroundings of a command, its output. */
import type { Argument } from "../builtin/arguments.ts";
import type { Catalogue } from "../builtin/catalogue.ts";
import type { BuiltinDefinition, ExitStatus } from "../builtin/definition.ts";
import type { FailedProducer } from "../builtin/failed-producer.ts";
import type { KeptValues } from "../builtin/kept-values.ts";
import type { Recorder } from "../builtin/recorder.ts";
import type { ServerFacts } from "../builtin/server-facts.ts";
import type { UndoAccess } from "../builtin/undo-access.ts";
import type { RunLimits } from "../config/limits.ts";
import type { checkStarting } from "../guard/guard.ts";
import type { Violation } from "../guard/violation.ts";
import type { ByteInput } from "../io/input.ts";
import type { SimpleCommand } from "../shell/tree.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Descriptors } from "./descriptors.ts";
import type { Waiting } from "./routes.ts";
import type { ShellState } from "./shell-state.ts";
import type { StageOutputs } from "./stage-outputs.ts";

/** One call, as each of its stages sees it. */
export interface CallContext {
  readonly workspace: Workspace;
  readonly catalogue: Catalogue;
  /** Recorder of the call's writes; undefined where the workspace is read-only. */
  readonly recorder: Recorder | undefined;
  /** True if redirections into files of the workspace are recorded writes. */
  readonly recordsRedirects: boolean;
  /** Taking changes back; undefined where the workspace is read-only. */
  readonly undo?: UndoAccess | undefined;
  readonly server?: ServerFacts;
  readonly kept: KeptValues;
  readonly limits: RunLimits;
  /** See RunRequest. */
  readonly waitedMs?: number | undefined;
  /** Milliseconds since the epoch, read once. */
  readonly nowMs: number;
  /** IANA name. */
  readonly timeZone: string;
}

/** The guard's second look, at a stage whose words were not all known when the line was checked. */
export type CheckStarting = (
  line: string,
  command: SimpleCommand,
  starting: Parameters<typeof checkStarting>[2],
) => Promise<Violation | undefined>;

/** The sink of a command's standard error where that is not redirected. */
export interface ErrorSink {
  readonly stderr: (bytes: Uint8Array) => void | Promise<void>;
}

/** The shell, the input and the errors that a command runs with. */
export interface Surroundings extends ErrorSink {
  /** Called with the name, definition and arguments that a simple command turns out to have, for its report. */
  readonly describe?: (name: string, definition: BuiltinDefinition, args: readonly Argument[]) => void;
  readonly shell: ShellState;
  /** The stage before this one in its pipeline, or one before that, which has failed; asked at the end of the input. */
  readonly failedProducer?: (() => FailedProducer | undefined) | undefined;
  readonly stdin: ByteInput;
  /** Descriptors from 3 on that commands around this one have opened, and those of its own. */
  readonly descriptors?: Descriptors | undefined;
  /** Bytes that come before the next block of the output that the command writes to. */
  readonly waiting: Waiting;
  /** Given where the command's standard output is the terminal's (RunRequest). */
  readonly colourMark?: string | undefined;
  /** Of the command itself. */
  readonly outputs?: StageOutputs | undefined;
}

/** A stage's output: blocks, then its exit status. */
export type StageOutput = AsyncGenerator<Uint8Array, ExitStatus>;
