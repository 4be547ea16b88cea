/** %W, %X, %Y and %Z of stat: seconds since the epoch, with as many digits of a fraction as the precision says. */
import { decimalConversion, minusZero, type Conversion } from "./conversion.ts";

const DIGITS_KNOWN = 9;

/** `precisionIsBare`: a `.` without digits, which means all nine. */
export function epochSeconds(nanoseconds: bigint, conversion: Conversion, precisionIsBare: boolean): string {
  const precision = precisionIsBare ? DIGITS_KNOWN : (conversion.precision ?? 0);
  const known = Math.min(precision, DIGITS_KNOWN);
  const unit = 10n ** BigInt(DIGITS_KNOWN - known);
  // Rounded down to the last digit shown, then split towards zero: -0.25 is -0 and .25.
  const units = nanoseconds / unit - (nanoseconds < 0n && nanoseconds % unit !== 0n && known === 0 ? 1n : 0n);
  const perSecond = 10n ** BigInt(known);
  const seconds = units / perSecond;
  const fraction = (units < 0n ? -units : units) % perSecond;

  const width = precision > 0 ? conversion.width : -1;
  const isSplit = width > 1 && width - 1 - precision > 1;
  const leftAligned = isSplit && conversion.flags.includes("-");
  const secondsWidth = width <= 1 ? conversion.width : isSplit && !leftAligned ? width - 1 - precision : -1;
  const flags = leftAligned ? conversion.flags.replaceAll("-", "") : conversion.flags;
  const whole: Conversion = { flags, width: secondsWidth, precision: undefined };
  const shown = units < 0n && seconds === 0n ? minusZero(whole) : decimalConversion(seconds, true, whole);
  if (precision === 0) return shown;
  const more = "0".repeat(precision - known);
  // A width that is used up already is negative for printf, which means as many blanks once more.
  const room = width > 1 && shown.length + 1 < width ? Math.abs(width - shown.length - 1 - known) : 0;
  return `${shown}.${String(fraction).padStart(known, "0")}${more.padEnd(room)}`;
}
