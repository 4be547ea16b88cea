/** expr through the guard and the engine. */
import { expr } from "../../../builtins/expr/expr.ts";
import { cases } from "../../cases.ts";
import { messages } from "../messages.ts";

cases(expr, [
  { name: "a range that ends before it begins is empty", command: "expr ac : '[b-ac]*'", stdout: "0\n", exit: 1 },
  { name: "a class without brackets is a set", command: "expr s: : '[:space:]*'", stdout: "2\n" },
  {
    name: "one alternative cannot refer to a group of another",
    command: "expr aa : '\\(a\\)\\|\\1'",
    stderr: "expr: Invalid back reference\n",
    exit: 2,
  },
  { name: "a repetition may be repeated", command: "expr aa : 'a\\{1\\}\\{1\\}'", stdout: "1\n" },
  { name: "stars may follow each other", command: "expr aab : '\\(a*\\)**b'", stdout: "aa\n" },
  { name: "an interval with nothing before it is text", command: "expr '{2}}' : '\\{2\\}\\{2\\}'", stdout: "4\n" },
  { name: "arithmetic", command: "expr 2 + 3 '*' 4", stdout: "14\n" },
  { name: "any size", command: "expr 99999999999999999999 + 1", stdout: "100000000000000000000\n" },
  { name: "0 is status 1", command: "expr 1 - 1", stdout: "0\n", exit: 1 },
  { name: "a group", command: "expr abc : 'a\\(.\\)c'", stdout: "b\n" },
  { name: "characters", command: "expr éa : '.*'", stdout: "2\n" },
  { name: "substr", command: "expr substr hello 2 3", stdout: "ell\n" },
  { name: "what is not needed is not computed", command: "expr 1 '|' 1 / 0", stdout: "1\n" },
]);

messages(expr, [
  [[], "expr: missing operand\nTry 'expr --help' for more information.\n", 2],
  [["1", "/", "0"], "expr: division by zero\n", 2],
  [["a", "+", "1"], "expr: non-integer argument\n", 2],
  [["1", "+"], "expr: syntax error: missing argument after ‘+’\n", 2],
  [["(", "1"], "expr: syntax error: expecting ')' after ‘1’\n", 2],
  [["1", "2"], "expr: syntax error: unexpected argument ‘2’\n", 2],
]);
