/**
 * The part of an output that is shown: all of it if it fits; else whole lines from its start, its end or both, whichever
 * tells most, long lines by their first 1,000 characters. Our own text among the lines begins with `[shelpa`; data that
 * begins so is escaped (display/visible.ts).
 */
import { binaryKind } from "./binary-kind.ts";
import { count, linesBefore, linesFrom, NO_LINES, ShownLines } from "./shown-lines.ts";
import { showBytes, type ShownIn } from "./shown-text.ts";

export interface ShownOutput {
  readonly text: string;
  /** Whole lines shown from the start and from the end, and the bytes that they and a part of a line stand for. */
  readonly startLines: number;
  readonly endLines: number;
  readonly bytes: number;
  /** True if the cut fell inside the first line: one that is longer than the whole allowance. */
  readonly insideLine: boolean;
  /** Lines of which only the start is shown. */
  readonly longLines: number;
  readonly escapedCharacters: number;
  readonly invalidBytes: number;
  /** Kind of data, if it is not text to show: "PNG image". */
  readonly binary: string | undefined;
}

export interface ShowOptions {
  /** UTF-16 units, after escaping. */
  readonly maxCharacters: number;
  readonly shownIn: ShownIn;
  readonly tells: "start" | "end" | undefined;
  /** Lines of the whole; `bytes` may be only its start. */
  readonly totalLines: number;
  readonly totalBytes: number;
  /** The end of the whole, where `bytes` is only its start. */
  readonly end?: Uint8Array | undefined;
}

export function showOutput(bytes: Uint8Array, options: ShowOptions): ShownOutput {
  const { maxCharacters, shownIn, totalBytes, totalLines } = options;
  const binary = shownIn === "raw" ? undefined : binaryKind(bytes);
  if (binary !== undefined) {
    return {
      text: "",
      startLines: 0,
      endLines: 0,
      bytes: 0,
      insideLine: false,
      longLines: 0,
      escapedCharacters: 0,
      invalidBytes: 0,
      binary,
    };
  }
  const whole = showBytes(bytes, maxCharacters, shownIn);
  const isHeld = bytes.length === totalBytes;
  // The first line of the end is left out: it may begin in the middle of a line.
  const tail = isHeld
    ? { bytes, from: 0 }
    : options.end === undefined
      ? undefined
      : { bytes: options.end, from: options.end.indexOf(10) + 1 };
  if (whole.bytes === bytes.length || totalLines === 1)
    return { ...whole, startLines: whole.lines, endLines: 0, longLines: 0, binary: undefined };
  const tells = tail === undefined ? "start" : options.tells;
  const shown = new ShownLines(shownIn);
  const startAllowance = tells === "end" ? 0 : tells === "start" ? maxCharacters : Math.floor(maxCharacters / 2);
  const start = linesFrom(bytes, shown, startAllowance);
  const room = maxCharacters - lengthOf(start.texts);
  const end = tells === "start" || tail === undefined ? NO_LINES : linesBefore(tail.bytes, shown, room, isHeld ? start.bytes : tail.from);
  if (start.texts.length + end.texts.length === 0)
    return { ...whole, startLines: whole.lines, endLines: 0, longLines: 0, binary: undefined };
  const left = totalLines - start.texts.length - end.texts.length;
  const gap = tells === "start" || left === 0 ? "" : `[shelpa: ${count(left)} lines are not shown here]\n`;
  return {
    text: start.texts.join("") + gap + end.texts.join(""),
    startLines: start.texts.length,
    endLines: end.texts.length,
    bytes: start.bytes + end.bytes - shown.hiddenBytes,
    insideLine: false,
    longLines: shown.longLines,
    escapedCharacters: shown.escapedCharacters,
    invalidBytes: shown.invalidBytes,
    binary: undefined,
  };
}

const lengthOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + text.length, 0);
