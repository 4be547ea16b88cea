/** -M: the month that a key begins with. */
import { skipBlanks } from "./decimal.ts";

/** 1–12, or 0 where the key begins with no month's name. The first three letters decide; case does not. */
export function monthOf(bytes: Buffer, from: number, to: number): number {
  const start = skipBlanks(bytes, from, to);
  if (to - start < 3) return 0;
  return MONTHS.indexOf(bytes.toString("latin1", start, start + 3).toUpperCase()) + 1;
}

const MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
