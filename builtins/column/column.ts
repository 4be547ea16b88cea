/** column: lists in columns, and tables whose columns are aligned. */
import { scanCount } from "../../src/numbers/counts.ts";
import { defineBuiltin, type FlagTable, type GivenKey, type Occurrence, type StaticInvocation } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { openInput } from "../../src/builtin/inputs.ts";
import { BadValue, UsageError } from "../../src/builtin/usage-error.ts";
import { LimitReached } from "../../src/io/limit-reached.ts";
import { lineBlocks, linesOf } from "../../src/io/lines.ts";
import { BlockBuilder } from "../../src/io/output.ts";
import { toBytes, toText } from "../../src/io/text.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { filledColumns, filledRows } from "./list.ts";
import { jsonTable } from "./json-table.ts";
import { ColumnFault, Table, type TableLayout, type TableShape } from "./table.ts";
import { textTable } from "./text-table.ts";

const NAMES = { kind: "value", read: splitNames, otherwise: undefined } as const;
const TEXT = { kind: "value", read: (text: string) => text, otherwise: undefined } as const;

const FLAGS = {
  table: { kind: "switch", short: "t", help: "make a table: align the fields of all lines" },
  tableColumns: { ...NAMES, short: "N", arg: "NAMES", help: "the columns' names, printed as a header" },
  tableColumnsLimit: {
    kind: "value",
    short: "l",
    arg: "NUM",
    read: readLimit,
    otherwise: undefined,
    help: "at most NUM columns: the last one takes the rest of the line",
  },
  tableHide: { ...NAMES, short: "H", arg: "COLUMNS", help: "leave out these columns; - are those without a name" },
  tableName: { ...TEXT, short: "n", arg: "NAME", help: "the table's name in JSON" },
  tableNoextreme: {
    ...NAMES,
    short: "E",
    arg: "COLUMNS",
    help: "do not let unusually long text decide the width of COLUMNS (default: the last one)",
  },
  tableNoheadings: { kind: "switch", short: "d", help: "print no header" },
  tableOrder: { ...NAMES, short: "O", arg: "COLUMNS", help: "print these columns first" },
  tableRight: { ...NAMES, short: "R", arg: "COLUMNS", help: "align these columns to the right; 0 are all" },
  tableTruncate: { ...NAMES, short: "T", arg: "COLUMNS", help: "cut the text of COLUMNS where the table would be wider than the width" },
  tableWrap: { ...NAMES, short: "W", arg: "COLUMNS", help: "break the text of COLUMNS where the table would be wider than the width" },
  keepEmptyLines: { kind: "switch", short: "L", long: ["keep-empty-lines", "table-empty-lines"], help: "keep empty lines" },
  tableHeaderRepeat: { kind: "switch", short: "e", help: "repeat the header after each page of 24 lines" },
  json: { kind: "switch", short: "J", help: "print the table as JSON; needs -N" },
  tree: { ...TEXT, short: "r", arg: "COLUMN", help: "draw a tree in COLUMN; needs -i and -p" },
  treeId: { ...TEXT, short: "i", arg: "COLUMN", help: "the column with each line's id" },
  treeParent: { ...TEXT, short: "p", arg: "COLUMN", help: "the column with the id of each line's parent" },
  outputWidth: {
    kind: "value",
    short: "c",
    long: ["output-width", "columns"],
    arg: "WIDTH",
    read: readWidth,
    otherwise: 80,
    help: "the width to fill, in characters (default 80)",
  },
  outputSeparator: { ...TEXT, short: "o", arg: "STRING", help: "put STRING between columns (default: two spaces)" },
  separator: {
    kind: "value",
    read: separatorCharacters,
    otherwise: undefined,
    short: "s",
    arg: "CHARACTERS",
    help: "fields end at any of CHARACTERS (default: runs of blanks)",
  },
  fillrows: { kind: "switch", short: "x", help: "fill rows before columns" },
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
} as const satisfies FlagTable;

export const column = defineBuiltin({
  name: "column",
  summary: "Print lines in columns, or as a table with aligned columns.",
  standard: "https://man7.org/linux/man-pages/man1/column.1.html",
  reference: "util-linux 2.38.1",
  operands: { kind: "paths", access: "read" },
  flags: FLAGS,
  examples: [
    { command: "column -t", stdin: "a bbb c\naaa b cc\n", stdout: "a    bbb  c\naaa  b    cc\n" },
    {
      command: "column -t -s , -o ' | ' -N name,size -R size",
      stdin: "x,9\nlonger,10\n",
      stdout: "name   | size\nx      |    9\nlonger |   10\n",
    },
    { command: "column -c 20", stdin: "1\n2\n3\n", stdout: "1\t3\n2\n" },
  ],
  deviations: [
    {
      from: "util-linux column",
      what: "-W leaves out a character that is wider than its column",
      why: "the real tool never ends there",
    },
  ],
  check(invocation) {
    requireOneLayout(invocation.occurrences);
    settingsOf(invocation);
  },
  async *run(invocation) {
    const { operands } = invocation;
    const settings = settingsOf(invocation);
    const { table, keepsEmptyLines, fillsRows, outputWidth } = settings;
    const output = new BlockBuilder();
    const lines = new HeldLines(invocation.limits.heldBytes, keepsEmptyLines);
    let exit = 0;
    // Without operands standard input; "-" is a file like any other.
    for (const operand of operands.length === 0 ? [undefined] : operands) {
      try {
        const source = openInput(invocation, operand === undefined ? "-" : operand === "-" ? "./-" : operand);
        for await (const block of lineBlocks(source, invocation.limits.lineBytes)) for (const line of linesOf(block)) lines.add(line);
      } catch (thrown) {
        if (!(thrown instanceof FileError)) throw thrown;
        if (thrown.code === "EISDIR") {
          invocation.warn(`read failed: ${thrown.message}`);
          return 1;
        }
        invocation.warn(`${operand ?? "stdin"}: ${thrown.message}`);
        // Each file that is missing counts.
        exit = (exit + 1) % 256;
      }
    }
    try {
      const parts =
        table !== undefined
          ? tableParts(table, lines.texts, outputWidth, invocation.characters === "bytes")
          : (fillsRows ? filledRows : filledColumns)(lines.texts, outputWidth);
      for (const part of parts) {
        // A separator or a name may hold bytes that are no text.
        if (part.isWellFormed()) output.addText(part);
        else output.add(toBytes(part));
        if (output.full) yield output.take();
      }
    } catch (thrown) {
      if (!(thrown instanceof ColumnFault)) throw thrown;
      if (thrown.message !== "") invocation.warn(thrown.message);
      return 1;
    }
    if (!output.empty) yield output.take();
    // How many files are missing is told where nothing is in the others; a table that has rows is well.
    if (table !== undefined) return lines.texts.length > 0 || exit === 0 ? 0 : 1;
    return lines.texts.length > 0 && exit > 0 ? 1 : exit;
  },
});

interface TableSettings {
  readonly fields: TableShape;
  readonly layout: TableLayout;
  /** The table's name in JSON; undefined for a table of text. */
  readonly jsonName: string | undefined;
  readonly separator: string;
  readonly hasHeader: boolean;
  readonly repeatsHeader: boolean;
}

/** Throws ColumnFault. */
function tableParts(settings: TableSettings, lines: readonly string[], outputWidth: number, isAscii: boolean): Iterable<string> {
  const { fields, layout, jsonName, separator, hasHeader, repeatsHeader } = settings;
  const table = new Table(fields);
  for (const line of lines) table.add(line);
  if (table.rowCount === 0) return [];
  const unnamed = jsonName === undefined ? undefined : table.firstUnnamed();
  if (unnamed !== undefined)
    throw new ColumnFault(`line ${unnamed}: for JSON the name of the column ${fields.names.length + 1} is required`);
  const laidOut = table.laidOut(layout);
  if (jsonName !== undefined) return jsonTable(laidOut, jsonName);
  // Rows without a column, which are empty lines that were kept: libsmartcols prints no such table.
  if (laidOut.columns.length === 0) throw new ColumnFault();
  return textTable(laidOut, { separator, outputWidth, hasHeader, repeatsHeader, isAscii });
}

interface Settings {
  /** undefined for a list. */
  readonly table: TableSettings | undefined;
  readonly keepsEmptyLines: boolean;
  readonly fillsRows: boolean;
  readonly outputWidth: number;
}

/** Throws UsageError. */
function settingsOf({ flags, occurrences }: StaticInvocation<typeof FLAGS>): Settings {
  const { table, json, tree, treeId, treeParent, separator, keepEmptyLines, fillrows, outputWidth, outputSeparator, ...inTable } = flags;
  const { tableColumns, tableColumnsLimit, tableName, tableNoheadings, tableHeaderRepeat, ...ofColumns } = inTable;
  const { tableHide, tableNoextreme, tableOrder, tableRight, tableTruncate, tableWrap, ...others } = ofColumns;
  allFlagsRead(others);
  const fault = (message: string): UsageError => new UsageError("bad-value", message);
  if (tree !== undefined && (treeId === undefined || treeParent === undefined))
    throw fault("options --tree-id and --tree-parent are required for tree formatting");
  const isTable = table || json || tree !== undefined;
  if (!isTable && occurrences.some(({ key }) => key.startsWith("table") && !NOT_TABLE_ONLY.has(key)))
    throw fault("option --table required for all --table-*");
  if (json && tableColumns === undefined) throw fault("option --table-columns required for --json");
  const list = { keepsEmptyLines: keepEmptyLines, fillsRows: fillrows, outputWidth };
  if (!isTable) return { ...list, table: undefined };
  return {
    ...list,
    table: {
      fields: {
        separators: separator ?? "\t ",
        mergesSeparators: separator === undefined,
        limit: tableColumnsLimit,
        names: tableColumns ?? [],
      },
      layout: {
        order: tableOrder ?? [],
        hidden: tableHide ?? [],
        right: tableRight ?? [],
        truncated: tableTruncate ?? [],
        wrapped: tableWrap ?? [],
        noExtremes: tableNoextreme,
        tree:
          tree !== undefined && treeId !== undefined && treeParent !== undefined
            ? { column: tree, id: treeId, parent: treeParent }
            : undefined,
      },
      jsonName: json ? (tableName ?? "table") : undefined,
      separator: outputSeparator ?? "  ",
      hasHeader: tableColumns !== undefined && !tableNoheadings,
      repeatsHeader: tableHeaderRepeat,
    },
  };
}

/** Flags of tables that a list takes too, without effect. */
const NOT_TABLE_ONLY: ReadonlySet<string> = new Set<GivenKey<typeof FLAGS>>([
  "table",
  "tableColumnsLimit",
  "tableNoheadings",
  "tableHeaderRepeat",
]);

/** Throws UsageError. */
function requireOneLayout(occurrences: readonly Occurrence<typeof FLAGS>[]): void {
  const seen = new Set<GivenKey<typeof FLAGS>>();
  for (const { key } of occurrences) {
    seen.add(key);
    for (const layout of ["json", "table"] as const) {
      if (seen.has(layout) && seen.has("fillrows"))
        throw new UsageError("bad-value", `mutually exclusive arguments: --${layout} --fillrows`);
    }
  }
}

function separatorCharacters(text: string): string {
  if (!text.isWellFormed()) throw new BadValue("failed to use input separator: Invalid or incomplete multibyte or wide character");
  return text;
}

function readWidth(text: string): number {
  const complaint = `invalid columns argument: '${text}'`;
  const { value, problem } = scanCount(text, { suffixes: "", signed: true });
  if (problem !== undefined && problem !== "overflow") throw new BadValue(complaint);
  if (value < 0n || value >= 1n << 32n) throw new BadValue(`${complaint}: Numerical result out of range`);
  return Number(value);
}

function readLimit(text: string): number {
  const complaint = `invalid columns limit argument: '${text}'`;
  const { value, problem } = scanCount(text, { suffixes: "", signed: true });
  if (problem !== undefined && problem !== "overflow") throw new BadValue(complaint);
  if (value < 0n || value >= 1n << 32n) throw new BadValue(`${complaint}: Numerical result out of range`);
  if (value === 0n) throw new BadValue("columns limit must be greater than zero");
  return Number(value);
}

/** Names between commas; empty ones are none. */
function splitNames(text: string): string[] {
  return text.split(",").filter((name) => name !== "");
}

/** All lines, because widths are known only at the end. */
class HeldLines {
  readonly texts: string[] = [];
  readonly #cap: number;
  readonly #keepsEmpty: boolean;
  #held = 0;

  constructor(cap: number, keepsEmpty: boolean) {
    this.#cap = cap;
    this.#keepsEmpty = keepsEmpty;
  }

  /** Text up to a NUL; a byte that is no text is shown as `\xHH`. */
  add(line: Buffer): void {
    const nul = line.indexOf(0);
    const text = toText(nul < 0 ? line : line.subarray(0, nul));
    if (/^[ \t-\r]*$/.test(text)) {
      if (this.#keepsEmpty) this.texts.push("");
      return;
    }
    this.#held += 2 * text.length + 64;
    if (this.#held > this.#cap) throw new LimitReached("held", this.#cap, "bytes");
    this.texts.push(
      text.isWellFormed() ? text : text.replace(STRAY, (unit) => `\\x${(unit.charCodeAt(0) - 0xdc00).toString(16).padStart(2, "0")}`),
    );
  }
}

/** A byte that is not part of a character: see src/io/text.ts. */
const STRAY = /(?<![\ud800-\udbff])[\udc80-\udcff]/g;
