/**
 * xargs' input cut into items. By default blanks and newlines separate them, and quotes and backslashes protect;
 * with -I a line is an item; with -0 or -d one byte separates and nothing is special.
 */
import { toBytes, toText } from "../../src/io/text.ts";

export interface ItemFormat {
  /** The byte of -0 or -d. */
  readonly delimiter: number | undefined;
  /** -I: only newlines separate. */
  readonly wholeLines: boolean;
  /** -E: the item that ends the input. */
  readonly end: string | undefined;
  /** Bytes of one item at most. */
  readonly itemBytes: number;
  /** Bytes of the first item at most. */
  readonly firstItemBytes: number;
  readonly warn: (message: string) => void;
}

export interface Item {
  /** Up to a NUL. */
  readonly text: string;
  /** The room it takes in a command line: with what follows a NUL, and the NUL at its end. */
  readonly bytes: number;
  /** Whether a line ends here, for -L: a line with a blank at its end goes on in the next. */
  readonly endsLine: boolean;
}

/** The input is not well-formed; what was read before has been given out. */
export class BadInput extends Error {
  override readonly name = "BadInput";
}

/** Items in groups, one group for each block of input. Throws BadInput. */
export async function* itemGroups(blocks: AsyncIterable<Uint8Array>, format: ItemFormat): AsyncGenerator<readonly Item[], void> {
  const cutter = format.delimiter === undefined ? new WordCutter(format) : new DelimitedCutter(format, format.delimiter);
  for await (const block of blocks) {
    cutter.cut(block);
    yield* cutter.given();
    if (cutter.ended) return;
  }
  cutter.finish();
  yield* cutter.given();
}

const NUL_WARNING =
  "WARNING: a NUL character occurred in the input.  It cannot be passed through in the argument list.  Did you mean to use the --null option?";

abstract class Cutter {
  ended = false;
  protected readonly format: ItemFormat;
  protected bytes: number[] = [];
  #items: Item[] = [];
  /** How many of the items stood before the first NUL, until it is told of. */
  #beforeNul: number | undefined;
  #sawNul = false;
  #isFirst = true;
  #failure: BadInput | undefined;

  constructor(format: ItemFormat) {
    this.format = format;
  }

  abstract cut(block: Uint8Array): void;
  abstract finish(): void;

  *given(): Generator<readonly Item[], void> {
    const items = this.#items;
    const beforeNul = this.#beforeNul ?? 0;
    this.#items = [];
    if (beforeNul > 0) yield items.slice(0, beforeNul);
    if (this.#beforeNul !== undefined) this.format.warn(NUL_WARNING);
    this.#beforeNul = undefined;
    if (items.length > beforeNul) yield items.slice(beforeNul);
    if (this.#failure !== undefined) throw this.#failure;
  }

  protected store(byte: number): void {
    if (this.bytes.length >= (this.#isFirst ? this.format.firstItemBytes : this.format.itemBytes)) {
      this.fail("argument line too long");
      return;
    }
    this.bytes.push(byte);
  }

  /** Tells of the first NUL once the items before it were given out. */
  protected noteNul(): void {
    if (!this.#sawNul) this.#beforeNul = this.#items.length;
    this.#sawNul = true;
  }

  /** `bytes`: an item that was not gathered byte by byte. */
  protected give(endsLine: boolean, bytes: Uint8Array = Buffer.from(this.bytes)): void {
    this.bytes = [];
    const nul = bytes.indexOf(0);
    this.#isFirst = false;
    this.#items.push({ text: toText(nul < 0 ? bytes : bytes.subarray(0, nul)), bytes: bytes.length + 1, endsLine });
  }

  protected fail(message: string): void {
    this.#failure ??= new BadInput(message);
    this.ended = true;
  }
}

class DelimitedCutter extends Cutter {
  readonly #delimiter: number;

  constructor(format: ItemFormat, delimiter: number) {
    super(format);
    this.#delimiter = delimiter;
  }

  cut(block: Uint8Array): void {
    for (let at = 0; at < block.length && !this.ended; at++) {
      const end = this.bytes.length > 0 ? -1 : block.indexOf(this.#delimiter, at);
      if (end >= 0 && end - at <= this.format.itemBytes) {
        this.give(true, block.subarray(at, end));
        at = end;
        continue;
      }
      const byte = block[at] as number;
      if (byte === this.#delimiter) this.give(true);
      else this.store(byte);
    }
  }

  finish(): void {
    if (this.bytes.length > 0) this.give(true);
  }
}

const [TAB, NEWLINE, RETURN, SPACE, DOUBLE, SINGLE, BACKSLASH] = [9, 10, 13, 32, 34, 39, 92] as const;
const isBlank = (byte: number): boolean => byte === SPACE || byte === TAB;
/** No blank, and nothing in it to xargs. */
const isPlain = (byte: number | undefined): boolean =>
  byte !== undefined && byte > SPACE && byte !== DOUBLE && byte !== SINGLE && byte !== BACKSLASH;
const isSpace = (byte: number): boolean => byte === SPACE || (byte >= TAB && byte <= RETURN);

class WordCutter extends Cutter {
  /** Between items, in one, after a backslash, or in quotes (the quote's byte). */
  #state: "between" | "inside" | "escaped" | typeof DOUBLE | typeof SINGLE = "between";
  /** Quotes without anything in them are an item too. */
  #quoted = false;
  #previous = -1;
  /** Whether the item is the first since one that a newline ended. */
  #leads = true;
  readonly #end: Buffer | undefined;

  constructor(format: ItemFormat) {
    super(format);
    this.#end = format.end === undefined ? undefined : toBytes(format.end);
  }

  cut(block: Uint8Array): void {
    for (let at = 0; at < block.length && !this.ended; at++) {
      if (this.#state === "between" && this.#end === undefined) at = this.#plainItems(block, at);
      const byte = block[at];
      if (byte === undefined) return;
      this.#step(byte);
      this.#previous = byte;
    }
  }

  /** Gives items of plain bytes that begin at `at` or right after one another, whole. Returns where something else begins. */
  #plainItems(block: Uint8Array, at: number): number {
    for (let start = at; ; ) {
      let end = start;
      while (isPlain(block[end])) end++;
      const byte = block[end];
      const endsHere = byte === NEWLINE || (byte === SPACE && !this.format.wholeLines);
      if (end === start || !endsHere || end - start > this.format.itemBytes) return start;
      this.give(byte === NEWLINE, block.subarray(start, end));
      this.#previous = byte;
      start = end + 1;
    }
  }

  #step(byte: number): void {
    if (byte === 0) this.noteNul();
    switch (this.#state) {
      case "between":
        if (isSpace(byte)) return;
        this.#state = "inside";
        this.#inside(byte);
        return;
      case "inside":
        this.#inside(byte);
        return;
      case "escaped":
        this.#state = "inside";
        this.store(byte);
        return;
      case DOUBLE:
      case SINGLE:
        if (byte === NEWLINE) this.#unmatched();
        else if (byte === this.#state) this.#state = "inside";
        else this.store(byte);
    }
  }

  #inside(byte: number): void {
    if (byte === NEWLINE) {
      if (this.bytes.length > 0 || this.#quoted) this.#itemAt(NEWLINE);
      else this.#state = "between";
    } else if (!this.format.wholeLines && isBlank(byte)) this.#itemAt(byte);
    else if (byte === BACKSLASH) this.#state = "escaped";
    else if (byte === DOUBLE || byte === SINGLE) {
      this.#state = byte;
      this.#quoted = true;
    } else this.store(byte);
  }

  #itemAt(separator: number): void {
    this.#state = "between";
    this.#quoted = false;
    this.#leads = separator === NEWLINE;
    if (this.#isEnd()) this.ended = true;
    else this.give(separator === NEWLINE && !isBlank(this.#previous));
  }

  #isEnd(): boolean {
    const nul = this.bytes.indexOf(0);
    return this.#end?.equals(Buffer.from(nul < 0 ? this.bytes : this.bytes.slice(0, nul))) === true;
  }

  finish(): void {
    // A quote that nothing follows is passed over.
    if (this.bytes.length > 0 && (this.#state === DOUBLE || this.#state === SINGLE)) this.#unmatched();
    // As GNU's, which looks only then whether the last item is the end where no newline ends it.
    else if (this.bytes.length > 0 && !(this.#leads && this.#isEnd())) this.give(false);
  }

  #unmatched(): void {
    const kind = this.#state === DOUBLE ? "double" : "single";
    this.fail(`unmatched ${kind} quote; by default quotes are special to xargs unless you use the -0 option`);
  }
}
