/** hexdump and hd: the bytes of files in hexadecimal, octal, decimal, as characters, or as a format string says. */
import {
  defineBuiltin,
  type ExitStatus,
  type FlagTable,
  type FlagValues,
  type Invocation,
  type StaticInvocation,
} from "../../src/builtin/definition.ts";
import { noFlagLeft } from "../../src/builtin/flag-values.ts";
import { openInput } from "../../src/builtin/inputs.ts";
import { BadValue, UsageError } from "../../src/builtin/usage-error.ts";
import { strtol } from "../../src/numbers/strtol.ts";
import { LimitReached } from "../../src/io/limit-reached.ts";
import { asBuffer } from "../../src/io/lines.ts";
import { BlockBuilder } from "../../src/io/output.ts";
import { toText } from "../../src/io/text.ts";
import type { Files } from "../../src/workspace/contract.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { BadFormat, compile, parseFormat, type FormatUnit, type PrintedUnit, type Program } from "./format-string.ts";

const END = '"%07.7_Ax\\n"';
const START = '"%07.7_ax "';

/** The formats that flags stand for. */
const PRESETS = {
  oneByteOctal: [END, `${START} 16/1 "%03o " "\\n"`],
  oneByteChar: [END, `${START} 16/1 "%3_c " "\\n"`],
  canonical: ['"%08.8_Ax\\n"', '"%08.8_ax  " 8/1 "%02x " "  " 8/1 "%02x "', '"  |" 16/1 "%_p" "|\\n"'],
  twoBytesDecimal: [END, `${START} 8/2 "  %05u " "\\n"`],
  twoBytesOctal: [END, `${START} 8/2 " %06o " "\\n"`],
  twoBytesHex: [END, `${START} 8/2 "   %04x " "\\n"`],
} as const;
const USUAL = [END, `${START} 8/2 "%04x " "\\n"`];

const FLAGS = {
  oneByteOctal: { kind: "switch", short: "b", help: "bytes in octal" },
  oneByteChar: { kind: "switch", short: "c", help: "bytes as characters" },
  canonical: { kind: "switch", short: "C", help: "bytes in hexadecimal, and as characters beside it" },
  twoBytesDecimal: { kind: "switch", short: "d", help: "pairs of bytes in decimal" },
  twoBytesOctal: { kind: "switch", short: "o", help: "pairs of bytes in octal" },
  twoBytesHex: { kind: "switch", short: "x", help: "pairs of bytes in hexadecimal" },
  color: {
    kind: "refused",
    short: "L",
    arg: "WHEN",
    argOptional: true,
    help: "(refused)",
    reason: "there is no terminal here, so nothing is coloured",
    suggestion: (rest: readonly string[]) => ["hexdump", ...rest].join(" "),
  },
  format: {
    kind: "value",
    short: "e",
    arg: "FORMAT",
    repeats: true,
    otherwise: "",
    read: checkedFormat,
    help: 'how to show the bytes: \'16/1 "%02x " "\\n"\'',
  },
  formatFile: { kind: "path", short: "f", arg: "FILE", access: "read", repeats: true, help: "formats from FILE, one a line" },
  length: {
    kind: "value",
    short: "n",
    arg: "LENGTH",
    otherwise: Infinity,
    read: sizeReader("length"),
    help: "show no more than LENGTH bytes",
  },
  skip: { kind: "value", short: "s", arg: "OFFSET", otherwise: 0, read: sizeReader("offset"), help: "pass over the first OFFSET bytes" },
  noSqueezing: { kind: "switch", short: "v", help: "show lines that repeat, not *" },
} as const satisfies FlagTable;

type Given = StaticInvocation<typeof FLAGS>;

export const hexdump = defineBuiltin({
  name: "hexdump",
  aliases: ["hd"],
  summary: "Show the bytes of files in hexadecimal, octal or decimal, as characters, or as a format says.",
  standard: "https://man7.org/linux/man-pages/man1/hexdump.1.html",
  reference: "util-linux 2.38.1",
  operands: { kind: "paths", access: "read" },
  flags: FLAGS,
  examples: [
    { command: "hexdump -C", stdin: "hello\n", stdout: "00000000  68 65 6c 6c 6f 0a                                 |hello.|\n00000006\n" },
    { command: "hexdump -v -e '1/1 \"%02x\"'", stdin: "hello\n", stdout: "68656c6c6f0a" },
    {
      command: "hd -s 2 -n 3 f",
      files: { f: "abcdefgh" },
      stdout: "00000002  63 64 65                                          |cde|\n00000005\n",
    },
  ],
  deviations: [
    {
      from: "hexdump",
      what: "-s also passes over bytes of a pipe",
      why: "standard input from a file and from a pipe are the same in here",
    },
    { from: "hexdump", what: "-L is refused", why: "there is no terminal" },
  ],
  check: (invocation) => void program(formatsOf(invocation, () => [])),
  async *run(invocation) {
    const { flags, limits, files } = invocation;
    let whole: Program;
    try {
      whole = program(formatsOf(invocation, (path) => linesOf(files, path, limits.heldBytes)));
    } catch (thrown) {
      if (thrown instanceof FileError) invocation.warn(`can't read ${thrown.path}: ${thrown.message}`);
      else if (thrown instanceof BadFormat) invocation.warn(thrown.message);
      else throw thrown;
      return 1;
    }
    if (whole.blockBytes > limits.lineBytes) throw new LimitReached("line", limits.lineBytes, "bytes");
    return yield* new Dump(invocation, whole, flags).run();
  },
});

/** In the order in which they were asked for. */
function formatsOf({ name, occurrences }: Given, read: (path: string) => readonly string[]): string[] {
  const formats: string[] = name === "hd" ? [...PRESETS.canonical] : [];
  for (const occurrence of occurrences) {
    switch (occurrence.key) {
      case "format":
        formats.push(occurrence.value);
        break;
      case "formatFile": {
        const lines = read(occurrence.value);
        // Each file is looked at before the next one is opened.
        for (const line of lines) parseFormat(line);
        formats.push(...lines);
        break;
      }
      case "oneByteOctal":
      case "oneByteChar":
      case "canonical":
      case "twoBytesDecimal":
      case "twoBytesOctal":
      case "twoBytesHex":
        formats.push(...PRESETS[occurrence.key]);
        break;
      // Read by their values (`Dump`): their order says nothing.
      case "length":
      case "skip":
      case "noSqueezing":
        break;
      default:
        noFlagLeft(occurrence);
    }
  }
  return formats.length === 0 ? [...USUAL] : formats;
}

function program(formats: readonly string[]): Program {
  try {
    return compile(formats.map((format): FormatUnit[] => parseFormat(format)));
  } catch (thrown) {
    if (thrown instanceof BadFormat) throw new UsageError("bad-value", thrown.message);
    throw thrown;
  }
}

function checkedFormat(text: string): string {
  try {
    parseFormat(text);
    return text;
  } catch (thrown) {
    if (thrown instanceof BadFormat) throw new BadValue(thrown.message);
    throw thrown;
  }
}

/** A file's formats: what is on a line, unless that is nothing or a comment. */
function linesOf(files: Files, path: string, most: number): string[] {
  const parts: Uint8Array[] = [];
  let held = 0;
  try {
    for (const block of files.open(path).blocks()) {
      parts.push(Uint8Array.from(block));
      held += block.length;
      if (held > most) throw new LimitReached("held", most, "bytes");
    }
  } catch (thrown) {
    // A directory can be opened, and nothing is read of it.
    if (!(thrown instanceof FileError) || thrown.code !== "EISDIR") throw thrown;
  }
  return toText(Buffer.concat(parts))
    .split(/(?<=\n)/)
    .map((line) => (line.split("\0", 1)[0] as string).replace(/^[ \t-\r]+/, ""))
    .filter((line) => line !== "" && !line.startsWith("#"));
}

/** A number of bytes: decimal, 0x… or 0…, with a unit (K or KiB 1024, KB 1000). */
function sizeReader(what: string): (text: string) => number {
  return (text) => {
    const number = /^[ \t-\r]*-/.test(text) ? undefined : strtol(text, 0);
    const unit = /^(?:([KMGTPEZY])(iB|B)?)?$/i.exec(number?.rest ?? "-");
    if (number === undefined || unit === null) throw new BadValue(`failed to parse ${what}: '${text}': Invalid argument`);
    const [, letter = "", kind = ""] = unit;
    const power = letter === "" ? 0 : "KMGTPEZY".indexOf(letter.toUpperCase()) + 1;
    const size = Number(number.value) * (kind === "B" ? 1000 : 1024) ** power;
    if (size >= 2 ** 64) throw new BadValue(`failed to parse ${what}: '${text}': Numerical result out of range`);
    return size;
  };
}

class Dump {
  readonly #invocation: Invocation<typeof FLAGS>;
  readonly #program: Program;
  readonly #flags: FlagValues<typeof FLAGS>;
  readonly #out = new BlockBuilder();
  /** Where the block that is shown next begins. */
  #address: number;
  #previous: Buffer | undefined;
  #isStarred = false;

  constructor(invocation: Invocation<typeof FLAGS>, program: Program, flags: FlagValues<typeof FLAGS>) {
    this.#invocation = invocation;
    this.#program = program;
    this.#flags = flags;
    this.#address = 0;
  }

  async *run(): AsyncGenerator<Uint8Array, ExitStatus> {
    const { blockBytes, atEnd } = this.#program;
    const input = new SkippingInput(this.#invocation);
    let rest: Buffer = Buffer.alloc(0);
    let left = this.#flags.length;
    let isFirst = true;
    for await (const fresh of input.blocks(this.#flags.skip, left, blockBytes > 0)) {
      // Formats that show no byte: the files are read all the same.
      if (blockBytes === 0) continue;
      if (isFirst) this.#address = input.skipped;
      isFirst = false;
      const taken = fresh.subarray(0, left);
      left -= taken.length;
      const all = rest.length === 0 ? taken : Buffer.concat([rest, taken]);
      let at = 0;
      for (; at + blockBytes <= all.length; at += blockBytes) {
        this.#whole(all.subarray(at, at + blockBytes));
        if (this.#out.full) yield this.#out.take();
      }
      // The block that was shown last is compared to: it must outlive its buffer.
      if (this.#previous !== undefined) this.#previous = Buffer.from(this.#previous);
      rest = Buffer.from(all.subarray(at));
      if (left <= 0) break;
    }
    if (input.nothingOpened) {
      // hexdump then turns to its standard input, which it has closed.
      this.#invocation.warn(this.#flags.skip > 0 ? "stdin: Bad file descriptor" : "all input file arguments failed");
      return 1;
    }
    if (isFirst) this.#address = input.skipped;
    let end = this.#address;
    if (rest.length > 0) {
      end += rest.length;
      const padded = Buffer.alloc(blockBytes);
      padded.set(rest);
      this.#show(padded, end);
    }
    if (atEnd !== undefined && end > 0) this.#out.addLatin1(unitText(atEnd, Buffer.alloc(0), 0, end, Infinity).text);
    if (!this.#out.empty) yield this.#out.take();
    return input.failed ? 1 : 0;
  }

  #whole(block: Buffer): void {
    if (!this.#flags.noSqueezing && this.#previous?.equals(block) === true) {
      if (!this.#isStarred) this.#out.addLatin1("*\n");
      this.#isStarred = true;
    } else {
      this.#isStarred = false;
      this.#show(block, Infinity);
      this.#previous = block;
    }
    this.#address += block.length;
  }

  /** `end`: the address where the input ends. */
  #show(block: Buffer, end: number): void {
    for (const units of this.#program.formats) {
      let at = 0;
      let line = "";
      for (const unit of units) {
        const { text, bytes } = unitText(unit, block, at, this.#address, end);
        line += text;
        at += bytes;
      }
      this.#out.addLatin1(line);
    }
  }
}

/** What a unit prints for the bytes from `at`, where the block begins at `address`. */
function unitText(
  { repetitions, pieces }: PrintedUnit,
  block: Buffer,
  at: number,
  address: number,
  end: number,
): { text: string; bytes: number } {
  let text = "";
  let here = at;
  for (let left = repetitions; left > 0; left--) {
    for (const piece of pieces) {
      if (piece.isText) text += left === 1 ? (piece.lastText ?? piece.blank) : piece.blank;
      else text += address + here >= end ? piece.blank : piece.show(block, here, address + here);
      here += piece.bytes;
    }
  }
  return { text, bytes: here - at };
}

/** All operands as one input, without the bytes that are passed over. */
class SkippingInput {
  readonly #invocation: Invocation<typeof FLAGS>;
  skipped = 0;
  failed = false;
  nothingOpened = false;

  constructor(invocation: Invocation<typeof FLAGS>) {
    this.#invocation = invocation;
  }

  /** `isShown`: whether anything is made of the bytes. */
  async *blocks(skip: number, length: number, isShown: boolean): AsyncGenerator<Buffer, void> {
    const { operands, warn } = this.#invocation;
    if (length <= 0) return;
    let opened = 0;
    // hexdump knows no `-`.
    for (const operand of operands.length === 0 ? ["-"] : operands) {
      try {
        const source =
          operands.length > 0 && operand === "-"
            ? openInput({ stdin: this.#invocation.stdin, files: this.#invocation.files }, "./-")
            : openInput(this.#invocation, operand);
        opened++;
        for await (const block of source) {
          const passed = Math.min(skip - this.skipped, block.length);
          this.skipped += passed;
          if (passed < block.length) yield asBuffer(block).subarray(passed);
        }
      } catch (thrown) {
        if (!(thrown instanceof FileError)) throw thrown;
        const isDirectory = thrown.code === "EISDIR";
        // Where no byte is shown none is read, and a directory can be opened.
        if (!isDirectory || isShown) warn(`${operand}: ${thrown.message}`);
        // In a directory it can go anywhere.
        if (isDirectory) {
          opened++;
          this.skipped = skip;
        } else this.failed = true;
      }
    }
    // As in a file that is standard input, in which one can go past the end.
    if (operands.length === 0) this.skipped = skip;
    this.nothingOpened = opened === 0;
  }
}
