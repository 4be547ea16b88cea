/**
 * MCP over standard input and output: one JSON message per line. Unlike the SDK's own transport it answers the calls that
 * are in flight when input ends (so `echo '{…}' | shelpa-mcp` prints its answer), answers messages it cannot read, and goes
 * on after an over-long line.
 */
import type { Readable, Writable } from "node:stream";
import { SUBSCRIPTION_ID_META_KEY, type JSONRPCMessage, type Transport } from "@modelcontextprotocol/server";
import { LineSplitter, readMessage, tooLongMessage, wireText, type ReadLine, type ReceivedLine } from "./message-lines.ts";

export interface StdioOptions {
  /** Longest accepted line, in bytes. */
  readonly maxLineBytes?: number;
  /** Requests taken and not yet answered, in number and in bytes, before reading pauses. */
  readonly maxInFlight?: number;
  readonly maxInFlightBytes?: number;
}

const MAX_LINE_BYTES = 8 << 20;
/**
 * Far more than run or wait for their turn (the policy says how many may), because a cancellation stands behind the
 * requests that were sent before it, and must be read while they go on.
 */
const MAX_IN_FLIGHT = 10_000;
const MAX_IN_FLIGHT_BYTES = 64 << 20;
/** Answers that the reader has not taken before nothing more is read from it. */
const MAX_PENDING_WRITES = 256;

export class StdioTransport implements Transport {
  onmessage?: Transport["onmessage"];
  onerror?: Transport["onerror"];
  onclose?: Transport["onclose"];
  /** Resolves once nothing more will be read or written: everything was answered, or nobody reads the answers. */
  readonly finished: Promise<void>;

  readonly #input: Readable;
  readonly #output: Writable;
  readonly #maxLineBytes: number;
  readonly #maxInFlight: number;
  readonly #maxInFlightBytes: number;
  readonly #lines: LineSplitter;
  /** Bytes of the requests that wait for an answer, by id; a client may use an id twice at once. */
  readonly #inFlight = new Map<string | number, number[]>();
  #inFlightCount = 0;
  #inFlightBytes = 0;
  #pendingWrites = 0;
  #atEnd = false;
  #closed = false;
  #finish: () => void = () => undefined;

  constructor(input: Readable, output: Writable, options: StdioOptions = {}) {
    this.#input = input;
    this.#output = output;
    this.#maxLineBytes = options.maxLineBytes ?? MAX_LINE_BYTES;
    this.#maxInFlight = options.maxInFlight ?? MAX_IN_FLIGHT;
    this.#maxInFlightBytes = options.maxInFlightBytes ?? MAX_IN_FLIGHT_BYTES;
    this.#lines = new LineSplitter(this.#maxLineBytes);
    this.finished = new Promise((resolve) => (this.#finish = resolve));
  }

  async start(): Promise<void> {
    // Stays attached after closing: a late EPIPE must not end the process with an exception.
    this.#output.on("error", this.#onOutputError);
    this.#output.on("close", this.#onOutputClose);
    this.#input.on("error", this.#onInputError);
    this.#input.on("end", this.#onInputEnd);
    this.#input.on("close", this.#onInputEnd);
    this.#input.on("data", this.#onChunk);
  }

  /** Resolves when the message has left the process; also when the output is gone, for then nobody waits for it. */
  async send(message: JSONRPCMessage): Promise<void> {
    await this.#write(message);
    const answered = answeredBy(message);
    if (answered !== undefined) this.#settle(answered);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#input.off("data", this.#onChunk);
    this.#input.off("end", this.#onInputEnd);
    this.#input.off("close", this.#onInputEnd);
    this.#input.pause();
    this.#inFlight.clear();
    this.#finish();
    this.onclose?.();
  }

  /** Takes no more requests; closes once those in flight are answered. As at the end of input. */
  stopReading(): void {
    if (this.#atEnd || this.#closed) return;
    this.#atEnd = true;
    this.#input.off("data", this.#onChunk);
    this.#input.pause();
    this.#closeIfDrained();
  }

  readonly #onChunk = (chunk: Buffer | string): void => {
    for (const line of this.#lines.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk)) {
      if (this.#closed) return;
      this.#receive(line);
    }
    this.#pauseOrResume();
  };

  readonly #onInputEnd = (): void => {
    if (this.#atEnd || this.#closed) return;
    for (const line of this.#lines.end()) this.#receive(line);
    this.stopReading();
  };

  readonly #onInputError = (error: Error): void => {
    this.onerror?.(error);
    this.#onInputEnd();
  };

  readonly #onOutputError = (error: Error): void => {
    if ("code" in error && error.code === "EPIPE") return this.#onOutputClose();
    this.onerror?.(error);
    this.#onOutputClose();
  };

  readonly #onOutputClose = (): void => void this.close();

  #receive(line: ReceivedLine): void {
    if ("tooLong" in line) return this.#answerFault(tooLongMessage(line, this.#maxLineBytes));
    const read = readMessage(line);
    switch (read.kind) {
      case "blank":
        return;
      case "fault":
        return this.#answerFault(read);
      case "message":
        this.#track(read.message, line.length);
        this.onmessage?.(read.message);
    }
  }

  #answerFault({ id, code, text }: ReadLine & { readonly kind: "fault" }): void {
    void this.#write({ jsonrpc: "2.0", id, error: { code, message: text } });
  }

  #track(message: JSONRPCMessage, bytes: number): void {
    if (!("method" in message)) return;
    if ("id" in message) {
      const sizes = this.#inFlight.get(message.id);
      if (sizes === undefined) this.#inFlight.set(message.id, [bytes]);
      else sizes.push(bytes);
      this.#inFlightCount++;
      this.#inFlightBytes += bytes;
    } else if (message.method === "notifications/cancelled") {
      // A cancelled request gets no answer, so nothing waits for one.
      const id = message.params?.["requestId"];
      if (typeof id === "string" || typeof id === "number") this.#settle(id);
    }
  }

  #settle(id: string | number): void {
    const sizes = this.#inFlight.get(id);
    if (sizes === undefined) return;
    this.#inFlightBytes -= sizes.shift() ?? 0;
    if (sizes.length === 0) this.#inFlight.delete(id);
    this.#inFlightCount--;
    this.#pauseOrResume();
    this.#closeIfDrained();
  }

  /** Reads on only while answers are wanted: a client that does not read them is not read either. */
  #pauseOrResume(): void {
    if (this.#atEnd || this.#closed) return;
    const mayRead =
      this.#inFlightCount < this.#maxInFlight && this.#inFlightBytes < this.#maxInFlightBytes && this.#pendingWrites < MAX_PENDING_WRITES;
    if (mayRead && this.#input.isPaused()) this.#input.resume();
    else if (!mayRead && !this.#input.isPaused()) this.#input.pause();
  }

  #closeIfDrained(): void {
    if (this.#atEnd && this.#inFlightCount === 0 && this.#pendingWrites === 0) void this.close();
  }

  #write(message: unknown): Promise<void> {
    if (this.#closed) return Promise.resolve();
    this.#pendingWrites++;
    return new Promise((resolve) => {
      this.#output.write(`${wireText(message)}\n`, () => {
        this.#pendingWrites--;
        this.#pauseOrResume();
        this.#closeIfDrained();
        resolve();
      });
    });
  }
}

/**
 * The request that needs no further waiting once `message` is out: the one it answers, or the subscription it
 * acknowledges (which would otherwise be answered only when the connection closes).
 */
function answeredBy(message: JSONRPCMessage): string | number | undefined {
  if (!("method" in message)) return message.id;
  if (message.method !== "notifications/subscriptions/acknowledged") return undefined;
  const id = message.params?._meta?.[SUBSCRIPTION_ID_META_KEY];
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}
