/**
 * Values of JSON text as a list of where they stand: `bytes` stay as they are, and a value is a place in `words`. At each
 * place are two words: where the value starts, and four times where it ends plus what its bytes are (ASIS, ESCAPED,
 * REWRITTEN); for an array or object four times the place behind it plus CONTAINER. Its children follow it, in an object
 * each name before its value, and a place for the closing bracket.
 *
 * Only such text is taken as jq reads and prints in one way that is certain: numbers in the plain form that it prints
 * back (no exponent, no zeros it would move), no two names alike in an object and none with an escape, no lone surrogate.
 */
import { HandOver } from "./hand-over.ts";
import { AS_IS, FOREIGN, INCOMPLETE, numberEnd, REWRITTEN, stringEnd, wordEnd } from "./json-literals.ts";
import { ObjectNames } from "./object-names.ts";

export const CONTAINER = 3;

/** jq's own limit is 10,000. */
const MOST_DEPTH = 256;
const FIRST_WORDS = 1 << 12;
/** What a filter may spend in any case, and for each byte of the value. */
const SPENT_ANYHOW = 1 << 22;
const SPENT_A_BYTE = 8;

export class JsonTape {
  /** There is always a 0 behind what is scanned. */
  bytes: Buffer = Buffer.alloc(1);
  /** No blank stands between the brackets, commas and colons of what was scanned, and every string is as jq prints it. */
  isCompact = true;
  #words = new Int32Array(FIRST_WORDS);
  #used = 0;
  #left = SPENT_ANYHOW;
  readonly #mostWords: number;
  /** By depth: the place of what is open. */
  readonly #opened = new Int32Array(MOST_DEPTH);
  readonly #names = new ObjectNames(MOST_DEPTH);

  constructor(mostWords: number) {
    this.#mostWords = mostWords;
  }

  clear(): void {
    this.#used = 0;
    this.#left = SPENT_ANYHOW;
    this.isCompact = true;
  }

  /** Opens an array that does not stand in the text, to which `scan` adds items; `endArray` closes it. */
  startArray(): void {
    this.clear();
    this.#used = 2;
  }

  /** `end` is where the text ends; no more can be scanned. */
  endArray(end: number): void {
    this.bytes[end] = 0x5b;
    this.#words[0] = end;
    this.#words[1] = ((this.#used + 2) << 2) | CONTAINER;
    // So that it is as long as its text.
    this.#words[this.#used] = 2 * end;
    this.#used += 2;
    this.isCompact = false;
  }

  /**
   * Counts steps of work and bytes of what a filter makes of the scanned value. Throws HandOver past what a filter may take
   * without anybody being able to stop it.
   */
  spend(count: number): void {
    this.#left -= count;
    if (this.#left < 0) throw new HandOver();
  }

  /**
   * Adds the value that starts at `from`; returns where it ends. Behind it must be a blank, or the end of all input:
   * `atEnd` says that it is at `end`.
   */
  scan(from: number, end: number, atEnd: boolean): number {
    const { bytes } = this;
    const opened = this.#opened;
    const short = atEnd ? FOREIGN : INCOMPLETE;
    let words = this.#words;
    let used = this.#used;
    let at = from;
    let depth = 0;
    let inObject = false;
    this.#names.clear();
    next: for (;;) {
      if (used + 8 > words.length) {
        if (!this.#grow()) return FOREIGN;
        words = this.#words;
      }
      if (inObject) {
        if (bytes[at] !== 0x22) return at >= end ? short : FOREIGN;
        const ended = stringEnd(bytes, at + 1, end, short);
        if (ended < 0) return ended;
        if ((ended & 3) !== AS_IS || !this.#names.add(bytes, at, ended >> 2, depth - 1)) return FOREIGN;
        words[used] = at;
        words[used + 1] = ended;
        used += 2;
        at = ended >> 2;
        if (bytes[at] !== 0x3a) {
          at = this.#afterBlanks(at);
          if (bytes[at] !== 0x3a) return at >= end ? short : FOREIGN;
        }
        if ((bytes[++at] as number) <= 0x20) at = this.#afterBlanks(at);
      }
      const first = bytes[at] as number;
      words[used] = at;
      if (first === 0x22) {
        const ended = stringEnd(bytes, at + 1, end, short);
        if (ended < 0) return ended;
        if ((ended & 3) === REWRITTEN) this.isCompact = false;
        words[used + 1] = ended;
        used += 2;
        at = ended >> 2;
      } else if (first === 0x7b || first === 0x5b) {
        if (depth === MOST_DEPTH) return FOREIGN;
        opened[depth] = used;
        this.#names.open(depth);
        depth++;
        used += 2;
        if ((bytes[++at] as number) <= 0x20) at = this.#afterBlanks(at);
        inObject = first === 0x7b;
        if (bytes[at] !== first + 2) continue;
      } else {
        const ended = first <= 0x39 ? numberEnd(bytes, at, end, short) : wordEnd(bytes, at, end, short);
        if (ended < 0) return ended;
        words[used + 1] = ended << 2;
        used += 2;
        at = ended;
      }
      // Behind a value, or at the end of an empty array or object.
      for (;;) {
        if (depth === 0) {
          this.#used = used;
          this.#left += SPENT_A_BYTE * (at - from);
          if (at >= end) return atEnd ? at : INCOMPLETE;
          return isBlank(bytes[at] as number) ? at : FOREIGN;
        }
        if ((bytes[at] as number) <= 0x20) at = this.#afterBlanks(at);
        const byte = bytes[at] as number;
        if (byte === 0x2c) {
          if ((bytes[++at] as number) <= 0x20) at = this.#afterBlanks(at);
          continue next;
        }
        const open = opened[depth - 1] as number;
        if (byte !== (inObject ? 0x7d : 0x5d)) return at >= end ? short : FOREIGN;
        words[used] = at;
        words[used + 1] = (at + 1) << 2;
        used += 2;
        words[open + 1] = (used << 2) | CONTAINER;
        at++;
        depth--;
        this.#names.close(depth);
        inObject = depth > 0 && bytes[words[opened[depth - 1] as number] as number] === 0x7b;
        if (used + 8 > words.length) {
          if (!this.#grow()) return FOREIGN;
          words = this.#words;
        }
      }
    }
  }

  startOf(place: number): number {
    return this.#words[place] as number;
  }

  endOf(place: number): number {
    const word = this.#words[place + 1] as number;
    return (word & 3) === CONTAINER ? (this.#words[(word >> 2) - 2] as number) + 1 : word >> 2;
  }

  firstByte(place: number): number {
    return this.bytes[this.#words[place] as number] as number;
  }

  isContainer(place: number): boolean {
    return ((this.#words[place + 1] as number) & 3) === CONTAINER;
  }

  /** No backslash is in it. */
  isPlain(place: number): boolean {
    return ((this.#words[place + 1] as number) & 3) === AS_IS;
  }

  isRewritten(place: number): boolean {
    return ((this.#words[place + 1] as number) & 3) === REWRITTEN;
  }

  /** The place behind the value at `place`. */
  after(place: number): number {
    const word = this.#words[place + 1] as number;
    return (word & 3) === CONTAINER ? word >> 2 : place + 2;
  }

  /** The places of the items or values of an array or object. */
  children(place: number): number[] {
    const step = this.firstByte(place) === 0x7b ? 2 : 0;
    const close = this.after(place) - 2;
    const places: number[] = [];
    for (let at = place + 2 + step; at < close; at = this.after(at) + step) places.push(at);
    this.spend(places.length);
    return places;
  }

  /** The places of the names of an object. */
  keys(place: number): number[] {
    const close = this.after(place) - 2;
    const places: number[] = [];
    for (let at = place + 2; at < close; at = this.after(at + 2)) places.push(at);
    this.spend(places.length);
    return places;
  }

  /** The place of the value of that name in an object, or -1. */
  find(place: number, name: Uint8Array): number {
    const words = this.#words;
    const close = this.after(place) - 2;
    const { length } = name;
    const first = length === 0 ? 0x22 : name[0];
    for (let at = place + 2; at < close; ) {
      const start = words[at] as number;
      if (((words[at + 1] as number) >> 2) - start - 2 === length && this.bytes[start + 1] === first && this.contentIs(at, name))
        return at + 2;
      const word = words[at + 3] as number;
      at = (word & 3) === CONTAINER ? word >> 2 : at + 4;
    }
    return -1;
  }

  /** Whether the bytes between the quotes are these. */
  contentIs(place: number, wanted: Uint8Array): boolean {
    const from = this.startOf(place) + 1;
    const { length } = wanted;
    if (this.endOf(place) - from - 1 !== length) return false;
    const { bytes } = this;
    for (let at = 0; at < length; at++) if (bytes[from + at] !== wanted[at]) return false;
    return true;
  }

  /** The bytes between the quotes. */
  content(place: number): Buffer {
    return this.bytes.subarray(this.startOf(place) + 1, this.endOf(place) - 1);
  }

  /** The text of a string. */
  textAt(place: number): string {
    const [start, end] = [this.startOf(place), this.endOf(place)];
    return this.isPlain(place)
      ? this.bytes.toString("utf8", start + 1, end - 1)
      : (JSON.parse(this.bytes.toString("utf8", start, end)) as string);
  }

  /** The text of a value as it stands in the input. */
  source(place: number): string {
    return this.bytes.toString("utf8", this.startOf(place), this.endOf(place));
  }

  #afterBlanks(from: number): number {
    const { bytes } = this;
    let at = from;
    while (isBlank(bytes[at] as number)) at++;
    if (at > from) this.isCompact = false;
    return at;
  }

  #grow(): boolean {
    if (this.#words.length * 2 > this.#mostWords) return false;
    const grown = new Int32Array(this.#words.length * 2);
    grown.set(this.#words);
    this.#words = grown;
    return true;
  }
}

const isBlank = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
