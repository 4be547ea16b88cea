/** fd's sizes: `+10k` at least, `-1mi` at most, `5b` exactly. */
import { BadValue } from "../../src/builtin/usage-error.ts";

export interface SizeLimit {
  readonly kind: "least" | "most" | "exact";
  readonly bytes: number;
}

const UNITS: Readonly<Record<string, number>> = {
  ...{ b: 1, k: 1e3, m: 1e6, g: 1e9, t: 1e12 },
  ...{ ki: 2 ** 10, mi: 2 ** 20, gi: 2 ** 30, ti: 2 ** 40 },
};

/** Throws BadValue in fd's words. */
export function readSize(value: string): SizeLimit {
  const [, sign, digits = "", unit = ""] = /^([+-]?)([0-9]+)(b|[kmgt]i?b?)$/i.exec(value) ?? [];
  const times = UNITS[unit.toLowerCase().replace(/(?<=.)b$/, "")];
  if (sign === undefined || times === undefined || BigInt(digits) > 0xffff_ffff_ffff_ffffn)
    throw new BadValue(`'${value}' is not a valid size constraint. See 'fd --help'.`);
  return { kind: sign === "+" ? "least" : sign === "-" ? "most" : "exact", bytes: Number(digits) * times };
}

export function isWithin({ kind, bytes }: SizeLimit, size: number): boolean {
  return kind === "least" ? size >= bytes : kind === "most" ? size <= bytes : size === bytes;
}
