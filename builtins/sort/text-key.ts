/** -d, -f and -i: which bytes of a text key are compared, and as what. */
import type { Ordering } from "./key-spec.ts";

type TextOrdering = Pick<Ordering, "ignore" | "fold">;

export const isTransformed = ({ ignore, fold }: Readonly<TextOrdering>): boolean => fold || ignore !== undefined;

/** The bytes that decide, in a buffer of their own. */
export function comparedBytes(bytes: Uint8Array, from: number, to: number, { ignore, fold }: Readonly<TextOrdering>): Buffer {
  const out = Buffer.allocUnsafe(to - from);
  let used = 0;
  for (let at = from; at < to; at++) {
    const byte = bytes[at] as number;
    if (ignore === "dictionary" ? !isDictionary(byte) : ignore === "nonprinting" && !isPrintable(byte)) continue;
    out[used++] = fold ? folded(byte) : byte;
  }
  return out.subarray(0, used);
}

/** toupper(3) of a single byte: no byte past 0x7F has a case in C.UTF-8. */
export const folded = (byte: number): number => (byte >= 0x61 && byte <= 0x7a ? byte - 32 : byte);

/** Letters, digits and blanks; a newline inside a record of -z is a blank. */
function isDictionary(byte: number): boolean {
  const letter = byte | 0x20;
  return (letter >= 0x61 && letter <= 0x7a) || (byte >= 0x30 && byte <= 0x39) || byte === 0x20 || byte === 0x09 || byte === 0x0a;
}

const isPrintable = (byte: number): boolean => byte >= 0x20 && byte < 0x7f;
