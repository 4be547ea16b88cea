/**
 * Regular expressions where every byte is a character (the locale C, awk -b), although they step over UTF-8: a byte past
 * ASCII stands as a character of the private use area, which is neither letter nor space nor has it another case. Each
 * takes three bytes.
 */
import { isAscii } from "node:buffer";
import type { LineMatcher, LineMatches } from "./posix-matcher.ts";

const FIRST = 0xe000;

/** `text` (one unit per byte) as characters. */
export const wideText = (text: string): string => text.replace(/[\x80-\xff]/g, (byte) => String.fromCharCode(FIRST + byte.charCodeAt(0)));

/** `matcher` was made of a pattern that `wideText` gave; it is asked of lines as they are. */
export function byteLines(matcher: LineMatcher, lineEnd: number): LineMatcher {
  const wide = new WideBytes();
  const { scan, required } = matcher;
  /** Bytes known to be ASCII, in which `scan` may be asked as often as there are matches. */
  let plain: Buffer | undefined;
  let [plainFrom, plainTo] = [0, 0];
  const isPlain = (bytes: Buffer, from: number, to: number): boolean => {
    if (plain === bytes && from >= plainFrom && to === plainTo) return true;
    if (!isAscii(bytes.subarray(from, to))) return false;
    [plain, plainFrom, plainTo] = [bytes, from, to];
    return true;
  };
  const test = (bytes: Buffer, from: number, to: number): boolean =>
    wide.load(bytes, from, to) ? matcher.test(wide.bytes, 0, wide.length) : matcher.test(bytes, from, to);
  return {
    test,
    scan:
      scan &&
      ((bytes, from, to) => {
        if (isPlain(bytes, from, to)) return scan(bytes, from, to);
        for (let start = from; start < to; ) {
          const found = bytes.indexOf(lineEnd, start);
          const end = found < 0 ? to : found;
          if (test(bytes, start, end)) return start;
          start = end + 1;
        }
        return -1;
      }),
    required: required?.windows.every((window) => window.every((set) => (set.at(-1) ?? 0) < 0x80)) === true ? required : undefined,
    matchesIn(bytes, from, to) {
      if (!wide.load(bytes, from, to)) return matcher.matchesIn(bytes, from, to);
      const inner = matcher.matchesIn(wide.bytes, 0, wide.length);
      const matches: LineMatches = {
        start: -1,
        end: -1,
        find: (at) => {
          if (!inner.find(wide.wide(at))) return false;
          matches.start = wide.narrow(inner.start);
          matches.end = wide.narrow(inner.end);
          return true;
        },
      };
      return matches;
    },
  };
}

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

  /** Place in the wide text of the character that stands for the byte at `offset`. */
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
