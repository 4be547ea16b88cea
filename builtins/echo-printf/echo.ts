/** `echo`: bash's builtin, with its escapes under -e. */
import { defineBuiltin } from "../../src/builtin/definition.ts";
import { toBytes } from "../../src/io/text.ts";
import { expandEscapes } from "./echo-escapes.ts";

export const echo = defineBuiltin({
  name: "echo",
  summary: "Print the operands, separated by spaces, and a newline.",
  standard: "https://www.gnu.org/software/bash/manual/html_node/Bash-Builtins.html#index-echo",
  reference: "GNU bash 5.2",
  operands: { kind: "values" },
  syntax: "raw",
  flags: {},
  examples: [
    { command: "echo a  b", stdout: "a b\n" },
    { command: "echo -n a", stdout: "a" },
    { command: "echo -e 'a\\tb\\x21'", stdout: "a\tb!\n", note: "-e: escapes; -E (the default): none" },
  ],
  async *run({ operands }) {
    let newline = true;
    let escapes = false;
    let first = 0;
    // Only words made of these letters alone are flags; anything else, `--` too, is text.
    for (; /^-[neE]+$/.test(operands[first] ?? ""); first++) {
      for (const letter of (operands[first] as string).slice(1)) {
        if (letter === "n") newline = false;
        else escapes = letter === "e";
      }
    }
    const text = operands.slice(first).join(" ");
    if (!escapes) {
      yield toBytes(newline ? `${text}\n` : text);
      return 0;
    }
    const { expanded, ended } = expandEscapes(text);
    yield toBytes(newline && !ended ? `${expanded}\n` : expanded);
    return 0;
  },
});
