/**
 * Delta of one text against another (gitformat-pack(5)): runs copied out of the old text, and bytes inserted between them. Several deltas
 * would do; this one's choices are git's own, for a patch shows its bytes.
 */
import { BLOCK_BYTES, blockIndex, fingerprintBefore, rolled, type BlockIndex } from "./block-index.ts";

/** A longer match is taken as it is: none that is longer yet is sought. */
const LONG_ENOUGH = 4096;
/** A shorter match costs as much as its bytes. */
const LEAST_COPIED = 4;
const MOST_INSERTED = 127;
/** The most that one operation copies. */
const MOST_COPIED = 1 << 16;
/** An operation to copy, and what is pending before it. */
const LONGEST_OPERATION = 8 + MOST_INSERTED + 1;
/** Bytes and blocks looked at between two yields. */
const WORK_AT_ONCE = 1 << 20;

/**
 * The delta that makes `now` of `old`; undefined if one of them is empty, or it would have more than `mostBytes`. Takes time in
 * proportion to their lengths, and yields now and then.
 */
export function* deltaOf(old: Uint8Array, now: Uint8Array, mostBytes: number): Generator<void, Buffer | undefined> {
  if (old.length === 0 || now.length === 0) return undefined;
  const writer = new DeltaWriter(old, now, yield* blockIndex(old), mostBytes);
  while (writer.goesOn(WORK_AT_ONCE)) yield;
  return writer.end();
}

class DeltaWriter {
  readonly #old: Uint8Array;
  readonly #now: Uint8Array;
  readonly #index: BlockIndex;
  readonly #mostBytes: number;
  #out = Buffer.allocUnsafe(1 << 13);
  #used = 0;
  /** Offset in `now` that all before is done with. */
  #at: number;
  /** Bytes before it that are to be inserted, and not written yet. */
  #pending: number;
  #fingerprint: number;
  /** A match in `old`: where it begins, and how long it is. */
  #matched = 0;
  #length = 0;

  constructor(old: Uint8Array, now: Uint8Array, index: BlockIndex, mostBytes: number) {
    this.#old = old;
    this.#now = now;
    this.#index = index;
    this.#mostBytes = mostBytes;
    this.#writeSize(old.length);
    this.#writeSize(now.length);
    // The first window is inserted, unless a match goes back into it.
    this.#at = Math.min(BLOCK_BYTES, now.length);
    this.#pending = this.#at;
    this.#fingerprint = fingerprintBefore(now, this.#at, this.#at);
  }

  /** Does some `work`. False at the end of the text, and where the delta is too long. */
  goesOn(work: number): boolean {
    for (let left = work; left > 0; left--) {
      if (this.#at >= this.#now.length) return false;
      if (this.#length < LONG_ENOUGH) left -= this.#seek();
      if (this.#length < LEAST_COPIED) this.#insert();
      else left -= this.#copy();
      // Not before: what is pending may be copied yet.
      if (this.#isTooLong) return false;
    }
    return true;
  }

  end(): Buffer | undefined {
    if (this.#isTooLong) return undefined;
    this.#flush();
    return this.#out.subarray(0, this.#used);
  }

  get #isTooLong(): boolean {
    return this.#used + (this.#pending === 0 ? 0 : this.#pending + 1) > this.#mostBytes;
  }

  /** Takes in the next byte, and looks for a longer match from it on. Returns the work that it was. */
  #seek(): number {
    const [old, now, from] = [this.#old, this.#now, this.#at];
    const { mask, starts, places, fingerprints } = this.#index;
    const fingerprint = rolled(this.#fingerprint, now, from);
    this.#fingerprint = fingerprint;
    const bucket = fingerprint & mask;
    const end = starts[bucket + 1] as number;
    let work = 0;
    for (let entry = starts[bucket] as number; entry < end; entry++) {
      work++;
      if (fingerprints[entry] !== fingerprint) continue;
      const place = places[entry] as number;
      const most = Math.min(old.length - place, now.length - from);
      // Those that follow have no more room.
      if (most <= this.#length) break;
      let length = 0;
      while (length < most && old[place + length] === now[from + length]) length++;
      work += length;
      if (length <= this.#length) continue;
      this.#length = length;
      this.#matched = place;
      if (length >= LONG_ENOUGH) break;
    }
    return work;
  }

  #insert(): void {
    this.#length = 0;
    this.#at++;
    if (++this.#pending === MOST_INSERTED) this.#flush();
  }

  /** Copies the match, with what is alike before it. Returns the work that it was. */
  #copy(): number {
    const [old, now] = [this.#old, this.#now];
    while (this.#pending > 0 && this.#matched > 0 && old[this.#matched - 1] === now[this.#at - 1]) {
      this.#pending--;
      this.#at--;
      this.#matched--;
      this.#length++;
    }
    this.#flush();
    const copied = Math.min(this.#length, MOST_COPIED);
    this.#writeCopy(this.#matched, copied);
    this.#at += copied;
    this.#matched += copied;
    this.#length -= copied;
    if (this.#length >= LONG_ENOUGH) return 1;
    this.#fingerprint = fingerprintBefore(now, this.#at, BLOCK_BYTES);
    return BLOCK_BYTES;
  }

  #flush(): void {
    if (this.#pending === 0) return;
    this.#makeRoom();
    this.#out[this.#used++] = this.#pending;
    this.#out.set(this.#now.subarray(this.#at - this.#pending, this.#at), this.#used);
    this.#used += this.#pending;
    this.#pending = 0;
  }

  /** The bytes of offset and length that are not 0, behind one that says which these are; a length of 64 KiB is written as 0. */
  #writeCopy(offset: number, length: number): void {
    this.#makeRoom();
    const head = this.#used++;
    let code = 0x80;
    const write = (bit: number, byte: number): void => {
      if (byte === 0) return;
      code |= bit;
      this.#out[this.#used++] = byte;
    };
    for (let index = 0; index < 4; index++) write(1 << index, (offset >>> (8 * index)) & 0xff);
    for (let index = 0; index < 2; index++) write(0x10 << index, (length >>> (8 * index)) & 0xff);
    this.#out[head] = code;
  }

  /** Seven bits a byte, the lowest first. */
  #writeSize(size: number): void {
    let left = size;
    for (; left >= 0x80; left >>>= 7) this.#out[this.#used++] = (left & 0x7f) | 0x80;
    this.#out[this.#used++] = left;
  }

  #makeRoom(): void {
    if (this.#used + LONGEST_OPERATION <= this.#out.length) return;
    const larger = Buffer.allocUnsafe(this.#out.length * 2);
    this.#out.copy(larger, 0, 0, this.#used);
    this.#out = larger;
  }
}
