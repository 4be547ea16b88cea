/** wc: lines, words, characters, bytes and the widest line of each input. */
import { defineBuiltin, type Invocation } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { inputComplaint, isStandardInput, openInput, overwritingBlocks } from "../../src/builtin/inputs.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import { lineBlocks, linesOf } from "../../src/io/lines.ts";
import { quoteAlways, quoteName } from "../../src/display/quote.ts";
import { toBytes, toText } from "../../src/io/text.ts";
import type { Files } from "../../src/workspace/contract.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { Counter, KindCache, noCounts, type Counts } from "./counter.ts";

export const wc = defineBuiltin({
  name: "wc",
  summary: "Count lines, words, characters and bytes.",
  standard: "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/wc.html",
  reference: "GNU coreutils 9.1",
  readsStreams: true,
  operands: { kind: "paths", access: "read" },
  flags: {
    bytes: { kind: "switch", short: "c", help: "print the byte counts" },
    chars: { kind: "switch", short: "m", help: "print the character counts" },
    lines: { kind: "switch", short: "l", help: "print the newline counts" },
    words: { kind: "switch", short: "w", help: "print the word counts" },
    files0From: {
      kind: "path",
      long: "files0-from",
      arg: "F",
      access: "read",
      help: "read the NUL-terminated file names in F (-: standard input)",
    },
    maxLineLength: { kind: "switch", short: "L", help: "print the widest line's columns" },
  },
  examples: [
    { command: "wc -l", stdin: "a\nb\n", stdout: "2\n" },
    { command: "wc a b", files: { a: "one two\n", b: "three\n" }, stdout: " 1  2  8 a\n 1  1  6 b\n 2  3 14 total\n" },
    { command: "wc -m -c", stdin: "né\n", stdout: "      3       4\n" },
  ],
  check({ flags, operands }) {
    if (flags.files0From === undefined || operands[0] === undefined) return;
    throw new UsageError(
      "extra-operand",
      `extra operand ${quoteAlways(operands[0])}\nfile operands cannot be combined with --files0-from`,
      {
        subject: operands[0],
        pointsToHelp: true,
      },
    );
  },
  async *run(invocation) {
    const { files } = invocation;
    const { lines, words, chars, bytes, maxLineLength, files0From: listFile, ...others } = invocation.flags;
    allFlagsRead(others);
    const columns = chosenColumns({ lines, words, chars, bytes, widest: maxLineLength });
    const names = listFile === undefined ? namesOf(invocation.operands) : namesIn(invocation, listFile);
    const kinds = new KindCache();
    const total = noCounts();
    let width: number | undefined;
    let seen = 0;
    let exit = 0;
    try {
      for await (const { operand, all } of names) {
        seen++;
        width ??= columnWidth(all, columns.length, files);
        const complaint = nameComplaint(operand, listFile, seen);
        if (complaint !== undefined) {
          invocation.warn(complaint);
          exit = 1;
          continue;
        }
        const { counts, error } = await countInput(invocation, operand ?? "-", columns, kinds);
        if (error !== undefined) {
          invocation.warn(inputComplaint(error, operand ?? "standard input"));
          exit = 1;
        }
        if (counts === undefined) continue;
        for (const column of COLUMNS)
          total[column] = column === "widest" ? Math.max(total.widest, counts.widest) : total[column] + counts[column];
        yield toBytes(shownLine(counts, columns, width, operand));
      }
    } catch (thrown) {
      if (!(thrown instanceof ListUnreadable)) throw thrown;
      invocation.warn(thrown.message);
      return 1;
    }
    if (seen > 1) yield toBytes(shownLine(total, columns, width ?? 1, "total"));
    return exit;
  },
});

type Column = keyof Counts;

const COLUMNS = ["lines", "words", "chars", "bytes", "widest"] as const;

function chosenColumns(wanted: Readonly<Record<Column, boolean>>): readonly Column[] {
  const chosen = COLUMNS.filter((column) => wanted[column]);
  return chosen.length > 0 ? chosen : ["lines", "words", "bytes"];
}

/** One input to count. */
interface NamedInput {
  /** undefined: standard input that was not named, which gets no name in the output either. */
  readonly operand: string | undefined;
  /** All inputs, where they are known beforehand: their sizes decide the columns' width. */
  readonly all: readonly string[] | undefined;
}

function* namesOf(operands: readonly string[]): Generator<NamedInput> {
  if (operands.length === 0) yield { operand: undefined, all: ["-"] };
  for (const operand of operands) yield { operand, all: operands };
}

/** GNU wc reads a regular file of names first, so that it knows their sizes; a pipe it takes name by name. */
async function* namesIn(invocation: Pick<Invocation, "stdin" | "files" | "limits">, listFile: string): AsyncGenerator<NamedInput> {
  const read: string[] = [];
  let isFile = false;
  try {
    const source = openInput(invocation, listFile);
    isFile = source.file?.status.kind === "file";
    for await (const block of lineBlocks(source, invocation.limits.lineBytes, 0)) {
      for (const name of linesOf(block, 0)) {
        if (isFile) read.push(toText(name));
        else yield { operand: toText(name), all: undefined };
      }
    }
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    throw new ListUnreadable(
      thrown.code === "EISDIR"
        ? `${quoteName(listFile)}: read error: ${thrown.message}`
        : `cannot open ${quoteAlways(listFile)} for reading: ${thrown.message}`,
    );
  }
  for (const operand of read) yield { operand, all: read };
}

class ListUnreadable extends Error {
  override readonly name = "ListUnreadable";
}

function nameComplaint(operand: string | undefined, listFile: string | undefined, number: number): string | undefined {
  if (operand === "") return `${listFile === undefined ? "" : `${quoteName(listFile)}:${number}: `}invalid zero-length file name`;
  if (operand === "-" && listFile === "-") return "when reading file names from stdin, no file name of '-' allowed";
  return undefined;
}

/** The digits of all regular files' sizes together; at least 7 where one of the inputs is not a regular file. */
function columnWidth(operands: readonly string[] | undefined, columns: number, files: Files): number {
  if (operands === undefined || (operands.length === 1 && columns === 1)) return 1;
  let least = 1;
  let bytes = 0;
  for (const operand of operands) {
    const status = isStandardInput(operand) ? undefined : statusOf(files, operand);
    if (status === "unknown") continue;
    if (status?.kind === "file") bytes += status.size;
    else least = 7;
  }
  return Math.max(least, String(bytes).length);
}

function statusOf(files: Files, operand: string): ReturnType<Files["status"]> | "unknown" {
  try {
    return files.status(operand);
  } catch (thrown) {
    if (thrown instanceof FileError) return "unknown";
    throw thrown;
  }
}

async function countInput(
  invocation: Pick<Invocation, "stdin" | "files" | "characters">,
  operand: string,
  columns: readonly Column[],
  kinds: KindCache,
): Promise<{ counts: Counts | undefined; error: FileError | undefined }> {
  const counter = new Counter(
    {
      words: columns.includes("words"),
      chars: columns.includes("chars"),
      widest: columns.includes("widest"),
      bytesAreCharacters: invocation.characters === "bytes",
    },
    kinds,
  );
  let error: FileError | undefined;
  try {
    const source = openInput(invocation, operand);
    if (source.file !== undefined && columns.length === 1 && columns[0] === "bytes") {
      const bytes = source.file.status.size;
      source.close();
      return { counts: { ...noCounts(), bytes }, error };
    }
    for await (const block of overwritingBlocks(source)) counter.add(block);
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    // A directory opens and cannot be read: the real tool shows what it counted, nothing.
    if (thrown.code !== "EISDIR" && thrown.code !== "EIO") return { counts: undefined, error: thrown };
    error = thrown;
  }
  return { counts: counter.end(), error };
}

function shownLine(counts: Counts, columns: readonly Column[], width: number, name: string | undefined): string {
  const numbers = columns.map((column) => String(counts[column]).padStart(width)).join(" ");
  if (name === undefined) return `${numbers}\n`;
  return `${numbers} ${name.includes("\n") ? quoteName(name) : name}\n`;
}
