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

/** What a scan says instead of where the value ends: the text goes on, or it is for the module. */
export const INCOMPLETE = -1;
export const FOREIGN = -2;

/** A string that jq prints as it stands, without a backslash; also every number and word. */
const AS_IS = 0;
/** With backslashes, and jq prints it as it stands. */
const ESCAPED = 1;
/** jq prints it in another form. */
const REWRITTEN = 2;
export const CONTAINER = 3;

/** jq's own limit is 10,000. */
const MOST_DEPTH = 256;
const MOST_LITERAL = 64;
/** Up to so many names of an object each is compared with each. */
const FEW_NAMES = 24;
const MOST_NAMES = 1 << 16;
const FIRST_WORDS = 1 << 12;
/** What a filter may spend in any case, and for each byte of the value. */
const SPENT_ANYHOW = 1 << 22;
const SPENT_A_BYTE = 8;

/** Bytes of a string that say nothing about its form. */
const PLAIN = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 0x20 && byte !== 0x22 && byte !== 0x5c && byte !== 0x7f ? 1 : 0));

export class JsonTape {
  /** There is always a 0 behind what is scanned. */
  bytes: Buffer = Buffer.alloc(1);
  /** No blank stands between the brackets, commas and colons of what was scanned, and every string is as jq prints it. */
  isCompact = true;
  #words = new Int32Array(FIRST_WORDS);
  #used = 0;
  #left = SPENT_ANYHOW;
  readonly #mostWords: number;
  /** By depth: the place of what is open, and how many names stand before its own in `#names`. */
  readonly #opened = new Int32Array(MOST_DEPTH);
  readonly #namesBefore = new Int32Array(MOST_DEPTH);
  readonly #manyNames: (Set<string> | undefined)[] = [];
  /** Names of open objects: something of their bytes, and their places. */
  #names = new Int32Array(64);
  #nameCount = 0;

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
    this.#nameCount = 0;
    next: for (;;) {
      if (used + 8 > words.length) {
        if (!this.#grow()) return FOREIGN;
        words = this.#words;
      }
      if (inObject) {
        if (bytes[at] !== 0x22) return at >= end ? short : FOREIGN;
        const ended = this.#stringEnd(at + 1, end, short);
        if (ended < 0) return ended;
        if ((ended & 3) !== AS_IS || !this.#addName(at, ended >> 2, depth - 1)) return FOREIGN;
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
        const ended = this.#stringEnd(at + 1, end, short);
        if (ended < 0) return ended;
        words[used + 1] = ended;
        used += 2;
        at = ended >> 2;
      } else if (first === 0x7b || first === 0x5b) {
        if (depth === MOST_DEPTH) return FOREIGN;
        opened[depth] = used;
        this.#namesBefore[depth] = this.#nameCount;
        this.#manyNames[depth] = undefined;
        depth++;
        used += 2;
        if ((bytes[++at] as number) <= 0x20) at = this.#afterBlanks(at);
        inObject = first === 0x7b;
        if (bytes[at] !== first + 2) continue;
      } else {
        const ended = first <= 0x39 ? this.#numberEnd(at, end, short) : this.#wordEnd(at, end, short);
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
        this.#nameCount = this.#namesBefore[depth] as number;
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

  /** Four times the end of the string whose content starts at `from`, and its form; or INCOMPLETE or FOREIGN. */
  #stringEnd(from: number, end: number, short: number): number {
    const { bytes } = this;
    let form = AS_IS;
    for (let at = from; ; ) {
      while (PLAIN[bytes[at] as number] === 1) at++;
      const byte = bytes[at];
      if (byte === 0x22) {
        if (form === REWRITTEN) this.isCompact = false;
        return ((at + 1) << 2) | form;
      }
      if (byte === 0x7f) {
        form = REWRITTEN;
        at++;
        continue;
      }
      if (byte !== 0x5c) return at >= end ? short : FOREIGN;
      const width = this.#escapeWidth(at);
      if (width < 0) return at + 12 > end ? short : FOREIGN;
      if (width > 2 || bytes[at + 1] === 0x2f) form = REWRITTEN;
      else if (form === AS_IS) form = ESCAPED;
      at += width;
    }
  }

  /** Bytes of the escape at `at`, or -1. A pair of surrogates is one. */
  #escapeWidth(at: number): number {
    const { bytes } = this;
    const letter = bytes[at + 1] as number;
    if (letter !== 0x75) return SHORT_ESCAPES.includes(letter) ? 2 : -1;
    const unit = this.#hexUnit(at + 2);
    if (unit < 0xd800 || unit > 0xdfff) return unit < 0 ? -1 : 6;
    if (unit > 0xdbff || bytes[at + 6] !== 0x5c || bytes[at + 7] !== 0x75) return -1;
    const low = this.#hexUnit(at + 8);
    return low >= 0xdc00 && low <= 0xdfff ? 12 : -1;
  }

  #hexUnit(from: number): number {
    let unit = 0;
    for (let at = from; at < from + 4; at++) {
      const byte = this.bytes[at] as number;
      const lower = byte | 0x20;
      if (byte >= 0x30 && byte <= 0x39) unit = unit * 16 + byte - 0x30;
      else if (lower >= 0x61 && lower <= 0x66) unit = unit * 16 + lower - 0x57;
      else return -1;
    }
    return unit;
  }

  #numberEnd(from: number, end: number, short: number): number {
    const { bytes } = this;
    let at = bytes[from] === 0x2d ? from + 1 : from;
    const isFraction = bytes[at] === 0x30;
    const digits = at;
    while (isDigit(bytes[at] as number)) at++;
    if (at === digits || (isFraction && at > digits + 1)) return at >= end ? short : FOREIGN;
    if (bytes[at] === 0x2e) {
      const point = at++;
      // Past five zeros it has an exponent.
      let isSmall = isFraction;
      for (; isDigit(bytes[at] as number); at++) {
        if (bytes[at] !== 0x30) isSmall = false;
        else if (isSmall && at === point + 6) return FOREIGN;
      }
      if (at === point + 1) return at >= end ? short : FOREIGN;
    }
    return at - from > MOST_LITERAL ? FOREIGN : at;
  }

  #wordEnd(from: number, end: number, short: number): number {
    const { bytes } = this;
    const first = bytes[from];
    const word = first === 0x74 ? TRUE : first === 0x66 ? FALSE : NULL;
    for (let at = 0; at < word.length; at++) if (bytes[from + at] !== word[at]) return from + at >= end ? short : FOREIGN;
    return from + word.length;
  }

  #afterBlanks(from: number): number {
    const { bytes } = this;
    let at = from;
    while (isBlank(bytes[at] as number)) at++;
    if (at > from) this.isCompact = false;
    return at;
  }

  /** Whether the name is the first of its kind in its object, which is open at `depth`. */
  #addName(start: number, end: number, depth: number): boolean {
    const { bytes } = this;
    const sign =
      ((end - start) << 24) ^
      ((bytes[start + 1] as number) << 16) ^
      ((bytes[end - 2] as number) << 8) ^
      (bytes[(start + end) >> 1] as number);
    const before = this.#namesBefore[depth] as number;
    const count = this.#nameCount;
    if (count + 2 > this.#names.length) {
      const grown = new Int32Array(this.#names.length * 2);
      grown.set(this.#names);
      this.#names = grown;
    }
    const names = this.#names;
    names[count] = sign;
    names[count + 1] = start;
    this.#nameCount = count + 2;
    if (count - before < 2 * FEW_NAMES) {
      for (let at = before; at < count; at += 2) if (names[at] === sign && this.#isSame(names[at + 1] as number, start, end)) return false;
      return true;
    }
    return this.#addToMany(before, count, depth);
  }

  #addToMany(before: number, count: number, depth: number): boolean {
    const nameAt = (at: number): string => {
      const start = this.#names[at + 1] as number;
      return this.bytes.toString("latin1", start + 1, this.bytes.indexOf(0x22, start + 1));
    };
    let many = this.#manyNames[depth];
    if (many === undefined) {
      many = new Set();
      for (let at = before; at < count; at += 2) many.add(nameAt(at));
      this.#manyNames[depth] = many;
    }
    const size = many.size;
    return size < MOST_NAMES && many.add(nameAt(count)).size > size;
  }

  #isSame(other: number, start: number, end: number): boolean {
    const { bytes } = this;
    // The closing quote ends the comparison with a longer name.
    for (let at = start, with_ = other; at < end; at++, with_++) if (bytes[at] !== bytes[with_]) return false;
    return true;
  }

  #grow(): boolean {
    if (this.#words.length * 2 > this.#mostWords) return false;
    const grown = new Int32Array(this.#words.length * 2);
    grown.set(this.#words);
    this.#words = grown;
    return true;
  }
}

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
const isBlank = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

const TRUE = Buffer.from("true");
const FALSE = Buffer.from("false");
const NULL = Buffer.from("null");
const SHORT_ESCAPES = Buffer.from('"\\/bfnrt');
