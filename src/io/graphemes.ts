/** Characters as a reader counts them (UAX #29): a letter with its accents is one. */

const SEGMENTER = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Length in UTF-16 units of the first `count` characters of `text`. */
export function graphemesLength(text: string, count: number): number {
  let length = 0;
  let left = count;
  for (const { segment } of SEGMENTER.segment(text)) {
    if (left-- === 0) break;
    length += segment.length;
  }
  return length;
}
