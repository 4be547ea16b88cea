/** The inner loops of tr: delete or translate, then squeeze. */
import { asBuffer } from "../../src/io/lines.ts";
import type { Operation } from "./translation.ts";

/**
 * A function from each block of the input, in order, to the output for it, which stays until the next call; it
 * remembers the last byte of a run.
 */
export function translator({ becomes, keeps, squeezes }: Operation): (block: Uint8Array) => Uint8Array {
  const passes: ((block: Uint8Array) => Uint8Array)[] = [];
  if (keeps.includes(0)) passes.push(onlyMember(keeps, 0, (byte) => deleting(byte, keeps)) ?? ((block) => deleted(block, keeps)));
  if (becomes.some((to, from) => to !== from)) passes.push(translating(becomes));
  if (squeezes.includes(1)) passes.push(onlyMember(squeezes, 1, squeezingOne) ?? squeezing(squeezes));
  const [first = unchanged, second] = passes;
  return second === undefined ? first : (block) => second(first(block));
}

const unchanged = (block: Uint8Array): Uint8Array => block;

/** `make` for the one byte that `table` marks with `mark`; undefined where there are more. */
function onlyMember<T>(table: Uint8Array, mark: number, make: (byte: number) => T): T | undefined {
  const byte = table.indexOf(mark);
  return table.lastIndexOf(mark) === byte ? make(byte) : undefined;
}

/** Two bytes a look-up: a table of 65,536 pairs took 1.5 ns a byte where 256 bytes took 6.6. */
function translating(becomes: Uint8Array): (block: Uint8Array) => Uint8Array {
  let table: Uint16Array | undefined;
  let memory = Buffer.alloc(0);
  let words = new Uint32Array(0);
  return (block) => {
    const { length } = block;
    if (length < SHORT) {
      const out = Buffer.allocUnsafe(length);
      for (let at = 0; at < length; at++) out[at] = becomes[block[at] as number] as number;
      return out;
    }
    if (memory.length < length) {
      memory = Buffer.allocUnsafeSlow((length + 3) & ~3);
      words = new Uint32Array(memory.buffer);
    }
    memory.set(block);
    const pairs = (table ??= pairTable(becomes));
    const four = words;
    const count = (length + 3) >> 2;
    for (let at = 0; at < count; at++) {
      const word = four[at] as number;
      four[at] = (pairs[word & 0xffff] as number) | ((pairs[word >>> 16] as number) << 16);
    }
    return memory.subarray(0, length);
  };
}

/** A shorter block is not worth the table of pairs. */
const SHORT = 16 * 1024;

/** What each two bytes become; in either byte order both halves of a word go through the same table. */
function pairTable(becomes: Uint8Array): Uint16Array {
  const pairs = new Uint16Array(1 << 16);
  for (let high = 0; high < 256; high++) {
    const top = (becomes[high] as number) << 8;
    for (let low = 0; low < 256; low++) pairs[(high << 8) | low] = top | (becomes[low] as number);
  }
  return pairs;
}

function deleted(block: Uint8Array, keeps: Uint8Array): Uint8Array {
  const out = Buffer.allocUnsafe(block.length);
  let used = 0;
  for (let at = 0; at < block.length; at++) {
    const byte = block[at] as number;
    out[used] = byte;
    used += keeps[byte] as number;
  }
  return out.subarray(0, used);
}

/** A block without the one byte goes through as it is: `tr -d '\r'` on text that has none. */
function deleting(byte: number, keeps: Uint8Array): (block: Uint8Array) => Uint8Array {
  return (block) => (asBuffer(block).includes(byte) ? deleted(block, keeps) : block);
}

function squeezing(squeezes: Uint8Array): (block: Uint8Array) => Uint8Array {
  let last = -1;
  return (block) => {
    const out = Buffer.allocUnsafe(block.length);
    let used = 0;
    for (let at = 0; at < block.length; at++) {
      const byte = block[at] as number;
      if (byte === last && squeezes[byte] === 1) continue;
      out[used++] = byte;
      last = byte;
    }
    return out.subarray(0, used);
  };
}

/** Looks for two in a row, which are rarer than one. */
function squeezingOne(byte: number): (block: Uint8Array) => Uint8Array {
  const two = Buffer.of(byte, byte);
  let endedInRun = false;
  return (bytes) => {
    const block = asBuffer(bytes);
    let from = 0;
    if (endedInRun) while (from < block.length && block[from] === byte) from++;
    if (from < block.length) endedInRun = block[block.length - 1] === byte;
    let run = block.indexOf(two, from);
    if (run < 0) return block.subarray(from);
    const out = Buffer.allocUnsafe(block.length);
    let used = 0;
    while (run >= 0) {
      out.set(block.subarray(from, run + 1), used);
      used += run + 1 - from;
      from = run + 2;
      while (from < block.length && block[from] === byte) from++;
      run = block.indexOf(two, from);
    }
    out.set(block.subarray(from), used);
    return out.subarray(0, used + block.length - from);
  };
}
