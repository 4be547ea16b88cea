/** Records from the last to the first, as GNU tac cuts them: each search goes on before the match it found last. */

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
  readonly #text: Buffer;
  readonly #byte: number | undefined;

  constructor(text: Buffer) {
    this.#text = text;
    this.#byte = text.length === 1 ? text[0] : undefined;
    this.step = text.length;
  }

  lastIn(bytes: Buffer, _to: number, latest: number): boolean {
    if (latest < 0) return false;
    const found = this.#byte === undefined ? bytes.lastIndexOf(this.#text, latest) : lastByte(bytes, this.#byte, latest);
    this.start = found;
    this.end = found + this.step;
    return found >= 0;
  }
}

function lastByte(bytes: Buffer, byte: number, latest: number): number {
  // Most lines are short: a few steps here are cheaper than a call into memrchr.
  const near = Math.max(0, latest - 24);
  for (let at = latest; at >= near; at--) if (bytes[at] === byte) return at;
  return near === 0 ? -1 : bytes.lastIndexOf(byte, near - 1);
}

/** The bytes before those that were given already; empty at the beginning. `held` are still in use. */
export interface TailSource {
  before(held: number): Buffer;
}

/** Adds the records to `output`; yields where it is full. */
export function* reverseRecords(source: TailSource, separator: Separator, before: boolean, output: BlockBuilder): Generator<void, void> {
  let bytes = source.before(0);
  let atStart = bytes.length === 0;
  const prepend = (end: number): number => {
    const block = source.before(end);
    atStart = block.length === 0;
    bytes = atStart ? bytes : Buffer.concat([block, bytes.subarray(0, end)]);
    return block.length;
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
