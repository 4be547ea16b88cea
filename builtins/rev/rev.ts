/** rev: each line with its characters in reverse order. */
import { isUtf8 } from "node:buffer";
import { defineBuiltin } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { openInput } from "../../src/builtin/inputs.ts";
import { LimitReached } from "../../src/io/limit-reached.ts";
import { endOfLine, lineBlocks } from "../../src/io/lines.ts";
import { BlockBuilder } from "../../src/io/output.ts";
import { FileError } from "../../src/workspace/file-error.ts";

export const rev = defineBuiltin({
  name: "rev",
  summary: "Print each line with its characters in reverse order.",
  standard: "https://man7.org/linux/man-pages/man1/rev.1.html",
  reference: "util-linux 2.38.1",
  readsStreams: true,
  operands: { kind: "paths", access: "read" },
  flags: {
    shortHelp: {
      kind: "refused",
      short: "h",
      long: false,
      help: "print the help",
      reason: "only its long form is known here",
    },
    shortVersion: {
      kind: "refused",
      short: "V",
      long: false,
      help: "print the version",
      reason: "only its long form is known here",
    },
  },
  examples: [
    { command: "rev", stdin: "abc\nné\n", stdout: "cba\nén\n" },
    { command: "rev a | cut -d / -f 1 | rev", files: { a: "src/io/text.ts\n" }, stdout: "text.ts\n", note: "the last field" },
  ],
  deviations: [
    {
      from: "util-linux rev",
      what: "in a long line too a NUL hides what follows it up to the newline, and of a line that is no text nothing is printed",
      why: "rev reads a long line by pieces of its buffer, and leaves out a character that the end of the input cuts off",
    },
  ],
  async *run(invocation) {
    const { operands, limits } = invocation;
    allFlagsRead(invocation.flags);
    const output = new BlockBuilder();
    let exit = 0;
    // Without operands standard input; "-" is a file like any other.
    for (const operand of operands.length === 0 ? [undefined] : operands) {
      let lines = 0;
      // What a NUL cut off has no newline any more: the next line belongs to it.
      let kept = EMPTY;
      try {
        const source = openInput(invocation, operand === undefined ? "-" : operand === "-" ? "./-" : operand);
        for await (const block of lineBlocks(source, limits.lineBytes)) {
          const isPlain = kept.length === 0 && block.indexOf(0) < 0 && isUtf8(block);
          for (let start = 0; start < block.length; ) {
            const end = Math.min(block.length, endOfLine(block, start) + 1);
            const line = block.subarray(start, end);
            start = end;
            if (isPlain) {
              addReversed(line, output);
              lines++;
              continue;
            }
            if (!isUtf8(line)) throw new NotText();
            const nul = line.indexOf(0);
            kept = Buffer.concat([kept, nul < 0 ? line : line.subarray(0, nul)]);
            if (kept.length > limits.lineBytes) throw new LimitReached("line", limits.lineBytes, "bytes");
            if (kept.at(-1) !== NEWLINE) continue;
            addReversed(kept, output);
            kept = EMPTY;
            lines++;
          }
          if (output.full) yield output.take();
        }
        addReversed(kept, output);
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

/** `line` is text; a newline stays at its end. */
function addReversed(line: Uint8Array, output: BlockBuilder): void {
  const hasEnd = line.at(-1) === NEWLINE;
  for (let at = hasEnd ? line.length - 1 : line.length; at > 0; ) {
    let from = at - 1;
    while (from > 0 && ((line[from] as number) & 0xc0) === 0x80) from--;
    output.add(line, from, at);
    at = from;
  }
  if (hasEnd) output.addByte(NEWLINE);
}

/** A byte that is no text: nothing more is read. */
class NotText extends Error {}

const NEWLINE = 0x0a;
const EMPTY = Buffer.alloc(0);
