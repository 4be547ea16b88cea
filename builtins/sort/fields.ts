/** Finds the begin and end of a key in a line. */
import type { SortKey } from "./key-spec.ts";

/** A newline, which only -z lets into a line, counts as a blank. */
export const isBlank = (byte: number): boolean => byte === 0x20 || byte === 0x09 || byte === 0x0a;

/** The first byte of `key` in the line `from..to`. `tab` is the separator of -t; undefined: fields begin with blanks. */
export function keyStart(line: Uint8Array, from: number, to: number, key: SortKey, tab: number | undefined): number {
  let at = from;
  let fields = key.startField;
  if (tab !== undefined) {
    while (at < to && fields-- > 0) {
      while (at < to && line[at] !== tab) at++;
      if (at < to) at++;
    }
  } else {
    while (at < to && fields-- > 0) {
      while (at < to && isBlank(line[at] as number)) at++;
      while (at < to && !isBlank(line[at] as number)) at++;
    }
  }
  if (key.skipStartBlanks) while (at < to && isBlank(line[at] as number)) at++;
  return Math.min(to, at + key.startByte);
}

/** The byte after the last of `key` in the line `from..to`; may be before its start, which makes it empty. */
export function keyEnd(line: Uint8Array, from: number, to: number, key: SortKey, tab: number | undefined): number {
  if (key.endField === Infinity) return to;
  let at = from;
  let fields = key.endField + (key.endByte === 0 ? 1 : 0);
  if (tab !== undefined) {
    while (at < to && fields-- > 0) {
      while (at < to && line[at] !== tab) at++;
      if (at < to && (fields > 0 || key.endByte > 0)) at++;
    }
  } else {
    while (at < to && fields-- > 0) {
      while (at < to && isBlank(line[at] as number)) at++;
      while (at < to && !isBlank(line[at] as number)) at++;
    }
  }
  if (key.endByte === 0) return at;
  if (key.skipEndBlanks) while (at < to && isBlank(line[at] as number)) at++;
  return Math.min(to, at + key.endByte);
}
