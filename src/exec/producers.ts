/** The stages that a stage reads from: which of them failed, and what it said. */
import type { FailedProducer } from "../builtin/failed-producer.ts";
import type { ErrorSink } from "./stage.ts";
import { BROKEN_PIPE, type Started } from "./started-stage.ts";

/** Bytes kept of what a stage says on standard error: its first message. */
const MOST_MESSAGE_BYTES = 300;

/** The stages of one pipeline, as far as they have been set up. */
export class Producers {
  readonly #stages: { readonly started: Started; readonly source: string; readonly message: () => string }[] = [];

  add(started: Started, source: string, message: () => string): void {
    this.#stages.push({ started, source, message });
  }

  /** The last of those there are now that failed; asked once their output has come to its end. */
  failed(): () => FailedProducer | undefined {
    const before = [...this.#stages];
    return () => {
      const found = before.findLast(({ started: { exit } }) => exit !== 0 && exit !== BROKEN_PIPE);
      return found && { command: found.source, exit: found.started.exit, message: found.message() };
    };
  }
}

/** The same sink, which also keeps the start of what goes through it. */
export function overheard(stderr: ErrorSink["stderr"]): { readonly stderr: ErrorSink["stderr"]; readonly message: () => string } {
  let kept = Buffer.alloc(0);
  return {
    stderr: (bytes) => {
      if (kept.length < MOST_MESSAGE_BYTES) kept = Buffer.concat([kept, bytes.subarray(0, MOST_MESSAGE_BYTES - kept.length)]);
      return stderr(bytes);
    },
    message: () => kept.toString("utf8").trimEnd(),
  };
}
