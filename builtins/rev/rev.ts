/** rev: each line with its characters in reverse order. */
import { isUtf8 } from "node:buffer";
import { defineBuiltin } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { openInput } from "../../src/builtin/inputs.ts";
import { endOfLine, lineBlocks } from "../../src/io/lines.ts";
import { BlockBuilder } from "../../src/io/output.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { LineBuffer, NotText } from "./line-buffer.ts";

export const rev = defineBuiltin({
  name: "rev",
  summary: "Print each line with its characters in reverse order.",
  standard: "https://man7.org/linux/man-pages/man1/rev.1.html",
  reference: "util-linux 2.38.1",
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
    allFlagsRead(invocation.flags);
    const output = new BlockBuilder();
    const buffer = new LineBuffer();
    let exit = 0;
    // Without operands standard input; "-" is a file like any other.
    for (const operand of operands.length === 0 ? [undefined] : operands) {
      let lines = 0;
      buffer.forget();
      try {
        const source = openInput(invocation, operand === undefined ? "-" : operand === "-" ? "./-" : operand);
        for await (const block of lineBlocks(source, limits.lineBytes)) {
          const isPlain = !buffer.isPending && block.indexOf(0) < 0 && isUtf8(block);
          for (let start = 0; start < block.length; ) {
            const end = endOfLine(block, start);
            const hasEnd = end < block.length;
            const whole = block.subarray(start, hasEnd ? end + 1 : end);
            const line = hasEnd ? whole : withoutStartedCharacter(whole, lines === 0);
            if (isPlain) buffer.addPlain(line, output);
            if (isPlain || buffer.add(line, output, limits.lineBytes)) lines++;
            start = end + 1;
          }
          if (output.full) yield output.take();
        }
        buffer.finish(output);
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
