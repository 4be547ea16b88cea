/** strings: runs of printable characters in any file. */
import { defineBuiltin, type FlagTable, type StaticInvocation } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { inputOperands, openInput } from "../../src/builtin/inputs.ts";
import { BadValue, UsageError } from "../../src/builtin/usage-error.ts";
import { strtol } from "../../src/numbers/strtol.ts";
import { LimitReached } from "../../src/io/limit-reached.ts";
import { BlockBuilder } from "../../src/io/output.ts";
import { toBytes } from "../../src/io/text.ts";
import { FileError } from "../../src/workspace/file-error.ts";

const FLAGS = {
  all: { kind: "switch", short: "a", unread: true, help: "no effect: files are always read whole" },
  data: {
    kind: "refused",
    short: "d",
    help: "(refused)",
    reason: "sections of object files are not known here",
    suggestion: (rest: readonly string[]) => ["strings", ...rest].join(" "),
  },
  printFileName: { kind: "switch", short: "f", help: "print the file's name in front of each string" },
  bytes: {
    kind: "value",
    short: "n",
    arg: "NUMBER",
    otherwise: 4,
    read: leastCount,
    help: "print runs of at least NUMBER characters (default 4)",
  },
  number: {
    kind: "value",
    short: "0123456789",
    long: false,
    arg: "DIGITS",
    otherwise: undefined,
    ifBare: "",
    read: (text: string) => text,
    help: "-NUMBER: as -n NUMBER, and stronger than it",
  },
  radix: {
    kind: "value",
    short: "t",
    arg: "RADIX",
    otherwise: undefined,
    overrides: ["octal"],
    read: radix,
    help: "print where each string begins: o, d or x",
  },
  octal: { kind: "switch", short: "o", long: false, overrides: ["radix"], help: "as -t o" },
  includeAllWhitespace: { kind: "switch", short: "w", help: "take all white space for printable" },
  outputSeparator: {
    kind: "value",
    short: "s",
    arg: "STRING",
    otherwise: "\n",
    read: (text: string) => text,
    help: "end each string with STRING",
  },
  encoding: {
    kind: "value",
    short: "e",
    arg: "ENCODING",
    otherwise: "s",
    read: encodingLetter,
    help: "characters of 7 bits (s), 8 bits (S), 16 bits (b, l) or 32 bits (B, L; capital or small as the order of bytes is big or little)",
  },
  unicode: {
    kind: "value",
    short: "U",
    arg: "HOW",
    otherwise: "default",
    unread: true,
    read: unicode,
    help: "no effect: default and invalid, which print UTF-8 as it is, are all there is",
  },
  target: {
    kind: "refused",
    short: "T",
    arg: "FORMAT",
    help: "(refused)",
    reason: "sections of object files are not known here",
    suggestion: (rest: readonly string[]) => ["strings", ...rest].join(" "),
  },
} as const satisfies FlagTable;

export const strings = defineBuiltin({
  name: "strings",
  summary: "Print the runs of printable characters in files.",
  standard: "https://sourceware.org/binutils/docs/binutils/strings.html",
  reference: "GNU binutils 2.40",
  operands: { kind: "paths", access: "read" },
  flags: FLAGS,
  examples: [
    { command: "strings -n 5", stdin: "\0\x01hello\0ab\0", stdout: "hello\n" },
    { command: "strings -t d f", files: { f: "\x01\x02hello\x03" }, stdout: "      2 hello\n" },
  ],
  deviations: [
    { from: "GNU strings", what: "a wrong flag is named, and --help is pointed to", why: "GNU strings prints its whole usage" },
    { from: "GNU strings", what: "-d and -T are refused", why: "object files are not taken apart here" },
    { from: "GNU strings", what: "-U takes default and invalid alone", why: "output here is bytes, and nobody looks at it in a terminal" },
    { from: "GNU strings", what: "@FILE is a file like any other", why: "flags must be known before anything runs" },
    {
      from: "GNU strings",
      what: "of digits and letters in one argument (-1a) the digits are the number",
      why: "GNU reads a wrong argument",
    },
  ],
  check: (invocation) => void soughtOf(invocation),
  async *run(invocation) {
    const { limits } = invocation;
    const { least, encoding, takesAllSpace, printsNames, base, separator } = soughtOf(invocation);
    // `-` is an old flag that does nothing any more, but it counts for a file that is not there.
    const operands = invocation.operands.filter((operand) => operand !== "-");
    if (operands.length < invocation.operands.length && operands.length === 0) {
      invocation.warn("no file but -, which means nothing here: leave it out to read standard input");
      return 1;
    }
    const out = new BlockBuilder();
    let exit = 0;
    for (const operand of inputOperands({ operands })) {
      const runs = new Runs(out, {
        least,
        prefix: printsNames ? toBytes(`${operands.length === 0 ? "{standard input}" : operand}: `) : undefined,
        base,
        separator,
        mostHeld: limits.lineBytes,
      });
      const { bytes, low, printable } = shapeOf(encoding, takesAllSpace);
      try {
        const source = openInput(invocation, operand);
        let rest: Uint8Array = new Uint8Array(0);
        let address = 0;
        for await (const block of source) {
          if (bytes === 1) {
            scanBytes(runs, block, address, printable);
            address += block.length;
          } else {
            const all = rest.length === 0 ? block : Buffer.concat([rest, block]);
            const used = scanWide(runs, all, address, { bytes, low, printable });
            address += used;
            rest = Uint8Array.from(all.subarray(used));
          }
          if (out.full) yield out.take();
        }
        runs.end();
      } catch (thrown) {
        if (!(thrown instanceof FileError)) throw thrown;
        if (!out.empty) yield out.take();
        invocation.warn(complaint(thrown, operand));
        exit = 1;
      }
    }
    if (!out.empty) yield out.take();
    return exit;
  },
});

function complaint({ code, message }: FileError, operand: string): string {
  if (code === "ENOENT") return `'${operand}': No such file`;
  if (code === "ENOTDIR" || code === "ELOOP") return `Warning: could not locate '${operand}'.  reason: ${message}`;
  if (code === "EISDIR") return `Warning: '${operand}' is a directory`;
  return `${operand}: ${message}`;
}

interface Sought {
  readonly least: number;
  readonly encoding: Encoding;
  readonly takesAllSpace: boolean;
  readonly printsNames: boolean;
  /** Of the addresses; undefined: none are printed. */
  readonly base: number | undefined;
  readonly separator: Uint8Array;
}

/** The number in force is that of the last -NUMBER, else of the last -n. Throws UsageError. */
function soughtOf({ flags, occurrences }: StaticInvocation<typeof FLAGS>): Sought {
  const { printFileName, bytes, number, radix: base, octal, includeAllWhitespace, outputSeparator, encoding: letter, ...others } = flags;
  allFlagsRead(others);
  const old = occurrences.findLast(({ key }) => key === "number");
  const least = number === undefined || old === undefined ? bytes : readDigits(old.spelling.slice(1) + number);
  if (least === 0) throw new UsageError("bad-value", "invalid minimum string length 0");
  const encoding = ENCODINGS.find((known) => known === letter);
  if (encoding === undefined) throw new UsageError("bad-value", unknownEncoding(letter), { pointsToHelp: true });
  return {
    least,
    encoding,
    takesAllSpace: includeAllWhitespace,
    printsNames: printFileName,
    base: octal ? 8 : base,
    separator: toBytes(outputSeparator),
  };
}

function readDigits(text: string): number {
  try {
    return leastCount(text);
  } catch (thrown) {
    if (thrown instanceof BadValue) throw new UsageError("bad-value", thrown.message, { subject: `-${text}` });
    throw thrown;
  }
}

/** As strtoul(3) with base 0, of which an unsigned int keeps the lower half; what is too small is told of once all flags are known. */
function leastCount(text: string): number {
  if (text === "") return 0;
  const number = strtol(text, 0);
  if (number === undefined || number.rest !== "") throw new BadValue(`invalid integer argument ${text}`);
  const isHeld = number.value < 1n << 64n && number.value > -(1n << 64n);
  return isHeld ? Number(BigInt.asUintN(32, number.value)) : 2 ** 32 - 1;
}

function radix(text: string): number {
  const base = text === "o" ? 8 : text === "d" ? 10 : text === "x" ? 16 : undefined;
  if (base === undefined) throw new BadValue(`invalid radix '${text}': o, d and x are known`, { pointsToHelp: true });
  return base;
}

const ENCODINGS = ["s", "S", "b", "l", "B", "L"] as const;
type Encoding = (typeof ENCODINGS)[number];

/** Which letters there are is asked once all flags are known. */
function encodingLetter(text: string): string {
  if (toBytes(text).length === 1) return text;
  throw new BadValue(unknownEncoding(text), { pointsToHelp: true });
}

const unknownEncoding = (text: string): string => `invalid encoding '${text}': s, S, b, l, B and L are known`;

function unicode(text: string): string {
  if (["d", "default", "i", "invalid"].includes(text)) return text;
  if (!["l", "locale", "x", "hex", "e", "escape", "h", "highlight"].includes(text))
    throw new BadValue(`invalid argument to -U/--unicode: ${text}`);
  throw new UsageError("refused-flag", `-U ${text} is not available here: strings are printed as they are`, {
    subject: "-U",
    suggestion: "strings -e S FILE",
  });
}

interface CharacterShape {
  /** Bytes of a character. */
  readonly bytes: number;
  /** Which of them is the lowest. */
  readonly low: number;
  /** 1 for each character below 256 that is printable. */
  readonly printable: Uint8Array;
}

function shapeOf(encoding: Encoding, takesAllSpace: boolean): CharacterShape {
  const printable = new Uint8Array(256);
  for (let code = 0; code < 256; code++) {
    const isSpace = takesAllSpace && (code === 0x20 || (code >= 9 && code <= 13));
    printable[code] = code === 9 || (code >= 0x20 && code < 0x7f) || isSpace || (encoding === "S" && code > 127) ? 1 : 0;
  }
  const bytes = encoding === "b" || encoding === "l" ? 2 : encoding === "B" || encoding === "L" ? 4 : 1;
  return { bytes, low: encoding === "b" || encoding === "B" ? bytes - 1 : 0, printable };
}

function scanBytes(runs: Runs, block: Uint8Array, address: number, printable: Uint8Array): void {
  for (let at = 0; at < block.length; ) {
    const start = at;
    while (at < block.length && printable[block[at] as number] === 1) at++;
    if (at > start && (at === block.length || runs.reaches(at - start))) runs.add(block, start, at, address + start);
    if (at === block.length) return;
    runs.end();
    while (at < block.length && printable[block[at] as number] === 0) at++;
  }
}

/** Returns how many bytes were used; behind what is no character the next byte may begin one. */
function scanWide(runs: Runs, block: Uint8Array, address: number, { bytes, low, printable }: CharacterShape): number {
  let at = 0;
  while (at + bytes <= block.length) {
    let isPrintable = printable[block[at + low] as number] === 1;
    for (let byte = 0; byte < bytes && isPrintable; byte++) if (byte !== low && block[at + byte] !== 0) isPrintable = false;
    if (isPrintable) {
      runs.add(block, at + low, at + low + 1, address + at);
      at += bytes;
    } else {
      runs.end();
      at++;
    }
  }
  return at;
}

interface RunLayout {
  readonly least: number;
  readonly prefix: Uint8Array | undefined;
  readonly base: number | undefined;
  readonly separator: Uint8Array;
  /** Characters of a run that is not long enough yet, at most. */
  readonly mostHeld: number;
}

/** Prints runs of characters that are long enough. */
class Runs {
  readonly #out: BlockBuilder;
  readonly #layout: RunLayout;
  readonly #held = new BlockBuilder(64);
  #count = 0;
  #start = 0;
  #isPrinting = false;

  constructor(out: BlockBuilder, layout: RunLayout) {
    this.#out = out;
    this.#layout = layout;
  }

  /** Whether the run is long enough with so many more characters. */
  reaches(more: number): boolean {
    return this.#count + more >= this.#layout.least;
  }

  /** More of the run, which begins at `address` if it has nothing in it yet. */
  add(block: Uint8Array, from: number, to: number, address: number): void {
    if (this.#count === 0) this.#start = address;
    this.#count += to - from;
    if (!this.#isPrinting) {
      const { least, prefix, base, mostHeld } = this.#layout;
      if (this.#count < least) {
        if (this.#count > mostHeld) throw new LimitReached("line", mostHeld, "bytes");
        this.#held.add(block, from, to);
        return;
      }
      this.#isPrinting = true;
      if (prefix !== undefined) this.#out.add(prefix);
      if (base !== undefined) this.#out.addLatin1(`${this.#start.toString(base).padStart(7)} `);
      if (!this.#held.empty) this.#out.add(this.#held.take());
    }
    this.#out.add(block, from, to);
  }

  end(): void {
    if (this.#isPrinting) this.#out.add(this.#layout.separator);
    else if (!this.#held.empty) this.#held.take();
    this.#isPrinting = false;
    this.#count = 0;
  }
}
