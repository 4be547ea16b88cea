/** less and more, as they are where output is no terminal: files one after the other. */
import { quoteWord } from "../../src/display/quote.ts";
import { defineBuiltin, type FlagTable, type RefusedFlag, type SwitchFlag, type ValueFlag } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { scanCount } from "../../src/numbers/counts.ts";
import { BadValue } from "../../src/builtin/usage-error.ts";
import { inputOperands, openInput } from "../../src/builtin/inputs.ts";
import { toBytes } from "../../src/io/text.ts";
import { FileError } from "../../src/workspace/file-error.ts";

/** Of a flag for the screen. */
const SCREEN = { unread: true, help: "changes no output where that is no terminal" } as const;
type Unread = Pick<typeof SCREEN, "unread">;
const text = (value: string): string => value;

function screenSwitch(short: string | undefined, long: string | readonly string[] | false): SwitchFlag & Unread {
  return { kind: "switch", ...SCREEN, long, ...(short === undefined ? {} : { short }) };
}

function screenValue(short: string | undefined, long: string | readonly string[] | false): ValueFlag & Unread {
  return { kind: "value", arg: "VALUE", otherwise: undefined, read: text, ...SCREEN, long, ...(short === undefined ? {} : { short }) };
}

function screenNumber(short: string, long: string): ValueFlag & Unread {
  const read = (value: string): string => {
    if (!/^-?\d/.test(value)) throw new BadValue(`Number is required after -${short} (--${long})`);
    return value;
  };
  return { kind: "value", arg: "N", otherwise: undefined, read, ...SCREEN, short, long };
}

/** Reads a file of its own, to say what is typed or where to begin on the screen. */
function reads(short: string, long: string, what: string): RefusedFlag {
  const suggestion = (rest: readonly string[]): string => ["less", ...rest].join(" ");
  return { kind: "refused", short, long, arg: "VALUE", help: "(refused)", reason: `${what}, and there is no terminal`, suggestion };
}

function writes(short: string, long: string): RefusedFlag {
  return {
    kind: "refused",
    short,
    long,
    arg: "FILE",
    help: "(refused)",
    reason: "a pager writes no files here: tee does, and records it",
    suggestion: (rest, value) => `${["less", ...rest].join(" ")} | tee ${quoteWord(value ?? "FILE")}`,
    lost: "the exit status is tee's",
  };
}

const LESS_FLAGS = {
  searchSkipScreen: screenSwitch("aA", ["search-skip-screen", "SEARCH-SKIP-SCREEN"]),
  buffers: screenNumber("b", "buffers"),
  autoBuffers: screenSwitch("B", "auto-buffers"),
  clearScreen: screenSwitch("cC", ["clear-screen", "CLEAR-SCREEN"]),
  dumb: screenSwitch("d", "dumb"),
  color: screenValue("D", "color"),
  quitAtEof: screenSwitch("eE", ["quit-at-eof", "QUIT-AT-EOF"]),
  force: screenSwitch("f", "force"),
  quitIfOneScreen: screenSwitch("F", "quit-if-one-screen"),
  hiliteSearch: screenSwitch("gG", ["hilite-search", "HILITE-SEARCH"]),
  maxBackScroll: screenNumber("h", "max-back-scroll"),
  ignoreCase: screenSwitch("iI", ["ignore-case", "IGNORE-CASE"]),
  jumpTarget: screenValue("j", "jump-target"),
  statusColumn: screenSwitch("J", "status-column"),
  lesskeyFile: reads("k", "lesskey-file", "it says what keys do"),
  quitOnIntr: screenSwitch("K", "quit-on-intr"),
  noLessopen: screenSwitch("L", "no-lessopen"),
  longPrompt: screenSwitch("mM", ["long-prompt", "LONG-PROMPT"]),
  lineNumbers: screenSwitch("nN", ["line-numbers", "LINE-NUMBERS"]),
  logFile: writes("o", "log-file"),
  overwrittenLogFile: writes("O", "LOG-FILE"),
  pattern: screenValue("p", "pattern"),
  prompt: screenValue("P", "prompt"),
  quiet: screenSwitch("qQ", ["quiet", "QUIET", "silent", "SILENT"]),
  rawControlChars: screenSwitch("rR", ["raw-control-chars", "RAW-CONTROL-CHARS"]),
  squeezeBlankLines: screenSwitch("s", "squeeze-blank-lines"),
  chopLongLines: screenSwitch("S", "chop-long-lines"),
  underlineSpecial: screenSwitch("uU", ["underline-special", "UNDERLINE-SPECIAL"]),
  hiliteUnread: screenSwitch("wW", ["hilite-unread", "HILITE-UNREAD"]),
  tag: reads("t", "tag", "it says where the screen begins"),
  tagFile: reads("T", "tag-file", "it says where tags are found"),
  tabs: screenValue("x", "tabs"),
  noInit: screenSwitch("X", "no-init"),
  maxForwScroll: screenNumber("y", "max-forw-scroll"),
  window: screenNumber("z", "window"),
  quotes: screenValue('"', "quotes"),
  tilde: screenSwitch("~", "tilde"),
  shift: screenValue("#", "shift"),
  mouse: screenSwitch(undefined, ["mouse", "MOUSE"]),
  useColor: screenSwitch(undefined, "use-color"),
  useBackslash: screenSwitch(undefined, "use-backslash"),
  noKeypad: screenSwitch(undefined, "no-keypad"),
  noHistdups: screenSwitch(undefined, "no-histdups"),
  incsearch: screenSwitch(undefined, "incsearch"),
  saveMarks: screenSwitch(undefined, "save-marks"),
  fileSize: screenSwitch(undefined, "file-size"),
  followName: screenSwitch(undefined, "follow-name"),
  wheelLines: screenValue(undefined, "wheel-lines"),
  rscroll: screenValue(undefined, "rscroll"),
  lineNumWidth: screenValue(undefined, "line-num-width"),
  statusColWidth: screenValue(undefined, "status-col-width"),
} as const satisfies FlagTable;

export const less = defineBuiltin({
  name: "less",
  summary: "Print files one after the other, as there is no terminal to page them in.",
  standard: "https://man7.org/linux/man-pages/man1/less.1.html",
  reference: "less 590",
  operands: { kind: "paths", access: "read" },
  flags: LESS_FLAGS,
  legacy: (argument) => (/^\+[^]|^-\d+$/.test(argument) ? [] : undefined),
  argumentWords: {
    unknown: (flag) => `There is no ${flag.replace(/^-+/, "")} option ("less --help" for help)`,
    missingValue: (flag) => `Value is required after ${flag}`,
    unexpectedValue: (flag) => `The ${flag} option should not be followed by =`,
  },
  examples: [{ command: "less -R a b", files: { a: "one\n", b: "two\n" }, stdout: "one\ntwo\n" }],
  deviations: [{ from: "less", what: "-k, -t, -T, -o and -O are refused", why: "there is no keyboard, and a pager writes no files here" }],
  async *run(invocation) {
    allFlagsRead(invocation.flags);
    for (const operand of inputOperands(invocation)) {
      try {
        yield* openInput(invocation, operand);
      } catch (thrown) {
        if (!(thrown instanceof FileError)) throw thrown;
        // To standard output, where output is no terminal.
        yield toBytes(thrown.code === "EISDIR" ? `${operand} is a directory\n` : `${operand}: ${thrown.message}\n`);
      }
    }
    return 0;
  },
});

function lineNumber(text: string): string {
  const { value, problem } = scanCount(text, { suffixes: "" });
  if (problem !== undefined && problem !== "overflow") throw new BadValue(`argument error: '${text}'`);
  if (value > 65_535n) throw new BadValue(`argument error: '${text}': Numerical result out of range`);
  return text;
}

export const more = defineBuiltin({
  name: "more",
  summary: "Print files under their names, or standard input, as there is no terminal to page them in.",
  standard: "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/more.html",
  reference: "util-linux 2.38.1",
  operands: { kind: "paths", access: "read" },
  flags: {
    silent: { kind: "switch", short: "d", ...SCREEN },
    logical: { kind: "switch", short: "f", ...SCREEN },
    noPause: { kind: "switch", short: "l", ...SCREEN },
    printOver: { kind: "switch", short: "c", ...SCREEN },
    cleanPrint: { kind: "switch", short: "p", ...SCREEN },
    exitOnEof: { kind: "switch", short: "e", ...SCREEN },
    squeeze: { kind: "switch", short: "s", ...SCREEN },
    plain: { kind: "switch", short: "u", ...SCREEN },
    lines: { kind: "value", short: "n", arg: "NUMBER", otherwise: undefined, read: lineNumber, ...SCREEN },
  },
  legacy: (argument) => (/^-\d+$/.test(argument) || /^\+(\d|\/)/.test(argument) ? [] : undefined),
  examples: [
    { command: "cat a | more", files: { a: "one\n" }, stdout: "one\n" },
    { command: "more a", files: { a: "one\n" }, stdout: "::::::::::::::\na\n::::::::::::::\none\n" },
  ],
  async *run(invocation) {
    allFlagsRead(invocation.flags);
    // Standard input that is no terminal comes first, whatever the operands are.
    yield* openInput(invocation, "-");
    for (const operand of invocation.operands) {
      try {
        const source = openInput(invocation, operand === "-" ? "./-" : operand);
        let isFirst = true;
        const name = toBytes(`::::::::::::::\n${operand}\n::::::::::::::\n`);
        for await (const block of source) {
          if (isFirst) yield name;
          isFirst = false;
          yield block;
        }
        if (isFirst) yield name;
      } catch (thrown) {
        if (!(thrown instanceof FileError)) throw thrown;
        if (thrown.code === "EISDIR") yield toBytes(`\n*** ${operand}: directory ***\n\n`);
        else invocation.warn(`cannot open ${operand}: ${thrown.message}`);
      }
    }
    return 0;
  },
});
