/** The sink `stdout`: one JSON object a line. For a process whose standard output is collected, and is no channel of the protocol. */
import type { ShippedLine } from "../../audit/ship/shipped-line.ts";
import { type AuditSink, awayBecause, BATCH_BYTES, SinkAway } from "./audit-sink.ts";

/** Resolves when `text` has been handed to the system; rejects where that failed. */
export type WriteOut = (text: string) => Promise<void>;

export class StdoutSink implements AuditSink {
  readonly name = "stdout";
  readonly batchBytes = BATCH_BYTES;
  readonly #write: WriteOut;

  constructor(write: WriteOut) {
    this.#write = write;
  }

  /** A pipe that nobody reads is waited for without end: the lines are in it, and would come twice. */
  async send(lines: readonly ShippedLine[], signal: AbortSignal): Promise<void> {
    let abort = (): void => {};
    const stopped = new Promise<never>((_, reject) => {
      abort = () => reject(new SinkAway("the server stops"));
    });
    signal.addEventListener("abort", abort);
    try {
      await Promise.race([this.#write(lines.map(outputLine).join("")), stopped]);
    } catch (thrown) {
      throw awayBecause(thrown);
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }
}

/** The record is put in as it is on disk, so that its hash can be taken again. */
function outputLine({ text, ...facts }: ShippedLine): string {
  return `${JSON.stringify({ shelpa: "audit", ...facts }).slice(0, -1)},"record":${text}}\n`;
}
