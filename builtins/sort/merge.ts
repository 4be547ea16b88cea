/** Merges inputs that are sorted already. */
import { BlockBuilder } from "../../src/io/output.ts";
import { columnsOf } from "./columns.ts";
import type { LineSource } from "./line-source.ts";
import { lineComparison, type Order } from "./order.ts";

interface Merging {
  readonly unique: boolean;
  readonly lineEnd: number;
  /** Whether the inputs are known to be in order; what -m is given may not be. */
  readonly areSorted: boolean;
}

/** Lines that compare equal come in the order of `sources`; with `unique` only the first of them comes. */
export async function* merged(
  sources: readonly LineSource[],
  order: Order,
  { unique, lineEnd, areSorted }: Merging,
): AsyncGenerator<Uint8Array, void> {
  const compare = lineComparison(order);
  const skipsPrefix = areSorted && order.keys.length === 0;
  let alike = 0;
  const before = (a: number, b: number): boolean => {
    const [left, right] = [sources[a] as LineSource, sources[b] as LineSource];
    if (left.value !== right.value) return left.value < right.value;
    if (left.atEnd || right.atEnd) return right.atEnd && (!left.atEnd || a < b);
    const result = compare(left.bytes, left.from, left.to, right.bytes, right.from, right.to);
    return result === 0 ? a < b : result < 0;
  };
  try {
    for (const source of sources) await source.refill();
    if (skipsPrefix) alike = commonPrefix(sources);
    for (const source of sources) source.useColumn(columnsOf(order, alike));
    const tree = new Tournament(sources.length, before);
    const output = new BlockBuilder();
    let last: Pick<LineSource, "bytes" | "from" | "to"> = { bytes: Buffer.alloc(0), from: 0, to: 0 };
    /** The value of `last`; undefined: it has none that the values of others can be compared with. */
    let lastValue: number | undefined;
    let isFirst = true;
    for (let top = sources[tree.winner]; top !== undefined && !top.atEnd; top = sources[tree.winner]) {
      const { bytes, from, to, value } = top;
      const isRepeated =
        unique &&
        !isFirst &&
        (lastValue === undefined || lastValue === value) &&
        compare(last.bytes, last.from, last.to, bytes, from, to) === 0;
      if (!isRepeated) {
        output.add(bytes, from, Math.min(to + 1, bytes.length));
        if (to === bytes.length) output.addByte(lineEnd);
        last.bytes = bytes;
        last.from = from;
        last.to = to;
        lastValue = value;
        isFirst = false;
        if (output.full) yield output.take();
      }
      if (!top.step()) {
        if (last.bytes === bytes) last = { bytes: Buffer.from(bytes.subarray(last.from, last.to)), from: 0, to: last.to - last.from };
        await top.refill();
        const now = skipsPrefix ? commonPrefix(sources) : 0;
        if (now !== alike) {
          alike = now;
          lastValue = undefined;
          for (const source of sources) source.useColumn(columnsOf(order, alike));
        }
      }
      tree.replay();
    }
    if (!output.empty) yield output.take();
  } finally {
    for (const source of sources) await source.close();
  }
}

/** How many bytes all lines have in common that the blocks of `sources` still hold, all of them in order. */
function commonPrefix(sources: readonly LineSource[]): number {
  const open = sources.filter((source) => !source.atEnd);
  const [first] = open;
  if (first === undefined) return 0;
  let length = first.to - first.from;
  const compareWith = (bytes: Buffer, from: number, to: number): void => {
    length = Math.min(length, to - from);
    let at = 0;
    while (at < length && bytes[from + at] === first.bytes[first.from + at]) at++;
    length = at;
  };
  for (const source of open) {
    compareWith(source.bytes, source.from, source.to);
    compareWith(source.bytes, ...source.lastLine);
  }
  return length;
}

/** A tree of losers (Knuth, The Art of Computer Programming, volume 3, 5.4.1): one comparison a level for each line. */
class Tournament {
  readonly #players: number;
  readonly #before: (a: number, b: number) => boolean;
  /** At each inner node who lost there; node 1 is the root, and the children of n are 2n and 2n + 1. */
  readonly #losers: Uint32Array;
  winner: number;

  constructor(players: number, before: (a: number, b: number) => boolean) {
    this.#players = players;
    this.#before = before;
    this.#losers = new Uint32Array(Math.max(1, players));
    this.winner = this.#play(1);
  }

  /** Finds the winner anew after the last one has changed. */
  replay(): void {
    let { winner } = this;
    for (let node = (winner + this.#players) >> 1; node > 0; node >>= 1) {
      const loser = this.#losers[node] as number;
      if (!this.#before(loser, winner)) continue;
      this.#losers[node] = winner;
      winner = loser;
    }
    this.winner = winner;
  }

  #play(node: number): number {
    if (node >= this.#players) return node - this.#players;
    const [left, right] = [this.#play(node * 2), this.#play(node * 2 + 1)];
    const isLeft = this.#before(left, right);
    this.#losers[node] = isLeft ? right : left;
    return isLeft ? left : right;
  }
}
