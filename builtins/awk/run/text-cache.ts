/**
 * Short texts out of bytes, the ones met lately kept: most columns hold few different values, and the same string again
 * costs neither memory nor a new hash where it is a subscript.
 */
import { latin1 } from "./latin1.ts";

const SLOTS = 4096;
const LONGEST = 32;

export class TextCache {
  readonly #texts: string[] = new Array<string>(SLOTS).fill("");

  get(bytes: Buffer, from: number, to: number): string {
    const length = to - from;
    if (length > LONGEST || length === 0) return length === 0 ? "" : latin1(bytes, from, to);
    let hash = length;
    for (let at = from; at < to; at++) hash = (Math.imul(hash, 31) + (bytes[at] as number)) | 0;
    const slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
    const known = this.#texts[slot] as string;
    if (known.length === length) {
      let at = 0;
      while (at < length && known.charCodeAt(at) === bytes[from + at]) at++;
      if (at === length) return known;
    }
    const text = latin1(bytes, from, to);
    this.#texts[slot] = text;
    return text;
  }
}
