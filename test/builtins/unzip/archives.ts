/** Zip archives made byte by byte, with the faults that none has who packs them. */
import { deflateRawSync } from "node:zlib";
import { crc32 } from "../../../src/io/crc32.ts";
import { toBytes, toText } from "../../../src/io/text.ts";

export interface Fields {
  readonly method?: number;
  readonly flags?: number;
  readonly crc?: number;
  readonly size?: number;
  /** Packed data as it stands. */
  readonly raw?: Uint8Array;
  readonly host?: number;
  readonly needs?: number;
  readonly extra?: Uint8Array;
  readonly comment?: string;
  readonly localName?: string;
  readonly dosTime?: number;
  readonly offset?: number;
}

interface Packed {
  readonly local: Buffer;
  readonly central: (offset: number) => Buffer;
}

/** 2024-05-06 07:08:10 */
const TIME = ((((2024 - 1980) << 9) | (5 << 5) | 6) << 16) | (7 << 11) | (8 << 5) | 5;

export function entry(name: string, content: string, fields: Fields = {}): Packed {
  const { method = 8, flags = 0, host = 3, needs = 20, extra = Buffer.alloc(0), comment = "", dosTime = TIME } = fields;
  const bytes = toBytes(content);
  const data = fields.raw ?? (method === 8 ? deflateRawSync(bytes) : bytes);
  const stored = toBytes(name);
  const localName = toBytes(fields.localName ?? name);
  const shared = (nameBytes: number, extraBytes: number): Buffer => {
    const block = Buffer.alloc(26);
    block.writeUInt16LE(needs, 0);
    block.writeUInt16LE(flags, 2);
    block.writeUInt16LE(method, 4);
    block.writeUInt32LE(dosTime >>> 0, 6);
    block.writeUInt32LE(fields.crc ?? checksum(bytes), 10);
    block.writeUInt32LE(data.length, 14);
    block.writeUInt32LE(fields.size ?? bytes.length, 18);
    block.writeUInt16LE(nameBytes, 22);
    block.writeUInt16LE(extraBytes, 24);
    return block;
  };
  const rest = (offset: number): Buffer => {
    const block = Buffer.alloc(14);
    block.writeUInt16LE(toBytes(comment).length, 0);
    block.writeUInt32LE((0o100644 << 16) >>> 0, 6);
    block.writeUInt32LE(fields.offset ?? offset, 10);
    return block;
  };
  return {
    local: Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), shared(localName.length, 0), localName, data]),
    central: (offset) =>
      Buffer.concat([
        Buffer.from(["P".charCodeAt(0), 0x4b, 1, 2, 30, host]),
        shared(stored.length, extra.length),
        rest(offset),
        stored,
        extra,
        toBytes(comment),
      ]),
  };
}

const checksum = (bytes: Uint8Array): number => crc32(bytes, 0);

export interface Around {
  readonly before?: string;
  readonly comment?: string;
  readonly tail?: string;
  readonly count?: number;
  readonly directorySize?: number;
  /** Added to every place that the archive tells. */
  readonly shift?: number;
  readonly isZip64?: boolean;
}

/** The archive as the content of a file in a row. */
export function zip(entries: readonly Packed[], around: Around = {}): string {
  const { before = "", comment = "", shift = 0 } = around;
  const parts: Buffer[] = [toBytes(before)];
  let place = toBytes(before).length;
  const directory: Buffer[] = [];
  for (const { local, central } of entries) {
    directory.push(central(place + shift));
    parts.push(local);
    place += local.length;
  }
  const whole = Buffer.concat(directory);
  const count = around.count ?? entries.length;
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", 0, "latin1");
  end.writeUInt16LE(around.isZip64 === true ? 0xffff : count, 8);
  end.writeUInt16LE(around.isZip64 === true ? 0xffff : count, 10);
  end.writeUInt32LE(around.isZip64 === true ? 0xffff_ffff : (around.directorySize ?? whole.length), 12);
  end.writeUInt32LE(around.isZip64 === true ? 0xffff_ffff : place + shift, 16);
  end.writeUInt16LE(toBytes(comment).length, 20);
  const wide = around.isZip64 === true ? zip64(count, whole.length, place) : Buffer.alloc(0);
  return toText(Buffer.concat([...parts, whole, wide, end, toBytes(comment), toBytes(around.tail ?? "")]));
}

function zip64(count: number, size: number, place: number): Buffer {
  const record = Buffer.alloc(56);
  record.write("PK\x06\x06", 0, "latin1");
  record.writeBigUInt64LE(44n, 4);
  record.writeBigUInt64LE(BigInt(count), 24);
  record.writeBigUInt64LE(BigInt(count), 32);
  record.writeBigUInt64LE(BigInt(size), 40);
  record.writeBigUInt64LE(BigInt(place), 48);
  const locator = Buffer.alloc(20);
  locator.write("PK\x06\x07", 0, "latin1");
  locator.writeBigUInt64LE(BigInt(place + size), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([record, locator]);
}

const hello = "hello\n";
const a = (fields: Fields = {}): Packed => entry("a", hello, fields);
const b = (fields: Fields = {}): Packed => entry("b", hello, fields);
const unicode = (stored: string, name: string): Buffer => {
  const field = Buffer.alloc(9);
  field.writeUInt16LE(0x7075, 0);
  field.writeUInt16LE(5 + toBytes(name).length, 2);
  field[4] = 1;
  field.writeUInt32LE(checksum(toBytes(stored)), 5);
  return Buffer.concat([field, toBytes(name)]);
};

/** By the name of its file. */
export const ZIPS: Readonly<Record<string, string>> = {
  "plain.zip": zip([
    entry("d/", "", { method: 0 }),
    entry("d/a", hello),
    entry("d/e/b", "bye\n", { method: 0 }),
    entry("zz", "z".repeat(5000)),
  ]),
  "names.zip": zip(
    ["a\nb", "t\tb", "\x1b[31mred", "back\\slash", "sp ace", "\x7f\x01", "ü", "\udcff\udcfe"].map((name) => entry(name, hello)),
  ),
  "climbs.zip": zip([entry("../up", hello), entry("/abs", hello), entry("a/../../b", hello), entry("l", "/etc/passwd", { method: 0 })]),
  "unicode.zip": zip([entry("a?", hello, { extra: unicode("a?", "aü") }), entry("b?", hello, { extra: unicode("c", "bü") })]),
  "crc.zip": zip([a({ crc: 5 }), b()]),
  "deflate.zip": zip([a({ raw: Buffer.alloc(5, 255) }), b()]),
  "cut.zip": zip([a({ raw: deflateRawSync(toBytes(hello)).subarray(0, 4) }), b()]),
  "methods.zip": zip([a({ method: 99 }), entry("l", hello, { method: 14 }), entry("c", hello), b({ needs: 99 })]),
  "bzip2.zip": zip([a({ method: 12 }), b()]),
  "locked.zip": zip([a({ flags: 1, raw: Buffer.alloc(18) }), b()]),
  "before.zip": zip([a()], { before: "#!/bin/sh\n" }),
  "shifted.zip": zip([a()], { before: "#!/bin/sh\n", shift: -10 }),
  "wide.zip": zip([a(), b()], { isZip64: true }),
  "few.zip": zip([a(), b()], { count: 1 }),
  "many.zip": zip([a(), b()], { count: 3 }),
  "comment.zip": zip([a({ comment: "note\x1b[1m" })], { comment: "hi\x1b[31m there\r\n" }),
  "short.zip": zip([a()], { comment: "x".repeat(10) }).slice(0, -5),
  "tail.zip": zip([a()], { tail: "junk".repeat(20) }),
  "empty.zip": zip([]),
  "offset.zip": zip([a({ offset: 3 }), b()]),
  "beyond.zip": zip([a({ offset: 99_999 }), b()]),
  "overlap.zip": zip([a(), b({ offset: 0 })]),
  "local.zip": zip([a({ localName: "other" }), b()]),
  "times.zip": zip([
    a({ extra: Buffer.from("555405000100f15365", "hex") }),
    b({ dosTime: 0 }),
    entry("c", hello, { dosTime: 0xffff_ffff }),
  ]),
  "ratios.zip": zip([entry("x", "x"), entry("y", "y".repeat(3_000_000)), entry("c", "ababab")]),
  "size.zip": zip([a()], { directorySize: 9_999 }),
  "dos.zip": zip([a({ host: 0 }), entry("\udc81", hello, { host: 0 })]),
  "unnamed.zip": zip([a(), entry("", hello)]),
};
