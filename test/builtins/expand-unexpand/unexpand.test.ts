/** unexpand through the guard and the engine. */
import { unexpand } from "../../../builtins/expand-unexpand/unexpand.ts";
import { cases } from "../../cases.ts";
import { messages } from "../messages.ts";

cases(unexpand, [
  { name: "at the beginning of a line", command: "unexpand", stdin: "        a        b\n", stdout: "\ta        b\n" },
  { name: "-a", command: "unexpand -a", stdin: "1234567 8\n", stdout: "1234567 8\n" },
  { name: "-t", command: "unexpand -t 4", stdin: "    a   b\n", stdout: "\ta\tb\n" },
  {
    name: "a tab stop past all blanks",
    command: "unexpand -t 9223372036854775807",
    stdin: "        a\n",
    stdout: "        a\n",
    differs: "GNU unexpand fails: no memory holds as many blanks",
  },
]);

messages(unexpand, [[["-t", "1,1"], "unexpand: tab sizes must be ascending\n"]]);
