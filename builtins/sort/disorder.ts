/** -c and -C: the first line that is out of order. */
import { endOfLine } from "../../src/io/lines.ts";
import type { LineComparison } from "./order.ts";

export interface Disorder {
  /** Counted from 1. */
  readonly lineNumber: number;
  /** Without its end. */
  readonly line: Buffer;
}

/** The first line of `blocks` that stands before the one above it; with `strict` also one that is equal to it. */
export async function firstDisorder(
  blocks: AsyncIterable<Buffer>,
  compare: LineComparison,
  strict: boolean,
  lineEnd: number,
): Promise<Disorder | undefined> {
  let lineNumber = 0;
  let above: Buffer | undefined;
  for await (const block of blocks) {
    let [aboveFrom, aboveTo] = [0, above?.length ?? 0];
    for (let from = 0; from < block.length; ) {
      const to = endOfLine(block, from, lineEnd);
      lineNumber++;
      if (above !== undefined) {
        const result = compare(above, aboveFrom, aboveTo, block, from, to);
        if (result > 0 || (strict && result === 0)) return { lineNumber, line: Buffer.from(block.subarray(from, to)) };
      }
      above = block;
      [aboveFrom, aboveTo] = [from, to];
      from = to + 1;
    }
    // The producer may reuse the block's memory.
    above = Buffer.from(block.subarray(aboveFrom, aboveTo));
  }
  return undefined;
}
