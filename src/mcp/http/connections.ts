/**
 * Connections of a server, by whether they have brought an authenticated request. Strangers' are so many, of one address and in all; the one
 * that has waited longest gives way to a new one, so that whoever opens thousands and says nothing shuts nobody else out. One that has
 * just come is no stranger yet: many callers behind one proxy may come at once.
 */

/** Time that a connection has to bring its request before it may have to give way, in milliseconds. */
const YOUNG_MS = 2000;

/** As much of a socket as is needed here. */
export interface Connection {
  readonly remoteAddress?: string | undefined;
  once(event: "close", listener: () => void): unknown;
  destroy(): unknown;
}

export interface ConnectionLimits {
  /** Connections of strangers that come from one address: a proxy's are all of its clients'. */
  readonly ofAddress: number;
  /** Connections of strangers. */
  readonly ofAll: number;
}

export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #nowMs: () => number;
  /** With the instant at which it came; the one that has waited longest first. */
  readonly #strangers = new Map<Connection, number>();
  readonly #byAddress = new Map<string, Set<Connection>>();

  /** `nowMs`: milliseconds of a clock that does not go back. */
  constructor(limits: ConnectionLimits, nowMs = (): number => performance.now()) {
    this.#limits = limits;
    this.#nowMs = nowMs;
  }

  /** Strangers' connections that are open. */
  get strangers(): number {
    return this.#strangers.size;
  }

  /**
   * Takes a new connection, for which the one that has waited longest is closed where there are too many of its address, or in all. Where
   * there are too many in all that have just come, the new one is closed.
   */
  add(connection: Connection): void {
    // Undefined where it has gone already.
    const address = connection.remoteAddress ?? "";
    const ofAddress = this.#byAddress.get(address) ?? new Set();
    this.#byAddress.set(address, ofAddress);
    ofAddress.add(connection);
    this.#strangers.set(connection, this.#nowMs());
    connection.once("close", () => this.#forget(connection, address));
    const [oldestOfAddress] = ofAddress;
    if (ofAddress.size > this.#limits.ofAddress && oldestOfAddress !== undefined && !this.#isYoung(oldestOfAddress)) {
      this.#close(oldestOfAddress, address);
    }
    const [oldest] = this.#strangers.keys();
    if (this.#strangers.size <= this.#limits.ofAll || oldest === undefined) return;
    if (this.#isYoung(oldest)) this.#close(connection, address);
    else this.#close(oldest, oldest.remoteAddress ?? "");
  }

  /** Counts it no longer among the strangers': it has brought an authenticated request. */
  know(connection: Connection): void {
    if (this.#strangers.has(connection)) this.#forget(connection, connection.remoteAddress ?? "");
  }

  #isYoung(connection: Connection): boolean {
    return this.#nowMs() - (this.#strangers.get(connection) ?? 0) < YOUNG_MS;
  }

  #close(connection: Connection, address: string): void {
    this.#forget(connection, address);
    connection.destroy();
  }

  #forget(connection: Connection, address: string): void {
    if (!this.#strangers.delete(connection)) return;
    const ofAddress = this.#byAddress.get(address);
    ofAddress?.delete(connection);
    if (ofAddress?.size === 0) this.#byAddress.delete(address);
  }
}
