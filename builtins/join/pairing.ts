/** Pairs the lines of two inputs, in the steps of GNU join: all lines of a key of both sides are held at once. */
import { LimitReached } from "../../src/io/limit-reached.ts";
import type { BlockBuilder } from "../../src/io/output.ts";
import type { JoinRequest } from "./request.ts";
import { compareFields, NO_LINE, type JoinLine, type SortedInput } from "./sorted-input.ts";

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
  const [fieldOne, fieldTwo] = request.fields;
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
  const order = (one: JoinLine, other: JoinLine): number => compareFields(one, fieldOne, other, fieldTwo, request.ignoreCase);
  let one = first.take() ?? (await first.next());
  let two = second.take() ?? (await second.next());
  const printer = new JoinPrinter(request, output, (one?.fields.length ?? 0) / 2, (two?.fields.length ?? 0) / 2);
  if (request.header && (one !== undefined || two !== undefined)) {
    printer.print(one ?? NO_LINE, two ?? NO_LINE);
    first.forget();
    second.forget();
    if (one !== undefined) one = first.take() ?? (await first.next());
    if (two !== undefined) two = second.take() ?? (await second.next());
  }
  while (one !== undefined && two !== undefined) {
    const by = order(one, two);
    if (by < 0) {
      if (request.unpaired[0]) printer.print(one, NO_LINE);
      one = first.take() ?? (await first.next());
      unpaired();
    } else if (by > 0) {
      if (request.unpaired[1]) printer.print(NO_LINE, two);
      two = second.take() ?? (await second.next());
      unpaired();
    } else {
      const ones: JoinLine[] = [];
      const twos: JoinLine[] = [];
      const [keyOne, keyTwo]: [JoinLine, JoinLine] = [one, two];
      let held = 0;
      const hold = (lines: JoinLine[], line: JoinLine): void => {
        lines.push(line);
        held += line.bytes.length + 16 * line.fields.length;
        if (held > heldBytes) throw new LimitReached("held", heldBytes, "bytes");
      };
      do {
        hold(ones, one);
        one = first.take() ?? (await first.next());
      } while (one !== undefined && order(one, keyTwo) === 0);
      do {
        hold(twos, two);
        two = second.take() ?? (await second.next());
      } while (two !== undefined && order(keyOne, two) === 0);
      if (request.pairs) {
        for (const left of ones) {
          for (const right of twos) {
            printer.print(left, right);
            if (output.full) yield undefined;
          }
        }
      }
    }
    yield* warnings();
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

class JoinPrinter {
  readonly #request: JoinRequest;
  readonly #output: BlockBuilder;
  readonly #separator: number;
  readonly #autoCounts: readonly [number, number];

  constructor(request: JoinRequest, output: BlockBuilder, firstCount: number, secondCount: number) {
    this.#request = request;
    this.#output = output;
    this.#separator = request.tab ?? 0x20;
    this.#autoCounts = [firstCount, secondCount];
  }

  print(one: JoinLine, two: JoinLine): void {
    const { format, fields, lineEnd } = this.#request;
    const common = one === NO_LINE ? two : one;
    const commonField = one === NO_LINE ? fields[1] : fields[0];
    if (format.length > 0 && !this.#request.auto) {
      format.forEach(({ file, field }, at) => {
        if (at > 0) this.#output.addByte(this.#separator);
        if (file === 0) this.#field(common, commonField);
        else this.#field(file === 1 ? one : two, field);
      });
    } else {
      this.#field(common, commonField);
      this.#others(one, 0);
      this.#others(two, 1);
    }
    this.#output.addByte(lineEnd);
  }

  #others(line: JoinLine, side: 0 | 1): void {
    const count = this.#request.auto ? this.#autoCounts[side] : line.fields.length / 2;
    for (let field = 0; field < count; field++) {
      if (field === this.#request.fields[side]) continue;
      this.#output.addByte(this.#separator);
      this.#field(line, field);
    }
  }

  #field({ bytes, fields }: JoinLine, field: number): void {
    const [start, end] = [fields[2 * field] ?? 0, fields[2 * field + 1] ?? 0];
    if (start < end) this.#output.add(bytes, start, end);
    else this.#output.add(this.#request.empty);
  }
}
