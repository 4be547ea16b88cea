/**
 * Placement of runs of changed lines that could begin at several lines alike: runs are merged with their neighbours where
 * they can be moved together, and else stand as late as possible, or opposite a change of the other file (GNU diff's rule).
 */

/** Moves the runs of `changed` (1 for a changed line of `lines`) about, keeping to those of the other file, `opposite`. */
export function settleBoundaries(lines: Int32Array, changed: Uint8Array, opposite: Uint8Array): void {
  const end = lines.length;
  let at = 0;
  let other = 0;
  for (;;) {
    // `other` walks along: it stands in the other file where `at` stands in this one.
    while (at < end && changed[at] === 0) {
      other = afterUnchanged(opposite, other);
      at++;
    }
    if (at === end) return;
    let start = at;
    while (changed[at] === 1) at++;
    while (opposite[other] === 1) other++;
    let facing = end;
    for (let length = -1; length !== at - start; ) {
      length = at - start;
      while (start > 0 && lines[start - 1] === lines[at - 1]) {
        changed[--start] = 1;
        changed[--at] = 0;
        while (start > 0 && changed[start - 1] === 1) start--;
        other = beforeUnchanged(opposite, other);
      }
      facing = other > 0 && opposite[other - 1] === 1 ? at : end;
      while (at !== end && lines[start] === lines[at]) {
        changed[start++] = 0;
        changed[at++] = 1;
        while (changed[at] === 1) at++;
        for (other++; opposite[other] === 1; other++) facing = at;
      }
    }
    while (facing < at) {
      changed[--start] = 1;
      changed[--at] = 0;
      other = beforeUnchanged(opposite, other);
    }
  }
}

/** The position after the next unchanged line. */
function afterUnchanged(changed: Uint8Array, from: number): number {
  let at = from;
  while (changed[at] === 1) at++;
  return at + 1;
}

/** The position of the unchanged line before `from`. */
function beforeUnchanged(changed: Uint8Array, from: number): number {
  let at = from - 1;
  while (at >= 0 && changed[at] === 1) at--;
  return at;
}
