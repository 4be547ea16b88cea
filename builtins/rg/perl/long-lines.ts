/** The front of a line that is longer than --max-columns, and the words for the rest. */
import { graphemesLength } from "../../../src/io/graphemes.ts";
import { byteLengthOf, toText } from "../../../src/io/text.ts";
import type { Span } from "../../../src/regex/text-pattern.ts";

/** End of the first `count` characters, as a reader counts them (UAX #29). */
export function previewEnd(bytes: Buffer, { start, end }: Span, count: number): number {
  // No more of the line is looked at than so many characters may need.
  const text = toText(bytes.subarray(start, Math.min(end, start + count * MOST_CHARACTER_BYTES)));
  return Math.min(end, start + byteLengthOf(text.slice(0, graphemesLength(text, count))));
}

/** The words behind a preview; `rest` is what it leaves out. */
export function omittedEnd(places: readonly Span[], rest: Span): string {
  if (places.length === 0) return " [... omitted end of long line]";
  const more = places.filter(({ start }) => start >= rest.start && start < rest.end).length;
  return ` [... ${more} more ${more === 1 ? "match" : "matches"}]`;
}

/** Longer than any character that is written. */
const MOST_CHARACTER_BYTES = 64;
