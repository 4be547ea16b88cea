/**
 * A bounded pipe between two threads: one writes, the other reads, through shared memory. The worker's end may block
 * (Atomics.wait); the main thread's end never does, and is woken by messages (tool-run.ts, tool-worker.ts).
 */

/** Indexes into the control words. Counts run modulo 2^32; their difference is what is held. */
const WRITTEN = 0;
const READ = 1;
const ENDED = 2;
const READER_WAITS = 3;
/** Changes with every write and with the end: what a reader sleeps on. */
const CHANGES = 4;
const CONTROL_BYTES = 32;

export class ByteRing {
  /** The shared memory, for the other thread to make its own end of the ring. */
  readonly shared: SharedArrayBuffer;
  readonly #control: Int32Array;
  readonly #data: Uint8Array;

  constructor(shared: SharedArrayBuffer) {
    this.shared = shared;
    this.#control = new Int32Array(shared, 0, CONTROL_BYTES / 4);
    this.#data = new Uint8Array(shared, CONTROL_BYTES);
  }

  /** An empty ring that holds up to `capacity` bytes, a power of two (so that the counts may wrap). */
  static of(capacity: number): ByteRing {
    return new ByteRing(new SharedArrayBuffer(CONTROL_BYTES + capacity));
  }

  /** Bytes that are held. */
  get held(): number {
    return (Atomics.load(this.#control, WRITTEN) - Atomics.load(this.#control, READ)) >>> 0;
  }

  /** No more will be written. */
  get ended(): boolean {
    return Atomics.load(this.#control, ENDED) === 1;
  }

  /** Writes as much of `bytes` as there is room for; returns how much. */
  write(bytes: Uint8Array): number {
    const count = Math.min(bytes.length, this.#data.length - this.held);
    if (count === 0) return 0;
    const written = Atomics.load(this.#control, WRITTEN);
    const at = (written >>> 0) % this.#data.length;
    const first = Math.min(count, this.#data.length - at);
    this.#data.set(bytes.subarray(0, first), at);
    if (first < count) this.#data.set(bytes.subarray(first, count), 0);
    Atomics.store(this.#control, WRITTEN, (written + count) | 0);
    this.#changed();
    return count;
  }

  /** Writes all of `bytes`, waiting for room. For a worker thread: it blocks. `written` runs after each part. */
  writeAll(bytes: Uint8Array, written: () => void): void {
    for (let from = 0; from < bytes.length; ) {
      const read = Atomics.load(this.#control, READ);
      const count = this.write(bytes.subarray(from));
      from += count;
      if (count > 0) written();
      else Atomics.wait(this.#control, READ, read);
    }
  }

  /** Reads into `into` what is there; returns how many bytes. */
  read(into: Uint8Array): number {
    const count = Math.min(into.length, this.held);
    if (count === 0) return 0;
    const read = Atomics.load(this.#control, READ);
    const at = (read >>> 0) % this.#data.length;
    const first = Math.min(count, this.#data.length - at);
    into.set(this.#data.subarray(at, at + first), 0);
    if (first < count) into.set(this.#data.subarray(0, count - first), first);
    Atomics.store(this.#control, READ, (read + count) | 0);
    Atomics.notify(this.#control, READ);
    return count;
  }

  /** Everything that is held. */
  takeAll(): Uint8Array {
    const bytes = Buffer.allocUnsafe(this.held);
    this.read(bytes);
    return bytes;
  }

  /** Waits until there is something to read or the end. For a worker thread: it blocks. */
  waitForBytes(): void {
    for (;;) {
      const changes = Atomics.load(this.#control, CHANGES);
      if (this.held > 0 || this.ended) return;
      Atomics.wait(this.#control, CHANGES, changes);
    }
  }

  end(): void {
    Atomics.store(this.#control, ENDED, 1);
    this.#changed();
  }

  /** The reader is about to sleep: the next write must send it a message. It must look once more after this. */
  announceWait(): void {
    Atomics.store(this.#control, READER_WAITS, 1);
  }

  /** Returns true if the reader has announced that it sleeps, and clears the announcement. */
  takeWait(): boolean {
    return Atomics.exchange(this.#control, READER_WAITS, 0) === 1;
  }

  #changed(): void {
    Atomics.add(this.#control, CHANGES, 1);
    Atomics.notify(this.#control, CHANGES);
  }
}
