/**
 * Numbers of about 100 bits: the sum of two doubles, of which the second is what the first has lost (Dekker, "A
 * floating-point technique for extending the available precision", 1971). And series of such numbers, for tables.
 */

export type Pair = readonly [high: number, low: number];

export function sum(first: Pair, second: Pair): Pair {
  const high = first[0] + second[0];
  const added = high - first[0];
  const lost = first[0] - (high - added) + (second[0] - added);
  return swept(high, lost + (first[1] + second[1]));
}

export function times(first: Pair, second: Pair): Pair {
  const [high, lost] = product(first[0], second[0]);
  return swept(high, lost + (first[0] * second[1] + first[1] * second[0]));
}

/** Exact, for factors below 1e300. */
export function product(first: number, second: number): Pair {
  const high = first * second;
  const [a, b] = [upperHalf(first), upperHalf(second)];
  return [high, a * b - high + a * (second - b) + (first - a) * b + (first - a) * (second - b)];
}

/** e to `value` less 1, for one of at most 0.4: the series of a 256th of it, doubled eight times. */
export function expMinusOne([high, low]: Pair): Pair {
  const part: Pair = [high / 256, low / 256];
  let result = times(part, series(part, [9, 8, 7, 6, 5, 4, 3, 2]));
  for (let at = 0; at < 8; at++) result = sum([2 * result[0], 2 * result[1]], times(result, result));
  return result;
}

/** The sine, for an angle of at most 1. */
export function sineOf(angle: number): Pair {
  return times([angle, 0], series(product(angle, -angle), factorsFrom(26)));
}

/** The cosine, for an angle of at most 1. */
export function cosineOf(angle: number): Pair {
  return series(product(angle, -angle), factorsFrom(25));
}

/** Of 13 factorials two factors each, by which each is the one before it: `last` and what follows it, to 1 and 2 or 2 and 3. */
const factorsFrom = (last: number): number[] => Array.from({ length: 13 }, (_, at) => (last - 2 * at) * (last - 2 * at + 1));

/** 1 + x / n (1 + x / m (1 + …)), the divisors from the last to the first. */
function series(factor: Pair, divisors: readonly number[]): Pair {
  return divisors.reduce<Pair>((rest, divisor) => sum([1, 0], divided(times(rest, factor), divisor)), [1, 0]);
}

function divided([high, low]: Pair, by: number): Pair {
  const near = high / by;
  const [back, lost] = product(near, by);
  return swept(near, (high - back - lost + low) / by);
}

function swept(high: number, low: number): Pair {
  const result = high + low;
  return [result, low - (result - high)];
}

function upperHalf(value: number): number {
  const far = 134217729 * value;
  return far - (far - value);
}
