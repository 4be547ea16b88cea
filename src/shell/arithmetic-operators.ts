/** The operators of shell arithmetic (bash manual §6.5): their spelling, their precedence, and their results in 64 bits. */

/** The longest that fits is the one. */
export const OPERATORS = [
  "<<=",
  ">>=",
  "**",
  "++",
  "--",
  "<<",
  ">>",
  "<=",
  ">=",
  "==",
  "!=",
  "&&",
  "||",
  "+=",
  "-=",
  "*=",
  "/=",
  "%=",
  "&=",
  "^=",
  "|=",
  "+",
  "-",
  "*",
  "/",
  "%",
  "<",
  ">",
  "=",
  "!",
  "~",
  "&",
  "|",
  "^",
  "?",
  ":",
  ",",
  "(",
  ")",
];

/** Binary operators by precedence, from the loosest to the tightest. */
export const LEVELS: readonly (readonly string[])[] = [
  ["||"],
  ["&&"],
  ["|"],
  ["^"],
  ["&"],
  ["==", "!="],
  ["<=", ">=", "<", ">"],
  ["<<", ">>"],
  ["+", "-"],
  ["*", "/", "%"],
];
export const ASSIGNMENTS: ReadonlySet<string> = new Set(["=", "*=", "/=", "%=", "+=", "-=", "<<=", ">>=", "&=", "^=", "|="]);
const truth = (holds: boolean): bigint => (holds ? 1n : 0n);
export const OPERATIONS: Readonly<Record<string, (a: bigint, b: bigint) => bigint>> = {
  "+": (a, b) => wrapped(a + b),
  "-": (a, b) => wrapped(a - b),
  "*": (a, b) => wrapped(a * b),
  "<<": (a, b) => wrapped(a << (b & 63n)),
  ">>": (a, b) => a >> (b & 63n),
  "&": (a, b) => a & b,
  "|": (a, b) => a | b,
  "^": (a, b) => a ^ b,
  "==": (a, b) => truth(a === b),
  "!=": (a, b) => truth(a !== b),
  "<": (a, b) => truth(a < b),
  ">": (a, b) => truth(a > b),
  "<=": (a, b) => truth(a <= b),
  ">=": (a, b) => truth(a >= b),
};

/** Bits past the 64th are lost. */
export const wrapped = (value: bigint): bigint => BigInt.asIntN(64, value);

/** `exponent` ≥ 0. */
export function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let factor = base;
  for (let left = exponent; left > 0n; left >>= 1n) {
    if ((left & 1n) === 1n) result = wrapped(result * factor);
    factor = wrapped(factor * factor);
  }
  return result;
}
