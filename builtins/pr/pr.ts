/** pr: files on pages, with a header on each, in one or more columns. One piece: half of it is the table of flags and their reading. */
import { countReader, readCount, scanCount } from "../../src/numbers/counts.ts";
import { formatTime, localTimes } from "../../src/dates/date-format.ts";
import { defineBuiltin, type FlagTable, type Invocation, type StaticInvocation } from "../../src/builtin/definition.ts";
import { noFlagLeft } from "../../src/builtin/flag-values.ts";
import { isStandardInput, openInput } from "../../src/builtin/inputs.ts";
import { BadValue, UsageError } from "../../src/builtin/usage-error.ts";
import { quoteCurly, quoteName } from "../../src/display/quote.ts";
import { LimitReached } from "../../src/io/limit-reached.ts";
import { BlockBuilder } from "../../src/io/output.ts";
import { toBytes } from "../../src/io/text.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { PageFailure, Pages, PageSource, type PageSettings } from "./pages.ts";

const INT_MAX = 2_147_483_647n;
const number = (complaint: string, min: bigint) => countReader({ complaint, min, max: INT_MAX, signed: true });
const text = (given: string): string => given;

const FLAGS = {
  pages: {
    kind: "value",
    arg: "FIRST[:LAST]",
    read: readPages,
    otherwise: undefined,
    help: "begin and stop with these pages (+FIRST[:LAST])",
  },
  columns: {
    kind: "value",
    arg: "COLUMN",
    read: number("invalid number of columns", 1n),
    otherwise: undefined,
    help: "print in so many columns, down (-COLUMN)",
  },
  across: { kind: "switch", short: "a", help: "print columns across rather than down" },
  balance: {
    kind: "switch",
    short: "b",
    long: false,
    unlisted: true,
    unread: true,
    help: "no effect: columns on the last page are always balanced",
  },
  showControlChars: { kind: "switch", short: "c", help: "show control characters as ^G and \\ooo" },
  doubleSpace: { kind: "switch", short: "d", help: "an empty line after each" },
  dateFormat: { kind: "value", short: "D", arg: "FORMAT", read: text, otherwise: undefined, help: "the header's date, as by date(1)" },
  expandTabs: {
    kind: "value",
    short: "e",
    arg: "[CHAR[WIDTH]]",
    read: tabReader,
    otherwise: undefined,
    ifBare: "",
    help: "expand tabs (CHAR) to WIDTH (8)",
  },
  formFeed: { kind: "switch", short: "fF", help: "a form feed between pages rather than newlines" },
  header: { kind: "value", short: "h", arg: "HEADER", read: text, otherwise: undefined, help: "HEADER in place of the file's name" },
  outputTabs: {
    kind: "value",
    short: "i",
    arg: "[CHAR[WIDTH]]",
    read: tabReader,
    otherwise: undefined,
    ifBare: "",
    help: "blanks become tabs (CHAR) of WIDTH (8)",
  },
  joinLines: { kind: "switch", short: "J", help: "whole lines: no cutting and no aligned columns" },
  length: {
    kind: "value",
    short: "l",
    arg: "PAGE_LENGTH",
    read: number("'-l PAGE_LENGTH' invalid number of lines", 1n),
    otherwise: undefined,
    help: "lines of a page (66); of up to 10 without a header",
  },
  merge: { kind: "switch", short: "m", help: "all files side by side, one in each column" },
  numberLines: {
    kind: "value",
    short: "n",
    arg: "[SEP[DIGITS]]",
    read: tabReader,
    otherwise: undefined,
    ifBare: "",
    help: "number lines, with DIGITS (5) and SEP (tab)",
  },
  firstLineNumber: {
    kind: "value",
    short: "N",
    arg: "NUMBER",
    read: number("'-N NUMBER' invalid starting line number", -INT_MAX - 1n),
    otherwise: undefined,
    help: "the number of the first line printed",
  },
  indent: {
    kind: "value",
    short: "o",
    arg: "MARGIN",
    read: number("'-o MARGIN' invalid line offset", 0n),
    otherwise: undefined,
    help: "so many blanks before each line",
  },
  noFileWarnings: { kind: "switch", short: "r", help: "say nothing of files that cannot be opened" },
  separator: {
    kind: "value",
    short: "s",
    arg: "[CHAR]",
    read: text,
    otherwise: undefined,
    ifBare: "",
    help: "columns are separated by CHAR, and not aligned without -w",
  },
  sepString: {
    kind: "value",
    short: "S",
    arg: "[STRING]",
    read: text,
    otherwise: undefined,
    ifBare: "",
    help: "columns are separated by STRING",
  },
  omitHeader: { kind: "switch", short: "t", help: "no header and no padding of pages" },
  omitPagination: { kind: "switch", short: "T", help: "that, and no form feeds" },
  showNonprinting: { kind: "switch", short: "v", help: "show bytes that are not printable as \\ooo" },
  width: {
    kind: "value",
    short: "w",
    arg: "PAGE_WIDTH",
    read: number("'-w PAGE_WIDTH' invalid number of characters", 1n),
    otherwise: undefined,
    help: "width of a page in columns (72)",
  },
  pageWidth: {
    kind: "value",
    short: "W",
    arg: "PAGE_WIDTH",
    read: number("'-W PAGE_WIDTH' invalid number of characters", 1n),
    otherwise: undefined,
    help: "width of any page (72); longer lines are cut",
  },
} as const satisfies FlagTable;

export const pr = defineBuiltin({
  name: "pr",
  summary: "Print files on pages, or in columns.",
  standard: "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pr.html",
  reference: "GNU coreutils 9.1",
  operands: { kind: "paths", access: "read" },
  flags: FLAGS,
  legacy: oldForm,
  examples: [
    { command: "pr -t -2 -w 20", stdin: "a\nb\nc\nd\n", stdout: "a\t  c\nb\t  d\n" },
    { command: "pr -m -t -w 20 a b", files: { a: "1\n2\n", b: "x\ny\n" }, stdout: "1\t  x\n2\t  y\n" },
    { command: "pr -t -n", stdin: "a\nb\n", stdout: "    1\ta\n    2\tb\n" },
  ],
  deviations: [
    {
      from: "GNU coreutils 9.1",
      what: "measures of a page above a million end the call",
      why: "a page is held in memory",
    },
  ],
  check(invocation) {
    layoutOf(invocation);
  },
  async *run(invocation) {
    const layout = layoutOf(invocation);
    const { settings } = layout;
    const measures = [settings.linesPerPage, settings.width, settings.margin, settings.columns, settings.numberColumns];
    for (const measure of [...measures, settings.inputTabColumns, settings.outputTabColumns]) {
      if (measure > MOST_MEASURE) throw new LimitReached("held", MOST_MEASURE, "lines or columns of a page");
    }
    const output = new BlockBuilder();
    const waiting: string[] = [];
    const times = localTimes(invocation.timeZone);
    const pages = new Pages(settings, {
      output,
      warn: (message) => void waiting.push(message),
      dateOf: (modified) => formatTime(times(modified ?? BigInt(invocation.nowMs) * 1_000_000n), layout.dateFormat),
      header: layout.header,
      balances: false,
    });
    const inputs = new Inputs(invocation);
    let exit = 0;
    const groups =
      settings.isParallel || invocation.operands.length === 0 ? [invocation.operands] : invocation.operands.map((each) => [each]);
    try {
      for (const group of groups) {
        pages.prepare(group.length, group.length > 0);
        const sources: PageSource[] = group.length === 0 ? [await inputs.standardInput()] : [];
        for (const operand of group) {
          const source = await inputs.open(operand);
          if (source instanceof PageSource) sources.push(source);
          else {
            exit = 1;
            if (!output.empty) yield output.take();
            if (!layout.isSilent) invocation.warn(source);
          }
        }
        if (sources.length === 0) continue;
        for (const _ of pages.print(sources)) {
          if (output.full) yield output.take();
          await invocation.wait(0);
        }
        if (waiting.length > 0 && !output.empty) yield output.take();
        for (const message of waiting.splice(0)) invocation.warn(message);
      }
    } catch (thrown) {
      if (!(thrown instanceof PageFailure)) throw thrown;
      if (!output.empty) yield output.take();
      invocation.warn(thrown.message);
      return 1;
    }
    if (!output.empty) yield output.take();
    return exit;
  },
});

const MOST_MEASURE = 1_000_000;

/** Files whole, and standard input once for all that name it. */
class Inputs {
  readonly #invocation: Pick<Invocation, "stdin" | "files" | "limits">;
  #stdin: PageSource | undefined;
  #held = 0;

  constructor(invocation: Pick<Invocation, "stdin" | "files" | "limits">) {
    this.#invocation = invocation;
  }

  async standardInput(): Promise<PageSource> {
    return (this.#stdin ??= new PageSource("standard input", await this.#bytesOf("-")));
  }

  /** Gives the complaint about a file that cannot be opened. Throws LimitReached. */
  async open(operand: string): Promise<PageSource | string> {
    if (operand === "-") return this.standardInput();
    try {
      const modified = isStandardInput(operand) ? undefined : this.#invocation.files.status(operand).modifiedNs;
      return new PageSource(operand, await this.#bytesOf(operand), modified);
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
      const complaint = `${quoteName(operand)}: ${thrown.message}`;
      if (thrown.code !== "EISDIR") return complaint;
      return new PageSource(operand, new Uint8Array(), this.#invocation.files.status(operand).modifiedNs, complaint);
    }
  }

  async #bytesOf(operand: string): Promise<Uint8Array> {
    const { heldBytes } = this.#invocation.limits;
    const parts: Buffer[] = [];
    for await (const block of openInput(this.#invocation, operand)) {
      this.#held += block.length;
      if (this.#held > heldBytes) throw new LimitReached("held", heldBytes, "bytes");
      parts.push(Buffer.from(block));
    }
    return Buffer.concat(parts);
  }
}

interface Layout {
  readonly settings: PageSettings;
  readonly dateFormat: string;
  readonly header: string | undefined;
  readonly isSilent: boolean;
}

/** Throws UsageError. */
function layoutOf({ occurrences }: StaticInvocation<typeof FLAGS>): Layout {
  const s: PageSettings = {
    firstPage: 1n,
    lastPage: (1n << 64n) - 1n,
    columns: 1,
    hasColumns: false,
    isAcross: false,
    isParallel: false,
    hasExtremities: true,
    keepsFormFeeds: false,
    usesFormFeed: false,
    linesPerPage: 66,
    width: 72,
    truncates: false,
    joins: false,
    expandsTabs: false,
    inputTab: 0x09,
    inputTabColumns: 8,
    makesTabs: false,
    outputTab: 0x09,
    outputTabColumns: 8,
    margin: 0,
    isNumbered: false,
    numberSeparator: 0x09,
    numberColumns: 5,
    countsSkipped: true,
    firstNumber: 1,
    escapes: "none",
    isDoubleSpaced: false,
    hasSeparator: false,
    separator: new Uint8Array(),
  };
  let dateFormat = "%Y-%m-%d %H:%M";
  let header: string | undefined;
  let isSilent = false;
  let [hasOld, hasOldWidth, hasOldSeparator] = [false, false, false];
  for (const occurrence of occurrences) {
    switch (occurrence.key) {
      case "pages":
        if (occurrence.value !== undefined) [s.firstPage, s.lastPage] = occurrence.value;
        break;
      case "columns":
        s.columns = occurrence.value ?? 1;
        s.hasColumns = true;
        break;
      case "across":
        s.isAcross = true;
        break;
      case "balance":
        break;
      case "showControlChars":
        if (s.escapes === "none") s.escapes = "caret";
        break;
      case "doubleSpace":
        s.isDoubleSpaced = true;
        break;
      case "dateFormat":
        dateFormat = occurrence.value ?? dateFormat;
        break;
      case "expandTabs": {
        s.expandsTabs = true;
        const { character, count } = tabOf(occurrence.value ?? "");
        s.inputTab = character ?? s.inputTab;
        s.inputTabColumns = count ?? s.inputTabColumns;
        break;
      }
      case "formFeed":
        s.usesFormFeed = true;
        break;
      case "header":
        header = occurrence.value;
        break;
      case "outputTabs": {
        s.makesTabs = true;
        const { character, count } = tabOf(occurrence.value ?? "");
        s.outputTab = character ?? s.outputTab;
        s.outputTabColumns = count ?? s.outputTabColumns;
        break;
      }
      case "joinLines":
        s.joins = true;
        break;
      case "length":
        s.linesPerPage = occurrence.value ?? s.linesPerPage;
        break;
      case "merge":
        s.isParallel = true;
        break;
      case "numberLines": {
        s.isNumbered = true;
        const { character, count } = tabOf(occurrence.value ?? "");
        s.numberSeparator = character ?? s.numberSeparator;
        s.numberColumns = count ?? s.numberColumns;
        break;
      }
      case "firstLineNumber":
        s.countsSkipped = false;
        s.firstNumber = occurrence.value ?? 1;
        break;
      case "indent":
        s.margin = occurrence.value ?? 0;
        break;
      case "noFileWarnings":
        isSilent = true;
        break;
      case "separator":
        hasOld = hasOldSeparator = true;
        if (!s.hasSeparator && occurrence.spelling !== "" && occurrence.value !== "") s.separator = toBytes(occurrence.value ?? "");
        break;
      case "sepString":
        hasOldSeparator = false;
        s.separator = toBytes(occurrence.value ?? "");
        s.hasSeparator = true;
        break;
      case "omitHeader":
        s.hasExtremities = false;
        s.keepsFormFeeds = true;
        break;
      case "omitPagination":
        s.hasExtremities = false;
        s.keepsFormFeeds = false;
        break;
      case "showNonprinting":
        s.escapes = "octal";
        break;
      case "width":
        hasOld = hasOldWidth = true;
        if (!s.truncates) s.width = occurrence.value ?? s.width;
        break;
      case "pageWidth":
        hasOldWidth = false;
        s.truncates = true;
        s.width = occurrence.value ?? s.width;
        break;
      default:
        noFlagLeft(occurrence);
    }
  }
  if (s.isParallel && s.hasColumns) throw new UsageError("bad-value", "cannot specify number of columns when printing in parallel");
  if (s.isParallel && s.isAcross) throw new UsageError("bad-value", "cannot specify both printing across and printing in parallel");
  if (hasOld) applyOldForms(s, hasOldWidth, hasOldSeparator);
  return { settings: s, dateFormat, header, isSilent };
}

/** -w and -s of POSIX, by the newer flags that they stand for. */
function applyOldForms(s: PageSettings, hasWidth: boolean, hasSeparator: boolean): void {
  const isMany = s.isParallel || s.hasColumns;
  if (hasWidth) {
    if (!isMany) s.joins = true;
    else {
      s.truncates = true;
      if (hasSeparator) s.hasSeparator = true;
    }
  } else if (!s.hasSeparator && hasSeparator && isMany) {
    if (s.truncates) s.hasSeparator = true;
    else {
      s.joins = true;
      if (s.separator.length > 0) s.hasSeparator = true;
    }
  }
}

/** FIRST[:LAST] */
function readPages(given: string): readonly [bigint, bigint] {
  const range = pageRange(given);
  if (range !== undefined) return range;
  const first = given.split(":", 1)[0] ?? "";
  if (scanCount(first, { suffixes: "" }).problem === "invalid") throw new BadValue(`invalid --pages argument '${given}'`);
  throw new BadValue(`invalid page range ${quoteCurly(given)}`);
}

function pageRange(given: string): readonly [bigint, bigint] | undefined {
  const [, first, last] = /^(\d+)(?::(\d+))?$/.exec(given) ?? [];
  if (first === undefined) return undefined;
  const [from, to] = [BigInt(first), last === undefined ? (1n << 64n) - 1n : BigInt(last)];
  return from === 0n || to < from || from >> 64n > 0n ? undefined : [from, to];
}

interface TabValue {
  readonly character: number | undefined;
  readonly count: number | undefined;
}

/** [CHAR[NUMBER]] of a value that tabReader took. */
function tabOf(given: string): TabValue {
  const bytes = toBytes(given);
  const hasCharacter = bytes.length > 0 && !/^\d/.test(given);
  const digits = bytes.toString("latin1").slice(hasCharacter ? 1 : 0);
  return { character: hasCharacter ? bytes[0] : undefined, count: digits === "" ? undefined : Number(digits) };
}

function tabReader(given: string, spelling: string): string {
  const digits = toBytes(given)
    .toString("latin1")
    .slice(/^\d|^$/.test(given) ? 0 : 1);
  if (digits === "") return given;
  const letter = { "--expand-tabs": "e", "--output-tabs": "i", "--number-lines": "n" }[spelling] ?? spelling.replace(/^-/, "");
  const shown = quoteCurly(/^\d/.test(given) ? given : given.slice(1));
  const complaint = `'-${letter}' extra characters or invalid number in the argument: ${shown}`;
  const isNumber = /^\s*\+?\d+$/.test(digits);
  if (isNumber && BigInt(digits) > INT_MAX) {
    throw new BadValue(`${complaint}: Value too large for defined data type`, { pointsToHelp: true });
  }
  if (!isNumber || BigInt(digits) === 0n) throw new BadValue(complaint, { pointsToHelp: true });
  return given;
}

/** `+2:3` → --pages=2:3, and `-3` among letters (`-t3n`) → --columns=3. */
function oldForm(argument: string, position: number, args: readonly string[]): readonly string[] | undefined {
  if (argument.startsWith("+")) {
    const isFirst = !args.slice(0, position).some((each) => /^\+\d|^--pa/.test(each));
    return isFirst && pageRange(argument.slice(1)) !== undefined ? [`--pages=${argument.slice(1)}`] : undefined;
  }
  if (!/^-[A-Za-z]*\d/.test(argument)) return undefined;
  const found: string[] = [];
  for (let at = 1; at < argument.length; ) {
    const digits = /^\d+/.exec(argument.slice(at))?.[0];
    if (digits !== undefined) {
      const whole = `${at === 1 ? digitsBefore(position, args) : ""}${digits}`;
      readCount(whole, { complaint: "invalid number of columns", min: 1n, max: INT_MAX, signed: true });
      found.push(`--columns=${whole}`);
      at += digits.length;
      continue;
    }
    const isSwitch = /[abcdfFJmrtTv]/.test(argument.charAt(at));
    found.push(`-${isSwitch ? argument.charAt(at) : argument.slice(at)}`);
    at = isSwitch ? at + 1 : argument.length;
  }
  return found.some((each) => each.startsWith("--columns")) ? found : undefined;
}

/** Digits at the end of the argument before, which go on in this one: -1 -2 are twelve columns. */
function digitsBefore(position: number, args: readonly string[]): string {
  const [, letters = "", digits = ""] = /^-([abcdfFJmrtTv]*)(\d+)$/.exec(args[position - 1] ?? "") ?? [];
  return digits !== "" && letters === "" ? digitsBefore(position - 1, args) + digits : digits;
}
