/** numfmt: numbers with units to plain numbers and back, in fields of lines. */
import { scanCount } from "../../src/numbers/counts.ts";
import {
  defineBuiltin,
  type ExitStatus,
  type FlagTable,
  type FlagValues,
  type Invocation,
  type Occurrence,
  type StaticInvocation,
} from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { BadValue, UsageError } from "../../src/builtin/usage-error.ts";
import { wordReader } from "../../src/builtin/word-choice.ts";
import { divide, fromInteger, multiply } from "../../src/numbers/long-double.ts";
import { lineBlocks, linesOf } from "../../src/io/lines.ts";
import { BlockBuilder } from "../../src/io/output.ts";
import { quoteCurly } from "../../src/display/quote.ts";
import { toBytes, toText } from "../../src/io/text.ts";
import { readFormat, type NumberFormat } from "./format.ts";
import { BadNumber, readNumber, showNumber } from "./number.ts";

/** In the order in which GNU numfmt lists what an abbreviation may stand for. */
const FLAGS = {
  from: {
    kind: "value",
    arg: "UNIT",
    otherwise: "none",
    read: wordReader("--from", { none: ["none"], auto: ["auto"], si: ["si"], iec: ["iec"], "iec-i": ["iec-i"] }),
    help: "units that numbers have: none (default), auto, si, iec, iec-i",
  },
  fromUnit: { kind: "value", arg: "N", otherwise: 1n, read: unitSize, help: "numbers count units of N" },
  to: {
    kind: "value",
    arg: "UNIT",
    otherwise: "none",
    read: wordReader("--to", { none: ["none"], si: ["si"], iec: ["iec"], "iec-i": ["iec-i"] }),
    help: "units to print: none (default), si, iec, iec-i",
  },
  toUnit: { kind: "value", arg: "N", otherwise: 1n, read: unitSize, help: "print counts of units of N" },
  round: {
    kind: "value",
    arg: "METHOD",
    otherwise: "from-zero",
    read: wordReader("--round", {
      up: ["up"],
      down: ["down"],
      "from-zero": ["from-zero"],
      "towards-zero": ["towards-zero"],
      nearest: ["nearest"],
    }),
    help: "how to round: up, down, from-zero (default), towards-zero, nearest",
  },
  padding: { kind: "value", arg: "N", otherwise: 0, read: padding, help: "fill up to N columns, below 0 on the right" },
  suffix: {
    kind: "value",
    arg: "SUFFIX",
    otherwise: undefined,
    read: (text: string) => text,
    help: "add SUFFIX, and take it off the input",
  },
  grouping: { kind: "switch", help: "group digits (which the C locale does not)" },
  delimiter: {
    kind: "value",
    short: "d",
    arg: "X",
    otherwise: undefined,
    read: delimiter,
    help: "fields are separated by X, not by white space",
  },
  field: {
    kind: "value",
    arg: "FIELDS",
    otherwise: "1",
    read: (text: string) => text,
    help: "convert these fields (default 1): N, N-, N-M, -M, -, with commas",
  },
  debug: { kind: "switch", help: "say on standard error what is odd about the flags and the input" },
  header: { kind: "value", arg: "N", otherwise: 0, ifBare: 1, read: headerCount, help: "print the first N lines (default 1) as they are" },
  format: {
    kind: "value",
    arg: "FORMAT",
    otherwise: undefined,
    read: (text: string) => text,
    help: "print numbers by FORMAT, which has one %f in it",
  },
  invalid: {
    kind: "value",
    arg: "MODE",
    otherwise: "abort",
    read: wordReader("--invalid", { abort: ["abort"], fail: ["fail"], warn: ["warn"], ignore: ["ignore"] }),
    help: "at a number that is none: abort (default), fail, warn, ignore",
  },
  zeroTerminated: { kind: "switch", short: "z", help: "lines end in NUL, not newline" },
} as const satisfies FlagTable;

type Flags = typeof FLAGS;

export const numfmt = defineBuiltin({
  name: "numfmt",
  summary: "Turn numbers into ones with units (1.5K) and back.",
  standard: "https://www.gnu.org/software/coreutils/manual/html_node/numfmt-invocation.html",
  reference: "GNU coreutils 9.1",
  operands: { kind: "values" },
  flags: FLAGS,
  examples: [
    { command: "numfmt --to=iec 1536 1048576", stdout: "1.5K\n1.0M\n" },
    { command: "numfmt --from=iec 2G", stdout: "2147483648\n" },
    { command: "numfmt --field=2 --to=si", stdin: "log 12345\n", stdout: "log   13K\n" },
  ],
  deviations: [{ from: "GNU numfmt", what: "a padding of more than 1048576 columns is invalid", why: "memory is bounded here" }],
  check: (invocation) => void settingsOf(invocation),
  async *run(invocation) {
    return yield* new NumberRun(invocation).run();
  },
});

interface Settings {
  readonly from: FlagValues<Flags>["from"];
  readonly to: FlagValues<Flags>["to"];
  readonly fromUnit: bigint;
  readonly toUnit: bigint;
  readonly rounding: FlagValues<Flags>["round"];
  /** Columns to fill up to, below 0 on the right; 0: as many as there were. */
  readonly padding: number;
  readonly format: NumberFormat | undefined;
  readonly suffix: string | undefined;
  /** undefined: fields stand between white space. */
  readonly delimiter: string | undefined;
  readonly fields: readonly Field[];
  readonly header: number;
  readonly invalid: FlagValues<Flags>["invalid"];
  readonly lineEnd: "\0" | "\n";
  readonly explains: boolean;
  /** Said where `explains`: flags without an effect. */
  readonly oddities: readonly string[];
}

/** Throws UsageError, in the order in which GNU numfmt looks. */
function settingsOf({ flags, occurrences, operands }: StaticInvocation<Flags>): Settings {
  const { from, fromUnit, to, toUnit, round, padding: columns, format: typed, grouping, ...more } = flags;
  const { suffix, delimiter: separator, field, debug, header, invalid, zeroTerminated, ...others } = more;
  allFlagsRead(others);
  requireOneFieldList(occurrences);
  if (typed !== undefined && grouping) throw new UsageError("bad-value", "--grouping cannot be combined with --format");
  const format = formatOf(typed);
  const groups = grouping || format?.groups === true;
  if (groups && to !== "none") throw new UsageError("bad-value", "grouping cannot be combined with --to");
  const padding = format === undefined || format.padding === 0 ? columns : format.padding;
  // Once to the left, always to the left.
  const isLeft = (format?.padding ?? 0) < 0 || occurrences.some(({ key, value }) => key === "padding" && value < 0);
  const oddities: string[] = [];
  if (from === "none" && to === "none" && !grouping && columns === 0 && typed === undefined)
    oddities.push("no conversion option specified");
  if (format !== undefined && format.padding !== 0 && columns !== 0) oddities.push("--format padding overriding --padding");
  if (groups) oddities.push("grouping has no effect in this locale");
  if (operands.length > 0 && header > 0) oddities.push("--header ignored with command-line input");
  return {
    from,
    to,
    fromUnit,
    toUnit,
    rounding: round,
    padding: isLeft ? -Math.abs(padding) : Math.abs(padding),
    format,
    suffix,
    delimiter: separator,
    fields: fieldsOf(field),
    header,
    invalid,
    lineEnd: zeroTerminated ? "\0" : "\n",
    explains: debug,
    oddities,
  };
}

/** Throws UsageError. */
function requireOneFieldList(occurrences: readonly Occurrence<Flags>[]): void {
  const [first, second] = occurrences.flatMap(({ key, value }) => (key === "field" ? [value] : []));
  if (first !== undefined) fieldsOf(first);
  if (second !== undefined) throw new UsageError("bad-value", "multiple field specifications");
}

/** Only the last one counts. Throws UsageError. */
function formatOf(text: string | undefined): NumberFormat | undefined {
  if (text === undefined) return undefined;
  try {
    return readFormat(text);
  } catch (thrown) {
    if (!(thrown instanceof BadValue)) throw thrown;
    throw new UsageError("bad-value", thrown.message, { subject: text });
  }
}

function delimiter(text: string): string {
  if (toBytes(text).length > 1) throw new BadValue("the delimiter must be a single character");
  return text === "" ? "\0" : text;
}

type Field = readonly [from: number, to: number];

/** Throws UsageError. */
function fieldsOf(list: string): Field[] {
  const bad = (message: string): UsageError => new UsageError("bad-value", message, { subject: list, pointsToHelp: true });
  if (list === "-") return [[1, Infinity]];
  const fields: Field[] = [];
  for (const [part, at] of partsOf(list)) {
    const [sound = "", first = "", dash, last = "", secondDash] = /^(\d*)(?:(-)(\d*)(-)?)?/.exec(part) ?? [];
    for (const digits of [first, last]) {
      if (digits.length > 19 && BigInt(digits) >= MOST_FIELDS) throw bad(`field number ${quoteCurly(digits)} is too large`);
      if (digits === first && dash !== undefined && /^0+$/.test(first)) throw bad("fields are numbered from 1");
    }
    if (secondDash !== undefined) throw bad("invalid field range");
    if (sound !== part) throw bad(`invalid field value ${quoteCurly(list.slice(at + sound.length))}`);
    const from = dash !== undefined && first === "" ? 1 : Number(first);
    if (from === 0) throw bad("fields are numbered from 1");
    const to = dash === undefined ? from : last === "" ? Infinity : Number(last);
    if (to < from) throw bad("invalid decreasing range");
    fields.push([from, to]);
  }
  return fields;
}

/** What is between commas and blanks, with where it begins. */
function partsOf(list: string): [part: string, at: number][] {
  const parts: [string, number][] = [];
  let at = 0;
  for (const part of list.split(/[, \t]/)) {
    parts.push([part, at]);
    at += part.length + 1;
  }
  return parts;
}

const MOST_FIELDS = (1n << 64n) - 1n;

/** K is 1000 here, Ki 1024. */
function unitSize(text: string): bigint {
  const size = /[^\d]$/.test(text) ? (/\Di$/.test(text) ? text.slice(0, -1) : `${text}B`) : text;
  const { value, problem } = scanCount(size, { suffixes: "KMGTPEZY0" });
  if (problem !== undefined || value === 0n) throw new BadValue(`invalid unit size: ${quoteCurly(text)}`);
  return value;
}

function headerCount(text: string): number {
  const { value, problem } = scanCount(text, { suffixes: "" });
  if (problem !== undefined || value === 0n) throw new BadValue(`invalid header value ${quoteCurly(text)}`);
  return Number(value);
}

function padding(text: string): number {
  const { value, problem } = scanCount(text, { suffixes: "", signed: true });
  const columns = Number(value);
  if (problem !== undefined || columns === 0 || Math.abs(columns) > 1 << 20)
    throw new BadValue(`invalid padding value ${quoteCurly(text)}`);
  return columns;
}

/** Ends the run: a number is none, and --invalid=abort. */
class Aborted extends Error {
  override readonly name = "Aborted";
}

class NumberRun {
  readonly #invocation: Invocation<Flags>;
  readonly #settings: Settings;
  readonly #out = new BlockBuilder();
  #failed = false;

  constructor(invocation: Invocation<Flags>) {
    this.#invocation = invocation;
    this.#settings = settingsOf(invocation);
  }

  async *run(): AsyncGenerator<Uint8Array, ExitStatus> {
    const { operands, stdin, limits, warn } = this.#invocation;
    const { lineEnd: end, explains, oddities, invalid } = this.#settings;
    if (explains) for (const oddity of oddities) warn(oddity);
    try {
      if (operands.length > 0) {
        for (const operand of operands) {
          yield* this.#line(operand);
          this.#out.addText(end);
        }
      } else {
        let { header } = this.#settings;
        const code = end.charCodeAt(0);
        for await (const block of lineBlocks(stdin, limits.lineBytes, code)) {
          let left = block.length;
          for (const whole of linesOf(block, code)) {
            left -= whole.length + 1;
            // For numfmt a line ends at its first NUL, and a header line loses its newline with the rest.
            const nul = whole.indexOf(0);
            const line = nul < 0 ? whole : whole.subarray(0, nul);
            const isHeader = header > 0;
            if (isHeader) {
              header--;
              this.#out.add(line);
            } else yield* this.#line(toText(line));
            if (left >= 0 && !(isHeader && (nul >= 0 || end === "\0"))) this.#out.add(toBytes(end));
            if (this.#out.full) yield this.#out.take();
          }
        }
      }
    } catch (thrown) {
      if (!(thrown instanceof Aborted)) throw thrown;
      return 2;
    }
    if (!this.#out.empty) yield this.#out.take();
    if (explains && this.#failed) warn("failed to convert some of the input numbers");
    return this.#failed && invalid === "fail" ? 2 : 0;
  }

  *#line(line: string): Generator<Uint8Array, void> {
    const { delimiter: separator, fields } = this.#settings;
    let at = 0;
    for (let field = 1; ; field++) {
      let end = at;
      if (separator === undefined) {
        while (end < line.length && isSpace(line[end] as string)) end++;
        while (end < line.length && !isSpace(line[end] as string)) end++;
      } else {
        end = line.indexOf(separator, at);
        if (end < 0) end = line.length;
      }
      const text = line.slice(at, end);
      if (fields.some(([from, to]) => from <= field && field <= to)) yield* this.#number(text, field);
      else this.#out.add(toBytes(text));
      if (end >= line.length) return;
      this.#out.add(toBytes(separator ?? " "));
      at = end + 1;
    }
  }

  *#number(whole: string, field: number): Generator<Uint8Array, void> {
    const { warn } = this.#invocation;
    const { from, to, fromUnit, toUnit, rounding, padding, format, suffix, delimiter: separator, invalid, explains } = this.#settings;
    const text =
      suffix !== undefined && suffix !== "" && whole.length > suffix.length && whole.endsWith(suffix)
        ? whole.slice(0, -suffix.length)
        : whole;
    const number = text.replace(/^[ \t]+/, "");
    let columns = padding;
    if (columns === 0 && separator === undefined && (number !== text || field > 1)) columns = toBytes(text).length;
    try {
      const read = readNumber(number, from);
      let { value } = read;
      if (explains && read.losesPrecision) warn(`large input value ${quoteCurly(number)}: possible precision loss`);
      if (fromUnit !== 1n || toUnit !== 1n) value = divide(multiply(value, fromInteger(fromUnit)), fromInteger(toUnit));
      const style = { scale: to, rounding, precision: format?.precision, zeroWidth: format?.zeroWidth ?? 0 };
      const shown = showNumber(value, read.precision, style) + (suffix ?? "");
      // The width is one of bytes.
      const missing = " ".repeat(Math.max(0, Math.abs(columns) - toBytes(shown).length));
      const padded = columns < 0 ? shown + missing : missing + shown;
      this.#out.add(toBytes((format?.before ?? "") + padded + (format?.after ?? "")));
    } catch (thrown) {
      if (!(thrown instanceof BadNumber)) throw thrown;
      this.#failed = true;
      if (invalid !== "ignore") {
        if (!this.#out.empty) yield this.#out.take();
        warn(thrown.message);
      }
      if (invalid === "abort") throw new Aborted();
      this.#out.add(toBytes(text));
    }
  }
}

const isSpace = (letter: string): boolean => letter === " " || letter === "\t" || letter === "\n";
