/** `printf`: bash's builtin. */
import { defineBuiltin } from "../../src/builtin/definition.ts";
import { helpText } from "../../src/builtin/help.ts";
import { toBytes, toText } from "../../src/io/text.ts";
import { Formatter } from "./formatter.ts";

export const printf = defineBuiltin({
  name: "printf",
  summary: "Print the operands as the format says.",
  standard: "https://www.gnu.org/software/bash/manual/html_node/Bash-Builtins.html#index-printf",
  reference: "GNU bash 5.2",
  operands: { kind: "values" },
  syntax: "raw",
  flags: {},
  sharesShell: "changes",
  examples: [
    { command: "printf '%s=%d\\n' a 1 b 2", stdout: "a=1\nb=2\n", note: "the format is used again while operands are left" },
    { command: "printf '%05.1f|%-4s|%x\\n' 3.14159 ab 255", stdout: "003.1|ab  |ff\n" },
    { command: "printf '%q\\n' 'a b'", stdout: "a\\ b\n", note: "quoted for the shell" },
  ],
  async *run(invocation) {
    const { operands, stderr, nowMs, timeZone, limits, shell } = invocation;
    const { invalid, wantsHelp, rest, variable } = readFlags(operands);
    if (wantsHelp) {
      yield toBytes(help());
      return 2;
    }
    const complain = (message: string): void => stderr(`${shell?.place ?? "bash: line 1"}: printf: ${message}\n`);
    if (invalid !== undefined) complain(`${invalid}`);
    if (variable !== undefined && (shell === undefined || !/^[A-Za-z_]\w*(\[[^]+\])?$/.test(variable))) {
      complain(shell === undefined ? "-v: invalid option" : `\`${variable}': not a valid identifier`);
      return 2;
    }
    const [format, ...values] = rest.map(toByteString);
    if (invalid !== undefined || format === undefined) {
      stderr("printf: usage: printf [-v var] format [arguments]\n");
      return 2;
    }
    const formatter = new Formatter(format, values, {
      complain: (message) => complain(fromByteString(message)),
      nowMs,
      timeZone,
      maxBytes: limits.heldBytes,
    });
    if (variable === undefined) {
      for (const text of formatter.run()) yield Buffer.from(text, "latin1");
      return formatter.failed ? 1 : 0;
    }
    let value = "";
    for (const text of formatter.run()) value += text;
    const isSet = shell?.setVariable(variable, fromByteString(value.split("\0", 1)[0] ?? "")) !== false;
    return formatter.failed || !isSet ? 1 : 0;
  },
});

function help(): string {
  return helpText(printf, "printf");
}

interface ReadFlags {
  readonly variable?: string;
  readonly invalid?: string;
  readonly wantsHelp?: boolean;
  readonly rest: readonly string[];
}

/** bash's internal_getopt for "v:". */
function readFlags(operands: readonly string[]): ReadFlags {
  const [first, second] = operands;
  if (first === "--help") return { wantsHelp: true, rest: [] };
  if (first === "--") return { rest: operands.slice(1) };
  if (first === undefined || !/^-[^]/.test(first)) return { rest: operands };
  if (first === "-v" && second === undefined) return { invalid: "-v: option requires an argument", rest: [] };
  if (first === "-v") return { variable: second as string, ...readFlags(operands.slice(2)) };
  if (first.startsWith("-v")) return { variable: first.slice(2), ...readFlags(operands.slice(1)) };
  return { invalid: `-${toText(toBytes(first).subarray(1, 2))}: invalid option`, rest: [] };
}

/** The bytes of `text`, one per character: what bash's printf counts for widths. */
const toByteString = (text: string): string => toBytes(text).toString("latin1");
const fromByteString = (bytes: string): string => toText(Buffer.from(bytes, "latin1"));
