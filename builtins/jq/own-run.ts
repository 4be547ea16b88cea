/**
 * jq without the module, for the filters and the JSON that are plain: values are read as places on a tape, and most of what
 * is printed are the bytes of the input. At the first thing that is not certain the module goes on: with a file it does
 * the whole again and what is printed already is dropped, with standard input it gets blank lines in place of what was read.
 */
import { isUtf8 } from "node:buffer";
import type { Invocation } from "../../src/builtin/definition.ts";
import { countByte } from "../../src/io/count-byte.ts";
import type { ByteInput } from "../../src/io/input.ts";
import { BLOCK_BYTES, BlockBuilder } from "../../src/io/output.ts";
import type { OpenFile } from "../../src/workspace/contract.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { FilterRun, manyOf, type Many, type One } from "./filter-run.ts";
import { HandOver } from "./hand-over.ts";
import { INCOMPLETE } from "./json-literals.ts";
import { JsonTape } from "./json-tape.ts";
import { JsonPrinter } from "./json-printer.ts";
import { isTrue, type Value } from "./json-value.ts";
import type { OwnPlan } from "./own-plan.ts";

/** Runs jq's module on the same command line. */
export type RunModule = () => AsyncGenerator<Uint8Array, number>;

const NEWLINE = 0x0a;
const FIRST_BYTES = 1 << 18;
/** The longest value that is ours, in bytes, and the most words of its tape; less where the call may hold less. */
const MOST_VALUE_BYTES = 1 << 26;
const MOST_WORDS = 1 << 25;
/** Bytes read between two looks at what else goes on. */
const BYTES_PER_TURN = 1 << 24;
/** -e: the exit status where there was no result. */
const NO_RESULT = 4;

export class OwnRun {
  readonly #plan: OwnPlan;
  readonly #invocation: Invocation<Record<never, never>>;
  readonly #module: RunModule;
  readonly #tape: JsonTape;
  readonly #one: One | undefined;
  readonly #many: Many;
  readonly #output = new BlockBuilder();
  readonly #printer: JsonPrinter;
  readonly #mostBytes: number;
  /** What was read and not used yet: from `#start` to `#end` in `#bytes`, to `#checked` of it known to be UTF-8. */
  #bytes = Buffer.allocUnsafe(0);
  #start = 0;
  #end = 0;
  #checked = 0;
  #atEnd = false;
  /** What was used of standard input and is no more in `#bytes`: lines, and bytes of the line that is not complete. */
  #linesGone = 0;
  #bytesGone = 0;
  #isGone = false;
  #yielded = 0;
  #lastIsTrue: boolean | undefined;

  constructor(plan: OwnPlan, invocation: Invocation<Record<never, never>>, module: RunModule) {
    const { heldBytes } = invocation.limits;
    this.#plan = plan;
    this.#invocation = invocation;
    this.#module = module;
    this.#mostBytes = Math.min(MOST_VALUE_BYTES, heldBytes >> 2);
    this.#tape = new JsonTape(Math.min(MOST_WORDS, heldBytes >> 3));
    const running = new FilterRun(this.#tape).running(plan.filter);
    this.#one = "one" in running ? running.one : undefined;
    this.#many = manyOf(running);
    this.#printer = new JsonPrinter(this.#tape, this.#output, plan.style);
  }

  async *run(): AsyncGenerator<Uint8Array, number> {
    const isDone = this.#plan.inputs === "null" ? yield* this.#once() : yield* this.#read();
    if (!isDone) return yield* this.#handOver();
    if (!this.#output.empty) yield this.#output.take();
    if (!this.#plan.resultDecides) return 0;
    return this.#lastIsTrue === undefined ? NO_RESULT : this.#lastIsTrue ? 0 : 1;
  }

  *#once(): Generator<Uint8Array, boolean> {
    this.#tape.clear();
    return yield* this.#results(null);
  }

  /** All of the input; false where the module is to go on. jq takes several files as one text, and so do we. */
  async *#read(): AsyncGenerator<Uint8Array, boolean> {
    const { files, inputs } = this.#plan;
    const { stdin } = this.#invocation;
    const values = (): Generator<Uint8Array, boolean> => (inputs === "slurped" ? this.#slurp() : this.#values());
    if (files.length === 0) {
      for (;;) {
        const wanted = 2 * (this.#end - this.#start);
        do {
          const block = await stdin.read();
          if (block === undefined) this.#atEnd = true;
          else if (!this.#add(block)) {
            stdin.unread(block);
            return false;
          }
        } while (!this.#atEnd && this.#end - this.#start < wanted);
        if (!(yield* values())) return false;
        if (this.#atEnd) return true;
      }
    }
    let read = 0;
    for (const [index, path] of files.entries()) {
      const file = this.#open(path);
      if (file === undefined) return false;
      try {
        for (let position = 0; ; ) {
          const count = this.#readAt(file, position);
          if (count < 0) return false;
          position += count;
          const isEmptied = count === 0;
          this.#atEnd = isEmptied && index === files.length - 1;
          if (!(yield* values())) return false;
          if (isEmptied) break;
          read += count;
          if (read < BYTES_PER_TURN) continue;
          read = 0;
          await this.#invocation.wait(0);
        }
      } catch (thrown) {
        if (thrown instanceof FileError) return false;
        throw thrown;
      } finally {
        file.close();
      }
    }
    return true;
  }

  #open(path: string): OpenFile | undefined {
    try {
      return this.#invocation.files.open(path);
    } catch (thrown) {
      if (thrown instanceof FileError) return undefined;
      throw thrown;
    }
  }

  /** Takes as much more of a file as there is room for, four times what is there; how much, or -1 where it is too much. */
  #readAt(file: OpenFile, position: number): number {
    const held = this.#end - this.#start;
    const wanted = Math.min(Math.max(FIRST_BYTES, 3 * held), file.size - position, this.#mostBytes - held);
    if (!this.#makeRoom(Math.max(wanted, 1))) return -1;
    const room = this.#bytes.subarray(this.#end, -1);
    let count = 0;
    for (let more = -1; more !== 0 && count < room.length; count += more) more = file.readAt(room.subarray(count), position + count);
    this.#end += count;
    return count;
  }

  #add(block: Uint8Array): boolean {
    if (!this.#makeRoom(block.length)) return false;
    this.#bytes.set(block, this.#end);
    this.#end += block.length;
    return true;
  }

  /** False where more would be held than may be. */
  #makeRoom(more: number): boolean {
    const bytes = this.#bytes;
    if (this.#end + more < bytes.length) return true;
    const held = this.#end - this.#start;
    if (held + more > this.#mostBytes) return false;
    const gone = bytes.subarray(0, this.#start);
    if (gone.length > 0) this.#isGone = true;
    const last = gone.lastIndexOf(NEWLINE);
    this.#linesGone += countByte(gone, NEWLINE);
    this.#bytesGone = last < 0 ? this.#bytesGone + gone.length : gone.length - last - 1;
    if (held + more < bytes.length) {
      bytes.copyWithin(0, this.#start, this.#end);
    } else {
      this.#bytes = Buffer.allocUnsafe(Math.max(held + more + 1, Math.min(2 * bytes.length, this.#mostBytes)));
      this.#bytes.set(bytes.subarray(this.#start, this.#end));
    }
    this.#checked = Math.max(0, this.#checked - this.#start);
    this.#end = held;
    this.#start = 0;
    return true;
  }

  /** Runs the filter over all values that are complete; false where the module is to go on. */
  *#values(): Generator<Uint8Array, boolean> {
    if (!this.#prepare()) return false;
    const tape = this.#tape;
    const end = this.#end;
    for (;;) {
      const from = this.#afterBlanks(this.#start);
      this.#start = from;
      if (from === end) return true;
      tape.clear();
      const to = tape.scan(from, end, this.#atEnd);
      if (to < 0) return to === INCOMPLETE;
      if (this.#one !== undefined) {
        // As #results does it, without its cost for each of a million lines.
        const value = this.#valueOf(this.#one);
        if (value === undefined) return false;
        this.#lastIsTrue = isTrue(tape, value);
        if (!this.#printer.print(value)) yield* this.#counted(this.#printer.printLarge(value));
      } else if (!(yield* this.#results(0))) return false;
      this.#start = to;
      if (this.#output.full) yield* this.#counted([this.#output.take()]);
    }
  }

  /** Runs the filter over all values as one array, once they are all there. */
  *#slurp(): Generator<Uint8Array, boolean> {
    if (!this.#atEnd) return true;
    if (!this.#prepare()) return false;
    const tape = this.#tape;
    const end = this.#end;
    tape.startArray();
    for (let at = this.#afterBlanks(0); at < end; at = this.#afterBlanks(at)) {
      at = tape.scan(at, end, true);
      if (at < 0) return false;
    }
    tape.endArray(end);
    return yield* this.#results(0);
  }

  /** The results for one input, none of which is printed before the last is known; false where the module is to go on. */
  *#results(input: Value): Generator<Uint8Array, boolean> {
    const results: Value[] = [];
    try {
      this.#many(input, (value) => {
        this.#tape.spend(1);
        results.push(value);
      });
    } catch (thrown) {
      if (isBeyond(thrown)) return false;
      throw thrown;
    }
    for (const value of results) {
      this.#lastIsTrue = isTrue(this.#tape, value);
      if (!this.#printer.print(value)) yield* this.#counted(this.#printer.printLarge(value));
      if (this.#output.full) yield* this.#counted([this.#output.take()]);
    }
    return true;
  }

  /** Undefined where the module is to go on. */
  #valueOf(one: One): Value | undefined {
    try {
      return one(0);
    } catch (thrown) {
      if (isBeyond(thrown)) return undefined;
      throw thrown;
    }
  }

  *#counted(blocks: Iterable<Uint8Array>): Generator<Uint8Array, void> {
    for (const block of blocks) {
      this.#yielded += block.length;
      yield block;
    }
  }

  /** Makes what is there ready to be scanned; false where it is not UTF-8. */
  #prepare(): boolean {
    if (this.#bytes.length === 0) this.#bytes = Buffer.alloc(1);
    const bytes = this.#bytes;
    bytes[this.#end] = 0;
    this.#tape.bytes = bytes;
    const to = this.#atEnd ? this.#end : endOfCharacters(bytes, this.#end);
    if (to > this.#checked) {
      if (!isUtf8(bytes.subarray(this.#checked, to))) return false;
      this.#checked = to;
    }
    return true;
  }

  #afterBlanks(from: number): number {
    const bytes = this.#bytes;
    let at = from;
    // Behind the end stands a 0.
    for (let byte = bytes[at]; byte === NEWLINE || byte === 0x20 || byte === 0x0d || byte === 0x09; byte = bytes[++at]);
    return at;
  }

  async *#handOver(): AsyncGenerator<Uint8Array, number> {
    if (this.#plan.files.length > 0 || this.#plan.inputs === "null") return yield* dropping(this.#module(), this.#yielded);
    const { stdin } = this.#invocation;
    const bytes = this.#bytes.subarray(0, this.#end);
    // Nothing is lost: what waits to be printed need not be.
    if (!this.#isGone && this.#yielded === 0) {
      stdin.unread(bytes);
      return yield* this.#module();
    }
    if (!this.#output.empty) yield this.#output.take();
    const used = bytes.subarray(0, this.#start);
    const last = used.lastIndexOf(NEWLINE);
    stdin.unread(bytes.subarray(this.#start));
    unreadMany(stdin, 0x20, last < 0 ? this.#bytesGone + used.length : used.length - last - 1);
    unreadMany(stdin, NEWLINE, this.#linesGone + countByte(used, NEWLINE));
    const status = yield* this.#module();
    return status === NO_RESULT && this.#lastIsTrue !== undefined ? (this.#lastIsTrue ? 0 : 1) : status;
  }
}

/** `count` times the same byte in front of what is still to come: lines and columns count from where they began. */
function unreadMany(stdin: ByteInput, byte: number, count: number): void {
  const block = Buffer.alloc(Math.min(count, BLOCK_BYTES), byte);
  for (let left = count; left > 0; left -= block.length) stdin.unread(block.subarray(0, left));
}

async function* dropping(blocks: AsyncGenerator<Uint8Array, number>, count: number): AsyncGenerator<Uint8Array, number> {
  let left = count;
  try {
    for (;;) {
      const next = await blocks.next();
      if (next.done === true) return next.value;
      const { length } = next.value;
      if (length > left) yield next.value.subarray(left);
      left = Math.max(0, left - length);
    }
  } finally {
    await blocks.return(0);
  }
}

/** Where the last character begins that is not complete, or `end`. */
function endOfCharacters(bytes: Uint8Array, end: number): number {
  for (let at = end - 1; at >= Math.max(0, end - 3); at--) {
    const byte = bytes[at] as number;
    if (byte < 0x80) return end;
    if (byte >= 0xc0) return at + (byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4) > end ? at : end;
  }
  return end;
}

/** A filter that asks for more than is ours, or for a string past what JavaScript has. */
const isBeyond = (thrown: unknown): boolean => thrown instanceof HandOver || thrown instanceof RangeError;
