/** The record: bytes until text is asked for, fields until they are. */
import { latin1 } from "./latin1.ts";
import { LimitReached } from "../../../src/io/limit-reached.ts";
import { FieldTable } from "./field-table.ts";
import { numberInBytes } from "../values/number-parse.ts";
import { FatalError } from "../syntax/program-error.ts";
import { CSV, type Splitter } from "./splitter.ts";
import { TextCache } from "./text-cache.ts";
import { Input, NO_FIELD, Regexp, toNumber, type Scalar } from "../values/values.ts";
import { toText, type TextSettings } from "../values/text-conversion.ts";

export interface RecordSettings extends TextSettings {
  input(text: string): Input;
  readonly outputSeparator: string;
}

/** Value assigned to NR, FNR or NF: they print as that value while they count on as numbers. */
export interface Shown {
  readonly value: Scalar;
}

/** Fields a record may have: each costs memory whether it is there or not. */
const MAX_FIELDS = 10_000_000;

export class AwkRecord {
  bytes: Buffer = Buffer.alloc(0);
  from = 0;
  to = 0;
  /** End of the input that the bytes hold, this record and later ones; no more than `to` if they hold this record alone. */
  inputEnd = 0;
  readonly table = new FieldTable();
  readonly #settings: RecordSettings;
  readonly #texts = new TextCache();
  #splitter: Splitter;
  /** Splitter used from the next record on. */
  #nextSplitter: Splitter;
  #text: string | undefined = "";
  /** The value of $0, where it was asked for or assigned; null: not yet. */
  #whole: Scalar | null = null;
  /** NF as it was assigned. */
  shownCount: Shown | undefined;
  /** True once the first record was set. */
  #isSet = false;
  /** The fields changed, and $0 has to be made of them. */
  #isStale = false;
  /** Undefined: not counted yet. */
  #count: number | undefined = 0;
  /** Values of fields that were asked for or assigned, valid where the stamp is the record's; NO_FIELD of those that came to be with another, or with NF. */
  #values: Scalar[] = [];
  #stamps = new Float64Array(64);
  /** The stamp of the record of which a field's bytes were read as a number. */
  #numbered = new Float64Array(64);
  #stamp = 1;
  #room: Buffer = Buffer.alloc(0);
  /** Not the room the record is in. */
  #otherRoom: Buffer = Buffer.alloc(0);
  /** $0 was assigned text that is never a number. */
  #isOnlyText = false;

  constructor(settings: RecordSettings, splitter: Splitter) {
    this.#settings = settings;
    this.#splitter = splitter;
    this.#nextSplitter = splitter;
    this.table.isComplete = true;
  }

  set splitter(splitter: Splitter) {
    this.#nextSplitter = splitter;
  }

  /** A new record, which stands in `bytes` until `keep` or the next one. */
  setBytes(bytes: Buffer, from: number, to: number, inputEnd = to): void {
    // Within quotes too a line of --csv may end in CR LF, and is read as if it ended in LF.
    if (this.#nextSplitter === CSV && bytes.subarray(from, to).includes("\r\n")) {
      const plain = Buffer.from(bytes.toString("latin1", from, to).replaceAll("\r\n", "\n"), "latin1");
      this.setBytes(plain, 0, plain.length);
      return;
    }
    this.inputEnd = inputEnd;
    this.bytes = bytes;
    this.from = from;
    this.to = to;
    this.#text = undefined;
    this.#restart();
  }

  setText(text: string): void {
    this.#put(text);
    this.#restart();
  }

  /** Room for at least `length` bytes in which the record does not stand, for `setWritten`. */
  roomFor(length: number): Buffer {
    if (this.#room === this.bytes) [this.#room, this.#otherRoom] = [this.#otherRoom, this.#room];
    if (this.#room.length < length) this.#room = Buffer.allocUnsafe(Math.max(256, length * 2));
    return this.#room;
  }

  /** $0 is assigned the text of `length` bytes that were written to `room`. */
  setWritten(room: Buffer, length: number): void {
    this.#room = room;
    this.setBytes(room, 0, length);
    this.#isOnlyText = true;
  }

  /** Called before the holder of the bytes changes: copies the record if it lies in `bytes`. */
  keep(bytes: Buffer): void {
    if (this.bytes !== bytes) return;
    const length = this.to - this.from;
    const room = Buffer.allocUnsafe(length);
    room.set(bytes.subarray(this.from, this.to));
    const moved = -this.from;
    const { table } = this;
    for (let at = 0; at < table.count; at++) {
      table.starts[at] = (table.starts[at] as number) + moved;
      table.ends[at] = (table.ends[at] as number) + moved;
    }
    table.at += moved;
    this.bytes = room;
    this.from = 0;
    this.to = length;
    this.inputEnd = length;
  }

  #put(text: string): void {
    const { length } = text;
    const room = this.roomFor(length);
    room.write(text, 0, "latin1");
    this.bytes = room;
    this.from = 0;
    this.to = length;
    this.inputEnd = length;
    this.#text = text;
  }

  #restart(): void {
    this.#isSet = true;
    this.shownCount = undefined;
    this.#splitter = this.#nextSplitter;
    this.#whole = null;
    this.#isOnlyText = false;
    this.#isStale = false;
    this.#count = undefined;
    this.table.reset(this.from);
    this.#stamp++;
  }

  /** $0 as text. */
  get text(): string {
    if (this.#isStale) this.#rebuild();
    const text = this.#text ?? latin1(this.bytes, this.from, this.to);
    this.#text = text;
    return text;
  }

  get whole(): Scalar {
    const { text } = this;
    if (!this.#isSet) return NO_FIELD;
    if (this.#whole === null) this.#whole = this.#isOnlyText ? text : this.#settings.input(text);
    return this.#whole;
  }

  /** True if $0 is a strongly typed regular expression, as @/…/ is. */
  get isRegexp(): boolean {
    return this.#whole instanceof Regexp;
  }

  /** True if field `index` has a value of its own. */
  isAssigned(index: number): boolean {
    if (index === 0) return this.#isSet && this.#whole !== undefined;
    if (index > this.count) return false;
    return this.#stamps[index] !== this.#stamp || (this.#values[index] !== undefined && this.#values[index] !== NO_FIELD);
  }

  /** Brings `bytes`, `from` and `to` up to date with the fields. */
  settle(): void {
    if (this.#isStale) this.#rebuild();
  }

  get count(): number {
    if (this.#count === undefined) {
      if (!this.table.isComplete) this.#splitter.split(this.bytes, this.to, this.table, Infinity);
      this.#count = this.table.count;
    }
    return this.#count;
  }

  /** NF: as it was assigned, or how many fields there are. */
  get countValue(): Scalar {
    return this.shownCount === undefined ? this.count : this.shownCount.value;
  }

  /** NF was assigned. Throws FatalError. */
  set count(count: number) {
    if (count < 0 || count >= 2 ** 63 || Number.isNaN(count)) throw new FatalError("NF set to negative value");
    const before = this.count;
    this.#isSet = true;
    if (count > MAX_FIELDS) throw new LimitReached("held", MAX_FIELDS, "fields");
    for (let index = before + 1; index <= count; index++) this.#store(index, NO_FIELD);
    this.#count = count;
    this.#isStale = true;
  }

  /** True if field `index` exists and its bytes are those of the table. */
  #isPlain(index: number): boolean {
    const { table } = this;
    if (index > table.count && !table.isComplete) this.#splitter.split(this.bytes, this.to, table, index);
    if (index > table.count || (this.#count !== undefined && index > this.#count)) return false;
    if (table.decoded !== undefined || this.#wasAssigned) return false;
    return this.#stamps[index] !== this.#stamp || (this.#values[index] instanceof Input && this.#values[index] !== NO_FIELD);
  }

  #assignedAt = 0;
  get #wasAssigned(): boolean {
    return this.#assignedAt === this.#stamp;
  }

  /** True if field `index` was read, not assigned, and not asked for its number yet. */
  isInput(index: number): boolean {
    if (index === 0) return !this.#isOnlyText && (this.#whole === null || isUnasked(this.#whole));
    if (this.#numbered[index] === this.#stamp) return false;
    return this.#stamps[index] !== this.#stamp || isUnasked(this.#values[index]);
  }

  field(index: number): Scalar {
    if (index === 0) return this.whole;
    if (this.#stamps[index] === this.#stamp && (this.#count === undefined || index <= this.#count)) return this.#values[index];
    const { table } = this;
    if (index > table.count && !table.isComplete) this.#splitter.split(this.bytes, this.to, table, index);
    if (index > table.count || (this.#count !== undefined && index > this.#count)) return NO_FIELD;
    const at = index - 1;
    const text = table.decoded?.get(at) ?? latin1(this.bytes, table.starts[at], table.ends[at]);
    const value = this.#settings.input(text);
    if (this.#numbered[index] === this.#stamp) void value.number;
    this.#store(index, value);
    return value;
  }

  fieldNumber(index: number): number {
    if (index > 0 && this.#isPlain(index)) {
      if (this.#stamps[index] === this.#stamp) return toNumber(this.#values[index]);
      const { table } = this;
      if (index >= this.#numbered.length) this.#numbered = grown(this.#numbered, index);
      this.#numbered[index] = this.#stamp;
      return numberInBytes(this.bytes, table.starts[index - 1] as number, table.ends[index - 1] as number);
    }
    return toNumber(this.field(index));
  }

  fieldText(index: number): string {
    if (index === 0) return this.text;
    if (this.#isPlain(index)) {
      const { table } = this;
      return this.#texts.get(this.bytes, table.starts[index - 1] as number, table.ends[index - 1] as number);
    }
    return toText(this.field(index), this.#settings);
  }

  /** The index in `table` of field `index` where its bytes stand there as they are, or -1. */
  plainIndex(index: number): number {
    return this.#isPlain(index) ? index - 1 : -1;
  }

  setField(index: number, value: Scalar): void {
    if (index === 0) {
      const text = toText(value, this.#settings);
      // What is infinite or a NaN has no fields, as gawk has it.
      this.setText(typeof value === "number" && !Number.isFinite(value) ? "" : text);
      this.#text = text;
      this.#whole = value;
      return;
    }
    if (index > MAX_FIELDS) throw new LimitReached("held", MAX_FIELDS, "fields");
    const { count } = this;
    this.#isSet = true;
    for (let between = count + 1; between < index; between++) this.#store(between, NO_FIELD);
    if (index > count) this.#count = index;
    this.shownCount = undefined;
    this.#store(index, value);
    this.#assignedAt = this.#stamp;
    this.#isStale = true;
  }

  /** Has at least `index` fields, while $0 stays as it is. */
  extend(index: number): void {
    const { count } = this;
    if (index <= count) return;
    if (index > MAX_FIELDS) throw new LimitReached("held", MAX_FIELDS, "fields");
    for (let added = count + 1; added <= index; added++) this.#store(added, NO_FIELD);
    this.#count = index;
    this.shownCount = undefined;
  }

  #store(index: number, value: Scalar): void {
    if (index >= this.#stamps.length) this.#stamps = grown(this.#stamps, index);
    this.#values[index] = value;
    this.#stamps[index] = this.#stamp;
  }

  #rebuild(): void {
    const { count } = this;
    const parts: string[] = [];
    for (let index = 1; index <= count; index++) {
      const value = this.field(index);
      this.#store(index, value);
      parts.push(toText(value, this.#settings));
    }
    const text = parts.join(this.#settings.outputSeparator);
    this.#put(text);
    this.#isStale = false;
    this.#whole = text;
    // From now on the fields are values alone.
    this.table.count = 0;
    this.table.isComplete = true;
  }
}

const isUnasked = (value: Scalar): boolean => value instanceof Input && !value.wasNumber;

/** The same with room for `index`. */
function grown(stamps: Float64Array, index: number): Float64Array<ArrayBuffer> {
  const room = new Float64Array(Math.max(index + 1, stamps.length * 2));
  room.set(stamps);
  return room;
}
