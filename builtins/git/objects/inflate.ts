/** Decompression of a repository's zlib streams, bounded: by the size that git has recorded, or by the most that a stage may hold. */
import { constants, createInflate, inflateSync } from "node:zlib";

/**
 * Node's own inflater, set up once for many streams: for the small objects of a history the set-up is most of the work.
 * Node documents none of these names; where they are not there, or do not do what they did, `inflateSync` is asked.
 */
interface Handle {
  reset(): void;
  writeSync(flush: number, input: Uint8Array, from: number, count: number, out: Uint8Array, at: number, space: number): void;
  close(): void;
  onerror: (message: string) => void;
}

export class Inflater {
  #handle: Handle | undefined;
  /** Space left in the output, and input left, after each write. */
  #left: Uint32Array = new Uint32Array(2);
  #failed = false;
  /** Room for what is brief: most of a history is deltas, which are done with at once. */
  readonly #brief = Buffer.allocUnsafeSlow(BRIEF_BYTES);
  #briefBytes = 0;

  constructor() {
    this.#open();
  }

  /**
   * Inflates the zlib stream at the start of `packed` to exactly `size` bytes; undefined if it is broken or of another size. With
   * `isBrief` the result is valid until `forgetFrom` is called.
   */
  inflated(packed: Uint8Array, size: number, isBrief = false): Buffer | undefined {
    if (this.#handle === undefined || size > MOST_AT_ONCE) return inflatedAlone(packed, size);
    // One byte more, to see whether it goes on.
    const isShared = isBrief && size + 1 <= BRIEF_BYTES - this.#briefBytes;
    const out = isShared ? this.#brief : Buffer.allocUnsafe(size + 1);
    const from = isShared ? this.#briefBytes : 0;
    this.#failed = false;
    this.#handle.reset();
    this.#handle.writeSync(constants.Z_FINISH, packed, 0, packed.length, out, from, size + 1);
    if (isShared) this.#briefBytes += size + 1;
    if (!this.#failed && this.#left[0] === 1) return out.subarray(from, from + size);
    // Whatever is the matter: the other one says so, and a handle that has failed is not used again.
    this.close();
    this.#open();
    return inflatedAlone(packed, size);
  }

  /** The first `bytes` bytes of the zlib stream at the start of `packed`, or all there are; undefined if it is broken. */
  beginning(packed: Uint8Array, bytes: number): Buffer | undefined {
    if (this.#handle === undefined) return beginningAlone(packed, bytes);
    const out = Buffer.allocUnsafe(bytes);
    this.#failed = false;
    this.#handle.reset();
    this.#handle.writeSync(constants.Z_SYNC_FLUSH, packed, 0, packed.length, out, 0, bytes);
    const left = this.#left[0] ?? bytes;
    if (!this.#failed && left < bytes) return out.subarray(0, bytes - left);
    this.close();
    this.#open();
    return beginningAlone(packed, bytes);
  }

  /** Offset at which the next brief result begins. */
  get briefBytes(): number {
    return this.#briefBytes;
  }

  /** The brief ones that begin there or after it may be written over. */
  forgetFrom(briefBytes: number): void {
    this.#briefBytes = briefBytes;
  }

  close(): void {
    this.#handle?.close();
    this.#handle = undefined;
  }

  #open(): void {
    const made = createInflate() as unknown as { readonly _handle?: Handle; readonly _writeState?: Uint32Array };
    const { _handle: handle, _writeState: left } = made;
    if (typeof handle?.writeSync !== "function" || typeof handle.reset !== "function" || !(left instanceof Uint32Array)) return;
    handle.onerror = () => {
      this.#failed = true;
    };
    this.#handle = handle;
    this.#left = left;
  }
}

const BRIEF_BYTES = 1 << 16;

/** Of larger objects the set-up is a small part. */
const MOST_AT_ONCE = 1 << 20;

function inflatedAlone(packed: Uint8Array, size: number): Buffer | undefined {
  try {
    const bytes = inflateSync(packed, { maxOutputLength: Math.max(size, 1) });
    return bytes.length === size ? bytes : undefined;
  } catch (thrown) {
    if (!isZlibError(thrown)) throw thrown;
    return undefined;
  }
}

function beginningAlone(packed: Uint8Array, bytes: number): Buffer | undefined {
  try {
    return inflateSync(packed, { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, bytes);
  } catch (thrown) {
    if (!isZlibError(thrown)) throw thrown;
    return undefined;
  }
}

/** All that a zlib stream holds, `most` bytes at most. */
export function inflatedAll(packed: Uint8Array, most: number): Buffer | "broken" | "too large" {
  try {
    return inflateSync(packed, { maxOutputLength: most });
  } catch (thrown) {
    if (!isZlibError(thrown)) throw thrown;
    return thrown.code === "ERR_BUFFER_TOO_LARGE" ? "too large" : "broken";
  }
}

function isZlibError(thrown: unknown): thrown is Error & { readonly code: string } {
  return thrown instanceof Error && "code" in thrown && (String(thrown.code).startsWith("Z_") || thrown.code === "ERR_BUFFER_TOO_LARGE");
}
