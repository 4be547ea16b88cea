/** Operations of jq on JSON values that need no module: sums (`+`), whole numbers, and values as text (`tostring`, `tojson`). */
import { HandOver } from "./hand-over.ts";
import { jsonOf, Fields, itemsOf, KIND, kindOf, List, madeText, Numeral, numberOf, Text, textOf, type Value } from "./json-value.ts";
import type { JsonTape } from "./json-tape.ts";

/** `left + right`, of which numbers are left to the module unless they are whole. Throws HandOver where jq has an error. */
export function sumOf(tape: JsonTape, left: Value, right: Value): Value {
  const kind = kindOf(tape, left);
  const other = kindOf(tape, right);
  if (kind === KIND.null) return right;
  if (other === KIND.null) return left;
  if (kind !== other) throw new HandOver();
  if (kind === KIND.string) return madeText(tape, textOf(tape, left) + textOf(tape, right));
  if (kind === KIND.array) return new List(tape, [...itemsOf(tape, left), ...itemsOf(tape, right)]);
  if (kind === KIND.number) return wholeNumber(wholeOf(tape, left) + wholeOf(tape, right));
  throw new HandOver();
}

/** Throws HandOver past 15 digits. */
export const wholeNumber = (value: number): Numeral => new Numeral(String(value));

/** The value of a whole number, but for minus zero. Throws HandOver for anything else. */
export function wholeOf(tape: JsonTape, value: Value): number {
  const number = numberOf(tape, value);
  if (!Number.isSafeInteger(number) || Object.is(number, -0)) throw new HandOver();
  return number;
}

/** `tostring`: a string as it is, anything else as JSON. */
export function jsonTextOf(tape: JsonTape, value: Value): string {
  return kindOf(tape, value) === KIND.string ? textOf(tape, value) : compactJson(tape, value);
}

/** `tojson`. */
export function compactJson(tape: JsonTape, value: Value): string {
  if (typeof value === "number") {
    if (!tape.isContainer(value) || tape.isCompact) return tape.isRewritten(value) ? jsonOf(tape.textAt(value)) : tape.source(value);
    if (tape.firstByte(value) === 0x5b)
      return `[${tape
        .children(value)
        .map((item) => compactJson(tape, item))
        .join(",")}]`;
    const keys = tape.keys(value);
    return `{${keys.map((key) => `${tape.source(key)}:${compactJson(tape, key + 2)}`).join(",")}}`;
  }
  if (value instanceof Text) return jsonOf(value.text);
  if (value instanceof Numeral) return value.literal;
  // Shared parts may make it far longer than it looks.
  if ((value instanceof List || value instanceof Fields) && value.size > MOST_MADE_BYTES) throw new HandOver();
  if (value instanceof List) return `[${value.items.map((item) => compactJson(tape, item)).join(",")}]`;
  if (value instanceof Fields) {
    const { names, values } = value;
    return `{${names.map((name, at) => `${jsonOf(name.text)}:${compactJson(tape, values[at] ?? null)}`).join(",")}}`;
  }
  return String(value);
}

const MOST_MADE_BYTES = 1 << 24;
