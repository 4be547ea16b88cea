/** xxd -r: the bytes that a dump shows. */
import { lineBlocks, linesOf } from "../../src/io/lines.ts";
import { BlockBuilder } from "../../src/io/output.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";

/** The bytes of a plain dump: all pairs of hexadecimal digits. */
export async function* fromPlain(blocks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let high = -1;
  for await (const block of blocks) {
    const bytes = Buffer.allocUnsafe(block.length);
    let used = 0;
    for (const code of block) {
      const value = hexValue(code);
      if (value < 0) continue;
      if (high < 0) high = value;
      else {
        bytes[used++] = high * 16 + value;
        high = -1;
      }
    }
    if (used > 0) yield bytes.subarray(0, used);
  }
}

/** The bytes of a dump with addresses; what lies between is filled with zeros. Throws UsageError for an address before the last. */
export async function* fromDump(
  blocks: AsyncIterable<Uint8Array>,
  columns: number,
  offset: number,
  lineBytes: number,
): AsyncGenerator<Uint8Array, void> {
  const out = new BlockBuilder();
  let position = 0;
  for await (const block of lineBlocks(blocks, lineBytes)) {
    for (const line of linesOf(block)) {
      const [whole, address] = /^\s*([0-9a-fA-F]+):?/.exec(line.toString("latin1")) ?? [];
      if (whole === undefined || address === undefined) continue;
      const wanted = Number.parseInt(address, 16) + offset;
      const bytes = shownBytes(line.toString("latin1", whole.length), columns);
      if (bytes.length === 0) continue;
      if (wanted < position) {
        if (!out.empty) yield out.take();
        throw new UsageError("bad-value", "sorry, cannot seek backwards.", { exit: 5 });
      }
      for (; position < wanted; position++) {
        out.addByte(0);
        if (out.full) yield out.take();
      }
      out.add(bytes);
      position += bytes.length;
      if (out.full) yield out.take();
    }
  }
  if (!out.empty) yield out.take();
}

/** The pairs of digits up to the first that is none, or to two spaces behind them. */
function shownBytes(text: string, columns: number): Uint8Array {
  const bytes: number[] = [];
  let at = 0;
  while (bytes.length < columns) {
    const spaces = /^ */.exec(text.slice(at))?.[0].length ?? 0;
    if (spaces > 1 && bytes.length > 0) break;
    const pair = /^[0-9a-fA-F]{2}/.exec(text.slice(at + spaces))?.[0];
    if (pair === undefined) break;
    bytes.push(Number.parseInt(pair, 16));
    at += spaces + 2;
  }
  return Uint8Array.from(bytes);
}

function hexValue(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
