/**
 * The functions of bc -l. The digits of their results follow from the steps by which they are computed, so the steps, and
 * the scale of each, are those that GNU bc documents for its library: series, after the argument was brought near zero.
 */
import {
  add,
  atScale,
  compare,
  divide,
  fromInteger,
  integerDigits,
  isZero,
  modulo,
  multiply,
  negate,
  num,
  ONE,
  power10,
  raise,
  squareRoot,
  subtract,
  toLong,
  TWO,
  ZERO,
  type Num,
} from "./number.ts";

export interface MathFunction {
  readonly name: string;
  readonly parameters: number;
  /** Throws LimitReached. */
  compute(args: readonly Num[], scale: number): Num;
}

/** In the order of their numbers in compiled code. */
export const MATH_FUNCTIONS: readonly MathFunction[] = [
  { name: "e", parameters: 1, compute: ([x = ZERO], scale) => exponential(x, scale) },
  { name: "l", parameters: 1, compute: ([x = ZERO], scale) => logarithm(x, scale) },
  { name: "s", parameters: 1, compute: ([x = ZERO], scale) => sine(x, scale) },
  { name: "a", parameters: 1, compute: ([x = ZERO], scale) => arctangent(x, scale) },
  { name: "c", parameters: 1, compute: ([x = ZERO], scale) => cosine(x, scale) },
  { name: "j", parameters: 2, compute: ([n = ZERO, x = ZERO], scale) => bessel(n, x, scale) },
];

const isBelow = (one: Num, other: Num): boolean => compare(one, other) < 0;
const isAbove = (one: Num, other: Num): boolean => compare(one, other) > 0;
const whole = (value: Num): number => Number(toLong(value));

/** Adds terms to `sum` until one is zero; `termAt` gives the term of an index. */
function summed(sum: Num, first: number, step: number, termAt: (index: Num) => Num): Num {
  for (let index = first, total = sum; ; index += step) {
    const term = termAt(fromInteger(index));
    if (isZero(term)) return total;
    total = add(total, term);
  }
}

const POINT_44 = num(44n, 2);

function exponential(argument: Num, scale: number): Num {
  const isInverse = isBelow(argument, ZERO);
  let x = isInverse ? negate(argument) : argument;
  const working = whole(add(fromInteger(6 + scale), multiply(POINT_44, x, scale)));
  // Past this the result has more digits than a number may have.
  power10(working);
  let halvings = 0;
  for (let halved = x.scale + 1; isAbove(x, ONE); halved++, halvings++) x = divide(x, TWO, halved);
  let power = x;
  let factorial = ONE;
  let sum = summed(add(ONE, x), 2, 1, (index) => {
    power = multiply(power, x, working);
    factorial = multiply(factorial, index, working);
    return divide(power, factorial, working);
  });
  for (; halvings > 0; halvings--) sum = multiply(sum, sum, working);
  return isInverse ? divide(ONE, sum, scale) : divide(sum, ONE, scale);
}

const HALF = num(5n, 1);

function logarithm(argument: Num, scale: number): Num {
  if (!isAbove(argument, ZERO)) return divide(subtract(ONE, num(power10(scale), 0)), ONE, scale);
  const working = 6 + scale;
  let factor = TWO;
  let x = argument;
  for (; !isBelow(x, TWO); factor = multiply(factor, TWO, working)) x = squareRoot(x, working) ?? ZERO;
  for (; !isAbove(x, HALF); factor = multiply(factor, TWO, working)) x = squareRoot(x, working) ?? ZERO;
  let power = divide(subtract(x, ONE), add(x, ONE), working);
  const square = multiply(power, power, working);
  const sum = summed(power, 3, 2, (index) => {
    power = multiply(power, square, working);
    return divide(power, index, working);
  });
  return divide(multiply(factor, sum, working), ONE, scale);
}

const FOUR = num(4n, 0);

function sine(argument: Num, scale: number): Num {
  const quarter = arctangent(ONE, whole(add(multiply(num(11n, 1), fromInteger(scale), scale), TWO)));
  const isNegative = isBelow(argument, ZERO);
  let x = isNegative ? negate(argument) : argument;
  const turns = divide(add(divide(x, quarter, 0), TWO), FOUR, 0);
  x = subtract(x, multiply(multiply(FOUR, turns, 0), quarter, 0));
  if (!isZero(modulo(turns, TWO, 0))) x = negate(x);
  const working = scale + 2;
  const square = multiply(negate(x), x, working);
  let term = x;
  const sum = summed(x, 3, 2, (index) => {
    const divisor = multiply(index, subtract(index, ONE), working);
    term = multiply(term, divide(square, divisor, working), working);
    return term;
  });
  return divide(isNegative ? negate(sum) : sum, ONE, scale);
}

function cosine(x: Num, scale: number): Num {
  const working = whole(multiply(fromInteger(scale), num(12n, 1), scale));
  const quarter = arctangent(ONE, working);
  return divide(sine(add(x, multiply(quarter, TWO, working)), working), ONE, scale);
}

const FIFTH = num(2n, 1);
/** π/4 and arctan 1/5, cut off after 25, 40 and 60 digits: what stands for them up to these scales. */
const QUARTERS = ["7853981633974483096156608", "7853981633974483096156608458198757210492"].concat(
  "785398163397448309615660845819875721049292349843776455243736",
);
const FIFTHS = ["1973955598498807583700497", "1973955598498807583700497651947902934475"].concat(
  "197395559849880758370049765194790293447585103787852101517688",
);

function arctangent(argument: Num, scale: number): Num {
  const sign = isBelow(argument, ZERO) ? fromInteger(-1) : ONE;
  let x = isBelow(argument, ZERO) ? negate(argument) : argument;
  const known = compare(x, ONE) === 0 ? QUARTERS : compare(x, FIFTH) === 0 ? FIFTHS : [];
  const digits = scale <= 25 ? known[0] : scale <= 40 ? known[1] : scale <= 60 ? known[2] : undefined;
  if (digits !== undefined) return divide(num(BigInt(digits), digits.length), sign, scale);
  const fifth = isAbove(x, FIFTH) ? arctangent(FIFTH, scale + 5) : ZERO;
  const working = scale + 3;
  let fifths = 0;
  for (; isAbove(x, FIFTH); fifths++) x = divide(subtract(x, FIFTH), add(ONE, multiply(x, FIFTH, working)), working);
  const square = multiply(negate(x), x, working);
  let power = x;
  const sum = summed(x, 3, 2, (index) => {
    power = multiply(power, square, working);
    return divide(power, index, working);
  });
  return divide(add(multiply(fromInteger(fifths), fifth, scale), sum), sign, scale);
}

function bessel(order: Num, x: Num, scale: number): Num {
  let n = divide(order, ONE, 0);
  let isNegative = false;
  if (isBelow(n, ZERO)) {
    n = negate(n);
    isNegative = compare(modulo(n, TWO, 0), ONE) === 0;
  }
  let factorial = ONE;
  for (let index = TWO; !isAbove(index, n); index = add(index, ONE)) factorial = multiply(factorial, index, 0);
  const working = whole(multiply(num(15n, 1), fromInteger(scale), 0));
  const times = toLong(n);
  const [power, two] = [raise(x, times, working) ?? ZERO, raise(TWO, times, working) ?? ONE];
  const factor = divide(divide(power, two, working), factorial, working);
  const square = divide(multiply(negate(x), x, working), FOUR, working);
  const length = lengthOf(factor) - factor.scale;
  const last = Math.max(0, whole(add(multiply(num(15n, 1), fromInteger(scale), working), fromInteger(length))));
  let term = ONE;
  const sum = summed(ONE, 1, 1, (index) => {
    term = divide(divide(multiply(term, square, last), index, last), add(n, index), last);
    return term;
  });
  return divide(multiply(isNegative ? negate(factor) : factor, sum, scale), ONE, scale);
}

/** Significant digits, as bc's length(): a lone zero before the point does not count. */
export function lengthOf(value: Num): number {
  const isFraction = value.scale > 0 && isZero(atScale(value, 0));
  return isFraction ? value.scale : integerDigits(value) + value.scale;
}
