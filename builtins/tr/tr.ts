/** tr: bytes through a table of 256 entries, a block at a time. */
import { defineBuiltin, type StaticInvocation } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import { quoteCurly } from "../../src/display/quote.ts";
import { BadSet, parseSet } from "./set-text.ts";
import { operationOf, type Operation } from "./translation.ts";
import { translator } from "./translator.ts";

export const tr = defineBuiltin({
  name: "tr",
  summary: "Translate, squeeze or delete bytes of standard input.",
  standard: "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/tr.html",
  reference: "GNU coreutils 9.1",
  syntax: "posix",
  operands: { kind: "values", min: 1 },
  flags: {
    complement: { kind: "switch", short: "cC", help: "use the complement of SET1" },
    delete: { kind: "switch", short: "d", help: "delete the bytes in SET1, do not translate" },
    squeezeRepeats: {
      kind: "switch",
      short: "s",
      help: "replace each run of the same byte that is in the last SET given by one of it",
    },
    truncateSet1: { kind: "switch", short: "t", help: "first truncate SET1 to the length of SET2" },
  },
  examples: [
    { command: "tr a-z A-Z", stdin: "Hello\n", stdout: "HELLO\n" },
    { command: "tr -d '\\r'", stdin: "a\r\nb\r\n", stdout: "a\nb\n", note: "delete carriage returns" },
    { command: "tr -s ' '", stdin: "a   b  c\n", stdout: "a b c\n", note: "squeeze runs of spaces" },
    { command: "tr -cs '[:alnum:]' '\\n'", stdin: "one, two\n", stdout: "one\ntwo\n", note: "one word per line" },
    { command: "tr ',;' '\\n\\t'", stdin: "a,b;c\n", stdout: "a\nb\tc\n" },
  ],
  check(invocation) {
    const warnings: string[] = [];
    try {
      prepare(invocation, (message) => warnings.push(message));
    } catch (thrown) {
      if (!(thrown instanceof BadSet)) throw thrown;
      throw new UsageError("bad-value", [...warnings, thrown.message].join(`\n${invocation.name}: `));
    }
  },
  async *run(invocation) {
    const translated = translator(prepare(invocation, invocation.warn));
    for await (const block of invocation.stdin) {
      const out = translated(block);
      if (out.length > 0) yield out;
    }
    return 0;
  },
});

type Given = Pick<StaticInvocation<typeof tr.flags>, "flags" | "operands">;

/** Throws UsageError for a wrong number of sets and BadSet for wrong sets. */
function prepare({ flags, operands }: Given, warn: (message: string) => void): Operation {
  const { complement, delete: deletes, squeezeRepeats: squeeze, truncateSet1: truncate, ...others } = flags;
  allFlagsRead(others);
  const wanted = { complement, delete: deletes, squeeze, truncate };
  const least = wanted.delete === wanted.squeeze ? 2 : 1;
  const most = wanted.delete && !wanted.squeeze ? 1 : 2;
  const [first = "", second] = operands;
  if (operands.length < least) {
    const when = wanted.delete ? "both deleting and squeezing repeats" : "translating";
    throw new UsageError("missing-operand", `missing operand after ${quoteCurly(first)}\nTwo strings must be given when ${when}.`, {
      pointsToHelp: true,
    });
  }
  if (operands.length > most) {
    const extra = operands[most] as string;
    const why = operands.length === 2 ? "\nOnly one string may be given when deleting without squeezing repeats." : "";
    throw new UsageError("extra-operand", `extra operand ${quoteCurly(extra)}${why}`, { subject: extra, pointsToHelp: true });
  }
  const from = parseSet(first, warn);
  return operationOf(from, second === undefined ? undefined : parseSet(second, warn), wanted);
}
