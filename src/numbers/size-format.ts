/** Sizes in human-readable units: gnulib's human_readable(), rounding up, in the formats of `--block-size` and `-h`. */

/** Format of a size (gnulib's human_options()). */
export interface SizeFormat {
  /** The unit in bytes: 1024 shows kibibytes. */
  readonly unit: bigint;
  /** Picks the unit for each size by itself (`-h`, `--si`), in powers of `base`. */
  readonly autoscale: boolean;
  readonly base: 1000 | 1024;
  /** Letters after the number: none, `K`, or `KiB` and `kB`. */
  readonly suffix: "none" | "letter" | "letter-and-byte";
}

export const BYTES: SizeFormat = { unit: 1n, autoscale: false, base: 1024, suffix: "none" };
export const KIBIBYTES: SizeFormat = { unit: 1024n, autoscale: false, base: 1024, suffix: "none" };
/** `-h` */
export const HUMAN: SizeFormat = { unit: 1n, autoscale: true, base: 1024, suffix: "letter" };
/** `--si` */
export const HUMAN_SI: SizeFormat = { unit: 1n, autoscale: true, base: 1000, suffix: "letter" };

/** `count` units of `unitBytes` bytes each, rounded up. */
export function formatSize(count: number | bigint, format: SizeFormat, unitBytes = 1): string {
  if (unitBytes === 1 && format === BYTES) return String(count);
  const amount = amountIn(BigInt(count), BigInt(unitBytes), format.unit);
  return format.autoscale ? autoscaled(amount, format) : `${roundedUp(amount)}${fixedSuffix(format)}`;
}

/** A size in its unit: whole units, tenths, and whether there is still less (1), just (2) or more (3) than half a tenth. */
interface Amount {
  readonly whole: bigint;
  readonly tenths: number;
  readonly rest: 0 | 1 | 2 | 3;
}

function amountIn(count: bigint, from: bigint, to: bigint): Amount {
  if (from % to === 0n) return { whole: count * (from / to), tenths: 0, rest: 0 };
  if (to % from === 0n) {
    const divisor = to / from;
    const r10 = (count % divisor) * 10n;
    const r2 = (r10 % divisor) * 2n;
    return { whole: count / divisor, tenths: Number(r10 / divisor), rest: r2 < divisor ? (r2 > 0n ? 1 : 0) : r2 > divisor ? 3 : 2 };
  }
  // gnulib goes through a long double here, whose 64 bits may fall just above a whole number.
  const ratio = extended(from, to);
  const product = extended(count * ratio.numerator, ratio.denominator);
  return { whole: product.numerator / product.denominator, tenths: 0, rest: product.numerator % product.denominator === 0n ? 0 : 1 };
}

/** a/b rounded to the 64-bit mantissa of x87's extended format, to nearest even. */
function extended(a: bigint, b: bigint): { numerator: bigint; denominator: bigint } {
  if (a === 0n) return { numerator: 0n, denominator: 1n };
  let shift = 64 - (a.toString(2).length - b.toString(2).length);
  const scaled = (by: number): bigint => (by >= 0 ? (a << BigInt(by)) / b : a / (b << BigInt(-by)));
  while (scaled(shift).toString(2).length > 64) shift--;
  while (scaled(shift).toString(2).length < 64) shift++;
  const top = shift >= 0 ? a << BigInt(shift) : a;
  const bottom = shift >= 0 ? b : b << BigInt(-shift);
  let mantissa = top / bottom;
  const twice = (top % bottom) * 2n;
  if (twice > bottom || (twice === bottom && mantissa % 2n === 1n)) mantissa++;
  return shift >= 0
    ? { numerator: mantissa, denominator: 1n << BigInt(shift) }
    : { numerator: mantissa << BigInt(-shift), denominator: 1n };
}

const roundedUp = ({ whole, tenths, rest }: Amount): bigint => (tenths + rest > 0 ? whole + 1n : whole);

function autoscaled(amount: Amount, format: SizeFormat): string {
  const base = BigInt(format.base);
  let { whole, tenths, rest }: { whole: bigint; tenths: number; rest: number } = amount;
  let power = 0;
  while (whole >= base && power < LETTERS.length - 1) {
    const r10 = Number(whole % base) * 10 + tenths;
    const r2 = (r10 % format.base) * 2 + (rest >> 1);
    whole /= base;
    tenths = Math.floor(r10 / format.base);
    rest = r2 < format.base ? Number(r2 + rest !== 0) : 2 + Number(format.base < r2 + rest);
    power++;
  }
  let fraction = "";
  if (power > 0 && whole < 10n) {
    if (rest > 0) {
      tenths++;
      rest = 0;
      if (tenths === 10) {
        whole++;
        tenths = 0;
      }
    }
    if (whole < 10n) {
      fraction = `.${tenths}`;
      tenths = 0;
    }
  }
  if (tenths + rest > 0) {
    whole++;
    if (whole === base && power < LETTERS.length - 1) {
      power++;
      whole = 1n;
      fraction = ".0";
    }
  }
  return `${whole}${fraction}${unitLetters(power, format)}`;
}

/** The letters for a fixed unit: of the power that reaches it. */
function fixedSuffix(format: SizeFormat): string {
  let power = 0;
  for (let reach = 1n; reach < format.unit && power < LETTERS.length - 1; reach *= BigInt(format.base)) power++;
  return unitLetters(power, format);
}

function unitLetters(power: number, { base, suffix }: SizeFormat): string {
  if (suffix === "none") return "";
  const letter = power === 1 && base === 1000 ? "k" : (LETTERS[power] as string);
  return suffix === "letter" ? letter : `${letter}${base === 1024 && power > 0 ? "i" : ""}B`;
}

const LETTERS = ["", "K", "M", "G", "T", "P", "E", "Z", "Y"] as const;
