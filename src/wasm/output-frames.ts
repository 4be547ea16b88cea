/**
 * Standard output and standard error of a guest in one ring, so that their order is kept: before each piece four
 * bytes, its length times two, plus one for standard error.
 */

export function frameHeader(length: number, isError: boolean): Uint8Array {
  const header = Buffer.allocUnsafe(4);
  header.writeUInt32LE(length * 2 + (isError ? 1 : 0));
  return header;
}

export interface Piece {
  readonly isError: boolean;
  readonly bytes: Uint8Array;
}

/** Takes the ring's bytes as they come, cut anywhere, and gives the pieces: neighbours of one stream joined. */
export class FrameReader {
  #header: number[] = [];
  #left = 0;
  #isError = false;

  /** The pieces in `bytes`; what is cut off continues in the next call. */
  read(bytes: Uint8Array): Piece[] {
    const pieces: { isError: boolean; parts: Uint8Array[] }[] = [];
    for (let at = 0; at < bytes.length; ) {
      if (this.#left === 0) {
        this.#header.push(bytes[at++] as number);
        if (this.#header.length < 4) continue;
        const word = Buffer.from(this.#header).readUInt32LE();
        this.#header = [];
        this.#left = word >>> 1;
        this.#isError = (word & 1) === 1;
        continue;
      }
      const part = bytes.subarray(at, at + this.#left);
      at += part.length;
      this.#left -= part.length;
      const last = pieces.at(-1);
      if (last !== undefined && last.isError === this.#isError) last.parts.push(part);
      else pieces.push({ isError: this.#isError, parts: [part] });
    }
    return pieces.map(({ isError, parts }) => ({ isError, bytes: parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts) }));
  }
}
