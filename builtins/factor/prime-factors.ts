/** Prime factors: small primes by division, the rest by Pollard's rho with the test of Miller and Rabin. */

/** In ascending order; none for 0 and 1. `pause` is called now and then, and may throw. */
export async function primeFactors(number: bigint, pause: () => Promise<void>): Promise<bigint[]> {
  const factors: bigint[] = [];
  let rest = number;
  if (rest < 2n) return factors;
  for (let divisor = 2; divisor < TRIAL_END && BigInt(divisor) * BigInt(divisor) <= rest; divisor += divisor === 2 ? 1 : 2) {
    if (rest <= MAX_SAFE) return smallFactors(Number(rest), divisor, factors);
    for (const by = BigInt(divisor); rest % by === 0n; rest /= by) factors.push(by);
  }
  const open = rest > 1n ? [rest] : [];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (isPrime(next)) {
      factors.push(next);
      continue;
    }
    const divisor = await divisorOf(next, pause);
    open.push(divisor, next / divisor);
  }
  return factors.sort((one, other) => (one < other ? -1 : one > other ? 1 : 0));
}

/** Past this rho is faster than division. */
const TRIAL_END = 5_000;
const MAX_SAFE = 1n << 40n;

/** By division alone: at most 2^20 of them. */
function smallFactors(number: number, from: number, factors: bigint[]): bigint[] {
  let rest = number;
  for (let divisor = from; divisor * divisor <= rest; divisor += divisor === 2 ? 1 : 2) {
    while (rest % divisor === 0) {
      factors.push(BigInt(divisor));
      rest /= divisor;
    }
  }
  if (rest > 1) factors.push(BigInt(rest));
  return factors;
}

/** Certain below 3.3 × 10^24 with these bases, and beyond for all that anybody has found. */
const BASES = [2n, 3n, 5n, 7n, 11n, 13n, 17n, 19n, 23n, 29n, 31n, 37n, 41n, 43n, 47n, 53n];

function isPrime(number: bigint): boolean {
  if (BASES.includes(number)) return true;
  if (number < 2n || number % 2n === 0n) return false;
  let odd = number - 1n;
  let twos = 0;
  for (; odd % 2n === 0n; odd /= 2n) twos++;
  return BASES.every((base) => {
    let power = powerModulo(base, odd, number);
    if (power === 1n || power === number - 1n) return true;
    for (let round = 1; round < twos; round++) {
      power = (power * power) % number;
      if (power === number - 1n) return true;
    }
    return false;
  });
}

function powerModulo(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  let square = base % modulus;
  for (let left = exponent; left > 0n; left >>= 1n) {
    if ((left & 1n) === 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

/** A divisor of a composite number, by Brent's form of rho. */
async function divisorOf(number: bigint, pause: () => Promise<void>): Promise<bigint> {
  if (number % 2n === 0n) return 2n;
  for (let constant = 1n; ; constant++) {
    const step = (value: bigint): bigint => (value * value + constant) % number;
    let slow = 2n;
    let fast = 2n;
    let divisor = 1n;
    while (divisor === 1n) {
      let product = 1n;
      const [slowBefore, fastBefore] = [slow, fast];
      for (let round = 0; round < 128; round++) {
        slow = step(slow);
        fast = step(step(fast));
        product = (product * (slow > fast ? slow - fast : fast - slow)) % number;
      }
      divisor = greatestCommonDivisor(product, number);
      await pause();
      if (divisor !== number) continue;
      // All in one batch: again, one step at a time.
      [slow, fast, divisor] = [slowBefore, fastBefore, 1n];
      while (divisor === 1n) {
        slow = step(slow);
        fast = step(step(fast));
        divisor = greatestCommonDivisor(slow > fast ? slow - fast : fast - slow, number);
      }
    }
    if (divisor !== number) return divisor;
  }
}

function greatestCommonDivisor(one: bigint, other: bigint): bigint {
  let [a, b] = [one, other];
  while (b > 0n) [a, b] = [b, a % b];
  return a;
}
