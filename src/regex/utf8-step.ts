/** Reads one symbol of a line, forwards or backwards: a valid UTF-8 sequence is one character, any other byte is itself. */
import { sequenceLength } from "../io/text.ts";
import { FIRST_STRAY_BYTE } from "./symbol-set.ts";

/** The symbol at `at` times 8, plus how many bytes it has: one number, so that nothing is allocated. */
export function packedSymbolAt(bytes: Uint8Array, at: number, end: number): number {
  const lead = bytes[at] as number;
  if (lead < 0x80) return lead * 8 + 1;
  const width = sequenceLength(bytes, at);
  if (width < 2 || at + width > end) return (FIRST_STRAY_BYTE + lead - 0x80) * 8 + 1;
  const second = (bytes[at + 1] as number) & 0x3f;
  if (width === 2) return (((lead & 0x1f) << 6) | second) * 8 + 2;
  const third = (bytes[at + 2] as number) & 0x3f;
  if (width === 3) return (((lead & 0x0f) << 12) | (second << 6) | third) * 8 + 3;
  return (((lead & 0x07) << 18) | (second << 12) | (third << 6) | ((bytes[at + 3] as number) & 0x3f)) * 8 + 4;
}

/** The symbol that ends before `end`, packed likewise. */
export function packedSymbolBefore(bytes: Uint8Array, end: number, from: number): number {
  const last = bytes[end - 1] as number;
  if (last < 0x80) return last * 8 + 1;
  if (last < 0xc0) {
    for (let width = 2; width <= 4 && end - width >= from; width++) {
      const lead = bytes[end - width] as number;
      if (lead >= 0xc0) {
        if (sequenceLength(bytes, end - width) === width) return packedSymbolAt(bytes, end - width, end);
        break;
      }
      if (lead < 0x80) break;
    }
  }
  return (FIRST_STRAY_BYTE + last - 0x80) * 8 + 1;
}
