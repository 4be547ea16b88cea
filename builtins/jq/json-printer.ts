/** Prints values as jq does: from the tape the bytes as they stand, as far as they are printed so. */
import type { BlockBuilder } from "../../src/io/output.ts";
import { Fields, jsonOf, List, Numeral, sizeOf, Text, type Value } from "./json-value.ts";
import type { JsonTape } from "./json-tape.ts";

export interface PrintStyle {
  /** What a level is indented by; undefined: all on one line. */
  readonly indent: string | undefined;
  readonly sortsKeys: boolean;
  /** A string by itself is printed without quotes. */
  readonly raw: boolean;
  /** Nothing stands between results. */
  readonly joins: boolean;
}

/** Values of about this many bytes are printed in parts. */
const LARGE_BYTES = 1 << 16;
const COMMA = 0x2c;
const COLON = 0x3a;

export class JsonPrinter {
  readonly #tape: JsonTape;
  readonly #output: BlockBuilder;
  readonly #style: PrintStyle;
  /** By depth: a newline and the indentation. */
  readonly #breaks: Buffer[] = [];
  readonly #isPretty: boolean;

  constructor(tape: JsonTape, output: BlockBuilder, style: PrintStyle) {
    this.#tape = tape;
    this.#output = output;
    this.#style = style;
    this.#isPretty = style.indent !== undefined;
  }

  /** Prints one result, unless it is large: then `printLarge` is to. */
  print(value: Value): boolean {
    if (typeof value !== "number" || this.#tape.isContainer(value)) {
      if (sizeOf(this.#tape, value) > LARGE_BYTES) return false;
      this.#value(value, 0);
    } else if (this.#style.raw && this.#tape.firstByte(value) === 0x22) this.#raw(value);
    else this.#onTape(value, 0);
    if (!this.#style.joins) this.#output.addByte(0x0a);
    return true;
  }

  *printLarge(value: Value): Generator<Uint8Array, void> {
    yield* this.#parts(value, 0);
    if (!this.#style.joins) this.#output.addByte(0x0a);
  }

  *#parts(value: Value, depth: number): Generator<Uint8Array, void> {
    const output = this.#output;
    const content = sizeOf(this.#tape, value) > LARGE_BYTES ? this.#contentOf(value) : undefined;
    if (content === undefined) {
      this.#value(value, depth);
    } else {
      const { names, values } = content;
      output.addByte(names === undefined ? 0x5b : 0x7b);
      for (const [at, item] of values.entries()) {
        this.#before(at === 0, depth + 1);
        const name = names?.[at];
        if (name !== undefined) this.#name(name);
        yield* this.#parts(item, depth + 1);
        if (output.full) yield output.take();
      }
      this.#end(values.length === 0, depth, names === undefined ? 0x5d : 0x7d);
    }
    if (output.full) yield output.take();
  }

  #value(value: Value, depth: number): void {
    const output = this.#output;
    if (typeof value === "number") {
      this.#onTape(value, depth);
      return;
    }
    if (value instanceof Text) {
      if (depth === 0 && this.#style.raw) output.add(value.bytes);
      else output.add(value.json);
      return;
    }
    if (value instanceof Numeral) {
      output.addLatin1(value.literal);
      return;
    }
    const content = this.#contentOf(value);
    if (content === undefined) {
      output.addLatin1(String(value));
      return;
    }
    const { names, values } = content;
    output.addByte(names === undefined ? 0x5b : 0x7b);
    for (let at = 0; at < values.length; at++) {
      this.#before(at === 0, depth + 1);
      if (names !== undefined) this.#name(names[at] as Text | number);
      this.#value(values[at] as Value, depth + 1);
    }
    this.#end(values.length === 0, depth, names === undefined ? 0x5d : 0x7d);
  }

  #onTape(place: number, depth: number): void {
    const tape = this.#tape;
    const output = this.#output;
    if (!tape.isContainer(place)) {
      if (tape.isRewritten(place)) output.addText(jsonOf(tape.textAt(place)));
      else output.add(tape.bytes, tape.startOf(place), tape.endOf(place));
      return;
    }
    if (tape.isCompact && !this.#isPretty && !this.#style.sortsKeys) {
      output.add(tape.bytes, tape.startOf(place), tape.endOf(place));
      return;
    }
    const opener = tape.firstByte(place);
    output.addByte(opener);
    const isObject = opener === 0x7b;
    if (isObject && this.#style.sortsKeys) {
      for (const [at, key] of this.#sortedKeys(place).entries()) {
        this.#before(at === 0, depth + 1);
        this.#name(key);
        this.#onTape(key + 2, depth + 1);
      }
    } else {
      const close = tape.after(place) - 2;
      for (let at = place + 2; at < close; at = tape.after(at)) {
        this.#before(at === place + 2, depth + 1);
        if (isObject) {
          this.#name(at);
          at += 2;
        }
        this.#onTape(at, depth + 1);
      }
    }
    this.#end(tape.after(place) === place + 4, depth, opener + 2);
  }

  /** What is in an array or object: its names, if it has any, as texts or places on the tape, and its values. */
  #contentOf(value: Value): { readonly names?: readonly (Text | number)[]; readonly values: readonly Value[] } | undefined {
    if (value instanceof List) return { values: value.items };
    if (value instanceof Fields) {
      if (!this.#style.sortsKeys) return value;
      const order = [...value.names.keys()].sort((left, right) =>
        Buffer.compare((value.names[left] as Text).bytes, (value.names[right] as Text).bytes),
      );
      return { names: order.map((at) => value.names[at] as Text), values: order.map((at) => value.values[at] as Value) };
    }
    if (typeof value !== "number" || !this.#tape.isContainer(value)) return undefined;
    if (this.#tape.firstByte(value) === 0x5b) return { values: this.#tape.children(value) };
    const names = this.#style.sortsKeys ? this.#sortedKeys(value) : this.#tape.keys(value);
    return { names, values: names.map((name) => name + 2) };
  }

  #sortedKeys(place: number): number[] {
    const tape = this.#tape;
    return tape.keys(place).sort((left, right) => Buffer.compare(tape.content(left), tape.content(right)));
  }

  #name(name: Text | number): void {
    const output = this.#output;
    if (typeof name === "number") output.add(this.#tape.bytes, this.#tape.startOf(name), this.#tape.endOf(name));
    else output.add(name.json);
    output.addByte(COLON);
    if (this.#isPretty) output.addByte(0x20);
  }

  /** What stands before an item. */
  #before(isFirst: boolean, depth: number): void {
    if (!isFirst) this.#output.addByte(COMMA);
    if (this.#isPretty) this.#break(depth);
  }

  #end(isEmpty: boolean, depth: number, closer: number): void {
    if (!isEmpty && this.#isPretty) this.#break(depth);
    this.#output.addByte(closer);
  }

  #break(depth: number): void {
    for (let at = this.#breaks.length; at <= depth; at++) this.#breaks.push(Buffer.from(`\n${(this.#style.indent ?? "").repeat(at)}`));
    this.#output.add(this.#breaks[depth] as Buffer);
  }

  /** The text of a string on the tape. */
  #raw(place: number): void {
    const tape = this.#tape;
    if (tape.isPlain(place)) this.#output.add(tape.bytes, tape.startOf(place) + 1, tape.endOf(place) - 1);
    else this.#output.addText(tape.textAt(place));
  }
}
