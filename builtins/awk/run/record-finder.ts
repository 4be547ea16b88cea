/** Finds the end of a record: RS as a byte, a paragraph or a regular expression. */
import type { AwkRegex } from "./regex.ts";

/** Bytes that were read and not used up. */
export interface ByteWindow {
  bytes: Buffer;
  /** The first byte that belongs to no record yet. */
  at: number;
  end: number;
  /** `at` is where the input begins. */
  isStart: boolean;
  /** Nothing comes after `end`. */
  isLast: boolean;
}

/** A record that a finder found; one object for all records. */
export interface FoundRecord {
  from: number;
  to: number;
  /** The terminator's bytes end here, and the next record begins. They begin at `to`. */
  next: number;
}

export interface RecordFinder {
  /** Finds the first record at or after `at`; false where there is none, or more bytes are needed to tell. */
  find(window: ByteWindow, at: number, found: FoundRecord): boolean;
  /** True if an end of input that is empty of records may still hold a terminator (a paragraph's newlines). */
  readonly isParagraph: boolean;
}

export function byteFinder(separator: number): RecordFinder {
  return {
    isParagraph: false,
    find(window, at, found) {
      const { bytes, end } = window;
      // Most records are short: a few steps here are cheaper than a call into memchr.
      const near = Math.min(at + 32, end);
      let here = at;
      while (here < near && bytes[here] !== separator) here++;
      if (here === near && near < end) {
        here = bytes.indexOf(separator, near);
        if (here < 0 || here >= end) here = end;
      }
      if (here >= end) {
        if (!window.isLast || at >= end) return false;
        found.from = at;
        found.to = end;
        found.next = end;
        return true;
      }
      found.from = at;
      found.to = here;
      found.next = here + 1;
      return true;
    },
  };
}

const NEWLINE = 10;

/** RS = "": records end at empty lines, newlines before them do not count. */
export const PARAGRAPHS: RecordFinder = {
  isParagraph: true,
  find(window, start, found) {
    const { bytes, end, isLast } = window;
    let at = start;
    while (at < end && bytes[at] === NEWLINE) at++;
    if (at >= end) return false;
    for (let search = at; ; ) {
      const newline = bytes.indexOf(NEWLINE, search);
      if (newline < 0 || newline >= end) {
        if (!isLast) return false;
        found.from = at;
        found.to = end;
        found.next = end;
        return true;
      }
      let after = newline + 1;
      while (after < end && bytes[after] === NEWLINE) after++;
      if (after === end && !isLast) return false;
      if (after > newline + 1 || after === end) {
        found.from = at;
        found.to = newline;
        found.next = after;
        return true;
      }
      search = after;
    }
  },
};

/** `inside`: the same expression where `^` matches nowhere, for all records but the first. */
export function regexFinder(atStart: AwkRegex, inside: AwkRegex): RecordFinder {
  let loaded: Buffer | undefined;
  let loadedEnd = -1;
  let loadedFrom = 0;
  return {
    isParagraph: false,
    find(window, at, found) {
      const { bytes, end, isLast } = window;
      if (at >= end) return false;
      const isStart = window.isStart && at === window.at;
      const regex = isStart ? atStart : inside;
      if (isStart || loaded !== bytes || loadedEnd !== end || at < loadedFrom) {
        regex.loadBytes(bytes, at, end);
        loaded = isStart ? undefined : bytes;
        loadedEnd = end;
        loadedFrom = at;
      }
      for (let search = at; search <= end && regex.find(search); ) {
        const [from = 0, to = 0] = [regex.offsets[0], regex.offsets[1]];
        if (to === from) {
          search = from + 1;
          continue;
        }
        // A match at the very end may go on in what is still to come.
        if (to === end && !isLast) return false;
        found.from = at;
        found.to = from;
        found.next = to;
        return true;
      }
      if (!isLast) return false;
      found.from = at;
      found.to = end;
      found.next = end;
      return true;
    },
  };
}

/** --csv: newlines outside of double quotes. */
export const CSV_RECORDS: RecordFinder = {
  isParagraph: false,
  find(window, at, found) {
    const { bytes, end } = window;
    if (at >= end) return false;
    let quoted = false;
    for (let here = at; here < end; here++) {
      const byte = bytes[here];
      if (byte === 0x22) quoted = !quoted;
      else if (byte === NEWLINE && !quoted) {
        found.from = at;
        found.to = here > at && bytes[here - 1] === 13 ? here - 1 : here;
        found.next = here + 1;
        return true;
      }
    }
    if (!window.isLast) return false;
    found.from = at;
    found.to = end;
    found.next = end;
    return true;
  },
};
