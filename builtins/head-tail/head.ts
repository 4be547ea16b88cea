/** head: the first lines or bytes of each input, or all but the last. */
import { readCount, SIZE_SUFFIXES } from "../../src/numbers/counts.ts";
import { defineBuiltin } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { showEach } from "./file-headers.ts";
import { holdLastBytes, holdLastLines, lastLinesStart } from "./from-end.ts";
import type { InputSource } from "../../src/builtin/inputs.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import { countByte, indexAfter } from "../../src/io/count-byte.ts";
import { asBuffer, NEWLINE } from "../../src/io/lines.ts";
import { quoteCurly } from "../../src/display/quote.ts";
import { firstByteOf } from "../../src/io/text.ts";

export const head = defineBuiltin({
  name: "head",
  summary: "Print the first lines of each file, or of standard input.",
  standard: "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/head.html",
  reference: "GNU coreutils 9.1",
  readsStreams: true,
  operands: { kind: "paths", access: "read" },
  flags: {
    bytes: {
      kind: "value",
      short: "c",
      arg: "[-]NUM",
      read: amountReader("bytes"),
      otherwise: undefined,
      overrides: ["lines"],
      help: "print the first NUM bytes of each file; -NUM: all but the last NUM",
    },
    lines: {
      kind: "value",
      short: "n",
      arg: "[-]NUM",
      read: amountReader("lines"),
      otherwise: undefined,
      overrides: ["bytes"],
      help: "print the first NUM lines (default 10); -NUM: all but the last NUM",
    },
    quiet: {
      kind: "switch",
      short: "q",
      long: ["quiet", "silent"],
      overrides: ["verbose"],
      help: "never print a header with the file's name",
    },
    verbose: { kind: "switch", short: "v", overrides: ["quiet"], help: "always print the header" },
    zeroTerminated: { kind: "switch", short: "z", help: "lines end in NUL, not newline" },
  },
  legacy: oldForm,
  tells: "start",
  silence: { 0: "printed nothing" },
  examples: [
    { command: "head -n 2", stdin: "a\nb\nc\n", stdout: "a\nb\n" },
    { command: "head -1 a b", files: { a: "1\n2\n", b: "3\n" }, stdout: "==> a <==\n1\n\n==> b <==\n3\n" },
    { command: "head -n -1", stdin: "a\nb\nc\n", stdout: "a\nb\n", note: "all but the last line" },
    { command: "head -c 3", stdin: "abcdef", stdout: "abc" },
  ],
  check({ flags }) {
    const { fromEnd, exact } = flags.bytes ?? { fromEnd: false, exact: 0n };
    if (!fromEnd || exact < 1n << 63n) return;
    throw new UsageError("bad-value", `invalid number of bytes: ${quoteCurly(`${exact}`)}: Value too large for defined data type`);
  },
  async *run(invocation) {
    const { bytes, lines, quiet, verbose, zeroTerminated, ...others } = invocation.flags;
    allFlagsRead(others);
    const amount = bytes ?? lines ?? { unit: "lines", fromEnd: false, count: 10, exact: 10n };
    const separator = zeroTerminated ? 0 : NEWLINE;
    return yield* showEach(invocation, {
      hasHeaders: verbose || (invocation.operands.length > 1 && !quiet),
      atDirectory: amount.count === 0 && !amount.fromEnd ? "pass over" : "complain",
      show: (source) =>
        amount.fromEnd
          ? allButLast(source, amount, separator, invocation.limits.heldBytes)
          : amount.unit === "lines"
            ? firstLines(source, amount.count, separator)
            : firstBytes(source, amount.count),
    });
  },
});

interface Amount {
  readonly unit: "lines" | "bytes";
  /** All but the last `count`, not the first `count`. */
  readonly fromEnd: boolean;
  readonly count: number;
  readonly exact: bigint;
}

function amountReader(unit: Amount["unit"]): (text: string) => Amount {
  const options = { suffixes: SIZE_SUFFIXES, complaint: `invalid number of ${unit}` };
  return (text) => {
    const fromEnd = text.startsWith("-");
    const exact = readCount(fromEnd ? text.slice(1) : text, options);
    return { unit, fromEnd, count: Number(exact), exact };
  };
}

/** `-NUM[bkm][clqvz]…`, as the first argument only. */
function oldForm(argument: string, position: number): readonly string[] | undefined {
  const [, digits, letters = ""] = /^-(\d+)([^]*)$/.exec(argument) ?? [];
  if (position > 0 || digits === undefined) {
    const misplaced = /^-[qvz]*(\d)/.exec(argument)?.[1];
    if (misplaced !== undefined) throw badTrailingOption(misplaced, position);
    return undefined;
  }
  let unit = "n";
  let multiplier = "";
  const switches: string[] = [];
  for (const letter of letters) {
    if (letter === "c") [unit, multiplier] = ["c", ""];
    else if (letter === "b" || letter === "k" || letter === "m") [unit, multiplier] = ["c", letter];
    else if (letter === "l") unit = "n";
    else if (letter === "q" || letter === "v" || letter === "z") switches.push(`-${letter}`);
    else throw badTrailingOption(letter, position);
  }
  return [`-${unit}${digits}${multiplier}`, ...switches];
}

function badTrailingOption(letter: string, argument: number): UsageError {
  return new UsageError("unknown-flag", `invalid trailing option -- ${firstByteOf(letter)}`, {
    argument,
    subject: `-${letter}`,
    pointsToHelp: true,
    suggestion: /\d/.test(letter) ? `-n${letter}` : undefined,
  });
}

/** Leaves what follows the last line unread, for the next command of a group. */
async function* firstLines(source: InputSource, lines: number, separator: number): AsyncGenerator<Uint8Array, void> {
  for (let left = lines; left > 0; ) {
    const bytes = await source.read();
    if (bytes === undefined) return;
    const block = asBuffer(bytes);
    const count = countByte(block, separator);
    const at = count < left ? block.length : indexAfter(block, separator, left);
    left -= count;
    source.unread(block.subarray(at));
    yield block.subarray(0, at);
  }
}

async function* firstBytes(source: InputSource, bytes: number): AsyncGenerator<Uint8Array, void> {
  for (let left = bytes; left > 0; ) {
    const block = await source.read();
    if (block === undefined) return;
    if (block.length > left) source.unread(block.subarray(left));
    yield block.length > left ? block.subarray(0, left) : block;
    left -= block.length;
  }
}

async function* allButLast(source: InputSource, amount: Amount, separator: number, heldBytes: number): AsyncGenerator<Uint8Array, void> {
  if (amount.count === 0) {
    yield* source;
  } else if (source.file !== undefined) {
    const { size } = source.file.status;
    const end =
      amount.unit === "bytes" ? Math.max(0, size - amount.count) : lastLinesStart(source.file, amount.count, separator, heldBytes);
    yield* firstBytes(source, end);
  } else {
    const hold = amount.unit === "bytes" ? holdLastBytes : (lines: number, cap: number) => holdLastLines(lines, separator, cap);
    const held = hold(amount.count, heldBytes);
    for await (const block of source) yield* held.add(block);
    yield* held.end().before;
  }
}
