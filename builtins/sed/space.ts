/** Pattern space and hold space: bytes that are either a view of an input block or the space's own. */
import { LimitReached } from "../../src/io/limit-reached.ts";
import type { ByteSink } from "./replacement.ts";

const NOTHING = Buffer.alloc(0);
const MOST_KEPT_BYTES = 1 << 16;

export class Space implements ByteSink {
  bytes: Buffer = Buffer.alloc(0);
  start = 0;
  end = 0;
  /** True if the text came with its separator, and so is printed with one. */
  isTerminated = true;
  readonly #capBytes: number;
  #isOwn = false;
  /** Its own memory while it shows somebody else's, for the next line that is changed. */
  #kept: Buffer = NOTHING;

  /** Throws LimitReached past `capBytes`. */
  constructor(capBytes: number) {
    this.#capBytes = capBytes;
  }

  get length(): number {
    return this.end - this.start;
  }

  /** Shows bytes that belong to somebody else. */
  view(bytes: Buffer, start: number, end: number): void {
    if (this.#isOwn) this.#kept = this.bytes.length > MOST_KEPT_BYTES ? NOTHING : this.bytes;
    this.bytes = bytes;
    this.start = start;
    this.end = end;
    this.#isOwn = false;
  }

  /** Copies what it shows, before that changes. */
  settle(): void {
    if (this.#isOwn) return;
    this.bytes = Buffer.from(this.bytes.subarray(this.start, this.end));
    this.end -= this.start;
    this.start = 0;
    this.#isOwn = true;
  }

  clear(): void {
    if (!this.#isOwn) this.bytes = this.#kept;
    this.#isOwn = true;
    this.start = 0;
    this.end = 0;
  }

  copyOf(other: Space): void {
    this.clear();
    this.add(other.bytes, other.start, other.end);
    this.isTerminated = other.isTerminated;
  }

  add(bytes: Uint8Array, from = 0, to = bytes.length): void {
    const count = to - from;
    this.#reserve(count);
    if (count < 32) {
      for (let at = from, into = this.end; at < to; at++, into++) this.bytes[into] = bytes[at] as number;
    } else {
      this.bytes.set(bytes.subarray(from, to), this.end);
    }
    this.end += count;
  }

  addByte(byte: number): void {
    this.#reserve(1);
    this.bytes[this.end++] = byte;
  }

  #reserve(more: number): void {
    if (this.#isOwn && this.end + more <= this.bytes.length) return;
    const length = this.length + more;
    if (length > this.#capBytes) throw new LimitReached("line", this.#capBytes, "bytes");
    // Room at the front, left by D, is used again before more is asked for.
    const isRoomy = this.#isOwn && length * 2 <= this.bytes.length;
    const target = isRoomy ? this.bytes : Buffer.allocUnsafe(Math.max(64, length * 2));
    target.set(this.bytes.subarray(this.start, this.end), 0);
    this.bytes = target;
    this.end -= this.start;
    this.start = 0;
    this.#isOwn = true;
  }
}
