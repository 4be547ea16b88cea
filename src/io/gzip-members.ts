/**
 * The members of a gzip file (RFC 1952), unpacked one after the other as gzip(1) does: with its words for what is
 * wrong, and what came out before that given first.
 */
import { crc32 } from "./crc32.ts";
import { Inflater, SLICE_BYTES } from "./inflater.ts";

/** What gzip says of its input, after `gzip: NAME: `. */
export class GzipFault extends Error {
  override readonly name = "GzipFault";
  /** 1 where data is lost, 2 where it is only a warning. */
  readonly exit: 1 | 2;
  /** gzip begins these messages with an empty line, so that they stand apart from what it prints to a terminal. */
  readonly isApart: boolean;

  constructor(message: string, { exit = 1, isApart = true }: { readonly exit?: 1 | 2; readonly isApart?: boolean } = {}) {
    super(message);
    this.exit = exit;
    this.isApart = isApart;
  }
}

export interface UnpackOptions {
  /** -f: what is no gzip format is given out as it is. */
  readonly copiesOther: boolean;
}

const UNEXPECTED_END = "unexpected end of file";

/** Yields what the members of `source` hold. Throws GzipFault. */
export async function* unpacked(source: AsyncIterable<Uint8Array>, options: UnpackOptions): AsyncGenerator<Uint8Array, void> {
  const input = new PackedInput(source);
  try {
    for (let isFirst = true; ; isFirst = false) {
      const [first, second] = [await input.peek(0), await input.peek(1)];
      if (!isFirst && first === undefined) return;
      if (first !== 0x1f || (second !== 0x8b && second !== 0x9e)) {
        if (options.copiesOther) return yield* input.rest();
        if (!isFirst && (await input.isZeros())) return;
        if (!isFirst) throw new GzipFault("decompression OK, trailing garbage ignored", { exit: 2 });
        if (second === undefined) throw new GzipFault(UNEXPECTED_END);
        if (first === 0x1f && (second === 0x9d || second === 0xa0 || second === 0x1e))
          throw new GzipFault("packed by compress, pack or lzh, which are not unpacked here", { isApart: false });
        if (first === 0x50 && second === 0x4b) throw new GzipFault("a zip archive, which is not unpacked here", { isApart: false });
        throw new GzipFault("not in gzip format");
      }
      await readHeader(input);
      yield* unpackMember(input);
    }
  } finally {
    await input.close();
  }
}

/** RFC 1952, 2.3.1: the bits of FLG. */
const FLAG = { headerCrc: 0x02, extra: 0x04, name: 0x08, comment: 0x10, encrypted: 0x20, reserved: 0xc0 } as const;

async function readHeader(input: PackedInput): Promise<void> {
  await input.take(2);
  const [method, flags] = (await input.take(2)) as unknown as [number, number];
  if (method !== 8) throw new GzipFault(`unknown method ${method} -- not supported`, { isApart: false });
  if ((flags & FLAG.encrypted) !== 0) throw new GzipFault("is encrypted -- not supported", { isApart: false });
  if ((flags & FLAG.reserved) !== 0) throw new GzipFault(`has flags 0x${flags.toString(16)} -- not supported`, { isApart: false });
  await input.take(6);
  if ((flags & FLAG.extra) !== 0) await input.take((await input.take(2)).readUInt16LE(0));
  for (const flag of [FLAG.name, FLAG.comment]) {
    if ((flags & flag) === 0) continue;
    while ((await input.take(1))[0] !== 0);
  }
  if ((flags & FLAG.headerCrc) !== 0) await input.take(2);
}

async function* unpackMember(input: PackedInput): AsyncGenerator<Uint8Array, void> {
  const inflater = new Inflater();
  let crc = 0;
  let bytes = 0;
  try {
    for (;;) {
      const slice = await input.slice(SLICE_BYTES);
      if (slice.length === 0) throw new GzipFault(UNEXPECTED_END);
      const { chunks, usedBytes, state } = await inflater.step(slice);
      for (const chunk of chunks) {
        crc = crc32(chunk, crc);
        bytes = (bytes + chunk.length) % 2 ** 32;
        yield chunk;
      }
      if (state === "broken") throw new GzipFault("invalid compressed data--format violated");
      if (state === "ended") {
        input.unread(slice.subarray(usedBytes));
        break;
      }
    }
  } finally {
    inflater.close();
  }
  const trailer = await input.take(8);
  const faults = [...(trailer.readUInt32LE(0) === crc ? [] : ["crc"]), ...(trailer.readUInt32LE(4) === bytes ? [] : ["length"])];
  if (faults.length > 0) throw new GzipFault(`invalid compressed data--${faults[0]} error`);
}

/** Blocks as bytes that can be looked at before they are taken. */
class PackedInput {
  readonly #source: AsyncIterator<Uint8Array>;
  #held: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** The byte `at` so many bytes ahead; undefined past the end. */
  async peek(at: number): Promise<number | undefined> {
    while (this.#held.length <= at) if (!(await this.#more())) return undefined;
    return this.#held[at];
  }

  /** Throws GzipFault where there are not so many. */
  async take(bytes: number): Promise<Buffer> {
    while (this.#held.length < bytes) if (!(await this.#more())) throw new GzipFault(UNEXPECTED_END);
    const taken = this.#held.subarray(0, bytes);
    this.#held = this.#held.subarray(bytes);
    return taken;
  }

  /** At least one byte, at most `bytes`; none at the end. */
  async slice(bytes: number): Promise<Buffer> {
    if (this.#held.length === 0) await this.#more();
    const taken = this.#held.subarray(0, bytes);
    this.#held = this.#held.subarray(taken.length);
    return taken;
  }

  unread(bytes: Buffer): void {
    if (bytes.length > 0) this.#held = this.#held.length === 0 ? bytes : Buffer.concat([bytes, this.#held]);
  }

  /** Whether nothing but NULs is left: padding of a tape. */
  async isZeros(): Promise<boolean> {
    for (;;) {
      const slice = await this.slice(SLICE_BYTES);
      if (slice.length === 0) return true;
      if (slice.some((byte) => byte !== 0)) return false;
    }
  }

  async *rest(): AsyncGenerator<Uint8Array, void> {
    for (let slice = await this.slice(1 << 16); slice.length > 0; slice = await this.slice(1 << 16)) yield slice;
  }

  async close(): Promise<void> {
    await this.#source.return?.();
  }

  async #more(): Promise<boolean> {
    const { value, done } = await this.#source.next();
    if (done === true) return false;
    // A copy: the producer may overwrite its block.
    this.#held = Buffer.concat([this.#held, value]);
    return true;
  }
}
