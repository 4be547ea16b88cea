/** Shortest beginning that is enough to know a word by. */
const BEGINNING_UNITS = 4;

/** The candidate a typist most likely meant, by optimal string alignment distance, or the only one that begins so; undefined where none is near. */
export function nearest(typed: string, candidates: Iterable<string>): string | undefined {
  const all = [...candidates];
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(typed.length / 3)) + 1;
  for (const candidate of all) {
    if (Math.abs(candidate.length - typed.length) >= bestDistance) continue;
    const distance = alignmentDistance(typed, candidate);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  if (best !== undefined || typed.length < BEGINNING_UNITS) return best;
  const longer = all.filter((candidate) => candidate.startsWith(typed));
  return longer.length === 1 ? longer[0] : undefined;
}

function alignmentDistance(a: string, b: string): number {
  let twoAgo: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(
        (previous[column] as number) + 1,
        (current[column - 1] as number) + 1,
        (previous[column - 1] as number) + (same ? 0 : 1),
      );
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) cost = Math.min(cost, (twoAgo[column - 2] as number) + 1);
      current.push(cost);
    }
    twoAgo = previous;
    previous = current;
  }
  return previous[b.length] as number;
}
