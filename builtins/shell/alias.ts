/** `alias` and `unalias`: names that bash would put other words in the place of, if it were asked to (`shopt -s expand_aliases`). */
import { defineBuiltin } from "../../src/builtin/definition.ts";
import type { ShellAccess } from "../../src/builtin/shell-access.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { toBytes } from "../../src/io/text.ts";

const STANDARD = "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/alias.html";

export const alias = defineBuiltin({
  name: "alias",
  summary: "Note or print aliases, which bash expands in no line like this.",
  standard: STANDARD,
  reference: "GNU bash 5.2",
  operands: { kind: "values" },
  syntax: "posix",
  usageExit: 2,
  usageHint: () => "alias: usage: alias [-p] [name[=value] ... ]\n",
  sharesShell: "needs",
  flags: { print: { kind: "switch", short: "p", long: false, help: "print all aliases" } },
  examples: [
    { command: "alias ll='ls -l' g=grep; alias", stdout: "alias g='grep'\nalias ll='ls -l'\n" },
    { command: "alias ll='ls -l'; alias ll", stdout: "alias ll='ls -l'\n" },
  ],
  async *run({ flags, operands, shell, stderr }) {
    const { print, ...others } = flags;
    allFlagsRead(others);
    const own = needed(shell);
    const aliases = new Map(own.aliases);
    const line = (name: string, value: string): Uint8Array => toBytes(`alias ${name}='${value.replaceAll("'", "'\\''")}'\n`);
    if (print || operands.length === 0) {
      for (const name of [...aliases.keys()].sort()) yield line(name, aliases.get(name) as string);
    }
    let exit = 0;
    for (const operand of operands) {
      const equals = operand.indexOf("=");
      const name = equals > 0 ? operand.slice(0, equals) : operand;
      const value = equals > 0 ? operand.slice(equals + 1) : undefined;
      const known = aliases.get(name);
      if (value !== undefined && !/[\s/$`'"\\<>|&;()]/.test(name)) {
        aliases.set(name, value);
      } else if (value === undefined && known !== undefined) {
        yield line(name, known);
      } else {
        stderr(`${own.place}: alias: ${value === undefined ? `${name}: not found` : `\`${name}': invalid alias name`}\n`);
        exit = 1;
      }
    }
    own.aliases = aliases;
    return exit;
  },
});

export const unalias = defineBuiltin({
  name: "unalias",
  summary: "Forget aliases.",
  standard: STANDARD,
  reference: "GNU bash 5.2",
  operands: { kind: "values" },
  syntax: "posix",
  usageExit: 2,
  usageHint: () => "unalias: usage: unalias [-a] name [name ...]\n",
  sharesShell: "needs",
  flags: { all: { kind: "switch", short: "a", long: false, help: "forget all of them" } },
  examples: [{ command: "alias a=b c=d; unalias a; alias", stdout: "alias c='d'\n" }],
  // oxlint-disable-next-line require-yield -- it prints nothing
  async *run({ flags, operands, shell, stderr }) {
    const { all, ...others } = flags;
    allFlagsRead(others);
    const own = needed(shell);
    const aliases = all ? new Map<string, string>() : new Map(own.aliases);
    own.aliases = aliases;
    if (all) return 0;
    if (operands.length === 0) stderr("unalias: usage: unalias [-a] name [name ...]\n");
    const missing = operands.filter((name) => !aliases.delete(name));
    for (const name of missing) stderr(`${own.place}: unalias: ${name}: not found\n`);
    return operands.length === 0 ? 2 : missing.length > 0 ? 1 : 0;
  },
});

function needed(shell: ShellAccess | undefined): ShellAccess {
  if (shell === undefined) throw new Error("an alias without a shell");
  return shell;
}
