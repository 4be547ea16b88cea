/** Lines from the start and from the end of an output, long ones in part, as many as there is room for. */
import { sequenceLength } from "../io/text.ts";
import { lineText, type ShownIn, type ShownLine } from "./shown-text.ts";

/** Longest line that is shown whole in an output that is cut, and what is shown of a longer one. */
export interface LineCut {
  /** In characters. */
  readonly longest: number;
  readonly start: number;
  readonly endBytes: number;
}

export const LINE_CUT: LineCut = { longest: 2000, start: 1000, endBytes: 0 };

/** "18,204". */
export const count = (number: number): string => number.toLocaleString("en-US");

export interface SomeLines {
  readonly texts: readonly string[];
  /** Of the lines, also where they are shown in part. */
  readonly bytes: number;
}

export const NO_LINES: SomeLines = { texts: [], bytes: 0 };

/** The first lines. */
export function linesFrom(bytes: Uint8Array, shown: ShownLines, allowance: number): SomeLines {
  const texts: string[] = [];
  let at = 0;
  let left = allowance;
  while (at < bytes.length) {
    const newline = bytes.indexOf(10, at);
    const end = newline < 0 ? bytes.length : newline + 1;
    const line = shown.line(bytes.subarray(at, end), left);
    if (line === undefined) break;
    texts.push(line);
    left -= line.length;
    at = end;
  }
  return { texts, bytes: at };
}

/** The last lines; each of them begins at `from` or later. */
export function linesBefore(bytes: Uint8Array, shown: ShownLines, allowance: number, from: number): SomeLines {
  const texts: string[] = [];
  let end = bytes.length;
  let left = allowance;
  while (end > from) {
    // A place before the first byte would be counted from the end.
    const start = end < 2 ? 0 : bytes.lastIndexOf(10, end - 2) + 1;
    const line = shown.line(bytes.subarray(start, end), left);
    if (line === undefined) break;
    texts.push(line);
    left -= line.length;
    end = start;
  }
  return { texts: texts.reverse(), bytes: bytes.length - end };
}

interface PartialLine extends ShownLine {
  readonly hiddenBytes?: number;
}

export class ShownLines {
  longLines = 0;
  /** Bytes of long lines that are not shown. */
  hiddenBytes = 0;
  escapedCharacters = 0;
  invalidBytes = 0;
  readonly #shownIn: ShownIn;
  readonly #cut: LineCut;

  constructor(shownIn: ShownIn, cut = LINE_CUT) {
    this.#shownIn = shownIn;
    this.#cut = cut;
  }

  /** The line as it is shown; undefined where that has more than `allowance` characters. */
  line(bytes: Uint8Array, allowance: number): string | undefined {
    if (allowance <= 0) return undefined;
    const content = bytes.at(-1) === 10 ? bytes.subarray(0, -1) : bytes;
    const isLong = placeOf(content, this.#cut.longest) < content.length;
    const line: PartialLine = isLong ? this.#inPart(content) : lineText(content, this.#shownIn);
    const text = content === bytes ? line.text : `${line.text}\n`;
    if (text.length > allowance) return undefined;
    if (isLong) this.longLines++;
    this.hiddenBytes += line.hiddenBytes ?? 0;
    this.escapedCharacters += line.escapedCharacters;
    this.invalidBytes += line.invalidBytes;
    return text;
  }

  /** The start of a line, how many characters follow, and its end. */
  #inPart(bytes: Uint8Array): PartialLine {
    const hiddenFrom = placeOf(bytes, this.#cut.start);
    const hiddenTo = boundaryAfter(bytes, Math.max(hiddenFrom, bytes.length - this.#cut.endBytes));
    const start = lineText(bytes.subarray(0, hiddenFrom), this.#shownIn);
    const end = lineText(bytes.subarray(hiddenTo), this.#shownIn);
    const hidden = bytes.subarray(hiddenFrom, hiddenTo);
    return {
      text: `${start.text}[… ${count(charactersOf(hidden))} characters]${end.text}`,
      hiddenBytes: hidden.length,
      escapedCharacters: start.escapedCharacters + end.escapedCharacters,
      invalidBytes: start.invalidBytes + end.invalidBytes,
    };
  }
}

/** The place behind the first `characters` characters, a byte that is no text being one; the end where there are no more. */
function placeOf(bytes: Uint8Array, characters: number): number {
  if (bytes.length <= characters) return bytes.length;
  let at = 0;
  for (let left = characters; left > 0 && at < bytes.length; left--) at += Math.max(1, sequenceLength(bytes, at));
  return at;
}

/** The first place from `at` on that is within no character. */
function boundaryAfter(bytes: Uint8Array, at: number): number {
  let place = at;
  while (place < at + 4 && place < bytes.length && isContinuation(bytes[place] as number)) place++;
  return place;
}

function charactersOf(bytes: Uint8Array): number {
  let characters = 0;
  for (const byte of bytes) if (!isContinuation(byte)) characters++;
  return characters;
}

const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80;
