/** One record of standard input, with its backslashes taken off. */
import type { ByteInput } from "../../src/io/input.ts";
import { LimitReached } from "../../src/io/limit-reached.ts";
import { toText } from "../../src/io/text.ts";

export interface Record {
  readonly text: string;
  /** Indices of characters of `text` that a backslash stood before: they separate nothing. */
  readonly escaped: ReadonlySet<number>;
  /** Whether it ended as asked, and not because the input did. */
  readonly ended: boolean;
}

export interface RecordShape {
  /** Undefined: only the number of characters ends it. */
  readonly delimiter: number | undefined;
  readonly raw: boolean;
  readonly mostCharacters: number | undefined;
  readonly lineBytes: number;
}

/** Reads up to and with the delimiter; the rest is left for the next reader. Throws LimitReached "line". */
export async function readRecord(stdin: ByteInput, shape: RecordShape): Promise<Record> {
  const { delimiter, raw, mostCharacters = Infinity } = shape;
  const bytes: number[] = [];
  const blocks: Buffer[] = [];
  const escapedBytes = new Set<number>();
  let held = 0;
  let characters = 0;
  let afterBackslash = false;
  /** Bytes that the character at hand still needs. */
  let pending = 0;
  const finish = (ended: boolean): Record => {
    if (bytes.length > 0) blocks.push(Buffer.from(bytes));
    const all = Buffer.concat(blocks);
    const escaped = new Set<number>();
    for (const at of escapedBytes) escaped.add(toText(all.subarray(0, at)).length);
    return { text: toText(all), escaped, ended };
  };
  if (mostCharacters === 0) return finish(true);
  for (;;) {
    const block = await stdin.read();
    if (block === undefined) return finish(false);
    if (raw && mostCharacters === Infinity && delimiter !== undefined) {
      const at = block.indexOf(delimiter);
      held += at < 0 ? block.length : at;
      if (held > shape.lineBytes) throw new LimitReached("line", shape.lineBytes, "bytes");
      blocks.push(Buffer.from(at < 0 ? block : block.subarray(0, at)).filter(notNul) as Buffer);
      if (at < 0) continue;
      stdin.unread(block.subarray(at + 1));
      return finish(true);
    }
    for (let at = 0; at < block.length; at++) {
      const byte = block[at] as number;
      if (afterBackslash) {
        afterBackslash = false;
        if (byte === NEWLINE) continue;
        escapedBytes.add(bytes.length);
      } else if (byte === delimiter) {
        stdin.unread(block.subarray(at + 1));
        return finish(true);
      } else if (byte === BACKSLASH && !raw) {
        afterBackslash = true;
        continue;
      } else if (byte === 0) continue;
      // The last byte of a character tells that it is whole.
      const length = sequenceLength(byte);
      bytes.push(byte);
      if (bytes.length > shape.lineBytes) throw new LimitReached("line", shape.lineBytes, "bytes");
      pending = length === undefined ? pending - 1 : length - 1;
      if (pending <= 0) {
        pending = 0;
        if (++characters >= mostCharacters) {
          stdin.unread(block.subarray(at + 1));
          return finish(true);
        }
      }
    }
  }
}

const NEWLINE = 10;
const BACKSLASH = 92;
const notNul = (byte: number): boolean => byte !== 0;

/** Bytes of the UTF-8 sequence that `byte` begins; undefined for one that goes on. */
function sequenceLength(byte: number): number | undefined {
  if (byte < 0x80) return 1;
  if (byte < 0xc0) return undefined;
  return byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}
