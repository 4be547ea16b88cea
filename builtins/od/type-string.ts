/** -t TYPE: what the bytes of a line are shown as. */
import { BadValue } from "../../src/builtin/usage-error.ts";
import { quoteCurly } from "../../src/display/quote.ts";
import { toBytes, toText } from "../../src/io/text.ts";
import { floatText, longDoubleText } from "./float-text.ts";

/** One way to show a line. */
export interface ShownType {
  /** Bytes of one field. */
  readonly bytes: number;
  /** Columns of the widest field. */
  readonly columns: number;
  /** `z`: the printable characters follow. */
  readonly hasTrailer: boolean;
  /** The text of the field at `at`. */
  readonly text: (block: Buffer, at: number) => string;
}

/** od's messages are of bytes. */
export const firstByte = (text: string): string => toText(toBytes(text).subarray(0, 1));

/** Throws BadValue in od's own words. */
export function readTypeString(text: string, bigEndian: boolean): ShownType[] {
  const types: ShownType[] = [];
  for (let at = 0; at < text.length; ) {
    const [whole = "", letter = "", size = ""] = /^([acdoufx])(\d+|[CSILFD])?/.exec(text.slice(at)) ?? [];
    if (whole === "") throw new BadValue(`invalid character '${firstByte(text.slice(at))}' in type string ${quoteCurly(text)}`);
    const kind = letter as Letter;
    const used = takesSize(kind, size) ? whole.length : 1;
    const bytes = sizeOf(kind, used > 1 ? size : "", text);
    at += used;
    const hasTrailer = text[at] === "z";
    if (hasTrailer) at++;
    types.push({ bytes, columns: columnsOf(kind, bytes), hasTrailer, text: formatter(kind, bytes, bigEndian) });
  }
  return types;
}

type Letter = "a" | "c" | "d" | "o" | "u" | "f" | "x";

function takesSize(letter: Letter, size: string): boolean {
  if (letter === "a" || letter === "c") return false;
  if (/^\d/.test(size)) return true;
  return size !== "" && (letter === "f" ? "FDL" : "CSIL").includes(size);
}

function sizeOf(letter: Letter, size: string, text: string): number {
  if (letter === "a" || letter === "c") return 1;
  const bytes =
    size === "" ? (letter === "f" ? 8 : 4) : /^\d/.test(size) ? Number(size) : NAMED_SIZES[`${letter === "f" ? "f" : ""}${size}`];
  const known = letter === "f" ? [4, 8, 16] : [1, 2, 4, 8];
  if (bytes !== undefined && known.includes(bytes)) return bytes;
  const what = letter === "f" ? "floating point" : "integral";
  throw new BadValue(`invalid type string ${quoteCurly(text)};\nthis system doesn't provide a ${size}-byte ${what} type`);
}

const NAMED_SIZES: Readonly<Record<string, number>> = { C: 1, S: 2, I: 4, L: 8, fF: 4, fD: 8, fL: 16 };

function columnsOf(letter: Letter, bytes: number): number {
  switch (letter) {
    case "a":
    case "c":
      return 3;
    case "o":
      return Math.ceil((bytes * 8) / 3);
    case "x":
      return bytes * 2;
    case "u":
      return { 1: 3, 2: 5, 4: 10, 8: 20 }[bytes] as number;
    case "d":
      return { 1: 4, 2: 6, 4: 11, 8: 20 }[bytes] as number;
    case "f":
      return { 4: 15, 8: 24, 16: 29 }[bytes] as number;
  }
}

function formatter(letter: Letter, bytes: number, bigEndian: boolean): ShownType["text"] {
  switch (letter) {
    case "a":
      return (block, at) => NAMES[(block[at] as number) & 0x7f] as string;
    case "c":
      return (block, at) => CHARACTERS[block[at] as number] as string;
    case "f":
      if (bytes === 16) return (block, at) => longDoubleText(bigEndian ? reversed(block, at, 16) : block.subarray(at, at + 16));
      if (bytes === 4)
        return (block, at) =>
          floatText(bigEndian ? block.readFloatBE(at) : block.readFloatLE(at), "single", signOf(block, at, 4, bigEndian));
      return (block, at) =>
        floatText(bigEndian ? block.readDoubleBE(at) : block.readDoubleLE(at), "double", signOf(block, at, 8, bigEndian));
    case "d":
      if (bytes === 8) return (block, at) => String(bigEndian ? block.readBigInt64BE(at) : block.readBigInt64LE(at));
      return (block, at) => String(bigEndian ? block.readIntBE(at, bytes) : block.readIntLE(at, bytes));
    case "u":
      return (block, at) => String(unsigned(block, at, bytes, bigEndian));
    case "o":
    case "x": {
      const base = letter === "o" ? 8 : 16;
      const digits = columnsOf(letter, bytes);
      return (block, at) => unsigned(block, at, bytes, bigEndian).toString(base).padStart(digits, "0");
    }
  }
}

function unsigned(block: Buffer, at: number, bytes: number, bigEndian: boolean): number | bigint {
  if (bytes === 8) return bigEndian ? block.readBigUInt64BE(at) : block.readBigUInt64LE(at);
  return bigEndian ? block.readUIntBE(at, bytes) : block.readUIntLE(at, bytes);
}

const reversed = (block: Buffer, at: number, bytes: number): Buffer => Buffer.from(block.subarray(at, at + bytes)).reverse();

/** Of a number that is none, the sign is in its highest bit alone. */
const signOf = (block: Buffer, at: number, bytes: number, bigEndian: boolean): boolean =>
  ((block[bigEndian ? at : at + bytes - 1] as number) & 0x80) !== 0;

const NAMES: readonly string[] = [
  ..."nul soh stx etx eot enq ack bel bs ht nl vt ff cr so si dle dc1 dc2 dc3 dc4 nak syn etb can em sub esc fs gs rs us sp".split(" "),
  ...Array.from({ length: 94 }, (_, at) => String.fromCharCode(0x21 + at)),
  "del",
];

const ESCAPES: Readonly<Record<number, string>> = { 0: "\\0", 7: "\\a", 8: "\\b", 9: "\\t", 10: "\\n", 11: "\\v", 12: "\\f", 13: "\\r" };

const CHARACTERS: readonly string[] = Array.from(
  { length: 256 },
  (_, byte) => ESCAPES[byte] ?? (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : byte.toString(8).padStart(3, "0")),
);
