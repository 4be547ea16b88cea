/** cmp: the first bytes at which two files differ, or all of them. */
import { scanCount } from "../../src/numbers/counts.ts";
import { defineBuiltin, type FlagTable, type Invocation, type StaticInvocation } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { isStandardInput, openInput, type InputSource } from "../../src/builtin/inputs.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import { countByte } from "../../src/io/count-byte.ts";
import { asBuffer, NEWLINE } from "../../src/io/lines.ts";
import { BlockBuilder } from "../../src/io/output.ts";
import { toBytes } from "../../src/io/text.ts";
import { FileError } from "../../src/workspace/file-error.ts";

/** Bad numbers are told of in the order in which they stand. */
const readLimit = (text: string): string => {
  readBytes(text, "--bytes", text);
  return text;
};
const readSkip = (text: string): string => {
  const colon = text.indexOf(":");
  readBytes(colon < 0 ? text : text.slice(0, colon), "--ignore-initial", text);
  if (colon >= 0) readBytes(text.slice(colon + 1), "--ignore-initial", text.slice(colon + 1));
  return text;
};

const FLAGS = {
  bytes: {
    kind: "value",
    short: "n",
    arg: "LIMIT",
    read: readLimit,
    otherwise: undefined,
    repeats: true,
    help: "compare at most LIMIT bytes",
  },
  ignoreInitial: {
    kind: "value",
    short: "i",
    arg: "SKIP[:SKIP2]",
    read: readSkip,
    otherwise: undefined,
    repeats: true,
    help: "pass over the first SKIP bytes of both, or SKIP2 of the second",
  },
  printBytes: { kind: "switch", short: "b", help: "print the bytes that differ" },
  printChars: { kind: "switch", short: "c", help: "an old name of --print-bytes" },
  quiet: { kind: "switch", short: "s", long: ["quiet", "silent"], help: "print nothing, the exit status says it" },
  verbose: { kind: "switch", short: "l", help: "print all differences: byte number and both bytes in octal" },
} as const satisfies FlagTable;

type Given = StaticInvocation<typeof FLAGS>;

export const cmp = defineBuiltin({
  name: "cmp",
  summary: "Compare two files byte by byte.",
  standard: "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/cmp.html",
  reference: "GNU diffutils 3.8",
  readsStreams: true,
  operands: { kind: "paths", access: "read" },
  flags: FLAGS,
  usageExit: 2,
  usageHint: (name) => `${name}: Try '${name} --help' for more information.\n`,
  silence: { 0: "found no difference" },
  examples: [
    { command: "cmp a b", files: { a: "one\ntwo\n", b: "one\ntoo\n" }, stdout: "a b differ: byte 6, line 2\n", exit: 1 },
    { command: "cmp -l a b", files: { a: "abc\n", b: "abd\n" }, stdout: "3 143 144\n", exit: 1 },
    { command: "cmp -s a b", files: { a: "x", b: "x" }, stdout: "", note: "0: the same" },
  ],
  deviations: [
    {
      from: "GNU cmp 3.8",
      what: "standard input is the same as itself whatever is skipped of it (`cmp - - 1 2`), also where it is a file",
      why: "GNU cmp then reads the file through one descriptor for both sides, and fails to close it twice",
    },
  ],
  check: (invocation) => void readRequest(invocation),
  async *run(invocation) {
    const { names, skips, limit, printsBytes, quiet, verbose } = readRequest(invocation);
    const [first, second] = names;
    const sides: Side[] = [];
    try {
      for (const which of [0, 1] as const) {
        const name = names[which];
        try {
          sides.push(new Side(name, openInput(invocation, name), skips[which]));
        } catch (thrown) {
          if (!(thrown instanceof FileError)) throw thrown;
          if (thrown.code === "EISDIR" && which === 0 && !exists(invocation, names[1])) continue;
          if (thrown.code === "EISDIR" && first === second && skips[0] === skips[1]) return 0;
          if (!quiet || thrown.code === "EISDIR") invocation.warn(`${name}: ${thrown.message}`);
          return 2;
        }
      }
      const [a, b] = sides as [Side, Side];
      if (first === second && (skips[0] === skips[1] || first === "-")) return 0;
      const sizes = sides.map((side) => side.bytesLeft);
      if (isSameFile(a, b) && skips[0] === skips[1]) return 0;
      if (quiet && sizes[0] !== undefined && sizes[1] !== undefined && Math.min(sizes[0], limit) !== Math.min(sizes[1], limit)) return 1;
      const columns = String(Math.min(limit, ...sizes.map((size) => size ?? Infinity))).replace("Infinity", "9".repeat(19)).length;
      await a.skip();
      await b.skip();
      const out = new BlockBuilder();
      let at = 0;
      let line = 1;
      let endsLine = false;
      let exit = 0;
      for (let left = limit; left > 0; ) {
        const [one, two] = [await a.peek(), await b.peek()];
        const count = Math.min(one.length, two.length, left);
        if (count === 0) {
          if (one.length === two.length) break;
          if (!out.empty) yield out.take();
          const short = one.length === 0 ? a : b;
          if (!quiet) invocation.warn(endMessage(short.name, at, verbose ? undefined : { line, endsLine }));
          return 1;
        }
        const same = commonLength(one, two, count);
        if (same < count && !verbose) {
          if (quiet) return 1;
          const row = line + countByte(one.subarray(0, same), NEWLINE);
          const [x, y] = [one[same] as number, two[same] as number];
          const bytes = printsBytes ? ` is ${octal(x)} ${shownByte(x)} ${octal(y)} ${shownByte(y)}` : "";
          yield toBytes(`${first} ${second} differ: byte ${at + same + 1}, line ${row}${bytes}\n`);
          return 1;
        }
        for (let next = same; next < count; next++) {
          const [x, y] = [one[next] as number, two[next] as number];
          if (x === y) continue;
          exit = 1;
          const number = String(at + next + 1).padStart(columns);
          out.addText(
            printsBytes
              ? `${number} ${octal(x)} ${shownByte(x).padEnd(4)} ${octal(y)} ${shownByte(y)}\n`
              : `${number} ${octal(x)} ${octal(y)}\n`,
          );
        }
        line += countByte(one.subarray(0, count), NEWLINE);
        endsLine = one[count - 1] === NEWLINE;
        at += count;
        left -= count;
        a.take(count);
        b.take(count);
        if (out.full) yield out.take();
      }
      if (!out.empty) yield out.take();
      return exit;
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
      invocation.warn(`${thrown.path}: ${thrown.message}`);
      return 2;
    } finally {
      for (const side of sides) side.source.close();
    }
  },
});

function exists({ files }: Pick<Invocation, "files">, name: string): boolean {
  if (isStandardInput(name)) return true;
  try {
    files.status(name);
    return true;
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    return false;
  }
}

interface Request {
  readonly names: readonly [string, string];
  readonly skips: readonly [number, number];
  readonly limit: number;
  readonly printsBytes: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
}

/** Throws UsageError. */
function readRequest({ flags, operands, flagArguments, name }: Given): Request {
  const { bytes, ignoreInitial, printBytes, printChars, quiet, verbose, ...others } = flags;
  allFlagsRead(others);
  const skips: [number, number] = [0, 0];
  const raise = (which: 0 | 1, value: number): void => void (skips[which] = Math.max(skips[which], value));
  for (const text of ignoreInitial) {
    const colon = text.indexOf(":");
    raise(0, readBytes(colon < 0 ? text : text.slice(0, colon), "--ignore-initial", text));
    if (colon >= 0) raise(1, readBytes(text.slice(colon + 1), "--ignore-initial", text.slice(colon + 1)));
    // One number stands for both, and not only the last that was given.
    else raise(1, skips[0]);
  }
  const limits = bytes.map((text) => readBytes(text, "--bytes", text));
  if (verbose && quiet) throw badUsage("options -l and -s are incompatible");
  const [first, second = "-", skip, otherSkip, extra] = operands;
  if (first === undefined)
    throw new UsageError("missing-operand", `missing operand after '${flagArguments.at(-1) ?? name}'`, { pointsToHelp: true });
  if (skip !== undefined) raise(0, readBytes(skip, "--ignore-initial", skip));
  if (otherSkip !== undefined) raise(1, readBytes(otherSkip, "--ignore-initial", otherSkip));
  if (extra !== undefined) throw new UsageError("extra-operand", `extra operand '${extra}'`, { subject: extra, pointsToHelp: true });
  return { names: [first, second], skips, limit: Math.min(Infinity, ...limits), printsBytes: printBytes || printChars, quiet, verbose };
}

function readBytes(text: string, flag: string, whole: string): number {
  const { value, problem } = scanCount(text, { suffixes: "kKMGTPEZY0", base: 0 });
  if (problem !== undefined) throw badUsage(`invalid ${flag} value '${whole}'`);
  return Number(value);
}

const badUsage = (message: string): UsageError => new UsageError("bad-value", message, { pointsToHelp: true });

class Side {
  readonly name: string;
  readonly source: InputSource;
  readonly #skip: number;
  #block: Buffer = Buffer.alloc(0);

  constructor(name: string, source: InputSource, skip: number) {
    this.name = name;
    this.source = source;
    this.#skip = skip;
  }

  /** What a regular file has behind what is skipped; undefined for standard input. */
  get bytesLeft(): number | undefined {
    const size = this.source.file?.status.size;
    return size === undefined ? undefined : Math.max(0, size - this.#skip);
  }

  async skip(): Promise<void> {
    for (let left = this.#skip; left > 0; ) {
      const block = await this.peek();
      if (block.length === 0) return;
      const count = Math.min(left, block.length);
      this.take(count);
      left -= count;
    }
  }

  /** What comes next; empty at the end. */
  async peek(): Promise<Buffer> {
    if (this.#block.length === 0) this.#block = asBuffer((await this.source.read()) ?? new Uint8Array(0));
    return this.#block;
  }

  take(count: number): void {
    this.#block = this.#block.subarray(count);
  }
}

function isSameFile(a: Side, b: Side): boolean {
  if (isStandardInput(a.name) && isStandardInput(b.name)) return true;
  const [one, two] = [a.source.file?.status, b.source.file?.status];
  return one !== undefined && two !== undefined && one.inode === two.inode && one.device === two.device;
}

/** How many of the first `count` bytes are the same. */
function commonLength(one: Buffer, two: Buffer, count: number): number {
  if (one.compare(two, 0, count, 0, count) === 0) return count;
  let at = 0;
  while (one[at] === two[at]) at++;
  return at;
}

function endMessage(name: string, bytes: number, place: { readonly line: number; readonly endsLine: boolean } | undefined): string {
  if (bytes === 0) return `EOF on ${name} which is empty`;
  const where = place === undefined ? "" : place.endsLine ? `, line ${place.line - 1}` : `, in line ${place.line}`;
  return `EOF on ${name} after byte ${bytes}${where}`;
}

const octal = (byte: number): string => byte.toString(8).padStart(3);

/** As cat -v shows it. */
function shownByte(byte: number): string {
  const meta = byte >= 0x80 ? "M-" : "";
  const low = byte & 0x7f;
  return meta + (low < 0x20 ? `^${String.fromCharCode(low + 64)}` : low === 0x7f ? "^?" : String.fromCharCode(low));
}
