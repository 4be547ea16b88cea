/** Numbers in the fields of a tar header: octal digits, or GNU's base 256. */
import { quoteInStyle } from "../../src/display/quoting-style.ts";
import { toText } from "../../src/io/text.ts";

/** The type of a field's value, by the name that messages give it, with the values it may have. */
export interface NumberType {
  readonly name: string;
  readonly least: bigint;
  readonly most: bigint;
}

const MOST_INT64 = (1n << 63n) - 1n;
export const MOST_UINT64 = (1n << 64n) - 1n;
export const TYPES = {
  size: { name: "off_t", least: 0n, most: MOST_INT64 },
  mode: { name: "mode_t", least: 0n, most: MOST_UINT64 },
  time: { name: "time_t", least: -MOST_INT64 - 1n, most: MOST_INT64 },
  user: { name: "uid_t", least: 0n, most: 0xffff_ffffn },
  group: { name: "gid_t", least: 0n, most: 0xffff_ffffn },
  major: { name: "major_t", least: 0n, most: 0xffff_ffffn },
  minor: { name: "minor_t", least: 0n, most: 0xffff_ffffn },
  any: { name: "uintmax_t", least: 0n, most: MOST_UINT64 },
} as const satisfies Record<string, NumberType>;

const ZERO = 48,
  SEVEN = 55;
const isSpace = (byte: number): boolean => byte === 32 || (byte >= 9 && byte <= 13);
const isOctal = (byte: number | undefined): byte is number => byte !== undefined && byte >= ZERO && byte <= SEVEN;

/** The number in `field`; undefined where there is none, which `complain` is told of. */
export function fieldNumber(field: Buffer, type: NumberType, complain: (message: string) => void): bigint | undefined {
  let at = field[0] === 0 ? 1 : 0;
  while (at < field.length && isSpace(field[at] as number)) at++;
  if (at === field.length) {
    complain(`Blanks in header where numeric ${type.name} value expected`);
    return undefined;
  }
  const first = field[at] as number;
  const { value, end } = first === 0x80 || first === 0xff ? base256(field.subarray(at), at) : octal(field, at);
  if (value === undefined) {
    complain(`Archive base-256 value is out of ${type.name} range`);
    return undefined;
  }
  const after = field[end];
  if (after !== undefined && after !== 0 && !isSpace(after)) {
    let last = field.length;
    while (last > 0 && field[last - 1] === 0) last--;
    const shown = quoteInStyle(toText(field.subarray(0, last)), "locale");
    complain(`Archive contains ${shown} where numeric ${type.name} value expected`);
    return undefined;
  }
  if (value >= type.least && value <= type.most) return value;
  complain(`Archive value ${value} is out of ${type.name} range ${type.least}..${type.most}`);
  return undefined;
}

interface Read {
  /** Undefined where it has more than 64 bits. */
  readonly value: bigint | undefined;
  readonly end: number;
}

/** At most twelve digits, which 36 bits hold. */
function octal(field: Buffer, from: number): Read {
  let end = from;
  let value = 0;
  for (let digit = field[end]; isOctal(digit); digit = field[++end]) value = value * 8 + (digit - ZERO);
  return { value: BigInt(value), end };
}

/** `digits`: the first has the mark of base 256 in its highest bit, and the sign in the next. */
function base256(digits: Buffer, from: number): Read {
  let value = BigInt(digits[0] as number) & 0x7fn;
  const isNegative = (value & 0x40n) !== 0n;
  for (const digit of digits.subarray(1)) value = (value << 8n) | BigInt(digit);
  if (isNegative) value -= 1n << BigInt(8 * digits.length - 1);
  const fits = value <= MOST_UINT64 && value >= -(1n << 63n);
  return { value: fits ? value : undefined, end: from + digits.length };
}

/** The checksum that a header holds, if it is one. */
export function checksumField(field: Buffer): number | undefined {
  let isOne = true;
  const { length } = field;
  let at = field[0] === 0 ? 1 : 0;
  while (at < length && isSpace(field[at] as number)) at++;
  if (at === length) return undefined;
  const { value, end } = octal(field, at);
  const after = field[end];
  if (after !== undefined && after !== 0 && !isSpace(after)) isOne = false;
  return isOne ? Number(value) : undefined;
}
