/** One side of a comparison: a file's bytes and the starts of its lines. */
import { asBuffer } from "../io/lines.ts";

export interface LineText {
  readonly bytes: Buffer;
  /** Offsets of the lines, and after the last one the end of the text. */
  readonly starts: Int32Array;
  readonly lineCount: number;
  /** The last line has no newline. */
  readonly isIncomplete: boolean;
}

export function lineText(bytes: Uint8Array): LineText {
  const buffer = asBuffer(bytes);
  // Short files have short lists: most of what is compared in a history is small.
  let starts = new Int32Array(Math.min(1024, (buffer.length >> 3) + 2));
  let lineCount = 0;
  for (let at = 0; at < buffer.length; ) {
    if (lineCount + 1 >= starts.length) {
      const grown = new Int32Array(starts.length * 2);
      grown.set(starts);
      starts = grown;
    }
    starts[lineCount++] = at;
    const end = buffer.indexOf(10, at);
    at = end < 0 ? buffer.length : end + 1;
  }
  starts[lineCount] = buffer.length;
  return { bytes: buffer, starts, lineCount, isIncomplete: buffer.length > 0 && buffer[buffer.length - 1] !== 10 };
}

/** End offset of line `line`, without its newline. */
export function lineEnd({ bytes, starts }: LineText, line: number): number {
  const end = starts[line + 1] as number;
  return bytes[end - 1] === 10 ? end - 1 : end;
}

/** True if `line` is the last one and lacks its newline. */
export const isCutLine = (text: LineText, line: number): boolean => text.isIncomplete && line === text.lineCount - 1;

/** `bytes` without each carriage return before a newline (--strip-trailing-cr). */
export function withoutCarriageReturns(bytes: Buffer): Buffer {
  if (bytes.indexOf("\r\n") < 0) return bytes;
  const kept = Buffer.allocUnsafe(bytes.length);
  let used = 0;
  for (let from = 0; from < bytes.length; ) {
    const at = bytes.indexOf("\r\n", from);
    const to = at < 0 ? bytes.length : at;
    used += bytes.copy(kept, used, from, to);
    from = at < 0 ? to : at + 1;
  }
  return kept.subarray(0, used);
}
