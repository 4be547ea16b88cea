/** The columns of numbers that stand for an order: see run.ts. */
import { readDecimal, unitOrder, type Reading } from "./decimal.ts";
import { keyEnd, keyStart } from "./fields.ts";
import { readGeneral } from "./general-number.ts";
import { wholeLine, noOrdering, type SortKey } from "./key-spec.ts";
import { monthOf } from "./months.ts";
import { keyKind, type Order } from "./order.ts";
import { randomDigest } from "./random-order.ts";
import { comparedBytes, folded, isTransformed } from "./text-key.ts";

/** The text of all lines, and where each begins; the start after the last line's is the end of the text. */
export interface Lines {
  readonly text: Buffer;
  readonly starts: Uint32Array;
  /** Where the first key begins and ends in each line, from its first column on. Without them it is looked for again. */
  readonly places?: KeyPlaces | undefined;
}

export interface KeyPlaces {
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

export type Column = FilledColumn | { readonly kind: "compare" };

export interface FilledColumn {
  /** "text": equal values are equal bytes. "number": only where `fill` says so. */
  readonly kind: "text" | "number";
  /** Sets `values[at]` for line `sequence[at]`, from..to. False: some lines with equal values may still differ. */
  fill(lines: Lines, sequence: Uint32Array, values: Float64Array, from: number, to: number): boolean;
  /** What orders lines that have `value` in common; undefined: nothing does. */
  next(value: number): Column | undefined;
}

/** The first column of an order. Where no line differs from another within its first `alike` bytes, these are left out. */
export function columnsOf(order: Order, alike = 0): Column {
  const keys = order.keys.map((key) => ({ key, tab: order.tab }));
  const whole = { key: wholeLine({ ...noOrdering(), reverse: order.reverse }), tab: undefined };
  const all = keys.length === 0 || order.lastResort ? [...keys, whole] : keys;
  return columnOfKey(all, 0, order.salt, alike) as Column;
}

interface PlacedKey {
  readonly key: SortKey;
  readonly tab: number | undefined;
}

function columnOfKey(keys: readonly PlacedKey[], at: number, salt: Uint8Array, depth = 0): Column | undefined {
  const placed = keys[at];
  if (placed === undefined) return undefined;
  const { key } = placed;
  const nextKey = once(() => columnOfKey(keys, at + 1, salt));
  const kind = keyKind(key);
  /** What the reader says of its last value: one object, for it is set and read within one step. */
  const reading: Reading = { value: 0, exact: true };
  const comparing: Column = { kind: "compare" };
  switch (kind) {
    case "version":
      return comparing;
    case "text":
      if (key.ignore !== undefined)
        return numberColumn(
          placed,
          (text, from, to) => prefix(comparedBytes(text, from, to, key), 0, Infinity),
          () => comparing,
        );
      return textColumn(placed, depth, nextKey);
    case "numeric":
      return numberColumn(
        placed,
        (text, from, to) => {
          readDecimal(text, from, to, reading);
          return reading.value;
        },
        nextKey,
      );
    case "human":
      return numberColumn(placed, humanValue, nextKey);
    case "general":
      return numberColumn(placed, generalValue, nextKey);
    case "month":
      return numberColumn(placed, monthOf, nextKey);
    case "random":
      return numberColumn(
        placed,
        (text, from, to) =>
          randomDigest(salt, isTransformed(key) ? comparedBytes(text, from, to, key) : text.subarray(from, to)).readUIntBE(0, 6),
        () => comparing,
      );
  }

  /** `read` gives the number, and leaves in `reading.exact` whether equal numbers are equal keys. */
  function numberColumn(
    { key: { reverse } }: PlacedKey,
    read: (text: Buffer, from: number, to: number) => number,
    next: () => Column | undefined,
  ): Column {
    return {
      kind: "number",
      fill(lines, sequence, values, from, to) {
        let isExact = true;
        for (let index = from; index < to; index++) {
          const [start, end] = keyPlace(lines, sequence[index] as number, placed as PlacedKey);
          reading.exact = true;
          const value = read(lines.text, start, end);
          isExact &&= reading.exact;
          values[index] = reverse ? -value : value;
        }
        return isExact;
      },
      next,
    };
  }

  function generalValue(text: Buffer, from: number, to: number): number {
    const { rank, value, exact } = readGeneral(text, from, to);
    reading.exact = rank === 2 && exact && Number.isFinite(value);
    return rank === 2 ? value : -Infinity;
  }

  /** -f makes a unit of every letter: 5m is 5M. */
  function humanValue(text: Buffer, from: number, to: number): number {
    if (isTransformed(key)) return sizeValue(comparedBytes(text, from, to, key), 0);
    return sizeValue(text, from, to);
  }

  function sizeValue(text: Buffer, from: number, to = text.length): number {
    const order = unitOrder(text, from, to);
    readDecimal(text, from, to, reading);
    const { value } = reading;
    if (order === 0) {
      reading.exact &&= Math.abs(value) < UNIT_STEP;
      return Math.max(-UNIT_STEP, Math.min(UNIT_STEP, value));
    }
    const magnitude = Math.min(Math.abs(value), UNIT_STEP - 1);
    reading.exact &&= Number.isInteger(value) && magnitude < UNIT_STEP - 1;
    return Math.sign(order) * (Math.abs(order) * UNIT_STEP + magnitude);
  }

  function textColumn(placed: PlacedKey, depth: number, next: () => Column | undefined): Column {
    const { fold, reverse } = placed.key;
    const deeper = once(() => textColumn(placed, depth + PREFIX_BYTES, next));
    const isWhole = isWholeLine(placed.key);
    return {
      kind: "text",
      fill(lines, sequence, values, from, to) {
        const { text, starts } = lines;
        const places = at === 0 ? lines.places : undefined;
        // Where they are kept, the key's first column finds them.
        const finds = places === undefined || depth === 0;
        for (let index = from; index < to; index++) {
          const line = sequence[index] as number;
          let start = starts[line] as number;
          let end = (starts[line + 1] as number) - 1;
          if (!isWhole) {
            if (finds) [start, end] = keyPlace(lines, line, placed);
            else [start, end] = [places.starts[line] as number, places.ends[line] as number];
            if (places !== undefined && finds) {
              places.starts[line] = start;
              places.ends[line] = end;
            }
          }
          const value = fold ? foldedPrefix(text, start + depth, end) : prefix(text, start + depth, end);
          values[index] = reverse ? -value : value;
        }
        return true;
      },
      next: (value) => (value % BASE === 0 ? next() : deeper()),
    };
  }
}

/** Whether the places of the first key are to be kept: it is text, of which there are several columns, and not the line. */
export function wantsPlaces({ keys }: Order): boolean {
  const [first] = keys;
  return first !== undefined && keyKind(first) === "text" && first.ignore === undefined && !isWholeLine(first);
}

const isWholeLine = (key: SortKey): boolean =>
  key.startField === 0 && key.startByte === 0 && key.endField === Infinity && !key.skipStartBlanks;

/** Makes a column when it is first asked for: there are as many askers as there are groups of equal lines. */
function once(make: () => Column | undefined): () => Column | undefined {
  let made: { readonly column: Column | undefined } | undefined;
  return () => (made ??= { column: make() }).column;
}

/** Above what stands before a unit in any sane number; past it lines are compared. */
const UNIT_STEP = 2 ** 40;

function keyPlace({ text, starts }: Lines, line: number, { key, tab }: PlacedKey): readonly [number, number] {
  const from = starts[line] as number;
  const to = (starts[line + 1] as number) - 1;
  const start = keyStart(text, from, to, key, tab);
  return [start, Math.max(start, keyEnd(text, from, to, key, tab))];
}

/**
 * Six bytes as a number, where the end of the key is a digit of its own below every byte: 257^6 fits in a double.
 * So the number is a multiple of 257 exactly where the key ends within.
 */
const BASE = 257;
const PREFIX_BYTES = 6;

function prefix(bytes: Uint8Array, from: number, to: number): number {
  const end = Math.min(to, bytes.length);
  let value = 0;
  for (let at = from; at < from + PREFIX_BYTES; at++) value = value * BASE + (at < end ? (bytes[at] as number) + 1 : 0);
  return value;
}

function foldedPrefix(bytes: Uint8Array, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < from + PREFIX_BYTES; at++) value = value * BASE + (at < to ? folded(bytes[at] as number) + 1 : 0);
  return value;
}
