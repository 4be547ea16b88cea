/** Finds the places in a block where a pattern's required text stands: byte search for literals, else a short RegExp. */
import { literalsOf, windowSource, type RequiredText } from "./required-text.ts";

export interface Candidates {
  /** A new block: `bytes` up to `to` stays as it is until the next call. */
  load(bytes: Buffer, from: number, to: number): void;
  /** The first candidate at or after `from`, or -1. */
  next(from: number): number;
}

export function candidatesFor(required: RequiredText): Candidates {
  const literals = literalsOf(required.windows);
  if (literals !== undefined && literals.length <= MAX_BYTE_SEARCHES) {
    return literals.length === 1 ? new LiteralCandidates(literals[0] as Buffer) : new LiteralSetCandidates(literals);
  }
  return new WindowCandidates(windowSource(required.windows));
}

/** With more literals than this, one pass of a RegExp is quicker than a byte search for each. */
const MAX_BYTE_SEARCHES = 4;

class LiteralCandidates implements Candidates {
  readonly #literal: Buffer;
  #block: Buffer = Buffer.alloc(0);

  constructor(literal: Buffer) {
    this.#literal = literal;
  }

  load(bytes: Buffer, _from: number, to: number): void {
    this.#block = bytes.subarray(0, to);
  }

  next(from: number): number {
    return this.#block.indexOf(this.#literal, from);
  }
}

class LiteralSetCandidates implements Candidates {
  readonly #literals: readonly Buffer[];
  /** Where each literal stands next, at or after the last `from`; Infinity: nowhere. */
  readonly #places: number[];
  #block: Buffer = Buffer.alloc(0);

  constructor(literals: readonly Buffer[]) {
    this.#literals = literals;
    this.#places = literals.map(() => -1);
  }

  load(bytes: Buffer, _from: number, to: number): void {
    this.#block = bytes.subarray(0, to);
    this.#places.fill(-1);
  }

  next(from: number): number {
    let first = Infinity;
    for (let index = 0; index < this.#literals.length; index++) {
      let place = this.#places[index] as number;
      if (place < from) {
        place = this.#block.indexOf(this.#literals[index] as Buffer, from);
        if (place < 0) place = Infinity;
        this.#places[index] = place;
      }
      if (place < first) first = place;
    }
    return first === Infinity ? -1 : first;
  }
}

class WindowCandidates implements Candidates {
  readonly #window: RegExp;
  #text = "";
  #textFrom = 0;

  constructor(source: string) {
    this.#window = new RegExp(source, "g");
  }

  load(bytes: Buffer, from: number, to: number): void {
    this.#text = bytes.toString("latin1", from, to);
    this.#textFrom = from;
  }

  next(from: number): number {
    this.#window.lastIndex = from - this.#textFrom;
    return this.#window.test(this.#text) ? this.#textFrom + this.#window.lastIndex - 1 : -1;
  }
}
