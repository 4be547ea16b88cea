/**
 * Bytes → the text an agent reads: invisible characters are shown as escapes, and long output is cut at the end of a line.
 * In doubt nothing is hidden: a terminal's escape sequences, right-to-left overrides and invisible letters can make a reader
 * see other text than the file holds.
 */
import { sequenceLength } from "../io/text.ts";
import { escapeOf, INVISIBLE, markedAsData } from "../display/visible.ts";
import { markedInError } from "../guard/render.ts";

/** Answer that the data stands in, as far as it decides how they are shown; "raw": as they are. */
export type ShownIn = "output" | "error" | "raw";

export interface ShownText {
  readonly text: string;
  /** Bytes and lines of the source that `text` stands for. */
  readonly bytes: number;
  readonly lines: number;
  /** True if the cut fell inside a line: one that is longer than the whole allowance. */
  readonly insideLine: boolean;
  /** Characters shown as `\u{…}`, and bytes that are not UTF-8 shown as `\xNN`. */
  readonly escapedCharacters: number;
  readonly invalidBytes: number;
}

/**
 * Shows as many whole lines of `bytes` as fit in `maxCharacters` (UTF-16 units, after escaping). In "raw"
 * invisible characters stay as they are; bytes that are not UTF-8 are escaped all the same, for JSON cannot hold them.
 */
export function showBytes(bytes: Uint8Array, maxCharacters: number, shownIn: ShownIn): ShownText {
  let text = "";
  let lines = 0;
  let at = 0;
  let escapedCharacters = 0;
  let invalidBytes = 0;
  while (at < bytes.length) {
    const newline = bytes.indexOf(10, at);
    const end = newline < 0 ? bytes.length : newline + 1;
    // A character of the answer stands for at most four bytes, so a longer line cannot fit.
    const fits = end - at <= (maxCharacters - text.length) * 4;
    const line = fits ? lineText(bytes.subarray(at, end), shownIn) : undefined;
    if (line === undefined || text.length + line.text.length > maxCharacters) {
      if (at > 0) return { text, bytes: at, lines, insideLine: false, escapedCharacters, invalidBytes };
      return showStart(bytes, maxCharacters, shownIn);
    }
    text += line.text;
    escapedCharacters += line.escapedCharacters;
    invalidBytes += line.invalidBytes;
    lines++;
    at = end;
  }
  return { text, bytes: at, lines, insideLine: false, escapedCharacters, invalidBytes };
}

/** The start of a first line that is too long: as many whole characters as fit. */
function showStart(bytes: Uint8Array, maxCharacters: number, shownIn: ShownIn): ShownText {
  // Halving finds the longest prefix whose shown form fits; prefixes end between characters.
  let low = 0;
  let high = Math.min(bytes.length, maxCharacters * 4);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (lineText(bytes.subarray(0, characterBoundary(bytes, middle)), shownIn).text.length <= maxCharacters) low = middle;
    else high = middle - 1;
  }
  const end = characterBoundary(bytes, low);
  return { ...lineText(bytes.subarray(0, end), shownIn), bytes: end, lines: 0, insideLine: true };
}

/** The last position at or before `at` that does not split a character. */
function characterBoundary(bytes: Uint8Array, at: number): number {
  for (let start = at - 1; start >= Math.max(0, at - 3); start--) {
    const length = sequenceLength(bytes, start);
    if (length > 0) return start + length > at ? start : at;
  }
  return at;
}

export interface ShownLine {
  readonly text: string;
  readonly escapedCharacters: number;
  readonly invalidBytes: number;
}

/** Shows one line, or a part of one. A line that begins like one of ours is escaped: data cannot speak for us. */
export function lineText(bytes: Uint8Array, shownIn: ShownIn): ShownLine {
  const { text, invalidBytes } = decode(bytes);
  if (shownIn === "raw") return { text, escapedCharacters: 0, invalidBytes };
  let escapedCharacters = 0;
  const shown = text.replace(INVISIBLE, (character) => {
    escapedCharacters++;
    return escapeOf(character);
  });
  const marked = shownIn === "error" ? markedInError(markedAsData(shown)) : markedAsData(shown);
  if (marked !== shown) escapedCharacters++;
  return { text: marked, escapedCharacters, invalidBytes };
}

/** UTF-8, each byte that is not part of it as `\xNN`. */
function decode(bytes: Uint8Array): { text: string; invalidBytes: number } {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const whole = buffer.toString("utf8");
  if (!whole.includes("\uFFFD")) return { text: whole, invalidBytes: 0 };
  let text = "";
  let invalidBytes = 0;
  let from = 0;
  for (let at = 0; at < buffer.length; ) {
    const length = sequenceLength(buffer, at);
    if (length > 0) {
      at += length;
      continue;
    }
    text += `${buffer.toString("utf8", from, at)}\\x${(buffer[at] as number).toString(16).padStart(2, "0")}`;
    invalidBytes++;
    from = ++at;
  }
  return { text: text + buffer.toString("utf8", from), invalidBytes };
}
