/** The part of standard error that is shown: all of it, or its first and its last lines, of long lines both ends. */
import type { CapturedOutput } from "./shell-service.ts";
import { count, linesBefore, linesFrom, ShownLines, type LineCut } from "./shown-lines.ts";
import { showBytes, type ShownIn } from "./shown-text.ts";

/** Messages, not data: what stands between the first and the last says nothing new. */
const MOST_CHARACTERS = 8_000;
const OF_EACH_END = MOST_CHARACTERS / 2;

const LINE_CUT: LineCut = { longest: 2000, start: 1000, endBytes: 1000 };
/** So much of a line fits, also where each of its characters is spelled out. */
const SHORT_CUT: LineCut = { longest: 380, start: 190, endBytes: 190 };

export function showErrors(errors: CapturedOutput, shownIn: ShownIn): string {
  if (errors.end === undefined) {
    const whole = showBytes(errors.bytes, MOST_CHARACTERS, shownIn);
    if (whole.bytes === errors.bytes.length) return whole.text;
  }
  return bothEnds(errors, shownIn, LINE_CUT) ?? bothEnds(errors, shownIn, SHORT_CUT) ?? "";
}

/** Undefined where a line does not fit that must not be left out: the first, the last. */
function bothEnds({ bytes, totalBytes, totalLines, end }: CapturedOutput, shownIn: ShownIn, cut: LineCut): string | undefined {
  const shown = new ShownLines(shownIn, cut);
  const first = linesFrom(bytes, shown, OF_EACH_END);
  const tail = end === undefined ? { bytes, from: first.bytes } : { bytes: end, from: end.indexOf(10) + 1 };
  const last = linesBefore(tail.bytes, shown, OF_EACH_END, tail.from);
  if (first.bytes === 0 || (last.bytes === 0 && first.bytes < bytes.length)) return undefined;
  const left =
    end === undefined
      ? { number: totalLines - first.texts.length - last.texts.length, unit: "lines" }
      : { number: totalBytes - first.bytes - last.bytes, unit: "bytes" };
  const gap = left.number <= 0 ? "" : `[shelpa: ${count(left.number)} ${left.unit} of standard error are not shown here]\n`;
  return first.texts.join("") + gap + last.texts.join("");
}
