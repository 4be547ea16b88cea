/** `dirs`: prints the stack of `pushd`. */
import { defineBuiltin } from "../../src/builtin/definition.ts";
import { toBytes } from "../../src/io/text.ts";
import { absolutePath } from "../../src/walk/canonical-path.ts";
import { outOfRange, placeOf, shownEntry, shownStack } from "./directory-stack.ts";
import { STACK_LASTS } from "./pushd.ts";

export const dirs = defineBuiltin({
  name: "dirs",
  summary: "Print the stack of directories that pushd keeps, the current one first.",
  standard: "https://www.gnu.org/software/bash/manual/html_node/Directory-Stack-Builtins.html#index-dirs",
  reference: "GNU bash 5.2",
  operands: { kind: "values" },
  syntax: "raw",
  sharesShell: "needs",
  flags: {},
  examples: [
    {
      command: "pushd src >/dev/null; dirs -v",
      files: { "src/a.ts": "" },
      stdout: " 0  ~/src\n 1  ~\n",
      note: "-p prints a line for each, -l no ~, -c empties the stack, +N and -N print one of it",
    },
  ],
  deviations: [STACK_LASTS],
  async *run({ shell, operands: words, files, stderr }) {
    if (shell === undefined) throw new Error("dirs without a shell");
    const complain = (message: string, exit: number): number => {
      stderr(`${shell.place}: dirs: ${message}\n`);
      if (exit === 2) stderr("dirs: usage: dirs [-clpv] [+N] [-N]\n");
      return exit;
    };
    const given = new Set<string>();
    const stack = shell.directoryStack;
    let place: number | undefined;
    let named = "";
    for (const word of words) {
      if (word === "--") break;
      if (/^-[clpv]$/.test(word)) given.add(word);
      else if (/^[+-]/.test(word)) {
        const found = placeOf(word, stack.length);
        if (found === "no number") return complain(`${word}: invalid number`, 2);
        place = found;
        named = word.slice(1);
      } else return complain(`${word}: invalid option`, 2);
    }
    if (given.has("-c")) {
      shell.directoryStack = [];
      return 0;
    }
    const home = given.has("-l") ? undefined : shell.variable("HOME");
    const all = [absolutePath(files, files.currentDirectory), ...stack];
    const numbered = given.has("-v");
    if (place === undefined) {
      yield toBytes(shownStack(all, home, { numbered, lines: given.has("-p") }));
      return 0;
    }
    const path = all[place];
    if (path === undefined) return complain(outOfRange(named, stack.length), 1);
    yield toBytes(shownEntry(path, home, numbered ? place : undefined));
    return 0;
  },
});
