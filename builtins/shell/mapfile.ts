/** `mapfile` and `readarray`: records of standard input → elements of an array. */
import { defineBuiltin, type ExitStatus } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { BadValue } from "../../src/builtin/usage-error.ts";
import { LimitReached } from "../../src/io/limit-reached.ts";
import type { ByteInput } from "../../src/io/input.ts";
import { descriptorOf, inputAt } from "./input-descriptor.ts";
import { toBytes, toText } from "../../src/io/text.ts";

const number =
  (what: string) =>
  (value: string): number => {
    if (!/^[ \t]*\+?\d{1,15}[ \t]*$/.test(value)) throw new BadValue(`${value}: invalid ${what}`);
    return Number(value);
  };

const noCallback = "a callback is text of the shell; go through the elements with for";

export const mapfile = defineBuiltin({
  name: "mapfile",
  aliases: ["readarray"],
  summary: "Read the lines of standard input into an array (default MAPFILE).",
  standard: "https://www.gnu.org/software/bash/manual/html_node/Bash-Builtins.html#index-mapfile",
  reference: "GNU bash 5.2",
  operands: { kind: "values" },
  syntax: "posix",
  usageExit: 1,
  sharesShell: "needs",
  usageText: ({ kind, message }) => {
    const usage = "mapfile: usage: mapfile [-d delim] [-n count] [-O origin] [-s count] [-t] [-u fd] [-C callback] [-c quantum] [array]\n";
    return `bash: line 1: mapfile: ${message}\n${kind === "bad-value" ? "" : usage}`;
  },
  flags: {
    trim: { kind: "switch", short: "t", long: false, help: "leave the newline at the end of each line out" },
    delimiter: {
      kind: "value",
      short: "d",
      long: false,
      arg: "DELIM",
      otherwise: "\n",
      read: (value: string) => value,
      help: "lines end in the first character of DELIM, or in a NUL where it is empty",
    },
    most: {
      kind: "value",
      short: "n",
      long: false,
      arg: "COUNT",
      otherwise: 0,
      read: number("line count"),
      help: "read at most COUNT lines (0: all)",
    },
    origin: {
      kind: "value",
      short: "O",
      long: false,
      arg: "ORIGIN",
      otherwise: undefined,
      read: number("array origin"),
      help: "begin at the index ORIGIN, and keep what the array holds",
    },
    skip: {
      kind: "value",
      short: "s",
      long: false,
      arg: "COUNT",
      otherwise: 0,
      read: number("line count"),
      help: "leave the first COUNT lines out",
    },
    descriptor: {
      kind: "value",
      short: "u",
      long: false,
      arg: "FD",
      otherwise: 0,
      read: descriptorOf,
      help: "read descriptor FD (0)",
    },
    callback: {
      kind: "refused",
      short: "C",
      long: false,
      arg: "CALLBACK",
      help: "(refused)",
      reason: noCallback,
      suggestion: "mapfile -t",
    },
    quantum: { kind: "refused", short: "c", long: false, arg: "QUANTUM", help: "(refused)", reason: noCallback, suggestion: "mapfile -t" },
  },
  examples: [
    { command: 'mapfile -t a <<< "$(printf \'x y\\nz\')"; echo "${#a[@]} ${a[0]}"', stdout: "2 x y\n" },
    { command: "printf '%s,' p q | { mapfile -d , -t a; echo \"${a[1]}\"; }", stdout: "q\n" },
  ],
  deviations: [{ from: "GNU bash", what: "-C and -c are refused", why: "a callback is text of the shell" }],
  // oxlint-disable-next-line require-yield -- it prints nothing
  async *run(invocation): AsyncGenerator<Uint8Array, ExitStatus> {
    const { flags, operands, stderr, shell, limits } = invocation;
    const { trim, delimiter, most, origin, skip, descriptor, ...others } = flags;
    allFlagsRead(others);
    if (shell === undefined) throw new Error("mapfile without a shell");
    const [name = "MAPFILE"] = operands;
    const complain = (message: string): 1 => {
      stderr(`${shell.place}: mapfile: ${message}\n`);
      return 1;
    };
    if (!/^[A-Za-z_]\w*$/.test(name)) return complain(`\`${name}': not a valid identifier`);
    if (shell.arrayKind(name) === "associative") return complain(`${name}: not an indexed array`);
    const input = inputAt(descriptor, invocation);
    if (input === undefined) return 1;
    const values: string[] = [];
    const records = readRecords(input, { delimiter: toBytes(delimiter)[0] ?? 0, trim, lineBytes: limits.lineBytes });
    let passed = 0;
    let held = 0;
    while (most === 0 || values.length < most) {
      const next = await records.next();
      if (next.done === true) break;
      if (passed++ < skip) continue;
      held += next.value.length;
      if (held > limits.heldBytes) throw new LimitReached("held", limits.heldBytes, "bytes of an array");
      if (values.length >= MOST_RECORDS) throw new LimitReached("held", MOST_RECORDS, "elements of arrays");
      const end = next.value.indexOf(0);
      values.push(toText(end < 0 ? next.value : next.value.subarray(0, end)));
    }
    return shell.setElements(name, values, origin) ? 0 : 1;
  },
});

const MOST_RECORDS = 1_000_000;

/** Records with their delimiter, unless it is trimmed. What follows the last one that is asked for is left in the input. */
async function* readRecords(
  stdin: ByteInput,
  { delimiter, trim, lineBytes }: { readonly delimiter: number; readonly trim: boolean; readonly lineBytes: number },
): AsyncGenerator<Uint8Array, undefined> {
  let held: Buffer[] = [];
  let heldBytes = 0;
  for (;;) {
    const block = await stdin.read();
    if (block === undefined) {
      if (heldBytes > 0) yield Buffer.concat(held);
      return undefined;
    }
    const at = block.indexOf(delimiter);
    const piece = Buffer.from(at < 0 ? block : block.subarray(0, trim ? at : at + 1));
    held.push(piece);
    heldBytes += piece.length;
    if (heldBytes > lineBytes) throw new LimitReached("line", lineBytes, "bytes");
    if (at < 0) continue;
    stdin.unread(block.subarray(at + 1));
    yield Buffer.concat(held);
    held = [];
    heldBytes = 0;
  }
}
