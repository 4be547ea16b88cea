/** fmt: the words of each paragraph put on lines of about equal length. */
import { readCount } from "../../src/numbers/counts.ts";
import { defineBuiltin, type FlagTable, type StaticInvocation } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { inputOperands, openInput, overwritingBlocks } from "../../src/builtin/inputs.ts";
import { BadValue, UsageError } from "../../src/builtin/usage-error.ts";
import { quoteAlways } from "../../src/display/quote.ts";
import { BlockBuilder } from "../../src/io/output.ts";
import { toBytes } from "../../src/io/text.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { Formatter, type Layout } from "./formatter.ts";

const FLAGS = {
  crownMargin: { kind: "switch", short: "c", help: "keep the indentation of the first two lines" },
  prefix: {
    kind: "value",
    short: "p",
    arg: "STRING",
    read: (text: string) => text,
    otherwise: "",
    help: "format only lines that begin with STRING, and put it before each again",
  },
  splitOnly: { kind: "switch", short: "s", help: "break long lines, and join none" },
  taggedParagraph: { kind: "switch", short: "t", help: "the first line's indentation differs from the second's" },
  uniformSpacing: { kind: "switch", short: "u", help: "one blank between words, two between sentences" },
  width: {
    kind: "value",
    short: "w",
    arg: "WIDTH",
    read: (text: string) => text,
    otherwise: undefined,
    help: "the longest line (default 75)",
  },
  goal: {
    kind: "value",
    short: "g",
    arg: "WIDTH",
    read: (text: string) => text,
    otherwise: undefined,
    help: "the length to aim at (default 93% of the width)",
  },
} as const satisfies FlagTable;

export const fmt = defineBuiltin({
  name: "fmt",
  summary: "Break and join the lines of paragraphs.",
  standard: "https://www.gnu.org/software/coreutils/manual/html_node/fmt-invocation.html",
  reference: "GNU coreutils 9.1",
  operands: { kind: "paths", access: "read" },
  flags: FLAGS,
  legacy(argument, position) {
    if (position === 0 && /^-\d/.test(argument)) return [`--width=${argument.slice(1)}`];
    const digit = /^-[cstu]*(\d)/.exec(argument)?.[1];
    if (digit === undefined) return undefined;
    const message = `invalid option -- ${digit}; -WIDTH is recognized only when it is the first\noption; use -w N instead`;
    throw new UsageError("bad-value", message, { argument: position, subject: argument, pointsToHelp: true });
  },
  examples: [
    { command: "fmt -w 20", stdin: "a few words\nthat are joined and broken\n", stdout: "a few words that\nare joined and\nbroken\n" },
    { command: "fmt -s -w 12", stdin: "short\na line that is long\n", stdout: "short\na line that\nis long\n" },
  ],
  check(invocation) {
    layoutOf(invocation);
  },
  async *run(invocation) {
    const layout = layoutOf(invocation);
    const output = new BlockBuilder();
    let exit = 0;
    for (const operand of inputOperands(invocation)) {
      const formatter = new Formatter(layout, output);
      try {
        for await (const block of overwritingBlocks(openInput(invocation, operand))) {
          for (const byte of block) formatter.add(byte);
          if (output.full) yield output.take();
        }
        formatter.end();
      } catch (thrown) {
        if (!(thrown instanceof FileError)) throw thrown;
        const isRead = thrown.code === "EISDIR" || thrown.code === "EIO";
        if (isRead) formatter.end();
        if (!output.empty) yield output.take();
        if (isRead) invocation.warn("read error");
        else invocation.warn(`cannot open ${quoteAlways(operand)} for reading: ${thrown.message}`);
        exit = 1;
      }
      if (output.full) yield output.take();
    }
    if (!output.empty) yield output.take();
    return exit;
  },
});

const MOST_WIDTH = 2500;

/** Throws UsageError. */
function layoutOf({ flags }: StaticInvocation<typeof FLAGS>): Layout {
  const { crownMargin, prefix, splitOnly, taggedParagraph, uniformSpacing, width: givenWidth, goal: givenGoal, ...others } = flags;
  allFlagsRead(others);
  let width = givenWidth === undefined ? 75 : widthOf(givenWidth, MOST_WIDTH);
  let goal = Math.trunc((width * 187) / 200);
  if (givenGoal !== undefined) {
    goal = widthOf(givenGoal, width);
    if (givenWidth === undefined) width = goal + 10;
  }
  const trimmed = prefix.replace(/^ +/, "");
  return {
    kind: splitOnly ? "split" : crownMargin ? "crown" : taggedParagraph ? "tagged" : "plain",
    isUniform: uniformSpacing,
    width,
    goal,
    prefix: toBytes(trimmed.replace(/ +$/, "")),
    prefixLead: prefix.length - trimmed.length,
    prefixFull: toBytes(trimmed).length,
  };
}

/** Throws UsageError. */
function widthOf(text: string, most: number): number {
  try {
    return Number(readCount(text, { complaint: "invalid width", max: BigInt(most) }));
  } catch (thrown) {
    if (!(thrown instanceof BadValue)) throw thrown;
    throw new UsageError("bad-value", thrown.message, { subject: text });
  }
}
