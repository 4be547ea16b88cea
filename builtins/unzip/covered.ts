/** Parts of an archive that members were read from: none may be read for two, or a small archive could be without end. */

export class CoveredParts {
  /** Starts and ends in turn, ascending. */
  readonly #bounds: number[] = [];

  /** Adds `from` (inclusive) to `to` (exclusive); false where some of it is there already. */
  add(from: number, to: number): boolean {
    if (to <= from) return true;
    const bounds = this.#bounds;
    let low = 0;
    let high = bounds.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((bounds[middle] as number) <= from) low = middle + 1;
      else high = middle;
    }
    // An odd count of bounds up to `from`: it lies inside a part.
    if (low % 2 === 1 || (bounds[low] ?? Infinity) < to) return false;
    const joinsBefore = low > 0 && bounds[low - 1] === from;
    const joinsAfter = bounds[low] === to;
    if (joinsBefore && joinsAfter) bounds.splice(low - 1, 2);
    else if (joinsBefore) bounds[low - 1] = to;
    else if (joinsAfter) bounds[low] = from;
    else bounds.splice(low, 0, from, to);
    return true;
  }
}
