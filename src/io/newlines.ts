/** How many newline bytes `block` holds. */
export function countNewlines(block: Uint8Array): number {
  let count = 0;
  for (let at = block.indexOf(10); at >= 0; at = block.indexOf(10, at + 1)) count++;
  return count;
}
