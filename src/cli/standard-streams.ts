/** The process's own standard streams as a run's input and sink. */
import { inputFrom, type ByteInput } from "../io/input.ts";
import { standardInputIsGiven } from "../host/own-arguments.ts";

/** Exit status of a process that wrote into a closed pipe: 128 + SIGPIPE. */
const BROKEN_PIPE_EXIT = 141;

export interface StandardStreams {
  readonly stdin: ByteInput;
  readonly stdout: (bytes: Uint8Array) => void | Promise<void>;
  readonly stderr: (bytes: Uint8Array) => void | Promise<void>;
  /** Aborted when the reader of standard output has gone. */
  readonly signal: AbortSignal;
  /** Ends the process with `exit`, once all output is written. */
  end(exit: number): void;
}

export function standardStreams(): StandardStreams {
  const readerGone = new AbortController();
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
      readerGone.abort();
    });
  }
  return {
    // Opened at the first read: a process that never reads must not take input that belongs to the next one.
    stdin: inputFrom(standardInput(), standardInputIsGiven()),
    stdout: writer(process.stdout, readerGone.signal),
    stderr: writer(process.stderr, readerGone.signal),
    signal: readerGone.signal,
    end: (exit) => process.stdout.write("", () => process.exit(readerGone.signal.aborted ? BROKEN_PIPE_EXIT : exit)),
  };
}

async function* standardInput(): AsyncGenerator<Uint8Array, void> {
  yield* process.stdin;
}

/** Writes to `stream`. Blocks that come while it is full wait for the same drain. */
function writer(stream: NodeJS.WriteStream, gone: AbortSignal): (bytes: Uint8Array) => void | Promise<void> {
  let drained: Promise<void> | undefined;
  return (bytes) => {
    if (gone.aborted || stream.write(bytes)) return;
    drained ??= new Promise<void>((resolve) => {
      const done = (): void => {
        stream.off("drain", done);
        gone.removeEventListener("abort", done);
        drained = undefined;
        resolve();
      };
      stream.on("drain", done);
      gone.addEventListener("abort", done);
    });
    return drained;
  };
}
