/** xxd: a hexadecimal dump, or what one shows turned back into bytes. */
import { defineBuiltin, type Invocation, type StaticInvocation } from "../../src/builtin/definition.ts";
import { openInput, type InputSource } from "../../src/builtin/inputs.ts";
import { LimitReached } from "../../src/io/limit-reached.ts";
import { asBuffer } from "../../src/io/lines.ts";
import { BlockBuilder } from "../../src/io/output.ts";
import { toBytes } from "../../src/io/text.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { DumpLines, identifier, ZeroLines } from "./dump.ts";
import { readOptions, USAGE, type XxdOptions } from "./options.ts";
import { reverted } from "./reverse.ts";

export const xxd = defineBuiltin({
  name: "xxd",
  summary: "Show bytes in hexadecimal, or turn such a dump back into bytes (xxd -h tells the flags).",
  standard: "https://vimhelp.org/usr_23.txt.html#23.4",
  reference: "xxd 2022-01-14",
  syntax: "raw",
  readsStreams: true,
  operands: { kind: "values" },
  flags: {},
  examples: [
    { command: "xxd", stdin: "hello\n", stdout: "00000000: 6865 6c6c 6f0a                           hello.\n" },
    { command: "xxd -p", stdin: "hello\n", stdout: "68656c6c6f0a\n" },
    { command: "xxd -r -p", stdin: "68656c6c6f0a\n", stdout: "hello\n" },
    { command: "xxd -s 2 -l 3 f", files: { f: "abcdefgh" }, stdout: "00000002: 6364 65                                  cde\n" },
  ],
  deviations: [
    { from: "xxd", what: "an output file is refused", why: "tee does, and records it: xxd FILE | tee DUMP" },
    { from: "xxd -r", what: "gaps are filled with zeros in every case", why: "standard output cannot be moved about in here" },
  ],
  usageHint: () => USAGE,
  check: (invocation) => void readOptions(invocation.operands),
  effects: ({ operands }: StaticInvocation) => {
    const { input, informs } = readOptions(operands);
    const operand = operands.lastIndexOf(input);
    return input === "-" || informs !== undefined ? [] : [{ kind: "read", path: input, ...(operand < 0 ? {} : { operand }) }];
  },
  async *run(invocation) {
    const options = readOptions(invocation.operands);
    if (options.informs !== undefined) {
      invocation.stderr(options.informs === "help" ? USAGE : "xxd 2022-01-14 by Juergen Weigert et al.\n");
      return options.informs === "help" ? 1 : 0;
    }
    let source: InputSource;
    try {
      source = openInput(invocation, options.input);
      if (!options.reverse) return yield* dumped(source, options, invocation);
      if (yield* reverted(source, options)) return 0;
      invocation.stderr("xxd: Sorry, cannot seek backwards.\n");
      return 5;
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
      const isRead = thrown.code === "EISDIR";
      // xxd -r does not ask why there is nothing to read.
      if (isRead && options.reverse) return 0;
      invocation.stderr(
        toBytes(isRead || options.input === "" ? `xxd: ${thrown.message}\n` : `xxd: ${options.input}: ${thrown.message}\n`),
      );
      return 2;
    }
  },
});

async function* dumped(source: InputSource, options: XxdOptions, invocation: Invocation): AsyncGenerator<Uint8Array, number> {
  const { style, columns, upperCase, autoskip } = options;
  const start = startOf(source, options);
  // In a pipe one gets no further than to its end.
  if (start === undefined || (source.file === undefined && !(await passesOver(source, start)))) {
    invocation.stderr("xxd: Sorry, cannot seek.\n");
    return 4;
  }
  const out = new BlockBuilder();
  const zeros = new ZeroLines();
  const lineBytes = Math.min(columns, 1 << 16);
  if (lineBytes > invocation.limits.lineBytes) throw new LimitReached("line", invocation.limits.lineBytes, "bytes");
  const isNamed = options.input !== "-" || options.name !== undefined;
  const name = identifier(options.name ?? options.input, options.capitalize);
  if (style === "include" && isNamed) out.add(toBytes(`unsigned char ${name}[] = {\n`));
  const dump = style === "plain" || style === "include" ? undefined : new DumpLines(options);
  let position = start;
  let count = 0;
  for await (const lines of wholeLines(source, source.file === undefined ? 0 : start, options.length, lineBytes)) {
    for (let at = 0; at < lines.length; at += lineBytes) {
      const end = Math.min(at + lineBytes, lines.length);
      if (dump !== undefined) {
        if (autoskip) {
          const text = dump.line(lines, at, end, position);
          const isZeros = end - at === columns && isZero(lines, at, end);
          out.addLatin1(zeros.next(text.toString("latin1"), isZeros));
        } else dump.add(lines, at, end, position, out);
      } else if (style === "plain") {
        const hex = lines.toString("hex", at, end);
        out.addLatin1(upperCase ? hex.toUpperCase() : hex);
        if (columns !== Infinity) out.addByte(10);
      } else {
        const prefix = upperCase ? "0X" : "0x";
        const hex = lines.toString("hex", at, end);
        const cells = (upperCase ? hex.toUpperCase() : hex).replace(/..(?!$)/g, `$&, ${prefix}`);
        out.addLatin1(`${count === 0 ? "  " : ",\n  "}${prefix}${cells}`);
      }
      position += end - at;
      count += end - at;
      if (out.full) yield out.take();
    }
  }
  if (style === "plain" && columns === Infinity) out.addByte(10);
  if (style === "include") {
    if (count > 0) out.addByte(10);
    const label = options.capitalize ? "LEN" : "len";
    if (isNamed) out.add(toBytes(`};\nunsigned int ${name}_${label} = ${count};\n`));
  }
  if (autoskip && style !== "plain" && style !== "include") out.addLatin1(zeros.end());
  if (!out.empty) yield out.take();
  return 0;
}

/** Where in the input the dump begins; undefined where that is before its beginning. */
function startOf(source: InputSource, { seek, seekFrom }: XxdOptions): number | undefined {
  if (seekFrom !== "end") return seek;
  if (source.file === undefined) return undefined;
  const at = source.file.status.size - seek;
  return at < 0 ? undefined : at;
}

/** Takes `count` bytes from the input; false where there are fewer. */
async function passesOver(source: InputSource, count: number): Promise<boolean> {
  for (let left = count; left > 0; ) {
    const block = await source.read();
    if (block === undefined) return false;
    if (block.length > left) source.unread(block.subarray(left));
    left -= Math.min(left, block.length);
  }
  return true;
}

/** The input from byte `start`, `length` bytes at most, in blocks of whole lines of `bytes` bytes; only the last line may be shorter. */
async function* wholeLines(source: InputSource, start: number, length: number, bytes: number): AsyncGenerator<Buffer, void> {
  let skip = start;
  let left = length;
  let rest: Buffer = Buffer.alloc(0);
  for await (const block of source) {
    if (left <= 0) break;
    const passed = Math.min(skip, block.length);
    skip -= passed;
    const fresh = asBuffer(block).subarray(passed, passed + left);
    left -= fresh.length;
    const all = rest.length === 0 ? fresh : Buffer.concat([rest, fresh]);
    const whole = all.length - (all.length % bytes);
    if (whole > 0) yield all.subarray(0, whole);
    rest = Buffer.from(all.subarray(whole));
  }
  if (rest.length > 0) yield rest;
}

function isZero(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (bytes[at] !== 0) return false;
  return true;
}
