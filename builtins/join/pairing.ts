/** Pairs the lines of two inputs, in the steps of GNU join: all lines of a key of both sides are held at once. */
import { LimitReached } from "../../src/io/limit-reached.ts";
import type { BlockBuilder } from "../../src/io/output.ts";
import type { JoinRequest } from "./request.ts";
import { compareKeys, fieldEnd, firstField, nextField, NO_LINE, NO_TAB, type JoinLine, type SortedInput } from "./sorted-input.ts";

/**
 * Writes the joined lines to `output`; yields where it is to be taken, with a warning to be printed after it. Throws
 * JoinFailure, and LimitReached("held") where too many lines have the same key.
 */
export async function* joined(
  first: SortedInput,
  second: SortedInput,
  request: JoinRequest,
  output: BlockBuilder,
  heldBytes: number,
): AsyncGenerator<string | undefined, void> {
  const inputs = [first, second] as const;
  const warnings = function* (): Generator<string | undefined, void> {
    for (const input of inputs) {
      if (input.warning === undefined) continue;
      yield input.warning;
      input.warning = undefined;
    }
    if (output.full) yield undefined;
  };
  const unpaired = (): void => {
    for (const input of inputs) input.checksOrder = true;
  };
  const { ignoreCase } = request;
  const ones = new HeldLines(heldBytes);
  const twos = new HeldLines(heldBytes);
  let one = first.take() ?? (await first.next());
  let two = second.take() ?? (await second.next());
  const printer = new JoinPrinter(request, output, one ?? NO_LINE, two ?? NO_LINE);
  if (request.header && (one !== undefined || two !== undefined)) {
    printer.print(one ?? NO_LINE, two ?? NO_LINE);
    first.forget();
    second.forget();
    if (one !== undefined) one = first.take() ?? (await first.next());
    if (two !== undefined) two = second.take() ?? (await second.next());
  }
  while (one !== undefined && two !== undefined) {
    const by = compareKeys(one, two, ignoreCase);
    if (by < 0) {
      if (request.unpaired[0]) printer.print(one, NO_LINE);
      one = first.take() ?? (await first.next());
      unpaired();
    } else if (by > 0) {
      if (request.unpaired[1]) printer.print(NO_LINE, two);
      two = second.take() ?? (await second.next());
      unpaired();
    } else {
      const keyOne = one;
      const keyTwo = two;
      ones.clear();
      twos.clear();
      do {
        ones.add(one);
        one = first.take() ?? (await first.next());
      } while (one !== undefined && compareKeys(one, keyTwo, ignoreCase) === 0);
      do {
        twos.add(two);
        two = second.take() ?? (await second.next());
      } while (two !== undefined && compareKeys(keyOne, two, ignoreCase) === 0);
      if (request.pairs) {
        for (let left = 0; left < ones.count; left++) {
          for (let right = 0; right < twos.count; right++) {
            printer.print(ones.lines[left] as JoinLine, twos.lines[right] as JoinLine);
            if (output.full) yield undefined;
          }
        }
      }
    }
    if (output.full || first.warning !== undefined || second.warning !== undefined) yield* warnings();
  }
  const checksRest = request.order !== "ignore" && !(first.isDisordered && second.isDisordered);
  for (const [at, input] of inputs.entries()) {
    let line = at === 0 ? one : two;
    const prints = request.unpaired[at] as boolean;
    if (line === undefined || !(prints || checksRest)) continue;
    const other = at === 0 ? two : one;
    for (let isFirst = true; line !== undefined; isFirst = false) {
      if (prints) printer.print(at === 0 ? line : NO_LINE, at === 0 ? NO_LINE : line);
      if (isFirst && other !== undefined) unpaired();
      yield* warnings();
      if (!isFirst && input.isDisordered && !prints) break;
      line = input.take() ?? (await input.next());
    }
    yield* warnings();
  }
}

/** The lines of one input that have the same key. */
class HeldLines {
  /** Those past `count` are of a key before. */
  readonly lines: JoinLine[] = [];
  count = 0;
  #bytes = 0;
  readonly #heldBytes: number;

  constructor(heldBytes: number) {
    this.#heldBytes = heldBytes;
  }

  clear(): void {
    if (this.count > MANY_LINES) this.lines.length = 0;
    this.count = 0;
    this.#bytes = 0;
  }

  /** Throws LimitReached("held"). */
  add(line: JoinLine): void {
    this.lines[this.count++] = line;
    this.#bytes += HELD_LINE_BYTES + line.to - line.from;
    if (this.#bytes > this.#heldBytes) throw new LimitReached("held", this.#heldBytes, "bytes");
  }
}

/** What a line takes beside its bytes. */
const HELD_LINE_BYTES = 64;
/** So many are not kept for the next key. */
const MANY_LINES = 16;

class JoinPrinter {
  readonly #request: JoinRequest;
  readonly #output: BlockBuilder;
  readonly #separator: number;
  readonly #autoCounts: readonly [number, number];

  /** `first` and `second` are the first lines, whose fields `-o auto` counts. */
  constructor(request: JoinRequest, output: BlockBuilder, first: JoinLine, second: JoinLine) {
    this.#request = request;
    this.#output = output;
    this.#separator = request.tab ?? 0x20;
    this.#autoCounts = [this.#count(first), this.#count(second)];
  }

  print(one: JoinLine, two: JoinLine): void {
    const { format, lineEnd } = this.#request;
    const common = one === NO_LINE ? two : one;
    if (format.length > 0) {
      let isFirst = true;
      for (const { file, field } of format) {
        if (!isFirst) this.#output.addByte(this.#separator);
        isFirst = false;
        if (file === 0) this.#part(common.bytes, common.keyFrom, common.keyTo);
        else this.#field(file === 1 ? one : two, field);
      }
    } else {
      this.#part(common.bytes, common.keyFrom, common.keyTo);
      this.#others(one, 0);
      this.#others(two, 1);
    }
    this.#output.addByte(lineEnd);
  }

  #others({ bytes, from, to, keyTo }: JoinLine, side: 0 | 1): void {
    const { tab, fields, auto, empty } = this.#request;
    const key = fields[side];
    // Most lines are printed as they stand.
    if (key === 0 && !auto && keyTo < to && (tab === undefined ? isSpaced(bytes, keyTo, to) : empty.length === 0 && tab !== NO_TAB)) {
      this.#output.add(bytes, keyTo, to);
      return;
    }
    const least = auto ? this.#autoCounts[side] : 0;
    const most = auto ? least : Infinity;
    let field = 0;
    let start = firstField(bytes, from, to, tab);
    if (key === 0 && start <= to && most > 0) {
      start = nextField(bytes, keyTo, to, tab);
      field++;
    }
    for (; start <= to && field < most; field++) {
      const end = fieldEnd(bytes, start, to, tab);
      if (field !== key) {
        this.#output.addByte(this.#separator);
        this.#part(bytes, start, end);
      }
      start = nextField(bytes, end, to, tab);
    }
    for (; field < least; field++) {
      if (field === key) continue;
      this.#output.addByte(this.#separator);
      this.#part(bytes, 0, 0);
    }
  }

  #field({ bytes, from, to }: JoinLine, field: number): void {
    const { tab } = this.#request;
    let start = firstField(bytes, from, to, tab);
    for (let left = field; left > 0 && start <= to; left--) start = nextField(bytes, fieldEnd(bytes, start, to, tab), to, tab);
    this.#part(bytes, start, fieldEnd(bytes, start, to, tab));
  }

  #count({ bytes, from, to }: JoinLine): number {
    const { tab } = this.#request;
    let count = 0;
    for (let start = firstField(bytes, from, to, tab); start <= to; count++)
      start = nextField(bytes, fieldEnd(bytes, start, to, tab), to, tab);
    return count;
  }

  #part(bytes: Buffer, from: number, to: number): void {
    if (from < to) this.#output.add(bytes, from, to);
    else this.#output.add(this.#request.empty);
  }
}

/** Whether there is one space before each field, no other blank and none at the end. */
function isSpaced(bytes: Buffer, from: number, to: number): boolean {
  let before = 0;
  for (let at = from; at < to; at++) {
    const byte = bytes[at] as number;
    if (byte === 0x09 || byte === 0x0a || (byte === 0x20 && before === 0x20)) return false;
    before = byte;
  }
  return before !== 0x20;
}
