/** xxd -r: the bytes that a dump shows. */
import { BlockBuilder } from "../../src/io/output.ts";
import type { XxdOptions } from "./options.ts";

/**
 * The bytes of a dump, plain or with addresses; up to an address there are zeros. Returns false, having given what came
 * before, at an address that lies before the end of what was given. What is no dump is read the way xxd 2022-01-14
 * does: digits are taken two and two wherever they stand, until three characters on end are none.
 */
export async function* reverted(
  blocks: AsyncIterable<Uint8Array>,
  { style, columns, seek, seekFrom }: Pick<XxdOptions, "style" | "columns" | "seek" | "seekFrom">,
): AsyncGenerator<Uint8Array, boolean> {
  const isPlain = style === "plain";
  const base = seekFrom === "end" ? -seek : seek;
  const out = new BlockBuilder();
  const address = new Address();
  let given = 0;
  /** Bytes that the line has shown; `columns` while its address is read. */
  let shown = columns;
  /** The values of this character and of those before it; below 0 for one that is no digit, or that has been used. */
  let [digit, before, beforeThat] = [-1, 0, 0];
  let isBeforeDigits = true;
  let isSkippingLine = false;
  for await (const block of blocks) {
    for (const code of block) {
      if (code === CARRIAGE_RETURN && !isSkippingLine) continue;
      if (!isSkippingLine) {
        if (isPlain && (code === SPACE || code === TAB || code === NEWLINE)) continue;
        const value = hexValue(code);
        [beforeThat, before, digit] = [before, digit, value];
        if (value < 0 && isBeforeDigits) continue;
        isBeforeDigits = false;
        if (!isPlain && shown >= columns) {
          if (value < 0) shown = 0;
          else address.shift(value);
          continue;
        }
        const wanted = base + address.value;
        if (wanted < given) {
          if (!out.empty) yield out.take();
          return false;
        }
        for (; given < wanted; given++) {
          out.addByte(0);
          if (out.full) yield out.take();
        }
        if (before >= 0 && digit >= 0) {
          out.addByte(before * 16 + digit);
          given++;
          address.next();
          digit = -1;
          shown++;
          isSkippingLine = !isPlain && shown >= columns;
        } else if (digit < 0 && before < 0 && beforeThat < 0) isSkippingLine = true;
      }
      if (code !== NEWLINE) continue;
      if (!isPlain) address.clear();
      shown = columns;
      isBeforeDigits = true;
      isSkippingLine = false;
    }
    if (out.full) yield out.take();
  }
  if (!out.empty) yield out.take();
  return true;
}

const [TAB, NEWLINE, CARRIAGE_RETURN, SPACE] = [9, 10, 13, 32];

/** A signed number of 64 bits into which digits are shifted, as C has it; exact up to 2⁵³. */
class Address {
  #high = 0;
  #low = 0;

  get value(): number {
    return this.#high * 2 ** 32 + this.#low;
  }

  shift(digit: number): void {
    this.#high = (this.#high << 4) | (this.#low >>> 28);
    this.#low = ((this.#low << 4) | digit) >>> 0;
  }

  next(): void {
    this.#low = (this.#low + 1) >>> 0;
    if (this.#low === 0) this.#high = (this.#high + 1) | 0;
  }

  clear(): void {
    this.#high = 0;
    this.#low = 0;
  }
}

function hexValue(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
