/** Bytes as text and back: base64, base32, base16, bit strings (RFC 4648) and Z85 (ZeroMQ RFC 32), group by group. */

export interface Encoding {
  /** Bytes and characters of one group. */
  readonly bytes: number;
  readonly characters: number;
  /** Encodes; only the last call may bring an incomplete group. */
  encode(bytes: Buffer): string;
  /** The value of each character code, -1 where it is none of the alphabet. */
  readonly values: Int8Array;
  /** Whether `=` fills up the last group. */
  readonly pads: boolean;
  /** Decodes whole characters groups without padding: undefined where one is no number of the group (Z85). */
  decode(text: Buffer, values: Int8Array): Buffer | undefined;
}

const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const LOWER = UPPER.toLowerCase();
const DIGITS = "0123456789";

export const ENCODINGS = {
  base64: native("base64", `${UPPER}${LOWER}${DIGITS}+/`),
  base64url: native("base64url", `${UPPER}${LOWER}${DIGITS}-_`),
  base32: powerOfTwo(`${UPPER}234567`, 5, 5),
  base32hex: powerOfTwo(`${DIGITS}${UPPER.slice(0, 22)}`, 5, 5),
  base16: powerOfTwo(`${DIGITS}ABCDEF`, 4, 1),
  base2msbf: powerOfTwo("01", 1, 1),
  base2lsbf: reversedBits(powerOfTwo("01", 1, 1)),
  z85: z85(),
} as const satisfies Readonly<Record<string, Encoding>>;

/** Node's own, which is faster. It is only ever given letters of the alphabet. */
function native(name: "base64" | "base64url", alphabet: string): Encoding {
  return {
    ...powerOfTwo(alphabet, 6, 3),
    encode: (block) => block.toString(name).padEnd(Math.ceil(block.length / 3) * 4, "="),
    decode: (text) => Buffer.from(text.toString("latin1"), name),
  };
}

function powerOfTwo(alphabet: string, bits: number, bytes: number): Encoding {
  const characters = (bytes * 8) / bits;
  const codes = Buffer.from(alphabet, "latin1");
  const mask = (1 << bits) - 1;
  return {
    bytes,
    characters,
    pads: bytes > 1,
    values: valuesOf(alphabet),
    encode(block) {
      const groups = Math.ceil(block.length / bytes);
      const text = Buffer.alloc(groups * characters, "=");
      let into = 0;
      let held = 0;
      let heldBits = 0;
      for (const byte of block) {
        held = ((held << 8) | byte) & 0xffff;
        for (heldBits += 8; heldBits >= bits; heldBits -= bits) text[into++] = codes[(held >> (heldBits - bits)) & mask] as number;
      }
      if (heldBits > 0) text[into] = codes[(held << (bits - heldBits)) & mask] as number;
      return text.toString("latin1");
    },
    decode(text, values) {
      const block = Buffer.allocUnsafe(Math.floor((text.length * bits) / 8));
      let into = 0;
      let held = 0;
      let heldBits = 0;
      for (const code of text) {
        held = ((held << bits) | (values[code] as number)) & 0xffff;
        heldBits += bits;
        if (heldBits < 8) continue;
        heldBits -= 8;
        block[into++] = held >> heldBits;
      }
      return block;
    },
  };
}

function reversedBits(encoding: Encoding): Encoding {
  const swapped = (bytes: Buffer): Buffer => Buffer.from(bytes.map((byte) => REVERSED[byte] as number));
  return {
    ...encoding,
    encode: (bytes) => encoding.encode(swapped(bytes)),
    decode: (text, values) => {
      const bytes = encoding.decode(text, values);
      return bytes && swapped(bytes);
    },
  };
}

const REVERSED = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number.parseInt(byte.toString(2).padStart(8, "0").split("").reverse().join(""), 2),
);

function z85(): Encoding {
  const alphabet = `${DIGITS}${LOWER}${UPPER}.-:+=^!/*?&<>()[]{}@%$#`;
  return {
    bytes: 4,
    characters: 5,
    pads: false,
    values: valuesOf(alphabet),
    encode(block) {
      let text = "";
      for (let at = 0; at + 4 <= block.length; at += 4) {
        let value = block.readUInt32BE(at);
        let group = "";
        for (let left = 0; left < 5; left++) {
          group = alphabet.charAt(value % 85) + group;
          value = Math.floor(value / 85);
        }
        text += group;
      }
      return text;
    },
    decode(text, values) {
      const block = Buffer.allocUnsafe(Math.floor(text.length / 5) * 4);
      for (let at = 0; at + 5 <= text.length; at += 5) {
        let value = 0;
        for (let next = at; next < at + 5; next++) value = value * 85 + (values[text[next] as number] as number);
        if (value > 0xffffffff) return undefined;
        block.writeUInt32BE(value, (at / 5) * 4);
      }
      return block;
    },
  };
}

function valuesOf(alphabet: string): Int8Array {
  const values = new Int8Array(256).fill(-1);
  for (const [value, letter] of [...alphabet].entries()) values[letter.charCodeAt(0)] = value;
  return values;
}
