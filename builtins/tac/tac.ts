/** tac: the records of each input, last one first. */
import { defineBuiltin, type FlagTable, type FlagValues } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { inputOperands, openInput, type InputSource } from "../../src/builtin/inputs.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import { LimitReached } from "../../src/io/limit-reached.ts";
import { BlockBuilder } from "../../src/io/output.ts";
import { quoteAlways, quoteName } from "../../src/display/quote.ts";
import { toBytes } from "../../src/io/text.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { LiteralSeparator, reverseRecords, type Separator, type TailSource } from "./records.ts";
import { compileSeparator } from "./separator-pattern.ts";

const FLAGS = {
  before: { kind: "switch", short: "b", help: "the separator stands before its record, not after it" },
  regex: { kind: "switch", short: "r", help: "the separator is a regular expression, in which + and ? repeat" },
  separator: {
    kind: "value",
    short: "s",
    arg: "STRING",
    read: (text: string) => text,
    otherwise: "\n",
    help: "records end in STRING, not in a newline; the empty STRING is NUL",
  },
} as const satisfies FlagTable;

export const tac = defineBuiltin({
  name: "tac",
  summary: "Print each file with its lines in reverse order.",
  standard: "https://www.gnu.org/software/coreutils/manual/html_node/tac-invocation.html",
  reference: "GNU coreutils 9.1",
  operands: { kind: "paths", access: "read" },
  flags: FLAGS,
  examples: [
    { command: "tac", stdin: "a\nb\nc\n", stdout: "c\nb\na\n" },
    { command: "tac -s ,", stdin: "1,2,3,", stdout: "3,2,1," },
    { command: "tac -b -s '# '", stdin: "# one\ntext\n# two\n", stdout: "# two\n# one\ntext\n", note: "sections, each after its mark" },
  ],
  deviations: [
    {
      from: "GNU tac",
      what: "with -r, ^ and $ are where a line begins and ends",
      why: "past 8 KiB they are for GNU tac also where its buffer does",
    },
  ],
  check({ flags }) {
    separatorOf(flags);
  },
  async *run(invocation) {
    const { limits } = invocation;
    const { before, regex, separator, ...others } = invocation.flags;
    allFlagsRead(others);
    const output = new BlockBuilder();
    let exit = 0;
    for (const operand of inputOperands(invocation)) {
      let source: InputSource | undefined;
      try {
        source = openInput(invocation, operand);
        const tail = source.file === undefined ? await heldTail(source, limits.heldBytes) : fileTail(source.file, limits.heldBytes);
        for (const _ of reverseRecords(tail, separatorOf({ regex, separator }), before, output)) yield output.take();
      } catch (thrown) {
        if (!(thrown instanceof FileError)) throw thrown;
        if (!output.empty) yield output.take();
        invocation.warn(complaint(thrown, operand, source));
        exit = 1;
      } finally {
        source?.close();
      }
    }
    if (!output.empty) yield output.take();
    return exit;
  },
});

function separatorOf({ regex, separator }: Pick<FlagValues<typeof FLAGS>, "regex" | "separator">): Separator {
  if (!regex) return new LiteralSeparator(separator === "" ? Buffer.of(0) : toBytes(separator));
  if (separator === "") throw new UsageError("bad-value", "separator cannot be empty");
  return compileSeparator(separator);
}

function complaint(thrown: FileError, operand: string, source: InputSource | undefined): string {
  // GNU tac can open a directory, and fails to seek in it.
  if (thrown.code === "EISDIR") return `${quoteName(operand)}: read error: Invalid argument`;
  if (source !== undefined) return `${quoteName(operand)}: read error: ${thrown.message}`;
  return `failed to open ${quoteAlways(operand)} for reading: ${thrown.message}`;
}

/** What comes through a pipe, held whole. Throws LimitReached("held"). */
async function heldTail(source: InputSource, heldBytes: number): Promise<TailSource> {
  const blocks: Buffer[] = [];
  let length = 0;
  for await (const block of source) {
    length += block.length;
    if (length > heldBytes) throw new LimitReached("held", heldBytes, "bytes");
    blocks.push(Buffer.from(block));
  }
  let isGiven = false;
  return {
    before: (rest) => {
      if (isGiven) return rest;
      isGiven = true;
      return Buffer.concat(blocks);
    },
  };
}

/** A file from its end, in blocks that grow while a record is longer than they are. */
function fileTail(file: NonNullable<InputSource["file"]>, heldBytes: number): TailSource {
  let end = file.status.size;
  let memory = Buffer.alloc(0);
  return {
    before: (rest) => {
      if (rest.length > heldBytes) throw new LimitReached("held", heldBytes, "bytes");
      const wanted = Math.min(end, Math.max(READ_BYTES, rest.length));
      if (wanted === 0) return rest;
      const room = memory.length < wanted + rest.length ? Buffer.allocUnsafeSlow(wanted + 2 * rest.length + SPARE_BYTES) : memory;
      room.set(rest, wanted);
      memory = room;
      let filled = 0;
      while (filled < wanted) {
        const count = file.readAt(memory.subarray(filled, wanted), end - wanted + filled);
        // Somebody cut it short.
        if (count === 0) break;
        filled += count;
      }
      end -= wanted;
      if (filled < wanted) memory.copyWithin(filled, wanted, wanted + rest.length);
      return memory.subarray(0, filled + rest.length);
    },
  };
}

/** In bytes. */
const READ_BYTES = 256 * 1024;
/** In bytes: room for the part of a record that is carried to the next block. */
const SPARE_BYTES = 16 * 1024;
