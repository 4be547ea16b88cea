/** `shopt`: options of the shell, above all of its patterns. */
import { defineBuiltin } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import { toBytes } from "../../src/io/text.ts";

/** Options that can be changed here. All are off at the start. */
const CHANGED: readonly string[] = "dotglob extglob failglob globstar inherit_errexit lastpipe nocaseglob nocasematch nullglob".split(" ");

/** The options of bash 5.2 in its order; with + those that are on in a shell without a terminal. */
const ALL: ReadonlyMap<string, boolean> = new Map(
  "autocd assoc_expand_once cdable_vars cdspell checkhash checkjobs +checkwinsize +cmdhist compat31 compat32 compat40 compat41 compat42 compat43 compat44 +complete_fullquote direxpand dirspell dotglob execfail expand_aliases extdebug extglob +extquote failglob +force_fignore +globasciiranges +globskipdots globstar gnu_errfmt histappend histreedit histverify +hostcomplete huponexit inherit_errexit +interactive_comments lastpipe lithist localvar_inherit localvar_unset login_shell mailwarn no_empty_cmd_completion nocaseglob nocasematch noexpand_translation nullglob +patsub_replacement +progcomp progcomp_alias +promptvars restricted_shell shift_verbose +sourcepath varredir_close xpg_echo"
    .split(" ")
    .map((name) => (name.startsWith("+") ? [name.slice(1), true] : [name, false])),
);

export const shopt = defineBuiltin({
  name: "shopt",
  summary: "Turn options of the shell on (-s) or off (-u), or print them.",
  standard: "https://www.gnu.org/software/bash/manual/html_node/The-Shopt-Builtin.html",
  reference: "GNU bash 5.2",
  operands: { kind: "values" },
  syntax: "posix",
  usageExit: 2,
  usageHint: () => "shopt: usage: shopt [-pqsu] [-o] [optname ...]\n",
  sharesShell: "needs",
  flags: {
    set: { kind: "switch", short: "s", long: false, help: "turn each NAME on, or print those that are on" },
    clear: { kind: "switch", short: "u", long: false, help: "turn each NAME off, or print those that are off" },
    quiet: { kind: "switch", short: "q", long: false, help: "print nothing: the status tells whether each NAME is on" },
    commands: { kind: "switch", short: "p", long: false, help: "print the commands that would set the options" },
    ofSet: {
      kind: "refused",
      short: "o",
      long: false,
      help: "(refused)",
      reason: "the options of set -o are not read by this name",
      suggestion: "set -o pipefail",
    },
  },
  examples: [
    { command: "shopt -s nullglob; echo *.none", stdout: "\n" },
    { command: "shopt -s globstar; echo **/*.ts", files: { "a.ts": "", "src/b.ts": "" }, stdout: "a.ts src/b.ts\n" },
    { command: "shopt -s extglob; echo !(b*)", files: { a: "", b: "", bc: "" }, stdout: "a\n" },
  ],
  deviations: [
    {
      from: "GNU bash",
      what: `only ${CHANGED.join(", ")} can be changed`,
      why: "the others are about a terminal, or change how the line is read",
    },
    {
      from: "GNU bash",
      what: "an extended pattern may stand in the line of text in which shopt -s extglob stands",
      why: "bash has read that line by then, and calls it a syntax error; what is meant is plain",
    },
  ],
  check({ flags, operands }) {
    if (!flags.set && !flags.clear) return;
    const other = operands.find((name) => !CHANGED.includes(name) && ALL.has(name) && ALL.get(name) !== flags.set);
    if (other !== undefined)
      throw new UsageError("refused-flag", `shopt cannot change ${other} here: only ${CHANGED.join(", ")} are`, { suggestion: ":" });
  },
  async *run({ flags, operands, shell, stderr }) {
    const { set, clear, quiet, commands, ...others } = flags;
    allFlagsRead(others);
    if (shell === undefined) throw new Error("shopt without a shell");
    const complain = (message: string): void => stderr(`${shell.place}: shopt: ${message}\n`);
    const isOn = (name: string): boolean => shell.option(name) ?? ALL.get(name) === true;
    const line = (name: string): Uint8Array =>
      toBytes(commands ? `shopt ${isOn(name) ? "-s" : "-u"} ${name}\n` : `${name.padEnd(15)}\t${isOn(name) ? "on" : "off"}\n`);
    if (set && clear) {
      complain("cannot set and unset shell options simultaneously");
      return 1;
    }
    if (operands.length === 0) {
      if (!quiet) for (const name of ALL.keys()) if ((!set && !clear) || isOn(name) === set) yield line(name);
      return 0;
    }
    let exit = 0;
    for (const name of operands) {
      if (!ALL.has(name)) {
        complain(`${name}: invalid shell option name`);
        exit = 1;
      } else if (set || clear) shell.setOption(name, set);
      else {
        if (!isOn(name)) exit = 1;
        if (!quiet) yield line(name);
      }
    }
    return exit;
  },
});
