/** bat, as it is where output is no terminal: files one after the other, or ranges of their lines. */
import { countReader } from "../../src/numbers/counts.ts";
import { defineBuiltin, type FlagTable, type FlagValues } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { inputOperands, openInput, type InputSource } from "../../src/builtin/inputs.ts";
import { BadValue, UsageError } from "../../src/builtin/usage-error.ts";
import { BlockBuilder } from "../../src/io/output.ts";
import { toBytes } from "../../src/io/text.ts";
import { FileError } from "../../src/workspace/file-error.ts";

/** Of a flag that only a terminal shows. */
const SCREEN = { unread: true, help: "no effect where there is no terminal" } as const;
const text = (value: string): string => value;
const STYLES = "auto default full plain changes header header-filename header-filesize grid rule numbers snip".split(" ");

const FLAGS = {
  showAll: {
    kind: "refused",
    short: "A",
    help: "(refused)",
    reason: "cat -A shows what cannot be seen",
    suggestion: (rest: readonly string[]) => ["cat -A", ...rest.filter((word) => !word.startsWith("-"))].join(" "),
  },
  plain: { kind: "switch", short: "p", ...SCREEN },
  language: { kind: "value", short: "l", arg: "LANGUAGE", otherwise: undefined, read: text, ...SCREEN },
  highlightLine: { kind: "value", short: "H", arg: "N:M", otherwise: undefined, repeats: true, read: lineRange, ...SCREEN },
  fileName: { kind: "value", arg: "NAME", otherwise: undefined, repeats: true, read: text, ...SCREEN },
  diff: {
    kind: "refused",
    short: "d",
    help: "(refused)",
    reason: "what git has in its index is not known here",
    suggestion: (rest: readonly string[]) => ["bat", ...rest].join(" "),
  },
  diffContext: { kind: "value", arg: "N", otherwise: undefined, read: text, ...SCREEN },
  tabs: { kind: "value", arg: "T", otherwise: undefined, read: countReader({ complaint: "must be a number" }), ...SCREEN },
  wrap: { kind: "value", arg: "MODE", otherwise: "auto", read: oneOf("auto", "never", "character"), ...SCREEN },
  terminalWidth: { kind: "value", arg: "WIDTH", otherwise: undefined, read: text, ...SCREEN },
  number: { kind: "switch", short: "n", ...SCREEN },
  color: { kind: "value", arg: "WHEN", otherwise: "auto", read: oneOf("auto", "never", "always"), help: "always is refused" },
  italicText: { kind: "value", arg: "WHEN", otherwise: "never", read: oneOf("always", "never"), ...SCREEN },
  decorations: { kind: "value", arg: "WHEN", otherwise: "auto", read: oneOf("auto", "never", "always"), help: "always is refused" },
  forceColorization: {
    kind: "refused",
    short: "f",
    help: "(refused)",
    reason: "nothing is coloured here",
    suggestion: (rest: readonly string[]) => ["bat", ...rest].join(" "),
  },
  paging: { kind: "value", arg: "WHEN", otherwise: "auto", read: oneOf("auto", "never", "always"), ...SCREEN },
  noPaging: { kind: "switch", short: "P", ...SCREEN },
  pager: { kind: "value", arg: "COMMAND", otherwise: undefined, read: text, ...SCREEN },
  mapSyntax: { kind: "value", short: "m", arg: "GLOB:SYNTAX", otherwise: undefined, repeats: true, read: text, ...SCREEN },
  ignoredSuffix: { kind: "value", arg: "SUFFIX", otherwise: undefined, repeats: true, read: text, ...SCREEN },
  theme: { kind: "value", arg: "THEME", otherwise: undefined, read: text, ...SCREEN },
  style: { kind: "value", arg: "COMPONENTS", otherwise: "auto", repeats: true, read: style, ...SCREEN },
  lineRange: {
    kind: "value",
    short: "r",
    arg: "N:M",
    otherwise: undefined,
    repeats: true,
    read: lineRange,
    help: "print lines N to M alone (N, N:, :M, N:+K, N:-K too)",
  },
  unbuffered: { kind: "switch", short: "u", unread: true, help: "no effect" },
} as const satisfies FlagTable;

export const bat = defineBuiltin({
  name: "bat",
  aliases: ["batcat"],
  summary: "Print files one after the other, or ranges of their lines, as there is no terminal to colour them for.",
  standard: "https://github.com/sharkdp/bat",
  reference: "bat 0.22.1",
  operands: { kind: "paths", access: "read" },
  usageExit: 2,
  flags: FLAGS,
  examples: [
    { command: "batcat -p a b", files: { a: "one\n", b: "two\n" }, stdout: "one\ntwo\n" },
    { command: "batcat -r 2:3 a", files: { a: "1\n2\n3\n4\n" }, stdout: "2\n3\n" },
  ],
  deviations: [
    { from: "bat", what: "--color=always, --decorations=always and -f are refused", why: "nothing is coloured or framed here" },
    { from: "bat", what: "-A and -d are refused, lists of languages and themes unknown", why: "cat -A and git diff are what shows that" },
  ],
  check({ flags }) {
    rangesOf(flags);
  },
  async *run(invocation) {
    const ranges = rangesOf(invocation.flags);
    let exit = 0;
    for (const operand of inputOperands(invocation)) {
      try {
        const source = openInput(invocation, operand);
        if (ranges.length === 0) yield* source;
        else yield* inRanges(source, ranges);
      } catch (thrown) {
        if (!(thrown instanceof FileError)) throw thrown;
        const { code, message } = thrown;
        const number = ERRNO[code];
        const words = code === "EISDIR" ? "is a directory." : `${message}${number === undefined ? "" : ` (os error ${number})`}`;
        invocation.stderr(toBytes(`\x1b[31m[bat error]\x1b[0m: '${operand}'${code === "EISDIR" ? " " : ": "}${words}\n`));
        exit = 1;
      }
    }
    return exit;
  },
});

const ERRNO: Readonly<Record<string, number | undefined>> = {
  EPERM: 1,
  ENOENT: 2,
  ENXIO: 6,
  EACCES: 13,
  ENOTDIR: 20,
  ENAMETOOLONG: 36,
  ELOOP: 40,
};

interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** The lines to print; none stand for all. Throws UsageError where colours or frames are asked for. */
function rangesOf(flags: FlagValues<typeof FLAGS>): readonly LineRange[] {
  const { color, decorations, lineRange: ranges, ...others } = flags;
  allFlagsRead(others);
  for (const [name, value] of [
    ["--color", color],
    ["--decorations", decorations],
  ]) {
    if (value !== "always") continue;
    throw new UsageError("refused-flag", `${name}=always is not available here: nothing is coloured or framed`, {
      subject: `${name}=always`,
      suggestion: "cat -n FILE",
    });
  }
  return ranges;
}

/** Throws BadValue in bat's words. */
function lineRange(range: string): LineRange {
  if (range === "") throw new BadValue("Empty line range");
  if (range.startsWith(":")) return { from: 0, to: lineNumber(range.slice(1)) };
  if (range.endsWith(":")) return { from: lineNumber(range.slice(0, -1)), to: Infinity };
  const [first = "", last, ...others] = range.split(":");
  if (others.length > 0) throw new BadValue("Line range contained more than one ':' character. Expected format: 'N' or 'N:M'");
  const from = lineNumber(first);
  if (last === undefined) return { from, to: from };
  const sign = last.charAt(0);
  if (sign !== "+" && sign !== "-") return { from, to: lineNumber(last) };
  if (!/^.\d+$/.test(last)) throw new BadValue(`Invalid character after ${sign}`);
  const count = Number(last.slice(1));
  return sign === "+" ? { from, to: from + count } : { from: Math.max(0, from - count), to: from };
}

function lineNumber(digits: string): number {
  if (digits === "") throw new BadValue("cannot parse integer from empty string");
  if (!/^\+?\d+$/.test(digits)) throw new BadValue("invalid digit found in string");
  return Number(digits);
}

function oneOf(...words: readonly string[]): (value: string) => string {
  return (value) => {
    if (!words.includes(value)) throw new BadValue(`"${value}" isn't a valid value\n\t[possible values: ${words.join(", ")}]`);
    return value;
  };
}

function style(value: string): string {
  const unknown = value.split(",").find((word) => !STYLES.includes(word));
  if (unknown !== undefined) throw new BadValue(`Invalid value "${value}" for '--style <components>': Unknown style, '${unknown}'`);
  return value;
}

/** The lines of a file that are in one of the ranges; reading ends behind the last. */
async function* inRanges(source: InputSource, ranges: readonly LineRange[]): AsyncGenerator<Uint8Array, void> {
  const last = Math.max(...ranges.map(({ to }) => to));
  const isShown = (line: number): boolean => ranges.some(({ from, to }) => from <= line && line <= to);
  const out = new BlockBuilder();
  let line = 1;
  let shown = isShown(line);
  for await (const block of source) {
    for (let at = 0; at < block.length && line <= last; ) {
      const newline = block.indexOf(10, at);
      const end = newline < 0 ? block.length : newline + 1;
      if (shown) out.add(block, at, end);
      at = end;
      if (newline >= 0) shown = isShown(++line);
    }
    if (!out.empty) yield out.take();
    if (line > last) break;
  }
}
