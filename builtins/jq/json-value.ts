/**
 * Values that a filter works on: a value of the input as its place on the tape (json-tape.ts), so that most of the input is never
 * anything but bytes, or a value that a filter made.
 */
import { HandOver } from "./hand-over.ts";
import type { JsonTape } from "./json-tape.ts";

/** A number is a place on the tape. */
export type Value = number | null | boolean | Text | Numeral | List | Fields;

/** A string that a filter made or named; well-formed. */
export class Text {
  readonly text: string;
  #bytes: Buffer | undefined;
  #json: Buffer | undefined;

  constructor(text: string) {
    if (text.length > MOST_TEXT_UNITS) throw new HandOver();
    this.text = text;
  }

  /** UTF-8. */
  get bytes(): Buffer {
    this.#bytes ??= Buffer.from(this.text);
    return this.#bytes;
  }

  /** As jq prints it. */
  get json(): Buffer {
    this.#json ??= Buffer.from(jsonOf(this.text));
    return this.#json;
  }
}

/** A string that a filter made. */
export function madeText(tape: JsonTape, text: string): Text {
  tape.spend(text.length);
  return new Text(text);
}

/** A number that a filter made or named: a literal prints as it was written. */
export class Numeral {
  readonly literal: string;
  readonly value: number;

  constructor(literal: string) {
    if (literal.length > MOST_EXACT_LITERAL) throw new HandOver();
    this.literal = literal;
    this.value = Number(literal);
  }
}

/** An array that a filter made. */
export class List {
  readonly items: readonly Value[];
  /** About how many bytes it prints as. */
  readonly size: number;

  constructor(tape: JsonTape, items: readonly Value[]) {
    tape.spend(8 * items.length);
    this.items = items;
    this.size = items.reduce<number>((sum, item) => sum + sizeOf(tape, item), 2);
  }
}

/** An object that a filter made; the names differ. */
export class Fields {
  readonly names: readonly Text[];
  readonly values: readonly Value[];
  readonly size: number;

  constructor(tape: JsonTape, names: readonly Text[], values: readonly Value[]) {
    tape.spend(8 * values.length);
    this.names = names;
    this.values = values;
    this.size = values.reduce<number>((sum, value) => sum + sizeOf(tape, value), 2 + 8 * names.length);
  }
}

/** About how many bytes `value` prints as. */
export function sizeOf(tape: JsonTape, value: Value): number {
  if (typeof value === "number") return tape.endOf(value) - tape.startOf(value);
  if (value instanceof Text) return value.text.length + 2;
  return value instanceof List || value instanceof Fields ? value.size + 2 : 16;
}

/** In jq's order of kinds, null and the booleans being a kind each. */
export const KIND = { null: 0, false: 1, true: 2, number: 3, string: 4, array: 5, object: 6 } as const;
export const KIND_NAMES = ["null", "boolean", "boolean", "number", "string", "array", "object"] as const;

export function kindOf(tape: JsonTape, value: Value): number {
  if (typeof value !== "number") {
    if (value === null) return KIND.null;
    if (typeof value === "boolean") return value ? KIND.true : KIND.false;
    if (value instanceof Text) return KIND.string;
    if (value instanceof Numeral) return KIND.number;
    return value instanceof List ? KIND.array : KIND.object;
  }
  switch (tape.firstByte(value)) {
    case 0x22:
      return KIND.string;
    case 0x7b:
      return KIND.object;
    case 0x5b:
      return KIND.array;
    case 0x6e:
      return KIND.null;
    case 0x66:
      return KIND.false;
    case 0x74:
      return KIND.true;
    default:
      return KIND.number;
  }
}

export function isTrue(tape: JsonTape, value: Value): boolean {
  if (typeof value !== "number") return value !== null && value !== false;
  const byte = tape.firstByte(value);
  return byte !== 0x6e && byte !== 0x66;
}

/** `.name`. Throws HandOver where jq has an error. */
export function fieldOf(tape: JsonTape, value: Value, name: Text): Value {
  if (typeof value === "number") {
    const first = tape.firstByte(value);
    if (first === 0x7b) {
      const found = tape.find(value, name.bytes);
      return found < 0 ? null : found;
    }
    if (first === 0x6e) return null;
  } else {
    if (value === null) return null;
    if (value instanceof Fields) {
      const at = value.names.findIndex(({ text }) => text === name.text);
      return at < 0 ? null : (value.values[at] as Value);
    }
  }
  throw new HandOver();
}

/** `.[index]`, from the end where it is negative. Throws HandOver where jq has an error. */
export function itemOf(tape: JsonTape, value: Value, index: number): Value {
  const kind = kindOf(tape, value);
  if (kind === KIND.null) return null;
  if (kind !== KIND.array) throw new HandOver();
  if (value instanceof List) return value.items.at(index) ?? null;
  if (index < 0) return itemsOf(tape, value).at(index) ?? null;
  let left = index;
  for (const item of tape.children(value as number)) if (left-- === 0) return item;
  return null;
}

/** The items of an array or the values of an object. Throws HandOver for anything else. */
export function itemsOf(tape: JsonTape, value: Value): readonly Value[] {
  if (value instanceof List) return value.items;
  if (value instanceof Fields) return value.values;
  if (typeof value !== "number" || !tape.isContainer(value)) throw new HandOver();
  return tape.children(value);
}

/** The names of an object. Throws HandOver for anything else. */
export function namesOf(tape: JsonTape, value: Value): readonly Text[] {
  if (value instanceof Fields) return value.names;
  if (typeof value !== "number" || tape.firstByte(value) !== 0x7b) throw new HandOver();
  return tape.keys(value).map((key) => madeText(tape, tape.textAt(key)));
}

/** The text of a string. Throws HandOver for anything else. */
export function textOf(tape: JsonTape, value: Value): string {
  if (value instanceof Text) return value.text;
  if (typeof value !== "number" || tape.firstByte(value) !== 0x22) throw new HandOver();
  return tape.textAt(value);
}

/** A number that has exactly the value of its literal, as far as comparing goes. Throws HandOver for anything else. */
export function numberOf(tape: JsonTape, value: Value): number {
  if (value instanceof Numeral) return value.value;
  if (typeof value !== "number" || kindOf(tape, value) !== KIND.number) throw new HandOver();
  const literal = tape.source(value);
  if (literal.length > MOST_EXACT_LITERAL) throw new HandOver();
  return Number(literal);
}

/** Below, above or 0, in jq's order; arrays and objects are left to the module. */
export function compare(tape: JsonTape, left: Value, right: Value): number {
  const kind = kindOf(tape, left);
  const difference = kind - kindOf(tape, right);
  if (difference !== 0) return difference;
  if (kind === KIND.number) return numberOf(tape, left) - numberOf(tape, right);
  if (kind === KIND.string) return Buffer.compare(bytesOf(tape, left), bytesOf(tape, right));
  if (kind > KIND.string) throw new HandOver();
  return 0;
}

/** As `compare` gives 0, at less cost for the strings of the input. */
export function isEqual(tape: JsonTape, left: Value, right: Value): boolean {
  if (typeof left === "number" && right instanceof Text && tape.firstByte(left) === 0x22 && tape.isPlain(left))
    return tape.contentIs(left, right.bytes);
  return compare(tape, left, right) === 0;
}

function bytesOf(tape: JsonTape, value: Value): Buffer {
  if (value instanceof Text) return value.bytes;
  return typeof value === "number" && tape.isPlain(value) ? tape.content(value) : Buffer.from(textOf(tape, value));
}

/** A string as jq prints it: JSON.stringify but for one character. */
export function jsonOf(text: string): string {
  return JSON.stringify(text).replaceAll("\u007f", "\\u007f");
}

/** A sign, a point and 15 digits: as many as a double tells apart. */
const MOST_EXACT_LITERAL = 15;
const MOST_TEXT_UNITS = 1 << 24;
