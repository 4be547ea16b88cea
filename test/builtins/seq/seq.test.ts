/** seq through the guard and the engine. */
import { seq } from "../../../builtins/seq/seq.ts";
import { cases } from "../../cases.ts";
import { messages } from "../messages.ts";

cases(seq, [
  { name: "to LAST", command: "seq 3", stdout: "1\n2\n3\n" },
  { name: "nothing to count", command: "seq 3 1" },
  { name: "-w", command: "seq -w 9 11", stdout: "09\n10\n11\n" },
  { name: "-s", command: "seq -s , 3", stdout: "1,2,3\n" },
  { name: "-f", command: 'seq -f "%03g.txt" 2', stdout: "001.txt\n002.txt\n" },
  { name: "fractions", command: "seq 0 0.1 0.3", stdout: "0.0\n0.1\n0.2\n0.3\n" },
  {
    name: "large numbers are exact",
    command: "seq 99999999999999999999 100000000000000000000",
    stdout: "99999999999999999999\n100000000000000000000\n",
  },
  { name: "for ever", command: "seq inf | tail -n +100000 | head -n 1", stdout: "100000\n" },
  { name: "down", command: "seq 3 -1 1", stdout: "3\n2\n1\n" },
  { name: "an exponent", command: "seq 1e1 11", stdout: "10\n11\n" },
]);

messages(seq, [
  [[], "seq: missing operand\nTry 'seq --help' for more information.\n"],
  [["a"], "seq: invalid floating point argument: ‘a’\nTry 'seq --help' for more information.\n"],
  [["1", "0", "3"], "seq: invalid Zero increment value: ‘0’\nTry 'seq --help' for more information.\n"],
  [["-f", "%d", "3"], "seq: format ‘%d’ has unknown %d directive\n"],
]);
