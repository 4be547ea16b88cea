/** fold: long lines broken to a width. */
import { readCount } from "../../src/numbers/counts.ts";
import { defineBuiltin, type FlagTable } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { eachInput } from "../../src/builtin/inputs.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import { lineBlocks } from "../../src/io/lines.ts";
import { BlockBuilder } from "../../src/io/output.ts";

const FLAGS = {
  bytes: { kind: "switch", short: "b", help: "count bytes, not columns: tab, backspace and carriage return are bytes like any other" },
  spaces: { kind: "switch", short: "s", help: "break after the last blank within the width, where there is one" },
  width: { kind: "value", short: "w", arg: "WIDTH", read: readWidth, otherwise: 80, help: "the width (default 80)" },
} as const satisfies FlagTable;

export const fold = defineBuiltin({
  name: "fold",
  summary: "Break long lines to a width.",
  standard: "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/fold.html",
  reference: "GNU coreutils 9.1",
  readsStreams: true,
  operands: { kind: "paths", access: "read" },
  flags: FLAGS,
  // `-72` and, as getopt_long takes a digit with a value joined to it, `-7 -2` are widths 72, 7, 2.
  legacy: (argument, position) => {
    const [, before = "", width] = /^-([bs]*)(\d[^]*)$/.exec(argument) ?? [];
    if (width === undefined) return undefined;
    try {
      readWidth(width);
    } catch (thrown) {
      if (!(thrown instanceof Error)) throw thrown;
      throw new UsageError("bad-value", thrown.message, { argument: position, subject: argument });
    }
    return [...(before === "" ? [] : [`-${before}`]), `-w${width}`];
  },
  examples: [
    { command: "fold -w 4", stdin: "abcdefghij\n", stdout: "abcd\nefgh\nij\n" },
    { command: "fold -s -w 10", stdin: "some words to break\n", stdout: "some \nwords to \nbreak\n", note: "at blanks" },
  ],
  async *run(invocation) {
    const { limits } = invocation;
    const { bytes, spaces, width, ...others } = invocation.flags;
    allFlagsRead(others);
    const output = new BlockBuilder();
    return yield* eachInput(invocation, output, async function* (source) {
      for await (const block of lineBlocks(source, limits.lineBytes)) {
        foldBlock(block, { bytes, spaces, width }, output);
        if (output.full) yield output.take();
      }
    });
  },
});

interface Folding {
  readonly bytes: boolean;
  readonly spaces: boolean;
  readonly width: number;
}

function foldBlock(block: Buffer, { width, spaces, bytes }: Folding, output: BlockBuilder): void {
  const { length } = block;
  /** Where the piece that is not written yet begins, and the column after it. */
  let from = 0;
  let column = 0;
  for (let at = 0; at < length; ) {
    // As far as there is room, if each byte is a column.
    const run = at;
    const most = Math.min(length, at + width - column);
    while (at < most) {
      const byte = block[at] as number;
      if (byte <= LAST_SPECIAL && (bytes ? byte === NEWLINE : isSpecial(byte))) break;
      at++;
    }
    column += at - run;
    if (at === length) break;
    const byte = block[at] as number;
    if (byte === NEWLINE) {
      output.add(block, from, at + 1);
      from = ++at;
      column = 0;
      continue;
    }
    const next = columnAfter(column, byte, bytes);
    if (next <= width || from === at) {
      column = next;
      at++;
      continue;
    }
    let end = at;
    if (spaces) while (end > from && !isBlank(block[end - 1] as number)) end--;
    if (end === from) end = at;
    output.add(block, from, end);
    output.addByte(NEWLINE);
    from = end;
    column = 0;
    for (let moved = end; moved < at; moved++) column = columnAfter(column, block[moved] as number, bytes);
  }
  output.add(block, from);
}

/** Bytes past this one are a column each. */
const LAST_SPECIAL = 0x0d;
const isSpecial = (byte: number): boolean => byte === NEWLINE || byte === 0x08 || byte === 0x09 || byte === 0x0d;
const NEWLINE = 0x0a;
const isBlank = (byte: number): boolean => byte === 0x20 || byte === 0x09;

function columnAfter(column: number, byte: number, countsBytes: boolean): number {
  if (countsBytes) return column + 1;
  if (byte === 0x08) return Math.max(0, column - 1);
  if (byte === 0x0d) return 0;
  if (byte === 0x09) return column + 8 - (column % 8);
  return column + 1;
}

function readWidth(text: string): number {
  return Number(readCount(text, { complaint: "invalid number of columns", min: 1n, max: (1n << 64n) - 10n }));
}
