/** Bytes ↔ text of one unit per byte. */

export function latin1(bytes: Buffer, from: number | undefined = 0, to: number | undefined = bytes.length): string {
  return bytes.toString("latin1", from, to);
}
