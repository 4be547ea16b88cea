/** -g: numbers as strtold(3) reads them, at the precision of its long double (64 bits of mantissa). */

/** `rank`: 0 no number, 1 a NaN, 2 a number. */
export interface GeneralNumber {
  readonly rank: 0 | 1 | 2;
  readonly negative: boolean;
  /** Of a NaN: the number in `nan(…)`. */
  readonly payload: bigint;
  /** Rounded to double. */
  readonly value: number;
  /** Two exact numbers with the same value are the same number. */
  readonly exact: boolean;
  /** What `value` was read from. */
  readonly text: string;
}

const NUMBER =
  /^[ \t\n\v\f\r]*([+-]?)(?:(nan)(?:\(([A-Za-z0-9_]*)\))?|(inf(?:inity)?)|0x([0-9a-f]*)(?:\.([0-9a-f]*))?(?:p([+-]?\d+))?|(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?)/i;

export function readGeneral(bytes: Buffer, from: number, to: number): GeneralNumber {
  const text = bytes.toString("latin1", from, to);
  const found = NUMBER.exec(text);
  const nothing = { rank: 0, negative: false, payload: 0n, value: 0, exact: true, text: "" } as const;
  if (found === null) return nothing;
  const [matched, sign, nan, payload, infinity, hexWhole, hexPart, , whole = "", part = ""] = found;
  const negative = sign === "-";
  const number = (value: number, exact: boolean): GeneralNumber => ({
    rank: 2,
    negative,
    payload: 0n,
    value: negative ? -value : value,
    exact,
    text: matched,
  });
  if (nan !== undefined) return { ...nothing, rank: 1, negative, payload: payloadOf(payload) };
  if (infinity !== undefined) return number(Infinity, true);
  if (hexWhole !== undefined) {
    // "0x" without digits behind it is the number 0 and a letter.
    if (hexWhole === "" && (hexPart ?? "") === "") return number(0, true);
    return number(toDouble(extendedOf(matched)), false);
  }
  const digits = (whole + part).replace(/^0+/, "");
  if (whole === "" && part === "") return nothing;
  const value = Number.parseFloat(matched.trimStart().replace(/^[+-]/, ""));
  const normal = digits === "" || (value >= 2.3e-308 && value < Infinity);
  return number(value, digits.length <= 15 && normal);
}

export function compareGeneral(a: GeneralNumber, b: GeneralNumber): number {
  if (a.rank !== b.rank || a.rank === 0) return a.rank - b.rank;
  if (a.rank === 1) return comparePayloads(a.payload, b.payload) || Number(a.negative) - Number(b.negative);
  if (a.value !== b.value) return a.value < b.value ? -1 : 1;
  if (a.exact && b.exact) return 0;
  return compareExtended(extendedOf(a.text), extendedOf(b.text));
}

/** glibc reads it as strtoull(3) in base 0; a word that is no number counts for nothing. */
function payloadOf(text: string | undefined): bigint {
  if (text === undefined || !/^(?:0x[0-9a-f]+|0[0-7]*|[1-9]\d*)$/i.test(text)) return 0n;
  const value = BigInt(/^0[0-7]/.test(text) ? `0o${text}` : text);
  const largest = (1n << 64n) - 1n;
  return (value > largest ? largest : value) & ((1n << 62n) - 1n);
}

/** By the bytes as they lie in memory: GNU sort orders NaNs by their bit patterns. */
function comparePayloads(a: bigint, b: bigint): number {
  const bytes = (payload: bigint): Buffer => {
    const buffer = Buffer.alloc(8);
    buffer.writeBigUInt64LE(payload);
    return buffer;
  };
  return bytes(a).compare(bytes(b));
}

/** mantissa × 2^exponent, rounded to what an x87 extended holds; Infinity and 0 have no mantissa. */
interface Extended {
  readonly negative: boolean;
  readonly infinite: boolean;
  readonly mantissa: bigint;
  readonly exponent: number;
}

function compareExtended(a: Extended, b: Extended): number {
  const sign = (number: Extended): number => (number.infinite || number.mantissa > 0n ? (number.negative ? -1 : 1) : 0);
  if (sign(a) !== sign(b) || sign(a) === 0) return sign(a) - sign(b);
  if (a.infinite || b.infinite) return sign(a) * (Number(a.infinite) - Number(b.infinite));
  const low = Math.min(a.exponent, b.exponent);
  const [left, right] = [a.mantissa << BigInt(a.exponent - low), b.mantissa << BigInt(b.exponent - low)];
  return left === right ? 0 : left < right === sign(a) > 0 ? -1 : 1;
}

function toDouble({ infinite, mantissa, exponent }: Extended): number {
  if (infinite) return Infinity;
  // Two steps, because 2 ** exponent alone may be out of range.
  const half = Math.trunc(exponent / 2);
  return Number(mantissa) * 2 ** half * 2 ** (exponent - half);
}

function extendedOf(text: string): Extended {
  const found = NUMBER.exec(text);
  const [, sign, , , infinity, hexWhole, hexPart = "", hexExponent = "0", whole = "", part = "", exponent = "0"] = found ?? [];
  const negative = sign === "-";
  if (infinity !== undefined) return { negative, infinite: true, mantissa: 0n, exponent: 0 };
  if (hexWhole !== undefined) {
    const shift = clamped(hexExponent) - 4 * hexPart.length;
    return rounded(negative, BigInt(`0x0${hexWhole}${hexPart}`), 1n, shift);
  }
  const digits = (whole + part).replace(/^0+/, "");
  if (digits === "") return { negative, infinite: false, mantissa: 0n, exponent: 0 };
  // The value is below 10^point and at least a tenth of that.
  const power = clamped(exponent) - part.length;
  const point = power + digits.length;
  if (point > 5000) return { negative, infinite: true, mantissa: 0n, exponent: 0 };
  if (point < -5000) return { negative, infinite: false, mantissa: 0n, exponent: 0 };
  const value = BigInt(digits);
  return power >= 0 ? rounded(negative, value * 10n ** BigInt(power), 1n, 0) : rounded(negative, value, 10n ** BigInt(-power), 0);
}

const clamped = (digits: string): number => Math.max(-1e9, Math.min(1e9, Number(digits)));

/** above / below × 2^shift to 64 bits, half to even. */
function rounded(negative: boolean, above: bigint, below: bigint, shift: number): Extended {
  const zero = { negative, infinite: false, mantissa: 0n, exponent: 0 };
  if (above === 0n) return zero;
  const magnitude = bitLength(above) - bitLength(below) + shift;
  if (magnitude > 16_390) return { ...zero, infinite: true };
  if (magnitude < -16_460) return zero;
  // One bit more than needed, then cut to 64, but never below the smallest subnormal.
  let exponent = Math.max(magnitude - 65, -16_445);
  const scale = shift - exponent;
  let numerator = scale >= 0 ? above << BigInt(scale) : above;
  let denominator = scale >= 0 ? below : below << BigInt(-scale);
  while (numerator / denominator >= 1n << 64n) {
    denominator <<= 1n;
    exponent++;
  }
  let mantissa = numerator / denominator;
  numerator -= mantissa * denominator;
  if (numerator * 2n > denominator || (numerator * 2n === denominator && (mantissa & 1n) === 1n)) mantissa++;
  return exponent + bitLength(mantissa) > 16_384 ? { ...zero, infinite: true } : { negative, infinite: false, mantissa, exponent };
}

const bitLength = (value: bigint): number => value.toString(2).length;
