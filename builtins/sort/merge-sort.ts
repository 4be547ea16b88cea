/** Stable merge sorts, bottom up, with insertion sort for the short stretches. */

const STRETCH = 12;

/** Sorts `values[from..to)` ascending, and `sequence` along with them. The spare arrays are as long. No NaN. */
export function mergeSort(
  values: Float64Array,
  spareValues: Float64Array,
  sequence: Uint32Array,
  spareSequence: Uint32Array,
  from: number,
  to: number,
): void {
  let isSorted = true;
  for (let at = from + 1; at < to && isSorted; at++) isSorted = (values[at - 1] as number) <= (values[at] as number);
  if (isSorted) return;
  for (let start = from; start < to; start += STRETCH) insertionSort(values, sequence, start, Math.min(start + STRETCH, to));
  let [fromValues, toValues, fromSequence, toSequence] = [values, spareValues, sequence, spareSequence];
  for (let width = STRETCH; width < to - from; width *= 2) {
    for (let start = from; start < to; start += width * 2) {
      const middle = Math.min(start + width, to);
      const end = Math.min(start + width * 2, to);
      if (middle === end || (fromValues[middle - 1] as number) <= (fromValues[middle] as number)) {
        toValues.set(fromValues.subarray(start, end), start);
        toSequence.set(fromSequence.subarray(start, end), start);
        continue;
      }
      let [left, right] = [start, middle];
      for (let at = start; at < end; at++) {
        if (right >= end || (left < middle && (fromValues[left] as number) <= (fromValues[right] as number))) {
          toValues[at] = fromValues[left] as number;
          toSequence[at] = fromSequence[left++] as number;
        } else {
          toValues[at] = fromValues[right] as number;
          toSequence[at] = fromSequence[right++] as number;
        }
      }
    }
    [fromValues, toValues, fromSequence, toSequence] = [toValues, fromValues, toSequence, fromSequence];
  }
  if (fromValues !== values) {
    values.set(fromValues.subarray(from, to), from);
    sequence.set(fromSequence.subarray(from, to), from);
  }
}

function insertionSort(values: Float64Array, sequence: Uint32Array, from: number, to: number): void {
  for (let at = from + 1; at < to; at++) {
    const value = values[at] as number;
    const index = sequence[at] as number;
    let into = at;
    for (; into > from && (values[into - 1] as number) > value; into--) {
      values[into] = values[into - 1] as number;
      sequence[into] = sequence[into - 1] as number;
    }
    values[into] = value;
    sequence[into] = index;
  }
}

/** Sorts `sequence[from..to)` by what `compare` says of two of its members. */
export function sortByComparison(
  sequence: Uint32Array,
  spare: Uint32Array,
  from: number,
  to: number,
  compare: (a: number, b: number) => number,
): void {
  for (let start = from; start < to; start += STRETCH) {
    const end = Math.min(start + STRETCH, to);
    for (let at = start + 1; at < end; at++) {
      const member = sequence[at] as number;
      let into = at;
      for (; into > start && compare(sequence[into - 1] as number, member) > 0; into--) sequence[into] = sequence[into - 1] as number;
      sequence[into] = member;
    }
  }
  let [source, target] = [sequence, spare];
  for (let width = STRETCH; width < to - from; width *= 2) {
    for (let start = from; start < to; start += width * 2) {
      const middle = Math.min(start + width, to);
      const end = Math.min(start + width * 2, to);
      if (middle === end || compare(source[middle - 1] as number, source[middle] as number) <= 0) {
        target.set(source.subarray(start, end), start);
        continue;
      }
      let [left, right] = [start, middle];
      for (let at = start; at < end; at++) {
        const takesLeft = right >= end || (left < middle && compare(source[left] as number, source[right] as number) <= 0);
        target[at] = (takesLeft ? source[left++] : source[right++]) as number;
      }
    }
    [source, target] = [target, source];
  }
  if (source !== sequence) sequence.set(source.subarray(from, to), from);
}
