/** The order of two lines: key by key, then as a last resort byte by byte. */
import { compareBytes } from "../../src/io/byte-order.ts";
import { compareVersions } from "../../src/numbers/version-order.ts";
import { compareDecimals, unitOrder } from "./decimal.ts";
import { keyEnd, keyStart } from "./fields.ts";
import { compareGeneral, readGeneral } from "./general-number.ts";
import type { SortKey } from "./key-spec.ts";
import { monthOf } from "./months.ts";
import { randomDigest } from "./random-order.ts";
import { comparedBytes, isTransformed } from "./text-key.ts";

export interface Order {
  /** None: the whole line as text is the order. */
  readonly keys: readonly SortKey[];
  /** -t; undefined: fields begin with blanks. */
  readonly tab: number | undefined;
  /** Whether lines whose keys are equal are ordered by all their bytes (not with -s and -u). */
  readonly lastResort: boolean;
  /** -r of the command: turns the last resort round. */
  readonly reverse: boolean;
  /** For -R. */
  readonly salt: Uint8Array;
}

/** Compares the line `a[aFrom..aTo)` with `b[bFrom..bTo)`, both without their end. */
export type LineComparison = (a: Buffer, aFrom: number, aTo: number, b: Buffer, bFrom: number, bTo: number) => number;

export function lineComparison(order: Order): LineComparison {
  const { keys, tab, lastResort, reverse } = order;
  const bySpec = keys.map((key) => ({ key, compare: keyComparison(key, order.salt) }));
  const [only] = bySpec;
  if (only === undefined) return reverse ? (a, aFrom, aTo, b, bFrom, bTo) => -compareBytes(a, aFrom, aTo, b, bFrom, bTo) : compareBytes;
  return (a, aFrom, aTo, b, bFrom, bTo) => {
    for (const { key, compare } of bySpec) {
      const aStart = keyStart(a, aFrom, aTo, key, tab);
      const bStart = keyStart(b, bFrom, bTo, key, tab);
      const aEnd = Math.max(aStart, keyEnd(a, aFrom, aTo, key, tab));
      const bEnd = Math.max(bStart, keyEnd(b, bFrom, bTo, key, tab));
      const result = compare(a, aStart, aEnd, b, bStart, bEnd);
      if (result !== 0) return key.reverse ? -result : result;
    }
    if (!lastResort) return 0;
    const result = compareBytes(a, aFrom, aTo, b, bFrom, bTo);
    return reverse ? -result : result;
  };
}

/** Which of the orderings a key with several of them uses. */
export type KeyKind = "numeric" | "general" | "human" | "month" | "random" | "version" | "text";

export function keyKind(key: SortKey): KeyKind {
  if (key.numeric) return "numeric";
  if (key.general) return "general";
  if (key.human) return "human";
  if (key.month) return "month";
  if (key.random) return "random";
  return key.version ? "version" : "text";
}

function keyComparison(key: SortKey, salt: Uint8Array): LineComparison {
  const kind = keyKind(key);
  switch (kind) {
    case "numeric":
      return compareDecimals;
    case "general":
      return (a, aFrom, aTo, b, bFrom, bTo) => compareGeneral(readGeneral(a, aFrom, aTo), readGeneral(b, bFrom, bTo));
    case "month":
      return (a, aFrom, aTo, b, bFrom, bTo) => monthOf(a, aFrom, aTo) - monthOf(b, bFrom, bTo);
    case "human":
    case "random":
    case "version":
    case "text": {
      const compare = { human: compareSizes, random: comparingRandomly(salt), version: compareVersions, text: compareBytes }[kind];
      if (!isTransformed(key)) return compare;
      return (a, aFrom, aTo, b, bFrom, bTo) => {
        const left = comparedBytes(a, aFrom, aTo, key);
        const right = comparedBytes(b, bFrom, bTo, key);
        return compare(left, 0, left.length, right, 0, right.length);
      };
    }
  }
}

function compareSizes(a: Buffer, aFrom: number, aTo: number, b: Buffer, bFrom: number, bTo: number): number {
  return unitOrder(a, aFrom, aTo) - unitOrder(b, bFrom, bTo) || compareDecimals(a, aFrom, aTo, b, bFrom, bTo);
}

function comparingRandomly(salt: Uint8Array): LineComparison {
  return (a, aFrom, aTo, b, bFrom, bTo) => {
    if (compareBytes(a, aFrom, aTo, b, bFrom, bTo) === 0) return 0;
    return randomDigest(salt, a.subarray(aFrom, aTo)).compare(randomDigest(salt, b.subarray(bFrom, bTo)));
  };
}
