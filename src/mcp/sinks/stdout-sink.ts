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

/**
 * The record is put in as it is on disk, so that its hash can be taken again. One with characters that somebody takes for the end of a line,
 * which ours have not, is a string of its own, in escapes.
 */
function outputLine({ text, ...facts }: ShippedLine): string {
  const head = JSON.stringify({ shelpa: "audit", ...facts }).slice(0, -1);
  return ENDS_A_LINE.test(text) ? `${head},"raw":${inEscapes(JSON.stringify(text))}}\n` : `${head},"record":${text}}\n`;
}

const ENDS_A_LINE = /[\0-\x1f\x7f-\x9f\u2028\u2029]/;
const inEscapes = (text: string): string =>
  text.replace(/[\x7f-\x9f\u2028\u2029]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`);
