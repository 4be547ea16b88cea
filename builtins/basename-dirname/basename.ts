/** basename: the last component of a path. */
import { defineBuiltin, type StaticInvocation } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import { BlockBuilder } from "../../src/io/output.ts";
import { quoteCurly } from "../../src/display/quote.ts";
import { toBytes } from "../../src/io/text.ts";

export const basename = defineBuiltin({
  name: "basename",
  summary: "Print the last component of each path, without a suffix if one is given.",
  standard: "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/basename.html",
  reference: "GNU coreutils 9.1",
  operands: { kind: "values", min: 1 },
  syntax: "posix",
  flags: {
    multiple: { kind: "switch", short: "a", help: "every operand is a path, none a suffix" },
    suffix: {
      kind: "value",
      short: "s",
      arg: "SUFFIX",
      read: (text) => text,
      otherwise: undefined,
      help: "remove a trailing SUFFIX; implies -a",
    },
    zero: { kind: "switch", short: "z", help: "end each line with NUL, not newline" },
  },
  examples: [
    { command: "basename src/io/text.ts", stdout: "text.ts\n" },
    { command: "basename src/io/text.ts .ts", stdout: "text\n" },
    { command: "basename -s .h a/b.h c.h", stdout: "b\nc\n" },
  ],
  check(invocation) {
    requestOf(invocation);
  },
  async *run(invocation) {
    const { paths, suffix, lineEnd } = requestOf(invocation);
    const output = new BlockBuilder();
    for (const path of paths) {
      output.add(toBytes(withoutSuffix(lastComponent(path), suffix) + lineEnd));
      if (output.full) yield output.take();
    }
    if (!output.empty) yield output.take();
    return 0;
  },
});

interface Request {
  readonly paths: readonly string[];
  readonly suffix: string | undefined;
  readonly lineEnd: string;
}

/** Throws UsageError for an operand after the suffix. */
function requestOf({ flags, operands }: StaticInvocation<typeof basename.flags>): Request {
  const { multiple, suffix, zero, ...others } = flags;
  allFlagsRead(others);
  const lineEnd = zero ? "\0" : "\n";
  if (multiple || suffix !== undefined) return { paths: operands, suffix, lineEnd };
  const extra = operands[2];
  if (extra !== undefined)
    throw new UsageError("extra-operand", `extra operand ${quoteCurly(extra)}`, { subject: extra, pointsToHelp: true });
  return { paths: operands.slice(0, 1), suffix: operands[1], lineEnd };
}

/** "/" for nothing but slashes, "" for nothing. */
function lastComponent(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === "/") end--;
  return end === 0 ? path.slice(0, 1) : path.slice(path.lastIndexOf("/", end - 1) + 1, end);
}

/** A name is never taken off whole, nor anything off the root. */
function withoutSuffix(name: string, suffix: string | undefined): string {
  if (suffix === undefined || suffix === "" || name === suffix || name === "/" || !name.endsWith(suffix)) return name;
  return name.slice(0, -suffix.length);
}
