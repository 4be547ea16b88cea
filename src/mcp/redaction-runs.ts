/**
 * Ends of runs of bytes of one set, which tokens are made of. A run is read once however many starts stand in it, so that
 * text made of starts (`-eyJ-eyJ-eyJ…`) costs no more than other text.
 */

/** 1 for each byte that is in the set. */
export type ByteSet = Uint8Array;

/** `least` to `most` bytes of `set`, and what follows them. */
export interface Run {
  readonly set: ByteSet;
  readonly least: number;
  readonly most: number;
  /**
   * "word": no letter, digit, `_` or `-` follows. "any": whatever follows. Any other text: that follows, and its first
   * byte is not of the set.
   */
  readonly end: "word" | "any" | (string & {});
}

/** A set as between the brackets of a regular expression, without escapes: `A-Za-z0-9_-`. */
export function byteSet(text: string): ByteSet {
  const set = new Uint8Array(256);
  for (let at = 0; at < text.length; at++) {
    const isRange = text[at + 1] === "-" && at + 2 < text.length;
    const last = text.charCodeAt(isRange ? at + 2 : at);
    for (let code = text.charCodeAt(at); code <= last; code++) set[code] = 1;
    if (isRange) at += 2;
  }
  return set;
}

const WORD_OR_DASH = byteSet("A-Za-z0-9_-");

/** Reads a sequence of runs in one text, at growing places. */
export class RunReader {
  readonly #runs: readonly (Run & { readonly stretch: Stretch; readonly word: Stretch })[];

  constructor(runs: readonly Run[]) {
    this.#runs = runs.map((run) => ({ ...run, stretch: new Stretch(run.set), word: new Stretch(WORD_OR_DASH) }));
  }

  /** End of the runs that begin at `at`; -1 if they do not stand there. */
  end(bytes: Uint8Array, at: number): number {
    let position = at;
    for (const { least, most, end, stretch, word } of this.#runs) {
      const past = stretch.end(bytes, position);
      if (past - position < least) return -1;
      if (end === "any") {
        position = Math.min(past, position + most);
      } else if (end === "word") {
        if (word.end(bytes, position) > position + most) return -1;
        position = wordEnd(bytes, position + least, Math.min(past, position + most));
        if (position < 0) return -1;
      } else {
        if (past - position > most || !holds(bytes, past, end)) return -1;
        position = past + end.length;
      }
    }
    return position;
  }
}

/** Finds the end of a stretch of bytes of one set; remembers the last stretch, and does not read it again. */
class Stretch {
  readonly #set: ByteSet;
  #from = -1;
  #to = -1;

  constructor(set: ByteSet) {
    this.#set = set;
  }

  /** The first place from `at` on whose byte is not of the set. */
  end(bytes: Uint8Array, at: number): number {
    if (at < this.#from || at > this.#to) {
      let end = at;
      while (end < bytes.length && this.#set[bytes[end] as number] === 1) end++;
      this.#from = at;
      this.#to = end;
    }
    return this.#to;
  }
}

/** The last place from `first` to `last` that is the end of a word; -1 if all of them are inside one. */
function wordEnd(bytes: Uint8Array, first: number, last: number): number {
  for (let end = last; end >= first; end--) {
    if (end >= bytes.length || WORD_OR_DASH[bytes[end] as number] === 0) return end;
  }
  return -1;
}

/** Tells whether `text` (latin1) stands at `at`. */
export function holds(bytes: Uint8Array, at: number, text: string): boolean {
  if (at < 0 || at + text.length > bytes.length) return false;
  for (let index = 0; index < text.length; index++) if (bytes[at + index] !== text.charCodeAt(index)) return false;
  return true;
}
