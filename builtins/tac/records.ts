/** Records from the last to the first, as GNU tac cuts them: each search goes on before the match it found last. */

import { bytePlaces, PLACES_BYTES, reversedParts } from "../../src/io/byte-places.ts";
import type { BlockBuilder } from "../../src/io/output.ts";

/** Finds separators from the end. */
export interface Separator {
  /** Looks for the last match in `bytes` from 0 to `to` that begins at or before `latest`, and sets `start` and `end`. */
  lastIn(bytes: Buffer, to: number, latest: number): boolean;
  /** Where the match found last stands. */
  readonly start: number;
  readonly end: number;
  /** How far before the start of a match the next one must begin. */
  readonly step: number;
  /** Whether it needs all of the input at once. */
  readonly needsWhole: boolean;
}

export class LiteralSeparator implements Separator {
  readonly step: number;
  readonly needsWhole = false;
  start = 0;
  end = 0;
  /** Where it is one alone. */
  readonly byte: number | undefined;
  readonly #text: Buffer;

  constructor(text: Buffer) {
    this.#text = text;
    this.byte = text.length === 1 ? text[0] : undefined;
    this.step = text.length;
  }

  lastIn(bytes: Buffer, _to: number, latest: number): boolean {
    if (latest < 0) return false;
    const found = bytes.lastIndexOf(this.#text, latest);
    this.start = found;
    this.end = found + this.step;
    return found >= 0;
  }
}

export interface TailSource {
  /**
   * The bytes before those that were given already, followed by `rest`: what is still in use of those given last, which do not stay
   * where they are. At the beginning of the input `rest` alone.
   */
  before(rest: Buffer): Buffer;
}

/** Adds the records to `output`; yields where it is full. */
export function reverseRecords(source: TailSource, separator: Separator, before: boolean, output: BlockBuilder): Generator<void, void> {
  const byte = separator instanceof LiteralSeparator ? separator.byte : undefined;
  return byte === undefined ? searchedRecords(source, separator, before, output) : byteRecords(source, byte, before, output);
}

/** Where one byte ends the records, they are found and turned around many at a time. */
function* byteRecords(source: TailSource, byte: number, before: boolean, output: BlockBuilder): Generator<void, void> {
  const after = before ? 0 : 1;
  let bytes = source.before(Buffer.alloc(0));
  let end = bytes.length;
  for (let fresh = bytes.length; fresh > 0; ) {
    for (let to = fresh; to > 0; ) {
      const from = Math.max(0, to - PLACES_BYTES);
      const places = bytePlaces(bytes, byte, from, to);
      const last = places.length - 1;
      if (last >= 0) {
        const [firstStart, lastStart] = [(places[0] as number) + after, (places[last] as number) + after];
        // The last record reaches into what was looked at before.
        if (from + lastStart < end) output.add(bytes, from + lastStart, end);
        output.add(reversedParts(bytes, from, lastStart, last, after));
        end = from + firstStart;
        if (output.full) yield;
      }
      to = from;
    }
    const now = source.before(bytes.subarray(0, end));
    fresh = now.length - end;
    end = now.length;
    bytes = now;
  }
  if (end > 0) output.add(bytes, 0, end);
}

function* searchedRecords(source: TailSource, separator: Separator, before: boolean, output: BlockBuilder): Generator<void, void> {
  let bytes = source.before(Buffer.alloc(0));
  let atStart = bytes.length === 0;
  const prepend = (end: number): number => {
    const now = source.before(bytes.subarray(0, end));
    const moved = now.length - end;
    atStart = moved === 0;
    bytes = now;
    return moved;
  };
  if (separator.needsWhole) while (!atStart) prepend(bytes.length);
  let end = bytes.length;
  let limit = end;
  let latest = end - separator.step;
  let isFirst = true;
  for (;;) {
    if (!separator.lastIn(bytes, limit, latest)) {
      if (atStart) break;
      const moved = prepend(end);
      latest = moved + Math.min(latest, -1);
      end += moved;
      limit = end;
      continue;
    }
    if (before) {
      output.add(bytes, separator.start, end);
      end = separator.start;
    } else {
      if (!isFirst || separator.end !== end) output.add(bytes, separator.end, end);
      end = separator.end;
      isFirst = false;
    }
    limit = separator.start;
    latest = separator.start - separator.step;
    if (output.full) yield;
  }
  if (end > 0) output.add(bytes, 0, end);
}
