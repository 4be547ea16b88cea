/** The fields of a header block, where each stands and how it is read: v7, POSIX.1-1988 (ustar) and GNU's own form. */
import { toText } from "../../src/io/text.ts";
import { checksumField, fieldNumber, TYPES, type NumberType } from "./numbers.ts";

export type HeaderFormat = "v7" | "ustar" | "gnu";
/** Takes a message; tar goes on, and ends with status 2. */
export type Complain = (message: string) => void;

const CHECKSUM = { from: 148, to: 156 } as const;
const SPACE = 32;
const EIGHT_SPACES = 8 * SPACE;

/** "zeros": the mark of the end; "broken": its checksum is not that of its bytes. */
export function headerState(block: Buffer): "good" | "zeros" | "broken" {
  let sum = 0;
  let high = 0;
  for (let at = 0; at < block.length; at++) {
    const byte = block[at] as number;
    sum += byte;
    high += byte >> 7;
  }
  if (sum === 0) return "zeros";
  for (let at = CHECKSUM.from; at < CHECKSUM.to; at++) {
    const byte = block[at] as number;
    sum -= byte;
    high -= byte >> 7;
  }
  const recorded = checksumField(block.subarray(CHECKSUM.from, CHECKSUM.to));
  // Some old programs added bytes with their signs.
  return recorded === sum + EIGHT_SPACES || recorded === sum + EIGHT_SPACES - 256 * high ? "good" : "broken";
}

/** A header block whose checksum is right. */
export class Header {
  readonly block: Buffer;
  readonly format: HeaderFormat;
  /** The type flag, one character; "\0" is that of an old regular file. */
  readonly type: string;

  constructor(block: Buffer) {
    this.block = Buffer.from(block);
    const magic = this.block.toString("latin1", 257, 265);
    this.format = magic.startsWith("ustar\0") ? "ustar" : magic === "ustar  \0" ? "gnu" : "v7";
    this.type = String.fromCharCode(this.block[156] as number);
  }

  /** The type flag in a message. */
  get shownType(): string {
    return toText(this.block.subarray(156, 157));
  }

  name(): Buffer {
    const name = this.#text(0, 100);
    const prefix = this.format === "ustar" ? this.#text(345, 500) : undefined;
    return prefix === undefined || prefix.length === 0 ? name : Buffer.concat([prefix, Buffer.from("/"), name]);
  }

  linkName = (): Buffer => this.#text(157, 257);
  userName = (): Buffer => (this.format === "v7" ? Buffer.alloc(0) : this.#text(265, 297));
  groupName = (): Buffer => (this.format === "v7" ? Buffer.alloc(0) : this.#text(297, 329));
  mode = (complain: Complain): bigint => this.#number(100, 108, TYPES.mode, complain) ?? 0o7777n;
  userId = (complain: Complain): bigint => this.#number(108, 116, TYPES.user, complain) ?? 0xffff_ffffn;
  groupId = (complain: Complain): bigint => this.#number(116, 124, TYPES.group, complain) ?? 0xffff_ffffn;
  size = (complain: Complain): bigint | undefined => this.#number(124, 136, TYPES.size, complain);
  seconds = (complain: Complain): bigint => this.#number(136, 148, TYPES.time, complain) ?? -1n;
  major = (complain: Complain): bigint => this.#number(329, 337, TYPES.major, complain) ?? 0xffff_ffffn;
  minor = (complain: Complain): bigint => this.#number(337, 345, TYPES.minor, complain) ?? 0xffff_ffffn;
  /** GNU: where the rest of a file that another volume began goes on. */
  continuedAt = (complain: Complain): bigint => this.#number(369, 381, TYPES.any, complain) ?? -1n;
  /** GNU: the size of a file with holes. */
  realSize = (complain: Complain): bigint => this.#number(483, 495, TYPES.size, complain) ?? -1n;

  #number(from: number, to: number, type: NumberType, complain: Complain): bigint | undefined {
    return fieldNumber(this.block.subarray(from, to), type, complain);
  }

  /** The bytes of a field before its first NUL. */
  #text(from: number, to: number): Buffer {
    const field = this.block.subarray(from, to);
    const end = field.indexOf(0);
    return end < 0 ? field : field.subarray(0, end);
  }
}
