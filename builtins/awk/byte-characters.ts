/**
 * -b for regular expressions, which step over UTF-8: a byte past ASCII stands as a character of the private use area,
 * which is neither letter nor space nor has it another case. Each takes three bytes.
 */
const FIRST = 0xe000;

/** `text` (one unit per byte) as characters. */
export const wideText = (text: string): string => text.replace(/[\x80-\xff]/g, (byte) => String.fromCharCode(FIRST + byte.charCodeAt(0)));

/** Bytes as characters, and which byte stands where. */
export class WideBytes {
  bytes: Buffer = Buffer.alloc(0);
  length = 0;
  /** Per byte of `bytes`: the offset of the byte that it stands for. */
  #offsets = new Int32Array(0);

  /** Takes `bytes` from `from` to `to`; false where all are ASCII and nothing has to be done. */
  load(bytes: Buffer, from: number, to: number): boolean {
    let at = from;
    while (at < to && (bytes[at] as number) < 0x80) at++;
    if (at === to) return false;
    const room = 3 * (to - from) + 1;
    if (this.bytes.length < room) {
      this.bytes = Buffer.allocUnsafe(room);
      this.#offsets = new Int32Array(room);
    }
    let length = 0;
    for (at = from; at < to; at++) {
      const byte = bytes[at] as number;
      this.#offsets[length] = at;
      if (byte < 0x80) this.bytes[length++] = byte;
      else {
        const character = FIRST + byte;
        this.bytes[length++] = 0xe0 | (character >> 12);
        this.bytes[length++] = 0x80 | ((character >> 6) & 0x3f);
        this.bytes[length++] = 0x80 | (character & 0x3f);
      }
    }
    this.#offsets[length] = to;
    this.length = length;
    return true;
  }

  /** Where the character of the byte at `offset` begins. */
  wide(offset: number): number {
    let [low, high] = [0, this.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const start = this.#start(middle);
      if ((this.#offsets[start] as number) < offset) low = middle + 1;
      else high = start;
    }
    return low;
  }

  narrow(wide: number): number {
    return this.#offsets[wide] as number;
  }

  /** The first byte of the character that has one at `at`. */
  #start(at: number): number {
    let start = at;
    while (start > 0 && start < this.length && ((this.bytes[start] as number) & 0xc0) === 0x80) start--;
    return start;
  }
}
