/** `popd`: takes a directory from the stack of `pushd`, and moves the session where that was the one on top. */
import { defineBuiltin } from "../../src/builtin/definition.ts";
import { toBytes } from "../../src/io/text.ts";
import { changeDirectory } from "./change-directory.ts";
import { outOfRange, placeOf } from "./directory-stack.ts";
import { STACK_LASTS, stackOf } from "./pushd.ts";

export const popd = defineBuiltin({
  name: "popd",
  summary: "Take the top directory from the stack of pushd, and move the session there.",
  standard: "https://www.gnu.org/software/bash/manual/html_node/Directory-Stack-Builtins.html#index-popd",
  reference: "GNU bash 5.2",
  operands: { kind: "values" },
  syntax: "raw",
  navigates: "stack",
  flags: {},
  examples: [
    {
      command: "pushd src >/dev/null; popd",
      files: { "src/a.ts": "" },
      stdout: "~\n",
      note: "+N and -N take another than the top; -n moves nothing",
    },
  ],
  deviations: [STACK_LASTS],
  async *run({ navigation, operands: words, files, stderr }) {
    if (navigation === undefined) throw new Error("popd without a session");
    const complain = (message: string, exit = 1): number => {
      stderr(`${navigation.place}: popd: ${message}\n`);
      if (exit === 2) stderr("popd: usage: popd [-n] [+N | -N]\n");
      return exit;
    };
    const { stack } = navigation;
    let stays = false;
    let place = 0;
    let named = "";
    for (const word of words) {
      if (word === "--" || word === "") break;
      if (word === "-n") stays = true;
      else if (/^[+-]/.test(word)) {
        const found = placeOf(word, stack.length);
        if (found === "no number") return complain(`${word}: invalid number`, 2);
        place = found;
        named = word;
      } else return complain(`${word}: invalid argument`, 2);
    }
    if (stack.length === 0 || place < 0 || place > stack.length) return complain(outOfRange(named, stack.length));
    // The current directory is not on the stack itself: what is taken is the one below it.
    const taken = place === 0 ? 0 : place - 1;
    if (place === 0 && !stays) {
      const changed = changeDirectory(files, navigation, [stack[0] as string]);
      if (typeof changed !== "string") return complain(changed.error);
    }
    navigation.stack = stack.toSpliced(taken, 1);
    yield toBytes(stackOf(files, navigation));
    return 0;
  },
});
