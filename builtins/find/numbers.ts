/** find's numeric arguments: `N` is exactly N, `+N` more, `-N` less. */

export interface Comparison {
  readonly than: "equal" | "more" | "less";
  readonly value: bigint;
}

/** undefined where `text` is no such number. */
export function readComparison(text: string): Comparison | undefined {
  const parts = /^([+-]?)([0-9]+)$/.exec(text);
  if (parts === null) return undefined;
  const value = BigInt(parts[2] as string);
  return value > MOST ? undefined : { than: thanOf(parts[1] as string), value };
}

const MOST = (1n << 64n) - 1n;

export const thanOf = (sign: string): Comparison["than"] => (sign === "+" ? "more" : sign === "-" ? "less" : "equal");

export function holds({ than, value }: Comparison, actual: bigint): boolean {
  switch (than) {
    case "equal":
      return actual === value;
    case "more":
      return actual > value;
    case "less":
      return actual < value;
  }
}
