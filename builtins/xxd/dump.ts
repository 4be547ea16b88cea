/** xxd's lines: normal, in bits, little-endian, plain, and as a C array. */
import type { BlockBuilder } from "../../src/io/output.ts";
import { EBCDIC_SHOWN } from "./ebcdic.ts";
import type { XxdOptions } from "./options.ts";

/** Lines of the normal, bits or little-endian style. Each is written over the one before. */
export class DumpLines {
  readonly #options: XxdOptions;
  readonly #line: Buffer;
  /** Where the digits of each byte of a line begin, behind the address. */
  readonly #columnOf: Int32Array;
  /** The digits of each byte, one after the other. */
  readonly #digits: Buffer;
  readonly #shown: Uint8Array;
  readonly #perByte: number;
  /** Columns from the first digit up to the blank before the characters. */
  readonly #room: number;
  /** Whether the digits of all bytes of a line have room. */
  readonly #hasRoom: boolean;
  /** Where in `#line` the line begins. */
  #start = 0;

  constructor(options: XxdOptions) {
    const { style, columns, groupBytes, upperCase, ebcdic } = options;
    const perByte = style === "bits" ? 8 : 2;
    this.#options = options;
    this.#perByte = perByte;
    this.#room = Math.floor(((groupBytes * perByte + 1) * columns - 1) / groupBytes) + 1;
    this.#columnOf = Int32Array.from({ length: columns }, (_, at) => {
      const place = style === "little-endian" ? at ^ (groupBytes - 1) : at;
      return Math.floor(((groupBytes * perByte + 1) * place) / groupBytes);
    });
    const columnsUsed = Math.max(this.#room + columns, ...this.#columnOf.map((column) => column + perByte));
    this.#line = Buffer.alloc(ADDRESS_COLUMNS + columnsUsed + 2, " ");
    this.#hasRoom = this.#columnOf.every((column) => column + perByte <= this.#room);
    const digits = Array.from({ length: 256 }, (_, byte) => byte.toString(style === "bits" ? 2 : 16).padStart(perByte, "0")).join("");
    this.#digits = Buffer.from(upperCase ? digits.toUpperCase() : digits, "latin1");
    this.#shown = Uint8Array.from({ length: 256 }, (_, byte) =>
      ebcdic ? EBCDIC_SHOWN.charCodeAt(byte) : byte >= 0x20 && byte < 0x7f ? byte : 0x2e,
    );
  }

  /** Adds the line for `bytes` from `from` up to `to`, which stand at `position`. */
  add(bytes: Buffer, from: number, to: number, position: number, output: BlockBuilder): void {
    const end = this.#write(bytes, from, to, position);
    output.add(this.#line, this.#start, end);
  }

  /** The same line as bytes, good until the next call. */
  line(bytes: Buffer, from: number, to: number, position: number): Buffer {
    const end = this.#write(bytes, from, to, position);
    return this.#line.subarray(this.#start, end);
  }

  /** Returns where the line ends; it begins at `#start`. */
  #write(bytes: Buffer, from: number, to: number, position: number): number {
    const line = this.#line;
    const room = this.#room;
    const perByte = this.#perByte;
    const digits = this.#digits;
    const columnOf = this.#columnOf;
    const shown = this.#shown;
    this.#start = this.#writeAddress(position);
    const isWhole = to - from === this.#options.columns;
    if (!this.#hasRoom) line.fill(0x20, ADDRESS_COLUMNS);
    else if (!isWhole) line.fill(0x20, ADDRESS_COLUMNS, ADDRESS_COLUMNS + room);
    let into = ADDRESS_COLUMNS + room + 1;
    if (perByte === 2 && isWhole && this.#hasRoom) {
      for (let at = from; at < to; at++) {
        const byte = bytes[at] as number;
        const column = ADDRESS_COLUMNS + (columnOf[at - from] as number);
        line[column] = digits[byte * 2] as number;
        line[column + 1] = digits[byte * 2 + 1] as number;
        line[into++] = shown[byte] as number;
      }
    } else {
      for (let at = from; at < to; at++) {
        const byte = bytes[at] as number;
        const column = columnOf[at - from] as number;
        // The digits of an incomplete group at the end of a little-endian line stand where characters do: the last written stays.
        for (let digit = 0; digit < perByte; digit++) {
          line[ADDRESS_COLUMNS + column + digit] = digits[byte * perByte + digit] as number;
        }
        line[into++] = shown[byte] as number;
      }
    }
    line[into++] = 10;
    return into;
  }

  /** Returns where the address begins. */
  #writeAddress(position: number): number {
    const { decimalOffset, offset } = this.#options;
    const line = this.#line;
    let at = ADDRESS_COLUMNS - 1;
    line[at] = 0x20;
    line[--at] = 0x3a;
    if (offset < 0n || offset > NEAR) {
      const text = farAddress(BigInt(position) + offset, decimalOffset);
      line.write(text, at - text.length, "latin1");
      return at - text.length;
    }
    let left = position + Number(offset);
    const base = decimalOffset ? 10 : 16;
    for (let written = 0; written < 8 || left > 0; written++) {
      const digit = left % base;
      left = (left - digit) / base;
      line[--at] = digit + (digit < 10 ? 0x30 : 0x57);
    }
    return at;
  }
}

/** Room for the longest address with the colon and the blank behind it. */
const ADDRESS_COLUMNS = 22;
/** With an offset up to here an address is a whole number exactly. */
const NEAR = 1n << 52n;

/** In 64 bits: without a sign where it is hexadecimal, with one where it is decimal. */
function farAddress(address: bigint, isDecimal: boolean): string {
  if (!isDecimal) return BigInt.asUintN(64, address).toString(16).padStart(8, "0");
  const signed = BigInt.asIntN(64, address);
  return signed < 0n ? `-${String(-signed).padStart(7, "0")}` : String(signed).padStart(8, "0");
}

/** -a: of lines of zeros the first is printed, then a star; the last line of all is printed as it is. */
export class ZeroLines {
  #seen = 0;
  #second = "";
  #last = "";

  /** What to print for a line. */
  next(line: string, isZeros: boolean): string {
    if (!isZeros) return this.#passed(line);
    if (this.#seen === 1) this.#second = line;
    this.#last = line;
    this.#seen++;
    return this.#seen === 1 ? line : "";
  }

  /** What to print after the last line, which is shown where it was left out. */
  end(): string {
    this.#seen--;
    return this.#passed(this.#seen > 0 ? this.#last : "");
  }

  #passed(line: string): string {
    const shown = this.#seen === 2 ? this.#second : this.#seen > 2 ? "*\n" : "";
    this.#seen = 0;
    return `${shown}${line}`;
  }
}

/** A file's name as a C identifier. */
export function identifier(name: string, capitalize: boolean): string {
  const text = (/^\d/.test(name) ? `__${name}` : name).replace(/[^A-Za-z0-9]/g, (letter) => "_".repeat(Buffer.byteLength(letter)));
  return capitalize ? text.toUpperCase() : text;
}
