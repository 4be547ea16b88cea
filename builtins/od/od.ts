/** od: the bytes of its input as numbers and characters. */
import { scanCount } from "../../src/numbers/counts.ts";
import { defineBuiltin, type FlagTable, type GivenKey, type Occurrence, type StaticInvocation } from "../../src/builtin/definition.ts";
import { noFlagLeft } from "../../src/builtin/flag-values.ts";
import { BadValue, UsageError } from "../../src/builtin/usage-error.ts";
import { wordReader } from "../../src/builtin/word-choice.ts";
import { LimitReached } from "../../src/io/limit-reached.ts";
import { BlockBuilder } from "../../src/io/output.ts";
import { quoteCurly } from "../../src/display/quote.ts";
import { CombinedInput } from "./combined-input.ts";
import { commonBytes, LineDump } from "./line-dump.ts";
import { firstByte, readTypeString } from "./type-string.ts";

/** A letter that stands for a type: `-c` is `-t c`. */
const TYPE_LETTERS: Readonly<Record<string, string>> = {
  a: "a",
  b: "o1",
  B: "o2",
  c: "c",
  d: "u2",
  D: "u4",
  e: "fD",
  f: "fF",
  F: "fD",
  h: "x2",
  H: "x4",
  i: "dI",
  I: "dL",
  l: "dL",
  L: "dL",
  o: "o2",
  O: "o4",
  s: "d2",
  x: "x2",
  X: "x4",
};

const FLAGS = {
  skipBytes: {
    kind: "value",
    short: "j",
    arg: "BYTES",
    read: (text: string) => text,
    otherwise: "0",
    help: "pass over the first BYTES bytes",
  },
  addressRadix: {
    kind: "value",
    short: "A",
    arg: "RADIX",
    read: readRadix,
    otherwise: "o",
    help: "addresses in decimal (d), octal (o, default), hexadecimal (x) or none (n)",
  },
  readBytes: {
    kind: "value",
    short: "N",
    arg: "BYTES",
    read: (text: string) => text,
    otherwise: undefined,
    help: "show no more than BYTES bytes",
  },
  format: {
    kind: "value",
    short: "t",
    arg: "TYPE",
    read: (text: string) => text,
    otherwise: "",
    repeats: true,
    help: "what to show bytes as: a, c, d, f, o, u, x with a size, z for characters besides",
  },
  outputDuplicates: { kind: "switch", short: "v", help: "show lines that repeat, not *" },
  strings: {
    kind: "value",
    arg: "BYTES",
    read: (text: string) => text,
    ifBare: "3",
    otherwise: undefined,
    help: "show strings of at least BYTES characters (default 3) that end in NUL",
  },
  leastString: {
    kind: "value",
    short: "S",
    long: false,
    arg: "BYTES",
    read: (text: string) => text,
    otherwise: undefined,
    help: "as --strings=BYTES",
  },
  traditional: { kind: "switch", help: "take OFFSET and LABEL operands" },
  width: {
    kind: "value",
    short: "w",
    arg: "BYTES",
    read: (text: string) => text,
    ifBare: "32",
    otherwise: undefined,
    help: "show BYTES bytes on a line (default 16)",
  },
  endian: {
    kind: "value",
    arg: "ORDER",
    read: wordReader("--endian", { little: ["little"], big: ["big"] }),
    otherwise: "little",
    help: "order of the bytes of a number: little (default) or big",
  },
  letters: {
    kind: "switch",
    short: Object.keys(TYPE_LETTERS).join(""),
    long: false,
    help: "old forms of -t: -b o1, -c c, -d u2, -x x2, -o o2, -s d2 …",
  },
} as const satisfies FlagTable;

type Given = StaticInvocation<typeof FLAGS>;

export const od = defineBuiltin({
  name: "od",
  summary: "Show the bytes of files as octal, decimal or hexadecimal numbers, as floating point or as characters.",
  standard: "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/od.html",
  reference: "GNU coreutils 9.1",
  readsStreams: true,
  operands: { kind: "paths", access: "read" },
  flags: FLAGS,
  examples: [
    { command: "od -c", stdin: "a\n", stdout: "0000000   a  \\n\n0000002\n" },
    { command: "od -An -tx1", stdin: "AB", stdout: " 41 42\n" },
    { command: "od -A d -t x1z", stdin: "AB", stdout: "0000000 41 42                                            >AB<\n0000002\n" },
  ],
  check(invocation) {
    checkOccurrences(invocation.occurrences);
    if (
      readLayout(invocation).minimumString !== undefined &&
      invocation.occurrences.some(({ key, value }) => (key === "format" && value !== "") || key === "letters")
    ) {
      throw new UsageError("bad-value", "no type may be specified when dumping strings");
    }
    const { skip, limit } = readLayout(invocation);
    const start = traditionalOperands(invocation).skip ?? skip;
    if (start > 0 && limit < Infinity && start + limit >= 2 ** 64)
      throw new UsageError("bad-value", "skip-bytes + read-bytes is too large");
  },
  async *run(invocation) {
    const { flags } = invocation;
    const { skip, limit, minimumString, width } = readLayout(invocation);
    const traditional = traditionalOperands(invocation);
    const bigEndian = flags.endian === "big";
    const types = typeStrings(invocation).flatMap((text) => readTypeString(text, bigEndian));
    const unit = commonBytes(types);
    const isFit = width === undefined || (width > 0n && width % BigInt(unit) === 0n);
    const fullest = unit < 16 ? unit * Math.floor(16 / unit) : unit;
    const lineBytes = isFit ? Number(width ?? fullest) : unit;
    const start = traditional.skip ?? skip;
    const input = new CombinedInput(invocation, traditional.operands, limit);
    try {
      if (!(await input.start())) return 1;
      if (!(await input.skip(start))) {
        invocation.warn("cannot skip past end of combined input");
        return 1;
      }
      // Told of once there is something to show.
      if (!isFit) invocation.warn(`warning: invalid width ${width}; using ${unit} instead`);
      if (minimumString !== undefined && minimumString >= MOST_HELD) {
        invocation.warn("memory exhausted");
        return 1;
      }
      const radix = flags.addressRadix;
      const label = traditional.label;
      const address = (offset: number): string => {
        if (label === undefined) return addressText(offset, radix);
        return `${radix === "n" ? "" : `${addressText(offset, radix)} `}(${addressText(label + offset - start, radix === "n" ? "o" : radix)})`;
      };
      if (minimumString !== undefined)
        yield* showStrings(input, { least: minimumString, start, end: start + limit, address, lineBytes: invocation.limits.lineBytes });
      else {
        if (2 * lineBytes >= MOST_HELD) {
          invocation.warn("memory exhausted");
          return 1;
        }
        if (lineBytes > invocation.limits.lineBytes) throw new LimitReached("line", invocation.limits.lineBytes, "bytes");
        const dump = new LineDump(
          { types, lineBytes, showsAll: flags.outputDuplicates, address, addressColumns: addressText(0, radix).length },
          start,
        );
        for (let line = await input.take(lineBytes); line.length > 0; line = await input.take(lineBytes)) {
          dump.line(line);
          if (dump.out.full) yield dump.out.take();
          if (line.length < lineBytes) break;
        }
        dump.end();
        if (!dump.out.empty) yield dump.out.take();
      }
      return input.failed ? 1 : 0;
    } finally {
      await input.close();
    }
  },
});

/** The types in the order in which they were asked for. */
function typeStrings({ occurrences }: Given): string[] {
  const texts = occurrences.flatMap(({ key, value, spelling }) =>
    key === "format" ? [value] : key === "letters" ? [TYPE_LETTERS[spelling.slice(1)] as string] : [],
  );
  return texts.some((text) => text !== "") ? texts : ["oS"];
}

/** Throws UsageError: od tells of a type that is none and goes on, and of anything else it ends. */
function checkOccurrences(occurrences: readonly Occurrence<typeof FLAGS>[], thrown?: unknown): void {
  const told: string[] = [];
  const all = (message: string): string => [...told, message].join("\nod: ");
  try {
    for (const occurrence of occurrences) {
      switch (occurrence.key) {
        case "skipBytes":
        case "readBytes":
        case "strings":
        case "leastString":
        case "width":
          if (occurrence.value !== undefined) readBytes(occurrence.value, occurrence.spelling, occurrence.key !== "width");
          break;
        case "format":
          try {
            readTypeString(occurrence.value, false);
          } catch (bad) {
            if (!(bad instanceof BadValue)) throw bad;
            told.push(bad.message);
          }
          break;
        // Nothing about them can be wrong: `run` and `traditionalOperands` read their values, `typeStrings` the letters.
        case "addressRadix":
        case "endian":
        case "letters":
        case "outputDuplicates":
        case "traditional":
          break;
        default:
          noFlagLeft(occurrence);
      }
    }
    if (thrown !== undefined) throw thrown;
  } catch (fault) {
    if (!(fault instanceof UsageError) || told.length === 0) throw fault;
    throw new UsageError(fault.kind, all(fault.message), fault);
  }
  const last = told.pop();
  if (last !== undefined) throw new UsageError("bad-value", all(last));
}

/** More bytes than a machine has: GNU od takes memory for the shortest string. */
const MOST_HELD = 2 ** 37;

function readRadix(text: string): "d" | "o" | "x" | "n" {
  const letter = firstByte(text) || "\0";
  if (letter === "d" || letter === "o" || letter === "x" || letter === "n") return letter;
  throw new BadValue(`invalid output address radix '${letter}'; it must be one character from [doxn]`);
}

interface Amounts {
  readonly skip: number;
  readonly limit: number;
  readonly minimumString: number | undefined;
  readonly width: bigint | undefined;
}

/** Throws UsageError where a number is none. */
function readLayout({ flags, occurrences }: Given): Amounts {
  const amount = (key: AmountKey, letter: string, text: string): bigint => {
    const spelling = occurrences.findLast((occurrence) => occurrence.key === key)?.spelling ?? `-${letter}`;
    return readBytes(text, spelling, letter !== "w");
  };
  const amountOf = (key: AmountKey, text: string | undefined): number | undefined =>
    text === undefined ? undefined : Number(amount(key, "S", text));
  return {
    skip: Number(amount("skipBytes", "j", flags.skipBytes)),
    limit: flags.readBytes === undefined ? Infinity : Number(amount("readBytes", "N", flags.readBytes)),
    minimumString: amountOf("strings", flags.strings) ?? amountOf("leastString", flags.leastString),
    width: flags.width === undefined ? undefined : amount("width", "w", flags.width),
  };
}

type AmountKey = Extract<GivenKey<typeof FLAGS>, "skipBytes" | "readBytes" | "strings" | "leastString" | "width">;
const SUFFIXES = "bEGKkMmPTYZ0";

/** A number of bytes: decimal, and where `isAnyBase` also 0x… or 0…, and with a suffix. */
function readBytes(text: string, spelling: string, isAnyBase: boolean): bigint {
  const { value, problem } = scanCount(text, isAnyBase ? { suffixes: SUFFIXES, base: 0 } : { suffixes: "" });
  if (problem === "overflow") throw new UsageError("bad-value", `${spelling} argument '${text}' too large`, { subject: text });
  if (problem === "suffix") throw new UsageError("bad-value", `invalid suffix in ${spelling} argument '${text}'`, { subject: text });
  if (problem === "invalid") throw new UsageError("bad-value", `invalid ${spelling} argument '${text}'`, { subject: text });
  return value;
}

interface OldOperands {
  readonly operands: readonly string[];
  readonly skip: number | undefined;
  /** The address shown beside that of the first byte. */
  readonly label: number | undefined;
}

/** Flags that no old form of the arguments has beside it. */
const MODERN: ReadonlySet<GivenKey<typeof FLAGS>> = new Set([
  ...(["addressRadix", "skipBytes", "readBytes", "format", "outputDuplicates", "strings", "leastString", "width"] as const),
]);

/** `[FILE] [+]OFFSET [LABEL]`, taken where no flag of today's form is there. Throws UsageError. */
function traditionalOperands({ flags, operands, occurrences }: Given): OldOperands {
  const plain: OldOperands = { operands, skip: undefined, label: undefined };
  const isModern = occurrences.some(({ key }) => MODERN.has(key));
  const { traditional } = flags;
  if (isModern && !traditional) return plain;
  const [first = "", second = "", third = ""] = operands;
  let taken = plain;
  if (operands.length === 1) {
    const skip = traditional || first.startsWith("+") ? oldOffset(first) : undefined;
    if (skip !== undefined) taken = { operands: [], skip, label: undefined };
  } else if (operands.length === 2) {
    const last = traditional || /^[+0-9]/.test(second) ? oldOffset(second) : undefined;
    const before = traditional ? oldOffset(first) : undefined;
    if (last !== undefined) {
      taken = before !== undefined ? { operands: [], skip: before, label: last } : { operands: [first], skip: last, label: undefined };
    }
  } else if (operands.length === 3 && traditional) {
    const [skip, label] = [oldOffset(second), oldOffset(third)];
    if (skip !== undefined && label !== undefined) taken = { operands: [first], skip, label };
  }
  if (traditional && taken.operands.length > 1) {
    const extra = taken.operands[1] as string;
    throw new UsageError("extra-operand", `extra operand ${quoteCurly(extra)}\nod: compatibility mode supports at most one file`, {
      subject: extra,
      pointsToHelp: true,
    });
  }
  return taken;
}

/** Octal, or hexadecimal after 0x; `b` counts blocks of 512, `B` of 1024. */
function oldOffset(text: string): number | undefined {
  const [, hex, octal, unit] = /^\+?(?:0[xX]([0-9a-fA-F]+)|([0-7]+))([bB]?)$/.exec(text) ?? [];
  if (hex === undefined && octal === undefined) return undefined;
  const value = hex === undefined ? Number.parseInt(octal as string, 8) : Number.parseInt(hex, 16);
  return value * (unit === "b" ? 512 : unit === "B" ? 1024 : 1);
}

function addressText(offset: number, radix: "d" | "o" | "x" | "n"): string {
  if (radix === "n") return "";
  const base = radix === "d" ? 10 : radix === "o" ? 8 : 16;
  return (offset < 0 ? BigInt.asUintN(64, BigInt(offset)) : offset).toString(base).padStart(radix === "x" ? 6 : 7, "0");
}

interface StringSearch {
  readonly least: number;
  readonly start: number;
  /** Where -N ends the input; Infinity without it. */
  readonly end: number;
  readonly address: (offset: number) => string;
  readonly lineBytes: number;
}

/**
 * -S: runs of printable characters before a NUL, or where -N ends the input. GNU od takes that end for a NUL it has read, and
 * looks for no run that is as long as what is left.
 */
async function* showStrings(
  input: CombinedInput,
  { least, start, end, address, lineBytes }: StringSearch,
): AsyncGenerator<Uint8Array, void> {
  const out = new BlockBuilder();
  let offset = start;
  let run = "";
  const print = (at: number): void => {
    const shown = address(at);
    out.addLatin1(`${shown}${shown === "" ? "" : " "}${run}\n`);
  };
  const mayBegin = (): boolean => offset < end - least;
  let isLooking = mayBegin();
  while (isLooking) {
    const block = await input.take(1 << 16);
    if (block.length === 0) break;
    for (const byte of block) {
      offset++;
      if (byte >= 0x20 && byte < 0x7f) {
        run += String.fromCharCode(byte);
        if (run.length > lineBytes) throw new LimitReached("line", lineBytes, "bytes");
        if (offset < end || run.length < least) continue;
        print(offset - run.length - 1);
        isLooking = false;
        break;
      }
      if (byte === 0 && run.length >= least) print(offset - 1 - run.length);
      run = "";
      isLooking = mayBegin();
      if (!isLooking) break;
    }
    if (out.full) yield out.take();
  }
  if (!out.empty) yield out.take();
}
