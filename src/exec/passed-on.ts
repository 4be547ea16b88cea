/** Marks on the blocks of output that a writer has only passed on. */
import type { Command } from "../shell/tree.ts";

/** The block, marked where it is only passed on. A command that gives a marked block on as it is has made it its own output. */
export function marked(block: Uint8Array, passesOn: boolean, { kind }: Command, passedOn: WeakSet<Uint8Array>): Uint8Array {
  if (!passesOn) {
    if (kind === "simple") passedOn.delete(block);
    return block;
  }
  // A view of its own: producers give the same one again.
  const own = block.subarray();
  passedOn.add(own);
  return own;
}
