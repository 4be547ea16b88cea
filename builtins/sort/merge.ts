/** Merges inputs that are sorted already. */
import { endOfLine } from "../../src/io/lines.ts";
import { BlockBuilder } from "../../src/io/output.ts";
import type { LineComparison } from "./order.ts";

/** One sorted input, at one of its lines: `bytes[from..to)`, without its end. */
export class LineSource {
  readonly #blocks: AsyncIterator<Buffer>;
  readonly #lineEnd: number;
  bytes: Buffer = Buffer.alloc(0);
  from = 0;
  to = -1;

  /** `blocks` are whole lines, as `lineBlocks` gives them. */
  constructor(blocks: AsyncIterable<Buffer>, lineEnd: number) {
    this.#blocks = blocks[Symbol.asyncIterator]();
    this.#lineEnd = lineEnd;
  }

  /** Goes to the next line of the block; false where it has none, and `refill` must be called. */
  step(): boolean {
    const from = this.to + 1;
    if (from >= this.bytes.length) return false;
    this.from = from;
    this.to = endOfLine(this.bytes, from, this.#lineEnd);
    return true;
  }

  /** Goes to the first line of the next block; false at the end of the input. */
  async refill(): Promise<boolean> {
    const next = await this.#blocks.next();
    if (next.done === true) return false;
    this.bytes = next.value;
    this.from = 0;
    this.to = endOfLine(this.bytes, 0, this.#lineEnd);
    return true;
  }

  async close(): Promise<void> {
    await this.#blocks.return?.();
  }
}

/** Lines that compare equal come in the order of `sources`; with `unique` only the first of them comes. */
export async function* merged(
  sources: readonly LineSource[],
  compare: LineComparison,
  unique: boolean,
  lineEnd: number,
): AsyncGenerator<Uint8Array, void> {
  const rank = new Map(sources.map((source, at) => [source, at]));
  const before = (a: LineSource, b: LineSource): boolean => {
    const result = compare(a.bytes, a.from, a.to, b.bytes, b.from, b.to);
    return result === 0 ? (rank.get(a) as number) < (rank.get(b) as number) : result < 0;
  };
  const heap: LineSource[] = [];
  try {
    for (const source of sources) if (await source.refill()) heap.push(source);
    for (let at = heap.length >> 1; at-- > 0; ) siftDown(heap, at, before);
    const output = new BlockBuilder();
    let last: Buffer | undefined;
    for (let top = heap[0]; top !== undefined; top = heap[0]) {
      const { bytes, from, to } = top;
      if (!unique || last === undefined || compare(last, 0, last.length, bytes, from, to) !== 0) {
        output.add(bytes, from, to);
        output.addByte(lineEnd);
        if (unique) last = Buffer.from(bytes.subarray(from, to));
        if (output.full) yield output.take();
      }
      if (!top.step() && !(await top.refill())) {
        const moved = heap.pop();
        if (moved !== undefined && heap.length > 0) heap[0] = moved;
      }
      siftDown(heap, 0, before);
    }
    if (!output.empty) yield output.take();
  } finally {
    for (const source of sources) await source.close();
  }
}

function siftDown(heap: LineSource[], from: number, before: (a: LineSource, b: LineSource) => boolean): void {
  const moved = heap[from];
  if (moved === undefined) return;
  let at = from;
  for (;;) {
    let child = at * 2 + 1;
    const [left, right] = [heap[child], heap[child + 1]];
    if (left === undefined) break;
    let smaller = left;
    if (right !== undefined && before(right, left)) {
      smaller = right;
      child++;
    }
    if (!before(smaller, moved)) break;
    heap[at] = smaller;
    at = child;
  }
  heap[at] = moved;
}
