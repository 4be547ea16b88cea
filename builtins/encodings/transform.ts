/** Streams of bytes encoded into lines, and text decoded, whatever blocks they come in. */
import { asBuffer } from "../../src/io/lines.ts";
import type { Encoding } from "./alphabets.ts";

/** Thrown for input that cannot be encoded or decoded; what came before it has been yielded. */
export class BadInput extends Error {
  override readonly name = "BadInput";
}

/** `wrap` is the length of a line; 0: one line without an end. Throws BadInput. */
export async function* encoded(blocks: AsyncIterable<Uint8Array>, encoding: Encoding, wrap: number): AsyncGenerator<Uint8Array, void> {
  // Of a block of Z85 that ends in an incomplete group nothing is printed.
  const step = encoding.bytes === 4 ? Z85_BLOCK_BYTES : encoding.bytes;
  let rest: Buffer = Buffer.alloc(0);
  let column = 0;
  const lines = (text: string): Buffer => {
    if (wrap === 0) return Buffer.from(text, "latin1");
    const letters = Buffer.from(text, "latin1");
    const wrapped = Buffer.allocUnsafe(letters.length + Math.ceil(letters.length / wrap) + 1);
    let into = 0;
    for (let at = 0; at < letters.length; ) {
      if (column === wrap) {
        wrapped[into++] = NEWLINE;
        column = 0;
      }
      const end = Math.min(letters.length, at + wrap - column);
      letters.copy(wrapped, into, at, end);
      into += end - at;
      column += end - at;
      at = end;
    }
    return wrapped.subarray(0, into);
  };
  for await (const block of blocks) {
    const all = rest.length === 0 ? asBuffer(block) : Buffer.concat([rest, block]);
    const whole = all.length - (all.length % step);
    rest = Buffer.from(all.subarray(whole));
    if (whole > 0) yield lines(encoding.encode(all.subarray(0, whole)));
  }
  if (rest.length > 0) {
    if (!encoding.pads && rest.length % encoding.bytes !== 0) throw new BadInput("invalid input (length must be multiple of 4 characters)");
    yield lines(encoding.encode(rest));
  }
  if (wrap > 0 && column > 0) yield Buffer.from("\n");
}

/** Newlines are passed over, with `ignoreGarbage` all that is not of the alphabet. Throws BadInput. */
export async function* decoded(
  blocks: AsyncIterable<Uint8Array>,
  encoding: Encoding,
  ignoreGarbage: boolean,
): AsyncGenerator<Uint8Array, void> {
  const { values, pads, characters } = encoding;
  // strchr(3), with which basenc looks for a character of Z85, finds NUL too.
  const isKept = (code: number): boolean => (values[code] as number) >= 0 || code === EQUALS || (code === 0 && encoding.bytes === 4);
  let rest: Buffer = Buffer.alloc(0);
  for await (const block of blocks) {
    const text = Buffer.allocUnsafe(rest.length + block.length);
    rest.copy(text);
    let used = rest.length;
    for (let at = 0; at < block.length; at++) {
      const code = block[at] as number;
      if (ignoreGarbage ? !isKept(code) : code === NEWLINE) continue;
      text[used++] = code;
    }
    const whole = used - (used % characters);
    yield* groups(text.subarray(0, whole), encoding);
    rest = Buffer.from(text.subarray(whole, used));
  }
  if (rest.length === 0) return;
  // An incomplete base64 group still says some bytes.
  if (pads && characters === 4) yield* groups(rest, encoding);
  throw new BadInput("invalid input");
}

/** How much basenc reads at once. */
const Z85_BLOCK_BYTES = 30_720;
const EQUALS = 0x3d;
const NEWLINE = 10;

/** Whole groups; padding may end any of them. */
function* groups(text: Buffer, encoding: Encoding): Generator<Uint8Array, void> {
  const { values, characters } = encoding;
  for (let from = 0; from < text.length; ) {
    let at = from;
    while (at < text.length && (values[text[at] as number] as number) >= 0) at++;
    const plain = at === text.length && text.length % characters === 0 ? at : at - ((at - from) % characters);
    if (plain > from) {
      const bytes = decodedGroups(text.subarray(from, plain), encoding);
      if (bytes.good.length > 0) yield bytes.good;
      if (!bytes.isWhole) throw new BadInput("invalid input");
    }
    if (plain >= text.length) return;
    const { bytes, isValid } = paddedGroup(text.subarray(plain, plain + characters), encoding);
    if (bytes.length > 0) yield bytes;
    if (!isValid) throw new BadInput("invalid input");
    from = plain + characters;
  }
}

function decodedGroups(text: Buffer, encoding: Encoding): { good: Buffer; isWhole: boolean } {
  const all = encoding.decode(text, encoding.values);
  if (all !== undefined) return { good: all, isWhole: true };
  const good: Buffer[] = [];
  for (let at = 0; at < text.length; at += encoding.characters) {
    const group = encoding.decode(text.subarray(at, at + encoding.characters), encoding.values);
    if (group === undefined) break;
    good.push(group);
  }
  return { good: Buffer.concat(good), isWhole: false };
}

/** How many characters of a group may stand before the padding. */
const BEFORE_PADDING: Readonly<Record<number, readonly number[]>> = { 4: [2, 3], 8: [2, 4, 5, 7] };

/** A group with padding, or a bad one, of which base64 and base32 still give the bytes that are whole. */
function paddedGroup(group: Buffer, encoding: Encoding): { bytes: Buffer; isValid: boolean } {
  const { values, characters, pads } = encoding;
  let count = 0;
  while (count < group.length && (values[group[count] as number] as number) >= 0) count++;
  if (!pads) return { bytes: Buffer.alloc(0), isValid: false };
  const bytes = encoding.decode(group.subarray(0, count), values) ?? Buffer.alloc(0);
  const padding = group.subarray(count);
  const isValid =
    group.length === characters && BEFORE_PADDING[characters]?.includes(count) === true && padding.every((code) => code === EQUALS);
  return { bytes, isValid };
}
