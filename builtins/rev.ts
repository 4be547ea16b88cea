/** rev: each line with its characters in reverse order. */
import { isUtf8 } from "node:buffer";
import { defineBuiltin } from "../src/builtin/definition.ts";
import { openInput } from "../src/builtin/inputs.ts";
import { endOfLine, lineBlocks } from "../src/io/lines.ts";
import { LimitReached } from "../src/io/limit-reached.ts";
import { BlockBuilder } from "../src/io/output.ts";
import { FileError } from "../src/workspace/file-error.ts";

export const rev = defineBuiltin({
  name: "rev",
  summary: "Print each line with its characters in reverse order.",
  standard: "https://man7.org/linux/man-pages/man1/rev.1.html",
  reference: "util-linux 2.38.1",
  nameOrder: "version help",
  operands: { kind: "paths", access: "read" },
  flags: {
    shortHelp: {
      kind: "refused",
      short: "h",
      long: false,
      help: "print the help",
      reason: "only its long form is known here",
      suggestion: "rev --help",
    },
    shortVersion: {
      kind: "refused",
      short: "V",
      long: false,
      help: "print the version",
      reason: "only its long form is known here",
      suggestion: "rev --version",
    },
  },
  examples: [
    { command: "rev", stdin: "abc\nné\n", stdout: "cba\nén\n" },
    { command: "rev a | cut -d / -f 1 | rev", files: { a: "src/io/text.ts\n" }, stdout: "text.ts\n", note: "the last field" },
  ],
  async *run(invocation) {
    const { operands, limits } = invocation;
    const output = new BlockBuilder();
    let exit = 0;
    // Without operands standard input; "-" is a file like any other.
    for (const operand of operands.length === 0 ? [undefined] : operands) {
      let lines = 0;
      // What stands before a NUL: the real tool drops the rest of that line and goes on with the next one.
      let pending = EMPTY;
      try {
        const source = openInput(invocation, operand === undefined ? "-" : operand === "-" ? "./-" : operand);
        for await (const block of lineBlocks(source, limits.lineBytes)) {
          for (let start = 0; start < block.length; ) {
            const end = endOfLine(block, start);
            const nul = block.subarray(start, end).indexOf(0);
            if (nul >= 0) {
              if (!isUtf8(block.subarray(start, end))) throw new NotText();
              pending = Buffer.concat([pending, block.subarray(start, start + nul)]);
              if (pending.length > limits.lineBytes) throw new LimitReached("line", limits.lineBytes, "bytes");
            } else {
              const line = block.subarray(start, end);
              const whole = pending.length > 0 ? Buffer.concat([pending, line]) : line;
              addReversed(end < block.length ? whole : withoutStartedCharacter(whole, lines === 0), output);
              pending = EMPTY;
              if (end < block.length) output.addByte(0x0a);
              lines++;
            }
            start = end + 1;
          }
          if (output.full) yield output.take();
        }
        addReversed(pending, output);
      } catch (thrown) {
        const complaint = complaintOf(thrown, operand, lines);
        if (!output.empty) yield output.take();
        invocation.warn(complaint);
        exit = 1;
      }
    }
    if (!output.empty) yield output.take();
    return exit;
  },
});

const EMPTY = Buffer.alloc(0);

class NotText extends Error {}

function complaintOf(thrown: unknown, operand: string | undefined, lines: number): string {
  const name = operand ?? "stdin";
  if (thrown instanceof NotText) return `${name}: ${lines}: Invalid or incomplete multibyte or wide character`;
  if (!(thrown instanceof FileError)) throw thrown;
  const isRead = operand === undefined || thrown.code === "EISDIR" || thrown.code === "EIO";
  return isRead ? `${name}: ${lines}: ${thrown.message}` : `cannot open ${name}: ${thrown.message}`;
}

/**
 * The last line without the character that the end of the input cuts off, which the real tool does not see; but at the
 * very beginning it does.
 */
function withoutStartedCharacter(line: Buffer, isFirst: boolean): Buffer {
  for (let bytes = 1; bytes <= Math.min(3, line.length); bytes++) {
    const at = line.length - bytes;
    if (((line[at] as number) & 0xc0) === 0x80) continue;
    if (!isStartOfCharacter(line.subarray(at))) return line;
    return at === 0 && isFirst ? line : line.subarray(0, at);
  }
  return line;
}

/** Whether more bytes would make a character of these. */
function isStartOfCharacter(bytes: Buffer): boolean {
  return CONTINUATIONS.some((rest) => isUtf8(Buffer.concat([bytes, rest]))) && !isUtf8(bytes);
}

/** What may complete a character: the second bytes that are allowed differ, the others do not. */
const CONTINUATIONS = [[0x80], [0x80, 0x80], [0x80, 0x80, 0x80], [0xbf], [0xbf, 0x80], [0xbf, 0x80, 0x80]].map((bytes) =>
  Buffer.from(bytes),
);

/** Throws NotText where the line is not UTF-8. */
function addReversed(line: Buffer, output: BlockBuilder): void {
  if (!isUtf8(line)) throw new NotText();
  for (let at = line.length; at > 0; ) {
    let from = at - 1;
    while (from > 0 && ((line[from] as number) & 0xc0) === 0x80) from--;
    output.add(line, from, at);
    at = from;
  }
}
