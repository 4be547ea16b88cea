/** Edits of the pattern space by `s` and `y`. */
import { sequenceLength } from "../../src/io/text.ts";
import type { BufferSearch } from "../../src/search/buffer-search.ts";
import type { Substitution } from "./program.ts";
import { appendReplacement } from "./replacement.ts";
import type { Space } from "./space.ts";

/** Puts `pattern` with its matches replaced into `result`; false where there is nothing to replace. */
export function substituted(pattern: Space, search: BufferSearch, substitution: Substitution, result: Space): boolean {
  const { replacement, occurrence, isGlobal, usesGroups } = substitution;
  const { bytes, start, end } = pattern;
  search.load(bytes, start, end);
  if (!search.find(start, usesGroups)) return false;
  result.clear();
  const { offsets } = search;
  let copied = start;
  let count = 0;
  let lastEnd = -1;
  let found = true;
  for (let at = start; found; found = at <= end && search.find(at, usesGroups)) {
    const from = offsets[0] as number;
    const to = offsets[1] as number;
    if (from < to || from !== lastEnd) {
      count++;
      if (count >= occurrence) {
        result.add(bytes, copied, from);
        appendReplacement(replacement, bytes, offsets, result);
        copied = to;
        if (!isGlobal) break;
      }
    }
    lastEnd = to;
    at = from < to ? to : to + (search.bytesAreCharacters ? 1 : widthAt(bytes, to, end));
    if (!search.isEmptyWithinCharacters || at <= to + 1) continue;
    for (let within = to + 1; within < at && (isGlobal || count < occurrence); within++) {
      count++;
      if (count < occurrence) continue;
      result.add(bytes, copied, within);
      offsets.fill(within);
      appendReplacement(replacement, bytes, offsets, result);
      copied = within;
    }
    if (count >= occurrence && !isGlobal) break;
  }
  if (count < occurrence) return false;
  result.add(bytes, copied, end);
  result.isTerminated = pattern.isTerminated;
  return true;
}

/** Puts `pattern` with its characters translated into `result`. */
export function translated(pattern: Space, characters: ReadonlyMap<string, Buffer>, result: Space): void {
  result.clear();
  for (let at = pattern.start; at < pattern.end; ) {
    const next = Math.min(at + widthAt(pattern.bytes, at, pattern.end), pattern.end);
    const translation = characters.get(pattern.bytes.toString("latin1", at, next));
    if (translation === undefined) result.add(pattern.bytes, at, next);
    else result.add(translation);
    at = next;
  }
  result.isTerminated = pattern.isTerminated;
}

/** Translates a space byte for byte, in place. */
export function translateBytes(pattern: Space, table: Uint8Array): void {
  pattern.settle();
  const { bytes, end } = pattern;
  for (let at = pattern.start; at < end; at++) bytes[at] = table[bytes[at] as number] as number;
}

/** Bytes of the character at `at`; 1 where there is none. */
function widthAt(bytes: Buffer, at: number, end: number): number {
  if (at >= end || (bytes[at] as number) < 0x80) return 1;
  const width = sequenceLength(bytes, at);
  return width === 0 || at + width > end ? 1 : width;
}
