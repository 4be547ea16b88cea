/** The inner loops of tr. */
import type { Operation } from "./translation.ts";

/** A function from each block of the input, in order, to the output for it; it remembers the last byte of a run. */
export function translator({ becomes, keeps, squeezes }: Operation): (block: Uint8Array) => Uint8Array {
  const identity = becomes.every((to, from) => to === from);
  const deletes = keeps.includes(0);
  if (squeezes.includes(1)) return squeezer(becomes, keeps, squeezes);
  if (deletes) return (block) => deleted(block, keeps);
  return identity ? (block) => block : (block) => translated(block, becomes);
}

function translated(block: Uint8Array, becomes: Uint8Array): Uint8Array {
  const out = Buffer.allocUnsafe(block.length);
  for (let at = 0; at < block.length; at++) out[at] = becomes[block[at] as number] as number;
  return out;
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

function squeezer(becomes: Uint8Array, keeps: Uint8Array, squeezes: Uint8Array): (block: Uint8Array) => Uint8Array {
  /** The byte written last where a repetition of it is dropped, else -1. */
  let running = -1;
  return (block) => {
    const out = Buffer.allocUnsafe(block.length);
    let used = 0;
    for (let at = 0; at < block.length; at++) {
      const from = block[at] as number;
      if (keeps[from] === 0) continue;
      const byte = becomes[from] as number;
      if (byte === running) continue;
      out[used++] = byte;
      running = squeezes[byte] === 1 ? byte : -1;
    }
    return out.subarray(0, used);
  };
}
