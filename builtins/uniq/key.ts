/** The bytes of a line that uniq compares, and the comparison. */
export interface KeyRule {
  /** -f: blank-separated fields passed over. */
  readonly skipFields: number;
  /** -s: bytes passed over after the fields. */
  readonly skipBytes: number;
  /** -w: bytes compared at most. */
  readonly compareBytes: number;
  /** -i: ASCII letters compare as their upper case. */
  readonly ignoreCase: boolean;
}

/** The index in `bytes` where the key of the line `start..end` begins. */
export function keyStart(bytes: Uint8Array, start: number, end: number, rule: KeyRule): number {
  let at = start;
  for (let fields = rule.skipFields; fields > 0 && at < end; fields--) {
    while (at < end && isSeparator(bytes[at] as number)) at++;
    while (at < end && !isSeparator(bytes[at] as number)) at++;
  }
  return Math.min(end, at + rule.skipBytes);
}

/** A newline, which only -z lets into a line, separates fields too. */
const isSeparator = (byte: number): boolean => byte === 0x20 || byte === 0x09 || byte === 0x0a;

/** Whether `a[aFrom..aTo)` and `b[bFrom..bTo)` are the same key. */
export function sameKey(a: Buffer, aFrom: number, aTo: number, b: Buffer, bFrom: number, bTo: number, ignoreCase: boolean): boolean {
  const length = aTo - aFrom;
  if (length !== bTo - bFrom) return false;
  if (ignoreCase) {
    for (let at = 0; at < length; at++) if (upper(a[aFrom + at] as number) !== upper(b[bFrom + at] as number)) return false;
    return true;
  }
  const near = length < NATIVE_FROM ? length : 8;
  for (let at = 0; at < near; at++) if (a[aFrom + at] !== b[bFrom + at]) return false;
  return near === length || a.compare(b, bFrom, bTo, aFrom, aTo) === 0;
}

/** From this many bytes on a call into memcmp is cheaper than a loop here. */
const NATIVE_FROM = 64;

const upper = (byte: number): number => (byte >= 0x61 && byte <= 0x7a ? byte - 32 : byte);
