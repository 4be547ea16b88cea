/**
 * Finds many literals in one pass over the bytes. Each literal is indexed by its rarest pair of neighbouring bytes, and a
 * table of all 65,536 pairs answers at each place whether a literal may stand there: about a nanosecond a byte for any
 * number of literals, and a comparison where the pair does occur.
 */
import { holds } from "./redaction-runs.ts";

interface Anchor {
  readonly literal: number;
  readonly text: string;
  /** Index in the literal of the second byte of its pair. */
  readonly offset: number;
}

export class LiteralFinder {
  /** Indexed by pair: one more than the index in `#anchors`; 0 for none. */
  readonly #pairs = new Uint16Array(1 << 16);
  readonly #anchors: Anchor[][] = [];

  /** `literals` are latin1 text of two bytes or more. */
  constructor(literals: readonly string[]) {
    for (const [literal, text] of literals.entries()) {
      const offset = rarestPair(text);
      const pair = (text.charCodeAt(offset - 1) << 8) | text.charCodeAt(offset);
      if (this.#pairs[pair] === 0) this.#pairs[pair] = this.#anchors.push([]);
      this.#anchors[(this.#pairs[pair] as number) - 1]?.push({ literal, text, offset });
    }
  }

  /**
   * Tells `found` of each place of each literal; of one literal in growing order, of several in no order. Ranges that meet find
   * together what the whole does: a literal is of the range that its pair ends in, and may begin and end outside.
   */
  each(bytes: Uint8Array, found: (literal: number, at: number) => void, from = 0, to = bytes.length): void {
    const pairs = this.#pairs;
    const first = Math.max(1, from);
    const end = Math.min(to, bytes.length);
    let pair = bytes[first - 1] ?? 0;
    for (let at = first; at < end; at++) {
      pair = ((pair << 8) | (bytes[at] as number)) & 0xffff;
      const index = pairs[pair] as number;
      if (index === 0) continue;
      for (const { literal, text, offset } of this.#anchors[index - 1] as Anchor[]) {
        if (holds(bytes, at - offset, text)) found(literal, at - offset);
      }
    }
  }
}

/** Most frequent first, in source code and prose. */
const FREQUENT = " etaoinsrlcdpumhfgbywvkx";

/** Index of the second byte of the pair in `text` that is rarest in source code and prose. */
function rarestPair(text: string): number {
  let best = 1;
  for (let at = 2; at < text.length; at++) if (pairFrequency(text, at) < pairFrequency(text, best)) best = at;
  return best;
}

/** Expected frequency of a pair; one character twice counts as more frequent: rulers are made of it. */
const pairFrequency = (text: string, at: number): number =>
  frequency(text, at - 1) + frequency(text, at) + (text[at] === text[at - 1] ? 1 : 0);

function frequency(text: string, at: number): number {
  const rank = FREQUENT.indexOf(text.charAt(at));
  return rank < 0 ? 0 : FREQUENT.length - rank;
}
