/** paste: lines of several inputs side by side, or the lines of each input one after the other. */
import { defineBuiltin, type FlagTable, type Invocation } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { inputComplaint, inputOperands, openInput } from "../../src/builtin/inputs.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import { LineReader } from "../../src/io/line-reader.ts";
import { NEWLINE } from "../../src/io/lines.ts";
import { BlockBuilder } from "../../src/io/output.ts";
import { toBytes } from "../../src/io/text.ts";

const FLAGS = {
  delimiters: {
    kind: "value",
    short: "d",
    arg: "LIST",
    read: (text) => text,
    otherwise: "\t",
    help: "put the characters of LIST in turn between lines, not tabs; \\0 is nothing, \\n \\t \\\\ and the like as in C",
  },
  serial: { kind: "switch", short: "s", help: "each file's lines on one line, file after file" },
  zeroTerminated: { kind: "switch", short: "z", help: "lines end in NUL, not in a newline" },
} as const satisfies FlagTable;

export const paste = defineBuiltin({
  name: "paste",
  summary: "Put the lines of several files side by side.",
  standard: "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/paste.html",
  reference: "GNU coreutils 9.1",
  readsStreams: true,
  operands: { kind: "paths", access: "read" },
  flags: FLAGS,
  examples: [
    { command: "paste -d , a b", files: { a: "1\n2\n", b: "x\ny\n" }, stdout: "1,x\n2,y\n" },
    { command: "paste -s -d +", stdin: "1\n2\n3\n", stdout: "1+2+3\n" },
    { command: "paste -d ' ' - -", stdin: "a\nb\nc\nd\n", stdout: "a b\nc d\n", note: "two lines on each line" },
  ],
  // Of several lists the last is looked at, once all flags are read.
  check({ flags }) {
    settingsOf(flags);
  },
  async *run(invocation) {
    const settings = settingsOf(invocation.flags);
    return yield* settings.isSerial ? serial(invocation, settings) : parallel(invocation, settings);
  },
});

type Pasting = Invocation<typeof FLAGS>;

interface Settings {
  readonly delimiters: readonly number[];
  readonly isSerial: boolean;
  readonly lineEnd: number;
}

/** Throws UsageError. */
function settingsOf({ delimiters, serial: isSerial, zeroTerminated, ...others }: Pasting["flags"]): Settings {
  allFlagsRead(others);
  return { delimiters: delimiterList(delimiters), isSerial, lineEnd: zeroTerminated ? 0 : NEWLINE };
}

/** A delimiter is one byte; -1 stands for none. Throws UsageError. */
function delimiterList(text: string): readonly number[] {
  const bytes = toBytes(text);
  if (bytes.length === 0) return [-1];
  const list: number[] = [];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte !== 0x5c) {
      list.push(byte);
      continue;
    }
    at++;
    if (at === bytes.length)
      throw new UsageError("bad-value", `delimiter list ends with an unescaped backslash: ${text}`, { subject: text });
    const escaped = bytes[at] as number;
    list.push(ESCAPES[String.fromCharCode(escaped)] ?? escaped);
  }
  return list;
}

const ESCAPES: Readonly<Record<string, number>> = Object.assign(Object.create(null), {
  "0": -1,
  b: 0x08,
  f: 0x0c,
  n: 0x0a,
  r: 0x0d,
  t: 0x09,
  v: 0x0b,
});

interface Column {
  readonly operand: string;
  readonly reader: LineReader;
}

async function* parallel(invocation: Pasting, { delimiters, lineEnd }: Settings): AsyncGenerator<Uint8Array, number> {
  const { limits } = invocation;
  const columns: (Column | undefined)[] = [];
  let stdin: LineReader | undefined;
  try {
    for (const operand of inputOperands(invocation)) {
      if (operand === "-") stdin ??= new LineReader(openInput(invocation, operand), limits.lineBytes, lineEnd);
      const reader = operand === "-" ? stdin : undefined;
      columns.push({ operand, reader: reader ?? new LineReader(opened(invocation, operand), limits.lineBytes, lineEnd) });
    }
  } catch (thrown) {
    invocation.warn(inputComplaint(thrown, (thrown as { path?: string }).path ?? "-"));
    await closeAll(columns);
    return 1;
  }
  const output = new BlockBuilder();
  let exit = 0;
  let left = columns.length;
  try {
    while (left > 0) {
      let started = false;
      let owed = 0;
      for (let at = 0; at < columns.length; at++) {
        const column = columns[at];
        let line: Buffer | undefined;
        if (column !== undefined) {
          try {
            line = column.reader.take() ?? (await column.reader.next());
          } catch (thrown) {
            const complaint = inputComplaint(thrown, column.operand);
            if (!output.empty) yield output.take();
            invocation.warn(complaint);
            exit = 1;
          }
          if (line === undefined) {
            columns[at] = undefined;
            left--;
          }
        }
        if (line !== undefined) {
          // What stands between the columns is owed until it is known that this row has a line at all.
          for (let before = started ? at - owed : 0; before < at; before++) addDelimiter(output, delimiters, before);
          owed = 0;
          started = true;
          output.add(line);
        }
        owed++;
      }
      if (started) {
        for (let before = columns.length - owed; before < columns.length - 1; before++) addDelimiter(output, delimiters, before);
        output.addByte(lineEnd);
      }
      if (output.full) yield output.take();
    }
  } finally {
    await closeAll(columns);
  }
  if (!output.empty) yield output.take();
  return exit;
}

/** Delimiter `at` of a row. */
function addDelimiter(output: BlockBuilder, delimiters: readonly number[], at: number): void {
  const byte = delimiters[at % delimiters.length] as number;
  if (byte >= 0) output.addByte(byte);
}

async function closeAll(columns: readonly (Column | undefined)[]): Promise<void> {
  for (const column of columns) await column?.reader.close();
}

/** Opened now where that fails for another reason than being a directory, which fails when it is read. */
function opened(invocation: Pasting, operand: string): AsyncIterable<Uint8Array> {
  try {
    return openInput(invocation, operand);
  } catch (thrown) {
    if ((thrown as { code?: string }).code !== "EISDIR") throw thrown;
    return {
      [Symbol.asyncIterator]: () => ({
        next: () => Promise.reject(thrown),
        return: () => Promise.resolve({ done: true, value: undefined }),
      }),
    };
  }
}

async function* serial(invocation: Pasting, { delimiters, lineEnd }: Settings): AsyncGenerator<Uint8Array, number> {
  const { limits } = invocation;
  const output = new BlockBuilder();
  let exit = 0;
  for (const operand of inputOperands(invocation)) {
    let reader: LineReader | undefined;
    try {
      reader = new LineReader(openInput(invocation, operand), limits.lineBytes, lineEnd);
      for (let count = 0; ; count++) {
        const line = reader.take() ?? (await reader.next());
        if (line === undefined) break;
        if (count > 0) addDelimiter(output, delimiters, count - 1);
        output.add(line);
        if (output.full) yield output.take();
      }
      output.addByte(lineEnd);
    } catch (thrown) {
      const complaint = inputComplaint(thrown, operand);
      const isRead = (thrown as { code?: string }).code === "EISDIR" || reader !== undefined;
      // A file that can be opened has a line here, even where nothing can be read from it.
      if (isRead) output.addByte(lineEnd);
      if (!output.empty) yield output.take();
      invocation.warn(complaint);
      exit = 1;
    } finally {
      await reader?.close();
    }
  }
  if (!output.empty) yield output.take();
  return exit;
}
