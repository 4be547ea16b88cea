/**
 * Lines that are left out before the shortest edit is sought: those that the other file does not have at all, and
 * among them those that it has so often that a match says little. It makes the search fast and, as in GNU diff,
 * helps to decide between edits.
 */

const KEEP = 0;
const DROP = 1;
/** Dropped if it stands well inside a run of dropped lines. */
const MAYBE = 2;

/** Marks (not 0) the lines of `lines` (class numbers) to leave out; `counts`: occurrences of each class in the other file. */
export function confusingLines(lines: Int32Array, counts: Int32Array): Uint8Array {
  const marks = firstMarks(lines, counts);
  for (let at = 0; at < marks.length; at++) {
    if (marks[at] === MAYBE) marks[at] = KEEP;
    else if (marks[at] === DROP) at = settleRun(marks, at) - 1;
  }
  return marks;
}

function firstMarks(lines: Int32Array, counts: Int32Array): Uint8Array {
  // Roughly five times the square root of the number of lines, over eight.
  let many = 5;
  for (let left = lines.length >> 8; left > 0; left >>= 2) many *= 2;
  const marks = new Uint8Array(lines.length);
  for (let at = 0; at < lines.length; at++) {
    const count = counts[lines[at] as number] as number;
    if (count === 0) marks[at] = DROP;
    else if (count > many) marks[at] = MAYBE;
  }
  return marks;
}

/** Decides the doubtful lines of the run that begins with a dropped line at `start`; returns the end of the run. */
function settleRun(marks: Uint8Array, start: number): number {
  let end = start;
  let doubtful = 0;
  for (; end < marks.length && marks[end] !== KEEP; end++) if (marks[end] === MAYBE) doubtful++;
  for (; marks[end - 1] === MAYBE; doubtful--) marks[--end] = KEEP;
  const length = end - start;
  if (doubtful * 4 > length) {
    for (let at = start; at < end; at++) if (marks[at] === MAYBE) marks[at] = KEEP;
    return end;
  }
  keepLongRuns(marks, start, end);
  keepNearEdge(marks, start, 1, length);
  keepNearEdge(marks, end - 1, -1, length);
  return end;
}

/** Keeps doubtful lines that stand together in a number of about the square root of a quarter of the run, or more. */
function keepLongRuns(marks: Uint8Array, start: number, end: number): void {
  let enough = 1;
  for (let left = (end - start) >> 4; left > 0; left >>= 2) enough *= 2;
  enough++;
  for (let at = start; at < end; ) {
    if (marks[at] !== MAYBE) {
      at++;
      continue;
    }
    let after = at;
    while (after < end && marks[after] === MAYBE) after++;
    if (after - at >= enough) marks.fill(KEEP, at, after);
    at = after;
  }
}

/** From an edge of the run inwards: keeps doubtful lines up to three sure ones in a row, or the first sure one eight lines in. */
function keepNearEdge(marks: Uint8Array, edge: number, step: 1 | -1, length: number): void {
  let sure = 0;
  for (let count = 0; count < length && sure < 3; count++) {
    const at = edge + count * step;
    if (count >= 8 && marks[at] === DROP) return;
    if (marks[at] === DROP) sure++;
    else {
      sure = 0;
      marks[at] = KEEP;
    }
  }
}
