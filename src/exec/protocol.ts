/** Messages between the supervisor and an executor process, over Node's IPC channel. */
import type { WriteReceipt } from "../builtin/recorder.ts";
import type { CommandAnswer, CommandRequest } from "./command-channel.ts";
import type { RunProgress, RunResult } from "./result.ts";
import type { RunnerOptions, RunRequest } from "./runner.ts";

export type ToExecutor =
  /** `tellsMemory`: the executor watches its resident memory itself, and says on its standard output that it is past the limit. */
  | { readonly type: "open"; readonly options: RunnerOptions; readonly tellsMemory: boolean }
  /** Runs a line, one at a time. `hasInput`: ByteInput.isGiven of its standard input. `isWatched`: somebody is told of its progress. */
  | { readonly type: "run"; readonly request: RunRequest; readonly hasInput: boolean; readonly isWatched: boolean }
  /** Answers `pull`; undefined is the end. */
  | { readonly type: "input"; readonly block: Uint8Array | undefined }
  /** Acknowledges output, once it is much: the number of bytes that have been taken. */
  | { readonly type: "taken"; readonly bytes: number }
  /** About a command of the program. */
  | { readonly type: "command"; readonly answer: CommandAnswer }
  | { readonly type: "cancel" };

export type FromExecutor =
  /** The workspace is open. */
  | { readonly type: "ready" }
  /** The workspace could not be opened: the FileError's code. */
  | { readonly type: "unusable"; readonly code: string; readonly message: string }
  | { readonly type: "pull" }
  | { readonly type: "output"; readonly stream: "stdout" | "stderr"; readonly block: Uint8Array }
  | { readonly type: "progress"; readonly progress: RunProgress }
  /** What has been written: told as it happens, for the process may be ended before its result. */
  | { readonly type: "written"; readonly receipts: readonly WriteReceipt[] }
  | { readonly type: "command"; readonly request: CommandRequest }
  | { readonly type: "result"; readonly result: RunResult };

/** Output an executor may have on the way before it waits for `taken`, in bytes. Half of it is acknowledged at the latest. */
export const WINDOW_BYTES = 1 << 20;
