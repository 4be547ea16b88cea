/**
 * exp, log, pow, sin, cos and atan2 to the last digit, as glibc has them: V8's are one off there for one number in twenty,
 * which %.17g shows, and a large whole number. Numbers near by are taken from tables of pairs (see pairs.ts), and what is
 * left is worked out by a short series (Tang, "Table-driven implementation of the exponential function", 1989). What differs
 * still is what glibc itself rounds to the second nearest number: one sine in a hundred, one of the others in a thousand.
 */
import { cosineOf, expMinusOne, type Pair, product, sineOf, sum, times } from "./pairs.ts";

export class Elementary {
  /** Pairs: 2 to the at / STEPS. */
  #powers: Float64Array | undefined;
  /** Three each: what a number near at / STEPS is multiplied by to be near 1, and the pair of minus the logarithm of that. */
  #logs: Float64Array | undefined;
  /** Two pairs each: the sine and the cosine of at / STEPS. */
  #sines: Float64Array | undefined;

  /** exp(3). */
  exp(value: number): number {
    const near = Math.exp(value);
    return isWithin(near, MOST) ? this.#expOf(value, 0) : near;
  }

  /** log(3). */
  log(value: number): number {
    const near = Math.log(value);
    return isWithin(near, MOST) ? this.#logOf(value)[0] : near;
  }

  /** pow(3). */
  pow(base: number, exponent: number): number {
    const near = base === 1 || (base === -1 && Math.abs(exponent) === Infinity) ? 1 : base ** exponent;
    if (!isWithin(near, MOST) || !isWithin(exponent, MOST)) return near;
    const [high, low] = this.#logOf(Math.abs(base));
    const [whole, lost] = product(high, exponent);
    const result = this.#expOf(whole, lost + low * exponent);
    return near < 0 ? -result : result;
  }

  /** sin(3). */
  sin(angle: number): number {
    return isTurned(angle) ? this.#sineOf(angle, 0)[0] : Math.sin(angle);
  }

  /** cos(3). */
  cos(angle: number): number {
    return isTurned(angle) ? this.#sineOf(angle, 1)[0] : Math.cos(angle);
  }

  /** atan2(3). */
  atan2(y: number, x: number): number {
    const near = Math.atan2(y, x);
    if (!isWithin(x, MOST_SIDE) || !isWithin(y, MOST_SIDE)) return near;
    // The direction is turned back by what is near: what is left of it is so small that it is its own tangent.
    const [sine, cosine] = [this.#sineOf(near, 0), this.#sineOf(near, 1)];
    const [up, upLost] = product(y, cosine[0]);
    const [down, downLost] = product(x, sine[0]);
    const left = up - down + (upLost - downLost + (y * cosine[1] - x * sine[1]));
    return near + left / (x * cosine[0] + y * sine[0]);
  }

  /** e to the sum of the two. */
  #expOf(high: number, low: number): number {
    this.#powers ??= tableOf(STEPS, (at) => powerOfTwo(at / STEPS));
    const steps = Math.round(high * (STEPS / Math.LN2));
    const at = steps & (STEPS - 1);
    const part = steps / STEPS;
    const rest = high - part * LN2[0];
    const lowRest = low - part * LN2[1] - part * LN2[2];
    const both = rest + lowRest;
    const tail = lowRest + both * both * (1 / 2 + both * (1 / 6 + both * (1 / 24 + both * (1 / 120 + both / 720))));
    const power = this.#powers[2 * at] as number;
    const [first, lost] = product(power, rest);
    const whole = power + first;
    const result = whole + (first - (whole - power) + (lost + (this.#powers[2 * at + 1] as number) * (1 + both) + power * tail));
    const doublings = (steps - at) / STEPS;
    const half = doublings >> 1;
    return result * 2 ** half * 2 ** (doublings - half);
  }

  #logOf(value: number): Pair {
    this.#logs ??= logTable();
    const doublings = Math.round(Math.log2(value));
    const half = doublings >> 1;
    const fraction = value * 2 ** -half * 2 ** (half - doublings);
    const at = 3 * Math.round(fraction * STEPS);
    const [scaled, rest] = product(fraction, this.#logs[at] as number);
    const first = scaled - 1;
    const [second, lost] = product(first, -first / 2);
    const series = 1 / 5 - first * (1 / 6 - first * (1 / 7 - first * (1 / 8 - first / 9)));
    const cubes = first * first * first * (1 / 3 - first * (1 / 4 - first * series));
    const tail = cubes + rest + (lost - rest * first) + doublings * LN2[1] + doublings * LN2[2] + (this.#logs[at + 2] as number);
    const whole = sum([doublings * LN2[0], 0], [this.#logs[at + 1] as number, tail]);
    return sum(whole, sum([first, 0], [second, 0]));
  }

  /** The sine of `angle` plus so many quarters of a circle. */
  #sineOf(angle: number, quarters: number): Pair {
    this.#sines ??= tableOf(Math.ceil((Math.PI / 4) * STEPS) + 1, (at) => [...sineOf(at / STEPS), ...cosineOf(at / STEPS)]);
    const passed = Math.round(angle / HALF_PI[0]);
    const [left, leftLow] = sum([angle - passed * HALF_PI[0], 0], [-passed * HALF_PI[1], -passed * HALF_PI[2] - passed * HALF_PI[3]]);
    const isNegative = left < 0;
    const [high, low] = isNegative ? [-left, -leftLow] : [left, leftLow];
    const at = 4 * Math.round(high * STEPS);
    const rest = high - at / (4 * STEPS);
    const square = rest * rest;
    const sine = rest * square * (-1 / 6 + square * (1 / 120 - square / 5040)) + low;
    const cosine = square * (-1 / 2 + square * (1 / 24 - square / 720));
    const turns = (passed + quarters) & 3;
    const isCosine = (turns & 1) === 1;
    // The sine of a sum, or its cosine.
    const [own, ownLow] = [this.#sines[at + (isCosine ? 2 : 0)] as number, this.#sines[at + (isCosine ? 3 : 1)] as number];
    const sign = isCosine ? -1 : 1;
    const [other, otherLow] = [this.#sines[at + (isCosine ? 0 : 2)] as number, this.#sines[at + (isCosine ? 1 : 3)] as number];
    const [first, lost] = product(sign * other, rest);
    const [result, tail] = sum([own, 0], [first, lost + ownLow + sign * (otherLow * rest + other * sine) + own * cosine]);
    const isBelow = turns > 1 !== (isNegative && !isCosine);
    return isBelow ? [-result, -tail] : [result, tail];
  }
}

/** Whether `value` is less than `most`, and more than its inverse, below 0 or above. */
const isWithin = (value: number, most: number): boolean => Math.abs(value) < most && Math.abs(value) > 1 / most;
const isTurned = (angle: number): boolean => Math.abs(angle) < MOST_TURNED && angle !== 0;

function tableOf(size: number, entry: (at: number) => readonly number[]): Float64Array {
  return new Float64Array(Array.from({ length: size }, (_, at) => entry(at)).flat());
}

/** 2 to `part`, of 0 to 1. */
function powerOfTwo(part: number): Pair {
  const root = sum([1, 0], expMinusOne(times([part / 2, 0], LN2_PAIR)));
  return times(root, root);
}

function logTable(): Float64Array {
  return tableOf(Math.ceil(Math.SQRT2 * STEPS) + 1, (at) => {
    if (at < Math.floor(Math.SQRT1_2 * STEPS)) return [0, 0, 0];
    const factor = STEPS / at;
    const near = -Math.log(factor);
    // One step of Newton's.
    const [error, low] = sum([factor - 1, 0], times(expMinusOne([near, 0]), [factor, 0]));
    return [factor, ...sum([near, 0], [-error, -low])];
  });
}

/** How close what is in a table is: so many for each 1, or for each doubling. */
const STEPS = 128;
/** Each in pieces, all but the last short enough for a small whole number of them to be exact. */
const LN2 = [0.6931471804855391, 7.440617109802979e-11, 2.0941744292700725e-21] as const;
const HALF_PI = [1.5707963267341256, 6.077100506303966e-11, 2.0222662487111665e-21, 8.4784276603689e-32] as const;
const LN2_PAIR = sum([LN2[0], LN2[1]], [LN2[2], 0]);
/** Nearer to 0 and to infinity something may be lost, or be infinite on the way. */
const MOST = 1e300;
const MOST_SIDE = 1e140;
/** Up to here the quarters of a circle that have passed are exact. */
const MOST_TURNED = 1e6;
