/**
 * Counting as GNU wc does it, in C.UTF-8: a word is a run without white space that has a printable character; a byte
 * that is no part of a character counts as a byte only and neither starts nor ends a word.
 */
import { isAscii } from "node:buffer";
import { characterWidth, isPrintable } from "../../src/display/character-width.ts";
import { countByte } from "../../src/io/count-byte.ts";
import { asBuffer, NEWLINE } from "../../src/io/lines.ts";

export interface Counts {
  lines: number;
  words: number;
  chars: number;
  bytes: number;
  /** Columns of the widest line; tabs go to multiples of eight. */
  widest: number;
}

export function noCounts(): Counts {
  return { lines: 0, words: 0, chars: 0, bytes: 0, widest: 0 };
}

/** What must be found out. Bytes and lines always are. */
export interface Wanted {
  readonly words: boolean;
  readonly chars: boolean;
  readonly widest: boolean;
  /** Every byte is a character, which past ASCII is not printable. */
  readonly bytesAreCharacters: boolean;
}

/** Counts one input, block by block. */
export class Counter {
  readonly counts: Counts = noCounts();
  readonly #wanted: Wanted;
  readonly #kinds: KindCache;
  #inWord = 0;
  #column = 0;
  /** The first bytes of a character that goes on in the next block. */
  #begun: Buffer = Buffer.alloc(0);

  constructor(wanted: Wanted, kinds: KindCache) {
    this.#wanted = wanted;
    this.#kinds = kinds;
  }

  add(bytes: Uint8Array): void {
    this.counts.bytes += bytes.length;
    this.counts.lines += countByte(bytes, NEWLINE);
    const { words, chars, widest } = this.#wanted;
    if (!words && !chars && !widest) return;
    if (!words && !widest && this.#begun.length === 0 && isAscii(bytes)) {
      this.counts.chars += bytes.length;
      return;
    }
    const block = this.#begun.length === 0 ? asBuffer(bytes) : Buffer.concat([this.#begun, bytes]);
    const rest = widest ? this.#measure(block) : this.#count(block);
    this.#begun = rest < block.length ? Buffer.from(block.subarray(rest)) : Buffer.alloc(0);
  }

  end(): Counts {
    this.counts.widest = Math.max(this.counts.widest, this.#column);
    return this.counts;
  }

  /** Words and characters. Returns where an unfinished character begins. */
  #count(block: Buffer): number {
    const { bytesAreCharacters } = this.#wanted;
    let inWord = this.#inWord;
    let words = 0;
    let chars = 0;
    let at = 0;
    while (at < block.length) {
      const byte = block[at] as number;
      if (byte < 0x80) {
        const kind = ASCII_KINDS[byte];
        if (kind === WORD) {
          words += 1 - inWord;
          inWord = 1;
        } else if (kind === SPACE) inWord = 0;
        chars++;
        at++;
        continue;
      }
      const length = bytesAreCharacters ? INVALID : characterLength(block, at);
      if (length === UNFINISHED) break;
      if (length === INVALID) {
        if (bytesAreCharacters) chars++;
        at++;
        continue;
      }
      const kind = this.#kinds.of(decode(block, at, length));
      if (kind === WORD) {
        words += 1 - inWord;
        inWord = 1;
      } else if (kind === SPACE) inWord = 0;
      chars++;
      at += length;
    }
    this.#inWord = inWord;
    this.counts.words += words;
    this.counts.chars += chars;
    return at;
  }

  /** As `#count`, and the width of lines. */
  #measure(block: Buffer): number {
    const { counts } = this;
    const { bytesAreCharacters } = this.#wanted;
    let inWord = this.#inWord;
    let column = this.#column;
    let words = 0;
    let chars = 0;
    let at = 0;
    while (at < block.length) {
      let code = block[at] as number;
      let length = 1;
      if (code > 0x20 && code < 0x7f) {
        column++;
        words += 1 - inWord;
        inWord = 1;
        chars++;
        at++;
        continue;
      }
      if (code >= 0x80) {
        length = bytesAreCharacters ? INVALID : characterLength(block, at);
        if (length === UNFINISHED) break;
        if (length === INVALID) {
          if (bytesAreCharacters) chars++;
          at++;
          continue;
        }
        code = decode(block, at, length);
      }
      if (code === NEWLINE || code === RETURN || code === FORM_FEED) {
        if (column > counts.widest) counts.widest = column;
        column = 0;
      } else if (code === TAB) column += 8 - (column % 8);
      else if (code !== VERTICAL_TAB) column += Math.max(0, characterWidth(code));
      const kind = this.#kinds.of(code);
      if (kind === WORD) {
        words += 1 - inWord;
        inWord = 1;
      } else if (kind === SPACE) inWord = 0;
      chars++;
      at += length;
    }
    this.#inWord = inWord;
    this.#column = column;
    counts.words += words;
    counts.chars += chars;
    return at;
  }
}

/** Whether characters are white space, part of words, or neither; remembered, because asking is a search. */
export class KindCache {
  readonly #known = new Uint8Array(0x10000);

  of(code: number): number {
    if (code > 0xffff) return kindOf(code);
    return (this.#known[code] ||= kindOf(code));
  }
}

const NEITHER = 1;
const WORD = 2;
const SPACE = 3;

const TAB = 0x09;
const VERTICAL_TAB = 0x0b;
const FORM_FEED = 0x0c;
const RETURN = 0x0d;

function kindOf(code: number): number {
  if ((code >= TAB && code <= RETURN) || code === 0x20) return SPACE;
  if (code < 0x80) return code > 0x20 && code < 0x7f ? WORD : NEITHER;
  if (!isPrintable(code)) return NEITHER;
  return WIDE_SPACES.has(code) ? SPACE : WORD;
}

/** iswspace(3) of glibc in C.UTF-8 where printable, and the no-break spaces, which wc takes for space too. */
const WIDE_SPACES: ReadonlySet<number> = new Set([
  0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2008, 0x2009, 0x200a, 0x205f, 0x3000, 0x00a0, 0x2007, 0x202f, 0x2060,
]);

const ASCII_KINDS = Uint8Array.from({ length: 128 }, (_, code) => kindOf(code));

const INVALID = 0;
const UNFINISHED = -1;

/** Bytes of the character at `at` as glibc's mbrtowc takes it: no surrogates, but up to F7 BF BF BF. */
function characterLength(block: Buffer, at: number): number {
  const lead = block[at] as number;
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf7) return INVALID;
  const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  for (let offset = 1; offset < length; offset++) {
    if (at + offset === block.length) return UNFINISHED;
    const byte = block[at + offset] as number;
    if ((byte & 0xc0) !== 0x80) return INVALID;
    if (offset === 1) {
      if ((lead === 0xe0 && byte < 0xa0) || (lead === 0xed && byte > 0x9f) || (lead === 0xf0 && byte < 0x90)) return INVALID;
    }
  }
  return length;
}

function decode(block: Buffer, at: number, length: number): number {
  const lead = block[at] as number;
  let code = lead & (0xff >> (length + 1));
  for (let offset = 1; offset < length; offset++) code = (code << 6) | ((block[at + offset] as number) & 0x3f);
  return code;
}
