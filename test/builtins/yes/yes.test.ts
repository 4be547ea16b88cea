/** yes through the guard and the engine. */
import { yes } from "../../../builtins/yes/yes.ts";
import { cases } from "../../cases.ts";
import { messages } from "../messages.ts";

const help = "Try 'yes --help' for more information.\n";

cases(yes, [
  { name: "y", command: "yes | head -n 2", stdout: "y\ny\n" },
  { name: "operands joined", command: 'yes a "b c" | head -n 2', stdout: "a b c\na b c\n" },
  {
    name: "a line longer than a block",
    command: "yes aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa | head -c 100000 | wc",
    stdout: "   1612    1613  100000\n",
  },
  { name: "after --", command: "yes -- -x | head -n 1", stdout: "-x\n" },
  { name: "an empty operand", command: "yes '' | head -n 2", stdout: "\n\n" },
  { name: "an unknown flag", command: "yes -x", refused: "UNKNOWN_FLAG" },
]);

messages(yes, [
  [["-x"], `yes: invalid option -- 'x'\n${help}`],
  [["a", "-n"], `yes: invalid option -- 'n'\n${help}`],
  [["--nope"], `yes: unrecognized option '--nope'\n${help}`],
]);
