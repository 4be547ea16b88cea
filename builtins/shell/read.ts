/** `read`: bash's builtin. One record of standard input into variables. */
import { defineBuiltin, type ExitStatus } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { BadValue } from "../../src/builtin/usage-error.ts";
import { descriptorOf, inputAt } from "./input-descriptor.ts";
import { toBytes } from "../../src/io/text.ts";
import { readRecord } from "./read-record.ts";
import { splitRecord, wordsOf } from "./read-split.ts";

const characters = (value: string): number => {
  if (!/^[0-9]+$/.test(value)) throw new BadValue(`${value}: invalid number`);
  return Math.min(Number(value), Number.MAX_SAFE_INTEGER);
};

const refused = (letter: string, help: string, reason: string, arg?: string) =>
  ({
    kind: "refused",
    short: letter,
    long: false,
    ...(arg === undefined ? {} : { arg }),
    help,
    reason,
    suggestion: (rest: readonly string[]) => ["read", ...rest].join(" "),
  }) as const;

export const read = defineBuiltin({
  name: "read",
  summary: "Read one line of standard input into variables.",
  standard: "https://www.gnu.org/software/bash/manual/html_node/Bash-Builtins.html#index-read",
  reference: "GNU bash 5.2",
  operands: { kind: "values" },
  syntax: "posix",
  usageExit: 2,
  sharesShell: "needs",
  flags: {
    raw: { kind: "switch", short: "r", long: false, help: "a backslash is a character like any other" },
    delimiter: {
      kind: "value",
      short: "d",
      long: false,
      arg: "DELIM",
      otherwise: "\n",
      read: (value: string) => value,
      help: "read up to the first character of DELIM, or up to a NUL where it is empty",
    },
    most: {
      kind: "value",
      short: "n",
      long: false,
      arg: "NCHARS",
      otherwise: undefined,
      read: characters,
      help: "read at most NCHARS characters",
    },
    exactly: {
      kind: "value",
      short: "N",
      long: false,
      arg: "NCHARS",
      otherwise: undefined,
      read: characters,
      help: "read NCHARS characters whatever they are, and do not split them",
    },
    prompt: {
      kind: "value",
      short: "p",
      long: false,
      arg: "PROMPT",
      otherwise: undefined,
      read: (value: string) => value,
      unread: true,
      help: "no effect: nothing is printed where standard input is no terminal",
    },
    silent: { kind: "switch", short: "s", long: false, unread: true, help: "no effect: nothing is echoed here" },
    array: {
      kind: "value",
      short: "a",
      long: false,
      arg: "ARRAY",
      otherwise: undefined,
      read: (value: string) => value,
      help: "make the words the elements of ARRAY",
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
    timeout: refused("t", "(refused)", "what is read here is there or has ended: there is nothing to wait for", "TIMEOUT"),
    readline: refused("e", "(refused)", "there is no terminal here"),
    initial: refused("i", "(refused)", "there is no terminal here", "TEXT"),
  },
  examples: [
    { command: 'while IFS= read -r line; do echo "<$line>"; done', stdin: "a b\n c\n", stdout: "<a b>\n< c>\n" },
    { command: 'IFS=, read -ra a <<< x,y,z; echo "${a[1]}"', stdout: "y\n" },
    { command: "read -r a b <<< 'one two three'; echo \"$b\"", stdout: "two three\n" },
  ],
  deviations: [{ from: "GNU bash", what: "-e, -i and -t are refused", why: "there is no terminal, and nothing to wait for" }],
  // oxlint-disable-next-line require-yield -- it prints nothing
  async *run(invocation): AsyncGenerator<Uint8Array, ExitStatus> {
    const { flags, operands, stderr, shell, limits } = invocation;
    const { raw, delimiter: end, most, exactly, array, descriptor, ...others } = flags;
    allFlagsRead(others);
    if (shell === undefined) throw new Error("read without a shell");
    const isName = (name: string): boolean => {
      if (/^[A-Za-z_]\w*(\[[^]+\])?$/.test(name)) return true;
      stderr(`${shell.place}: read: \`${name}': not a valid identifier\n`);
      return false;
    };
    // bash looks at the first name before it reads, and at each other when it comes to set it.
    const first = array ?? operands[0];
    if (first !== undefined && !isName(first)) return 1;
    if (array !== undefined && shell.arrayKind(array) === "associative") {
      stderr(`${shell.place}: read: ${array}: not an indexed array\n`);
      return 1;
    }
    const input = inputAt(descriptor, invocation);
    if (input === undefined) return 1;
    const delimiter = exactly !== undefined ? undefined : (toBytes(end)[0] ?? 0);
    const record = await readRecord(input, {
      delimiter,
      raw,
      mostCharacters: exactly ?? most,
      lineBytes: limits.lineBytes,
    });
    const ifs = shell.variable("IFS") ?? " \t\n";
    if (array !== undefined) {
      const words = exactly === undefined ? wordsOf(record, ifs) : [record.text];
      return shell.setElements(array, words) && record.ended ? 0 : 1;
    }
    if (operands.length === 0 && !shell.setVariable("REPLY", record.text)) return 1;
    const values = exactly === undefined ? splitRecord(record, ifs, operands.length) : [record.text];
    for (const [at, name] of operands.entries()) {
      if ((at > 0 && !isName(name)) || !shell.setVariable(name, values[at] ?? "")) return 1;
    }
    return record.ended ? 0 : 1;
  },
});
