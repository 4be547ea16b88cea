/** Records from the last to the first, as GNU tac cuts them: each search goes on before the match it found last. */

/** A place in bytes. */
export interface Match {
  readonly start: number;
  readonly end: number;
}

/** Finds separators from the end. */
export interface Separator {
  /** The last match in `bytes` from 0 to `to` that begins at or before `latest`. */
  lastIn(bytes: Buffer, to: number, latest: number): Match | undefined;
  /** How far before the start of a match the next one must begin. */
  readonly step: number;
  /** Whether it needs all of the input at once. */
  readonly needsWhole: boolean;
}

export class LiteralSeparator implements Separator {
  readonly step: number;
  readonly needsWhole = false;
  readonly #text: Buffer;
  readonly #byte: number | undefined;

  constructor(text: Buffer) {
    this.#text = text;
    this.#byte = text.length === 1 ? text[0] : undefined;
    this.step = text.length;
  }

  lastIn(bytes: Buffer, _to: number, latest: number): Match | undefined {
    if (latest < 0) return undefined;
    const length = this.#text.length;
    if (this.#byte !== undefined) {
      // Most lines are short: a few steps here are cheaper than a call into memrchr.
      const near = Math.max(0, latest - 24);
      for (let at = latest; at >= near; at--) if (bytes[at] === this.#byte) return { start: at, end: at + 1 };
      if (near === 0) return undefined;
      const found = bytes.lastIndexOf(this.#byte, near - 1);
      return found < 0 ? undefined : { start: found, end: found + 1 };
    }
    const found = bytes.lastIndexOf(this.#text, latest);
    return found < 0 ? undefined : { start: found, end: found + length };
  }
}

/** The bytes before those that were given already; empty at the beginning. `held` are still in use. */
export interface TailSource {
  before(held: number): Buffer;
}

/** Part of a buffer. */
export interface Part {
  readonly bytes: Buffer;
  readonly from: number;
  readonly to: number;
}

export function* reversedRecords(source: TailSource, separator: Separator, before: boolean): Generator<Part, void> {
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
    const match = separator.lastIn(bytes, limit, latest);
    if (match === undefined) {
      if (atStart) break;
      const moved = prepend(end);
      latest = moved + Math.min(latest, -1);
      end += moved;
      limit = end;
      continue;
    }
    if (before) {
      yield { bytes, from: match.start, to: end };
      end = match.start;
    } else {
      if (!isFirst || match.end !== end) yield { bytes, from: match.end, to: end };
      end = match.end;
      isFirst = false;
    }
    limit = match.start;
    latest = match.start - separator.step;
  }
  if (end > 0) yield { bytes, from: 0, to: end };
}
