/**
 * One connection to a receiver of syslog, for one batch. Syslog has no acknowledgement. What there is instead: a receiver that finds our
 * end behind the last message has read everything before it, and ends its side. So the batch is sent, our side is ended, and the peer's
 * orderly end (FIN) is waited for. A peer that dies with bytes unread resets the connection.
 *
 * A peer that ended by itself while our last bytes were on their way would look the same, so our end is not sent together with them,
 * but some round trips later: had the peer ended before they came, we would know by then. TLS does not change that: a server that is
 * stopped may say goodbye (close_notify) with bytes unread, so the end of TCP below it is what counts.
 */
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { Duplex } from "node:stream";
import { connect as connectTls } from "node:tls";
import { SinkAway } from "./audit-sink.ts";

export interface SyslogReceiver {
  readonly host: string;
  readonly port: number;
  /** undefined: TCP without TLS. `ca`: certificates in PEM; undefined: those that Node brings. */
  readonly tls: { readonly ca: string | undefined } | undefined;
}

export interface ConnectionLimits {
  /** For the connection and TLS's handshake, in milliseconds. */
  readonly connectMs: number;
  /** For all bytes to be taken, and again for the peer's end, in milliseconds. */
  readonly sendMs: number;
}

/** Least time between the last byte and our end, in milliseconds, and in round trips. */
const SETTLE_MS = 50;
const SETTLE_ROUND_TRIPS = 4;
const MOST_SETTLE_MS = 2000;

/** Resolves when the receiver has read all of `bytes`. Throws SinkAway where that is not known. */
export async function sendOverConnection(
  receiver: SyslogReceiver,
  bytes: Buffer,
  { connectMs, sendMs }: ConnectionLimits,
  signal: AbortSignal,
): Promise<void> {
  const { host, port, tls } = receiver;
  const socket = connectTcp({ host, port, allowHalfOpen: true, noDelay: true });
  const watch = new Watch(socket, signal);
  try {
    const startedMs = performance.now();
    await watch.until("connect", socket, connectMs, "no connection in time");
    const roundTripMs = performance.now() - startedMs;
    const channel = tls === undefined ? socket : watch.guard(connectTls({ ...tlsOptions(host, tls.ca), socket: new Tunnel(socket) }));
    if (channel !== socket) await watch.until("secureConnect", channel, connectMs, "no TLS handshake in time");
    // Nothing is expected, and what came unread would reset the connection when it is closed.
    channel.resume();
    await watch.within(sendMs, "the batch was not taken in time", (done) => channel.write(bytes, done));
    await watch.pause(Math.min(MOST_SETTLE_MS, Math.max(SETTLE_MS, SETTLE_ROUND_TRIPS * roundTripMs)));
    watch.expectEnd();
    channel.end();
    await watch.ended(sendMs);
  } finally {
    watch.close();
    socket.destroy();
  }
}

const tlsOptions = (host: string, ca: string | undefined) => ({
  ...(ca === undefined ? {} : { ca }),
  // A name is verified as the certificate's; an address is none of TLS's server names, and is verified from `host`.
  ...(isIP(host) === 0 ? { servername: host } : { host }),
  minVersion: "TLSv1.2" as const,
});

/**
 * The socket as TLS sees it. Between the two, because TLS would close the socket with the peer's goodbye, and its end would never be
 * seen.
 */
class Tunnel extends Duplex {
  readonly #socket: Socket;

  constructor(socket: Socket) {
    super({ allowHalfOpen: true });
    this.#socket = socket;
    socket.on("data", (block) => void (this.push(block) || socket.pause()));
    socket.on("end", () => this.push(null));
    socket.on("error", (error) => this.destroy(error));
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(block: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.#socket.write(block, done);
  }

  override _final(done: () => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    // The socket stays: whoever opened it waits for its end.
    this.#socket.resume();
    done(error);
  }
}

/** Waits for events of a connection, each of which its failure ends. */
class Watch {
  readonly #failed: Promise<never>;
  readonly #fail: (error: Error) => void;
  readonly #end: Promise<void>;
  readonly #signal: AbortSignal;
  readonly #abort: () => void;
  readonly #timers = new Set<NodeJS.Timeout>();
  #isEndExpected = false;

  constructor(socket: Socket, signal: AbortSignal) {
    let fail = (_error: Error): void => undefined;
    this.#failed = new Promise((_, reject) => {
      fail = reject;
    });
    this.#failed.catch(() => undefined);
    this.#fail = fail;
    this.#signal = signal;
    this.#abort = () => fail(new SinkAway("the server stops"));
    signal.addEventListener("abort", this.#abort);
    if (signal.aborted) this.#abort();
    this.#end = new Promise((resolve) => {
      socket.once("end", () => (this.#isEndExpected ? resolve() : fail(new SinkAway("the receiver ended the connection"))));
    });
    this.guard(socket);
    socket.once("close", () => fail(new SinkAway("the connection was lost")));
  }

  guard<C extends Socket>(channel: C): C {
    channel.on("error", (error) => this.#fail(new SinkAway(error.message)));
    return channel;
  }

  until(event: string, of: Socket, ms: number, late: string): Promise<void> {
    return this.within(ms, late, (done) => void of.once(event, () => done()));
  }

  async within(ms: number, late: string, begin: (done: (error?: Error | null) => void) => void): Promise<void> {
    const timer = setTimeout(() => this.#fail(new SinkAway(late)), ms);
    this.#timers.add(timer);
    try {
      await Promise.race([
        this.#failed,
        new Promise<void>((resolve, reject) => begin((error) => (error ? reject(new SinkAway(error.message)) : resolve()))),
      ]);
    } finally {
      clearTimeout(timer);
    }
  }

  pause(ms: number): Promise<void> {
    return this.within(ms + MOST_SETTLE_MS, "", (done) => void this.#timers.add(setTimeout(done, ms)));
  }

  /** From here on the peer's end is an answer to ours. */
  expectEnd(): void {
    this.#isEndExpected = true;
  }

  async ended(ms: number): Promise<void> {
    await this.within(ms, "the receiver did not end the connection after the batch", (done) => void this.#end.then(() => done()));
  }

  close(): void {
    this.#signal.removeEventListener("abort", this.#abort);
    for (const timer of this.#timers) clearTimeout(timer);
  }
}
