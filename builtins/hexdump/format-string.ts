/** hexdump's format strings: `8/2 "%04x " "\n"` as units that say what they print for a block of bytes. */
import { formatFloat } from "../../src/numbers/float-format.ts";
import { formatInteger, padded, shapeOf, type Shape } from "../../src/numbers/integer-format.ts";
import { parseLongDouble, type LongDouble } from "../../src/numbers/long-double.ts";

/** A format that hexdump does not take; the message is its own. */
export class BadFormat extends Error {
  override readonly name = "BadFormat";
}

/** One `REPS/BYTES "TEXT"`. */
export interface FormatUnit {
  repetitions: number;
  readonly hasRepetitions: boolean;
  readonly bytes: number | undefined;
  readonly text: string;
}

/** What a unit prints, piece by piece: text, an address, or a value of `bytes` bytes. */
export interface PrintedPiece {
  readonly bytes: number;
  readonly isText: boolean;
  /** Text that ends in white space, without its last character: what the last repetition prints. */
  readonly lastText: string | undefined;
  readonly show: (block: Buffer, at: number, address: number) => string;
  /** Printed past the end of the input. */
  readonly blank: string;
}

export interface PrintedUnit {
  readonly repetitions: number;
  readonly pieces: readonly PrintedPiece[];
}

export interface Program {
  readonly formats: readonly (readonly PrintedUnit[])[];
  readonly blockBytes: number;
  /** Printed once, with the address behind the last byte. */
  readonly atEnd: PrintedUnit | undefined;
}

/** Throws BadFormat. */
export function parseFormat(format: string): FormatUnit[] {
  const bad = (): never => {
    throw new BadFormat(`bad format {${format}}`);
  };
  const units: FormatUnit[] = [];
  const shape = /[ \t\n\v\f\r]*(?:(\d+)([ \t\n\v\f\r/])[ \t\n\v\f\r]*)?(\/?)[ \t\n\v\f\r]*(?:(\d+)[ \t\n\v\f\r]+)?"([^"]*)"/y;
  for (let at = 0; /[^ \t-\r]/.test(format.slice(at)); ) {
    shape.lastIndex = at;
    const found = shape.exec(format);
    if (found === null) return bad();
    const [whole, repetitions, , , bytes, text = ""] = found;
    at += whole.length;
    units.push({
      repetitions: repetitions === undefined ? 1 : Number(repetitions),
      hasRepetitions: repetitions !== undefined,
      bytes: bytes === undefined || Number(bytes) === 0 ? undefined : Number(bytes),
      text: unescaped(text),
    });
  }
  return units;
}

/** util-linux writes escapes in place and moves nothing else: only one at the very end comes out as it was meant. */
function unescaped(text: string): string {
  const letters = [...text];
  let into = 0;
  for (let at = 0; at < letters.length; at++, into++) {
    if (letters[at] !== "\\") continue;
    const letter = letters[++at];
    letters[into] = letter === undefined ? "\\" : (ESCAPES[letter] ?? letter);
  }
  return letters.slice(0, into).join("");
}

const ESCAPES: Readonly<Record<string, string | undefined>> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

/** Throws BadFormat. */
export function compile(formats: readonly (readonly FormatUnit[])[]): Program {
  const sizes = formats.map((units) => units.reduce((sum, unit) => sum + sizeOf(unit) * unit.repetitions, 0));
  const blockBytes = Math.max(0, ...sizes);
  let atEnd: PrintedUnit | undefined;
  const compiled = formats.map((units, which) => {
    const printed: PrintedUnit[] = [];
    let ended = false;
    for (const [position, unit] of units.entries()) {
      const { pieces, isEnd } = piecesOf(unit);
      const bytes = unit.bytes ?? pieces.reduce((sum, piece) => sum + piece.bytes, 0);
      let { repetitions } = unit;
      const size = sizes[which] as number;
      if (position === units.length - 1 && size < blockBytes && !unit.hasRepetitions && bytes > 0) {
        repetitions += Math.floor((blockBytes - size) / bytes);
      }
      const whole = { repetitions, pieces: repetitions > 1 ? withoutLastSpace(pieces) : pieces };
      if (isEnd) {
        atEnd = whole;
        ended = true;
      }
      if (!ended) printed.push(whole);
    }
    return printed;
  });
  return { formats: compiled, blockBytes, atEnd };
}

function withoutLastSpace(pieces: readonly PrintedPiece[]): PrintedPiece[] {
  return pieces.map((piece, at) =>
    at === pieces.length - 1 && piece.isText && /[ \t\n\v\f\r]$/.test(piece.blank)
      ? { ...piece, lastText: piece.blank.slice(0, -1) }
      : piece,
  );
}

/** A conversion: flags, width, precision, letter (with what follows a `_`). */
const CONVERSION = /%([-+ #0]*)(\d*)(?:\.(\d*))?([.\-+ #0-9]*)(_(?:a|A)?)?([^]?)/y;

/** Bytes that one repetition takes. */
function sizeOf({ bytes, text }: FormatUnit): number {
  if (bytes !== undefined) return bytes;
  let size = 0;
  for (let at = text.indexOf("%"); at >= 0; at = text.indexOf("%", at + 1)) {
    CONVERSION.lastIndex = at;
    const [whole = "%", , , precision = "", , special, letter = ""] = CONVERSION.exec(text) ?? [];
    at += Math.max(whole.length - 1, 0);
    if (special === undefined)
      size += "diouxX".includes(letter) ? 4 : "eEfgG".includes(letter) ? 8 : letter === "s" ? Number(precision) : 0;
    if (letter === "c" || (special === "_" && "pu".includes(letter))) size++;
  }
  return size;
}

function piecesOf(unit: FormatUnit): { pieces: PrintedPiece[]; isEnd: boolean } {
  const { text } = unit;
  const pieces: PrintedPiece[] = [];
  let isEnd = false;
  let conversions = 0;
  for (let at = 0; at < text.length; ) {
    const start = text.indexOf("%", at);
    if (start < 0) {
      const rest = text.slice(at);
      pieces.push({ bytes: 0, isText: true, lastText: undefined, show: () => rest, blank: rest });
      break;
    }
    CONVERSION.lastIndex = start;
    const [whole = "", flags = "", width = "", precision, , special, letter = ""] = CONVERSION.exec(text) ?? [];
    const most = precision === undefined ? undefined : Math.min(Number(precision), MOST_COLUMNS);
    const shape = shapeOf(flags, Math.min(Number(width), MOST_COLUMNS), most);
    const before = text.slice(at, start);
    at = start + whole.length;
    const value = valueOf({ special, letter, shape, bytes: unit.bytes });
    // With the flags taken out, a blank is not set to the left either.
    const blank = before + " ".repeat(shape.width);
    pieces.push({
      bytes: value.bytes,
      isText: false,
      lastText: undefined,
      blank,
      show: cached(value.bytes, (block, position, address) => before + value.show(block, position, address), value.isAddress),
    });
    if (special === "_A") isEnd = true;
    if (!value.isAddress && unit.bytes !== undefined && conversions++ > 0) {
      throw new BadFormat("byte count with multiple conversion characters");
    }
  }
  return { pieces, isEnd };
}

/** A field wider than this is no dump any more. */
const MOST_COLUMNS = 1 << 16;

type Show = PrintedPiece["show"];

/** Remembers what it printed for each value of one or two bytes. */
function cached(bytes: number, show: Show, isAddress: boolean): Show {
  if (isAddress || bytes < 1 || bytes > 2) return show;
  // Empty: to fill one for every unit of a format takes longer than a small file does.
  const known: (string | undefined)[] = new Array<string | undefined>(bytes === 1 ? 256 : 65_536);
  return (block, at, address) => {
    const key = bytes === 1 ? (block[at] as number) : block.readUInt16LE(at);
    return (known[key] ??= show(block, at, address));
  };
}

interface Conversion {
  readonly special: string | undefined;
  readonly letter: string;
  readonly shape: Shape;
  readonly bytes: number | undefined;
}

function valueOf({ special, letter, shape, bytes: given }: Conversion): { bytes: number; show: Show; isAddress: boolean } {
  const among = (...known: number[]): number => {
    if (given === undefined) return known[0] as number;
    if (!known.includes(given)) throw new BadFormat(`bad byte count for conversion character ${special === "_" ? "_" : ""}${letter}`);
    return given;
  };
  if (special === "_a" || special === "_A") {
    if (letter !== "d" && letter !== "o" && letter !== "x") throw new BadFormat(`bad conversion character %${special}${letter}`);
    return { bytes: 0, isAddress: true, show: (_, __, address) => formatInteger(BigInt(address), letter, shape) };
  }
  const field = (text: string): string => padded(shape.precision === undefined ? text : text.slice(0, shape.precision), shape);
  const oneByte = (show: (byte: number) => string) => ({
    bytes: among(1),
    isAddress: false,
    show: (block: Buffer, at: number) => show(block[at] as number),
  });
  if (special === "_") {
    switch (letter) {
      case "c":
        return oneByte((byte) => (isPrintable(byte) ? padded(String.fromCharCode(byte), shape) : field(escapeOf(byte))));
      case "p":
        return oneByte((byte) => padded(isPrintable(byte) ? String.fromCharCode(byte) : ".", shape));
      case "u":
        return oneByte((byte) => (isPrintable(byte) ? padded(String.fromCharCode(byte), shape) : field(nameOf(byte))));
    }
    throw new BadFormat(`bad conversion character %_${letter}`);
  }
  switch (letter) {
    case "c":
      return oneByte((byte) => padded(String.fromCharCode(byte), shape));
    case "d":
    case "i": {
      const bytes = among(4, 1, 2, 8);
      return { bytes, isAddress: false, show: (block, at) => formatInteger(signed(block, at, bytes), "d", shape) };
    }
    case "o":
    case "u":
    case "x":
    case "X": {
      const bytes = among(4, 1, 2, 8);
      return { bytes, isAddress: false, show: (block, at) => formatInteger(unsigned(block, at, bytes), letter, shape) };
    }
    case "e":
    case "E":
    case "f":
    case "g":
    case "G": {
      const bytes = among(8, 4);
      return {
        bytes,
        isAddress: false,
        show: (block, at) => {
          const value = longDouble(bytes === 4 ? block.readFloatLE(at) : block.readDoubleLE(at));
          // A number of JavaScript does not say which sign its NaN has.
          const negative = ((block[at + bytes - 1] as number) & 0x80) !== 0;
          return formatFloat(value.kind === "nan" ? { kind: "nan", negative } : value, letter, shape);
        },
      };
    }
    case "s": {
      const bytes = given ?? shape.precision;
      if (bytes === undefined) throw new BadFormat("%s requires a precision or a byte count");
      return {
        bytes,
        isAddress: false,
        show: (block, at) => {
          const text = block.toString("latin1", at, at + bytes);
          const end = text.indexOf("\0");
          return field(end < 0 ? text : text.slice(0, end));
        },
      };
    }
  }
  throw new BadFormat(`bad conversion character %${letter}`);
}

function signed(block: Buffer, at: number, bytes: number): bigint {
  return bytes === 8 ? block.readBigInt64LE(at) : BigInt(block.readIntLE(at, bytes));
}

function unsigned(block: Buffer, at: number, bytes: number): bigint {
  return bytes === 8 ? block.readBigUInt64LE(at) : BigInt(block.readUIntLE(at, bytes));
}

function longDouble(value: number): LongDouble {
  if (Number.isNaN(value)) return { kind: "nan", negative: false };
  if (!Number.isFinite(value)) return { kind: "infinite", negative: value < 0 };
  return { ...parseLongDouble(hexadecimal(Math.abs(value))).value, negative: Object.is(value, -0) || value < 0 };
}

/** A number that is not negative as C's `%a`, exactly. */
function hexadecimal(value: number): string {
  let power = 0;
  let whole = value;
  while (whole !== 0 && !Number.isInteger(whole)) {
    whole *= 2;
    power--;
  }
  return `0x${BigInt(whole).toString(16)}p${power}`;
}

const isPrintable = (byte: number): boolean => byte >= 0x20 && byte < 0x7f;

const escapeOf = (byte: number): string => SHORT_ESCAPES[byte] ?? byte.toString(8).padStart(3, "0");

const SHORT_ESCAPES: Readonly<Record<number, string | undefined>> = {
  0: "\\0",
  7: "\\a",
  8: "\\b",
  9: "\\t",
  10: "\\n",
  11: "\\v",
  12: "\\f",
  13: "\\r",
};

const nameOf = (byte: number): string => (byte === 0x7f ? "del" : (NAMES[byte] ?? byte.toString(16).padStart(2, "0")));

const NAMES: readonly string[] =
  "nul soh stx etx eot enq ack bel bs ht lf vt ff cr so si dle dc1 dc2 dc3 dc4 nak syn etb can em sub esc fs gs rs us".split(" ");
