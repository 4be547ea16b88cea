/** nl: numbers lines, with logical pages of header, body and footer. */
import { countReader, readCount } from "../../src/numbers/counts.ts";
import { defineBuiltin } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { inputComplaint, inputOperands, openInput } from "../../src/builtin/inputs.ts";
import { BadValue } from "../../src/builtin/usage-error.ts";
import { lineBlocks } from "../../src/io/lines.ts";
import { BlockBuilder } from "../../src/io/output.ts";
import { quoteCurly } from "../../src/display/quote.ts";
import { toBytes } from "../../src/io/text.ts";
import { LineNumberOverflow, Numbering } from "./numbering.ts";
import { readStyle } from "./style.ts";

const INT_MAX = (1n << 31n) - 1n;
const INTMAX_MAX = (1n << 63n) - 1n;
const INTMAX_MIN = -(1n << 63n);

export const nl = defineBuiltin({
  name: "nl",
  summary: "Print files with their lines numbered.",
  standard: "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/nl.html",
  reference: "GNU coreutils 9.1",
  readsStreams: true,
  operands: { kind: "paths", access: "read" },
  flags: {
    headerNumbering: {
      kind: "value",
      short: "h",
      arg: "STYLE",
      read: readStyle("header"),
      otherwise: readStyle("header")("n"),
      help: "which header lines are numbered: a all, t not empty, n none, pBRE those that match BRE",
    },
    bodyNumbering: {
      kind: "value",
      short: "b",
      arg: "STYLE",
      read: readStyle("body"),
      otherwise: readStyle("body")("t"),
      help: "the same for body lines (default t)",
    },
    footerNumbering: {
      kind: "value",
      short: "f",
      arg: "STYLE",
      read: readStyle("footer"),
      otherwise: readStyle("footer")("n"),
      help: "the same for footer lines",
    },
    startingLineNumber: {
      kind: "value",
      short: "v",
      arg: "NUMBER",
      read: bigCount("invalid starting line number", INTMAX_MIN, INTMAX_MAX),
      otherwise: 1n,
      help: "the first number of each page (default 1)",
    },
    lineIncrement: {
      kind: "value",
      short: "i",
      arg: "NUMBER",
      read: bigCount("invalid line number increment", INTMAX_MIN, INTMAX_MAX),
      otherwise: 1n,
      help: "the step from one number to the next (default 1)",
    },
    noRenumber: { kind: "switch", short: "p", help: "do not begin anew at each page" },
    joinBlankLines: {
      kind: "value",
      short: "l",
      arg: "NUMBER",
      read: bigCount("invalid line number of blank lines", 1n, INTMAX_MAX),
      otherwise: 1n,
      help: "with style a, number only each NUMBER-th of empty lines in a row",
    },
    numberSeparator: {
      kind: "value",
      short: "s",
      arg: "STRING",
      read: (text: string) => text,
      otherwise: "\t",
      help: "what stands after the number (default a tab)",
    },
    numberWidth: {
      kind: "value",
      short: "w",
      arg: "NUMBER",
      read: countReader({ min: 1n, max: INT_MAX, signed: true, complaint: "invalid line number field width" }),
      otherwise: 6,
      help: "columns of the number (default 6)",
    },
    numberFormat: {
      kind: "value",
      short: "n",
      arg: "FORMAT",
      read: readFormat,
      otherwise: "rn",
      help: "ln left, rn right (default), rz right with zeros",
    },
    sectionDelimiter: {
      kind: "value",
      short: "d",
      arg: "CC",
      read: (text: string) => text,
      otherwise: undefined,
      repeats: true,
      help: "the delimiter of logical pages (default \\:); empty: no pages",
    },
  },
  examples: [
    { command: "nl", stdin: "a\n\nb\n", stdout: "     1\ta\n       \n     2\tb\n" },
    { command: "nl -ba -w3 -s': '", stdin: "a\n\nb\n", stdout: "  1: a\n  2: \n  3: b\n" },
  ],
  deviations: [
    {
      from: "GNU coreutils 9.1",
      what: "nl -b 'p[b-a]' is an error",
      why: "a range that is the wrong way round matches nothing, which nobody means; grep and sed refuse it too",
    },
  ],
  async *run(invocation) {
    const { flags, limits } = invocation;
    const { headerNumbering, bodyNumbering, footerNumbering, startingLineNumber, lineIncrement, noRenumber, ...more } = flags;
    const { joinBlankLines, numberSeparator, numberWidth, numberFormat, sectionDelimiter, ...others } = more;
    allFlagsRead(others);
    const numbering = new Numbering({
      styles: { header: headerNumbering, body: bodyNumbering, footer: footerNumbering },
      start: startingLineNumber,
      step: lineIncrement,
      renumbers: !noRenumber,
      joinedBlankLines: joinBlankLines,
      separator: toBytes(numberSeparator),
      width: numberWidth,
      format: numberFormat,
      delimiter: delimiterOf(sectionDelimiter),
    });
    const output = new BlockBuilder();
    let exit = 0;
    for (const operand of inputOperands(invocation)) {
      try {
        for await (const block of lineBlocks(openInput(invocation, operand), limits.lineBytes)) {
          numbering.add(block, output);
          if (output.full) yield output.take();
        }
      } catch (thrown) {
        if (!output.empty) yield output.take();
        if (thrown instanceof LineNumberOverflow) {
          invocation.warn("line number overflow");
          return 1;
        }
        invocation.warn(inputComplaint(thrown, operand));
        exit = 1;
      }
    }
    if (!output.empty) yield output.take();
    return exit;
  },
});

function bigCount(complaint: string, min: bigint, max: bigint): (text: string) => bigint {
  return (text) => readCount(text, { min, max, complaint, signed: true });
}

function readFormat(text: string): "ln" | "rn" | "rz" {
  if (text === "ln" || text === "rn" || text === "rz") return text;
  throw new BadValue(`invalid line numbering format: ${quoteCurly(text)}`, { pointsToHelp: true });
}

/** One character replaces the first of the two, two replace both, any other number is taken whole. */
function delimiterOf(given: readonly string[]): Uint8Array {
  const pair = Buffer.from("\\:");
  let whole: Uint8Array | undefined;
  for (const text of given) {
    const bytes = toBytes(text);
    if (bytes.length === 1 || bytes.length === 2) {
      (whole ?? pair).set(bytes);
    } else whole = bytes;
  }
  return whole ?? pair;
}
