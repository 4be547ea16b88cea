/** tsort through the guard and the engine. */
import { tsort } from "../../../builtins/tsort/tsort.ts";
import { cases } from "../../cases.ts";
import { messages } from "../messages.ts";

cases(tsort, [
  { name: "pairs", command: "tsort", stdin: "a b\nb c\n", stdout: "a\nb\nc\n" },
  {
    name: "a loop",
    command: "tsort",
    stdin: "a b\nb a\n",
    stdout: "a\nb\n",
    stderr: "tsort: -: input contains a loop:\ntsort: a\ntsort: b\n",
    exit: 1,
  },
  { name: "an odd number", command: "tsort", stdin: "a\n", stderr: "tsort: -: input contains an odd number of tokens\n", exit: 1 },
]);

messages(tsort, [[["a", "b"], "tsort: extra operand ‘b’\nTry 'tsort --help' for more information.\n"]]);
