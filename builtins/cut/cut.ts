/** cut: parts of each line, by position or by field. */
import { defineBuiltin, type StaticInvocation } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { eachInput, overwritingBlocks } from "../../src/builtin/inputs.ts";
import { BadValue, UsageError } from "../../src/builtin/usage-error.ts";
import { lineBlocks, NEWLINE } from "../../src/io/lines.ts";
import { BlockBuilder } from "../../src/io/output.ts";
import { toBytes } from "../../src/io/text.ts";
import { complementOf, FIELD_WORDS, parseList, POSITION_WORDS } from "./list.ts";
import { cutFields, cutPositions, LineFields, type FieldSelection } from "./selection.ts";

/** One value, whichever of the three letters was used: the list is read in `check`, after the other flags. */
const LIST = { kind: "value", arg: "LIST", read: (text: string) => text, otherwise: undefined, repeats: true } as const;

export const cut = defineBuiltin({
  name: "cut",
  summary: "Print selected parts of each line: bytes or fields.",
  standard: "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/cut.html",
  reference: "GNU coreutils 9.1",
  readsStreams: true,
  operands: { kind: "paths", access: "read" },
  flags: {
    bytes: { ...LIST, short: "b", help: "select only these bytes" },
    characters: { ...LIST, short: "c", help: "select only these bytes too: the reference tool counts bytes here" },
    delimiter: {
      kind: "value",
      short: "d",
      arg: "DELIM",
      read: oneByte,
      otherwise: undefined,
      help: "use DELIM instead of a tab between fields",
    },
    fields: { ...LIST, short: "f", help: "select only these fields; print any line without a delimiter too, unless -s is given" },
    n: { kind: "switch", short: "n", long: false, unread: true, help: "no effect, as in the reference tool" },
    complement: { kind: "switch", help: "select what is not in LIST" },
    onlyDelimited: { kind: "switch", short: "s", help: "do not print lines without a delimiter" },
    outputDelimiter: {
      kind: "value",
      arg: "STRING",
      read: (text) => (text === "" ? Buffer.of(0) : toBytes(text)),
      otherwise: undefined,
      help: "put STRING between what is selected (default: the input delimiter)",
    },
    zeroTerminated: { kind: "switch", short: "z", help: "lines end in NUL, not in a newline" },
  },
  silence: { 0: "printed nothing" },
  examples: [
    { command: "cut -d : -f 1,3", stdin: "root:x:0:0\n", stdout: "root:0\n" },
    { command: "cut -c 1-3", stdin: "abcdef\n", stdout: "abc\n" },
    { command: "cut -d ' ' -f 2-", stdin: "a b c\nword\n", stdout: "b c\nword\n", note: "a line without the delimiter is printed whole" },
    { command: "cut -d , --complement -f 2 --output-delimiter ' '", stdin: "a,b,c\n", stdout: "a c\n" },
  ],
  deviations: [
    {
      from: "GNU cut",
      what: "positions past 2147483647 are sorted by their value",
      why: "GNU cut 9.1 compares them as 32-bit integers, so that `-f 2-3,4294967294` loses fields",
    },
  ],
  check(invocation) {
    selected(invocation);
  },
  async *run(invocation) {
    const { limits } = invocation;
    const { byFields, ranges, lineEnd, delimiter, outputDelimiter, onlyDelimited } = selected(invocation);
    const output = new BlockBuilder();
    const selection: FieldSelection = {
      ranges,
      lineEnd,
      delimiter,
      outputDelimiter: outputDelimiter ?? Buffer.of(delimiter),
      onlyDelimited,
    };
    const positions = { ranges, lineEnd, outputDelimiter };
    return yield* eachInput(invocation, output, async function* (source) {
      const lineFields = byFields && delimiter === lineEnd ? new LineFields(selection) : undefined;
      for await (const block of lineBlocks(overwritingBlocks(source), limits.lineBytes, lineEnd)) {
        if (lineFields !== undefined) lineFields.add(block, output);
        else if (byFields) cutFields(block, selection, output);
        else cutPositions(block, positions, output);
        if (output.full) yield output.take();
      }
      lineFields?.finish(output);
    });
  },
});

const TAB = 0x09;

/** GNU cut 9.1 works on bytes: a character of several is not "single". The empty text stands for NUL. */
function oneByte(text: string): number {
  const [byte = 0, ...others] = toBytes(text);
  if (others.length > 0) throw new BadValue("the delimiter must be a single character", { pointsToHelp: true });
  return byte;
}

function onlyOneList(): never {
  throw new UsageError("bad-value", "only one list may be specified", { pointsToHelp: true });
}

interface Selected extends Omit<FieldSelection, "outputDelimiter"> {
  readonly byFields: boolean;
  /** undefined: the input's. */
  readonly outputDelimiter: Buffer | undefined;
}

/** The ranges to print. Throws UsageError in the order in which GNU cut checks. */
function selected({ flags }: Pick<StaticInvocation<typeof cut.flags>, "flags">): Selected {
  const { bytes, characters, fields, delimiter, complement, onlyDelimited, outputDelimiter, zeroTerminated, ...unread } = flags;
  allFlagsRead(unread);
  const refuse = (message: string): never => {
    throw new UsageError("bad-value", message, { pointsToHelp: true });
  };
  const [list, ...others] = [...bytes, ...characters, ...fields];
  if (others.length > 0) onlyOneList();
  if (list === undefined) return refuse("you must specify a list of bytes, characters, or fields");
  const byFields = fields.length > 0;
  if (!byFields && delimiter !== undefined) refuse("an input delimiter may be specified only when operating on fields");
  if (!byFields && onlyDelimited) refuse("suppressing non-delimited lines makes sense\n\tonly when operating on fields");
  const ranges = parseList(list, byFields ? FIELD_WORDS : POSITION_WORDS);
  return {
    byFields,
    ranges: complement ? complementOf(ranges) : ranges,
    lineEnd: zeroTerminated ? 0 : NEWLINE,
    delimiter: delimiter ?? TAB,
    outputDelimiter,
    onlyDelimited,
  };
}
