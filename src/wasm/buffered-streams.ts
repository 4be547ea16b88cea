/**
 * Buffers a guest's standard streams, because its C library moves a kilobyte at a time: input is read ahead and output gathered,
 * so that whole blocks cross the thread boundary.
 *
 * Standard output and standard error meet where a line says `2>&1`. Standard output then appears as it does on Linux:
 * glibc writes to a pipe by whole blocks of 4096 bytes, and standard error at once.
 */
const READ_AHEAD_BYTES = 1 << 16;
const GATHERED_BYTES = 1 << 16;
/** Up to this length bytes are faster copied one by one. */
const FEW_BYTES = 128;
/** glibc's buffer for a pipe, in bytes. */
const PIPE_BLOCK_BYTES = 4096;

export interface RawStreams {
  /** Reads what is there, waiting for at least one byte; 0 at the end. */
  readonly readInput: (into: Uint8Array) => number;
  readonly emit: (bytes: Uint8Array, isError: boolean) => void;
}

export class BufferedStreams {
  readonly #raw: RawStreams;
  #ahead: Uint8Array = new Uint8Array(0);
  #buffer: Uint8Array | undefined;
  readonly #gathered = new Uint8Array(GATHERED_BYTES);
  #gatheredBytes = 0;

  constructor(raw: RawStreams) {
    this.#raw = raw;
  }

  readonly stdin = (into: Uint8Array): number => {
    if (this.#ahead.length === 0) {
      this.#buffer ??= new Uint8Array(READ_AHEAD_BYTES);
      this.#ahead = this.#buffer.subarray(0, this.#raw.readInput(this.#buffer));
    }
    const bytes = this.#ahead.subarray(0, into.length);
    into.set(bytes);
    this.#ahead = this.#ahead.subarray(bytes.length);
    return bytes.length;
  };

  /** Takes `memory[from..to)`: no view is made of the few bytes of a line. */
  stdout(memory: Uint8Array, from: number, to: number): void {
    for (let at = from; at < to; ) {
      const end = Math.min(to, at + GATHERED_BYTES - this.#gatheredBytes);
      if (end - at > FEW_BYTES) {
        this.#gathered.set(memory.subarray(at, end), this.#gatheredBytes);
        this.#gatheredBytes += end - at;
        at = end;
      } else while (at < end) this.#gathered[this.#gatheredBytes++] = memory[at++] as number;
      if (this.#gatheredBytes === GATHERED_BYTES) this.#emitFirst(GATHERED_BYTES);
    }
  }

  stderr(bytes: Uint8Array): void {
    this.#emitFirst(this.#gatheredBytes - (this.#gatheredBytes % PIPE_BLOCK_BYTES));
    this.#raw.emit(bytes, true);
  }

  /** At the end: everything that was gathered. */
  flush(): void {
    this.#emitFirst(this.#gatheredBytes);
  }

  #emitFirst(count: number): void {
    if (count === 0) return;
    this.#raw.emit(this.#gathered.subarray(0, count), false);
    this.#gathered.copyWithin(0, count, this.#gatheredBytes);
    this.#gatheredBytes -= count;
  }
}
