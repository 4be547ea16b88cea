/** comm: two sorted inputs line by line: what only the first has, only the second, and both. */
import { defineBuiltin, type FlagTable, type FlagValues, type Invocation } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { inputComplaint, openInput } from "../../src/builtin/inputs.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import { compareWords } from "../../src/io/byte-order.ts";
import { LineReader } from "../../src/io/line-reader.ts";
import { NEWLINE } from "../../src/io/lines.ts";
import { BlockBuilder } from "../../src/io/output.ts";
import { toBytes } from "../../src/io/text.ts";
import { FileError } from "../../src/workspace/file-error.ts";

const FLAGS = {
  noFirst: { kind: "switch", short: "1", long: false, help: "leave out column 1: lines only the first file has" },
  noSecond: { kind: "switch", short: "2", long: false, help: "leave out column 2: lines only the second file has" },
  noBoth: { kind: "switch", short: "3", long: false, help: "leave out column 3: lines both have" },
  checkOrder: {
    kind: "switch",
    overrides: ["nocheckOrder"],
    help: "end at the first line out of order, even if all lines have their pair",
  },
  nocheckOrder: { kind: "switch", long: "nocheck-order", overrides: ["checkOrder"], help: "do not look at the order" },
  outputDelimiter: {
    kind: "value",
    arg: "STR",
    read: (text) => (text === "" ? Buffer.of(0) : toBytes(text)),
    otherwise: undefined,
    help: "put STR between columns, not a tab; the empty STR is NUL",
  },
  total: { kind: "switch", help: "print how many lines each column has, last" },
  zeroTerminated: { kind: "switch", short: "z", help: "lines end in NUL, not in a newline" },
} as const satisfies FlagTable;

export const comm = defineBuiltin({
  name: "comm",
  summary: "Compare two sorted files line by line.",
  standard: "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/comm.html",
  reference: "GNU coreutils 9.1",
  readsStreams: true,
  operands: { kind: "paths", access: "read", min: 2, max: 2 },
  flags: FLAGS,
  examples: [
    { command: "comm a b", files: { a: "1\n2\n", b: "2\n3\n" }, stdout: "1\n\t\t2\n\t3\n" },
    { command: "comm -12 a b", files: { a: "1\n2\n", b: "2\n3\n" }, stdout: "2\n", note: "lines that both have" },
    { command: "sort a | comm -23 - b", files: { a: "2\n1\n", b: "2\n3\n" }, stdout: "1\n", note: "lines only the first has" },
  ],
  check({ occurrences }) {
    const texts = new Set<string | undefined>();
    for (const { key, value } of occurrences) if (key === "outputDelimiter") texts.add(value?.toString("latin1"));
    if (texts.size > 1) throw new UsageError("bad-value", "multiple output delimiters specified");
  },
  async *run(invocation) {
    const settings = settingsOf(invocation.flags);
    const output = new BlockBuilder();
    const sides: Side[] = [];
    try {
      // Standard input named twice is one input, whose lines the two sides take in turn.
      for (const operand of invocation.operands) {
        const other = operand === "-" ? sides[0] : undefined;
        sides.push(new Side(invocation, operand, settings.lineEnd, other));
      }
      return yield* compared(sides as [Side, Side], settings, output, invocation.warn);
    } catch (thrown) {
      const complaint =
        thrown instanceof Disorder ? thrown.message : inputComplaint(thrown, thrown instanceof FileError ? thrown.path : "-");
      if (!output.empty) yield output.take();
      invocation.warn(complaint);
      return 1;
    } finally {
      for (const side of sides) await side.reader.close();
    }
  },
});

interface Settings {
  /** The columns that are printed. */
  readonly shown: readonly [boolean, boolean, boolean];
  readonly delimiter: Buffer;
  /** The consequence of a line out of order: the end, a warning if a line has no pair, none. */
  readonly disorder: "fail" | "warn" | "ignore";
  readonly showsTotal: boolean;
  readonly lineEnd: number;
}

function settingsOf(flags: FlagValues<typeof FLAGS>): Settings {
  const { noFirst, noSecond, noBoth, checkOrder, nocheckOrder, outputDelimiter, total, zeroTerminated, ...others } = flags;
  allFlagsRead(others);
  return {
    shown: [!noFirst, !noSecond, !noBoth],
    delimiter: outputDelimiter ?? Buffer.of(0x09),
    disorder: checkOrder ? "fail" : nocheckOrder ? "ignore" : "warn",
    showsTotal: total,
    lineEnd: zeroTerminated ? 0 : NEWLINE,
  };
}

class Disorder extends Error {}

/** Part of a buffer that stays as it is. */
class Line {
  bytes: Buffer = Buffer.alloc(0);
  words: DataView = new DataView(new ArrayBuffer(0));
  from = 0;
  to = 0;

  compare(other: Line): number {
    return compareWords(this.words, this.from, this.to, other.words, other.from, other.to);
  }
}

class Side {
  readonly reader: LineReader;
  /** The line at hand; undefined at the end. */
  line: Line | undefined;
  /** The line before it. */
  before: Line | undefined;
  isDisordered = false;
  #spare: Line | undefined;
  readonly #source: string;

  /** `other`: the side that may have opened the same input. */
  constructor(invocation: Pick<Invocation, "stdin" | "files" | "limits">, operand: string, lineEnd: number, other: Side | undefined) {
    this.#source = operand;
    this.reader =
      other !== undefined && other.#source === operand
        ? other.reader
        : new LineReader(openInput(invocation, operand), invocation.limits.lineBytes, lineEnd);
  }

  async fill(): Promise<boolean> {
    try {
      return await this.reader.fill();
    } catch (thrown) {
      throw thrown instanceof FileError ? new FileError(thrown.code, this.#source, thrown.message) : thrown;
    }
  }

  /** The line that the reader stepped to. Three lines take turns. */
  next(): Line {
    const line = this.#spare ?? new Line();
    this.#spare = undefined;
    line.bytes = this.reader.block;
    line.words = this.reader.words;
    line.from = this.reader.start;
    line.to = this.reader.end;
    return line;
  }

  advance(next: Line | undefined): void {
    this.#spare = this.before;
    this.before = this.line;
    this.line = next;
  }
}

async function* compared(
  sides: [Side, Side],
  { shown, delimiter, disorder, showsTotal, lineEnd }: Settings,
  output: BlockBuilder,
  warn: (message: string) => void,
): AsyncGenerator<Uint8Array, number> {
  const counts: [number, number, number] = [0, 0, 0];
  const before = [0, shown[0] ? 1 : 0, (shown[0] ? 1 : 0) + (shown[1] ? 1 : 0)];
  let unpairable = false;
  const print = (line: Line, column: 0 | 1 | 2): void => {
    counts[column]++;
    if (!shown[column]) return;
    for (let left = before[column] as number; left > 0; left--) {
      if (delimiter.length === 1) output.addByte(delimiter[0] as number);
      else output.add(delimiter);
    }
    output.add(line.bytes, line.from, line.to);
    output.addByte(lineEnd);
  };
  /** Whether what comes next is out of order and that matters. */
  const isWrong = (side: Side, next: Line | undefined): boolean => {
    if (disorder === "ignore" || side.isDisordered || side.line === undefined) return false;
    if (disorder !== "fail" && !unpairable) return false;
    // At the end the last two lines are looked at again: only now it may be known that a line has no pair.
    if (next === undefined) return side.before !== undefined && side.before.compare(side.line) > 0;
    return side.line.compare(next) > 0;
  };
  const complain = (side: Side, number: number): void => {
    const message = `file ${number} is not in sorted order`;
    if (disorder === "fail") throw new Disorder(message);
    warn(message);
    side.isDisordered = true;
  };
  const [first, second] = sides;
  if (first.reader.step() || (await first.fill())) first.line = first.next();
  if (second.reader.step() || (await second.fill())) second.line = second.next();
  while (first.line !== undefined || second.line !== undefined) {
    const order = first.line === undefined ? 1 : second.line === undefined ? -1 : first.line.compare(second.line);
    if (order === 0) print(second.line as Line, 2);
    else {
      unpairable = true;
      if (order < 0) print(first.line as Line, 0);
      else print(second.line as Line, 1);
    }
    if (output.full) yield output.take();
    if (order <= 0) {
      const next = first.reader.step() || (await first.fill()) ? first.next() : undefined;
      if (isWrong(first, next)) {
        if (!output.empty) yield output.take();
        complain(first, 1);
      }
      first.advance(next);
    }
    if (order >= 0) {
      const next = second.reader.step() || (await second.fill()) ? second.next() : undefined;
      if (isWrong(second, next)) {
        if (!output.empty) yield output.take();
        complain(second, 2);
      }
      second.advance(next);
    }
  }
  if (first.reader === second.reader) {
    // GNU comm closes each of its inputs.
    if (!output.empty) yield output.take();
    warn("-: Bad file descriptor");
    return 1;
  }
  if (showsTotal) {
    const [one, two, both] = counts;
    for (const count of [one, two, both]) {
      output.addText(String(count));
      // The one place where GNU comm takes an empty delimiter for nothing.
      if (delimiter[0] !== 0) output.add(delimiter);
    }
    output.addText("total");
    output.addByte(lineEnd);
  }
  if (!output.empty) yield output.take();
  if (!first.isDisordered && !second.isDisordered) return 0;
  warn("input is not in sorted order");
  return 1;
}
