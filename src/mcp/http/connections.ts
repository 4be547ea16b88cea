/**
 * Connections of a server, by whether they have brought an authenticated request. Strangers' are so many, of one address and in all; the one
 * that has waited longest gives way to a new one, so that whoever opens thousands and says nothing shuts nobody else out.
 */

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
  /** The one that has waited longest first. */
  readonly #strangers = new Set<Connection>();
  readonly #byAddress = new Map<string, Set<Connection>>();

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  /** Strangers' connections that are open. */
  get strangers(): number {
    return this.#strangers.size;
  }

  /** Takes a new connection, for which those that have waited longest are closed where there are too many. */
  add(connection: Connection): void {
    // Undefined where it has gone already.
    const address = connection.remoteAddress ?? "";
    const ofAddress = this.#byAddress.get(address) ?? new Set();
    this.#byAddress.set(address, ofAddress);
    ofAddress.add(connection);
    this.#strangers.add(connection);
    connection.once("close", () => this.#forget(connection, address));
    const [oldestOfAddress] = ofAddress;
    if (ofAddress.size > this.#limits.ofAddress && oldestOfAddress !== undefined) this.#close(oldestOfAddress, address);
    const [oldest] = this.#strangers;
    if (this.#strangers.size > this.#limits.ofAll && oldest !== undefined) this.#close(oldest, oldest.remoteAddress ?? "");
  }

  /** Counts it no longer among the strangers': it has brought an authenticated request. */
  know(connection: Connection): void {
    if (this.#strangers.has(connection)) this.#forget(connection, connection.remoteAddress ?? "");
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
