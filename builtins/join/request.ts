/** Settings of a join, from its flags and operands. */
import { BadValue } from "../../src/builtin/usage-error.ts";
import { quoteCurly } from "../../src/display/quote.ts";

export interface JoinRequest {
  /** The fields to join on, from 0. */
  readonly fields: readonly [number, number];
  /** The byte between fields; a newline: none, the line is one field; undefined: runs of blanks. */
  readonly tab: number | undefined;
  /** Printed for a field that is missing or empty. */
  readonly empty: Uint8Array;
  readonly format: readonly FieldSpec[];
  /** As many fields as each first line has. */
  readonly auto: boolean;
  readonly pairs: boolean;
  readonly unpaired: readonly [boolean, boolean];
  readonly ignoreCase: boolean;
  readonly header: boolean;
  readonly order: "fail" | "warn" | "ignore";
  readonly lineEnd: number;
}

/** A field of a file, from 0; of file 0 it is the common one. */
export interface FieldSpec {
  readonly file: 0 | 1 | 2;
  readonly field: number;
}

/** One value of -o. Throws BadValue. */
export function fieldList(text: string, fieldNumber: (text: string) => number): FieldSpec[] {
  return text.split(/[, \t]/).map((spec) => {
    const file = spec.charAt(0);
    if (file === "0") {
      if (spec === "0") return { file: 0, field: 0 };
      throw new BadValue(`invalid field specifier: ${quoteCurly(spec)}`);
    }
    if (file !== "1" && file !== "2") throw new BadValue(`invalid file number in field spec: ${quoteCurly(spec)}`);
    if (spec.charAt(1) !== ".") throw new BadValue(`invalid field specifier: ${quoteCurly(spec)}`);
    return { file: file === "1" ? 1 : 2, field: fieldNumber(spec.slice(2)) };
  });
}
