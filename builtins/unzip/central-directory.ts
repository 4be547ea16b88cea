/** The directory at the end of a zip archive (PKWARE's APPNOTE 6.3, 4.3.12 to 4.3.16), with and without zip64. */
import { crc32 } from "../../src/io/crc32.ts";
import { toText } from "../../src/io/text.ts";
import type { ByteFile } from "./byte-file.ts";

export interface EndRecord {
  readonly entries: number;
  readonly isZip64: boolean;
  readonly directorySize: number;
  readonly directoryOffset: number;
  /** Place of the end record, or of zip64's. */
  readonly position: number;
  readonly comment: Buffer;
  /** The comment ends before its length does. */
  readonly isCut: boolean;
}

const SIGNATURES = { local: "PK\x03\x04", central: "PK\x01\x02", end: "PK\x05\x06", end64: "PK\x06\x06", locator64: "PK\x06\x07" } as const;
const END_BYTES = 22;
/** unzip looks so far back from the end. */
const SEARCHED_BYTES = 66_000;
const ALL_16 = 0xffff;
const ALL_32 = 0xffff_ffff;

export function endRecord(file: ByteFile): EndRecord | undefined {
  const tail = Math.min(file.size, SEARCHED_BYTES);
  const bytes = file.at(file.size - tail, tail);
  const found = bytes === undefined || tail < END_BYTES ? -1 : bytes.lastIndexOf(SIGNATURES.end, tail - END_BYTES, "latin1");
  if (bytes === undefined || found < 0) return undefined;
  const record = Buffer.from(bytes.subarray(found, found + END_BYTES + bytes.readUInt16LE(found + 20)));
  const plain = {
    entries: record.readUInt16LE(10),
    isZip64: false,
    directorySize: record.readUInt32LE(12),
    directoryOffset: record.readUInt32LE(16),
    position: file.size - tail + found,
    comment: record.subarray(END_BYTES),
    isCut: record.length < END_BYTES + record.readUInt16LE(20),
  };
  return zip64Record(file, plain) ?? plain;
}

function zip64Record(file: ByteFile, plain: EndRecord): EndRecord | undefined {
  const locator = file.at(plain.position - 20, 20);
  if (locator === undefined || locator.toString("latin1", 0, 4) !== SIGNATURES.locator64) return undefined;
  const position = Number(locator.readBigUInt64LE(8));
  const record = file.at(position, 56);
  if (record === undefined || record.toString("latin1", 0, 4) !== SIGNATURES.end64) return undefined;
  const wide = (at: number): number => Number(record.readBigUInt64LE(at));
  const [entries, directorySize, directoryOffset] = [wide(32), wide(40), wide(48)];
  const agrees = (value: number, most: number, other: number): boolean => value === most || value === other;
  if (!agrees(plain.entries, ALL_16, entries) || !agrees(plain.directorySize, ALL_32, directorySize)) return undefined;
  if (!agrees(plain.directoryOffset, ALL_32, directoryOffset)) return undefined;
  return { ...plain, entries, isZip64: true, directorySize, directoryOffset, position };
}

export interface Entry {
  /** From 1 on. */
  readonly number: number;
  readonly name: string;
  /** The name's bytes as they stand in the directory. */
  readonly storedName: Buffer;
  readonly host: number;
  readonly versionNeeded: number;
  readonly flags: number;
  readonly method: number;
  readonly dosTime: number;
  readonly crc: number;
  readonly packedSize: bigint;
  readonly size: bigint;
  readonly offset: number;
  /** Seconds since the epoch, from an extra field; the time of DOS has no zone. */
  readonly modified: number | undefined;
  readonly comment: Buffer;
  /** The name of an extra field was not made for the stored one. */
  readonly hasWrongUnicodeName: boolean;
}

export type EndOfDirectory = "good" | "broken";

/** Reads the entries from `position` on. Returns whether there are as many as the end record says. */
export function* directoryEntries(file: ByteFile, position: number, end: EndRecord): Generator<Entry, EndOfDirectory> {
  let at = position;
  for (let number = 1; ; number++) {
    const fixed = file.at(at, 46);
    if (fixed === undefined || fixed.toString("latin1", 0, 4) !== SIGNATURES.central) {
      const count = number - 1;
      return (end.isZip64 ? count : count % (ALL_16 + 1)) === end.entries ? "good" : "broken";
    }
    const bytes = file.at(at, 46 + fixed.readUInt16LE(28) + fixed.readUInt16LE(30) + fixed.readUInt16LE(32));
    if (bytes === undefined) return "broken";
    yield entryOf(bytes, number);
    at += bytes.length;
  }
}

function entryOf(bytes: Buffer, number: number): Entry {
  const nameEnd = 46 + bytes.readUInt16LE(28);
  const extraEnd = nameEnd + bytes.readUInt16LE(30);
  const storedName = Buffer.from(bytes.subarray(46, nameEnd));
  const extra = extraFields(bytes.subarray(nameEnd, extraEnd));
  const wide = zip64Sizes(extra.get(0x0001), [bytes.readUInt32LE(24), bytes.readUInt32LE(20), bytes.readUInt32LE(42)]);
  const unicode = unicodeName(extra.get(0x7075), storedName);
  return {
    number,
    name: toText(unicode === undefined || unicode === "wrong" ? storedName : unicode),
    storedName,
    host: bytes[5] as number,
    versionNeeded: bytes[6] as number,
    flags: bytes.readUInt16LE(8),
    method: bytes.readUInt16LE(10),
    dosTime: bytes.readUInt32LE(12),
    crc: bytes.readUInt32LE(16),
    packedSize: wide[1],
    size: wide[0],
    offset: Number(wide[2]),
    modified: modifiedTime(extra),
    comment: Buffer.from(bytes.subarray(extraEnd)),
    hasWrongUnicodeName: unicode === "wrong",
  };
}

/** Extra fields by their ids; one that is longer than its room ends them. */
export function extraFields(bytes: Buffer): ReadonlyMap<number, Buffer> {
  const fields = new Map<number, Buffer>();
  for (let at = 0; at + 4 <= bytes.length; ) {
    const length = bytes.readUInt16LE(at + 2);
    if (at + 4 + length > bytes.length) break;
    fields.set(bytes.readUInt16LE(at), bytes.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return fields;
}

/** Each of the 32-bit values that is all ones stands in the field instead, in this order. */
function zip64Sizes(field: Buffer | undefined, values: readonly [number, number, number]): readonly [bigint, bigint, bigint] {
  let at = 0;
  const [size, packedSize, offset] = values.map((value) => {
    if (value !== ALL_32 || field === undefined || at + 8 > field.length) return BigInt(value);
    at += 8;
    return field.readBigUInt64LE(at - 8);
  }) as [bigint, bigint, bigint];
  return [size, packedSize, offset];
}

/** Info-ZIP's Unicode path: its version, the checksum of the stored name, and the name. */
export function unicodeName(field: Buffer | undefined, storedName: Buffer): Buffer | "wrong" | undefined {
  if (field === undefined || field.length < 5 || field[0] !== 1) return undefined;
  if (field.readUInt32LE(1) !== crc32(storedName, 0)) return "wrong";
  return field.length === 5 ? undefined : Buffer.from(field.subarray(5));
}

/** Info-ZIP's extended timestamp, or its older field for Unix. */
function modifiedTime(extra: ReadonlyMap<number, Buffer>): number | undefined {
  const extended = extra.get(0x5455);
  if (extended !== undefined && extended.length >= 5 && ((extended[0] as number) & 1) !== 0) return extended.readInt32LE(1);
  const unix = extra.get(0x5855);
  return unix !== undefined && unix.length >= 8 ? unix.readInt32LE(4) : undefined;
}
